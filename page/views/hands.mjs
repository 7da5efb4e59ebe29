// @ts-check
// Two hands: what is sure, with the other two hidden?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, field, h, headlineOf, hint, isOpen, remark, select,
  table as tableOf } from "../dom.mjs";
import { declarer, dummy, hiddenText, isEnding } from "../state.mjs";
import { capital, cardMark, cardMarks, cardName, cardsOf, grouped, many, partner, percent, plural, SEAT, SEATS,
  sideName, sideOf, withMarks } from "../words.mjs";
import { contractMark, problem, waiting } from "./deal.mjs";

/** @import { Answers, Question } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @import { Inside } from "../dom.mjs" */
/** @typedef {Partial<Answers["claim"]>} ClaimAnswer */
/** @typedef {Omit<Extract<Question, { ask: "claim" }>, "ask" | "question">} ClaimOptions */

/** @type {View} */
export const handsView = {
  id: "hands",
  name: "Two hands",
  question: "What is sure, however the other cards lie?",
  sees: "Two hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, two hands` : "Two hands"),
  show(page) {
    page.memory.keys = {};
    const { answer: at, error } = page.position();
    if (error) return problem(error);
    if (!at) return null;
    if (!at.tricks_left) return empty(h("p", {}, "All cards have been played."));
    const { by, table: other } = claimers(page);
    if ([by, other].some((seat) => page.state.unknown.includes(seat)))
      return empty(h("p", {}, "This needs a hand and its dummy: two hands of one side."), chooser(page));
    const mine = plays(page, at);
    const question = claim(page, { cards: mine });
    const slip = beaten(page, at);
    // What is sure is known before a card is played.
    if (mine) page.need("play", claim(page, { limit: FEW }));
    const early = at.tricks_left > LATE && page.memory.search !== question.question && !page.helpers.known(question);
    if (early) return columns([headline(page, at, {}), table(page, at, mine)], [slip, chooser(page),
        bound(page, at, question)]);
    const said = page.need("long", question);
    // What is sure is known before the tricks of each card.
    const found = said.answer ?? said.part;
    return columns([headline(page, at, { ...said, answer: found }, !slip), table(page, at, mine, found)], [slip,
      chooser(page),
      decided(page, "sure", { ...said, answer: found },
        ({ sure, layouts }) => typeof sure === "number" && answers(page, at, sure, layouts ?? 0),
        hint("Looking at every layout of the other cards …"))]);
  },
};

/** The most nodes of a search for one answer. */
export const LIMIT = 2_000_000;

/** A question about what is sure. @param {Page} page @param {ClaimOptions} options @param {string[]} [cards] */
export function claim(page, options, cards) {
  const { by, table: other } = claimers(page);
  return {
    ask: /** @type {const} */ ("claim"),
    question: hiddenText(page.state, [by, other], cards),
    limit: LIMIT,
    cards: false,
    ...options,
  };
}

/** With more tricks left, the search for what is sure may last: it is offered. */
const LATE = 9;
/** Layouts that are looked at for a bound. */
const TRIED = 8;

/** What a search found, or that it found nothing within its limit.
 * @param {Page} page @param {string} part @param {Said<ClaimAnswer>} said
 * @param {(found: ClaimAnswer) => Inside} show @param {Inside} [open] @returns {Inside} */
function decided(page, part, { answer, error, stopped }, show, open = waiting()) {
  if (error) return problem(error);
  if (stopped) return remark("Stopped. ", button(`again-${part}`, "Try again", () => page.go({})));
  return answer ? show(answer) || undecided() : open;
}

/** What is said of a search that reached its limit. */
const undecided = () =>
  remark(`Not decided in ${grouped(LIMIT)} nodes. Play some cards first, or say more of the hidden hands.`);

/** A bound that is known at once: no plan takes more in all layouts than all four hands seen give in
 * some. @param {Page} page @param {PlayPoint} at @param {ReturnType<typeof claim>} question */
function bound(page, at, question) {
  const { by } = claimers(page);
  const { answer, error, stopped: ended } = page.need("table", {
    ask: "odds",
    question: question.question,
    draw: TRIED,
  });
  if (error) return problem(error);
  const least = answer
    && (answer.side.includes(by) ? answer.counts.findIndex(Boolean)
      : at.tricks_left - answer.counts.findLastIndex(Boolean));
  return h("section", {},
    h("p", { class: "big" },
      least === undefined ? (ended ? "Stopped." : "…") : `At most ${plural(least, "trick")} can be sure.`),
    remark(alreadySure(page, question)),
    h("p", {},
      answer
        ? `In one of ${answer.layouts} layouts of the other cards, no play takes more, even with all four hands seen. `
        : "", "So early in the hand the search for what is sure may take minutes."),
    button("search", "Search for what is sure", () => {
      page.memory.search = question.question;
      page.draw();
    }, { class: "main" }));
}

