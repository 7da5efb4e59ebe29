"""Times of the Python package, against the command and against itself.

    cargo build --release && scripts/wheel.sh native && pip install target/wheels/*.whl
    python lab/scripts/python_times.py target/release/setrograde [DEALS]

Wants a quiet machine. Prints the median of alternating rounds: `tables` of 1,000 random deals and
the same by the command; 100 tables on one Python thread and on two; the count of a concurrent
Python thread; and values of a database.
"""

import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

import setrograde as sg

ROUNDS = 3


def random_deals(count, seed=1):
    rng = np.random.default_rng(seed)
    deals = np.zeros((count, 4, 4), dtype=np.uint16)
    for deal in deals:
        for index, card in enumerate(rng.permutation(52)):
            deal[index % 4, card // 13] |= 4 << (card % 13)
    return deals


def text(deal):
    ranks = "23456789TJQKA"
    hand = lambda suits: ".".join(
        "".join(ranks[r - 2] for r in range(14, 1, -1) if suit >> r & 1) for suit in suits
    )
    return "N:" + " ".join(hand(suits) for suits in deal.tolist())


def timed(work):
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def against_the_command(program, count):
    deals = random_deals(count)
    lines = "".join(f"{text(deal)}\n" for deal in deals)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        seconds, found = timed(lambda: sg.tables(deals))
        ours.append(seconds)
        command = [program, "table", "-"]
        seconds, run = timed(
            lambda: subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        )
        theirs.append(seconds)
        rows = [[int(t) for t in line.split("\t")[1].split()] for line in run.stdout.splitlines()]
        rows = np.array(rows).reshape(-1, 5, 4)[:, [1, 2, 3, 4, 0]]
        assert (rows == found).all(), "the command and the package differ"
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"tables of {count} deals: {ours:.2f} s; the command {theirs:.2f} s; {ours / theirs:.3f}")


def threads(count=100):
    deals = random_deals(count, seed=2)
    counted, stop = [0], threading.Event()

    def tick():
        while not stop.wait(0.001):
            counted[0] += 1

    one, two = [], []
    for _ in range(ROUNDS):
        one.append(timed(lambda: sg.tables(deals, threads=1))[0])
        halves = [
            threading.Thread(target=sg.tables, args=(half,), kwargs={"threads": 1})
            for half in (deals[::2], deals[1::2])
        ]
        two.append(timed(lambda: [half.start() for half in halves] + [half.join() for half in halves])[0])
    counter = threading.Thread(target=tick)
    counter.start()
    seconds, _ = timed(lambda: sg.tables(deals, threads=1))
    stop.set()
    counter.join()
    one, two = statistics.median(one), statistics.median(two)
    print(f"{count} tables: {one:.2f} s on one Python thread, {two:.2f} s on two; {two / one:.3f}")
    print(f"a thread counted {counted[0]} milliseconds in {seconds:.2f} s")


def values(count=1_000_000):
    with tempfile.TemporaryDirectory() as folder:
        database = sg.build(8, folder)
        rng = np.random.default_rng(3)
        packs = np.argsort(rng.random((count, 52)), axis=1)[:, :8]
        endings = np.zeros((count, 4, 4), dtype=np.uint16)
        for index in range(8):
            card = packs[:, index]
            np.bitwise_or.at(
                endings, (np.arange(count), index % 4, card // 13), (4 << (card % 13)).astype(np.uint16)
            )
        strains = rng.integers(0, 5, count, dtype=np.uint8)
        leaders = rng.integers(0, 4, count, dtype=np.uint8)
        seconds = [timed(lambda: database.values(endings, strains, leaders))[0] for _ in range(ROUNDS)]
        print(f"values: {count / statistics.median(seconds) / 1e6:.2f} million a second")


if __name__ == "__main__":
    against_the_command(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    threads()
    values()
