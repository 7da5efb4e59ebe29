// @ts-check
// Boards from elsewhere: pasted, dropped, opened, or inside the page; kept while the page is reloaded.
import { Evening, isGood } from "./evening.mjs";
import { boardOf, ofBoard, readLink, toWrite } from "./state.mjs";
import { plural } from "./words.mjs";

/** @import { Answers, BoardRead, Question, ShownBoard, TeamMatch } from "./answers.d.ts" */
/** @import { Said } from "./helpers.mjs" */
/** @import { Page } from "./app.mjs" */

/** A text with boards: pasted, or a file with its name. @typedef {{ name: string, text: string }} Source */

/** The most bytes of a file: an evening has some thousand a board. */
const MOST = 4 << 20;
/** The most errors or warnings that are said at a time. */
const MOST_SAID = 4;
/** Where the sources of an evening are kept. */
const KEPT = "setrograde-evening";

/** The bytes, unpacked if they are a gzip file. @param {Uint8Array<ArrayBuffer>} bytes */
async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    // A file that unpacks to far more than it is.
    if (length > MOST) {
      await reader.cancel();
      return new Uint8Array(MOST + 1);
    }
  }
}

/** @param {number} byte */
const signOf = (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".");

/** Characters that no text has: control characters other than line breaks, and unassigned code points. */
const NO_TEXT = /[\0-\x08\x0e-\x19\x1b-\x1f\ue000-\uf8ff\ufffd]/;

/** A file's text, or that it has none. @param {string} name @param {string} text */
const textOf = (name, text) =>
  NO_TEXT.test(text.slice(0, 10_000))
    ? { name, text: "", error: `${name} is no text: PBN, LIN and lists of deals are read.` } : { name, text };

/** The text of a file. UTF-8 is decoded here, all else as the command decodes it.
 * @param {Page} page @param {File} file @returns {Promise<Source & { error?: string }>} */
