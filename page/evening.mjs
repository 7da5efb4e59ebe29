// @ts-check
// The boards of a file as one evening: which are solved, which tables belong together.
import { SEATS, STRAINS } from "./words.mjs";

/** @import { Answers, BoardRead, ShownBoard, TableLine, TeamMatch } from "./answers.d.ts" */
/** @import { Source } from "./boards.mjs" */
/** @import { Said } from "./helpers.mjs" */
/** @import { Page } from "./app.mjs" */

/** @typedef {Answers["glance"]} Glance */
/** A board whose hands are all known. @typedef {ShownBoard & { deal: string }} Good */

/** So many rows are drawn at first, and more at a time. */
export const ROWS = 60;
/** Number of boards that are solved concurrently, the visible ones first. */
export const ASKED = 4;

/** True if a board can be shown. @param {BoardRead} board @returns {board is Good} */
export const isGood = (board) => Boolean(board.deal);

/** The boards of a file. */
export class Evening {
  /** @param {BoardRead[]} boards @param {TeamMatch | null} [match] @param {Source[]} [sources] of each board */
  constructor(boards, match = null, sources = []) {
    this.boards = boards;
    /** What the boards were read from. @type {Map<BoardRead, Source>} */
    this.sources = new Map(sources.map((source, n) => [boards[n], source]));
    /** The teams, if the boards are a match. */
    this.match = match;
    this.good = boards.filter(isGood);
    /** The tables of each deal. @type {Map<string, Good[]>} */
    this.tables = new Map();
    for (const board of this.good) {
      const tables = this.tables.get(board.deal);
      if (tables) tables.push(board);
      else this.tables.set(board.deal, [board]);
    }
    /** The deals, numbered. */
    this.deals = new Map([...this.tables.keys()].map((deal, n) => [deal, n]));
    this.indices = new Map(boards.map((board, n) => [board, n]));
    /** What is known of boards; questions about them are long, and not written anew for each drawing.
     * @type {Map<ShownBoard, Said<Glance>>} */
    this.known = new Map();
    /** The results beside those of the other tables, once they are compared. @type {Map<ShownBoard, TableLine>} */
    this.duels = new Map();
    /** How scores are compared, `matchpoints` or `imps`, as the file says. */
    this.comparing = "";
    /** Number of rows that are drawn at first; the others come on request. */
    this.rows = ROWS;
    this.players = [...new Set(this.good.flatMap(({ players }) => (players ?? []).flatMap((name) => name || [])))]
      .sort();
    this.pairs = [...new Set(this.good.flatMap((board) => [0, 1].flatMap((side) => pairOf(board, side) || [])))].sort();
  }

  /** The tables at which a deal was played. @param {string} deal */
  tablesOf(deal) {
    return this.tables.get(deal) ?? [];
  }

  /** A board's index in the file; -1 if it is not in it. @param {BoardRead} board */
  placeOf(board) {
    return this.indices.get(board) ?? -1;
  }
}

/**
 * What is known of each of the boards; asks for more, a few at a time.
 * @param {Page} page @param {Good[]} boards
 */
export function glances(page, boards) {
  const { known, deals } = page.evening;
  let asked = page.paused ? ASKED : 0;
  let done = 0;
  for (const board of boards) {
    let said = known.get(board);
    if (!said && asked < ASKED) {
      asked += 1;
      // All tables of a deal are solved by one worker, which keeps the deal's results.
      said = page.need("table", { ask: "glance", board: board.pbn }, deals.get(board.deal));
      // Stopped questions are asked again.
      if (!said.pending && !said.stopped) known.set(board, said);
    }
    done += said && !said.pending ? 1 : 0;
  }
  return { all: known, done, of: boards.length };
}

/** How far the boards are solved, and whether that was stopped.
 * @param {Page} page @param {{ done: number, of: number }} known */
export function progressOf(page, { done, of }) {
  return done === of ? `${of} boards solved` : `${done} of ${of} boards solved${page.paused ? ", stopped" : " …"}`;
}

/** The question about the results of boards, with the double-dummy results that they have.
 * @param {string[]} boards */
export const resultsOf = (boards) => /** @type {const} */ ({ ask: "results", boards: boards.join(""), recorded: true });

/** The tag with the tricks of a board in PBN, whose declarers are in another order than the seats.
 * @param {Record<string, Record<string, number>>} tricks */
