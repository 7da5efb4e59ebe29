// @ts-check
// Before the play: the contract to be in, and the best play of one suit.
import { diagram } from "../diagram.mjs";
import { button, choice, columns, cue, empty, field, h, headlineOf, hint, row, seenCue, seenOnly, table,
  unseen } from "../dom.mjs";
import { declarer, hiddenText, isEnding, knownSeats } from "../state.mjs";
import { after, CONTRACT, contractMarks, contractText, handsOf, many, partner, percent, plural, pointsOf, SEAT, seatOf,
  SEATS, signed, STRAINS, SUITS, SYMBOL } from "../words.mjs";
import { answered, problem, results, waiting } from "./deal.mjs";
import { knownBesides, planLines } from "./hands.mjs";

/** @import { Answers, Average, SuitLine } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */

/** Layouts are drawn in steps, each twice the previous one. */
const FIRST = 20;
const USUAL = 80;
const MOST = 1280;

/** @type {View} */
export const contractView = {
  id: "contract",
  name: "Contract",
  question: "Which contract is best with these two hands?",
  sees: "Two hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, the contract` : "The contract"),
  show(page) {
    page.memory.keys = {};
    if (isEnding(page.state)) return empty(h("p", {}, "Contracts are compared for whole deals."));
    const { answer: shown, error } = page.position([]);
    if (error) return problem(error);
    if (!shown) return null;
    const { unknown } = page.state;
    const by = page.state.by || declarer(page.state);
    const open = [by, partner(by)];
    if (open.some((seat) => unknown.includes(seat)))
      return empty(h("p", {}, "This needs two hands of one side."), declares(page, by, []));
    const contracts = page.state.contracts
      ? page.state.contracts.split("-").filter((text) => CONTRACT.test(text)).slice(0, MOST_CONTRACTS)
      : usual(page, by);
    if (!contracts) return null;
    return columns([headlineOf(null, contracts.map(contractText).join(" or "), "?"),
      diagram(shown, {
        names: page.state.players,
        points: pointsOf(shown.hands),
        hidden: SEATS.filter((seat) => !open.includes(seat)),
        label: "The two hands that are seen",
      })], [chooser(page, by, open, contracts), contracts.length > 0 && found(page, open, contracts)]);
  },
};

/** So many contracts are compared at most. */
const MOST_CONTRACTS = 6;

/** The contracts that are asked about at first: the one that was played, the best on the table, and games in the
 * longest fits. Where hands are not known there is no table.
 * @param {Page} page @param {string} by */
function usual(page, by) {
  const { state } = page;
  const contract = (state.recorded ? state.recorded.split(".")[2] : state.contract) || undefined;
  /** @type {number[]} */
  let tricks = [];
  if (!state.unknown) {
    const said = results(page);
    if (!said.isWhole && !said.error) return null;
    if (said.isWhole) tricks = STRAINS.flatMap((strain) => SEATS.map((seat) => said.tricks[strain][seat]));
  }
  const { vulnerable, deal: question } = state;
  const { answer, error } = page.need("play", {
    ask: "contracts",
    question,
    by: seatOf(by),
    vulnerable: vulnerable || "None",
    contract,
    tricks,
  });
  return error ? [] : answer?.contracts;
}

/** Who declares. @param {Page} page @param {string} by @param {string[]} contracts */
const declares = (page, by, contracts) =>
  choice("by", "Declarer", SEATS.filter((seat) => !page.state.unknown.includes(seat)).map((seat) => [seat, SEAT[seat]]),
    by, (seat) =>
    page.go({
      by: seat,
      // The other side's contracts are compared anew.
      contracts: seat === partner(by) ? contracts.map((text) => text.slice(0, -1) + seat).join("-") : "",
    }, { push: false }));

