//! A source of endgame values that lacks some at first, like a database whose disk reads are not
//! waited for, gives the same answers as a complete one.

use std::collections::HashSet;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

/// A source that answers about a partition from the second question on. For every third partition
/// it answers from the tenth question on.
#[derive(Debug)]
struct Cold {
    database: Database,
    asked: Mutex<Vec<Partition>>,
}

impl Endgames for Cold {
    fn max_tricks(&self) -> usize {
        self.database.max_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let partition = ending.canonical().partition;
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let before = asked.iter().filter(|&&other| other == partition).count();
        let is_slow = partition.shape.lengths[0].bits().is_multiple_of(3);
        if before < if is_slow { 10 } else { 1 } {
            asked.push(partition);
            return Ok(None);
        }
        Ok(self.database.decide(ending, target)?)
    }
}

#[test]
fn answers_do_not_depend_on_what_is_there_when() -> Result<(), Box<dyn Error>> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    let solver = |endgames: Option<Arc<dyn Endgames>>| {
        Solver::new(Options {
            endgames,
            memory: 1 << 22,
            ..Options::default()
        })
    };
    let cold = Arc::new(Cold {
        database: Database::open(golden)?,
        asked: Mutex::default(),
    });
    let mut cold_solver = solver(Some(Arc::clone(&cold) as _));
    let mut warm_solver = solver(Some(Arc::new(Database::open(golden)?) as _));
    let mut alone = solver(None);
    let random = &mut fastrand::Rng::with_seed(21);
    for _ in 0..150 {
        let deal = Deal::random_ending(random.usize(3..6), |n| random.usize(..n));
        let strain = Strain::ALL[random.usize(..5)];
        let leader = Seat::from_index(random.usize(..4));
        let position = Position::new(strain, leader, deal, &[])?;
        let right = alone.tricks(&position)?;
        assert_eq!(cold_solver.tricks(&position)?, right, "{position}");
        assert_eq!(warm_solver.tricks(&position)?, right, "{position}");
    }
    let asked = cold.asked.lock().unwrap_or_else(PoisonError::into_inner);
    let partitions: HashSet<Partition> = asked.iter().copied().collect();
    assert!(partitions.len() > 300, "{}", partitions.len());
    Ok(())
}
