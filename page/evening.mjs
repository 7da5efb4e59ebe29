// @ts-check
// The boards of a file as one evening: which are solved, which tables belong together.
import { SEATS } from "./words.mjs";

/** @import { Board, Glance, NotRead, Said } from "./answers.d.ts" */
/** @import { Page } from "./app.mjs" */

/** A board whose hands are all known. @typedef {Board & { deal: string }} Good */

/** So many boards are asked at once: those that are shown first come first. */
const ASKED = 4;

/** Whether a board can be shown. @param {Board | NotRead} board @returns {board is Good} */
export const isGood = (board) => Boolean(board.deal);

/** The boards of a file. */
export class Evening {
  /** @param {(Board | NotRead)[]} boards */
  constructor(boards) {
    this.boards = boards;
    this.good = boards.filter(isGood);
    /** The tables of each deal. @type {Map<string, Good[]>} */
    this.tables = new Map();
    for (const board of this.good) {
      const tables = this.tables.get(board.deal);
      if (tables) tables.push(board);
      else this.tables.set(board.deal, [board]);
    }
    this.places = new Map(boards.map((board, n) => [board, n]));
    this.players = [...new Set(this.good.flatMap(({ players }) => (players ?? []).flatMap((name) => name || [])))]
      .sort();
  }

  /** The tables at which a deal was played. @param {string} deal */
  tablesOf(deal) {
    return this.tables.get(deal) ?? [];
  }

  /** A board's place in the file; -1 if it is none of it. @param {Board | NotRead} board */
  placeOf(board) {
    return this.places.get(board) ?? -1;
  }
}

/**
 * What is known of each of the boards; asks for more, a few at a time.
 * @param {Page} page @param {Good[]} boards
 */
export function glances(page, boards) {
  let asked = page.paused ? ASKED : 0;
  let done = 0;
  /** @type {Map<Board, Said<Glance>>} */
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

/** How far the boards are solved, and whether that was halted.
 * @param {Page} page @param {{ done: number, of: number }} known */
export function progressOf(page, { done, of }) {
  return done === of ? `${of} boards solved` : `${done} of ${of} boards solved${page.paused ? ", halted" : " …"}`;
}

/** The scores of the tables of a deal beside each other. @param {Page} page @param {Board[]} boards */
export const compared = (page, boards) => page.need("play", "tables", boards.map(({ pbn }) => pbn).join(""));

/** The names of a side's players, as the record has them. @param {Board} board @param {number} side */
export const pairOf = (board, side) =>
  SEATS.map((_, n) => (n % 2 === side ? board.players?.[n] : "")).filter(Boolean).join(" – ");
