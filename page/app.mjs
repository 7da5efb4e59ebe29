// @ts-check
// The page: what the link says is shown, and what is done changes the link.
import { kept, take, takeFiles, takeText } from "./boards.mjs";
import { button, byId, empty, h, patch, select } from "./dom.mjs";
import { Evening } from "./evening.mjs";
import { Helpers, load } from "./helpers.mjs";
import { contractOf, fresh, OF_ALL, ofBoard, playText, readLink, settled, writeLink } from "./state.mjs";
import { contractView, suitView } from "./views/advice.mjs";
import { allView } from "./views/all.mjs";
import { along } from "./views/along.mjs";
import { chancesView } from "./views/chances.mjs";
import { claimView } from "./views/claim.mjs";
import { dealRest, dealView, problem } from "./views/deal.mjs";
import { endingsView } from "./views/endings.mjs";
import { cardsView } from "./views/entry.mjs";
import { handsView } from "./views/hands.mjs";
import { matterView } from "./views/matter.mjs";
import { playView } from "./views/play.mjs";
import { lessonView, problemsView, recordsView } from "./views/print.mjs";
import { recordView } from "./views/record.mjs";
import { resultsView } from "./views/results.mjs";
import { tablesView } from "./views/tables.mjs";
import { contractText, SEAT } from "./words.mjs";

/** @import { Answers, BoardRead, Question, ShownBoard } from "./answers.d.ts" */
/** @import { Said } from "./helpers.mjs" */
/** @import { Drawn, Inside, Option } from "./dom.mjs" */
/** @import { State } from "./state.mjs" */
/** @import { Odds } from "./views/chances.mjs" */

/**
 * @typedef {{ id: string, name: string, question: string, sees: string,
 *             title: (page: Page) => string, show: (page: Page) => Inside }} View
 */

/**
 * What a view remembers outside the link: what its keys do, what is wrong with the pasted text, what is open, what
 * was asked for, what was chosen.
 * @typedef {{
 *   keys?: Record<string, () => void>, problem?: string, entryOpen?: boolean, how?: boolean,
 *   seat?: string, card?: string, exchange?: string, one?: string, other?: string, copied?: boolean,
 *   sums?: Map<string, Odds>, more?: number, drawn?: number,
 *   made?: { seat: string, about: string, low: string, high: string },
 *   search?: string, help?: string, ruling?: string,
 *   chosen?: string | null, chosenSeat?: string,
 *   swapped?: { one: string, other: string, faded: boolean, before: number | undefined },
 * }} Memory
 */

/** @type {View[]} */
const VIEWS = [allView, resultsView, dealView, cardsView, tablesView, recordsView, problemsView, lessonView, playView,
  recordView, matterView, handsView, chancesView, claimView, endingsView, contractView, suitView];

const EXAMPLE = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

/** Views to print, which are reached from All boards. */
const SHEETS = ["records", "problems", "lesson"];
/** Views that look at one or two hands. */
const WITH_TWO = ["hands", "chances", "contract", "suit"];
/** The meaning of "by": whose claim, who looks, who declares. @type {Record<string, string>} */
const BY = { hands: "claim", claim: "claim", chances: "chances", contract: "contract" };
/** Views that ask for a number of tricks, each for its own. */
const NEED = ["claim", "chances", "suit"];

/** A number of ms after which a page shows its work. */
const PATIENCE = 300;

/** Answers that arrive within this number of ms are drawn together. */
const COALESCE = 2;

/** A point of the play. A board that was passed out has none. @typedef {Required<Answers["position"]>} PlayPoint */
/** @param {Answers["position"]} answer @returns {answer is PlayPoint} */
const isPoint = (answer) => answer.hands !== undefined;

