#!/usr/bin/env python3
"""Asks two programs the same questions, more than 800, through all commands, as text and as JSON, and shows what differs.

    scripts/same_answers.py OLD NEW [--show N]

OLD and NEW are two builds of `setrograde`. Objects are compared as objects, without times; the
order of their names does not matter, nor do empty lines at the end. Exit status 1 if any answer differs.
"""

import argparse
import difflib
import json
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RANKS, SEATS, STRAINS = "AKQJT98765432", "NESW", ["NT", "S", "H", "D", "C"]
TIMES = re.compile(r"\d+(\.\d+)?(e-?\d+)?( s\b| ms\b)")
EVENING, MATCH = "data/samples/evening.pbn", "data/samples/match.lin"
CONDITIONS = ["E+HK", "W.S=0-2", "E.hcp=11-15", "W-HA", "E.balanced", "W.S=3|W.S=1", "E.controls>2", "W.losers<8", "N+HK"]


def hand(cards):
    return ".".join("".join(rank for rank in RANKS if (suit, rank) in cards) for suit in "SHDC")


def hands(generator, tricks):
    pack = [(suit, rank) for suit in "SHDC" for rank in RANKS]
    generator.shuffle(pack)
    return [set(pack[seat * tricks : (seat + 1) * tricks]) for seat in range(4)]


def ending(generator, tricks):
    """STRAIN LEADER DEAL."""
    strain, leader = generator.choice(STRAINS), generator.choice(SEATS)
    return f"{strain} {leader} N:" + " ".join(map(hand, hands(generator, tricks)))


def hidden(generator, tricks, leader=None):
    """A question in which East and West are hidden."""
    north, east, south, west = hands(generator, tricks)
    strain, leader = generator.choice(STRAINS), leader or generator.choice("NS")
    return f"{strain} {leader} N:{hand(north)} ? {hand(south)} ? out={hand(east | west)}"


