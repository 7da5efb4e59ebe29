// @ts-check
// Play: what is each card worth now?
import { diagram } from "../diagram.mjs";
import { bid, declarer, isEnding, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { SEAT, STRAINS, SEATS, SUIT, SYMBOL, after, cardName, plural, sideName, sideOf, signed } from "../words.mjs";
import { byName, contractMark, problem, waiting } from "./deal.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** A card that is forced lies this long, in ms, before it is played. */
const FORCED = 160;

/** @type {import("../app.mjs").View} */
export const playView = {
  id: "play",
  name: "Play",
  question: "What is each card worth now?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, in play` : "In play"),
  show(page) {
    const said = page.position();
    // Asked at once, so that it is under way when the position is known.
    const solved = said.error ? {} : page.need("play", "cards", playText(page.state));
    if (said.error) return [controls(page, null, []), problem(said.error)];
    if (!said.answer) return null;
    const shown = said.answer;
    const worth = worthOf(solved.answer);
    const table = shown.tricks_left ? live(page, shown, solved, worth) : over(page, shown);
    return h("div", { class: "columns" }, h("div", { class: "wide" }, headline(page, shown, solved, worth), table, controls(page, shown, worth.best)), h("div", { class: "side" }, side(page, shown)));
  },
};

/** The tricks with each card, and the best. @param {any} answer */
export function worthOf(answer) {
  /** @type {Map<string, number>} */
  const tricks = new Map();
  for (const of of answer?.cards ?? []) for (const card of [of.card, ...of.equals]) tricks.set(card, of.tricks);
  const most = tricks.size ? Math.max(...tricks.values()) : 0;
  return { tricks, most, best: [...tricks].filter(([, worth]) => worth === most).map(([card]) => card) };
}

/** Plays a card, and then what is forced. @param {Page} page @param {string} card */
export function playCard(page, card) {
  const play = [...page.state.play, card];
  page.say(`${cardName(card)}.`);
  page.go({ play, view: page.state.view === "record" ? "play" : page.state.view }, { push: page.state.view === "record" });
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
    if (answer?.legal.length === 1) setTimeout(() => page.state === at && playCard(page, answer.legal[0]), still ? 0 : FORCED);
  };
  setTimeout(look, 0);
}

/** Takes a card back, and what was forced before it. @param {Page} page @param {number} [to] */
function back(page, to) {
  const { play } = page.state;
  if (!play.length) return;
  page.go({ play: play.slice(0, to ?? play.length - 1) }, { push: false });
  page.say(`Taken back to ${plural(page.state.play.length, "card")}.`);
}

/** The tricks of declarer's side in all, if everybody plays on without a mistake. @param {Page} page @param {any} shown @param {number} most */
export function inAll(page, shown, most) {
  const ours = sideOf(declarer(page.state));
  const side = sideOf(shown.to_play);
  const total = shown.won[side] + most;
  return side === ours ? total : shown.won[0] + shown.won[1] + shown.tricks_left - total;
}

/** Over or under the contract. @param {Page} page @param {number} tricks */
export function against(page, tricks) {
  const known = bid(page.state);
  if (!known) return "";
  const over = tricks - known.level - 6;
  return over === 0 ? "just made" : over > 0 ? `made with ${plural(over, "overtrick")}` : `down ${-over}`;
}

/** @param {Page} page @param {any} shown @param {any} solved @param {ReturnType<typeof worthOf>} worth */
function headline(page, shown, solved, worth) {
  const total = shown.won[0] + shown.won[1] + shown.tricks_left;
  const name = SEAT[declarer(page.state)];
  if (!shown.tricks_left || solved.answer) {
    const tricks = inAll(page, shown, worth.most);
    const result = against(page, tricks);
    const text = shown.tricks_left ? `${name} takes ${tricks} of ${total}` : `${name} took ${tricks} of ${total}`;
    if (page.state.play.length === 0 || !shown.tricks_left) page.say(`${text}${result ? `, ${result}` : ""}.`);
    else page.say(`${SEAT[shown.to_play]} to play. ${text}.`);
    return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, text, result ? h("span", { class: "result" }, `, ${result}`) : null));
  }
  return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, solved.error ?? (solved.stopped ? "Stopped" : "…")));
}

/** @param {Page} page @param {any} shown @param {any} solved @param {ReturnType<typeof worthOf>} worth */
function live(page, shown, solved, worth) {
  const marks = page.settings.get("marks");
  const { play, record } = page.state;
  const follows = !page.state.recorded && play.every((card, n) => record[n] === card);
  const next = follows ? record[play.length] : undefined;
  const legal = new Set(shown.legal);
  page.memory.keys = {
    ArrowRight: () => page.state.play === play && playCard(page, next && worth.best.includes(next) ? next : worth.best[0] ?? shown.legal[0]),
    ArrowLeft: () => back(page),
    PageUp: () => back(page, trickStart(shown, play.length)),
    Home: () => back(page, 0),
  };
  return diagram(shown, {
    turn: true, names: byName(page), label: `${SEAT[shown.to_play]} to play`,
    look: (card, seat) => {
      if (seat !== shown.to_play || !legal.has(card)) return null;
      const tricks = worth.tricks.get(card);
      const cost = tricks === undefined ? 0 : worth.most - tricks;
      const words = tricks === undefined ? "being solved" : `${plural(inAllOf(shown, tricks), "trick")}, ${cost ? `gives away ${cost}` : "best"}`;
      const recorded = card === next;
      return {
        note: marks === "none" || tricks === undefined ? "" : marks === "tricks" ? String(inAllOf(shown, tricks)) : signed(-cost),
        words: `${marks === "none" ? "" : words}${recorded ? ", played in the record" : ""}`.replace(/^, /, ""),
        class: `${marks === "none" || tricks === undefined ? "" : cost ? "worse" : "best"}${recorded ? " recorded" : ""}`,
        // A card that was drawn for another position is not played: one may have been forced meanwhile.
        press: () => page.state.play === play && playCard(page, card),
      };
    },
  });
}