/** The interface that all views use. */
export class Page {
  /** @param {Helpers} helpers */
  constructor(helpers) {
    this.helpers = helpers;
    this.state = readLink(location.hash);
    /** The boards of a file. */
    this.evening = new Evening([]);
    /** @type {Memory} */
    this.memory = {};
    /** The problem shown on the screen. */
    this.wrong = "";
    /** The last thing that was said to those who do not see. */
    this.said = "";
    /** @type {Record<string, number>} */
    this.times = {};
    /** The list of the boards. @type {{ at: number, evening: Evening, drawn: Drawn } | undefined} */
    this.list = undefined;
    /** A drawing that is to come. */
    this.drawn = 0;
    /** The next look at what lasts. */
    this.timer = 0;
    /** Whether the boards of the evening wait. */
    this.paused = false;
    /** The errors of views. @type {string[]} */
    this.failures = [];
    /** Whether what had the focus is gone. */
    this.lost = false;
    /** What was chosen for other questions about this deal. @type {Map<string, Partial<State>>} */
    this.chosen = new Map();
    this.settings = settings();
  }

  get boards() {
    return this.evening.boards;
  }

  /** Asks, and returns what is known so far.
   * @template {Question} Asked @param {string} role @param {Asked} question @param {number} [about]
   * @returns {Said<Answers[Asked["ask"]]>} */
  need(role, question, about) {
    return this.helpers.need(role, question, about);
  }

  /** The position of the state's play. @param {string[]} [cards] @returns {Said<PlayPoint>} */
  position(cards) {
    const said = this.need("play", { ask: "position", question: playText(this.state, cards) });
    return { ...said, answer: said.answer && isPoint(said.answer) ? said.answer : undefined };
  }

  /** Changes the state. With `push` the browser's back button returns.
   * @param {Partial<State>} change @param {{ push?: boolean }} [how] */
  go(change, { push = true } = {}) {
    const before = this.state;
    const state = { ...before, ...change };
    if (state.deal !== before.deal) this.chosen.clear();
    else if (state.view !== before.view) Object.assign(state, this.choicesOf(before, state.view), change);
    // The record keeps its contract when another one is looked at.
    if (state.record !== before.record) state.recorded = "";
    else if (!state.recorded && contractOf(state) !== contractOf(before)) state.recorded = contractOf(before);
    this.state = settled(state);
    // What was stopped in one view goes on in the next.
    this.paused &&= state.view === before.view;
    if (state.deal !== before.deal) this.memory = {};
    // An earlier error does not belong to the new view.
    else if (state.view !== before.view || state.made !== before.made) this.memory.problem = "";
    const link = writeLink(this.state);
    if (link !== location.hash) history[push ? "pushState" : "replaceState"](null, "", link);
    this.helpers.again();
    this.draw();
  }

  /** What was chosen for a view's question; what was chosen for another question is kept for its return.
   * @param {State} before @param {string} view @returns {Partial<State>} */
  choicesOf({ view: from, by, need }, view) {
    if (BY[from]) this.chosen.set(`by ${BY[from]}`, { by });
    if (NEED.includes(from)) this.chosen.set(`need ${from}`, { need });
    return { by: "", need: "", ...this.chosen.get(`by ${BY[view]}`), ...this.chosen.get(`need ${view}`) };
  }

  /** Shows an error under the heading; nothing if the text is empty. @param {string} text */
  complain(text) {
    this.memory.problem = text;
    this.draw();
    // It may be above what is seen of a long list.
    if (text) scrollTo({ top: 0, behavior: "instant" });
  }

  /** @param {ShownBoard} board @param {string} [view] */
  open(board, view) {
    const state = ofBoard(board);
    const at = this.evening.placeOf(board);
    const { sort, show } = this.state;
    this.go({
      ...state,
      sort,
      show,
      at: at < 0 ? "" : String(at),
      view: view ?? (state.record.length ? "record" : "deal"),
    });
  }

  /** The index of the shown board, or -1. */
  get at() {
    const { at, deal, board, room } = this.state;
    if (at && this.boards[Number(at)]?.deal === deal) return Number(at);
    const here = this.evening.tablesOf(deal).find((one) =>
      String(one.board ?? "") === board && (one.room ?? "") === room
    );
    return here ? this.evening.placeOf(here) : -1;
  }

