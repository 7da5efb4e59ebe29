//! The order in which the shards of a level are built, and the demand of searches.

use std::cmp::Reverse;

use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::{arrangements_of_partition, states_of_partition};
use setrograde_endgame::suit_lengths::SUIT_CARDS;

/// Sorts shards of a level into the order of building: the costliest first, so no thread is still
/// working on a costly shard when the rest are done. `costs` are those of all shards of the level.
pub(crate) fn sort_by_cost(shards: &mut [usize], costs: &[u64]) {
    // Costs are compared by powers of two only. Within one power, neighbours stay together, because
    // they use the same diagrams of the level below.
    shards.sort_by_key(|&shard| Reverse(costs[shard].max(1).ilog2()));
}

/// Returns the predicted demand for a partition in searches of random deals, from its suit lengths,
/// up to a constant factor within its level.
///
/// It is the number of endings, times the number of ways in which suits and strains make the
/// partition, times the cube root of the number of ways to draw the cards of each suit from
/// thirteen, doubled for each void, because play leaves hands less even than chance would. It was
/// fitted to the positions of 40 deals at 24 cards by Poisson regression, and its exponents were
/// rounded.
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

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition::Shape;
    use setrograde_endgame::suit_lengths::SuitLengths;

    use super::*;

    fn partition(trump: bool, lengths: [[u8; 4]; 4]) -> Partition {
        let lengths = lengths.map(SuitLengths::new);
        Partition {
            shape: Shape { lengths },
            trump,
        }
    }

    #[test]
    fn the_demand_is_the_published_product() {
        // 24 deals; any of four suits, and as many strains without a card as with all; 715 ways
        // to draw four cards; twelve voids.
        let one_suit = demand(partition(false, [[1; 4], [0; 4], [0; 4], [0; 4]]));
        let expected = 24.0 * (4.0 * 4.0) * 715_f64.cbrt() * 4_096.0;
        assert!((one_suit / expected - 1.0).abs() < 1e-12, "{one_suit}");
        // Six deals, of the trumps and of three other cards; three cards of a suit are drawn in
        // 286 ways, one in 13.
        let lengths = [[1, 1, 1, 0], [0, 0, 0, 1], [0; 4], [0; 4]];
        let trumps = demand(partition(true, lengths));
        let expected = 6.0 * (3.0 * 4.0) * (286.0 * 13_f64).cbrt() * 4_096.0;
        assert!((trumps / expected - 1.0).abs() < 1e-12, "{trumps}");
    }

    #[test]
    fn thirteen_cards_are_drawn_in_one_way() {
        let ways = [0, 1, 2, 6, 7, 12, 13].map(ways_to_draw);
        assert_eq!(
            ways.map(f64::round),
            [1.0, 13.0, 78.0, 1_716.0, 1_716.0, 13.0, 1.0]
        );
    }

    #[test]
    fn costly_shards_come_first_and_neighbours_together() {
        let mut shards = [0, 1, 2, 3, 4, 5, 6, 7];
        let costs = [1, 5, 3, 4, 0, 7, 2, 8];
        sort_by_cost(&mut shards, &costs);
        assert_eq!(shards, [7, 1, 3, 5, 2, 6, 0, 4]);
    }
}
