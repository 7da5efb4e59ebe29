// Tries the npm package as its users would: node page/npm/try.mjs PACKAGE.tgz
//
// Installs it in an empty project, runs it in Node, has TypeScript check a program with --strict,
// and opens a page in Chromium and in Firefox, each without a bundler and with esbuild. What is
// not on this machine is said.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const archive = resolve(process.argv[2]);
const at = mkdtempSync(join(tmpdir(), "setrograde-npm-"));
const run = (program, ...args) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: at, encoding: "utf8" });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
};
const write = (name, text) => writeFileSync(join(at, name), text);

const DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
/** A program that says East's tricks in spades, in this thread and in a worker, and an error. */
const program = (worker) => `
import { createEngine, createWorkerEngine, QuestionError } from "setrograde";
export async function said(): Promise<string> {
  const engine = await createEngine();
  const card: string = engine.ask("cards", "NT W N:K3... Q4... J5... T2...\\tST").cards[0]!.card;
  let wrong = "";
  try { engine.ask("cards", "x"); } catch (error) { if (error instanceof QuestionError) wrong = error.name; }
  const aside = await createWorkerEngine(${worker});
  const tables = [engine.table("${DEAL}"), await aside.table("${DEAL}")].map((table) => table["S"]!["E"]);
  aside.terminate();
  return [...engine.cards, card, wrong, ...tables].join(" ");
}
`;
const EXPECTED = "4 8 12 SK QuestionError 11 11";
/** The same without its types. */
const plain = (text) => text.replace(": Promise<string>", "").replace("const card: string", "const card").replace(/!(?=[.[])|!(?=\))/g, "");

write("package.json", '{ "private": true, "type": "module" }');
run("npm", "install", "--silent", "--no-audit", "--no-fund", archive);
write("program.mjs", `${plain(program(""))}console.log(await said());`);
assert.equal(run("node", "program.mjs").trim(), EXPECTED);
console.log("Node: passed");

run("npm", "install", "--silent", "--no-audit", "--no-fund", "typescript", "esbuild");
write("program.ts", program(""));
for (const resolution of ["bundler", "nodenext"]) {
  const kind = resolution === "bundler" ? "esnext" : "nodenext";
  run("npx", "tsc", "--strict", "--noUncheckedIndexedAccess", "--noEmit", "--target", "es2022", "--module", kind, "--moduleResolution", resolution, "program.ts");
}
write("wrong.ts", 'import { createEngine } from "setrograde";\nconst n: number = (await createEngine()).ask("goal").tricks;\n');
assert.notEqual(spawnSync("npx", ["tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "wrong.ts"], { cwd: at }).status, 0);
console.log("tsc --strict: passed");

const tell = '\nsaid().catch(String).then((text) => fetch("/said", { method: "POST", body: text }));\n';
write("bare.mjs", plain(program("")) + tell);
write("bundled.ts", program('{ worker: new Worker("worker.js", { type: "module" }) }') + tell);
run("npx", "esbuild", "bundled.ts", "--bundle", "--format=esm", "--outfile=bundled.js");
write("worker-entry.mjs", 'import "setrograde/worker";');
run("npx", "esbuild", "worker-entry.mjs", "--bundle", "--format=esm", "--outfile=worker.js");
const map = JSON.stringify({ imports: { setrograde: "/node_modules/setrograde/index.mjs" } });
write("bare.html", `<script type="importmap">${map}</script><script type="module" src="bare.mjs"></script>`);
write("bundled.html", '<script type="module" src="bundled.js"></script>');

const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript" };
let heard;
const server = createServer((request, answer) => {
  if (request.method === "POST") {
    let text = "";
    request.on("data", (bytes) => (text += bytes)).on("end", () => (answer.end(), heard(text)));
    return;
  }
  const file = join(at, new URL(request.url, "http://x").pathname);
  if (!existsSync(file)) return answer.writeHead(404).end();
  answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const home = `http://127.0.0.1:${server.address().port}`;
const browsers = [
  ["Chromium", ["chromium", "chromium-browser"], (url, profile) => ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, url]],
  ["Firefox", ["firefox-esr", "firefox"], (url, profile) => ["--headless", "--no-remote", "--profile", profile, url]],
];
for (const [name, programs, args] of browsers) {
  const browser = programs.map((program) => `/usr/bin/${program}`).find(existsSync);
  if (!browser) {
    console.log(`${name}: skipped, not on this machine`);
    continue;
  }
  for (const page of ["bare", "bundled"]) {
    const profile = mkdtempSync(join(at, "profile-"));
    const text = new Promise((tell, failed) => {
      heard = tell;
      setTimeout(() => failed(new Error(`${name}, ${page}: nothing heard`)), 180_000).unref();
    });
    const open = spawn(browser, args(`${home}/${page}.html`, profile), { stdio: "ignore", detached: true });
    try {
      assert.equal(await text, EXPECTED, `${name}, ${page}`);
    } finally {
      process.kill(-open.pid, "SIGKILL");
    }
    console.log(`${name}, ${page === "bare" ? "no bundler" : "esbuild"}: passed`);
  }
}
server.close();
rmSync(at, { recursive: true, force: true, maxRetries: 5 });
