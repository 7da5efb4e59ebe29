// @ts-check
// Chances: how many tricks, over all the ways the hidden cards may lie?
import { diagram } from "../diagram.mjs";
import { button, choice, columns, empty, h, headlineOf, hint, table as tableOf, unseen } from "../dom.mjs";
import { bid, declarer, dummy, isEnding, knownSeats, playText } from "../state.mjs";
import { after, cardMark, many, partner, percent, plural, SEAT, SEATS, sideName, sideOf, strainMark,
  SUIT } from "../words.mjs";
import { contractMark, problem } from "./deal.mjs";
import { given, knownBesides, takeBack, whoText } from "./hands.mjs";

/** @import { Answers, LargeCount, LayoutSums, PlayPoint } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */
/** @import { Inside } from "../dom.mjs" */
/** @typedef {Answers["shares"]["shares"][number]} Share */

/**
 * The counts so far: layouts by their tricks, in all, by card and by split.
 * @typedef {{
 *   parts: number, looked: number, tricks: number[], cards: Map<string, number[]>,
 *   splits: Map<string, Map<string, number[]>>, total?: LargeCount, error?: string, pending?: boolean,
 *   stopped?: boolean, exact: boolean, wanted: number, shares: Map<string, Share>,
 * }} Sum
 */

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
      return empty(h("p", {}, "These hands are not known."), chooser(page, at, seen, NOTHING, 0));
    const sum = gather(page, at, seen);
    weigh(page, sum, need);
    return columns([headline(page, at, seen, sum, need), table(page, at, seen, sum)], [
      chooser(page, at, seen, sum, need),
      sum.error ? problem(sum.error) : summary(page, at, seen, sum, need),
    ]);
  },
};

