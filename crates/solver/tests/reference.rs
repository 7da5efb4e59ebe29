//! Positions and tables whose answers other solvers agree on. The experiment
//! `check_answers` does the same for any files, and with databases.

use std::path::Path;

use setrograde_cards::Deal;
use setrograde_solver::{Options, SolveError, Solver, TrickTable};

/// The first lines of a file of reference answers.
fn lines(name: &str, count: usize) -> Vec<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let text = std::fs::read_to_string(data.join(name)).unwrap();
    let lines: Vec<String> = text.lines().take(count).map(str::to_owned).collect();
    assert_eq!(lines.len(), count, "{name}");
    lines
}

fn check_positions(name: &str, count: usize) {
    let mut solver = Solver::new(Options::default());
    for line in lines(name, count) {
        let (position, tricks) = line.rsplit_once(' ').unwrap();
        let answer = solver.tricks(&position.parse().unwrap()).unwrap();
        assert_eq!(answer.to_string(), tricks, "{position}");
    }
}

#[test]
fn endings() {
    for cards in [16, 20, 24, 28, 32] {
        check_positions(&format!("endings_{cards}.txt"), 200);
    }
}

#[test]
fn boards() {
    check_positions("boards_100.txt", 50);
}

/// One by one, and on several threads, in the order of the deals.
#[test]
fn tables() {
    let mut solver = Solver::new(Options::default());
    let (mut deals, mut expected): (Vec<Deal>, Vec<String>) = Default::default();
    for line in lines("deals_100.txt", 12) {
        let (deal, answers) = line.split_once(" | ").unwrap();
        let table = solver.table(&deal.parse().unwrap()).unwrap();
        assert_eq!(table.to_string(), answers, "{deal}");
        deals.push(deal.parse().unwrap());
        expected.push(answers.to_owned());
    }
    let options = Options::default();
    let found = setrograde_solver::tables(&deals, 3, &options).unwrap();
    let found: Vec<String> = found.iter().map(TrickTable::to_string).collect();
    assert_eq!(found, expected);
    deals.push("N:A... K... Q... ...".parse().unwrap());
    let refused = setrograde_solver::tables(&deals, 2, &options);
    assert!(matches!(
        refused,
        Err(SolveError::UnequalHands([1, 1, 1, 0]))
    ));
}
