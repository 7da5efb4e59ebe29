// @ts-check
// Deal: what makes? The table strain by strain, par, and ways to bring a deal in.
import { diagram } from "../diagram.mjs";
import { button, choice, columns, h, hint, remark, seenCue, seenOnly, table as tableOf, unseen } from "../dom.mjs";
import { solvedTag } from "../evening.mjs";
import { bid, declarer, isEnding, knownSeats } from "../state.mjs";
import { after, capital, cardsOf, handsOf, plural, pointsOf, SEAT, seatOf, SEATS, strainMark, STRAINS,
  SUIT } from "../words.mjs";
import { auction, dealtBy, resultLine, scoreText } from "./board.mjs";
import { entry, randomDeal } from "./entry.mjs";

/** @import { OneContract, OnePar } from "../answers.d.ts" */
/** @import { Said } from "../helpers.mjs" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Option } from "../dom.mjs" */
/** @import { State } from "../state.mjs" */

/** @type {View} */
export const dealView = {
  id: "deal",
  name: "Deal",
  question: "What makes?",
  sees: "All four hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}` : "A deal"),
  show(page) {
    page.memory.keys = {};
    const { answer, error } = page.position([]);
    const { players: names, unknown } = page.state;
    return [entry(page), columns([
      error ? problem(error)
        : answer ? diagram(answer, { names, points: pointsOf(answer.hands), hidden: [...unknown] }) : waiting(),
      auction(page.state),
      resultLine(page),
      // Those of a single board are said when it is read.
      page.evening.good.length > 1 && page.board?.notes.map((note) => hint(`${capital(note)}.`)),
    ], answer ? (unknown ? alone(page) : [facts(page), ...makes(page)]) : null)];
  },
};

/** Some hands alone: the questions about them, and how to name the remaining hands. @param {Page} page */
function alone(page) {
  const ask = [["contract", "Which contract is best?"], ["hands", "What is sure?"], ["chances", "How many tricks?"], [
    "suit",
    "How is a suit best played?",
  ]];
  const asked = page.state.unknown.length === 2 ? ask : ask.filter(([view]) => view === "chances");
  return [facts(page), remark(`${[...page.state.unknown].map((seat) => SEAT[seat]).join(" and ")} are not known.`),
    h("div", { class: "row-of" }, asked.map(([view, text]) => button(`ask-${view}`, text, () => page.go({ view })))),
    h("div", { class: "row-of" }, dealRest(page))];
}

/** Deals the hands that are not known. @param {Page} page */
export const dealRest = (page) =>
  button("deal-rest", "Deal the other hands at random", () => {
    const hands = handsOf(page.state.deal);
    const given = Object.fromEntries(knownSeats(page.state).map((seat) => [seat, cardsOf(hands[seat])]));
    page.go({ deal: randomDeal(given), unknown: "" });
  });

/** What is wrong. A file's name is left as it is, and no command is named. @param {string} text */
export const problem = (text) =>
  h("p", { class: "problem", role: "alert" },
    (/^[a-z]+[ ,:]/.test(text) ? capital(text) : text).replace(/ \(`setrograde [\w ]+`\)/, ""));
export const waiting = () => h("p", { class: "waiting" }, "…");

/** What is shown of a question: its answer, why there is none, or that it is under way.
 * @template Answer @param {Said<Answer>} said @param {(answer: Answer) => import("../dom.mjs").Inside} show */
export function answered({ answer, error, stopped }, show) {
  return error ? problem(error) : answer ? show(answer) : stopped ? hint("Stopped.") : waiting();
}

/** @param {Page} page */
function facts(page) {
  const { dealer, vulnerable } = page.state;
  /** @param {string} now @param {Option[]} options @returns {Option[]} */
  const orUnknown = (now, options) => (now ? options : [["", "unknown"], ...options]);
  return h("div", { class: "facts no-print" },
    choice("dealer", "Dealer", orUnknown(dealer, SEATS.map((seat) => [seat, SEAT[seat]])), dealer,
      (value) => page.go({ dealer: value }, { push: false })),
    choice("vulnerable", "Vulnerable",
      orUnknown(vulnerable, [["None", "nobody"], ["NS", "North–South"], ["EW", "East–West"], ["All", "both"]]),
      vulnerable, (value) => page.go({ vulnerable: value }, { push: false })));
}

/** The results of the deal by strain and declarer, as far as it is solved. The workers share the strains.
 * @param {Page} page */
export function results(page) {
  const { deal } = page.state;
  /** @type {Record<string, Record<string, number>>} */
  const tricks = {};
  let open = 0;
  let error;
  let stopped = false;
  STRAINS.forEach((strain, n) => {
    tricks[strain] = {};
    // Partners take the same tricks in most deals.
    for (const seat of ["N", "S", "E", "W"]) {
      const said = page.need("table", { ask: "solve", question: `${strain} ${after(seat)} ${deal}` }, n);
      const { tricks: taken, tricks_left: left } = said.answer ?? {};
      if (typeof taken === "number" && left !== undefined) tricks[strain][seat] = left - taken;
      else open += 1;
      error ??= said.error;
      stopped ||= Boolean(said.stopped);
    }
  });
  return { tricks, isWhole: !open, error, stopped };
}