/** @param {Page} page @param {string} by @param {string[]} open @param {string[]} contracts */
function chooser(page, by, open, contracts) {
  /** @param {string[]} list */
  const set = (list) => page.go({ contracts: list.join("-") || "-" }, { push: false });
  const bids = [1, 2, 3, 4, 5, 6, 7].flatMap((level) => [...STRAINS].reverse().map((strain) => `${level}${strain}`));
  /** @type {[string, string][]} */
  const others = bids.filter((bid) => !contracts.includes(bid + by)).map((
    bid
  ) => [bid, bid.replace(/[SHDC]$/, (suit) => SYMBOL[suit])]);
  return h("div", { class: "facts" }, declares(page, by, contracts),
    choice("add", "Another contract", [["", "choose"], ...others], "", (bid) => set([...contracts, bid + by]), {
      disabled: contracts.length >= MOST_CONTRACTS,
      class: "no-print",
    }),
    h("div", { class: "chips", role: "group", "aria-label": "Contracts that are compared" },
      contracts.map((text) =>
        button(`drop-${text}`, [contractText(text), seenOnly(" ✕"), unseen(", remove")], () =>
          set(contracts.filter((other) => other !== text)))
      )), knownBesides(page, open));
}

/** @param {Page} page @param {string[]} open @param {string[]} contracts */
function found(page, open, contracts) {
  const wanted = page.memory.drawn ?? USUAL;
  /** @type {Answers["compare"] | undefined} */
  let known;
  for (let layouts = FIRST; layouts <= wanted; layouts *= 2) {
    const { vulnerable } = page.state;
    const question = hiddenText(page.state, open, []);
    const said = page.need("long", {
      ask: "compare",
      question,
      contracts,
      vulnerable: vulnerable || "None",
      draw: layouts,
    });
    if (said.error || (!said.answer && !known)) return answered(said, waiting);
    if (!said.answer) break;
    known = said.answer;
  }
  if (!known) return waiting();
  const drawn = known.contracts[0].layouts;
  const all = drawn === Number(known.layouts);
  const compared = known.contracts.length > 1;
  page.say(`${known.contracts.map((of) => `${of.contract} makes ${percent(of.makes, 0)}`).join(", ")}.`);
  return h("div", {},
    table({ class: "chances wraps" }, "Over the hidden hands", ["contract", "makes", "score",
      ...(compared ? ["matchpoints", "IMPs"] : [])],
      known.contracts.map((
        of
      ) => [contractMarks(of.contract), [percent(of.makes, 0),
        !all
        && h("span", { class: "hint" },
          ` ${(100 * of.makes_interval[0]).toFixed(0)} to ${percent(of.makes_interval[1], 0)}`)], of.score.toFixed(0),
        ...(compared ? [percent(of.matchpoints ?? 0, 0), signed(Number((of.imps ?? 0).toFixed(1)))] : [])]
      )),
    hint(
      all ? `All ${plural(drawn, "layout")}, played with all four hands seen. `
        : `${drawn} layouts drawn of ${
          many(known.layouts)
        }, each played with all four hands seen; the interval holds in 95 of 100 cases. `,
      compared ? "IMPs are against the first contract." : ""
    ), !all && drawn === wanted && wanted < MOST && button("more", "Draw twice as many", () => {
      page.memory.drawn = wanted * 2;
      page.draw();
    }));
}

/** @type {View} */
export const suitView = {
  id: "suit",
  name: "One suit",
  question: "How is this suit best played?",
  sees: "Two hands seen",
  title: () => "One suit",
  show(page) {
    page.memory.keys = {};
    const [north, south] = holding(page);
    const own = seats(page)[1];
    const tricks = page.state.need === "" ? undefined : Number(page.state.need);
    const said = page.need("long", { ask: "suit", north, south, tricks });
    return columns([form(page, north, south), answered(said, (answer) => play(page, answer, own))],
      said.answer && odds(page, said.answer));
  },
};

/** Dummy's and declarer's seats: their cards are asked about. @param {Page} page */
function seats({ state }) {
  const { unknown } = state;
  const by = declarer(state);
  const known = [by, partner(by)].every((seat) => !unknown.includes(seat));
  const own = known ? by : knownSeats(state)[0];
  return [partner(own), own];
}

/** The suit that is asked about; at first declarer's longest. @param {Page} page */
function holding(page) {
  if (page.state.holding) {
    const [north = "", south = ""] = page.state.holding.split("-");
    return [north || "-", south || "-"];
  }
  return suits(page).sort((a, b) => b.join("").length - a.join("").length)[0] ?? ["AJT98", "432"];
}

