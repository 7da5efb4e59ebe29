// Runs a program for WASI in Node, with this machine's files: scripts/platforms.sh uses it
// where there is no wasmtime.
//
//   node .ci/wasi.mjs PROGRAM.wasm [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...args],
  env: { ...process.env, RUST_TEST_THREADS: "1" },
  preopens: { "/": "/", ".": process.cwd() },
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
