// @ts-check
// Boards from a text: pasted, dropped, opened, or inside the page.
import { plural } from "./words.mjs";

/**
 * @typedef {import("./app.mjs").Page} Page
 * @typedef {import("./helpers.mjs").Said} Said
 */

/** Takes boards from texts; says what could not be read.
 * @param {Page} page @param {string[]} texts @param {boolean} [first] opens the first of them */
export async function take(page, texts, first = true) {
  /** @type {any[]} */
  const boards = [];
  for (const text of texts) {
    const said = await once(page, "boards", text);
    if (said.error) return said.error;
    boards.push(...said.answer.boards);
  }
  const good = boards.filter((board) => board.deal);
  const bad = boards.length - good.length;
  if (!good.length) return boards[0]?.error ?? "No board has four hands.";
  if (boards.length > 1) page.boards = boards;
  if (first) page.open(good[0]);
  else page.draw();
  page.say(`${plural(good.length, "board")} read${bad ? `, ${bad} not` : ""}.`);
  return bad ? `${plural(bad, "board")} of ${boards.length} could not be read: ${boards.find((board) => board.error)?.error ?? "a hand is missing"}` : "";
}

/** A question outside a drawing. @param {Page} page @param {string} what @param {string} text @returns {Promise<Said>} */
export function once(page, what, text) {
  return new Promise((tell) => {
    const look = () => {
      const said = page.need("play", what, text);
      if (said.pending) setTimeout(look, 10);
      else tell(said);
    };
    look();
  });
}
