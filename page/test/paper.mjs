// What is printed, measured: nothing is cut, nothing lies over anything else, and the paper says what the screen says.
// As a program: node page/test/paper.mjs [DEALS], hand records of so many random deals with long suits.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Widths of letters differ: a narrow, a wide and a serif one. The generic name is for machines without them. */
export const FONTS = ["\"Liberation Sans\", Arial, sans-serif", "\"DejaVu Sans\", Verdana, sans-serif",
  "\"DejaVu Serif\", Georgia, serif"];
/** Inside the margins of 8 mm, in CSS pixels. */
export const PAPERS = { A4: [194, 281], Letter: [199.9, 263.4] };
const pixels = (mm) => Math.floor((mm * 96) / 25.4);

/** Controls and hints how to use them: they are not printed. A value that was chosen is. Nor is the
 * heading of hand records, which need the whole sheet. */
const CONTROLS = ["[data-view=\"records\"] > .head", ".no-print", "nav", "footer", ".skip", ".top", ".boards",
  ".controls", ".row-of", ".chips", ".how", ".check", ".keys", ".builder", ".tools", ".choice:not(:has(.paper))",
  "select", "input", "textarea", "button:not(.card, td *, th *, li *, .deck *)"].join();

/** In the page: faults of what is shown, and the words that a person sees. */
function look([controls, width]) {
  const main = document.getElementById("view");
  const faults = [];
  const words = [];
  const texts = [];
  /** What only a screen reader says is clipped away. */
  const isHeard = (element) =>
    Boolean(element) && element !== main
    && (getComputedStyle(element).clipPath === "inset(50%)" || isHeard(element.parentElement));
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !isHeard(element);
  const clips = (style) => /hidden|clip|auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()}.${element.className} in ${
      element.closest("[data-key]")?.dataset.key ?? main.dataset.view
    }`;
  for (const element of main.querySelectorAll("*")) {
    if (!isSeen(element) || element.matches("option")) continue;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    const style = getComputedStyle(element);
    const inline = /^inline(?!-)|contents/.test(style.display);
    // Content higher than its box may lie visibly below it: that is found as an overlap. What is wider is lost.
    if (!inline && scrollWidth > clientWidth + 1)
      faults.push(`wider: ${nameOf(element)} ${scrollWidth}/${clientWidth}`);
    if (clips(style) && scrollHeight > clientHeight + 1)
      faults.push(`cut: ${nameOf(element)} ${scrollHeight}/${clientHeight}`);
  }
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const said = node.data.replace(/\s+/g, " ").trim();
    if (!said || !isSeen(element) || element.closest("select, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
    if (!boxes.length) continue;
    if (!element.closest(controls)) words.push(...said.split(" "));
    for (const box of boxes) {
      if (box.left < -0.6 || box.right > width + 0.6) faults.push(`off the paper: ${said} in ${nameOf(element)}`);
      for (let outer = element; outer && outer !== document.body; outer = outer.parentElement) {
        if (!clips(getComputedStyle(outer)) && !outer.matches(".record, td, th")) continue;
        const within = outer.getBoundingClientRect();
        if (box.left < within.left - 0.6 || box.right > within.right + 0.6 || box.top < within.top - 3
          || box.bottom > within.bottom + 3)
          faults.push(`outside: "${said}" of ${nameOf(outer)}`);
      }
      texts.push({ said, node, box, of: element.closest(".record, .lesson") });
    }
  }
  // Letters fill the middle of their line.
  const inner = ({ left, right, top, bottom }) => ({
    left: left + 0.5,
    right: right - 0.5,
    top: top + (bottom - top) / 4,
    bottom: bottom - (bottom - top) / 4,
  });
  texts.sort((a, b) => a.box.top - b.box.top);
  for (const [n, one] of texts.entries()) {
    const a = inner(one.box);
    for (let m = n + 1; m < texts.length && texts[m].box.top < one.box.bottom; m += 1) {
      const b = inner(texts[m].box);
      if (texts[m].node !== one.node && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        faults.push(`over each other: "${one.said}" and "${texts[m].said}"`);
    }
  }
  return { faults, words };
}

const lettersOf = (text) => [...text.normalize("NFKC").toLowerCase().replace(/\s/g, "")].sort().join("");

/** What of `wanted` is not in `found`, each as often as it is there. */
export function missingOf(wanted, found) {
  const counts = new Map();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const left = counts.get(one) ?? 0;
    counts.set(one, left - 1);
    return left <= 0;
  });
}

/** The faults of a view on paper, in the fonts and on the papers named; printed in each font, in one, or in none.
 * @returns {Promise<{ faults: string[], sheets: Record<string, number>, text: string }>} */
export async function onPaper(page, { fonts = FONTS, papers = Object.keys(PAPERS), pdf = "once" } = {}) {
  const before = page.viewportSize();
  const all = new Set();
  const sheets = {};
  let text = "";
  const { words: screen } = await page.evaluate(look, [CONTROLS, before.width]);
  for (const font of fonts) {
    await page.evaluate((name) => {
      for (const kind of ["--sans", "--serif"]) document.documentElement.style.setProperty(kind, name);
      dispatchEvent(new Event("beforeprint"));
    }, font);
    // A question that is asked on the way is answered first.
    await page.waitForFunction(() => document.body.dataset.busy === "no" && !setrograde.drawn, null, {
      timeout: 120_000,
    });
    for (const paper of papers) {
      const width = pixels(PAPERS[paper][0]);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width, height: pixels(PAPERS[paper][1]) });
      const { faults, words } = await page.evaluate(look, [CONTROLS, width]);
      const where = `${font.split(",")[0]} ${paper}`;
      for (const fault of faults) all.add(`${where}: ${fault}`);
      // "So" and "so," are one word where the paper opens what is folded: what is on the screen must be there.
      const lost = missingOf(screen, words);
      if (lost.length) all.add(`${where}: not on paper: ${lost.slice(0, 40).join(" ")}`);
      if (!pdf || (pdf === "once" && font !== fonts[0])) continue;
      const folder = mkdtempSync(join(tmpdir(), "setrograde-paper-"));
      const file = join(folder, "x.pdf");
      await page.pdf({ path: file, format: paper, preferCSSPageSize: false });
      // The program fires this once; the events of `page.pdf` have folded it up again.
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      text = execFileSync("pdftotext", ["-layout", file, "-"]).toString();
      sheets[where] = text.split("\f").length - 1;
      const letters = missingOf([...lettersOf(words.join(""))], [...lettersOf(text)]);
      if (letters.length) all.add(`${where}: not in the PDF: ${letters.join("").slice(0, 60)}`);
      for (const [n, sheet] of text.split("\f").slice(0, -1).entries())
        if (!sheet.trim()) all.add(`${where}: sheet ${n + 1} is empty`);
      rmSync(folder, { recursive: true });
    }
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  }
  await page.evaluate(() => {
    for (const kind of ["--sans", "--serif"]) document.documentElement.style.removeProperty(kind);
  });
  await page.emulateMedia({ media: null });
  await page.setViewportSize(before);
  return { faults: [...all], sheets, text };
}

/** Random numbers that are the same in each run. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random deal in which long suits are common: each hand has favourite suits. */
export function longDeal(next) {
  const ranks = [..."AKQJT98765432"];
  const hands = Array.from({ length: 4 }, () => []);
  const taste = hands.map(() => Array.from({ length: 4 }, () => Math.exp(4 * next())));
  const pack = [0, 1, 2, 3].flatMap((suit) => ranks.map((rank) => ({ suit, rank })));
  for (let n = pack.length - 1; n > 0; n -= 1) {
    const m = Math.floor(next() * (n + 1));
    [pack[n], pack[m]] = [pack[m], pack[n]];
  }
  for (const card of pack) {
    const open = [0, 1, 2, 3].filter((seat) => hands[seat].length < 13);
    let at = next() * open.reduce((sum, seat) => sum + taste[seat][card.suit], 0);
    const seat = open.find((one) => (at -= taste[one][card.suit]) < 0) ?? open[0];
    hands[seat].push(card);
  }
  const text = (hand) =>
    [0, 1, 2, 3].map((suit) =>
      ranks.filter((rank) => hand.some((card) => card.suit === suit && card.rank === rank)).join("")
    ).join(".");
  return `N:${hands.map(text).join(" ")}`;
}

/** Boards of deals in PBN. */
export const asBoards = (deals) =>
  deals.map((deal, n) =>
    `[Board "${n + 1}"]\n[Dealer "${"NESW"[n % 4]}"]\n[Vulnerable "${
      ["None", "NS", "EW", "All"][(n + (n >> 2)) % 4]
    }"]\n[Deal "${deal}"]\n\n`
  ).join("");

