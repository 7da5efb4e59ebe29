// @ts-check
// Tables: one board at several tables, side by side.
import { diagram } from "../diagram.mjs";
import { columns, empty, h, headlineOf, headRow } from "../dom.mjs";
import { comparedOf, duels, glances, pairAt } from "../evening.mjs";
import { ofBoard, writeLink } from "../state.mjs";
import { capital, cardMark, percent, plural, pointsOf, signed } from "../words.mjs";
import { contractCell, lostCell } from "./all.mjs";
import { auction, dealtBy } from "./board.mjs";
import { parLine, problem, waiting } from "./deal.mjs";

/** @import { ShownBoard } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Good } from "../evening.mjs" */

/** @type {View} */
export const tablesView = {
  id: "tables",
  name: "Tables",
  question: "What did the others do with it?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board} at all tables` : "All tables"),
  show(page) {
    page.memory.keys = {};
    const boards = page.evening.tablesOf(page.state.deal);
    const { answer: start, error } = page.position([]);
    if (error) return problem(error);
    if (!start) return null;
    if (boards.length < 2) return empty(h("p", {}, "The board was played at one table alone."));
    const known = glances(page, boards);
    const first = boards.map((board) => known.all.get(board)?.answer).find(Boolean);
    return [headlineOf(capital(dealtBy(page.state)), plural(boards.length, "table")), results(page, boards, known),
      columns(diagram(start, { points: pointsOf(start.hands) }), [first ? parLine(page.state, first.par) : waiting(),
        boards.map((board, n) => {
          const calls = auction(ofBoard(board));
          return calls && h("section", {}, h("h2", {}, nameOf(board, n)), calls);
        })])];
  },
};

/** A table's name: its room, or its number in the record or in the file. @param {ShownBoard} board @param {number} n */
const nameOf = (board, n) => (board.room ? capital(board.room) : `Table ${board.table ?? n + 1}`);

/** A number with its sign; a dash if there is none. @param {number | null} n */
export const plus = (n) => (n === null ? "–" : signed(n).replace("=", "0"));

/** @param {Page} page @param {Good[]} boards @param {ReturnType<typeof glances>} known */
function results(page, boards, known) {
  const scores = duels(page);
  const { comparing } = page.evening;
  // On a narrow screen the first columns are seen, and the others by scrolling.
  const heads = ["Table", "Contract", "Lead", "Made", "N–S score", comparing === "imps" ? "IMPs" : "Matchpoints",
    "N–S lost", "E–W lost", "North – South", "East – West"];
  const rows = boards.map((board, n) => {
    const at = page.evening.placeOf(board);
    const said = known.all.get(board);
    const line = scores.get(board);
    const compared = comparedOf(line, comparing);
    const link = writeLink({ ...ofBoard(board), at: String(at), view: board.play.length ? "record" : "deal" });
    const contract = [contractCell(board), board.play[0] ? cardMark(board.play[0]) : "–"];
    const figures = [board.result ?? "–", plus(line?.score ?? board.score),
      comparing === "imps" || compared === null ? plus(compared && Number(compared.toFixed(1)))
        : percent(compared / 100, 0), lostCell(said, 0), lostCell(said, 1)];
    return h("tr", { "data-key": `table-${at}`, "aria-current": at === page.at && "true" },
      h("th", { scope: "row" }, h("a", { href: link, "data-key": `open-${at}` }, nameOf(board, n))),
      contract.map((cell) => h("td", { class: "left" }, cell)), figures.map((cell) => h("td", {}, cell)),
      [0, 1].map((side) => h("td", { class: "left pair" }, pairAt(board, side) || "–")));
  });
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The tables" },
    h("table", { class: "all" }, h("caption", { class: "unseen" }, "The tables"),
      headRow(heads, (n) => ([1, 2, 8, 9].includes(n) ? "left" : "")), h("tbody", {}, rows)));
}
