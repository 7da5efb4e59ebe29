// The bars of an evening, on a quiet machine: node page/test/evening.bench.mjs
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { browser, page as folder } from "./browser.mjs";
import { made, root } from "./native.mjs";
import { told } from "./times.mjs";

const lines = readFileSync(join(root, "data/deals_100.txt"), "utf8").trim().split("\n").map((line) =>
  line.split(" | ")[0]
);
const engine = await made();

/** An evening in LIN: so many boards of so many deals, each with a play at random that is the same each time. */
function evening(count, of) {
  let state = 5;
  const pick = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const boards = Array.from({ length: count }, (_, n) => {
    const dealer = "SWNE"[n % 4];
    const deal = lines[n % of];
    const hands = deal.slice(2).split(" ").map((hand) =>
      hand.split(".").map((cards, suit) => "SHDC"[suit] + cards).join("")
    );
    const strain = ["NT", "S", "H", "D", "C"][n % 5];
    const start = `${strain} ${"SWNE"[(n + 1) % 4]} ${deal}`;
    const played = [];
    while (played.length < 52) {
      const { legal } = engine.ask("position", `${start}\t${played.join(" ")}`);
      played.push(legal[pick(legal.length)]);
    }
    return `qx|o${n % of + 1}|pn|Ann${n % 7},Bob${n % 5},Cat${n % 7},Dan${n % 5}|st||md|${"SWNE".indexOf(dealer) + 1}${
      hands[2]
    },${hands[3]},${hands[0]},|`
      + `sv|${"oneb"[n % 4]}|mb|2${strain[0]}|mb|p|mb|p|mb|p|${played.map((card) => `pc|${card}|`).join("")}\n`;
  });
  return boards.join("");
}

/** Opens an evening in a browser with so many processors. */
async function opened(chromium, file, processors) {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript((count) => Object.defineProperty(navigator, "hardwareConcurrency", { value: count }),
    processors);
  const page = await context.newPage();
  await page.goto(file);
  await page.waitForSelector("body[data-ready]");
  return { page, context, ready: await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime) };
}

/** Clicks everywhere in the evening, and how long after each the page was painted anew (the browser's event timing,
 * in steps of 8 ms; what it leaves out took less than 16). */
async function clicked(page, count) {
  await page.evaluate(() => {
    window.slow = [];
    new PerformanceObserver((list) =>
      window.slow.push(...list.getEntries().filter(({ name }) => name === "click").map(({ duration }) => duration))
    ).observe({ type: "event", durationThreshold: 16 });
  });
  const sorts = ["ns", "ew", "over", "par", "contract", "board"];
  let clicks = 0;
  const press = async (selector) => {
    await page.locator(selector).first().click();
    clicks += 1;
    await page.waitForTimeout(40);
  };
  while (clicks < count) {
    await press(`[data-key="sort-${sorts[clicks % sorts.length]}"]`);
    await press("[data-key=\"show-mistakes\"]");
    await press("[data-key=\"show-\"]");
    await press(`:nth-match([data-key^="open-"], ${1 + clicks % 20})`);
    await press("[data-key=\"next\"]");
    await press("[data-key=\"on\"]");
    await press("nav a[data-view=\"deal\"]");
    await press("nav a[data-view=\"boards\"]");
  }
  await page.waitForTimeout(200);
  const slow = await page.evaluate(() => window.slow);
  return [...Array(Math.max(0, clicks - slow.length)).fill(16), ...slow];
}

/** The bars of an evening. */
async function evenings(chromium) {
  const here = mkdtempSync(join(tmpdir(), "setrograde-bench-"));
  const files = new Map([[36, 36], [500, 100]].map(([count, of]) => {
    const file = join(here, `${count}.html`);
    const inside = JSON.stringify([{ name: "evening.lin", text: evening(count, of) }]).replaceAll("<", "\\u003c");
    writeFileSync(file,
      readFileSync(join(folder, "setrograde.html"), "utf8").replace("id=\"boards\">", () => `id="boards">${inside}`));
    return [count, pathToFileURL(file).href];
  }));
  for (const [count, file] of files) {
    const times = [];
    for (let n = 0; n < 5; n += 1) {
      const { context, ready } = await opened(chromium, file, 2);
      times.push(ready);
      await context.close();
    }
    told(`ready with ${count} boards, 5 times`, times);
  }
  for (const [count, file] of files) {
    const { page, context } = await opened(chromium, file, 2);
    told(`a click while ${count} boards are solved, to the paint`, await clicked(page, 120));
    console.log(
      `${await page.textContent(".tools .hint")}; the longest drawing ${
        (await page.evaluate(() => setrograde.times.longest)).toFixed(1)
      } ms`
    );
    await context.close();
  }
  for (const processors of [2, 3]) {
    const { page, context, ready } = await opened(chromium, files.get(36), processors);
    await page.waitForFunction(() => document.querySelector(".tools .hint").textContent.startsWith("36 boards solved"),
      null, { timeout: 300_000 });
    const all = await page.evaluate(() => performance.now());
    console.log(`36 boards, ${processors - 1} worker(s): solved after ${((all - ready) / 1000).toFixed(1)} s`);
    await context.close();
  }
  rmSync(here, { recursive: true });
}

const chromium = await browser();
await evenings(chromium);
await chromium.close();
