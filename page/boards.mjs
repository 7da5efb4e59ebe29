// @ts-check
// Boards from a text: pasted, dropped, opened, or inside the page.
import { Evening, isGood } from "./evening.mjs";
import { plural } from "./words.mjs";

/** @import { Answers, Board, NotRead, Said } from "./answers.d.ts" */
/** @import { Page } from "./app.mjs" */

/** Takes the boards of texts, and says what could not be read.
 * @param {Page} page @param {string[]} texts @param {boolean} [first] opens the first of them */
export async function take(page, texts, first = true) {
  const said = await Promise.all(texts.map((text) => once(page, "boards", text)));
  /** @type {(Board | NotRead)[]} */
  const boards = said.flatMap(({ answer, error }) => answer?.boards ?? [{ error: error ?? "not read" }]);
  const good = boards.filter(isGood);
  const bad = boards.length - good.length;
  const why = boards.find((board) => board.error)?.error ?? "a hand is missing";
  if (good.length) {
    if (boards.length > 1) page.evening = new Evening(boards);
    const { view, sort, show } = page.state;
    if (first)
      page.open(good[0], good.length > 1 ? (["records", "lesson"].includes(view) ? view : "boards") : undefined);
    if (first && good.length > 1) page.go({ sort, show }, { push: false });
    page.say(`${plural(good.length, "board")} read${bad ? `, ${bad} not` : ""}.`);
  }
  const doubts = good.length === 1 ? good[0].notes.join("; ") : "";
  page.memory.problem = doubts ? doubts
    : bad && good.length ? `${plural(bad, "board")} of ${boards.length} could not be read: ${why}` : bad ? why : "";
  page.draw();
}

/** A question outside a drawing.
 * @template {keyof Answers} W @param {Page} page @param {W} what @param {string} text
 * @returns {Promise<Said<Answers[W]>>} */
export function once(page, what, text) {
  const said = page.helpers.once("play", what, text);
  page.progress();
  return said;
}
