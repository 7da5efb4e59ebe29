// An evening in the page: all boards, tables, records to print; what is shown is what the command says.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { audit, axe, browser, calm, missing, open, page as folder, quiet } from "./browser.mjs";
import { root } from "./native.mjs";

const command = process.env.SETROGRADE
  ?? ["release", "debug"].map((kind) => join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), kind, "setrograde"))
    .find(existsSync);
const skip = missing ? `needs ${missing}` : command ? false : "needs cargo build";
const pdftotext = spawnSync("pdftotext", ["-v"]).error ? "needs pdftotext" : false;
const here = mkdtempSync(join(tmpdir(), "setrograde-evening-"));
const html = join(here, "evening.html");
const VIEWS = ["boards", "results", "tables", "records", "lesson", "deal", "record", "contract", "suit", "hands",
  "play", "matter", "chances", "claim", "endings"];
const STRAINS = ["NT", "S", "H", "D", "C"];
const SYMBOL = { S: "♠", H: "♥", D: "♦", C: "♣", NT: "NT" };
const NAME = { N: "North", E: "East", S: "South", W: "West" };

/** Boards with what files of clubs lack: no dealer, no result, a lead alone, passed out, no contract; an alert. */
const ODD = `[Board "21"]
[Deal "E:AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76 T543.KQ4.43.9542"]
[Declarer "W"]
[Contract "4H"]
[Result ""]
[Play "N"]
C2 C3 C8 CA

[Board "22"]
[Dealer "S"]
[Vulnerable "EW"]
[Deal "N:K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65"]
[Declarer "N"]
[Contract "3H"]
[Result "8"]
[Auction "S"]
1C =1= Pass 1H Pass
2H Pass 3H AP
[Note "1:natural or balanced"]
[Play "E"]
CQ * * *

[Board "23"]
[Dealer "W"]
[Vulnerable "All"]
[Deal "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"]
[Auction "W"]
Pass Pass Pass Pass

[Board "24"]
[Deal "W:AJT9.J4.Q542.J65 K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93"]
`;
let chromium;
let files;
let said;

/** The command's objects. */
const ask = (...words) =>
  execFileSync(command, [...words, ...files], { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }).toString()
    .trim().split("\n").map((line) => JSON.parse(line));

before(async () => {
  if (skip) return;
  const odd = join(here, "odd.pbn");
  writeFileSync(odd, ODD);
  files = [join(folder, "test/evening.pbn"), join(root, "data/samples/match.lin"),
    join(root, "data/samples/evening.pbn"), odd];
  const boards = JSON.stringify(files.map((name) => ({ name, text: readFileSync(name, "utf8") })));
  writeFileSync(html,
    readFileSync(join(folder, "setrograde.html"), "utf8").replace("id=\"boards\">",
      () => `id="boards">${boards.replaceAll("<", "\\u003c")}`));
  chromium = await browser();
  const reviews = ask("analyse", "--json");
  said = {
    reviews: reviews.slice(0, -1),
    summary: reviews.at(-1).summary,
    tables: ask("table", "--json"),
    pars: ask("par", "--json"),
  };
});
after(async () => {
  await chromium?.close();
  rmSync(here, { recursive: true });
});

const url = (view) => `${pathToFileURL(html).href}#view=${view}`;
/** The page with every board solved. */
async function shown(view, options) {
  const opened = await open(chromium, url(view), options);
  await opened.page.waitForFunction(
    () =>
      setrograde.boards.every(({ deal, pbn }) =>
        !deal || setrograde.helpers.answers.has(JSON.stringify({ ask: "glance", board: pbn }))
      ) || setrograde.state.view === "deal",
    null,
    { timeout: 120_000 }
  );
  await quiet(opened.page);
  return opened;
}
const number = (text) => (text === "–" ? null : Number(text.replace("−", "-").replace("+", "").replace(" cl.", "")));
const side = (seat) => "NESW".indexOf(seat) % 2;
const lost = (review,
  of) => (review.cards?.length
    ? review.cards.reduce((sum, card) => sum + (side(card.seat) === of ? card.gives_away : 0), 0) : null);

