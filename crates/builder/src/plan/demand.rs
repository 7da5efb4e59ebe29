//! The predicted demand of searches for a partition.

use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::{arrangements_of_partition, states_of_partition};
use setrograde_endgame::suit_lengths::SUIT_CARDS;

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
