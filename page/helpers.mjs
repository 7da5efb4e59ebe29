// @ts-check
// Workers that answer questions. An answer is kept; a question that is no longer needed is dropped, and its worker
// ended if it has begun.

/** @import { Answers, Question } from "./answers.d.ts" */

/**
 * What is known of a question. `part` is the last part that was found before the answer.
 * @template Answer
 * @typedef {{ answer?: Answer, part?: Partial<Answer>, error?: string, why?: string, because?: string,
 *             stopped?: boolean, pending?: boolean }} Said
 */
/**
 * @typedef {Said<object> & { key: string, question: Question, since: number, pending: boolean }} Job
 * @typedef {{ id: number, part?: object, answer?: Refusal, trap?: string, ms?: number }} Message
 * @typedef {(job: Job, said: Said<object>, ms: number) => void} Report
 * @typedef {{ error?: string, column?: number | null, option?: string, because?: string }} Refusal
 */

/** Answers that are kept. */
const MOST_KEPT = 3000;
/** Questions whose parts are drawn. */
const PARTS = new Set(["odds"]);
/** How long a question that is no longer wanted may run on, in ms: what it learns helps the next. */
const GRACE = 150;

/** The bytes of a file: inside this page, or beside it.
 * @param {string} name @returns {Promise<ArrayBuffer>} */
async function bytesOf(name) {
  const inside = document.getElementById(name);
  if (!inside) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  }
  const zipped = unwritten((inside.textContent ?? "").trim());
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Bytes that are written as text, as build.mjs writes them: their number, a blank, and two characters for 13 bits,
 * from ! to ~ without <.
 * @param {string} text */
function unwritten(text) {
  const [length] = text.split(" ", 1);
  const bytes = new Uint8Array(Number(length));
  const codes = new TextEncoder().encode(text);
  let word = 0;
  let bits = 0;
  let to = 0;
  for (let at = length.length + 1; to < bytes.length; at += 2) {
    const high = codes[at];
    const low = codes[at + 1];
    word = (word << 13) | ((high - (high > 60 ? 34 : 33)) * 93 + low - (low > 60 ? 34 : 33));
    for (bits += 13; bits >= 8; bits -= 8) bytes[to++] = word >> (bits - 8);
    word &= (1 << bits) - 1;
  }
  return bytes;
}

/** The engine, and how to make a worker. */
export async function load() {
  const module = await WebAssembly.compile(await bytesOf("setrograde.wasm"));
  const inside = document.getElementById("worker.mjs");
  const url = inside && URL.createObjectURL(new Blob([inside.textContent ?? ""], { type: "text/javascript" }));
  return { module, worker: () => (url ? new Worker(url) : new Worker("worker.mjs", { type: "module" })) };
}

/** Why a question has no answer. A column in its cards or in the condition at its end is named by these.
 * @param {Question} asked @param {Refusal} refusal @returns {Said<object>} */
function refused(asked, { error = "", column, option, because }) {
  const line = ("question" in asked && asked.question) || "";
  const condition = line.includes(" if=") ? line.indexOf(" if=") + 4 : Infinity;
  const cards = line.search(/( [SHDC][AKQJT2-9])+( if=|$)/);
  const where = !column ? ""
    : column > condition ? `condition, column ${column - condition}: `
    : cards >= 0 && column > cards ? `card ${Math.floor((column - cards + 1) / 3)} of the play: `
    : `column ${column}: `;
  const ofCondition = (option === "if" || option === "if_left") && error.startsWith(`${option}: `);
  const why = ofCondition ? `condition, ${error.slice(option.length + 2)}` : error;
  return { error: where + why, why, because };
}

/** One worker and its queue. */
class Helper {
  /** @param {Awaited<ReturnType<typeof load>>} loaded @param {Report} report @param {(job: Job) => void} drawn */
  constructor(loaded, report, drawn) {
    this.loaded = loaded;
    this.report = report;
    this.drawn = drawn;
    /** @type {Job[]} */
    this.queue = [];
    /** @type {Job | null} */
    this.running = null;
    this.id = 0;
    /** @type {Worker | undefined} */
    this.worker = undefined;
  }

  /** Its questions. */
  get load() {
    return this.queue.length + (this.running ? 1 : 0);
  }

  begin() {
    this.worker = this.loaded.worker();
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.heard({ id: this.id, trap: event.message || "the worker failed" });
    };
    this.worker.postMessage({ start: this.loaded.module });
  }

  /** @param {Message} data */
  heard(data) {
    if (data.id !== this.id || !this.running) return;
    const job = this.running;
    if (data.part) {
      job.part = data.part;
      return this.drawn(job);
    }
    this.running = null;
    if (data.trap) this.restart();
    const { answer, trap, ms = 0 } = data;
    if (trap || !answer) this.report(job, { error: `The engine failed: ${trap}` }, 0);
    else this.report(job, answer.error === undefined ? { answer } : refused(job.question, answer), ms);
    this.next();
  }

  restart() {
    this.worker?.terminate();
    this.worker = undefined;
    this.running = null;
  }

  next() {
    const job = this.running ? undefined : this.queue.shift();
    if (!job) return;
    // A worker begins with its first question.
    if (!this.worker) this.begin();
    this.running = job;
    job.since = performance.now();
    this.id += 1;
    this.worker?.postMessage({ id: this.id, question: job.question });
  }
}