test("all boards: every figure is the command's", { skip, timeout: 200_000 }, async () => {
  const { page, context, wrong } = await shown("boards");
  // Text for screen readers beside a figure is in elements of its own.
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll(".all tbody tr")].filter((row) => row.dataset.key?.startsWith("row")).map((row) =>
      Object.fromEntries([...row.querySelectorAll("td")].map((cell) => {
        const copy = cell.cloneNode(true);
        copy.querySelectorAll(".unseen").forEach((one) => one.remove());
        return [cell.dataset.label, copy.textContent.trim()];
      }))
    )
  );
  assert.equal(rows.length, said.reviews.length);
  assert.ok(rows.length >= 24, `${rows.length} boards`);
  let different = 0;
  const same = (n, what, a, b) => {
    if (a === b) return;
    different += 1;
    console.error(`row ${n}, ${what}: the page ${a}, the command ${b}`);
  };
  for (const [n, row] of rows.entries()) {
    const review = said.reviews[n];
    const par = said.pars[n].par;
    same(n, "par", number(row.par), par?.length === 1 ? par[0].score : null);
    if (review.contract) {
      same(n, "result", number(row.result), review.contract.result);
      same(n, "double dummy", number(row.solved), review.contract.double_dummy);
    }
    same(n, "lost by North and South", number(row.ns), lost(review, 0));
    same(n, "lost by East and West", number(row.ew), lost(review, 1));
  }
  for (const kind of ["player", "pair"]) {
    const found = await page.locator(`[data-key="by-${kind}"] tbody tr`).evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent).join("|"))
    );
    const expected = said.summary[`${kind}s`].map((of) =>
      [of.name, of.boards, of.mistakes, of.tricks, of.on_lead, of.declaring, of.defending].join("|")
    );
    same(0, kind, found.join("\n"), expected.join("\n"));
  }
  assert.equal(different, 0);
  assert.deepEqual(wrong, []);
  // Sorted and filtered by a click; the link keeps it.
  await page.click("[data-key=\"sort-ns\"]");
  await page.click("[data-key=\"sort-ns\"]");
  const sorted = await page.locator("td[data-label=\"ns\"]").allTextContents();
  assert.deepEqual(sorted.filter((text) => text !== "–"), sorted.filter((text) => text !== "–").sort((a, b) => b - a));
  await page.click("[data-key=\"show-claims\"]");
  assert.equal(await page.locator(".all tbody tr").count(), rows.filter((row) => row.result?.includes("cl.")).length);
  assert.match(await page.evaluate(() => location.hash), /sort=-ns&show=claims/);
  await context.close();
});

/** A card as the page marks it. */
const mark = (card) => SYMBOL[card[0]] + card[1].replace("T", "10");
/** The visible text of elements. Text for screen readers is in elements of its own. */
const seen = (page, selector) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((one) => {
      const copy = one.cloneNode(true);
      copy.querySelectorAll(".unseen").forEach((part) => part.remove());
      return copy.textContent.trim();
    })
  );
/** Par's contracts in the page's words. */
const contractsOf = ({ contracts }) =>
  contracts.map(({ level, strain, doubled, declarers, over }) =>
    `${level}${SYMBOL[strain]}${doubled ? " doubled" : ""} by ${declarers.map((seat) => NAME[seat]).join(" or ")}, ${
      over === 0 ? "just made" : over < 0 ? `down ${-over}` : `+${over}`
    }`
  );
const scoreOf = (score) =>
  score === 0 ? "no score" : `${Math.abs(score)} to ${score > 0 ? "North–South" : "East–West"}`;