const SCORINGS = ["MP", "IMP", "MatchPoints;MP1", "IMP;Cross", "Butler", ""];
/** Words that do not break, and letters of several alphabets. */
const NAMES = ["Ada", "Donaudampfschifffahrtskapitän", "Łucja Brzęczyszczykiewicz", "Þorgerður",
  "Αλεξάνδρα Παπαδοπούλου", "Николай Преображенский", "Ñandú O'Neill", "von und zu Guttenberg-Rosenthal", "Bo",
  "Jean-François Lefèvre"];

/** An evening with the deals of a file in PBN: numbered from 0, each has another scoring, names of its own and some
 * tables missing. Of three, one is a match of teams, and one has its results as travellers. */
export function varied(file, number, next) {
  const below = (count) => Math.floor(next() * count);
  const games = file.split(/\n\n(?=\[Event)/).filter((game) => game.includes("[Deal "));
  const deals = [...new Map(games.map((game) => [/\[Board "(\d+)"/.exec(game)[1], game])).values()];
  const scoring = `[Scoring "${SCORINGS[number % SCORINGS.length]}"]\n`;
  const kind = ["games", "teams", "travellers"][number % 3];
  const tables = kind === "teams" ? 2 : 2 + below(7);
  const contract = () => `${1 + below(7)}${["C", "D", "H", "S", "NT"][below(5)]}${["", "", "", "X", "XX"][below(5)]}`;
  return deals.map((game) => {
    const tag = (name) => new RegExp(`\\[${name} "[^"]*"\\]\n`).exec(game)?.[0] ?? "";
    const head = ["Board", "Dealer", "Vulnerable", "Deal"].map(tag).join("") + scoring;
    const played = Array.from({ length: tables }, (_, n) => n).filter(() => below(6));
    const result = () => [contract(), "NESW"[below(4)], below(14)];
    if (kind === "travellers") {
      const rows = played.map((n) => {
        const [bid, by, tricks] = result();
        return below(9) ? `${n + 1} ${n + 1} ${n + 11} ${bid} ${by} ${tricks}\n`
          : `${n + 1} ${n + 1} ${n + 11} Pass - -\n`;
      });
      return `${head}[ScoreTable "Table\\2R;PairId_NS\\3R;PairId_EW\\3R;Contract\\5L;Declarer\\1R;Result\\2R"]\n${
        rows.join("")
      }\n`;
    }
    return played.map((n) => {
      const [bid, by, tricks] = result();
      const names = ["North", "East", "South", "West"].map((seat, of) =>
        `[${seat} "${NAMES[(number + 4 * n + of) % NAMES.length]}"]\n`
      ).join("");
      const where = kind === "teams" ? `[Room "${["Open", "Closed"][n]}"]\n`
        : `[Table "${n + 1}"]\n[PairIDNS "${n + 1}"]\n[PairIDEW "${n + 11}"]\n`;
      return `[Event "Evening ${number}"]\n${head}${names}${where}[Declarer "${by}"]\n[Contract "${bid}"]\n`
        + `[Result "${tricks}"]\n\n`;
    }).join("");
  }).join("");
}

/** Shows boards in the view of a sheet, and waits until they are solved. */
export async function boardsOnPaper(page, text, view, name = "boards.pbn") {
  await page.evaluate(() => {
    setrograde.go({ view: "deal" });
    setrograde.evening.old = true;
  });
  await page.setInputFiles("#file", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
  // The first board is opened a moment after the boards are there.
  await page.waitForFunction(() => !setrograde.evening.old && setrograde.state.view !== "deal", null, {
    timeout: 120_000,
  });
  await page.evaluate((to) => setrograde.go({ view: to }), view);
  if (["records", "problems", "lesson"].includes(view)) {
    await page.waitForFunction(() => document.querySelector("[data-key=\"print\"]")?.disabled === false, null, {
      timeout: 600_000,
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { browser, open, single } = await import("./browser.mjs");
  const wanted = Number(process.argv[2] ?? 1000);
  const next = random(Number(process.argv[3] ?? 1));
  const chromium = await browser();
  const { page, context } = await open(chromium, single);
  let wrong = 0;
  const counts = {};
  for (let done = 0; done < wanted; done += 36) {
    const deals = Array.from({ length: Math.min(36, wanted - done) }, () => longDeal(next));
    await boardsOnPaper(page, asBoards(deals), "records");
    const { faults, sheets } = await onPaper(page, { pdf: true });
    for (const [where, count] of Object.entries(sheets)) {
      counts[where] ??= {};
      counts[where][count] = (counts[where][count] ?? 0) + 1;
    }
    wrong += faults.length;
    for (const fault of faults.slice(0, 5)) console.log(fault);
    writeFileSync(1, `\r${done + deals.length} deals, ${wrong} faults`);
  }
  console.log("\nsheets of 36 hand records:", counts);
  await context.close();
  await chromium.close();
  process.exitCode = wrong ? 1 : 0;
}
