// @ts-check
// Sheets to print: the hand records of an evening, and its mistakes for a lesson.
import { h } from "../dom.mjs";
import { dealsOf, glances, goodBoards, progressOf } from "../evening.mjs";
import { ofBoard } from "../state.mjs";
import { RANKS, SEAT, SEATS, STRAINS, SUIT, SUITS, SYMBOL, cardMark, cardMarks, handsOf, plural, rankText, strainMark } from "../words.mjs";
import { contractMarks } from "./all.mjs";
import { auction, dealtBy, isVulnerable, scoreText } from "./board.mjs";
import { contractWords } from "./deal.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** The hands of a deal, small, with points and who is vulnerable. @param {any} board @param {number[]} points */
export function small(board, points) {
  const hands = handsOf(board.deal);
  const vulnerable = board.vulnerable ?? "";
  const row = (/** @type {string} */ ranks, /** @type {number} */ n) => h("div", { class: "row" }, h("span", { class: `pip ${SUITS[n]}`, role: "img", "aria-label": SUIT[SUITS[n]] }, SYMBOL[SUITS[n]]), " ", ranks ? [...ranks].map(rankText).join("") : "–");
  return h("div", { class: "small" },
    SEATS.map((seat) => h("div", { class: "of", "data-seat": seat }, h("b", { class: isVulnerable(vulnerable, seat) ? "vulnerable" : "" }, SEAT[seat], seat === board.dealer ? h("span", { class: "dealer" }, " D", h("span", { class: "unseen" }, "ealer")) : null), hands[seat].split(".").map(row))),
    h("div", { class: "points", role: "img", "aria-label": `Points: ${SEATS.map((seat, n) => `${SEAT[seat]} ${points[n]}`).join(", ")}` }, SEATS.map((seat, n) => h("span", { class: `at ${seat}` }, points[n]))));
}

/** The tricks of each declarer. @param {any} tricks */
const makes = (tricks) => h("table", { class: "tiny" }, h("caption", { class: "unseen" }, "Tricks by declarer"),
  h("thead", {}, h("tr", {}, h("td", {}), STRAINS.map((strain) => h("th", { scope: "col" }, strainMark(strain))))),
  h("tbody", {}, SEATS.map((seat) => h("tr", {}, h("th", { scope: "row" }, h("span", { "aria-hidden": "true" }, seat), h("span", { class: "unseen" }, SEAT[seat])), STRAINS.map((strain) => h("td", {}, tricks[strain][seat]))))));

/** Par in words. @param {any} par */
const parWords = (par) => (par.score === 0 ? ["Par: all pass"] : [`Par: ${scoreText(par.score)}, `, par.contracts.slice(0, 3).flatMap((/** @type {any} */ of, /** @type {number} */ n) => [n ? "; " : "", contractWords(of)])]);

/** @param {Page} page @param {ReturnType<typeof glances>} known */
const bar = (page, known) => h("div", { class: "tools no-print" }, h("p", { class: "hint" }, progressOf(page, known)), h("div", { class: "row-of" },
  h("button", { type: "button", class: "main", "data-key": "print", disabled: known.done < known.of, onclick: () => print() }, "Print"),
  h("button", { type: "button", "data-key": "to-boards", onclick: () => page.go({ view: "boards" }) }, "All boards"),
  h("label", { class: "choice" }, h("span", {}, "Suits"), h("select", { "data-key": "colours", onchange: (/** @type {Event} */ event) => { page.settings.set("colours", /** @type {HTMLSelectElement} */ (event.target).value); page.draw(); } },
    [["four", "four colours"], ["two", "two colours"], ["black", "black and white"]].map(([value, text]) => h("option", { value, selected: page.settings.get("colours") === value }, text))))));

/** @param {any} board @param {number} n */
const numberOf = (board, n) => `Board ${board.board ?? n + 1}`;

