// @ts-check
// The boards of a file as one evening: which are solved, which tables belong together.
import { SEATS } from "./words.mjs";

/**
 * @typedef {import("./app.mjs").Page} Page
 * @typedef {import("./helpers.mjs").Said} Said
 */

/** So many boards are asked at once: those that are shown first come first. */
const ASKED = 4;

/** The boards of the page that can be shown. @param {Page} page @returns {any[]} */
export const goodBoards = (page) => page.boards.filter((board) => board.deal);

/** The boards with the deal that is shown. @param {Page} page @param {string} [deal] */
export const tablesOf = (page, deal = page.state.deal) => page.boards.filter((board) => board.deal === deal);

/** One board of each deal. @param {any[]} boards */
export const dealsOf = (boards) => [...new Map(boards.map((board) => [board.deal, board])).values()];

/**
 * What is known of each of the boards; asks for more, a few at a time.
 * @param {Page} page @param {any[]} boards
 */
export function glances(page, boards) {
  let asked = page.paused ? ASKED : 0;
  let done = 0;
  /** @type {Map<any, Said>} */
  const all = new Map();
  for (const board of boards) {
    let said = page.helpers.known("glance", board.pbn);
    if (!said && asked < ASKED) said = page.need("table", "glance", board.pbn);
    asked += said?.pending ? 1 : 0;
    done += said && !said.pending ? 1 : 0;
    if (said) all.set(board, said);
  }
  return { all, done, of: boards.length };
}

/** How far the boards are solved, and a way to halt. @param {Page} page @param {{ done: number, of: number }} known */
export const progressOf = (page, { done, of }) => (done === of ? `${of} boards solved` : `${done} of ${of} boards solved${page.paused ? ", halted" : " …"}`);

/** The scores of the tables of a deal beside each other. @param {Page} page @param {any[]} boards */
export const compared = (page, boards) => page.need("play", "tables", boards.map(({ pbn }) => pbn).join(""));

/** The names of a side's players, as the record has them. @param {any} board @param {number} side */
export const pairOf = (board, side) => SEATS.filter((_, n) => n % 2 === side).map((seat) => board.players?.[SEATS.indexOf(seat)] || "").filter(Boolean).join(" – ");
