// @ts-check
// Two hands: what is sure, with the other two hidden?
import { diagram } from "../diagram.mjs";
import { declarer, dummy, isEnding, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { SEAT, SEATS, capital, cardMarks, cardsOf, grouped, many, partner, percent, plural, sideName, sideOf, withMarks } from "../words.mjs";
import { byName, contractMark, problem, waiting } from "./deal.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const handsView = {
  id: "hands",
  name: "Two hands",
  question: "What is sure, however the other cards lie?",
  sees: "Two hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, two hands` : "Two hands"),
  show(page) {
    page.memory.keys = {};
    const shown = page.position();
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const at = shown.answer;
    if (!at.tricks_left) return h("div", { class: "empty" }, h("p", {}, "All cards have been played."));
    const question = hiddenText(page, "-");
    const early = at.tricks_left > LATE && page.memory.search !== question && !page.helpers.known("sure", question);
    /** @type {import("../helpers.mjs").Said} */
    const said = early ? {} : page.need("long", "sure", question);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, headline(page, at, said), table(page, at, said.answer)),
      h("div", { class: "side" }, chooser(page), early ? bound(page, at, question) : said.error ? problem(said.error) : said.stopped ? stopped(page) : said.answer?.limit ? limit(said.answer) : said.answer ? answers(page, at, said.answer) : h("p", { class: "hint" }, "Looking at every layout of the other cards …")));
  },
};

/** With more tricks left, the search for what is sure may last: it is offered. */
const LATE = 9;
/** Layouts that are looked at for a bound. */
const TRIED = 8;

/** A bound that is known at once: no plan takes more in all layouts than all four hands seen give in
 * some. @param {Page} page @param {any} at @param {string} question */
function bound(page, at, question) {
  const { by, table } = claimers(page);
  const who = SEATS.filter((seat) => seat === by || seat === table).join("");
  const { answer, error, stopped: ended } = page.need("table", "chances", `draw\t0\t${TRIED}\t${who}\t${given(page)}\t${playText(page.state)}`);
  if (error) return problem(error);
  const ours = sideOf(at.to_play) === sideOf(by);
  const least = answer && (ours ? answer.counts.findIndex(Boolean) : at.tricks_left - answer.counts.findLastIndex(Boolean));
  return h("section", {}, h("p", { class: "big" }, answer ? `At most ${plural(least, "trick")} can be sure.` : ended ? "Stopped." : "…"),
    h("p", {}, answer ? `In one of ${answer.layouts} layouts of the other cards, all four hands seen give no more. ` : "", "So early in the hand the search for what is sure may take minutes."),
    h("button", { type: "button", class: "main", "data-key": "search", onclick: () => { page.memory.search = question; page.draw(); } }, "Search for what is sure"));
}

/** Who claims, and who is dummy. @param {Page} page */
export function claimers(page) {
  const by = page.state.by || declarer(page.state);
  // In an ending each side claims with its own two hands.
  if (isEnding(page.state)) return { by, table: partner(by) };
  const table = dummy(page.state);
  return { by, table: by === table ? declarer(page.state) : table };
}

/** The condition on the hidden cards. @param {Page} page */
export const given = (page) => page.state.given.trim() || "-";

/** A question about hidden hands. @param {Page} page @param {string | number} need */
export function hiddenText(page, need) {
  const { by, table } = claimers(page);
  return `${need}\t${by}${table}\t${given(page)}\t${playText(page.state)}`;
}

/** @param {Page} page */
function seen(page) {
  const { by, table } = claimers(page);
  return [by, table];
}

/** @param {Page} page @param {any} shown @param {import("../helpers.mjs").Said} said */
function headline(page, shown, said) {
  const { by } = claimers(page);
  const sure = said.answer?.sure;
  const won = shown.won[sideOf(by)];
  const text = sure === undefined || sure === null ? (said.error || said.answer?.limit ? "Not known" : said.stopped ? "Stopped" : said.pending ? "…" : `${plural(shown.tricks_left, "trick")} left`)
    : `${won ? `${won} won and ` : ""}${sure} of ${shown.tricks_left} ${sure === 1 ? "is" : "are"} sure`;
  if (sure !== undefined) page.say(`${text}.`);
  return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state), ` · seen by ${SEAT[by]}`), h("strong", {}, text));
}

