"""Hidden cards, odds, single dummy, players and tournaments."""

import threading
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import setrograde as sg

FINESSE = "NT S N:AQ... ? 54... ? out=K763..."
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return sg.build(8, tmp_path_factory.mktemp("db"))


def layouts():
    """All deals of the question, by East's cards."""
    for east in combinations("K763", 2):
        west = "".join(card for card in "K763" if card not in east)
        yield f"N:AQ... {''.join(east)}... 54... {west}..."


def test_beliefs_are_those_of_counting():
    view = sg.View(FINESSE)
    assert (view.seat, view.to_play, view.trick) == ("N", "S", [])
    beliefs = view.beliefs()
    assert beliefs.count == 6
    assert beliefs.probability("E", "SK") == pytest.approx(0.5)
    assert set(beliefs.marginals()) == {"SK", "S7", "S6", "S3"}
    assert set(beliefs.marginals()["SK"]) == {"E", "W"}
    every = [beliefs.layout(number) for number in range(6)]
    assert sorted(every) == sorted(layouts())
    drawn = Counter(beliefs.sample(6000, seed=3))
    assert set(drawn) == set(every) and min(drawn.values()) > 800
    assert sorted(beliefs.sample(6, spread=True)) == sorted(every)
    with pytest.raises(IndexError):
        beliefs.layout(6)
    with pytest.raises(ValueError, match="not hidden"):
        beliefs.probability("E", "SA")
    longer = sg.View("NT S N:AQ... ? 54... ? out=K7.63.. if=E.S=2").beliefs()
    assert longer.count == 1


def test_odds_are_those_of_looking_up_every_layout(database):
    values = Counter(database.value(f"NT S {deal}") for deal in layouts())
    found = sg.ask("odds", FINESSE, db=database, all=True)
    assert found["layouts"] == 6 and found["counts"] == [values[n] for n in range(3)]
    assert sum(found["chances"]) == pytest.approx(1)
    assert found["chances"][2] == pytest.approx(values[2] / 6)
    assert found["mean"] == pytest.approx(sum(n * count for n, count in values.items()) / 6)
    assert {of["card"] for of in found["cards"]} <= {"S5", "S4"}
    assert all(of["counts"] == found["counts"] for of in found["cards"])


def test_odds_are_drawn_where_they_cannot_be_counted(database):
    counted = sg.ask("odds", FINESSE, db=database)
    drawn = sg.ask("odds", FINESSE, db="none", draw=5, all=True)
    assert (drawn["layouts"], drawn["drawn_of"]) == (5, 6) and "drawn_of" not in counted
    # There are no more than would be drawn.
    assert sg.ask("odds", FINESSE, db="none") == counted
    assert {of["card"] for of in drawn["cards"]} <= {"S5", "S4"}
    assert drawn["mean"] == pytest.approx(counted["mean"], abs=0.3)
    low, high = drawn["intervals"][2]
    assert low <= drawn["chances"][2] <= high
    west = sg.ask("odds", FINESSE, db=database, if_="W+SK")
    assert west["layouts"] == 3 and west["chances"][2] == 1


def test_answers_are_those_of_the_command():
    found = sg.ask("layouts", FINESSE, draw=2)
    assert found["layouts"] == 6 and len(found["samples"]) == 2
    first = sg.ask("leads", "K2.QJT94.873.A62", contract="3NT", draw=10)
    assert first == sg.ask("leads", "K2.QJT94.873.A62", contract="3NT", draw=10, threads=2)
    hands = "AKQJ2.A2.432.K32 T98.K43.AK5.A654"
    compared = sg.ask("compare", hands, contracts="3NT,4S", draw=5, vulnerable="NS")
    assert [of["contract"] for of in compared["contracts"]] == ["3NTN", "4SN"]
    ruling = sg.ask("adjudicate", "NT S N:AQ... 76... 54... K3...", by="S", tricks=1)
    assert ruling["claimed"] == 1
    assert sg.ask("solve", question="NT S N:AQ... 76... 54... K3...", text=True)["text"]
    for wrong, said in [
        ({"ask": "bid"}, "ask: expected one of"),
        ({"ask": "solve", "question": "NT"}, "column"),
        ({"ask": "solve", "question": "x", "al": True}, "no option `al`"),
        ({"ask": "odds", "question": FINESSE, "if_": "E?"}, "if: column"),
    ]:
        with pytest.raises(ValueError, match=said):
            sg.ask(**wrong)


