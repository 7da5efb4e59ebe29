// A headless Chromium, and the page in it. If there is none, an error says so.
import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const page = dirname(dirname(fileURLToPath(import.meta.url)));
export const dist = join(page, "dist");
export const single = pathToFileURL(join(page, "setrograde.html")).href;

const TYPES = {
  ".html": "text/html",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
};
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
export const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

const require = createRequire(import.meta.url);
const has = (name) => {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
};
/** Why there are no tests in a browser; empty if there are. */
export const missing = !CHROMIUM ? "chromium"
  : !has("playwright-core") ? "npm install in page/"
  : !existsSync(join(dist, "setrograde.wasm")) ? "node page/build.mjs" : "";
export const axe = has("axe-core/axe.min.js");

/** The folder, as any web server has it. */
export function serve() {
  const server = createServer((request, answer) => {
    const path = normalize(new URL(request.url, "http://x").pathname).replace(/^\/$/, "/index.html");
    const file = join(dist, path);
    if (!file.startsWith(dist) || !existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(answer);
  });
  return new Promise((ready) =>
    server.listen(0, "127.0.0.1", () =>
      ready({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }))
  );
}

export async function browser() {
  const { chromium } = require("playwright-core");
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A browser of its own, with the number of its process. */
export async function chromiumServer() {
  const { chromium } = require("playwright-core");
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: FLAGS });
  return {
    pid: server.process().pid,
    connect: () => chromium.connect(server.wsEndpoint()),
    close: () => server.close(),
  };
}

/** A page that notes what it must not do: errors, and requests to elsewhere. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  const home = new URL(url);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (!["data:", "blob:"].includes(to.protocol) && (to.protocol !== home.protocol || to.host !== home.host))
      wrong.push(`outside: ${to}`);
  });
  await page.goto(url);
  await page.waitForSelector("body[data-ready]", { timeout: 60_000 });
  return { page, context, wrong };
}

/** Fails if a view scrolls sideways, or if axe, whose source the page must have, finds anything in it. */
export async function audit(page, where) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} scrolls sideways`);
  const { violations } = await page.evaluate(() =>
    axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
  );
  const found = violations.map(({ id, nodes }) => `${where} ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  assert.deepEqual(found, []);
}

/** Until nothing is under way. */
export async function quiet(page) {
  await page.waitForTimeout(60);
  await page.waitForFunction(() => document.body.dataset.busy === "no" && !setrograde.drawn, null, {
    timeout: 120_000,
  });
  await page.waitForTimeout(30);
}
/** Until what a view has to say at once is shown; contracts are drawn for longer than that. */
export async function calm(page, view) {
  if (view === "contract") {
    await page.waitForSelector(".chances tbody tr", { timeout: 120_000 });
    await page.evaluate(() => {
      setrograde.helpers.stop();
      setrograde.draw();
    });
  }
  await quiet(page);
}
export const profile = () => mkdtempSync(join(tmpdir(), "setrograde-"));
