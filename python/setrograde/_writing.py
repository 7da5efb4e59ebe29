"""Boards as PBN and LIN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._objects import SEATS, Card, Play, seat

if TYPE_CHECKING:
    from . import Board

def _rows(words: list[str], ending: str) -> str:
    rows = [" ".join(words[at : at + 4]) + "\n" for at in range(0, len(words), 4)]
    return "".join(rows) + ending


def pbn(board: Board) -> str:
    """A PBN game; unknown values are left out."""
    contract = None
    if board.passed_out:
        contract = "Pass"
    elif board.contract is not None:
        contract = board.contract[:-1]
    tags: list[tuple[str, object]] = [("Board", board.number)]
    if board.players is not None:
        names = dict(zip(SEATS, board.players))
        tags += [(name, names[name[0]]) for name in ("West", "North", "East", "South")]
    deal: str | None = board.deal
    if deal is None and any(board.hands or ()):
        deal = "N:" + " ".join(hand or "-" for hand in board.hands)
    tags += [
        ("Dealer", board.dealer),
        ("Vulnerable", board.vulnerability),
        ("Deal", deal),
        ("Declarer", "" if board.passed_out else board.declarer),
        ("Contract", contract),
        ("Result", board.result),
    ]
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags if value is not None)
    if board.auction is not None and board.dealer is not None:
        calls = board.auction.split()
        text += f'[Auction "{board.dealer}"]\n' + _rows(calls, "")
    if board.play and board.leader is not None and board.strain is not None:
        text += f'[Play "{board.leader}"]\n{_plays(board)}'
    if board.tricks is not None:
        # By declarer N S E W, and strain NT S H D C.
        rows = [board.tricks[row] for row in (4, 0, 1, 2, 3)]
        numbers = "".join(f"{row[declarer]:x}" for declarer in (0, 2, 1, 3) for row in rows)
        text += f'[DoubleDummyTricks "{numbers}"]\n'
    if board.par_score is not None:
        text += f'[OptimumScore "NS {board.par_score}"]\n'
    if board.par_contract is not None:
        text += f'[ParContract "{board.par_contract}"]\n'
    return text + "\n"


def _plays(board: Board) -> str:
    """The tricks, each in the order of the seats from the opening leader on."""
    assert board.leader is not None and board.strain is not None
    first = seat(board.leader)
    record = Play("N:... ... ... ...", board.strain, board.leader)
    record.cards = [*map(Card, board.play)]
    rows = []
    for leader, cards in record._tricks():
        row = ["-"] * 4
        for index, card in enumerate(cards):
            row[(leader + index - first) % 4] = card
        if cards:
            rows.append(" ".join(row) + "\n")
    whole = len(board.play) == 52
    end = "+\n" if board.play_end == "in progress" else "*\n"
    return "".join(rows) + ("" if whole else end)


LIN_CALLS = {"PASS": "p", "X": "d", "XX": "r"}
LIN_SIDES = {"None": "o", "NS": "n", "EW": "e", "All": "b"}


def lin(board: Board) -> str:
    """A board of a LIN file; unknown values are left out. All hands must be known, and the
    dealer."""
    if board.deal is None or board.dealer is None:
        raise ValueError(f"board {board.number}: LIN needs all hands, and the dealer")
    # Other readers find boards by their names.
    north, east, south, west = board.players or [""] * 4
    text = f"pn|{south},{west},{north},{east}|"
    hands = board.deal[2:].split(" ")
    suits = [hand.split(".") for hand in hands]
    around = [suits[index] for index in (2, 3, 0, 1)]
    shown = ["".join(map("".join, zip("SHDC", hand))) for hand in around]
    text += f"md|{'SWNE'.index(board.dealer) + 1}{','.join(shown)}|"
    if board.number is not None:
        text += f"ah|Board {board.number}|"
    if board.vulnerability is not None:
        text += f"sv|{LIN_SIDES[board.vulnerability]}|"
    if board.auction is not None:
        words = [call.upper().replace("NT", "N") for call in board.auction.split()]
        calls = [LIN_CALLS.get(call, call) for call in words]
        text += "".join(f"mb|{call}|" for call in calls)
    text += "".join(f"pc|{card}|" for card in board.play)
    tricks = board.claim if board.claim is not None else board.result
    if tricks is not None and board.contract is not None and len(board.play) < 52:
        text += f"mc|{tricks}|"
    return text + "pg||\n"
