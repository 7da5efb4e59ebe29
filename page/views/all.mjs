// @ts-check
// All boards: the evening at a glance, and who lost what.
import { h } from "../dom.mjs";
import { compared, glances, goodBoards, progressOf, tablesOf } from "../evening.mjs";
import { ofBoard, writeLink } from "../state.mjs";
import { SEAT, cardMark, contractText, plural, signed, strainMark } from "../words.mjs";

/**
 * @typedef {import("../app.mjs").Page} Page
 * @typedef {{ board: any, at: number, said: import("../helpers.mjs").Said | undefined, glance: any, duel: any }} Row
 * @typedef {{ id: string, name: string, title: string, value: (row: Row) => number | string | null, show: (row: Row) => import("../dom.mjs").Inside, left?: boolean, wide?: boolean }} Column
 */

/** A number with its sign, or a dash. @param {number | null | undefined} n */
const plus = (n) => (n === null || n === undefined ? "–" : signed(n).replace("=", "0"));

/** @type {Column[]} */
const COLUMNS = [
  { id: "board", name: "Board", title: "number and room", value: ({ at }) => at, show: (row) => name(row), left: true },
  { id: "contract", name: "Contract", title: "contract and declarer", left: true, value: ({ board }) => board.contract ?? "~", show: ({ board }) => contract(board) },
  { id: "lead", name: "Lead", title: "opening lead", left: true, wide: true, value: ({ board }) => board.play[0] ?? null, show: ({ board }) => (board.play[0] ? cardMark(board.play[0]) : "–") },
  { id: "result", name: "Made", title: "declarer's tricks; × after a claim", value: ({ glance, board }) => glance?.result ?? board.result, show: (row) => result(row) },
  { id: "solved", name: "Double dummy", title: "declarer's tricks double dummy", value: ({ glance }) => glance?.double_dummy ?? null, show: ({ glance }) => glance?.double_dummy ?? "–" },
  { id: "score", name: "Score", title: "of North and South", wide: true, value: ({ glance, board }) => glance?.score ?? board.score, show: ({ glance, board }) => plus(glance?.score ?? board.score) },
  { id: "par", name: "Par", title: "of North and South", wide: true, value: ({ glance }) => glance?.par?.score ?? null, show: ({ glance }) => plus(glance?.par?.score) },
  { id: "over", name: "Off par", title: "score less par, of North and South", value: ({ glance }) => glance?.over_par ?? null, show: ({ glance }) => plus(glance?.over_par) },
  { id: "imps", name: "IMPs", title: "of North and South against the other tables", wide: true, value: ({ duel }) => duel?.imps ?? null, show: ({ duel }) => plus(duel?.imps === null || !duel ? null : Number(duel.imps.toFixed(1))) },
  { id: "ns", name: "N–S lost", title: "tricks that North's and South's mistakes cost", value: ({ glance }) => glance?.lost?.[0] ?? null, show: ({ glance }) => lost(glance?.lost?.[0]) },
  { id: "ew", name: "E–W lost", title: "tricks that East's and West's mistakes cost", value: ({ glance }) => glance?.lost?.[1] ?? null, show: ({ glance }) => lost(glance?.lost?.[1]) },
];

/** The rows that a choice leaves. @type {Record<string, [string, (row: Row) => boolean]>} */
const SHOWN = {
  "": ["All", () => true],
  mistakes: ["With mistakes", ({ glance }) => Boolean(glance?.lost && glance.lost[0] + glance.lost[1])],
  par: ["Off par", ({ glance }) => Boolean(glance?.over_par)],
  claims: ["Claims", ({ board }) => board.claim !== null],
};

/** @type {import("../app.mjs").View} */
export const allView = {
  id: "boards",
  name: "All boards",
  question: "How did the evening go?",
  sees: "All four hands seen",
  title: () => "All boards",
  show(page) {
    page.memory.keys = {};
    const boards = goodBoards(page);
    if (!boards.length) return h("p", {}, "There are no boards here. Paste or open a file in Deal.");
    const known = glances(page, boards);
    const many = boards.some(({ deal }) => tablesOf(page, deal).length > 1);
    const columns = COLUMNS.filter(({ id }) => id !== "imps" || many);
    const rows = sorted(page, boards.map((board) => rowOf(page, board, known.all.get(board), many)), columns);
    page.say(`${progressOf(page, known)}.`);
    return h("div", { class: "evening" }, tools(page, known),
      h("table", { class: "all" }, h("caption", { class: "unseen" }, "All boards; a heading sorts them"),
        h("thead", {}, h("tr", {}, columns.map((column) => heading(page, column)))),
        h("tbody", {}, rows.map((row) => line(row, columns)))),
      rows.length ? null : h("p", { class: "hint" }, "No board is so."),
      summary(page, known));
  },
};

