//! Positions and tables whose answers other solvers agree on. The example
//! `check` does the same for any files, and with databases.

use std::path::{Path, PathBuf};

use setrograde_solver::{Options, Solver};

fn check_positions(path: &Path) {
    let mut solver = Solver::new(Options::default());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (position, tricks) = line.rsplit_once(' ').unwrap();
        let answer = solver.tricks(&position.parse().unwrap()).unwrap();
        assert_eq!(answer.to_string(), tricks, "{position}");
    }
}

fn check_tables(path: &Path) {
    let mut solver = Solver::new(Options::default());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (deal, answers) = line.split_once(" | ").unwrap();
        let table = solver.table(&deal.parse().unwrap()).unwrap();
        assert_eq!(table.to_string(), answers, "{deal}");
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

#[test]
fn endings() {
    for cards in [16, 20, 24, 28, 32] {
        check_positions(&fixture(&format!("endings_{cards}.txt")));
    }
}

#[test]
fn boards() {
    check_positions(&fixture("boards.txt"));
}

#[test]
fn tables() {
    check_tables(&fixture("tables.txt"));
}
