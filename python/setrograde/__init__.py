"""Bridge: double-dummy results, plays, par, endgame databases, records, claims,
hidden cards, players and tournaments.

Arrays have strains in the order S H D C NT and seats in the order N E S W, as
DDS has them. Deals are texts in PBN (``"N:AK.. ..."``, any first seat) or arrays
of holdings, ``uint16`` of shape (n, 4, 4) by deal, seat and suit, with bit r set
for rank r, 2 to 14. Strains are ``"S" "H" "D" "C" "NT"``, seats ``"N" "E" "S" "W"``,
cards a suit and a rank as ``"SA"`` or ``"HT"``.

>>> import setrograde as sg
>>> deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
>>> table = sg.table(deal)
>>> table["S", "E"]
11
>>> sg.par(table, "None", "N").contracts[0]
ParContract(level=3, strain='NT', declarers='E', doubled=False, over=2)

A text that cannot be read raises ``ValueError`` with its location, an argument of
another kind ``TypeError``. Every
search releases the interpreter lock and ends soon after Ctrl-C.
"""

from __future__ import annotations

import contextlib
import errno
import json
import operator
import os
import shutil
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._objects import Card, Deal, Hand, Play
from ._objects import checked_text as _text
from ._objects import kind as _kind

if TYPE_CHECKING:
    from ._answers import ask

__all__ = [
    "analyse",
    "analyse_many",
    "ask",
    "Beliefs",
    "Board",
    "build",
    "Card",
    "CardTricks",
    "CardWorth",
    "Choice",
    "choose",
    "Database",
    "Deal",
    "deals",
    "Desk",
    "Hand",
    "holdings",
    "imps",
    "line",
    "matter_many",
    "matter_tables",
    "Mattered",
    "Par",
    "par",
    "ParContract",
    "pars",
    "Play",
    "Player",
    "Proof",
    "read",
    "score",
    "Seat",
    "SEATS",
    "solve",
    "solve_cards",
    "solve_many",
    "Solver",
    "Standing",
    "Strain",
    "STRAINS",
    "Table",
    "table",
    "tables",
    "tournament",
    "View",
    "Vulnerability",
    "write",
]

__version__ = "0.1.0"

STRAINS = ("S", "H", "D", "C", "NT")
"""The order of strains in arrays."""

SEATS = ("N", "E", "S", "W")
"""The order of seats in arrays."""

Strain: TypeAlias = Literal["S", "H", "D", "C", "NT"]
Seat: TypeAlias = Literal["N", "E", "S", "W"]
Vulnerability: TypeAlias = Literal["None", "NS", "EW", "All"]
Deals: TypeAlias = Iterable[str] | NDArray[np.integer[Any]]
Progress: TypeAlias = Callable[[int], object]
"""Called with the number of answers so far; True means a line on standard error."""
AnyDatabase: TypeAlias = "Database | str | os.PathLike[str]"


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def _place(names: Sequence[str], name: str, what: str) -> int:
    upper = name.upper()
    for index, known in enumerate(names):
        if upper == known:
            return index
    if upper == "N" and what == "strain":
        raise ValueError(f"{name!r} is a seat; no trump is 'NT'")
    raise ValueError(f"{name!r} is not a {what}; expected one of {' '.join(names)}")


def _strain(name: str, strain: object) -> str:
    """A strain of an argument, which is not mistaken for a seat."""
    strain = _text(name, strain, "a strain, as 'NT' or 'S'")
    if strain.strip().upper() == "N":
        raise ValueError(f"{name}: {strain!r} is a seat; no trump is 'NT'")
    return strain


def _optional_text(name: str, text: object) -> str | None:
    return None if text is None else _text(name, text)


def _whole(name: str, number: object) -> int:
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: expected a whole number; found {_kind(number)}") from None


def _seconds(name: str, seconds: object) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name}: expected a number; found {_kind(seconds)}")
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{name}: expected a finite number, 0 or more; found {seconds}")
    return float(seconds)


def _path(path: object, argument: str = "path") -> str:
    """The name of a file or a directory as text."""
    if not isinstance(path, (str, os.PathLike)):
        expected = "expected the name of a file or a directory"
        raise TypeError(f"{argument}: {expected}; found {_kind(path)}")
    name = os.fsdecode(path)
    if "\0" in name:
        raise ValueError(f"{argument}: expected a name; found a zero byte in it")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        problem = "expected a text of Unicode characters; found half of one"
        raise ValueError(f"{argument}: {problem}") from None
    return name


def _count(name: str, count: object, bits: int = 63) -> int:
    """A whole number, 0 or more, that has so many bits at most."""
    value = _whole(name, count)
    if value < 0:
        raise ValueError(f"{name}: expected 0 or more; found {value}")
    if value >= 1 << bits:
        raise ValueError(f"{name}: expected a number below 2**{bits}; found a larger one")
    return value