  /** The board that is shown, if it is one of the page's. */
  get board() {
    const board = this.boards[this.at];
    return board?.deal ? board : undefined;
  }

  /** Says something to those who do not see. @param {string} text */
  say(text) {
    if (text === this.said) return;
    this.said = text;
    byId("live").textContent = text;
  }

  /** Whether a view is among those to choose from. @param {View} view */
  offers({ id }) {
    if (id === "cards") return false;
    if (this.state.unknown && !["boards", "results", "deal", ...WITH_TWO].includes(id)) return false;
    const { good } = this.evening;
    if (id === "boards") return good.length > 1;
    if (id === "results") return good.some(({ played, scored }) => scored || (played && good.length > 1));
    return id === "tables" ? this.evening.tablesOf(this.state.deal).length > 1 : !SHEETS.includes(id);
  }

  /** Draws new answers; those that arrive at about the same time are drawn once. */
  heard() {
    this.drawn ||= window.setTimeout(() => this.draw(), COALESCE);
  }

  /** Draws what was done, at once. */
  draw() {
    clearTimeout(this.drawn);
    this.drawn = 0;
    const from = performance.now();
    this.helpers.begin();
    const view = VIEWS.find(({ id }) => id === this.state.view) ?? dealView;
    const main = byId("view");
    const focus = document.activeElement;
    const [within, inHand] = [main.contains(focus), focus?.closest(".hand")];
    const inside = this.shown(view);
    const changed = main.dataset.view !== view.id;
    if (changed) main.replaceChildren();
    // The old view stays until the position is known: that takes a millisecond.
    if (inside || changed)
      patch(main, [heading(this, view), inside ?? h("p", { class: "waiting" }, "…"),
        inside ? this.safely(() => along(this, view)) : null]);
    // The focused element may be gone: then a card of the hand to play gets it, or the heading.
    this.lost ||= (within && !main.contains(document.activeElement)) || (changed && Boolean(main.dataset.view));
    if (inside && this.lost) {
      this.lost = false;
      const next = (inHand && main.querySelector(".hand.turn button")) || main.querySelector("h1");
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    }
    // The message is visible, even below a form on a narrow screen.
    const wrong = main.querySelector("[role=alert]");
    if (wrong && wrong.textContent !== this.wrong) wrong.scrollIntoView({ block: "nearest" });
    this.wrong = wrong?.textContent ?? "";
    main.dataset.view = view.id;
    patch(byId("views"),
      VIEWS.filter((one) => one === view || this.offers(one)).map(({ id, name }) =>
        h("li", {},
          h("a", {
            href: writeLink(settled({ ...this.state, view: id })),
            "data-view": id,
            "aria-current": id === view.id && "page",
          }, name))
      ));
    document.title = `${titleOf(this, view)} · setrograde`;
    this.helpers.end();
    this.progress();
    this.times.draw = performance.now() - from;
    this.times.longest = Math.max(this.times.longest ?? 0, this.times.draw);
  }

  /** The contents of a view. A link may name what no view was made for: then that is said, and the page goes on.
   * @param {View} view @returns {Inside} */
  shown(view) {
    const { state } = this;
    if (state.unknown && ![...WITH_TWO, "deal", "cards", ...OF_ALL].includes(view.id)) return twoAlone(this);
    return this.safely(() => view.show(this));
  }

