// @ts-check
// The page: what the link says is shown, and what is done changes the link.
import { Helpers, load } from "./helpers.mjs";
import { take } from "./boards.mjs";
import { contractOf, fresh, ofBoard, playText, readLink, settled, writeLink } from "./state.mjs";
import { contractText, h } from "./words.mjs";
import { dealView, problem } from "./views/deal.mjs";
import { playView } from "./views/play.mjs";
import { recordView } from "./views/record.mjs";
import { matterView } from "./views/matter.mjs";
import { handsView } from "./views/hands.mjs";
import { chancesView } from "./views/chances.mjs";
import { claimView } from "./views/claim.mjs";
import { endingsView } from "./views/endings.mjs";

/**
 * @typedef {import("./state.mjs").State} State
 * @typedef {import("./helpers.mjs").Said} Said
 * @typedef {{ id: string, name: string, question: string, sees: string, title: (page: Page) => string, show: (page: Page) => any }} View
 */

/** @type {View[]} */
const VIEWS = [dealView, playView, recordView, matterView, handsView, chancesView, claimView, endingsView];

const EXAMPLE = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

/** A number of ms after which a page says what it is doing. */
const PATIENCE = 300;

/** Answers that come within so many ms are drawn together. */
const COALESCE = 2;

/** What all views use. */
export class Page {
  /** @param {Helpers} helpers */
  constructor(helpers) {
    this.helpers = helpers;
    this.state = readLink(location.hash);
    /** The boards of a file. @type {any[]} */
    this.boards = [];
    /** What a view remembers that no link tells. @type {Record<string, any>} */
    this.memory = {};
    /** The last thing that was said to those who do not see. */
    this.said = "";
    /** @type {Record<string, number>} */
    this.times = {};
    /** @type {any} */
    this.drawn = 0;
    this.held = false;
    this.late = false;
    this.settings = settings();
  }

  /** Asks, and returns what is known so far. @param {string} role @param {string} what @param {string} text @returns {Said} */
  need(role, what, text) {
    return this.helpers.need(role, what, text);
  }

  /** The position of the state's play. @param {string[]} [cards] @returns {Said} */
  position(cards) {
    return this.need("play", "position", playText(this.state, cards));
  }

  /** Changes the state. With `push` the browser's back button returns.
   * @param {Partial<State>} change @param {{ push?: boolean }} [how] */
  go(change, { push = true } = {}) {
    const before = this.state;
    const state = { ...before, ...change };
    // The record keeps its contract when another one is looked at.
    if (state.record !== before.record) state.recorded = "";
    else if (!state.recorded && contractOf(state) !== contractOf(before)) state.recorded = contractOf(before);
    this.state = settled(state);
    if (state.deal !== before.deal) this.memory = {};
    const link = writeLink(this.state);
    if (link !== location.hash) history[push ? "pushState" : "replaceState"](null, "", link);
    this.helpers.again();
    this.draw();
  }

  /** @param {any} board @param {string} [view] */
  open(board, view) {
    const state = /** @type {State} */ (ofBoard(board));
    const at = this.boards.indexOf(board);
    this.go({ ...state, at: at < 0 ? "" : String(at), view: view ?? (state.record.length ? "record" : "deal") });
  }

  /** The place of what is shown among the boards, or -1. */
  get at() {
    const { at, deal, board, room } = this.state;
    if (at && this.boards[Number(at)]?.deal === deal) return Number(at);
    return this.boards.findIndex((one) => one.deal === deal && String(one.board ?? "") === board && (one.room ?? "") === room);
  }

  /** Says something to those who do not see. @param {string} text */
  say(text) {
    if (text === this.said) return;
    this.said = text;
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  }

  /** Draws what was heard: what is heard at about the same time is drawn once. */
  drawSoon() {
    // What is pressed must stay until it is let go.
    if (this.held) this.late = true;
    else this.drawn ||= setTimeout(() => this.draw(), COALESCE);
  }

  /** While a button is pressed nothing is drawn. @param {boolean} held */
  hold(held) {
    this.held = held;
    if (this.drawn) this.late = true;
    clearTimeout(this.drawn);
    this.drawn = 0;
    if (held || !this.late) return;
    this.late = false;
    // After the click that may follow.
    setTimeout(() => this.drawSoon(), 0);
  }

