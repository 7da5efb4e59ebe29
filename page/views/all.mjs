// @ts-check
// All boards: the evening at a glance, and who lost what.
import { closeAll } from "../boards.mjs";
import { button, h, headRow, hint, remark, row, seenOnly, select, unseen } from "../dom.mjs";
import { comparedOf, duels, glances, namesOf, progressOf, ROWS, seatsOf, whereOf } from "../evening.mjs";
import { ofBoard, writeLink } from "../state.mjs";
import { cardMark, contractMarks, percent, plural, signed } from "../words.mjs";
import { entry } from "./entry.mjs";

/** @import { Losses, ShownBoard, TableLine } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Drawn, Inside } from "../dom.mjs" */
/** @import { Glance, Good } from "../evening.mjs" */

/**
 * @typedef {{ board: Good, at: number, where: string, said?: Said<Glance>, glance?: Glance, duel?: TableLine }} Row
 * @typedef {{
 *   id: string, name: string, title: string, value: (row: Row) => number | string | null | undefined,
 *   show?: (row: Row) => Inside, left?: boolean, wide?: boolean,
 * }} Column  `show` is left out where the value is a number with its sign.
 */

/** @type {Column[]} */
const COLUMNS = [{
  id: "board",
  name: "Board",
  title: "number and table",
  value: ({ at }) => at,
  left: true,
  show: ({ board, at, where }) => [`${board.board ?? at + 1}`, where ? h("small", {}, ` ${where}`) : null],
}, {
  id: "contract",
  name: "Contract",
  title: "contract and declarer",
  value: ({ board }) => board.contract ?? "~",
  left: true,
  show: ({ board }) => contractCell(board),
}, {
  id: "lead",
  name: "Lead",
  title: "opening lead",
  value: ({ board }) => board.play[0],
  left: true,
  wide: true,
  show: ({ board }) => (board.play[0] ? cardMark(board.play[0]) : "–"),
}, {
  id: "result",
  name: "Made",
  title: "declarer's tricks; cl. after a claim",
  value: ({ glance, board }) => glance?.result ?? board.result,
  show: result,
}, {
  id: "solved",
  name: "Double dummy",
  title: "declarer's tricks double dummy",
  value: ({ glance }) => glance?.double_dummy,
  show: ({ glance }) => glance?.double_dummy ?? "–",
}, {
  id: "score",
  name: "Score",
  title: "of North and South",
  wide: true,
  value: ({ glance, board }) => glance?.score ?? board.score,
}, { id: "par", name: "Par", title: "of North and South", wide: true, value: ({ glance }) => glance?.par?.score }, {
  id: "over",
  name: "Off par",
  title: "score less par, of North and South",
  value: ({ glance }) => glance?.over_par,
}, {
  id: "imps",
  name: "IMPs",
  title: "of North and South against the other tables",
  wide: true,
  value: ({ duel }) => {
    const imps = comparedOf(duel, "imps");
    return imps === null ? null : Number(imps.toFixed(1));
  },
}, {
  id: "matchpoints",
  name: "N–S",
  title: "matchpoints of North and South against the other tables",
  wide: true,
  value: ({ duel }) => comparedOf(duel, "matchpoints"),
  show: ({ duel }) => {
    const share = comparedOf(duel, "matchpoints");
    return share === null ? "–" : percent(share / 100, 0);
  },
}, {
  id: "ns",
  name: "N–S lost",
  title: "tricks that North's and South's mistakes cost",
  value: ({ glance }) => glance?.lost?.[0],
  show: ({ said }) => lostCell(said, 0),
}, {
  id: "ew",
  name: "E–W lost",
  title: "tricks that East's and West's mistakes cost",
  value: ({ glance }) => glance?.lost?.[1],
  show: ({ said }) => lostCell(said, 1),
}];

/** The rows that a choice leaves. @type {Record<string, [string, (row: Row) => boolean]>} */
const SHOWN = {
  "": ["All", () => true],
  mistakes: ["With mistakes", ({ glance }) => Boolean(glance?.lost?.some(Boolean))],
  par: ["Off par", ({ glance }) => Boolean(glance?.over_par)],
  claims: ["Claims", ({ board }) => board.claim !== null],
};