test("Deal and Record of every board: table, par, mistakes and players are the command's", { skip, timeout: 300_000 },
  async () => {
    const { page, context, wrong } = await shown("boards");
    let compared = 0;
    const count = await page.evaluate(() => setrograde.boards.length);
    for (let n = 0; n < count; n += 1) {
      const board = await page.evaluate((at) => {
        setrograde.open(setrograde.boards[at], "deal");
        const { dealer, vulnerable, play, contract, players } = setrograde.boards[at];
        return { dealer, vulnerable, play, contract, players };
      }, n);
      await page.waitForFunction(() => document.querySelectorAll(".makes td button").length === 20);
      await quiet(page);
      const { tricks } = said.tables[n];
      const cells = [..."NESW"].flatMap((seat) => STRAINS.map((strain) => String(tricks[strain][seat])));
      assert.deepEqual(await seen(page, ".makes td button"), cells);
      // Where the record does not say who dealt or who is vulnerable, each case is shown that has another par.
      const vulnerable = board.vulnerable?.replace("None", "none").replace("All", "both");
      const cases = (said.pars[n].par ?? []).filter((of) =>
        of.dealer === (board.dealer ?? of.dealer) && of.vulnerable === (vulnerable ?? of.vulnerable)
      );
      const textOf = (of) => JSON.stringify([of.vulnerable, of.score, of.contracts]);
      const isAny = (of) =>
        cases.filter((other) => textOf(other) === textOf(of)).length
          === cases.filter((other) => other.vulnerable === of.vulnerable).length;
      const pars = cases.filter((of) => !isAny(of) || cases.find((other) => textOf(other) === textOf(of)) === of);
      if (pars.length) {
        const texts = await seen(page, ".par p");
        assert.equal(texts.length, pars.length);
        for (const [at, par] of pars.entries()) {
          const start = `Par ${par.score === 0 ? "all pass" : scoreOf(par.score)}`;
          assert.ok(texts[at].startsWith(start), `${texts[at]}: ${par.score}`);
        }
        assert.deepEqual(await seen(page, ".par li"), pars.flatMap(contractsOf));
        compared += 1;
      }
      const review = said.reviews[n];
      if (!review.cards?.length) continue;
      await page.evaluate(() => setrograde.go({ view: "record" }));
      await quiet(page);
      const mistakes = review.cards.filter((card) => card.gives_away);
      assert.deepEqual(await seen(page, ".mistakes button"), mistakes.map((of) =>
        `Trick ${of.trick}, ${NAME[of.seat]} ${mark(of.card)} −${of.gives_away}`
      ));
      const right = mistakes.map((of) => of.right.slice(0, 6).map(mark).join(" "));
      assert.deepEqual((await seen(page, ".mistakes li > span")).map((text) => text.replace(/^right: | …$/g, "")),
        right);
      const { declarer, double_dummy: most } = review.contract;
      assert.ok((await page.textContent(".headline")).includes(`${NAME[declarer]} could take ${most}`));
      // Of each player the sums, dummy's cards with declarer's; and what declarer makes after each trick.
      const dummy = "NESW"["NESW".indexOf(declarer) ^ 2];
      const players = [..."NESW"].filter((seat) => seat !== dummy).map((seat) => {
        const own = review.cards.filter((card) => card.seat === seat || (seat === declarer && card.seat === dummy));
        const bad = own.filter((card) => card.gives_away);
        return [own.length, bad.length, bad.reduce((sum, card) => sum + card.gives_away, 0)].join(" ");
      });
      const rows = page.locator(".side .players tbody tr");
      assert.deepEqual(await rows.evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent).join(" "))
      ), players);
      const ends = review.cards.filter((_, at) =>
        at % 4 === 3 || at + 1 === review.cards.length
      );
      const made = ends.map(({ tricks: of }) =>
        String(side(review.leader) === side(declarer) ? of : review.tricks_left - of)
      );
      assert.deepEqual(await seen(page, ".strip .made"), made);
      assert.equal(await page.locator(".step").count(), review.cards.length);
    }
    assert.equal(compared, count);
    assert.deepEqual(wrong, []);
    await context.close();
  });

