// A smoke test in Firefox, over WebDriver BiDi: node --experimental-websocket --test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { test } from "node:test";
import { FIREFOX, page as folder, profile, single } from "./browser.mjs";

const skip = !FIREFOX ? "needs firefox-esr"
  : typeof WebSocket === "undefined" ? "needs node --experimental-websocket"
  : !existsSync(`${folder}/setrograde.html`) ? "needs node page/build.mjs" : false;

/** A session of Firefox: `send(method, parameters)`. */
async function session() {
  const home = profile();
  const process = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", home, "--remote-debugging-port=0",
    "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise((found, failed) => {
    let text = "";
    process.stderr.on("data", (bytes) => {
      text += bytes;
      const m = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
      if (m) found(m[1]);
    });
    process.on("exit", () => failed(new Error(text)));
  });
  const socket = new WebSocket(`${url}/session`);
  await new Promise((open, failed) => {
    socket.onopen = open;
    socket.onerror = failed;
  });
  const waiting = new Map();
  let id = 0;
  socket.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    waiting.get(said.id)?.(said);
  };
  const send = async (method, params = {}) => {
    const mine = (id += 1);
    const said = await new Promise((tell) => {
      waiting.set(mine, tell);
      socket.send(JSON.stringify({ id: mine, method, params }));
    });
    if (said.type === "error") throw new Error(`${method}: ${said.message}`);
    return said.result;
  };
  await send("session.new", { capabilities: {} });
  return {
    send,
    end: () => {
      socket.close();
      process.kill();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

test("Firefox opens the single file, solves the table and plays a card", { skip, timeout: 180_000 }, async () => {
  const { send, end } = await session();
  try {
    const { contexts } = await send("browsingContext.getTree");
    const context = contexts[0].context;
    const deal =
      "deal=N:T543.KQ4.43.9542_AKJ96.6.AKT5.QJ3_87.97.QJ9876.KT8_Q2.AJT8532.2.A76&board=7&dealer=S&vul=All&strain=H&leader=N&contract=4HW";
    await send("browsingContext.navigate", { context, url: `${single}#${deal}`, wait: "complete" });
    const until = async (expression) => {
      const next = "if (found) tell(String(found)); else setTimeout(look, 50);";
      const look = `const look = () => { const found = ${expression}; ${next} };`;
      const { result } = await send("script.evaluate", {
        target: { context },
        awaitPromise: true,
        expression: `new Promise((tell) => { ${look} look(); })`,
      });
      return result.value;
    };
    const cells = "[...document.querySelectorAll('.makes td button')].map((cell) => cell.textContent)";
    assert.equal(await until(`${cells}.length === 20 && ${cells}.join(' ')`),
      "2 1 2 4 3 11 11 11 9 10 2 1 2 4 3 10 11 11 9 10");
    await until("(document.querySelector('nav a[data-view=play]').click(), true)");
    assert.match(
      await until("document.querySelector('.turn .card.best') && document.querySelector('.headline').textContent"),
      /West takes 11 of 13/
    );
    await until("(document.querySelector('.turn .card.best').click(), true)");
    assert.equal(await until("setrograde.state.play.length"), "1");
  } finally {
    end();
  }
});