  /** Draws what was done, at once. */
  draw() {
    clearTimeout(this.drawn);
    this.drawn = 0;
    const from = performance.now();
    this.helpers.begin();
    const view = VIEWS.find(({ id }) => id === this.state.view) ?? dealView;
    const main = /** @type {HTMLElement} */ (document.getElementById("view"));
    const focus = /** @type {HTMLElement | null} */ (document.activeElement);
    const key = focus && main.contains(focus) ? focus.dataset.key : undefined;
    const hand = focus?.closest(".hand");
    const kept = focus instanceof HTMLInputElement || focus instanceof HTMLTextAreaElement ? [focus.value, focus.selectionStart, focus.selectionEnd] : null;
    const inside = view.show(this);
    // What is shown stays until the position is known: that takes a millisecond.
    if (inside || main.dataset.view !== view.id) {
      main.replaceChildren(...[heading(this, view), inside ?? h("p", { class: "waiting" }, "…")].flat());
      main.dataset.view = view.id;
    }
    if (key && inside) restore(main, key, Boolean(hand), kept);
    for (const link of document.querySelectorAll("nav a")) {
      const here = /** @type {HTMLElement} */ (link).dataset.view === view.id;
      link.toggleAttribute("aria-current", here);
      if (here) link.setAttribute("aria-current", "page");
      /** @type {HTMLAnchorElement} */ (link).href = writeLink(settled({ ...this.state, view: /** @type {HTMLElement} */ (link).dataset.view ?? "" }));
    }
    document.title = `${titleOf(this, view)} · setrograde`;
    this.helpers.end();
    this.progress();
    this.times.draw = performance.now() - from;
    this.times.longest = Math.max(this.times.longest ?? 0, this.times.draw);
  }

  /** Shows what lasts, with a way to stop it. */
  progress() {
    const box = /** @type {HTMLElement} */ (document.getElementById("progress"));
    const since = this.helpers.busySince();
    const lasted = since ? performance.now() - since : 0;
    const shown = since > 0 && lasted >= PATIENCE;
    box.hidden = !shown;
    const seconds = box.querySelector("output");
    if (shown && seconds) seconds.textContent = `${(lasted / 1000).toFixed(0)} s`;
    document.body.dataset.busy = since ? "yes" : "no";
    clearTimeout(this.timer);
    if (since) this.timer = setTimeout(() => this.progress(), shown ? 1000 : PATIENCE - lasted + 5);
  }
}

