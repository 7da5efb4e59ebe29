"""Cards, hands, deals, plays, and boards that are written."""

import copy
import errno
import os
import pickle
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import setrograde as sg

DEAL = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"


def test_objects_are_texts():
    deal = sg.Deal("S:87.97.QJ9876.KT8 Q2.AJT8532.2.A76 T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3")
    assert deal == DEAL and isinstance(deal, str)
    assert sg.table(deal) == sg.table(DEAL)
    assert sg.Deal(sg.holdings(DEAL)) == deal == sg.Deal(deal.holdings)
    assert deal.hand("East") == deal.east == "AKJ96.6.AKT5.QJ3"
    assert deal.swap("N", "S").north == deal.south
    copy = pickle.loads(pickle.dumps(deal))
    assert copy == deal and type(copy) is sg.Deal
    assert "♠ AKJ96" in deal.diagram() and "<table>" in deal._repr_html_()
    for wrong in ["", "N:A... A... K... Q...", "X:A... K... Q... J..."]:
        with pytest.raises(ValueError):
            sg.Deal(wrong)
    with pytest.raises(ValueError, match="SA or HT"):
        sg.Card("1S")


def test_hands_are_valued():
    hand = sg.Hand("AQ963.J64.852.K2")
    assert (hand.points, hand.controls, hand.losers) == (10, 3, 8)
    assert (hand.lengths, hand.shape, hand.is_balanced) == ([5, 3, 3, 2], [5, 3, 3, 2], True)
    assert hand.cards[0] == "SA" and hand.cards[0].suit == "S" and len(hand.cards) == 13
    assert sg.Hand("K.AK.Q2.AKQ65432").losers == 1 + 0 + 2 + 0
    assert sg.Hand("...").losers == 0


def test_a_play_goes_both_ways():
    play = sg.Play(DEAL, "NT", "W")
    line = sg.line(DEAL, "NT", "W")
    legal = []
    for card in line:
        legal.append(play.legal)
        assert card in play.legal
        play.play(card)
    assert play.is_finished and play.won["NS"] == sg.table(DEAL)["NT", "S"]
    for before in reversed(legal):
        assert play.unplay().legal == before
    assert play.deal == DEAL and str(play) == f"NT W {DEAL}"
    with pytest.raises(ValueError, match="W cannot play SA: W does not hold SA"):
        play.play("SA")
    play.play("HA")
    with pytest.raises(ValueError, match="N must follow suit"):
        play.play("S3")
    assert (play.to_play, play.trick, play.trick_leader) == ("N", ["HA"], "W")
    assert sg.solve_many([play]).tolist() == sg.solve_many([str(play)]).tolist()
    assert "♥A" in play.diagram()


def test_a_solver_answers_alike_whatever_it_was_asked_before():
    solver = sg.Solver(DEAL, "S", "E", db="none")
    rng = random.Random(5)
    asked = 0
    for turn in range(140):
        if solver.at.is_finished or turn > 24 and rng.random() < 0.2:
            solver.undo(rng.randint(1, 4))
        else:
            solver.play(rng.choice(solver.at.legal))
        if solver.at.is_finished or turn < 24:
            continue
        at = solver.at
        fresh = sg.solve(at.deal, at.strain, at.trick_leader, at.trick, db="none")
        assert solver.solve() == fresh, repr(at)
        best = fresh[0].tricks
        assert solver.solve(target=best) == [card for card in fresh if card.tricks == best]
        assert solver.solve(wanted="one")[0].tricks == best
        asked += 1
    assert asked > 90
    with pytest.raises(ValueError, match="does not hold"):
        solver.play(solver.at.cards[0])
    with pytest.raises(ValueError, match="wanted"):
        solver.solve(target=1, wanted="all")
    assert repr(solver).startswith("<Solver of Play(")


def test_deals_fit_their_condition():
    condition = "N.hcp=15-17,N.S=2-3,S.H>=5,E+SA"
    deals = sg.deals(200, condition, seed=3)
    assert len(set(deals)) == 200 and deals == sg.deals(200, condition, seed=3)
    for deal in deals:
        assert 15 <= deal.north.points <= 17 and len(deal.north.spades) in (2, 3)
        assert len(deal.south.hearts) >= 5 and "A" in deal.east.spades
    known = sg.deals(20, hands={"s": deals[0].south}, where=lambda deal: deal.north.is_balanced)
    assert all(deal.south == deals[0].south and deal.north.is_balanced for deal in known)
    # A rare one comes as fast as others.
    assert all(deal.north.points == 37 for deal in sg.deals(50, "N.hcp=37"))
    for condition, problem in [("N.hcp=38", "cannot be met"), ("N.x=1", "is not counted")]:
        with pytest.raises(ValueError, match=problem):
            sg.deals(1, condition)
    with pytest.raises(ValueError, match="expected 13"):
        sg.deals(1, hands={"N": "A..."})