def test_single_dummy():
    found = sg.ask("single_dummy", FINESSE, tricks=2)
    # The finesse works when West has the king.
    assert (found["of"], found["layouts"]) == (6, 3)
    assert {of["card"] for of in found["cards"]} <= {"S5", "S4"}
    assert sg.ask("single_dummy", FINESSE, tricks=1)["layouts"] == 6
    with pytest.raises(ValueError, match="tricks"):
        sg.ask("single_dummy", FINESSE, tricks=3)
    with pytest.raises(ValueError, match="hand is hidden"):
        sg.ask("single_dummy", "NT W N:AQ... ? 54... ? out=K763...", tricks=1)
    with pytest.raises(RuntimeError, match="positions"):
        sg.ask("single_dummy", FINESSE, tricks=2, limit=1)


def best_line(**options):
    return sg.ask("best_line", FINESSE, **{"layouts": list(layouts()), "db": "none", **options})


def test_the_best_line_over_layouts():
    found = best_line(tricks=2, plan=True, cards=True)
    assert found["worth"] == pytest.approx(0.5) == found["at_most"]
    assert {of["card"] for of in found["cards"]} | set(found["equals"]) == {"S5", "S4"}
    assert sorted(found["tricks"]) == [0, 0, 0, 2, 2, 2]
    assert found["line"]["steps"][found["line"]["root"]]["play"] == found["card"] in {"S5", "S4"}
    # Weights decide which finesse is right.
    weighed = best_line(weights=[1, 1, 1, 1, 1, 1.5])
    assert 1.5 < weighed["worth"] <= weighed["double_dummy"]
    bounded = best_line(limit=1)
    assert bounded["worth"] <= weighed["at_most"] <= 2
    for wrong, said in [
        ({"tricks": 3}, "tricks"),
        ({"weights": [1]}, "weights"),
        ({"weights": [0] * 6}, "weighs"),
        ({"tricks": 1, "score": "1NTS"}, "one of them"),
        ({"layouts": []}, "layout"),
        ({"layouts": ["N:AQ... 97... 54... K6..."]}, "layout 1"),
    ]:
        with pytest.raises(ValueError, match=said):
            best_line(**wrong)


def test_a_thousand_best_lines_leave_nothing_behind():
    resource = pytest.importorskip("resource")
    statm = "/proc/self/statm"

    def resident():
        try:
            with open(statm) as file:
                return int(file.read().split()[1]) * resource.getpagesize()
        except FileNotFoundError:
            # The most that it ever was: it does not fall, but must not rise.
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    expected = best_line(tricks=2, plan=True)

    def calls(count):
        for _ in range(count):
            assert best_line(tricks=2, plan=True) == expected

    calls(100)
    before = resident()
    calls(1000)
    assert resident() - before < 4 << 20


def test_best_lines_in_eight_threads():
    found, errors = [], []

    def ask(number):
        try:
            for tricks in (1, 2):
                found.append((tricks, best_line(tricks=tricks)["worth"]))
                assert sg.ask("suit", north="AQ", south="32")["at_least"] == [1, 1, 0.5]
        except BaseException as error:
            errors.append((number, error))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(found) == 16
    assert all(worth == pytest.approx({1: 1, 2: 0.5}[tricks]) for tricks, worth in found)


def test_a_signal_ends_a_search_for_a_line(interrupt):
    question = "NT S N:AQ52.KJ4.A. ? 43.A52.K6.Q ? out=KJT98.QT98.QJT.AKJT"
    deals = sg.View(question).beliefs().sample(300, seed=1)
    # Eight cards a hand over 300 layouts take long.
    interrupt(lambda: sg.ask("best_line", question, layouts=deals, db="none"), 0.5)
    interrupt(lambda: suit("K974", "J52", entries=(5, 5), time=60), 0.5)


def suit(north, south, **options):
    return sg.ask("suit", north=north, south=south, **options)


