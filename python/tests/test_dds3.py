"""`setrograde.dds3` against the package's own answers."""

import pytest

import setrograde as sg
from setrograde import dds3

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def test_tables_and_par():
    rows = sg.table(DEAL).tricks.tolist()
    assert dds3.calc_dd_table({"cards": sg.holdings(DEAL).tolist()}) == {"res_table": rows}
    found = dds3.calc_all_tables_pbn([DEAL] * 41, mode=1)
    assert found["no_of_boards"] == 820
    assert found["tables"] == [{"res_table": rows}] * 41
    assert found["par_results"][0] == dds3.par(found["tables"][0], 1)
    assert found["par_results"][0]["par_score"][0] == f"NS {sg.par(DEAL, 'All').score}"
    assert dds3.dealer_par(found["tables"][0], 0)["score"] == sg.par(DEAL, "None", "N").score
    one = dds3.calc_all_tables_pbn([DEAL], trump_filter=(1, 1, 1, 1, 0))
    assert one["tables"][0]["res_table"] == [[0] * 4] * 4 + [rows[4]]


def test_solving():
    found = dds3.solve_board_pbn(DEAL, trump=4, first=0, context=dds3.SolverContext())
    ours = {card.card: card.tricks for card in sg.solve(DEAL, "NT", "N")}
    cards = found["cards"]
    named = zip(found["suit"], found["rank"], found["score"])
    theirs = {"SHDC"[s] + "23456789TJQKA"[r - 2]: score for s, r, score in list(named)[:cards]}
    assert theirs == ours
    assert len(found["score"]) == 13
    binary = {
        "trump": 4,
        "first": 0,
        "remain_cards": sg.holdings(DEAL).tolist(),
        "current_trick_suit": [0, 0, 0],
        "current_trick_rank": [0, 0, 0],
    }
    batch = dds3.solve_all_boards_bin([binary] * 3)
    for key in ("cards", "suit", "rank", "equals", "score"):
        assert all(board[key] == found[key] for board in batch)


def test_plays():
    play = "CTC4CACJ"
    cards = [play[n : n + 2] for n in range(0, len(play), 2)]
    # West declares if North leads.
    ours = sg.analyse(DEAL, "S", "N", cards).tolist()
    found = dds3.analyse_play_pbn(DEAL, play, trump=0, first=0)
    assert found == {"number": 5, "tricks": ours}


def test_errors():
    with pytest.raises(ValueError, match="invalid value 5"):
        dds3.solve_board_pbn(DEAL, trump=5)
    with pytest.raises(ValueError, match="DDS error -99"):
        dds3.solve_board_pbn("N:AK")
    with pytest.raises(RuntimeError, match="DDS error -2"):
        dds3.solve_board_pbn("N:... ... ... ...")
    with pytest.raises(KeyError):
        dds3.solve_board({})
    with pytest.raises(ValueError, match="exceeds maximum"):
        dds3.solve_all_boards_pbn([{"remain_cards": DEAL}] * 201)
