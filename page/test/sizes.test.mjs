// The size of the page, and that it needs nothing at run time.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dist, page } from "./browser.mjs";

const file = join(dist, "sizes.json");
const skip = !existsSync(file) && "needs node page/build.mjs";
test("sizes", { skip }, () => {
  const sizes = JSON.parse(readFileSync(file, "utf8"));
  // The engine has all readers of records, so that the page reads what the command reads: they are 60 KB of it.
  assert.ok(sizes.wasmBrotli <= 600_000, `${sizes.wasmBrotli}`);
  assert.ok(sizes.singleFile <= 1_100_000, `${sizes.singleFile}`);
  assert.ok(sizes.scriptsAndStyleGzip <= 60_000, `${sizes.scriptsAndStyleGzip}`);
});
test("no package at run time", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(page, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  assert.deepEqual(Object.keys(devDependencies).sort(), ["@dprint/formatter", "@dprint/typescript", "axe-core",
    "playwright-core", "typescript"]);
});