/** @param {Page} page @param {any} shown @param {any} answer */
function table(page, shown, answer) {
  const { play } = page.state;
  const open = seen(page);
  const mine = open.includes(shown.to_play) && sideOf(shown.to_play) === sideOf(claimers(page).by);
  const said = mine && answer?.sure !== undefined && answer.sure !== null ? page.need("long", "sure_cards", hiddenText(page, "-")) : null;
  /** @type {Map<string, number>} */
  const sure = new Map((said?.answer?.cards ?? []).map((/** @type {any} */ of) => [of.card, of.sure]));
  const best = Math.max(0, ...sure.values());
  return diagram(shown, {
    turn: mine, names: byName(page), hidden: SEATS.filter((seat) => !open.includes(seat)), label: "The two hands that are seen",
    look: (card, seat) => {
      if (seat !== shown.to_play || !sure.has(card)) return null;
      const count = /** @type {number} */ (sure.get(card));
      return { note: String(count), words: `${plural(count, "trick")} sure`, class: count === best ? "best" : "worse", press: () => page.state.play === play && page.go({ play: [...play, card] }, { push: false }) };
    },
  });
}

/** @param {Page} page */
function chooser(page) {
  const { by } = claimers(page);
  const out = isEnding(page.state) ? "" : dummy(page.state);
  return h("div", { class: "facts" },
    h("label", { class: "choice" }, h("span", {}, "Seen by"), h("select", { "data-key": "by", onchange: (/** @type {Event} */ event) => page.go({ by: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      SEATS.filter((seat) => seat !== out).map((seat) => h("option", { value: seat, selected: seat === by }, `${SEAT[seat]}${out && seat === declarer(page.state) ? ", declarer" : ""}`)))),
    knownBesides(page, seen(page)),
    page.state.play.length ? h("button", { type: "button", "data-key": "take-back", onclick: () => page.go({ play: page.state.play.slice(0, -1) }, { push: false }) }, "Card back") : null);
}

/** What else is known of the hands that are not seen: a condition, and what it says. @param {Page} page @param {string[]} open */
export function knownBesides(page, open) {
  const [one] = SEATS.filter((seat) => !open.includes(seat));
  const { given: told } = page.state;
  const said = page.need("table", "condition", given(page));
  const { forms } = page.need("table", "condition", "-").answer ?? { forms: [] };
  return [h("label", { class: "choice long" }, h("span", {}, "What else is known of the hidden hands"), h("input", {
    type: "text", "data-key": "given", value: told, placeholder: `${one}+SK or S=3-2`, spellcheck: "false", autocapitalize: "off",
    onchange: (/** @type {Event} */ event) => page.go({ given: /** @type {HTMLInputElement} */ (event.target).value.trim() }, { push: false }),
  })), builder(page, open), told && said.answer ? h("p", { class: "hint" }, capital(said.answer.words), ".") : null,
  h("details", { class: "how", open: page.memory.how, ontoggle: (/** @type {Event} */ event) => { page.memory.how = /** @type {HTMLDetailsElement} */ (event.target).open; } }, h("summary", { "data-key": "how" }, "How to write it"),
    h("ul", {}, forms.map((/** @type {string[]} */ [text, meaning]) => h("li", {}, h("code", {}, text), ` ${meaning}`))))];
}

/** What a condition may be about, and its greatest number. @type {[string, string, number][]} */
const ABOUT = [["hcp", "points", 37], ["S", "spades", 13], ["H", "hearts", 13], ["D", "diamonds", 13], ["C", "clubs", 13], ["balanced", "balanced", 0]];

/** A condition by clicks: a hand, what is counted, from and to. @param {Page} page @param {string[]} open */
function builder(page, open) {
  const hidden = SEATS.filter((seat) => !open.includes(seat));
  const made = (page.memory.made ??= { about: "hcp", low: "0", high: "10" });
  const seat = hidden.includes(made.seat) ? made.seat : hidden[0];
  const [, , most] = ABOUT.find(([id]) => id === made.about) ?? ABOUT[0];
  const pick = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string | number, string | number][]} */ options, /** @type {string} */ now) => h("select", {
    "data-key": `made-${name}`, "aria-label": label, onchange: (/** @type {Event} */ event) => { made[name] = /** @type {HTMLSelectElement} */ (event.target).value; page.draw(); },
  }, options.map(([value, text]) => h("option", { value, selected: String(value) === now }, text)));
  const numbers = Array.from({ length: most + 1 }, (_, n) => /** @type {[number, number]} */ ([n, n]));
  const [low, high] = [made.low, made.high].map((n) => Math.min(Number(n), most));
  const text = most ? `${seat}.${made.about}=${Math.min(low, high)}-${Math.max(low, high)}` : `${seat}.balanced`;
  const { given: told } = page.state;
  return h("div", { class: "builder", role: "group", "aria-label": "A condition by clicks" },
    pick("seat", "Hand", hidden.map((one) => [one, SEAT[one]]), seat), pick("about", "What", ABOUT.map(([id, name]) => [id, name]), made.about),
    most ? [pick("low", "At least", numbers, String(low)), "to", pick("high", "At most", numbers, String(high))] : null,
    h("button", { type: "button", "data-key": "made-add", onclick: () => page.go({ given: told ? `${told},${text}` : text }, { push: false }) }, "Add"),
    told ? h("button", { type: "button", "data-key": "made-none", onclick: () => page.go({ given: "" }, { push: false }) }, "Clear") : null);
}

