// @ts-check
// Chances: how many tricks, over all the ways the hidden cards may lie?
import { diagram } from "../diagram.mjs";
import { bid, declarer, dummy, isEnding, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { SEAT, SEATS, SUIT, cardMark, many, partner, percent, plural, sideName, sideOf, strainMark } from "../words.mjs";
import { byName, contractMark, problem } from "./deal.mjs";
import { given, knownBesides } from "./hands.mjs";

/** @typedef {import("../app.mjs").Page} Page */
/** @typedef {{ parts: number, looked: number, tricks: number[], cards: Map<string, number[]>, splits: Map<string, Map<string, number[]>>, total: string, seat: string, left: number }} Sum */

/** Up to so many layouts all are looked at; of more, some are drawn. */
const ALL = 1000;
/** So many are drawn at first, and when more are wanted. */
const FIRST = 160;
const MORE = 480;

/** @type {import("../app.mjs").View} */
export const chancesView = {
  id: "chances",
  name: "Chances",
  question: "How many tricks, over all the ways the hidden cards may lie?",
  sees: "One or two hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, chances` : "Chances"),
  show(page) {
    page.memory.keys = {};
    const shown = page.position();
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const at = shown.answer;
    if (!at.tricks_left) return h("div", { class: "empty" }, h("p", {}, "All cards have been played."));
    const seen = seats(page, at);
    const sum = gather(page, at, seen);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, headline(page, at, seen, sum), table(page, at, seen, sum)),
      h("div", { class: "side" }, chooser(page, at, seen, sum), sum.error ? problem(sum.error) : told(page, at, seen, sum)));
  },
};

/** The hands that are seen: the lead comes before dummy. @param {Page} page @param {any} at @returns {string[]} */
function seats(page, at) {
  const { state } = page;
  const first = state.play.length === 0 && !isEnding(state);
  const by = state.by || (first ? state.leader : isEnding(state) ? at.to_play : at.to_play === dummy(state) ? declarer(state) : at.to_play);
  if (isEnding(state)) return [by, partner(by)];
  if (by === declarer(state) || by === dummy(state)) return [declarer(state), dummy(state)];
  return first ? [by] : [by, dummy(state)];
}

/** What has been looked at so far; asks for more. @param {Page} page @param {any} at @param {string[]} seen */
function gather(page, at, seen) {
  const who = SEATS.filter((seat) => seen.includes(seat)).join("");
  const about = `${who}\t${given(page)}\t${playText(page.state)}`;
  const sums = (page.memory.sums ??= new Map());
  /** @type {Sum & { error?: string, pending?: boolean, stopped?: boolean, exact?: boolean, wanted?: number }} */
  const sum = sums.get(about) ?? { parts: 0, looked: 0, tricks: [], cards: new Map(), splits: new Map(), total: "", seat: at.to_play, left: at.tricks_left };
  sums.set(about, sum);
  sum.error = undefined;
  sum.pending = sum.stopped = false;
  const size = at.tricks_left > 9 ? 8 : at.tricks_left > 6 ? 20 : 50;
  for (;;) {
    const exact = sum.total !== "" && BigInt(sum.total) <= BigInt(ALL);
    sum.exact = exact;
    const wanted = exact ? Number(sum.total) : FIRST + (page.memory.more ?? 0);
    sum.wanted = wanted;
    if (sum.total !== "" && sum.looked >= wanted) return sum;
    // The first part says how many layouts there are.
    const part = (/** @type {number} */ n) => page.need("table", "chances", sum.total === "" ? `all\t0\t1\t${about}`
      : exact ? `all\t${n * size}\t${size}\t${about}` : `draw\t${n * size}\t${size}\t${about}`);
    const said = part(sum.parts);
    if (sum.total !== "" && sum.looked + size < wanted) part(sum.parts + 1);
    if (said.error) sum.error = said.error;
    if (said.stopped) sum.stopped = true;
    if (!said.answer) {
      sum.pending = Boolean(said.pending);
      return sum;
    }
    if (sum.total === "") sum.total = String(said.answer.drawn_of);
    else {
      sum.parts += 1;
      add(sum, said.answer);
      if (!said.answer.layouts) return sum;
    }
  }
}

