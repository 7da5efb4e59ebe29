// An evening of several tables: its results, whose table it is, sheets for a pair, and the file as it was.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browser, missing, open, quiet, single } from "./browser.mjs";
import { deals, unreadablePaper } from "./deals.mjs";
import { boardsOnPaper, onPaper } from "./paper.mjs";

const skip = missing ? `needs ${missing}` : false;
const to = { skip, timeout: 300_000 };
let chromium;
before(async () => {
  if (!skip) chromium = await browser();
});
after(() => chromium?.close());

async function shown(context, options) {
  const made = await open(chromium, single, options);
  context.after(() => made.context.close());
  return made.page;
}

const COLUMNS =
  "Table\\2R;PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R;Lead\\3L;Score_NS\\6R;Score_EW\\6R;MP_NS\\3R;MP_EW\\3R;Percentage_NS\\3R;Percentage_EW\\3R";
/** A face-to-face evening: the cards of a board and what its travellers say; and the percentages of North and South. */
const BOARDS = [[["4 6 5 5HX E 7 SA \"800\" -", "100"], ["2 7 3 4S S 11 CA \"450\" -", "25"], [
  "1 8 1 4S S 11 CA \"450\" -",
  "25",
]], [["4 6 3 3NT N 9 S2 \"400\" -", "100"], ["2 7 1 3NT N 8 S2 - \"50\"", "50"], ["1 8 5 4H E 10 - - \"420\"", "0"]]];
const travellers = BOARDS.map((tables, n) =>
  `[Event "Club evening"]\n[Board "${n + 1}"]\n[Dealer "${"NE"[n]}"]\n[Vulnerable "${["None", "NS"][n]}"]\n[Deal "${
    deals[n]
  }"]\n[Scoring "MatchPoints;MP1"]\n[ScoreTable "${COLUMNS}"]\n${
    tables.map(([row, percent]) => `${row} 0.0 0.0 ${percent} ${100 - Number(percent)}\n`).join("")
  }\n`
).join("");

test("the results of a face-to-face evening: its own percentages, the ranking, double dummy", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, travellers, "results");
  await page.waitForFunction(() => document.querySelector("[data-key=\"print\"]")?.disabled === false);
  await quiet(page);
  const rows = await page.locator(".played tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim()))
  );
  assert.deepEqual(rows.map((row) => row.at(-1)),
    BOARDS.flat().map(([, percent]) => `${Number(percent).toFixed(2)} %`));
  // The tricks of the table of each deal.
  const known = await page.evaluate(() =>
    setrograde.evening.good.map((board) => setrograde.evening.known.get(board).answer.tricks)
  );
  assert.equal(rows[0][6], String(known[0].H.E));
  assert.equal(rows[3][6], String(known[1].NT.N));
  const ranks = await page.locator(".standings tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.innerText))
  );
  assert.deepEqual(ranks[0], ["1", "6", "100.00 %"]);
  assert.equal(ranks.length, 6);
  if (unreadablePaper) return;
  assert.deepEqual((await onPaper(page)).faults, []);
});

/** One deal at three tables, with a play in which a card may cost. */
const online = [["3", "5", "12"], ["1", "6", "11"], ["2", "7", "10"]].map(([table, ns, ew], n) =>
  `; a comment\n[Event "Online"]\n[Board "1"]\n[North "A${n}"]\n[East "B${n}"]\n[South "C${n}"]\n[West "D${n}"]\n`
  + "[Dealer \"S\"]\n[Vulnerable \"All\"]\n"
  + "[Deal \"N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76\"]\n"
  + "[Scoring \"MP\"]\n[Declarer \"W\"]\n"
  + `[Contract "4H"]\n[Result "${9 + n}"]\n[Table "${table}"]\n[PairIDNS "${ns}"]\n[PairIDEW "${ew}"]\n[Odd "kept"]\n`
  + `[Play "N"]\n${n === 1 ? "ST SA S8 S2" : "D4 DA D9 D2"}\n*\n\n`
).join("");

