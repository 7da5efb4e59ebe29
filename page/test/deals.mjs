// The deals and files that the tests of user actions share.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { root } from "./native.mjs";

export const DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
export const OTHER = "N:AQ732.K5.J83.T92 JT6.JT98.Q94.AQ7 K4.AQ3.AKT2.J853 985.7642.765.K64";
export const GAME = `deal=${DEAL.replaceAll(" ", "_")}&board=7&dealer=S&vul=All&strain=H&leader=N&contract=4HW`;
/** Five cards each, where every view has something to say. */
export const ENDING = "strain=NT&leader=S&deal=N:AQ432..._KJ865..._7.432.4._T9.65.3.";

export const evening = join(root, "data/samples/evening.pbn");
export const match = join(root, "data/samples/match.lin");
export const deals = readFileSync(join(root, "data/deals_100.txt"), "utf8").trim().split("\n").map((line) =>
  line.split(" | ")[0]
);
export const boards = (count) =>
  Array.from({ length: count }, (_, n) =>
    `[Board "${n + 1}"]\n[Dealer "${"NESW"[n % 4]}"]\n[Vulnerable "${["None", "NS", "EW", "All"][n % 4]}"]\n[Deal "${
      deals[n % 100]
    }"]\n\n`).join("");

/** Why what is printed cannot be read; false if it can. */
export const unreadablePaper = spawnSync("pdftotext", ["-v"]).error ? "needs pdftotext" : false;

/** A folder until the tests end, and a function that writes a file there. */
export function folder(name) {
  const here = mkdtempSync(join(tmpdir(), `setrograde-${name}-`));
  after(() => rmSync(here, { recursive: true }));
  const file = (name, bytes) => {
    writeFileSync(join(here, name), bytes);
    return join(here, name);
  };
  return { here, file };
}
