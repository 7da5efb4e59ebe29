#!/usr/bin/env python3
"""Keeps `setrograde-serve` under mixed load, hostile requests among it, and looks at its memory.

    cargo build --release -p setrograde-serve && lab/scripts/serve_hours.py target/release/setrograde-serve --minutes 60

At the same time: small questions with known answers; files of boards; the most expensive questions,
whose clients leave at once, wait for an answer or ask for another while they wait; conditions of 64
KB to 1 MB; deep and wide JSON; mutated requests; requests for other hosts and from other sites; heads
and bodies that come a byte a second or never. Each minute it prints the requests, the resident memory,
the work under way, and the 99th percentile of the small answers' times in the server's log. Exits
with 1 if a small answer changes or is refused, if another site is answered, if work remains after all
clients have left, if a core no longer answers, or if the memory of the last quarter is more than 10 %
and 4 MiB above that of the second. `--pause` is the time that each client waits after an answer, for
a machine with other work.
"""

import argparse
import collections
import http.client
import json
import random
import re
import socket
import sys
import threading
import time
import urllib.parse

from serve_fuzz import REQUESTS, request
from serve_limits import CONDITIONS, ENDING, LONG_CONDITIONS, QUESTIONS, Server, files

COSTLY = {"draw": 1_000_000, "until": 0.0001, "limit": 2**63, "all": True, "tricks": 7}
KINDS = ["solve", "table", "par", "claim", "odds", "analyse", "lesson", "layouts", "single_dummy", "deal"]


# Each costs most to read, and is refused.
WIDE = [
    "[" * 900_000,
    '{"a":' * 150_000,
    "{" + ",".join(f'"{n:x}":1' for n in range(90_000)) + "}",
    "[" + ",".join(["{}"] * 300_000) + "]",
    json.dumps([{"ask": "par"}] * 10_000),
    json.dumps({"ask": "odds", "question": ENDING, "--draw <" * 100_000: 1}),
]
# Each is refused with 403.
FOREIGN = [
    "Host: evil.example",
    "Host: 10.1.2.3",
    "Host: 127.0.0.1\r\nOrigin: http://evil.example",
    "Host: 127.0.0.1\r\nReferer: http://evil.example/page",
    "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\nUser-Agent: Mozilla/5.0",
    "Host: 127.0.0.1\r\nUser-Agent: Mozilla/5.0",
]


