// What the command reads of a text on standard input, and whether a page shows the same.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ofBoard } from "../state.mjs";
import { single } from "./browser.mjs";
import { root } from "./native.mjs";

export const command = process.env.SETROGRADE
  ?? ["release", "debug"].map((kind) => join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), kind, "setrograde"))
    .find(existsSync);

/** A deal from North on. @param {string} deal */
const fromNorth = (deal) => {
  const [first, ...hands] = deal.split(/[: ]/);
  const north = (4 - "NESW".indexOf(first)) % 4;
  return `N:${[...hands.slice(north), ...hands.slice(0, north)].join(" ")}`;
};

/** A board's facts. @param {import("../answers.d.ts").ShownBoard} board */
export const factsOf = ({ board, dealer, vulnerable, deal }) =>
  [board, dealer, vulnerable, deal && fromNorth(deal)].map((fact) => fact ?? "-").join(" ");

/** What a command says of a text, without the places, which name another file. */
function ask(words, text) {
  const { stdout, stderr } = spawnSync(command, [...words, "--db", "none", "--quiet", "-"], {
    input: text,
    encoding: "utf8",
  });
  const place = /^(setrograde: )?((standard input|line \d+|board [^,:]+|column \d+)(, |: ))*/;
  return { printed: stdout, said: stderr.split("\n").filter(Boolean).map((line) => line.replace(place, "")) };
}

/** The boards and what is said of them: as deals, or, if there are none, as questions.
 * @param {Awaited<ReturnType<typeof import("../engine.mjs").engine>>} engine @param {string} text */
export function readByCommand(engine, text) {
  // Boards are written back as LIN, and nothing is solved.
  const { printed, said } = ask(["table", "--format", "lin"], text);
  const { boards = [] } = printed ? engine.ask({ ask: "boards", source: printed }) : {};
  if (boards.length) return { boards: boards.map(factsOf), said: [said] };
  const solved = ask(["solve"], text);
  const lines = solved.printed.split("\n").filter((line) => line.includes("\t"));
  return { boards: lines.map((line) => factsOf({ deal: dealOf(line.split("\t")[0]) })), said: [said, solved.said] };
}

/** The deal of a question, to whose hands the cards on the table are given back. @param {string} question */
function dealOf(question) {
  const [, leader, deal] = /^\S+ ([NESW]) (\S+ \S+ \S+ \S+)/.exec(question) ?? [];
  const [first, ...hands] = fromNorth(deal).split(/[: ]/);
  const played = /played=(\S+)/.exec(question)?.[1].match(/../g) ?? [];
  for (const [n, [suit, rank]] of played.entries()) {
    const seat = ("NESW".indexOf(leader) + n) % 4;
    const suits = hands[seat].split(".");
    const at = "SHDC".indexOf(suit);
    suits[at] = [..."AKQJT98765432"].filter((one) => (suits[at] + rank).includes(one)).join("");
    hands[seat] = suits.join(".");
  }
  return `${first}:${hands.join(" ")}`;
}

/** The sentences that are missing in what a page says. @param {string[][]} said @param {string} shown */
export function missingIn(said, shown) {
  const all = shown.toLowerCase();
  const missing = said.map((sentences) => sentences.filter((one) => !all.includes(one.toLowerCase())));
  return missing.sort((a, b) => a.length - b.length)[0];
}

/** Brings a text into a page, and returns what differs from what the command reads, if anything does.
 * @param {import("./person.mjs").Person} me @param {Awaited<ReturnType<typeof import("../engine.mjs").engine>>} engine
 * @param {string} text @param {boolean} [typed] by the keyboard, letter by letter, if it is a short line */
export async function compared(me, engine, text, typed = false) {
  const expected = readByCommand(engine, text);
  await me.open(single);
  const before = await me.see(() => location.hash);
  if (typed && text.length < 300 && !/[\n\t]/.test(text.trim())) await me.enter(text.trim());
  else await me.paste(text);
  await me.until((old) => location.hash !== old || document.querySelector("[role=alert]:not(:empty)"), before);
  const found = await me.see((old) => {
    // The boards of this text are not to be there with the next one.
    sessionStorage.clear();
    const alerts = [...document.querySelectorAll("[role=alert]")].map((one) => one.textContent);
    return { state: setrograde.state, boards: setrograde.boards, alerts, moved: location.hash !== old };
  }, before);
  const { state, boards, alerts, moved } = found;
  // Of several boards the first warnings are said, and all are beside the boards.
  const shown = [...alerts, ...boards.flatMap(({ notes = [], error = "" }) => [...notes, error])].join(" ");
  const unlessSaid = (said) => {
    const missing = missingIn(said, shown);
    return missing.length ? { missing, ...found } : null;
  };
  // Some hands alone are no deal for the command; the page asks other questions about them.
  const [first, second] = engine.ask({ ask: "boards", source: text }).boards ?? [];
  const alone = first && !second && first.error === undefined && ofBoard(first);
  if (alone?.unknown) {
    const isSame = ["deal", "unknown", "board", "dealer", "vulnerable"].every((name) => state[name] === alone[name]);
    const isOther = (sentence) => !/hidden|does not begin a deal|is not a strain/.test(sentence);
    return isSame ? unlessSaid(expected.said.map((said) => said.filter(isOther))) : { alone, ...found };
  }
  if (!expected.boards.length) return moved ? { expected, ...found } : unlessSaid(expected.said);
  const { board, dealer, vulnerable, deal } = state;
  const facts = boards.length ? boards.filter((one) => one.deal).map(factsOf)
    : [[board, dealer, vulnerable, deal].map((fact) => fact || "-").join(" ")];
  // A page of results links each board twice, and is shown once.
  const each = (list) => [...new Set(list)].join("\n");
  return each(facts) === each(expected.boards) ? unlessSaid(expected.said) : { expected, facts, ...found };
}
