// @ts-check
// What the page shows: all of it is in the link.
import { after, cardsOf, dealText, handsOf, handText, partner, RANKS, seatOf, SEATS, STRAINS,
  SUITS } from "./words.mjs";

/**
 * `unknown` are the seats of unnamed hands: the deal gives them the remaining cards in any way, and no view shows them.
 * `made` is a deal that is being made, card by card. `dealer` and `vulnerable` are empty where a record does not say
 * them. `at` is the index among the page's boards, if there are several.
 * `strain`, `leader` and `contract` are those that are looked at; `recorded` is the record's own, if it has others.
 * @typedef {{
 *   view: string, deal: string, unknown: string, made: string,
 *   board: string, room: string, at: string, recorded: string, dealer: string,
 *   vulnerable: string, strain: string, leader: string, contract: string, play: string[], record: string[],
 *   result: string, players: string[], by: string, need: string, given: string,
 *   line: string, seed: string, auction: string, holding: string, contracts: string, sort: string, show: string,
 * }} State
 */

/** @import { BoardToWrite, ExplainedCall, ShownBoard } from "./answers.d.ts" */

/** Parts of the state that are texts in the link, too.
 * @type {("board" | "room" | "at" | "recorded" | "contract" | "result" | "need" | "given" | "line" | "seed" |
 *         "auction" | "holding" | "contracts" | "sort" | "show")[]} */
const TEXTS = ["board", "room", "at", "recorded", "contract", "result", "need", "given", "line", "seed", "auction",
  "holding", "contracts", "sort", "show"];

/** @returns {State} */
export const fresh = () => ({
  view: "deal",
  deal: "",
  unknown: "",
  made: "",
  board: "",
  room: "",
  at: "",
  recorded: "",
  dealer: "N",
  vulnerable: "None",
  strain: "NT",
  leader: "W",
  contract: "",
  play: [],
  record: [],
  result: "",
  players: [],
  by: "",
  need: "",
  given: "",
  line: "",
  seed: "",
  auction: "",
  holding: "",
  contracts: "",
  sort: "",
  show: "",
});

/** Views of all boards: their links name no deal. */
export const OF_ALL = ["boards", "results", "records", "problems", "lesson"];

/** Every card. */
export const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));

/**
 * A deal in which `?` or `-` are unnamed hands, completed with the remaining cards; and the seats of these. A fourth
 * hand is no secret. Any other text is left as it is.
 * @param {string} text @returns {{ deal: string, unknown: string }}
 */
export function filled(text) {
  const hands = handsOf(text);
  const open = SEATS.filter((seat) => ["?", "-"].includes(hands[seat]));
  const known = SEATS.filter((seat) => !open.includes(seat)).map((seat) => cardsOf(hands[seat] ?? ""));
  const held = new Set(known.flat());
  const whole = known.every((cards) => cards.length === 13) && held.size === 13 * known.length
    && [...held].every((card) => PACK.includes(card));
  if (!open.length || open.length === 4 || !whole) return { deal: text, unknown: "" };
  const left = PACK.filter((card) => !held.has(card));
  /** @param {string} seat */
  const cards = (seat) => (open.includes(seat) ? left.splice(0, 13) : cardsOf(hands[seat]));
  const deal = dealText(Object.fromEntries(SEATS.map((seat) => [seat, cards(seat)])));
  return { deal, unknown: open.length > 1 ? open.join("") : "" };
}

/** A deal with `?` for unnamed hands. @param {State} state */
export function seenDeal({ deal, unknown }) {
  if (!unknown) return deal;
  const hands = handsOf(deal);
  return `N:${SEATS.map((seat) => (unknown.includes(seat) ? "?" : hands[seat])).join(" ")}`;
}

/** The seats whose hands are known. @param {State} state */
export const knownSeats = ({ unknown }) => SEATS.filter((seat) => !unknown.includes(seat));

/** @param {string} text */
const pairs = (text) => text.match(/[SHDC][AKQJT2-9]/g) ?? [];

