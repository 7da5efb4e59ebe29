// @ts-check
// Record: where did it go wrong? Every mistake of a recorded play, and the right cards.
import { diagram } from "../diagram.mjs";
import { declarer, playText } from "../state.mjs";
import { h } from "../dom.mjs";
import { SEAT, SEATS, capital, cardMark, cardMarks, cardName, cardText, plural, sideOf } from "../words.mjs";
import { auction, dealtBy, resultLine } from "./board.mjs";
import { byName, contractMark, problem, waiting } from "./deal.mjs";
import { against, playCard, worthOf } from "./play.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const recordView = {
  id: "record",
  name: "Record",
  question: "Where did it go wrong?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}, as it was played` : "As it was played"),
  show(page) {
    const { state } = page;
    page.memory.keys = {};
    if (!state.record.length) return none(page);
    const said = page.need("table", "record", playText(state, state.record));
    const shown = page.position();
    if (said.error) return problem(`The record: ${said.error}`);
    if (shown.error) return problem(shown.error);
    if (!shown.answer) return null;
    const at = state.play.length;
    keys(page, said.answer);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, headline(page, said.answer), table(page, shown.answer, said.answer?.cards[at], at), controls(page, shown.answer, said.answer), auction(state), resultLine(page)),
      h("div", { class: "side" }, said.answer ? [strip(page, said.answer), mistakes(page, said.answer), players(page, said.answer)] : said.stopped ? h("p", { class: "hint" }, "Stopped.") : waiting()));
  },
};

/** @param {Page} page */
function none(page) {
  if (page.boards[page.at]?.passed_out) return h("div", { class: "empty" }, h("p", {}, "The board was passed out."));
  return h("div", { class: "empty" }, h("p", {}, "This deal has no recorded play."),
    h("p", { class: "hint" }, "Paste LIN, PBN with a Play section or a BBO handviewer link in Deal; or play some cards, and look for mistakes in them."),
    h("div", { class: "row-of" },
      h("button", { type: "button", class: "main", "data-key": "to-deal", onclick: () => { page.memory.entryOpen = true; page.go({ view: "deal" }); page.memory.entryOpen = true; page.draw(); } }, "Paste a record"),
      page.state.play.length ? h("button", { type: "button", "data-key": "keep", onclick: () => page.go({ record: page.state.play, play: [] }) }, "Take the cards played so far") : null));
}

/** Declarer's tricks after so many cards, if nobody errs from there. @param {Page} page @param {any} answer @param {number} at */
function tricksAt(page, answer, at) {
  const leaders = at ? answer.cards[at - 1].tricks : answer.tricks;
  return sideOf(answer.leader) === sideOf(declarer(page.state)) ? leaders : answer.tricks_left - leaders;
}

/** @param {Page} page @param {any} answer */
function keys(page, answer) {
  const { state } = page;
  const last = answer ? answer.cards.length : state.record.length;
  const to = (/** @type {number} */ at) => page.go({ play: state.record.slice(0, Math.max(0, Math.min(at, last))) }, { push: false });
  const at = state.play.length;
  const wrong = (answer?.cards ?? []).flatMap((/** @type {any} */ card, /** @type {number} */ n) => (card.gives_away ? [n] : []));
  page.memory.keys = {
    ArrowRight: () => to(at + 1), ArrowLeft: () => to(at - 1), Home: () => to(0), End: () => to(last),
    PageDown: () => to(wrong.find((/** @type {number} */ n) => n > at) ?? last),
    PageUp: () => to(wrong.findLast((/** @type {number} */ n) => n < at) ?? 0),
  };
}

