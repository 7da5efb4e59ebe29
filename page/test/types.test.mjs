// The answers of the engine have the types that answers.d.ts declares: the compiler compares them, name by name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { page } from "./browser.mjs";
import { made, root, wasm } from "./native.mjs";

const compiler = join(page, "node_modules/.bin/tsc");
const skip = !existsSync(compiler) ? "npm ci in page/" : !existsSync(wasm) ? "node page/build.mjs" : false;
const DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
const ENDING = "NT S N:AQ... KJ... 32... T9...";
const HARD = "NT W N:AK42.A32.K32.432 QJ9.KJ4.QJ9.QJ98 T83.Q65.A54.AK65 765.T987.T876.T7";

/** A board with the results of several tables, solved; at one of them the director gave a result. */
const TRAVELLERS = `[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:J76.AK.AQJ954.J3 QT.QT8542.62.Q52 AK9543.6.K3.T986 82.J973.T87.AK74"]
[Scoring "MatchPoints;MP1"]
[DoubleDummyTricks "ab6b8370537a6b89b08370"]
[ScoreTable "Table;PairId_NS;PairId_EW;Contract;Declarer;Result;Lead;Score_NS;Percentage_NS;Percentage_EW;Names_NS\\\\13;Names_EW"]
4 6 5 5HX E 7 SA 800 100 0 Ann - Bob     Cy - Dee
2 7 3 4S S 11 CA 450 25 75 Eve - Fay     Gus - Hal
1 8 1 4S S 9 CA -50 25 75 Ida - Jo      Kim - Lee
5 9 2 - - - - - 60 40 Max - Ned     Ola - Pia
6 4 10 Pass - - - 0 50 50 Quin - Rex    Sam - Tom
`;

/** Questions whose answers have every name of every type between them. */
function questions(engine) {
  const sample = (name) => readFileSync(join(root, name), "utf8");
  const texts = [sample("page/test/evening.pbn"), sample("data/samples/match.lin"), `[Deal "${DEAL}"]\n`,
    `[Board "1"]\n[Deal "${DEAL}"]\n[Auction "N"]\n1C =1= Pass\n[Note "1:strong"]\n\n[Deal "N:AAA... - - -"]\n`];
  const boards = texts.flatMap((text) => engine.ask({ ask: "boards", source: text }).boards).filter(({ error }) =>
    !error
  );
  const [hidden, third] = ["NT S N:AQ... ? 32... ? out=KJT9...", "NT N N:AK... ? 32... ? out=QJT9..."];
  const claims = [{}, { tricks: 1, explain: true }, { tricks: 2, explain: true }, { tricks: 2, assume: true }, {
    limit: 1,
  }].map((options) => ({ ask: "claim", question: hidden, ...options }));
  return [...texts.map((text) => ({ ask: "boards", source: text })), { ask: "decode", letters: "M\xfcller" }, {
    ask: "write",
    format: "pbn",
    boards: boards.slice(0, 2),
  }, { ask: "contracts", question: DEAL, by: "S", vulnerable: "All", contract: "4SS" },
    ...boards.map(({ pbn }) => ({ ask: "glance", board: pbn })), {
    ask: "results",
    boards: boards.slice(8, 11).map(({ pbn }) => pbn).join(""),
    recorded: true,
  }, { ask: "results", boards: TRAVELLERS }, { ask: "results", boards: TRAVELLERS.replace("MatchPoints", "IMP") }, {
    ask: "score",
    contract: "4HW",
    vulnerable: "All",
    tricks: 10,
  }, { ask: "table", question: DEAL }, { ask: "par", question: DEAL, dealer: "S", vulnerable: "All" }, {
    ask: "position",
    question: `H N ${DEAL} ST S9`,
  }, { ask: "solve", question: `H N ${DEAL} ST SA S8 S2`, all: true }, {
    ask: "analyse",
    question: `H N ${DEAL} ST SJ S8 S2`,
  }, { ask: "matter", question: `H N ${DEAL}` }, { ask: "odds", question: hidden, all: true, by_split: true }, {
    ask: "odds",
    question: `NT N N:${DEAL.split(" ")[0].slice(2)} ? ? ?`,
    draw: 5,
    all: true,
  }, { ask: "condition" }, { ask: "condition", if: "W.hcp=3-5" }, {
    ask: "compare",
    question: `NT E N:T543.KQ4.43.9542 ? 87.97.QJ9876.KT8 ?`,
    contracts: ["3NTN", "4SN"],
    vulnerable: "All",
    draw: 20,
  }, { ask: "suit", north: "AJT98", south: "432" }, { ask: "suit", north: "AQT987", south: "65432", tricks: 2 }, {
    ask: "single_dummy",
    question: hidden,
    tricks: 2,
  }, ...claims, { ask: "claim", question: third, tricks: 2, explain: true }, {
    ask: "adjudicate",
    question: ENDING,
    by: "N",
    tricks: 2,
  }, { ask: "adjudicate", question: "NT N N:A2... K3... 54... T9...", by: "N", tricks: 1 }];
}

test("answers have the types that are declared", { skip, timeout: 120_000 }, async () => {
  const engine = await made();
  const said = questions(engine).map((question) => [question.ask, engine.ask(question)]);
  for (const [what, answer] of said) assert.equal(answer.error, undefined, what);
  const asked = new Set(said.map(([what]) => what));
  const declared = readFileSync(join(page, "answers.d.ts"), "utf8").match(
    /interface Answers extends DeskAnswers \{([\s\S]*?)\n\}/
  )[1].match(/^ {2}\w+(?=:)/gm);
  assert.deepEqual(declared.map((name) => name.trim()).filter((name) => !asked.has(name)), [], "not asked");
  const documented = readFileSync(join(root, "docs/json.md"), "utf8");
  assert.deepEqual(declared.filter((name) => !documented.includes(`\`${name.trim()}\``)), [], "not documented");
  // A name too many is an error in an object that is written out; one too few is one anywhere.
  const module = join(page, "test/answers.check.ts");
  const lines = said.map(([what, answer], n) => `export const a${n}: Answers["${what}"] = ${JSON.stringify(answer)};`);
  const check = (text) => {
    writeFileSync(module, `import type { Answers } from "../answers";\n${text}\n`);
    const { stdout } = spawnSync(compiler, ["--noEmit", "--strict", "--skipLibCheck", "--types", "", "--ignoreConfig",
      module]);
    return stdout.toString();
  };
  try {
    assert.equal(check(lines.join("\n")), "");
    // The check can fail.
    assert.match(check("export const a: Answers[\"write\"] = { version: 1, source: \"\", other: 2 };"), /other/);
    assert.match(check("export const a: Answers[\"write\"] = { version: 1 };"), /source/);
  } finally {
    rmSync(module);
  }
});
