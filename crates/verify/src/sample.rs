//! Random endings against plain minimax.

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::{Database, Ending, Level};

use crate::minimax::Minimax;
use crate::parallel::Workers;
use crate::{Check, CheckResult, PartitionName, VerifyError, VerifyObserver, Work};

/// Compares that many random endings of a level with plain minimax.
pub(crate) fn check<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    count: usize,
    seed: u64,
    workers: &Workers<'_, O>,
) -> CheckResult {
    let number = level.level();
    // Each level has endings of its own; these do not depend on which others
    // are verified, nor on the threads.
    let mut random = fastrand::Rng::with_seed(seed.wrapping_add((number as u64) << 56));
    let questions: Vec<Question> = (0..count)
        .filter_map(|_| Question::random(number, &mut random))
        .collect();
    let cpu = workers.each(
        questions.len(),
        || (),
        |(), item| {
            let question = &questions[item];
            let ending = Ending::from_position(&question.position)
                .map_err(|error| VerifyError::Probe(error.into()))?;
            let stored = database.value(&ending)?;
            let right = question.minimax.clone().tricks(ending.leader().index());
            if stored == right {
                return Ok(1);
            }
            let partition = ending.canonical().partition;
            Err(VerifyError::WrongValue {
                path: level.path().to_owned(),
                partition: PartitionName {
                    number: level.partitions().number(partition),
                    partition,
                },
                ending: question.position.to_string(),
                stored,
                right,
                check: Check::Sample,
            })
        },
    )?;
    Ok(Work { sets: 0, cpu })
}

/// An ending, for the database and for minimax.
struct Question {
    position: Position,
    minimax: Minimax,
}

impl Question {
    /// Deals so many cards to each hand, out of a whole pack, and draws strain
    /// and leader, all uniformly.
    fn random(level: usize, random: &mut fastrand::Rng) -> Option<Question> {
        let deal = Deal::random_ending(level, random);
        let strain = Strain::ALL[random.usize(0..5)];
        let leader = Seat::ALL[random.usize(0..4)];
        let minimax = Minimax {
            hands: deal.hands().map(|hand| {
                let mut cards: Vec<_> = hand
                    .cards()
                    .map(|card| (card.suit.index(), card.rank.index()))
                    .collect();
                // High cards first, so that alpha-beta cuts early.
                cards.sort_by_key(|&(suit, rank)| (suit, std::cmp::Reverse(rank)));
                cards
            }),
            trump: strain.trump().map(|suit| suit.index()),
        };
        let position = Position::new(strain, leader, deal, &[]).ok()?;
        Some(Question { position, minimax })
    }
}
