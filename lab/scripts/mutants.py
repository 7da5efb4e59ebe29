#!/usr/bin/env python3
"""Makes one line at a time wrong in a copy of the repository: each mutant must fail a test that every
change runs.

    lab/scripts/mutants.py [CRATE...]

The mutants of the solver are rules that are too strong: no proof of a wrong result is derived, or the checker
refuses it (the tests of setrograde-prove). Exits with 1 if the tests pass with a mutant."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

# The tests of a crate, but the solver's.
TESTS = {"solver": ["setrograde-prove", "--lib", "--", "are_accepted"]}
# By crate: the mutant, its file, the right text, and the wrong one.
MUTANTS = {
    "solver": [
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
        ("one card too many alike", "lanes.rs", "        suit & (low - 1)\n", "        suit & (2 * low - 1)\n"),
        ("proofs widened without a case", "transposition.rs", "if others(suit, known_here) & !covered[suit] == 0 {", "if true {"),
    ],
    "builder": [
        ("a trump does not beat another suit", "oracle/abstract_trick.rs", "(card - 1) & (suit_cards(suit) | trumps)", "(card - 1) & suit_cards(suit) + 0 * trumps"),
        ("the last of several x's wins", "oracle/abstract_trick.rs", "next.winners |= 1 << hand;", "next.winners = 1 << hand;"),
        ("bounds are inherited across a split", "refine.rs", "    foreknown[suit] = [NOTHING; 4];\n", ""),
        ("one trick of doubt is none", "refine.rs", "if lo == hi {", "if hi - lo <= 1 {"),
    ],
    "lookup": [
        ("a lower tag is the same", "store/index.rs", "entry.tag() == slot.tag", "entry.tag() <= slot.tag"),
        ("the index does not wrap around", "store/index.rs", "(slot.line..self.lines).chain(0..slot.line)", "slot.line..self.lines"),
        ("a line of the index is always sound", "store/index.rs", "if found.to_le_bytes() != file.bytes[first..first + 8] {", "if found == 0 {"),
        ("any value is possible", "located.rs", ".filter(|&value| self.is_possible(value))", ".filter(|_| true)"),
    ],
    "beliefs": [
        ("queens are controls", "limits.rs", "rank.value().saturating_sub(12)", "rank.value().saturating_sub(11)"),
        ("a void has three losers", "limits.rs", "let counted = length.min(3);", "let counted = length.max(3).min(3);"),
        ("a gap between two runs is closed", "joint/mod.rs", "Some(run) if run.1 + 1 == value => run.1 = value,", "Some(run) => run.1 = value,"),
        ("two totals share an index", "joint/mod.rs", "all *= most[byte] + 1;", "all *= most[byte].max(1);"),
    ],
    "records": [
        ("LIN's hands begin with West", "lin/values.rs", "[Seat::South, Seat::West, Seat::North, Seat::East]", "[Seat::West, Seat::South, Seat::North, Seat::East]"),
        ("LIN's last hand is not deduced", "lin/values.rs", "board.hands = complete(known)?;", "let _ = complete(known)?;\n    board.hands = known;"),
        ("LIN's n is nobody", "lin/values.rs", 'Some(Vulnerability::NorthSouth))', 'Some(Vulnerability::None))'),
        ("a comment is a row", "scores.rs", "line.starts_with(['%', ';', '{'])", "line.starts_with(['%', ';'])"),
    ],
    "claim": [
        ("equal cases drop each other", "knowledge/state.rs", "m != n && other.includes(case) && !(m > n && other == case)", "m != n && other.includes(case)"),
        ("the other hand becomes shorter", "knowledge/state.rs", "u8::from(hand == Hidden::First)", "u8::from(hand == Hidden::Second)"),
        ("the shorter hand is the longest", "knowledge/state.rs", "most(Hidden::First).max(most(Hidden::Second))", "most(Hidden::First).min(most(Hidden::Second))"),
        ("a card known elsewhere is played", "evidence/check_plan.rs", "if self.known[1 - who].contains(card) {", "if self.known[1 - who].contains(card) && false {"),
    ],
}


def fails(test, directory):
    """Whether a test fails, or does not end."""
    process = subprocess.Popen(test, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.wait(timeout=300) != 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    survivors = 0
    with tempfile.TemporaryDirectory() as copy:
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=root, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", copy], input=archive, check=True)
        for crate in sys.argv[1:] or MUTANTS:
            package, *which = TESTS.get(crate, [f"setrograde-{crate}"])
            test = ["cargo", "test", "-q", "--locked", "-p", package]
            subprocess.run([*test, *which], cwd=copy, check=True, capture_output=True)
            for name, file, right, wrong in MUTANTS[crate]:
                path = pathlib.Path(copy, "crates", crate, "src", file)
                text = path.read_text()
                if text.count(right) != 1:
                    sys.exit(f"{path.name} has another text than {right!r}")
                path.write_text(text.replace(right, wrong))
                build = subprocess.run([*test, "--no-run"], cwd=copy, capture_output=True, text=True)
                if build.returncode:
                    sys.exit(f"{crate}, {name}: {build.stderr}")
                found = fails([*test, *which], copy)
                print(f"{crate}, {name}: {'found' if found else 'NOT FOUND'}", flush=True)
                survivors += not found
                path.write_text(text)
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
