// A smoke test in Firefox: node --experimental-websocket --test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { single } from "./browser.mjs";
import { person, without } from "./person.mjs";

const GAME =
  "deal=N:T543.KQ4.43.9542_AKJ96.6.AKT5.QJ3_87.97.QJ9876.KT8_Q2.AJT8532.2.A76&board=7&dealer=S&vul=All&strain=H&leader=N&contract=4HW";

test("Firefox opens the single file, solves the table and plays a card", { skip: without.firefox, timeout: 180_000 },
  async () => {
    const me = await person("firefox");
    try {
      await me.open(`${single}#${GAME}`);
      const cells = await me.until(() => {
        const found = [...document.querySelectorAll(".makes td button")].map((cell) => cell.textContent);
        return found.length === 20 && found.join(" ");
      });
      assert.equal(cells, "2 1 2 4 3 11 11 11 9 10 2 1 2 4 3 10 11 11 9 10");
      await me.view("play");
      await me.until(() => document.querySelector(".turn .card.best"));
      assert.match(await me.text(".headline"), /West takes 11 of 13/);
      await me.click(".turn .card.best");
      await me.until(() => setrograde.state.play.length === 1);
      assert.deepEqual(me.wrong, []);
    } finally {
      me.end();
    }
  });
