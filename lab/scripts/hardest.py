#!/usr/bin/env python3
"""Tables of hard deals beside macroxue's solver, which must give the same results.

    lab/scripts/hardest.py SOLVER [FILE] [--db DIR] [--rounds N] [--last N]

SOLVER is the program that https://github.com/macroxue/bridge-solver makes. FILE has lines `PBN | t1 ... t20`; by default it is
`data/hard_deals.txt`, of which `--last 4` are the hardest known. Every table is a process of its own, in turns on one processor,
with processor time as the figure, the least of the rounds. Uses what `cargo build --release` makes.
"""

import argparse
import os
import resource
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("BUILT", ROOT / "target/release"))


def their_file(pbn):
    """The deal as SOLVER reads it: north, west and east, south."""
    first, hands = pbn.split(":")
    hands = [" ".join(suit or "-" for suit in hand.split(".")) for hand in hands.split()]
    north, east, south, west = (hands[("NESW".index(seat) - "NESW".index(first)) % 4] for seat in "NESW")
    return f"{north}\n{west}    {east}\n{south}\n"


def seconds(command):
    """Processor time of a command, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=lambda: os.sched_setaffinity(0, {0}))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, run.stdout


def their_table(text):
    """The 20 results in the order of FILE: NT, S, H, D, C by N, E, S, W. SOLVER has lines of strain and S, N, W, E."""
    rows = {fields[0]: fields[1:5] for fields in map(str.split, text.splitlines()) if len(fields) > 4 and fields[0] in "NSHDC"}
    return [int(rows[strain][index]) for strain in "NSHDC" for index in (1, 3, 0, 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("solver")
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "data/hard_deals.txt")
    parser.add_argument("--db", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--last", type=int, default=0)
    arguments = parser.parse_args()
    lines = arguments.file.read_text().splitlines()[-arguments.last :]
    names = ["none", *arguments.db, "SOLVER"]
    sums = [0.0] * len(names)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/deal"
        for line in lines:
            pbn, table = line.split(" | ")
            Path(file).write_text(their_file(pbn))
            commands = [[BUILT / "setrograde", "table", "-j", "1", "--db", db, pbn] for db in names[:-1]]
            least = [1e9] * len(names)
            for _ in range(arguments.rounds):
                for index, command in enumerate([*commands, [arguments.solver, "-f", file]]):
                    time, text = seconds(command)
                    least[index] = min(least[index], time)
            assert their_table(text) == [int(tricks) for tricks in table.split()], (pbn, text)
            sums = [total + time for total, time in zip(sums, least)]
            print(pbn, *(f"{name} {time:.2f}" for name, time in zip(names, least)), f"{least[0] / least[-1]:.2f}", flush=True)
    print("all", *(f"{name} {total:.1f} s {total / sums[-1]:.3f}" for name, total in zip(names, sums)))


if __name__ == "__main__":
    main()