def test_deals_are_those_of_the_command():
    options = {"seed": 1, "if": ["N.hcp=15-17"]}
    command = sg.ask("deal", count=3, **options)["deals"]
    assert sg.deals(3, "N.hcp=15-17", seed=1) == sg.deals(3, ["N.hcp=15-17"]) == command
    # `setrograde deal 2 --format lines`
    assert sg.deals(2) == [
        "N:QJT942.K6.AK95.8 8653.J8.T763.K62 7.7543.QJ84.QT95 AK.AQT92.2.AJ743",
        "N:QJ8542.96.AT.652 76.AKQ8.J74.KQ87 K93.JT754.Q953.T AT.32.K862.AJ943",
    ]
    # A function leaves deals out, and changes none.
    many = sg.deals(200, seed=5)
    strong = [deal for deal in many if deal.north.points > 15]
    assert sg.deals(len(strong), seed=5, where=lambda deal: deal.north.points > 15) == strong


def test_points_of_deals_are_distributed_as_they_should():
    points = np.array([deal.north.points for deal in sg.deals(4000, seed=9)])
    assert abs(points.mean() - 10) < 0.3 and 3.8 < points.std() < 4.5


def test_batches_are_what_single_questions_are():
    deals = sg.deals(6, seed=1)
    endings = [sg.Play(deal, "H", "W").play(*sg.line(deal, "H", "W")[:37]) for deal in deals]
    calls = []
    many = sg.solve_cards(endings, progress=calls.append)
    assert many.shape == (6, 4, 13) and many.dtype == np.int8 and calls[-1] == 6
    for play, tricks in zip(endings, many):
        found = sg.solve(play.deal, "H", play.trick_leader, play.trick)
        expected = {}
        for card, worth, equals in found:
            expected |= dict.fromkeys([card, *equals], worth)
        shown = {
            s + r: int(tricks[i, j])
            for i, s in enumerate("SHDC")
            for j, r in enumerate("23456789TJQKA")
            if tricks[i, j] >= 0
        }
        assert shown == expected
    rows = sg.analyse_many(endings)
    for play, row in zip(endings, rows):
        alone = sg.analyse(play.start, "H", "W", play.cards)
        assert row.tolist() == alone.tolist() + [-1] * (53 - len(alone))
    tables = sg.tables(deals)
    sides = ["None", "NS", "EW", "All", "NS", "EW"]
    assert sg.pars(tables, sides, "E").tolist() == [
        sg.par(table, side, "E").score for table, side in zip(tables, sides)
    ]
    with pytest.raises(TypeError, match=r"shape \(n, 5, 4\)"):
        sg.pars(tables[0])
    with pytest.raises(ValueError, match="2 for 6 tables"):
        sg.pars(tables, ["NS", "EW"])
    with pytest.raises(TypeError, match=r"plays\[0\]"):
        sg.analyse_many([DEAL])


def test_scores():
    assert sg.score("4SXN", 10, "NS") == 790 and sg.score("3NTE", 8) == -50
    assert sg.imps(420 + 50) == 10 and sg.imps(-470) == -10
    with pytest.raises(ValueError):
        sg.score("8SN", 10)
    with pytest.raises(ValueError):
        sg.score("4SN", 14)