/** @param {Page} page @param {any} board @param {import("../helpers.mjs").Said | undefined} said @param {boolean} many @returns {Row} */
function rowOf(page, board, said, many) {
  const tables = many ? tablesOf(page, board.deal) : [];
  const duel = tables.length > 1 ? compared(page, tables).answer?.tables[tables.indexOf(board)] : null;
  return { board, at: page.boards.indexOf(board), said, glance: said?.answer, duel };
}

/** @param {Row} row */
function name({ board, at }) {
  return [`${board.board ?? at + 1}`, board.room ? h("small", {}, ` ${board.room}`) : null];
}

/** @param {any} board */
const contract = (board) => (board.contract ? contractMarks(board.contract) : board.passed_out ? "passed out" : "–");

/** A contract as 4HXW with its marks. @param {string} text */
export function contractMarks(text) {
  const m = /^([1-7])(NT|[SHDC])(X*)([NESW])$/.exec(text);
  if (!m) return contractText(text);
  const [, level, strain, doubled, seat] = m;
  return [level, strainMark(strain), doubled ? [h("span", { "aria-hidden": "true" }, doubled), h("span", { class: "unseen" }, doubled === "X" ? " doubled" : " redoubled")] : null,
    " ", h("span", { "aria-hidden": "true" }, seat), h("span", { class: "unseen" }, ` by ${SEAT[seat]}`)];
}

/** @param {Row} row */
function result({ board, glance }) {
  const made = glance?.result ?? board.result;
  if (made === null || made === undefined) return "–";
  return [made, board.claim === null ? null : [h("span", { class: "claimed", "aria-hidden": "true" }, "×"), h("span", { class: "unseen" }, ", claimed")],
    glance?.outcome ? h("span", { class: "unseen" }, `, ${glance.outcome}`) : null];
}

/** @param {number | null | undefined} tricks */
const lost = (tricks) => (tricks === null || tricks === undefined ? "–" : tricks ? h("b", { class: "cost" }, tricks) : "0");

/** @param {Page} page @param {Row[]} rows @param {Column[]} columns */
function sorted(page, rows, columns) {
  const { sort, show } = page.state;
  const [, keeps] = SHOWN[show] ?? [, (/** @type {Row} */ { board }) => board.players?.includes(show.replace(/^by /, ""))];
  const column = columns.find(({ id }) => id === sort.replace("-", ""));
  const kept = rows.filter(keeps);
  if (!column) return kept;
  const way = sort.startsWith("-") ? -1 : 1;
  const value = (/** @type {Row} */ row) => column.value(row);
  return kept.sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return one.at - other.at;
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * way;
  });
}

/** A heading that sorts. @param {Page} page @param {Column} column */
function heading(page, { id, name, title, left, wide }) {
  const { sort } = page.state;
  const here = sort.replace("-", "") === id || (!sort && id === "board");
  const down = sort.startsWith("-");
  const next = here && !down ? `-${id}` : id;
  return h("th", { scope: "col", class: `${left ? "left" : ""}${wide ? " wide-only" : ""}`, "aria-sort": here ? (down ? "descending" : "ascending") : undefined },
    h("button", { type: "button", "data-key": `sort-${id}`, title, onclick: () => page.go({ sort: next }, { push: false }) }, name, here ? h("span", { "aria-hidden": "true" }, down ? " ↓" : " ↑") : null));
}

/** Rows that were drawn, while nothing in them changes. @type {WeakMap<any, { row: Row, columns: number, drawn: import("../dom.mjs").Drawn[] }>} */
const kept = new WeakMap();