/** @param {Sum} sum @param {any} part */
function add(sum, part) {
  const plus = (/** @type {number[] | undefined} */ a, /** @type {number[]} */ b) => b.map((count, n) => count + (a?.[n] ?? 0));
  sum.looked += part.layouts;
  sum.tricks = plus(sum.tricks, part.counts);
  for (const { card, counts } of part.cards) sum.cards.set(card, plus(sum.cards.get(card), counts));
  for (const [suit, splits] of Object.entries(part.splits)) {
    const of = sum.splits.get(suit) ?? new Map();
    for (const { lengths, counts } of splits) of.set(lengths.join(" "), plus(of.get(lengths.join(" ")), counts));
    sum.splits.set(suit, of);
  }
}

const count = (/** @type {number[]} */ tricks) => tricks.reduce((sum, n) => sum + n, 0);
const mean = (/** @type {number[]} */ tricks) => tricks.reduce((sum, n, k) => sum + n * k, 0) / Math.max(1, count(tricks));
const atLeast = (/** @type {number[]} */ tricks, /** @type {number} */ need) => count(tricks.slice(need)) / Math.max(1, count(tricks));

/** How many tricks are wanted of those left: the contract's, or what beats it.
 * @param {Page} page @param {any} at */
function target(page, at) {
  if (page.state.need !== "") return Math.max(0, Math.min(at.tricks_left, Number(page.state.need) || 0));
  const known = bid(page.state);
  const side = sideOf(at.to_play);
  const total = at.won[0] + at.won[1] + at.tricks_left;
  if (!known) return Math.ceil(at.tricks_left / 2);
  const need = side === sideOf(declarer(page.state)) ? known.level + 6 : total - known.level - 5;
  return Math.max(0, Math.min(at.tricks_left, need - at.won[side]));
}

/** Shares of layouts, with their intervals of 95 % if the layouts were drawn.
 * @param {Page} page @param {number[][]} hits Those that are counted, of how many. @param {ReturnType<typeof gather>} sum */
function shown(page, hits, sum) {
  if (sum.exact || !hits.length) return hits.map(([some, of]) => percent(some / Math.max(1, of)));
  const said = page.need("table", "intervals", hits.map(([some, of]) => `${some}/${of}`).join(" "));
  return hits.map(([some, of], n) => {
    const share = percent(some / Math.max(1, of), 0);
    if (!said.answer) return share;
    const [low, high] = said.answer.intervals[n];
    return [share, h("span", { class: "hint" }, ` ${(100 * low).toFixed(0)} to ${percent(high, 0)}`)];
  });
}

/** @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum */
function headline(page, at, seen, sum) {
  const need = target(page, at);
  const chance = sum.looked ? atLeast(sum.tricks, need) : 0;
  const text = sum.looked ? `${plural(need, "trick")} or more: ${percent(chance, sum.exact ? 1 : 0)}` : sum.error ? "Not known" : "…";
  if (sum.looked) page.say(`${sideName(sideOf(at.to_play))}: ${text} of ${sum.looked} layouts.`);
  return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state), ` · ${seen.map((seat) => SEAT[seat]).join(" and ")} seen`), h("strong", {}, text));
}

