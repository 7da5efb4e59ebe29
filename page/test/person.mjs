// A browser used as a person uses it: real keys, the mouse, the clipboard, the file chooser, files that are dropped,
// reload, back and print. Chromium by its own protocol (playwright-core), Firefox by WebDriver BiDi.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { browser as chromium, CHROMIUM, FIREFOX, missing, profile } from "./browser.mjs";

/** Why there is no such browser; false if there is. */
export const without = {
  chromium: missing ? `needs ${missing}` : false,
  firefox: missing && CHROMIUM ? `needs ${missing}`
    : !FIREFOX ? "needs firefox-esr" : typeof WebSocket === "undefined" ? "needs node --experimental-websocket" : false,
};

/** The actions of both: everything else is made of these. */
class Person {
  /** Until a function in the page returns something. */
  async until(what, ...args) {
    const from = Date.now();
    for (;;) {
      const found = await this.see(what, ...args);
      if (found) return found;
      if (Date.now() - from > 90_000)
        assert.fail(`never: ${what} ${JSON.stringify(args)}: ${(await this.text("main")).slice(0, 300)}`);
      await new Promise((next) => setTimeout(next, 40));
    }
  }

  async open(url, { width = 1280, height = 800 } = {}) {
    await this.size(width, height);
    // Of the same file only the part after # may differ, and then nothing is loaded.
    await this.goto("about:blank");
    await this.goto(url);
    await this.ready();
  }

  async ready() {
    await this.until(() => document.body?.dataset.ready === "yes");
    // Nobody waits until an evening is solved.
    if (await this.see(() => ["boards", "results", "records", "problems", "lesson"].includes(setrograde.state.view)))
      return;
    // What lasts is not waited for.
    if (await this.see(() => ["contract", "hands", "claim"].includes(setrograde.state.view))) {
      await this.until(() => document.querySelector("main .headline, main .problem, main .empty"));
      await this.see(() => setrograde.helpers.stop());
    }
    await this.quiet();
  }

  /** Until nothing is under way. */
  async quiet() {
    await new Promise((next) => setTimeout(next, 60));
    await this.until(() => document.body.dataset.busy === "no" && !setrograde.drawn);
  }

  async text(selector) {
    return this.see((where) => document.querySelector(where)?.innerText ?? "", selector);
  }

  async count(selector) {
    return this.see((where) => document.querySelectorAll(where).length, selector);
  }

  async value(selector) {
    return this.see((where) => document.querySelector(where)?.value, selector);
  }

  /** Where the focus is. */
  async focus() {
    return this.see(() => {
      const { id, tagName, dataset } = document.activeElement ?? {};
      return dataset?.key ?? (id || (dataset?.view ? `view ${dataset.view}` : tagName));
    });
  }

  /** A button or a link, by its text. */
  async choose(text) {
    const key = await this.until((wanted) => {
      const all = [...document.querySelectorAll("button, a, summary, label")].filter((one) => one.offsetParent);
      const found = all.find((one) => one.textContent.trim() === wanted && !one.disabled);
      for (const one of document.querySelectorAll("[data-chosen-by-name]")) one.removeAttribute("data-chosen-by-name");
      found?.setAttribute("data-chosen-by-name", "");
      return Boolean(found);
    }, text);
    assert.ok(key, text);
    await this.click("[data-chosen-by-name]");
  }

  /** A text by the box for it: from the clipboard, with Ctrl+V and Ctrl+Enter. */
  async paste(text) {
    await this.copy(text);
    if (!(await this.count("#paste"))) await this.click("[data-key=\"entry\"]");
    await this.click("#paste");
    await this.press("Control+a");
    await this.press("Control+v");
    await this.press("Control+Enter");
  }

  /** A text that is typed into the box for it, letter by letter, and Ctrl+Enter. */
  async enter(text) {
    if (!(await this.count("#paste"))) await this.click("[data-key=\"entry\"]");
    await this.click("#paste");
    await this.press("Control+a");
    await this.type(text);
    await this.press("Control+Enter");
  }

  /** A view by its tab. */
  async view(id) {
    await this.click(`nav a[data-view="${id}"]`);
    await this.until((wanted) => setrograde.state.view === wanted, id);
  }

  /** To an element by Tab alone. */
  async tabTo(key, wanted) {
    // Behind the last element is the browser's own bar, and there is no way back by Tab: what is above is reached
    // by Shift+Tab.
    const [found, most] = await this.see((wanted) => {
      const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, h1")];
      const at = all.findIndex((one) => [one.dataset.key, `view ${one.dataset.view}`].includes(wanted));
      const from = document.activeElement;
      const back = at >= 0 && all.includes(from) && at < all.indexOf(from);
      return [back ? "Shift+Tab" : "Tab", all.length + 2];
    }, key);
    for (let n = 0; n < most; n += 1) {
      if (await this.focus() === key) return;
      await this.press(wanted ?? found);
    }
    assert.fail(`${key} is not reached by Tab`);
  }

