// @ts-check
// Sheets to print: the hand records of an evening, its contracts as problems, and its mistakes for a lesson.
import { button, choice, h, hint, seenOnly, table, unseen } from "../dom.mjs";
import { ASKED, glances, namesOf, progressOf, seatsOf } from "../evening.mjs";
import { dummy, hiddenText, isEnding, ofBoard, seenDeal } from "../state.mjs";
import { after, capital, cardMark, cardMarks, cardsOf, CONTRACT, contractMarks, handsOf, partner, plural, pointsOf,
  RANKS, SEAT, SEATS, strainMark, STRAINS, SUIT, SUITS, SYMBOL } from "../words.mjs";
import { auction, dealtBy, isVulnerable, scoreText } from "./board.mjs";
import { contractWords } from "./deal.mjs";
import { FEW } from "./hands.mjs";

/** @import { OnePar, Step } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Inside } from "../dom.mjs" */
/** @import { Glance, Good } from "../evening.mjs" */

/** The hands of a deal that are not `?`, small, with points and who is vulnerable; in the corners what else is said.
 * @param {Good} board @param {...Inside} corners */
export function small({ deal, dealer, vulnerable }, ...corners) {
  const hands = handsOf(deal);
  const seen = SEATS.filter((seat) => hands[seat] !== "?");
  const points = pointsOf(seen.map((seat) => hands[seat]));
  const texts = seen.map((seat, n) => `${SEAT[seat]} ${points[n]}`).join(", ");
  return h("div", { class: "small" }, corners,
    seen.map((seat) =>
      h("div", { class: "of", "data-seat": seat }, unseen(`${SEAT[seat]}${seat === dealer ? ", dealer" : ""}`),
        hands[seat].split(".").map((ranks, n) =>
          h("div", { class: "row" },
            h("span", { class: `pip ${SUITS[n]}`, role: "img", "aria-label": SUIT[SUITS[n]] }, SYMBOL[SUITS[n]]),
            "\u00a0", ranks ? [...ranks].map((rank) => (rank === "T" ? h("span", { class: "ten" }, "10") : rank)) : "–")
        ))
    ),
    h("div", { class: "points", role: "img", "aria-label": `Points: ${texts}` },
      seen.map((seat, n) =>
        h("span", { class: `at ${seat}` },
          h("b", { class: isVulnerable(vulnerable ?? "", seat) ? "vulnerable" : "" }, seat), points[n])
      )));
}

/** The tricks of each declarer. @param {Glance["tricks"]} tricks */
const makes = (tricks) =>
  table({ class: "tiny" }, unseen("Tricks by declarer"), [null, ...STRAINS.map(strainMark)],
    SEATS.map((seat) => [[seenOnly(seat), unseen(SEAT[seat])], ...STRAINS.map((strain) => tricks[strain][seat])]));

/** Par in words. @param {OnePar} par */
export const parWords = (
  par
) => (par.score === 0 ? "Par: all pass"
  : [`Par: ${scoreText(par.score)}, `,
    par.contracts.slice(0, 3).flatMap((of, n) => [n ? "; " : "", contractWords(of)])]);

/** @param {Page} page @param {ReturnType<typeof glances>} known @param {Inside} [more] */
const bar = (page, known, more) =>
  h("div", { class: "tools no-print" }, hint(progressOf(page, known)), more,
    h("div", { class: "row-of" }, button("print", "Print", () =>
      print(), { class: "main", disabled: known.done < known.of }), button("to-boards", "All boards", () =>
        page.go({ view: "boards" })),
      choice("colours", "Suits", [["four", "four colours"], ["two", "two colours"], ["black", "black and white"]],
        page.settings.get("colours"), (colours) => {
        page.settings.set("colours", colours);
        page.draw();
      })));

/** @param {Good} board @param {number} n */
const numberOf = (board, n) => `Board ${board.board ?? n + 1}`;

/** @type {View} */
export const recordsView = {
  id: "records",
  name: "Hand records",
  question: "The evening's hands, to print and pin up",
  sees: "All four hands seen",
  title: () => "Hand records",
  show(page) {
    page.memory.keys = {};
    // One board of each deal.
    const boards = [...page.evening.tables.values()].map(([board]) => board);
    const known = glances(page, boards);
    page.say(progressOf(page, known));
    const records = boards.map((board, n) => record(board, n, known.all.get(board)));
    const rows = Math.ceil(records.length / A_ROW);
    return [bar(page, known),
      h("div", { class: "sheet three" },
        Array.from({ length: rows },
          (_, n) => h("div", { class: "trio", "data-key": `trio-${n}` }, records.slice(n * A_ROW, (n + 1) * A_ROW))))];
  },
};

/** Number of hand records in a row on paper; a sheet has four rows, or fewer if their text needs more room. */
const A_ROW = 3;

