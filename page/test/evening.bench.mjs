// The bars of an evening, on a quiet machine: node page/test/evening.bench.mjs, and with a number of boards those of a
// large one.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { browser, chromiumServer, page as folder } from "./browser.mjs";
import { made, root } from "./native.mjs";
import { print } from "./times.mjs";

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
      const { legal } = engine.ask({ ask: "position", question: [start, ...played].join(" ") });
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
    print(`ready with ${count} boards, 5 times`, times);
  }
  for (const [count, file] of files) {
    const { page, context } = await opened(chromium, file, 2);
    print(`a click while ${count} boards are solved, to the paint`, await clicked(page, 120));
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

/** The memory of a browser: its proportional share of all its processes, in MB. */
function memory(root) {
  const parents = new Map(readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    try {
      return [[Number(id), Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ")[1])]];
    } catch {
      return [];
    }
  }));
  const ours = (id) => id === root || (parents.get(id) > 1 && ours(parents.get(id)));
  let sum = 0;
  for (const id of parents.keys()) {
    if (!ours(id)) continue;
    try {
      sum += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch { /* ended meanwhile */ }
  }
  return sum / 1000;
}

/** A large evening by the chooser: until its first row, and how much memory it takes once it is solved. */
async function large(count) {
  const here = mkdtempSync(join(tmpdir(), "setrograde-bench-"));
  const file = join(here, "evening.pbn");
  writeFileSync(file, Array.from({ length: count }, (_, n) => {
    // All boards differ: they are the deals with hands and suits rotated.
    const turn = Math.floor(n / lines.length);
    const hands = lines[n % lines.length].slice(2).split(" ").map((hand) => {
      const suits = hand.split(".");
      return suits.map((_, suit) => suits[(suit + turn) % 4]).join(".");
    });
    const from = Math.floor(turn / 4) % 4;
    return `[Board "${n + 1}"]\n[Dealer "${"NESW"[n % 4]}"]\n[Vulnerable "None"]\n[Deal "N:${
      [...hands.slice(from), ...hands.slice(0, from)].join(" ")
    }"]\n\n`;
  }).join(""));
  const server = await chromiumServer();
  const chromium = await server.connect();
  const context = await chromium.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, "setrograde.html")).href);
  await page.waitForFunction(() => document.querySelectorAll(".makes td button").length === 20);
  const before = memory(server.pid);
  await page.evaluate(() => {
    window.opened = new Promise((resolve) => {
      document.querySelector("#file").addEventListener("change", () => {
        const from = performance.now();
        const look = () =>
          document.querySelector(".all tbody th") ? resolve(performance.now() - from) : requestAnimationFrame(look);
        look();
      }, { capture: true });
    });
  });
  await page.setInputFiles("#file", file);
  console.log(`${count} boards: first row after ${(await page.evaluate(() => window.opened)).toFixed(0)} ms`);
  const hint = () => page.textContent(".tools .hint");
  const end = Date.now() + 1000 * Number(process.env.SECONDS ?? 600);
  let most = 0;
  while (Date.now() < end && !(await hint()).startsWith(`${count} boards solved`)) {
    await page.waitForTimeout(2000);
    most = Math.max(most, memory(server.pid) - before);
  }
  console.log(
    `${count} boards: ${await hint()}; memory ${before.toFixed(0)} MB and at most ${most.toFixed(0)} MB more`
  );
  await chromium.close();
  await server.close();
  rmSync(here, { recursive: true });
}

if (process.argv[2]) await large(Number(process.argv[2]));
else {
  const chromium = await browser();
  await evenings(chromium);
  await chromium.close();
}
