// @ts-check
// Claim: how many tricks does a contested claim get?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, field, h, headlineOf, hint, remark, row, table as tableOf } from "../dom.mjs";
import { declarer, isEnding, playText } from "../state.mjs";
import { after, cardMark, plural, SEAT, SEATS, sideName, sideOf } from "../words.mjs";
import { answered, contractMark, problem } from "./deal.mjs";
import { claimers, given, hiddenText, knownBesides, planLines } from "./hands.mjs";

/** @import { Inferior, PlayPoint, Ruling, WonTrick, Worst } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */

/** @type {View} */
export const claimView = {
  id: "claim",
  name: "Claim",
  question: "How many tricks does this claim get?",
  sees: "Claimed with two hands seen, ruled with all four",
  title: ({ state }) => (state.board ? `Board ${state.board}, a claim` : "A claim"),
  show(page) {
    page.memory.keys = {};
    const { answer: at, error } = page.need("play", "position", playText(page.state, claimedAt(page)));
    if (error) return problem(error);
    if (!at) return null;
    if (!at.tricks_left) return empty(h("p", {}, "All cards have been played; there is nothing to claim."));
    const need = wantedOf(page, at);
    const said = page.state.need !== "" || page.memory.ruling === text(page, need)
      ? page.need("long", "adjudicate", text(page, need)) : null;
    const found = said?.answer?.limit === undefined ? said?.answer : undefined;
    return columns([
      headlineOf(contractMark(page.state),
        found ? `${plural(awardOf(page, found), "trick")} awarded, ${found.claimed} claimed`
          : `${plural(at.tricks_left, "trick")} left`),
      diagram(at, { names: page.state.players, label: "The cards that are left" }),
    ], [
      form(page, at, need),
      // A condition that cannot be read is said before the ruling is asked for.
      said
        ? answered(said,
          (
            answer
          ) => (answer.limit === undefined ? ruling(page, at, answer)
            : remark("Not decided: there are too many ways to play.")))
        : answered(page.need("table", "condition", given(page)), () => null),
    ]);
  },
};

/** The play up to the claim: the complete record if it ends with a claim and no card of it is selected.
 * @param {Page} page */
function claimedAt({ state }) {
  return state.play.length || !state.result || isEnding(state) || state.recorded ? state.play : state.record;
}

/** How many tricks are claimed: those that were chosen, of a record those that its result leaves, else all.
 * @param {Page} page @param {PlayPoint} at */
function wantedOf(page, at) {
  const { need, result, record } = page.state;
  if (need !== "") return Math.max(0, Math.min(Math.floor(Number(need)) || 0, at.tricks_left));
  if (result === "" || claimedAt(page).length < record.length) return at.tricks_left;
  const { by } = claimers(page);
  const ours = sideOf(by) === sideOf(declarer(page.state));
  const left = ours ? Number(result) - at.won[sideOf(by)] : 13 - Number(result) - at.won[sideOf(by)];
  return Math.max(0, Math.min(left || 0, at.tricks_left));
}

/** @param {Page} page @param {number} need */
const text = (page, need) => `${page.state.line.trim() || "rest"}\n${hiddenText(page, need, claimedAt(page))}`;

/** @param {Page} page @param {PlayPoint} at @param {number} need */
function form(page, at, need) {
  const { by, table } = claimers(page);
  const { record, line } = page.state;
  const play = claimedAt(page);
  return h("div", { class: "facts no-print" },
    choice("by", "Who claims", SEATS.map((seat) => [seat, SEAT[seat]]), by,
      (seat) => page.go({ by: seat }, { push: false })),
    choice("need", "How many", Array.from({ length: at.tricks_left + 1 }, (_, n) => [n, `${n} of ${at.tricks_left}`]),
      need, (wanted) => page.go({ need: wanted }, { push: false })),
    field("line", "Line stated, if any", line, (stated) => page.go({ line: stated }, { push: false }), {
      placeholder: "SA SK H2-HQ",
      autocapitalize: "off",
    }), knownBesides(page, [by, table]),
    record.length > 0
      && button("end", "To the end of the record", () => page.go({ play: record, need: "" }, { push: false }), {
        "aria-pressed": String(play.length === record.length),
      }), button("rule", "Give a ruling", () => page.go({ need: String(need) }), { class: "main" }),
    play.length || record.length ? null
      : hint("The cards are those of the whole deal. Play to the claim first, in Play or Record."));
}