/** The nodes of a short search, of about 0.1 s. */
export const FEW = 1000;

/** The tricks that a short search finds sure, and those that it leaves open.
 * @param {Page} page @param {ReturnType<typeof claim>} question */
function alreadySure(page, question) {
  const { answer } = page.need("table", { ...question, cards: false, limit: FEW });
  if (!answer) return "";
  const [least, most] = answer.bounds ?? [answer.sure ?? 0, answer.sure ?? 0];
  if (least === most) return `${plural(least, "trick")} sure.`;
  return `${plural(least, "trick")} sure already, ${least + 1 < most ? `${least + 1} to ${most}` : most} open.`;
}

/** Who claims, and who is dummy. @param {Page} page */
export function claimers({ state }) {
  const by = state.by || declarer(state);
  // In an ending each side claims with its own two hands.
  if (isEnding(state)) return { by, table: partner(by) };
  const table = dummy(state);
  return { by, table: by === table ? declarer(state) : table };
}

/** Whether the claimer is to play. @param {Page} page @param {PlayPoint} at */
function plays(page, { to_play: seat }) {
  const { by, table: other } = claimers(page);
  return [by, other].includes(seat) && sideOf(seat) === sideOf(by);
}

/** The nodes of a search for hidden hands that beat a card; most take less than 0.1 s. */
const SOME = 20_000;

/** Hidden hands that beat the last card, if it was the claimer's and gave up a trick that was sure.
 * @param {Page} page @param {PlayPoint} at */
function beaten(page, at) {
  const { play } = page.state;
  const [card] = play.slice(-1);
  const earlier = play.slice(0, -1);
  const before = card && page.position(earlier).answer;
  if (!before || !plays(page, before)) return null;
  const short = page.need("play", claim(page, { limit: FEW }, earlier)).answer;
  const sure = page.helpers.answered(claim(page, { cards: true }, earlier))?.answer?.sure
    ?? short?.sure ?? short?.bounds?.[0] ?? 0;
  const side = sideOf(claimers(page).by);
  const need = sure - (at.won[side] - before.won[side]);
  const lost = need > at.tricks_left;
  const found = need > 0 && !lost && page.need("play", claim(page, { ...explained(need), limit: SOME })).answer;
  if (!lost && (!found || found.verdict !== "not sure")) return null;
  const text = `${plural(sure, "trick")} ${sure === 1 ? "was" : "were"} sure before it.`;
  page.say(`The ${cardName(card)} gives up a sure trick. ${text}`);
  return h("section", { class: "slip" }, h("h2", {}, cardMark(card), " gives up a sure trick"), h("p", {}, text),
    found && refuting(page, `${need} of the ${at.tricks_left} left`, found.core));
}

/** The last card is taken back. @param {Page} page */
export const takeBack = (page) =>
  page.state.play.length > 0
  && button("take-back", "Card back", () => page.go({ play: page.state.play.slice(0, -1) }, { push: false }));

/** @param {Page} page @param {PlayPoint} at @param {Said<ClaimAnswer>} said @param {boolean} [aloud] */
function headline(page, at, { answer, error, stopped, pending }, aloud) {
  const { by } = claimers(page);
  const won = at.won[sideOf(by)];
  const sure = answer?.sure ?? undefined;
  const text = sure !== undefined
    ? `${won ? `${won} won and ` : ""}${sure} of ${at.tricks_left} ${sure === 1 ? "is" : "are"} sure`
    : error || answer ? "Not known" : stopped ? "Stopped" : pending ? "…" : `${plural(at.tricks_left, "trick")} left`;
  if (sure !== undefined && aloud) page.say(`${text}.`);
  return headlineOf([contractMark(page.state), ` · seen by ${SEAT[by]}`], text);
}

