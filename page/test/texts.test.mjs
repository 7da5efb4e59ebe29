// Files as other programs write them: in twelve encodings and with three line ends, compressed, in the formats of
// Pavlicek and of dealing machines. The page reads each as the command does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { single } from "./browser.mjs";
import { DEAL, folder, OTHER } from "./deals.mjs";
import { root } from "./native.mjs";
import { person, without } from "./person.mjs";

const command = process.env.SETROGRADE
  ?? ["release", "debug"].map((kind) => join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), kind, "setrograde"))
    .find(existsSync);
const { file } = folder("texts");

const NAMES = ["Šárka", "O’Neill", "Müller", "Ó Sé"];
const pbn = (deal, board) =>
  `[Board "${board}"]\n[North "${NAMES[0]}"]\n[East "${NAMES[1]}"]\n[South "${NAMES[2]}"]\n[West "${NAMES[3]}"]\n`
  + `[Dealer "S"]\n[Vulnerable "All"]\n[Deal "${deal}"]\n[Declarer "W"]\n[Contract "4H"]\n[Result "10"]\n`
  + "[Auction \"S\"]\nPass 4H Pass Pass\nPass\n\n";
/** South, West and North in LIN, which begins with South. */
const lin = "1S87H97DQJ9876CKT8,SQ2HAJT8532D2CA76,ST543HKQ4D43C9542,";
const linBoard = (board) =>
  `qx|o${board}|pn|${[NAMES[2], NAMES[3], NAMES[0], NAMES[1]].join(",")}|md|${lin}|sv|b|mb|p|mb|4H|mb|p|mb|p|mb|p|`
  + "pc|ST|pc|SA|pc|S8|pc|S2|mc|10|\n";
const rbn = (board, deal) =>
  `N ${NAMES[0]}+${NAMES[2]}:${NAMES[3]}+${NAMES[1]}:O\nB ${board}\nH N:${deal.slice(2).replaceAll(" ", ":")}\n`
  + "A SB:P4HA\nR 10\n\n";
/** Texts of two boards or questions each, and how the command is asked about them. */
const TEXTS = {
  pbn: pbn(DEAL, 1) + pbn(OTHER, 2),
  lin: linBoard(1) + linBoard(2),
  rbn: `% RBN 3.2\nT Čup\n${rbn(1, DEAL)}${rbn(2, OTHER)}`,
  list: `# ${NAMES[0]}\n${DEAL}\n${OTHER}\n`,
  questions: `# ${NAMES[1]}\nNT S N:AQ4... KJ8... 32.4.. T96...\nS W N:AQ4... KJ8... 32.4.. T96...\n`,
  links: [1, 2].map((board) =>
    `https://x.example/handviewer.html?lin=pn|${
      NAMES.join(",")
    }|md|${lin}|sv|b|ah|Board ${board}|mb|p|mb|4H|mb|p|mb|p|mb|p|\n`
  ).join(""),
};

const narrow = (text) =>
  Buffer.from([...text].map((letter) => ({ "Š": 0x8a, "’": 0x92, "Č": 0x43 })[letter] ?? letter.codePointAt(0)));
const wide = (text) => Buffer.from(text, "utf16le");
const ENCODINGS = {
  "UTF-8": (text) => Buffer.from(text),
  "UTF-8 with a mark": (text) => Buffer.from(`\uFEFF${text}`),
  "UTF-16LE with a mark": (text) => wide(`\uFEFF${text}`),
  "UTF-16BE with a mark": (text) => wide(`\uFEFF${text}`).swap16(),
  "UTF-16LE": (text) => wide(text),
  "UTF-16BE": (text) => wide(text).swap16(),
  "Windows-1252": narrow,
  "UTF-8 compressed": (text) => gzipSync(text),
  "UTF-16LE with a mark, compressed": (text) => gzipSync(wide(`\uFEFF${text}`)),
  "Windows-1252 compressed": (text) => gzipSync(narrow(text)),
  // As an editor leaves a file in which two programs wrote.
  "lines of UTF-8 and of Windows-1252": (text) =>
    Buffer.concat(text.split(/(?<=[\r\n])/).map((line, n) => (n % 2 ? narrow(line) : Buffer.from(line)))),
  "UTF-8 without its last line end": (text) => Buffer.from(text.replace(/[\r\n]+$/, "")),
};
const ENDS = { LF: "\n", CRLF: "\r\n", CR: "\r" };

/** What a board is, without what differs by the file. */
const plain = ({ board, deal, dealer, vulnerable, contract, strain, leader, play, result, players, auction }) =>
  JSON.stringify([board, deal, dealer, vulnerable, contract, strain, leader, play, result, players, auction]);
