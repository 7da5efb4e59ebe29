#!/usr/bin/env python3
"""Keeps `setrograde-serve` under mixed load, hostile requests among it, and looks at its memory.

    cargo build --release -p setrograde-serve && lab/scripts/serve_hours.py target/release/setrograde-serve --minutes 60

At the same time: small questions with known answers; files of boards; the most expensive questions,
whose clients leave at once, wait for an answer or ask for another while they wait; mutated
requests; heads and bodies that come a byte a second or never. Each minute it prints the requests,
the resident memory and the work under way. Exits with 1 if a small answer changes or is refused, if
work remains after all clients have left, if a core no longer answers, or if the memory of the last
quarter is more than 10 % and 4 MiB above that of the second.
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
from serve_limits import CONDITIONS, QUESTIONS, Server, files

COSTLY = {"draw": 1_000_000, "until": 0.0001, "limit": 2**63, "all": True, "tricks": 7}
KINDS = ["solve", "table", "par", "claim", "odds", "analyse", "lesson", "layouts", "single_dummy", "deal"]


class Load:
    def __init__(self, port, seconds, limit, seed):
        self.port, self.end, self.limit, self.seed = port, time.monotonic() + seconds, limit, seed
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

    def costly(self, chance):
        body = {"ask": chance.choice(KINDS), "question": chance.choice(QUESTIONS)}
        if chance.random() < 0.5:
            body |= {key: COSTLY[key] for key in chance.sample(sorted(COSTLY), 2)}
        if chance.random() < 0.3:
            body["if"] = [chance.choice(CONDITIONS)]
        body = json.dumps([body] * chance.choice([1, 1, 200]))
        head = f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.raw((head + body).encode(), chance.choice([0, 0.1, 1, self.limit + 5]))

    def file(self, chance):
        text = self.files[chance.choice(sorted(self.files))]
        text = text[: chance.choice([2_000, 50_000, 1_000_000])]
        path = chance.choice(["table", "solve", "claim", "analyse", "odds"])
        head = f"POST /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\n\r\n"
        self.raw((head + text).encode(), chance.choice([0, 0.5, self.limit + 5]))

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
        """Sends a request and reads for some seconds."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            connection.sendall(raw)
            if patience:
                connection.settimeout(patience)
                answer = connection.recv(1 << 16)
                self.counts[answer[9:12].decode(errors="replace")] += 1

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # Small caches fill early, and memory grows no more.
    options = ["--time", str(asked.time), "--at-once", "2", "--cache", "32M"]
    server = Server(asked.program, *options)
    process = server.process
    load = Load(server.port, 60 * asked.minutes, asked.time, asked.seed)
    load.files = files()
    load.learn()

    def status():
        text = open(f"/proc/{process.pid}/status").read()
        resident, threads = (int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "Threads"))
        metrics = server.ask("GET", "/metrics")[1]
        working, stuck = (int(re.search(rf"^setrograde_{name} (\d+)", metrics, re.M)[1]) for name in ("working", "stuck"))
        return resident / 1024, threads, working, stuck

    kinds = ["small", "small", "costly", "costly", "file", "mutated", "slow", "slow", "slow"]
    threads = [threading.Thread(target=load.run, args=(kind, number)) for number, kind in enumerate(kinds)]
    for thread in threads:
        thread.start()
    memory = []
    while load.end > time.monotonic() and process.poll() is None:
        time.sleep(min(60, max(load.end - time.monotonic(), 0)))
        resident, alive, working, stuck = status()
        memory.append(resident)
        counts = dict(sorted(load.counts.items()))
        print(f"{len(memory)}: {resident:.1f} MiB, {alive} threads, {working} working, {stuck} stuck, {counts}", flush=True)
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
    print(f"{total} requests in {asked.minutes} minutes: {second:.1f} MiB in the second quarter, {last:.1f} MiB in the last")
    print(*(f"wrong: {problem}" for problem in problems), sep="\n")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