/** Whether a record's claim is sure: then it is upheld, unless it did not mention trumps that are out. That is how
 * the command judges the claims of records. @param {Page} page @param {Ruling} found */
const isSure = (page, found) =>
  found.sure >= found.claimed && found.line === "rest" && page.state.result !== "" && page.state.record.length > 0
  && claimedAt(page).length === page.state.record.length;

/** @param {Page} page @param {Ruling} found */
const awardOf = (page, found) => (isSure(page, found) ? found.claimed : found.awarded);

/** A play trick by trick, with the card marked that costs the first trick.
 * @param {Worst} worst @param {WonTrick[]} byTrick @param {Inferior | null} inferior @param {string} caption */
function tricks(worst, byTrick, inferior, caption) {
  const cards = byTrick.reduce((sum, trick) => sum + trick.cards.length, 0);
  const marked = inferior ? inferior.at - worst.play.length + cards : NaN;
  let nth = 0;
  return h("table", { class: "tricks" }, h("caption", {}, caption),
    h("tbody", {},
      byTrick.map(({ leader, cards: played, won }, n) =>
        row(String(n + 1), [
          ...played.map((card, by) =>
            h("span", { class: nth++ === marked ? "worse" : "" }, h("span", { class: "seat" }, after(leader, by)), " ",
              cardMark(card))
          ),
          won ? "won" : "lost",
        ])
      )));
}

/** @param {Page} page @param {PlayPoint} at @param {Ruling} found */
function ruling(page, at, found) {
  const { by } = claimers(page);
  const won = at.won[sideOf(by)];
  const { claimed, sure, inferior, by_trick: [worstTricks, ...readingTricks] } = found;
  const awarded = awardOf(page, found);
  const certain = isSure(page, found);
  const isUpheld = awarded === claimed;
  page.say(`${plural(awarded, "trick")} of ${claimed} claimed.`);
  const known = page.state.given && page.need("table", "condition", given(page)).answer?.words;
  const plan = sure >= claimed && claimed > 0
    ? page.need("long", "plan", hiddenText(page, claimed, claimedAt(page))).answer : undefined;
  return h("section", { class: "ruling" }, h("h2", {}, "Ruling"),
    h("p", { class: "big" },
      certain ? `The claim is sure: ${plural(claimed, "trick")}.`
        : isUpheld ? "The claim stands." : `The claim does not stand: ${plural(awarded, "trick")}, not ${claimed}.`),
    h("p", {}, certain ? found.on_trumps : found.why), plan && plan.limit === undefined ? planLines(plan.why) : null,
    isUpheld ? null : tricks(found.worst, worstTricks, inferior, "The normal play that takes the fewest tricks"),
    inferior && !isUpheld
      ? h("p", {}, "The first inferior card is ", cardMark(inferior.card), ` by ${SEAT[inferior.seat]}; `,
        inferior.right.flatMap((card,
          n) => [n ? (n + 1 === inferior.right.length ? " or " : ", ") : "", cardMark(card)]
        ), " would cost nothing.") : null,
    certain && found.awarded < claimed
      ? h("details", { class: "reading" },
        h("summary", { "data-key": "reading trumps" }, `If the trumps were not mentioned: ${found.awarded}`),
        tricks(found.worst, worstTricks, inferior, `The play that awards ${found.awarded}`)) : null,
    found.readings.map(({ reading, awarded: other, why, worst }, n) =>
      other === awarded ? null
        : h("details", { class: "reading" },
          h("summary", { "data-key": `reading ${reading}` }, `Another reading awards ${other}. ${why}`),
          tricks(worst, readingTricks[n], null, `The play that awards ${other}`))
    ),
    tableOf({ class: "players" }, null, null, [["claimed by", SEAT[found.claimer]], ["tricks claimed", claimed], [
      "sure with two hands seen",
      sure,
    ], ["with all four seen", found.double_dummy], ["awarded", awarded], [`${sideName(sideOf(by))} in all`,
      won + awarded], ["line stated", found.line === "rest" ? "none" : found.line],
      ...known ? [["known of the hidden hands", known]] : []]),
    hint("After Law 70 of the Laws of Duplicate Bridge (2017). What is normal for a player of this class remains ",
      "the director's judgement."), button("print", "Print", () => print(), { class: "no-print" }));
}
