// @ts-check
// Play: what is each card worth now?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, h, headlineOf, hint } from "../dom.mjs";
import { bid, declarer, isEnding, playText } from "../state.mjs";
import { after, cardName, cardsOf, handsOf, plural, SEAT, SEATS, sideName, sideOf, signed, STRAINS, SUIT,
  SYMBOL } from "../words.mjs";
import { contractMark, problem, waiting } from "./deal.mjs";

/** @import { SolvedCard } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @import { State } from "../state.mjs" */

/** A card that is forced lies this long, in ms, before it is played. */
const FORCED = 160;

/** @type {View} */
export const playView = {
  id: "play",
  name: "Play",
  question: "What is each card worth now?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, in play` : "In play"),
  show(page) {
    const { answer: shown, error } = page.position();
    // Asked at once, so that it is under way when the position is known.
    const solved = error ? null : solve(page);
    if (error || !solved) return [controls(page, undefined, []), problem(error ?? "")];
    if (!shown) return null;
    const worth = worthOf(solved.answer);
    const table = shown.tricks_left ? live(page, shown, worth) : over(page, shown);
    return columns([headline(page, shown, solved), table, controls(page, shown, worth.best)], side(page, shown));
  },
};

/** The cards that may be played with their tricks; none at the end.
 * @param {Page} page @returns {Said<{ cards?: SolvedCard[] }>} */
export const solve = ({ state, helpers }) =>
  state.play.length === Object.values(handsOf(state.deal)).flatMap(cardsOf).length ? { answer: {} }
    : helpers.need("play", { ask: "solve", question: playText(state), all: true });

/** The tricks of declarer's side in all, if the side to play takes so many of those left.
 * @param {State} state @param {PlayPoint} at @param {number} most */
export function inAll(state, { won, to_play: seat, tricks_left: left }, most) {
  const side = sideOf(declarer(state));
  return won[side] + (sideOf(seat) === side ? most : left - most);
}

/** The tricks with each card, and the best. @param {{ cards?: SolvedCard[] } | undefined} answer */
export function worthOf(answer) {
  /** @type {Map<string, number>} */
  const tricks = new Map();
  for (const of of answer?.cards ?? []) for (const card of [of.card, ...of.equals]) tricks.set(card, of.tricks);
  const most = Math.max(0, ...tricks.values());
  return { tricks, most, best: [...tricks].filter(([, worth]) => worth === most).map(([card]) => card) };
}

/** Plays a card, and then forced cards. @param {Page} page @param {string} card */
export function playCard(page, card) {
  const play = [...page.state.play, card];
  const { view } = page.state;
  page.say(`${cardName(card)}.`);
  page.go({ play, view: view === "record" ? "play" : view }, { push: view === "record" });
  forced(page);
}

/** Plays the only card, if that is wanted and there is one. @param {Page} page */
function forced(page) {
  if (!page.settings.get("forced")) return;
  const at = page.state;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const look = () => {
    if (page.state !== at || page.state.view !== "play") return;
    const { answer, pending } = page.position();
    if (pending) return void setTimeout(look, 5);
    if (answer?.legal.length === 1)
      setTimeout(() => page.state === at && playCard(page, answer.legal[0]), still ? 0 : FORCED);
  };
  setTimeout(look, 0);
}

/** Takes back a card, and the forced cards before it. @param {Page} page @param {number} [to] */
function back(page, to) {
  const { play } = page.state;
  if (!play.length) return;
  page.go({ play: play.slice(0, to ?? play.length - 1) }, { push: false });
  page.say(`Taken back to ${plural(page.state.play.length, "card")}.`);
}

/** What so many tricks are in the contract, in words, if there is one. @param {Page} page @param {number} tricks */
export function against(page, tricks) {
  const { contract, vulnerable } = page.state;
  if (!bid(page.state)) return "";
  return page.need("play", { ask: "score", contract, vulnerable: vulnerable || "None", tricks }).answer?.outcome ?? "";
}

/** The line above the hands: declarer's tricks, and the result of the contract.
 * @param {Page} page @param {string} text @param {string} result */
export const takes = (page, text, result) =>
  headlineOf(contractMark(page.state), text, result && h("span", { class: "result" }, `, ${result}`));

/** @param {Page} page @param {PlayPoint} shown @param {ReturnType<typeof solve>} solved */
function headline(page, shown, { answer, error, stopped }) {
  if (!answer) return headlineOf(contractMark(page.state), error ?? (stopped ? "Stopped" : "…"));
  const total = shown.won[0] + shown.won[1] + shown.tricks_left;
  const made = inAll(page.state, shown, worthOf(answer).most);
  const result = against(page, made);
  const text = `${SEAT[declarer(page.state)]} ${shown.tricks_left ? "takes" : "took"} ${made} of ${total}`;
  const start = page.state.play.length === 0 || !shown.tricks_left;
  page.say(start ? `${text}${result && `, ${result}`}.` : `${SEAT[shown.to_play]} to play. ${text}.`);
  return takes(page, text, result);
}

