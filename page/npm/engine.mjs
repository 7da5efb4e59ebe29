// @ts-check
// The engine of a compiled module: in this thread, or in a worker.

/** @import { Question } from "./answers.d.ts" */
/** @import { Tricks } from "./index.d.ts" */
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

/** Questions without a search: they need no endings. */
const READS = new Set(["boards", "decode", "write", "score", "results", "position", "condition", "contracts", "suit"]);

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

  /** @param {Uint8Array} bytes @param {"ask" | "levels"} name */
  #call(bytes, name) {
    const { memory, room, length, [name]: call } = this.#exports;
    const start = room(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    const at = call(start, bytes.length) >>> 0;
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length())));
    if (typeof answer.error === "string") throw new QuestionError(answer);
    return answer;
  }

  /** @param {Question | Question[]} question @returns {any} */
  ask(question) {
    if (Array.isArray(question) || !READS.has(question.ask)) this.#unpack();
    return this.#call(new TextEncoder().encode(JSON.stringify(question)), "ask");
  }

  /** @param {string} deal @returns {Tricks} */
  table(deal) {
    return this.ask({ ask: "table", question: deal }).tricks;
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
  // The parts of answers are for the page.
  const { exports } = await WebAssembly.instantiate(module, { page: { part() {} } });
  const engine = new Engine(exports);
  // Those of a caller are checked at once.
  if (more.length) engine.load([...levels, ...more]);
  else engine.keep(cards, levels);
  return engine;
}
