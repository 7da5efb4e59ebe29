// @ts-check
// Claim: how many tricks does a contested claim get?
import { diagram } from "../diagram.mjs";
import { h } from "../dom.mjs";
import { SEAT, SEATS, after, cardMark, plural, sideName, sideOf } from "../words.mjs";
import { byName, contractMark, problem, waiting } from "./deal.mjs";
import { claimers, hiddenText, knownBesides, planLines } from "./hands.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const claimView = {
  id: "claim",
  name: "Claim",
  question: "How many tricks does this claim get?",
  sees: "Claimed with two hands seen, ruled with all four",
  title: (page) => (page.state.board ? `Board ${page.state.board}, a claim` : "A claim"),
  show(page) {
    page.memory.keys = {};
    const shown = page.position();
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const at = shown.answer;
    if (!at.tricks_left) return h("div", { class: "empty" }, h("p", {}, "All cards have been played; there is nothing to claim."));
    const need = page.state.need === "" ? at.tricks_left : Math.min(Number(page.state.need) || 0, at.tricks_left);
    const asked = page.memory.ruling === text(page, need) || page.state.need !== "";
    const said = asked ? page.need("long", "adjudicate", text(page, need)) : {};
    return h("div", { class: "columns" },
      h("div", { class: "wide" },
        h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, said.answer?.awarded !== undefined ? `${plural(said.answer.awarded, "trick")} awarded, ${said.answer.claimed} claimed` : `${plural(at.tricks_left, "trick")} left`)),
        diagram(at, { names: byName(page), label: "The cards that are left" })),
      h("div", { class: "side" }, form(page, at, need), said.error ? problem(said.error) : said.answer?.limit ? h("p", { class: "told" }, "Not decided: there are too many ways to play.") : said.answer ? ruling(page, at, said.answer) : asked && !said.stopped ? waiting() : null));
  },
};

/** @param {Page} page @param {number} need */
const text = (page, need) => `${page.state.line.trim() || "rest"}\n${hiddenText(page, need)}`;

/** @param {Page} page @param {any} shown @param {number} need */
function form(page, shown, need) {
  const { by, table } = claimers(page);
  const left = page.state.record.length - page.state.play.length;
  return h("div", { class: "facts no-print" },
    h("label", { class: "choice" }, h("span", {}, "Who claims"), h("select", { "data-key": "by", onchange: (/** @type {Event} */ event) => page.go({ by: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      SEATS.map((seat) => h("option", { value: seat, selected: seat === by }, SEAT[seat])))),
    h("label", { class: "choice" }, h("span", {}, "How many"), h("select", { "data-key": "need", onchange: (/** @type {Event} */ event) => page.go({ need: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      Array.from({ length: shown.tricks_left + 1 }, (_, n) => h("option", { value: n, selected: n === need }, `${n} of ${shown.tricks_left}`)))),
    h("label", { class: "choice long" }, h("span", {}, "Line stated, if any"), h("input", { type: "text", "data-key": "line", value: page.state.line, placeholder: "SA SK H2-HQ", spellcheck: "false", autocapitalize: "off", onchange: (/** @type {Event} */ event) => page.go({ line: /** @type {HTMLInputElement} */ (event.target).value.trim() }, { push: false }) })),
    knownBesides(page, [by, table]),
    left > 0 ? h("button", { type: "button", "data-key": "end", onclick: () => page.go({ play: page.state.record }, { push: false }) }, "To the end of the record") : null,
    h("button", { type: "button", class: "main", "data-key": "rule", onclick: () => page.go({ need: String(need) }) }, "Give a ruling"),
    page.state.play.length || page.state.record.length ? null : h("p", { class: "hint" }, "The cards are those of the whole deal. Play to the claim first, in Play or Record."));
}

/** A play trick by trick, with the card marked that costs the first trick.
 * @param {any} worst @param {any} inferior @param {string} caption */
function tricks(worst, inferior, caption) {
  let at = inferior ? inferior.at - worst.play.length : NaN;
  at += worst.by_trick.reduce((/** @type {number} */ sum, /** @type {any} */ trick) => sum + trick.cards.length, 0);
  let place = 0;
  return h("table", { class: "tricks" }, h("caption", {}, caption), h("tbody", {}, worst.by_trick.map((/** @type {any} */ trick, /** @type {number} */ n) => h("tr", {},
    h("th", { scope: "row" }, String(n + 1)),
    trick.cards.map((/** @type {string} */ card, /** @type {number} */ by) => h("td", { class: place++ === at ? "worse" : "" }, h("span", { class: "seat" }, after(trick.leader, by)), " ", cardMark(card))),
    h("td", {}, trick.won ? "won" : "lost")))));
}

/** @param {Page} page @param {any} shown @param {any} found */
function ruling(page, shown, found) {
  const { by } = claimers(page);
  const won = shown.won[sideOf(by)];
  const stands = found.awarded === found.claimed;
  page.say(`${plural(found.awarded, "trick")} of ${found.claimed} claimed.`);
  const plan = found.sure >= found.claimed && found.claimed > 0 ? page.need("long", "plan", hiddenText(page, found.claimed)) : {};
  return h("section", { class: "ruling" },
    h("h2", {}, "Ruling"),
    h("p", { class: "big" }, stands ? "The claim stands." : `The claim does not stand: ${plural(found.awarded, "trick")}, not ${found.claimed}.`),
    h("p", {}, found.why),
    plan.answer?.why ? planLines(plan.answer.why) : null,
    stands ? null : tricks(found.worst, found.inferior, "The normal play that takes the fewest tricks"),
    found.inferior && !stands ? h("p", {}, "The first inferior card is ", cardMark(found.inferior.card), ` by ${SEAT[found.inferior.seat]}; `, found.inferior.right.flatMap((/** @type {string} */ card, /** @type {number} */ n) => [n ? (n + 1 === found.inferior.right.length ? " or " : ", ") : "", cardMark(card)]), " would cost nothing.") : null,
    found.readings.map((/** @type {any} */ reading) => h("details", { class: "reading" },
      h("summary", { "data-key": `reading ${reading.reading}` }, `Another reading awards ${reading.awarded}. ${reading.why}`),
      tricks(reading.worst, null, `The play that awards ${reading.awarded}`))),
    h("table", { class: "players" }, h("tbody", {}, [
      ["claimed by", SEAT[found.claimer]], ["tricks claimed", found.claimed], ["sure with two hands seen", found.sure], ["with all four seen", found.double_dummy],
      ["awarded", found.awarded], [`${sideName(sideOf(by))} in all`, won + found.awarded], ["line stated", found.line === "rest" ? "none" : found.line],
    ].map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))))),
    h("p", { class: "hint" }, "After Law 70 of the Laws of Duplicate Bridge (2017). What is normal for a player of this class remains the director's judgement."),
    h("button", { type: "button", class: "no-print", "data-key": "print", onclick: () => print() }, "Print"));
}

