#!/usr/bin/env python3
"""Makes rules of the solver too strong, one at a time, in a copy of the repository, and asks for certificates: each
mutant must be found, because no proof of a wrong result is derived or the checker refuses it.

    lab/scripts/certificate_mutants.py

Exits with 1 if the tests of setrograde-prove pass with a mutant."""

import pathlib
import subprocess
import sys
import tempfile

RULES = "crates/solver/src/"
# The rule, its file, the text of the right rule, and that of the mutant.
MUTANTS = [
    ("sure trumps, one too many", "proofs/sure_trumps.rs", "if sure >= goal {", "if sure + 1 >= goal {"),
    ("quick tricks, one too many", "proofs/quick_tricks.rs", "if count.tricks >= goal {", "if count.tricks + 1 >= goal {"),
    ("later tricks, one too many", "proofs/later_tricks.rs", "if goal == 1 {", "if goal <= 2 {"),
    ("later tricks cashed, one too many", "proofs/later_tricks.rs", "if count < goal {", "if count + 1 < goal {"),
    ("a ruff is forgotten", "proofs/quick_tricks.rs", "let drawn = suit.is_trump || left_trumps + right_trumps == 0;", "let drawn = true;"),
    ("a round too many before a ruff", "proofs/quick_tricks.rs", "safe = suit.left_length;", "safe = suit.left_length + 1;"),
    ("a suit is long a round too early", "proofs/quick_tricks.rs", "if drawn && longest <= suit.winner_count {", "if drawn && longest <= suit.winner_count + 1 {"),
    ("partner's suit is long a round too early", "proofs/quick_tricks.rs", "cashed.drawn && rounds <= winners && rounds <= room", "cashed.drawn && rounds <= winners + 1 && rounds <= room"),
    ("partner is reached without an entry", "proofs/quick_tricks.rs", "let reached = self.entry\n", "let reached = true\n"),
    ("partner's ruff is forgotten", "proofs/later_tricks.rs", "if partner_ruffs && partner & mask == 0 {", "if false {"),
    ("cards cashed below an enemy's", "proofs/later_tricks.rs", "own & !(highest(others) * 2 - 1)", "own & !(highest(others) / 4)"),
    ("the last trick is North's", "search.rs", "reached: is_north_south(trick.winner),", "reached: true,"),
    ("the winning card does not matter", "search.rs", "if trick.played & suit_mask(suit) != trick.best {", "if false {"),
    ("one card too many alike", "search.rs", "        suit & (low - 1)\n", "        suit & (2 * low - 1)\n"),
    ("proofs widened without a case", "transposition.rs", "if others(suit, known_here) & !covered[suit] == 0 {", "if true {"),
]


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    survivors = 0
    with tempfile.TemporaryDirectory() as copy:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=root, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", copy], input=archive, check=True)
        test = ["cargo", "test", "-q", "--locked", "-p", "setrograde-prove", "--lib", "--", "are_accepted"]
        subprocess.run(test, cwd=copy, check=True, capture_output=True)
        for name, file, right, wrong in MUTANTS:
            path = pathlib.Path(copy, RULES, file)
            text = path.read_text()
            if text.count(right) != 1:
                sys.exit(f"{file} has another text than {right!r}")
            path.write_text(text.replace(right, wrong))
            build = subprocess.run([*test[:-2], "--no-run"], cwd=copy, capture_output=True, text=True)
            if build.returncode:
                sys.exit(f"{name}: {build.stderr}")
            found = subprocess.run(test, cwd=copy, capture_output=True, text=True)
            print(f"{name}: {'found' if found.returncode else 'NOT FOUND'}", flush=True)
            survivors += not found.returncode
            path.write_text(text)
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