@dataclass(frozen=True, eq=False)
class Table:
    """The tricks of the four declarers in the five strains of a deal."""

    tricks: NDArray[np.int8]
    """Shape (5, 4): strains S H D C NT, declarers N E S W. It cannot be written to."""

    def __post_init__(self) -> None:
        given = np.asarray(self.tricks)
        if given.shape != (5, 4):
            raise ValueError(f"tricks: expected an array of shape (5, 4); found {_kind(given)}")
        is_whole = given.dtype.kind in "iu" or (
            given.dtype.kind == "f" and np.array_equal(given, np.trunc(given))
        )
        if not is_whole:
            raise TypeError(f"tricks: expected whole numbers; found {_kind(given)}")
        if given.min() < -1 or given.max() > 13:
            raise ValueError("tricks: expected 0 to 13, or -1 for strains that were left out")
        tricks = np.array(given, dtype=np.int8)
        tricks.setflags(write=False)
        object.__setattr__(self, "tricks", tricks)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.tricks, dtype=dtype)

    __iter__ = None

    def __getitem__(self, key: tuple[Strain, Seat]) -> int:
        """The tricks in a strain by a declarer: ``table["NT", "S"]``."""
        if not (isinstance(key, tuple) and [type(part) for part in key] == [str, str]):
            raise TypeError(f"expected a strain and a declarer, as table['NT', 'S']; found {key!r}")
        strain, declarer = key
        return int(
            self.tricks[_place(STRAINS, strain, "strain"), _place(SEATS, declarer, "seat")]
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and bool(np.array_equal(self.tricks, other.tricks))

    def __hash__(self) -> int:
        return hash(self.tricks.tobytes())

    def __str__(self) -> str:
        lines = ["    " + "".join(f"{seat:>3}" for seat in SEATS)]
        for strain, row in zip(STRAINS, self.tricks):
            lines.append(f"{strain:>4}" + "".join(f"{int(tricks):>3}" for tricks in row))
        return "\n".join(lines)


class CardTricks(NamedTuple):
    """A card and its tricks."""

    card: str
    tricks: int
    """Tricks for the side that plays it, of those not finished yet."""
    equals: list[str]
    """Lower cards of the same hand that are equally good."""


class Mattered(NamedTuple):
    """Results, and what they depend on."""

    tricks: NDArray[np.int8]
    #: How many cards of each suit mattered, S H D C: its top cards left. In every deal with
    #: the same suit lengths and these cards in the same hands the result is the same.
    cards: NDArray[np.uint8]
    #: Such deals as a share of all deals of the cards left: the weight of a deal.
    share: NDArray[np.float64]


class ParContract(NamedTuple):
    """A contract at par."""

    level: int
    strain: Strain
    declarers: str
    """The seats that can declare it, as ``"NS"`` or ``"E"``."""
    doubled: bool
    over: int
    """Tricks over the contract; negative if it fails."""


class Par(NamedTuple):
    """The par result of a deal."""

    score: int
    """The score of North and South."""
    contracts: list[ParContract]
    """The contracts that give it, the lowest first; none if all pass."""


class Proof(NamedTuple):
    """The value of an ending, and why."""

    value: int
    """Tricks for the leader's side."""
    owners: dict[str, list[str]]
    """By suit, the seats that may own the top cards, the highest first. Where
    the other cards lie does not matter."""
    deals: int
    """The number of deals with the same lengths that it covers."""


@dataclass
class Board:
    """A board of a record. Missing values are None or empty."""

    number: int | None = None
    room: str | None = None
    """``"open"`` or ``"closed"``."""
    deal: Deal | None = None
    """The deal from North on, if all hands are known."""
    hands: list[Hand | None] = field(default_factory=list)
    """The hands by seat."""
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    """``"None"``, ``"NS"``, ``"EW"`` or ``"All"``."""
    auction: str | None = None
    passed_out: bool = False
    contract: str | None = None
    """Bid, doubling and declarer, as ``"4SXN"``."""
    declarer: Seat | None = None
    strain: Strain | None = None
    leader: Seat | None = None
    on_table: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    """The cards in the order of play."""
    play_end: str = "open"
    """``"open"``, ``"stopped"``, ``"in progress"`` or ``"unknown"``."""
    result: int | None = None
    """The declarer's tricks."""
    claim: int | None = None
    players: list[str] | None = None
    tricks: list[list[int]] | None = None
    """Double-dummy results, by strain S H D C NT and declarer N E S W."""
    par_score: int | None = None
    par_contract: str | None = None
    line: int = 0
    """The line on which the record begins."""

    def __post_init__(self) -> None:
        if self.deal is not None:
            self.deal = Deal(self.deal)
            self.hands = list(self.deal.hands)
        if not isinstance(self.hands, (list, tuple)):
            raise TypeError(f"hands: expected a list of hands; found {_kind(self.hands)}")
        self.hands = [None if hand is None else Hand(hand) for hand in self.hands]
        if self.contract is not None:
            # This reads the contract.
            _native.score(_text("contract", self.contract), 0, "None")
            self.declarer = self.declarer or cast(Seat, self.contract[-1].upper())
            strain = self.contract[1:-1].rstrip("Xx").upper()
            self.strain = self.strain or cast(Strain, strain)
            leader = SEATS[(_place(SEATS, _text("declarer", self.declarer), "seat") + 1) % 4]
            self.leader = self.leader or cast(Seat, leader)


def table(deal: str | NDArray[np.integer[Any]], *, db: AnyDatabase | None = None) -> Table:
    """The 20 results of a deal."""
    if isinstance(deal, str):
        return Table(tables([Deal(deal)], threads=1, db=db)[0])
    if not isinstance(deal, np.ndarray) or deal.shape != (4, 4):
        raise TypeError(f"deal: expected a text, or holdings of shape (4, 4); found {_kind(deal)}")
    return Table(tables(deal[np.newaxis], threads=1, db=db)[0])


def _deals(deals: Deals, name: str = "deals") -> list[str] | NDArray[np.uint16]:
    """Texts as a list, holdings as ``uint16``."""
    if isinstance(deals, np.ndarray):
        problem = f"{name}: expected whole numbers of shape (n, 4, 4); found {_kind(deals)}"
        if deals.dtype.kind not in "iu":
            raise TypeError(problem)
        if deals.ndim != 3 or deals.shape[1:] != (4, 4):
            raise ValueError(problem)
        if deals.size and not (0 <= deals.min() and deals.max() <= 0x7FFC):
            raise ValueError(f"{name}: expected holdings of bits 2 to 14")
        return deals.astype(np.uint16, copy=False)
    return _texts(name, deals, "a list of texts, or an array")


def _plain(value: object) -> object:
    """NumPy's numbers and arrays as Python's."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"expected a text, a number or a list of these; found {_kind(value)}")


def _json(question: Mapping[str, object]) -> str:
    """A question as JSON. An error names the option."""
    fields = []
    for name, value in question.items():
        problem: Exception | None = None
        try:
            text = json.dumps(value, allow_nan=False, default=_plain, ensure_ascii=False)
            text.encode()
            fields.append(f"{json.dumps(name)}: {text}")
        except UnicodeEncodeError:
            problem = ValueError("expected a text of Unicode characters; found half of one")
        except TypeError as error:
            problem = error
        except ValueError:
            problem = ValueError(f"expected finite numbers; found {value!r}")
        if problem is not None:
            raise type(problem)(f"{name}: {problem}")
    return "{" + ", ".join(fields) + "}"


def _indices(name: str, given: NDArray[Any] | None, below: int) -> NDArray[np.uint8] | None:
    """Indices as ``uint8``."""
    if given is None:
        return None
    indices = np.asarray(given)
    if indices.dtype.kind not in "iu" or indices.ndim != 1:
        raise TypeError(f"{name}: expected whole numbers of shape (n,); found {_kind(indices)}")
    if indices.size and not (0 <= indices.min() and indices.max() < below):
        raise ValueError(f"{name}: expected 0 to {below - 1} everywhere")
    return indices.astype(np.uint8)


def _threads(threads: int | None) -> int | None:
    if threads is not None:
        threads = _count("threads", threads)
    if threads is not None and not 1 <= threads <= 1024:
        raise ValueError(f"threads: expected 1 to 1024; found {threads}")
    return threads


def _tricks(name: str, tricks: int | None) -> int | None:
    if tricks is None:
        return None
    tricks = _whole(name, tricks)
    if not 0 <= tricks <= 13:
        raise ValueError(f"{name}: expected 0 to 13 tricks; found {tricks}")
    return tricks


def tables(
    deals: Deals,
    *,
    strains: Sequence[Strain] | Strain | None = None,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
    each: Callable[[int, NDArray[np.int8]], object] | None = None,
) -> NDArray[np.int8]:
    """The results of many deals, as an array of shape (n, 5, 4): deals, strains
    S H D C NT, declarers N E S W. Strains that are not in `strains` are -1.

    `threads` is one a core unless given. `progress` is called now and then with
    the number of deals done. `each` is called with the number of a deal and its
    results, of shape (5, 4), in the order of the deals and as soon as all before
    it are known: what it has received is kept after Ctrl-C or an error. An error
    names its deal.
    """
    if each is not None and not callable(each):
        raise TypeError(f"each: expected a function; found {_kind(each)}")
    if isinstance(strains, str):
        strains = [strains]
    wanted = None
    if strains is not None:
        strains = cast("list[Strain]", _texts("strains", strains))
        if not strains:
            raise ValueError("strains: expected one or more; None means all")
        wanted = [_strain(f"strains[{n}]", strain) for n, strain in enumerate(strains)]
    read = _deals(deals)
    with _heard(progress, len(read)) as heard:
        return _native.tables(read, wanted, (_threads(threads), _db(db), heard), each)


def _db(db: AnyDatabase | None) -> _native.Database | None:
    if db is None:
        return _in_use()
    if isinstance(db, str) and db == "none":
        return None
    if isinstance(db, (str, os.PathLike)):
        db = Database(_path(db, "db"))
    if not isinstance(db, Database):
        raise TypeError(f"db: expected a Database, a directory or 'none'; found {_kind(db)}")
    return db._native


class _Unpacking:
    """A line on standard error while the levels of the wheel are unpacked, once for a user."""

    def __init__(self) -> None:
        self.shown = False

    def __enter__(self) -> _Unpacking:
        return self

    def __call__(self, done: int, everything: int) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            self.shown = True
            percent = 100 * done // everything
            _show(f"\rsetrograde unpacks the endings of 16 cards, once: {percent} % ")

    def __exit__(self, *_: object) -> None:
        if self.shown:
            _show("\n")


def _show(progress: str) -> None:
    """Writes progress to standard error. No work is lost because it may be closed or full."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            print(progress, end="", file=sys.stderr, flush=True)


@cache
def _in_use() -> _native.Database | None:
    with _Unpacking() as unpacking:
        database, problem = _native.in_use(unpacking)
    if problem is not None:
        warnings.warn(problem, RuntimeWarning, stacklevel=4)
    return database


def solve(
    deal: str,
    strain: Strain,
    leader: Seat,
    played: Sequence[str] = (),
    *,
    target: int | None = None,
    wanted: str | None = None,
    db: AnyDatabase | None = None,
) -> list[CardTricks]:
    """The cards of the seat to play, the best first, with their tricks.

    `leader` leads to the trick, and `played` are the cards on the table, no
    longer in `deal`. `wanted` is ``"one"`` best card, all the ``"best"``, or
    ``"all"`` cards, which is the default. With a `target`, ``"one"`` card that
    reaches it or all of them (``"best"``, then the default), and none if none
    does; that is faster.
    """
    wanted = _wanted(target, wanted)
    found = _native.solve(
        _strain("strain", strain), _text("leader", leader), _text("deal", deal),
        _texts("played", played), target, wanted, _db(db),
    )
    return [CardTricks(*card) for card in found]


def _wanted(target: int | None, wanted: str | None) -> str:
    _tricks("target", target)
    if wanted is None:
        return "all" if target is None else "best"
    wanted = _text("wanted", wanted)
    if wanted == "all" and target is not None:
        raise ValueError("wanted: 'all' cards have no target")
    return wanted


class Solver:
    """A deal that is played, and a solver that keeps its results.

    What comes later in a play, or after a card is taken back, is then answered sooner, often at
    once. The answers are those of `solve` and do not depend on earlier questions.

    >>> solver = Solver("N:A2... K3... Q4... J5...", "NT", "W")
    >>> solver.solve()
    [CardTricks(card='SJ', tricks=1, equals=['S5'])]
    >>> [(card.card, card.tricks) for card in solver.play("SJ", "S2").solve()]
    [('SK', 1), ('S3', 0)]
    >>> solver.undo().at.to_play
    'N'
    """

    def __init__(
        self, deal: str, strain: Strain, leader: Seat, *, db: AnyDatabase | None = None
    ) -> None:
        _strain("strain", strain)
        self.at = Play(deal, strain, leader)
        """The play so far: hands, trick, and the seat to play."""
        self._db = db
        self._solver = _native.KeptSolver(_db(db))

    def __reduce__(self) -> tuple[Any, ...]:
        return _solver_at, (self.at, self._db)

    def solve(self, *, target: int | None = None, wanted: str | None = None) -> list[CardTricks]:
        """The cards of the seat to play with their tricks, as `solve` has them."""
        found = self._solver.solve(str(self.at), target, _wanted(target, wanted))
        return [CardTricks(*card) for card in found]

    def play(self, *cards: str) -> Solver:
        """Plays cards, each by the seat whose turn it is."""
        self.at.play(*cards)
        return self

    def undo(self, count: int = 1) -> Solver:
        """Takes the last cards back."""
        self.at.unplay(count)
        return self

    def __repr__(self) -> str:
        return f"<Solver of {self.at!r}>"


def _solver_at(at: Play, db: AnyDatabase | None) -> Solver:
    """Another solver, with the same play so far."""
    solver = Solver(at.start, cast(Strain, at.strain), cast(Seat, at.leader), db=db)
    return solver.play(*at.cards)


def solve_many(
    positions: Iterable[str],
    *,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> NDArray[np.int8]:
    """The tricks of the leader's side in each position, as an array of shape
    (n,). Positions are lines as ``"NT W N:A.K.. K.A.. Q.Q.. J.J.."``: strain,
    leader, deal, and perhaps ``played=SA,SK``.
    """
    texts = _texts("positions", positions)
    with _heard(progress, len(texts)) as heard:
        return _native.solve_many(texts, (_threads(threads), _db(db), heard))


def matter_many(
    positions: Iterable[str],
    *,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> Mattered:
    """`solve_many` with the number of cards of each suit that mattered, shape (n, 4), and
    the share of deals with the same proof, shape (n,). Positions are at the start of a
    trick.
    """
    texts = _texts("positions", positions)
    with _heard(progress, len(texts)) as heard:
        found = _native.matter_many(texts, (_threads(threads), _db(db), heard))
    tricks, cards, share = found
    return Mattered(tricks, cards.reshape(-1, 4), share)


def matter_tables(
    deals: Deals,
    *,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> Mattered:
    """`tables` with the number of cards of each suit that mattered for each result, shape
    (n, 5, 4, 4), and the share of deals with the same proof, shape (n, 5, 4).
    """
    read = _deals(deals)
    with _heard(progress, len(read)) as heard:
        found = _native.matter_tables(read, (_threads(threads), _db(db), heard))
    tricks, cards, share = found
    shape = (len(read), 5, 4)
    return Mattered(tricks.reshape(shape), cards.reshape(*shape, 4), share.reshape(shape))


def solve_cards(
    positions: Iterable[str | Play],
    *,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> NDArray[np.int8]:
    """The tricks of the side to play after each card, as an array of shape
    (n, 4, 13): positions, suits S H D C, ranks 2 to A; -1 where a card cannot be
    played. Positions are those of `solve_many`, or plays.
    """
    texts = _texts("positions", positions)
    with _heard(progress, len(texts)) as heard:
        return _native.solve_cards(texts, (_threads(threads), _db(db), heard))


def analyse_many(
    plays: Iterable[tuple[str, str, str, Sequence[str]] | Play],
    *,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> NDArray[np.int8]:
    """`analyse` of many plays, as an array of shape (n, 53), with -1 after the end of
    each. A play is a `Play`, or a deal, a strain, a leader and cards.
    """
    read = []
    for index, play in enumerate(_items("plays", plays, "a list of plays")):
        if isinstance(play, Play):
            play = (play.start, play.strain, play.leader, play.cards)
        if not (isinstance(play, tuple) and len(play) == 4):
            raise TypeError(
                f"plays[{index}]: expected a Play, or (deal, strain, leader, cards); "
                f"found {_kind(play)}"
            )
        deal, strain, leader, cards = play
        name = f"plays[{index}]"
        of_strain, of_leader = _strain(f"{name}[1]", strain), _text(f"{name}[2]", leader)
        read.append((of_strain, of_leader, _text(f"{name}[0]", deal), _texts(f"{name}[3]", cards)))
    with _heard(progress, len(read)) as heard:
        return _native.analyse_many(read, (_threads(threads), _db(db), heard))


def pars(
    tables: NDArray[np.integer[Any]],
    vulnerable: Vulnerability | Sequence[Vulnerability] = "None",
    dealer: Seat | Sequence[Seat] = "N",
) -> NDArray[np.int32]:
    """The par scores of North and South for many tables, an array as `tables` makes.
    Vulnerability and dealer are one for all, or one for each.
    """
    many = np.asarray(tables)
    if many.ndim != 3 or many.shape[1:] != (5, 4) or many.dtype.kind not in "iu":
        raise TypeError(f"tables: expected whole numbers of shape (n, 5, 4); found {_kind(tables)}")
    if many.size and not (0 <= many.min() and many.max() <= 13):
        raise ValueError("tables: expected 0 to 13 tricks everywhere")

    def each(name: str, given: str | Sequence[str]) -> list[str]:
        values = [_text(name, given)] * len(many) if isinstance(given, str) else _texts(name, given)
        if len(values) != len(many):
            raise ValueError(f"{name}: {len(values)} for {len(many)} tables")
        return values

    sides, dealers = each("vulnerable", vulnerable), each("dealer", dealer)
    scores = np.zeros(len(many), dtype=np.int32)
    # Between pieces, Python sees Ctrl-C.
    for first in range(0, len(many), 4096):
        piece = slice(first, first + 4096)
        scores[piece] = _native.par_scores(
            many[piece].astype(np.int8), sides[piece], dealers[piece]
        )
    return scores


def deals(
    count: int | None = None,
    if_: str | Sequence[str] = (),
    *,
    dealer: str | None = None,
    mix: str | None = None,
    name: Mapping[str, str] | None = None,
    hands: Mapping[str, str] | None = None,
    where: Callable[[Deal], object] | str | Sequence[str] = (),
    seed: int = 1,
    time: float | None = None,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> list[Deal]:
    """Deals at random, all that fit with the same probability: those that the command ``deal``
    draws with the same options. `count` is 1 unless given, or what the script says.

    `if_` has conditions about points, lengths and cards, as
    ``"N.hcp=15-17,N.S=2-4,S.H>=5,E+SA"`` (``docs/questions.md`` of the project); each
    deal that fits has the same probability, and rare ones come as fast as others. `hands`
    are known ones, as ``{"S": "AK..."}``.
    `dealer` is the text of a script of the program dealer, and `mix` has shares of types, as
    ``"35 % weak, 65 % other"``: names of the script or of `name`, which has conditions.
    `where` is a condition on double-dummy results, as
    ``"tricks(S,NT)>=9,unique(lead,3NTS)"``, or any function of a deal: deals for which it is
    false are left out. After `time` seconds there are fewer deals.
    `progress` is called now and then with the number of deals found.
    """
    seed = _count("seed", seed, 64)
    question: dict[str, object] = {"seed": seed, "if": _list("if_", if_)}
    if count is not None:
        question["count"] = _count("count", count, 32)
    if dealer is not None:
        question["dealer"] = _text("dealer", dealer)
    if mix is not None:
        question["mix"] = _text("mix", mix)
    if name is not None:
        question["name"] = {_text("name", of): _text("name", name[of]) for of in name}
    accept: Callable[[str], object] | None = None
    if callable(where):
        accept = _of_deal(where)
    else:
        question["where"] = _list("where", where)
    if time is not None:
        question["time"] = _seconds("time", time)
    if hands is not None and not isinstance(hands, Mapping):
        raise TypeError(f"hands: expected hands by seat, as {{'S': 'AK...'}}; found {_kind(hands)}")
    if hands:
        given = {
            _place(SEATS, _text("hands", seat), "seat"): Hand(_text(f"hands[{seat!r}]", hand))
            for seat, hand in hands.items()
        }
        for hand in given.values():
            if len(hand.cards) != 13:
                raise ValueError(f"hands: {hand} has {len(hand.cards)} cards, expected 13")
        question["hands"] = "N:" + " ".join(given.get(index, "?") for index in range(4))
    text = _json(question)
    with _heard(progress, count or 1) as heard:
        found = _native.deals(text, accept, _threads(threads), _db(db), heard)
    return [Deal(deal) for deal in found]


def _of_deal(where: Callable[[Deal], object]) -> Callable[[str], object]:
    return lambda text: where(Deal(text))


def score(contract: str, tricks: int, vulnerable: Vulnerability = "None") -> int:
    """The duplicate score of the declarer's side: ``score("4SXN", 10, "NS")`` is 790.
    `tricks` are those of the declarer.
    """
    tricks = _count("tricks", tricks)
    _tricks("tricks", tricks)
    return _native.score(_text("contract", contract), tricks, _text("vulnerable", vulnerable))


def imps(difference: int) -> int:
    """The international match points for a difference of scores."""
    points = _whole("difference", difference)
    # Beyond this, the scale ends.
    return _native.imps(max(-100_000, min(points, 100_000)))


def write(
    path: str | os.PathLike[str], boards: Iterable[Board], *, format: str | None = None
) -> None:
    """Writes boards to a PBN or LIN file; `format` is ``"pbn"`` or ``"lin"`` where the
    name does not end so. The file appears complete or not at all.
    """
    name = _path(path)
    kind = (_optional_text("format", format) or os.path.splitext(name)[1].lstrip(".")).lower()
    if kind not in ("pbn", "lin"):
        raise ValueError(f"format: expected 'pbn' or 'lin'; found {kind!r}")
    text = "% PBN 2.1\n" if kind == "pbn" else ""
    for index, board in enumerate(_items("boards", boards, "a list of boards")):
        if not isinstance(board, Board):
            raise TypeError(f"boards[{index}]: expected a Board; found {_kind(board)}")
        try:
            text += _native.board_text(board, kind == "lin")
        except (TypeError, ValueError) as error:
            wrong = TypeError if isinstance(error, TypeError) else ValueError
            raise wrong(f"boards[{index}]: {error}") from error
    try:
        _write_whole(name, text)
    except OSError as error:
        # The unfinished file has another name.
        raise OSError(error.errno, error.strerror, name) from None


def _write_whole(name: str, text: str) -> None:
    """Writes a file that appears complete or not at all. A link stays, and leads to it; what is
    no regular file, as a pipe, is written to directly."""
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return
    whole = os.path.realpath(name)
    unfinished = f"{whole}.{os.urandom(4).hex()}.unfinished"
    try:
        with open(unfinished, "x", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(whole, unfinished)
        os.replace(unfinished, whole)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(unfinished)
        raise


def _items(name: str, items: object, expected: str = "a list of texts") -> list[Any]:
    if isinstance(items, (str, bytes)):
        raise TypeError(f"{name}: expected {expected}; found one text")
    try:
        given = iter(items)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(f"{name}: expected {expected}; found {_kind(items)}") from None
    return list(given)


def _texts(name: str, items: Iterable[object], expected: str = "a list of texts") -> list[str]:
    texts = []
    for index, item in enumerate(_items(name, items, expected)):
        text = str(item) if isinstance(item, Play) else item
        # The name costs more than the check.
        if not isinstance(text, str) or not text.isascii():
            text = _text(f"{name}[{index}]", text)
        texts.append(text)
    return texts


@contextlib.contextmanager
def _heard(progress: Progress | bool | None, everything: int) -> Iterator[Progress | None]:
    """The callback for a number of answers: the given one, or a line on standard error, which ends
    with the work."""
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress: expected a function, True or False; found {_kind(progress)}")
    if not progress:
        yield None
        return
    last = -1

    def report(done: int) -> None:
        nonlocal last
        if done != last:
            last = done
            if callable(progress):
                progress(done)
            else:
                _show(f"\r{done} of {everything} ")

    try:
        yield report
    finally:
        if last >= 0 and not callable(progress):
            _show("\n")


def analyse(
    deal: str, strain: Strain, leader: Seat, play: Sequence[str], *, db: AnyDatabase | None = None
) -> NDArray[np.int8]:
    """The tricks that the declarer's side takes in all, at the start and after
    each card of `play`: an array of shape (len(play) + 1,). `leader` makes the
    opening lead.
    """
    cards = _texts("play", play)
    asked = (_strain("strain", strain), _text("leader", leader), _text("deal", deal), cards)
    rows = _native.analyse_many([asked], (1, _db(db), None))
    return rows[0, : len(cards) + 1]


def line(
    deal: str,
    strain: Strain,
    leader: Seat,
    played: Sequence[str] = (),
    *,
    db: AnyDatabase | None = None,
) -> list[str]:
    """The cards of one best play of both sides, to the end."""
    return _native.line(
        _strain("strain", strain), _text("leader", leader), _text("deal", deal),
        _texts("played", played), _db(db),
    )


class Desk:
    """Answers any question of the command, and keeps the tables of its searches: the second
    question about a deal takes a fraction of the time of the first.

    `threads` is the number of threads for a question, one for each core unless given.
    """

    def __init__(self, *, threads: int | None = None, db: AnyDatabase | None = None) -> None:
        self._desk = _native.Desk(_threads(threads), _db(db))

    def ask(self, ask: str, question: str | None = None, **options: Any) -> dict[str, Any]:
        """The answer to a question, like the function `ask`."""
        asked = {"ask": _text("ask", ask), "question": question}
        asked |= {name.removesuffix("_"): value for name, value in options.items()}
        given = {name: value for name, value in asked.items() if value is not None}
        answer: dict[str, Any] = json.loads(self._desk.ask(_json(given)))
        problem = answer.get("error")
        if problem is None:
            return answer
        if answer["because"] not in ("request", "question"):
            raise RuntimeError(problem)
        column = answer.get("column")
        raise ValueError(problem if column is None else f"question: column {column}: {problem}")


if not TYPE_CHECKING:

    def ask(ask, question=None, *, threads=None, db=None, **options):
        """The answer to any question of the command, as ``--json`` prints it (docs/json.md of
        the project).

        `ask` is the name of the question, such as ``"odds"``, and `question` its line, as
        ``"NT S N:AQ4... ? 532... ? out=KJT987..."``. `options` are those of JSON, with ``if_`` for
        ``if``: ``all=True``, or ``board`` with a record of one board instead of the line. Questions
        without an answer raise ``ValueError``, and ``RuntimeError`` if a limit was reached. A
        `Desk` answers many questions faster.
        """
        return Desk(threads=threads, db=db).ask(ask, question, **options)


def par(
    of: Table | NDArray[np.int8] | str,
    vulnerable: Vulnerability = "None",
    dealer: Seat = "N",
) -> Par:
    """The par result of a table, of an array of shape (5, 4), or of a deal.

    `vulnerable` is ``"None"``, ``"NS"``, ``"EW"`` or ``"All"``.
    """
    if isinstance(of, str):
        of = table(of)
    tricks = np.asarray(of.tricks if isinstance(of, Table) else of)
    if tricks.shape != (5, 4):
        raise ValueError(f"table: expected an array of shape (5, 4), found {tricks.shape}")
    if tricks.dtype.kind not in "iu":
        raise TypeError(f"table: expected whole numbers; found {_kind(tricks)}")
    if not (0 <= tricks.min() and tricks.max() <= 13):
        raise ValueError("table: expected 0 to 13 tricks everywhere")
    score, contracts = _native.par(
        tricks.tolist(), _text("vulnerable", vulnerable), _text("dealer", dealer)
    )
    return Par(score, [ParContract(*contract) for contract in contracts])


def holdings(deal: str) -> NDArray[np.uint16]:
    """A deal as an array of holdings, shape (4, 4): see the module's page."""
    return np.array(_native.holdings(_text("deal", deal)), dtype=np.uint16)


def read(
    path: str | os.PathLike[str],
    *,
    names: bool = False,
    on_error: Callable[[ValueError], object] | None = None,
) -> Iterator[Board]:
    """The boards of a file: PBN, LIN, a DDS list, GIB's .sol, or plain lines,
    recognized by its content.

    A board that cannot be read raises ValueError with file, line and reason; or,
    if `on_error` is given, that is called with the error, and the boards after
    it follow. `names` keeps the names of the players.
    """
    if not isinstance(names, bool):
        raise TypeError(f"names: expected True or False; found {_kind(names)}")
    if on_error is not None and not callable(on_error):
        raise TypeError(f"on_error: expected a function; found {_kind(on_error)}")
    return _boards(_path(path), names, on_error)


def _boards(
    path: str, names: bool, on_error: Callable[[ValueError], object] | None
) -> Iterator[Board]:
    reader = _native.RecordReader(path, names)
    while True:
        try:
            fields = next(reader, None)
        except ValueError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        if fields is None:
            return
        yield Board(**fields)


class Database:
    """An endgame database: the directory that ``build`` made.

    Without a path it is the one that all functions use unless `db` says otherwise:
    that of the variable ``SETROGRADE_DB``, or else the user's own, which ``build``
    makes, or else the 16 cards inside the wheel, or 12. Those of the wheel are compressed,
    and unpacked once into the user's cache directory. Its levels are mapped, and take
    little memory of the process. Threads may share a database. It pickles as its path.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        if path is None:
            found = _in_use()
            if found is None:
                raise ValueError("path: SETROGRADE_DB says that no database is in use")
            self._native = found
            return
        path = _path(path)
        try:
            is_directory = stat.S_ISDIR(os.stat(path).st_mode)
        except FileNotFoundError:
            problem = "there is no such database"
            raise FileNotFoundError(errno.ENOENT, problem, path) from None
        if not is_directory:
            problem = "a database is a directory, not a file"
            raise NotADirectoryError(errno.ENOTDIR, problem, path)
        self._native = _native.Database(path)

    @property
    def path(self) -> str | None:
        """The directory; None of the database inside the package."""
        path = self._native.path
        return None if path is None else os.fspath(path)

    @property
    def cards(self) -> list[int]:
        """The levels held, as numbers of cards in all hands together."""
        return self._native.cards

    def value(self, position: str) -> int:
        """Tricks for the leader's side in a position such as
        ``"NT W N:A.K.. K.A.. Q.Q.. J.J.."``."""
        return self._native.value(_text("position", position))

    def values(
        self,
        endings: Deals,
        strains: NDArray[np.uint8] | None = None,
        leaders: NDArray[np.uint8] | None = None,
        *,
        threads: int | None = None,
    ) -> NDArray[np.uint8]:
        """The values of many endings, as an array of shape (n,).

        Endings are texts as for `value`; or holdings, with strains (0 to 4 for
        S H D C NT) and leaders (0 to 3 for N E S W) as arrays of shape (n,).
        """
        read = _deals(endings, "endings")
        strains = _indices("strains", strains, len(STRAINS))
        leaders = _indices("leaders", leaders, len(SEATS))
        return self._native.values(read, strains, leaders, _threads(threads))

    def prove(self, position: str) -> Proof:
        """The value of an ending, with the cards that prove it."""
        value, owners, deals = self._native.prove(_text("position", position))
        return Proof(value, dict(zip(STRAINS, owners)), deals)

    def __repr__(self) -> str:
        return "Database()" if self.path is None else f"Database({self.path!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Database, (self.path,)


def build(
    cards: int = 16,
    path: str | os.PathLike[str] | None = None,
    *,
    method: str = "refine",
    threads: int | None = None,
    progress: Callable[[int, int, int], object] | None = None,
) -> Database:
    """Builds a database of all endings up to `cards` cards in all hands, or
    continues one, and opens it. Without a `path` it is where all functions, libdds and
    the command look for one, and what they use from then on.

    `progress` is called now and then with the cards of the level, its
    partitions that are done, and all of them. After Ctrl-C the same call
    continues from there.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected a function; found {_kind(progress)}")
    usual = path is None
    path = _native.usual_directory() if path is None else _path(path)
    _native.build(
        _count("cards", cards, 32), path, _text("method", method), _threads(threads), progress
    )
    if usual:
        _in_use.cache_clear()
    return Database(path)


def _list(name: str, texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else _texts(name, texts)


class Beliefs:
    """All layouts of the hidden cards that fit what a seat has seen."""

    def __init__(self, layouts: _native.Layouts) -> None:
        self._native = layouts

    @property
    def count(self) -> int:
        """The number of layouts."""
        return self._native.count()

    def probability(self, seat: str, card: str) -> float:
        """The probability that a seat holds a hidden card."""
        return self._native.probability(_text("seat", seat), _text("card", card))

    def marginals(self) -> dict[str, dict[str, float]]:
        """The same for all hidden cards, and all seats that hold such."""
        return self._native.marginals()

    def sample(self, count: int, *, seed: int = 0, spread: bool = False) -> list[str]:
        """Deals drawn with exactly the right probability, as they lie now. With
        `spread`, each comes from another part of all layouts, so that rare and
        common kinds occur about as often as they should."""
        return self._native.sample(_count("count", count), _count("seed", seed, 64), bool(spread))

    def layout(self, number: int) -> str:
        """The deal with this number, from 0 to ``count - 1``."""
        return self._native.layout(_count("number", number, 128))


def _read_view(question: str, game: str) -> View:
    return View(question, game=game)


class View:
    """One seat's view of a board: its own hand, dummy's, and what was played.

    Players get one for each card. ``View(question)`` reads one as text, which is
    that of ``odds``: the first hand that the deal shows is that of the seat that
    looks, a second one dummy's. `game` is ``"bridge"`` or ``"jass"``.
    """

    def __init__(self, question: str, *, game: str = "bridge") -> None:
        self._native = _native.View(_text("question", question), _text("game", game))
        self._question = (question, game)

    def __reduce__(self) -> tuple[Any, ...]:
        if not hasattr(self, "_question"):
            raise TypeError("a view that a player is given cannot be pickled; one read as text can")
        return _read_view, self._question

    @classmethod
    def _of(cls, native: _native.View) -> View:
        view = cls.__new__(cls)
        view._native = native
        return view

    @cached_property
    def seen(self) -> dict[str, Any]:
        """All that is seen, by name: also the game's rules, as ``"strain"`` or
        ``"contract"``."""
        seen: dict[str, Any] = json.loads(self._native.seen())
        return seen

    @property
    def seat(self) -> str:
        """Who looks."""
        return str(self.seen["seat"])

    @property
    def to_play(self) -> str:
        """Whose card is next: a declarer also plays dummy's."""
        return str(self.seen["to_play"])

    @property
    def hands(self) -> dict[str, list[str]]:
        """The cards of the hands that are seen."""
        return dict(self.seen["hands"])

    @property
    def history(self) -> list[str]:
        """All cards played, in order."""
        return list(self.seen["history"])

    @property
    def trick(self) -> list[str]:
        """The cards on the table."""
        return list(self.seen["trick"])

    @property
    def legal(self) -> list[str]:
        """The cards that may be played now."""
        return list(self.seen["legal"])

    def beliefs(self) -> Beliefs:
        """How the hidden cards may lie."""
        return Beliefs(self._native.layouts())


class CardWorth(NamedTuple):
    """The value of a card to a player."""

    card: str
    value: float
    """The mean of the player's objective."""
    visits: int
    """How often it was tried."""


class Choice(NamedTuple):
    """A card, and why."""

    card: str
    worth: list[CardWorth]
    """The cards, best first; empty if the player does not compare them."""
    worlds: int
    """How many layouts of the hidden hands were looked at."""


def choose(player: str, view: View, *, seed: int = 0, db: AnyDatabase | None = None) -> Choice:
    """The card that a player of the library plays, if the seat that looks is to
    play: ``"random"``, ``"simple"``, ``"mu"``, ``"ismcts"`` or ``"pimc"``,
    with parameters as ``"pimc:worlds=20,time=100"``."""
    if not isinstance(view, View):
        raise TypeError(f"view: expected a View; found {_kind(view)}")
    card, worth, worlds = _native.choose(
        _text("player", player), view._native, _count("seed", seed, 64), _db(db)
    )
    return Choice(card, [CardWorth(*of) for of in worth], worlds)


class Player:
    """A player of cards. Subclasses have a method `choose`.

    One object plays all the seats of its side, one after another.
    """

    def new_board(self) -> None:
        """Called before the first card at every table."""

    def choose(self, view: View) -> str:
        """One of the cards in ``view.legal``."""
        raise NotImplementedError

    def _choose(self, native: _native.View) -> str:
        return self.choose(View._of(native))


class Standing(NamedTuple):
    """How far one player is ahead of another. Every deal is played twice, with
    the sides exchanged."""

    first: int
    """Index of the first player in `players`."""
    second: int
    """Index of the second player in `players`."""
    boards: int
    won: int
    tied: int
    lost: int
    mean: float
    """The mean gain of the first a board: tricks at whist, the score at bridge,
    points at jass."""
    half_width: float
    """Half the width of the mean's 95 % interval."""
    imps: float
    """The mean gain in international match points, at bridge."""
    imps_half_width: float


def tournament(
    players: Sequence[str | Player],
    *,
    game: str = "whist",
    boards: int = 100,
    cards: int | None = None,
    trump: str | None = None,
    contract: str | None = None,
    goal: str = "score",
    seed: int = 0,
    threads: int | None = None,
    db: AnyDatabase | None = None,
    progress: Progress | bool = False,
) -> list[Standing]:
    """Lets every two players meet on the same boards.

    Players are names as for `choose`, or objects. `game` is ``"whist"``,
    ``"bridge"`` or ``"jass"``; `cards` a hand, `trump`, `contract`
    (as ``"4SN"``) and `goal` (``"tricks"``, ``"contract"``, ``"score"`` or
    ``"imps"``) are those of ``setrograde tournament``. With an object among the
    players one thread plays; an error that it raises ends the tournament, and a
    card that it may not play is a ValueError.
    """
    players = _items("players", players, "a list of names and players")
    for index, player in enumerate(players):
        if isinstance(player, str) or callable(getattr(player, "_choose", None)):
            if not isinstance(player, type):
                continue
            raise TypeError(
                f"players[{index}]: expected a name or an object; found the class "
                f"{player.__name__}, without ()"
            )
        raise TypeError(
            f"players[{index}]: expected a name or a Player; found {_kind(player)}"
        )
    count = len(players)
    boards = _count("boards", boards, 32)
    with _heard(progress, boards * count * (count - 1) // 2) as heard:
        found = _native.tournament(
            players, _text("game", game), boards,
            None if cards is None else _count("cards", cards, 32),
            _optional_text("trump", trump), _optional_text("contract", contract),
            _text("goal", goal), _count("seed", seed, 64), _threads(threads), _db(db), heard,
        )
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    return [Standing(a, b, *result) for (a, b), result in zip(pairs, found)]
