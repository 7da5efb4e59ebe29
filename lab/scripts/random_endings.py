#!/usr/bin/env python3
"""Prints random endings, as `setrograde query` and `solve` read them.

    lab/scripts/random_endings.py CARDS COUNT SEED

For example, 100,000 endings of 24 cards looked up and searched without a database; nothing is
printed if all are equal:

    lab/scripts/random_endings.py 24 100000 1 > endings.txt
    setrograde query --db db endings.txt > looked_up.txt
    setrograde solve --db none endings.txt | diff looked_up.txt -
"""

import random
import sys

RANKS = "AKQJT98765432"


def hand(cards):
    return ".".join("".join(RANKS[c % 13] for c in sorted(cards) if c // 13 == s) for s in range(4))


def main():
    cards, count, seed = map(int, sys.argv[1:])
    rng = random.Random(seed)
    tricks = cards // 4
    for _ in range(count):
        drawn = rng.sample(range(52), cards)
        hands = " ".join(hand(drawn[n : n + tricks]) for n in range(0, cards, tricks))
        print(rng.choice(["NT", "S", "H", "D", "C"]), rng.choice("NESW"), "N:" + hands)


main()
