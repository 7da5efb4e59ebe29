// @ts-check
// What runs in a worker: one question at a time, in order.
import { createEngine, QuestionError } from "./index.mjs";

/** @type {import("./index.mjs").Engine} */
let engine;
/** @type {any} */
let port = globalThis;
if (typeof WorkerGlobalScope === "undefined") {
  const threads = "node:worker_threads";
  port = (await import(/* @vite-ignore */ /* webpackIgnore: true */ threads)).parentPort;
}

/** @param {any} message */
async function answer({ start, what, text }) {
  if (!start) return engine.ask(what, text);
  engine = await createEngine(start);
  return engine.cards;
}

const heard = async (/** @type {any} */ message) => {
  const { id } = message;
  try {
    port.postMessage({ id, answer: await answer(message) });
  } catch (error) {
    const question = error instanceof QuestionError;
    port.postMessage({ id, question, error: error instanceof Error ? error.message : String(error) });
  }
};
if (port.on) port.on("message", heard);
else port.onmessage = (/** @type {any} */ { data }) => heard(data);