/** A board's hand record. @param {Good} board @param {number} n @param {Said<Glance> | undefined} said */
function record(board, n, { answer, error = "…" } = {}) {
  return h("div", { class: "record", "data-key": `record-${n}` },
    small(board, h("div", { class: "title" }, h("h2", {}, numberOf(board, n)), hint(capital(dealtBy(ofBoard(board))))),
      answer ? makes(answer.tricks) : null),
    answer?.par ? h("p", { class: "par" }, parWords(answer.par)) : answer ? null : hint(error));
}

/** @type {View} */
export const problemsView = {
  id: "problems",
  name: "Problem sheet",
  question: "The contracts as problems, to print; the solutions are on another sheet",
  sees: "Two hands seen, all four in the solutions",
  title: () => "Problem sheet",
  show(page) {
    page.memory.keys = {};
    // One board of each deal.
    const boards = [...page.evening.tables.values()].flatMap((tables) => tables.find(({ contract }) => contract) ?? [])
      .filter((board) => board.declarer && !isEnding(ofBoard(board)));
    const known = glances(page, boards);
    let asked = page.paused ? ASKED : 0;
    const answers = boards.map((board) => {
      const found = solutions.get(board) ?? (asked < ASKED ? solution(page, board) : undefined);
      if (found) solutions.set(board, found);
      else asked += 1;
      return found;
    });
    known.done = Math.min(known.done, answers.filter(Boolean).length);
    page.say(progressOf(page, known));
    if (!boards.length) return [bar(page, known), h("p", {}, "No board has a contract.")];
    /** @param {string} title @param {(board: Good, n: number) => Inside} show */
    const sheet = (title, show) =>
      h("div", { class: "whose", "data-key": title }, h("h2", {}, title),
        boards.map((board, n) =>
          h("div", { class: "lesson", "data-key": `${title}-${n}` }, h("h3", {}, numberOf(board, n)),
            hint(capital(dealtBy(ofBoard(board))), "."), h("div", { class: "two" }, show(board, n)))
        ));
    return [bar(page, known), h("div", { class: "sheet" }, sheet("Problems", (board) => {
      const state = ofBoard(board);
      const unknown = SEATS.filter((seat) => ![board.declarer, dummy(state)].includes(seat)).join("");
      return [small({ ...board, deal: seenDeal({ ...state, unknown }) }),
        h("div", {}, auction(state), task(board, " Plan the play."))];
    }), sheet("Solutions", (board, n) => {
      const tricks = known.all.get(board)?.answer?.double_dummy;
      return [small(board),
        h("div", {}, task(board), answers[n] ? answers[n].text : "…",
          typeof tricks === "number" && h("p", {}, `${plural(tricks, "trick")} double dummy, against the best lead.`))];
    }))];
  },
};

/** What is found of each board. @type {WeakMap<Good, { text: Inside }>} */
const solutions = new WeakMap();

/** The contract and the lead, in words. @param {Good} board @param {string} [more] */
function task({ contract, declarer, play: [lead] }, more) {
  const [, level, strain, doubled] = CONTRACT.exec(contract ?? "") ?? [];
  const by = declarer ?? "S";
  return h("p", {}, `${SEAT[by]} plays `, h("b", {}, level, strainMark(strain)),
    doubled ? ` ${doubled === "X" ? "" : "re"}doubled` : "",
    lead ? [`; ${SEAT[after(by)]} leads `, cardMark(lead)] : "", ".", more);
}

/** The cards of dummy that keep the tricks sure after the lead; undefined as long as they are looked for.
 * @param {Page} page @param {Good} board */
function solution(page, board) {
  const [lead] = board.play;
  if (!lead) return { text: null };
  const state = ofBoard(board);
  const table = dummy(state);
  /** @param {string[]} cards @param {{ tricks?: number }} [more] */
  const claim = (cards, more) =>
    page.need("table", {
      ask: /** @type {const} */ ("claim"),
      question: hiddenText(state, [partner(table), table], cards),
      limit: FEW,
      cards: false,
      ...more,
    }, page.evening.deals.get(board.deal));
  const { answer, error } = claim([lead]);
  if (error) return { text: h("p", { class: "problem" }, error) };
  if (!answer) return undefined;
  const sure = answer.sure ?? answer.bounds?.[0] ?? 0;
  if (!sure) return { text: null };
  const text = `${plural(sure, "trick")} ${sure === 1 ? "is" : "are"} sure, whatever the defenders hold.`;
  // The card that keeps the most tricks sure is the right one if these are enough.
  if (sure < 6 + Number(board.contract?.[0])) return { text: h("p", {}, text) };
  const held = cardsOf(handsOf(board.deal)[table]);
  const suit = held.filter((card) => card[0] === lead[0]);
  const legal = suit.length ? suit : held;
  const said = legal.map((card) => claim([lead, card], { tricks: sure }));
  if (said.some(({ pending, stopped }) => pending || stopped)) return undefined;
  const right = legal.filter((_, n) => said[n].answer?.verdict === "sure");
  const any = right.length > 1 && right.length === legal.length;
  return { text: h("p", {}, any ? "Any card of dummy: " : right.length ? [cardMarks(right), ": "] : "", text) };
}

