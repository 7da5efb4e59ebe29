// Makes the npm package: node page/npm/build.mjs OUT
//
// The engine is compiled with the feature `npm`, and goes with the endings of 12 cards into
// inside.mjs; then `npm pack` makes OUT/setrograde-VERSION.tgz. LEVELS names a directory with
// these levels (level-NN.sdb); otherwise they are built.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const out = resolve(process.argv[2] ?? join(target, "npm"));

function run(program, args, cwd = root) {
  const { status, error, stdout } = spawnSync(program, args, { cwd, stdio: ["inherit", "pipe", "inherit"], shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `exit ${status}`}`);
  return String(stdout);
}

run("cargo", ["rustc", "--profile", "page", "--locked", "--target", "wasm32-unknown-unknown", "-p", "setrograde-page", "--lib", "--features", "npm",
  "--crate-type", "cdylib", "--", "-C", "strip=symbols"]);
const wasm = readFileSync(join(target, "wasm32-unknown-unknown/page/setrograde_page.wasm"));
const at = join(target, "npm/package");
rmSync(at, { recursive: true, force: true });
mkdirSync(at, { recursive: true });
mkdirSync(out, { recursive: true });
for (const name of ["package.json", "README.md", "index.mjs", "index.d.ts", "engine.mjs", "worker.mjs", "worker.d.ts"]) cpSync(join(here, name), join(at, name));
run("cargo", ["run", "--locked", "-p", "setrograde-page", "--example", "types"]);
for (const name of ["answers.d.ts", "desk.d.ts"]) cpSync(join(root, "page", name), join(at, name));
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(root, name), join(at, name));
// The licences of the crates inside, which .ci/licences.py finds.
const licences = process.env.LICENCES
  ? readFileSync(process.env.LICENCES)
  : run("python3", [join(root, ".ci/licences.py"), "--target", "wasm32-unknown-unknown", "setrograde-page"]);
writeFileSync(join(at, "LICENSES-of-dependencies"), licences);
const text = (bytes) => JSON.stringify(bytes.toString("base64"));
let from = process.env.LEVELS;
if (!from) {
  from = join(target, "npm/levels");
  run("cargo", ["run", "--release", "--locked", "--", "--quiet", "build", "--cards", "12", "--db", from]);
}
const cards = [4, 8, 12];
const levels = cards.map((one) => String(one).padStart(2, "0")).map((two) => readFileSync(join(from, `level-${two}.sdb`)));
writeFileSync(join(at, "inside.mjs"),
  `// The engine and the endings of 12 cards.\nexport const wasm = ${text(gzipSync(wasm, { level: 9 }))};\nexport const cards = ${JSON.stringify(cards)};\nexport const levels = [${levels.map((bytes) => text(gzipSync(bytes, { level: 9 })))}];\n`);
const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", out], at));
const { size } = statSync(join(out, filename));
console.log(`${join(out, filename)}: ${size} bytes`);
if (size > 1_000_000) throw new Error("above 1,000,000 bytes");
