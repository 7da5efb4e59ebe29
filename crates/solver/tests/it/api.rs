//! The solver's answers beyond single positions, and its errors.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use setrograde_cards::{Card, Deal, Hand, Position, Seat, Strain, Vulnerability};
use setrograde_solver::{Options, Par, SolveError, Solver, Target, TrickTable, Wanted};

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

fn solver() -> Solver {
    Solver::new(Options::default())
}

#[test]
fn a_table_holds_what_single_questions_find() {
    let deal: Deal = DEAL.parse().unwrap();
    let table = solver().table(&deal).unwrap();
    for (strain, declarer, tricks) in table.results() {
        let position = Position::new(strain, declarer.next(), deal, &[]).unwrap();
        assert_eq!(solver().tricks(&position).unwrap(), 13 - tricks);
    }
}

#[test]
fn a_table_is_the_same_on_any_number_of_threads() {
    let deal: Deal = DEAL.parse().unwrap();
    let alone = solver().table(&deal).unwrap();
    for threads in [0, 1, 2, 3, 7, 100] {
        let mut solver = solver();
        assert_eq!(solver.table_on(threads, &deal).unwrap(), alone);
        assert!(solver.nodes() > 0);
    }
    let unequal: Deal = "N:A... K.2.. Q... J...".parse().unwrap();
    assert!(matches!(
        solver().table_on(3, &unequal),
        Err(SolveError::UnequalHands([1, 2, 1, 1]))
    ));
    let mut cancelled = Solver::new(Options {
        stop: Arc::new(AtomicBool::new(true)).into(),
        ..Options::default()
    });
    assert!(matches!(
        cancelled.table_on(3, &deal),
        Err(SolveError::Cancelled)
    ));
}

#[test]
fn answers_do_not_depend_on_the_past() {
    let deal: Deal = DEAL.parse().unwrap();
    let position = Position::new(Strain::NoTrump, Seat::West, deal, &[]).unwrap();
    let fresh = solver()
        .solve(&position, Target::Most, Wanted::All)
        .unwrap();
    let mut used = solver();
    used.table(&deal).unwrap();
    assert_eq!(
        used.solve(&position, Target::Most, Wanted::All).unwrap(),
        fresh
    );
    assert_eq!(
        used.solve(&position, Target::Most, Wanted::All).unwrap(),
        fresh
    );
}

#[test]
fn par_of_known_tables() {
    // North and South make 4 spades with an overtrick and nothing else above;
    // East and West go three down in 5 hearts, too much when vulnerable.
    let mut tricks = [[6, 6, 6, 6]; 5];
    tricks[1] = [10, 3, 10, 3];
    tricks[2] = [4, 8, 4, 8];
    let table = TrickTable::new(tricks);
    let par = |vulnerability| Par::new(&table, vulnerability, Seat::North);
    assert_eq!(par(Vulnerability::Both).score, 620);
    assert_eq!(par(Vulnerability::Both).contracts[0].to_string(), "4S NS =");
    assert_eq!(par(Vulnerability::None).score, 420);
    assert_eq!(par(Vulnerability::NorthSouth).score, 500);
    assert_eq!(
        par(Vulnerability::NorthSouth).contracts[0].to_string(),
        "5H* EW -3"
    );
    // Who bids first takes the only contract that makes.
    let table = TrickTable::new([[7, 7, 7, 7], [6; 4], [6; 4], [6; 4], [6; 4]]);
    for vulnerability in Vulnerability::ALL {
        let scores = Seat::ALL.map(|dealer| Par::new(&table, vulnerability, dealer).score);
        assert_eq!(scores, [90, -90, 90, -90]);
    }
    let table = TrickTable::new([[6; 4]; 5]);
    let par = Par::new(&table, Vulnerability::None, Seat::North);
    assert_eq!((par.score, par.contracts.len()), (0, 0));
}

