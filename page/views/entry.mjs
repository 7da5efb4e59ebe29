// @ts-check
// The way in: a text that is pasted, files, a deal made by clicks, or one at random.
import { takeFiles, takeText } from "../boards.mjs";
import { button, byId, h, hint, select } from "../dom.mjs";
import { filled, fresh, PACK, seenDeal } from "../state.mjs";
import { after, cardName, cardsOf, dealText, handsOf, handText, RANKS, rankText, SEAT, SEATS, SUITS,
  SYMBOL } from "../words.mjs";

/** @import { Page, View } from "../app.mjs" */

/** The files that the chooser offers. */
const FORMATS = ".pbn,.lin,.rbn,.dup,.sol,.txt,.htm,.html,.gz,text/plain,text/html";

/** Bringing a deal in. @param {Page} page */
export function entry(page) {
  const { memory } = page;
  const box = () => {
    const found = byId("paste");
    return found instanceof HTMLTextAreaElement ? found : undefined;
  };
  const read = () => takeText(page, box()?.value ?? "");
  const close = () => {
    memory.entryOpen = false;
    page.draw();
    const opener = document.querySelector("[data-key=entry]");
    if (opener instanceof HTMLElement) opener.focus();
  };
  const paste = memory.entryOpen
    && h("div", { class: "paste", "data-key": "paste-box" },
      h("label", { for: "paste" }, "Paste a deal, a record, links or two hands; or drop files anywhere"),
      h("textarea", {
        id: "paste",
        "data-key": "paste",
        rows: 3,
        spellcheck: "false",
        autocapitalize: "off",
        placeholder: "PBN, LIN, a BBO handviewer link, or N:AKQ.… …",
        onkeydown: ({ key, ctrlKey, metaKey }) => {
          if (key === "Enter" && (ctrlKey || metaKey)) read();
          if (key === "Escape") close();
        },
      }),
      h("div", { class: "row-of" }, button("read", "Show it", read, { class: "main" }),
        button("paste-close", "Cancel", close)));
  const file = h("input", {
    type: "file",
    id: "file",
    "data-key": "file",
    class: "unseen",
    accept: FORMATS,
    multiple: true,
    tabindex: "-1",
    "aria-label": "Files",
    onchange: async ({ currentTarget: chooser }) => {
      if (!(chooser instanceof HTMLInputElement)) return;
      await takeFiles(page, [...chooser.files ?? []]);
      // The same file can be chosen again.
      chooser.value = "";
    },
  });
  return h("div", { class: "entry no-print", "data-key": "way-in" },
    h("div", { class: "row-of", role: "group", "aria-label": "Another deal" }, button("entry", "Paste", () => {
      memory.entryOpen = !memory.entryOpen;
      page.draw();
      box()?.focus();
    }, { "aria-expanded": String(Boolean(memory.entryOpen)) }), button("open-file", "Open", () => byId("file").click()),
      file,
      button("by-hand", "Click cards",
        () => page.go({ view: "cards", made: seenDeal(page.state).replace(/\?/g, "...") })),
      button("random", "Random", () => page.go({ ...fresh(), deal: randomDeal() }))), paste);
}

/** Cards in any order. @param {string[]} cards */
export function shuffled(cards) {
  const pack = [...cards];
  const draw = new Uint32Array(pack.length);
  crypto.getRandomValues(draw);
  for (let n = pack.length - 1; n > 0; n -= 1) {
    const other = draw[n] % (n + 1);
    [pack[n], pack[other]] = [pack[other], pack[n]];
  }
  return pack;
}

/** A deal of 52 cards at random; some hands may be given. @param {Record<string, string[]>} [given] */
export function randomDeal(given = {}) {
  const held = Object.values(given).flat();
  const left = shuffled(PACK.filter((card) => !held.includes(card)));
  return dealText(Object.fromEntries(SEATS.map((seat) => [seat, given[seat] ?? left.splice(0, 13)])));
}

/** The hands of a deal that is being made: each card once. @param {string} text @returns {Record<string, string[]>} */
function handsMade(text) {
  const hands = handsOf(text);
  /** @type {Set<string>} */
  const seen = new Set();
  return Object.fromEntries(SEATS.map((seat) => {
    const cards = cardsOf(hands[seat] ?? "").filter((card) => PACK.includes(card) && !seen.has(card)).slice(0, 13);
    cards.forEach((card) => seen.add(card));
    return [seat, cards];
  }));
}