/** @type {View} */
export const allView = {
  id: "boards",
  name: "All boards",
  question: "How did the evening go?",
  sees: "All four hands seen",
  title: () => "All boards",
  show(page) {
    page.memory.keys = {};
    const { evening } = page;
    const { good, tables } = evening;
    if (!good.length) return [entry(page), h("p", {}, "There are no boards here. Paste some, or open a file.")];
    const known = glances(page, good);
    duels(page);
    const compared = tables.size < good.length && evening.comparing;
    const columns = COLUMNS.filter(({ id }) => !["imps", "matchpoints"].includes(id) || id === compared);
    const rows = sorted(page, good.map((board) => rowFor(page, board)));
    page.say(`${progressOf(page, known)}.`);
    return h("div", { class: "evening" }, entry(page), tools(page, known), matchLine(page),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All boards" },
        h("table", { class: "all" }, h("caption", { class: "unseen" }, "All boards; a heading sorts them"),
          h("thead", {}, h("tr", {}, columns.map((column) => heading(page, column)))),
          h("tbody", {}, rows.slice(0, evening.rows).map((row) => line(row, columns))))),
      rows.length ? null : hint("No board matches."), rest(page, rows.length), summary(known));
  },
};

/** The teams of a match and the IMPs of each, once both rooms are compared. @param {Page} page */
function matchLine({ evening }) {
  const { match, good, tables, duels: known } = evening;
  if (!match || (!known.size && tables.size < good.length)) return null;
  const open = good.filter((board) => board.room === "open");
  const swings = open.map((board) => known.get(board)?.imps ?? 0);
  const sums = [1, -1].map((way, n) =>
    match.carried[n] + swings.reduce((sum, imps) => sum + Math.max(0, way * imps), 0)
  );
  const [home, away] = match.teams;
  return remark(match.title ? `${match.title}: ` : "", h("b", {}, `${home} ${sums[0]} – ${away} ${sums[1]}`),
    ` IMPs on ${plural(open.length, "board")}`, match.carried.some(Boolean) ? ", with those carried over." : ".",
    hint(`${home} are North and South in the open room, East and West in the closed room.`));
}

/** Asks for the rows that are not drawn. @param {Page} page @param {number} count */
function rest(page, count) {
  const left = count - page.evening.rows;
  return left > 0
    && button("rows",
      left > ROWS ? `Show ${ROWS} more of the ${left} boards left` : `Show the last ${plural(left, "board")}`, () => {
      page.evening.rows += ROWS;
      page.draw();
    });
}

/** @param {Page} page @param {Good} board @returns {Row} */
function rowFor({ evening }, board) {
  const said = evening.known.get(board);
  return {
    board,
    at: evening.placeOf(board),
    where: whereOf(evening, board),
    said,
    glance: said?.answer,
    duel: evening.duels.get(board),
  };
}

/** A contract, or that the board was passed out. @param {ShownBoard} board */
export const contractCell = (
  board
) => (board.contract ? contractMarks(board.contract) : board.passed_out ? "passed out" : "–");

/** @param {Row} row */
function result({ board, glance }) {
  const made = glance?.result ?? board.result;
  if (made === null) return "–";
  return [made,
    board.claim === null ? null
      : [h("small", { class: "claimed", "aria-hidden": "true" }, " cl."), unseen(", claimed")],
    glance?.outcome ? unseen(`, ${glance.outcome}`) : null];
}

/** The cost of a side's mistakes. @param {Said<Glance> | undefined} said @param {number} side */
export function lostCell(said, side) {
  const lost = said?.answer?.lost?.[side];
  return lost ? h("b", { class: "cost" }, lost) : lost === 0 ? "0" : said?.answer || said?.error ? "–" : "…";
}

/** @param {Page} page @param {Row[]} rows */
function sorted({ state: { sort, show } }, rows) {
  const kept = rows.filter(SHOWN[show]?.[1] ?? (({ board }) => seatsOf(board, show).length > 0));
  const column = COLUMNS.find(({ id }) => id === sort.replace("-", ""));
  if (!column) return kept;
  const way = sort.startsWith("-") ? -1 : 1;
  return kept.sort((one, other) => {
    const [a = null, b = null] = [column.value(one), column.value(other)];
    if (a === b) return one.at - other.at;
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * way;
  });
}

/** @param {Column} column */
const kindOf = ({ left, wide }) => `${left ? "left" : ""}${wide ? " wide-only" : ""}`;

/** A heading that sorts. @param {Page} page @param {Column} column */
function heading(page, column) {
  const { id, name, title } = column;
  const { sort } = page.state;
  const here = sort.replace("-", "") === id || (!sort && id === "board");
  const down = sort.startsWith("-");
  return h("th", {
    scope: "col",
    class: kindOf(column),
    "aria-sort": here ? (down ? "descending" : "ascending") : undefined,
  },
    button(`sort-${id}`, [name, here ? seenOnly(down ? " ↓" : " ↑") : null],
      () => page.go({ sort: here && !down ? `-${id}` : id }, { push: false }), { title }));
}

/** Rows that were drawn, while nothing in them changes.
 * @type {WeakMap<ShownBoard, { row: Row, columns: number, drawn: Drawn[] }>} */
