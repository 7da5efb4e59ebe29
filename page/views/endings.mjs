// @ts-check
// Endings: a page for each, with what decides it and the endings beside it.
import { diagram } from "../diagram.mjs";
import { fresh, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { RANKS, SEAT, SEATS, SUIT, SUITS, SYMBOL, cardMark, cardName, cardsOf, dealText, handsOf, many, plural, sideName, sideOf } from "../words.mjs";
import { contractMark, problem, waiting } from "./deal.mjs";
import { once } from "../boards.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** The most tricks of an ending here. */
const MOST = 6;

/** @type {import("../app.mjs").View} */
export const endingsView = {
  id: "endings",
  name: "Endings",
  question: "Which endings are alike, and which are not?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, an ending` : "An ending"),
  show(page) {
    page.memory.keys = {};
    const shown = page.position();
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const at = shown.answer;
    if (at.tricks_left > MOST || !at.tricks_left) return invite(page, at);
    const matter = page.need("play", "matter", playText(page.state));
    const beside = page.need("table", "beside", playText(page.state));
    if (matter.error) return problem(matter.error);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, headline(page, at, matter.answer), diagram(at, { label: "The ending", look: (card) => ({ class: matter.answer ? (matter.answer.matter.includes(card) ? "bright" : "faded") : "", words: matter.answer ? (matter.answer.matter.includes(card) ? "matters" : "does not matter") : "" }) }),
        h("div", { class: "row-of" }, h("button", { type: "button", class: "main", "data-key": "try", onclick: () => { page.settings.set("marks", "none"); page.go({ ...own(page, at), view: "play" }); } }, "Try it, without marks"), hardOnes(page))),
      h("div", { class: "side" }, matter.answer ? [set(at, matter.answer), neighbours(page, at, beside)] : waiting()));
  },
};

/** @param {Page} page @param {any} at */
function invite(page, at) {
  return h("div", { class: "empty" }, h("p", {}, at.tricks_left ? `${plural(at.tricks_left, "trick")} are left; an ending here has at most ${MOST}.` : "All cards have been played."),
    h("p", { class: "hint" }, "Play on in Play until it is one, or take a hard one."), h("div", { class: "row-of" }, hardOnes(page)));
}

/** @param {Page} page */
function hardOnes(page) {
  return [3, 4, 5, 6].map((tricks) => h("button", { type: "button", "data-key": `hard-${tricks}`, onclick: async () => {
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const said = await once(page, "hard", `${seed} ${tricks}`);
    if (said.error) page.say(said.error);
    else page.go({ ...fresh(), view: "endings", deal: said.answer.deal, strain: said.answer.strain, leader: said.answer.leader });
  } }, `A hard one of ${tricks} tricks`));
}

/** The ending as a deal of its own, with the trick under way played to it. @param {Page} page @param {any} at */
function own(page, at) {
  const hands = Object.fromEntries(SEATS.map((seat, n) => [seat, [...cardsOf(at.hands[n]), ...at.on_table.filter((/** @type {string[]} */ [who]) => who === seat).map((/** @type {string[]} */ [, card]) => card)]]));
  return { deal: dealText(hands), leader: at.leader, play: at.on_table.map((/** @type {string[]} */ [, card]) => card), record: [], contract: "", result: "" };
}

/** @param {Page} page @param {any} at @param {any} matter */
function headline(page, at, matter) {
  const text = matter ? `${sideName(sideOf(matter.leader))} take ${matter.tricks} of ${matter.tricks_left}` : "…";
  if (matter) page.say(`${text}.`);
  return h("p", { class: "headline" }, h("span", { class: "contract" }, at.on_table.length ? contractMark(page.state) : [SYMBOL[at.strain] === "NT" ? "No trump" : [h("span", { class: `suit ${at.strain}` }, h("span", { "aria-hidden": "true" }, SYMBOL[at.strain]), h("span", { class: "unseen" }, SUIT[at.strain])), " trumps"], `, ${SEAT[at.leader]} leads`]), h("strong", {}, text));
}

/** The set: who owns each card that matters; the others are x's. @param {any} at @param {any} matter */
function set(at, matter) {
  const owner = (/** @type {string} */ card) => SEATS.find((_, n) => cardsOf(at.hands[n]).includes(card));
  const rows = SUITS.flatMap((suit) => {
    const held = RANKS.map((rank) => suit + rank).filter(owner);
    if (!held.length) return [];
    const known = held.filter((card) => matter.matter.includes(card));
    const free = held.filter((card) => !matter.matter.includes(card));
    return [h("tr", {}, h("th", { scope: "row" }, h("span", { class: `pip ${suit}`, "aria-hidden": "true" }, SYMBOL[suit]), h("span", { class: "unseen" }, SUIT[suit])),
      h("td", {}, known.map((card) => h("span", { class: `owner ${owner(card)}` }, h("span", { "aria-hidden": "true" }, owner(card)), h("span", { class: "unseen" }, `${cardName(card)} with ${SEAT[/** @type {string} */ (owner(card))]}, `))), h("span", { class: "free" }, free.length ? "x".repeat(free.length) : "", free.length ? h("span", { class: "unseen" }, ` ${free.length} of any rank`) : null)),
      h("td", { class: "lengths" }, SEATS.map((seat) => held.filter((card) => owner(card) === seat).length).join("–")))];
  });
  return h("section", {}, h("table", { class: "set" }, h("caption", {}, "The set ", h("span", { class: "hint" }, "owners from the top; x's lie in any way")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "suit")), h("th", { scope: "col" }, "owners"), h("th", { scope: "col" }, "N–E–S–W"))), h("tbody", {}, rows)),
    h("p", {}, h("b", {}, many(matter.same)), matter.same === 1 ? " ending is in it" : " endings are in it, all worth the same", `, of ${many(matter.all)} with these lengths.`));
}

/** @param {Page} page @param {any} at @param {import("../helpers.mjs").Said} said */
function neighbours(page, at, said) {
  if (said.error) return problem(said.error);
  if (!said.answer) return waiting();
  const { tricks, beside } = said.answer;
  const open = (/** @type {string} */ deal) => {
    const hands = handsOf(deal);
    page.go({ ...own(page, { ...at, hands: SEATS.map((seat) => hands[seat]) }), view: "endings" });
  };
  const differ = beside.filter((/** @type {any} */ of) => of.tricks !== tricks).length;
  return h("section", {}, h("h2", {}, "Beside it"), h("p", { class: "hint" }, `Two cards next to each other change hands: ${differ} of ${beside.length} such endings are worth something else.`),
    h("ul", { class: "beside" }, beside.map((/** @type {any} */ of, /** @type {number} */ n) => h("li", {}, h("button", { type: "button", class: of.tricks === tricks ? "" : "other", "data-key": `beside-${n}`, onclick: () => open(of.deal) },
      cardMark(of.swapped[0]), ` ${of.seats[1]} `, cardMark(of.swapped[1]), ` ${of.seats[0]}`, h("b", {}, ` ${of.tricks}`))))));
}
