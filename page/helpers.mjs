// @ts-check
// Workers that answer questions. An answer is kept; a question that nobody wants any
// more is dropped, by ending its worker where it has begun.

/**
 * @typedef {{ answer?: any, error?: string, stopped?: boolean, pending?: boolean, since?: number }} Said
 * @typedef {{ key: string, what: string, text: string, since: number }} Job
 */

/** Answers that are kept. */
const MOST_KEPT = 600;
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
  const text = atob((inside.textContent ?? "").trim());
  const zipped = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** What every worker starts with. @param {string[]} levels */
export async function load(levels) {
  const [module, ...files] = await Promise.all([
    bytesOf("setrograde.wasm").then((bytes) => WebAssembly.compile(bytes)),
    ...levels.map(bytesOf),
  ]);
  const inside = document.getElementById("worker.mjs");
  const url = inside && URL.createObjectURL(new Blob([inside.textContent ?? ""], { type: "text/javascript" }));
  return {
    files: { module, levels: files },
    worker: () => (url ? new Worker(url) : new Worker("worker.mjs", { type: "module" })),
  };
}

/** One worker and its queue. */
class Helper {
  /** @param {Awaited<ReturnType<typeof load>>} loaded @param {(job: Job, said: Said, ms: number) => void} tell */
  constructor(loaded, tell) {
    this.loaded = loaded;
    this.tell = tell;
    /** @type {Job[]} */
    this.queue = [];
    /** @type {Job | null} */
    this.running = null;
    this.id = 0;
    this.begin();
  }

  begin() {
    this.worker = this.loaded.worker();
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.heard({ id: this.id, trap: event.message || "the worker failed" });
    };
    this.worker.postMessage({ start: this.loaded.files });
  }

  /** @param {any} data */
  heard(data) {
    if (data.id !== this.id || !this.running) return;
    const job = this.running;
    this.running = null;
    if (data.trap) this.restart();
    if (data.trap) this.tell(job, { error: `The engine failed: ${data.trap}` }, 0);
    else this.tell(job, data.answer.error ? { error: data.answer.error } : { answer: data.answer }, data.ms);
    this.next();
  }

  restart() {
    this.worker?.terminate();
    this.running = null;
    this.begin();
  }

  next() {
    const job = this.running ? undefined : this.queue.shift();
    if (!job) return;
    this.running = job;
    job.since = performance.now();
    this.id += 1;
    this.worker?.postMessage({ id: this.id, what: job.what, text: job.text });
  }
}

/** All workers, by what they are for, and all answers. */
export class Helpers {
  /** @param {Awaited<ReturnType<typeof load>>} loaded @param {Record<string, number>} roles
   * @param {(what: string, ms: number) => void} heard */
  constructor(loaded, roles, heard) {
    /** @type {Map<string, Said>} */
    this.answers = new Map();
    /** @type {Set<string>} */
    this.wanted = new Set();
    /** @type {Record<string, Helper[]>} */
    this.helpers = {};
    this.heard = heard;
    for (const [role, count] of Object.entries(roles)) {
      const tell = (/** @type {Job} */ job, /** @type {Said} */ said, /** @type {number} */ ms) => this.keep(job, said, ms);
      this.helpers[role] = Array.from({ length: count }, () => new Helper(loaded, tell));
    }
  }

  all() {
    return Object.values(this.helpers).flat();
  }

  /** @param {Job} job @param {Said} said @param {number} ms */
  keep(job, said, ms) {
    this.answers.set(job.key, said);
    if (this.answers.size > MOST_KEPT) {
      for (const key of this.answers.keys()) {
        if (this.answers.size <= MOST_KEPT / 2) break;
        if (!this.wanted.has(key)) this.answers.delete(key);
      }
    }
    this.heard(job.what, ms);
  }

  /** The answer to a question, or that it is under way. It is asked of a worker of that role.
   * @param {string} role @param {string} what @param {string} text @returns {Said} */
  need(role, what, text) {
    const key = `${what}\n${text}`;
    this.wanted.add(key);
    const said = this.answers.get(key);
    if (said) return said;
    for (const helper of this.all()) {
      if (helper.running?.key === key) return { pending: true, since: helper.running.since };
      if (helper.queue.some((job) => job.key === key)) return { pending: true };
    }
    const helpers = this.helpers[role];
    const load = (/** @type {Helper} */ helper) => helper.queue.length + (helper.running ? 1 : 0);
    const helper = helpers.reduce((a, b) => (load(b) < load(a) ? b : a));
    helper.queue.push({ key, what, text, since: performance.now() });
    helper.next();
    return { pending: true };
  }

  /** Starts to collect the questions that are wanted. */
  begin() {
    this.wanted = new Set();
  }

  /** Drops what was not asked for since `begin`. */
  end() {
    for (const helper of this.all()) {
      helper.queue = helper.queue.filter((job) => this.wanted.has(job.key));
      const { running } = helper;
      if (!running || this.wanted.has(running.key)) continue;
      const drop = () => {
        if (helper.running !== running || this.wanted.has(running.key)) return;
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
        if (job) this.answers.set(job.key, { stopped: true });
      }
      helper.queue = [];
      helper.restart();
    }
  }

  /** Asks what was stopped anew. */
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