test("what the other views say of a deal and an ending is what the command says", { skip, timeout: 200_000 },
  async () => {
    const run = (...words) =>
      JSON.parse(execFileSync(command, [...words, "--json"], { stdio: ["ignore", "pipe", "ignore"] }));
    const { page, context, wrong } = await open(chromium, pathToFileURL(join(folder, "setrograde.html")).href);
    const to = async (hash, view) => {
      await page.evaluate((link) => {
        location.hash = link;
      }, hash);
      await calm(page, view);
    };
    const deal = "N:AK52.4.Q73.A6432 76.K85.KJT92.KQ7 QJT943.A3.64.J85 8.QJT9762.A85.T9";
    const link = `deal=${deal.replaceAll(" ", "_")}&strain=S&leader=W&contract=4SS&vul=NS`;
    const odd = "deal=N:AQ4..._KJ8..._32.4.._T96...&strain=NT&leader=S";
    // Each card's tricks in Play.
    for (const [hash, position] of [[link, `S W ${deal}`], [odd, "NT S N:AQ4... KJ8... 32.4.. T96..."]]) {
      await to(`${hash}&view=play`, "play");
      const { cards } = run("solve", "--all", position);
      const best = Math.max(...cards.map(({ tricks }) => tricks));
      const expected = cards.flatMap(({ card, equals, tricks }) =>
        [card, ...equals].map((one) => `${one} ${tricks === best ? "=" : `−${best - tricks}`}`)
      );
      const found = await page.locator(".turn button").evaluateAll((all) =>
        all.map((one) => `${one.dataset.card} ${one.querySelector("small").textContent}`)
      );
      assert.deepEqual(found.sort(), expected.sort());
      await to(`${hash}&view=matter`, "matter");
      const { tricks } = run("solve", position);
      assert.match(await page.textContent("main"), new RegExp(` always take ${tricks} of the`));
    }
    // The endings beside one, each by itself. The deal that the page shows at first is no ending.
    await to(`${odd}&view=endings`, "endings");
    const beside = await page.evaluate(() =>
      [...setrograde.helpers.answers.keys()].map((key) => JSON.parse(key)).filter(({ ask, all, question }) =>
        ask === "solve" && !all && question.includes("...")
      ).map(({ question }) => question.slice("NT S ".length))
    );
    assert.ok(beside.length > 2);
    assert.deepEqual(await seen(page, ".beside b"), beside.map((one) => String(run("solve", `NT S ${one}`).tricks)));
    // With two hands hidden: what is sure, the chances, a ruling.
    const question = "NT S N:AQ4... ? 32.4.. ?";
    const out = "out=KJT986...";
    const hidden = run("claim", `${question} ${out}`);
    await to(`${odd}&view=hands&by=N`, "hands");
    assert.match(await page.textContent(".headline"), new RegExp(`${hidden.sure} of 3 (is|are) sure`));
    const sure = await page.locator(".turn button").evaluateAll((all) =>
      all.map((one) => `${one.dataset.card} ${one.querySelector("small").textContent}`)
    );
    assert.deepEqual(sure.sort(), hidden.cards.map((of) => `${of.card} ${of.sure}`).sort());
    const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
    const odds = run("odds", "--all", `${question} ${out}`);
    await to(`${odd}&view=chances&by=N&need=2`, "chances");
    assert.deepEqual(await seen(page, ".bars td:last-child"),
      odds.chances.map((share) => percent(share)).filter((_, n) => odds.counts[n]));
    assert.match(await page.textContent(".headline"),
      new RegExp(`2 tricks or more: ${percent(odds.chances.slice(2).reduce((a, b) => a + b))}`));
    const means = await page.locator(".turn button").evaluateAll((all) =>
      all.map((one) => `${one.dataset.card} ${one.querySelector("small").textContent}`)
    );
    assert.deepEqual(means.sort(), odds.cards.map((of) => `${of.card} ${of.mean.toFixed(1)}`).sort());
    const ruling = run("claim", "adjudicate", "--by", "N", "--tricks", "2", "NT S N:AQ4... KJ8... 32.4.. T96...");
    await to(`${odd}&view=claim&by=N&need=2`, "claim");
    assert.match(await page.textContent(".headline"), new RegExp(`${ruling.awarded} tricks? awarded, 2 claimed`));
    assert.ok((await page.textContent(".ruling")).includes(ruling.why));
    // Before the play: contracts compared, and a suit.
    await to(`${link}&view=contract&by=S&contracts=4SS-3NTS`, "deal");
    await page.waitForFunction(() => document.querySelector("main").textContent.includes("80 layouts drawn"), null, {
      timeout: 100_000,
    });
    const { contracts } = run("compare", "4SS,3NTS", "--draw", "80", "--vulnerable", "NS",
      "N:AK52.4.Q73.A6432 ? QJT943.A3.64.J85 ?");
    const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "=");
    const rows = await page.locator(".wraps tbody tr").evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent).join("|"))
    );
    assert.deepEqual(rows,
      contracts.map((of) =>
        [`${percent(of.makes, 0)} ${(100 * of.makes_interval[0]).toFixed(0)} to ${percent(of.makes_interval[1], 0)}`,
          of.score.toFixed(0), percent(of.matchpoints, 0), signed(Number(of.imps.toFixed(1)))].join("|")
      ));
    const suit = run("suit", "AJT98", "432");
    await to(`${link}&view=suit&holding=AJT98-432`, "suit");
    assert.deepEqual(await seen(page, ".bars td:last-child"), suit.at_least.slice(1).map((share) => percent(share, 2)));
    assert.equal((await seen(page, ".plan li")).length, suit.lines[0].plan.length);
    assert.deepEqual(wrong, []);
    await context.close();
  });

