// What the page says of a record is what the command says: claims, results and contracts of both samples and of 200
// records at random. The views are drawn without a browser; what they draw is read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Evening } from "../evening.mjs";
import { fresh, ofBoard, playText } from "../state.mjs";
import { contractView } from "../views/advice.mjs";
import { resultLine } from "../views/board.mjs";
import { claimView } from "../views/claim.mjs";
import { made, missing, root } from "./native.mjs";

const command = process.env.SETROGRADE
  ?? ["release", "debug"].map((kind) => join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), kind, "setrograde"))
    .find(existsSync);
const skip = missing.includes("build.mjs") ? `needs ${missing}` : command ? false : "needs cargo build";
const here = mkdtempSync(join(tmpdir(), "setrograde-records-"));
after(() => rmSync(here, { recursive: true }));

/** The command's objects. It exits with 3 where a claim is not sure. */
const ask = (...words) => {
  let text;
  try {
    text = execFileSync(command, words, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    text = error.stdout;
  }
  return String(text).trim().split("\n").map((line) => JSON.parse(line));
};

/** A page without a browser: the state, and the engine. */
class Page {
  constructor(engine, boards) {
    Object.assign(this, {
      engine,
      evening: new Evening(boards),
      memory: {},
      state: fresh(),
      helpers: { known: () => null, need: (role, question) => this.need(role, question) },
    });
  }
  need(_role, question) {
    const answer = this.engine.ask(question);
    return answer.error ? { error: answer.error } : { answer };
  }
  position(cards) {
    return this.need("play", { ask: "position", question: playText(this.state, cards) });
  }
  go(change) {
    this.state = { ...this.state, ...change };
  }
  open(board) {
    this.board = board;
    this.state = ofBoard(board);
  }
  say() {}
  draw() {}
}

/** What is read of something that was drawn. */
const textOf = (drawn) => {
  if (drawn === null || drawn === undefined || typeof drawn === "boolean") return "";
  if (Array.isArray(drawn)) return drawn.map(textOf).join("");
  if (typeof drawn !== "object") return String(drawn);
  return drawn.properties.class === "unseen" ? "" : textOf(drawn.children);
};
const find = (drawn, is) => {
  if (Array.isArray(drawn)) return drawn.map((one) => find(one, is)).find(Boolean);
  if (!drawn || typeof drawn !== "object") return undefined;
  return is(drawn) ? drawn : find(drawn.children, is);
};
const classed = (name) => ({ properties }) => String(properties.class ?? "").split(" ").includes(name);
const keyed = (key) => (drawn) => drawn.key === key;

/** Records at random: as many tricks are claimed as may be left or not. */
function records(engine, count) {
  const deals = readFileSync(join(root, "data/deals_100.txt"), "utf8").trim().split("\n").map((line) =>
    line.split(" | ")[0]
  );
  let seed = 5;
  const pick = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const boards = Array.from({ length: count }, (_, n) => {
    const deal = deals[n % 100];
    const [strain, declarer] = [["NT", "S", "H", "D", "C"][pick(5)], "NESW"[pick(4)]];
    const leader = "NESW"[("NESW".indexOf(declarer) + 1) % 4];
    const start = `${strain} ${leader} ${deal}`;
    const play = [];
    const length = 28 + pick(20);
    while (play.length < length) {
      const { legal } = engine.ask({ ask: "position", question: [start, ...play].join(" ") });
      play.push(legal[pick(legal.length)]);
    }
    const { won, tricks_left: left } = engine.ask({ ask: "position", question: [start, ...play].join(" ") });
    const own = won["NESW".indexOf(declarer) % 2];
    return {
      board: n + 1,
      hands: deal.slice(2).split(" "),
      dealer: "NESW"[n % 4],
      vulnerable: ["None", "NS", "EW", "All"][pick(4)],
      calls: [],
      contract: `${1 + pick(7)}${strain}${["", "X", "XX"][pick(3)]}${declarer}`,
      leader,
      play,
      result: null,
      claim: own + pick(left + 1),
      players: ["A", "B", "C", "D"],
    };
  });
  const { source, error } = engine.ask({ ask: "write", format: "lin", boards });
  assert.equal(error, undefined);
  return source;
}

test("claims and results: the page says what the command says", { skip, timeout: 600_000 }, async () => {
  const engine = await made();
  const random = join(here, "random.lin");
  // PBN has no claims: a play that ends early is not a claim by itself.
  writeFileSync(random, records(engine, 200));
  let claims = 0;
  for (const path of [join(root, "data/samples/match.lin"), join(root, "data/samples/evening.pbn"), random]) {
    const { boards } = engine.ask({ ask: "boards", source: readFileSync(path, "utf8") });
    const page = new Page(engine, boards);
    const judged = ask("claim", "--json", path);
    const reviews = ask("analyse", "--json", path);
    assert.equal(judged.length, boards.length);
    for (const [n, board] of boards.entries()) {
      page.open(board);
      const { contract } = reviews[n];
      const line = textOf(resultLine(page));
      if (contract?.result !== null && contract?.result !== undefined)
        assert.match(line, new RegExp(`, ${contract.result} tricks?, `), `${path}, board ${n + 1}: ${line}`);
      const { claimed, claimer, verdict, ruling } = judged[n];
      if (claimed === null || claimed === undefined || !ruling) continue;
      const shown = claimView.show(page);
      const rule = find(shown, keyed("rule"));
      assert.ok(rule, `${path}, board ${n + 1}: ${textOf(shown)}`);
      rule.properties.onclick();
      const ruled = claimView.show(page);
      const where = `${path}, board ${n + 1}`;
      const awarded = verdict === "sure" ? claimed : ruling.awarded;
      assert.match(textOf(find(ruled, classed("headline"))),
        new RegExp(`${awarded} tricks? awarded, ${claimed} claimed`), where);
      const words = textOf(find(ruled, classed("ruling")));
      assert.equal(words.includes("The claim is sure"), verdict === "sure", `${where}: ${words}`);
      if (verdict === "sure" && ruling.awarded < claimed)
        assert.match(words, new RegExp(`Law 70C awards ${ruling.awarded}\\.`), where);
      assert.match(words, new RegExp({ N: "North", E: "East", S: "South", W: "West" }[claimer]), where);
      claims += 1;
    }
  }
  assert.ok(claims > 150, `${claims} claims`);
});

test("contracts: those that were played come first, and their chances are the command's", { skip, timeout: 600_000 },
  async () => {
    const engine = await made();
    for (const path of [join(root, "data/samples/match.lin"), join(root, "data/samples/evening.pbn")]) {
      const { boards } = engine.ask({ ask: "boards", source: readFileSync(path, "utf8") });
      const page = new Page(engine, boards);
      for (const board of boards.filter(({ contract }) => contract).slice(0, 3)) {
        page.open(board);
        page.memory.drawn = 20;
        const drawn = contractView.show(page);
        const by = board.contract.at(-1);
        const hands = board.deal.slice(2).split(" ").map((hand, n) => ("NESW".indexOf(by) % 2 === n % 2 ? hand : "?"));
        const names = [];
        const asked = page.engine.ask;
        page.engine.ask = (question) => {
          if (question.ask === "compare") names.push(question.contracts.join(","));
          return asked.call(engine, question);
        };
        contractView.show(page);
        page.engine.ask = asked;
        assert.ok(names[0].startsWith(board.contract), `${names[0]}: ${board.contract}`);
        const [found] = ask("compare", names[0], "--draw", "20", "--vulnerable",
          board.vulnerable.replace("All", "both").replace("None", "none"), "--json", `N:${hands.join(" ")}`);
        const text = textOf(find(drawn, classed("chances")));
        for (const of of found.contracts) assert.ok(text.includes(`${(100 * of.makes).toFixed(0)} %`), text);
      }
    }
  });
