"""Cards, hands, deals and plays. All except plays are texts, and are accepted wherever a
function takes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native

SUITS = "SHDC"
RANKS = "23456789TJQKA"
SYMBOLS = dict(zip(SUITS, "♠♥♦♣"))
SEATS = ("N", "E", "S", "W")


def kind(value: object) -> str:
    """The type of a value, for errors."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} of shape {value.shape}"
    return type(value).__name__


def checked_text(name: str, value: object, expected: str = "a text") -> str:
    """The text that is the argument `name`."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected {expected}; found {kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name}: expected a text of Unicode characters; found half of one"
        ) from None
    return value


def seat(name: str, argument: str = "seat") -> int:
    """The index of a seat, given by its letter or name."""
    name = checked_text(argument, name, "one of N E S W")
    index = "NESW".find(name[:1].upper()) if name else -1
    names = ("", "NORTH", "EAST", "SOUTH", "WEST")
    if index < 0 or name.upper() not in (SEATS[index], names[index + 1]):
        raise ValueError(f"{name!r} is not a seat; expected one of N E S W")
    return index


class Card(str):
    """A card: a suit and a rank, as ``"SA"`` or ``"HT"``."""

    __slots__ = ()

    def __new__(cls, text: str) -> Card:
        name = checked_text("card", text, "a text, as SA or HT").upper().replace("10", "T")
        if len(name) != 2 or name[0] not in SUITS or name[1] not in RANKS:
            raise ValueError(f"{text!r} is not a card; expected a suit and a rank, as SA or HT")
        return super().__new__(cls, name)

    @property
    def suit(self) -> str:
        """``"S"``, ``"H"``, ``"D"`` or ``"C"``."""
        return str(self)[0]

    @property
    def rank(self) -> str:
        """``"2"`` to ``"9"``, ``"T" "J" "Q" "K" "A"``."""
        return str(self)[1]


class Hand(str):
    """A hand, as ``"AKQ.J5.T98.432"``: spades, hearts, diamonds, clubs."""

    __slots__ = ()

    def __new__(cls, text: str) -> Hand:
        return super().__new__(cls, _native.hand_text(checked_text("hand", text)))

    @property
    def suits(self) -> list[str]:
        """The ranks held in spades, hearts, diamonds and clubs, the highest first."""
        return self.split(".")

    @property
    def spades(self) -> str:
        """The ranks held in spades, the highest first."""
        return self.suits[0]

    @property
    def hearts(self) -> str:
        """The ranks held in hearts, the highest first."""
        return self.suits[1]

    @property
    def diamonds(self) -> str:
        """The ranks held in diamonds, the highest first."""
        return self.suits[2]

    @property
    def clubs(self) -> str:
        """The ranks held in clubs, the highest first."""
        return self.suits[3]

    @property
    def cards(self) -> list[Card]:
        """The cards, spades first, the highest first."""
        return [Card(suit + rank) for suit, held in zip(SUITS, self.suits) for rank in held]

    @property
    def lengths(self) -> list[int]:
        """The number of spades, hearts, diamonds and clubs."""
        return [len(held) for held in self.suits]

    @property
    def shape(self) -> list[int]:
        """The lengths of the suits, the longest first."""
        return sorted(self.lengths, reverse=True)

    @property
    def is_balanced(self) -> bool:
        """True if the shape is 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
        return self.shape in ([4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2])

    @property
    def points(self) -> int:
        """High-card points: 4 for an ace, then 3, 2, 1."""
        return sum("JQKA".find(rank) + 1 for rank in str(self))

    @property
    def controls(self) -> int:
        """2 for each ace, 1 for each king."""
        return 2 * self.count("A") + self.count("K")

    @property
    def losers(self) -> int:
        """In each suit, those of the top three cards that are missing, if it has as
        many cards."""
        return sum(
            min(len(held), 3) - sum(rank in held for rank in "AKQ"[: len(held)])
            for held in self.suits
        )

    def diagram(self) -> str:
        """The hand on four lines."""
        return "\n".join(
            f"{SYMBOLS[suit]} {held or '-'}" for suit, held in zip(SUITS, self.suits)
        )

    def _repr_html_(self) -> str:
        return "<br>".join(
            f'<span style="color:{_colour(suit)}">{SYMBOLS[suit]}</span> {held or "–"}'
            for suit, held in zip(SUITS, self.suits)
        )