/** @param {Page} page @param {PlayPoint} shown @param {ReturnType<typeof worthOf>} worth */
function live(page, shown, worth) {
  const marks = page.settings.get("marks");
  const { play, record } = page.state;
  const follows = !page.state.recorded && play.every((card, n) => record[n] === card);
  const next = follows ? record[play.length] : undefined;
  const best = next && worth.best.includes(next) ? next : worth.best[0] ?? shown.legal[0];
  page.memory.keys = {
    ArrowRight: () => page.state.play === play && playCard(page, best),
    ArrowLeft: () => back(page),
    PageUp: () => back(page, trickStart(shown, play.length)),
    Home: () => back(page, 0),
  };
  /** The tricks of the side to play, those won included. @param {number} tricks */
  const withWon = (tricks) => shown.won[sideOf(shown.to_play)] + tricks;
  return diagram(shown, {
    turn: true,
    names: page.state.players,
    label: `${SEAT[shown.to_play]} to play`,
    look: (card, seat) => {
      if (seat !== shown.to_play || !shown.legal.includes(card)) return null;
      const tricks = worth.tricks.get(card);
      const marked = marks !== "none" && tricks !== undefined;
      const cost = worth.most - (tricks ?? worth.most);
      const words = tricks === undefined ? "being solved"
        : `${plural(withWon(tricks), "trick")}, ${cost ? `gives away ${cost}` : "best"}`;
      const recorded = card === next;
      return {
        note: !marked ? "" : marks === "tricks" ? String(withWon(tricks)) : signed(-cost),
        words: `${marks === "none" ? "" : words}${recorded ? ", played in the record" : ""}`.replace(/^, /, ""),
        class: `${!marked ? "" : cost ? "worse" : "best"}${recorded ? " recorded" : ""}`,
        // A card that was drawn for another position is not played: one may have been forced meanwhile.
        press: () => page.state.play === play && playCard(page, card),
      };
    },
  });
}

/** Where the trick under way, or the last one, begins. @param {PlayPoint} shown @param {number} played */
const trickStart = (shown, played) => Math.max(0, played - (shown.on_table.length || 4));

/** At the end the deal again. @param {Page} page @param {PlayPoint} shown */
function over(page, shown) {
  page.memory.keys = {
    ArrowLeft: () => back(page),
    Home: () => back(page, 0),
    PageUp: () => back(page, page.state.play.length - 4),
  };
  const { answer } = page.position([]);
  return h("div", {},
    answer
      ? diagram({ ...answer, last_trick: shown.last_trick }, { names: page.state.players, label: "The deal again" })
      : waiting());
}

/** @param {Page} page @param {PlayPoint | undefined} shown @param {string[]} best */
function controls(page, shown, best) {
  const { play, record } = page.state;
  const keys = page.memory.keys ?? {};
  const common = play.findIndex((card, n) => record[n] !== card);
  const left = record.length > 0 && (Boolean(page.state.recorded) || common >= 0);
  /** @param {string} key @param {string} text @param {(() => void) | undefined} press
   * @param {boolean} able @param {string} short */
  const step = (key, text, press, able, short) =>
    button(key, text, press, { disabled: !able, "aria-keyshortcuts": short });
  return h("div", { class: "controls", role: "group", "aria-label": "The play" },
    step("home", "Start", () => back(page, 0), play.length > 0, "Home"),
    step("trick", "Trick back", keys.PageUp ?? (() => back(page, Math.max(0, play.length - 4))), play.length > 0,
      "PageUp"), step("back", "Card back", () => back(page), play.length > 0, "ArrowLeft"),
    step("best", "Best card", keys.ArrowRight, Boolean(shown?.tricks_left && best.length), "ArrowRight"),
    left
      && button("return", "Back to the record", () =>
        page.go({ play: common < 0 ? play : play.slice(0, common), view: "record" }), { class: "main" }));
}

/** @param {Page} page @param {PlayPoint} shown */
function side(page, shown) {
  const { state, settings } = page;
  /** @param {"marks" | "colours"} name @param {string} value */
  const set = (name, value) => {
    settings.set(name, value);
    page.draw();
  };
  return [
    h("dl", { class: "score" }, [0, 1].map((who) =>
      h("div", {}, h("dt", {}, sideName(who)), h("dd", {}, plural(shown.won[who], "trick")))
    )),
    h("p", { class: "hint keys" }, "→ best card · ← take back · Page Up a trick · Home the start"),
    h("div", { class: "facts no-print" },
      choice("strain", "Trumps",
        STRAINS.map((strain) => [strain, strain === "NT" ? "none" : `${SYMBOL[strain]} ${SUIT[strain]}`]), state.strain,
        (strain) => page.go({ strain, play: [], contract: "" })),
      isEnding(state) ? choice("leader", "Leader", SEATS.map((seat) => [seat, SEAT[seat]]), state.leader, (leader) =>
        page.go({ leader, play: [] }))
        : choice("declarer", "Declarer", SEATS.map((seat) => [seat, SEAT[seat]]), declarer(state), (seat) =>
          page.go({ leader: after(seat), play: [], contract: "" })),
      choice("marks", "On the cards", [["cost", "what they cost"], ["tricks", "tricks"], ["none", "nothing"]],
        settings.get("marks"), (value) => set("marks", value)),
      choice("colours", "Suits", [["four", "four colours"], ["two", "two colours"]], settings.get("colours"), (value) =>
        set("colours", value))),
    h("label", { class: "check" },
      h("input", {
        type: "checkbox",
        "data-key": "forced",
        checked: settings.get("forced"),
        onchange: ({ currentTarget: box }) => {
          settings.set("forced", box instanceof HTMLInputElement && box.checked);
          forced(page);
        },
      }), "Play a card by itself where there is only one"),
    state.play.length && !state.record.length ? button("keep", "Look for mistakes in this play", () =>
      page.go({ record: state.play, view: "record", play: [] })) : null,
  ];
}
