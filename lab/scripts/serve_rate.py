#!/usr/bin/env python3
"""Compares the processor time that two servers take for small questions.

    lab/scripts/serve_rate.py 'OLD serve' NEW/setrograde-serve

Each is a command line; `--port 0 --db none` is added. Twenty connections that are kept ask for the table of an
ending of two tricks, in turns of 2,500 requests, 10,000 of each server. What else the machine does
counts little: the time is that of the servers' own process.
"""

import argparse
import http.client
import shlex
import threading

from serve_limits import Server

QUESTION = "/table?question=N:AK.2..+QJ.A..+32..A.+..K2.A"
CONNECTIONS, TURNS, EACH = 20, 4, 2500


class Asked(Server):
    def __init__(self, command):
        super().__init__(*shlex.split(command), "--db", "none")

    def asks(self, count):
        """Asks over one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for _ in range(count):
            connection.request("GET", QUESTION)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status

    def turn(self):
        """The processor time of EACH requests."""
        before = self.processor_time()
        clients = [threading.Thread(target=self.asks, args=[EACH // CONNECTIONS]) for _ in range(CONNECTIONS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return self.processor_time() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs=2)
    servers = [Asked(command) for command in parser.parse_args().commands]
    try:
        turns = [[server.turn() for server in servers] for _ in range(TURNS)]
    finally:
        for server in servers:
            server.process.terminate()
    old, new = (sum(times) / (TURNS * EACH) for times in zip(*turns))
    print(f"{old * 1000:.3f} and {new * 1000:.3f} ms of the processor a request; ratio of the rates {old / new:.2f}")


if __name__ == "__main__":
    main()
