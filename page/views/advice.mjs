// @ts-check
// Before the play: the contract to be in, and the best play of one suit.
import { diagram } from "../diagram.mjs";
import { h } from "../dom.mjs";
import { declarer, isEnding, playText } from "../state.mjs";
import { SEAT, SEATS, STRAINS, SUITS, SYMBOL, contractText, handsOf, many, partner, percent, plural, signed } from "../words.mjs";
import { contractMarks } from "./all.mjs";
import { byName, problem, waiting } from "./deal.mjs";
import { given, knownBesides, planLines } from "./hands.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** Layouts are drawn in steps, each twice the one before. */
const FIRST = 20;
const USUAL = 80;
const MOST = 1280;

/** @type {import("../app.mjs").View} */
export const contractView = {
  id: "contract",
  name: "Contract",
  question: "Which contract is best with these two hands?",
  sees: "Two hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, the contract` : "The contract"),
  show(page) {
    page.memory.keys = {};
    if (isEnding(page.state)) return h("div", { class: "empty" }, h("p", {}, "Contracts are compared for whole deals."));
    const shown = page.position([]);
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const by = page.state.by || declarer(page.state);
    const open = [by, partner(by)];
    const contracts = chosen(page, by);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, h("p", { class: "headline" }, h("strong", {}, contracts.map(contractText).join(" or "), "?")),
        diagram(shown.answer, { names: byName(page), points: shown.answer.points, hidden: SEATS.filter((seat) => !open.includes(seat)), label: "The two hands that are seen" })),
      h("div", { class: "side" }, chooser(page, by, open, contracts), contracts.length ? found(page, open, contracts) : null));
  },
};

/** The contracts that are compared. @param {Page} page @param {string} by */
const chosen = (page, by) => (page.state.contracts ? page.state.contracts.split("-") : ["3NT", "4S"].map((bid) => bid + by)).filter(Boolean);

/** @param {Page} page @param {string} by @param {string[]} open @param {string[]} contracts */
function chooser(page, by, open, contracts) {
  const set = (/** @type {string[]} */ list) => page.go({ contracts: list.join("-") || "-" }, { push: false });
  const bids = [1, 2, 3, 4, 5, 6, 7].flatMap((level) => [...STRAINS].reverse().map((strain) => `${level}${strain}`));
  return h("div", { class: "facts" },
    h("label", { class: "choice" }, h("span", {}, "Declarer"), h("select", { "data-key": "by", onchange: (/** @type {Event} */ event) => {
      const seat = /** @type {HTMLSelectElement} */ (event.target).value;
      page.go({ by: seat, contracts: contracts.map((text) => text.slice(0, -1) + seat).join("-") }, { push: false });
    } }, SEATS.map((seat) => h("option", { value: seat, selected: seat === by }, SEAT[seat])))),
    h("label", { class: "choice" }, h("span", {}, "Another contract"), h("select", { "data-key": "add", disabled: contracts.length > 5, onchange: (/** @type {Event} */ event) => set([...contracts, /** @type {HTMLSelectElement} */ (event.target).value + by]) },
      h("option", { value: "", selected: true }, "choose"), bids.filter((bid) => !contracts.includes(bid + by)).map((bid) => h("option", { value: bid }, bid.replace(/[SHDC]$/, (suit) => SYMBOL[suit]))))),
    h("div", { class: "chips", role: "group", "aria-label": "Contracts that are compared" }, contracts.map((text) => h("button", { type: "button", "data-key": `drop-${text}`, onclick: () => set(contracts.filter((other) => other !== text)) },
      contractText(text), h("span", { "aria-hidden": "true" }, " ✕"), h("span", { class: "unseen" }, ", remove")))),
    knownBesides(page, open));
}

/** @param {Page} page @param {string[]} open @param {string[]} contracts */
function found(page, open, contracts) {
  const wanted = page.memory.drawn ?? USUAL;
  const ask = (/** @type {number} */ layouts) => page.helpers.known("compare", text(layouts));
  const text = (/** @type {number} */ layouts) => `${contracts.join(",")}\t${page.state.vulnerable}\t${layouts}\t${open.join("")}\t${given(page)}\t${playText(page.state, [])}`;
  let known = null;
  let said;
  for (let layouts = FIRST; layouts <= wanted; layouts *= 2) {
    said = ask(layouts) ?? page.need("long", "compare", text(layouts));
    if (said.error) return problem(said.error);
    if (!said.answer) break;
    known = said.answer;
  }
  if (!known) return said?.stopped ? h("p", { class: "hint" }, "Stopped.") : waiting();
  page.say(`${known.contracts.map((/** @type {any} */ of) => `${of.contract} makes ${percent(of.makes, 0)}`).join(", ")}.`);
  const heads = ["contract", "makes", "score", "matchpoints", "IMPs"];
  return h("div", {}, h("table", { class: "chances wraps" }, h("caption", {}, "Over the hidden hands"), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, known.contracts.map((/** @type {any} */ of) => h("tr", {}, h("th", { scope: "row" }, contractMarks(of.contract)),
      h("td", {}, percent(of.makes, 0), h("span", { class: "hint" }, ` ${(100 * of.interval[0]).toFixed(0)} to ${percent(of.interval[1], 0)}`)), h("td", {}, of.score.toFixed(0)), h("td", {}, percent(of.matchpoints, 0)), h("td", {}, signed(Number(of.imps.toFixed(1)))))))),
  h("p", { class: "hint" }, `${known.layouts} layouts drawn of ${many(String(known.drawn_of))}, each played with all four hands seen; the interval holds in 95 of 100 cases. IMPs are against the first contract.`),
  known.layouts === wanted && wanted < MOST ? h("button", { type: "button", "data-key": "more", onclick: () => { page.memory.drawn = wanted * 2; page.draw(); } }, "Draw twice as many") : null);
}

