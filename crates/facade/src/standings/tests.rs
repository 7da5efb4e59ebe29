//! Results with the numbers that scoring programs wrote for them.

use setrograde_cards::{Seat, Vulnerability};
use setrograde_records::{Board, ScoreTable};
use setrograde_solver::TrickTable;

use super::scores::{Comparing, TableScore};
use super::session::{SessionLists, TableLine};
use super::{MATCHPOINTS, Standings};

fn session(columns: &str, rows: &str) -> SessionLists {
    let mut all = Standings::default();
    all.add(&Board {
        number: Some(1),
        vulnerability: Some(Vulnerability::None),
        scores: Some(ScoreTable::new(columns, rows)),
        ..Board::default()
    });
    all.session().session
}

/// The tables of the only board.
fn tables(columns: &str, rows: &str) -> Vec<TableLine> {
    session(columns, rows).boards.remove(0).tables
}

/// The IMPs that OKbridge wrote for these scores; the record has no `Scoring`.
#[test]
fn imps_as_a_club_counts_them() {
    let columns =
        "Rank\\3R;Contract\\5L;Declarer\\1;Result\\2R;Score_NS\\5R;IMP_NS\\6R;Multiplicity";
    for (rows, imps) in [
        (
            "1 4S N 11 450 1.28 1\n2 4S N 10 420 0.28 33\n35 4S S 10 420 0.28 5\n\
             40 1D E 13 -190 -12.00 1\n",
            &[1.28, 0.28, 0.28, -12.0][..],
        ),
        (
            "1 6SX N 12 1210 5.73 2\n3 5CX E 6 1100 2.66 1\n4 5HX W 6 1100 2.66 1\n\
             5 6S N 12 980 -0.41 41\n",
            &[5.73, 2.66, 2.66, -0.41],
        ),
    ] {
        let session = session(columns, rows);
        assert_eq!(session.comparing, "imps");
        let lines = session.boards[0].tables.iter();
        let found: Vec<f64> = lines.filter_map(|line| line.imps).collect();
        assert_eq!(found.len(), imps.len());
        for (found, imps) in found.iter().zip(imps) {
            assert!((found - imps).abs() < 0.005, "{found} {imps}");
        }
    }
}

/// The percentages that a Swedish scoring program wrote for these scores.
#[test]
fn matchpoints_as_a_club_counts_them() {
    let session = session(
        "Table\\1R;Round\\1R;PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R;Lead\\3L;\
         Score_NS\\6R;Score_EW\\6R;MP_NS\\3R;MP_EW\\3R;Percentage_NS\\3R;Percentage_EW\\3R",
        "4 2 6 5 5HX E 7 SA \"800\" - 4.0 0.0 100 0\n2 5 7 3 4S S 11 CA \"450\" - 1.0 3.0 25 75\n\
         1 1 8 1 4S S 11 CA \"450\" - 1.0 3.0 25 75\n3 3 - 2 - - - - \"Bye\" \"Bye\" - 1.9 - 47\n",
    );
    let lines = &session.boards[0].tables;
    let points = lines.iter().map(|line| line.matchpoints);
    assert_eq!(
        points.collect::<Vec<_>>(),
        [Some([4.0, 0.0]), Some([1.0, 3.0]), Some([1.0, 3.0]), None]
    );
    assert_eq!(lines[1].percent, [Some(25.0), Some(75.0)]);
    let [ranking] = &session.rankings[..] else {
        panic!("{:?}", session.rankings);
    };
    let ranks = ranking.pairs.iter().map(|of| (of.rank, of.pair.as_str()));
    assert_eq!(
        ranks.collect::<Vec<_>>(),
        [(1, "6"), (2, "1"), (2, "3"), (4, "7"), (4, "8"), (6, "5")]
    );
}

/// Artificial scores count with their percentages, and at IMPs three for 60 against 40.
#[test]
fn results_in_words_count() {
    let columns = "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Score_EW;MP_NS;MP_EW";
    for (row, percent, imps) in [
        ("3 9 - - - AVE+ AVE- - -", [60.0, 40.0], Some(3.0)),
        ("3 9 - - - AVE+ AVE+ 1.8 1.8", [60.0, 60.0], None),
        ("3 9 A5050 - - - - - -", [50.0, 50.0], Some(0.0)),
        ("3 9 A4060 - - - - - -", [40.0, 60.0], Some(-3.0)),
        ("3 9 AVE - - - - - -", [50.0, 50.0], Some(0.0)),
        ("3 9 - - - - - 1.80 1.20", [60.0, 40.0], Some(3.0)),
    ] {
        let rows = format!("1 7 2H S 8 110 - 2 0\n2 8 PASS - - - - 0 2\n{row}\n");
        assert_eq!(
            tables(columns, &rows)[2].percent,
            percent.map(Some),
            "{row}"
        );
        let lines = tables(&format!("{columns};IMP_NS"), &rows);
        assert_eq!(lines[2].imps, imps, "{row}");
    }
    let lines = tables(columns, "3 9 NP - - - - - -\n");
    assert_eq!(lines[0].percent, [None, None]);
}