/** @param {Page} page @param {PlayPoint} at @param {boolean} mine @param {ClaimAnswer} [answer] */
function table(page, at, mine, answer) {
  const { play } = page.state;
  const { by, table: other } = claimers(page);
  const open = [by, other];
  const sure = new Map(answer?.cards?.map((of) => [of.card, of.sure]));
  const best = Math.max(0, ...sure.values());
  const marked = page.settings.get("marks") !== "none";
  return diagram(at, {
    turn: mine,
    names: page.state.players,
    hidden: SEATS.filter((seat) => !open.includes(seat)),
    label: "The two hands that are seen",
    look: (card, seat) => {
      if (!mine || seat !== at.to_play || !at.legal.includes(card)) return null;
      const count = marked ? sure.get(card) : undefined;
      if (count === undefined && page.state.unknown) return null;
      return {
        note: count === undefined ? "" : String(count),
        words: count === undefined ? "" : `${plural(count, "trick")} sure`,
        class: count === undefined ? "" : count === best ? "best" : "worse",
        press: page.state.unknown ? undefined
          : () => page.state.play === play && page.go({ play: [...play, card] }, { push: false }),
      };
    },
  });
}

/** @param {Page} page */
function chooser(page) {
  const { by, table: other } = claimers(page);
  const out = isEnding(page.state) ? "" : dummy(page.state);
  return h("div", { class: "facts" },
    choice("by", "Seen by",
      SEATS.filter((seat) => seat !== out && !page.state.unknown.includes(seat)).map((
        seat
      ) => [seat, `${SEAT[seat]}${out && seat === declarer(page.state) ? ", declarer" : ""}`]), by,
      (seat) => page.go({ by: seat }, { push: false })),
    h("div", { class: "no-print" },
      choice("marks", "On the cards", [["cost", "sure tricks"], ["none", "nothing"]],
        page.settings.get("marks") === "none" ? "none" : "cost", (marks) => {
        page.settings.set("marks", marks);
        page.draw();
      })), knownBesides(page, [by, other]), takeBack(page));
}

/** A condition in words. @param {Page} page @param {string} text */
export const condition = (page, text) => page.need("table", { ask: "condition", if: text.trim() });

/** What else is known of the hands that are not seen: a condition, and what it says.
 * @param {Page} page @param {string[]} open */
export function knownBesides(page, open) {
  const [one] = SEATS.filter((seat) => !open.includes(seat));
  const { given: known } = page.state;
  const said = condition(page, known);
  const { forms } = said.answer ?? condition(page, "").answer ?? { forms: [] };
  return [
    field("given", "What else is known of the hidden hands", known, (text) => page.go({ given: text }, { push: false }),
      { placeholder: `${one}+SK or S=3-2`, autocapitalize: "off" }),
    builder(page, open),
    known && said.answer?.words ? hint(capital(said.answer.words), ".") : null,
    h("details", {
      class: "how",
      "data-key": "how-box",
      open: page.memory.how,
      ontoggle: (event) => {
        page.memory.how = isOpen(event);
      },
    }, h("summary", { "data-key": "how" }, "How to write it"), h("ul", {}, forms.map(([text, meaning]) =>
      h("li", {}, h("code", {}, text), ` ${meaning}`)
    ))),
  ];
}

/** What a condition may be about, and its greatest number. @type {[string, string, number][]} */
const ABOUT = [["hcp", "points", 37], ["S", "spades", 13], ["H", "hearts", 13], ["D", "diamonds", 13], ["C", "clubs",
  13], ["balanced", "balanced", 0]];

/** A condition by clicks: a hand, what is counted, from and to. @param {Page} page @param {string[]} open */
function builder(page, open) {
  const hidden = SEATS.filter((seat) => !open.includes(seat));
  const made = (page.memory.made ??= { seat: hidden[0], about: "hcp", low: "0", high: "10" });
  const seat = hidden.includes(made.seat) ? made.seat : hidden[0];
  const [, , most] = ABOUT.find(([id]) => id === made.about) ?? ABOUT[0];
  /** @param {keyof typeof made} name @param {string} label
   * @param {import("../dom.mjs").Option[]} options @param {string | number} now */
  const pick = (name, label, options, now) =>
    select(`made-${name}`, options, now, (value) => {
      made[name] = value;
      page.draw();
    }, { "aria-label": label });
  const [low, high] = [made.low, made.high].map((n) => Math.min(Number(n), most));
  /** @type {[number, number][]} */
  const numbers = Array.from({ length: most + 1 }, (_, n) => [n, n]);
  const text = most ? `${seat}.${made.about}=${Math.min(low, high)}-${Math.max(low, high)}` : `${seat}.balanced`;
  const { given: known } = page.state;
  return h("div", { class: "builder", role: "group", "aria-label": "A condition by clicks" },
    pick("seat", "Hand", hidden.map((one) => [one, SEAT[one]]), seat),
    pick("about", "What", ABOUT.map(([id, name]) => [id, name]), made.about),
    most ? [pick("low", "At least", numbers, low), "to", pick("high", "At most", numbers, high)] : null,
    button("made-add", "Add", () => page.go({ given: known ? `${known},${text}` : text }, { push: false })),
    known && button("made-none", "Clear", () => page.go({ given: "" }, { push: false })));
}