/** All workers, by what they are for, and all answers. */
export class Helpers {
  /** @param {Awaited<ReturnType<typeof load>>} loaded @param {Record<string, number>} roles
   * @param {(ask: string, ms: number) => void} heard */
  constructor(loaded, roles, heard) {
    /** Of every question: its answer has the type that the engine gave it. */
    this.answers = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /** The callers that wait for the answer to a question. */
    this.waiting = new Map();
    /** The questions under way, as answers. */
    this.jobs = new Map();
    /** @type {Record<string, Helper[]>} */
    this.helpers = {};
    this.heard = heard;
    for (const [role, count] of Object.entries(roles)) {
      this.helpers[role] = Array.from({ length: count }, () =>
        new Helper(loaded, this.keep, ({ question: { ask } }) => PARTS.has(ask) && heard(ask, 0)));
    }
  }

  all() {
    return Object.values(this.helpers).flat();
  }

  /** @type {Report} */
  keep = (job, said, ms) => {
    this.answers.set(job.key, said);
    this.jobs.delete(job.key);
    this.release(job.key, said);
    if (this.answers.size > MOST_KEPT) {
      for (const key of this.answers.keys()) {
        if (this.answers.size <= MOST_KEPT / 2) break;
        if (!this.wanted.has(key)) this.answers.delete(key);
      }
    }
    this.heard(job.question.ask, ms);
  };

  /** The answer to a question that was asked; undefined if there is none yet.
   * @template {Question} Asked @param {Asked} question @returns {Said<Answers[Asked["ask"]]> | undefined} */
  answered(question) {
    return this.answers.get(JSON.stringify(question));
  }

  /** What is known of a question; undefined if it was not asked.
   * @template {Question} Asked @param {Asked} question @returns {Said<Answers[Asked["ask"]]> | undefined} */
  known(question) {
    const key = JSON.stringify(question);
    const said = this.answers.get(key) ?? this.jobs.get(key);
    if (said) this.wanted.add(key);
    return said;
  }

  /** The answer to a question, or its pending state. It is asked of a worker of that role: the one with the fewest
   * questions, or the one that had the other questions about the same thing, by its number.
   * @template {Question} Asked @param {string} role @param {Asked} question @param {number} [about]
   * @returns {Said<Answers[Asked["ask"]]>} */
  need(role, question, about) {
    const said = this.known(question);
    if (said) return said;
    const key = JSON.stringify(question);
    this.wanted.add(key);
    const helpers = this.helpers[role];
    const helper = about === undefined ? helpers.reduce((a, b) => (b.load < a.load ? b : a))
      : helpers[about % helpers.length];
    const job = { key, question, since: performance.now(), pending: true };
    this.jobs.set(key, job);
    helper.queue.push(job);
    helper.next();
    return job;
  }

  /** A question outside a drawing: it is wanted until it is answered or stopped.
   * @template {Question} Asked @param {string} role @param {Asked} question
   * @returns {Promise<Said<Answers[Asked["ask"]]>>} */
  once(role, question) {
    return new Promise((resolve) => {
      const said = this.need(role, question);
      if (!said.pending) return resolve(said);
      const key = JSON.stringify(question);
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), resolve]);
    });
  }

  /** @param {string} key @param {Said<object>} said */
  release(key, said) {
    for (const resolve of this.waiting.get(key) ?? []) resolve(said);
    this.waiting.delete(key);
  }

  /** Starts to collect the questions that are wanted. */
  begin() {
    this.wanted = new Set(this.waiting.keys());
  }

  /** Drops the questions that were not asked since `begin`. */
  end() {
    for (const helper of this.all()) {
      for (const job of helper.queue) if (!this.wanted.has(job.key)) this.jobs.delete(job.key);
      helper.queue = helper.queue.filter((job) => this.wanted.has(job.key));
      const { running } = helper;
      if (!running || this.wanted.has(running.key)) continue;
      const drop = () => {
        if (helper.running !== running || this.wanted.has(running.key)) return;
        this.jobs.delete(running.key);
        helper.restart();
        helper.next();
      };
      setTimeout(drop, Math.max(0, GRACE - (performance.now() - running.since)));
    }
  }

  /** Ends everything that is under way; it is not asked again until `again`. */
  stop() {
    for (const helper of this.all()) {
      if (!helper.running && !helper.queue.length) continue;
      for (const job of [...helper.queue, helper.running]) {
        if (!job) continue;
        this.answers.set(job.key, { stopped: true });
        this.jobs.delete(job.key);
        this.release(job.key, { stopped: true });
      }
      helper.queue = [];
      helper.restart();
    }
  }

  /** Asks the stopped questions again. */
  again() {
    for (const [key, said] of this.answers) {
      if (said.stopped) this.answers.delete(key);
    }
  }

  /** Since when the oldest question is under way; 0 if none is. */
  busySince() {
    const since = this.all().flatMap((helper) => (helper.running ? [helper.running.since] : []));
    return since.length ? Math.min(...since) : 0;
  }
}
