// Builds the page from its sources: page/dist/ for any web server, and
// page/setrograde.html, one file that needs none. Node's own modules alone.
//
//   node page/build.mjs [--wasm FILE]
//
// The engine is compiled first, unless it is named.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const option = (name, usual) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : process.argv[at + 1];
};
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const wasm = option("--wasm", join(target, "wasm32-unknown-unknown/page/setrograde_page.wasm"));
if (!process.argv.includes("--wasm")) {
  // A library for Rust, which the crate is, too, would forbid link-time optimization.
  const args = ["rustc", "--profile", "page", "--locked", "--target", "wasm32-unknown-unknown", "-p", "setrograde-page",
    "--lib", "--crate-type", "cdylib", "--", "-C", "strip=symbols"];
  const { status, error } = spawnSync("cargo", args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(
      error ? `cargo: ${error.message}`
        : "The engine was not built. Without its target: rustup target add wasm32-unknown-unknown"
    );
    process.exit(1);
  }
}
const dist = join(here, "dist");
const single = join(here, "setrograde.html");

const modules = ["engine.mjs", "worker.mjs", "helpers.mjs", "dom.mjs", "words.mjs", "state.mjs", "boards.mjs",
  "evening.mjs", "diagram.mjs", "app.mjs", ...readdirSync(join(here, "views")).sort().map((name) => `views/${name}`)];
const source = (name) => readFileSync(join(here, name), "utf8");

/** A script or a style without its comments, and without the blanks before its lines. */
const bare = (text) =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "").replace(/^[ \t]+/gm, "").replace(/[ \t]+$/gm, "")
    .replace(/\n{2,}/g, "\n");

/** All modules that `entry` needs as one script: each is a function that returns what it exports. */
function bundle(entry) {
  const done = new Map();
  const parts = [];
  const add = (name, from) => {
    if (done.get(name) === "under way") throw new Error(`${from} and ${name} import each other`);
    if (done.has(name)) return;
    done.set(name, "under way");
    const exported = [];
    const body = source(name).replace(/^import\s+\{([^}]*)\}\s+from\s+"(\.[^"]+)";$/gm, (_, names, path) => {
      const other = relative(here, resolve(here, dirname(name), path));
      add(other, name);
      return `const {${names.replaceAll(" as ", ": ")}} = modules[${JSON.stringify(other)}];`;
    }).replace(/^export\s+(async function|function|class|const|let)\s+(\w+)/gm, (_, kind, word) => {
      exported.push(word);
      return `${kind} ${word}`;
    });
    const left = body.match(/^(import|export)\b.*/m);
    if (left) throw new Error(`${name}: not understood: ${left[0]}`);
    parts.push(`modules[${JSON.stringify(name)}] = (() => {\n${body}\nreturn { ${exported.join(", ")} };\n})();`);
    done.set(name, "done");
  };
  add(entry, entry);
  return `"use strict";\nconst modules = {};\n${parts.join("\n")}\n`;
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const once = (text, what, by) => {
  if (text.split(what).length !== 2) throw new Error(`index.html: ${what} must be there once`);
  return text.replace(what, () => by);
};

const engine = readFileSync(wasm);
const html = source("index.html");

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "views"), { recursive: true });
for (const name of [...modules, "index.html", "style.css"]) cpSync(join(here, name), join(dist, name));
writeFileSync(join(dist, "setrograde.wasm"), engine);

const script = bare(bundle("app.mjs"));
const worker = bare(bundle("worker.mjs"));
const style = bare(source("style.css"));
// The script is packed, as the engine is: a short one unpacks it, and the policy names both by their hashes.
const reader = source("helpers.mjs").match(/^function unwritten[\s\S]*?^}$/m);
if (!reader) throw new Error("helpers.mjs: the function unwritten is gone");
const unpack = bare(`${reader[0]}
const packed = unwritten(document.getElementById("app.mjs").textContent.trim());
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const app = document.createElement("script");
app.type = "module";
app.textContent = await new Response(stream).text();
document.head.append(app);
`);
const policy = `default-src 'none'; script-src ${hashOf(unpack)} ${
  hashOf(script)
} 'wasm-unsafe-eval'; worker-src blob:; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
/** Bytes as text, which `unwritten` in helpers.mjs reads: 8 % shorter than in base64. */
function written(bytes) {
  const letter = (digit) => String.fromCharCode(digit + (digit > 26 ? 34 : 33));
  const letters = [];
  let [word, bits] = [0, 0];
  for (const byte of [...bytes, 0, 0]) {
    word = (word << 8) | byte;
    bits += 8;
    if (bits < 13) continue;
    bits -= 13;
    const digits = word >> bits;
    letters.push(letter(Math.floor(digits / 93)), letter(digits % 93));
    word &= (1 << bits) - 1;
  }
  return `${bytes.length} ${letters.join("")}`;
}
const data = (name, type, text) => `<script type="${type}" id="${name}">${text}</script>\n`;
let page = html.replace(/content="default-src[^"]*"/, () => `content="${policy}"`);
page = once(page, "<link rel=\"stylesheet\" href=\"style.css\">", `<style>${style}</style>`);
page = once(
  page,
  "<script type=\"module\" src=\"app.mjs\"></script>\n",
  // `setrograde page` puts boards here.
  data("boards", "application/json", "")
    + data("worker.mjs", "text/plain", worker)
    + data("setrograde.wasm", "application/gzip", written(gzipSync(engine, { level: 9, memLevel: 9 })))
    + data("app.mjs", "application/gzip", written(gzipSync(script, { level: 9 })))
    + `<script type="module">${unpack}</script>\n`
);
if (/<\/script/i.test(unpack + worker)) throw new Error("a script that ends itself");
writeFileSync(single, page);

const plain = Buffer.from(script + worker + style);
const kb = (bytes) => `${(bytes / 1000).toFixed(0)} KB`;
const sizes = {
  wasm: engine.length,
  wasmBrotli: brotliCompressSync(engine).length,
  scriptsAndStyleGzip: gzipSync(plain, { level: 9 }).length,
  singleFile: Buffer.byteLength(page),
};
for (const [name, bytes] of Object.entries(sizes)) console.log(`${name.padEnd(20)} ${kb(bytes)}`);
writeFileSync(join(dist, "sizes.json"), `${JSON.stringify(sizes, null, 2)}\n`);