/** The state in a link. @param {string} hash @returns {State} */
export function readLink(hash) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const state = fresh();
  /** @param {string} name */
  const text = (name) => (query.get(name) ?? "").slice(0, 2000);
  state.view = text("view") || "deal";
  Object.assign(state, filled(text("deal").replaceAll("_", " ").trim()));
  state.made = text("made").replaceAll("_", " ").trim();
  for (const name of TEXTS) state[name] = text(name);
  if ([...SEATS, "?"].includes(text("dealer"))) state.dealer = text("dealer").replace("?", "");
  if (["None", "NS", "EW", "All", "?"].includes(text("vul"))) state.vulnerable = text("vul").replace("?", "");
  if (STRAINS.includes(text("strain"))) state.strain = text("strain");
  if (SEATS.includes(text("leader"))) state.leader = text("leader");
  if (SEATS.includes(text("by"))) state.by = text("by");
  state.play = pairs(text("play"));
  state.record = pairs(text("record"));
  state.players = text("players") ? text("players").split("~").slice(0, 4) : [];
  return settled(state);
}

/** @param {State} state */
export function writeLink(state) {
  /** @type {string[]} */
  const parts = [];
  const blank = fresh();
  /** @param {string} name @param {string} value @param {string} usual */
  const add = (name, value, usual = "") => {
    if (value !== usual)
      parts.push(`${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%20", "+")}`);
  };
  add("view", state.view, "deal");
  if (OF_ALL.includes(state.view)) {
    add("sort", state.sort);
    add("show", state.show);
    return `#${parts.join("&")}`;
  }
  const name = (/** @type {string} */ deal) =>
    encodeURIComponent(deal.replaceAll(" ", "_")).replaceAll("%3A", ":").replaceAll("%3F", "?");
  if (state.deal) parts.push(`deal=${name(seenDeal(state))}`);
  if (state.made) parts.push(`made=${name(state.made)}`);
  add("board", state.board);
  add("room", state.room);
  add("at", state.at);
  add("dealer", state.dealer || "?", blank.dealer);
  add("vul", state.vulnerable || "?", blank.vulnerable);
  if (state.deal) parts.push(`strain=${state.strain}`, `leader=${state.leader}`);
  add("play", state.play.join(""));
  add("record", state.record.join(""));
  add("by", state.by);
  for (const name of TEXTS) if (!["board", "room", "at", "sort", "show"].includes(name)) add(name, state[name]);
  if (state.players.some(Boolean)) add("players", state.players.join("~"));
  return `#${parts.join("&")}`;
}

/** The strain, the leader and the contract that are looked at. @param {State} state */
export const contractOf = ({ strain, leader, contract }) => `${strain}.${leader}.${contract}`;

/** The state with the record's own contract, if that or the record is looked at.
 * @param {State} state @returns {State} */
export function settled(state) {
  const own = contractOf(state);
  const [strain, leader, contract = ""] = state.recorded.split(".");
  if (!state.record.length || state.recorded === own || !STRAINS.includes(strain) || !SEATS.includes(leader))
    return { ...state, recorded: "" };
  if (strain === state.strain && leader === state.leader) return { ...state, contract, recorded: "" };
  // The cards played belong to the other contract.
  return state.view === "record" ? { ...state, strain, leader, contract, recorded: "", play: [] } : state;
}

/** True if there are fewer than 52 cards: then there is no declarer. @param {State} state */
export const isEnding = (state) => state.deal.replace(/[^AKQJT2-9]/g, "").length < 52;
/** Whose tricks are counted: declarer's, in an ending the leader's. @param {State} state */
export const declarer = (state) => (isEnding(state) ? state.leader : after(state.leader, 3));
/** @param {State} state */
export const dummy = (state) => partner(declarer(state));
/** The question about a play. @param {State} state */
export const playText = (state, cards = state.play) => [state.strain, state.leader, state.deal, ...cards].join(" ");

/** The line of a question about the hands that are not `seen`; the first of these seats asks.
 * @param {State} state @param {string[]} seen @param {string[]} [cards] */
