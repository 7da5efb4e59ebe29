// The native program that answers as the page does: crates/page/examples/answers.rs.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { engine } from "../engine.mjs";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const built = ["release", "debug"].map((kind) => join(target, kind, "examples/answers")).filter(existsSync);
/** The one built last: an older one may give other answers. */
export const program = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
export const wasm = join(root, "page/dist/setrograde.wasm");
export const missing = !existsSync(wasm) ? "node page/build.mjs"
  : !program ? "cargo build -p setrograde-page --example answers" : "";

/** An engine as the page's. */
export async function made(onPart) {
  return engine(await WebAssembly.compile(readFileSync(wasm)), onPart);
}

/** The native answers to questions. */
export function native(questions) {
  const input = questions.map((question) => JSON.stringify(question)).join("\n");
  const output = execFileSync(program, [], { input, maxBuffer: 1 << 30 }).toString();
  return output.trim().split("\n").map((line) => JSON.parse(line));
}

/** The native program with an engine that it keeps. */
export function answerer() {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return JSON.parse((await lines.next()).value);
    },
    end: () => child.stdin.end(),
  };
}