def _colour(suit: str) -> str:
    return "#c00" if suit in "HD" else "inherit"


def _around(middle: str, hands: Sequence[Hand]) -> str:
    """Four hands and what lies between them."""
    north, east, south, west = (hand.diagram().split("\n") for hand in hands)
    lines = [" " * 14 + line for line in north]
    between = middle.split("\n") if middle else []
    for index in range(4):
        centre = between[index] if index < len(between) else ""
        lines.append(f"{west[index]:14}{centre:14}{east[index]}".rstrip())
    return "\n".join(lines + [" " * 14 + line for line in south])


class Deal(str):
    """A deal in PBN, from North on. Any first seat is read."""

    __slots__ = ()

    def __new__(cls, text: str | NDArray[np.integer[Any]]) -> Deal:
        if isinstance(text, np.ndarray):
            if text.shape != (4, 4) or text.dtype.kind not in "iu":
                raise TypeError(
                    f"deal: expected whole numbers of shape (4, 4); found {kind(text)}"
                )
            if ((text < 0) | (text > 0x7FFC) | (text & 3 > 0)).any():
                raise ValueError("deal: expected holdings of bits 2 to 14")
            hands = [
                ".".join(
                    "".join(rank for r, rank in enumerate(RANKS) if held >> (r + 2) & 1)[::-1]
                    for held in suits
                )
                for suits in text.tolist()
            ]
            text = "N:" + " ".join(hands)
        text = checked_text("deal", text, "a text, or holdings as an array")
        return super().__new__(cls, _native.deal_text(text))

    @property
    def hands(self) -> list[Hand]:
        """The hands of North, East, South and West."""
        return [Hand(hand) for hand in str(self)[2:].split(" ")]

    def hand(self, of: str) -> Hand:
        """The hand of a seat."""
        return self.hands[seat(of)]

    @property
    def north(self) -> Hand:
        """North's hand."""
        return self.hands[0]

    @property
    def east(self) -> Hand:
        """East's hand."""
        return self.hands[1]

    @property
    def south(self) -> Hand:
        """South's hand."""
        return self.hands[2]

    @property
    def west(self) -> Hand:
        """West's hand."""
        return self.hands[3]

    @property
    def holdings(self) -> NDArray[np.uint16]:
        """The deal as an array of shape (4, 4): seats, suits, bit r for rank r."""
        return np.array(_native.holdings(self), dtype=np.uint16)

    def swap(self, one: str, other: str) -> Deal:
        """The deal in which two seats have each other's hands."""
        hands = self.hands
        a, b = seat(one), seat(other)
        hands[a], hands[b] = hands[b], hands[a]
        return Deal("N:" + " ".join(hands))

    def diagram(self) -> str:
        """The hands as they sit around a table."""
        return _around("", self.hands)

    def _repr_html_(self) -> str:
        north, east, south, west = (hand._repr_html_() for hand in self.hands)
        return (
            f"<table><tr><td></td><td>{north}</td><td></td></tr>"
            f"<tr><td>{west}</td><td></td><td>{east}</td></tr>"
            f"<tr><td></td><td>{south}</td><td></td></tr></table>"
        )