/** @param {HTMLElement} main @param {string} key @param {boolean} inHand @param {any} kept */
function restore(main, key, inHand, kept) {
  const same = /** @type {HTMLElement | null} */ (main.querySelector(`[data-key="${CSS.escape(key)}"]`));
  const target = same ?? (inHand ? /** @type {HTMLElement | null} */ (main.querySelector(".hand.turn button")) : null);
  target?.focus({ preventScroll: true });
  if (kept && (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) {
    target.value = kept[0];
    try { target.setSelectionRange(kept[1], kept[2]); } catch { /* not a text */ }
  }
}

/** @param {Page} page @param {View} view */
const titleOf = (page, view) => `${view.title(page)}${page.state.room ? `, ${page.state.room} room` : ""}`;

/** The board, the boards beside it, and the view's question. @param {Page} page @param {View} view */
function heading(page, view) {
  const { boards, at } = page;
  const next = boards.find((board, n) => n > at && board.deal);
  const last = boards.findLast((board, n) => n < at && board.deal);
  const step = (/** @type {any} */ board) => page.open(board, view.id === "record" ? undefined : view.id);
  const picker = boards.length > 1 && h("div", { class: "boards" },
    h("button", { type: "button", "data-key": "before", disabled: !last, "aria-label": "Board before", onclick: () => step(last) }, "‹"),
    h("select", {
      "data-key": "boards", "aria-label": "Board",
      onchange: (/** @type {Event} */ event) => page.open(boards[Number(/** @type {HTMLSelectElement} */ (event.target).value)]),
    }, at < 0 ? h("option", { value: "-1" }, "Boards") : null, boards.map((board, n) => h("option", { value: n, selected: n === at, disabled: !board.deal }, boardName(board, n)))),
    h("button", { type: "button", "data-key": "next", disabled: !next, "aria-label": "Next board", onclick: () => step(next) }, "›"));
  return h("header", { class: "head" },
    h("div", { class: "titles" }, h("h1", {}, titleOf(page, view)),
      h("p", { class: "question" }, view.question, " ", h("span", { class: "sees" }, view.sees))), picker,
    // The Deal view has it beside the box.
    page.memory.problem && view.id !== "deal" ? problem(page.memory.problem) : null);
}

/** @param {any} board @param {number} n */
const boardName = (board, n) =>
  board.error ? `${n + 1}: not read` : `Board ${board.board ?? n + 1}${board.contract ? ` · ${contractText(board.contract)}` : board.passed_out ? " · passed out" : ""}${board.room ? ` · ${board.room}` : ""}`;

/** Choices of the reader; kept where the browser allows it. */
function settings() {
  /** @type {Record<string, any>} */
  const chosen = { marks: "cost", forced: true, colours: "four" };
  try {
    Object.assign(chosen, JSON.parse(localStorage.getItem("setrograde") ?? "{}"));
  } catch { /* no storage: the usual */ }
  const apply = () => {
    document.documentElement.dataset.colours = chosen.colours;
  };
  apply();
  return {
    get: (/** @type {string} */ name) => chosen[name],
    set: (/** @type {string} */ name, /** @type {any} */ value) => {
      chosen[name] = value;
      apply();
      try { localStorage.setItem("setrograde", JSON.stringify(chosen)); } catch { /* not kept */ }
    },
  };
}

/** Boards inside the page: an evening. */
function inside() {
  const text = document.getElementById("boards")?.textContent?.trim();
  return text ? /** @type {{ name: string, text: string }[]} */ (JSON.parse(text)) : [];
}

async function begin() {
  const from = performance.now();
  const loaded = await load();
  const tables = Math.max(1, Math.min(2, (navigator.hardwareConcurrency || 2) - 1));
  /** @type {Page} */
  let page;
  const helpers = new Helpers(loaded, { play: 1, table: tables, long: 1 }, (what, ms) => {
    page.times[what] = ms;
    if (what === "cards") performance.mark("cards");
    page.drawSoon();
  });
  page = new Page(helpers);
  Object.assign(globalThis, { setrograde: page });
  page.times.load = performance.now() - from;
  if (!page.state.deal) page.state = { ...page.state, deal: EXAMPLE, vulnerable: "All", dealer: "S", board: page.state.board };
  addEventListener("hashchange", () => {
    const state = readLink(location.hash);
    if (state.deal !== page.state.deal) page.memory = {};
    page.state = state.deal ? state : { ...fresh(), deal: EXAMPLE };
    page.helpers.again();
    page.draw();
  });
  document.querySelector("nav")?.addEventListener("click", (event) => {
    const link = /** @type {HTMLElement} */ (event.target).closest("a");
    if (!link?.dataset.view || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.go({ view: link.dataset.view });
    scrollTo({ top: 0 });
  });
  document.getElementById("stop")?.addEventListener("click", () => {
    page.helpers.stop();
    page.draw();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select")) return;
    const key = event.shiftKey ? `Shift+${event.key}` : event.key;
    const act = page.memory.keys?.[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // A list that drops down, a menu or a scroll bar may swallow the end of a press.
  addEventListener("pointerdown", (event) => page.hold(event.button === 0 && Boolean(/** @type {Element} */ (event.target).closest("button, summary, a"))), true);
  for (const end of ["pointerup", "pointercancel", "dragend", "contextmenu"]) addEventListener(end, () => page.hold(false), true);
  // The window's blur alone: a press takes the focus from another button, and that button's blur is not the end of the press.
  addEventListener("blur", () => page.hold(false));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData("text");
    if (text) await take(page, [text]);
  });
  page.draw();
  const boards = inside();
  if (boards.length) {
    await take(page, boards.map(({ text }) => text), readLink(location.hash).deal === "");
  }
  document.body.dataset.ready = "yes";
}

const nav = /** @type {HTMLElement} */ (document.querySelector("nav ul"));
nav.replaceChildren(...VIEWS.map(({ id, name }) => h("li", {}, h("a", { href: `#view=${id}`, "data-view": id }, name))));
begin().catch((error) => {
  const main = /** @type {HTMLElement} */ (document.getElementById("view"));
  main.replaceChildren(h("h1", {}, "The page cannot start"), h("p", { class: "problem", role: "alert" }, String(error.message ?? error)),
    h("p", {}, "It needs a browser of 2023 or later. From a folder it needs a web server; the single file setrograde.html does not."));
});