@pytest.mark.parametrize("kind", ["pbn", "lin"])
def test_what_is_written_is_read(tmp_path, kind):
    line = sg.line(DEAL, "S", "S")
    boards = [
        sg.Board(number=1, dealer="N", vulnerable="None", deal=DEAL, passed_out=True,
                 auction="Pass Pass Pass Pass"),
        sg.Board(number=2, dealer="E", vulnerable="NS", deal=DEAL, contract="4SXE", result=10,
                 auction="1S Pass 4S X Pass Pass Pass", play=line[:17], play_end="stopped",
                 players=["Nora", "Ed", "Sue", "Wil"], claim=10 if kind == "lin" else None),
        sg.Board(number=3, dealer="S", vulnerable="All", deal=DEAL, contract="3NTW", result=9,
                 auction="Pass 1NT Pass 3NT Pass Pass Pass",
                 play=sg.line(DEAL, "NT", "N")),
    ]  # fmt: skip
    path = tmp_path / f"boards.{kind}"
    sg.write(path, boards)
    read = list(sg.read(path, names=True))
    assert len(read) == 3
    for wrote, found in zip(boards, read):
        assert isinstance(found.deal, sg.Deal)
        for name in ["number", "dealer", "vulnerable", "deal", "passed_out", "contract", "play"]:
            assert getattr(found, name) == getattr(wrote, name), name
        if wrote.auction and kind == "pbn":
            assert found.auction == wrote.auction
    assert read[1].players == ["Nora", "Ed", "Sue", "Wil"]
    assert read[1].result == 10 or read[1].claim == 10
    again = tmp_path / f"again.{kind}"
    sg.write(again, read)
    assert [b.play for b in sg.read(again)] == [b.play for b in boards]
    with pytest.raises(ValueError, match="format"):
        sg.write(tmp_path / "boards.txt", boards)


def test_results_are_written(tmp_path):
    table = sg.table(DEAL)
    par = sg.par(table)
    board = sg.Board(number=7, deal=DEAL, tricks=table.tricks.tolist(), par_score=par.score)
    sg.write(tmp_path / "a.pbn", [board])
    (found,) = sg.read(tmp_path / "a.pbn")
    assert (found.tricks, found.par_score) == (table.tricks.tolist(), par.score)


def test_what_is_inside_is_used(tmp_path, monkeypatch):
    from setrograde import _native

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SETROGRADE_DB", raising=False)
    found, problem = _native.in_use(None)
    # A wheel of scripts/wheel.sh has 16 cards beside its modules, unpacked into the user's cache.
    levels = Path(sg.__file__).with_name("share") / "setrograde"
    if levels.exists():
        assert found.cards == [4, 8, 12, 16] and problem is None
        assert Path(found.path).is_relative_to(tmp_path)
        assert list(Path(found.path).glob("level-16-*.map"))
    else:
        assert found.cards == [4, 8, 12] and found.path is None and problem is None
    monkeypatch.setenv("SETROGRADE_DB", "/nonexistent/database")
    found, problem = _native.in_use(None)
    assert found.cards == [4, 8, 12] and "/nonexistent/database is not used" in problem
    monkeypatch.setenv("SETROGRADE_DB", "none")
    assert _native.in_use(None) == (None, None)
    assert sg.table(DEAL, db="none") == sg.table(DEAL)
    with pytest.raises(TypeError, match="db: expected"):
        sg.table(DEAL, db=5)
    with pytest.raises(FileNotFoundError):
        sg.table(DEAL, db="/nonexistent/database")


def test_a_view_that_was_read_pickles():
    view = sg.View("NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98")
    assert pickle.loads(pickle.dumps(view)).seen == view.seen


ENDING = "N:A2... K3... Q4... J5..."
QUESTION = "NT S N:AQ4... ? 532... ? out=KJT987..."


