// @ts-check
// Endings: a page for each, with what decides it and the endings beside it.
import { once } from "../boards.mjs";
import { diagram } from "../diagram.mjs";
import { button, columns, empty, h, headlineOf, hint, seenOnly, table as tableOf, unseen } from "../dom.mjs";
import { fresh, playText } from "../state.mjs";
import { cardMark, cardName, cardsOf, dealText, handsOf, many, plural, RANKS, SEAT, SEATS, sideName, sideOf, strainMark,
  SUITS } from "../words.mjs";
import { answered, contractMark, problem } from "./deal.mjs";

/** @import { Answers, MatterCounts, PlayPoint } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */

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
    const said = page.need("play", "matter", playText(page.state));
    const beside = page.need("table", "beside", playText(page.state));
    const bright = said.answer?.matter;
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
      answered(said, (matter) => [set(at, matter), answered(beside, (answer) => neighbours(page, at, answer))]));
  },
};

/** @param {Page} page */
const hardOnes = (page) =>
  [3, 4, 5, 6].map((tricks) =>
    button(`hard-${tricks}`, `A hard one of ${tricks} tricks`, async () => {
      const [seed] = crypto.getRandomValues(new Uint32Array(1));
      const { answer, error } = await once(page, "hard", `${seed} ${tricks}`);
      if (!answer) page.say(error ?? "Stopped.");
      else page.go({ ...fresh(), view: "endings", deal: answer.deal, strain: answer.strain, leader: answer.leader });
    })
  );

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

/** @param {Page} page @param {PlayPoint} at @param {MatterCounts | undefined} matter */
function headline(page, at, matter) {
  const text = matter ? `${sideName(sideOf(matter.leader))} take ${matter.tricks} of ${matter.tricks_left}` : "…";
  if (matter) page.say(`${text}.`);
  const strain = at.strain === "NT" ? "No trump" : [strainMark(at.strain), " trumps"];
  return headlineOf(at.on_table.length ? contractMark(page.state) : [strain, `, ${SEAT[at.leader]} leads`], text);
}

/** The set: who owns each card that matters; the others are x's. @param {PlayPoint} at @param {MatterCounts} matter */
function set(at, matter) {
  /** @param {string} card */
  const owner = (card) => SEATS.find((_, n) => cardsOf(at.hands[n]).includes(card)) ?? "";
  const rows = SUITS.flatMap((suit) => {
    const held = RANKS.map((rank) => suit + rank).filter(owner);
    if (!held.length) return [];
    const known = held.filter((card) => matter.matter.includes(card));
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
    h("p", {}, h("b", {}, many(matter.same)),
      matter.same === 1 ? " ending is in it" : " endings are in it, all worth the same",
      `, of ${many(matter.all)} with these lengths.`));
}

/** @param {Page} page @param {PlayPoint} at @param {Answers["beside"]} answer */
function neighbours(page, at, { tricks, beside }) {
  /** @param {string} deal */
  const open = (deal) => {
    const hands = handsOf(deal);
    page.go({ ...own(at, SEATS.map((seat) => hands[seat])), view: "endings" });
  };
  const differ = beside.filter((of) => of.tricks !== tricks).length;
  return h("section", {}, h("h2", {}, "Beside it"),
    hint(
      `Two cards next to each other change hands: ${differ} of ${beside.length} such endings are worth something else.`
    ),
    h("ul", { class: "beside" },
      beside.map(({ swapped, seats, deal, tricks: worth }, n) =>
        h("li", {},
          button(`beside-${n}`, [cardMark(swapped[0]), ` ${seats[1]} `, cardMark(swapped[1]), ` ${seats[0]}`,
            h("b", {}, ` ${worth}`)], () => open(deal), { class: worth === tricks ? "" : "other" }))
      )));
}