/** @param {Row} row @param {Column[]} columns */
function line(row, columns) {
  const before = kept.get(row.board);
  if (before && before.columns === columns.length && before.row.glance === row.glance && before.row.said?.error === row.said?.error && before.row.duel === row.duel) return before.drawn;
  const { board, at, said } = row;
  const link = writeLink({ ...ofBoard(board), at: String(at), view: board.play.length ? "record" : "deal" });
  const cells = columns.map(({ id, show, left, wide }, n) => {
    const kind = `${left ? "left" : ""}${wide ? " wide-only" : ""}`;
    if (n === 0) return h("th", { scope: "row", class: kind }, h("a", { href: link, "data-key": `open-${at}` }, h("span", { class: "unseen" }, "Board "), show(row)));
    return h("td", { class: kind, "data-label": id }, show(row));
  });
  const why = said?.error ?? row.glance?.problem;
  const drawn = [h("tr", { "data-key": `row-${at}`, class: said?.answer || said?.error ? "" : "open" }, cells)];
  if (why) drawn.push(h("tr", { "data-key": `why-${at}` }, h("td", { colspan: columns.length, class: "left problem" }, `Board ${board.board ?? at + 1}: ${why}`)));
  kept.set(board, { row, columns: columns.length, drawn });
  return drawn;
}

/** @param {Page} page @param {ReturnType<typeof glances>} known */
function tools(page, known) {
  const { show } = page.state;
  const names = [...new Set(goodBoards(page).flatMap(({ players }) => players ?? []).filter(Boolean))].sort();
  const link = (/** @type {string} */ view, /** @type {string} */ text) => h("button", { type: "button", "data-key": `to-${view}`, onclick: () => page.go({ view }) }, text);
  return h("div", { class: "tools" },
    h("div", { class: "chips", role: "group", "aria-label": "Boards that are shown" }, Object.entries(SHOWN).map(([id, [text]]) => h("button", {
      type: "button", "data-key": `show-${id}`, "aria-pressed": String(show === id), onclick: () => page.go({ show: id }, { push: false }),
    }, text)),
    names.length ? h("select", { "data-key": "player", "aria-label": "Player", onchange: (/** @type {Event} */ event) => page.go({ show: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      h("option", { value: "", selected: !show.startsWith("by ") }, "Any player"), names.map((one) => h("option", { value: `by ${one}`, selected: show === `by ${one}` }, one))) : null),
    h("p", { class: "hint" }, progressOf(page, known), " ",
      known.done < known.of ? h("button", { type: "button", "data-key": "pause", onclick: () => { page.paused = !page.paused; page.helpers.again(); page.draw(); } }, page.paused ? "Continue" : "Halt") : null),
    h("div", { class: "row-of" }, link("records", "Hand records"), link("lesson", "Lesson sheet")));
}

/** Who lost tricks by mistakes, once all is known or from time to time. @param {Page} page @param {ReturnType<typeof glances>} known */
function summary(page, known) {
  const STEP = 12;
  const parts = [...known.all.values()].flatMap(({ answer }) => answer?.summary?.summary ?? []);
  const told = known.done === known.of ? parts.length : parts.length - (parts.length % STEP);
  if (!told) return null;
  const line = (/** @type {string} */ kind, /** @type {any} */ of) => `${of.name}\t${kind}\t${[of.boards, of.cards, of.mistakes, of.tricks, of.on_lead, of.declaring, of.defending].join(" ")}`;
  const text = parts.slice(0, told).flatMap((part) => [...part.players.map((/** @type {any} */ of) => line("player", of)), ...part.pairs.map((/** @type {any} */ of) => line("pair", of))]).join("\n");
  const { answer } = page.need("play", "summary", text);
  if (!answer) return null;
  const table = (/** @type {string} */ id, /** @type {string} */ caption, /** @type {any[]} */ list) => h("table", { class: "players", "data-key": id }, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("td", {}), ["boards", "mistakes", "tricks", "on lead", "declaring", "defending"].map((head, n) => h("th", { scope: "col", class: n > 2 && "wide-only" }, head)))),
    h("tbody", {}, list.map((of) => h("tr", {}, h("th", { scope: "row" }, of.name), [of.boards, of.mistakes, of.tricks, of.on_lead, of.declaring, of.defending].map((n, at) => h("td", { class: at > 2 && "wide-only" }, n))))));
  return h("section", { class: "summary" }, h("h2", {}, `Tricks lost by mistakes, ${plural(told, "board")}`),
    table("by-player", "By player", answer.summary.players), table("by-pair", "By pair", answer.summary.pairs));
}