/** @param {Page} page @param {string} [part] */
const stopped = (page, part = "sure") => h("p", { class: "told" }, "Stopped. ", h("button", { type: "button", "data-key": `again-${part}`, onclick: () => page.go({}) }, "Try again"));

/** @param {any} answer */
const limit = (answer) => h("p", { class: "told" }, `Not decided in ${grouped(answer.limit)} nodes. Play some cards first, or say more of the hidden hands.`);

/** @param {Page} page @param {any} shown @param {any} answer */
function answers(page, shown, answer) {
  const { by } = claimers(page);
  const side = sideName(sideOf(by));
  const more = answer.sure + 1;
  const parts = [];
  parts.push(h("p", {}, "Of the other two hands ", h("b", {}, many(answer.layouts)), answer.layouts === 1 ? " layout is" : " layouts are", " possible. In each, against every defence, ", h("b", {}, `${side} take ${answer.sure}`), " or more."));
  if (answer.sure > 0) parts.push(plan(page, answer.sure));
  if (more <= shown.tricks_left) parts.push(against(page, more), help(page, more));
  return parts;
}

/** A part that asks one more question: its answer, or why there is none. @param {Page} page
 * @param {string} title @param {string} what @param {number} need @param {(answer: any) => any} show */
function section(page, title, what, need, show) {
  const { answer, error, stopped: ended } = page.need("long", what, hiddenText(page, need));
  return h("section", {}, h("h2", {}, title), ended ? stopped(page, what) : error ? h("p", { class: "hint" }, capital(error)) : answer?.limit ? limit(answer) : answer ? show(answer) : waiting());
}

/** @param {Page} page @param {number} sure */
const plan = (page, sure) => section(page, `The plan for ${sure}`, "plan", sure, ({ order, why }) => (order
  ? [h("p", {}, "In this order, whatever falls:"), h("ol", { class: "order" }, order.map((/** @type {string} */ pair) => h("li", {}, cardMarks(pair.split(" ")))))]
  : planLines(why)));

/** A plan with more lines is shown in part. */
const SHORT = 16;

/** A plan's lines, set in as the engine sets them in. @param {string[]} lines */
export function planLines(lines) {
  const line = (/** @type {string} */ text) => {
    const depth = (text.length - text.trimStart().length) / 2;
    return h("li", { class: `in${Math.min(depth, 8)}` }, withMarks(text.trim()));
  };
  const list = (/** @type {string[]} */ some, /** @type {number} */ from) => h("ol", { class: "plan", start: from + 1 }, some.map(line));
  if (lines.length <= SHORT) return list(lines, 0);
  return h("div", {}, list(lines.slice(0, SHORT - 4), 0), h("details", {}, h("summary", { "data-key": "whole-plan" }, `All ${lines.length} lines`), list(lines.slice(SHORT - 4, 600), SHORT - 4)));
}

/** @param {Page} page @param {number} more */
const against = (page, more) => section(page, `Why not ${more}`, "against", more, ({ layouts, hidden }) => (layouts ? [
  h("p", {}, layouts.length > 1 ? `No one plan takes ${more} in all of these ${layouts.length} layouts:` : `With the cards so, even all four hands seen do not give ${more}:`),
  h("ul", { class: "layouts" }, layouts.slice(0, 6).map((/** @type {string[]} */ hands) => h("li", {}, hands.map((hand, n) => h("span", { class: "lies" }, h("b", {}, `${SEAT[hidden[n]]} `), cardsOf(hand).length ? cardMarks(cardsOf(hand)) : "nothing"))))),
] : h("p", {}, "No one plan works in all layouts; no small set of them shows why.")));

/** @param {Page} page @param {number} more */
function help(page, more) {
  const title = `What would make ${more} sure`;
  const asked = hiddenText(page, more);
  if (page.memory.help !== asked) return h("section", {}, h("h2", {}, title), h("button", { type: "button", "data-key": "help", onclick: () => { page.memory.help = asked; page.draw(); } }, "Look for it"));
  return section(page, title, "help", more, ({ assume }) => (assume.length ? h("table", { class: "chances" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "If"), h("th", { scope: "col" }, "chance"))),
    h("tbody", {}, assume.slice(0, 12).map((/** @type {any} */ of) => h("tr", {}, h("th", { scope: "row" }, capital(of.words)), h("td", {}, percent(of.share))))))
    : h("p", {}, "No length of a suit, place of a card or pair of lengths does.")));
}