/** @type {View} */
export const cardsView = {
  id: "cards",
  name: "Click cards",
  question: "Which cards has each hand?",
  sees: "All hands are yours to deal",
  title: () => "A deal by clicks",
  show(page) {
    page.memory.keys = {};
    return byHand(page, handsMade(page.state.made));
  },
};

/** A deal card by card: the deck with the cards left; the fourth hand fills itself.
 * @param {Page} page @param {Record<string, string[]>} hands */
function byHand(page, hands) {
  const { memory } = page;
  const seats = () => SEATS.map((seat) => hands[seat].length);
  const seat = memory.seat ?? SEATS.find((one) => hands[one].length < 13) ?? "N";
  const swap = memory.exchange;
  /** @param {string} card */
  const owner = (card) => SEATS.find((one) => hands[one].includes(card));
  const left = 52 - seats().reduce((sum, count) => sum + count);
  /** @param {Record<string, string[]>} next @param {string} said */
  const set = (next, said) => {
    page.say(`${said} ${SEATS.map((one) => `${SEAT[one]} ${next[one].length}`).join(", ")}.`);
    page.go({ made: dealText(next) }, { push: false });
  };
  /** @param {string} card */
  const press = (card) => {
    const has = owner(card);
    if (swap !== undefined) return exchange(card);
    if (has) {
      memory.seat = has;
      return set({ ...hands, [has]: hands[has].filter((other) => other !== card) },
        `${cardName(card)}: back in the deck.`);
    }
    if (hands[seat].length === 13)
      return page.complain(`${SEAT[seat]} has 13 cards. Take one away first, or choose another hand.`);
    const next = { ...hands, [seat]: [...hands[seat], card] };
    if (next[seat].length === 13) {
      const open = SEATS.filter((one) => next[one].length < 13);
      if (open.length === 1)
        next[open[0]] = PACK.filter((one) =>
          open[0] === owner(one) || !SEATS.some((other) => next[other].includes(one))
        );
      else if (open.length) memory.seat = open.find((one) => SEATS.indexOf(one) > SEATS.indexOf(seat)) ?? open[0];
    }
    memory.seat ??= seat;
    set(next, `${cardName(card)}: ${SEAT[seat]}.`);
  };
  /** The first of two cards is chosen, or both change hands. @param {string} card */
  const exchange = (card) => {
    if (!swap || swap === card) {
      memory.exchange = swap === card ? "" : card;
      page.say(swap === card ? "No card chosen." : `${cardName(card)} chosen.`);
      return page.draw();
    }
    memory.exchange = "";
    const next = Object.fromEntries(
      SEATS.map((one) => [one, hands[one].map((other) => (other === card ? swap : other === swap ? card : other))])
    );
    set(next, `${cardName(swap)} and ${cardName(card)} exchanged.`);
  };
  const [first, ...others] = seats();
  const whole = !others.some((count) => count !== first) && first > 0;
  const full = SEATS.filter((one) => hands[one].length === 13);
  const alone = full.length > 0 && full.length < 4 && full.length * 13 === 52 - left;
  const done = () => {
    const { board, dealer, vulnerable, players } = page.state;
    const deal = whole ? dealText(hands)
      : `N:${SEATS.map((one) => (full.includes(one) ? handText(hands[one]) : "?")).join(" ")}`;
    const [one] = full;
    // Given two hands, the first declares; a single hand is on lead.
    const leader = whole ? "W" : full.length === 1 ? one : after(one);
    page.go({ ...fresh(), ...filled(deal), leader, board, dealer, vulnerable, players });
  };
  return h("div", { class: "by-hand" },
    h("div", { class: "seats", role: "radiogroup", "aria-label": "Whose hand" },
      SEATS.map((one, n) =>
        button(`seat-${one}`, [SEAT[one], h("small", {}, seats()[n])], () => {
          memory.seat = one;
          page.draw();
        }, { role: "radio", "aria-checked": String(one === seat) })
      )),
    h("div", { class: "deck", role: "group", "aria-label": "The deck", onkeydown: (event) => walk(page, event) },
      SUITS.map((suit) =>
        h("div", { class: `row ${suit}` }, h("span", { class: `pip ${suit}`, "aria-hidden": "true" }, SYMBOL[suit]),
          RANKS.map((rank) => {
            const has = owner(suit + rank);
            return button(`deck-${suit}${rank}`, [h("b", {}, rankText(rank)),
              h("small", { "aria-hidden": "true" }, has ?? "")], () => press(suit + rank), {
              tabindex: suit + rank === (memory.card ?? "SA") ? "0" : "-1",
              onfocus: () => {
                memory.card = suit + rank;
                page.draw();
              },
              class: `${has ? "given" : ""}${swap === suit + rank ? " chosen" : ""}`,
              "aria-label": `${cardName(suit + rank)}${has ? `, ${SEAT[has]}` : ", in the deck"}${
                swap === suit + rank ? ", chosen" : ""
              }`,
            });
          }))
      )),
    hint(
      swap !== undefined ? "Choose two cards: they change places."
        : `${left} cards left. Chosen cards go to ${SEAT[seat]}; choose a given card to take it back.`
    ),
    h("div", { class: "row-of", role: "group", "aria-label": "Change the deal" },
      button("rotate", "Rotate",
        () => set(Object.fromEntries(SEATS.map((one) => [after(one), hands[one]])), "Each hand moves on by one seat.")),
      h("span", { class: "swap" }, button("swap", "Exchange hands", () => {
        const [a, b] = [memory.one ?? "N", memory.other ?? "S"];
        set({ ...hands, [a]: hands[b], [b]: hands[a] }, `${SEAT[a]} and ${SEAT[b]} exchange hands.`);
      }), pick(page, "one", "N", "One hand"), pick(page, "other", "S", "The other hand")),
      button("exchange", "Exchange two cards", () => {
        memory.exchange = swap === undefined ? "" : undefined;
        page.draw();
      }, { "aria-pressed": String(swap !== undefined) }),
      button("take-away", `Take ${SEAT[seat]}'s hand away`,
        () => set({ ...hands, [seat]: [] }, `${SEAT[seat]} has no cards.`), { disabled: !hands[seat].length }),
      button("clear", "Take all away", () => {
        memory.seat = "N";
        set(handsMade(""), "All cards are in the deck.");
      }, { disabled: left === 52 }), button("deal-rest", "Deal the rest at random", () => {
        const rest = shuffled(PACK.filter((card) => !owner(card)));
        set(Object.fromEntries(SEATS.map((one) => [one, [...hands[one], ...rest.splice(0, 13 - hands[one].length)]])),
          "The rest is dealt.");
      }, { disabled: !left })),
    h("div", { class: "row-of" },
      button("done", alone && !whole ? `Show ${full.length === 1 ? "the hand" : "these hands"} alone` : "Show the deal",
        done, { class: "main", disabled: !whole && !alone }),
      button("cancel", "Cancel", () => page.go({ view: "deal", made: "" }))));
}

/** The arrows, Home and End move in the deck, which is one stop of the Tab key.
 * @param {Page} page @param {KeyboardEvent} event */
function walk(page, event) {
  const [suit, rank] = page.memory.card ?? "SA";
  const [row, column] = [SUITS.indexOf(suit), RANKS.indexOf(rank)];
  /** @type {Record<string, number[]>} */
  const moves = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, 12],
  };
  const to = moves[event.key];
  if (!to) return;
  event.preventDefault();
  const card = (SUITS[to[0]] ?? suit) + (RANKS[to[1]] ?? rank);
  const next = document.querySelector(`[data-key=deck-${card}]`);
  if (next instanceof HTMLElement) next.focus();
}

/** One of the hands that change places. @param {Page} page @param {"one" | "other"} which @param {string} usual
 * @param {string} label */
const pick = (page, which, usual, label) =>
  select(`swap-${which}`, SEATS.map((seat) => [seat, SEAT[seat]]), page.memory[which] ?? usual, (seat) => {
    page.memory[which] = seat;
    page.draw();
  }, { "aria-label": label });
