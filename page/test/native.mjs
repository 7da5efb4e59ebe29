// The native program that answers as the page does: crates/page/examples/answers.rs.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { engine } from "../engine.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
export const program = ["release", "debug"].map((kind) => join(target, kind, "examples/answers")).find(existsSync);
export const wasm = join(root, "page/dist/setrograde.wasm");
/** Levels of the database that come with the page. */
export const levels = ["04", "08", "12"].map((level) => join(root, `page/dist/level-${level}.sdb`)).filter(existsSync);
export const missing = !existsSync(wasm) ? "node page/build.mjs" : !program ? "cargo build -p setrograde-page --example answers" : "";

/** An engine as the page's. */
export async function made() {
  const one = await engine(await WebAssembly.compile(readFileSync(wasm)));
  for (const level of levels) one.addLevel(readFileSync(level));
  return one;
}

/** The native answers to questions. */
export function native(questions) {
  const input = questions.map((question) => JSON.stringify(question)).join("\n");
  const output = execFileSync(program, levels, { input, maxBuffer: 1 << 30 }).toString();
  return output.trim().split("\n").map((line) => JSON.parse(line));
}
