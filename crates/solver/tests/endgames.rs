//! A source of endgame answers, consulted: nothing may change but the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Strain, Suit};
use setrograde_solver::{Boundary, Endgames, EndgamesError, Options, SolveError, Solver, Verdict};

/// Answers by a solver of its own, and names all cards as its proof.
#[derive(Debug, Default)]
struct Oracle {
    asked: AtomicUsize,
}

/// The ending with its suits' cards dealt from the ace down.
fn position(ending: &Boundary) -> Position {
    let mut hands = [Hand::EMPTY; 4];
    for (suit, lengths) in Suit::ALL.into_iter().zip(ending.lengths) {
        let cards: u16 = (0..4).map(|seat| lengths >> (4 * seat) & 15).sum();
        for (place, rank) in (0..cards).zip(Rank::all()) {
            let owner = ending.owners[suit.index()] >> (30 - 2 * place) & 3;
            hands[owner as usize].insert(Card::new(suit, rank));
        }
    }
    let strain = if ending.trump {
        Strain::Trump(Suit::Clubs)
    } else {
        Strain::NoTrump
    };
    let leader = Seat::from_index(usize::from(ending.leader));
    Position::new(strain, leader, Deal::new(hands).unwrap(), &[]).unwrap()
}

impl Endgames for Oracle {
    fn max_tricks(&self) -> usize {
        5
    }

    fn verdict(&self, ending: &Boundary, target: u8) -> Result<Verdict, EndgamesError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let tricks = Solver::new(Options::default())
            .tricks(&position(ending))
            .unwrap();
        let known = ending
            .lengths
            .map(|lengths| (0..4).map(|seat| (lengths >> (4 * seat)) as u8 & 15).sum());
        Ok(Verdict {
            reached: tricks >= target,
            known,
        })
    }
}

/// Reference answers, a line each.
fn endings(cards: usize) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read_to_string(format!("{root}/../../data/endings_{cards}.txt")).unwrap()
}

#[test]
fn answers_stay_the_same() {
    let oracle = Arc::new(Oracle::default());
    let mut solver = Solver::new(Options {
        endgames: Some(oracle.clone()),
        ..Options::default()
    });
    for cards in [16, 20, 24, 28] {
        for line in endings(cards).lines().take(50) {
            let (position, tricks) = line.rsplit_once(' ').unwrap();
            let answer = solver.tricks(&position.parse().unwrap()).unwrap();
            assert_eq!(answer.to_string(), tricks, "{position}");
        }
    }
    assert!(oracle.asked.load(Ordering::Relaxed) > 200);
}

/// A source that always fails.
#[derive(Debug)]
struct Broken;

impl Endgames for Broken {
    fn max_tricks(&self) -> usize {
        4
    }

    fn verdict(&self, _: &Boundary, _: u8) -> Result<Verdict, EndgamesError> {
        Err("unplugged".into())
    }
}

#[test]
fn failures_are_passed_on() {
    let mut solver = Solver::new(Options {
        endgames: Some(Arc::new(Broken)),
        ..Options::default()
    });
    for line in endings(24).lines().take(5) {
        let (position, _) = line.rsplit_once(' ').unwrap();
        let answer = solver.tricks(&position.parse().unwrap());
        assert!(matches!(answer, Err(SolveError::Endgames(_))), "{position}");
    }
}
