// The page as a new user tries it, step by step, at two sizes of the window, in Chromium and in Firefox: real keys, the
// clipboard, files, reload, back and print. Each step is one deed and what should come of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { single } from "./browser.mjs";
import { boards, DEAL, deals, ENDING, evening, folder, GAME, match, OTHER, unreadablePaper } from "./deals.mjs";
import { person, without } from "./person.mjs";

/** Buttons and fields, which are not printed. */
const PRESSED = new RegExp(
  ["Choose", "Paste", "Random", "Copy link", "Save", "Print", "Who claims", "How to write", "Add\\b", "Start",
    "Card back", "Best card", "Draw \\d", "Look for", "Search", "Give a ruling", "Show one", "Another contract",
    "Trumps", "✕", "On the cards", "→"].join("|")
);
const { here, file } = folder("steps");

for (const kind of ["chromium", "firefox"]) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    const skip = without[kind];
    /** @type {import("./person.mjs").Person} */
    let me;
    before(async () => {
      if (!skip) me = await person(kind);
    });
    after(() => me?.end());
    const open = (hash = "") => me.open(hash ? `${single}#${hash}` : single, { width, height });
    const step = (name, act) =>
      test(`${kind}, ${width}: ${name}`, {
        skip: skip || (/paper|sheets|printed/.test(name) && unreadablePaper),
        timeout: 300_000,
      }, async () => {
        me.wrong.length = 0;
        await act();
        assert.deepEqual(me.wrong, []);
      });
    step("typed by keys over several lines, Ctrl+Enter", async () => {
      await open();
      await me.click("[data-key=\"entry\"]");
      await me.type(`N:AQ732.K5.J83.T92 JT6.JT98.Q94.AQ7\nK4.AQ3.AKT2.J853 985.7642.765.K64`);
      await me.press("Control+Enter");
      await me.until((d) => setrograde.state.deal === d, OTHER);
    });
    step("Escape closes the box and the focus returns to Paste", async () => {
      await open();
      await me.tabTo("entry");
      await me.press("Enter");
      assert.equal(await me.focus(), "paste");
      await me.press("Escape");
      assert.equal(await me.count("#paste"), 0);
      assert.equal(await me.focus(), "entry");
    });
    step("Cancel by key returns the focus to Paste", async () => {
      await open();
      await me.tabTo("entry");
      await me.press("Enter");
      await me.tabTo("paste-close");
      await me.press("Enter");
      assert.equal(await me.focus(), "entry");
    });
    step("every view by keys alone, from the address bar to its result", async () => {
      const results = {
        deal: [GAME, [], ".makes td button"],
        play: [GAME, [], ".turn .card.best"],
        record: [`${GAME}&record=STSAS8S2`, [], ".strip .step"],
        matter: [GAME, [], ".card.faded"],
        hands: [ENDING, [], ".side .big, .plan, .order"],
        chances: [ENDING, [], ".bars td"],
        claim: [ENDING, ["rule"], ".ruling .big"],
        endings: [ENDING, [], ".beside li"],
        contract: [GAME, [], ".chances tbody tr"],
        suit: [GAME, ["tricks-5"], ".plan, .order"],
      };
      for (const [id, [hash, keys, result]] of Object.entries(results)) {
        await open(`view=${id === "deal" ? "play" : "deal"}&${hash}`);
        // From the page's first element: the view, what it is to do, its result.
        for (const key of [`view ${id}`, ...keys]) {
          await me.until((wanted) => document.querySelector(wanted),
            key === keys[0] ? `[data-key="${key}"]` : `[data-view="${id}"]`);
          await me.tabTo(key);
          await me.press("Enter");
        }
        await me.until((where) => document.querySelector(where), result);
        assert.equal(await me.see(() => setrograde.state.view), id);
        await me.see(() => setrograde.helpers.stop());
      }
      // The views of an evening, and a deal by clicks.
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.state.view === "boards" && document.querySelector(".all tbody b.cost"));
      for (const [keys, result] of [[["open-2"], ".strip .step"], [["view tables"], ".all tbody tr"], [["view boards",
        "to-records"], ".record .tiny"], [["to-boards", "to-lesson"], ".lesson .wrong"], [["to-boards", "by-hand"],
        ".deck .given"]])
      {
        for (const key of keys) {
          await me.tabTo(key);
          await me.press("Enter");
          await me.quiet();
        }
        await me.until((where) => document.querySelector(where), result);
      }
    });
    step("Undo in the box", async () => {
      await open();
      await me.click("[data-key=\"entry\"]");
      await me.type("abc");
      await me.press("Control+a");
      await me.press("Backspace");
      assert.equal(await me.value("#paste"), "");
      await me.press("Control+z");
      assert.equal(await me.value("#paste"), "abc");
    });
    step("Open by the keyboard", async () => {
      await open();
      await me.tabTo("open-file");
      if (me.page) {
        const opened = me.page.waitForEvent("filechooser");
        // It is watched for by now.
        await me.see(() => new Promise((next) => setTimeout(next, 200)));
        await me.press("Enter");
        const chooser = await opened;
        await chooser.setFiles([evening]);
        await me.until(() => setrograde.state.view === "boards");
      }
    });
    step("a gz file and a LIN dropped together", async () => {
      await open();
      await me.drop([file("e.pbn.gz", gzipSync(readFileSync(evening))), match]);
      await me.until(() => setrograde.state.view === "boards");
      assert.equal(await me.see(() => setrograde.evening.good.length), 13);
      await me.reload();
      assert.equal(await me.see(() => setrograde.evening.good.length), 13);
    });
    step("drop on a play view opens the evening; back returns to the play", async () => {
      await open(`${GAME}&view=play&play=STSAS8`);
      await me.drop([evening]);
      await me.until(() => setrograde.state.view === "boards");
      await me.back();
      await me.until(() => setrograde.state.view === "play" && setrograde.state.play.length === 3);
    });
    step("play by clicks, reload keeps, keys go on", async () => {
      await open(`${GAME}&view=play`);
      await me.click(".turn .card.best");
      await me.until(() => setrograde.state.play.length >= 1);
      await me.press("ArrowRight");
      await me.until(() => setrograde.state.play.length >= 2);
      await me.quiet();
      await new Promise((n) => setTimeout(n, 700));
      const n = (await me.see(() => setrograde.state)).play.length;
      await me.reload();
      assert.equal((await me.see(() => setrograde.state)).play.length, n);
      await me.press("ArrowLeft");
      await me.until((k) => setrograde.state.play.length === k - 1, n);
    });
    for (const [id, key, bad] of [["chances", "given", "N.hcp=("], ["hands", "given", "N+"], ["claim", "line", "ZZ"], [
      "claim",
      "given",
      "xx",
    ], ["suit", "north", "AAQ"], ["suit", "south", "0"], ["contract", "given", "??"]]) {
      step(`wrong in ${id}, ${key}: seen in the window`, async () => {
        await open(`view=${id}&${id === "contract" ? GAME : ENDING}`);
        await me.click(`[data-key="${key}"]`);
        await me.press("Control+a");
        await me.press("Backspace");
        await me.type(bad);
        await me.press("Enter");
        if (key === "line") {
          await me.quiet();
          await me.click("[data-key=\"rule\"]");
        }
        await me.quiet();
        const text = await me.seen("main .problem");
        assert.match(text, /column|card|suit|rank|twice|line|hand|condition/i);
        assert.equal(await me.value(`[data-key="${key}"]`) !== undefined, true);
      });
    }
    step("reload keeps the condition, the line and the claim", async () => {
      await open(`view=claim&${ENDING}`);
      await me.click("[data-key=\"line\"]");
      await me.type("SA SQ");
      await me.press("Tab");
      await me.pick("[data-key=\"need\"]", "3");
      await me.click("[data-key=\"rule\"]");
      await me.until(() => document.querySelector(".ruling"));
      const text = await me.text(".ruling .big");
      await me.reload();
      // The driver stopped what lasts.
      await me.see(() => setrograde.go({}));
      await me.until(() => document.querySelector(".ruling"));
      assert.equal((await me.see(() => setrograde.state)).line, "SA SQ");
      assert.equal(await me.text(".ruling .big"), text);
    });
    step("53 cards, 12 cards, no deal: said in the window, the deal stays", async () => {
      for (const bad of [DEAL.replace("T543", "AT543"), DEAL.replace("9542", "954"), "hello", "http://example.org/x",
        "[Deal \"N:\"]", "md|1,,,|"])
      {
        await open(GAME);
        await me.paste(bad);
        const text = await me.seen(".head .problem");
        assert.match(text, /The previous view stays/, bad);
        assert.equal((await me.see(() => setrograde.state)).deal, DEAL);
      }
    });
    step("a hand diagram with voids and tens", async () => {
      await open();
      await me.paste(`        ♠ A K 10 9 8 7 6 5
        ♥ -
        ♦ A K Q
        ♣ 3 2
♠ Q J 4              ♠ 3 2
♥ A K Q 10           ♥ J 9 8 7 6
♦ 10 9 8             ♦ J 7 6 5
♣ 7 6 5              ♣ A 4
        ♠ --
        ♥ 5 4 3 2
        ♦ 4 3 2
        ♣ K Q J 10 9 8`);
      await me.until(() =>
        setrograde.state.deal === "N:AKT98765..AKQ.32 32.J9876.J765.A4 .5432.432.KQJT98 QJ4.AKQT.T98.765"
      );
    });
    step("own link within a sentence and in brackets", async () => {
      for (const text of [`look: https://x.org/a.html#${GAME} ok?`, `<https://x.org/a.html#${GAME}>`,
        `(https://x.org/a.html#${GAME})`, `  https://x.org/#${GAME}\n`, `#${GAME}`, `https://x.org/a.html#${GAME}.`,
        `see https://x.org/a.html#${GAME}\nbye`])
      {
        await open(`deal=${OTHER.replaceAll(" ", "_")}`);
        await me.paste(text);
        await me.until((d) => setrograde.state.deal === d, DEAL).catch(() => assert.fail(text));
        assert.equal((await me.see(() => setrograde.state)).contract, "4HW", text);
      }
    });
    step("forum tags in lower and upper case, over lines", async () => {
      const hv =
        "[hv=pc=n&s=s87h97dqj9876ckt8&w=sq2hajt8532d2ca76&n=st543hkq4d43c9542&e=sakj96h6dakt5cqj3&d=w&v=b&b=12&a=4hppp]399|300[/hv]";
      for (const text of [hv, hv.toUpperCase(), `Bad luck!\n\n${hv}\n\nWhat now?`]) {
        await open();
        await me.paste(text);
        await me.until(() => setrograde.state.board === "12").catch(() => assert.fail(text));
        assert.equal((await me.see(() => setrograde.state)).contract, "4HW", text);
      }
    });
    step("pasted when no box is open, and by Shift+Insert", async () => {
      await open();
      await me.copy(OTHER);
      await me.press("Control+v");
      await me.until((d) => setrograde.state.deal === d, OTHER);
    });
    step("a word pasted by accident without a box is said, nothing lost", async () => {
      await open(GAME);
      await me.copy("shopping list");
      await me.press("Control+v");
      await me.seen(".head .problem");
      assert.equal((await me.see(() => setrograde.state)).deal, DEAL);
      // goes away with the next action
      await me.view("play");
      await me.quiet();
      assert.equal(await me.count(".head .problem"), 0);
    });
    step("dealer and vulnerability change par; reload and back keep", async () => {
      await open();
      await me.until(() => document.querySelector(".par li"));
      await me.pick("[data-key=\"dealer\"]", "E");
      await me.pick("[data-key=\"vulnerable\"]", "None");
      await me.quiet();
      const par = await me.text(".par");
      await me.reload();
      await me.quiet();
      await me.until(() => document.querySelector(".par li"));
      assert.equal(await me.text(".par"), par);
      assert.equal((await me.see(() => setrograde.state)).dealer, "E");
    });
    step("Random twice, Back returns to the first", async () => {
      await open();
      await me.choose("Random");
      await me.until(() => !setrograde.state.deal.startsWith("N:T543"));
      const one = (await me.see(() => setrograde.state)).deal;
      await me.choose("Random");
      await me.until((d) => setrograde.state.deal !== d, one);
      await me.back();
      await me.until((d) => setrograde.state.deal === d, one);
      await me.reload();
      assert.equal((await me.see(() => setrograde.state)).deal, one);
    });
    step("long names, accents and markup: no sideways scroll in any view", async () => {
      await open();
      const long = "Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine";
      await me.drop([
        file("long.pbn",
          ["Board \"1\"", `North "${long}"`, "East \"<img src=x onerror=alert(1)>\"", "South \"محمد 🂡\"",
            "West \"Ünïcödé\"", "Dealer \"N\"", "Contract \"4H\"", "Declarer \"W\"", `Deal "${DEAL}"`, "Result \"10\""]
            .map((tag) => `[${tag}]\n`).join("")),
      ]);
      await me.until(() => setrograde.state.board === "1");
      for (const id of ["deal", "play", "record", "matter", "hands", "chances", "claim", "contract", "suit"]) {
        await me.view(id);
        await me.see(() =>
          ["contract", "hands", "chances"].includes(setrograde.state.view) && setrograde.helpers.stop()
        );
        await me.quiet();
        await me.noSideways(id);
        assert.equal(await me.count("main img"), 0);
      }
    });
    step("every view on paper: one page, nothing to press, no ring", async () => {
      for (const [id, hash] of [["play", GAME + "&play=STSAS8"], ["chances", ENDING], ["endings", ENDING], ["hands",
        ENDING], ["claim", ENDING], ["claim", ENDING + "&need=3"], ["suit", GAME], ["matter", GAME + "&play=STSAS8"], [
        "deal",
        GAME,
      ]]) {
        await open(`view=${id}&${hash}`);
        await me.quiet();
        if (id === "contract") {
          await me.until(() => document.querySelector(".chances tbody tr"));
          await me.see(() => setrograde.helpers.stop());
          await me.quiet();
        }
        await me.press("Tab");
        const pages = await me.printed(join(here, `print.pdf`));
        assert.equal(pages.length, 1, `${id} ${hash}: ${pages.length} pages`);
        assert.doesNotMatch(pages[0], PRESSED, `${id}\n${pages[0]}`);
      }
    });
    step("all boards on paper", async () => {
      await open();
      await me.drop([file("36.pbn", boards(36))]);
      await me.until(() => setrograde.state.view === "boards");
      const pages = await me.printed(join(here, "all.pdf"));
      assert.ok(pages.length <= 2, `${pages.length}`);
      assert.equal(pages.join("").match(/^ *\d+ /gm)?.length >= 36, true, pages.join("----\n").slice(0, 3000));
      assert.doesNotMatch(pages.join(""), /With mistakes|Hand records|Close all|Continue|Paste|Random|Save/);
    });
    for (const count of [2, 12, 13, 25, 37])
      step(`hand records of ${count} boards: ${Math.ceil(count / 12)} sheets`, async () => {
        await open();
        await me.drop([file(`${count}.pbn`, boards(count))]);
        await me.until(() => setrograde.state.view === "boards");
        await me.choose("Hand records");
        await me.until(() => document.querySelector("[data-key=\"print\"]")?.disabled === false);
        assert.equal((await me.printed(join(here, "r.pdf"))).length, Math.ceil(count / 12));
      });
    step("the lesson sheet and the tables on paper", async () => {
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.state.view === "boards");
      await me.choose("Lesson sheet");
      await me.until(() => document.querySelector("[data-key=\"print\"]")?.disabled === false);
      const pages = await me.printed(join(here, "l.pdf"));
      assert.ok(pages.length <= 3, `${pages.length} pages`);
      assert.doesNotMatch(pages.join(""), /All boards|Print|Suits/);
      await me.choose("All boards");
      await me.click("[data-key=\"open-2\"]");
      await me.view("tables");
      await me.quiet();
      const t = await me.printed(join(here, "t.pdf"));
      assert.equal(t.length, 1);
      assert.doesNotMatch(t[0], /Copy|Save|Next board/);
    });
    step("saved files are read again, through the real download", async () => {
      if (!me.saved) return;
      for (const format of ["pbn", "lin"]) {
        await open(GAME);
        const { name, text } = await me.saved(() => me.choose(`Save ${format.toUpperCase()}`));
        assert.equal(name, `board-7.${format}`);
        await open();
        await me.drop([file(name, text)]);
        await me.until(() => setrograde.state.board === "7");
        const s = await me.see(() => setrograde.state);
        assert.deepEqual([s.deal, s.contract, s.dealer, s.vulnerable], [DEAL, "4HW", "S", "All"]);
      }
    });
    step("Close all, then Back: a page that says what to do", async () => {
      await open();
      await me.drop([evening]);
      await me.until(() => setrograde.state.view === "boards");
      await me.choose("Close all");
      await me.until(() => !setrograde.boards.length);
      await me.back();
      await me.quiet();
      assert.doesNotMatch(await me.text("main"), /undefined|cannot/);
      await me.seen("[data-key=\"entry\"]");
    });
    step("a second evening replaces the first, and reload keeps the second", async () => {
      await open();
      await me.drop([evening]);
      await me.until(() => setrograde.boards.length === 7);
      await me.drop([match]);
      await me.until(() => setrograde.boards.length === 6);
      await me.click("[data-key=\"open-1\"]");
      await me.until(() => setrograde.state.view === "record");
      await me.reload();
      assert.equal(await me.see(() => setrograde.boards.length), 6);
      const n = (await me.see(() => setrograde.state)).record.length;
      assert.ok(n > 0);
      // a single deal pasted keeps the evening
      await me.view("deal");
      await me.paste(OTHER);
      await me.until((d) => setrograde.state.deal === d, OTHER);
      assert.equal(await me.see(() => setrograde.boards.length), 6);
      await me.view("boards");
    });
    step("contracts added and removed by keys", async () => {
      await open(`view=contract&${GAME}`);
      await me.pick("[data-key=\"add\"]", "6H");
      await me.until(() => setrograde.state.contracts.includes("6HW"));
      await me.until(() => document.querySelector(".headline")?.textContent.includes("6♥"));
      await me.tabTo("drop-6HW");
      await me.press("Enter");
      await me.until(() => !setrograde.state.contracts.includes("6HW"));
      await me.reload();
      assert.equal((await me.see(() => setrograde.state)).contracts.includes("6HW"), false);
    });
    step("a suit typed in lower case with 10 and x", async () => {
      await open("view=suit&" + GAME);
      await me.click("[data-key=\"north\"]");
      await me.press("Control+a");
      await me.type("akj10x");
      await me.press("Tab");
      await me.press("Control+a");
      await me.type("xxx");
      await me.press("Enter");
      await me.quiet();
      await me.until(() => /tricks?:/.test(document.querySelector(".headline")?.textContent ?? ""));
      assert.equal(await me.count("main .problem"), 0);
      await me.reload();
      assert.match(await me.value("[data-key=\"north\"]"), /10/);
    });
    step("Play at the window's size: buttons are seen without scrolling", async () => {
      await open(`view=play&${GAME}`);
      const { bottom, h } = await me.see(() => ({
        bottom: document.querySelector(".controls").getBoundingClientRect().bottom,
        h: innerHeight,
      }));
      assert.ok(bottom <= h, `${bottom} of ${h}`);
    });
    step("Click cards by keys: a card given, taken, reload, show", async () => {
      await open();
      await me.tabTo("by-hand");
      await me.press("Enter");
      await me.until(() => document.querySelector(".deck"));
      await me.tabTo("clear");
      await me.press("Enter");
      await me.until(() => document.querySelectorAll(".deck .given").length === 0);
      // The button that was pressed is disabled now; the way goes on from it.
      await me.tabTo("deck-SA", "Shift+Tab");
      await me.press("Space");
      await me.until(() => document.querySelectorAll(".deck .given").length === 1);
      await me.reload();
      assert.equal(await me.count(".deck .given"), 1);
      await me.tabTo("deal-rest");
      await me.press("Enter");
      await me.until(() => document.querySelectorAll(".deck .given").length === 52);
      await me.tabTo("done");
      await me.press("Enter");
      await me.until(() => setrograde.state.view === "deal");
      assert.match((await me.see(() => setrograde.state)).deal, /^N:A/);
      await me.back();
      await me.until(() => document.querySelectorAll(".deck .given").length === 52);
    });
    step("14 cards to one hand: said in the window", async () => {
      await open();
      await me.choose("Click cards");
      await me.choose("Take all away");
      for (const r of "AKQJT98765432") await me.click(`[data-key="deck-S${r}"]`);
      await me.click("[data-key=\"seat-N\"]");
      await me.click("[data-key=\"deck-HA\"]");
      assert.match(await me.seen(".head .problem"), /13 cards/);
      await me.click("[data-key=\"seat-E\"]");
      await me.click("[data-key=\"deck-HA\"]");
      await me.quiet();
      assert.equal(await me.count(".head .problem"), 0, "the error is gone after the next deed");
    });
    step("a results page saved as HTML and opened", async () => {
      const lin =
        "pn|a,b,c,d|md|3S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,|sv|b|ah|Board 5|mb|1N|mb|p|mb|p|mb|p|pc|H7|mc|7|";
      await open();
      await me.drop([
        file("results.html", `<html><head><title>x</title></head><body>${
          [1, 2, 3].map((n) =>
            `<p><a href="https://www.bridgebase.com/tools/handviewer.html?lin=${
              encodeURIComponent(lin.replace("Board 5", `Board ${n}`))
            }">Movie</a></p>`
          ).join("\r\n")
        }</body></html>`),
      ]);
      await me.until(() => setrograde.boards.length === 3);
      await me.quiet();
      assert.match(await me.text(".all tbody"), /1NT/);
    });
    step("a deal whose file name has blanks, umlauts and markup", async () => {
      await open();
      await me.drop([file("Böse & <b>fett</b> #1%.pbn".replace("/", "_"), "rubbish")]);
      const t = await me.seen(".head .problem");
      assert.match(t, /Böse & <b>fett/);
    });
    step("a directory of many: 40 files at once", async () => {
      await open();
      await me.drop(
        Array.from({ length: 40 }, (_, n) => file(`b${n}.pbn`, `[Board "${n + 1}"]\n[Deal "${deals[n]}"]\n`))
      );
      await me.until(() => setrograde.boards.length === 40);
      await me.noSideways("40 files");
    });
    step("Record walked by keys to a mistake, another card, back to the record", async () => {
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.state.view === "boards");
      await me.quiet();
      await me.click("[data-key=\"open-0\"]");
      await me.until(() => document.querySelector(".mistakes"));
      await me.press("PageDown");
      await me.until(() => setrograde.state.play.length > 0);
      const n = (await me.see(() => setrograde.state)).play.length;
      await me.quiet();
      await me.click(".turn .card.best");
      await me.until(() => setrograde.state.view === "play");
      await me.reload();
      await me.choose("Back to the record");
      await me.until(() => setrograde.state.view === "record");
      assert.equal((await me.see(() => setrograde.state)).play.length, n);
      await me.press("End");
      await me.press("Home");
      await me.until(() => setrograde.state.play.length === 0);
    });
    step("view tabs: Tab order begins with the skip link", async () => {
      await open();
      await me.see(() => sessionStorage.clear());
      await open();
      await me.press("Tab");
      assert.equal(await me.see(() => document.activeElement.className), "skip");
      await me.press("Enter");
      await me.press("Tab");
      assert.equal(await me.focus(), "entry");
    });
    step("one hand alone and its chances", async () => {
      await open();
      await me.paste("N:AQ732.K5.J83.T92 ? ? ?");
      await me.until(() => setrograde.state.unknown.length === 3);
      await me.noSideways("one hand");
      await me.choose("How many tricks?");
      await me.until(() => setrograde.state.view === "chances");
      await me.until(() => /or more: \d/.test(document.querySelector(".headline")?.textContent ?? "")).catch(async () =>
        assert.fail(await me.text("main"))
      );
    });
    step("forward after back", async () => {
      await open();
      await me.view("play");
      await me.view("matter");
      await me.back();
      await me.until(() => setrograde.state.view === "play");
      await me.see(() => history.forward());
      await me.until(() => setrograde.state.view === "matter");
    });
    step("stop what lasts, by keys", async () => {
      await open(
        "deal=N:AK42.A32.K32.432_QJ9.KJ4.QJ9.QJ98_T83.Q65.A54.AK65_765.T987.T876.T7&strain=NT&leader=W&view=hands"
      );
      await me.choose("Search for what is sure");
      await me.until(() => !document.querySelector("#progress").hidden);
      await me.noSideways("progress");
      await me.seen("#stop");
      await me.tabTo("stop");
      await me.press("Enter");
      await me.until(() => document.body.dataset.busy === "no");
      assert.match(await me.text("main"), /Stopped/);
      await me.choose("Try again");
      await me.until(() => document.body.dataset.busy === "yes");
      await me.see(() => setrograde.helpers.stop());
    });
    step("dealer by arrow keys in the list: focus stays", async () => {
      await open();
      await me.see(() => sessionStorage.clear());
      await open();
      await me.tabTo("dealer");
      await me.press("ArrowDown");
      await me.until(() => setrograde.state.dealer === "W");
      assert.equal(await me.focus(), "dealer");
      await me.press("ArrowUp");
      await me.until(() => setrograde.state.dealer === "S");
      await me.press("E");
      await me.until(() => setrograde.state.dealer === "E");
      assert.equal(await me.focus(), "dealer");
    });
    step("marks and colours kept over a reload", async () => {
      await open(`view=play&${GAME}`);
      await me.pick("[data-key=\"marks\"]", "none");
      await me.pick("[data-key=\"colours\"]", "two");
      await me.quiet();
      await me.reload();
      assert.equal(await me.value("[data-key=\"marks\"]"), "none");
      assert.equal(await me.see(() => document.documentElement.dataset.colours), "two");
      assert.equal(await me.text(".turn small"), "");
      await me.pick("[data-key=\"marks\"]", "cost");
      await me.pick("[data-key=\"colours\"]", "four");
    });
    step("how to write it: opened by a key, stays open", async () => {
      await open(`view=chances&${ENDING}`);
      await me.tabTo("how");
      await me.press("Enter");
      await me.until(() => document.querySelector(".how").open);
      await me.see(() => setrograde.draw());
      assert.equal(await me.see(() => document.querySelector(".how").open), true);
      assert.equal(await me.focus(), "how");
      await me.noSideways("how");
    });
    step("a play of one's own, its mistakes, back, and forward", async () => {
      await open(`view=play&${GAME}`);
      for (let n = 0; n < 5; n += 1) {
        await me.press("ArrowRight");
        await me.quiet();
        await new Promise((r) => setTimeout(r, 250));
      }
      await me.choose("Look for mistakes in this play");
      await me.until(() => setrograde.state.view === "record" && document.querySelector(".remark, .mistakes"));
      await me.back();
      await me.until(() => setrograde.state.view === "play" && setrograde.state.play.length >= 5);
    });
    step("a hard ending, tried without marks, back", async () => {
      await open(`view=endings&${ENDING}`);
      await me.choose("A hard one of 3 tricks");
      await me.until(
        (h) => location.hash !== `#${h}` && setrograde.state.deal.length > 10 && !location.hash.includes("AQ432"),
        `view=endings&${ENDING}`
      );
      await me.quiet();
      await me.choose("Try it, without marks");
      await me.until(() => setrograde.state.view === "play");
      await me.back();
      await me.until(() => setrograde.state.view === "endings");
      await me.view("play");
      await me.pick("[data-key=\"marks\"]", "cost");
    });
    step("cards that matter: two swapped and back by keys", async () => {
      await open(`view=matter&${GAME}`);
      await me.until(() => document.querySelector(".card.faded"));
      const key = await me.see(() => document.querySelector("button.card.faded")?.dataset.key ?? "");
      await me.tabTo(key);
      await me.press("Enter");
      await me.until(() => /Now choose a card/.test(document.querySelector("main").textContent));
      await me.noSideways("matter");
    });
    step("no claims among these boards: said", async () => {
      await open();
      await me.drop([file("3.pbn", boards(3))]);
      await me.until(() => setrograde.state.view === "boards");
      await me.choose("Claims");
      await me.until(() => /No board matches/.test(document.querySelector("main").textContent));
      await me.choose("All");
      await me.until(() => document.querySelectorAll(".all tbody th").length === 3);
    });
    step("by a player; kept over reload; sorted by a key twice", async () => {
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.state.view === "boards");
      const name = await me.see(() => setrograde.evening.players[0]);
      await me.pick("[data-key=\"player\"]", `by ${name}`);
      await me.until(() => setrograde.state.show.startsWith("by "));
      const count = await me.count(".all tbody th");
      await me.reload();
      assert.equal(await me.count(".all tbody th"), count);
      assert.equal(await me.value("[data-key=\"player\"]"), `by ${name}`);
      await me.tabTo("sort-over");
      await me.press("Enter");
      await me.press("Enter");
      await me.until(() => setrograde.state.sort === "-over");
      assert.equal(await me.focus(), "sort-over");
    });
    step("61 boards: the rest is shown by a press, printed without", async () => {
      await open();
      await me.drop([file("61.pbn", boards(61))]);
      await me.until(() => setrograde.state.view === "boards");
      assert.equal(await me.count(".all tbody th"), 60);
      await me.choose("Show the last 1 board");
      await me.until(() => document.querySelectorAll(".all tbody th").length === 61);
      await me.reload();
      assert.equal(await me.count(".all tbody th"), 60);
      const pages = await me.printed(join(here, "61.pdf"));
      assert.match(pages.join("\n"), /^ *61 /m);
    });
    step("a link typed into the address bar keeps the evening", async () => {
      await open();
      await me.drop([evening]);
      await me.until(() => setrograde.state.view === "boards");
      await me.see((h) => {
        location.hash = h;
      }, `${GAME}&view=play`);
      await me.until(() => setrograde.state.view === "play");
      await me.view("boards");
      assert.equal(await me.count(".all tbody th"), 7);
    });
    step("an address with nothing behind # shows the evening's deal or the example", async () => {
      await open(`${GAME}&view=play`);
      await me.see(() => {
        location.hash = "";
      });
      await me.quiet();
      assert.doesNotMatch(await me.text("main"), /undefined|cannot/);
    });
    step("a PBN without any deal, a picture, a zip, a page without links: each said with what can be read",
      async () => {
        const files = {
          "header.pbn": "% PBN 2.1\n[Event \"x\"]\n[Site \"y\"]\n",
          "a.png": Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
          "b.zip": Buffer.from("504b0304140000000800", "hex"),
          "c.html": "<html><body>Welcome</body></html>",
          "d.docx": Buffer.from("504b030414000600080000002100", "hex"),
          "e.pdf": "%PDF-1.4\n%\u00e2\u00e3\n1 0 obj\n",
          "cut.gz": gzipSync("[Deal \"x\"]\n".repeat(2000)).subarray(0, 40),
        };
        for (const [name, text] of Object.entries(files)) {
          await open(GAME);
          await me.drop([file(name, text)]);
          const problem = await me.seen(".head .problem");
          assert.ok(problem.includes(name), `${name}: ${problem}`);
          assert.match(problem, /stays/);
        }
      });
    step("a handviewer link with everything around it", async () => {
      const lin =
        "pn|Ann,Bob,Cid,Dee|st||md|3S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,|sv|b|ah|Board 7|mb|p|mb|4H|mb|p|mb|p|mb|p|pc|ST|pc|SA|pc|S8|pc|S2|mc|11|";
      for (const text of [`https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin=${encodeURIComponent(lin)}`,
        `http://www.bridgebase.com/tools/handviewer.html?bbo=y&linurl=x&lin=${lin.replaceAll(" ", "+")}&foo=1`,
        `Look! https://www.bridgebase.com/tools/handviewer.html?lin=${encodeURIComponent(lin)} Ann`, lin])
      {
        await open();
        await me.paste(text);
        await me.until(() => setrograde.state.board === "7").catch(() => assert.fail(text));
        const s = await me.see(() => setrograde.state);
        assert.equal(s.record.length, 4);
        assert.equal(s.result, "11");
        assert.deepEqual(s.players, ["Cid", "Dee", "Ann", "Bob"]);
      }
    });
    step("dragged text, and deals one a line", async () => {
      await open();
      await me.see((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
      }, `${DEAL}\n${OTHER}\n`);
      await me.until(() => setrograde.boards.length === 2 && document.querySelector("h1").textContent === "All boards");
    });
    step("the Print button prints", async () => {
      await open(`view=claim&need=3&${ENDING}`);
      if (me.page) await me.page.reload();
      await me.see(() => {
        window.prints = 0;
        window.print = () => {
          window.prints += 1;
        };
      });
      await me.until(() => document.querySelector("[data-key=\"print\"]"));
      await me.tabTo("print");
      await me.press("Enter");
      await me.until(() => window.prints === 1);
    });
    step("the same file opened twice, and another after it", async () => {
      await open();
      for (const [path, n] of [[evening, 7], [evening, 7], [match, 6]]) {
        await me.view("deal");
        await me.files("[data-key=\"open-file\"]", [path]);
        await me.until((k) => setrograde.state.view === "boards" && setrograde.boards.length === k, n);
      }
    });
    step("claim by another player, of none, of all", async () => {
      await open(`view=claim&${ENDING}`);
      for (const [by, need] of [["E", "0"], ["W", "5"], ["N", "1"]]) {
        await me.pick("[data-key=\"by\"]", by);
        await me.pick("[data-key=\"need\"]", need);
        await me.choose("Give a ruling");
        await me.until(() => document.querySelector(".ruling .big"));
        assert.match(await me.text(".ruling .big"), /stands|does not stand|sure/);
        await me.noSideways("ruling");
      }
    });
    step("a condition by clicks, cleared, by keys", async () => {
      await open(`view=chances&${ENDING}`);
      await me.pick("[data-key=\"made-about\"]", "S");
      await me.pick("[data-key=\"made-high\"]", "2");
      await me.tabTo("made-add");
      await me.press("Enter");
      await me.until(() => /=0-2|S=/.test(setrograde.state.given));
      await me.tabTo("made-none");
      await me.press("Enter");
      await me.until(() => setrograde.state.given === "");
    });
    step("two tabs with two evenings do not disturb each other", async () => {
      await open();
      await me.drop([evening]);
      await me.until(() => setrograde.boards.length === 7);
      await me.aside(async (other) => {
        await other.open(single, { width: 1280, height: 800 });
        await other.drop([match]);
        await other.until(() => setrograde.boards.length === 6);
      });
      await me.reload();
      assert.equal(await me.see(() => setrograde.boards.length), 7);
    });
    step("one deal of an evening by its copied link in another browser", async () => {
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.boards.length === 6);
      await me.click("[data-key=\"open-2\"]");
      await me.until(() => setrograde.state.view === "record");
      await me.press("PageDown");
      await me.quiet();
      await me.choose("Copy link");
      const s = await me.see(() => setrograde.state);
      await me.aside(async (other) => {
        await other.goto("data:text/html,<textarea autofocus></textarea>");
        await other.see(() => document.querySelector("textarea").focus());
        await other.press("Control+v");
        const link = await other.value("textarea");
        await other.goto(link);
        await other.ready();
        const t = await other.see(() => setrograde.state);
        assert.deepEqual([t.deal, t.view, t.play.length, t.record.length, t.room, t.contract], [s.deal, s.view,
          s.play.length, s.record.length, s.room, s.contract]);
        assert.match(await other.text("h1"), /open room/);
      });
    });
    step("tables of a board by keys; next board keeps the view", async () => {
      await open();
      await me.drop([match]);
      await me.until(() => setrograde.boards.length === 6);
      await me.click("[data-key=\"open-0\"]");
      await me.view("tables");
      await me.tabTo("next");
      await me.press("Enter");
      await me.press("Enter");
      await me.until(() => setrograde.at === 2);
      assert.equal((await me.see(() => setrograde.state)).view, "tables");
      assert.equal(await me.focus(), "next");
      await me.noSideways("tables");
    });
    step("a wrong deal by a link: said, and the way in is there", async () => {
      await open("deal=N:AKQ_J_T_9&view=play");
      await me.seen(".problem");
      await me.view("deal");
      await me.seen("[data-key=\"entry\"]");
    });
    step("reload while it computes", async () => {
      await open();
      await me.drop([file("36.pbn", boards(36))]);
      await me.until(() => setrograde.state.view === "boards");
      await me.reload();
      await me.reload();
      assert.equal(await me.count(".all tbody th"), 36);
      await me.click("[data-key=\"open-5\"]");
      await me.until(() => setrograde.state.view === "deal");
      await me.reload();
      assert.equal(await me.value("[data-key=\"boards\"]"), "5");
    });
  }
}
