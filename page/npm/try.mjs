// Tries the npm package as its users would: node page/npm/try.mjs PACKAGE.tgz
//
// Installs it in an empty project, runs it in Node, has TypeScript check a program with --strict,
// and opens a page in Chromium and in Firefox: without a bundler, and as Vite, webpack and esbuild build
// it by default, with a worker and without. Tools missing on this machine are reported.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";

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
  const card: string = engine.ask({ ask: "solve", question: "NT W N:K3... Q4... J5... T2... ST", all: true }).cards[0]!.card;
  let wrong = "";
  try { engine.ask({ ask: "solve", question: "x" }); } catch (error) { if (error instanceof QuestionError) wrong = error.name; }
  const aside = await createWorkerEngine(${worker});
  const tables = [engine.table("${DEAL}"), await aside.table("${DEAL}")].map((table) => table.S.E);
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
// The examples of the README. That of a level needs a file.
const examples = readFileSync(new URL("README.md", import.meta.url), "utf8").matchAll(/```js\n(.*?)```/gs);
const [first, desk, aside] = [...examples].map(([, code]) => code);
write("readme.mjs", `${first}{\n${desk}}\n`);
assert.match(run("node", "readme.mjs"), /^11\n\{ card: 'SK', equals: \[\], tricks: 1 \}\n[SHDC][2-9TJQKA] 0?[.]\d+\n$/);
write("aside.mjs", aside);
run("node", "aside.mjs");
// Questions to a worker that has ended, with the engine under way.
write("ended.mjs", `import { Worker } from "node:worker_threads";
import { createWorkerEngine } from "setrograde";
const later = new Promise((next) => setTimeout(next, 5000, "never settles").unref());
const said = (asked) => Promise.race([asked.then(() => "answered", () => "rejected"), later]);
const script = new URL("node_modules/setrograde/worker.mjs", import.meta.url);
for (const end of [(engine) => engine.terminate(), (_, worker) => worker.terminate()]) {
  const worker = new Worker(script);
  const engine = await createWorkerEngine({ worker });
  const open = said(engine.table("${DEAL}"));
  await end(engine, worker);
  console.log(await open, await said(engine.ask({ ask: "table", question: "${DEAL}" })));
}`);
assert.equal(run("node", "ended.mjs"), "rejected rejected\n".repeat(2));
console.log("Node: passed");
// What an engine costs, as index.d.ts says.
write("cost.mjs", `import { createEngine } from "setrograde";
let last = 0;
const cost = () => { const { user, system } = process.cpuUsage(); const now = (user + system) / 1000; const took = now - last; last = now; return took.toFixed(0); };
const search = (engine) => engine.ask({ ask: "solve", question: "NT W N:K3... Q4... J5... T2... ST", all: true });
cost();
const first = await createEngine(); const a = cost(); search(first); const b = cost();
const second = await createEngine(); const c = cost(); search(second); const d = cost();
console.log(\`createEngine \${a} ms of a processor, its first search \${b} ms; a second one \${c} and \${d} ms\`);`);
console.log(run("node", "cost.mjs").trim());