/** @type {Sum} */
const NOTHING = {
  parts: 0,
  looked: 0,
  tricks: [],
  cards: new Map(),
  splits: new Map(),
  exact: false,
  wanted: 0,
  shares: new Map(),
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

/** What has been looked at so far; asks for more.
 * @param {Page} page @param {PlayPoint} at @param {string[]} seen @returns {Sum} */
function gather(page, at, seen) {
  const about = `${whoText(seen)}\t${given(page)}\t${playText(page.state)}`;
  const sums = (page.memory.sums ??= new Map());
  const sum = sums.get(about)
    ?? {
      parts: 0,
      looked: 0,
      tricks: [],
      cards: new Map(),
      splits: new Map(),
      exact: false,
      wanted: 0,
      shares: new Map(),
    };
  sums.set(about, sum);
  sum.error = undefined;
  sum.pending = sum.stopped = false;
  const size = at.tricks_left > 9 ? 8 : at.tricks_left > 6 ? 20 : 50;
  for (;;) {
    const { total } = sum;
    sum.exact = total !== undefined && Number(total) <= ALL;
    sum.wanted = sum.exact ? Number(total) : FIRST + (page.memory.more ?? 0);
    if (total !== undefined && sum.looked >= sum.wanted) return sum;
    /** @param {number} n */
    const part = (n) => page.need("table", "chances", `${sum.exact ? "all" : "draw"}\t${n * size}\t${size}\t${about}`);
    // The first question says how many layouts there are.
    const { answer, error, stopped, pending } = total === undefined
      ? page.need("table", "chances", `all\t0\t1\t${about}`) : part(sum.parts);
    if (total !== undefined && sum.looked + size < sum.wanted) part(sum.parts + 1);
    sum.error = error;
    sum.stopped = stopped;
    sum.pending = pending;
    if (!answer) return sum;
    if (total === undefined) sum.total = answer.drawn_of;
    else {
      sum.parts += 1;
      add(sum, answer);
      if (!answer.layouts) return sum;
    }
  }
}

/** @param {Sum} sum @param {LayoutSums} part */
function add(sum, part) {
  /** @param {number[] | undefined} a @param {number[]} b */
  const plus = (a, b) => b.map((count, n) => count + (a?.[n] ?? 0));
  sum.looked += part.layouts;
  sum.tricks = plus(sum.tricks, part.counts);
  for (const { card, counts } of part.cards) sum.cards.set(card, plus(sum.cards.get(card), counts));
  for (const [suit, splits] of Object.entries(part.splits)) {
    const of = sum.splits.get(suit) ?? new Map();
    for (const { lengths, counts } of splits) of.set(lengths.join(" "), plus(of.get(lengths.join(" ")), counts));
    sum.splits.set(suit, of);
  }
}

/** Asks for the shares of what was counted; until they come, those of before stay.
 * @param {Page} page @param {Sum} sum @param {number} need */
function weigh(page, sum, need) {
  if (!sum.looked) return;
  const splits = [...sum.splits].flatMap(([suit, of]) =>
    [...of].map(([lengths, counts]) => ({ key: `${suit} ${lengths}`, counts }))
  );
  const all = [{ key: "", counts: sum.tricks }, ...[...sum.cards].map(([key, counts]) => ({ key, counts })), ...splits];
  const lines = all.map(({ counts }) => counts.join(" ")).join("\n");
  const { answer } = page.need("play", "shares", `${sum.exact ? "exact" : "drawn"}\t${need}\n${lines}`);
  answer?.shares.forEach((share, n) => sum.shares.set(all[n].key, share));
}

/** How many tricks are wanted of those left: those of the contract, or what beats it.
 * @param {Page} page @param {PlayPoint} at */
function target(page, at) {
  const { state } = page;
  if (state.need !== "") return Math.max(0, Math.min(at.tricks_left, Number(state.need) || 0));
  return page.need("play", "goal", `${bid(state) ? state.contract : "-"}\t${playText(state)}`).answer?.need ?? 0;
}

/** A share of layouts, with its interval of 95 % if they were drawn.
 * @param {Share | undefined} share @returns {Inside} */
function chance(share) {
  if (!share) return "…";
  const { at_least: some, interval } = share;
  if (!interval) return percent(some);
  return [percent(some, 0),
    h("span", { class: "hint" }, ` ${(100 * interval[0]).toFixed(0)} to ${percent(interval[1], 0)}`)];
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function headline(page, at, seen, sum, need) {
  const all = sum.shares.get("");
  const text = all ? `${plural(need, "trick")} or more: ${percent(all.at_least, sum.exact ? 1 : 0)}`
    : sum.error ? "Not known" : "…";
  if (all) page.say(`${sideName(sideOf(at.to_play))}: ${text} of ${sum.looked} layouts.`);
  return headlineOf([contractMark(page.state), ` · ${seen.map((seat) => SEAT[seat]).join(" and ")} seen`], text);
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum */
function table(page, at, seen, sum) {
  const { play } = page.state;
  const shares = [...sum.cards.keys()].flatMap((card) => sum.shares.get(card) ?? []);
  const top = shares.reduce((a, b) => (b.mean > (a?.mean ?? -1) ? b : a), shares[0]);
  // Of layouts that were drawn, what lies within the interval of the best may be as good.
  const best = top ? top.mean - top.half_width : 0;
  return diagram(at, {
    turn: seen.includes(at.to_play),
    names: page.state.players,
    hidden: SEATS.filter((seat) => !seen.includes(seat)),
    label: "The hands that are seen",
    look: (card, seat) => {
      const share = seat === at.to_play && sum.cards.has(card) ? sum.shares.get(card) : undefined;
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
  const all = sum.shares.get("");
  if (!all) return hint("Dealing the hidden cards …");
  const total = sum.total ?? 0;
  const some = sum.looked < Number(total) ? `${sum.looked} of ${total} layouts`
    : total === 1 ? "The one layout" : `All ${many(total)} layouts`;
  return [
    hint(
      sum.exact ? `${some} of the hidden cards, each played with all four hands seen. Exact.`
        : `${sum.looked} layouts drawn of ${
          many(total)
        }, each played with all four hands seen; the interval holds in 95 of 100 cases.`
    ),
    bars(all, sum, need),
    sum.cards.size > 0 && seen.includes(at.to_play) && byCard(page, at, seen, sum, need),
    sum.exact && seen.length === 2 && bySplit(sum, need, seen),
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

/** In how many layouts each card can be made to do without seeing the hidden hands, where that can be
 * counted. @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function singleDummy(page, at, seen, sum, need) {
  const ours = seen.length === 2 && seen.every((seat) => sideOf(seat) === sideOf(at.to_play));
  if (!ours || !sum.exact || at.tricks_left > 6 || !need) return null;
  return page.need("long", "single", `${need}\t${whoText(seen)}\t${given(page)}\t${playText(page.state)}`);
}

/** @param {Page} page @param {PlayPoint} at @param {string[]} seen @param {Sum} sum @param {number} need */
function byCard(page, at, seen, sum, need) {
  const single = singleDummy(page, at, seen, sum, need);
  const plan = single && !single.error;
  const sure = new Map(single?.answer?.cards.map((of) => [of.card, of.layouts]));
  // Cards that are the same in all that was looked at stand together.
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [card, tricks] of sum.cards) {
    const key = `${card[0]}${tricks.join()} ${sure.get(card)}`;
    groups.set(key, [card, ...(groups.get(key) ?? [])]);
  }
  const rows = [...groups.values()].map((cards) => ({
    cards,
    share: sum.shares.get(cards[0]),
    plan: sure.get(cards[0]),
  }));
  rows.sort((a, b) => (b.share?.mean ?? 0) - (a.share?.mean ?? 0));
  return h("div", {},
    tableOf({ class: "chances" }, "By card", ["card", `${need} or more`, ...(plan ? ["with a plan"] : []), "average"],
      rows.map((
        of
      ) => [of.cards.flatMap((card) => [cardMark(card), " "]), chance(of.share),
        ...(plan ? [of.plan === undefined || !single.answer ? "…" : percent(of.plan / single.answer.of)] : []),
        of.share?.mean.toFixed(2) ?? "…"]
      )),
    plan ? hint("With a plan: by the best plan of a player who sees two hands, against defenders who see all.") : null);
}

/** @param {Sum} sum @param {number} need @param {string[]} seen */
function bySplit(sum, need, seen) {
  const hidden = SEATS.map((seat, n) => ({ seat, n })).filter(({ seat }) => !seen.includes(seat));
  const rows = [...sum.splits].filter(([, splits]) => splits.size > 1).flatMap(([suit, splits]) =>
    [...splits.keys()].sort().map((lengths) => {
      const each = lengths.split(" ");
      const share = sum.shares.get(`${suit} ${lengths}`);
      return [[strainMark(suit), " ", hidden.map(({ n }) => each[n]).join("–"), unseen(` ${SUIT[suit]}`)],
        share ? percent(share.layouts / sum.looked) : "…", share ? percent(share.at_least) : "…"];
    })
  );
  return rows.length > 0
    && h("details", { open: true }, h("summary", { "data-key": "splits" }, `By split, ${
      hidden.map(({ seat }) => SEAT[seat]).join("–")
    }`), tableOf({ class: "chances" }, null, ["split", "how often", `${need} or more`], rows));
}
