"""The package against the solver's reference answers and against itself."""

import dataclasses
import errno
import io
import os
import pickle
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import setrograde as sg

DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
ROOT = Path(__file__).resolve().parents[2]
ENDING = "NT W N:A.2.. K..A. .AK.. Q..K."
HIDDEN = "NT S N:AQ... ? 32... ? out=KJT9..."


def reference_tables():
    """Deals and their tables, (5, 4) in our order, computed by other solvers."""
    for line in (ROOT / "data" / "deals_100.txt").read_text().splitlines():
        if line.startswith("#") or "|" not in line:
            continue
        deal, tricks = line.split("|")
        rows = np.array([int(t) for t in tricks.split()], dtype=np.int8).reshape(5, 4)
        yield deal.strip(), rows[[1, 2, 3, 4, 0]]


REFERENCE = list(reference_tables())[:6]


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("db")
    seen = []
    built = sg.build(8, path, progress=lambda *state: seen.append(state))
    assert built.cards == [4, 8]
    assert all(done <= everything for _, done, everything in seen)
    return built


def random_deals(count, cards, seed=1):
    """Holdings of shape (count, 4, 4)."""
    rng = np.random.default_rng(seed)
    deals = np.zeros((count, 4, 4), dtype=np.uint16)
    for deal in deals:
        for index, card in enumerate(rng.permutation(52)[: 4 * cards]):
            deal[index % 4, card // 13] |= 4 << (card % 13)
    return deals


def test_reference_data_is_there():
    assert len(REFERENCE) == 6


def test_tables():
    deals = [deal for deal, _ in REFERENCE]
    expected = np.stack([tricks for _, tricks in REFERENCE])
    done = []
    found = sg.tables(deals, progress=done.append)
    assert found.dtype == np.int8 and found.shape == (6, 5, 4)
    np.testing.assert_array_equal(found, expected)
    assert done[-1] == 6
    holdings = np.stack([sg.holdings(deal) for deal in deals])
    np.testing.assert_array_equal(sg.tables(holdings, threads=1), expected)
    some = sg.tables(deals[:1], strains=["NT", "h"])
    np.testing.assert_array_equal(some[0, [1, 4]], expected[0, [1, 4]])
    assert (some[0, [0, 2, 3]] == -1).all()
    assert sg.tables([]).shape == (0, 5, 4)


def test_the_first_page():
    import doctest

    assert doctest.testmod(sg).failed == 0


def test_a_table():
    table = sg.table(DEAL)
    assert table["S", "E"] == 11 == table["s", "e"]
    assert table["NT", "E"] == table["nt", "e"] == int(table.tricks[4, 1])
    assert table == sg.table(sg.holdings(DEAL))
    assert str(table).splitlines()[1].split() == ["S", *map(str, table.tricks[0])]
    with pytest.raises(ValueError, match="'X' is not a strain"):
        table["X", "N"]


def test_solve_and_lines():
    cards = sg.solve("N:K3... Q4... J5... T...", "NT", "W", ["SA"])
    assert cards[0] == ("S3", 1, [])
    small = "N:A2... K3... Q4... J5..."
    assert sg.solve(small, "NT", "N", wanted="one")[0].tricks == 1
    assert sg.solve(small, "NT", "N", target=2) == []
    assert {card.card for card in sg.solve(small, "NT", "N", target=1)} == {"SA", "S2"}
    with pytest.raises(ValueError, match="no target"):
        sg.solve(small, "NT", "N", target=1, wanted="all")
    line = sg.line(DEAL, "NT", "W")
    assert len(line) == 52 and len(set(line)) == 52
    tricks = sg.analyse(DEAL, "NT", "W", line)
    assert tricks.shape == (53,) and (tricks == tricks[0]).all()
    assert tricks[0] == sg.table(DEAL)["NT", "S"]
    worth = sg.solve_many([f"NT W {DEAL}", ENDING])
    assert worth.tolist() == [13 - tricks[0], 1]


def test_par():
    found = sg.par(DEAL)
    assert found.score == -460
    makes = [(level, "NT", "E", False, 5 - level) for level in (3, 4, 5)]
    assert found.contracts == makes
    assert sg.par(sg.table(DEAL), "NS", "E").score <= 0
    assert sg.par(sg.table(DEAL).tricks) == found


def test_claims():
    question = "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQJT9.98.7.98"
    found = sg.ask("claim", question)
    assert found["sure"] == 5 and max(of["sure"] for of in found["cards"]) == 5
    with pytest.raises(ValueError, match="question: column"):
        sg.ask("claim", "NT W")


def test_records(tmp_path):
    path = tmp_path / "boards"
    path.write_text(
        f'[Board "1"]\n[Deal "{DEAL}"]\n[Dealer "E"]\n[DoubleDummyTricks "{"7" * 20}"]\n\n'
        f'[Board "2"]\n[Deal "N:A... A... K... Q..."]\n\n[Board "3"]\n[Contract "Pass"]\n'
    )
    problems = []
    boards = list(sg.read(path, on_error=problems.append))
    assert [board.number for board in boards] == [1, 3]
    assert boards[0].deal == DEAL and boards[0].dealer == "E"
    assert np.array(boards[0].tricks).shape == (5, 4)
    assert boards[1].passed_out and boards[1].deal is None
    assert "line 7, board 2" in str(problems[0])
    with pytest.raises(ValueError, match="held by both North and East"):
        list(sg.read(str(path)))
    with pytest.raises(FileNotFoundError):
        list(sg.read(tmp_path / "none"))
    wide = tmp_path / "wide"
    wide.write_text(path.read_text(), encoding="utf-16")
    with pytest.raises(ValueError, match="wide, line 7, board 2: .* North and East"):
        list(sg.read(wide))


def test_database(database):
    assert database.value(ENDING) == 1
    assert database.value("NT W N:A.2.. K..A. .AK.. ..K. played=SQ") == 0
    proof = database.prove(ENDING)
    assert proof.value == 1 and proof.deals >= 1
    assert all(set("".join(cards)) <= set("NESW") for cards in proof.owners.values())
    deals = random_deals(300, 2)
    rng = np.random.default_rng(2)
    strains = rng.integers(0, 5, 300, dtype=np.uint8)
    leaders = rng.integers(0, 4, 300, dtype=np.uint8)
    values = database.values(deals, strains, leaders)
    assert values.shape == (300,) and values.dtype == np.uint8
    names = [sg.STRAINS[s] for s in strains], [sg.SEATS[s] for s in leaders]
    lines = [f"{s} {l} {text(deal)}" for s, l, deal in zip(*names, deals)]
    np.testing.assert_array_equal(database.values(lines, threads=1), values)
    np.testing.assert_array_equal(sg.solve_many(lines), values)
    np.testing.assert_array_equal(sg.solve_many(lines, db=database), values)
    counted = [database.prove(line).value for line in lines[:50]]
    assert counted == values[:50].tolist()
    again = pickle.loads(pickle.dumps(database))
    assert again.value(ENDING) == 1


def text(holdings):
    """The PBN of an array of holdings."""
    ranks = "23456789TJQKA"
    hands = [
        ".".join("".join(ranks[r - 2] for r in range(14, 1, -1) if suit >> r & 1) for suit in hand)
        for hand in holdings.tolist()
    ]
    return "N:" + " ".join(hands)


def test_proof_counts_by_hand(database):
    """All deals of the shape, one by one, agree with the proof's count."""
    strain, leader, deal = ENDING.split(" ", 2)
    proof = database.prove(ENDING)
    from itertools import permutations

    lengths = [[len(suit) for suit in hand.split(".")] for hand in deal[2:].split()]
    counted = 1
    for suit in range(4):
        holders = "".join(seat * hand[suit] for seat, hand in zip("NESW", lengths))
        owners = proof.owners[sg.STRAINS[suit]]
        ways = {
            order
            for order in permutations(holders)
            if all(seat in mask for seat, mask in zip(order, owners))
        }
        counted *= len(ways)
    assert proof.deals == counted


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sg.table("N:AK"), "column"),
        (lambda: sg.tables([DEAL, "N:A... A... ... ..."]), r"deals\[1\]: column 8"),
        (lambda: sg.tables(["N:A... ... ... ..."]), "same number of cards"),
        (lambda: sg.tables(np.zeros((2, 4, 3), np.uint16)), "shape"),
        (lambda: sg.tables(np.full((1, 4, 4), 1, np.uint16)), "bits outside"),
        (lambda: sg.tables(np.full((1, 4, 4), 4, np.uint16)), "held by both"),
        (lambda: sg.tables([DEAL], strains=["Z"]), "not a strain"),
        (lambda: sg.solve(DEAL, "Q", "W"), "strain: column 1"),
        (lambda: sg.solve(DEAL, "NT", "Q"), "leader: column 1"),
        (lambda: sg.solve(DEAL, "NT", "W", ["S9"]), "still holds"),
        (lambda: sg.solve(DEAL, "NT", "W", wanted="some"), "wanted"),
        (lambda: sg.analyse(DEAL, "NT", "W", ["ST"]), r"play\[0\]"),
        (lambda: sg.solve_many(["NT"]), r"positions\[0\]: column 3"),
        (lambda: sg.par(np.zeros((4, 4))), "shape"),
        (lambda: sg.par(np.full((5, 4), 14, np.int8)), "13"),
        (lambda: sg.par(np.full((5, 4), -1, np.int8)), "expected 0 to 13"),
        (lambda: sg.par(DEAL, "Nowhere"), "vulnerable"),
    ],
)
def test_errors_say_where(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_errors_of_databases(database, tmp_path):
    with pytest.raises(OSError, match="manifest"):
        sg.Database(tmp_path)
    with pytest.raises(ValueError, match="12"):
        database.value("NT W N:AKQ... JT9... 876... 543...")
    with pytest.raises(ValueError, match=r"endings\[1\]"):
        database.values([ENDING, "NT"])
    with pytest.raises(ValueError, match="belong together"):
        database.values(random_deals(2, 2), np.zeros(2, np.uint8))
    with pytest.raises(ValueError):
        sg.build(7, tmp_path, method="magic")


def test_results_pickle():
    table = sg.table(DEAL)
    for value in [table, sg.par(table), sg.solve(DEAL, "NT", "W", wanted="one")]:
        assert pickle.loads(pickle.dumps(value)) == value


def test_the_lock_is_released():
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    sg.tables([deal for deal, _ in REFERENCE], threads=1)
    stop.set()
    thread.join()
    assert counted[0] > 20


def test_threads_share_a_database(database):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(database.value(ENDING))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_fork():
    sg.table(DEAL)
    child = os.fork()
    if child == 0:
        os._exit(0 if sg.table(DEAL)["S", "E"] == 11 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_signal_ends_the_search(interrupt):
    deals = np.repeat(sg.holdings(DEAL)[None], 1_000_000, axis=0)
    interrupt(lambda: sg.tables(deals), 1.5)


def test_tables_come_one_by_one_in_order():
    deals = [deal for deal, _ in REFERENCE]
    taken = []
    found = sg.tables(deals, threads=2, each=lambda number, table: taken.append((number, table)))
    assert [number for number, _ in taken] == list(range(len(deals)))
    np.testing.assert_array_equal(np.array([table for _, table in taken]), found)

    # A function that raises ends the work, and keeps what it has.
    few = []

    def two(number, table):
        if number == 2:
            raise KeyboardInterrupt
        few.append(table)

    with pytest.raises(KeyboardInterrupt):
        sg.tables(np.repeat(sg.holdings(DEAL)[None], 1_000_000, axis=0), each=two)
    assert len(few) == 2


def test_a_signal_ends_a_draw(interrupt):
    # A case with limits on the points of two hands is counted to its end.
    interrupt(lambda: sg.deals(2_000_000, "N.hcp=15-17,S.hcp=6-8,N.balanced"), 1.5, most=2.0)
    interrupt(lambda: sg.deals(100_000_000), 1.5)
    view = sg.View("NT S N:AQ4... ? 532... ? out=KJT987...")
    interrupt(lambda: view.beliefs().sample(100_000_000), 1.5)
    interrupt(lambda: view.beliefs().sample(100_000_000, spread=True), 1.5)


def test_deals_tell_how_many_are_found():
    done = []
    assert len(sg.deals(200_000, progress=done.append)) == 200_000
    assert done[-1] == 200_000 and done == sorted(set(done))
    done = []
    sg.deals(10, where=lambda deal: deal.north.points > 12, progress=done.append)
    assert done[-1] == 10


def test_progress_has_a_total_and_ends_its_line(capsys):
    sg.tables([DEAL], progress=True)
    assert capsys.readouterr().err.endswith("\r1 of 1 \n")
    sg.tables([DEAL], progress=False)
    assert capsys.readouterr().err == ""


def test_errors_of_files_are_those_of_python(tmp_path):
    missing = tmp_path / "missing.pbn"
    with pytest.raises(FileNotFoundError) as caught:
        list(sg.read(missing))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(missing))
    assert str(caught.value).endswith(f"{str(missing)!r}")


def test_progress_may_refuse():
    def refuse(done):
        raise io.UnsupportedOperation("enough")

    with pytest.raises(io.UnsupportedOperation):
        sg.tables([DEAL], progress=refuse)


def test_names_are_those_of_the_package():
    assert set(sg.__all__) <= set(dir(sg))
    assert not {"Any", "np", "os", "json", "dataclass"} & set(dir(sg))


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: sg.table(5), TypeError, "deal: expected a text"),
        (lambda: sg.table(None), TypeError, "NoneType"),
        (lambda: sg.table(b"N:"), TypeError, "bytes"),
        (lambda: sg.tables(DEAL), TypeError, "a list of texts"),
        (lambda: sg.tables([DEAL, 5]), TypeError, r"deals\[1\]: expected a text; found int"),
        (lambda: sg.tables(np.zeros((4, 4))), TypeError, r"array of float64 of shape \(4, 4\)"),
        (lambda: sg.tables(np.full((1, 4, 4), -1)), ValueError, "bits 2 to 14"),
        (lambda: sg.tables([DEAL], threads=0), ValueError, "threads: expected 1 to 1024"),
        (lambda: sg.tables([DEAL], threads=-1), ValueError, "threads"),
        (lambda: sg.tables([DEAL], strains=[]), ValueError, "strains"),
        (lambda: sg.solve(DEAL, "NT", "W", target=-1), ValueError, "target: expected 0 to 13"),
        (lambda: sg.solve(DEAL, "NT", "W", target=14), ValueError, "target: expected 0 to 13"),
        (lambda: sg.Table(np.zeros((5, 4)))["NT"], TypeError, "table"),
        (lambda: sg.Table(np.zeros((5, 4)))[0, 0], TypeError, "table"),
        (lambda: list(sg.Table(np.zeros((5, 4)))), TypeError, "not iterable"),
        (lambda: sg.Database("/nonexistent/database"), FileNotFoundError, "no such database"),
        (lambda: sg.table(DEAL)["N", "S"], ValueError, "'N' is a seat; no trump is 'NT'"),
        (lambda: sg.table(DEAL)["n", "S"], ValueError, "is a seat"),
        (lambda: sg.solve(DEAL, "N", "S"), ValueError, "strain: 'N' is a seat"),
        (lambda: sg.tables([DEAL], strains=["N"]), ValueError, r"strains\[0\]: 'N' is a seat"),
        (lambda: sg.Solver(DEAL, "N", "S"), ValueError, "is a seat"),
        (lambda: sg.line(DEAL, "N", "S"), ValueError, "is a seat"),
        (lambda: sg.Table(np.zeros((4, 4))), ValueError, r"shape \(5, 4\)"),
        (lambda: sg.Table(np.full((5, 4), 14)), ValueError, "0 to 13"),
        (lambda: sg.Table(np.full((5, 4), 0.5)), TypeError, "whole numbers"),
        (lambda: sg.Card(3), TypeError, "card: expected a text"),
        (lambda: sg.Deal(None), TypeError, "deal: expected a text"),
        (lambda: sg.Hand(None), TypeError, "hand: expected a text"),
        (lambda: sg.deals(float("nan")), TypeError, "count: expected a whole number"),
        (lambda: sg.deals(1, [5]), TypeError, r"if_\[0\]: expected a text"),
        (lambda: sg.tournament(["random", None]), TypeError, r"players\[1\]: expected a name or"),
        (lambda: sg.tournament(["random", sg.Player]), TypeError, "the class Player"),
        (lambda: list(sg.read(5)), TypeError, "path: expected the name of a file"),
        (lambda: sg.tables([DEAL], progress=3), TypeError, "progress: expected a function"),
        (lambda: sg.tables([DEAL], each=3), TypeError, "each: expected a function; found int"),
        (lambda: sg.tables(5), TypeError, "deals: expected a list of texts, or an array; found int"),
        (lambda: sg.ask("claim", b"x"), TypeError, "question: expected a text, a number or a list"),
        (lambda: sg.ask("claim", np.zeros(3)), ValueError, "question"),
        (lambda: sg.ask("claim", "\ud800"), ValueError, "question: expected a text of Unicode"),
        (lambda: sg.deals(1, b"x"), TypeError, "if_: expected a list of"),
        (lambda: sg.ask("odds", HIDDEN, until=float("nan")), ValueError, "until: expected finite"),
        (lambda: sg.solve(DEAL, "NT", "N", target="2"), TypeError, "target: expected a whole number"),
        (lambda: sg.score(None, 9), TypeError, "contract: expected a text; found NoneType"),
        (lambda: sg.score("4SN", 14), ValueError, "tricks: expected 0 to 13 tricks"),
        (lambda: sg.imps("5"), TypeError, "difference: expected a whole number"),
        (lambda: sg.par(np.full((5, 4), 263)), ValueError, "table: expected 0 to 13 tricks"),
        (lambda: sg.par(np.full((5, 4), 7), None), TypeError, "vulnerable: expected a text"),
        (lambda: sg.Table(np.full((5, 4), 7, dtype=object)), TypeError, "whole numbers"),
        (lambda: sg.Table(np.full((5, 4), 7j)), TypeError, "whole numbers"),
        (lambda: sg.Database().values(5), TypeError, "endings: expected a list of texts"),
        (
            lambda: sg.Database().values(np.zeros((1, 4, 4), int), np.array([-1]), np.array([0])),
            ValueError,
            "strains: expected 0 to 4 everywhere",
        ),
        (
            lambda: sg.analyse_many([(DEAL, "NT", "N", None)]),
            TypeError,
            r"plays\[0\]\[3\]: expected a list of texts; found NoneType",
        ),
        (lambda: sg.write("no.pbn", [None]), TypeError, r"boards\[0\]: expected a Board"),
    ],
)
def test_arguments_of_another_kind_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_numbers_of_numpy_are_numbers():
    plain = sg.ask("odds", HIDDEN, draw=5, seed=5)
    assert sg.ask("odds", HIDDEN, draw=np.int64(5), seed=np.uint8(5)) == plain
    suit = sg.ask("suit", north="AQ", south="32")
    assert sg.ask("suit", north="AQ", south="32", vacant=np.array([13, 13])) == suit
    assert sg.imps(10**12) == sg.imps(np.int16(4000)) == 24