/** @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum */
function table(page, at, seen, sum) {
  const { play } = page.state;
  const mine = seen.includes(at.to_play);
  const best = Math.max(0, ...[...sum.cards.values()].map(mean));
  return diagram(at, {
    turn: mine, names: byName(page), hidden: SEATS.filter((seat) => !seen.includes(seat)), label: "The hands that are seen",
    look: (card, seat) => {
      const tricks = seat === at.to_play ? sum.cards.get(card) : undefined;
      if (!tricks) return null;
      return { note: mean(tricks).toFixed(1), words: `${mean(tricks).toFixed(2)} tricks on average`, class: mean(tricks) > best - 0.005 ? "best" : "", press: () => page.state.play === play && page.go({ play: [...play, card] }, { push: false }) };
    },
  });
}

/** @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum */
function chooser(page, at, seen, sum) {
  const ending = isEnding(page.state);
  const options = ending ? [at.to_play, SEATS[(SEATS.indexOf(at.to_play) + 1) % 4]] : SEATS.filter((seat) => seat !== dummy(page.state));
  const name = (/** @type {string} */ seat) => (ending ? `${SEAT[seat]} and ${SEAT[partner(seat)]}` : `${SEAT[seat]}${seat === declarer(page.state) ? ", declarer" : page.state.play.length ? "" : ", before the lead"}`);
  const need = target(page, at);
  return h("div", { class: "facts" },
    h("label", { class: "choice" }, h("span", {}, "Seen by"), h("select", { "data-key": "by", onchange: (/** @type {Event} */ event) => page.go({ by: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      options.map((seat) => h("option", { value: seat, selected: seen.includes(seat) && (ending || seat === seen[0]) }, name(seat))))),
    h("label", { class: "choice" }, h("span", {}, `Wanted by ${sideName(sideOf(at.to_play))}`), h("select", { "data-key": "need", onchange: (/** @type {Event} */ event) => page.go({ need: /** @type {HTMLSelectElement} */ (event.target).value }, { push: false }) },
      Array.from({ length: at.tricks_left + 1 }, (_, n) => h("option", { value: n, selected: n === need }, plural(n, "trick"))))),
    knownBesides(page, seen),
    page.state.play.length ? h("button", { type: "button", "data-key": "take-back", onclick: () => page.go({ play: page.state.play.slice(0, -1) }, { push: false }) }, "Card back") : null,
    sum.stopped ? h("button", { type: "button", "data-key": "again", onclick: () => page.go({}) }, "Continue") : null);
}

/** @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum */
function told(page, at, seen, sum) {
  if (!sum.looked) return h("p", { class: "hint" }, "Dealing the hidden cards …");
  const need = target(page, at);
  const all = `${sum.total === "1" ? "The one layout" : `All ${many(sum.total)} layouts`}`;
  /** @type {import("../dom.mjs").Inside[]} */
  const parts = [h("p", { class: "hint" }, sum.exact
    ? `${sum.looked < Number(sum.total) ? `${sum.looked} of ${sum.total} layouts` : all} of the hidden cards, each played with all four hands seen. Exact.`
    : `${sum.looked} layouts drawn of ${many(sum.total)}, each played with all four hands seen; the interval holds in 95 of 100 cases.`)];
  parts.push(bars(sum, need));
  if (sum.cards.size && seen.includes(at.to_play)) parts.push(byCard(page, at, seen, sum, need));
  if (sum.exact && seen.length === 2) parts.push(bySplit(sum, need, seen));
  if (!sum.exact && !sum.pending && !sum.stopped) parts.push(h("button", { type: "button", "data-key": "more", onclick: () => { page.memory.more = (page.memory.more ?? 0) + MORE; page.draw(); } }, `Draw ${MORE} more`));
  return parts;
}

/** @param {ReturnType<typeof gather>} sum @param {number} need */
function bars(sum, need) {
  const total = count(sum.tricks);
  const most = Math.max(...sum.tricks);
  const first = sum.tricks.findIndex(Boolean);
  const last = sum.tricks.findLastIndex(Boolean);
  return h("table", { class: "bars" }, h("caption", {}, "Tricks of the side to play"), h("tbody", {}, sum.tricks.flatMap((n, tricks) => {
    if (tricks < first || tricks > last) return [];
    const bar = h("span", { class: tricks >= need ? "bar enough" : "bar", style: { width: `${(100 * n) / most}%` } });
    return [h("tr", {}, h("th", { scope: "row" }, tricks), h("td", { class: "stretch" }, bar), h("td", {}, percent(n / total, sum.exact ? 1 : 0)))];
  })));
}

/** In how many layouts each card can be made to do without seeing the hidden hands, where that can be
 * counted. @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum @param {number} need */
function singleDummy(page, at, seen, sum, need) {
  const both = seen.length === 2 && sideOf(seen[0]) === sideOf(seen[1]) && sideOf(seen[0]) === sideOf(at.to_play);
  if (!both || !sum.exact || at.tricks_left > 6 || !need) return null;
  const who = SEATS.filter((seat) => seen.includes(seat)).join("");
  return page.need("long", "single", `${need}\t${who}\t${given(page)}\t${playText(page.state)}`);
}

/** @param {Page} page @param {any} at @param {string[]} seen @param {ReturnType<typeof gather>} sum @param {number} need */
function byCard(page, at, seen, sum, need) {
  const single = singleDummy(page, at, seen, sum, need);
  /** @type {Map<string, number>} */
  const sure = new Map((single?.answer?.cards ?? []).map((/** @type {any} */ of) => [of.card, of.layouts]));
  // Cards that are the same in all that was looked at stand together.
  /** @type {Map<string, { cards: string[], tricks: number[] }>} */
  const groups = new Map();
  for (const [card, tricks] of sum.cards) {
    const key = `${card[0]}${tricks.join()} ${sure.get(card)}`;
    groups.set(key, { cards: [...(groups.get(key)?.cards ?? []), card], tricks });
  }
  const rows = [...groups.values()].sort((a, b) => mean(b.tricks) - mean(a.tricks));
  const column = single && !single.error;
  const chances = shown(page, rows.map(({ tricks }) => [count(tricks.slice(need)), count(tricks)]), sum);
  const heads = ["card", `${need} or more`, ...(column ? ["with a plan"] : []), "average"];
  return h("div", {}, h("table", { class: "chances" }, h("caption", {}, "By card"), h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map(({ cards, tricks }, n) => h("tr", {}, h("th", { scope: "row" }, cards.slice().reverse().flatMap((card) => [cardMark(card), " "])), h("td", {}, chances[n]),
      column ? h("td", {}, sure.has(cards[0]) ? percent(/** @type {number} */ (sure.get(cards[0])) / single.answer.of) : "…") : null, h("td", {}, mean(tricks).toFixed(2)))))),
  column ? h("p", { class: "hint" }, "With a plan: by the best plan of a player who sees two hands, against defenders who see all.") : null);
}

/** @param {ReturnType<typeof gather>} sum @param {number} need @param {string[]} seen */
function bySplit(sum, need, seen) {
  const hidden = SEATS.map((seat, n) => ({ seat, n })).filter(({ seat }) => !seen.includes(seat));
  const rows = [...sum.splits].flatMap(([suit, splits]) => (splits.size < 2 ? [] : [...splits].sort().map(([lengths, tricks]) => {
    const each = lengths.split(" ");
    return h("tr", {}, h("th", { scope: "row" }, strainMark(suit), " ", hidden.map(({ n }) => each[n]).join("–"), h("span", { class: "unseen" }, ` ${SUIT[suit]}`)), h("td", {}, percent(count(tricks) / sum.looked)), h("td", {}, percent(atLeast(tricks, need))));
  })));
  if (!rows.length) return null;
  return h("details", { open: true }, h("summary", { "data-key": "splits" }, `By split, ${hidden.map(({ seat }) => SEAT[seat]).join("–")}`), h("table", { class: "chances" },
    h("thead", {}, h("tr", {}, ["split", "how often", `${need} or more`].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows)));
}