/** @param {Page} page @param {any} answer */
function headline(page, answer) {
  const name = SEAT[declarer(page.state)];
  if (!answer) return h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, "…"));
  const first = tricksAt(page, answer, 0);
  const last = tricksAt(page, answer, answer.cards.length);
  const whole = answer.won[0] + answer.won[1] === answer.tricks_left;
  const given = page.state.contract && page.state.result;
  const result = whole ? last : given ? Number(given) : null;
  const text = whole ? `${name} could take ${first} and took ${last}` : given ? `${name} could take ${first}; the result is ${given}`
    : `${name} could take ${first}, and ${last} from the end of the record. No result is recorded`;
  const score = result === null ? "" : against(page, result);
  const doubts = page.boards[page.at]?.notes ?? [];
  const wrong = answer.cards.filter((/** @type {any} */ card) => card.gives_away).length;
  page.say(`${text}. ${wrong ? plural(wrong, "mistake") : "No mistake"}.`);
  return [h("p", { class: "headline" }, h("span", { class: "contract" }, contractMark(page.state)), h("strong", {}, text, score ? h("span", { class: "result" }, `, ${score}`) : null)),
    doubts.map((/** @type {string} */ doubt) => h("p", { class: "hint" }, `${capital(doubt)}.`))];
}

/** @param {Page} page @param {any} shown @param {any} step @param {number} at */
function table(page, shown, step, at) {
  const { play } = page.state;
  const right = new Set(step?.right ?? []);
  const next = page.state.record[at];
  const solved = shown.tricks_left && step?.gives_away ? page.need("play", "cards", playText(page.state)) : null;
  const worth = worthOf(solved?.answer);
  return diagram(shown, {
    turn: true, names: byName(page), points: page.position([]).answer?.points, label: step ? `${SEAT[step.seat]} is about to play` : "The end of the record",
    look: (card, seat) => {
      if (seat !== shown.to_play || !shown.legal.includes(card)) return null;
      const wrong = card === next && step?.gives_away;
      const tricks = worth.tricks.get(card);
      const cost = tricks === undefined ? undefined : worth.most - tricks;
      return {
        note: wrong ? `−${step.gives_away}` : right.has(card) ? "=" : cost ? `−${cost}` : card === next ? "=" : "",
        words: card === next ? `played, ${wrong ? `gave away ${step.gives_away}` : "right"}` : right.has(card) ? "right" : cost ? `would give away ${cost}` : "",
        class: `${wrong || cost ? "worse" : right.has(card) || (card === next && step) ? "best" : ""}${card === next ? " recorded" : ""}`,
        press: () => page.state.play === play && (card === next ? page.go({ play: [...play, card] }, { push: false }) : playCard(page, card)),
      };
    },
  });
}

/** The tricks that are won so far. @param {any} shown */
const won = ({ won: [ours, theirs] }) => `North–South ${plural(ours, "trick")}, East–West ${theirs}.`;

/** @param {Page} page @param {any} shown @param {any} answer */
function controls(page, shown, answer) {
  const { keys: act, } = page.memory;
  const at = page.state.play.length;
  const button = (/** @type {string} */ name, /** @type {string} */ text, /** @type {any} */ press, able = true, hint = "") =>
    h("button", { type: "button", "data-key": name, disabled: !able, onclick: press, "aria-keyshortcuts": hint }, text);
  const step = answer?.cards[at];
  return h("div", {},
    h("div", { class: "controls", role: "group", "aria-label": "The record" },
      button("home", "Start", act.Home, at > 0, "Home"), button("back", "Back", act.ArrowLeft, at > 0, "ArrowLeft"),
      button("on", "Next card", act.ArrowRight, at < page.state.record.length, "ArrowRight"), button("wrong", "Next mistake", act.PageDown, Boolean(answer), "PageDown"),
      h("button", { type: "button", "data-key": "from-here", onclick: () => page.go({ view: "play" }) }, "Play on from here")),
    h("p", { class: "hint" }, dealtBy(page.state), `. ${won(shown)}`),
    step ? h("p", { class: "told" }, `Trick ${step.trick}: `, SEAT[step.seat], " played ", cardMark(step.card), step.gives_away
      ? [`, which gave away ${plural(step.gives_away, "trick")}. Right `, step.right.length === 1 ? "was " : "were ", cardMarks(step.right), "."]
      : "."): answer ? h("p", { class: "told" }, "The end of the record.") : null);
}

