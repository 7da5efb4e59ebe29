#!/usr/bin/env python3
"""Forges mapped levels with sound checksums, and asks them.

    lab/scripts/forged_maps.py target/release/setrograde [--forgeries 1000] [--seed 1]

Each forgery edits the header, the index, or the bounds, offsets or nodes of a block in a mapped
level of data/golden, and repairs every checksum. Then 300 random endings are asked. The program
must answer or report an error within 20 s and 1 GB, without a signal or a panic, and
`db verify` must refuse a database that gives a wrong answer. The right answers come from a search
without a database. Exits with 1 if anything else happens. Needs the Python package xxhash.
"""

import argparse
import collections
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import xxhash

HEADER, LINE, SMALL = 64, 64, 1024
BOUNDS, OFFSETS = 4, 4 + 20
SIZE = OFFSETS + 3 * 20
HEAD = SIZE + 3


def hash64(data, seed=0):
    return xxhash.xxh3_64_intdigest(bytes(data), seed=seed)


def checksum(data, seed):
    return (hash64(data, seed) & 0xFFFFFFFF).to_bytes(4, "little")


def number(data, at, length):
    return int.from_bytes(data[at : at + length], "little")


class Map:
    """A mapped level of docs/format.md: its index lines and blocks."""

    def __init__(self, data):
        self.data = data
        self.lines = number(data, 16, 4)
        entries = (number(data, HEADER + LINE * line + 8 * slot, 8)
                   for line in range(self.lines) for slot in range(1, 8))
        self.blocks = sorted({entry & (1 << 40) - 1 for entry in entries if entry})
        self.sizes = {at: number(data, at + SIZE, 3) for at in self.blocks}

    def diagrams(self, at):
        """The bytes of the diagrams of a large block, each behind its checksum."""
        offsets = (number(self.data, at + OFFSETS + 3 * relative, 3) for relative in range(20))
        roots = sorted({offset for offset in offsets if offset})
        return [(at + root, at + end) for root, end in
                zip(roots, [root - 4 for root in roots[1:]] + [self.sizes[at]])]

    def sealed(self, data):
        """Forged bytes with sound checksums; extents are those of the original."""
        data = bytearray(data)
        for at in self.blocks:
            size = self.sizes[at]
            head = size if size <= SMALL else HEAD
            if size > SMALL:
                for root, end in self.diagrams(at):
                    data[root - 4 : root] = checksum(data[root:end], root)
            data[at : at + 4] = checksum(data[at + 4 : at + head], at + 4)
        for line in range(self.lines):
            start = HEADER + LINE * line
            struct.pack_into("<Q", data, start, hash64(data[start + 8 : start + LINE], line))
        struct.pack_into("<Q", data, 56, hash64(data[:56]))
        return bytes(data)


def forge(original, choose):
    """The kind of a forgery, and its bytes."""
    data = bytearray(original.data)
    kind = choose.choice(["bound", "offset", "node", "node", "index", "header"])
    for _ in range(choose.choice([1, 1, 2, 10])):
        at = choose.choice(original.blocks)
        if kind == "bound":
            data[at + BOUNDS + choose.randrange(20)] = choose.choice([choose.randrange(256), 0x10, 0x21, 0, 15])
        elif kind == "offset":
            start = at + OFFSETS + 3 * choose.randrange(21)
            value = choose.choice([choose.randrange(1 << 24), choose.randrange(original.sizes[at]), 0xFFFFFF, 0])
            data[start : start + 3] = value.to_bytes(3, "little")
        elif kind == "node" and original.sizes[at] > HEAD:
            data[choose.randrange(at + HEAD, at + original.sizes[at])] ^= 1 << choose.randrange(8)
        elif kind == "index":
            start = HEADER + LINE * choose.randrange(original.lines) + 8 * choose.randrange(1, 8)
            entry = number(data, start, 8)
            value = choose.choice([0, entry ^ 1 << choose.randrange(64), 2**64 - 1, entry >> 40 << 40 | at,
                                   entry >> 40 << 40 | len(data)])
            struct.pack_into("<Q", data, start, value)
        elif kind == "header":
            start, length = choose.choice([(12, 4), (16, 4), (20, 4), (24, 8), (32, 6), (38, 2), (48, 8)])
            value = choose.choice([0, 1, 2, 7, 255, 2**16 - 1, 2**31, 2**48 - 1, 2**64 - 1, len(data)])
            data[start : start + length] = value.to_bytes(8, "little")[:length]
    return kind, original.sealed(data)


def endings(count, choose):
    """Lines with random endings of one or two cards in each hand."""
    for _ in range(count):
        each = choose.choice([1, 2, 2, 2])
        pack = choose.sample([suit + rank for suit in "SHDC" for rank in "AKQJ"], 4 * each)
        hands = (pack[seat * each : (seat + 1) * each] for seat in range(4))
        text = " ".join(".".join("".join(card[1] for card in sorted(hand, key=lambda card: "AKQJ".index(card[1]))
                                         if card[0] == suit) for suit in "SHDC") for hand in hands)
        yield f"{choose.choice(['NT', *'SHDC'])} {choose.choice('NESW')} N:{text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--forgeries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    program, choose = given.program.resolve(), random.Random(given.seed)
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "SETROGRADE_DB": "none"}

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    counts, faults = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        database, questions = Path(folder) / "db", Path(folder) / "questions"
        shutil.copytree(root / "data/golden", database)
        asked = list(dict.fromkeys(endings(300, choose)))
        questions.write_text("\n".join(asked) + "\n")

        def run(*arguments):
            try:
                ended = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20,
                                       env=environment, preexec_fn=limits)
            except subprocess.TimeoutExpired:
                return None, "", "no answer within 20 s"
            return ended.returncode, ended.stdout, ended.stderr

        def answers(text):
            return dict(line.split("\t") for line in text.splitlines() if "\t" in line)

        truth = answers(run("solve", "--db", "none", str(questions))[1])
        assert len(truth) == len(asked), f"{len(truth)} of {len(asked)} lines have an answer"
        maps = {path: Map(path.read_bytes()) for path in sorted(database.glob("level-*.map"))}
        assert maps and all(level.sealed(level.data) == level.data for level in maps.values()), "the layout is another one"

        for forgery in range(given.forgeries):
            path = choose.choice(list(maps))
            kind, forged = forge(maps[path], choose)
            path.write_bytes(forged)
            status, printed, error = run("query", "--db", str(database), "--threads", "1", str(questions))
            found = answers(printed)
            wrong = sum(truth[line] != answer for line, answer in found.items())
            if status not in (0, 1, 3) or "panicked" in error:
                faults.append((forgery, kind, "query", status, error[-200:]))
            outcome = "wrong" if wrong else "right" if len(found) == len(asked) else "refused"
            counts[kind, outcome] += 1
            if wrong or forgery % 8 == 0:
                status, _, error = run("db", "verify", "--db", str(database), "--endings", "10")
                if status not in (0, 1) or "panicked" in error or (wrong and status == 0):
                    faults.append((forgery, kind, "verify", status, error[-200:]))
            path.write_bytes(maps[path].data)
    for (kind, outcome), count in sorted(counts.items()):
        print(f"{kind:8} {outcome:8} {count:7,}")
    for fault in faults:
        print("fault:", *fault)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print(f"{given.forgeries - len(faults)} of {given.forgeries} held; at most {peak} MB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