test("every board and table is reached by the buttons, the list and its link, under its own name", {
  skip,
  timeout: 200_000,
}, async () => {
  const { page, context, wrong } = await shown("boards");
  const links = await page.locator(".all tbody th a").evaluateAll((all) => all.map((one) => one.href));
  const boards = await page.evaluate(() =>
    setrograde.boards.map(({ board, room, deal, play, contract }) => ({
      board,
      room,
      deal,
      play: play.join(""),
      contract,
    }))
  );
  await page.click("[data-key=\"open-0\"]");
  for (const [n, board] of boards.entries()) {
    await page.waitForFunction((at) => setrograde.at === at, n);
    const state = await page.evaluate(() => ({ ...setrograde.state, record: setrograde.state.record.join("") }));
    assert.equal(state.deal, board.deal);
    assert.equal(state.record, board.play);
    assert.equal(state.contract, board.contract ?? "");
    await page.waitForFunction((text) => document.querySelector("h1").textContent.includes(text),
      `Board ${board.board}`);
    if (board.room) assert.match(await page.textContent("h1"), new RegExp(`${board.room} room`));
    assert.equal(await page.locator("[data-key=\"boards\"]").inputValue(), String(n));
    if (n + 1 < boards.length) await page.click("[data-key=\"next\"]");
  }
  assert.ok(await page.isDisabled("[data-key=\"next\"]"));
  for (const [n, link] of links.entries()) {
    await page.goto(link);
    await page.waitForFunction((at) => setrograde.at === at && document.body.dataset.ready, n);
  }
  assert.deepEqual(wrong, []);
  await context.close();
});

test("the tables of a board side by side", { skip, timeout: 100_000 }, async () => {
  const { page, context, wrong } = await shown("boards");
  const at = await page.evaluate(() => setrograde.boards.findIndex(({ room }) => room === "open"));
  await page.click(`[data-key="open-${at}"]`);
  await page.click("nav a[data-view=\"tables\"]");
  await quiet(page);
  const cells = await page.locator(".all tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent))
  );
  assert.deepEqual(cells.map((row) => [row[0], row[4], row[5]]), [["Open", "−430", "−10"], ["Closed", "+50", "+10"], [
    "Table 3",
    "−430",
    "–",
  ]]);
  await page.click(`[data-key="open-${at + 1}"]`);
  await quiet(page);
  assert.match(await page.textContent("h1"), /closed room/);
  // Of a match alone there are two, with IMPs: −430 and +50 are ten.
  await page.evaluate(() => setrograde.go({ view: "deal" }));
  await page.click("[data-key=\"entry\"]");
  await page.fill("#paste", readFileSync(files[1], "utf8"));
  await page.click("[data-key=\"read\"]");
  await quiet(page);
  assert.deepEqual((await page.locator("td[data-label=\"imps\"]").allTextContents()).slice(0, 2), ["−10", "+10"]);
  assert.deepEqual(wrong, []);
  await context.close();
});

