// @ts-check
// A worker with an engine of its own: one question at a time, in order.
import { engine } from "./engine.mjs";

/** @type {Promise<import("./engine.mjs").Engine> | undefined} */
let ready;

onmessage = async ({ data }) => {
  if (data.start) {
    ready = engine(data.start);
    return;
  }
  try {
    if (!ready) throw new Error("the worker was not started");
    const made = await ready;
    const from = performance.now();
    const answer = made.ask(data.what, data.text);
    postMessage({ id: data.id, answer, ms: performance.now() - from });
  } catch (error) {
    // A trap leaves the engine in no state to continue: the page starts a new worker.
    postMessage({ id: data.id, trap: String(error) });
  }
};
