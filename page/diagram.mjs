// @ts-check
// The four hands round the trick.
import { h, seenOnly, unseen } from "./dom.mjs";
import { cardMark, cardName, cardsOf, plural, rankText, SEAT, SEATS, SUIT, SUITS, SYMBOL } from "./words.mjs";

/** @import { PlayPoint } from "./app.mjs" */

/**
 * What a card of the diagram looks like: a note under it, words for it, classes; and
 * what happens when it is chosen.
 * @typedef {{ note?: string, words?: string, class?: string, press?: () => void, pressed?: boolean }} Look
 */

/**
 * @param {PlayPoint} shown
 * @param {{ look?: (card: string, seat: string) => Look | null, hidden?: string[], label?: string,
 *           names?: string[], points?: number[], turn?: boolean }} [options]
 */
export function diagram(shown, options = {}) {
  const { look = () => null, hidden = [], names = [], points, turn = false, label = "The deal" } = options;
  const tray = turn && shown.tricks_left > 0;
  /** @param {string} seat @param {number} n */
  const hand = (seat, n) => {
    const mine = tray && seat === shown.to_play;
    const held = cardsOf(shown.hands[n]);
    const title = h("h2", {}, SEAT[seat],
      points && !hidden.includes(seat) ? h("span", { class: "hcp" }, plural(points[n], "point")) : null,
      names[n] ? h("span", { class: "name" }, names[n]) : null, mine ? unseen(", to play") : null);
    if (hidden.includes(seat)) {
      return h("section", { class: "hand hidden", "data-seat": seat, "aria-label": SEAT[seat] }, title,
        h("p", { class: "back" }, plural(held.length, "card"), " not seen"));
    }
    /** @param {(card: string) => import("./dom.mjs").Drawn} show */
    const rows = (show) =>
      SUITS.map((suit) => {
        const cards = held.filter((card) => card[0] === suit);
        return h("div", { class: `row ${suit}` },
          h("span", { class: `pip ${suit}`, role: "img", "aria-label": SUIT[suit] }, SYMBOL[suit]),
          h("div", { class: "cards" }, cards.length ? cards.map(show) : h("span", { class: "void" }, "–")));
      });
    const here = h("section", { class: mine ? "hand turn" : "hand", "data-seat": seat, "aria-label": SEAT[seat] },
      title, rows((card) => cardOf(card, look(card, seat))));
    if (!mine) return here;
    // On a phone the hand to play lies below, large; its place in the deal keeps a copy.
    const copy = h("div", { class: "hand copy", "data-seat": seat, "aria-hidden": "true" }, h("h2", {}, SEAT[seat]),
      rows((card) => h("span", { class: "card" }, h("b", {}, rankText(card[1])))));
    return [copy, here];
  };
  return h("div", { class: `diagram${tray ? " live" : ""}`, role: "group", "aria-label": label }, SEATS.map(hand),
    trick(shown));
}

/** @param {string} card @param {Look | null} look */
function cardOf(card, look) {
  const rank = rankText(card[1]);
  if (!look) return h("span", { class: "card", role: "img", "aria-label": cardName(card) }, h("b", {}, rank));
  const { note, press, pressed } = look;
  const words = look.words ? `${cardName(card)}, ${look.words}` : cardName(card);
  const inside = [h("b", { "aria-hidden": "true" }, rank),
    note === undefined ? null : h("small", { "aria-hidden": "true" }, note)];
  const kind = `card ${look.class ?? ""}`;
  if (!press) return h("span", { class: kind, role: "img", "aria-label": words }, inside);
  return h("button", {
    type: "button",
    class: kind,
    "data-card": card,
    "data-key": `card-${card}`,
    "aria-pressed": pressed === undefined ? undefined : String(pressed),
    onclick: press,
  }, inside, unseen(words));
}

/** The trick under way; at its start the previous trick, faint. @param {PlayPoint} shown */
function trick(shown) {
  const before = !shown.on_table.length && shown.last_trick.length > 0;
  const plays = before ? shown.last_trick : shown.on_table;
  const said = plays.map(([seat, card]) => `${SEAT[seat]} the ${cardName(card)}`).join(", ");
  const label = plays.length ? `${before ? "Last trick" : "Trick"}: ${said}` : "No card on the table";
  return h("div", { class: before ? "trick before" : "trick", role: "img", "aria-label": label },
    plays.map(([seat, card]) => h("span", { class: `on ${seat}` }, cardMark(card))),
    plays.length ? null
      : h("span", { class: "compass" }, SEATS.map((seat) => h("span", { class: `at ${seat}` }, seat))));
}
