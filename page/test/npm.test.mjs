// The npm package's engine in a worker: whatever becomes of the worker, every question is answered or rejected.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { WorkerEngine } from "../npm/index.mjs";

/** A worker that answers "echo" with its text, and does what its name says on any other question. */
const SCRIPT = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ id, question: { ask, text } }) => {
  if (ask === "echo") parentPort.postMessage({ id, answer: text });
  if (ask === "exit") process.exit(3);
  if (ask === "throw") throw new Error("out of order");
  if (ask === "close") parentPort.close();
});`;
const made = () => new Worker(SCRIPT, { eval: true });

/** What becomes of a promise within two seconds. */
const settled = (promise) =>
  Promise.race([promise.then((answer) => `answered ${answer}`, (error) => `rejected: ${error.message}`),
    new Promise((next) => setTimeout(next, 2000, "never settles").unref())]);

/** A question under way, one after the worker's end and one much later. */
async function all(engine, end) {
  const open = [settled(engine.ask({ ask: "silence" })), settled(engine.ask({ ask: "silence" }))];
  await end();
  return Promise.all([...open, settled(engine.ask({ ask: "echo", text: "x" })),
    settled(engine.table("N:AK.2.. QJ.A.. 32..A. ..K2.A"))]);
}

test("a worker that lives answers in any number", async () => {
  const engine = new WorkerEngine(made());
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => engine.ask({ ask: "echo", text: String(n) }))
  );
  assert.deepEqual(answers, Array.from({ length: 1000 }, (_, n) => String(n)));
  await engine.terminate();
});

const ENDS = {
  "by terminate": (engine) => engine.terminate(),
  "by terminate, twice": async (engine) => {
    engine.terminate();
    await engine.terminate();
  },
  "by its caller": (_, worker) => worker.terminate(),
  "by itself": (engine) => settled(engine.ask({ ask: "exit" })),
  "with an error": (engine) => settled(engine.ask({ ask: "throw" })),
  "because nothing holds it": (engine) => settled(engine.ask({ ask: "close" })),
  "by an answer that cannot be read": (_, worker) => void worker.emit("messageerror", new Error("not cloned")),
};
for (const [how, end] of Object.entries(ENDS)) {
  test(`a worker that ends ${how} leaves no question open`, async () => {
    const worker = made();
    const engine = new WorkerEngine(worker);
    for (const said of await all(engine, () => end(engine, worker))) assert.match(said, /^rejected: /, how);
  });
}

test("a worker that had ended before", async () => {
  const worker = made();
  await worker.terminate();
  const engine = new WorkerEngine(worker);
  assert.equal(await settled(engine.ask({ ask: "echo", text: "x" })), "rejected: the worker has ended");
});

test("a question that cannot be sent is rejected, and the next one is answered", async () => {
  const engine = new WorkerEngine(made());
  assert.match(await settled(engine.ask(() => 1)), /^rejected: .*could not be cloned/);
  assert.equal(await settled(engine.ask({ ask: "echo", text: "x" })), "answered x");
  await engine.terminate();
});

test("a browser's worker is heard, too", async () => {
  for (const [name, event] of [["onerror", { message: "lost" }], ["onmessageerror", {}]]) {
    let ended = 0;
    const worker = { postMessage() {}, terminate: () => ended++ };
    const engine = new WorkerEngine(worker);
    const open = engine.ask({ ask: "silence" });
    worker[name](event);
    assert.match(await settled(open), /^rejected: /, name);
    assert.match(await settled(engine.ask({ ask: "silence" })), /^rejected: /, name);
    assert.equal(ended, 1, name);
  }
});
