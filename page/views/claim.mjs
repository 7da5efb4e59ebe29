// @ts-check
// Claim: how many tricks does a contested claim get?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, field, h, headlineOf, hint, row, table as tableOf, told } from "../dom.mjs";
import { after, cardMark, plural, SEAT, SEATS, sideName, sideOf } from "../words.mjs";
import { answered, contractMark, problem } from "./deal.mjs";
import { claimers, hiddenText, knownBesides, planLines } from "./hands.mjs";

/** @import { Inferior, Ruling, Shown, Worst } from "../answers.d.ts" */
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
    const { answer: at, error } = page.position();
    if (error) return problem(error);
    if (!at) return null;
    if (!at.tricks_left) return empty(h("p", {}, "All cards have been played; there is nothing to claim."));
    const { need: wanted } = page.state;
    const need = wanted === "" ? at.tricks_left : Math.min(Number(wanted) || 0, at.tricks_left);
    const said = wanted !== "" || page.memory.ruling === text(page, need)
      ? page.need("long", "adjudicate", text(page, need)) : null;
    const found = said?.answer?.limit === undefined ? said?.answer : undefined;
    return columns([
      headlineOf(contractMark(page.state),
        found ? `${plural(found.awarded, "trick")} awarded, ${found.claimed} claimed`
          : `${plural(at.tricks_left, "trick")} left`),
      diagram(at, { names: page.state.players, label: "The cards that are left" }),
    ], [form(page, at, need),
      said
      && answered(said,
        (
          answer
        ) => (answer.limit === undefined ? ruling(page, at, answer)
          : told("Not decided: there are too many ways to play.")))]);
  },
};

/** @param {Page} page @param {number} need */
const text = (page, need) => `${page.state.line.trim() || "rest"}\n${hiddenText(page, need)}`;

/** @param {Page} page @param {Shown} at @param {number} need */
function form(page, at, need) {
  const { by, table } = claimers(page);
  const { record, play, line } = page.state;
  return h("div", { class: "facts no-print" },
    choice("by", "Who claims", SEATS.map((seat) => [seat, SEAT[seat]]), by,
      (seat) => page.go({ by: seat }, { push: false })),
    choice("need", "How many", Array.from({ length: at.tricks_left + 1 }, (_, n) => [n, `${n} of ${at.tricks_left}`]),
      need, (wanted) => page.go({ need: wanted }, { push: false })),
    field("line", "Line stated, if any", line, (stated) => page.go({ line: stated }, { push: false }), {
      placeholder: "SA SK H2-HQ",
      autocapitalize: "off",
    }), knownBesides(page, [by, table]),
    record.length > play.length
      && button("end", "To the end of the record", () => page.go({ play: record }, { push: false })),
    button("rule", "Give a ruling", () => page.go({ need: String(need) }), { class: "main" }),
    play.length || record.length ? null
      : hint("The cards are those of the whole deal. Play to the claim first, in Play or Record."));
}

/** A play trick by trick, with the card marked that costs the first trick.
 * @param {Worst} worst @param {Inferior | null} inferior @param {string} caption */
function tricks(worst, inferior, caption) {
  const cards = worst.by_trick.reduce((sum, trick) => sum + trick.cards.length, 0);
  const marked = inferior ? inferior.at - worst.play.length + cards : NaN;
  let place = 0;
  return h("table", { class: "tricks" }, h("caption", {}, caption),
    h("tbody", {},
      worst.by_trick.map(({ leader, cards: played, won }, n) =>
        row(String(n + 1), [
          ...played.map((card, by) =>
            h("span", { class: place++ === marked ? "worse" : "" }, h("span", { class: "seat" }, after(leader, by)),
              " ", cardMark(card))
          ),
          won ? "won" : "lost",
        ])
      )));
}

/** @param {Page} page @param {Shown} at @param {Ruling} found */
function ruling(page, at, found) {
  const { by } = claimers(page);
  const won = at.won[sideOf(by)];
  const { awarded, claimed, sure, inferior } = found;
  const stands = awarded === claimed;
  page.say(`${plural(awarded, "trick")} of ${claimed} claimed.`);
  const plan = sure >= claimed && claimed > 0 ? page.need("long", "plan", hiddenText(page, claimed)).answer : undefined;
  return h("section", { class: "ruling" }, h("h2", {}, "Ruling"),
    h("p", { class: "big" },
      stands ? "The claim stands." : `The claim does not stand: ${plural(awarded, "trick")}, not ${claimed}.`),
    h("p", {}, found.why), plan && plan.limit === undefined ? planLines(plan.why) : null,
    stands ? null : tricks(found.worst, inferior, "The normal play that takes the fewest tricks"),
    inferior && !stands
      ? h("p", {}, "The first inferior card is ", cardMark(inferior.card), ` by ${SEAT[inferior.seat]}; `,
        inferior.right.flatMap((card,
          n) => [n ? (n + 1 === inferior.right.length ? " or " : ", ") : "", cardMark(card)]
        ), " would cost nothing.") : null,
    found.readings.map(({ reading, awarded: other, why, worst }) =>
      h("details", { class: "reading" },
        h("summary", { "data-key": `reading ${reading}` }, `Another reading awards ${other}. ${why}`),
        tricks(worst, null, `The play that awards ${other}`))
    ),
    tableOf({ class: "players" }, null, null, [["claimed by", SEAT[found.claimer]], ["tricks claimed", claimed], [
      "sure with two hands seen",
      sure,
    ], ["with all four seen", found.double_dummy], ["awarded", awarded], [`${sideName(sideOf(by))} in all`,
      won + awarded], ["line stated", found.line === "rest" ? "none" : found.line]]),
    hint("After Law 70 of the Laws of Duplicate Bridge (2017). What is normal for a player of this class remains ",
      "the director's judgement."), button("print", "Print", () => print(), { class: "no-print" }));
}
