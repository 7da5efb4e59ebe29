"""Compares the boards read by the example `boards` with those of endplay and bridgebots.

    cargo build -p setrograde-records --example boards
    pip install endplay bridgebots
    python lab/scripts/compare_records.py target/debug/examples/boards FILE...

Prints, for each file and reader, how many values of each field agree and
differ, and the first differences. Values that a reader does not give, and
boards that it refuses, are counted apart. Exits with 1 if anything differs.
"""

import collections
import itertools
import logging
import re
import subprocess
import sys

import bridgebots.lin
import endplay.parsers.lin
import endplay.parsers.pbn

FIELDS = "number room dealer vul hands contract leader play result claim auction tricks par".split()
SEATS = "NESW"
VULNERABLE = {(False, False): "None", (True, False): "NS", (False, True): "EW", (True, True): "All"}


def ours(program, path):
    run = subprocess.run([program, path], capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr)
    for line in run.stdout.splitlines():
        yield dict(zip(FIELDS, line.split("\t")))


def lin_boards(text):
    """The text of each board, with the line breaks out."""
    text = re.sub(r"[\r\n]", "", text)
    start = r"(?=qx\|)|(?=pn\|[^|]*\|st\|\|md\|)"
    return [part for part in re.split(start, text) if "md|" in part]


def same_cards(hand):
    return ".".join("".join(sorted(suit, key="AKQJT98765432".index)) for suit in hand.split("."))


def bridgebots_board(text):
    fields = bridgebots.lin._parse_lin_nodes(text + "pg||" * (text.count("|") % 2))
    deal = bridgebots.lin._parse_deal(fields)
    board = bridgebots.lin._parse_board_record(fields, deal)
    hands = []
    for seat in "NORTH EAST SOUTH WEST".split():
        suits = deal.hands[bridgebots.Direction[seat]].suits
        order = [bridgebots.Suit[s] for s in "SPADES HEARTS DIAMONDS CLUBS".split()]
        hands.append(".".join("".join(r.abbreviation() for r in suits[s]) for s in order))
    found = {
        "dealer": deal.dealer.name[0],
        "vul": VULNERABLE[(deal.ns_vulnerable, deal.ew_vulnerable)],
        "hands": "N:" + " ".join(same_cards(h) for h in hands),
        "play": " ".join(c.suit.abbreviation() + c.rank.abbreviation() for c in board.play_record),
    }
    if board.bidding_record == ["PASS"] * 4:
        found["contract"] = "pass"
    else:
        contract = board.contract
        doubled = "X" * contract.doubled
        name = f"{contract.level}{contract.suit.abbreviation()}{doubled}{board.declarer.name[0]}"
        found["contract"] = name.replace("N", "NT", 1) if contract.suit.name == "NO_TRUMP" and "NT" not in name else name
        found["result"] = str(board.tricks)
    return found


def endplay_hands(deal):
    hands = []
    for seat in SEATS:
        suits = str(deal[endplay.types.Player.find(seat)])
        hands.append(same_cards(suits))
    return "N:" + " ".join(hands)


def letters(text):
    """`text` with letters for the symbols of suits."""
    return text.translate(str.maketrans("♠♥♦♣", "SHDC"))


def endplay_tags(board):
    """The double-dummy tags, which endplay keeps as text."""
    found = {}
    table = board.info.get("OptimumResultTable")
    if table:
        tricks = {(row[0], row[1]): row[2] for row in table["rows"]}
        order = [(seat, strain) for strain in ["NT", "S", "H", "D", "C"] for seat in SEATS]
        found["tricks"] = " ".join(str(tricks[key]) for key in order)
    score = board.info.get("OptimumScore")
    if score:
        side, points = score.split()
        found["par"] = str(int(points) * (1 if side == "NS" else -1))
    return found


def endplay_found(board):
    found = endplay_tags(board)
    if board.deal is not None:
        found["hands"] = endplay_hands(board.deal)
    if board.dealer is not None:
        found["dealer"] = board.dealer.abbr
    if board.vul is not None:
        found["vul"] = {"NONE": "None", "NS": "NS", "EW": "EW", "BOTH": "All"}[board.vul.name.upper()]
    if board.board_num is not None:
        found["number"] = str(board.board_num)
    # It has a card without a suit for a card that the record does not name.
    cards = (letters(str(card)) for card in board.play)
    found["play"] = " ".join(itertools.takewhile(lambda card: not card.startswith("NT"), cards))
    contract = board.contract
    if contract is not None:
        if contract.level == 0:
            found["contract"] = "pass"
        else:
            double = {"passed": "", "doubled": "X", "redoubled": "XX"}[contract.penalty.name]
            name = f"{contract.level}{contract.denom.abbr}{double}{contract.declarer.abbr}"
            found["contract"] = letters(name)
            # Without a claim, endplay counts as if North led to every trick.
            if contract.result is not None and board.claimed:
                found["result"] = str(contract.level + 6 + contract.result)
    return found


def endplay_board(text):
    return endplay_found(endplay.parsers.lin.LINDecoder().parse_line(text.replace("md||", "")))


def compare(name, ours_boards, theirs):
    agree, differ, missing, shown = (collections.Counter() for _ in range(4))
    for number, (our, their) in enumerate(zip(ours_boards, theirs, strict=True)):
        if isinstance(their, Exception):
            missing[f"refused: {type(their).__name__}: {their}"[:60]] += 1
            continue
        for field, value in their.items():
            mine = our[field]
            if mine in ("-", "N:- - - -") and field in ("number", "vul", "dealer", "hands"):
                # endplay takes missing values from the previous game; PBN has `#` for that.
                missing[f"only theirs: {field}"] += 1
            elif mine == value:
                agree[field] += 1
            else:
                differ[field] += 1
                shown[field] += 1
                if shown[field] <= 3:
                    print(f"  board {number + 1}, {field}: ours {mine!r}, theirs {value!r}")
    print(f"{name}: agree {dict(agree)}, differ {dict(differ)}, refused {dict(missing)}")
    return sum(differ.values())


def attempt(read, text):
    try:
        return read(text)
    except Exception as error:  # noqa: BLE001 - whatever they raise is the finding
        return error


def main():
    logging.disable(logging.CRITICAL)
    program, *paths = sys.argv[1:]
    differences = 0
    for path in paths:
        boards = list(ours(program, path))
        text = open(path, encoding="utf-8", errors="replace").read()
        if path.endswith(".pbn"):
            read = endplay.parsers.pbn.loads(text)
            differences += compare(f"{path}: endplay", boards, [attempt(endplay_found, b) for b in read])
        else:
            parts = lin_boards(text)
            differences += compare(f"{path}: bridgebots", boards, [attempt(bridgebots_board, p) for p in parts])
            differences += compare(f"{path}: endplay", boards, [attempt(endplay_board, p) for p in parts])
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
