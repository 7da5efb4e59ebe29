#!/usr/bin/env python3
"""The overhead of a table over HTTP, compared with the same table in process.

    cargo build --release -p setrograde-cli -p setrograde-serve && lab/scripts/serve_times.py target/release

Starts `setrograde-serve` and, for the time in process, `setrograde table -` on one thread, which
answers each line as it comes. Each deal is put to both in turn, to the server on a persistent
connection; the tables must be the same. Of a deal counts the least time of the rounds. Prints the
medians over the deals, the median difference, and the cost of a request without a question. Wants a
quiet machine.
"""

import argparse
import http.client
import json
import statistics
import subprocess
import time
import urllib.parse
from pathlib import Path

from serve_limits import Server

ROOT = Path(__file__).resolve().parents[2]
CACHE = "64M"


def timed(work):
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="the folder of both programs")
    parser.add_argument("--file", default=ROOT / "data/deals_100.txt", help="a deal in PBN a line")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--db", help="the database of both, unless it is the one in use")
    arguments = parser.parse_args()
    lines = Path(arguments.file).read_text().splitlines()
    # The file of the project has tables after the deals.
    deals = [line.split("|")[0].strip() for line in lines]

    common = ["--cache", CACHE] + (["--db", arguments.db] if arguments.db else [])
    server = Server(f"{arguments.folder}/setrograde-serve", *common)
    stream = subprocess.Popen(
        [f"{arguments.folder}/setrograde", "table", "--json", "--threads", "1", *common, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)

        def asked(path):
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            assert answer.status == 200, body
            return json.loads(body)

        def in_process(deal):
            stream.stdin.write(f"{deal}\n")
            stream.stdin.flush()
            return json.loads(stream.stdout.readline())

        times = {deal: ([], []) for deal in deals}
        for _ in range(arguments.rounds):
            for deal, (over_http, here) in times.items():
                path = "/table?" + urllib.parse.urlencode({"question": deal})
                seconds, answer = timed(lambda: asked(path))
                over_http.append(seconds)
                seconds, expected = timed(lambda: in_process(deal))
                here.append(seconds)
                assert answer["tricks"] == expected["tricks"], deal
        empty = [timed(lambda: asked("/health"))[0] for _ in range(1000)]
    finally:
        stream.stdin.close()
        server.process.terminate()
        server.process.wait()
        stream.wait()

    least = [(min(over_http), min(here)) for over_http, here in times.values()]
    more = [over_http - here for over_http, here in least]
    for name, seconds in [
        ("over HTTP", [over_http for over_http, _ in least]),
        ("in process", [here for _, here in least]),
        ("difference", more),
        ("/health", empty),
    ]:
        print(f"{name:12} {1000 * statistics.median(seconds):8.2f} ms")


main()