/// A record that says nothing of its scoring has IMPs if two tables played, not if two rows
/// stand for more.
#[test]
fn two_rows_of_many_tables_are_no_match() {
    let of_rows = |rows| session("Score_NS\\5R;Multiplicity", rows).comparing;
    assert_eq!(of_rows("420 1\n-50 1\n"), "imps");
    assert_eq!(of_rows("420 7\n-50 3\n"), MATCHPOINTS);
}

/// 13 tables in four rows.
#[test]
fn a_row_may_be_that_of_several_tables() {
    let rows = "420 91.67 3\n170 54.17 6\n-50 16.67 3\n-100 0.00 1\n";
    let lines = tables("Score_NS\\5R;MP_NS\\6R;Multiplicity", rows).into_iter();
    let percent = lines.map(|line| (100.0 * line.percent[0].expect("a share")).round() / 100.0);
    assert_eq!(percent.collect::<Vec<_>>(), [91.67, 54.17, 16.67, 0.0]);
}

#[test]
fn directions_with_the_same_numbers_are_two_fields() {
    let columns = "PairId_NS;PairId_EW;Score_NS;Names_NS\\12;Names_EW";
    let rows = "1 1 50 Ann - Bob  Cy - Dee\n2 2 -50 Eve - Fay  Gus - Hal\n";
    let rankings = session(columns, rows).rankings;
    let sides: Vec<_> = rankings.iter().map(|of| of.side).collect();
    assert_eq!(sides, [Some("N-S"), Some("E-W")]);
    assert_eq!(rankings[1].pairs[0].pair, "2");
    assert_eq!(rankings[1].pairs[0].names.as_deref(), Some("Gus - Hal"));
}

/// Percentages of a French board with 22 tables: ties share the points.
#[test]
fn ties_share_the_points() {
    let scores = [670, 150, 140, 110, 110, 110, 110, 0, 0, 0];
    let rows = (1..).zip(scores);
    let rows: String = rows
        .map(|(pair, score)| format!("{pair} {} {score}\n", pair + 10))
        .collect();
    let lines = tables("PairId_NS;PairId_EW;Score_NS", &rows).into_iter();
    let points: Vec<f64> = lines.map(|of| of.matchpoints.expect("points")[0]).collect();
    assert_eq!(points, [18., 16., 14., 9., 9., 9., 9., 2., 2., 2.]);
}

/// With a table fewer, its points are estimated: a top is a little less than one of all tables.
#[test]
fn a_board_that_was_not_played_by_all_counts_as_much() {
    let of = |score, all: &[i32]| {
        let all: Vec<(i32, usize)> = all.iter().map(|&score| (score, 1)).collect();
        TableScore::new(Comparing::Matchpoints, score, &all, 4)
    };
    assert_eq!(of(100, &[100, 50, 0, -50]).share, 1.0);
    let top = of(100, &[100, 50, 0]);
    assert!((top.points - (5.0 * 4.0 / 3.0 - 1.0)).abs() < 1e-9);
    let bottom = of(0, &[100, 50, 0]);
    assert!((top.share + bottom.share - 1.0).abs() < 1e-9);
    assert_eq!(of(100, &[100]).share, 0.5);
}

/// South could take ten tricks and took nine: a share of the matchpoints, and a trick.
#[test]
fn the_tricks_that_were_lost_have_a_price() {
    let mut all = Standings::default();
    let columns = "PairId_NS;PairId_EW;Contract;Declarer;Result";
    let rows = "1 2 4S S 9\n3 4 4S S 10\n5 6 3S S 9\n";
    let index = all.add(&Board {
        number: Some(3),
        dealer: Some(Seat::North),
        vulnerability: Some(Vulnerability::None),
        scores: Some(ScoreTable::new(columns, rows)),
        ..Board::default()
    });
    all.solved(index, TrickTable::new([[10, 3, 10, 3]; 5]));
    let session = all.session().session;
    let [first, second, third] = &session.boards[0].tables[..] else {
        panic!("{:?}", session.boards);
    };
    let gained = [first, second, third].map(|line| line.gained);
    assert_eq!(gained, [Some(-1), Some(0), Some(-1)]);
    assert_eq!(first.score, Some(-50));
    // With ten tricks the score would be equal to the second's: 75 % instead of 0 %.
    assert_eq!(first.cost, Some(75.0));
    let pairs = &session.rankings[0].pairs;
    let pair = pairs.iter().find(|pair| pair.pair == "1").expect("a pair");
    let worst = pair.cost_most.as_ref().expect("a board");
    assert_eq!((worst.board, worst.tricks, worst.cost), (Some(3), 1, 75.0));
}
