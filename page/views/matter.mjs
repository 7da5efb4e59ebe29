// @ts-check
// What mattered: why is the result what it is?
import { diagram } from "../diagram.mjs";
import { button, columns, cue, empty, h, headlineOf, hint, remark } from "../dom.mjs";
import { declarer, playText } from "../state.mjs";
import { cardMark, cardName, cardsOf, dealText, handsOf, many, plural, SEAT, SEATS, sideName,
  sideOf } from "../words.mjs";
import { contractMark, problem, waiting } from "./deal.mjs";
import { against, inAll, takes } from "./play.mjs";

/** @import { Answers } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** A board that was passed out has none. @typedef {Required<Answers["matter"]>} Matter */

/** @type {View} */
export const matterView = {
  id: "matter",
  name: "What mattered",
  question: "Why is it so many tricks?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}: what mattered` : "What mattered"),
  show(page) {
    page.memory.keys = {};
    const { answer: shown, error } = page.position();
    if (error) return problem(error);
    if (!shown) return null;
    if (!shown.tricks_left) {
      return empty(h("p", {}, "All cards have been played. Nothing matters any more."),
        button("start", "Back to the start", () => page.go({ play: [] }), { class: "main" }));
    }
    const said = matter(page);
    if (said.error) return problem(said.error);
    const { answer } = said;
    return columns([headline(page, shown, said), table(page, shown, answer)],
      answer ? summary(page, shown, answer) : waiting());
  },
};

/** @param {Page} page @returns {Said<Matter>} */
export function matter({ state, helpers }) {
  const said = helpers.need("play", { ask: "matter", question: playText(state) });
  return { ...said, answer: said.answer && isMatter(said.answer) ? said.answer : undefined };
}
/** @param {Answers["matter"]} answer @returns {answer is Matter} */
const isMatter = (answer) => answer.cards !== undefined;

/** The tricks of the side to play. @param {PlayPoint} at @param {Matter} answer */
const mostOf = (at, { leader, tricks }) => sideOf(leader) === sideOf(at.to_play) ? tricks : at.tricks_left - tricks;

/** @param {Page} page @param {PlayPoint} shown @param {Said<Matter>} said */
function headline(page, shown, { answer, stopped }) {
  if (!answer) return headlineOf(contractMark(page.state), stopped ? "Stopped" : "…");
  const made = inAll(page.state, shown, mostOf(shown, answer));
  const text = `${SEAT[declarer(page.state)]} takes ${made}`;
  page.say(`${text}. ${plural(answer.cards.length, "card")} matter.`);
  return takes(page, text, against(page, made));
}

/** @param {Page} page @param {PlayPoint} shown @param {Matter | undefined} answer */
function table(page, shown, answer) {
  const { chosen } = page.memory;
  return diagram(shown, {
    names: page.state.players,
    label: "The cards that matter stand out",
    look: (card, seat) => {
      const bright = answer?.cards.includes(card);
      return {
        class: `${answer ? (bright ? "bright" : "faded") : ""}${chosen === card ? " chosen" : ""}`,
        words: answer ? (bright ? "matters" : "does not matter") : "",
        pressed: chosen === card,
        press: () => choose(page, card, seat),
      };
    },
  });
}

/** Chooses a card; the second of a suit is swapped with the first.
 * @param {Page} page @param {string} card @param {string} seat */
function choose(page, card, seat) {
  const { memory } = page;
  const { chosen } = memory;
  if (chosen && chosen !== card && chosen[0] === card[0] && memory.chosenSeat !== seat) return swap(page, chosen, card);
  memory.chosen = chosen === card ? null : card;
  memory.chosenSeat = seat;
  page.say(
    memory.chosen ? `${cardName(card)} chosen. Choose a card of the same suit in another hand to swap them.`
      : "Nothing chosen."
  );
  page.draw();
}

/** Two cards of a suit change hands: the deal is another one from the start, with the same play.
 * @param {Page} page @param {string} one @param {string} other */
function swap(page, one, other) {
  const hands = handsOf(page.state.deal);
  const swapped = SEATS.map((
    seat
  ) => [seat, cardsOf(hands[seat]).map((card) => (card === one ? other : card === other ? one : card))]);
  const [before, at] = [matter(page).answer, page.position().answer];
  page.go({ deal: dealText(Object.fromEntries(swapped)) });
  const faded = Boolean(before && !before.cards.includes(one) && !before.cards.includes(other));
  page.memory.swapped = { one, other, faded, before: before && at && mostOf(at, before) };
}

/** @param {Page} page @param {PlayPoint} shown @param {Matter} answer */
function summary(page, shown, answer) {
  const held = SEATS.flatMap((_, n) => cardsOf(shown.hands[n])).length + shown.on_table.length;
  const { swapped, chosen } = page.memory;
  const [count, most] = [answer.cards.length, mostOf(shown, answer)];
  return [
    h("p", { class: "big" },
      count ? [h("b", {}, count), ` of ${held} cards matter.`] : "No card matters: the lengths of the suits decide."),
    h("p", {}, "Deal the faded cards anew, with as many of each suit to each hand: ",
      h("b", {}, `${sideName(sideOf(answer.leader))} always take ${answer.tricks}`),
      ` of the ${plural(shown.tricks_left, "trick")} left.`),
    h("p", {}, "That is the same result in ", h("b", {}, many(answer.deals)),
      ` ${answer.deals === 1 ? "deal" : "deals"} with these lengths, of ${many(answer.of)}.`),
    swapped
      ? h("p", { class: "remark", role: "status" }, "Swapped ", cardMark(swapped.one), " and ", cardMark(swapped.other),
        ": ", h("b", {}, swapped.before === most ? `still ${most}.` : `${most} instead of ${swapped.before}.`),
        swapped.faded ? " Both were faded. " : " One of them mattered. ", button("unswap", "Swap back", () =>
          history.back())) : null,
    chosen
      ? remark("Now choose a card of the same suit in another hand; the two change places with ", cardMark(chosen), ".")
      : cue("Try it: choose a faded card and then another of its suit in another hand. They change places, ",
        "and the number stays. Swap bright ones, and it may not."),
    h("div", { class: "row-of" }, button("play", "Play from here", () => page.go({ view: "play" })),
      page.state.play.length > 0 && button("start", "The whole deal", () => page.go({ play: [] }))),
    hint("The cards come from two proofs, one that the tricks can be taken and one that no more can. ",
      "Another proof may need fewer."),
  ];
}