def questions():
    """The words of each command."""
    generator = random.Random(45)
    asked = []

    def ask(*words, json=True):
        asked.append(list(words))
        if json:
            asked.append([*words, "--json"])

    for number in range(12):
        text = ending(generator, 1 + number % 5)
        for words in [[], ["--all"], ["--best"], ["--one", "--tricks", "1"], ["--count"]]:
            ask("solve", *words, text)
        deal = text.split(" ", 2)[2]
        ask("table", deal)
        ask("par", "--vulnerable", ["none", "NS", "EW", "both"][number % 4], deal)
        if number < 3:
            ask("par", deal)
            ask("table", "--format", ["numbers", "pbn", "digits"][number], deal, json=False)
        ending_of = ending(generator, 1 + number % 3)
        ask("query", ending_of)
        ask("query", "--explain", ending_of, json=False)
        ask("query", "--count", "--db", "data/golden", ending(generator, 2))
        ask("db", "sets", "--db", "data/golden", *["--count"][: number % 2], ending(generator, 2))
    for number in range(14):
        text = hidden(generator, 2 + number % 3)
        condition = CONDITIONS[number % len(CONDITIONS)]
        ask("odds", hidden(generator, 2 + number % 2))
        ask("odds", "--all", "--by-split", hidden(generator, 3))
        ask("odds", "--draw", "60", "--all", text)
        ask("odds", "--if", condition, hidden(generator, 3))
        ask("single-dummy", hidden(generator, 2 + number % 2))
        ask("single-dummy", "--tricks", "2", "--plan", hidden(generator, 3))
        ask("layouts", "--draw", "3", "--if", condition, text)
        ask("claim", text)
        ask("claim", "--tricks", "2", text)
        ask("claim", "--all", text)
        ask("claim", "--explain", "--tricks", str(1 + number % 3), text, json=False)
        ask("claim", "--plan", "--tricks", "1", text, json=False)
        ask("claim", "--assume", "--tricks", "2", hidden(generator, 2))
        ask("claim", "--explain", hidden(generator, 4), json=False)
        ask("claim", "line", text, "rest")
        ask("claim", "adjudicate", "--by", "NESW"[number % 4], "--tricks", str(number % 3), ending(generator, 4))
    whole = [hand(cards) for cards in hands(generator, 13)]
    ask("leads", "3NT", "--draw", "12", whole[0])
    ask("leads", "4SE", "--draw", "12", "--if", "N.hcp=12-20", whole[1])
    ask("compare", "3NT,4S,4HX", "--draw", "12", whole[0], whole[2])
    ask("compare", "5CN,1NTS", "--vulnerable", "both", "--draw", "8", f"N:{whole[0]} ? {whole[2]} ?")
    ask("deal", "4", "--if", "N.balanced,N.hcp=15-17", "--seed", "7", json=False)
    ask("deal", "3", "--format", "lines", "--hands", f"N:{whole[0]} ? ? ?", json=False)
    for north, south in [("AQT9", "432"), ("AJT98", "Kxx"), ("KJxx", "A9x"), ("Qxx", "Axxx"), ("AKJ", "T9x"), ("-", "AQJ")]:
        ask("suit", north, south)
        ask("suit", "--all", north, south)
        ask("suit", "--tricks", "2", "--vacant", "10", "12", north, south)
    for file in [EVENING, MATCH]:
        ask("analyse", "--board", "1-3", file)
        ask("analyse", "--explain", "--board", "2", file, json=False)
        ask("claim", "--board", "1-3", "--limit", "300", file)
        ask("solve", "--board", "1-3", file)
        ask("solve", "--all", "--board", "1-2", file)
        ask("table", "--board", "1", file)
        ask("par", "--board", "1", file)
    for play in ["", " SA S3 S4 S6", " SA S3 S4 S6 SQ SK S5 S7"]:
        ask("analyse", "NT N N:AQ... K3... 54... 76..." + play)
        ask("analyse", "--explain", "NT N N:AQ... K3... 54... 76..." + play, json=False)
    for wrong in ["NT", "X S N:A...", "NT W N:AK.2.. QJ.A.. 32..X. ..K2.A", "NT S N:A... ? K... ?", "NT N N:A... 2... 3... 4... SK"]:
        for command in ["solve", "table", "par", "analyse", "query", "db sets", "claim", "odds", "single-dummy", "layouts"]:
            ask(*command.split(), wrong)
    for words in [["db", "stats"], ["db", "stats", "--db", "data/golden"], ["db", "chunks", "--cards", "12", "--chunks", "3"]]:
        ask(*words)
    ask("db", "verify", "--db", "data/golden", "--endings", "10")
    ask("db", "digest", "--db", "data/golden", json=False)
    return asked


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(of) for name, of in value.items() if not name.endswith("seconds")}
    return [without_times(of) for of in value] if isinstance(value, list) else value


def plain(line):
    """A line of output without what a second run changes."""
    try:
        return json.dumps(without_times(json.loads(line)), sort_keys=True, ensure_ascii=False)
    except ValueError:
        return TIMES.sub("TIME", line)


def answer(program, words):
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, cwd=ROOT, timeout=120)
    lines = (done.stdout.rstrip() + b"\n" + done.stderr).decode(errors="replace").splitlines()
    return [f"exit status {done.returncode}", *map(plain, lines)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--show", type=int, default=20, help="differences that are shown")
    arguments = parser.parse_args()
    asked = questions()
    programs = [path.resolve() for path in (arguments.old, arguments.new)]
    with ThreadPoolExecutor(2) as workers:
        old, new = (workers.map(lambda words, program=program: answer(program, words), asked) for program in programs)
        different = [(words, *pair) for words, *pair in zip(asked, old, new) if pair[0] != pair[1]]
    for words, before, after in different[: arguments.show]:
        print("$ setrograde", " ".join(f"'{word}'" if " " in word else word for word in words))
        print(*difflib.unified_diff(before, after, "old", "new", lineterm="", n=0), sep="\n")
    print(f"{len(asked)} questions, {len(different)} answers differ")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
