// @ts-check
// What runs in a worker: one question at a time, in order. The parts of the engine come with the first message.
import { engineOf, QuestionError } from "./engine.mjs";

/** @type {import("./engine.mjs").Engine} */
let engine;

/** @param {any} message */
async function answer({ start, question }) {
  if (!start) return engine.ask(question);
  engine = await engineOf(start);
  return engine.cards;
}

/** @param {any} port @param {any} message */
async function heard(port, message) {
  const { id } = message;
  try {
    port.postMessage({ id, answer: await answer(message) });
  } catch (error) {
    const refusal = error instanceof QuestionError ? error.refusal : undefined;
    port.postMessage({ id, refusal, error: error instanceof Error ? error.message : String(error) });
  }
}

// No await here: bundlers write workers as scripts, in which it would be an error. Messages sent before a port listens
// wait for it.
if (typeof WorkerGlobalScope === "undefined") {
  const threads = "node:worker_threads";
  import(/* @vite-ignore */ /* webpackIgnore: true */ threads).then(({ parentPort }) =>
    parentPort.on("message", (/** @type {any} */ message) => heard(parentPort, message)));
} else {
  globalThis.onmessage = (/** @type {any} */ { data }) => heard(globalThis, data);
}
