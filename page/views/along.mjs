// @ts-check
// Taking a board along: its link, its text in two formats, and the viewer where many players read theirs.
import { once } from "../boards.mjs";
import { button, h } from "../dom.mjs";
import { gameOf, originalOf } from "../evening.mjs";
import { boardOf, OF_ALL, ofBoard, toWrite, writeLink } from "../state.mjs";

/** @import { Page, View } from "../app.mjs" */

/** The viewer of Bridge Base Online, which shows a board in LIN. */
const VIEWER = "https://www.bridgebase.com/tools/handviewer.html?lin=";

/** Saves a text as a file. @param {string} name @param {string} text */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Puts a text on the clipboard. @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on a page opened from a disk, or in an older browser: copy the old way.
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

/** The link of the view. @param {Page} page */
const linkOf = ({ state }) => location.href.replace(/#.*$/s, "") + writeLink({ ...state, at: "" });

/** The name of the boards' file, without its ending. @param {Page} page */
function nameOf({ evening: { sources } }) {
  const names = new Set([...sources.values()].map(({ name }) => name.replace(/(\.\w{1,4}){1,2}$/, "")));
  const [name] = names;
  return names.size === 1 && name ? name : "evening";
}

/** The shown board's text in its PBN file, unless something else is shown of it. @param {Page} page */
function unchanged({ state, board, evening }) {
  if (!board) return undefined;
  const textOf = (/** @type {import("../state.mjs").State} */ of) => JSON.stringify(boardOf(of, board.claim));
  return textOf(state) === textOf(ofBoard(board)) ? gameOf(evening, board) : undefined;
}

/** A board or all of them, for other programs and other people. @param {Page} page @param {View} view */
export function along(page, { id }) {
  const { state } = page;
  const all = OF_ALL.includes(id);
  if (["cards", "results", "records", "problems", "lesson", "tables"].includes(id)
    || (all ? !page.evening.good.length : !state.deal))
    return null;
  const boards = all ? page.evening.good : [boardOf(state, page.board?.claim)];
  /** @param {"pbn" | "lin"} format */
  const question = (format) => ({ ask: /** @type {const} */ ("write"), format, boards: boards.map(toWrite) });
  /** @param {"pbn" | "lin"} format */
  const text = async (format) => {
    const original = format === "pbn" && (all ? originalOf(page.evening) : unchanged(page));
    if (original) return original;
    const { answer, error } = await once(page, question(format));
    if (!answer) page.complain(error ?? "The question was stopped.");
    return answer?.source ?? "";
  };
  const name = all ? nameOf(page) : `board${state.board ? `-${state.board}` : ""}${state.room ? `-${state.room}` : ""}`;
  /** @param {"pbn" | "lin"} format */
  const saved = async (format) => {
    const found = await text(format);
    if (found) save(`${name}.${format}`, found);
  };
  const copy = async () => {
    const link = linkOf(page);
    if (await copied(link)) page.memory.copied = true;
    else page.complain(`The browser lets no page copy. The link: ${link}`);
    page.say("Link copied.");
    page.draw();
    setTimeout(() => {
      page.memory.copied = false;
      page.draw();
    }, 2000);
  };
  return h("div", { class: "row-of along no-print", role: "group", "aria-label": "Take it along", "data-key": "along" },
    all ? null : button("copy-link", page.memory.copied ? "Link copied" : "Copy link", copy),
    button("save-pbn", "Save PBN", () => saved("pbn")), button("save-lin", "Save LIN", () => saved("lin")),
    all ? null : viewer(page.need("play", question("lin")).answer?.source));
}

/** The link to the viewer, once the board is written. @param {string | undefined} lin */
const viewer = (lin) =>
  h("a", {
    class: "button",
    "data-key": "open-bbo",
    target: "_blank",
    rel: "noopener noreferrer",
    href: lin && VIEWER + encodeURIComponent(lin.trim()),
  }, "Open at BBO");