@pytest.mark.parametrize(
    "wrong, text",
    [
        ({"room": "5"}, "room: expected 'open' or 'closed'"),
        ({"play_end": "x"}, "play_end: expected 'open', 'stopped'"),
        ({"result": 99}, "result: expected 0 to 13 tricks"),
        ({"declarer": "S"}, "declarer: expected N, as in the contract"),
    ],
)
def test_a_board_that_contradicts_itself_is_not_written(wrong, text, tmp_path):
    board = sg.Board(deal=DEAL, contract="4SN", result=9)
    sg.write(tmp_path / "right.pbn", [board])
    wrong = dataclasses.replace(board, **wrong)
    with pytest.raises(ValueError, match=text):
        sg.write(tmp_path / "wrong.pbn", [wrong])
    assert not (tmp_path / "wrong.pbn").exists()


def test_a_table_is_an_array_that_stays_as_it_is():
    table = sg.Table(np.arange(20).reshape(5, 4) % 14)
    assert np.asarray(table).shape == (5, 4)
    with pytest.raises(ValueError):
        table.tricks[0, 0] = 99


def test_holdings_of_any_whole_numbers_are_read():
    held = sg.holdings(DEAL)
    for dtype in [np.int64, np.uint16, ">u2"]:
        assert sg.table(held.astype(dtype)) == sg.table(DEAL)