  /** What is drawn, or that it cannot be. @param {() => Inside} show */
  safely(show) {
    try {
      return show();
    } catch (error) {
      this.failures.push(`${location.hash}: ${error instanceof Error ? error.stack : error}`);
      return problem(`This cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Shows what lasts, with a way to stop it. */
  progress() {
    const box = byId("progress");
    const since = this.helpers.busySince();
    const lasted = since ? performance.now() - since : 0;
    const shown = since > 0 && lasted >= PATIENCE;
    box.hidden = !shown;
    const seconds = box.querySelector("output");
    if (shown && seconds) seconds.textContent = `${(lasted / 1000).toFixed(0)} s`;
    document.body.dataset.busy = since ? "yes" : "no";
    clearTimeout(this.timer);
    if (since) this.timer = window.setTimeout(() => this.progress(), shown ? 1000 : PATIENCE - lasted + 5);
  }
}

/** What is said of two hands where all four are needed. @param {Page} page */
const twoAlone = (page) =>
  empty(
    h("p", {}, "This needs all four hands; ", h("b", {}, [...page.state.unknown].map((seat) =>
      SEAT[seat]
    ).join(" and ")), " are not known."),
    h("div", { class: "row-of" }, dealRest(page))
  );

/** @param {Page} page @param {View} view */
function titleOf(page, view) {
  const { room } = page.state;
  return `${view.title(page)}${room && !OF_ALL.includes(view.id) && view.id !== "tables" ? `, ${room} room` : ""}`;
}

/** The board, the boards beside it, and the view's question. @param {Page} page @param {View} view */
function heading(page, view) {
  const { boards, at } = page;
  const { good } = page.evening;
  const next = good.find((board) => page.evening.placeOf(board) > at);
  const last = good.findLast((board) => page.evening.placeOf(board) < at);
  /** @param {BoardRead | undefined} board @param {string} [to] */
  const open = (board, to) => board?.deal && page.open(board, to);
  const same = view.id === "record" ? undefined : view.id;
  // A list of many boards is drawn once for each that is chosen.
  if (page.list?.at !== at || page.list.evening !== page.evening) {
    /** @type {Option[]} */
    const names = boards.map((board, n) => [n, boardName(board, n), !board.deal]);
    const drawn = select("boards", at < 0 ? [[-1, "Boards"], ...names] : names, at, (n) => open(boards[Number(n)]), {
      "aria-label": "Board",
    });
    page.list = { at, evening: page.evening, drawn };
  }
  const picker = boards.length > 1 && !OF_ALL.includes(view.id)
    && h("div", { class: "boards" }, button("before", "‹", () =>
      open(last, same), { disabled: !last, "aria-label": "Board before" }), page.list.drawn, button("next", "›", () =>
        open(next, same), { disabled: !next, "aria-label": "Next board" }));
  return h("header", { class: "head" },
    h("div", { class: "titles" }, h("h1", { tabindex: "-1" }, titleOf(page, view)),
      h("p", { class: "question" }, view.question, " ", h("span", { class: "sees" }, view.sees))), picker,
    page.memory.problem ? problem(page.memory.problem) : null);
}

/** @param {BoardRead} board @param {number} n */
function boardName(board, n) {
  if (board.error !== undefined) return `${n + 1}: not read`;
  const { contract, passed_out: passed, room, table } = board;
  const what = contract ? ` · ${contractText(contract)}` : passed ? " · passed out" : "";
  return `Board ${board.board ?? n + 1}${what}${room ? ` · ${room}` : table ? ` · table ${table}` : ""}${
    board.deal ? "" : ": no deal"
  }`;
}

/** Choices of the reader, and what each is at first. */
const CHOSEN = { marks: "cost", forced: true, colours: "four" };

/** Choices of the reader; kept where the browser allows it. */
function settings() {
  const chosen = { ...CHOSEN };
  try {
    Object.assign(chosen, JSON.parse(localStorage.getItem("setrograde") ?? "{}"));
  } catch { /* no storage: the usual */ }
  const apply = () => {
    document.documentElement.dataset.colours = chosen.colours;
  };
  apply();
  return {
    /** @template {keyof typeof CHOSEN} Name @param {Name} name */
    get: (name) => chosen[name],
    /** @template {keyof typeof CHOSEN} Name @param {Name} name @param {(typeof CHOSEN)[Name]} value */
    set(name, value) {
      chosen[name] = value;
      apply();
      try {
        localStorage.setItem("setrograde", JSON.stringify(chosen));
      } catch { /* not kept */ }
    },
  };
}

/** Boards inside the page: an evening. @returns {{ name: string, text: string }[]} */
function inside() {
  const text = document.getElementById("boards")?.textContent?.trim();
  return text ? JSON.parse(text) : [];
}

async function begin() {
  const from = performance.now();
  const loaded = await load();
  const tables = Math.max(1, Math.min(2, (navigator.hardwareConcurrency || 2) - 1));
  /** @type {Page} */
  let page;
  const helpers = new Helpers(loaded, { play: 1, table: tables, long: 1 }, (ask, ms) => {
    page.times[ask] = ms;
    if (ask === "solve") performance.mark("cards");
    page.heard();
  });
  page = new Page(helpers);
  Object.assign(globalThis, { setrograde: page });
  page.times.load = performance.now() - from;
  if (!page.state.deal)
    page.state = { ...page.state, deal: EXAMPLE, vulnerable: "All", dealer: "S", board: page.state.board };
  addEventListener("hashchange", () => {
    const state = readLink(location.hash);
    if (state.deal !== page.state.deal) page.memory = {};
    page.paused &&= state.view === page.state.view;
    page.chosen.clear();
    if (state.deal || state.made) page.state = { ...state, deal: state.deal || EXAMPLE };
    else if (page.boards.length) page.state = { ...page.state, view: state.view, sort: state.sort, show: state.show };
    else page.state = { ...fresh(), deal: EXAMPLE };
    page.helpers.again();
    page.draw();
  });
  byId("views").addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || !link.dataset.view || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.go({ view: link.dataset.view });
    scrollTo({ top: 0 });
  });
  byId("stop").addEventListener("click", () => {
    page.paused ||= OF_ALL.includes(page.state.view);
    page.helpers.stop();
    page.draw();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    const key = event.shiftKey ? `Shift+${event.key}` : event.key;
    const act = page.memory.keys?.[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // On paper there is nothing to press for the rest of a list, or for what is folded away.
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    page.evening.rows = page.boards.length;
    page.draw();
    const folds = [...byId("view").querySelectorAll("details")];
    unfolded = folds.filter((fold) => !fold.open && !fold.closest(".no-print, .how"));
    for (const fold of unfolded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of unfolded) fold.open = false;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  /** @param {DataTransfer | null} data */
  const given = async (data) => {
    const files = [...data?.files ?? []];
    const text = files.length ? "" : data?.getData("text") ?? "";
    if (files.length) await takeFiles(page, files);
    else if (text) await takeText(page, text);
  };
  addEventListener("drop", (event) => {
    event.preventDefault();
    given(event.dataTransfer);
  });
  // Text pasted outside a text box is a deal; inside one, only files are boards.
  addEventListener("paste", (event) => {
    const inBox = event.target instanceof Element && event.target.closest("input, textarea");
    if (inBox && !event.clipboardData?.files.length) return;
    event.preventDefault();
    given(event.clipboardData);
  });
  // The focus is shown once the keyboard is used.
  addEventListener("keydown", ({ key, target }) => {
    const moves = /^(Tab|Arrow|Page|Home|End|Enter|Escape| )/.test(key);
    const typing = target instanceof Element && target.closest("input[type=text], textarea");
    if (key === "Tab" || (moves && !typing)) document.documentElement.dataset.keys = "yes";
  }, { capture: true });
  addEventListener("pointerdown", () => {
    delete document.documentElement.dataset.keys;
  }, { capture: true });
  const again = await kept();
  page.draw();
  const boards = again ?? inside();
  if (boards.length) {
    const named = readLink(location.hash);
    const fromFile = !again && named.deal === "" && !named.made;
    await take(page, boards, fromFile);
    // Input that is read again is not new.
    if (again && !fromFile) page.complain("");
  }
  document.body.dataset.ready = "yes";
  performance.mark("ready");
}

begin().catch((error) => {
  patch(byId("view"), [h("h1", {}, "The page cannot start"),
    h("p", { class: "problem", role: "alert" }, String(error.message ?? error)),
    h("p", {}, "It needs a browser of 2023 or later. From a folder it needs a web server; the single file does not.")]);
});
