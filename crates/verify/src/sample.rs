//! Random endings against plain minimax.

use std::sync::atomic::AtomicBool;

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::{Database, Ending, Level};

use crate::check::{Check, Passed, Portion, VerifyObserver, Workers};
use crate::error::{PartitionName, VerifyError};
use crate::exhaustive::Minimax;

const ONE: Portion = Portion { units: 1, cost: 1 };

/// Compares `count` random endings of a level with plain minimax.
pub(crate) fn check<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    count: usize,
    seed: u64,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let number = level.level();
    let cpu = workers.each(
        count,
        || (),
        |(), item| {
            // Each level and each item has an ending of its own: it depends
            // neither on what else is verified nor on the threads.
            let stream = ((number as u64) << 56) ^ item as u64;
            let mut random =
                fastrand::Rng::with_seed(fastrand::Rng::with_seed(seed).u64(..) ^ stream);
            let Some(sampled) = SampledEnding::random(number, &mut random, workers.cancel) else {
                return Ok(ONE);
            };
            let ending = Ending::from_position(&sampled.position)
                .map_err(|error| VerifyError::Probe(error.into()))?;
            let Some(located) = database.locate(&ending)? else {
                return Err(database.not_held(&ending).into());
            };
            let stored = located.value()?;
            let right = sampled.minimax.tricks(ending.leader().index());
            // Minimax that was cut short has found nothing.
            workers.check_cancel()?;
            if stored == right {
                return Ok(ONE);
            }
            let partition = ending.canonical().partition;
            Err(VerifyError::WrongValue {
                path: level.path().to_owned(),
                partition: PartitionName {
                    number: level.partitions().number(partition),
                    partition,
                },
                ending: sampled.position.to_string(),
                stored,
                right,
                check: Check::Sample,
            })
        },
    )?;
    Ok(Passed { sets: 0, cpu })
}

/// An ending, for the database and for minimax.
struct SampledEnding<'a> {
    position: Position,
    minimax: Minimax<'a>,
}

impl<'a> SampledEnding<'a> {
    /// Deals `level` cards to each hand, out of a whole pack, and draws strain
    /// and leader, all uniformly.
    fn random(
        level: usize,
        random: &mut fastrand::Rng,
        cancel: &'a AtomicBool,
    ) -> Option<SampledEnding<'a>> {
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
            cancel,
        };
        let position = Position::new(strain, leader, deal, &[]).ok()?;
        Some(SampledEnding { position, minimax })
    }
}