async function sourceOf(page, file) {
  const { name, size } = file;
  const mb = (/** @type {number} */ bytes) => (bytes / (1 << 20)).toFixed(0);
  if (size > MOST) return { name, text: "", error: `${name} has ${mb(size)} MB; at most ${mb(MOST)} MB are read.` };
  if (!size) return { name, text: "", error: `${name} is empty.` };
  try {
    const bytes = await unpacked(new Uint8Array(await file.arrayBuffer()));
    if (bytes.length > MOST) return { name, text: "", error: `${name} unpacks to more than ${mb(MOST)} MB.` };
    const plain = [...bytes.subarray(0, 78)].every((byte) => byte >= 48 && byte < 58);
    // A file of a dealing machine: after its digits are signs, whose number alone matters.
    if (bytes.length >= 156 && plain) return { name, text: [...bytes].map(signOf).join("") };
    if (!bytes.includes(0)) {
      try {
        return textOf(name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      } catch { /* another encoding */ }
    }
    const letters = [];
    for (let at = 0; at < bytes.length; at += 4096) letters.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
    const { answer, error } = await once(page, { ask: "decode", letters: letters.join("") });
    return error ? { name, text: "", error } : textOf(name, answer?.source ?? "");
  } catch (error) {
    return { name, text: "", error: `${name} cannot be read: ${error instanceof Error ? error.message : error}` };
  }
}

/** Takes the boards of files: all of them are one evening. @param {Page} page @param {Iterable<File>} files */
export async function takeFiles(page, files) {
  const sources = await Promise.all([...files].map(async (file) => {
    const source = await sourceOf(page, file);
    return ownLinks(source.text).length ? { ...source, text: await asBoards(page, source.text) } : source;
  }));
  if (sources.length) await take(page, sources);
}

/** Adds the boards of a pasted text. @param {Page} page @param {string} text */
export async function takeText(page, text) {
  if (!text.trim()) return refuse(page, "Paste or type a deal first.", true);
  const own = ownLinks(text);
  const all = own.length ? await asBoards(page, text) : text;
  // A link of this page alone opens what it shows; among others it is one board of several.
  if (own.length === 1 && all.split("[Deal ").length <= 2) {
    const state = readLink(own[0]);
    if (state.deal || state.made) return page.go({ ...state, at: "" });
  }
  await take(page, [{ name: "", text: all }]);
}

/** The parts after `#` of the links in a text to this page, at whatever address the page is. @param {string} text */
const ownLinks = (text) =>
  text.replaceAll("&amp;", "&").split(/[\s<>"]+|[([](?=[a-z]+:)/).flatMap((word) => {
    const hash = /^(?:[a-z]+:[^#]*)?#(.*?)[)\],;!?]*$/i.exec(word)?.[1] ?? "";
    // The dot after a sentence; a hand may end with one.
    return /(^|&)(deal|made)=/.test(hash) ? [hash.replace(/(&(?!deal|made)[^&]*)\.$/, "$1")] : [];
  });

/** The boards of a text with links of this page, in PBN. @param {Page} page @param {string} text */
async function asBoards(page, text) {
  /** @type {string[]} */
  const all = [];
  for (const line of text.split(/[\r\n]+/)) {
    const own = ownLinks(line);
    // A line without one is read by itself, so that it too becomes PBN. Prose is passed over.
    const boards = own.length ? own.map((hash) => boardOf(readLink(hash)))
      : ((await once(page, { ask: "boards", source: line })).answer?.boards ?? []).flatMap((board) =>
        board.error === undefined ? board : []
      );
    const reply = await once(page, { ask: "write", format: "pbn", boards: boards.map(toWrite) });
    all.push(
      reply.answer?.source || (/:\/\/|^\s*[NESW]:/i.test(line) ? `[Deal "${line.replaceAll("\"", "")}"]\n\n` : "")
    );
  }
  return all.join("");
}

/** Shows an error; the previous view stays. @param {Page} page @param {string} why @param {boolean} [bare] */
function refuse(page, why, bare = false) {
  page.complain(bare || !page.state.deal ? why : `${why.replace(/[.]?$/, ".")} The previous view stays.`);
}

/** The boards of sources, each with what was wrong in it, and its source; and the match that they are.
 * @param {Page} page @param {(Source & { error?: string })[]} sources */
async function read(page, sources) {
  /** @type {TeamMatch | null} */
  let match = null;
  /** @type {BoardRead[]} */
  const boards = [];
  /** @type {Source[]} */
  const origins = [];
  /** What is not shown, and the text that is not read. @type {{ left: string[], text: string[] }} */
  const passed = { left: [], text: [] };
  for (const { name, text, error } of sources) {
    const said = error ? { error } : await once(page, { ask: "boards", source: text, ...name ? { name } : {} });
    match ??= said.answer?.match ?? null;
    const { beyond = 0, text_between: line = null } = said.answer ?? {};
    const of = name ? `${name}: ` : "";
    if (beyond) passed.left.push(`${of}the last ${plural(beyond, "board")} are not shown: a text has too many`);
    if (line) passed.text.push(`${of}line ${line}: text outside of boards is ignored`);
    boards.push(...said.answer?.boards ?? [{ error: said.error ?? `${name || "The question"} was stopped` }]);
    // One source for all its boards: by it they are known to be of one file.
    const source = { name, text };
    while (origins.length < boards.length) origins.push(source);
  }
  return { boards, match, origins, passed };
}

/** A list in words: its first members, each once, and how many more there are. @param {string[]} all */
function some(all) {
  const each = [...new Set(all)];
  const more = each.length - MOST_SAID;
  return more > 1 ? [...each.slice(0, MOST_SAID), `and ${more} more`] : each;
}

/** The warnings about boards, with the place of each if there are several. @param {ShownBoard[]} boards */
const doubtsOf = (boards) =>
  boards.flatMap(({ board, line, notes }) =>
    notes.map((note) => boards.length === 1 ? note : `${board === null ? `line ${line}` : `board ${board}`}: ${note}`)
  );

/** Adds the boards of sources, and reports what could not be read.
 * @param {Page} page @param {(Source & { error?: string })[]} sources
 * @param {boolean} [first] opens the first of them, or the list of all */
export async function take(page, sources, first = true) {
  const { boards, match, origins, passed } = await read(page, sources);
  const good = boards.filter(isGood);
  // Hands alone, of which two are enough for some questions.
  const alone = boards.length === 1 && boards[0].error === undefined && !good.length && ofBoard(boards[0]).deal
    ? boards[0] : undefined;
  const bad = boards.length - good.length;
  const why = some(boards.flatMap((board) => board.error ?? board.lacks ?? []));
  const doubts = [...some(doubtsOf(boards.filter((board) => board.error === undefined))), ...passed.text];
  if (alone) {
    page.go({ ...ofBoard(alone), view: "deal" });
    return page.complain(doubts.join("; "));
  }
  if (!good.length) return refuse(page, capitalized([...why, ...doubts].join("; ")));
  if (boards.length > 1 || good[0].scored) {
    page.evening = new Evening(boards, match, origins);
    if (first) await keep(sources.filter(({ error }) => !error));
  }
  const { view, sort, show } = page.state;
  if (first) {
    page.open(good[0],
      good.length > 1 ? (["results", "records", "problems", "lesson"].includes(view) ? view : "boards") : undefined);
    if (good.length > 1) page.go({ sort, show }, { push: false });
  }
  page.say(`${plural(good.length, "board")} read${bad ? `, ${bad} not` : ""}.`);
  const unread = bad ? [`${plural(bad, "board")} of ${boards.length} could not be read: ${why.join("; ")}`] : [];
  page.complain([...passed.left, ...unread, ...doubts].join("; "));
}

/** @param {string} text */
const capitalized = (text) => (text.startsWith("what was") ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/** Keeps sources for a reload of this page, packed; where that cannot be, it is said nowhere and they are gone.
 * @param {Source[]} sources */
async function keep(sources) {
  try {
    const packed = new Blob([JSON.stringify(sources)]).stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const letters = [];
    for (let at = 0; at < bytes.length; at += 4096) letters.push(String.fromCharCode(...bytes.subarray(at, at + 4096)));
    sessionStorage.setItem(KEPT, btoa(letters.join("")));
  } catch { /* no storage, or no room in it */ }
}

/** The sources that were kept: none if all were closed, undefined if nothing was kept.
 * @returns {Promise<Source[] | undefined>} */
export async function kept() {
  try {
    const text = sessionStorage.getItem(KEPT);
    if (!text) return text === null ? undefined : [];
    const packed = new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]).stream();
    return JSON.parse(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text());
  } catch {
    return undefined;
  }
}

/** Forgets the boards. @param {Page} page */
export function closeAll(page) {
  try {
    // Empty, not gone: boards inside the page are not to come back.
    sessionStorage.setItem(KEPT, "");
  } catch { /* nothing was kept */ }
  page.evening = new Evening([]);
  page.go({ view: "deal", at: "", show: "", sort: "" });
  page.say("All boards are closed.");
}

/** Asks a question that no view draws.
 * @template {Question} Asked @param {Page} page @param {Asked} question
 * @returns {Promise<Said<Answers[Asked["ask"]]>>} */
export function once(page, question) {
  const said = page.helpers.once("play", question);
  page.progress();
  return said;
}
