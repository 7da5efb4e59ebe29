// @ts-check
// Endings: a page for each, with what decides it and the endings beside it.
import { once } from "../boards.mjs";
import { diagram } from "../diagram.mjs";
import { button, columns, empty, h, headlineOf, hint, seenOnly, table as tableOf, unseen } from "../dom.mjs";
import { fresh, PACK } from "../state.mjs";
import { cardMark, cardName, cardsOf, dealText, handsOf, many, plural, RANKS, SEAT, SEATS, sideName, sideOf, strainMark,
  STRAINS, SUITS } from "../words.mjs";
import { answered, contractMark, problem } from "./deal.mjs";
import { shuffled } from "./entry.mjs";
import { matter } from "./matter.mjs";

/** @import { Said } from "../helpers.mjs" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @import { Matter } from "./matter.mjs" */
/** An ending in which two cards have changed hands, and what is known of it.
 * @typedef {{ deal: string, swapped: string[], seats: string[], said: Said<{ tricks?: unknown }> }} Neighbour */

/** The most tricks of an ending here. */
const MOST = 6;

/** @type {View} */
export const endingsView = {
  id: "endings",
  name: "Endings",
  question: "Which endings are alike, and which are not?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, an ending` : "An ending"),
  show(page) {
    page.memory.keys = {};
    const { answer: at, error } = page.position();
    if (error) return problem(error);
    if (!at) return null;
    if (at.tricks_left > MOST || !at.tricks_left) {
      return empty(
        h("p", {},
          at.tricks_left ? `${plural(at.tricks_left, "trick")} are left; an ending here has at most ${MOST}.`
            : "All cards have been played."),
        hint("Play on in Play until it is one, or take a hard one."),
        h("div", { class: "row-of" }, hardOnes(page))
      );
    }
    const said = matter(page);
    const beside = neighbours(page, at);
    const bright = said.answer?.cards;
    return columns([headline(page, at, said.answer),
      diagram(at, {
        label: "The ending",
        look: (card) => ({
          class: bright ? (bright.includes(card) ? "bright" : "faded") : "",
          words: bright ? (bright.includes(card) ? "matters" : "does not matter") : "",
        }),
      }), h("div", { class: "row-of" }, button("try", "Try it, without marks", () => {
        page.settings.set("marks", "none");
        page.go({ ...own(at), view: "play" });
      }, { class: "main" }), hardOnes(page))],
      answered(said, (answer) => [set(at, answer), besides(page, at, answer, beside)]));
  },
};

/** The endings that are tried for a hard one. */
const TRIES = 60;

/** @param {Page} page */
const hardOnes = (page) =>
  [3, 4, 5, 6].map((tricks) =>
    button(`hard-${tricks}`, `A hard one of ${tricks} tricks`, async () => {
      const found = await hard(page, tricks);
      if (!found) page.say("Stopped.");
      else page.go({ ...fresh(), view: "endings", ...found });
    })
  );

/** Of some endings at random the hardest, in which one lead alone is right and the result depends on the most cards.
 * @param {Page} page @param {number} tricks */
async function hard(page, tricks) {
  const tried = Array.from({ length: TRIES }, () => {
    const pack = shuffled(PACK);
    const hands = Object.fromEntries(SEATS.map((seat) => [seat, pack.splice(0, tricks)]));
    return { deal: dealText(hands), strain: shuffled(STRAINS)[0], leader: shuffled(SEATS)[0] };
  });
  const scores = await Promise.all(tried.map(async ({ strain, leader, deal }) => {
    const question = `${strain} ${leader} ${deal}`;
    const { cards = [] } = (await once(page, { ask: "solve", question, all: true })).answer ?? {};
    const most = Math.max(...cards.map((of) => of.tricks));
    if (cards.length < 3 || cards.filter((of) => of.tricks === most).length !== 1) return 0;
    const { answer } = await once(page, { ask: "matter", question });
    return answer?.cards ? answer.cards.length + 2 * cards.length : 0;
  }));
  const best = Math.max(...scores);
  return best ? tried[scores.indexOf(best)] : undefined;
}

/** The ending as a deal of its own, with the trick under way played to it.
 * @param {PlayPoint} at @param {string[]} held the hands, unless they are those of the ending */
function own(at, held = at.hands) {
  const hands = Object.fromEntries(
    SEATS.map((seat, n) => [seat, [...cardsOf(held[n]), ...at.on_table.filter(([who]) =>
      who === seat
    ).map(([, card]) => card)]])
  );
  return {
    deal: dealText(hands),
    leader: at.leader,
    play: at.on_table.map(([, card]) => card),
    record: [],
    contract: "",
    result: "",
  };
}

