//! A source of endgame answers, consulted: nothing may change but the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use setrograde_lookup::Database;
use setrograde_solver::{
    CheckedProofs, Endgames, EndgamesError, Ending, FalseProof, Options, SolveError, Solver,
    TopCards, Verdict,
};

/// Answers by its own solver, and names all cards as its proof.
#[derive(Debug, Default)]
struct SolverEndgames {
    asked: AtomicUsize,
}

impl Endgames for SolverEndgames {
    fn max_tricks(&self) -> usize {
        5
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let tricks = Solver::new(Options::default())
            .tricks(&ending.to_position())
            .unwrap();
        Ok(Some(Verdict {
            reached: tricks >= target,
            known: ending.all_cards(),
        }))
    }
}

/// Reference answers, a line each.
fn endings(cards: usize) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read_to_string(format!("{root}/../../data/endings_{cards}.txt")).unwrap()
}

/// Compares 50 answers of each kind, with `source` consulted, to the reference.
fn check_answers(source: Arc<dyn Endgames>) {
    let mut solver = Solver::new(Options {
        endgames: Some(source),
        ..Options::default()
    });
    for cards in [16, 20, 24, 28] {
        for line in endings(cards).lines().take(50) {
            let (position, tricks) = line.rsplit_once(' ').unwrap();
            let answer = solver.tricks(&position.parse().unwrap()).unwrap();
            assert_eq!(answer.to_string(), tricks, "{position}");
        }
    }
}

#[test]
fn answers_stay_the_same() {
    let oracle = Arc::new(SolverEndgames::default());
    check_answers(oracle.clone());
    assert!(oracle.asked.load(Ordering::Relaxed) > 200);
}

/// A source that always fails.
#[derive(Debug)]
struct Broken;

impl Endgames for Broken {
    fn max_tricks(&self) -> usize {
        4
    }

    fn verdict(&self, _: &Ending, _: u8) -> Result<Option<Verdict>, EndgamesError> {
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

/// The endings of up to 12 cards.
fn database() -> Database {
    let levels = ["04", "08", "12"].map(|cards| {
        let root = env!("CARGO_MANIFEST_DIR");
        std::fs::read(format!("{root}/../lookup/data/level-{cards}.map")).unwrap()
    });
    Database::from_bytes(levels).unwrap()
}

/// The proofs of a database change no answer; each of them holds for other endings, too.
#[test]
fn proofs_of_a_database_hold() {
    check_answers(Arc::new(CheckedProofs {
        source: database(),
        deals: 3,
    }));
}

/// A source that names one card too few in the suit with the most cards.
#[derive(Debug)]
struct TooFew(Database);

impl Endgames for TooFew {
    fn max_tricks(&self) -> usize {
        Endgames::max_tricks(&self.0)
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let verdict = self.0.verdict(ending, target)?;
        Ok(verdict.map(|Verdict { reached, known }| {
            let mut counts = [0, 1, 2, 3].map(|suit| known.of_suit(suit) as u8);
            let most = counts.iter_mut().max().unwrap();
            *most = most.saturating_sub(1);
            let known = TopCards::new(counts);
            Verdict { reached, known }
        }))
    }
}

#[test]
fn proofs_that_name_too_few_cards_are_caught() {
    let mut solver = Solver::new(Options {
        endgames: Some(Arc::new(CheckedProofs {
            source: TooFew(database()),
            deals: 8,
        })),
        ..Options::default()
    });
    for line in endings(24).lines().take(5) {
        let (position, _) = line.rsplit_once(' ').unwrap();
        let Err(SolveError::Endgames(error)) = solver.tricks(&position.parse().unwrap()) else {
            panic!("{position}");
        };
        let found: &FalseProof = error.downcast_ref().expect("a false proof");
        let tricks = Solver::new(Options::default()).tricks(&found.counterexample);
        assert_eq!(tricks.unwrap(), found.tricks);
        assert_ne!(found.tricks >= found.target, found.reached);
    }
}
