// What is pasted into the page is read as the command reads it: the same boards, facts and notes, or the same refusals.
// The texts are those of the hunts for misreadings, and one deal in each written form, with a slip and without.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { command, compared } from "./command.mjs";
import { made, missing, root } from "./native.mjs";
import { person, without } from "./person.mjs";

const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const built = ["release", "debug"].map((kind) => join(target, kind, "examples/boards")).filter(existsSync);
/** Prints what the command reads: crates/records/examples/boards.rs. */
const program = built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
const skip = missing.includes("build.mjs") ? `needs ${missing}`
  : program ? false : "needs cargo build -p setrograde-records --example boards";
const here = mkdtempSync(join(tmpdir(), "setrograde-reading-"));
after(() => rmSync(here, { recursive: true }));

/** The texts of a file, in which a line {NAME} stands for a text that the head has under its name. */
function parts(path) {
  const [head, ...texts] = readFileSync(join(root, path), "utf8").split("=====\n");
  const pieces = head.split("----- ").slice(1).map((piece) => /^(\w+)\n([^]*)$/.exec(piece).slice(1));
  return texts.map((text) => pieces.reduce((text, [name, piece]) => text.replaceAll(`{${name}}\n`, () => piece), text));
}
const TEXTS = [...parts("tests/it/hunt.txt").map((text) => text.slice(text.indexOf("\n") + 1)),
  ...parts("page/test/pasted.txt"), ...parts("page/test/forms.txt")];

const lines = (text) => text.split("\n").filter(Boolean);
/** Boards, notes and errors as the native readers give them. */
function native(text) {
  writeFileSync(join(here, "text"), text);
  const { stdout, stderr } = spawnSync(program, ["text"], { cwd: here, encoding: "utf8" });
  const said = lines(stderr);
  return {
    boards: lines(stdout).map((line) => line.split("\t").slice(0, 7).join(" ")),
    notes: said.filter((line) => line.startsWith("note: ")).map((line) => line.replace(/^note: text, line \d+: /, "")),
    errors: said.filter((line) => !line.startsWith("note: ")),
  };
}

const dash = (value) => value ?? "-";
/** The same as the page reads it. */
function paged(answer) {
  if (answer.error) return { boards: [], notes: [], errors: [] };
  const good = answer.boards.filter(({ error }) => error === undefined);
  return {
    boards: good.map((board) =>
      [dash(board.board), dash(board.room), dash(board.dealer), dash(board.vulnerable),
        `N:${board.hands.map(dash).join(" ")}`, board.passed_out ? "pass" : dash(board.contract), dash(board.leader)]
        .join(" ")
    ),
    notes: good.flatMap(({ notes }) => notes),
    errors: answer.boards.flatMap(({ error }) => error ?? []),
  };
}
/** A page of results links each board twice. */
const once = (list) => [...new Set(list)];

test(`${TEXTS.length} texts are read as the command reads them`, { skip }, async () => {
  assert.ok(TEXTS.length >= 300);
  const engine = await made();
  const different = [];
  for (const text of TEXTS) {
    // The page gives cards on the table back to the hands, and plays them.
    if (text.includes(" played=")) continue;
    const [read, expected] = [paged(engine.ask({ ask: "boards", source: text, name: "text" })), native(text)];
    for (const part of ["boards", "notes", "errors"]) {
      const [a, b] = [once(read[part]), once(expected[part])];
      if (JSON.stringify(a) !== JSON.stringify(b)) different.push({ text, part, page: a, command: b });
    }
  }
  assert.deepEqual(different, []);
});

/** Every so many texts are pasted in a browser. */
const EVERY = Number(process.env.PASTED_EVERY ?? 10);
test("texts that are typed, or pasted with Ctrl+V, are what the command reads", {
  skip: skip || without.chromium || (command ? false : "needs cargo build"),
  timeout: 3_600_000,
}, async () => {
  const engine = await made();
  const me = await person("chromium");
  const different = [];
  try {
    for (const [n, text] of TEXTS.entries()) {
      const differs = n % EVERY === 0 && text.trim() && await compared(me, engine, text, n % 3 === 0);
      if (differs) different.push({ text, ...differs });
    }
    assert.deepEqual(me.wrong, []);
  } finally {
    await me.end();
  }
  assert.deepEqual(different, []);
});
