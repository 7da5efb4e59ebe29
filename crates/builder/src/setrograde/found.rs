//! The sets found so far in one partition.

use setrograde_endgame::card_order::{CardOrder, Key, nonzero_nibbles};

use super::xs::Xs;

/// Sets by their values; no ending is in two sets of different values.
#[derive(Debug, Default)]
pub(crate) struct Found {
    by_value: [Vec<Key>; 16],
}

impl Found {
    pub(crate) fn clear(&mut self) {
        self.by_value.iter_mut().for_each(Vec::clear);
    }

    /// How many sets there are.
    pub(crate) fn len(&self) -> usize {
        self.by_value.iter().map(Vec::len).sum()
    }

    /// A set that holds the ending of this key.
    pub(crate) fn covering(&self, state: Key) -> Option<Key> {
        self.by_value.iter().flatten().rev().copied().find(|set| state & !set == 0)
    }

    /// Which sets around an ending of that value, given by its key, share an
    /// ending with a set of another value: those with at least as many x's in
    /// each suit as one of these. None of these is within another.
    pub(crate) fn contradicted(&self, order: &CardOrder, state: Key, value: u8, limits: &mut Vec<Xs>) {
        limits.clear();
        for (other, sets) in self.by_value.iter().enumerate() {
            if other == usize::from(value) {
                continue;
            }
            for &set in sets {
                let limit = first_contradicted(order, state, set);
                if !limits.iter().any(|known| known.is_within(limit)) {
                    limits.retain(|known| !limit.is_within(*known));
                    limits.push(limit);
                }
            }
        }
    }

    /// Adds a set, united with others where one set of masks can express both,
    /// and drops those that it holds.
    pub(crate) fn insert(&mut self, order: &CardOrder, set: Key, value: u8) {
        let sets = &mut self.by_value[usize::from(value)];
        let mut set = normal(order, set);
        loop {
            sets.retain(|&other| other & !set != 0);
            let Some(at) = sets.iter().position(|&other| differ_in_one_card(set, other)) else {
                break;
            };
            set = normal(order, set | sets.swap_remove(at));
        }
        sets.push(set);
    }

    /// All sets with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, u8)> + '_ {
        self.by_value
            .iter()
            .enumerate()
            .flat_map(|(value, sets)| sets.iter().map(move |&set| (set, value as u8)))
    }
}

/// The fewest x's in each suit with which a set around an ending shares an
/// ending with `set`. The cards above the first whose owner `set` excludes may
/// be known; and all of them where there is no such card.
fn first_contradicted(order: &CardOrder, state: Key, set: Key) -> Xs {
    let excluded = !nonzero_nibbles(state & set);
    Xs::of(std::array::from_fn(|suit| {
        let in_suit = excluded & order.cards_of(suit);
        let total = order.columns()[suit].total();
        if in_suit == 0 { 0 } else { (total - order.place(in_suit.trailing_zeros() as usize / 4) as u32) as u8 }
    }))
}

/// Whether two different sets differ in the mask of one card alone: then their
/// union is the set whose mask for that card allows what either allows.
#[inline]
pub(crate) fn differ_in_one_card(a: Key, b: Key) -> bool {
    let cards = nonzero_nibbles(a ^ b);
    cards & cards.wrapping_sub(1) == 0
}

/// The same set with x's for cards whose masks exclude nobody who could own
/// them.
pub(crate) fn normal(order: &CardOrder, mut set: Key) -> Key {
    for suit in 0..4 {
        let column = order.columns()[suit];
        // How many cards each hand can still hold below the masks that name it
        // alone.
        let mut room = column.lengths();
        for place in 0..column.total() as usize {
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
