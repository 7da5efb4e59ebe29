// @ts-check
// The engine in this thread, and in a worker.
import { engineOf, QuestionError } from "./engine.mjs";

export { Engine, QuestionError } from "./engine.mjs";

/** @import { Question } from "./answers.d.ts" */
/** @import { Tricks } from "./index.d.ts" */
/** @typedef {{ levels?: (ArrayBuffer | Uint8Array)[] }} Options */

/** The bytes of a text in base64. @param {string} text */
function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; n += 1) bytes[n] = letters.charCodeAt(n);
  return bytes;
}

/** Text in base64 that is packed. @param {string} text */
async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @type {Promise<import("./engine.mjs").Parts> | undefined} */
let inside;

/** The engine and the endings that are inside, compiled and unpacked once. Bundlers that split make a part of
 * their own of them; a worker gets them from here, so that they are shipped once. */
async function once() {
  const { cards, levels, wasm } = await import("./inside.mjs");
  const [module, ...maps] = await Promise.all([unpacked(wasm).then((bytes) => WebAssembly.compile(bytes)),
    ...levels.map(unpacked)]);
  return { module, cards, levels: maps, more: [] };
}

/** The parts of an engine. @param {Options} options */
async function parts({ levels = [] }) {
  inside ??= once();
  const { module, cards, levels: own } = await inside;
  const more = levels.map((level) => new Uint8Array(level instanceof ArrayBuffer ? level : level.slice().buffer));
  return { module, cards, levels: own, more };
}

/** @param {Options} [options] */
export async function createEngine(options = {}) {
  return engineOf(await parts(options));
}

/** @param {string | URL} from @param {string} [sha256] */
export async function fetchLevel(from, sha256) {
  const response = await fetch(from);
  if (!response.ok) throw new Error(`${from}: ${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (sha256 !== undefined) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (found !== sha256.toLowerCase()) throw new Error(`${from}: SHA-256 is ${found}, expected ${sha256}`);
  }
  return bytes;
}

/** An engine in a worker, which leaves this thread free. */
export class WorkerEngine {
  #worker;
  #waiting = new Map();
  #id = 0;
  /** The reason that the worker answers no more. @type {Error | undefined} */
  #over;
  /** The numbers of cards of the levels in use. @type {number[]} */
  cards = [];

  /** @param {any} worker a Worker of the browser's or of node:worker_threads */
  constructor(worker) {
    this.#worker = worker;
    const heard = (/** @type {any} */ said) => {
      const { id, answer, error, refusal } = said;
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error === undefined) resolve?.(answer);
      else reject?.(refusal ? new QuestionError(refusal) : new Error(error));
    };
    const failed = (/** @type {any} */ event) => this.#fail(event.message || "the worker failed");
    const garbled = () => this.#fail("an answer of the worker cannot be read");
    if (worker.on) {
      worker.on("message", heard).on("error", failed).on("messageerror", garbled)
        .on("exit", (/** @type {number} */ status) => this.#end(new Error(`the worker has ended with status ${status}`)));
      // Node gives this number to a worker that has ended: its "exit" is over.
      if (worker.threadId === -1) this.#end(new Error("the worker has ended"));
    } else {
      worker.onmessage = (/** @type {any} */ { data }) => heard(data);
      worker.onerror = failed;
      worker.onmessageerror = garbled;
    }
  }

  /** Rejects all open and later questions. @param {Error} error */
  #end(error) {
    this.#over ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Ends a worker on which nobody can rely. @param {string} why */
  #fail(why) {
    this.#end(new Error(why));
    this.#worker.terminate();
  }

  /** @param {object} message @returns {Promise<any>} */
  async #send(message) {
    if (this.#over) throw new Error(this.#over.message);
    this.#id += 1;
    const id = this.#id;
    // A message that cannot be cloned is refused here, and waits for nothing.
    this.#worker.postMessage({ id, ...message });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** @param {import("./engine.mjs").Parts} parts */
  async start(parts) {
    this.cards = await this.#send({ start: parts });
  }

  /** @param {Question | Question[]} question @returns {Promise<any>} */
  ask(question) {
    return this.#send({ question });
  }

  /** @param {string} deal @returns {Promise<Tricks>} */
  async table(deal) {
    return (await this.ask({ ask: "table", question: deal })).tricks;
  }

  /** Ends the worker; its open and later questions are rejected. */
  terminate() {
    this.#end(new Error("the worker was ended"));
    return this.#worker.terminate();
  }
}

/** @param {Options & { worker?: any }} [options] */
export async function createWorkerEngine({ worker, ...options } = {}) {
  if (!worker && typeof Worker === "undefined") {
    // Bundlers for browsers do not change expressions that they cannot analyse.
    const threads = "node:worker_threads";
    const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
    worker = new Thread(new URL("./worker.mjs", import.meta.url));
  }
  worker ??= new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  const engine = new WorkerEngine(worker);
  await engine.start(await parts(options));
  return engine;
}
