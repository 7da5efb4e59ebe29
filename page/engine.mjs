// @ts-check
// The engine: bytes in, JSON out.

/** @import { Answers } from "./answers.d.ts" */

/**
 * The questions to an engine, and the types of its answers.
 * @typedef {{ ask<What extends keyof Answers>(what: What, text?: string): Answers[What] & { error?: string } }} Engine
 */

/**
 * An engine of a compiled module.
 * @param {WebAssembly.Module} module
 * @returns {Promise<Engine>}
 */
export async function engine(module) {
  const { exports } = await WebAssembly.instantiate(module, {});
  const { memory, room, ask, length } = exports;
  if (!(memory instanceof WebAssembly.Memory && room instanceof Function && ask instanceof Function
    && length instanceof Function))
  {
    throw new Error("the engine is not setrograde's");
  }
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return {
    ask(what, text = "") {
      const bytes = encoder.encode(`${what}\n${text}`);
      const question = room(bytes.length);
      new Uint8Array(memory.buffer, question, bytes.length).set(bytes);
      const at = ask(question, bytes.length);
      // Here the engine's text gets its type, which test/types.test.mjs compares with its answers.
      return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, at, length())));
    },
  };
}
