#!/usr/bin/env python3
"""Asks `setrograde-serve` everything at its most expensive, one request at a time.

    cargo build --release -p setrograde-serve && lab/scripts/serve_limits.py target/release/setrograde-serve

The requests come from /openapi.json: each path and method, with each of its parameters at the value that costs
most, about several hard questions. Each must be answered or refused within --time + 0.5 s, and 0.2 s of
processor time later no work must be left. Exits with 1 if one is not.
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from urllib.parse import quote

HIDDEN = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?"
BLIND = "NT N N:AQ2.KJ3.A54.K432 ? ? ?"
ENDING = "NT S N:AQ4... ? 532... ? out=KJT987..."
SIX = "NT S N:AQ.K2.A3. ? 43.A5.K2. ? out=KJT9.QJT9.QJT9."
OPEN = "NT N N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
LAYOUTS = ["N:AQ4... KJT... 532... 987...", "N:AQ4... 987... 532... KJT..."]
QUESTIONS = [HIDDEN, BLIND, ENDING, SIX, OPEN, OPEN[5:]]
WORDS = {
    "question": QUESTIONS,
    "north": ["KJ97", "AQT8642", "K9532"],
    "south": ["53", "KJ9", "QJ4"],
}
CONDITIONS = [
    "E.losers=9,W.losers=4",
    "|".join(f"E.hcp={n},W.S.top5>=1,W.losers={n % 9}" for n in range(0, 12)),
    # The largest that are read, and some that are larger.
    "(" + "|".join(["E+SK"] * 250) + ")" + ",E+SK" * 15,
    ",".join(f"E.hcp={n % 9}-{n % 20 + 9}" for n in range(500)),
    ("(" + "|".join(["E+SK"] * 256) + ")" + ",E+SK" * 12_000)[:60_000],
    ("not (" + "|".join(["E.S=2,W.hcp=3-5"] * 6000))[:60_000] + ")",
    "E.balanced,W.balanced|" + "|".join(f"E.hcp={n}-{n + 3},W.H.top5>={n % 3}" for n in range(0, 20)),
]
# As long as a request line allows: each part once cost a copy of all parts before it.
LONG_CONDITIONS = [
    "(" + "|".join(["E+SK"] * 256) + ")" + ",E+SK" * 5000,
    ",".join(["E+SK"] * 7000),
    "(" * 20000,
    "|".join(f"E.hcp={n % 37}" for n in range(3000)),
]


def values(parameter):
    """The most expensive values."""
    name, schema = parameter["name"], parameter["schema"]
    if name == "if":
        return CONDITIONS
    if "maximum" in schema:
        return [schema["maximum"]]
    known = {
        "until": ["0.0001"], "limit": ["18446744073709551615"], "vacant": [[13, 13]], "entries": [[9, 9], [2, 3]],
        "contract": ["3NT"], "contracts": ["3NT"], "layouts": [LAYOUTS], "line": ["rest"], "count": [4294967295],
        "board": [], "text": [],
    }
    if name in known:
        return known[name]
    kind = schema.get("type")
    return {"boolean": ["true"], "integer": ["1", "7"]}.get(kind, ["all", "fitted", "S", "NS", "1"])


def questions(operation):
    """The words of a path, in all ways, with the options that it must have."""
    parameters = operation.get("parameters", [])
    names = [p["name"] for p in parameters]
    needed = {p["name"]: values(p)[0] for p in parameters if p.get("required") and p["name"] not in WORDS}
    if "north" in names:
        return [dict(zip(["north", "south"], pair)) for pair in zip(WORDS["north"], WORDS["south"])]
    if "question" in names:
        return [{"question": text, **needed} for text in WORDS["question"]]
    return [needed]


def files():
    """Files to post, by name."""
    rng = random.Random(3)
    cards = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]

    def deal():
        rng.shuffle(cards)
        hands = [cards[13 * n:13 * n + 13] for n in range(4)]
        suit = lambda hand, s: "".join(c[1] for c in hand if c[0] == s)
        return "N:" + " ".join(".".join(suit(hand, s) for s in "SHDC") for hand in hands)

    deals = [deal() for _ in range(8000)]
    return {
        "deals": "".join(deal + "\n" for deal in deals),
        "positions": "".join(f"NT N {deal}\n" for deal in deals),
        "boards": "".join(f'[Deal "{deal}"]\n[Contract "3NT"]\n[Declarer "S"]\n\n' for deal in deals[:6000]),
        "hidden": (HIDDEN + "\n") * 10000,
        "endings": (ENDING + "\n") * 20000,
        "blanks": "\n" * 1_000_000,
        "brackets": "(" * 1_000_000,
        "conditions": (f"{ENDING} if=" + "E+SK," * 12_000 + "E+SK\n") * 16,
        "alternatives": (f"{ENDING} if=" + "(E+SK|W+SK)," * 5000 + "E+SK\n") * 16,
        "tags": "[Deal " * 150_000,
    }


class Server:
    """A server that `command` starts at any free port. Unless `read`, the caller reads what it says."""

    def __init__(self, *command, read=True):
        self.process = subprocess.Popen([*command, "--port", "0"], stderr=subprocess.PIPE, text=True)
        line = next(line for line in self.process.stderr if "http://" in line)
        self.port = int(re.search(r":(\d+)/", line)[1])
        if read:
            threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def ask(self, method, target, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def processor_time(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def working(self):
        return int(re.search(r"^setrograde_working (\d+)", self.ask("GET", "/metrics")[1], re.M)[1])


def any_questions(path, document):
    """Questions in JSON, with the options that cost most in those that have them."""
    schemas = document["components"]["schemas"]
    kinds = {name.removesuffix("_question"): schemas[name] for name in schemas if name.endswith("_question")}
    costly = {"draw": 1_000_000, "count": 4294967295, "until": 0.0001, "limit": 2**63, "all": True, "tricks": 7}
    for name, schema in kinds.items():
        # A question with an option that it does not have is refused at once.
        known = {key: value for key, value in costly.items() if key in schema["properties"]}
        for text in QUESTIONS:
            for options in [{}, known, {"if": CONDITIONS[:1]}] + [{key: value} for key, value in known.items()]:
                body = {"ask": name, "question": text, **options}
                yield "POST", path, json.dumps(body), {"Content-Type": "application/json", "X-File": name}
        body = [{"ask": name, "question": text} for text in QUESTIONS] * 300
        yield "POST", path, json.dumps(body), {"Content-Type": "application/json", "X-File": f"{name} x {len(body)}"}


def encoded(names):
    """Names and values as a query; a list has its name several times."""
    pairs = ((name, one) for name, value in names.items() for one in (value if isinstance(value, list) else [value]))
    return "&".join(f"{name}={quote(str(value))}" for name, value in pairs)


def requests(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "questions" not in operation["tags"]:
                continue
            get = methods.get("get")
            if get is None:
                yield from any_questions(path, document)
                continue
            options = [p for p in get.get("parameters", []) if not p.get("required") and p["name"] not in WORDS]
            choices = [{}] + [{p["name"]: value} for p in options for value in values(p)]
            choices += [{p["name"]: long} for p in options if p["name"] in ("if", "where") for long in LONG_CONDITIONS]
            costly = {p["name"]: values(p)[0] for p in options if p["name"] in ("if", "all", "draw", "limit", "until")}
            choices.append(costly)
            if method == "get":
                for words in questions(get):
                    for chosen in choices:
                        yield "GET", f"{path}?{encoded({**words, **chosen})}", None, {}
                continue
            for words in questions(get):
                yield "POST", path, encoded({**words, **costly}), {"Content-Type": "application/x-www-form-urlencoded"}
                yield "POST", path, encoded({**words, "if": LONG_CONDITIONS[0] * 16}), {"Content-Type": "application/x-www-form-urlencoded"}
            for name, text in files().items():
                yield "POST", path, text[:1_000_000], {"Content-Type": "text/plain", "X-File": name}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the path or query")
    parser.add_argument("--slack", type=float, default=0.5, help="seconds beyond --time")
    arguments = parser.parse_args()
    server = Server(arguments.program, "--time", str(arguments.time))
    document = json.loads(server.ask("GET", "/openapi.json")[1])
    count, worst, wrong, statuses = 0, (0, ""), 0, {}
    for method, target, body, headers in requests(document):
        if arguments.only not in target:
            continue
        begun = time.monotonic()
        status, text = server.ask(method, target, body, headers)
        took = time.monotonic() - begun
        used = server.processor_time()
        # Unfinished work shows as processor time, independent of other load on the machine.
        while server.working() and server.processor_time() - used < 1 and time.monotonic() - begun < 30:
            time.sleep(0.01)
        left = server.processor_time() - used
        count += 1
        statuses[status] = statuses.get(status, 0) + 1
        name = f"{method} {headers.get('X-File', '')} {target[:150]}"
        worst = max(worst, (took, name))
        if took > arguments.time + arguments.slack or left > 0.2 or status >= 500 and status != 504:
            wrong += 1
            print(f"{took:.2f} s, then {left:.2f} s of the processor, {status}: {name} {text[:200]}", flush=True)
    server.process.terminate()
    print(f"{count} requests, {wrong} not within the limits; {statuses}; the longest {worst[0]:.2f} s: {worst[1]}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
