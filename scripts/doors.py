#!/usr/bin/env python3
"""Asks twenty questions of each kind through all interfaces, and compares the answers name by name.

    scripts/doors.py PROGRAM SERVER LIBRARY [--npm DIRECTORY] [--each N] [--seed N]

PROGRAM is `setrograde`, SERVER `setrograde-serve` and LIBRARY the shared library of `sg_ask`
(`libsetrograde_ask.so`). The npm package in DIRECTORY is asked by Node, and the package of Python
if it can be imported. The command is not asked about the cards that matter, which are a part of its
lessons; half of the kinds are asked for text as well. All must use the 12 cards inside them: which
of several sets of cards matters depends on the database. tests/it/doors.rs compares the command
with the desk of the Rust crate in the same way. Exit status 1 if any answer differs.
"""

import argparse
import ctypes
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "lab/scripts"))

from same_answers import STRAINS, hand, hands
from serve_limits import Server

NOT_OF_COMMAND = {"matter", "position"}
MOST_BYTES = 16 << 20


def ending(generator, tricks):
    return f"{generator.choice(STRAINS)} W N:" + " ".join(map(hand, hands(generator, tricks)))


def hidden(generator, tricks):
    """A question with the hands of North and South, the unseen cards, and some layouts."""
    north, east, south, west = hands(generator, tricks)
    layouts = []
    for _ in range(3):
        out = sorted(east | west)
        generator.shuffle(out)
        layouts.append("N:" + " ".join(map(hand, [north, set(out[:tricks]), south, set(out[tricks:])])))
    return f"{generator.choice(STRAINS)} S N:{hand(north)} ? {hand(south)} ? out={hand(east | west)}", layouts


def questions(generator, kind):
    """The options in JSON, and the words of the command; None for a kind that has only its example."""
    seed = generator.randrange(100)
    drawn, words = {"draw": 20, "seed": seed}, ["--draw", "20", "--seed", str(seed)]
    text = hidden(generator, generator.choice([2, 3]))[0]
    open_cards = ending(generator, 3)
    whole = [hand(cards) for cards in hands(generator, 13)]
    if kind == "solve":
        way = generator.choice(["all", "best", "one"])
        return {"question": open_cards, way: True}, ["solve", f"--{way}", open_cards]
    if kind in ("table", "par"):
        deal = "N:" + " ".join(map(hand, hands(generator, 2)))
        if kind == "table":
            return {"question": deal}, ["table", deal]
        sides = generator.choice(["none", "NS", "EW", "both"])
        return {"question": deal, "vulnerable": sides, "dealer": "E"}, ["par", "--vulnerable", sides, "--dealer", "E", deal]
    if kind == "query":
        return {"question": open_cards, "count": True}, ["query", "--count", open_cards]
    if kind in ("analyse", "matter", "position"):
        return {"question": open_cards}, ["analyse", open_cards]
    if kind == "claim":
        return {"question": text, "tricks": 1, "explain": True}, ["claim", "--tricks", "1", "--explain", text]
    if kind == "line":
        return {"question": text}, ["claim", "line", text]
    if kind == "adjudicate":
        return {"question": open_cards, "by": "N", "tricks": 1}, ["claim", "adjudicate", "--by", "N", "--tricks", "1", open_cards]
    if kind == "odds":
        if generator.random() < 0.5:
            return {"question": text, "all": True, "by_split": True}, ["odds", "--all", "--by-split", text]
        return {"question": text, "if": ["E.hcp=0-30"], **drawn}, ["odds", "--if", "E.hcp=0-30", *words, text]
    if kind == "single_dummy":
        return {"question": text}, ["single-dummy", text]
    if kind == "best_line":
        text, layouts = hidden(generator, 3)
        return {"question": text, "layouts": layouts}, ["single-dummy", "--layouts", "\n".join(layouts), text]
    if kind == "layouts":
        return {"question": text, **drawn}, ["layouts", *words, text]
    if kind == "suit":
        north = generator.choice(["AQ", "KJ32", "AJT", "Q98xx"])
        return {"north": north, "south": "765", "all": True}, ["suit", "--all", north, "765"]
    if kind == "results":
        evening = ROOT / "data/samples/evening.pbn"
        return {"boards": evening.read_text()}, ["analyse", "--format", "results", str(evening)]
    few, words = {"draw": 2, "seed": seed}, ["--draw", "2", "--seed", str(seed)]
    if kind == "leads":
        return {"question": whole[0], "contract": "3NT", **few}, ["leads", *words, "3NT", whole[0]]
    if kind == "compare":
        return {"question": f"{whole[0]} {whole[2]}", "contracts": "3NT,4S", **few}, ["compare", *words, "3NT,4S", whole[0], whole[2]]
    if kind == "lesson":
        deal = "N:" + " ".join(whole)
        return {"question": deal, "limit": 1000, **few}, ["lesson", "--limit", "1000", *words, deal]
    if kind == "deal":
        way = generator.choice(["if", "dealer", "mix"])
        if way == "dealer":
            script = ROOT / "data/samples/stayman.dlr"
            asked = {"count": 2, "seed": seed, "dealer": script.read_text()}
            return asked, ["deal", "2", "--seed", str(seed), "--dealer", str(script)]
        if way == "mix":
            mix = "60 % strong, 40 % other"
            asked = {"count": 5, "seed": seed, "mix": mix, "name": {"strong": "N.hcp>=20"}}
            return asked, ["deal", "5", "--seed", str(seed), "--mix", mix, "--name", "strong=N.hcp>=20"]
        return {"count": 3, "seed": seed, "if": ["N.balanced"]}, ["deal", "3", "--seed", str(seed), "--if", "N.balanced"]
    return None


