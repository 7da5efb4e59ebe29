// @ts-check
// Claim: how many tricks does a contested claim get?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, field, h, headlineOf, hint, remark, row, table as tableOf } from "../dom.mjs";
import { declarer, isEnding, playText } from "../state.mjs";
import { after, cardMark, plural, SEAT, seatOf, SEATS, sideName, sideOf, winnerOf } from "../words.mjs";
import { answered, contractMark, problem } from "./deal.mjs";
import { claim, claimers, condition, explained, knownBesides, LIMIT, planLines } from "./hands.mjs";

/** @import { Answers, Inferior, Worst } from "../answers.d.ts" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @typedef {Required<Answers["adjudicate"]>} Ruling */

/** @type {View} */
export const claimView = {
  id: "claim",
  name: "Claim",
  question: "How many tricks does this claim get?",
  sees: "Claimed with two hands seen, ruled with all four",
  title: ({ state }) => (state.board ? `Board ${state.board}, a claim` : "A claim"),
  show(page) {
    page.memory.keys = {};
    const { answer: at, error } = page.position(claimedAt(page));
    if (error) return problem(error);
    if (!at) return null;
    if (!at.tricks_left) return empty(h("p", {}, "All cards have been played; there is nothing to claim."));
    const need = wantedOf(page, at);
    const question = asked(page, need);
    const said = page.state.need !== "" || page.memory.ruling === question.question ? page.need("long", question)
      : null;
    const found = said?.answer && isRuling(said.answer) ? said.answer : undefined;
    return columns([
      headlineOf(contractMark(page.state),
        found ? `${plural(awardOf(page, found), "trick")} awarded, ${found.claimed} claimed`
          : `${plural(at.tricks_left, "trick")} left`),
      diagram(at, { names: page.state.players, label: "The cards that are left" }),
    ], [
      form(page, at, need),
      // A condition that cannot be read is said before the ruling is asked for.
      !said ? answered(condition(page, page.state.given), () => null)
        : said.because === "limit" ? remark("Not decided: there are too many ways to play.")
        : answered(said, () => found && ruling(page, at, found)),
    ]);
  },
};

/** Whether an answer is a ruling: a passed board has none. @param {Answers["adjudicate"]} answer
 * @returns {answer is Ruling} */
const isRuling = (answer) => answer.awarded !== undefined;

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

/** @param {Page} page @param {number} tricks */
function asked(page, tricks) {
  const { by, table } = claimers(page);
  const { line, given } = page.state;
  return {
    ask: /** @type {const} */ ("adjudicate"),
    question: playText(page.state, claimedAt(page)),
    by: seatOf(by),
    dummy: seatOf(table),
    tricks,
    line: line.trim() || "rest",
    if_left: given.trim() ? [given] : [],
    limit: LIMIT,
  };
}

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
 * @param {PlayPoint} at @param {string} by @param {Worst} worst @param {Inferior | null} inferior
 * @param {string} caption */
function tricks(at, by, { play }, inferior, caption) {
  const before = at.on_table.map(([, card]) => card);
  const marked = inferior ? inferior.at + before.length : NaN;
  const cards = [...before, ...play];
  /** @type {string} */
  let leader = at.leader;
  let nth = 0;
  const byTrick = Array.from({ length: cards.length / 4 }, (_, n) => {
    const trick = { leader, cards: cards.slice(4 * n, 4 * n + 4) };
    leader = after(leader, winnerOf(trick.cards, at.strain));
    return { ...trick, won: sideOf(leader) === sideOf(by) };
  });
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
  const { claimed, sure, inferior } = found;
  const awarded = awardOf(page, found);
  const certain = isSure(page, found);
  const isUpheld = awarded === claimed;
  page.say(`${plural(awarded, "trick")} of ${claimed} claimed.`);
  const known = page.state.given && condition(page, page.state.given).answer?.words;
  const plan = sure >= claimed && claimed > 0
    ? page.need("long", claim(page, explained(claimed), claimedAt(page))).answer : undefined;
  const onTrumps = found.readings.some(({ reading }) => reading === "trumps known")
    ? `If the claim did not mention the trumps that are out, Law 70C awards ${found.awarded}.` : "";
  return h("section", { class: "ruling" }, h("h2", {}, "Ruling"),
    h("p", { class: "big" },
      certain ? `The claim is sure: ${plural(claimed, "trick")}.`
        : isUpheld ? "The claim stands." : `The claim does not stand: ${plural(awarded, "trick")}, not ${claimed}.`),
    h("p", {}, certain ? onTrumps : found.why), plan?.plan ? planLines(plan.why ?? []) : null,
    isUpheld ? null : tricks(at, by, found.worst, inferior, "The normal play that takes the fewest tricks"),
    inferior && !isUpheld
      ? h("p", {}, "The first inferior card is ", cardMark(inferior.card), ` by ${SEAT[inferior.seat]}; `,
        inferior.right.flatMap((card,
          n) => [n ? (n + 1 === inferior.right.length ? " or " : ", ") : "", cardMark(card)]
        ), " would cost nothing.") : null,
    certain && found.awarded < claimed
      ? h("details", { class: "reading" },
        h("summary", { "data-key": "reading trumps" }, `If the trumps were not mentioned: ${found.awarded}`),
        tricks(at, by, found.worst, inferior, `The play that awards ${found.awarded}`)) : null,
    found.readings.map(({ reading, awarded: other, why, worst }) =>
      other === awarded ? null
        : h("details", { class: "reading" },
          h("summary", { "data-key": `reading ${reading}` }, `Another reading awards ${other}. ${why}`),
          tricks(at, by, worst, null, `The play that awards ${other}`))
    ),
    tableOf({ class: "players" }, null, null, [["claimed by", SEAT[by]], ["tricks claimed", claimed], [
      "sure with two hands seen",
      sure,
    ], ["with all four seen", found.double_dummy], ["awarded", awarded], [`${sideName(sideOf(by))} in all`,
      won + awarded], ["line stated", found.line === "rest" ? "none" : found.line],
      ...known ? [["known of the hidden hands", known]] : []]),
    hint("After Law 70 of the Laws of Duplicate Bridge (2017). What is normal for a player of this class remains ",
      "the director's judgement."), button("print", "Print", () => print(), { class: "no-print" }));
}