class Play:
    """The play of a deal, card by card; the last card can be taken back.

    >>> play = Play("N:A2... K3... Q4... J5...", "NT", "W")
    >>> play.play("SJ", "SA", "S3", "S4").to_play
    'N'
    >>> play.unplay().legal
    ['SQ', 'S4']
    """

    def __init__(self, deal: str, strain: str, leader: str) -> None:
        self.start = Deal(deal)
        self.strain = checked_text("strain", strain).upper()
        if self.strain == "N":
            raise ValueError(f"{strain!r} is a seat; no trump is 'NT'")
        if self.strain not in ("S", "H", "D", "C", "NT"):
            raise ValueError(f"{strain!r} is not a strain; expected one of S H D C NT")
        self.leader = SEATS[seat(leader, "leader")]
        self.cards: list[Card] = []

    def play(self, *cards: str) -> Play:
        """Plays cards, each by the seat whose turn it is; all of them or none."""
        before = len(self.cards)
        try:
            for text in cards:
                self._play(Card(text))
        except BaseException:
            del self.cards[before:]
            raise
        return self

    def _play(self, card: Card) -> None:
        if card not in self.legal:
            held = card in self.deal.hand(self.to_play).cards
            problem = "must follow suit" if held else f"does not hold {card}"
            raise ValueError(f"{self.to_play} cannot play {card}: {self.to_play} {problem}")
        self.cards.append(card)

    def unplay(self, count: int = 1) -> Play:
        """Takes the last cards back."""
        if not isinstance(count, int):
            raise TypeError(f"count: expected a whole number; found {kind(count)}")
        if not 0 <= count <= len(self.cards):
            raise ValueError(f"count: expected 0 to {len(self.cards)}; found {count}")
        del self.cards[len(self.cards) - count :]
        return self

    def _tricks(self) -> Iterator[tuple[int, list[Card]]]:
        """The leader and the cards of each trick, the last one perhaps not full."""
        leader = seat(self.leader)
        for first in range(0, len(self.cards) + 1, 4):
            cards = self.cards[first : first + 4]
            yield leader, cards
            if len(cards) == 4:
                led = cards[0].suit

                def worth(index: int) -> tuple[bool, bool, int]:
                    card = cards[index]
                    trump, follows = card.suit == self.strain, card.suit == led
                    return trump, follows, RANKS.index(card.rank) if trump or follows else -1

                leader = (leader + max(range(4), key=worth)) % 4

    @property
    def trick(self) -> list[Card]:
        """The cards on the table."""
        *_, (_, cards) = self._tricks()
        return cards

    @property
    def trick_leader(self) -> str:
        """The seat that leads, or led, to the trick under way."""
        *_, (leader, _) = self._tricks()
        return SEATS[leader]

    @property
    def to_play(self) -> str:
        """The seat whose turn it is."""
        *_, (leader, cards) = self._tricks()
        return SEATS[(leader + len(cards)) % 4]

    @property
    def won(self) -> dict[str, int]:
        """The tricks that each side has won: ``{"NS": 2, "EW": 1}``."""
        leaders = [leader for leader, _ in self._tricks()][1:]
        north_south = sum(leader % 2 == 0 for leader in leaders)
        return {"NS": north_south, "EW": len(leaders) - north_south}

    @property
    def deal(self) -> Deal:
        """The cards that the hands hold now."""
        played = set(self.cards)
        hands = [
            ".".join(
                "".join(rank for rank in held if suit + rank not in played)
                for suit, held in zip(SUITS, hand.suits)
            )
            for hand in self.start.hands
        ]
        return Deal("N:" + " ".join(hands))

    @property
    def legal(self) -> list[Card]:
        """The cards that the seat to play may play."""
        held = self.deal.hand(self.to_play).cards
        trick = self.trick
        follow = [card for card in held if trick and card.suit == trick[0].suit]
        return follow or held

    @property
    def is_finished(self) -> bool:
        """True if all cards are played."""
        return not self.legal

    def diagram(self) -> str:
        """The hands, and the trick in their midst."""
        shown = ["", "", "", ""]
        leader = seat(self.trick_leader)
        for index, card in enumerate(self.trick):
            shown[(leader + index) % 4] = SYMBOLS[card.suit] + card.rank
        north, east, south, west = shown
        return _around(f"{north:^14}\n{west:^7}{east:^7}\n{south:^14}", self.deal.hands)

    def __str__(self) -> str:
        played = f" played={','.join(self.trick)}" if self.trick else ""
        return f"{self.strain} {self.trick_leader} {self.deal}{played}"

    def __repr__(self) -> str:
        played = "".join(f", {card!r}" for card in map(str, self.cards))
        text = f"Play({str(self.start)!r}, {self.strain!r}, {self.leader!r})"
        return f"{text}.play({played[2:]})" if played else text

    def _repr_html_(self) -> str:
        return f"<pre>{self.diagram()}</pre>"