/** @type {import("../app.mjs").View} */
export const recordsView = {
  id: "records",
  name: "Hand records",
  question: "The evening's hands, to print and pin up",
  sees: "All four hands seen",
  title: () => "Hand records",
  show(page) {
    page.memory.keys = {};
    const boards = dealsOf(goodBoards(page));
    const known = glances(page, boards);
    page.say(progressOf(page, known));
    return [bar(page, known), h("div", { class: "sheet three" }, boards.map((board, n) => {
      const said = known.all.get(board);
      const glance = said?.answer;
      return h("div", { class: "record", "data-key": `record-${n}` },
        h("h2", {}, numberOf(board, n)), h("p", { class: "hint" }, dealtBy(ofBoard(board))), small(board, board.points),
        glance ? [makes(glance.tricks), glance.par ? h("p", { class: "par" }, parWords(glance.par)) : null] : h("p", { class: "hint" }, said?.error ?? "…"));
    }))];
  },
};

/** @type {import("../app.mjs").View} */
export const lessonView = {
  id: "lesson",
  name: "Lesson sheet",
  question: "The mistakes of the evening, and what was right",
  sees: "All four hands seen",
  title: () => "Lesson sheet",
  show(page) {
    page.memory.keys = {};
    const boards = goodBoards(page).filter((board) => board.play.length);
    const known = glances(page, boards);
    page.say(progressOf(page, known));
    const told = boards.flatMap((board, n) => {
      const { answer, error } = known.all.get(board) ?? {};
      const wrong = (answer?.review?.cards ?? []).filter((/** @type {any} */ step) => step.gives_away);
      if (!error && !answer?.problem && !wrong.length) return [];
      return [lesson(board, n, answer, wrong, error ?? answer?.problem)];
    });
    return [bar(page, known), h("div", { class: "sheet" }, told.length ? told : h("p", {}, known.done < known.of ? "…" : boards.length ? "No card cost a trick." : "No board has a record of its play."))];
  },
};

/** @param {any} board @param {number} n @param {any} glance @param {any[]} wrong @param {string | undefined} problem */
function lesson(board, n, glance, wrong, problem) {
  const state = ofBoard(board);
  const names = board.players?.some(Boolean) ? board.players : null;
  return h("div", { class: "lesson", "data-key": `lesson-${n}` },
    h("h2", {}, numberOf(board, n), board.room ? `, ${board.room} room` : ""),
    h("p", { class: "hint" }, dealtBy(state), names ? `. ${SEATS.map((seat, at) => `${SEAT[seat]} ${names[at] || "–"}`).join(", ")}.` : "."),
    h("div", { class: "two" }, small(board, board.points), h("div", {}, auction(state),
      board.contract ? h("p", {}, h("b", {}, contractMarks(board.contract)), board.play[0] ? [", lead ", cardMark(board.play[0])] : null, glance?.outcome ? `: ${glance.result} tricks, ${glance.outcome}, ${glance.score === null ? "" : scoreText(glance.score)}` : null, ".") : null,
      glance ? h("p", {}, `Double dummy ${glance.double_dummy ?? "–"}. `, glance.par ? parWords(glance.par) : null) : null)),
    problem ? h("p", { class: "problem" }, problem) : h("table", { class: "wrong" }, h("caption", {}, plural(wrong.length, "mistake")),
      h("thead", {}, h("tr", {}, ["Trick", "Who", "Card", "Cost", "Right"].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, wrong.map((step) => h("tr", {}, h("td", {}, step.trick), h("td", {}, names?.[SEATS.indexOf(step.seat)] || SEAT[step.seat]), h("td", {}, cardMark(step.card)), h("td", {}, plural(step.gives_away, "trick")),
        h("td", {}, cardMarks([...step.right].sort((a, b) => SUITS.indexOf(a[0]) - SUITS.indexOf(b[0]) || RANKS.indexOf(a[1]) - RANKS.indexOf(b[1])))))))));
}
