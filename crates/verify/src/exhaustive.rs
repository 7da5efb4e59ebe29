//! Single endings against plain minimax: a sample, or all of a level.
//!
//! Their values come from the database as its users get them, so neither the canonical order nor
//! the numbering of partitions is trusted.

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::states_of_partition;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::{Bounds, Database, Ending, Level, Walk};

use crate::check::{Check, CheckPortion, Passed, VerifyObserver};
use crate::error::{PartitionName, VerifyError, same};
use crate::minimax::Minimax;
use crate::path_set::strain;
use crate::workers::Workers;

/// Compares `count` random endings of a level with plain minimax.
pub(crate) fn check_sample<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    count: usize,
    seed: u64,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let number = level.level();
    let check = |(): &mut (), item: usize| {
        // Each level and each item has its own ending: it depends neither on what else is verified
        // nor on the threads.
        let stream = ((number as u64) << 56) ^ item as u64;
        let mut random = fastrand::Rng::with_seed(fastrand::Rng::with_seed(seed).u64(..) ^ stream);
        // Dealt out of a whole pack, with strain and leader, all uniformly.
        let deal = Deal::random_ending(number, |n| random.usize(..n));
        let strain = Strain::ALL[random.usize(0..5)];
        let leader = Seat::ALL[random.usize(0..4)];
        let position =
            Position::new(strain, leader, deal, &[]).expect("equally many cards in each hand");
        check_ending(database, level, &position, Check::Sample, workers)?;
        Ok(CheckPortion { units: 1, cost: 1 })
    };
    let cpu = workers.each(count, || (), check)?;
    Ok(Passed { sets: 0, cpu })
}

/// Compares every ending of a level with plain minimax.
pub(crate) fn check_all<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let partitions: Vec<Partition> = level.partitions().iter().collect();
    let check = |(): &mut (), number: usize| {
        let partition = partitions[number];
        // Every seat has its turn to lead.
        let leader = Seat::from_index(number % 4);
        let mut units = 0;
        for ending in endings_of(partition, leader) {
            let position = ending.to_position();
            check_ending(database, level, &position, Check::Exhaustive, workers)?;
            units += 1;
        }
        let states = states_of_partition(partition);
        same(
            level.path(),
            "number of states of a partition",
            units,
            states,
        )?;
        let cost = units;
        Ok(CheckPortion { units, cost })
    };
    let cpu = workers.each(partitions.len(), || (), check)?;
    Ok(Passed { sets: 0, cpu })
}

/// All endings of a partition in which this seat leads.
pub(crate) fn endings_of(partition: Partition, leader: Seat) -> impl Iterator<Item = Ending> {
    let strain = strain(partition.trump);
    let suits = partition.shape.lengths.map(|lengths| {
        let mut deals = Vec::new();
        deal_out(lengths, leader.index() as u8, &mut Vec::new(), &mut deals);
        deals
    });
    let count = suits.iter().map(Vec::len).product();
    (0..count).map(move |mut number: usize| {
        let owners = suits.each_ref().map(|deals| {
            let deal = number % deals.len();
            number /= deals.len();
            deals[deal].as_slice()
        });
        Ending::new(strain, leader, owners).expect("a partition's shape is that of an ending")
    })
}

/// Adds all ways to deal a suit's cards to hands with these lengths: the cards' owners
/// from the top, as seats.
fn deal_out(left: SuitLengths, leader: u8, deal: &mut Vec<u8>, deals: &mut Vec<Vec<u8>>) {
    if left.total() == 0 {
        deals.push(deal.clone());
    }
    for hand in (0..4).filter(|&hand| left.length(usize::from(hand)) > 0) {
        deal.push((leader + hand) % 4);
        deal_out(left.without_one(hand.into()), leader, deal, deals);
        deal.pop();
    }
}

fn check_ending<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    position: &Position,
    check: Check,
    workers: &Workers<'_, O>,
) -> Result<(), VerifyError> {
    let ending =
        Ending::from_position(position).map_err(|error| VerifyError::Probe(error.into()))?;
    let Walk { bounds, .. } = database
        .bounds(&ending)?
        .ok_or_else(|| database.not_held(&ending))?;
    let right = Minimax::new(position, workers.stop).tricks(position.leader().index());
    // A cancelled minimax has no result.
    workers.check_stop()?;
    if bounds.contain(Bounds::exactly(right)) {
        return Ok(());
    }
    let stored = if right < bounds.lo {
        bounds.lo
    } else {
        bounds.hi
    };
    let partition = ending.canonical().partition;
    Err(VerifyError::WrongValue {
        path: level.path().to_owned(),
        partition: PartitionName {
            number: level.partitions().number(partition),
            partition,
        },
        ending: position.to_string(),
        stored,
        right,
        check,
    })
}
