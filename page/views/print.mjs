// @ts-check
// Sheets to print: the hand records of an evening, and its mistakes for a lesson.
import { button, choice, h, hint, seenOnly, table, unseen } from "../dom.mjs";
import { glances, namesOf, progressOf, seatsOf } from "../evening.mjs";
import { ofBoard } from "../state.mjs";
import { cardMark, cardMarks, contractMarks, handsOf, partner, plural, pointsOf, RANKS, SEAT, SEATS, strainMark,
  STRAINS, SUIT, SUITS, SYMBOL } from "../words.mjs";
import { auction, dealtBy, isVulnerable, scoreText } from "./board.mjs";
import { contractWords } from "./deal.mjs";

/** @import { OnePar, Step } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Inside } from "../dom.mjs" */
/** @import { Glance, Good } from "../evening.mjs" */

/** The hands of a deal, small, with points and who is vulnerable; in the corners what else is said of it.
 * @param {Good} board @param {...Inside} corners */
export function small({ deal, dealer, vulnerable }, ...corners) {
  const hands = handsOf(deal);
  const points = pointsOf(SEATS.map((seat) => hands[seat]));
  const texts = SEATS.map((seat, n) => `${SEAT[seat]} ${points[n]}`).join(", ");
  return h("div", { class: "small" }, corners,
    SEATS.map((seat) =>
      h("div", { class: "of", "data-seat": seat }, unseen(`${SEAT[seat]}${seat === dealer ? ", dealer" : ""}`),
        hands[seat].split(".").map((ranks, n) =>
          h("div", { class: "row" },
            h("span", { class: `pip ${SUITS[n]}`, role: "img", "aria-label": SUIT[SUITS[n]] }, SYMBOL[SUITS[n]]),
            "\u00a0", ranks ? [...ranks].map((rank) => (rank === "T" ? h("span", { class: "ten" }, "10") : rank)) : "–")
        ))
    ),
    h("div", { class: "points", role: "img", "aria-label": `Points: ${texts}` },
      SEATS.map((seat, n) =>
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
    small(board, h("div", { class: "title" }, h("h2", {}, numberOf(board, n)), hint(dealtBy(ofBoard(board)))),
      answer ? makes(answer.tricks) : null),
    answer?.par ? h("p", { class: "par" }, parWords(answer.par)) : answer ? null : hint(error));
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
    hint(dealtBy(state), names ? `. ${SEATS.map((seat, at) => `${SEAT[seat]} ${names[at] || "–"}`).join(", ")}.` : "."),
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
