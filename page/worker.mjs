// @ts-check
// A worker with an engine of its own: one question at a time, in order.
import { engine } from "./engine.mjs";

/** @type {Promise<import("./engine.mjs").Engine> | undefined} */
let ready;
/** The number of the question under way. */
let now = 0;

onmessage = async ({ data }) => {
  if (data.start) {
    ready = engine(data.start, (part) => postMessage({ id: now, part }));
    return;
  }
  try {
    if (!ready) throw new Error("the worker was not started");
    const made = await ready;
    const from = performance.now();
    now = data.id;
    const answer = made.ask(data.question);
    postMessage({ id: data.id, answer, ms: performance.now() - from });
  } catch (error) {
    // A trap leaves the engine in no state to continue: the page starts a new worker.
    postMessage({ id: data.id, trap: String(error) });
  }
};