export const solvedTag = (tricks) =>
  `[DoubleDummyTricks "${
    ["N", "S", "E", "W"].map((seat) => STRAINS.map((strain) => tricks[strain][seat].toString(16)).join("")).join("")
  }"]\n`;

/** The results of boards beside those of their other tables, where there are several. @param {Page} page */
export function duels({ evening, helpers }) {
  if (evening.duels.size || evening.tables.size === evening.good.length) return evening.duels;
  const { answer } = helpers.need("play", resultsOf(evening.good.map(({ pbn }) => pbn)));
  answer?.session.records.forEach((at, n) => {
    if (at && at[1] !== null) evening.duels.set(evening.good[n], answer.session.boards[at[0]].tables[at[1]]);
  });
  evening.comparing = answer?.session.comparing ?? "";
  return evening.duels;
}

/** North's and South's share of the matchpoints, or their IMPs. @param {TableLine | undefined} line
 * @param {string} comparing */
export const comparedOf = (line, comparing) => (comparing === "imps" ? line?.imps : line?.percent[0]) ?? null;

/** The names of a side's players, as the record has them. @param {ShownBoard} board @param {number} side */
export const pairOf = (board, side) =>
  SEATS.map((_, n) => (n % 2 === side ? board.players?.[n] : "")).filter(Boolean).join(" – ");

/** A side's pair: its number and its names, as far as the record has them.
 * @param {ShownBoard} board @param {number} side */
export const pairAt = (board, side) => [board.pairs[side], pairOf(board, side)].filter(Boolean).join(" ");

/** At which table a board was played, where it was played at several: its room, or the table and the pairs.
 * @param {Evening} evening @param {ShownBoard} board */
export function whereOf({ tables }, board) {
  if (board.room) return board.room;
  if ((tables.get(board.deal ?? "")?.length ?? 0) < 2) return "";
  const pairs = [0, 1].map((side) => board.pairs[side] ?? pairOf(board, side)).filter(Boolean);
  return [board.table ? `table ${board.table}` : "", pairs.join(" against ")].filter(Boolean).join(", ");
}

/** The seats of a board whose players are meant: by a player's name, `by …`, or by a pair's, `pair …`; all seats if
 * nobody is. @param {ShownBoard} board @param {string} whose */
export function seatsOf(board, whose) {
  const [, kind, name] = /^(by|pair) (.*)$/.exec(whose) ?? [];
  if (kind === "by") return SEATS.filter((_, n) => board.players?.[n] === name);
  return kind === "pair" ? SEATS.filter((_, n) => pairOf(board, n % 2) === name) : SEATS;
}

/** Players and pairs to choose from. @param {Evening} evening @returns {[string, string][]} */
export const namesOf = (
  { players, pairs }
) => [...players.map((name) => /** @type {[string, string]} */ ([`by ${name}`, name])),
  ...pairs.map((name) => /** @type {[string, string]} */ ([`pair ${name}`, name]))];

/** Whether a text is PBN. @param {string} text */
const isPbn = (text) => /^\[Deal "/m.test(text);

/** The text of a PBN file as it was read; undefined if the boards are from elsewhere. @param {Evening} evening */
export function originalOf({ sources, boards }) {
  const texts = [...new Set(boards.map((board) => sources.get(board)))].map((source) => source?.text ?? "");
  return texts.length && texts.every(isPbn) ? texts.map((text) => text.replace(/[\r\n]*$/, "\n")).join("\n")
    : undefined;
}

/** A board's part of a PBN file as it was read; undefined if it is from elsewhere, or takes tags from the board before.
 * @param {Evening} evening @param {ShownBoard & { error?: undefined }} board */
export function gameOf({ sources, boards, indices }, board) {
  const source = sources.get(board);
  if (!source || !isPbn(source.text)) return undefined;
  const next = boards[(indices.get(board) ?? 0) + 1];
  if (next?.error !== undefined) return undefined;
  const lines = source.text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  // The engine is given the text from its first letter on.
  const skipped = lines.findIndex((line) => line.trim());
  const to = next && sources.get(next) === source ? skipped + next.line - 1 : lines.length;
  const game = lines.slice(skipped + board.line - 1, to).join("");
  return /^\[\w+ "##?"\]/m.test(game) ? undefined : game;
}