class Library:
    def __init__(self, path):
        library = ctypes.CDLL(str(path))
        library.sg_desk_new.restype = ctypes.c_void_p
        self.desk = library.sg_desk_new(None)
        self.ask_at = library.sg_desk_ask
        self.ask_at.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_size_t]
        self.room = ctypes.create_string_buffer(MOST_BYTES)

    def ask(self, asked):
        self.ask_at(self.desk, json.dumps(asked).encode(), 60.0, self.room, MOST_BYTES)
        return json.loads(self.room.value)


# Asks a question a line.
NODE = """
import { createInterface } from "node:readline";
const { createEngine, QuestionError } = await import(process.argv[1]);
const engine = await createEngine({ levels: [] });
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try { answer = engine.ask(JSON.parse(line)); } catch (error) {
    if (!(error instanceof QuestionError)) throw error;
    answer = error.refusal;
  }
  console.log(JSON.stringify(answer));
}
"""


class Package:
    def __init__(self, directory):
        words = ["node", "--input-type=module", "-e", NODE, (directory / "index.mjs").as_uri()]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Program:
    def __init__(self, program):
        self.program = program

    def run(self, words):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            if "--layouts" in words:
                at = words.index("--layouts") + 1
                file.write(words[at])
                file.flush()
                words = [*words[:at], file.name, *words[at + 1 :]]
            done = subprocess.run([self.program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        return done.stdout

    def ask(self, words):
        return json.loads(self.run([words[0], *words[1:], "--json"]))


def differences(one, other, at=""):
    """The paths at which two values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            if (name in one) != (name in other):
                yield f"{at}.{name}: only one has it"
            else:
                yield from differences(one[name], other[name], f"{at}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{at}[{number}]")
    elif one != other and not (isinstance(one, float) and math.isclose(one, other, rel_tol=1e-14)):
        # The last digit of a chance may differ on a machine of 32 bits, as WebAssembly is.
        yield f"{at}: {one!r} and {other!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("server", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("--npm", type=Path, help="directory of the npm package, as target/npm/package")
    parser.add_argument("--each", type=int, default=20, help="questions of each kind")
    parser.add_argument("--seed", type=int, default=60)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    program, library, server = Program(arguments.program.resolve()), Library(arguments.library.resolve()), Server(arguments.server.resolve(), "--time", "60")
    doors = {"C": library.ask, "HTTP": lambda asked: json.loads(server.ask("POST", "/ask", json.dumps(asked))[1])}
    if arguments.npm:
        doors["npm"] = Package(arguments.npm.resolve()).ask
    try:
        import setrograde

        desk = setrograde.Desk()
        doors["Python"] = lambda asked: desk.ask(**{f"{name}_" if name == "if" else name: value for name, value in asked.items()})
    except ImportError:
        print("Python's package is not installed, and not asked")
    kinds = library.ask({"ask": ""})["error"].split("expected one of ")[1].split(", found")[0].split(", ")
    paths = json.loads(server.ask("GET", "/openapi.json", "")[1])["paths"]
    bodies = {path: of["post"]["requestBody"]["content"] for path, of in paths.items() if "post" in of}
    examples = {path: body["application/json"].get("example") for path, body in bodies.items()}
    asked = wrong = 0
    try:
        for kind in kinds:
            for number in range(arguments.each):
                options, words = questions(generator, kind) or (examples[f"/{kind}"], None)
                question = {"ask": kind, **options}
                if number % 2:
                    question["text"] = True
                answers = {name: ask(question) for name, ask in doors.items()}
                if words and kind not in NOT_OF_COMMAND:
                    answers["command"] = program.ask(words)
                first = answers["C"]
                for name, answer in answers.items():
                    asked += 1
                    expected = dict(first)
                    if name == "command":
                        # The command has it as text alone, and says how a refusal came about as its exit status.
                        expected.pop("text", None)
                        expected.pop("because", None)
                    found = list(differences(expected, answer))
                    wrong += bool(found)
                    for line in found[:5]:
                        print(f"{json.dumps(question)}: C and {name}: {line}")
    finally:
        server.process.terminate()
        server.process.wait()
    print(f"{len(kinds)} kinds, {asked} answers through {len(doors) + 1} interfaces, {wrong} differ")
    sys.exit(bool(wrong))


main()
