#!/usr/bin/env python3
"""Compares the processor time that two servers take for small questions.

    scripts/serve_rate.py 'OLD serve' NEW/setrograde-serve

Each is a command line; `--port 0 --db none` is added. Twenty connections that are kept ask for the table of an
ending of two tricks, in turns of 2,500 requests, 10,000 of each server. What else the machine does
counts little: the time is that of the servers' own process.
"""

import argparse
import http.client
import os
import re
import shlex
import subprocess
import threading

QUESTION = "/table?question=N:AK.2..+QJ.A..+32..A.+..K2.A"
CONNECTIONS, TURNS, EACH = 20, 4, 2500


class Server:
    def __init__(self, command):
        words = [*shlex.split(command), "--port", "0", "--db", "none"]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        line = next(line for line in self.process.stderr if "http://" in line)
        self.port = int(re.search(r":(\d+)/", line)[1])
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def processor_time(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, count):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for _ in range(count):
            connection.request("GET", QUESTION)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status

    def turn(self):
        """The processor time of EACH requests."""
        before = self.processor_time()
        clients = [threading.Thread(target=self.ask, args=[EACH // CONNECTIONS]) for _ in range(CONNECTIONS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        return self.processor_time() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs=2)
    servers = [Server(command) for command in parser.parse_args().commands]
    try:
        turns = [[server.turn() for server in servers] for _ in range(TURNS)]
    finally:
        for server in servers:
            server.process.terminate()
    old, new = (sum(times) / (TURNS * EACH) for times in zip(*turns))
    print(f"{old * 1000:.3f} and {new * 1000:.3f} ms of the processor a request; ratio of the rates {old / new:.2f}")


if __name__ == "__main__":
    main()
