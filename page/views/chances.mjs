// @ts-check
// Chances: how many tricks, over all the ways the hidden cards may lie?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, h, headlineOf, hint, table as tableOf, unseen } from "../dom.mjs";
import { bid, declarer, dummy, hiddenText, isEnding, knownSeats, PACK } from "../state.mjs";
import { after, cardMark, many, partner, percent, plural, SEAT, SEATS, sideName, sideOf, strainMark,
  SUIT } from "../words.mjs";
import { contractMark, problem } from "./deal.mjs";
import { knownBesides, takeBack } from "./hands.mjs";

/** @import { Answers, LargeCount, SplitOdds } from "../answers.d.ts" */
/** @import { Page, PlayPoint, View } from "../app.mjs" */
/** @import { Inside } from "../dom.mjs" */
/** @typedef {Answers["odds"]} Odds */
/** Shares of layouts: of each number of tricks, of the wanted ones or more with its interval of 95 % if layouts were
 * drawn, and the mean number.
 * @typedef {{ each: number[], enough: number, interval?: [number, number], mean: number }} Share */
/** The odds so far.
 * @typedef {{ found?: Odds, total?: LargeCount, exact: boolean, error?: string, pending?: boolean,
 *             stopped?: boolean }} Sum */

/** Up to so many layouts all are looked at; of more, some are drawn. */
const ALL = 1000;
/** So many are drawn at first, and when more are wanted. */
const FIRST = 160;
const MORE = 480;

/** @type {View} */
export const chancesView = {
  id: "chances",
  name: "Chances",
  question: "How many tricks, over all the ways the hidden cards may lie?",
  sees: "One or two hands seen",
  title: ({ state }) => (state.board ? `Board ${state.board}, chances` : "Chances"),
  show(page) {
    page.memory.keys = {};
    const { answer: at, error } = page.position();
    if (error) return problem(error);
    if (!at) return null;
    if (!at.tricks_left) return empty(h("p", {}, "All cards have been played."));
    const seen = seats(page, at);
    const need = target(page, at);
    if (seen.some((seat) => page.state.unknown.includes(seat)))
      return empty(h("p", {}, "These hands are not known."), chooser(page, at, seen, { exact: false }, 0));
    const sum = gather(page, seen);
    return columns([headline(page, at, seen, sum, need), table(page, at, seen, sum)], [
      chooser(page, at, seen, sum, need),
      sum.error ? problem(sum.error) : summary(page, at, seen, sum, need),
    ]);
  },
};

/** The hands that are seen: the lead comes before dummy.
 * @param {Page} page @param {PlayPoint} at @returns {string[]} */
function seats({ state }, at) {
  const ending = isEnding(state);
  const first = state.play.length === 0 && !ending;
  const [known] = knownSeats(state);
  const by = state.by
    || (state.unknown ? known
      : first ? state.leader : !ending && at.to_play === dummy(state) ? declarer(state) : at.to_play);
  if (ending) return [by, partner(by)];
  if (by === declarer(state) || by === dummy(state)) return [declarer(state), dummy(state)];
  return first ? [by] : [by, dummy(state)];
}

/** What has been looked at so far; asks for more. @param {Page} page @param {string[]} seen @returns {Sum} */
function gather(page, seen) {
  const question = hiddenText(page.state, SEATS.filter((seat) => seen.includes(seat)));
  const sums = (page.memory.sums ??= new Map());
  const ask = /** @type {const} */ ("odds");
  // The first question says how many layouts there are.
  const first = page.need("table", { ask, question, draw: 1 }, 0);
  const total = first.answer && (first.answer.drawn_of ?? first.answer.layouts);
  if (total === undefined) return { ...first, exact: false };
  const exact = Number(total) <= ALL;
  // One worker keeps the layouts that are solved: more are added to them.
  const said = page.need("table",
    exact ? { ask, question, draw: Number(total), all: true, by_split: true }
      : { ask, question, draw: FIRST + (page.memory.more ?? 0), all: true }, 0);
  const { error, pending, stopped } = said;
  const found = said.answer ?? (isWhole(said.part) ? said.part : undefined);
  // Fewer layouts were known before, until more are.
  if (found && Number(found.layouts) >= Number(sums.get(question)?.layouts ?? 0)) sums.set(question, found);
  return { found: sums.get(question), total, exact, error, pending, stopped };
}

/** Whether a part has all names that odds have. @param {Partial<Odds> | undefined} part @returns {part is Odds} */
const isWhole = (part) => part?.side !== undefined;

/** Shares of layouts, of the side to play.
 * @param {{ chances: number[], mean: number, intervals?: [number, number][] }} of @param {number} need
 * @param {boolean} [turned] whether they count the tricks of the other side @returns {Share} */