def test_arguments_of_another_kind_are_named(tmp_path):
    view = sg.View("NT N N:AQ4... ? 532... ? out=KJT987...")
    calls = {
        "deal": [
            sg.table,
            sg.holdings,
            sg.Deal,
            lambda x: sg.solve(x, "NT", "W"),
            lambda x: sg.analyse(x, "NT", "W", []),
            lambda x: sg.line(x, "NT", "W"),
            lambda x: sg.Play(x, "NT", "W"),
            lambda x: sg.Board(deal=x),
        ],
        "strain": [lambda x: sg.Play(ENDING, x, "W"), lambda x: sg.line(ENDING, x, "W")],
        "leader": [
            lambda x: sg.Play(ENDING, "NT", x),
            lambda x: sg.line(ENDING, "NT", x),
            lambda x: sg.Solver(ENDING, "NT", x),
        ],
        "played": [lambda x: sg.solve(ENDING, "NT", "W", x), lambda x: sg.line(ENDING, "NT", "W", x)],
        "play": [lambda x: sg.analyse(ENDING, "NT", "W", x)],
        "plays": [sg.analyse_many],
        "wanted": [lambda x: sg.solve(ENDING, "NT", "W", wanted=x)],
        "contract": [lambda x: sg.Board(contract=x), lambda x: sg.score(x, 9)],
        "hands": [
            lambda x: sg.Board(hands=x),
            lambda x: sg.deals(1, hands=x),
        ],
        "hand": [sg.Hand],
        "question": [sg.View, lambda x: sg.ask("odds", x)],
        "game": [lambda x: sg.View(QUESTION, game=x)],
        "player": [lambda x: sg.choose(x, view)],
        "view": [lambda x: sg.choose("random", x)],
        "players": [sg.tournament],
        "time": [lambda x: sg.deals(1, time=x)],
        "names": [lambda x: sg.read("x.pbn", names=x)],
        "on_error": [lambda x: sg.read("x.pbn", on_error=x)],
        "path": [sg.read, sg.Database, lambda x: sg.write(x, []), lambda x: sg.build(4, x)],
        "progress": [lambda x: sg.build(4, tmp_path / "db", progress=x)],
        "db": [lambda x: sg.table(ENDING, db=x)],
    }
    for name, functions in calls.items():
        for function in functions:
            for wrong in (5j, np.zeros((2, 3)), np.array("x"), object()):
                with pytest.raises((TypeError, ValueError), match=rf"^{name}\b"):
                    function(wrong)
    half = "\ud800"
    for function in (sg.Deal, sg.Hand, sg.Card, sg.View, sg.table, lambda x: sg.score(x, 9)):
        with pytest.raises(ValueError, match="half of one"):
            function(half)
    for contract in ("", "x", "8SN", "4SQ"):
        with pytest.raises(ValueError, match="^contract: "):
            sg.Board(contract=contract)
    with pytest.raises(ValueError, match="bits 2 to 14"):
        sg.Deal(np.full((4, 4), 1))


def test_several_cards_are_played_or_none():
    play = sg.Play(ENDING, "NT", "W")
    with pytest.raises(ValueError, match="cannot play"):
        play.play("SJ", "SA", "SA")
    assert play.cards == []


def test_a_solver_is_copied_with_its_play():
    solver = sg.Solver(ENDING, "NT", "W", db="none").play("SJ")
    for again in (copy.copy(solver), copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))):
        assert again.solve() == solver.solve()
        again.play("SA")
        assert solver.at.cards == ["SJ"]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_links_and_pipes_are_written_to(tmp_path):
    boards = [sg.Board(number=7, deal=DEAL)]
    real, link, pipe = tmp_path / "real.pbn", tmp_path / "link.pbn", tmp_path / "pipe.pbn"
    real.write_text("")
    real.chmod(0o600)
    link.symlink_to(real)
    sg.write(link, boards)
    assert link.is_symlink() and len(list(sg.read(real))) == 1
    assert real.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    texts: list[str] = []
    reader = threading.Thread(target=lambda: texts.append(pipe.read_text()))
    reader.start()
    sg.write(pipe, boards)
    reader.join(60)
    assert texts == [real.read_text()] and pipe.is_fifo()
    assert sorted(os.listdir(tmp_path)) == ["link.pbn", "pipe.pbn", "real.pbn"]
    missing = tmp_path / "missing" / "a.pbn"
    with pytest.raises(FileNotFoundError) as raised:
        sg.write(missing, boards)
    assert (raised.value.errno, raised.value.filename) == (errno.ENOENT, str(missing))


def test_a_file_is_no_database(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for call in (sg.Database, lambda path: sg.build(4, path)):
        with pytest.raises(OSError) as raised:
            call(file)
        assert raised.value.errno in (errno.EEXIST, errno.ENOTDIR)
        assert raised.value.filename == str(file)
    with pytest.raises(ValueError, match="^cards: "):
        sg.build(7, tmp_path / "db")


def test_progress_that_cannot_be_written_loses_nothing():
    code = f"""
import os, sys, setrograde as sg
{{0}}
print(sg.tables([{DEAL!r}], progress=True, db="none").shape)
"""
    for before in ("os.close(2)", "sys.stderr = None", "sys.stderr.close()"):
        run = subprocess.run(
            [sys.executable, "-c", code.format(before)], capture_output=True, text=True
        )
        assert run.stdout == "(1, 5, 4)\n", before


def test_calls_without_searches_end_after_ctrl_c(interrupt):
    interrupt(lambda: sg.tournament(["random", "simple"], boards=100_000_000), 0.5)
    tables = np.full((2_000_000, 5, 4), 6)
    interrupt(lambda: sg.pars(tables), 0.7)