/** The tricks of the side to play, those won included. @param {any} shown @param {number} tricks */
const inAllOf = (shown, tricks) => shown.won[sideOf(shown.to_play)] + tricks;

/** Where the trick under way, or the last one, begins. @param {any} shown @param {number} played */
const trickStart = (shown, played) => Math.max(0, played - (shown.on_table.length || 4));

/** At the end the deal again. @param {Page} page @param {any} shown */
function over(page, shown) {
  page.memory.keys = { ArrowLeft: () => back(page), Home: () => back(page, 0), PageUp: () => back(page, page.state.play.length - 4) };
  const start = page.position([]);
  return h("div", {}, start.answer ? diagram({ ...start.answer, last_trick: shown.last_trick }, { names: byName(page), label: "The deal again" }) : waiting());
}

/** @param {Page} page @param {any} shown @param {string[]} best */
function controls(page, shown, best) {
  const { play, record } = page.state;
  const key = page.memory.keys ?? {};
  const button = (/** @type {string} */ name, /** @type {string} */ text, /** @type {any} */ press, /** @type {boolean} */ able, hint = "") =>
    h("button", { type: "button", "data-key": name, disabled: !able, onclick: press, "aria-keyshortcuts": hint || undefined }, text);
  const left = record.length > 0 && (Boolean(page.state.recorded) || !play.every((card, n) => record[n] === card));
  const common = play.findIndex((card, n) => record[n] !== card);
  return h("div", { class: "controls", role: "group", "aria-label": "The play" },
    button("home", "Start", () => back(page, 0), play.length > 0, "Home"),
    button("trick", "Trick back", key.PageUp ?? (() => back(page, Math.max(0, play.length - 4))), play.length > 0, "PageUp"),
    button("back", "Card back", () => back(page), play.length > 0, "ArrowLeft"),
    button("best", "Best card", key.ArrowRight, Boolean(shown?.tricks_left && best.length), "ArrowRight"),
    left ? h("button", { type: "button", class: "main", "data-key": "return", onclick: () => page.go({ play: common < 0 ? play : play.slice(0, common), view: "record" }) }, "Back to the record") : null);
}

/** @param {Page} page @param {any} shown */
function side(page, shown) {
  const { state, settings } = page;
  const set = (/** @type {string} */ name, /** @type {any} */ value) => { settings.set(name, value); page.draw(); };
  const select = (/** @type {string} */ key, /** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ now, /** @type {(value: string) => void} */ act) =>
    h("label", { class: "choice" }, h("span", {}, label), h("select", { "data-key": key, onchange: (/** @type {Event} */ event) => act(/** @type {HTMLSelectElement} */ (event.target).value) },
      options.map(([value, text]) => h("option", { value, selected: value === now }, text))));
  return [
    h("dl", { class: "score" }, [0, 1].map((who) => h("div", {}, h("dt", {}, sideName(who)), h("dd", {}, plural(shown.won[who], "trick"))))),
    h("p", { class: "hint keys" }, "→ best card · ← take back · Page Up a trick · Home the start"),
    h("div", { class: "facts" },
      select("strain", "Trumps", STRAINS.map((strain) => [strain, strain === "NT" ? "none" : `${SYMBOL[strain]} ${SUIT[strain]}`]), state.strain, (strain) => page.go({ strain, play: [], contract: "" })),
      isEnding(state)
        ? select("leader", "Leader", SEATS.map((seat) => [seat, SEAT[seat]]), state.leader, (leader) => page.go({ leader, play: [] }))
        : select("declarer", "Declarer", SEATS.map((seat) => [seat, SEAT[seat]]), declarer(state), (seat) => page.go({ leader: after(seat), play: [], contract: "" })),
      select("marks", "On the cards", [["cost", "what they cost"], ["tricks", "tricks"], ["none", "nothing"]], settings.get("marks"), (value) => set("marks", value)),
      select("colours", "Suits", [["four", "four colours"], ["two", "two colours"]], settings.get("colours"), (value) => set("colours", value))),
    h("label", { class: "check" }, h("input", { type: "checkbox", "data-key": "forced", checked: settings.get("forced"), onchange: (/** @type {Event} */ event) => { set("forced", /** @type {HTMLInputElement} */ (event.target).checked); forced(page); } }), "Play a card by itself where there is only one"),
    state.play.length && !state.record.length ? h("button", { type: "button", "data-key": "keep", onclick: () => page.go({ record: state.play, view: "record", play: [] }) }, "Look for mistakes in this play") : null,
  ];
}