function shareOf({ chances, mean, intervals }, need, turned = false) {
  const left = chances.length - 1;
  const each = turned ? [...chances].reverse() : chances;
  const enough = each.slice(need).reduce((sum, chance) => sum + chance, 0);
  const own = turned
    ? intervals
      && [intervals[0],
        ...intervals.slice(1).reverse().map(([low, high]) => /** @type {[number, number]} */ ([1 - high, 1 - low]))]
    : intervals;
  return { each, enough: Math.min(enough, 1), interval: own?.[need], mean: turned ? left - mean : mean };
}

/** The shares of all layouts, once some are known. @param {Sum} sum @param {number} need */
const allOf = ({ found }, need) => found && shareOf(found, need, isTurned(found));

/** Whether odds count the tricks of the side that is not to play. @param {Odds} found */
const isTurned = ({ side, to_play: seat }) => !side.includes(seat);

/** How many tricks are wanted of those left: those of the contract, or what beats it.
 * @param {Page} page @param {PlayPoint} at */
function target(page, at) {
  const { state } = page;
  if (state.need !== "") return Math.max(0, Math.min(at.tricks_left, Number(state.need) || 0));
  const contract = bid(state);
  if (!contract) return Math.ceil(at.tricks_left / 2);
  const [tricks, side] = [6 + contract.level, sideOf(at.to_play)];
  const wanted = side === sideOf(declarer(state)) ? tricks : 14 - tricks;
  return Math.min(Math.max(wanted - at.won[side], 0), at.tricks_left);
}

/** A share of layouts, with its interval of 95 % if they were drawn.
 * @param {Share} share @returns {Inside} */