/** @type {import("../app.mjs").View} */
export const suitView = {
  id: "suit",
  name: "One suit",
  question: "How is this suit best played?",
  sees: "Two hands seen",
  title: () => "One suit",
  show(page) {
    page.memory.keys = {};
    const [north, south] = holding(page);
    const { answer, error, stopped } = page.need("long", "suit", `${north}\t${south}\t${page.state.need || "-"}`);
    return h("div", { class: "columns" }, h("div", { class: "wide" }, form(page, north, south), error ? problem(error) : answer ? play(page, answer) : stopped ? h("p", { class: "hint" }, "Stopped.") : waiting()),
      h("div", { class: "side" }, answer ? odds(page, answer) : null));
  },
};

/** The suit that is asked about; at first declarer's longest. @param {Page} page @returns {string[]} */
function holding(page) {
  if (page.state.holding) return page.state.holding.split("-").map((text) => text || "-");
  return suits(page).sort((a, b) => b.join("").length - a.join("").length)[0] ?? ["AJT98", "432"];
}

/** Declarer's and dummy's suits in the deal. @param {Page} page @returns {string[][]} */
function suits(page) {
  const hands = handsOf(page.state.deal);
  const by = declarer(page.state);
  const [own, other] = [hands[by] ?? "", hands[partner(by)] ?? ""].map((hand) => hand.split("."));
  return SUITS.map((_, n) => [other[n] || "-", own[n] || "-"]).filter(([a, b]) => a !== "-" || b !== "-");
}

/** @param {Page} page @param {string} north @param {string} south */
function form(page, north, south) {
  const set = (/** @type {string} */ one, /** @type {string} */ other) => page.go({ holding: `${one.replace(/[^0-9a-z()/]/gi, "")}-${other.replace(/[^0-9a-z()/]/gi, "")}`, need: "" }, { push: false });
  const box = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ value, /** @type {(text: string) => void} */ take) => h("label", { class: "choice" }, h("span", {}, label),
    h("input", { type: "text", "data-key": key, value: value === "-" ? "" : value, size: 12, spellcheck: "false", autocapitalize: "characters", onchange: (/** @type {Event} */ event) => take(/** @type {HTMLInputElement} */ (event.target).value.trim()) }));
  return h("div", {}, h("div", { class: "facts" }, box("north", "North's cards", north, (text) => set(text, south)), box("south", "South's cards", south, (text) => set(north, text))),
    h("p", { class: "hint" }, "x is a low card, as in AJxxx."),
    h("div", { class: "chips", role: "group", "aria-label": "Suits of the deal" }, suits(page).map(([other, own], n) => h("button", { type: "button", "data-key": `suit-${n}`, "aria-pressed": String(other === north && own === south), onclick: () => set(other, own) }, `${other} – ${own}`))));
}

/** @param {Page} page @param {any} answer */
function play(page, answer) {
  const [line] = answer.lines;
  page.say(`${plural(line.tricks, "trick")}: ${percent(line.chance)}.`);
  return h("section", {}, h("p", { class: "headline" }, h("strong", {}, `${plural(line.tricks, "trick")}: ${percent(line.chance, 2)}`)), planLines(line.plan));
}

/** @param {Page} page @param {any} answer */
function odds(page, answer) {
  const [line] = answer.lines;
  const rows = answer.at_least.map((/** @type {number} */ chance, /** @type {number} */ tricks) => h("tr", { "aria-current": tricks === line.tricks && "true" }, h("th", { scope: "row" },
    h("button", { type: "button", "data-key": `tricks-${tricks}`, onclick: () => page.go({ need: String(tricks) }, { push: false }) }, tricks)), h("td", { class: "stretch" }, h("span", { class: `bar${tricks === line.tricks ? " enough" : ""}`, style: { width: `${100 * chance}%` } })), h("td", {}, percent(chance, 2))));
  const average = (/** @type {string} */ name, /** @type {any} */ of) => of && h("p", {}, h("b", {}, `${name}: `), `${of.mean.toFixed(2)} tricks. `, of.at_least.flatMap((/** @type {number} */ chance, /** @type {number} */ tricks) => (tricks && chance > 0 ? [`${tricks}: ${percent(chance)}`] : [])).join(", "), ".");
  return [h("table", { class: "bars" }, h("caption", {}, "At least so many tricks ", h("span", { class: "hint" }, "Choose one to see its play")), h("tbody", {}, rows.slice(1))),
    average("Best on average", answer.average), average("Best at matchpoints", answer.matchpoints), splits(line),
    h("p", { class: "hint" }, "The opponents see all cards and never lead the suit; entries in both hands are taken for granted.")];
}

/** In which layouts the line wins. @param {any} line */
const splits = (line) => h("details", {}, h("summary", { "data-key": "splits" }, "When it wins"), h("table", { class: "chances" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `${SEAT.W}–${SEAT.E}`), h("th", { scope: "col" }, "how often"), h("th", { scope: "col" }, "wins"))),
  h("tbody", {}, line.splits.map((/** @type {any} */ of) => h("tr", {}, h("th", { scope: "row" }, `${of.lengths[1]}–${of.lengths[0]}`), h("td", {}, percent(of.chance)), h("td", {}, `${of.wins} of ${of.layouts}`))))));
