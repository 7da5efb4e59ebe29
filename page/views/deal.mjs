// @ts-check
// Deal: what makes? The table strain by strain, par, and ways to bring a deal in.
import { take } from "../boards.mjs";
import { diagram } from "../diagram.mjs";
import { button, byId, choice, columns, h, hint, isOpen, seenOnly, table as tableOf, unseen } from "../dom.mjs";
import { bid, declarer, fresh, isEnding } from "../state.mjs";
import { after, capital, cardName, cardsOf, dealText, handsOf, RANKS, rankText, SEAT, SEATS, strainMark, STRAINS, SUIT,
  SUITS, SYMBOL } from "../words.mjs";
import { auction, dealtBy, resultLine, scoreText } from "./board.mjs";

/** @import { Par, ParContract, Said, Tricks } from "../answers.d.ts" */
/** @import { Page, View } from "../app.mjs" */
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
    if (page.memory.entry) return byHand(page, page.memory.entry);
    const { answer, error } = page.position([]);
    return columns([
      error ? problem(error)
        : answer ? diagram(answer, { names: page.state.players, points: answer.points }) : waiting(),
      auction(page.state),
      resultLine(page),
    ], [answer ? [facts(page), table(page), par(page)] : null, entry(page)]);
  },
};

/** @param {string} text */
export const problem = (text) => h("p", { class: "problem", role: "alert" }, capital(text));
export const waiting = () => h("p", { class: "waiting" }, "…");

/** What is shown of a question: its answer, why there is none, or that it is under way.
 * @template Answer @param {Said<Answer>} said @param {(answer: Answer) => import("../dom.mjs").Inside} show */
export function answered({ answer, error, stopped }, show) {
  return error ? problem(error) : answer ? show(answer) : stopped ? hint("Stopped.") : waiting();
}

/** @param {Page} page */
function facts(page) {
  const { dealer, vulnerable } = page.state;
  return h("div", { class: "facts" },
    choice("dealer", "Dealer", SEATS.map((seat) => [seat, SEAT[seat]]), dealer,
      (value) => page.go({ dealer: value }, { push: false })),
    choice("vulnerable", "Vulnerable", [["None", "nobody"], ["NS", "North–South"], ["EW", "East–West"], ["All",
      "both"]], vulnerable, (value) => page.go({ vulnerable: value }, { push: false })));
}

/** The results of a strain, by declarer. @param {Page} page @param {string} strain */
const results = (page, strain) => page.need("table", "strain", `${strain} ${page.state.deal}`);

/** @param {Page} page */
function table(page) {
  const { state } = page;
  const said = Object.fromEntries(STRAINS.map((strain) => [strain, results(page, strain)]));
  const tricks = Math.max(...SEATS.map((seat) => cardsOf(handsOf(state.deal)[seat] ?? "").length));
  if (STRAINS.every((strain) => said[strain].answer)) page.say("The table is complete.");
  return tableOf({ class: "makes" }, ["Tricks by declarer", tricks < 13 ? ` of ${tricks}` : "",
    h("span", { class: "hint" }, " Choose one to play it")], [null, ...STRAINS.map(strainMark)],
    SEATS.map((seat) => [SEAT[seat], ...STRAINS.map((strain) => cell(page, seat, strain, said[strain]))]));
}

/** A result, to play it.
 * @param {Page} page @param {string} seat @param {string} strain @param {ReturnType<typeof results>} said */
function cell(page, seat, strain, { answer, error, stopped }) {
  if (error)
    return h("details", { class: "why" },
      h("summary", { "data-key": `why-${seat}${strain}` }, seenOnly("!"), unseen("not solved")), error);
  if (!answer) return h("span", { class: "open" }, stopped ? "–" : [seenOnly("·"), unseen("being solved")]);
  const { contract, deal } = page.state;
  const tricks = answer.tricks[strain][seat];
  return button(`cell-${seat}${strain}`, tricks,
    () =>
      page.go({
        view: "play",
        strain,
        leader: after(seat),
        play: [],
        contract: contract.endsWith(seat) ? contract : "",
      }), {
    class: answer.kinds?.[strain]?.[seat],
    "aria-label": `${SEAT[seat]} in ${SUIT[strain]}: ${tricks} tricks${deal ? ". Play it" : ""}`,
  });
}

/** A contract of par. @param {ParContract} of */
export const contractWords = (
  { level, strain, declarers, doubled, over }
) => [level, strainMark(strain), doubled ? " doubled" : "", " by ", declarers.map((seat) => SEAT[seat]).join(" or "),
  `, ${over === 0 ? "just made" : over < 0 ? `down ${-over}` : `+${over}`}`];

/** @param {Page} page */
function par(page) {
  const { state } = page;
  const open = h("p", { class: "par" }, h("b", {}, "Par"), " …");
  const numbers = [];
  for (const strain of STRAINS) {
    const { answer } = results(page, strain);
    if (!answer) return open;
    numbers.push(...SEATS.map((seat) => answer.tricks[strain][seat]));
  }
  const { answer, error } = page.need("play", "par", `${state.dealer} ${state.vulnerable} ${numbers.join(" ")}`);
  return error ? null : answer ? parLine(page, answer.par[0]) : open;
}