const kept = new WeakMap();

/** @param {Row} row @param {Column[]} columns */
function line(row, columns) {
  const { board, at, said, glance, duel } = row;
  const before = kept.get(board);
  const { said: old } = before?.row ?? {};
  if (before?.columns === columns.length && old?.answer === glance && old?.error === said?.error
    && before.row.duel === duel) return before.drawn;
  const link = writeLink({ ...ofBoard(board), at: String(at), view: board.play.length ? "record" : "deal" });
  const cells = columns.map((column, n) => {
    const value = column.value(row) ?? null;
    const inside = column.show ? column.show(row) : value === null ? "–" : signed(Number(value)).replace("=", "0");
    return n === 0
      ? h("th", { scope: "row", class: kindOf(column) },
        h("a", { href: link, "data-key": `open-${at}` }, unseen("Board "), inside))
      : h("td", { class: kindOf(column), "data-label": column.id }, inside);
  });
  const why = said?.error ?? glance?.problem;
  const drawn = [h("tr", { "data-key": `row-${at}`, class: glance || said?.error ? "" : "open" }, cells)];
  if (why)
    drawn.push(
      h("tr", { "data-key": `why-${at}` },
        h("td", { colspan: columns.length, class: "left problem" }, `Board ${board.board ?? at + 1}: ${why}`))
    );
  kept.set(board, { row, columns: columns.length, drawn });
  return drawn;
}

/** @param {Page} page @param {ReturnType<typeof glances>} known */
function tools(page, known) {
  const { show } = page.state;
  const names = namesOf(page.evening);
  /** @param {string} to */
  const only = (to) => page.go({ show: to }, { push: false });
  return h("div", { class: "tools" },
    h("div", { class: "chips", role: "group", "aria-label": "Boards that are shown" },
      Object.entries(SHOWN).map(([id, [text]]) =>
        button(`show-${id}`, text, () => only(id), { "aria-pressed": String(show === id) })
      ),
      names.length > 0
        && select("player", [["", "Any player"], ...names], show in SHOWN ? "" : show, only, {
          "aria-label": "Player or pair",
        })), show && h("p", { class: "paper" }, `${SHOWN[show]?.[0] ?? show.replace(/^(by|pair) /, "")}:`),
    hint(progressOf(page, known), " ",
      known.done < known.of && button("pause", page.paused ? "Continue" : "Stop", () => {
        page.paused = !page.paused;
        page.helpers.again();
        page.draw();
      })),
    h("div", { class: "row-of" },
      button("to-results", "Results", () => page.go({ view: "results" }), {
        disabled: !page.evening.good.some(({ played }) => played),
      }), button("to-records", "Hand records", () => page.go({ view: "records" })),
      button("to-problems", "Problem sheet", () => page.go({ view: "problems" })),
      button("to-lesson", "Lesson sheet", () => page.go({ view: "lesson" })),
      button("close-all", "Close all", () => closeAll(page))));
}

/** The sums of losses by name, those who lost most first. @param {Losses[]} all */
function summed(all) {
  /** @type {Map<string, Losses>} */
  const sums = new Map();
  for (const of of all) {
    const { name, ...own } = of;
    const sum = sums.get(name)
      ?? { ...of, boards: 0, cards: 0, mistakes: 0, tricks: 0, on_lead: 0, declaring: 0, defending: 0 };
    for (const [key, more] of Object.entries(own)) sum[/** @type {keyof typeof own} */ (key)] += more;
    sums.set(name, sum);
  }
  return [...sums.values()].sort((a, b) => b.tricks - a.tricks || (a.name < b.name ? -1 : 1));
}

/** Who lost tricks by mistakes. @param {ReturnType<typeof glances>} known */
function summary(known) {
  const parts = [...known.all.values()].flatMap(({ answer }) => answer?.summary?.summary ?? []);
  if (!parts.length) return null;
  /** @param {string} id @param {string} caption @param {Losses[]} list */
  const table = (id, caption, list) =>
    h("table", { class: "players", "data-key": id }, h("caption", {}, caption),
      headRow([null, "boards", "mistakes", "tricks", "on lead", "declaring", "defending"]),
      h("tbody", {}, list.map((of) =>
        row(of.name, [of.boards, of.mistakes, of.tricks, of.on_lead, of.declaring, of.defending])
      )));
  return h("section", { class: "summary" }, h("h2", {}, `Tricks lost by mistakes, ${plural(parts.length, "board")}`),
    table("by-player", "By player", summed(parts.flatMap(({ players }) => players))),
    table("by-pair", "By pair", summed(parts.flatMap(({ pairs }) => pairs))));
}