export function hiddenText(state, seen, cards = state.play) {
  const hands = handsOf(state.deal);
  const shown = SEATS.map((seat) => (seen.includes(seat) ? hands[seat] : "?")).join(" ");
  const out = handText(SEATS.flatMap((seat) => (seen.includes(seat) ? [] : cardsOf(hands[seat] ?? ""))));
  // The condition is about the cards that are left.
  const given = state.given.trim() ? [`if=${state.given.replace(/\s+/g, "")}`] : [];
  return [state.strain, state.leader, `N:${shown}`, `out=${out}`, `by=${seen[0]}`, ...cards, ...given].join(" ");
}

/** The bid of a contract, as 4S, and how often it is doubled. @param {State} state */
export function bid(state) {
  const m = /^([1-7])(NT?|S|H|D|C)(X{0,2})([NESW])$/.exec(state.contract);
  if (!m || m[4] !== declarer(state) || m[2][0] !== state.strain[0]) return null;
  return { level: Number(m[1]), doubled: m[3].length };
}

/** What a board of a record makes of the state. @param {ShownBoard} board @returns {State} */
export function ofBoard(board) {
  const hands = `N:${board.hands.map((hand) => hand ?? "?").join(" ")}`;
  const { deal, unknown } = filled(board.deal ?? hands);
  const [first] = knownSeats({ ...fresh(), unknown });
  // Of two hands alone the first declares, a single one leads.
  const usual = unknown.length === 3 ? first : unknown ? after(first) : null;
  const leader = board.leader ?? (board.declarer ? after(board.declarer) : usual);
  return {
    ...fresh(),
    deal: board.deal || unknown ? deal : "",
    unknown,
    board: board.board === null ? "" : String(board.board),
    room: board.room ?? "",
    dealer: board.dealer ?? "",
    vulnerable: board.vulnerable ?? "",
    strain: board.strain ?? "NT",
    leader: leader ?? "W",
    contract: board.contract ?? "",
    record: board.play,
    result: String(board.result ?? board.claim ?? ""),
    players: (board.players ?? []).map((name) => name ?? ""),
    auction: board.calls.map(({ call, alert }) => (alert === null ? call : `${call}!${alert.replaceAll("~", "-")}`))
      .join("~"),
  };
}

/** What is shown as a board, with the names of the engine's `boards`; `claim` is not in the link.
 * @param {State} state @param {number | null} [claim] */
export function boardOf(state, claim = null) {
  const [strain, leader, contract] = (state.recorded || contractOf(state)).split(".");
  const hands = handsOf(state.deal);
  const result = state.result === "" ? null : Number(state.result);
  return {
    board: Number(state.board) || null,
    room: state.room || null,
    hands: SEATS.map((seat) => (state.unknown.includes(seat) ? null : hands[seat] ?? null)),
    dealer: state.dealer || null,
    vulnerable: state.vulnerable || null,
    calls: callsOf(state.auction),
    contract: contract || null,
    leader: contract || state.record.length || isEnding(state) ? leader : null,
    strain,
    play: state.record,
    result,
    claim: result === null ? null : claim,
    players: SEATS.map((_, n) => state.players[n] ?? ""),
  };
}

/** A board for the engine's `write`. @param {ReturnType<typeof boardOf> | ShownBoard} board @returns {BoardToWrite} */
export const toWrite = (board) => ({
  board: board.board ?? undefined,
  room: board.room ?? undefined,
  hands: board.hands,
  dealer: board.dealer ? seatOf(board.dealer) : undefined,
  vulnerable: board.vulnerable ?? undefined,
  calls: board.calls.map(({ call, alert }) => ({ call, alert: alert ?? undefined })),
  passed_out: "passed_out" in board && board.passed_out,
  contract: board.contract ?? undefined,
  leader: board.leader ? seatOf(board.leader) : undefined,
  play: board.play,
  result: board.result ?? undefined,
  claim: board.claim ?? undefined,
  players: board.players ?? undefined,
});

/** The calls of an auction in a link: `~` between them, and after `!` what was said about one.
 * @param {string} auction @returns {ExplainedCall[]} */
export const callsOf = (auction) => (auction ? auction.split("~").map((text) => {
  const [call, ...alert] = text.split("!");
  return { call, alert: alert.length ? alert.join("!") : null };
}) : []);