/** @param {Page} page @param {PlayPoint} at @param {number} sure @param {number} layouts */
function answers(page, at, sure, layouts) {
  const more = sure + 1;
  return [
    h("p", {}, "Of the other two hands ", h("b", {}, many(layouts)), layouts === 1 ? " layout is" : " layouts are",
      " possible. In each, against every defence, ", h("b", {}, `${sideName(sideOf(claimers(page).by))} take ${sure}`),
      " or more."),
    sure > 0 && plan(page, sure),
    more <= at.tricks_left && [against(page, more), help(page, more)],
  ];
}

/** A part of the answers, under its own heading. @param {string} title @param {Inside} inside */
const section = (title, inside) => h("section", {}, h("h2", {}, title), inside);

/** A claim of so many tricks, with its plan or the layouts that refute it.
 * @param {number} tricks @returns {ClaimOptions} */
export const explained = (tricks) => ({ tricks, explain: true });

/** @param {Page} page @param {number} sure */
const plan = (page, sure) =>
  section(`The plan for ${sure}`,
    decided(page, "plan", page.need("long", claim(page, explained(sure))), ({ plan: found, why = [] }) => {
      const first = found?.steps[found.root];
      if (!first) return null;
      if (!("order" in first)) return planLines(why);
      return [h("p", {}, "In this order, whatever falls:"), h("ol", { class: "order" }, first.order.map((pair) =>
        h("li", {}, cardMarks(pair.split(" ")))
      ))];
    }));

/** A plan with more lines is shown in part. */
const SHORT = 16;

/** A plan's lines, set in as the engine sets them in. @param {string[]} lines */
export function planLines(lines) {
  /** @param {string[]} some @param {number} from */
  const list = (some, from) =>
    h("ol", { class: "plan", start: from + 1 }, some.map((text) =>
      h("li", { class: `in${Math.min((text.length - text.trimStart().length) / 2, 8)}` }, withMarks(text.trim()))
    ));
  if (lines.length <= SHORT) return list(lines, 0);
  return h("div", {}, list(lines.slice(0, SHORT - 4), 0),
    h("details", {}, h("summary", { class: "no-print", "data-key": "whole-plan" }, `All ${lines.length} lines`),
      list(lines.slice(SHORT - 4, 600), SHORT - 4)));
}

/** @param {Page} page @param {number} more */
const against = (page, more) =>
  section(`Why not ${more}`,
    decided(page, "against", page.need("long", claim(page, explained(more))), ({ verdict, core }) => {
      if (verdict === "unknown") return null;
      return refuting(page, String(more), core);
    }));

/** Layouts in one of which each plan for so many tricks fails. @param {Page} page @param {string} tricks
 * @param {ClaimAnswer["core"]} core */
function refuting(page, tricks, core) {
  if (!core) return h("p", {}, "No one plan works in all layouts; no small set of them shows why.");
  const { by, table: other } = claimers(page);
  const hidden = SEATS.filter((seat) => seat !== by && seat !== other);
  const { layouts } = core;
  return [
    h("p", {},
      layouts.length > 1 ? `No one plan takes ${tricks} in all of these ${layouts.length} layouts:`
        : `With the cards so, even all four hands seen do not give ${tricks}:`),
    h("ul", { class: "layouts" }, layouts.slice(0, 6).map((hands) =>
      h("li", {}, hands.map((hand, n) =>
        h("span", { class: "lies" }, h("b", {}, `${SEAT[hidden[n]]} `),
          cardsOf(hand).length ? cardMarks(cardsOf(hand)) : "nothing")
      ))
    )),
  ];
}

/** @param {Page} page @param {number} more */
function help(page, more) {
  const asked = claim(page, { tricks: more, assume: true });
  const look = () => {
    page.memory.help = asked.question;
    page.draw();
  };
  return section(`What would make ${more} sure`,
    page.memory.help !== asked.question ? button("help", "Look for it", look)
      : decided(page, "help", page.need("long", asked),
        (
          { assume }
        ) => (assume?.length
          ? tableOf({ class: "chances" }, null, ["If", "chance"],
            assume.map((
              of
            ) => [capital(condition(page, of.condition).answer?.words ?? of.condition), percent(of.share)]))
          : assume && h("p", {}, "No length of a suit, place of a card or pair of lengths does."))));
}
