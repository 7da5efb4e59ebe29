// The page as a person uses it, in Chromium and in Firefox: real keys, files, reload, back and print.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { single } from "./browser.mjs";
import { person, without } from "./person.mjs";

const DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
const GAME = `deal=${DEAL.replaceAll(" ", "_")}&board=7&dealer=S&vul=All&strain=H&leader=N&contract=4HW`;
const OTHER = "N:AQ732.K5.J83.T92 JT6.JT98.Q94.AQ7 K4.AQ3.AKT2.J853 985.7642.765.K64";
/** Five cards each, where every view has something to say. */
const ENDING = "strain=NT&leader=S&deal=N:AQ432..._KJ865..._7.432.4._T9.65.3.";
const VIEWS = ["deal", "play", "record", "matter", "hands", "chances", "claim", "endings", "contract", "suit"];

for (const kind of ["chromium", "firefox"]) {
  const skip = without[kind];
  const to = { skip, timeout: 200_000 };
  /** @type {import("./person.mjs").Person} */
  let me;
  before(async () => {
    if (!skip) me = await person(kind);
  });
  after(() => me?.end());

  test(`${kind}: the box takes typing, Ctrl+V, Tab and Shift+Tab`, to, async () => {
    await me.open(single);
    await me.click("[data-key=\"entry\"]");
    await me.click("#paste");
    await me.type("N:AQ");
    assert.equal(await me.value("#paste"), "N:AQ");
    await me.press("Tab");
    assert.notEqual(await me.focus(), "paste");
    await me.press("Shift+Tab");
    assert.equal(await me.focus(), "paste");
    await me.press("Control+a");
    await me.copy(OTHER);
    await me.press("Control+v");
    assert.equal(await me.value("#paste"), OTHER);
    await me.press("Control+Enter");
    await me.until((deal) => setrograde.state.deal === deal, OTHER);
    assert.deepEqual(me.wrong, []);
  });

  test(`${kind}: every box in every view takes typing, Ctrl+V and Tab both ways; no key is swallowed`, to, async () => {
    await me.open(single);
    await me.copy("W+SK");
    let tried = 0;
    for (const view of VIEWS) {
      await me.open(`${single}#view=${view}&${view === "deal" || view === "contract" ? GAME : ENDING}`);
      const boxes = await me.see(() =>
        [...document.querySelectorAll("input[type=text], textarea")].filter((one) =>
          one.checkVisibility({ contentVisibilityAuto: true })
        ).map((one) => one.dataset.key)
      );
      for (const key of boxes) {
        const box = `[data-key="${key}"]`;
        const before = await me.see(() => location.href);
        await me.click(box);
        await me.press("Control+a");
        await me.press("Backspace");
        await me.type("S2");
        assert.equal(await me.value(box), "S2", `${view}, ${key}: typing`);
        await me.press("Control+a");
        await me.press("Control+v");
        assert.equal(await me.value(box), "W+SK", `${view}, ${key}: pasting`);
        for (const way of ["Tab", "Shift+Tab"]) {
          await me.see((where) => document.querySelector(where).focus(), box);
          await me.press(way);
          assert.notEqual(await me.focus(), key, `${view}, ${key}: ${way}`);
        }
        tried += 1;
        await me.open(before);
      }
    }
    assert.ok(tried >= 6, `${tried} boxes`);
    assert.deepEqual(me.wrong, []);
  });
}
