//! The order in which the shards of a level are built, and what searches ask for.

use std::cmp::Reverse;

use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::states::{arrangements_of_partition, states_of_partition};
use setrograde_endgame::suit_lengths::SUIT_CARDS;

use crate::plan::shard_partitions;

/// In what order the shards of a level are built. The level has the same bytes
/// whatever the order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// The costliest first, so that no thread is left with a costly one when the
    /// others have nothing more to do.
    #[default]
    Costly,
    /// Those first that searches ask for most for the work that they take: for a
    /// level that is asked before it is whole; see [`demand`](crate::demand).
    Worth,
}

impl Order {
    /// Puts shards of a level in this order; `costs` are those of all its shards.
    pub(crate) fn sort(self, shards: &mut [usize], partitions: &PartitionIndex, costs: &[u64]) {
        match self {
            // Only by powers of two: within one, neighbours follow each other,
            // as they ask for the same diagrams of the level below.
            Order::Costly => shards.sort_by_key(|&shard| Reverse(costs[shard].max(1).ilog2())),
            Order::Worth => {
                let worths = shard_worths(partitions, costs);
                shards.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]).then(a.cmp(&b)));
            }
        }
    }
}

/// Returns each shard's demand for its cost, up to a factor.
fn shard_worths(partitions: &PartitionIndex, costs: &[u64]) -> Vec<f64> {
    let size = shard_partitions(partitions.level());
    let mut worths = vec![0.0; costs.len()];
    for (number, partition) in partitions.iter().enumerate() {
        worths[number / size] += demand(partition);
    }
    for (worth, &cost) in worths.iter_mut().zip(costs) {
        *worth /= cost as f64;
    }
    worths
}

/// Returns how often searches of random deals ask for the endings of a partition,
/// predicted from its suit lengths, up to a factor that is the same for its whole
/// level.
///
/// The guess is the number of endings, times the ways in which suits and strains
/// make the partition, times the cube root of the ways to draw the cards of each
/// suit from thirteen, doubled for each void: play leaves hands less even than
/// chance would. It was fitted to the arrivals of 40 deals at 24 cards by Poisson
/// regression, and its exponents rounded; `early_use` of the experiments tells how
/// good it is.
#[must_use]
pub fn demand(partition: Partition) -> f64 {
    let lengths = partition.shape.lengths;
    let voids: usize = lengths.iter().map(|suit| 4 - suit.holders()).sum();
    let drawn: f64 = lengths
        .iter()
        .map(|suit| ways_to_draw(suit.total()))
        .product();
    states_of_partition(partition) as f64
        * arrangements_of_partition(partition) as f64
        * drawn.cbrt()
        * f64::from(1_u32 << voids)
}

/// The ways to draw N of the thirteen cards of a suit.
fn ways_to_draw(cards: u32) -> f64 {
    (1..=cards.min(SUIT_CARDS)).fold(1.0, |ways, card| {
        ways * f64::from(SUIT_CARDS + 1 - card) / f64::from(card)
    })
}
