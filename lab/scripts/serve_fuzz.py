#!/usr/bin/env python3
"""Sends mutated requests to `setrograde-serve`.

    cargo build --release -p setrograde-serve && lab/scripts/serve_fuzz.py target/release/setrograde-serve --requests 1000000

Each request is a valid one with changed letters, words, escapes, headers, bodies or bytes. Every
one must be answered by HTTP, or its connection closed, within the limit on time and a second; at
the end the server must answer what it answered at the beginning. Prints the counts by status, the
longest answer in seconds and the most memory of the server, and exits with 1 at the first request
that breaks this.
"""

import argparse
import collections
import contextlib
import random
import re
import select
import socket
import sys
import threading
import time
import urllib.parse

from serve_limits import Server

TABLE = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
HIDDEN = "NT S N:AQ... ? 32... ? out=KJT9..."
OPEN = "NT S N:AQ... K3... 5... 76... played=S4"
WHOLE = "NT S N:AQ... 76... 54... K3..."
REQUESTS = [
    ("table", [("question", WHOLE[5:])]),
    ("solve", [("all", ""), ("question", OPEN)]),
    ("solve", [("tricks", "1"), ("one", "true"), ("question", OPEN)]),
    ("query", [("count", ""), ("question", WHOLE)]),
    ("claim", [("tricks", "1"), ("explain", ""), ("if", "W+SK"), ("question", HIDDEN)]),
    ("odds", [("all", ""), ("by_split", ""), ("question", HIDDEN)]),
    ("analyse", [("question", "NT N N:AQ... K3... 54... 76... SA S3 S4 S6")]),
    ("suit", [("north", "AQ"), ("south", "432"), ("vacant", "10"), ("vacant", "13")]),
    ("par", [("vulnerable", "NS"), ("question", TABLE[:20])]),
    ("health", []),
    ("metrics", []),
    ("openapi.json", []),
]
BODIES = [f'[Board "1"]\n[Deal "{WHOLE[5:]}"]\n', WHOLE[5:] + "\n", "qx|1|md|1S,H|\n", OPEN + "\n"]
PIECES = ["?", "&", "=", "%", "%00", "%ff", "+", " ", ".", "-1", "99999999999999999999", "N:", "NT", "♠", "../", "x" * 3000,
          "\r\n", "\0", "question", "T", "K", "2", "|", "out=", "played=", "{", "[", "nan", "1e9"]


def changed(text, chance):
    """The text with some places replaced, doubled or left out."""
    for _ in range(chance.choice([1, 1, 2, 5])):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        kind = chance.randrange(4)
        if kind == 0:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + chance.choice(PIECES) + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + text[min(to, at + 8) :]
        else:
            text = text[:to] + text[at : min(to, at + 40)] + text[to:]
    return text


def request(chance):
    """One request, as bytes."""
    name, query = chance.choice(REQUESTS)
    query = [(key, changed(value, chance) if chance.random() < 0.5 else value) for key, value in query]
    query = [pair for pair in query if chance.random() < 0.95] + ([chance.choice(query)] if query and chance.random() < 0.1 else [])
    text = "/" + name + ("?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote) if query else "")
    if chance.random() < 0.2:
        text = changed(text, chance)
    body, method = b"", "GET"
    if chance.random() < 0.2:
        method, body = "POST", changed(chance.choice(BODIES), chance).encode()
    lines = [f"{method} {text} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    if method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    if chance.random() < 0.1:
        lines.append(changed(chance.choice(["Connection: keep-alive", "Transfer-Encoding: chunked", "Expect: 100-continue", "Content-Type: text/plain"]), chance))
    raw = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body
    if chance.random() < 0.1:
        at = chance.randrange(len(raw))
        raw = raw[:at] + bytes([chance.randrange(256)]) + raw[at + chance.randrange(3) :]
    return raw


class Worker(threading.Thread):
    def __init__(self, port, count, seed, limit):
        super().__init__()
        self.port, self.count, self.chance, self.limit = port, count, random.Random(seed), limit
        self.statuses, self.longest, self.broken = collections.Counter(), 0.0, None

    def run(self):
        for _ in range(self.count):
            raw = request(self.chance)
            start = time.monotonic()
            try:
                connection = socket.create_connection(("127.0.0.1", self.port), self.limit + 1)
                connection.sendall(raw)
                # A client whose head promises more than it sends leaves after a moment.
                answer = connection.recv(1 << 16) if select.select([connection], [], [], 0.2)[0] else b""
                # Connections are kept unless one side ends them.
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(1 << 16):
                    answer += piece
                status = answer[9:12].decode() if answer.startswith((b"HTTP/1.1 ", b"HTTP/1.0 ")) else "closed" if not answer else "?"
            except ConnectionError:
                status = "closed"
            except TimeoutError:
                status = "late"
            connection.close()
            self.longest = max(self.longest, time.monotonic() - start)
            self.statuses[status] += 1
            if status in ("?", "late", "500"):
                self.broken = (status, raw)
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--time", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    server = Server(asked.program, "--time", str(asked.time))
    process = server.process

    def answers():
        targets = (f"/{name}?" + urllib.parse.urlencode(query) for name, query in REQUESTS[:8])
        return [server.ask("GET", target) for target in targets]

    before = answers()
    workers = [Worker(server.port, asked.requests // asked.connections, asked.seed * 1000 + n, asked.time) for n in range(asked.connections)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    right = process.poll() is None and answers() == before
    memory = re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{process.pid}/status").read())[1] if right else "0"
    process.kill()
    counts = sum((worker.statuses for worker in workers), collections.Counter())
    print(dict(sorted(counts.items())), f"longest {max(worker.longest for worker in workers):.2f} s, {int(memory) / 1024:.0f} MiB")
    for worker in workers:
        if worker.broken:
            print("broken:", *worker.broken)
    sys.exit(not right or any(worker.broken for worker in workers))


if __name__ == "__main__":
    main()
