// @ts-check
// Record: where did it go wrong? Every mistake of a recorded play, and the right cards.
import { diagram } from "../diagram.mjs";
import { button, columns, empty, h, headlineOf, headRow, hint, remark, row, seenOnly, table as tableOf,
  unseen } from "../dom.mjs";
import { declarer, dummy, isEnding, playText } from "../state.mjs";
import { capital, cardMark, cardMarks, cardName, cardText, handsOf, plural, pointsOf, SEAT, SEATS,
  sideOf } from "../words.mjs";
import { auction, dealtBy, resultLine } from "./board.mjs";
import { answered, contractMark, problem } from "./deal.mjs";
import { against, playCard, solve, takes, worthOf } from "./play.mjs";

/** @import { Answers, Step } from "../answers.d.ts" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @import { Said } from "../helpers.mjs" */
/** @import { State } from "../state.mjs" */
/**
 * A play, reviewed: the declarer's tricks after 0, 1, … cards without errors from there, and whether it was played to
 * its end. @typedef {{ cards: Step[], makes: number[], isWhole: boolean }} Reviewed
 */

/** @type {View} */
export const recordView = {
  id: "record",
  name: "Record",
  question: "Where did it go wrong?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, as it was played` : "As it was played"),
  show(page) {
    const { state } = page;
    page.memory.keys = {};
    if (!state.record.length) return none(page);
    const asked = page.need("table", { ask: "analyse", question: playText(state, state.record) });
    /** @type {Said<Reviewed>} */
    const said = { ...asked, part: undefined, answer: asked.answer && reviewed(state, asked.answer) };
    const shown = page.position();
    if (said.error) return problem(`The record: ${said.error}`);
    if (shown.error) return problem(shown.error);
    keys(page, said.answer);
    if (!shown.answer) return null;
    return columns([headline(page, said.answer), table(page, shown.answer, said.answer?.cards[state.play.length]),
      controls(page, shown.answer, said.answer), auction(state), resultLine(page)],
      answered(said, (answer) => [strip(page, answer), mistakes(page, answer), players(page, answer)]));
  },
};

/** @param {State} state @param {Answers["analyse"]} answer @returns {Reviewed} */
function reviewed(state, { tricks, tricks_left: all = 0, cards = [] }) {
  const leads = sideOf(declarer(state)) === sideOf(state.leader);
  const each = [Number(tricks), ...cards.map((step) => step.tricks)];
  return { cards, makes: each.map((of) => (leads ? of : all - of)), isWhole: cards.length === 4 * all };
}

/** @param {Page} page */
function none(page) {
  if (page.board?.passed_out) return empty(h("p", {}, "The board was passed out."));
  return empty(h("p", {}, "This deal has no recorded play."),
    hint("Paste LIN, PBN with a Play section or a BBO handviewer link in Deal; or play some cards, and look for ",
      "mistakes in them."), h("div", { class: "row-of" }, button("to-deal", "Paste a record", () => {
        page.memory.entryOpen = true;
        page.go({ view: "deal" });
      }, { class: "main" }),
      page.state.play.length > 0
        && button("keep", "Take the cards played so far", () => page.go({ record: page.state.play, play: [] }))));
}

/** Shows the record from this number of cards on. @param {Page} page @param {number} at */
const show = (page, at) => page.go({ play: page.state.record.slice(0, at) }, { push: false });

/** @param {Page} page @param {Reviewed | undefined} answer */
function keys(page, answer) {
  const last = answer ? answer.cards.length : page.state.record.length;
  const at = page.state.play.length;
  /** @param {number} to */
  const go = (to) => show(page, Math.max(0, Math.min(to, last)));
  const wrong = (answer?.cards ?? []).flatMap((card, n) => (card.gives_away ? [n] : []));
  page.memory.keys = {
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    Home: () => go(0),
    End: () => go(last),
    PageDown: () => go(wrong.find((n) => n > at) ?? last),
    PageUp: () => go(wrong.findLast((n) => n < at) ?? 0),
  };
}

/** @param {Page} page @param {Reviewed | undefined} answer */
function headline(page, answer) {
  if (!answer) return headlineOf(contractMark(page.state), "…");
  const name = SEAT[declarer(page.state)];
  const [first] = answer.makes;
  const last = answer.makes[answer.cards.length];
  const given = page.state.contract && page.state.result;
  const result = answer.isWhole ? last : given ? Number(given) : null;
  const text = answer.isWhole ? `${name} could take ${first} and took ${last}`
    : given ? `${name} could take ${first}; the result is ${given}`
    : `${name} could take ${first}, and ${last} from the end of the record. No result is recorded`;
  const doubts = page.board?.notes ?? [];
  const wrong = answer.cards.filter((card) => card.gives_away).length;
  page.say(`${text}. ${wrong ? plural(wrong, "mistake") : "No mistake"}.`);
  return [takes(page, text, result === null ? "" : against(page, result)),
    doubts.map((doubt) => hint(`${capital(doubt)}.`))];
}