/** The table and par. @param {Page} page */
function makes(page) {
  const said = results(page);
  return [table(page, said), par(page, said)];
}

/** @param {Page} page @param {ReturnType<typeof results>} said */
function table(page, said) {
  const { state } = page;
  const tricks = Math.max(...SEATS.map((seat) => cardsOf(handsOf(state.deal)[seat] ?? "").length));
  if (said.isWhole) page.say("The table is complete.");
  return tableOf({ class: "makes" }, ["Tricks by declarer", tricks < 13 ? ` of ${tricks}` : "",
    seenCue(" Choose one to play it")], [null, ...STRAINS.map(strainMark)],
    SEATS.map((seat) => [SEAT[seat], ...STRAINS.map((strain) => cell(page, seat, strain, said))]));
}

/** A result, to play it.
 * @param {Page} page @param {string} seat @param {string} strain @param {ReturnType<typeof results>} said */
function cell(page, seat, strain, { tricks: solved, error, stopped }) {
  if (error)
    return h("details", { class: "why" },
      h("summary", { "data-key": `why-${seat}${strain}` }, seenOnly("!"), unseen("not solved")), error);
  const tricks = solved[strain][seat];
  if (tricks === undefined)
    return h("span", { class: "open" }, stopped ? "–" : [seenOnly("·"), unseen("being solved")]);
  const { contract, deal } = page.state;
  return button(`cell-${seat}${strain}`, tricks,
    () =>
      page.go({
        view: "play",
        strain,
        leader: after(seat),
        play: [],
        contract: contract.endsWith(seat) ? contract : "",
      }), {
    class: bonusOf(strain, tricks),
    "aria-label": `${SEAT[seat]} in ${SUIT[strain]}: ${plural(tricks, "trick")}${deal ? ". Play it" : ""}`,
  });
}

/** A contract of par. @param {OneContract} of */
export const contractWords = (
  { level, strain, declarers, doubled, over }
) => [level, strainMark(strain), doubled ? " doubled" : "", " by ", declarers.map((seat) => SEAT[seat]).join(" or "),
  `, ${over === 0 ? "just made" : over < 0 ? `down ${-over}` : `+${over}`}`];

/** The bonus of the highest contract that makes with so many tricks. @param {string} strain @param {number} tricks */
function bonusOf(strain, tricks) {
  const game = strain === "NT" ? 9 : strain === "S" || strain === "H" ? 10 : 11;
  return tricks >= 12 ? "slam" : tricks >= game ? "game" : tricks >= 7 ? "part" : "none";
}

/** @param {Page} page @param {ReturnType<typeof results>} said */
function par(page, { tricks, isWhole }) {
  const { deal, dealer, vulnerable } = page.state;
  const { answer, error } = isWhole
    ? page.need("play", {
      ask: "par",
      board: `[Deal "${deal}"]\n${solvedTag(tricks)}`,
      dealer: dealer ? seatOf(dealer) : undefined,
      vulnerable: vulnerable || undefined,
      recorded: true,
    }) : { answer: undefined, error: undefined };
  return error ? null : answer ? parLines(page, answer.par) : h("p", { class: "par" }, h("b", {}, "Par"), " …");
}

/** Par: where the vulnerable sides are unknown, for each of them, and for each dealer if it depends on the dealer.
 * @param {Page} page @param {OnePar[]} all */
function parLines({ state }, all) {
  /** @param {OnePar} par */
  const textOf = ({ vulnerable, score, contracts }) => JSON.stringify([vulnerable, score, contracts]);
  return all.flatMap((par) => {
    const same = all.filter((other) => textOf(other) === textOf(par));
    const any = same.length === all.filter(({ vulnerable }) => vulnerable === par.vulnerable).length;
    if (any && same[0] !== par) return [];
    const vulnerable = state.vulnerable || VULNERABLE_AS[par.vulnerable];
    return parLine({ dealer: any ? state.dealer : par.dealer, vulnerable }, par);
  });
}

/** The names of the engine's vulnerable sides here. @type {Record<string, string>} */
const VULNERABLE_AS = { none: "None", NS: "NS", EW: "EW", both: "All" };

/** Par's score and contracts. @param {{ dealer: string, vulnerable: string }} of @param {OnePar | null} par */
export const parLine = (of, par) =>
  par
  && h("div", { class: "par" },
    h("p", {}, h("b", {}, "Par "), par.score === 0 ? "all pass" : scoreText(par.score),
      h("span", { class: "hint" }, ` ${dealtBy(of)}`)), h("ul", {}, par.contracts.map((contract) =>
        h("li", {}, contractWords(contract))
      )));

/** The contract that is played, in words and marks. @param {State} state */
export function contractMark(state) {
  const known = bid(state);
  const by = SEAT[declarer(state)];
  if (!known) {
    return [state.strain === "NT" ? "No trump" : [strainMark(state.strain), " trumps"],
      isEnding(state) ? `, ${by} leads` : `, ${by} declares`];
  }
  return [known.level, strainMark(state.strain), known.doubled === 2 ? " redoubled" : known.doubled ? " doubled" : "",
    ` by ${by}`];
}
