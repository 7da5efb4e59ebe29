// @ts-check
// Tables: one board at several tables, side by side.
import { diagram } from "../diagram.mjs";
import { h } from "../dom.mjs";
import { compared, glances, pairOf, tablesOf } from "../evening.mjs";
import { ofBoard, writeLink } from "../state.mjs";
import { cardMark, capital, percent, plural, signed } from "../words.mjs";
import { contractMarks } from "./all.mjs";
import { auction, dealtBy } from "./board.mjs";
import { parLine, problem, waiting } from "./deal.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const tablesView = {
  id: "tables",
  name: "Tables",
  question: "What did the others do with it?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board} at all tables` : "All tables"),
  show(page) {
    page.memory.keys = {};
    const boards = tablesOf(page);
    const start = page.position([]);
    if (start.error) return problem(start.error);
    if (!start.answer) return null;
    if (boards.length < 2) return h("div", { class: "empty" }, h("p", {}, "The board was played at one table alone."));
    const known = glances(page, boards);
    const first = [...known.all.values()].find(({ answer }) => answer)?.answer;
    return [h("p", { class: "headline" }, h("strong", {}, plural(boards.length, "table")), h("span", { class: "contract" }, dealtBy(page.state))), results(page, boards, known),
      h("div", { class: "columns" }, h("div", { class: "wide" }, diagram(start.answer, { points: start.answer.points })),
        h("div", { class: "side" }, first ? parLine(page, first.par) : waiting(), auctions(page, boards)))];
  },
};

/** @param {Page} page @param {any[]} boards @param {ReturnType<typeof glances>} known */
function results(page, boards, known) {
  const scores = compared(page, boards).answer?.tables ?? [];
  const matchpoints = boards.length > 2;
  const heads = ["Table", "North – South", "East – West", "Contract", "Lead", "Made", "N–S score", matchpoints ? "Matchpoints" : "IMPs", "N–S lost", "E–W lost"];
  const rows = boards.map((board, n) => {
    const at = page.boards.indexOf(board);
    const said = known.all.get(board);
    const lost = said?.answer?.lost;
    const { score = board.score, imps = null, matchpoints: share = null } = scores[n] ?? {};
    const link = writeLink({ ...ofBoard(board), at: String(at), view: board.play.length ? "record" : "deal" });
    const cost = (/** @type {number} */ side) => (lost ? (lost[side] ? h("b", { class: "cost" }, lost[side]) : "0") : said?.error || said?.answer ? "–" : "…");
    return h("tr", { "data-key": `table-${at}`, "aria-current": at === page.at && "true" }, h("th", { scope: "row" }, h("a", { href: link, "data-key": `open-${at}` }, board.room ? capital(board.room) : `Table ${n + 1}`)),
      h("td", { class: "left" }, pairOf(board, 0) || "–"), h("td", { class: "left" }, pairOf(board, 1) || "–"),
      h("td", { class: "left" }, board.contract ? contractMarks(board.contract) : board.passed_out ? "passed out" : "–"), h("td", { class: "left" }, board.play[0] ? cardMark(board.play[0]) : "–"),
      h("td", {}, board.result ?? "–"), h("td", {}, score === null ? "–" : signed(score).replace("=", "0")),
      h("td", {}, matchpoints ? (share === null ? "–" : percent(share, 0)) : imps === null ? "–" : signed(imps).replace("=", "0")), h("td", {}, cost(0)), h("td", {}, cost(1)));
  });
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The tables" }, h("table", { class: "all" }, h("caption", { class: "unseen" }, "The tables"), h("thead", {}, h("tr", {}, heads.map((head, n) => h("th", { scope: "col", class: n > 0 && n < 5 ? "left" : "" }, head)))), h("tbody", {}, rows)));
}

/** @param {Page} page @param {any[]} boards */
const auctions = (page, boards) => boards.map((board) => {
  const state = { ...page.state, ...ofBoard(board) };
  const told = auction(state);
  return told && h("section", {}, h("h2", {}, `${board.room ? capital(board.room) : `Table ${boards.indexOf(board) + 1}`}`), told);
});
