// How fast the page is, on a quiet machine: node page/test/bench.mjs [DEALS]; evenings have evening.bench.mjs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engine as built } from "../engine.mjs";
import { browser, missing, open, quiet, single } from "./browser.mjs";
import { answerer, made, program, root } from "./native.mjs";
import { print } from "./times.mjs";

const lines = readFileSync(join(root, "data/deals_100.txt"), "utf8").trim().split("\n").map((line) =>
  line.split(" | ")[0]
);
const deals = lines.slice(0, Number(process.argv[2] ?? 100));
const STRAINS = ["NT", "S", "H", "D", "C"];
const engine = await made();
const table = (deal) => ({ ask: "table", question: deal });
engine.ask(table(lines[99]));
const tables = deals.map((deal) => {
  const from = performance.now();
  engine.ask(table(deal));
  return performance.now() - from;
});
print("a table of 20, one worker", tables);
if (program?.includes("release")) {
  // The same questions in turn, native (cargo build --release -p setrograde-page --example answers);
  // the minimum of three rounds for each, because other programs can only add to a time.
  const least = [[], []];
  for (let round = 0; round < 3; round += 1) {
    // Engines keep tables.
    const [here, other] = [await made(), answerer()];
    for (const [n, deal] of deals.slice(0, 30).entries()) {
      for (const [who, one] of [here, other].entries()) {
        const from = performance.now();
        await one.ask(table(deal));
        least[who][n] = Math.min(least[who][n] ?? Infinity, performance.now() - from);
      }
    }
    other.end();
  }
  const [here, there] = least.map((times) => times.reduce((a, b) => a + b));
  console.log(
    `30 tables ${here.toFixed(0)} ms, native ${there.toFixed(0)} ms: WebAssembly takes ${
      (here / there).toFixed(2)
    } of it`
  );
}
if (process.env.BASE) {
  // Another build's engine (BASE=…/setrograde.wasm), in turns with this one; the minimum of five rounds for each.
  const module = await WebAssembly.compile(readFileSync(process.env.BASE));
  const least = [[], []];
  for (let round = 0; round < 5; round += 1) {
    const both = [await made(), await built(module)];
    for (const [n, deal] of deals.slice(0, 30).entries()) {
      for (const [who, one] of both.entries()) {
        const from = performance.now();
        one.ask(table(deal));
        least[who][n] = Math.min(least[who][n] ?? Infinity, performance.now() - from);
      }
    }
  }
  const [here, there] = least.map((times) => times.reduce((a, b) => a + b));
  console.log(
    `30 tables of 20 ${here.toFixed(0)} ms, the other build ${there.toFixed(0)} ms: ${(here / there).toFixed(3)} of it`
  );
}
print("the opening lead's cards", deals.slice(0, 40).map((deal, n) => {
  const from = performance.now();
  engine.ask({ ask: "solve", question: `${STRAINS[n % 5]} ${"NESW"[n % 4]} ${deal}`, all: true });
  return performance.now() - from;
}));

if (!missing) {
  const chromium = await browser();
  const opened = [];
  for (let n = 0; n < 5; n += 1) {
    const { page, context } = await open(chromium,
      `${single}#deal=${lines[n].replaceAll(" ", "_")}&strain=NT&leader=W&view=play`);
    await page.waitForSelector(".turn .card.best");
    opened.push(await page.evaluate(() => performance.getEntriesByName("cards")[0]?.startTime ?? performance.now()));
    await context.close();
  }
  print("opened to the first cards with their tricks", opened);
  const clicks = [];
  let longest = 0;
  for (const deal of lines.slice(0, 6)) {
    const { page, context } = await open(chromium,
      `${single}#deal=${deal.replaceAll(" ", "_")}&strain=NT&leader=W&view=play`);
    await page.evaluate(() => setrograde.settings.set("forced", false));
    await quiet(page);
    clicks.push(...await page.evaluate(async () => {
      const times = [];
      for (let n = 0; n < 44; n += 1) {
        const played = setrograde.state.play.length;
        const from = performance.now();
        document.querySelector(".turn .card.best").click();
        // Waits until the next cards are shown with their tricks.
        await new Promise((shown) => {
          const look = () =>
            setrograde.state.play.length > played && !setrograde.drawn && setrograde.position().answer
            && document.querySelector(".turn .card.best") && (watch.disconnect(), shown());
          const watch = new MutationObserver(look);
          watch.observe(document.getElementById("view"), { childList: true, subtree: true, attributes: true });
          look();
        });
        times.push(performance.now() - from);
        await new Promise((next) => setTimeout(next, 30));
      }
      return times;
    }));
    longest = Math.max(longest, await page.evaluate(() => setrograde.times.longest));
    await context.close();
  }
  print("a click to the next cards shown", clicks);
  console.log(`the longest drawing ${longest.toFixed(1)} ms`);
  await chromium.close();
}