def redealt(deal, top, rng):
    """The deal with all cards dealt again but the highest `top` of each suit; hands keep the
    lengths of their suits."""
    hands = [hand.split(".") for hand in deal[2:].split()]
    for suit, count in enumerate(top):
        held = sorted("".join(hand[suit] for hand in hands), key=DOWN.index)
        low = held[count:]
        rng.shuffle(low)
        for hand in hands:
            kept = [rank for rank in hand[suit] if rank in held[:count]]
            fresh = [low.pop() for _ in range(len(hand[suit]) - len(kept))]
            hand[suit] = "".join(sorted(kept + fresh, key=DOWN.index))
    return "N:" + " ".join(".".join(hand) for hand in hands)


DOWN = "AKQJT98765432"


def test_cards_that_did_not_matter_may_be_dealt_again():
    rng = random.Random(4)
    positions = []
    for _ in range(60):
        cards = [(suit, rank) for suit in range(4) for rank in DOWN]
        tricks = rng.randint(2, 6)
        drawn = rng.sample(cards, 4 * tricks)
        hands = [drawn[tricks * n : tricks * (n + 1)] for n in range(4)]
        texts = [
            ".".join("".join(r for r in DOWN if (s, r) in hand) for s in range(4))
            for hand in hands
        ]
        strain, leader = rng.choice(["NT", "S", "H"]), rng.choice("NESW")
        positions.append(f"{strain} {leader} N:" + " ".join(texts))
    found = sg.matter_many(positions, threads=1, db="none")
    assert found.cards.shape == (60, 4) and found.cards.dtype == np.uint8
    assert found.tricks.tolist() == sg.solve_many(positions, db="none").tolist()
    assert ((0 < found.share) & (found.share <= 1)).all() and found.share.dtype == np.float64
    again = [
        " ".join([*position.split()[:2], redealt(position.split(" ", 2)[2], top, rng)])
        for position, top in zip(positions, found.cards)
        for _ in range(5)
    ]
    assert (sg.solve_many(again, db="none").reshape(60, 5) == found.tricks[:, None]).all()
    with pytest.raises(ValueError, match="start of a trick"):
        sg.matter_many(["NT N N:2... K3... Q4... J5... played=SA"])