test("the auction, with what was said about it, points, score and who is vulnerable", { skip, timeout: 100_000 },
  async () => {
    const { page, context, wrong } = await shown("boards");
    const at = await page.evaluate(() => setrograde.boards.findIndex(({ board }) => board === 22));
    await page.click(`[data-key="open-${at}"]`);
    await quiet(page);
    const calls = await page.locator(".auction td").allInnerTexts();
    assert.equal(calls.length, 3 + 10);
    assert.match(await page.textContent(".notes"), /natural or balanced/);
    assert.deepEqual(await page.locator(".auction .vulnerable").allTextContents(), ["West", "East"]);
    assert.match(await page.textContent("main"), /8 tricks, down 1, 50 to East–West/);
    assert.deepEqual(await page.locator(".hcp").allTextContents(),
      ["9 points", "9 points", "13 points", "9 points"].slice(0, 4));
    // A link alone has it, too.
    const { page: other, context: second } = await open(chromium,
      `${pathToFileURL(join(folder, "setrograde.html")).href}${await page.evaluate(() => location.hash)}`);
    await quiet(other);
    assert.match(await other.textContent(".notes"), /natural or balanced/);
    await second.close();
    assert.deepEqual(wrong, []);
    await context.close();
  });

test("every view of an evening: nothing that axe finds, light, dark and on paper; no sideways scroll", {
  skip,
  timeout: 400_000,
}, async () => {
  const source = readFileSync(axe, "utf8");
  for (const [width, colorScheme, media] of [[400, "light", "screen"], [1280, "dark", "screen"], [1280, "light",
    "print"]])
  {
    const { page, context, wrong } = await shown("boards", { viewport: { width, height: 900 }, colorScheme });
    await page.evaluate(source);
    await page.emulateMedia({ media });
    for (const view of VIEWS) {
      await page.evaluate((to) => setrograde.go({ ...setrograde.state, view: to }), view);
      if (view === "tables")
        await page.evaluate(() => setrograde.open(setrograde.boards.find(({ room }) => room), "tables"));
      await calm(page, view);
      await audit(page, `${view} at ${width} px, ${colorScheme}, ${media}`);
    }
    assert.deepEqual(wrong, []);
    await context.close();
  }
});

