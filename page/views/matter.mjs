// @ts-check
// What mattered: why is the result what it is?
import { diagram } from "../diagram.mjs";
import { declarer, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { SEAT, SEATS, cardMark, cardName, cardsOf, dealText, handsOf, many, plural, sideName, sideOf } from "../words.mjs";
import { byName, contractMark, problem, waiting } from "./deal.mjs";
import { against, inAll } from "./play.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const matterView = {
  id: "matter",
  name: "What mattered",
  question: "Why is it so many tricks?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}: what mattered` : "What mattered"),
  show(page) {
    page.memory.keys = {};
    const shown = page.position();
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    if (!shown.answer.tricks_left) return h("div", { class: "empty" }, h("p", {}, "All cards have been played. Nothing matters any more."), h("button", { type: "button", class: "main", "data-key": "start", onclick: () => page.go({ play: [] }) }, "Back to the start"));
    const said = page.need("play", "matter", playText(page.state));
    if (said.error) return problem(said.error);
    return h("div", { class: "columns" }, h("div", { class: "wide" }, headline(page, shown.answer, said), table(page, shown.answer, said.answer)), h("div", { class: "side" }, said.answer ? told(page, shown.answer, said.answer) : waiting()));
  },
};

/** The tricks of the side to play. @param {any} shown @param {any} answer */
const most = (shown, answer) => (sideOf(answer.leader) === sideOf(shown.to_play) ? answer.tricks : answer.tricks_left - answer.tricks);

/** @param {Page} page @param {any} shown @param {import("../helpers.mjs").Said} said */
function headline(page, shown, said) {
  const name = SEAT[declarer(page.state)];
  if (!said.answer) return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, said.stopped ? "Stopped" : "…"));
  const tricks = inAll(page, shown, most(shown, said.answer));
  const result = against(page, tricks);
  const text = `${name} takes ${tricks}`;
  page.say(`${text}. ${plural(said.answer.matter.length, "card")} matter.`);
  return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, text, result ? h("span", { class: "result" }, `, ${result}`) : null));
}

/** @param {Page} page @param {any} shown @param {any} answer */
function table(page, shown, answer) {
  const bright = new Set(answer?.matter ?? []);
  const chosen = page.memory.chosen;
  return diagram(shown, {
    names: byName(page), label: "The cards that matter stand out",
    look: (card, seat) => ({
      class: `${answer ? (bright.has(card) ? "bright" : "faded") : ""}${chosen === card ? " chosen" : ""}`,
      words: `${answer ? (bright.has(card) ? "matters" : "does not matter") : ""}`,
      pressed: chosen === card,
      press: () => choose(page, card, seat),
    }),
  });
}

/** Chooses a card; the second of a suit is swapped with the first. @param {Page} page @param {string} card @param {string} seat */
function choose(page, card, seat) {
  const { chosen, chosenSeat } = page.memory;
  if (chosen === card) page.memory.chosen = null;
  else if (!chosen || chosen[0] !== card[0] || chosenSeat === seat) Object.assign(page.memory, { chosen: card, chosenSeat: seat });
  else return swap(page, chosen, card);
  page.say(page.memory.chosen ? `${cardName(card)} chosen. Choose a card of the same suit in another hand to swap them.` : "Nothing chosen.");
  page.draw();
}

/** Two cards of a suit change hands: the deal is another one from the start, with the same play.
 * @param {Page} page @param {string} one @param {string} other */
function swap(page, one, other) {
  const hands = handsOf(page.state.deal);
  const deal = dealText(Object.fromEntries(SEATS.map((seat) => [seat, cardsOf(hands[seat]).map((card) => (card === one ? other : card === other ? one : card))])));
  const before = page.need("play", "matter", playText(page.state)).answer;
  const shown = page.position().answer;
  const faded = before && !before.matter.includes(one) && !before.matter.includes(other);
  page.go({ deal });
  page.memory.swapped = { one, other, faded, before: before && most(shown, before) };
}

/** @param {Page} page @param {any} shown @param {any} answer */
function told(page, shown, answer) {
  const held = SEATS.flatMap((_, n) => cardsOf(shown.hands[n])).length + shown.on_table.length;
  const matter = answer.matter.length;
  const swapped = page.memory.swapped;
  const now = most(shown, answer);
  return [
    h("p", { class: "big" }, matter ? [h("b", {}, matter), ` of ${held} cards matter.`] : "No card matters: the lengths of the suits decide."),
    h("p", {}, "Deal the faded cards anew, with as many of each suit to each hand: ", h("b", {}, `${sideName(sideOf(answer.leader))} always take ${answer.tricks}`), ` of the ${plural(answer.tricks_left, "trick")} left.`),
    h("p", {}, "That is the same result in ", h("b", {}, many(answer.same)), ` ${answer.same === 1 ? "deal" : "deals"} with these lengths, of ${many(answer.all)}.`),
    swapped ? h("p", { class: "told", role: "status" }, "Swapped ", cardMark(swapped.one), " and ", cardMark(swapped.other), ": ",
      h("b", {}, swapped.before === now ? `still ${now}.` : `${now} instead of ${swapped.before}.`), swapped.faded ? " Both were faded." : " One of them mattered.", " ",
      h("button", { type: "button", "data-key": "unswap", onclick: () => { history.back(); } }, "Swap back")) : null,
    page.memory.chosen
      ? h("p", { class: "told" }, "Now choose a card of the same suit in another hand; the two change places with ", cardMark(page.memory.chosen), ".")
      : h("p", { class: "hint" }, "Try it: choose a faded card and then another of its suit in another hand. They change places, and the number stays. Swap bright ones, and it may not."),
    h("div", { class: "row-of" },
      h("button", { type: "button", "data-key": "play", onclick: () => page.go({ view: "play" }) }, "Play from here"),
      page.state.play.length ? h("button", { type: "button", "data-key": "start", onclick: () => page.go({ play: [] }) }, "The whole deal") : null),
    h("p", { class: "hint" }, "The cards come from two proofs, one that the tricks can be taken and one that no more can. Another proof may need fewer."),
  ];
}
