// @ts-check
// The engine of a compiled module: in this thread, or in a worker.

/** @import { Answers } from "./answers.d.ts" */
/** @import { Tricks } from "./index.d.ts" */
/** @import { Question } from "./desk.d.ts" */
/** What an engine is made of: the module, the levels inside and their numbers of cards, and the caller's levels.
 * @typedef {{ module: WebAssembly.Module, cards: number[], levels: Uint8Array[], more: Uint8Array[] }} Parts */

/** A question that cannot be answered: the input is wrong, as the message says. */
export class QuestionError extends Error {
  name = "QuestionError";

  /** @param {{ error: string }} refusal what there is instead of an answer */
  constructor(refusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/** The tables of the five strains. @param {string} deal @param {(what: "strain", text: string) => any} ask */
export const fiveStrains = (deal, ask) => ["S", "H", "D", "C", "NT"].map((strain) => ask("strain", `${strain} ${deal}`));

/** Questions without a search: they need no endings. */
const READS = new Set(["boards", "file", "decode", "write", "score", "par", "session", "summary", "position", "shares",
  "goal", "condition", "contracts", "suit"]);

/** An engine in this thread: questions take as long as they take. */
export class Engine {
  #exports;
  /** Levels that are unpacked with the first search. @type {Uint8Array[]} */
  #waiting = [];
  /** The numbers of cards of the levels in use. @type {number[]} */
  cards = [];

  /** @param {Record<string, any>} exports */
  constructor(exports) {
    this.#exports = exports;
  }

  /** @param {Uint8Array} bytes @param {"ask" | "ask_desk" | "levels"} name */
  #call(bytes, name) {
    const { memory, room, length, [name]: call } = this.#exports;
    const start = room(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    const at = call(start, bytes.length) >>> 0;
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length())));
    if (typeof answer.error === "string") throw new QuestionError(answer);
    return answer;
  }

  /**
   * @param {keyof Answers | Question} what @param {string} text @returns {any}
   */
  ask(what, text = "") {
    if (typeof what === "object") {
      this.#unpack();
      return this.#call(new TextEncoder().encode(JSON.stringify(what)), "ask_desk");
    }
    if (!READS.has(what)) this.#unpack();
    return this.#call(new TextEncoder().encode(`${what}\n${text}`), "ask");
  }

  /** @param {string} deal @returns {Tricks} */
  table(deal) {
    return Object.assign({}, ...fiveStrains(deal, (what, text) => this.ask(what, text).tricks));
  }

  /** Uses the endings inside, once a question searches. @param {number[]} cards @param {Uint8Array[]} levels */
  keep(cards, levels) {
    this.cards = cards;
    this.#waiting = levels;
  }

  #unpack() {
    if (!this.#waiting.length) return;
    const levels = this.#waiting;
    this.#waiting = [];
    this.load(levels);
  }

  /** @param {Uint8Array[]} all */
  load(all) {
    const bytes = new Uint8Array(all.reduce((sum, level) => sum + 4 + level.length, 0));
    let at = 0;
    for (const level of all) {
      new DataView(bytes.buffer).setUint32(at, level.length, true);
      bytes.set(level, at + 4);
      at += 4 + level.length;
    }
    this.cards = this.#call(bytes, "levels").cards;
  }
}

/** @param {Parts} parts */
export async function engineOf({ module, cards, levels, more }) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const engine = new Engine(exports);
  // Those of a caller are checked at once.
  if (more.length) engine.load([...levels, ...more]);
  else engine.keep(cards, levels);
  return engine;
}