/** Declarer's and dummy's suits in the deal. @param {Page} page */
function suits(page) {
  const { state } = page;
  const hands = handsOf(state.deal);
  const [other, own] = seats(page).map((seat) => (state.unknown.includes(seat) ? "" : hands[seat] ?? "").split("."));
  return SUITS.map((_, n) => [other[n] || "-", own[n] || "-"]).filter(([a, b]) => a !== "-" || b !== "-");
}

/** Cards of a suit as they are read: 10, not T. @param {string} cards */
const readable = (cards) => cards.replace("-", "").replace("T", "10");

/** @param {Page} page @param {string} north @param {string} south */
function form(page, north, south) {
  const [dummy, own] = seats(page).map((seat) => SEAT[seat]);
  /** @param {string[]} hands */
  const set = (...hands) =>
    page.go({ holding: hands.map((hand) => hand.replace("10", "T").replace(/[^0-9a-z()/]/gi, "")).join("-"), need: "" },
      { push: false });
  const more = { size: 12, autocapitalize: "characters" };
  return h("div", {},
    h("div", { class: "facts" }, field("north", `${dummy}'s cards`, readable(north), (text) => set(text, south), more),
      field("south", `${own}'s cards`, readable(south), (text) => set(north, text), more)),
    cue("x is a low card, as in AJxxx."),
    h("div", { class: "chips", role: "group", "aria-label": "Suits of the deal" },
      suits(page).map(([other, mine], n) =>
        button(`suit-${n}`, `${readable(other) || "–"} – ${readable(mine) || "–"}`, () => set(other, mine), {
          "aria-pressed": String(other === north && mine === south),
        })
      )));
}

/** A plan of North's and South's in the seats of the hands that play it. @param {string} text @param {string} own */
const turned = (text, own) =>
  text.replace(/\b(North|East|South|West)\b/g, (name) => SEAT[after(name[0], SEATS.indexOf(own) + 2)]);

/** @param {Page} page @param {Answers["suit"]} answer @param {string} own declarer's seat */
function play(page, { lines: [line] }, own) {
  page.say(`${plural(line.tricks, "trick")}: ${percent(line.chance)}.`);
  return h("section", {}, headlineOf(null, `${plural(line.tricks, "trick")}: ${percent(line.chance, 2)}`),
    planLines(line.plan.map((text) => turned(text, own).replace(/\bT\b/g, "10"))));
}

/** @param {Page} page @param {Answers["suit"]} answer */
function odds(page, { at_least: chances, lines: [line], average, matchpoints }) {
  const rows = chances.map((chance, tricks) =>
    row(button(`tricks-${tricks}`, tricks, () => page.go({ need: String(tricks) }, { push: false })), [
      h("span", { class: tricks === line.tricks ? "bar enough" : "bar", style: { width: `${100 * chance}%` } }),
      percent(chance, 2),
    ], { "aria-current": tricks === line.tricks && "true" })
  );
  /** @param {string} name @param {Average | null} of */
  const best = (name, of) =>
    of
    && h("p", {}, h("b", {}, `${name}: `), `${of.mean.toFixed(2)} tricks. `,
      of.at_least.flatMap((chance, tricks) => (tricks && chance > 0 ? [`${tricks}: ${percent(chance)}`] : [])).join(
        ", "
      ), ".");
  return [
    h("table", { class: "bars" }, h("caption", {}, "At least so many tricks ", seenCue("Choose one to see its play")),
      h("tbody", {}, rows.slice(1))),
    best("Best on average", average),
    best("Best at matchpoints", matchpoints),
    splits(line, seats(page)[1]),
    hint("The opponents see all cards and never lead the suit; entries in both hands are taken for granted."),
  ];
}

/** In which layouts the line wins. @param {SuitLine} line @param {string} own declarer's seat */
const splits = (line, own) =>
  h("details", {}, h("summary", { "data-key": "splits" }, "When it wins"),
    table({ class: "chances" }, null, [`${SEAT[after(own)]}–${SEAT[after(own, 3)]}`, "how often", "wins"],
      line.splits.map((
        of
      ) => [`${of.lengths[1]}–${of.lengths[0]}`, percent(of.chance), `${of.wins} of ${of.layouts}`])));
