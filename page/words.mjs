// @ts-check
// Names of cards, seats and strains, and marks for them. No rules of bridge.
import { h, seenOnly, unseen } from "./dom.mjs";

export const SEATS = ["N", "E", "S", "W"];
export const SUITS = ["S", "H", "D", "C"];
export const STRAINS = ["NT", "S", "H", "D", "C"];
export const RANKS = [..."AKQJT98765432"];
/** @type {Record<string, string>} */
export const SYMBOL = { S: "♠", H: "♥", D: "♦", C: "♣", NT: "NT" };
/** @type {Record<string, string>} */
export const SUIT = { S: "spades", H: "hearts", D: "diamonds", C: "clubs", NT: "no trump" };
/** @type {Record<string, string>} */
export const SEAT = { N: "North", E: "East", S: "South", W: "West" };
/** @type {Record<string, string>} */
const RANK = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};

/** A seat, North unless the text names another. @param {string} text */
export const seatOf = (text) => (/** @type {const} */ (["N", "E", "S", "W"])).find((seat) => seat === text) ?? "N";
/** @param {string} seat @param {number} by */
export const after = (seat, by = 1) => SEATS[(SEATS.indexOf(seat) + by) % 4];
/** @param {string} seat */
export const partner = (seat) => after(seat, 2);
/** @param {string} seat */
export const sideOf = (seat) => SEATS.indexOf(seat) % 2;
/** @param {number} side */
export const sideName = (side) => (side ? "East and West" : "North and South");
/** @param {string} rank */
export const rankText = (rank) => (rank === "T" ? "10" : rank);
/** @param {string} card */
export const cardName = (card) => `${RANK[card[1]]} of ${SUIT[card[0]]}`;
/** @param {string} card */
export const cardText = (card) => `${SYMBOL[card[0]]}${rankText(card[1])}`;
/** The parts of a contract as 4HXW. */
export const CONTRACT = /^([1-7])(NT|[SHDC])(X*)([NESW])$/;
/** A contract as 4HXW, as players write it: 4♥X W. @param {string} contract */
export const contractText = (contract) =>
  contract.replace(CONTRACT, (_, level, strain, doubled, seat) => `${level}${SYMBOL[strain]}${doubled} ${seat}`);
/** @param {number} count @param {string} word */
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
/** @param {string | number | bigint} number */
export const grouped = (number) => BigInt(number).toLocaleString("en");
/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** A difference with a sign that is read. @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "=");
/** @param {number} share */
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** Large numbers as people say them. @param {string | number} text */
export function many(text) {
  const number = BigInt(text);
  if (number < 1_000_000n) return grouped(number);
  const names = ["million", "billion", "trillion", "quadrillion", "quintillion", "sextillion", "septillion"];
  const at = Math.min(Math.floor((String(number).length - 7) / 3), names.length - 1);
  return `${(Number((number * 10n) / 10n ** BigInt(6 + 3 * at)) / 10).toLocaleString("en")} ${names[at]}`;
}

/** The hands of a deal by seat. @param {string} deal @returns {Record<string, string>} */
export function handsOf(deal) {
  const [first, ...rest] = deal.split(/[: ]/);
  /** @type {Record<string, string>} */
  const hands = {};
  if (SEATS.includes(first)) rest.slice(0, 4).forEach((hand, n) => (hands[after(first, n)] = hand));
  return hands;
}

/** The cards of a hand in PBN. @param {string} hand */
export const cardsOf = (hand) => hand.split(".").flatMap((ranks, n) => [...ranks].map((rank) => SUITS[n] + rank));

/** The high-card points of hands in PBN. @param {string[]} hands */
export const pointsOf = (hands) =>
  hands.map((hand) => cardsOf(hand).reduce((sum, card) => sum + Math.max(0, 4 - RANKS.indexOf(card[1])), 0));

/** Which card of a trick wins it. @param {string[]} cards @param {string} strain */
export function winnerOf(cards, strain) {
  const worth = cards.map(([suit, rank]) =>
    (suit === strain ? 26 : suit === cards[0][0] ? 13 : 0)
    + (suit === strain || suit === cards[0][0] ? 13 - RANKS.indexOf(rank) : 0)
  );
  return worth.indexOf(Math.max(...worth));
}

/** A hand in PBN. @param {string[]} cards */
export const handText = (cards) =>
  SUITS.map((suit) => RANKS.filter((rank) => cards.includes(suit + rank)).join("")).join(".");

/** A deal in PBN. @param {Record<string, string[]>} hands */
export const dealText = (hands) => `N:${SEATS.map((seat) => handText(hands[seat])).join(" ")}`;

/** A suit's symbol or NT in its colour, named for those who do not see it.
 * @param {string} strain */
export const strainMark = (strain) =>
  h("span", { class: `suit ${strain}` }, seenOnly(SYMBOL[strain]), unseen(SUIT[strain]));

/** A card in its colour. @param {string} card */
export const cardMark = (card) =>
  h("span", { class: `one ${card[0]}` }, seenOnly(cardText(card)), unseen(cardName(card)));

/** Cards one after the other. @param {string[]} cards */
export const cardMarks = (cards) => cards.flatMap((card, n) => (n ? [" ", cardMark(card)] : [cardMark(card)]));

/** Text in which cards as SA or ♥10 are shown with marks. @param {string} text */
export function withMarks(text) {
  const parts = text.split(/((?:\b[SHDC]|[♠♥♦♣])(?:10|[AKQJT2-9])\b)/);
  return parts.map((part, n) => {
    const suit = SUITS.find((one) => SYMBOL[one] === part[0]) ?? part[0];
    return n % 2 ? cardMark(suit + part.slice(1).replace("10", "T")) : part;
  });
}

/** A contract as 4HXW with its marks. @param {string} text */
export function contractMarks(text) {
  const parts = CONTRACT.exec(text);
  if (!parts) return contractText(text);
  const [, level, strain, doubled, seat] = parts;
  return [level, strainMark(strain),
    doubled ? [seenOnly(doubled), unseen(doubled === "X" ? " doubled" : " redoubled")] : null, " ", seenOnly(seat),
    unseen(` by ${SEAT[seat]}`)];
}