class Load:
    def __init__(self, port, seconds, limit, pause, seed):
        self.port, self.end, self.limit, self.seed = port, time.monotonic() + seconds, limit, seed
        self.pause = pause
        self.counts, self.wrong, self.expected = collections.Counter(), [], {}

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.limit + 60)

    def get(self, name, query):
        connection = self.connection()
        connection.request("GET", f"/{name}?" + urllib.parse.urlencode(query))
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def learn(self):
        for name, query in REQUESTS[:8]:
            self.expected[name, str(query)] = self.get(name, query)

    def small(self, chance):
        """Small questions, with the answers of the beginning; late ones count."""
        name, query = chance.choice(REQUESTS[:8])
        status, text = self.get(name, query)
        if status == 504 or status == 503:
            self.counts["small, late"] += 1
        elif (status, text) != self.expected[name, str(query)]:
            self.wrong.append(f"{name} {query}: {status} {text[:200]}")
        time.sleep(0.02)

    def conditions(self, chance):
        """Conditions as long as a request allows, in the query or in an object."""
        long = chance.choice(LONG_CONDITIONS)
        name = chance.choice(["odds", "claim", "layouts", "single_dummy", "deal"])
        names = {"if": long} if name == "deal" else {"question": ENDING, "if": long}
        if chance.random() < 0.5:
            raw = f"GET /{name}?{urllib.parse.urlencode(names)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        else:
            names["if"] = chance.choice([long * chance.choice([1, 16]), [long] * 4, ["E+SK"] * 90_000])
            raw = self.post("/" + name, json.dumps(names), "application/json")
        self.raw(raw.encode(), chance.choice([0, 0.1, self.limit + 5]))

    def wide(self, chance):
        """JSON that is deep, has many names, or many questions."""
        raw = self.post(chance.choice(["/ask", "/odds"]), chance.choice(WIDE), "application/json")
        self.raw(raw.encode(), chance.choice([0, 0.1, self.limit + 5]))

    def foreign(self, chance):
        """Requests for another host, or from the page of another site."""
        name, query = chance.choice(REQUESTS[:8])
        raw = f"GET /{name}?{urllib.parse.urlencode(query)} HTTP/1.1\r\n{chance.choice(FOREIGN)}\r\n\r\n"
        status = self.raw(raw.encode(), self.limit + 5)
        if status not in ("403", "503"):
            self.wrong.append(f"{status}: {raw}")

    @staticmethod
    def post(path, body, kind):
        return f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n{body}"

    def costly(self, chance):
        body = {"ask": chance.choice(KINDS), "question": chance.choice(QUESTIONS)}
        if chance.random() < 0.5:
            body |= {key: COSTLY[key] for key in chance.sample(sorted(COSTLY), 2)}
        if chance.random() < 0.3:
            body["if"] = [chance.choice(CONDITIONS)]
        raw = self.post("/ask", json.dumps([body] * chance.choice([1, 1, 200])), "application/json")
        self.raw(raw.encode(), chance.choice([0, 0.1, 1, self.limit + 5]))

    def file(self, chance):
        text = self.files[chance.choice(sorted(self.files))]
        text = text[: chance.choice([2_000, 50_000, 1_000_000])]
        path = chance.choice(["table", "solve", "claim", "analyse", "odds"])
        self.raw(self.post("/" + path, text, "text/plain").encode(), chance.choice([0, 0.5, self.limit + 5]))

    def mutated(self, chance):
        self.raw(request(chance), 0.3)
        time.sleep(0.02)

    def slow(self, chance):
        """A request that comes a byte a second, until the server has enough."""
        raw = b"POST /table HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n" + b"N" * 1000
        raw = chance.choice([raw, raw[:30], b"GET /" + b"x" * 100_000, raw[:-999]])
        connection = socket.create_connection(("127.0.0.1", self.port), 5)
        at = chance.choice([0, 10, len(raw) // 2, len(raw) - 20])
        with connection:
            connection.sendall(raw[:at])
            for byte in raw[at : at + chance.choice([5, 20])]:
                connection.sendall(bytes([byte]))
                time.sleep(1)

    def raw(self, raw, patience):
        """Sends a request and reads for some seconds; returns the status, if there is one."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            connection.sendall(raw)
            if patience:
                connection.settimeout(patience)
                answer = connection.recv(1 << 16)
                status = answer[9:12].decode(errors="replace")
                self.counts[status] += 1
                return status
        return None

    def run(self, kind, number):
        chance = random.Random(f"{self.seed} {kind} {number}")
        while time.monotonic() < self.end:
            try:
                getattr(self, kind)(chance)
            except OSError as error:
                self.counts[type(error).__name__] += 1
                if kind == "small":
                    self.wrong.append(f"a small question: {error!r}")
            self.counts[kind] += 1
            time.sleep(self.pause)


def small_times(lines):
    """Collects the seconds of small answers from the lines of a log."""
    targets = {f"/{name}?" + urllib.parse.urlencode(query) for name, query in REQUESTS[:8]}
    times = []

    def read():
        for line in lines:
            match = re.search(r'"GET (\S+) \S+" 200 \d+ ([\d.]+)$', line)
            if match and match[1] in targets:
                times.append(float(match[2]))

    threading.Thread(target=read, daemon=True).start()
    return times


def percentile(times):
    """The 99th percentile, in milliseconds."""
    return 1000 * sorted(times)[len(times) * 99 // 100] if times else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # Small caches fill early, and memory grows no more.
    options = ["--time", str(asked.time), "--at-once", "2", "--cache", "32M", "--log"]
    server = Server(asked.program, *options, read=False)
    process = server.process
    times = small_times(process.stderr)
    load = Load(server.port, 60 * asked.minutes, asked.time, asked.pause, asked.seed)
    load.files = files()
    load.learn()

    def status():
        text = open(f"/proc/{process.pid}/status").read()
        resident, threads = (int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "Threads"))
        metrics = server.ask("GET", "/metrics")[1]
        working, stuck = (int(re.search(rf"^setrograde_{name} (\d+)", metrics, re.M)[1]) for name in ("working", "stuck"))
        return resident / 1024, threads, working, stuck

    kinds = ["small", "small", "costly", "costly", "file", "mutated", "slow", "slow", "slow", "conditions", "wide", "foreign"]
    threads = [threading.Thread(target=load.run, args=(kind, number)) for number, kind in enumerate(kinds)]
    for thread in threads:
        thread.start()
    memory, before = [], 0
    while load.end > time.monotonic() and process.poll() is None:
        time.sleep(min(60, max(load.end - time.monotonic(), 0)))
        resident, alive, working, stuck = status()
        memory.append(resident)
        counts = dict(sorted(load.counts.items()))
        late, before = percentile(times[before:]), len(times)
        print(f"{len(memory)}: {resident:.1f} MiB, {alive} threads, {working} working, {stuck} stuck, small {late:.0f} ms, {counts}", flush=True)
    for thread in threads:
        thread.join()
    time.sleep(asked.time + 1)
    resident, alive, working, stuck = status()
    problems = load.wrong[:10]
    if working or stuck:
        problems.append(f"{working} requests are worked on when all have left, {stuck} stuck")
    for name, query in REQUESTS[:8]:
        # On a machine with other work, an answer may be late.
        answers = (load.get(name, query) for _ in range(20))
        status, text = next((answer for answer in answers if answer[0] != 504), (504, b""))
        if (status, text) != load.expected[name, str(query)]:
            problems.append(f"at the end, {name} {query}: {status} {text[:200]}")
    quarter = max(len(memory) // 4, 1)
    second, last = max(memory[quarter : 2 * quarter] or memory), max(memory[-quarter:])
    if last > 1.1 * second + 4:
        problems.append(f"memory grows: {second:.1f} MiB in the second quarter, {last:.1f} MiB in the last")
    process.terminate()
    code = process.wait(30)
    if code:
        problems.append(f"the server ended with {code}")
    total = sum(load.counts[kind] for kind in set(kinds))
    print(f"{total} requests in {asked.minutes} minutes: {second:.1f} MiB in the second quarter, {last:.1f} MiB in the last, 99 % of {len(times)} small answers within {percentile(times):.0f} ms")
    print(*(f"wrong: {problem}" for problem in problems), sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
