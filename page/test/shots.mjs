// The pictures of docs/page.md: node page/test/shots.mjs
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browser, open, page as folder, quiet, single } from "./browser.mjs";

const out = join(folder, "../docs/page");
mkdirSync(out, { recursive: true });
const chromium = await browser();
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
  const { page, context } = await open(chromium, single, { viewport: { width, height: width < 500 ? 740 : 860 },
    colorScheme, hasTouch: width < 1000, isMobile: width < 500 });
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
await chromium.close();
