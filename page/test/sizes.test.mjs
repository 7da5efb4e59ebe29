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
  // 400,000 is the aim: joint counting of conditions, rankings and readers of files added 34 KB, and the questions of
  // all interfaces in JSON, read with every option and written with every name, 43 KB. 800,000 is that of the file.
  assert.ok(sizes.wasmBrotli <= 472_000, `${sizes.wasmBrotli}`);
  assert.ok(sizes.singleFile <= 856_000, `${sizes.singleFile}`);
  assert.ok(sizes.scriptsAndStyleGzip <= 60_000, `${sizes.scriptsAndStyleGzip}`);
});
test("no package at run time", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(page, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  assert.deepEqual(Object.keys(devDependencies).sort(), ["@dprint/formatter", "@dprint/typescript", "axe-core",
    "playwright-core", "typescript"]);
});
