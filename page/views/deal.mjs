// @ts-check
// Deal: what makes? The table strain by strain, par, and ways to bring a deal in.
import { diagram } from "../diagram.mjs";
import { bid, declarer, fresh, isEnding } from "../state.mjs";
import { take } from "../boards.mjs";
import { auction, dealtBy, resultLine, scoreText } from "./board.mjs";
import { h } from "../dom.mjs";
import { RANKS, SEAT, SEATS, STRAINS, SUIT, SUITS, SYMBOL, after, capital, cardName, cardsOf, dealText, handsOf, rankText, strainMark } from "../words.mjs";

/** @typedef {import("../app.mjs").Page} Page */

/** @type {import("../app.mjs").View} */
export const dealView = {
  id: "deal",
  name: "Deal",
  question: "What makes?",
  sees: "All four hands seen",
  title: (page) => (page.state.board ? `Board ${page.state.board}` : "A deal"),
  show(page) {
    page.memory.keys = {};
    if (page.memory.entry) return byHand(page);
    const said = page.position([]);
    return h("div", { class: "columns" },
      h("div", { class: "wide" }, said.error ? problem(said.error) : said.answer ? diagram(said.answer, { names: byName(page), points: said.answer.points }) : waiting(), auction(page.state), resultLine(page)),
      h("div", { class: "side" }, said.answer ? [facts(page), table(page), par(page)] : null, entry(page)));
  },
};

/** Names by seat, where the record has them. @param {Page} page */
export const byName = (page) => page.state.players;

/** @param {string} text */
export const problem = (text) => h("p", { class: "problem", role: "alert" }, capital(text));
export const waiting = () => h("p", { class: "waiting" }, "…");

/** @param {Page} page */
function facts(page) {
  const { dealer, vulnerable } = page.state;
  const choice = (/** @type {string} */ label, /** @type {string} */ key, /** @type {[string, string][]} */ options, /** @type {string} */ now, /** @type {(value: string) => void} */ set) =>
    h("label", { class: "choice" }, h("span", {}, label), h("select", {
      "data-key": key, onchange: (/** @type {Event} */ event) => set(/** @type {HTMLSelectElement} */ (event.target).value),
    }, options.map(([value, text]) => h("option", { value, selected: value === now }, text))));
  return h("div", { class: "facts" },
    choice("Dealer", "dealer", SEATS.map((seat) => [seat, SEAT[seat]]), dealer, (value) => page.go({ dealer: value }, { push: false })),
    choice("Vulnerable", "vulnerable", [["None", "nobody"], ["NS", "North–South"], ["EW", "East–West"], ["All", "both"]], vulnerable, (value) => page.go({ vulnerable: value }, { push: false })));
}

/** The results of a strain, by declarer. @param {Page} page @param {string} strain */
const results = (page, strain) => page.need("table", "strain", `${strain} ${page.state.deal}`);

/** @param {Page} page */
function table(page) {
  const { state } = page;
  const said = Object.fromEntries(STRAINS.map((strain) => [strain, results(page, strain)]));
  const cell = (/** @type {string} */ seat, /** @type {string} */ strain) => {
    const { answer, error, stopped } = said[strain];
    if (!answer) return h("td", { class: "open" }, error ? h("span", { title: error }, "!") : stopped ? h("span", {}, "–") : h("span", { "aria-label": "being solved" }, "·"));
    const tricks = answer.tricks[strain][seat];
    const game = tricks - 6;
    const kind = game >= 6 ? "slam" : game >= (strain === "NT" ? 3 : strain === "S" || strain === "H" ? 4 : 5) ? "game" : game >= 1 ? "part" : "none";
    return h("td", { class: kind }, h("button", {
      type: "button", "data-key": `cell-${seat}${strain}`,
      "aria-label": `${SEAT[seat]} in ${SUIT[strain]}: ${tricks} tricks${state.deal ? ". Play it" : ""}`,
      onclick: () => page.go({ view: "play", strain, leader: after(seat), play: [], contract: state.contract.endsWith(seat) ? state.contract : "" }),
    }, tricks));
  };
  const tricks = Math.max(...SEATS.map((seat) => cardsOf(handsOf(state.deal)[seat] ?? "").length));
  if (STRAINS.every((strain) => said[strain].answer)) page.say("The table is complete.");
  return h("table", { class: "makes" },
    h("caption", {}, "Tricks by declarer", tricks < 13 ? ` of ${tricks}` : "", h("span", { class: "hint" }, " Choose one to play it")),
    h("thead", {}, h("tr", {}, h("td", {}), STRAINS.map((strain) => h("th", { scope: "col" }, strainMark(strain))))),
    h("tbody", {}, SEATS.map((seat) => h("tr", {}, h("th", { scope: "row" }, SEAT[seat]), STRAINS.map((strain) => cell(seat, strain))))));
}