/** Par's score and contracts. @param {Page} page @param {Par | null} par */
export const parLine = (page, par) =>
  par
  && h("div", { class: "par" },
    h("p", {}, h("b", {}, "Par "), par.score === 0 ? "all pass" : scoreText(par.score),
      h("span", { class: "hint" }, ` ${dealtBy(page.state)}`)), h("ul", {}, par.contracts.map((contract) =>
        h("li", {}, contractWords(contract))
      )));

/** Bringing a deal in. @param {Page} page */
function entry(page) {
  /** @param {string} text */
  const read = async (text) => {
    if (text.trim()) return take(page, [text.trim()]);
    page.memory.problem = "Paste or type a deal first.";
    page.draw();
  };
  const shown = () => {
    const box = byId("paste");
    return box instanceof HTMLTextAreaElement ? read(box.value) : undefined;
  };
  const paste = h("textarea", {
    id: "paste",
    "data-key": "paste",
    rows: 3,
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: "PBN, LIN, a BBO handviewer link, or N:AKQ.… …",
    onkeydown: ({ key, ctrlKey, metaKey }) => key === "Enter" && (ctrlKey || metaKey) && shown(),
  });
  const file = h("input", {
    type: "file",
    id: "file",
    class: "unseen",
    accept: ".pbn,.lin,.txt,.dlm,.sol,text/plain",
    tabindex: "-1",
    "aria-label": "A file",
    onchange: async ({ currentTarget: chooser }) => {
      const [chosen] = chooser instanceof HTMLInputElement ? chooser.files ?? [] : [];
      if (chosen) read(await chosen.text());
    },
  });
  const { memory } = page;
  return h("details", {
    class: "entry",
    "data-key": "entry-box",
    open: memory.entryOpen || Boolean(memory.problem),
    ontoggle: (event) => {
      memory.entryOpen = isOpen(event);
    },
  }, h("summary", { "data-key": "entry" }, "Another deal"),
    h("label", { for: "paste" }, "Paste a deal, a record or a link; or drop a file anywhere"), paste,
    memory.problem ? problem(memory.problem) : null,
    h("div", { class: "row-of" }, button("read", "Show it", shown, { class: "main" }),
      button("open-file", "Open a file", () => byId("file").click()), file, button("by-hand", "Card by card", () => {
        memory.entry = { seat: "N", hands: { N: [], E: [], S: [], W: [] } };
        page.draw();
      }), button("random", "At random", () => page.go({ ...fresh(), deal: randomDeal() }))));
}

/** A deal of 52 cards at random. */
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

/** A deal card by card: the deck with the cards left; the fourth hand fills itself.
 * @param {Page} page @param {{ seat: string, hands: Record<string, string[]> }} made */
function byHand(page, made) {
  /** @param {string} card */
  const owner = (card) => SEATS.find((seat) => made.hands[seat].includes(card));
  const counts = () => SEATS.map((seat) => made.hands[seat].length);
  const left = 52 - counts().reduce((sum, count) => sum + count);
  /** @param {string} card */
  const press = (card) => {
    const has = owner(card);
    if (has) {
      made.hands[has] = made.hands[has].filter((other) => other !== card);
      made.seat = has;
    } else if (made.hands[made.seat].length < 13) {
      made.hands[made.seat].push(card);
      if (made.hands[made.seat].length === 13) {
        const open = SEATS.filter((seat) => made.hands[seat].length < 13);
        const rest = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)).filter((other) => !owner(other));
        if (open.length === 1) made.hands[open[0]].push(...rest);
        else if (open.length)
          made.seat = open.find((seat) => SEATS.indexOf(seat) > SEATS.indexOf(made.seat)) ?? open[0];
      }
    }
    const now = owner(card);
    page.say(
      `${cardName(card)}: ${now ? SEAT[now] : "back in the deck"}. ${
        SEATS.map((seat, n) => `${SEAT[seat]} ${counts()[n]}`).join(", ")
      }.`
    );
    page.draw();
  };
  const [first, ...others] = counts();
  return h("div", { class: "by-hand" },
    h("div", { class: "seats", role: "radiogroup", "aria-label": "Whose hand" },
      SEATS.map((seat, n) =>
        button(`seat-${seat}`, [SEAT[seat], h("small", {}, counts()[n])], () => {
          made.seat = seat;
          page.draw();
        }, { role: "radio", "aria-checked": String(seat === made.seat) })
      )),
    h("div", { class: "deck", role: "group", "aria-label": "The deck" },
      SUITS.map((suit) =>
        h("div", { class: `row ${suit}` }, h("span", { class: `pip ${suit}`, "aria-hidden": "true" }, SYMBOL[suit]),
          RANKS.map((rank) => {
            const has = owner(suit + rank);
            return button(`deck-${suit}${rank}`, [h("b", {}, rankText(rank)),
              h("small", { "aria-hidden": "true" }, has ?? "")], () => press(suit + rank), {
              class: has ? "given" : "",
              "aria-label": `${cardName(suit + rank)}${has ? `, ${SEAT[has]}` : ", in the deck"}`,
            });
          }))
      )), hint(`${left} cards left. Chosen cards go to ${SEAT[made.seat]}; choose a given card to take it back.`),
    h("div", { class: "row-of" },
      button("done", "Show the deal", () => page.go({ ...fresh(), deal: dealText(made.hands) }), {
        class: "main",
        disabled: !first || others.some((count) => count !== first),
      }), button("cancel", "Cancel", () => {
        page.memory.entry = null;
        page.draw();
      })));
}

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