def test_one_suit():
    found = suit("AJT", "432", tricks=2)
    assert found["at_least"] == pytest.approx([1, 1, 0.76, 0], abs=0.001)
    line = found["lines"][0]
    assert line["steps"][0]["from"] == "S" and line["steps"][0]["third"][0]["card"] == "T"
    assert line["plan"][0].startswith("Lead the 2 from South.")
    assert found["average"]["mean"] >= 1.76 - 0.001
    # North's winners are out of reach without an entry.
    assert suit("KQJT", "A", entries=(0, None))["at_least"] == [1, 1, 0, 0, 0]
    for wrong, said in [
        ({"tricks": 4}, "at most"),
        ({"vacant": (14, 13)}, "vacant"),
        ({"gone": "A"}, "gone"),
        ({"time": -1}, "time"),
    ]:
        with pytest.raises(ValueError, match=said):
            suit("AJT", "432", **wrong)
    with pytest.raises(RuntimeError):
        suit("KT86", "2", time=0)


class Simple(sg.Player):
    """Plays like the library's simple player, and counts its boards."""

    def __init__(self):
        self.boards = 0

    def new_board(self):
        self.boards += 1

    def choose(self, view):
        assert view.legal and set(view.legal) <= set(view.hands[view.to_play])
        return sg.choose("simple", view).card


class Wrong(sg.Player):
    def choose(self, view):
        return "SA" if "SA" not in view.legal else "S2"


class Tired(sg.Player):
    def choose(self, view):
        raise LookupError("tired")


def test_choices():
    view = sg.View("NT S S:54... ? AQ... ? out=K763...")
    assert (view.seat, view.legal) == ("S", ["S4", "S5"])
    assert sg.choose("simple", view).card in view.legal
    choice = sg.choose("pimc:worlds=4", view, seed=1, db="none")
    assert choice.card in view.legal and choice.worlds == 4
    assert choice == sg.choose("pimc:worlds=4", view, seed=1, db="none")
    # With a database all layouts are looked up.
    assert sg.choose("pimc:worlds=4", view, seed=1).worlds == 6
    with pytest.raises(RuntimeError, match="no card to choose"):
        sg.choose("simple", sg.View(FINESSE))  # North looks, and South is to play.
    with pytest.raises(ValueError, match="there is no player"):
        sg.choose("champion", view)


def test_players_of_python():
    player = Simple()
    (standing,) = sg.tournament([player, "simple"], cards=4, boards=6, seed=2)
    assert (standing.boards, standing.tied, standing.mean) == (6, 6, 0.0)
    assert player.boards == 12
    with pytest.raises(LookupError, match="tired"):
        sg.tournament([Tired(), "simple"], cards=4, boards=6)
    with pytest.raises(ValueError, match="board 1: "):
        sg.tournament([Wrong(), "simple"], cards=4, boards=6)
    with pytest.raises(NotImplementedError):
        sg.tournament([sg.Player(), "simple"], cards=4, boards=6)


def test_tournaments_do_not_depend_on_who_runs_them():
    names = ["simple", "random"]
    played = []
    alone = sg.tournament(names, cards=5, boards=20, seed=7, threads=2, progress=played.append)
    assert played[-1] == 20 and alone[0].boards == 20 and alone[0].mean > 0
    assert alone == sg.tournament(names, cards=5, boards=20, seed=7, threads=1)
    with_python = sg.tournament([*names, Simple()], cards=5, boards=20, seed=7)
    assert len(with_python) == 3
    assert with_python[0] == alone[0]
    assert with_python[1].tied == 20
    (standing,) = sg.tournament(names, game="jass", boards=4)
    assert standing.boards == 4
    bridge = {"game": "bridge", "contract": "3NTS", "boards": 3}
    (standing,) = sg.tournament(["simple", "simple"], **bridge)
    assert standing.imps == 0
    with pytest.raises(ValueError, match="none of"):
        sg.tournament(names, game="chess")
    with pytest.raises(ValueError, match="goal"):
        sg.tournament(names, goal="fun", game="bridge")


def test_a_signal_ends_a_search_within_a_deal(interrupt):
    lines = (ROOT / "data" / "hard_deals.txt").read_text().splitlines()
    # The easiest is solved too soon; the last takes many seconds.
    hard = [line for line in lines if line.startswith("N:")][-1]
    interrupt(lambda: sg.table(hard.split("|")[0].strip()), 0.7)


def test_results_of_an_evening():
    boards = (Path(__file__).parents[2] / "data/samples/evening.pbn").read_text()
    session = sg.ask("results", boards=boards)["session"]
    assert [board["board"] for board in session["boards"]] == list(range(1, 8))
    assert session["boards"][0]["tables"][0]["double_dummy"] == 11
    with pytest.raises(ValueError, match="boards: there is none"):
        sg.ask("results", boards="")