/** @param {Page} page @param {PlayPoint} shown @param {Step | undefined} step */
function table(page, shown, step) {
  const { play, record } = page.state;
  const right = step?.right ?? [];
  const next = record[play.length];
  const worth = worthOf(shown.tricks_left && step?.gives_away ? solve(page).answer : undefined);
  return diagram(shown, {
    turn: true,
    names: page.state.players,
    points: pointsOf(SEATS.map((seat) => handsOf(page.state.deal)[seat] ?? "")),
    label: step ? `${SEAT[step.seat]} is about to play` : "The end of the record",
    look: (card, seat) => {
      if (seat !== shown.to_play || !shown.legal.includes(card)) return null;
      const here = card === next;
      const wrong = here && step ? step.gives_away : 0;
      const good = right.includes(card) || (here && step && !wrong);
      const cost = worth.most - (worth.tricks.get(card) ?? worth.most);
      return {
        note: wrong ? `−${wrong}` : right.includes(card) ? "=" : cost ? `−${cost}` : here ? "=" : "",
        words: here ? `played, ${wrong ? `gave away ${wrong}` : "right"}`
          : good ? "right" : cost ? `would give away ${cost}` : "",
        class: `${wrong || cost ? "worse" : good ? "best" : ""}${here ? " recorded" : ""}`,
        press: () => page.state.play === play && (here ? show(page, play.length + 1) : playCard(page, card)),
      };
    },
  });
}

/** @param {Page} page @param {PlayPoint} shown @param {Reviewed | undefined} answer */
function controls(page, shown, answer) {
  const { keys: act = {} } = page.memory;
  const { play, record } = page.state;
  /** @param {string} key @param {string} text @param {string} short @param {boolean} able */
  const step = (key, text, short, able) =>
    button(key, text, act[short], { disabled: !able, "aria-keyshortcuts": short });
  const now = answer?.cards[play.length];
  const [ours, theirs] = shown.won;
  return h("div", {},
    h("div", { class: "controls", role: "group", "aria-label": "The record" },
      step("home", "Start", "Home", play.length > 0), step("back", "Back", "ArrowLeft", play.length > 0),
      step("on", "Next card", "ArrowRight", play.length < record.length),
      step("wrong", "Next mistake", "PageDown", Boolean(answer)),
      button("from-here", "Play on from here", () => page.go({ view: "play" }))),
    hint(`${capital(dealtBy(page.state))}. North–South ${plural(ours, "trick")}, East–West ${theirs}.`),
    now ? remark(`Trick ${now.trick}: ${SEAT[now.seat]} played `, cardMark(now.card), mended(now), ".")
      : answer ? remark("The end of the record.") : null);
}

/** The tricks that a card gave away, and the right cards. @param {Step} step */
const mended = ({ gives_away: cost, right = [] }) =>
  cost > 0
  && [`, which gave away ${plural(cost, "trick")}. Right ${right.length === 1 ? "was" : "were"} `, cardMarks(right)];

/** All cards, a row a trick: mistakes stand out, and the card to be played.
 * @param {Page} page @param {Reviewed} answer */
function strip(page, answer) {
  const at = page.state.play.length;
  /** @param {Step} step @param {number} n */
  const cell = (step, n) =>
    button(`step-${n}`, [seenOnly(cardText(step.card)),
      step.gives_away ? h("small", { "aria-hidden": "true" }, `−${step.gives_away}`) : null,
      unseen(
        `Trick ${step.trick}, ${SEAT[step.seat]}, ${cardName(step.card)}${
          step.gives_away ? `, gave away ${step.gives_away}` : ""
        }`
      )], () => show(page, n), {
      class: `step ${step.card[0]}${step.gives_away ? " wrong" : ""}${n === at ? " here" : ""}${
        n % 4 === 0 ? " lead" : ""
      }`,
      "aria-current": n === at ? "step" : undefined,
    });
  const rows = Array.from({ length: Math.ceil(answer.cards.length / 4) }, (_, trick) => {
    const cards = answer.cards.map((step, n) => ({ step, n })).slice(4 * trick, 4 * trick + 4);
    const made = answer.makes[Math.min(4 * trick + 4, answer.cards.length)];
    return row(trick + 1, [...SEATS.map((seat) => {
      const here = cards.find(({ step }) => step.seat === seat);
      return here ? cell(here.step, here.n) : "";
    }), h("span", { class: "made" }, made)]);
  });
  return h("div", { class: "strip" },
    h("table", {}, h("caption", {}, "Card by card", h("span", { class: "hint" }, " The lead is underlined")),
      headRow([null, ...SEATS.map((seat) => [seat, unseen(SEAT[seat].slice(1))]), ["makes",
        unseen(", declarer's tricks if nobody errs from there")]]), h("tbody", {}, rows)));
}

/** @param {Page} page @param {Reviewed} answer */
function mistakes(page, answer) {
  const wrong = answer.cards.map((step, n) => ({ ...step, n })).filter((step) => step.gives_away);
  if (!wrong.length) return remark("Every card was right.");
  return h("div", {}, h("h2", {}, plural(wrong.length, "mistake")),
    h("ol", { class: "mistakes" },
      wrong.map(({ n, trick, seat, card, gives_away: cost, right = [] }) =>
        h("li", {},
          button(`wrong-${n}`, [`Trick ${trick}, ${SEAT[seat]} `, cardMark(card), h("b", {}, ` −${cost}`)], () =>
            show(page, n)), h("span", {}, " right: ", cardMarks(right.slice(0, 6)), right.length > 6 ? " …" : ""))
      )));
}

/** The tricks that each player gave away. Dummy's cards are declarer's. @param {Page} page @param {Reviewed} answer */
function players({ state }, { cards }) {
  const by = declarer(state);
  const table = isEnding(state) ? "" : dummy(state);
  return tableOf({ class: "players" }, "By player", [null, "cards", "mistakes", "tricks"],
    SEATS.filter((seat) => seat !== table).map((seat) => {
      const own = cards.filter((step) => step.seat === seat || (seat === by && step.seat === table));
      return [`${state.players[SEATS.indexOf(seat)] || SEAT[seat]}${seat === by ? ", declarer" : ""}`, own.length,
        own.filter((step) => step.gives_away).length, own.reduce((sum, step) => sum + step.gives_away, 0)];
    }));
}