run("npm", "install", "--silent", "--no-audit", "--no-fund", "typescript", "esbuild");
write("program.ts", program(""));
for (const resolution of ["bundler", "nodenext"]) {
  const kind = resolution === "bundler" ? "esnext" : "nodenext";
  run("npx", "tsc", "--strict", "--noUncheckedIndexedAccess", "--noEmit", "--target", "es2022", "--module", kind, "--moduleResolution", resolution, "program.ts");
}
for (const wrong of ['engine.ask({ ask: "score" }).tricks', 'engine.table("").X.E', 'engine.table("").S.Q']) {
  write("wrong.ts", `import { createEngine } from "setrograde";\nconst engine = await createEngine();\nexport const n: number = ${wrong};\n`);
  const { status, stdout } = spawnSync("npx", ["tsc", "--strict", "--noUncheckedIndexedAccess", "--noEmit", "--target", "es2022", "--module", "nodenext", "wrong.ts"], { cwd: at });
  assert.notEqual(status, 0, wrong);
  assert.match(String(stdout), /wrong.ts\(3/, wrong);
}
console.log("tsc --strict: passed");

const send = '\nsaid().catch(String).then((text) => fetch("/said", { method: "POST", body: text }));\n';
/** The same without a worker. */
const alone = `
import { createEngine } from "setrograde";
const engine = await createEngine();
const { cards } = engine.ask({ ask: "solve", question: "NT W N:K3... Q4... J5... T2... ST", all: true });
fetch("/said", { method: "POST", body: engine.cards.join(" ") + " " + cards[0].card + " " + engine.table("${DEAL}").S.E });
`;
const ALONE = "4 8 12 SK 11";
write("bare.mjs", plain(program("")) + send);
const map = JSON.stringify({ imports: { setrograde: "/node_modules/setrograde/index.mjs" } });
write("bare.html", `<script type="importmap">${map}</script><script type="module" src="bare.mjs"></script>`);

run("npm", "install", "--silent", "--no-audit", "--no-fund", "vite", "webpack", "webpack-cli");
/** Number of copies of the engine and of the levels in the build. */
const engines = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) =>
    readFileSync(join(one.parentPath ?? one.path, one.name), "latin1")
  ).join("").split("H4sIAAAAAAAC").length - 1;
const pages = [["bare.html", EXPECTED, "no bundler"]];
const built = (name, entry, html, expected, count = 1) => {
  assert.ok(existsSync(join(at, html)), html);
  const found = engines(join(at, dirname(html)));
  // The engine and three levels are packed.
  assert.equal(found, 4 * count, `${name}: ${found} packed parts`);
  pages.push([html, expected, name]);
};
for (const [kind, source, expected] of [["worker", plain(program("")) + send, EXPECTED], ["alone", alone, ALONE]]) {
  for (const bundler of ["vite", "webpack", "esbuild"]) {
    const folder = `${bundler}-${kind}`;
    mkdirSync(join(at, folder, "src"), { recursive: true });
    const own = bundler === "esbuild" && kind === "worker"
      ? plain(program('{ worker: new Worker("worker.js", { type: "module" }) }')) + send : source;
    write(`${folder}/src/index.js`, own);
    if (bundler === "vite") {
      write(`${folder}/index.html`, '<script type="module" src="/src/index.js"></script>');
      run("npx", "vite", "build", folder, "--base", "./", "--logLevel", "error");
    } else if (bundler === "webpack") {
      run("npx", "webpack", "build", "--mode", "production", "--entry", `./${folder}/src/index.js`, "--output-path", `${folder}/dist`);
      write(`${folder}/dist/index.html`, '<script src="main.js"></script>');
    } else {
      run("npx", "esbuild", `${folder}/src/index.js`, "--bundle", "--format=esm", `--outfile=${folder}/dist/main.js`);
      if (kind === "worker") {
        write(`${folder}/src/worker.js`, 'import "setrograde/worker";');
        run("npx", "esbuild", `${folder}/src/worker.js`, "--bundle", "--format=esm", `--outfile=${folder}/dist/worker.js`);
      }
      write(`${folder}/dist/index.html`, '<script type="module" src="main.js"></script>');
    }
    built(`${bundler}, ${kind === "worker" ? "with a worker" : "without"}`, kind, `${folder}/dist/index.html`, expected);
  }
}

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
  for (const [page, expected, how] of pages) {
    const profile = mkdtempSync(join(at, "profile-"));
    const text = new Promise((resolve, failed) => {
      heard = resolve;
      setTimeout(() => failed(new Error(`${name}, ${page}: nothing heard`)), 120_000).unref();
    });
    const open = spawn(browser, args(`${home}/${page}`, profile), { stdio: "ignore", detached: true });
    try {
      assert.equal(await text, expected, `${name}, ${how}`);
    } finally {
      process.kill(-open.pid, "SIGKILL");
    }
    console.log(`${name}, ${how}: passed`);
  }
}
server.close();
rmSync(at, { recursive: true, force: true, maxRetries: 5 });
