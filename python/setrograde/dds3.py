"""The functions of DDS 3.1's Python module `dds3`, with this package's solver.

``import setrograde.dds3 as dds3`` replaces ``import dds3``: names, arguments,
dictionaries and exceptions are the same. Suits are 0 to 3 for S H D C and 4 for
no trump, seats 0 to 3 for N E S W, vulnerabilities 0 none, 1 both, 2 NS, 3 EW;
holdings have bit r set for rank r, 2 to 14.

Differences: there is no limit to the number of boards and tables except where
callers may rely on one (`solve_all_boards_*` and `analyse_all_plays_pbn` take
200), `mode` never makes an answer wrong, and a `SolverContext` holds nothing,
since solvers are kept by the library and any thread may call.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from . import _native

__all__ = [
    "SolverContext",
    "analyse_all_plays_pbn",
    "analyse_play_pbn",
    "api_root",
    "calc_all_tables_pbn",
    "calc_dd_table",
    "calc_par",
    "calc_par_from_table",
    "dealer_par",
    "initialize_static_memory",
    "module_name",
    "par",
    "set_max_threads",
    "solve_all_boards_bin",
    "solve_all_boards_pbn",
    "solve_board",
    "solve_board_pbn",
]

_Cards: TypeAlias = list[list[int]]
_Position: TypeAlias = tuple[int, int, list[int], list[int], _Cards]
_Reader: TypeAlias = Callable[[Any], _Cards]

_MAX_BOARDS = 200
_NO_FAULT = 1

# Return codes for wrong arguments, and their texts.
_ARGUMENT_FAULTS = {
    -4: "a card is in two hands",
    -5: "the target is below -1",
    -7: "the target is above 13",
    -8: "solutions is below 1",
    -9: "solutions is above 3",
    -12: "a card on the table has no such suit or rank",
    -14: "the hands have wrong numbers of cards",
    -15: "no such thread index",
    -16: "the mode is below 0",
    -17: "the mode is above 2",
    -18: "no such trump",
    -19: "no such seat to lead",
    -99: "the deal cannot be read",
    -201: "no strain is asked for",
    -202: "too many tables",
}
_OTHER_FAULTS = {
    -2: "there are no cards",
    -3: "the target is more than the tricks that are left",
    -13: "a card on the table is also in a hand",
    -98: "a card of the play cannot be played",
}


def _check(code: int) -> None:
    if code == _NO_FAULT:
        return
    if code in _ARGUMENT_FAULTS:
        raise ValueError(f"DDS error {code}: {_ARGUMENT_FAULTS[code]}")
    raise RuntimeError(f"DDS error {code}: {_OTHER_FAULTS.get(code, 'the search failed')}")


def _bounded(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ValueError(f"{name} has invalid value {value} (expected {low} to {high})")
    return int(value)


def _numbers(name: str, values: Sequence[int], size: int, low: int, high: int) -> list[int]:
    if len(values) != size:
        raise ValueError(f"{name} must have size {size}, not {len(values)}")
    return [_bounded(name, value, low, high) for value in values]


def _cards(name: str, rows: Sequence[Sequence[int]]) -> _Cards:
    if len(rows) != 4:
        raise ValueError(f"{name} must have 4 hands, not {len(rows)}")
    return [_numbers(name, row, 4, 0, 0x7FFC) for row in rows]


def _pbn(text: str) -> _Cards:
    try:
        return _native.holdings(text)
    except ValueError as error:
        raise ValueError(f"DDS error -99: {error}") from None


def _position(
    cards: _Cards,
    trump: int,
    first: int,
    trick_suit: Sequence[int],
    trick_rank: Sequence[int],
) -> _Position:
    position = (
        _bounded("trump", trump, 0, 4),
        _bounded("first", first, 0, 3),
        _numbers("current_trick_suit", trick_suit, 3, 0, 3),
        _numbers("current_trick_rank", trick_rank, 3, 0, 14),
        cards,
    )
    if not any(map(any, cards)):
        _check(-2)
    return position


def _position_of(board: Mapping[str, Any], cards: _Reader) -> _Position:
    """The position of one board of many: all but its cards have defaults."""
    return _position(
        cards(board["remain_cards"]),
        board.get("trump", 4),
        board.get("first", 0),
        board.get("current_trick_suit", (0, 0, 0)),
        board.get("current_trick_rank", (0, 0, 0)),
    )


def _check_count(what: str, items: Sequence[Any]) -> None:
    if len(items) > _MAX_BOARDS:
        raise ValueError(f"{len(items)} {what} exceeds maximum {_MAX_BOARDS}")


def _future(found: tuple[int, int, int, Any, Any, Any, Any]) -> dict[str, Any]:
    code, nodes, cards, suit, rank, equals, score = found
    _check(code)
    return {
        "nodes": nodes,
        "cards": cards,
        "suit": tuple(suit),
        "rank": tuple(rank),
        "equals": tuple(equals),
        "score": tuple(score),
    }


class SolverContext:
    """Accepted wherever DDS takes one; it has no effect."""


def solve_board(
    deal: Mapping[str, Any],
    target: int = -1,
    solutions: int = 3,
    mode: int = 0,
    thread_index: int = 0,
    context: SolverContext | None = None,
) -> dict[str, Any]:
    """The cards of the seat to play and their tricks."""
    position = _position(
        _cards("remain_cards", deal["remain_cards"]),
        deal["trump"],
        deal["first"],
        deal["current_trick_suit"],
        deal["current_trick_rank"],
    )
    return _future(_native.dds_solve([(position, target, solutions, mode)], 1)[0])


def solve_board_pbn(
    remain_cards: str,
    trump: int = 4,
    first: int = 0,
    current_trick_suit: Sequence[int] = (0, 0, 0),
    current_trick_rank: Sequence[int] = (0, 0, 0),
    target: int = -1,
    solutions: int = 3,
    mode: int = 0,
    thread_index: int = 0,
    context: SolverContext | None = None,
) -> dict[str, Any]:
    """The same for a deal in PBN."""
    cards = _pbn(remain_cards)
    position = _position(cards, trump, first, current_trick_suit, current_trick_rank)
    return _future(_native.dds_solve([(position, target, solutions, mode)], 1)[0])


def _solve_all(
    boards: Sequence[Mapping[str, Any]], max_threads: int, cards: _Reader
) -> list[dict[str, Any]]:
    _check_count("boards", boards)
    questions = [
        (
            _position_of(board, cards),
            board.get("target", -1),
            board.get("solutions", 3),
            board.get("mode", 0),
        )
        for board in boards
    ]
    found = _native.dds_solve(questions, max(0, max_threads))
    return [_future(future) for future in found]


def solve_all_boards_pbn(
    boards: Sequence[Mapping[str, Any]], max_threads: int = 0
) -> list[dict[str, Any]]:
    """`solve_board_pbn` of up to 200 boards, on all cores."""
    return _solve_all(boards, max_threads, _pbn)


def solve_all_boards_bin(
    boards: Sequence[Mapping[str, Any]], max_threads: int = 0
) -> list[dict[str, Any]]:
    """`solve_board` of up to 200 boards, on all cores."""
    return _solve_all(boards, max_threads, lambda cards: _cards("remain_cards", cards))


def calc_dd_table(table_deal: Mapping[str, Any]) -> dict[str, Any]:
    """The 20 results of a deal: ``res_table[strain][seat]``."""
    cards = _cards("cards", table_deal["cards"])
    code, tricks = _native.dds_tables([cards], [0] * 5, 1)[0]
    _check(code)
    return {"res_table": tricks}


def calc_all_tables_pbn(
    deals_pbn: Sequence[str],
    mode: int = -1,
    trump_filter: Sequence[int] = (0, 0, 0, 0, 0),
    max_threads: int = 0,
) -> dict[str, Any]:
    """The results of any number of deals, and par unless `mode` is -1."""
    _bounded("mode", mode, -1, 3)
    skip = _numbers("trump_filter", trump_filter, 5, 0, 1)
    if all(skip):
        raise ValueError("DDS error -201: no strain is asked for")
    if mode != -1 and any(skip):
        raise ValueError("par (mode other than -1) needs all strains")
    found = _native.dds_tables([_pbn(deal) for deal in deals_pbn], skip, max(0, max_threads))
    tables = []
    for code, tricks in found:
        _check(code)
        tables.append({"res_table": tricks})
    pars = [] if mode == -1 else [par(table, mode) for table in tables]
    boards = len(tables) * 4 * (5 - sum(skip))
    return {"no_of_boards": boards, "tables": tables, "par_results": pars}


def _table(table_results: Mapping[str, Any]) -> list[list[int]]:
    rows = table_results["res_table"]
    if len(rows) != 5:
        raise ValueError(f"res_table must have 5 strains, not {len(rows)}")
    return [_numbers("res_table", row, 4, 0, 13) for row in rows]


def par(table_results: Mapping[str, Any], vulnerable: int = 0) -> dict[str, Any]:
    """Par of a table as both sides see it."""
    _bounded("vulnerable", vulnerable, 0, 3)
    code, scores, contracts = _native.dds_par(_table(table_results), vulnerable)
    _check(code)
    return {"par_score": scores, "par_contracts_string": contracts}


calc_par_from_table = par


def calc_par(table_deal: Mapping[str, Any], vulnerable: int = 0) -> dict[str, Any]:
    """The table of a deal, and its par."""
    _bounded("vulnerable", vulnerable, 0, 3)
    table = calc_dd_table(table_deal)
    return {"dd_table": table, "par_results": par(table, vulnerable)}


def dealer_par(
    table_results: Mapping[str, Any], dealer: int, vulnerable: int = 0
) -> dict[str, Any]:
    """Par of a table as the dealer sees it."""
    _bounded("dealer", dealer, 0, 3)
    _bounded("vulnerable", vulnerable, 0, 3)
    code, score, contracts = _native.dds_dealer_par(_table(table_results), dealer, vulnerable)
    _check(code)
    return {"score": score, "number": len(contracts), "contracts": contracts}


def _play(text: str) -> list[tuple[int, int]]:
    if len(text) % 2:
        raise ValueError("play must have two characters for each card")
    if len(text) > 104:
        raise ValueError("play has more than 52 cards")
    cards = []
    for suit, rank in zip(text[::2].upper(), text[1::2].upper()):
        if suit not in "SHDC" or rank not in "23456789TJQKA":
            raise ValueError(f"play: {suit + rank!r} is not a card")
        cards.append(("SHDC".index(suit), "23456789TJQKA".index(rank) + 2))
    return cards


def _analysis(found: tuple[int, list[int]]) -> dict[str, Any]:
    code, tricks = found
    _check(code)
    return {"number": len(tricks), "tricks": tricks}


def analyse_play_pbn(
    remain_cards: str,
    play: str,
    trump: int = 4,
    first: int = 0,
    current_trick_suit: Sequence[int] = (0, 0, 0),
    current_trick_rank: Sequence[int] = (0, 0, 0),
    thread_index: int = 0,
) -> dict[str, Any]:
    """The declarer's tricks at the start and after each card of a play."""
    position = _position(_pbn(remain_cards), trump, first, current_trick_suit, current_trick_rank)
    return _analysis(_native.dds_analyse([(position, _play(play))])[0])


def analyse_all_plays_pbn(deals: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same for up to 200 plays, on all cores."""
    _check_count("deals", deals)
    questions = [(_position_of(deal, _pbn), _play(deal["play"])) for deal in deals]
    return [_analysis(found) for found in _native.dds_analyse(questions)]


def initialize_static_memory() -> None:
    """Does nothing: there is nothing to initialise."""


def set_max_threads(user_threads: int = 0) -> None:
    """Does nothing, and warns, as DDS 3.1 does."""
    warnings.warn(
        "set_max_threads() does nothing; leave it out",
        DeprecationWarning,
        stacklevel=2,
    )


def module_name() -> str:
    """The name that DDS's own native module gives."""
    return "_dds3"


def api_root() -> str:
    """The header that DDS's own module is made from."""
    return "dds.hpp"
