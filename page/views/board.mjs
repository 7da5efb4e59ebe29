// @ts-check
// The record of a board, apart from its hands: who dealt, the auction, the result.
import { h, headRow, remark, seenOnly, unseen } from "../dom.mjs";
import { callsOf } from "../state.mjs";
import { after, contractMarks, plural, SEAT, seatOf, sideName, strainMark, SYMBOL } from "../words.mjs";

/** @import { Page } from "../app.mjs" */

/** @type {Record<string, string>} */
export const VULNERABLE = {
  None: "nobody vulnerable",
  NS: "North–South vulnerable",
  EW: "East–West vulnerable",
  All: "both sides vulnerable",
};

/** True if a side is vulnerable. @param {string} vulnerable @param {string} seat */
export const isVulnerable = (vulnerable, seat) =>
  vulnerable === "All" || (vulnerable !== "None" && vulnerable.includes(seat));

/** A call with its symbol. @param {string} call */
function callMark(call) {
  const bid = /^([1-7])(NT|[SHDC])$/.exec(call);
  if (bid) return bid[2] === "NT" ? call : [bid[1], strainMark(bid[2])];
  return call === "X" || call === "XX" ? [seenOnly(call), unseen(call === "X" ? "double" : "redouble")] : call;
}

/** The columns of an auction, as players write them. */
const COLUMNS = ["W", "N", "E", "S"];

/** The auction, a column for each player, and the explanations of calls.
 * @param {{ auction: string, dealer: string, vulnerable: string }} of */
export function auction({ auction: text, dealer, vulnerable }) {
  const calls = callsOf(text);
  if (!calls.length) return null;
  const notes = calls.flatMap(({ alert }, n) => (alert ? [n] : []));
  const cells = calls.map(({ call, alert }, n) =>
    h("td", { class: alert === null ? "" : "alerted" }, callMark(call),
      alert ? h("sup", {}, notes.indexOf(n) + 1)
        : alert === null ? null : [h("sup", { "aria-hidden": "true" }, "!"), unseen(" alerted")])
  );
  const first = seatOf(dealer);
  const all = [...COLUMNS.slice(0, COLUMNS.indexOf(first)).map(() => h("td", { class: "before" })), ...cells];
  const rows = [];
  for (let n = 0; n < all.length; n += 4) rows.push(h("tr", {}, all.slice(n, n + 4)));
  return h("div", { class: "auction" },
    h("table", {}, h("caption", {}, "Auction"),
      headRow(COLUMNS.map((seat) => SEAT[seat]), (n) => (isVulnerable(vulnerable, COLUMNS[n]) ? "vulnerable" : "")),
      h("tbody", {}, rows)),
    notes.length
      ? h("ol", { class: "notes" },
        notes.map((n) =>
          h("li", {}, unseen(`${SEAT[after(first, n)]}: `), calls[n].call.replace(/[SHDC]$/, (suit) => SYMBOL[suit]),
            ` ${calls[n].alert}`)
        )) : null);
}

/** A score of North and South in words. @param {number} score */
export function scoreText(score) {
  return score === 0 ? "no score" : `${Math.abs(score)} to ${sideName(score > 0 ? 0 : 1).replace(" and ", "–")}`;
}

/** The result at the table and its score, where the record has them. @param {Page} page */
export function resultLine(page) {
  const { result, vulnerable, board, recorded } = page.state;
  // The record's own, if another one is looked at.
  const contract = recorded ? recorded.split(".")[2] ?? "" : page.state.contract;
  const shown = page.board;
  if (shown?.passed_out) return remark("The board was passed out.");
  if (!contract || !result) return null;
  const { answer } = page.need("play", {
    ask: "score",
    contract,
    vulnerable: vulnerable || "None",
    tricks: Number(result),
  });
  if (!answer) return null;
  return remark(board ? "At the table: " : "", contractMarks(contract),
    `, ${plural(Number(result), "trick")}, ${answer.outcome}`,
    vulnerable ? [", ", h("b", {}, scoreText(answer.score))] : "",
    (shown?.claim ?? null) === null ? "" : ", after a claim", ".");
}

/** Who dealt, who is vulnerable, as far as it is known. @param {{ dealer: string, vulnerable: string }} of */
export const dealtBy = ({ dealer, vulnerable }) =>
  [dealer && `${SEAT[dealer]} deals`, VULNERABLE[vulnerable]].filter(Boolean).join(", ")
  || "dealer and vulnerability unknown";
