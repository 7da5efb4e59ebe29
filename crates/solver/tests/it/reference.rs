//! Positions and tables whose answers other solvers agree on. The experiment
//! `check_answers` does the same for any files, and with databases.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_cards::Deal;
use setrograde_parallel::Stop;
use setrograde_solver::{Options, SolveError, Solver, each_table};

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
    // An error of one deal does not affect the remaining deals.
    deals.insert(5, "N:A... K... Q... ...".parse().unwrap());
    for threads in [1, 3] {
        let mut found = setrograde_solver::tables(&deals, threads, &options);
        assert!(matches!(
            found.remove(5),
            Err(SolveError::UnequalHands([1, 1, 1, 0]))
        ));
        let found = found.into_iter().map(|table| table.unwrap().to_string());
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}

/// What is finished before a search is cancelled is kept.
#[test]
fn tables_up_to_a_cancel() {
    let deals: Vec<Deal> = lines("deals_100.txt", 40)
        .iter()
        .map(|line| line.split('|').next().unwrap().parse().unwrap())
        .collect();
    for threads in [1, 2] {
        let flag = Arc::new(AtomicBool::new(false));
        let options = Options {
            stop: Stop::from(flag.clone()),
            ..Options::default()
        };
        let (mut solved, mut cancelled) = (0, 0);
        let _ = each_table(&deals, threads, &options, |number, table| {
            assert_eq!(number, solved + cancelled);
            match table {
                Ok(_) => solved += 1,
                Err(SolveError::Cancelled) => cancelled += 1,
                Err(error) => panic!("{error}"),
            }
            if number == 2 {
                flag.store(true, Ordering::Relaxed);
            }
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(solved + cancelled, 40);
        assert!((3..40).contains(&solved), "{solved}");
    }
    // The taker may end it.
    let end = each_table(&deals, 2, &Options::default(), |number, _| match number {
        1 => ControlFlow::Break(number),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(end, ControlFlow::Break(1));
}
