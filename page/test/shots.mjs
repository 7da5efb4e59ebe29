// The pictures of docs/page.md and docs/club.md: node page/test/shots.mjs [NAME…], all or those that are named.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser, calm, open, page as folder, quiet, single } from "./browser.mjs";

const out = join(folder, "../docs/page");
mkdirSync(out, { recursive: true });
const chromium = await browser();
const isWanted = (name) => process.argv.length < 3 || process.argv.slice(2).includes(name);
const file = readFileSync(join(folder, "test/evening.pbn"), "utf8");
/** View, width, colours, board, cards played. */
const shots = [["play", 1100, "light", 2, 9], ["record", 1100, "dark", 2, 21], ["matter", 768, "light", 2, 28], ["deal",
  768, "dark", 1, 0], ["play", 360, "light", 2, 4], ["record", 360, "dark", 2, 21], ["hands", 1100, "light", 3, 32], [
  "chances",
  1100,
  "dark",
  3,
  32,
], ["claim", 768, "light", 3, 40], ["endings", 360, "light", 3, 36]];
for (const [view, width, colorScheme, board, cards] of shots) {
  if (!isWanted(`${view}-${width}`)) continue;
  const { page, context } = await open(chromium, single, {
    viewport: { width, height: width < 500 ? 740 : 860 },
    colorScheme,
    hasTouch: width < 1000,
    isMobile: width < 500,
  });
  await page.evaluate(() => setrograde.settings.set("forced", false));
  await page.click("[data-key=\"entry\"]");
  await page.fill("#paste", file);
  await page.click("[data-key=\"read\"]");
  await quiet(page);
  await page.evaluate(([view, board, cards]) => {
    setrograde.open(setrograde.boards[board], view);
    setrograde.go({ view, play: setrograde.state.record.slice(0, cards), need: view === "claim" ? "2" : "" });
  }, [view, board, cards]);
  await quiet(page);
  await page.screenshot({ path: join(out, `${view}-${width}.png`) });
  await context.close();
}

// An evening: WebP, which is smaller. The sheets are as they are on paper.
const match = readFileSync(join(folder, "../data/samples/match.lin"), "utf8");
const evenings = [["boards", 1100, "boards-1100", file], ["tables", 1100, "tables-1100", match], ["records", 760,
  "records", file], ["lesson", 760, "lesson", file], ["contract", 1100, "contract-1100", file], ["suit", 768,
  "suit-768", file]];
for (const [view, width, name, text] of evenings) {
  if (!isWanted(name)) continue;
  const { page, context } = await open(chromium, single, { viewport: { width, height: 860 }, colorScheme: "light" });
  await page.click("[data-key=\"entry\"]");
  await page.fill("#paste", text);
  await page.click("[data-key=\"read\"]");
  await quiet(page);
  await page.waitForFunction(() => /^\d+ boards solved/.test(document.querySelector(".tools .hint").textContent));
  if (["records", "lesson"].includes(view)) await page.emulateMedia({ media: "print" });
  await page.evaluate((to) => (to === "boards" ? undefined : setrograde.open(setrograde.boards[0], to)), view);
  await calm(page, view);
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(join(out, `${name}.webp`), Buffer.from(data, "base64"));
  await context.close();
}
await chromium.close();