/** All cards, a column a trick: mistakes stand out, and the card to be played. @param {Page} page @param {any} answer */
function strip(page, answer) {
  const at = page.state.play.length;
  const tricks = Math.ceil(answer.cards.length / 4);
  /** @param {any} step @param {number} n */
  const cell = (step, n) => h("button", {
    type: "button", class: `step ${step.card[0]}${step.gives_away ? " wrong" : ""}${n === at ? " here" : ""}${n % 4 === 0 ? " lead" : ""}`,
    "data-key": `step-${n}`, "aria-current": n === at ? "step" : undefined,
    onclick: () => page.go({ play: page.state.record.slice(0, n) }, { push: false }),
  }, h("span", { "aria-hidden": "true" }, cardText(step.card)), step.gives_away ? h("small", { "aria-hidden": "true" }, `−${step.gives_away}`) : null,
    h("span", { class: "unseen" }, `Trick ${step.trick}, ${SEAT[step.seat]}, ${cardName(step.card)}${step.gives_away ? `, gave away ${step.gives_away}` : ""}`));
  const rows = Array.from({ length: tricks }, (_, trick) => {
    const from = 4 * trick;
    /** @type {Record<string, any>} */
    const bySeat = {};
    answer.cards.slice(from, from + 4).forEach((/** @type {any} */ step, /** @type {number} */ n) => (bySeat[step.seat] = cell(step, from + n)));
    return h("tr", {}, h("th", { scope: "row" }, trick + 1), SEATS.map((seat) => h("td", {}, bySeat[seat] ?? "")), h("td", { class: "made" }, tricksAt(page, answer, Math.min(from + 4, answer.cards.length))));
  });
  return h("div", { class: "strip" }, h("table", {}, h("caption", {}, "Card by card", h("span", { class: "hint" }, " The lead is underlined")),
    h("thead", {}, h("tr", {}, h("td", {}), SEATS.map((seat) => h("th", { scope: "col" }, seat, h("span", { class: "unseen" }, SEAT[seat].slice(1)))), h("th", { scope: "col", title: "declarer's tricks if nobody errs from there" }, "makes"))),
    h("tbody", {}, rows)));
}

/** @param {Page} page @param {any} answer */
function mistakes(page, answer) {
  const wrong = answer.cards.map((/** @type {any} */ step, /** @type {number} */ n) => ({ ...step, n })).filter((/** @type {any} */ step) => step.gives_away);
  if (!wrong.length) return h("p", { class: "told" }, "Every card was right.");
  return h("div", {}, h("h2", {}, plural(wrong.length, "mistake")), h("ol", { class: "mistakes" }, wrong.map((/** @type {any} */ step) => h("li", {}, h("button", {
    type: "button", "data-key": `wrong-${step.n}`, onclick: () => page.go({ play: page.state.record.slice(0, step.n) }, { push: false }),
  }, `Trick ${step.trick}, ${SEAT[step.seat]} `, cardMark(step.card), h("b", {}, ` −${step.gives_away}`)), h("span", {}, " right: ", cardMarks(step.right.slice(0, 6)), step.right.length > 6 ? " …" : "")))));
}

/** What each player gave away. Dummy's cards are declarer's. @param {Page} page @param {any} answer */
function players(page, answer) {
  const by = declarer(page.state);
  const names = page.state.players;
  const rows = SEATS.filter((seat) => (SEATS.indexOf(seat) + 2) % 4 !== SEATS.indexOf(by)).map((seat) => {
    const own = answer.cards.filter((/** @type {any} */ step) => step.seat === seat || (seat === by && sideOf(step.seat) === sideOf(by)));
    const wrong = own.filter((/** @type {any} */ step) => step.gives_away);
    const cost = wrong.reduce((/** @type {number} */ sum, /** @type {any} */ step) => sum + step.gives_away, 0);
    return h("tr", {}, h("th", { scope: "row" }, names[SEATS.indexOf(seat)] || SEAT[seat], seat === by ? ", declarer" : ""), h("td", {}, own.length), h("td", {}, wrong.length), h("td", {}, cost));
  });
  return h("table", { class: "players" }, h("caption", {}, "By player"), h("thead", {}, h("tr", {}, h("td", {}), ["cards", "mistakes", "tricks"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows));
}