  /** The text of an element, which must be inside the window. */
  async seen(selector) {
    const found = await this.until((where) => {
      const one = [...document.querySelectorAll(where)].find((of) => of.getClientRects().length);
      const { top, bottom } = one?.getBoundingClientRect() ?? {};
      return one && { text: one.innerText, top, bottom, height: innerHeight };
    }, selector);
    const { text, top, bottom, height } = found;
    assert.ok(top >= 0 && bottom <= height, `${selector} from ${top} to ${bottom} of ${height}: ${text}`);
    return text;
  }

  async noSideways(what) {
    assert.ok(await this.see(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
  }

  /** The printed pages, as text. */
  async printed(path) {
    await this.pdf(path);
    return execFileSync("pdftotext", ["-layout", path, "-"]).toString().split("\f").slice(0, -1);
  }

  /** Puts a text on the clipboard as a person does: from another page, by Ctrl+C. */
  async copy(text) {
    const back = await this.see(() => location.href);
    await this.aside(async (other) => {
      await other.goto("data:text/html,<textarea autofocus></textarea>");
      await other.see((words) => {
        const box = document.querySelector("textarea");
        box.value = words;
        box.focus();
      }, text);
      await other.press("Control+a");
      await other.press("Control+c");
    });
    assert.equal(await this.see(() => location.href), back);
  }
}

class Chromium extends Person {
  constructor(browser, context, page) {
    super();
    Object.assign(this, { browser, context, page, wrong: [] });
    page.on("console", (said) => ["error", "warning"].includes(said.type()) && this.wrong.push(said.text()));
    page.on("pageerror", (error) => this.wrong.push(String(error)));
    page.on("dialog", (dialog) => this.wrong.push(`dialog: ${dialog.message()}`));
  }

  static async start(options = {}) {
    const browser = await chromium();
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    return new Chromium(browser, context, await context.newPage());
  }

  size = (width, height) => this.page.setViewportSize({ width, height });
  goto = (url) => this.page.goto(url);
  see = (what, ...args) => this.page.evaluate(`(${what})(...${JSON.stringify(args)})`);
  press = (key) => this.page.keyboard.press(key);
  type = (text) => this.page.keyboard.type(text);
  click = (selector) => this.page.click(selector, { timeout: 20_000 });
  pick = (selector, value) => this.page.selectOption(selector, value);
  reload = async () => {
    await this.page.reload();
    await this.ready();
  };
  back = () => this.page.goBack();

  /** Files by the chooser that a button opens. */
  async files(button, paths) {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.click(button)]);
    await chooser.setFiles(paths);
  }

  /** Files that are dropped on the page, as the system drops them. */
  async drop(paths) {
    const session = await this.context.newCDPSession(this.page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"])
      await session.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
    await session.detach();
  }

  async pdf(path) {
    await this.page.pdf({ path, format: "A4", preferCSSPageSize: true });
  }

  /** The file that a press saves. */
  async saved(press) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
  }

  /** A tab that has the focus: the only one has it. */
  async fresh() {}

  async aside(use) {
    const page = await this.context.newPage();
    await use(new Chromium(this.browser, this.context, page));
    await page.close();
    await this.page.bringToFront();
  }

  end = () => this.browser.close();
}

const KEYS = {
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  Backspace: "\uE003",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  Home: "\uE011",
  End: "\uE010",
  Space: " ",
};

class Firefox extends Person {
  wrong = [];

  constructor(send, context, end) {
    super();
    Object.assign(this, { send, context, end });
  }

