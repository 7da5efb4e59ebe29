// The page as a person uses it, in Chromium and in Firefox: real keys, files, reload, back and print.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { single } from "./browser.mjs";
import { boards, DEAL, ENDING, evening, folder, GAME, match, OTHER, unreadablePaper } from "./deals.mjs";
import { person, without } from "./person.mjs";

const VIEWS = ["deal", "play", "record", "matter", "hands", "chances", "claim", "endings", "contract", "suit"];
const { here, file } = folder("person");

for (const kind of ["chromium", "firefox"]) {
  const skip = without[kind];
  const to = { skip, timeout: 300_000 };
  /** @type {import("./person.mjs").Person} */
  let me;
  before(async () => {
    if (!skip) me = await person(kind);
  });
  after(() => me?.end());
  const said = (name, act) =>
    test(`${kind}: ${name}`, to, async () => {
      me.wrong.length = 0;
      await act();
      assert.deepEqual(me.wrong, []);
    });
  /** The problem is under the heading and inside the window. */
  const complaint = () => me.seen(".head .problem");

  said("the box takes typing, Ctrl+V, Tab and Shift+Tab", async () => {
    await me.open(single);
    await me.click("[data-key=\"entry\"]");
    assert.equal(await me.focus(), "paste");
    await me.type("N:AQ");
    assert.equal(await me.value("#paste"), "N:AQ");
    await me.press("Tab");
    assert.equal(await me.focus(), "read");
    await me.press("Shift+Tab");
    assert.equal(await me.focus(), "paste");
    await me.press("Control+a");
    await me.copy(OTHER);
    await me.press("Control+v");
    assert.equal(await me.value("#paste"), OTHER);
    await me.press("Control+Enter");
    await me.until((deal) => setrograde.state.deal === deal, OTHER);
    // Without a box, too.
    await me.copy(DEAL);
    await me.press("Control+v");
    await me.until((deal) => setrograde.state.deal === deal, DEAL);
  });

  said("every box in every view takes typing, Ctrl+V and Tab both ways; no key is swallowed", async () => {
    await me.open(single);
    await me.copy("W+SK");
    let tried = 0;
    for (const id of VIEWS) {
      const link = `${single}#view=${id}&${id === "deal" || id === "contract" ? GAME : ENDING}`;
      await me.open(link);
      if (id === "deal") await me.click("[data-key=\"entry\"]");
      const boxes = await me.see(() =>
        [...document.querySelectorAll("input[type=text], textarea")].filter((one) => one.checkVisibility()).map((one) =>
          one.dataset.key
        )
      );
      for (const key of boxes) {
        const box = `[data-key="${key}"]`;
        await me.click(box);
        await me.press("Control+a");
        await me.press("Backspace");
        await me.type("S2");
        assert.equal(await me.value(box), "S2", `${id}, ${key}: typing`);
        await me.press("Control+a");
        await me.press("Control+v");
        assert.equal(await me.value(box), "W+SK", `${id}, ${key}: pasting`);
        for (const way of ["Tab", "Shift+Tab"]) {
          await me.see((where) => document.querySelector(where).focus(), box);
          await me.press(way);
          assert.notEqual(await me.focus(), key, `${id}, ${key}: ${way}`);
        }
        tried += 1;
        await me.open(link);
        if (id === "deal") await me.click("[data-key=\"entry\"]");
      }
    }
    assert.equal(tried, 8);
  });

  said("Tab goes through every view and out of it, forwards and back", async () => {
    for (const id of VIEWS) {
      await me.open(`${single}#view=${id}&${id === "deal" || id === "contract" ? GAME : ENDING}`);
      const all = await me.see(() =>
        [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((one) =>
          one.checkVisibility({ contentVisibilityAuto: true }) && !one.disabled && one.tabIndex >= 0
        ).length
      );
      for (const way of ["Tab", "Shift+Tab"]) {
        await me.see(() => {
          document.activeElement?.blur();
          window.seen = new Set();
        });
        let last = "";
        for (let n = 0; n < all + 3; n += 1) {
          await me.press(way);
          const now = await me.see(() => {
            window.seen.add(document.activeElement);
            return `${document.activeElement?.outerHTML.slice(0, 80)} ${
              [...document.querySelectorAll("*")].indexOf(document.activeElement)
            }`;
          });
          // Beyond the last one the focus is the browser's own.
          const seen = await me.see(() => window.seen.size);
          if (now === last && seen >= all - 1) break;
          assert.ok(now !== last || now.startsWith("<body"), `${id}, ${way}: the focus stays at ${now}`);
          last = now;
        }
        const reached = await me.see(() => window.seen.size);
        assert.ok(reached >= all - 1, `${id}, ${way}: ${reached} of ${all}`);
      }
    }
  });

  said("nothing has a focus ring before a key is pressed", async () => {
    const ring = () =>
      me.see(() => {
        const style = getComputedStyle(document.activeElement);
        return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0;
      });
    await me.fresh();
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      await me.open(single, { width, height });
      assert.equal(await ring(), false);
      await me.files("[data-key=\"open-file\"]", [evening]);
      await me.until(() => setrograde.state.view === "boards");
      assert.equal(await ring(), false, "All boards");
      await me.click("[data-key=\"open-0\"]");
      await me.until(() => setrograde.state.view === "record");
      for (const id of ["play", "deal", "claim", "suit", "boards"]) {
        await me.view(id);
        assert.equal(await ring(), false, id);
      }
      await me.view("play");
      await me.press("Tab");
      assert.equal(await ring(), true);
    }
  });

  const bad = {
    "binary.pbn": Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 256)),
    "empty.pbn": "",
    "big.pbn": Buffer.alloc(30 << 20, "x"),
    "note.txt": "Dear Tess,\nthe boards are in the other mail.\n",
    "twelve.pbn": "[Deal \"N:T543.KQ4.43.954 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76\"]\n",
    "twice.pbn": "[Deal \"N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.AT6\"]\n",
  };
  said("a file that cannot be read: said under the heading, by its name, and what was shown stays", async () => {
    for (const [width, height] of [[1280, 800], [390, 844]]) {
      for (const [name, text] of Object.entries(bad)) {
        await me.open(`${single}#${GAME}`, { width, height });
        await (name.startsWith("t") ? me.drop([file(name, text)])
          : me.files("[data-key=\"open-file\"]", [file(name, text)]));
        const problem = await complaint();
        assert.ok(problem.includes(name), `${name}: ${problem}`);
        assert.match(problem, /The previous view stays/);
        assert.doesNotMatch(problem, /pasted/);
        assert.equal(await me.see(() => setrograde.state.deal), DEAL);
        assert.equal(await me.count(".makes"), 1);
      }
      await me.open(single, { width, height });
      await me.paste("no deal at all");
      assert.match(await complaint(), /^What was pasted/);
      await me.click("#paste");
      await me.press("Control+a");
      await me.press("Backspace");
      await me.click("[data-key=\"read\"]");
      await me.until(() => document.querySelector(".head .problem")?.textContent.includes("first"));
      // Far down in a long list, too.
      await me.files("[data-key=\"open-file\"]", [file("many.pbn", boards(80))]);
      await me.until(() => setrograde.state.view === "boards");
      await me.see(() => scrollTo(0, 1e6));
      await me.drop([file("empty.pbn", "")]);
      assert.match(await complaint(), /empty.pbn is empty/);
      assert.equal(await me.see(() => setrograde.boards.length), 80);
    }
  });

  const NAMES = "[Board \"1\"]\n[North \"Müller\"]\n[East \"Søren\"]\n[South \"Zoë\"]\n[West \"Ağa\"]\n";
  said("bytes are decoded as the command decodes them: UTF-8, UTF-16, Windows-1252", async () => {
    const text = `${NAMES.replace("Ağa", "Núñez – €")}[Deal "${DEAL}"]\n`;
    const latin = Buffer.from([...text].map((letter) => ({ "–": 0x96, "€": 0x80 })[letter] ?? letter.codePointAt(0)));
    const files = {
      "utf8.pbn": Buffer.from(text),
      "bom.pbn": Buffer.from(`\uFEFF${text}`),
      "latin.pbn": latin,
      "utf16le.pbn": Buffer.from(`\uFEFF${text}`, "utf16le"),
      "utf16be.pbn": Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
    };
    for (const [name, bytes] of Object.entries(files)) {
      await me.open(single);
      await me.drop([file(name, bytes)]);
      await me.until(() => setrograde.state.board === "1");
      assert.deepEqual(await me.see(() => setrograde.state.players), ["Müller", "Søren", "Zoë", "Núñez – €"], name);
      assert.match(await me.text(".diagram"), /Müller/, name);
    }
  });

  said("several files at once are one evening; a bad one among them is named", async () => {
    await me.open(single);
    await me.drop([evening, match]);
    await me.until(() => setrograde.state.view === "boards");
    const counts = [evening, match].map((path) =>
      readFileSync(path, "utf8").match(path === match ? /^qx/gm : /^\[Deal /gm).length
    );
    assert.equal(await me.see(() => setrograde.boards.length), counts[0] + counts[1]);
    await me.files("[data-key=\"open-file\"]", [match, file("empty.pbn", ""), file("one.pbn", `[Deal "${DEAL}"]\n`)]);
    assert.match(await complaint(), /1 board of 8 could not be read: empty.pbn is empty/);
    assert.equal(await me.see(() => setrograde.evening.good.length), counts[1] + 1);
    assert.equal(await me.see(() => document.querySelector("#file").multiple), true);
  });

  said("a reload keeps the evening, in its list and in a board; Back and Close all", async () => {
    await me.open(single);
    await me.drop([evening]);
    await me.until(() => setrograde.state.view === "boards");
    const count = await me.see(() => setrograde.boards.length);
    await me.reload();
    assert.equal(await me.see(() => setrograde.boards.length), count);
    assert.equal(await me.text("h1"), "All boards");
    await me.click("[data-key=\"open-2\"]");
    await me.until(() => setrograde.state.view === "record");
    const title = await me.text("h1");
    await me.reload();
    assert.equal(await me.text("h1"), title);
    assert.equal(await me.count("[data-key=\"boards\"] option"), count);
    assert.equal(await me.count(".head .problem"), 0);
    await me.back();
    await me.until(() => document.querySelector("h1").textContent === "All boards");
    await me.back();
    await me.until(() => setrograde.state.view === "deal");
    await me.reload();
    await me.view("boards");
    assert.ok(await me.count("[data-key=\"open-2\"]"));
    await me.choose("Close all");
    await me.until(() => !setrograde.boards.length);
    await me.reload();
    assert.equal(await me.see(() => setrograde.boards.length), 0);
    assert.equal(await me.count("nav a[data-view=\"boards\"]"), 0);
  });

  said("a claim of a record is ruled for what was claimed, by who claimed", async () => {
    for (const [board, claimed, words] of [[2, 3, /sure: 3 tricks/], [3, 6, /sure: 6 tricks/], [5, 9, /stands/]]) {
      await me.open(single);
      await me.drop([match]);
      await me.click(`[data-key="open-${board}"]`);
      await me.view("claim");
      await me.choose("To the end of the record");
      await me.choose("Give a ruling");
      await me.until(() => document.querySelector(".ruling"));
      await me.quiet();
      assert.match(await me.text(".headline"), new RegExp(`${claimed} tricks? awarded, ${claimed} claimed`));
      assert.match(await me.text(".ruling .big"), words);
      if (board < 5) assert.match(await me.text(".ruling"), new RegExp(`Law 70C awards ${claimed - 1}`));
    }
  });

  said("what was chosen for one question is not taken for another", async () => {
    await me.open(`${single}#view=suit&${ENDING}`);
    await me.quiet();
    await me.see(() => setrograde.go({ need: "1" }));
    await me.view("claim");
    assert.equal(await me.see(() => setrograde.state.need), "");
    await me.pick("[data-key=\"by\"]", "E");
    await me.view("chances");
    assert.equal(await me.see(() => setrograde.state.by), "");
    await me.view("claim");
    assert.equal(await me.see(() => setrograde.state.by), "E");
  });

  said("a contract is asked about that was played, and a suit by the seats that hold it", async () => {
    const west = "N:Q52.83.T9752.A76 AJ43.QJT64.K8.K5 T87.92.QJ43.J982 K96.AK75.A6.QT43";
    await me.open(
      `${single}#view=contract&deal=${west.replaceAll(" ", "_")}&strain=H&leader=S&contract=5HE&vul=All&board=1`
    );
    await me.until(() => document.querySelector(".headline"));
    assert.match(await me.text(".headline"), /^5♥ E/);
    assert.doesNotMatch(await me.text(".headline"), /4♠/);
    await me.view("suit");
    await me.until(() => document.querySelector(".plan, .order"));
    assert.deepEqual(await me.see(() => [...document.querySelectorAll(".choice > span")].map((one) => one.textContent)),
      ["West's cards", "East's cards"]);
    assert.match(await me.text(".plan"), /from (East|West)/);
    assert.doesNotMatch(await me.text("main"), /from (North|South)|\bT\b/);
  });

  said("the deal of a record names its contract, the match its teams and IMPs", async () => {
    await me.open(single);
    await me.drop([match]);
    await me.until(() => document.querySelector(".evening .remark"));
    assert.match(await me.text(".evening .remark"), /Home 10 – Away 10 IMPs on 3 boards/);
    await me.click("[data-key=\"open-2\"]");
    await me.view("deal");
    await me.until(() => document.querySelector(".wide .remark"));
    assert.match(await me.text(".wide .remark"), /4♠[\s\S]* N[\s\S]*, 11 tricks, makes 1 over/);
  });

  said("two hands alone: pasted in each way, shown in what sees two", async () => {
    for (const text of ["N:AQ732.K5.J83.T92 ? K4.AQ3.AKT2.J853 ?", "AQ732.K5.J83.T92 K4.AQ3.AKT2.J853"]) {
      await me.open(single);
      await me.paste(text);
      await me.until(() => setrograde.state.unknown === "EW");
      assert.match(await me.see(() => location.hash), /deal=N:AQ732.K5.J83.T92_\?_K4.AQ3.AKT2.J853_\?/);
      await me.reload();
      assert.equal(await me.see(() => setrograde.state.unknown), "EW");
      assert.equal(await me.count(".hand.hidden"), 2);
      for (const id of ["contract", "hands", "chances", "suit"]) {
        await me.view(id);
        await me.see(() => setrograde.state.view !== "suit" && setrograde.helpers.stop());
        await me.quiet();
        assert.equal(await me.count("main .problem"), 0, `${id}: ${await me.text("main")}`);
        assert.ok(await me.count(".headline"), id);
      }
      await me.open(`${single}#view=play&deal=N:AQ732.K5.J83.T92_?_K4.AQ3.AKT2.J853_?`);
      await me.choose("Deal the other hands at random");
      await me.until(() => setrograde.state.unknown === "" && document.querySelector(".diagram"));
    }
  });

  said("a deal by clicks: from the one on the table, changed, back and reloaded", async () => {
    await me.open(`${single}#${GAME}`);
    await me.choose("Click cards");
    await me.until(() => document.querySelector(".deck"));
    assert.equal(await me.count(".deck .given"), 52);
    await me.choose("Rotate");
    await me.until(() => setrograde.state.made.startsWith("N:Q2.AJT8532.2.A76 T543"));
    await me.choose("Exchange hands");
    await me.until(() => setrograde.state.made.startsWith("N:AKJ96.6.AKT5.QJ3 T543.KQ4.43.9542 Q2.AJT8532.2.A76"));
    await me.choose("Exchange two cards");
    await me.click("[data-key=\"deck-SA\"]");
    await me.click("[data-key=\"deck-ST\"]");
    await me.until(() => setrograde.state.made.startsWith("N:KJT96.6.AKT5.QJ3 A543.KQ4"));
    await me.choose("Exchange two cards");
    await me.reload();
    assert.equal(await me.count(".deck .given"), 52);
    await me.click("[data-key=\"seat-E\"]");
    await me.choose("Take East's hand away");
    await me.click("[data-key=\"seat-W\"]");
    await me.choose("Take West's hand away");
    await me.until(() => document.querySelectorAll(".deck .given").length === 26);
    await me.choose("Show these hands alone");
    await me.until(() => setrograde.state.unknown === "EW" && setrograde.state.view === "deal");
    await me.back();
    await me.until(() => document.querySelectorAll(".deck .given").length === 26);
    await me.choose("Deal the rest at random");
    await me.until(() => document.querySelectorAll(".deck .given").length === 52);
    await me.choose("Show the deal");
    await me.until(() => document.querySelectorAll(".makes td button").length === 20);
    await me.choose("Click cards");
    await me.choose("Cancel");
    await me.until(() => setrograde.state.view === "deal" && document.querySelector(".diagram"));
  });

  said("taken along: the link is read again, of http and of file; PBN and LIN", async () => {
    await me.open(`${single}#${GAME}`);
    await me.choose("Copy link");
    await me.until(() => document.querySelector("[data-key=\"copy-link\"]").textContent === "Link copied");
    const bbo = await me.until(() => document.querySelector("[data-key=\"open-bbo\"]")?.href);
    assert.match(decodeURIComponent(bbo),
      /^https:\/\/www\.bridgebase\.com\/tools\/handviewer\.html\?lin=.*md\|1S87H97DQJ9876CKT8,.*mb\|4H\|/);
    await me.open(single);
    await me.paste(bbo);
    await me.until(() => setrograde.state.contract === "4HW");
    await me.open(`${single}#${GAME}`);
    await me.choose("Copy link");
    await me.until(() => document.querySelector("[data-key=\"copy-link\"]").textContent === "Link copied");
    await me.open(single);
    await me.click("[data-key=\"random\"]");
    await me.click("[data-key=\"entry\"]");
    await me.press("Control+v");
    assert.match(await me.value("#paste"), /^file:\S+#deal=N:T543/);
    await me.press("Control+Enter");
    await me.until((deal) => setrograde.state.deal === deal, DEAL);
    assert.equal(await me.see(() => setrograde.state.contract), "4HW");
    await me.paste(`http://example.org/setrograde.html#${GAME}&view=play&play=ST`);
    await me.until(() => setrograde.state.view === "play" && setrograde.state.play.length === 1);
    await me.open(single);
    await me.paste(`https://example.org/x#${GAME}\nhttps://example.org/x#deal=${OTHER.replaceAll(" ", "_")}&board=8\n`);
    await me.until(() => setrograde.state.view === "boards");
    assert.deepEqual(await me.see(() => setrograde.boards.map(({ board, contract }) => `${board} ${contract}`)), [
      "7 4HW",
      "8 null",
    ]);
    for (const format of ["pbn", "lin"]) {
      for (const path of [evening, match]) {
        await me.open(single);
        await me.drop([path]);
        await me.until(() => setrograde.state.view === "boards");
        const texts = await me.see(async (wanted) => {
          const page = setrograde;
          const kept = [];
          const make = URL.createObjectURL;
          URL.createObjectURL = (blob) => {
            kept.push(blob.text());
            return make.call(URL, blob);
          };
          document.querySelector(`[data-key="save-${wanted}"]`).click();
          while (!kept.length) await new Promise((next) => setTimeout(next, 20));
          URL.createObjectURL = make;
          return [await kept[0], JSON.stringify(page.boards)];
        }, format);
        await me.open(single);
        await me.drop([file(`saved.${format}`, texts[0])]);
        await me.until(() => setrograde.state.view === "boards");
        const what = ({ board, deal, dealer, vulnerable, contract, play, result, claim, players, auction }) =>
          [board, deal, dealer, vulnerable, contract, play.join(), result ?? claim, players.join(), auction].join(
            " | "
          );
        const [old, now] = [JSON.parse(texts[1]), JSON.parse(await me.see(() => JSON.stringify(setrograde.boards)))];
        assert.deepEqual(now.map(what), old.map(what), `${path} as ${format}`);
      }
    }
  });

  said("on paper: 36 hand records on three sheets, a deal on one, and nothing to press", async () => {
    if (unreadablePaper) return;
    const printed = (name) => me.printed(join(here, `${name}.pdf`));
    await me.open(single);
    await me.until(() => document.querySelectorAll(".makes td button").length === 20);
    const [text, ...more] = await printed("deal");
    assert.deepEqual(more, []);
    assert.doesNotMatch(text, /Choose|Paste|Open|Random|Copy|Save|Dealer/);
    await me.drop([file("36.pbn", boards(36))]);
    await me.until(() => setrograde.state.view === "boards");
    await me.choose("Hand records");
    await me.until(() => document.querySelector("[data-key=\"print\"]")?.disabled === false);
    const sheets = await printed("records");
    assert.equal(sheets.length, 3);
    for (const sheet of sheets) {
      assert.equal(sheet.match(/Board \d+/g).length, 12);
      assert.equal(sheet.match(/NT +♠ +♥ +♦ +♣/g)?.length, 12);
      assert.equal(sheet.match(/Par: /g)?.length, 12);
      assert.doesNotMatch(sheet, /All boards|Print|Suits/);
    }
    await me.drop([match]);
    await me.until(() => setrograde.boards.length === 6 && setrograde.state.view !== "record");
    await me.view("boards");
    await me.click("[data-key=\"open-2\"]");
    for (const id of ["record", "claim", "contract", "suit", "hands", "chances", "play", "matter"]) {
      await me.view(id);
      if (id === "claim") await me.choose("Give a ruling");
      await me.see(() => ["contract", "hands", "chances"].includes(setrograde.state.view) && setrograde.helpers.stop());
      await me.quiet();
      const pages = await printed(id);
      assert.equal(pages.length, 1, id);
      assert.doesNotMatch(pages[0],
        /Choose|Next board|Who claims|How many$|How to write|Add$|Copy link|Another contract/m, id);
    }
  });

  said("links with nonsense in any field show what they can", async () => {
    await me.open(single);
    for (const hash of ["view=suit&holding=AKQ", "view=suit&holding=-", "view=contract&contracts=x-y", "deal=N:_._?_?",
      `${GAME}&view=claim&need=99&by=Q`, `${GAME}&recorded=x&record=SA&view=record`, "made=N:ZZ&view=cards",
      `view=play&deal=N:?_?_?_?`, "view=boards&sort=zz&show=by+x", "%%%&view=%E0%A4%A"])
    {
      await me.open(`${single}#${hash}`);
      await me.see(() => setrograde.helpers.stop());
      assert.doesNotMatch(await me.text("main"), /cannot start|cannot be shown/, hash);
      assert.deepEqual(await me.see(() => setrograde.failures), [], hash);
    }
  });
}