/// The first contract is one that DDS also names. Its recorded answers are of 300 tables, some of
/// which no deal has.
#[test]
fn the_usual_par_contract_is_the_first() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pars.txt");
    let recorded = std::fs::read_to_string(file).expect("the file is there");
    let (mut same_score, mut usual) = (0, 0);
    for line in recorded.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let digit = |letter: char| letter.to_digit(16).expect("a digit") as usize;
        // DDS's strains are S H D C NT.
        let mut tricks = [[0; 4]; 5];
        for (index, letter) in fields[0].chars().enumerate() {
            tricks[(index / 4 + 1) % 5][index % 4] = digit(letter) as u8;
        }
        let numbers: Vec<usize> = fields[1].chars().map(digit).collect();
        let vulnerability = [
            Vulnerability::None,
            Vulnerability::Both,
            Vulnerability::NorthSouth,
            Vulnerability::EastWest,
        ][numbers[0]];
        let dealer = Seat::from_index(numbers[1]);
        let par = Par::new(&TrickTable::new(tricks), vulnerability, dealer);
        let (score, contracts) = fields[8].split_once(' ').expect("a score");
        if score.parse() != Ok(par.score) {
            continue;
        }
        same_score += 1;
        let first = par.contracts.first().map_or("pass".to_owned(), |contract| {
            // As DDS writes it: 3NT+1 is 3N-NS+1.
            let text = contract.to_string().replace("NT", "N").replace(" =", "");
            text.replacen(' ', "-", 1).replace(' ', "")
        });
        usual += usize::from(contracts.split(',').any(|contract| contract == first));
    }
    assert_eq!((same_score, usual), (299, 298));
}

#[test]
fn what_cannot_be_answered() {
    let mut solver = solver();
    let uneven: Deal = "N:AK... Q... J... T...".parse().unwrap();
    assert!(matches!(
        solver.table(&uneven),
        Err(SolveError::UnequalHands([2, 1, 1, 1]))
    ));
    let none: Deal = "N:... ... ... ...".parse().unwrap();
    assert!(matches!(solver.table(&none), Err(SolveError::NoCards)));
    let position: Position = "NT N N:A... K... Q... J...".parse().unwrap();
    let error = solver
        .solve(&position, Target::AtLeast(2), Wanted::One)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the target is 2 tricks but only 1 is left"
    );
    let play: Vec<Card> = ["SA", "SQ"]
        .iter()
        .map(|card| card.parse().unwrap())
        .collect();
    let error = solver.analyse(&position, &play).unwrap_err();
    assert_eq!(
        format!("{error}: {}", error.source().unwrap()),
        "card 2 of the play: East is to play and does not hold the queen of spades (SQ)"
    );
}

#[test]
fn a_cancelled_search_stops_and_the_solver_lives_on() {
    let flag = Arc::new(AtomicBool::new(true));
    let mut solver = Solver::new(Options {
        stop: flag.clone().into(),
        ..Options::default()
    });
    let deal: Deal = DEAL.parse().unwrap();
    assert!(matches!(solver.table(&deal), Err(SolveError::Cancelled)));
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(
        solver.table(&deal).unwrap().to_string(),
        "2 11 2 10 1 11 1 11 2 11 2 11 4 9 4 9 3 10 3 10"
    );
}

#[test]
fn solvers_can_be_sent() {
    fn is_send<T: Send>() {}
    is_send::<Solver>();
}

proptest! {
    /// Whatever cards the hands have, there is an answer or an error.
    #[test]
    fn any_deal(owners in prop::collection::vec(0_usize..8, 52), strain in 0_usize..5) {
        let mut hands = [Hand::EMPTY; 4];
        for (card, owner) in Card::pack().zip(owners) {
            // At most five cards a hand, so that no search takes long.
            if owner < 4 && hands[owner].len() < 5 {
                hands[owner].insert(card);
            }
        }
        let deal = Deal::new(hands).unwrap();
        let even = deal.cards_per_hand().is_some_and(|cards| cards > 0);
        prop_assert_eq!(solver().table(&deal).is_ok(), even);
        if let Ok(position) = Position::new(Strain::ALL[strain], Seat::South, deal, &[]) {
            let solution = solver().solve(&position, Target::Most, Wanted::All);
            prop_assert_eq!(solution.is_ok(), position.tricks_left() > 0);
        }
    }
}
