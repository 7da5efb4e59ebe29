#!/usr/bin/env python3
"""Checks a log of `setrograde tournament --game jass` with jass-kit's rules.

    pip install jass-kit
    setrograde tournament --game jass --players simple random --boards 100 --log jass.log
    python3 lab/comparisons/opponents/jass_referee.py jass.log

Every card must be legal, every trick must go where jass-kit says, and the points
must add up. Names the lines that are wrong, and exits with 1 if there are any.
"""

import json
import sys

import numpy as np
from jass.game.const import card_ids
from jass.game.rule_schieber import RuleSchieber

SEATS = "NESW"
MODES = {"D": 0, "H": 1, "S": 2, "C": 3, "O": 4, "U": 5}


def number(card):
    return card_ids[card.replace("T", "10")]


def check(record, rule):
    mode = MODES[record["mode"]]
    hands = []
    for hand in record["deal"][2:].split():
        cards = np.zeros(36, dtype=np.int32)
        for suit, ranks in zip("SHDC", hand.split(".")):
            for rank in ranks:
                cards[number(suit + rank)] = 1
        hands.append(cards)
    seat = SEATS.index(record["leader"])
    points, tricks = [0, 0], [0, 0]
    cards = [number(card) for card in record["play"].split()]
    for start in range(0, len(cards), 4):
        trick = np.full(4, -1, dtype=np.int32)
        leader = seat
        for index, card in enumerate(cards[start : start + 4]):
            player = (leader + index) % 4
            valid = rule.get_valid_cards(hands[player], trick, index, mode)
            if not valid[card]:
                return f"trick {start // 4 + 1}: {SEATS[player]} may not play card {index + 1}"
            hands[player][card] = 0
            trick[index] = card
        # jass-kit counts seats against the clock.
        seat = (4 - rule.calc_winner(trick, (4 - leader) % 4, mode)) % 4
        points[seat % 2] += rule.calc_points(trick, start == 32, mode)
        tricks[seat % 2] += 1
    if points != record["points"] or tricks != record["tricks"]:
        return f"points {points}, tricks {tricks}"
    return None


def main():
    rule = RuleSchieber()
    wrong = right = 0
    with open(sys.argv[1], encoding="utf-8") as log:
        for at, line in enumerate(log, 1):
            record = json.loads(line)
            if "play" not in record:
                continue
            problem = check(record, rule)
            if problem:
                wrong += 1
                print(f"line {at}: {problem}")
            else:
                right += 1
    print(f"{right} tables right, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
