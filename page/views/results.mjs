// @ts-check
// Results: the ranking of an evening, and each board at all its tables.
import { button, h, headRow, hint, row } from "../dom.mjs";
import { glances, progressOf, resultsOf, solvedTag } from "../evening.mjs";
import { capital, cardMark, contractMarks, percent, signed } from "../words.mjs";
import { VULNERABLE } from "./board.mjs";
import { problem, waiting } from "./deal.mjs";
import { parWords, small } from "./print.mjs";

/** @import { BoardResults, CostlyBoard, PairLine, TableLine } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Glance, Good } from "../evening.mjs" */

/** @type {View} */
export const resultsView = {
  id: "results",
  name: "Results",
  question: "Who won, and where was it lost?",
  sees: "All four hands seen",
  title: () => "Results",
  show(page) {
    page.memory.keys = {};
    const { good, tables } = page.evening;
    const known = glances(page, [...tables.values()].map(([board]) => board));
    page.say(progressOf(page, known));
    // The ranking is there at once, and the figures of double dummy once all deals are solved.
    const isSolved = known.done === known.of;
    const { answer, error } = page.need("play", resultsOf(good.map((board) => {
      const glance = isSolved && known.all.get(tables.get(board.deal)?.[0] ?? board)?.answer;
      return (glance ? solvedTag(glance.tricks) : "") + board.pbn;
    })));
    if (error) return problem(error);
    if (!answer) return waiting();
    const { comparing, rankings, boards, records } = answer.session;
    /** @type {Map<number, Good>} */
    const firsts = new Map();
    records.forEach((at, n) => at && !firsts.has(at[0]) && firsts.set(at[0], good[n]));
    return [
      h("div", { class: "tools no-print" }, hint(progressOf(page, known)),
        h("div", { class: "row-of" }, button("print", "Print", () => print(), { class: "main", disabled: !isSolved }),
          button("to-boards", "All boards", () => page.go({ view: "boards" })))),
      rankings.map(({ side, pairs }, n) => ranking(`Ranking${side ? `, ${side}` : ""}`, pairs, comparing, `rank-${n}`)),
      // Boards of several files may have one number.
      boards.map((board, n) => boardOf(board, firsts.get(n), comparing, `board-${n}`)),
    ];
  },
};

/** @param {number | null} value @param {string} comparing */
const worth = (value, comparing) =>
  value === null ? "–" : comparing === "imps" ? signed(Number(value.toFixed(1))) : percent(value / 100, 2);

/** @param {CostlyBoard | null} of @param {string} comparing */
const costly = (of, comparing) =>
  of
    ? `board ${of.board ?? "?"}, ${of.tricks} ${of.tricks === 1 ? "trick" : "tricks"}: ${
      comparing === "imps" ? `${of.cost.toFixed(1)} IMPs` : percent(of.cost / 100, 0)
    }` : "–";

/** @param {string} title @param {PairLine[]} pairs @param {string} comparing @param {string} key */
const ranking = (title, pairs, comparing, key) =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title, "data-key": key },
    h("table", { class: "all standings" }, h("caption", {}, title),
      headRow(["Rank", "Pair", comparing === "imps" ? "IMPs" : "Result", "Boards", "Declaring", "Defending",
        "Cost most"], (n) => (n === 1 || n === 6 ? "left" : "")), h("tbody", {}, pairs.map((of) =>
          row(of.rank, [h("span", {}, of.names && of.names !== of.pair ? `${of.pair} ${of.names}` : of.pair),
            worth(comparing === "imps" ? of.imps : of.percent, comparing), of.boards, signed(of.declaring),
            signed(of.defending), costly(of.cost_most, comparing)])
        ))), hint("Declaring and defending: tricks won and lost against double dummy."));

/** @param {BoardResults} board @param {Good | undefined} good @param {string} comparing @param {string} key */
function boardOf({ board, vulnerable, par, tables }, good, comparing, key) {
  const title = `Board ${board ?? ""}`;
  return h("section", { class: "lesson played", "data-key": key }, h("h2", {}, title),
    hint(vulnerable ? capital(VULNERABLE[vulnerable]) : "", par ? [". ", parWords(par)] : "", "."),
    h("div", { class: "two" }, good ? small(good) : h("div", {}),
      h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${title}, the tables` },
        h("table", { class: "all" },
          headRow(["Table", "N–S", "E–W", "Contract", "Lead", "Made", "Double dummy", "Score", "Off par",
            comparing === "imps" ? "IMPs" : "N–S"], (n) => (n > 2 && n < 5 ? "left" : "")),
          h("tbody", {}, tables.map((table) => line(table, comparing)))))));
}

/** @param {TableLine} of @param {string} comparing */
const line = (of, comparing) =>
  h("tr", {}, h("th", { scope: "row" }, of.table ?? "–"), of.pairs.map((pair) =>
    h("td", { class: (pair?.length ?? 0) > 6 && "names" }, pair ?? "–")
  ), h("td", { class: "left" }, of.contract ? contractMarks(of.contract) : of.passed_out ? "passed out" : "–"),
    h("td", { class: "left" }, of.lead ? cardMark(of.lead) : "–"),
    [of.result ?? "–", of.double_dummy ?? "–", of.score ?? "–", of.over_par === null ? "–" : signed(of.over_par),
      worth(comparing === "imps" ? of.imps : of.percent[0], comparing)].map((cell) => h("td", {}, cell)));