test("boards of several files with one number show their own hands", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, travellers.replace("[Board \"2\"]", "[Board \"1\"]"), "results");
  await quiet(page);
  const spades = await page.locator(".played .small .of[data-seat=N] .row:first-of-type").evaluateAll((all) =>
    all.map((row) => row.textContent.replace("10", "T").replace(/[^AKQJT2-9]/g, ""))
  );
  assert.deepEqual(spades, deals.slice(0, 2).map((deal) => deal.slice(2).split(".")[0]));
});

test("whose table it is, a sheet for each pair, and the file as it was", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, online, "boards", "friday.pbn");
  await page.waitForFunction(() => /^3 boards solved/.test(document.querySelector(".tools .hint").textContent));
  const names = await page.locator(".all tbody th").allInnerTexts();
  assert.deepEqual(names.map((name) => name.replace(/\s+/g, " ")), ["Board 1 table 3, 5 against 12",
    "Board 1 table 1, 6 against 11", "Board 1 table 2, 7 against 10"]);
  const [whole] = await Promise.all([page.waitForEvent("download"), page.click("[data-key=\"save-pbn\"]")]);
  assert.equal(whole.suggestedFilename(), "friday.pbn");
  assert.equal(readFileSync(await whole.path(), "utf8").trim(), online.trim());
  await page.evaluate(() => setrograde.open(setrograde.boards[1], "deal"));
  await quiet(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-key=\"save-pbn\"]")]);
  const second = readFileSync(await download.path(), "utf8");
  for (const kept of ["[Event \"Online\"]", "[Table \"1\"]", "[Odd \"kept\"]", "\n*"])
    assert.ok(second.includes(kept), kept);
  assert.ok(!second.includes("[Table \"2\"]"), second);
  // The lead of a low diamond cost nothing or something: the sheets of all pairs have what the evening's sheet has.
  await page.evaluate(() => setrograde.go({ view: "lesson", show: "" }));
  await quiet(page);
  const all = await page.locator(".wrong tbody tr").count();
  await page.selectOption("[data-key=\"whose\"]", "each");
  await quiet(page);
  assert.equal(await page.locator(".whose").count(), 6);
  assert.equal(await page.locator(".wrong tbody tr").count(), all);
  await page.selectOption("[data-key=\"whose\"]", "pair A1 – C1");
  await quiet(page);
  assert.equal(await page.locator(".whose").count(), 1);
});

test("on a phone the tables begin with contract and score", to, async (context) => {
  const page = await shown(context, { viewport: { width: 390, height: 844 } });
  await boardsOnPaper(page, online, "boards", "friday.pbn");
  await page.evaluate(() => setrograde.open(setrograde.boards[0], "tables"));
  await page.waitForSelector(".scroll thead th");
  const seen = await page.locator(".scroll thead th").evaluateAll((all) =>
    all.filter((head) => head.getBoundingClientRect().right <= innerWidth).map((head) => head.textContent)
  );
  for (const head of ["Contract", "Made", "N–S score", "Matchpoints"]) assert.ok(seen.includes(head), seen.join());
});

test("the scores of tables are compared as Scoring says", to, async (context) => {
  const page = await shown(context);
  for (const [scoring, column, head, values] of [["MP", "matchpoints", "Matchpoints", ["100 %", "50 %", "0 %"]], ["IMP",
    "imps", "IMPs", ["+12.5", "−5.5", "−7"]]])
  {
    await boardsOnPaper(page, online.replaceAll("[Scoring \"MP\"]", `[Scoring "${scoring}"]`), "boards", "friday.pbn");
    const cells = page.locator(`td[data-label="${column}"]`);
    await cells.first().waitFor();
    assert.deepEqual(await cells.allInnerTexts(), values);
    await page.evaluate(() => setrograde.open(setrograde.boards[0], "tables"));
    await page.waitForSelector(".scroll thead th");
    const heads = await page.locator(".scroll thead th").allTextContents();
    const rows = await page.locator(".scroll tbody tr").evaluateAll((all) =>
      all.map((row) => [...row.cells].map((cell) => cell.textContent))
    );
    assert.deepEqual(rows.map((row) => row[heads.indexOf(head)]), values);
  }
});