def test_tables_have_the_cards_that_mattered():
    deals = ["N:AQ... K3... 54... 76...", "N:A... K... Q... J..."]
    found = sg.matter_tables(deals, db="none")
    assert (found.tricks == sg.tables(deals, db="none")).all()
    assert found.cards.shape == (2, 5, 4, 4) and found.share.shape == (2, 5, 4)
    line = sg.matter_many(["NT E " + deals[0]], db="none")
    assert line.cards.tolist() == found.cards[0, 4, 0:1].tolist()
    assert line.share[0] == found.share[0, 4, 0]


def test_deals_by_their_results():
    where = "tricks(S,NT)>=9,N.hcp+S.hcp<=25"
    one, two = (sg.deals(2, where=where, seed=3, threads=n) for n in (1, 2))
    assert one == two and len(one) == 2
    assert all(sg.table(deal)["NT", "S"] >= 9 for deal in one)
    given = sg.deals(1, "N.hcp=15-17", where="makes(1NTN)", hands={"S": "AKQJ5.A64.KJ9.A4"})
    assert str(given[0].south) == "AKQJ5.A64.KJ9.A4"
    assert sg.deals(1, where="tricks(S,NT)>=9,tricks(S,NT)<=8", time=0.2) == []
    with pytest.raises(ValueError, match="where: column 1"):
        sg.deals(1, where="tricks(S)>=9")
    few = sg.deals(2**32 - 1, where=lambda deal: deal.north.points == 0, time=0.2)
    assert all(deal.north.points == 0 for deal in few)
    with pytest.raises(ZeroDivisionError):
        sg.deals(1, where=lambda deal: 1 // 0)


def test_numbers_that_do_not_fit_are_named() -> None:
    beliefs = sg.View("NT S N:AQ4... ? 532... ? out=KJT987...").beliefs()
    calls: list[tuple[str, Callable[[Any], object]]] = [
        ("count", lambda n: sg.deals(n)),
        ("seed", lambda n: sg.deals(1, seed=n)),
        ("count", lambda n: beliefs.sample(n)),
        ("seed", lambda n: beliefs.sample(1, seed=n)),
        ("number", lambda n: beliefs.layout(n)),
        ("threads", lambda n: sg.tables(sg.deals(1), threads=n, db="none")),
        ("count", lambda n: sg.ask("deal", count=n)),
    ]
    for name, call in calls:
        for wrong in (-1, 2**200, 1.5, "3"):
            with pytest.raises((ValueError, TypeError), match=f"^{name}: "):
                call(wrong)
