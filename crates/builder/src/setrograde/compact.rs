//! Compaction of a finished partition: sets that one set of masks can express
//! become one.
//!
//! "Setrograde analysis" (2024), section 5, Figure 3, and Algorithm 2, line 12.

use setrograde_endgame::card_order::{CardOrder, Key};

/// Unites sets, all of one value, as long as two of them differ in the mask of
/// one card alone; low cards first. Their union is the set whose mask for that
/// card allows what either allows.
pub(crate) fn compact(order: &CardOrder, sets: &mut Vec<Key>) {
    loop {
        let before = sets.len();
        for at in (0..order.len()).rev() {
            unite_at(order, sets, 15 << (4 * at));
        }
        if sets.len() == before {
            break;
        }
    }
}

/// Unites sets that differ in the mask of one card alone, whose nibble is
/// given.
fn unite_at(order: &CardOrder, sets: &mut Vec<Key>, nibble: Key) {
    sets.sort_unstable_by_key(|&set| (set & !nibble, set));
    sets.dedup_by(|next, kept| {
        let differ_there_alone = (*next ^ *kept) & !nibble == 0;
        if differ_there_alone {
            *kept = normal(order, *kept | *next);
        }
        differ_there_alone
    });
}

/// The same set with x's for cards whose masks exclude nobody who could own
/// them: it unites with others more readily.
fn normal(order: &CardOrder, mut set: Key) -> Key {
    for suit in 0..4 {
        let suit_lengths = order.lengths()[suit];
        // The cards that each hand can still hold below those masks that name
        // it alone.
        let mut room = suit_lengths.to_array();
        for place in 0..suit_lengths.total() as usize {
            let at = 4 * order.at(suit, place);
            let mask = (set >> at) as u8 & 15;
            let able = (0..4).fold(0, |able, hand| able | u8::from(room[hand] > 0) << hand);
            if mask & able == able {
                set |= 15 << at;
            } else if mask.is_power_of_two() {
                let hand = mask.trailing_zeros() as usize;
                room[hand] = room[hand].saturating_sub(1);
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::card_order::EVERYTHING;
    use setrograde_endgame::shape::Shape;
    use setrograde_endgame::suit_lengths::SuitLengths;

    use super::*;

    fn order(spades: [u8; 4]) -> CardOrder {
        let mut lengths = [SuitLengths::EMPTY; 4];
        lengths[0] = SuitLengths::new(spades);
        CardOrder::new(Shape { lengths })
    }

    /// The set of these masks of the top cards.
    fn set(masks: &[u8]) -> Key {
        masks
            .iter()
            .enumerate()
            .fold(EVERYTHING, |key, (at, &mask)| {
                key & !(Key::from(!mask & 15) << (4 * at))
            })
    }

    const E: u8 = 1;
    const S: u8 = 2;
    const W: u8 = 4;
    const N: u8 = 8;

    #[test]
    fn the_four_sets_of_figure_3_become_one() {
        let mut sets = vec![set(&[N, N]), set(&[S, S]), set(&[N, S]), set(&[S, N])];
        compact(&order([2; 4]), &mut sets);
        assert_eq!(sets, [set(&[N | S, N | S])]);
    }

    #[test]
    fn sets_that_differ_in_two_cards_stay_apart() {
        let mut sets = vec![set(&[N, S]), set(&[S, N])];
        compact(&order([2; 4]), &mut sets);
        assert_eq!(sets.len(), 2);
    }

    #[test]
    fn a_card_that_anybody_left_may_own_is_an_x() {
        // North's only card is known: the other three are all that is left.
        let mut sets = vec![set(&[N, E]), set(&[N, W]), set(&[N, S])];
        compact(&order([2, 2, 2, 1]), &mut sets);
        assert_eq!(sets, [set(&[N])]);
    }
}