test("by keyboard alone through the evening: sorted, every board and table, every view, print", {
  skip,
  timeout: 200_000,
}, async () => {
  const { page, context, wrong } = await shown("boards");
  const at = () =>
    page.evaluate(() => document.activeElement?.dataset.key ?? `nav ${document.activeElement?.dataset.view}`);
  const to = async (key) => {
    for (let n = 0; n < 140; n += 1) {
      if (await at() === key) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${key} is not reached`);
  };
  const press = async (key) => {
    await to(key);
    await page.keyboard.press("Enter");
    await quiet(page);
  };
  await press("sort-over");
  assert.match(await page.evaluate(() => location.hash), /sort=over/);
  await press("sort-board");
  await press("open-0");
  // In a new view the heading gets the focus; in the same view the button keeps it.
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
  const count = await page.evaluate(() => setrograde.boards.length);
  for (let n = 1; n < count; n += 1) {
    await press("next");
    assert.equal(await page.evaluate(() => setrograde.at), n);
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowRight");
    await quiet(page);
  }
  assert.equal(await page.isDisabled("[data-key=\"next\"]"), true);
  await press("before");
  // A board with two rooms and a record, and from it every view.
  await page.evaluate(() => setrograde.open(setrograde.boards.find(({ room }) => room), "record"));
  const views = await page.locator("nav a").evaluateAll((all) => all.map((one) => one.dataset.view));
  // Without the two sheets.
  assert.equal(views.length, VIEWS.length - 2);
  for (const view of views) {
    await press(`nav ${view}`);
    await calm(page, view);
    assert.equal(await page.evaluate(() => setrograde.state.view), view);
    assert.ok(["H1", "A"].includes(await page.evaluate(() => document.activeElement?.tagName)), view);
  }
  await press("nav boards");
  for (const [sheet, selector] of [["records", ".record"], ["lesson", ".lesson"]]) {
    await press(`to-${sheet}`);
    assert.ok(await page.locator(selector).count() > 4);
    await to("print");
    await press("to-boards");
  }
  assert.deepEqual(wrong, []);
  await context.close();
});

/** The pixels of a PDF's pages, as `pdftoppm` draws them. */
const pictures = (file) => {
  const bytes = execFileSync("pdftoppm", ["-r", "40", file], { maxBuffer: 1 << 28 });
  const found = [];
  for (let at = 0; at < bytes.length;) {
    const [head, width, height] = /^P6\s(\d+) (\d+)\s255\s/.exec(bytes.subarray(at, at + 32).toString("latin1"));
    const from = at + head.length;
    at = from + 3 * width * height;
    found.push(bytes.subarray(from, at));
  }
  return found;
};

test("on paper in black and white there is no colour, in colour there is; no page is empty", {
  skip: skip || pdftotext,
  timeout: 200_000,
}, async () => {
  const { page, context } = await shown("boards", { colorScheme: "dark" });
  for (const view of ["records", "lesson"]) {
    for (const colours of ["four", "black"]) {
      await page.evaluate(([to, how]) => {
        setrograde.settings.set("colours", how);
        setrograde.go({ view: to });
      }, [view, colours]);
      await quiet(page);
      const file = join(here, `${view}-${colours}.pdf`);
      await page.pdf({ path: file, format: "A4", preferCSSPageSize: true });
      for (const [n, pixels] of pictures(file).entries()) {
        let coloured = 0;
        let dark = 0;
        for (let at = 0; at < pixels.length; at += 3) {
          const [red, green, blue] = pixels.subarray(at, at + 3);
          coloured += Math.max(red, green, blue) - Math.min(red, green, blue) > 60 ? 1 : 0;
          dark += red + green + blue < 384 ? 1 : 0;
        }
        const share = (3 * dark) / pixels.length;
        assert.ok(share > 0.002 && share < 0.3, `${view} ${colours}, page ${n + 1}: ${share} of it is dark`);
        assert.equal(coloured > 0, colours === "four",
          `${view} ${colours}, page ${n + 1}: ${coloured} pixels in colour`);
      }
    }
  }
  await context.close();
});

/** Evenings as other programs write them, read by the page. */
const lin = "md|3S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,|";
const others = {
  "Windows line ends": [() => readFileSync(join(folder, "test/evening.pbn"), "utf8").replaceAll("\n", "\r\n"), 8, 0],
  "one room of a match": [
    () => readFileSync(files[1], "utf8").split("\n").filter((line) => !/^qx\|c/.test(line)).join("\n"),
    3,
    0,
  ],
  "LIN without auction, vulnerable or names": [
    () => `qx|o1|${lin}\r\nqx|c1|${lin}pc|S2|\r\nqx|o2|${lin}sv|o|mb|p|mb|p|mb|p|mb|p|\r\n`,
    3,
    0,
  ],
  "all boards passed out": [() => [1, 2, 3].map((n) => `qx|o${n}|${lin}sv|o|mb|p|mb|p|mb|p|mb|p|\n`).join(""), 3, 0],
  "a results page with 60 links": [() =>
    `<html><table>${
      Array.from({ length: 60 }, (_, n) =>
        `<tr><td><a href="https://x.example/handviewer.html?lin=${
          encodeURIComponent(
            `pn|a${n},b,c,d|st||${lin}sv|o|ah|Board ${n % 12 + 1}|mb|1S|mb|p|mb|p|mb|p|pc|H7|mc|${n % 8}|`
          )
        }">Movie</a></td></tr>\r\n`).join("")
    }</table>`, 60, 0],
  "a board that cannot be read among others": [() =>
    `qx|o1|${lin}\nqx|o2|md|S87,,,|\nqx|o3|${lin}\n`, 3, 1],
};

test("odd evenings: every board is there in every view, and nothing goes wrong", { skip, timeout: 300_000 },
  async () => {
    const { page, context, wrong } = await open(chromium, pathToFileURL(join(folder, "setrograde.html")).href);
    for (const [name, [text, count, bad]] of Object.entries(others)) {
      await page.evaluate(() => setrograde.go({ view: "deal" }));
      if (!(await page.isVisible("#paste"))) await page.click("[data-key=\"entry\"]");
      await page.fill("#paste", text());
      await page.click("[data-key=\"read\"]");
      await quiet(page);
      assert.equal(await page.evaluate(() => setrograde.boards.length), count, name);
      assert.equal(await page.locator(".all tbody th").count(), count - bad, name);
      await page.waitForFunction(
        (all) => document.querySelector(".tools .hint").textContent.startsWith(`${all} boards solved`),
        count - bad
      );
      await quiet(page);
      assert.equal((await page.textContent("main")).includes("could not be read"), bad > 0, name);
      const text0 = await page.textContent(".all tbody");
      assert.doesNotMatch(text0, /undefined|NaN|null|\[object/, name);
      const boxes = await page.evaluate(() =>
        setrograde.boards.flatMap(({ deal }, n) => (deal ? [n] : [])).slice(0, 4)
      );
      for (const n of boxes) {
        for (const view of ["deal", "record", "tables", "play", "records", "lesson"]) {
          await page.evaluate(([at, to]) => setrograde.open(setrograde.boards[at], to), [n, view]);
          await quiet(page);
          assert.doesNotMatch(await page.textContent("main"), /undefined|NaN|null|\[object/, `${name}, ${view}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
    await context.close();
  });

test("hand records and the lesson sheet on paper: whole boards on each page, and the command's figures", {
  skip: skip || pdftotext,
  timeout: 200_000,
}, async () => {
  const { page, context, wrong } = await shown("boards");
  const pages = async (view) => {
    await page.evaluate((to) => setrograde.go({ view: to }), view);
    await quiet(page);
    const file = join(here, `${view}.pdf`);
    await page.pdf({ path: file, format: "A4", preferCSSPageSize: true });
    return execFileSync("pdftotext", ["-layout", file, "-"]).toString().split("\f").slice(0, -1);
  };
  const records = await pages("records");
  const deals = new Set(said.tables.map(({ question, tricks }) => (tricks ? question : null)).filter(Boolean)).size;
  const count = (text, what) => text.match(what)?.length ?? 0;
  let boards = 0;
  for (const text of records) {
    boards += count(text, /Board \d+/g);
    // A board that is on the page has its results there, too.
    assert.equal(count(text, /Board \d+/g), count(text, /NT +♠ +♥ +♦ +♣/g), text);
  }
  assert.equal(boards, await page.locator(".record").count());
  // The four hands lie apart: each in a place of its own.
  const boxes = await page.locator(".record .of, .lesson .of").evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)
  );
  assert.equal(new Set(boxes).size, boxes.length);
  assert.equal(boards, deals);
  const printed = await page.locator(".record").evaluateAll((all) =>
    all.map((one) => [...one.querySelectorAll(".tiny td")].map((cell) => cell.textContent).filter(Boolean).join(" "))
  );
  const first = new Map(
    said.tables.filter(({ tricks }) => tricks).map((
      { question, tricks }
    ) => [question, ["N", "E", "S", "W"].flatMap((seat) => STRAINS.map((strain) => tricks[strain][seat])).join(" ")])
  );
  assert.deepEqual(printed, [...first.values()]);
  const lesson = await pages("lesson");
  const wrongCards = said.reviews.flatMap(({ cards = [] }) => cards.filter((card) => card.gives_away));
  assert.equal(lesson.reduce((sum, text) => sum + count(text, /\d tricks?$|\d tricks? {2,}/gm), 0) >= wrongCards.length,
    true);
  const marked = await page.locator(".wrong tbody tr").evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll(".one > [aria-hidden]")].map((one) => one.textContent).sort().join(" "))
  );
  assert.deepEqual(marked, wrongCards.map(({ card, right }) => [card, ...right].map(mark).sort().join(" ")));
  // A lesson's board is on one page: its heading and its last mistake.
  for (const text of lesson)
    assert.equal(count(text, /Board \d+/g), count(text, /Trick +Who +Card +Cost +Right/g), text);
  assert.deepEqual(wrong, []);
  await context.close();
});
