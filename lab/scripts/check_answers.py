#!/usr/bin/env python3
"""Chances, leads, contracts and reviews beside DDS, by its own library.

    lab/scripts/check_answers.py drawn [--questions 1000] [--layouts 200] [--db DIR]
    lab/scripts/check_answers.py leads [--questions 50] [--layouts 20]
    lab/scripts/check_answers.py contracts [--questions 50] [--layouts 20]
    lab/scripts/check_answers.py analyse FILE...
    lab/scripts/check_answers.py speed [--layouts 1000] [--db DIR]

`drawn` counts how often the exact mean and chance, of random questions of 16 cards (12 without
a database of 16), lie in the intervals of 95 % of layouts that are drawn. The others need endplay, whose own DDS solves the layouts that `setrograde layouts` prints: those that
`odds` draws. `analyse` adds up what the cards of each board cost: double dummy less the result.
`speed` times all leads against a contract in the same layouts, one thread each, in processor
time. BUILT names the directory of the program, target/release unless set.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("BUILT", ROOT / "target/release")) / "setrograde"
RANKS, SEATS = "AKQJT98765432", "NESW"
STRAINS = ["S", "H", "D", "C", "NT"]


def ask(*arguments):
    """The objects that the program prints."""
    done = subprocess.run([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, arguments
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def random_hands(generator):
    pack = [(suit, rank) for suit in range(4) for rank in range(13)]
    generator.shuffle(pack)
    return [sorted(pack[13 * seat : 13 * seat + 13]) for seat in range(4)]


def text(hand):
    return ".".join("".join(RANKS[rank] for suit, rank in hand if suit == of) for of in range(4))


def points(hand):
    return sum(max(0, 4 - rank) for _, rank in hand)


def solved(layouts, strain, leader, best=False):
    """The results of DDS for each layout: (card, tricks of the leader's side)."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    deals = []
    for layout in layouts:
        deal = Deal(layout)
        deal.trump, deal.first = Denom(STRAINS.index(strain)), Player(SEATS.index(leader))
        deals.append(deal)
    for first in range(0, len(deals), 200):
        yield from solve_all_boards(deals[first : first + 200], SolveMode.OptimalOne if best else SolveMode.Default)


def drawn(generator, questions, layouts, database):
    """How often intervals of layouts drawn have the exact mean and the exact chance."""
    cards = 4 if database else 3
    lines = []
    for _ in range(questions):
        pack = [(suit, rank) for suit in range(4) for rank in range(13)]
        generator.shuffle(pack)
        hands = [sorted(pack[cards * seat : cards * seat + cards]) for seat in range(4)]
        hidden = generator.sample(range(4), 2)
        shown = " ".join("?" if seat in hidden else text(hand) for seat, hand in enumerate(hands))
        out = text(sorted(hands[hidden[0]] + hands[hidden[1]]))
        lines.append(f"{generator.choice(STRAINS)} {generator.choice(SEATS)} N:{shown} out={out}")

    asked = means = chances = 0
    for line in lines:
        [exact] = ask("odds", *database, line)
        # A separate seed: with equal seeds the draws would be equal.
        seed = str(generator.randrange(1 << 30))
        [found] = ask("odds", *database, "--draw", str(layouts), "--seed", seed, "-j", "1", line)
        assert exact["question"] == found["question"] and "drawn_of" not in exact
        index = max(range(len(exact["chances"])), key=exact["chances"].__getitem__)
        true, share = exact["chances"][index], found["chances"][index]
        if not 0.02 < true < 0.98:
            continue
        asked += 1
        square = 1.959964**2
        middle = (share * layouts + square / 2) / (layouts + square)
        width = (square * middle * (1 - middle) / (layouts + square)) ** 0.5
        means += abs(exact["mean"] - found["mean"]) <= found["mean_half_width"]
        chances += abs(share - true) <= width
    print(f"{asked} of {questions} questions with more than one answer, {layouts} layouts each: "
          f"mean {100 * means / asked:.1f} %, chance {100 * chances / asked:.1f} % within the interval")  # fmt: skip


def name(card):
    return card.suit.name[0].upper() + card.rank.abbr


def leads(generator, drawn):
    """One question: the tricks of each lead, counted by the program and by DDS."""
    hands, leader, strain = random_hands(generator), generator.randrange(4), generator.choice(STRAINS)
    hidden = generator.choice([seat for seat in range(4) if seat != leader])
    low = points(hands[hidden]) - generator.randrange(3)
    condition = f"{SEATS[hidden]}.hcp={max(low, 0)}-{low + 4}"
    shown = " ".join(text(hand) if seat == leader else "?" for seat, hand in enumerate(hands))
    question = f"{strain} {SEATS[leader]} N:{shown}"
    seed = str(generator.randrange(1 << 30))
    [answer] = ask("odds", "--leads", f"3{strain}", "--draw", str(drawn), "--seed", seed, "--if", condition, question)
    [given] = ask("layouts", "--draw", str(drawn), "--seed", seed, "--if", condition, question)
    found = {}
    for layout, board in zip(given["samples"], solved(given["samples"], strain, SEATS[leader])):
        hand = layout[2:].split(" ")[hidden]
        held = sum(4 - "AKQJ".index(card) for card in hand if card in "AKQJ")
        assert max(low, 0) <= held <= low + 4, (layout, condition)
        for card, tricks in board:
            found.setdefault(name(card), Counter())[tricks] += 1
    ours = {of["card"]: Counter(dict(enumerate(of["counts"]))) for of in answer["cards"]}
    return ours.keys() == found.keys() and all(+ours[card] == found[card] for card in ours)


def score(level, strain, tricks):
    """The score of an undoubled contract, not vulnerable."""
    needed = level + 6
    if tricks < needed:
        return -50 * (needed - tricks)
    each = 20 if strain in "CD" else 30
    made = level * each + (10 if strain == "NT" else 0)
    bonus = 50 if made < 100 else 300
    return made + bonus + {6: 500, 7: 1000}.get(level, 0) + (tricks - needed) * each


def contracts(generator, drawn):
    """One question: the tricks and the mean score of three contracts."""
    hands = random_hands(generator)
    question = f"NT W N:{text(hands[0])} ? {text(hands[2])} ?"
    asked = [(generator.randint(1, 7), generator.choice(STRAINS), generator.choice("NS")) for _ in range(3)]
    names = ",".join(f"{level}{strain}{declarer}" for level, strain, declarer in asked)
    seed = str(generator.randrange(1 << 30))
    [answer] = ask("odds", "--contracts", names, "--draw", str(drawn), "--seed", seed, question)
    [given] = ask("layouts", "--draw", str(drawn), "--seed", seed, question)
    right = True
    for (level, strain, declarer), of in zip(asked, answer["contracts"]):
        leader = SEATS[(SEATS.index(declarer) + 1) % 4]
        boards = solved(given["samples"], strain, leader, best=True)
        found = Counter(13 - max(tricks for _, tricks in board) for board in boards)
        mean = sum(score(level, strain, tricks) * count for tricks, count in found.items()) / drawn
        right &= +Counter(dict(enumerate(of["counts"]))) == found and abs(mean - of["score"]) < 1e-6
    return right


def analyse(files):
    """The costs of each board's cards, added up."""
    right = wrong = by_dds = left_out = 0
    for answer in ask_some("analyse", *files):
        contract = answer.get("contract")
        if not contract or contract["result"] is None:
            left_out += 1
            continue
        side = "NS" if contract["declarer"] in "NS" else "EW"
        ours = sum(card["gives_away"] for card in answer["cards"] if card["seat"] in side)
        theirs = sum(card["gives_away"] for card in answer["cards"] if card["seat"] not in side)
        claimed = contract["after_last_card"] - contract["result"]
        if ours - theirs + claimed == contract["double_dummy"] - contract["result"]:
            right += 1
        else:
            wrong += 1
            print(answer["question"])
        strain, leader, rest = answer["question"].split(" ", 2)
        deal = " ".join(rest.split(" ")[:4])
        [board] = solved([deal], strain, leader, best=True)
        by_dds += 13 - max(tricks for _, tricks in board) == contract["double_dummy"]
    print(f"{right} boards right, {wrong} wrong; double dummy as DDS has it on {by_dds}; {left_out} without a result")
    return wrong == 0 and by_dds == right


def ask_some(*arguments):
    """The objects of a command that may leave questions unanswered."""
    done = subprocess.run([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    objects = [json.loads(line) for line in done.stdout.split("\n") if line]
    return [one for one in objects if one.get("question") and "error" not in one]


def speed(generator, drawn, database):
    hands = random_hands(generator)
    question = f"NT W N:? ? ? {text(hands[3])}"
    [given] = ask("layouts", "--draw", str(drawn), question)
    before = time.process_time()
    for board in solved(given["samples"], "NT", "W"):
        list(board)
    stock = time.process_time() - before
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    ask("odds", "--leads", "3NT", "--draw", str(drawn), "-j", "1", *database, question)
    ours = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"{question}: {drawn} layouts, DDS {stock:.2f} s, setrograde {ours:.2f} s, {ours / stock:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["drawn", "leads", "contracts", "analyse", "speed"])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--questions", type=int)
    parser.add_argument("--layouts", type=int)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--db")
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    database = ["--db", arguments.db] if arguments.db else []
    if arguments.what == "drawn":
        return drawn(generator, arguments.questions or 1000, arguments.layouts or 200, database)
    import endplay._dds

    endplay._dds.SetMaxThreads(1)
    if arguments.what == "analyse":
        sys.exit(not analyse(arguments.files))
    if arguments.what == "speed":
        return speed(generator, arguments.layouts or 1000, database)
    one = leads if arguments.what == "leads" else contracts
    questions = arguments.questions or 50
    right = sum(one(generator, arguments.layouts or 20) for _ in range(questions))
    print(f"{arguments.what}: {right} of {questions} questions right")
    sys.stdout.flush()
    os._exit(right != questions)


if __name__ == "__main__":
    main()