  static async start({ colorScheme } = {}) {
    const home = profile();
    writeFileSync(`${home}/user.js`,
      `user_pref("browser.download.alwaysOpenPanel", false);\n${
        colorScheme === "dark" ? "user_pref(\"ui.systemUsesDarkTheme\", 1);\n" : ""
      }`);
    const child = spawn(FIREFOX, ["--headless", "--no-remote", "--profile", home, "--remote-debugging-port=0",
      "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    const url = await new Promise((found, failed) => {
      let text = "";
      child.stderr.on("data", (bytes) => {
        text += bytes;
        const m = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
        if (m) found(m[1]);
      });
      child.on("exit", () => failed(new Error(text)));
    });
    const socket = new WebSocket(`${url}/session`);
    await new Promise((open, failed) => {
      socket.onopen = open;
      socket.onerror = failed;
    });
    const waiting = new Map();
    const person = new Firefox(null, "", () => {
      socket.close();
      child.kill();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    });
    let id = 0;
    socket.onmessage = ({ data }) => {
      const said = JSON.parse(data);
      waiting.get(said.id)?.(said);
      if (said.method === "log.entryAdded" && ["error", "warn"].includes(said.params.level) && said.params.source.realm)
        person.wrong.push(said.params.text);
    };
    person.send = async (method, params = {}) => {
      const mine = (id += 1);
      const said = await new Promise((resolve) => {
        waiting.set(mine, resolve);
        socket.send(JSON.stringify({ id: mine, method, params }));
      });
      if (said.type === "error") throw new Error(`${method}: ${said.message}`);
      return said.result;
    };
    await person.send("session.new", {
      capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: "ignore" } } },
    });
    await person.send("session.subscribe", { events: ["log.entryAdded"] });
    // The first tab is empty, and the focus is in its address bar; that of a new one is in the page.
    person.context = (await person.send("browsingContext.create", { type: "tab" })).context;
    return person;
  }

  size = (width, height) =>
    this.send("browsingContext.setViewport", { context: this.context, viewport: { width, height } });
  goto = (url) => this.send("browsingContext.navigate", { context: this.context, url, wait: "complete" });

  async see(what, ...args) {
    const { result, exceptionDetails } = await this.send("script.evaluate", {
      target: { context: this.context },
      awaitPromise: true,
      expression: `(async () => JSON.stringify(await (${what})(...${JSON.stringify(args)})))()`,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  keys = (actions) =>
    this.send("input.performActions", { context: this.context, actions: [{ type: "key", id: "keys", actions }] });

  async press(key) {
    const all = key.split("+").map((one) => KEYS[one] ?? one);
    await this.keys([...all.map((value) => ({ type: "keyDown", value })),
      ...all.reverse().map((value) => ({ type: "keyUp", value }))]);
  }

  type = (text) =>
    this.keys([...text].flatMap((letter) => {
      const value = letter === "\n" ? KEYS.Enter : letter;
      return [{ type: "keyDown", value }, { type: "keyUp", value }];
    }));

  async click(selector) {
    const from = Date.now();
    const find = (where) => {
      const found = [...document.querySelectorAll(where)].find((one) => one.getClientRects().length);
      if (!found || found.disabled) return null;
      found.scrollIntoView({ block: "nearest", behavior: "instant" });
      return found;
    };
    let element;
    do {
      const { result } = await this.send("script.evaluate", {
        target: { context: this.context },
        awaitPromise: false,
        expression: `(${find})(${JSON.stringify(selector)})`,
      });
      element = result?.sharedId;
    } while (!element && Date.now() - from < 20_000);
    assert.ok(element, `${selector} is not there`);
    // The browser finds its place when it clicks: answers that come meanwhile may move it.
    const origin = { type: "element", element: { sharedId: element } };
    await this.send("input.performActions", {
      context: this.context,
      actions: [{
        type: "pointer",
        id: "mouse",
        actions: [{ type: "pointerMove", x: 0, y: 0, origin }, { type: "pointerDown", button: 0 }, {
          type: "pointerUp",
          button: 0,
        }],
      }],
    });
  }

  async pick(selector, value) {
    await this.see((where, wanted) => {
      const list = document.querySelector(where);
      list.value = wanted;
      list.dispatchEvent(new Event("input", { bubbles: true }));
      list.dispatchEvent(new Event("change", { bubbles: true }));
    }, selector, value);
  }

  reload = async () => {
    await this.send("browsingContext.reload", { context: this.context, wait: "complete" });
    await this.ready();
  };
  back = () => this.send("browsingContext.traverseHistory", { context: this.context, delta: -1 });

  /** The system's chooser is not opened: its files are given to the field behind it. */
  async files(_button, paths) {
    const { result } = await this.send("script.evaluate", {
      target: { context: this.context },
      awaitPromise: false,
      expression: "document.querySelector('input[type=file]')",
    });
    await this.send("input.setFiles", { context: this.context, element: { sharedId: result.sharedId }, files: paths });
  }

  /** Files that are dropped; WebDriver has no such action, so the test dispatches the event itself. */
  async drop(paths) {
    const files = paths.map((path) => [basename(path), readFileSync(path).toString("base64")]);
    await this.see((all) => {
      const dropped = new DataTransfer();
      for (const [name, text] of all)
        dropped.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
      const target = document.elementFromPoint(200, 300) ?? document.body;
      target.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: dropped }));
      target.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: dropped }));
    }, files);
  }

  async pdf(path) {
    const { data } = await this.send("browsingContext.print", {
      context: this.context,
      page: { width: 21, height: 29.7 },
      margin: { top: 1, bottom: 1, left: 1, right: 1 },
    });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  /** A tab that has the focus: after another one was in front, it is in the address bar. */
  async fresh() {
    const { context } = this;
    this.context = (await this.send("browsingContext.create", { type: "tab" })).context;
    await this.send("browsingContext.close", { context });
  }

  async aside(use) {
    const { context } = await this.send("browsingContext.create", { type: "tab" });
    const other = new Firefox(this.send, context, () => {});
    await this.send("browsingContext.activate", { context });
    await use(other);
    await this.send("browsingContext.close", { context });
    await this.send("browsingContext.activate", { context: this.context });
  }
}

/** A person at a browser. @param {"chromium" | "firefox"} kind */
export const person = (kind, options) => (kind === "firefox" ? Firefox : Chromium).start(options);