/** @type {View} */
export const lessonView = {
  id: "lesson",
  name: "Lesson sheet",
  question: "The mistakes of the evening, and what was right",
  sees: "All four hands seen",
  title: () => "Lesson sheet",
  show(page) {
    page.memory.keys = {};
    const boards = page.evening.good.filter((board) => board.play.length);
    const known = glances(page, boards);
    page.say(progressOf(page, known));
    const { show } = page.state;
    const { pairs } = page.evening;
    const whose = show === EACH_PAIR ? pairs.map((name) => `pair ${name}`) : [/^(by|pair) /.test(show) ? show : ""];
    const sheets = whose.flatMap((name) => sheetsOf(boards, known, name));
    const none = known.done < known.of ? "…"
      : boards.length ? "No card cost a trick." : "No board has a record of its play.";
    const names = namesOf(page.evening);
    const choose = names.length
      && choice("whose", "Whose mistakes", [["", "everybody's"],
        ...pairs.length ? [/** @type {[string, string]} */ ([EACH_PAIR, "each pair's, a sheet for each"])] : [],
        ...names], whose.length > 1 || show === EACH_PAIR ? EACH_PAIR : whose[0], (to) =>
        page.go({ show: to }, { push: false }));
    return [bar(page, known, choose), h("div", { class: "sheet" }, sheets.length ? sheets : h("p", {}, none))];
  },
};

/** The choice of one sheet for each pair. */
const EACH_PAIR = "each";

/** The boards with mistakes of a player, a pair or anybody; a name begins a new sheet.
 * @param {Good[]} boards @param {ReturnType<typeof glances>} known @param {string} whose */
function sheetsOf(boards, known, whose) {
  let cost = 0;
  let played = 0;
  const lessons = boards.flatMap((board, n) => {
    const seats = seatsOf(board, whose);
    if (!seats.length) return [];
    played += 1;
    const { answer, error } = known.all.get(board) ?? {};
    const wrong = (answer?.review?.cards ?? []).filter((step) =>
      step.gives_away && seats.includes(playerOf(board, step))
    );
    cost += wrong.reduce((sum, step) => sum + step.gives_away, 0);
    const problem = error ?? answer?.problem ?? "";
    return problem || wrong.length ? [lesson(board, n, answer, wrong, problem)] : [];
  });
  if (!whose) return lessons;
  const name = whose.replace(/^(by|pair) /, "");
  const key = `whose-${whose}`;
  return [
    h("div", { class: "whose", "data-key": key }, h("h2", {}, name),
      hint(
        `${plural(played, "board")} with a record of the play, ${
          cost ? `${plural(cost, "trick")} lost by mistakes` : "no trick lost"
        }.`
      ), lessons),
  ];
}

/** Who chose a card: declarer plays dummy's. @param {Good} board @param {Step} step */
const playerOf = ({ declarer }, { seat }) => (declarer && seat === partner(declarer) ? declarer : seat);

/** Cards by suit, from the top. @param {string[]} cards */
const inOrder = (cards) =>
  SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)).filter((card) => cards.includes(card));

/** @param {Good} board @param {number} n @param {Glance | undefined} glance
 * @param {Step[]} wrong @param {string} problem */
function lesson(board, n, glance, wrong, problem) {
  const state = ofBoard(board);
  const names = state.players.some(Boolean) ? state.players : null;
  return h("div", { class: "lesson", "data-key": `lesson-${n}` },
    h("h2", {}, numberOf(board, n), board.room ? `, ${board.room} room` : board.table ? `, table ${board.table}` : ""),
    hint(capital(dealtBy(state)),
      names ? `. ${SEATS.map((seat, at) => `${SEAT[seat]} ${names[at] || "–"}`).join(", ")}.` : "."),
    h("div", { class: "two" }, small(board),
      h("div", {}, auction(state),
        board.contract
          ? h("p", {}, h("b", {}, contractMarks(board.contract)),
            board.play[0] ? [", lead ", cardMark(board.play[0])] : null,
            glance?.outcome
              ? `: ${glance.result} tricks, ${glance.outcome}${
                glance.score === null ? "" : `, ${scoreText(glance.score)}`
              }` : null, ".") : null,
        glance ? h("p", {}, `Double dummy ${glance.double_dummy ?? "–"}. `, glance.par ? parWords(glance.par) : null)
          : null)),
    problem ? h("p", { class: "problem" }, problem)
      : h("table", { class: "wrong" }, h("caption", {}, plural(wrong.length, "mistake")),
        h("thead", {},
          h("tr", {}, ["Trick", "Who", "Card", "Cost", "Right"].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {},
          wrong.map(({ trick, seat, card, gives_away: cost, right = [] }) =>
            h("tr", {},
              [trick, names?.[SEATS.indexOf(seat)] || SEAT[seat], cardMark(card), plural(cost, "trick"),
                cardMarks(inOrder(right))].map((cell) => h("td", {}, cell)))
          ))));
}
