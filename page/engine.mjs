// @ts-check
// The engine: questions and answers in JSON.

/** @import { Answers, Question } from "./answers.d.ts" */

/**
 * The questions to an engine, and the types of its answers.
 * @typedef {{ ask<Asked extends Question>(question: Asked): Answers[Asked["ask"]] & { error?: string } }} Engine
 */

/**
 * An engine of a compiled module.
 * @param {WebAssembly.Module} module @param {(part: object) => void} [onPart] is called with each part of an answer
 * @returns {Promise<Engine>}
 */
export async function engine(module, onPart = () => {}) {
  const decoder = new TextDecoder();
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @param {number} at @param {number} length */
  const read = (at, length) => JSON.parse(decoder.decode(new Uint8Array(memory.buffer, at, length)));
  const part = (/** @type {number} */ at, /** @type {number} */ length) => onPart(read(at, length));
  const { exports } = await WebAssembly.instantiate(module, { page: { part } });
  const { memory: all, room, ask, length } = exports;
  if (!(all instanceof WebAssembly.Memory && room instanceof Function && ask instanceof Function
    && length instanceof Function))
  {
    throw new Error("the engine is not setrograde's");
  }
  memory = all;
  const encoder = new TextEncoder();
  return {
    ask(question) {
      const bytes = encoder.encode(JSON.stringify(question));
      const start = room(bytes.length);
      new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
      // Here the engine's text gets its type, which test/types.test.mjs compares with its answers.
      return read(ask(start, bytes.length), length());
    },
  };
}
