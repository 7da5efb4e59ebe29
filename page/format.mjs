// The form of the scripts: node page/format.mjs writes it, --check says which files have another one.
// No line is longer than 120 columns, but for those with a deal or a link that is.
import { createFromBuffer } from "@dprint/formatter";
import { getPath } from "@dprint/typescript";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const WIDTH = 120;
const formatter = createFromBuffer(readFileSync(getPath()));
formatter.setConfig({ lineWidth: WIDTH, indentWidth: 2 }, {
  quoteStyle: "alwaysDouble",
  useBraces: "maintain",
  singleBodyPosition: "maintain",
  trailingCommas: "onlyMultiLine",
  preferHanging: true,
  preferSingleLine: true,
  "arguments.preferHanging": "always",
  "parameters.preferHanging": "always",
  "arrayExpression.preferHanging": "always",
  "objectExpression.preferHanging": false,
  "conditionalExpression.linePerExpression": false,
  "arguments.trailingCommas": "never",
  "parameters.trailingCommas": "never",
});
// These are generated.
const generated = ["answers.d.ts", "desk.d.ts", "setrograde.html"];
const names = [".", "views", "test"].flatMap((folder) =>
  readdirSync(join(here, folder)).map((name) => join(folder, name))
);
const wrong = [];
for (const name of names.filter((one) => /\.(mjs|ts|css|html)$/.test(one) && !generated.includes(one))) {
  const path = join(here, name);
  const before = readFileSync(path, "utf8");
  const after = /\.(css|html)$/.test(name) ? before
    : formatter.formatText({ filePath: path, fileText: before }) ?? before;
  if (after !== before) wrong.push(`${name}: not formatted`);
  if (!process.argv.includes("--check")) writeFileSync(path, after);
  after.split("\n").forEach((line, n) => {
    // A deal or a link is not broken.
    if (line.length > WIDTH && !/\S{60}/.test(line)) wrong.push(`${name}:${n + 1}: ${line.length} columns`);
  });
}
if (wrong.length && process.argv.includes("--check")) {
  console.error(`${wrong.join("\n")}\nnode page/format.mjs writes the form`);
  process.exit(1);
}