/** The command's lines about a file. */
const ask = (...words) =>
  execFileSync(command, words, { stdio: ["ignore", "pipe", "ignore"] }).toString().trim().split("\n").map((line) => {
    const { file: _, ...rest } = JSON.parse(line);
    return rest;
  });

for (const kind of ["chromium", "firefox"]) {
  const skip = without[kind] || (command ? false : "needs cargo build");
  /** @type {import("./person.mjs").Person} */
  let me;
  before(async () => {
    if (!skip) me = await person(kind);
  });
  after(() => me?.end());
  /** The boards of a file that is dropped. */
  const dropped = async (path) => {
    await me.see(() => {
      window.before = setrograde.evening;
    });
    await me.drop([path]);
    await me.until(() => setrograde.evening !== window.before);
    return me.see(() => setrograde.boards);
  };

  for (const [format, text] of Object.entries(TEXTS)) {
    test(`${kind}: ${format} in ${Object.keys(ENCODINGS).length} encodings with three line ends`, {
      skip,
      timeout: 300_000,
    }, async () => {
      await me.open(single);
      let first;
      for (const [encoding, encode] of Object.entries(ENCODINGS)) {
        for (const [end, characters] of Object.entries(ENDS)) {
          const path = file(`${format}.txt`, encode(text.replaceAll("\n", characters)));
          const where = `${format}, ${encoding}, ${end}`;
          const boards = await dropped(path);
          assert.deepEqual(boards.filter(({ error }) => error), [], where);
          first ??= boards.map(plain);
          assert.deepEqual(boards.map(plain), first, where);
          if (kind === "firefox") continue;
          // The command reads the same; names are whole in both.
          const solved = ask(format === "questions" ? "solve" : "table", "--db", "none", "--json", path);
          assert.equal(solved.length, 2, where);
          for (const [n, { question }] of solved.entries()) assert.ok(question.endsWith(boards[n].deal), where);
          if (!["list", "questions"].includes(format)) {
            const order = format === "links" ? [2, 3, 0, 1] : [0, 1, 2, 3];
            assert.deepEqual(boards[0].players, order.map((n) => NAMES[n]), where);
            const analysed = JSON.stringify(ask("analyse", "--db", "none", "--json", path));
            for (const name of NAMES) assert.ok(format === "links" || analysed.includes(name), `${where}: ${name}`);
          }
        }
      }
      assert.equal(first.length, 2);
    });
  }

  test(`${kind}: a dealing machine's file, as it is and compressed`, { skip, timeout: 60_000 }, async () => {
    const hands = DEAL.slice(2).split(" ").slice(0, 3).map((hand) =>
      hand.split(".").flatMap((cards, suit) =>
        [...cards].map((rank) => String(13 * suit + "AKQJT98765432".indexOf(rank) + 1).padStart(2, "0"))
      ).join("")
    ).join("");
    // Characters or arbitrary bytes follow the digits: this is not text.
    const signs = Buffer.from(Array.from({ length: 68 }, (_, n) => 128 + n));
    const record = Buffer.concat([Buffer.from(hands), signs, Buffer.from("YN5  1 6  ")]);
    const both = Buffer.concat([record, record]);
    await me.open(single);
    for (const [name, bytes] of [["evening.dup", both], ["evening.dup.gz", gzipSync(both)]]) {
      const boards = await dropped(file(name, bytes));
      assert.deepEqual(boards.map(({ board, deal }) => `${board} ${deal}`), [`5 ${DEAL}`, `6 ${DEAL}`], name);
    }
    assert.deepEqual(ask("table", "--db", "none", "--json", file("evening.dup", both)).map(({ question }) => question),
      [DEAL, DEAL]);
  });

  test(`${kind}: RBN is pasted, and opened by the chooser`, { skip, timeout: 60_000 }, async () => {
    await me.open(single);
    await me.paste(TEXTS.rbn);
    await me.until(() => setrograde.state.view === "boards");
    const pasted = (await me.see(() => setrograde.boards)).map(plain);
    assert.deepEqual((await me.see(() => setrograde.boards)).map(({ contract, result }) => [contract, result]), [["4HW",
      10], ["4HW", 10]]);
    assert.match(await me.see(() => document.querySelector("#file").accept), /\.rbn.*\.dup.*\.gz/);
    await me.see(() => setrograde.go({ view: "deal" }));
    await me.files("[data-key=\"open-file\"]", [file("evening.rbn", TEXTS.rbn)]);
    await me.until(() => setrograde.state.view === "boards");
    assert.deepEqual((await me.see(() => setrograde.boards)).map(plain), pasted);
  });
}