/** @param {Page} page @param {PlayPoint} at @param {Matter | undefined} answer */
function headline(page, at, answer) {
  const text = answer ? `${sideName(sideOf(answer.leader))} take ${answer.tricks} of ${at.tricks_left}` : "…";
  if (answer) page.say(`${text}.`);
  const strain = at.strain === "NT" ? "No trump" : [strainMark(at.strain), " trumps"];
  return headlineOf(at.on_table.length ? contractMark(page.state) : [strain, `, ${SEAT[at.leader]} leads`], text);
}

/** The set: who owns each card that matters; the others are x's. @param {PlayPoint} at @param {Matter} answer */
function set(at, answer) {
  /** @param {string} card */
  const owner = (card) => SEATS.find((_, n) => cardsOf(at.hands[n]).includes(card)) ?? "";
  const rows = SUITS.flatMap((suit) => {
    const held = RANKS.map((rank) => suit + rank).filter(owner);
    if (!held.length) return [];
    const known = held.filter((card) => answer.cards.includes(card));
    const free = held.length - known.length;
    return [[strainMark(suit), [
      known.map((card) =>
        h("span", { class: `owner ${owner(card)}` }, seenOnly(owner(card)),
          unseen(`${cardName(card)} with ${SEAT[owner(card)]}, `))
      ),
      h("span", { class: "free" }, "x".repeat(free), free > 0 && unseen(` ${free} of any rank`)),
    ], SEATS.map((seat) => held.filter((card) => owner(card) === seat).length).join("–")]];
  });
  return h("section", {},
    tableOf({ class: "set" }, ["The set ", h("span", { class: "hint" }, "owners from the top; x's lie in any way")], [
      unseen("suit"),
      "owners",
      "N–E–S–W",
    ], rows),
    h("p", {}, h("b", {}, many(answer.deals)),
      answer.deals === 1 ? " ending is in it" : " endings are in it, all worth the same",
      `, of ${many(answer.of)} with these lengths.`));
}

/** The endings in which two cards next to each other in rank have changed hands, solved by one worker.
 * @param {Page} page @param {PlayPoint} at @returns {Neighbour[]} */
function neighbours(page, at) {
  const played = at.on_table.length ? [`played=${at.on_table.map(([, card]) => card).join(",")}`] : [];
  return SUITS.flatMap((suit) => {
    const held = RANKS.flatMap((rank) =>
      SEATS.flatMap((seat, n) => (cardsOf(at.hands[n]).includes(suit + rank) ? [{ seat, card: suit + rank }] : []))
    );
    return held.slice(1).flatMap((other, n) => {
      const one = held[n];
      if (one.seat === other.seat) return [];
      const deal = dealText(
        Object.fromEntries(SEATS.map((seat, at4) => [seat, cardsOf(at.hands[at4]).map((card) =>
          card === one.card ? other.card : card === other.card ? one.card : card
        )]))
      );
      const question = [at.strain, at.leader, deal, ...played].join(" ");
      return {
        deal,
        swapped: [one.card, other.card],
        seats: [one.seat, other.seat],
        said: page.need("table", { ask: "solve", question }, 0),
      };
    });
  });
}

/** @param {Page} page @param {PlayPoint} at @param {Matter} answer @param {Neighbour[]} beside */
function besides(page, at, { tricks }, beside) {
  const open = beside.find(({ said }) => !said.answer);
  if (open) return answered(open.said, () => null);
  /** @param {Neighbour} of */
  const worthOf = ({ said }) => Number(said.answer?.tricks);
  const differ = beside.filter((of) => worthOf(of) !== tricks).length;
  return h("section", {}, h("h2", {}, "Beside it"),
    hint(
      `Two cards next to each other change hands: ${differ} of ${beside.length} such endings are worth something else.`
    ),
    h("ul", { class: "beside" },
      beside.map((of, n) =>
        h("li", {},
          button(`beside-${n}`, [cardMark(of.swapped[0]), ` ${of.seats[1]} `, cardMark(of.swapped[1]),
            ` ${of.seats[0]}`, h("b", {}, ` ${worthOf(of)}`)], () => {
            const hands = handsOf(of.deal);
            page.go({ ...own(at, SEATS.map((seat) => hands[seat])), view: "endings" });
          }, { class: worthOf(of) === tricks ? "" : "other" }))
      )));
}