function chance(share) {
  const { enough, interval } = share;
  if (!interval) return percent(enough);
  return [percent(enough, 0),
    h("span", { class: "hint" }, ` ${(100 * interval[0]).toFixed(0)} to ${percent(interval[1], 0)}`)];
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function headline(page, at, seen, sum, need) {
  const all = allOf(sum, need);
  const text = all ? `${plural(need, "trick")} or more: ${percent(all.enough, sum.exact ? 1 : 0)}`
    : sum.error ? "Not known" : "…";
  if (all) page.say(`${sideName(sideOf(at.to_play))}: ${text} of ${sum.found?.layouts} layouts.`);
  return headlineOf([contractMark(page.state), ` · ${seen.map((seat) => SEAT[seat]).join(" and ")} seen`], text);
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum */
function table(page, at, seen, sum) {
  const { play } = page.state;
  const cards = sum.found?.cards ?? [];
  const top = cards.reduce((a, b) => (b.mean > (a?.mean ?? -1) ? b : a), cards[0]);
  // Of layouts that were drawn, what lies within the interval of the best may be as good.
  const best = top ? top.mean - (top.mean_half_width ?? 0) : 0;
  return diagram(at, {
    turn: seen.includes(at.to_play),
    names: page.state.players,
    hidden: SEATS.filter((seat) => !seen.includes(seat)),
    label: "The hands that are seen",
    look: (card, seat) => {
      const share = seat === at.to_play ? cards.find((of) => of.card === card) : undefined;
      return share
        ? {
          note: share.mean.toFixed(1),
          words: `${share.mean.toFixed(2)} tricks on average`,
          class: share.mean > best - 0.005 ? "best" : "",
          press: page.state.unknown ? undefined
            : () => page.state.play === play && page.go({ play: [...play, card] }, { push: false }),
        } : null;
    },
  });
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function chooser(page, at, seen, sum, need) {
  const { state } = page;
  const ending = isEnding(state);
  const options = ending ? [at.to_play, after(at.to_play)]
    : SEATS.filter((seat) => seat !== dummy(state) && !state.unknown.includes(seat));
  /** @param {string} seat */
  const name = (
    seat
  ) => (ending ? `${SEAT[seat]} and ${SEAT[partner(seat)]}`
    : `${SEAT[seat]}${seat === declarer(state) ? ", declarer" : state.play.length ? "" : ", before the lead"}`);
  return h("div", { class: "facts" },
    choice("by", "Seen by", options.map((seat) => [seat, name(seat)]),
      options.find((seat) => (ending ? seen.includes(seat) : seat === seen[0])) ?? null,
      (by) => page.go({ by }, { push: false })),
    choice("need", `Wanted by ${sideName(sideOf(at.to_play))}`,
      Array.from({ length: at.tricks_left + 1 }, (_, n) => [n, plural(n, "trick")]), need,
      (wanted) => page.go({ need: wanted }, { push: false })), knownBesides(page, seen), takeBack(page),
    sum.stopped && button("again", "Continue", () => page.go({})));
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function summary(page, at, seen, sum, need) {
  const { found, total = 0 } = sum;
  const all = allOf(sum, need);
  if (!all || !found) return hint("Dealing the hidden cards …");
  const looked = Number(found.layouts);
  const some = looked < Number(total) ? `${looked} of ${total} layouts`
    : total === 1 ? "The one layout" : `All ${many(total)} layouts`;
  return [
    hint(
      sum.exact ? `${some} of the hidden cards, each played with all four hands seen. Exact.`
        : `${looked} layouts drawn of ${
          many(total)
        }, each played with all four hands seen; the interval holds in 95 of 100 cases.`
    ),
    bars(all, sum, need),
    seen.includes(at.to_play) && byCard(page, at, seen, sum, need),
    sum.exact && seen.length === 2 && bySplit(found, need, seen),
    !sum.exact && !sum.pending && !sum.stopped && button("more", `Draw ${MORE} more`, () => {
      page.memory.more = (page.memory.more ?? 0) + MORE;
      page.draw();
    }),
  ];
}

/** @param {Share} all @param {Sum} sum @param {number} need */
function bars(all, sum, need) {
  const most = Math.max(...all.each);
  const rows = all.each.map((share, tricks) => ({ share, tricks }));
  const from = all.each.findIndex(Boolean);
  return tableOf({ class: "bars" }, "Tricks of the side to play", null,
    rows.slice(from, all.each.findLastIndex(Boolean) + 1).map((
      { share, tricks }
    ) => [tricks,
      h("span", { class: tricks >= need ? "bar enough" : "bar", style: { width: `${(100 * share) / most}%` } }),
      percent(share, sum.exact ? 1 : 0)]
    ));
}

/** The most positions of that search. */
const MOST_VISITS = 3_000_000;

/** In how many layouts each card can be made to do without seeing the hidden hands, where that can be
 * counted. @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function singleDummy(page, at, seen, sum, need) {
  const ours = seen.length === 2 && seen.every((seat) => sideOf(seat) === sideOf(at.to_play));
  if (!ours || !sum.exact || at.tricks_left > 6 || !need) return null;
  const question = hiddenText(page.state, seen);
  return page.need("long", { ask: "single_dummy", question, tricks: need, limit: MOST_VISITS });
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function byCard(page, at, seen, sum, need) {
  const single = singleDummy(page, at, seen, sum, need);
  const plan = single && !single.error;
  const sure = new Map(single?.answer?.cards?.map((of) => [of.card, of.layouts]));
  // Cards that are the same in all that was looked at stand together.
  /** @type {Map<string, { cards: string[], share: Share, plan?: number }>} */
  const groups = new Map();
  for (const of of [...sum.found?.cards ?? []].sort((a, b) => PACK.indexOf(a.card) - PACK.indexOf(b.card))) {
    const plans = sure.get(of.card);
    const key = `${of.card[0]}${of.counts.join()} ${plans}`;
    const cards = [of.card, ...groups.get(key)?.cards ?? []];
    groups.set(key, { cards, share: shareOf(of, need), plan: plans });
  }
  const rows = [...groups.values()].sort((a, b) => b.share.mean - a.share.mean);
  return h("div", {},
    tableOf({ class: "chances" }, "By card", ["card", `${need} or more`, ...(plan ? ["with a plan"] : []), "average"],
      rows.map((
        of
      ) => [of.cards.flatMap((card) => [cardMark(card), " "]), chance(of.share),
        ...(plan ? [of.plan === undefined || !single.answer?.of ? "…" : percent(of.plan / single.answer.of)] : []),
        of.share.mean.toFixed(2)]
      )),
    plan ? hint("With a plan: by the best plan of a player who sees two hands, against defenders who see all.") : null);
}

/** @param {Odds} found @param {number} need @param {string[]} seen */
function bySplit(found, need, seen) {
  const hidden = SEATS.map((seat, n) => ({ seat, n })).filter(({ seat }) => !seen.includes(seat));
  /** @param {SplitOdds} of */
  const lengths = (of) => hidden.map(({ n }) => of.lengths[n]).join("–");
  const rows = Object.entries(found.splits ?? {}).filter(([, splits]) => splits.length > 1).flatMap(([suit, splits]) =>
    [...splits].sort((a, b) => (a.lengths.join(" ") < b.lengths.join(" ") ? -1 : 1)).map((
      of
    ) => [[strainMark(suit), " ", lengths(of), unseen(` ${SUIT[suit]}`)],
      percent(Number(of.layouts) / Number(found.layouts)), percent(shareOf(of, need, isTurned(found)).enough)]
    )
  );
  return rows.length > 0
    && h("details", { open: true }, h("summary", { "data-key": "splits" }, `By split, ${
      hidden.map(({ seat }) => SEAT[seat]).join("–")
    }`), tableOf({ class: "chances" }, null, ["split", "how often", `${need} or more`], rows));
}
