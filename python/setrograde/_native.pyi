import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

_Strain = Literal["S", "H", "D", "C", "NT"]
_Deals = Iterable[str] | NDArray[np.uint16]
_Position = tuple[int, int, list[int], list[int], list[list[int]]]
_Future = tuple[int, int, int, list[int], list[int], list[int], list[int]]

class Database:
    path: str | os.PathLike[str] | None
    cards: list[int]
    def __init__(self, path: str | os.PathLike[str]) -> None: ...
    def value(self, position: str) -> int: ...
    def values(
        self,
        endings: _Deals,
        strains: NDArray[np.uint8] | None,
        leaders: NDArray[np.uint8] | None,
        threads: int | None,
    ) -> NDArray[np.uint8]: ...
    def prove(self, position: str) -> tuple[int, list[list[str]], int]: ...

def in_use(progress: Callable[[int, int], object] | None) -> tuple[Database | None, str | None]: ...
def usual_directory() -> str: ...

class RecordReader:
    def __init__(self, path: str | os.PathLike[str], names: bool) -> None: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __next__(self) -> dict[str, Any]: ...

def board_text(board: Any, lin: bool) -> str: ...
def tables(
    deals: _Deals,
    strains: list[str] | None,
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
    each: Callable[[int, NDArray[np.int8]], object] | None,
) -> NDArray[np.int8]: ...
def solve(
    strain: str,
    leader: str,
    deal: str,
    played: list[str],
    target: int | None,
    wanted: str,
    db: Database | None,
) -> list[tuple[str, int, list[str]]]: ...

class KeptSolver:
    def __init__(self, db: Database | None) -> None: ...
    def solve(
        self, position: str, target: int | None, wanted: str
    ) -> list[tuple[str, int, list[str]]]: ...

def solve_many(
    positions: list[str],
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> NDArray[np.int8]: ...
def matter_many(
    positions: list[str],
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> tuple[NDArray[np.int8], NDArray[np.uint8], NDArray[np.float64]]: ...
def matter_tables(
    deals: _Deals,
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> tuple[NDArray[np.int8], NDArray[np.uint8], NDArray[np.float64]]: ...
def line(
    strain: str, leader: str, deal: str, played: list[str], db: Database | None
) -> list[str]: ...
def par(
    tricks: list[list[int]], vulnerable: str, dealer: str
) -> tuple[int, list[tuple[int, _Strain, str, bool, int]]]: ...
def solve_cards(
    positions: list[str],
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> NDArray[np.int8]: ...
def analyse_many(
    plays: list[tuple[str, str, str, list[str]]],
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> NDArray[np.int8]: ...
def par_scores(
    tables: NDArray[np.int8], vulnerable: list[str], dealers: list[str]
) -> NDArray[np.int32]: ...
def deals(
    question: str,
    accept: Callable[[str], object] | None,
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> list[str]: ...
def score(contract: str, tricks: int, vulnerable: str) -> int: ...
def imps(difference: int) -> int: ...
def hand_text(hand: str) -> str: ...
def holdings(deal: str) -> list[list[int]]: ...
def deal_text(deal: str) -> str: ...
def build(
    cards: int,
    path: str | os.PathLike[str],
    method: str,
    threads: int | None,
    progress: Callable[[int, int, int], object] | None,
) -> None: ...

class View:
    def __init__(self, question: str, game: str) -> None: ...
    def seen(self) -> str: ...
    def layouts(self) -> Layouts: ...

class Layouts:
    def count(self) -> int: ...
    def marginals(self) -> dict[str, dict[str, float]]: ...
    def probability(self, seat: str, card: str) -> float: ...
    def sample(self, count: int, seed: int, spread: bool) -> list[str]: ...
    def layout(self, number: int) -> str: ...


def choose(
    player: str, view: View, seed: int, db: Database | None
) -> tuple[str, list[tuple[str, float, int]], int]: ...
def tournament(
    players: list[Any],
    game: str,
    boards: int,
    cards: int | None,
    trump: str | None,
    contract: str | None,
    goal: str,
    seed: int,
    threads: int | None,
    db: Database | None,
    progress: Callable[[int], object] | None,
) -> list[tuple[int, int, int, int, float, float, float, float]]: ...

class Desk:
    def __init__(self, threads: int | None, db: Database | None) -> None: ...
    def ask(self, question: str, names: dict[str, str]) -> str: ...
