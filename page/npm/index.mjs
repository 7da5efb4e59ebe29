// @ts-check
// The engine in this thread, and in a worker.
import { levels as levelsInside, wasm as wasmInside } from "./inside.mjs";

/** @import { Answers, Tricks } from "./answers.d.ts" */
/** @typedef {{ levels?: (ArrayBuffer | Uint8Array)[] }} Options */

/** A question that cannot be answered: the input is wrong, as the message says. */
export class QuestionError extends Error {
  name = "QuestionError";
}

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** The bytes of a text in base64. @param {string} text */
function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < letters.length; n += 1) bytes[n] = letters.charCodeAt(n);
  return bytes;
}

/** Compiles the engine, once. */
function module() {
  const unpacked = () => new Blob([bytesOf(wasmInside)]).stream().pipeThrough(new DecompressionStream("gzip"));
  compiled ??= new Response(unpacked()).arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** The tables of the five strains as one. @param {string} deal @param {(what: "strain", text: string) => any} ask */
const fiveStrains = (deal, ask) => ["S", "H", "D", "C", "NT"].map((strain) => ask("strain", `${strain} ${deal}`));

/** An engine in this thread: questions take as long as they take. */
export class Engine {
  #exports;
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
    if (typeof answer.error === "string") throw new QuestionError(answer.error);
    return answer;
  }

  /**
   * @template {keyof Answers} What
   * @param {What} what @param {string} text @returns {Answers[What]}
   */
  ask(what, text = "") {
    return this.#call(new TextEncoder().encode(`${what}\n${text}`), "ask");
  }

  /** @param {string} deal @returns {Tricks} */
  table(deal) {
    return Object.assign({}, ...fiveStrains(deal, (what, text) => this.ask(what, text).tricks));
  }

  /** @param {(ArrayBuffer | Uint8Array)[]} levels */
  load(levels) {
    const all = levels.map((level) => new Uint8Array(level instanceof ArrayBuffer ? level : level.slice().buffer));
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

/** @param {Options} [options] */
export async function createEngine(options = {}) {
  const { exports } = await WebAssembly.instantiate(await module(), {});
  const engine = new Engine(exports);
  engine.load([...levelsInside.map(bytesOf), ...(options.levels ?? [])]);
  return engine;
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
  /** The numbers of cards of the levels in use. @type {number[]} */
  cards = [];

  /** @param {any} worker a Worker of the browser's or of node:worker_threads */
  constructor(worker) {
    this.#worker = worker;
    const heard = (/** @type {any} */ said) => {
      const { id, answer, error, question } = said;
      const { resolve, reject } = this.#waiting.get(id) ?? {};
      this.#waiting.delete(id);
      if (error === undefined) resolve?.(answer);
      else reject?.(question ? new QuestionError(error) : new Error(error));
    };
    const failed = (/** @type {any} */ event) => this.#end(new Error(event.message || "the worker failed"));
    if (worker.on) worker.on("message", heard).on("error", failed);
    else {
      worker.onmessage = (/** @type {any} */ { data }) => heard(data);
      worker.onerror = failed;
    }
  }

  /** @param {Error} error */
  #end(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** @param {object} message @returns {Promise<any>} */
  #send(message) {
    this.#id += 1;
    const id = this.#id;
    const said = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#worker.postMessage({ id, ...message });
    return said;
  }

  /** @param {Options} options */
  async start(options) {
    this.cards = await this.#send({ start: options });
  }

  /**
   * @template {keyof Answers} What
   * @param {What} what @param {string} text @returns {Promise<Answers[What]>}
   */
  ask(what, text = "") {
    return this.#send({ what, text });
  }

  /** @param {string} deal @returns {Promise<Tricks>} */
  async table(deal) {
    const strains = await Promise.all(fiveStrains(deal, (what, text) => this.ask(what, text)));
    return Object.assign({}, ...strains.map(({ tricks }) => tricks));
  }

  /** Ends the worker; what it was asked is not answered. */
  terminate() {
    this.#end(new Error("the worker was ended"));
    return this.#worker.terminate();
  }
}

/** @param {Options & { worker?: any }} [options] */
export async function createWorkerEngine({ worker, ...options } = {}) {
  if (!worker && typeof Worker === "undefined") {
    // Bundlers for browsers leave alone what they cannot read.
    const threads = "node:worker_threads";
    const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads);
    worker = new Thread(new URL("./worker.mjs", import.meta.url));
  }
  worker ??= new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  const engine = new WorkerEngine(worker);
  await engine.start(options);
  return engine;
}
