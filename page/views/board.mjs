// @ts-check
// What the record tells of a board, beside its hands: who dealt, the auction, the result.
import { h } from "../dom.mjs";
import { callsOf } from "../state.mjs";
import { SEAT, SYMBOL, after, sideName, strainMark } from "../words.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {Record<string, string>} */
export const VULNERABLE = { None: "nobody vulnerable", NS: "North–South vulnerable", EW: "East–West vulnerable", All: "both sides vulnerable" };

/** Whether a side is vulnerable. @param {string} vulnerable @param {string} seat */
export const isVulnerable = (vulnerable, seat) => vulnerable === "All" || (vulnerable !== "None" && vulnerable.includes(seat));

/** A call with its symbol. @param {string} call */
function callMark(call) {
  const m = /^([1-7])(NT|[SHDC])$/.exec(call);
  if (m) return m[2] === "NT" ? `${m[1]}NT` : [m[1], strainMark(m[2])];
  const names = { X: "double", XX: "redouble" };
  const name = names[/** @type {"X" | "XX"} */ (call)];
  return name ? [h("span", { "aria-hidden": "true" }, call), h("span", { class: "unseen" }, name)] : call;
}

/** The columns of an auction, as players write them. */
const COLUMNS = ["W", "N", "E", "S"];

/** The auction, a column for each player, and what was said about calls.
 * @param {{ auction: string, dealer: string, vulnerable: string }} told */
export function auction({ auction: text, dealer, vulnerable }) {
  const calls = callsOf(text);
  if (!calls.length) return null;
  const before = COLUMNS.indexOf(dealer);
  const notes = calls.flatMap(({ alert }, n) => (alert ? [n] : []));
  const cells = [...Array.from({ length: before }, () => h("td", { class: "before" })), ...calls.map(({ call, alert }, n) => h("td", { class: alert === null ? "" : "alerted" }, callMark(call),
    alert === null ? null : alert ? h("sup", {}, notes.indexOf(n) + 1) : [h("sup", { "aria-hidden": "true" }, "!"), h("span", { class: "unseen" }, " alerted")]))];
  const rows = [];
  for (let n = 0; n < cells.length; n += 4) rows.push(h("tr", {}, cells.slice(n, n + 4)));
  return h("div", { class: "auction" }, h("table", {}, h("caption", {}, "Auction"),
    h("thead", {}, h("tr", {}, COLUMNS.map((seat) => h("th", { scope: "col", class: isVulnerable(vulnerable, seat) ? "vulnerable" : "" }, SEAT[seat])))), h("tbody", {}, rows)),
  notes.length ? h("ol", { class: "notes" }, notes.map((n) => h("li", {}, h("span", { class: "unseen" }, `${SEAT[after(dealer, n)]}: `), calls[n].call.replace(/[SHDC]$/, (suit) => SYMBOL[suit]), ` ${calls[n].alert}`))) : null);
}

/** A score of North and South in words. @param {number} score */
export const scoreText = (score) => (score === 0 ? "no score" : `${Math.abs(score)} to ${sideName(score > 0 ? 0 : 1).replace(" and ", "–")}`);

/** The result at the table and its score, where the record has them. @param {Page} page */
export function resultLine(page) {
  const { contract, result, vulnerable, board } = page.state;
  const shown = page.boards[page.at];
  if (shown?.passed_out) return h("p", { class: "told" }, "The board was passed out.");
  if (!contract || !result) return null;
  const { answer } = page.need("play", "score", `${contract} ${vulnerable} ${result}`);
  if (!answer) return null;
  return h("p", { class: "told" }, `${board ? "At the table: " : ""}${result} tricks, ${answer.outcome}`, ", ", h("b", {}, scoreText(answer.score)), shown?.claim !== null && shown?.claim !== undefined ? ", after a claim" : "", ".");
}

/** Who dealt, who is vulnerable. @param {{ dealer: string, vulnerable: string }} told */
export const dealtBy = ({ dealer, vulnerable }) => `${SEAT[dealer]} deals, ${VULNERABLE[vulnerable]}`;