/** A contract of par. @param {any} of */
export const contractWords = ({ level, strain, declarers, doubled, over }) =>
  [level, strainMark(strain), doubled ? " doubled" : "", " by ", declarers.map((/** @type {string} */ seat) => SEAT[seat]).join(" or "), `, ${over === 0 ? "just made" : over < 0 ? `down ${-over}` : `+${over}`}`];

/** @param {Page} page */
function par(page) {
  const { state } = page;
  const said = STRAINS.map((strain) => results(page, strain).answer);
  if (!said.every(Boolean)) return h("p", { class: "par" }, h("b", {}, "Par"), " …");
  const numbers = said.flatMap((answer, n) => SEATS.map((seat) => answer.tricks[STRAINS[n]][seat])).join(" ");
  const { answer, error } = page.need("play", "par", `${state.dealer} ${state.vulnerable} ${numbers}`);
  if (error) return null;
  if (!answer) return h("p", { class: "par" }, h("b", {}, "Par"), " …");
  return parLine(page, answer.par[0]);
}

/** Par's score and contracts. @param {Page} page @param {any} par */
export const parLine = (page, par) => par && h("div", { class: "par" },
  h("p", {}, h("b", {}, "Par "), par.score === 0 ? "all pass" : scoreText(par.score), h("span", { class: "hint" }, ` ${dealtBy(page.state)}`)),
  h("ul", {}, par.contracts.map((/** @type {any} */ contract) => h("li", {}, contractWords(contract)))));

/** Bringing a deal in. @param {Page} page */
function entry(page) {
  const read = async (/** @type {string} */ text) => {
    if (text.trim()) return take(page, [text.trim()]);
    page.memory.problem = "Paste or type a deal first.";
    page.draw();
  };
  const box = () => /** @type {HTMLTextAreaElement} */ (document.getElementById("paste")).value;
  const paste = h("textarea", {
    id: "paste", "data-key": "paste", rows: 3, spellcheck: "false", autocapitalize: "off",
    placeholder: "PBN, LIN, a BBO handviewer link, or N:AKQ.… …",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read(box());
    },
  });
  const file = h("input", {
    type: "file", id: "file", class: "unseen", accept: ".pbn,.lin,.txt,.dlm,.sol,text/plain",
    onchange: async (/** @type {Event} */ event) => {
      const chosen = /** @type {HTMLInputElement} */ (event.target).files?.[0];
      if (chosen) read(await chosen.text());
    },
  });
  return h("details", { class: "entry", open: page.memory.entryOpen || Boolean(page.memory.problem), ontoggle: (/** @type {Event} */ event) => { page.memory.entryOpen = /** @type {HTMLDetailsElement} */ (event.target).open; } },
    h("summary", { "data-key": "entry" }, "Another deal"),
    h("label", { for: "paste" }, "Paste a deal, a record or a link; or drop a file anywhere"), paste,
    page.memory.problem ? problem(page.memory.problem) : null,
    h("div", { class: "row-of" },
      h("button", { type: "button", class: "main", "data-key": "read", onclick: () => read(box()) }, "Show it"),
      h("button", { type: "button", "data-key": "open-file", onclick: () => document.getElementById("file")?.click() }, "Open a file"), file,
      h("button", { type: "button", "data-key": "by-hand", onclick: () => { page.memory.entry = { seat: "N", hands: { N: [], E: [], S: [], W: [] } }; page.draw(); } }, "Card by card"),
      h("button", { type: "button", "data-key": "random", onclick: () => page.go({ ...fresh(), deal: randomDeal() }) }, "At random")));
}

