// What is printed, in three fonts, on A4 and on Letter: nothing is cut, and the paper says what the screen says.
// More of it: node page/test/paper.mjs 1000, and EVENINGS=10 node --test --test-name-pattern=evenings
// page/test/paper.test.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browser, missing, open, quiet, single } from "./browser.mjs";
import { boards, DEAL, ENDING, evening, GAME, match, unreadablePaper } from "./deals.mjs";
import { asBoards, boardsOnPaper, longDeal, onPaper, random, varied } from "./paper.mjs";

const skip = missing ? `needs ${missing}` : unreadablePaper;
const to = { skip, timeout: 400_000 };
let chromium;
before(async () => {
  if (!skip) chromium = await browser();
});
after(() => chromium?.close());

/** A page until the test ends. */
async function shown(context, url = single) {
  const made = await open(chromium, url);
  context.after(() => made.context.close());
  return made.page;
}
/** Two of four sheets are as good as one in each combination. */
const without = (faults) => assert.deepEqual(faults.slice(0, 8), [], `${faults.length} faults`);

test("36 hand records are on three sheets, whole", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, boards(36), "records");
  const { faults, sheets } = await onPaper(page, { pdf: true });
  without(faults);
  assert.deepEqual([...new Set(Object.values(sheets))], [3], JSON.stringify(sheets));
});

test("hand records of the samples, and of deals with long suits", to, async (context) => {
  const page = await shown(context);
  for (const [name, path] of [["evening.pbn", evening], ["match.lin", match]]) {
    await boardsOnPaper(page, readFileSync(path, "latin1"), "records", name);
    without((await onPaper(page)).faults);
  }
  const next = random(7);
  const odd = ["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    "N:AKQJT98.765432.. .AKQJT98.765432. ..AKQJT98.765432 765432...AKQJT98",
    ...Array.from({ length: 22 }, () => longDeal(next))];
  await boardsOnPaper(page, asBoards(odd), "records");
  const { faults, text } = await onPaper(page);
  without(faults);
  assert.equal(text.match(/Board/g).length, odd.length);
  assert.equal(text.match(/Par: /g).length, odd.length);
});

test("a lesson sheet, the list of all boards and the tables of one", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, readFileSync(match, "latin1"), "lesson", "match.lin");
  without((await onPaper(page)).faults);
  await page.evaluate(() => setrograde.go({ view: "boards" }));
  await quiet(page);
  without((await onPaper(page)).faults);
  await page.evaluate(() => setrograde.open(setrograde.boards[2], "tables"));
  await quiet(page);
  without((await onPaper(page)).faults);
});

/** 3NT by South in both; the second has no lead. */
const PROBLEMS = `[Board "1"]
[Deal "N:A42.T75.AKT7.AJT T.J83.Q98543.975 KQJ953.42.J2.Q82 876.AKQ96.6.K643"]
[Declarer "S"]
[Contract "3NT"]
[Play "W"]
C3

[Board "2"]
[Deal "N:QT5.QJ983.72.AJ9 J742.6.AKT96.Q54 AK98.AK752.QJ.76 63.T4.8543.KT832"]
[Declarer "S"]
[Contract "3NTX"]

${boards(1).replace("\"1\"", "\"3\"")}`;

test("a problem sheet has two hands, the contract and the lead; the solutions are on another sheet", to,
  async (context) => {
    const page = await shown(context);
    await boardsOnPaper(page, PROBLEMS, "boards");
    await page.focus("[data-key=\"to-problems\"]");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("[data-key=\"print\"]")?.disabled === false);
    const { faults, sheets, text } = await onPaper(page);
    without(faults);
    assert.deepEqual([...new Set(Object.values(sheets))], [2], JSON.stringify(sheets));
    const [problems, solutions] = text.split("\f").map((sheet) => sheet.replace(/\s+/g, " "));
    assert.match(problems, /Board 1 .*South plays 3 ?NT; West leads ♣ ?3\. Plan the play\./);
    assert.match(problems, /Board 2 .*South plays 3 ?NT doubled\. Plan the play\./);
    // Declarer's and dummy's hands are on both sheets, the defenders' with the solutions.
    assert.match(problems, /KQJ953/);
    assert.doesNotMatch(problems, /AKQ96|QJ42|J742|Board 3|double dummy|sure/);
    assert.match(solutions, /AKQ96/);
    assert.match(solutions, /J742/);
    assert.match(solutions, /♣ ?A: 9 tricks are sure, whatever the defenders hold\./);
    assert.equal(solutions.match(/[89] tricks double dummy, against the best lead\./g)?.length, 2);
  });

test("evenings: ranking, list, tables, hand records and the sheets of a pair", { ...to, timeout: 3_000_000 },
  async (context) => {
    const page = await shown(context);
    const next = random(5);
    const file = readFileSync(evening, "utf8");
    for (let number = 0; number < Number(process.env.EVENINGS ?? 3); number += 1) {
      await boardsOnPaper(page, varied(file, number, next), "results");
      for (const view of ["results", "boards", "tables", "records", "problems", "lesson"]) {
        await page.evaluate(
          (to) => (to === "tables" ? setrograde.open(setrograde.evening.good[0], to) : setrograde.go({ view: to })),
          view
        );
        await quiet(page);
        const { faults, text } = await onPaper(page);
        without(faults.map((fault) => `evening ${number}, ${view}: ${fault}`));
        assert.ok(text.trim(), `evening ${number}, ${view}`);
      }
    }
  });

test("every view of a deal, a record and an ending", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, readFileSync(match, "latin1"), "boards", "match.lin");
  for (const view of ["deal", "record", "contract", "suit", "play", "matter"]) {
    await page.evaluate((to) => setrograde.open(setrograde.boards[2], to), view);
    if (view === "contract") {
      await page.waitForSelector(".chances tbody tr", { timeout: 120_000 });
      await page.evaluate(() => setrograde.helpers.stop());
    }
    await quiet(page);
    without((await onPaper(page)).faults.map((fault) => `${view}: ${fault}`));
  }
  for (const [view, link] of [["chances", `${ENDING}&given=E.S%3C%3D3`], ["hands", ENDING], ["endings", ENDING], [
    "claim",
    `${ENDING}&need=3`,
  ], ["suit", GAME], ["play", `${GAME}&play=STSAS8`]]) {
    await page.goto("about:blank");
    await page.goto(`${single}#view=${view}&${link}`);
    await page.waitForSelector("body[data-ready]");
    await quiet(page);
    without((await onPaper(page)).faults.map((fault) => `${view}: ${fault}`));
  }
});

test("a ruling says on paper what it says on the screen", to, async (context) => {
  const page = await shown(context);
  await boardsOnPaper(page, readFileSync(match, "latin1"), "boards", "match.lin");
  for (const board of [2, 3, 5]) {
    await page.evaluate((at) => setrograde.open(setrograde.boards[at], "claim"), board);
    await page.click("[data-key=\"end\"]");
    await page.click("[data-key=\"rule\"]");
    await page.waitForSelector(".ruling");
    await quiet(page);
    const { faults, text, sheets } = await onPaper(page);
    without(faults.map((fault) => `board ${board}: ${fault}`));
    for (const reading of await page.locator(".reading summary").allInnerTexts()) {
      const plain = (words) => words.replace(/\s+/g, "");
      assert.ok(plain(text).includes(plain(reading).slice(0, 30)) || text.includes(reading.slice(0, 12)), reading);
    }
    assert.deepEqual([...new Set(Object.values(sheets))], [1], JSON.stringify(sheets));
  }
});