function randomDeal() {
  const pack = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));
  const draw = new Uint32Array(pack.length);
  crypto.getRandomValues(draw);
  for (let n = pack.length - 1; n > 0; n -= 1) {
    const other = draw[n] % (n + 1);
    [pack[n], pack[other]] = [pack[other], pack[n]];
  }
  return dealText(Object.fromEntries(SEATS.map((seat, n) => [seat, pack.slice(13 * n, 13 * n + 13)])));
}

/** A deal card by card: the deck with the cards left; the fourth hand fills itself. @param {Page} page */
function byHand(page) {
  const made = page.memory.entry;
  const owner = (/** @type {string} */ card) => SEATS.find((seat) => made.hands[seat].includes(card));
  const left = 52 - SEATS.reduce((sum, seat) => sum + made.hands[seat].length, 0);
  const press = (/** @type {string} */ card) => {
    const has = owner(card);
    if (has) {
      made.hands[has] = made.hands[has].filter((/** @type {string} */ other) => other !== card);
      made.seat = has;
    } else if (made.hands[made.seat].length < 13) {
      made.hands[made.seat].push(card);
      if (made.hands[made.seat].length === 13) {
        const open = SEATS.filter((seat) => made.hands[seat].length < 13);
        if (open.length === 1) fill(open[0]);
        else if (open.length) made.seat = open.find((seat) => SEATS.indexOf(seat) > SEATS.indexOf(made.seat)) ?? open[0];
      }
    }
    page.say(`${cardName(card)}: ${owner(card) ? SEAT[/** @type {string} */ (owner(card))] : "back in the deck"}. ${SEATS.map((seat) => `${SEAT[seat]} ${made.hands[seat].length}`).join(", ")}.`);
    page.draw();
  };
  const fill = (/** @type {string} */ seat) => {
    for (const suit of SUITS) for (const rank of RANKS) if (!owner(suit + rank)) made.hands[seat].push(suit + rank);
  };
  const equal = SEATS.every((seat) => made.hands[seat].length === made.hands.N.length) && made.hands.N.length > 0;
  return h("div", { class: "by-hand" },
    h("div", { class: "seats", role: "radiogroup", "aria-label": "Whose hand" }, SEATS.map((seat) => h("button", {
      type: "button", role: "radio", "aria-checked": String(seat === made.seat), "data-key": `seat-${seat}`,
      onclick: () => { made.seat = seat; page.draw(); },
    }, SEAT[seat], h("small", {}, made.hands[seat].length)))),
    h("div", { class: "deck", role: "group", "aria-label": "The deck" }, SUITS.map((suit) => h("div", { class: `row ${suit}` }, h("span", { class: `pip ${suit}`, "aria-hidden": "true" }, SYMBOL[suit]),
      RANKS.map((rank) => {
        const has = owner(suit + rank);
        return h("button", {
          type: "button", class: has ? "given" : "", "data-key": `deck-${suit}${rank}`, onclick: () => press(suit + rank),
          "aria-label": `${cardName(suit + rank)}${has ? `, ${SEAT[has]}` : ", in the deck"}`,
        }, h("b", {}, rankText(rank)), h("small", { "aria-hidden": "true" }, has ?? ""));
      })))),
    h("p", { class: "hint" }, `${left} cards left. Chosen cards go to ${SEAT[made.seat]}; choose a given card to take it back.`),
    h("div", { class: "row-of" },
      h("button", { type: "button", class: "main", "data-key": "done", disabled: !equal, onclick: () => page.go({ ...fresh(), deal: dealText(made.hands) }) }, "Show the deal"),
      h("button", { type: "button", "data-key": "cancel", onclick: () => { page.memory.entry = null; page.draw(); } }, "Cancel")));
}

/** The contract that is played, in words and marks. @param {import("../state.mjs").State} state */
export function contractMark(state) {
  const known = bid(state);
  const by = SEAT[declarer(state)];
  if (!known) return [state.strain === "NT" ? "No trump" : [strainMark(state.strain), " trumps"], isEnding(state) ? `, ${by} leads` : `, ${by} declares`];
  return [`${known.level}`, strainMark(state.strain), known.doubled === 2 ? " redoubled" : known.doubled ? " doubled" : "", ` by ${by}`];
}
