//! The sets found so far in one partition.

use setrograde_endgame::card_order::{CardOrder, Key, nonzero_nibbles};

use super::compact::compact;
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

    /// Adds a set of that value (0..=13).
    pub(crate) fn insert(&mut self, set: Key, value: u8) {
        self.by_value[usize::from(value)].push(set);
    }

    /// A set that holds the ending of this key; the last ones are tried first,
    /// since endings come in an order in which neighbours follow each other.
    pub(crate) fn covering(&self, state: Key) -> Option<Key> {
        let sets = self.by_value.iter().flat_map(|sets| sets.iter().rev());
        sets.copied().find(|set| state & !set == 0)
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

    /// Compacts the sets and gives them out with their values.
    pub(crate) fn compacted(&mut self, order: &CardOrder) -> Vec<(Key, u8)> {
        self.by_value.iter_mut().for_each(|sets| compact(order, sets));
        let of_value = |(value, sets): (usize, &Vec<Key>)| -> Vec<(Key, u8)> {
            sets.iter().map(|&set| (set, value as u8)).collect()
        };
        self.by_value.iter().enumerate().flat_map(of_value).collect()
    }
}

/// The fewest x's in each suit with which a set around an ending shares an
/// ending with `set`: the cards above the first whose owner `set` excludes may
/// be known, and all of them where there is no such card.
fn first_contradicted(order: &CardOrder, state: Key, set: Key) -> Xs {
    let excluded = !nonzero_nibbles(state & set);
    Xs::of(std::array::from_fn(|suit| match excluded & order.cards_of(suit) {
        0 => 0,
        cards => {
            let place = order.place(cards.trailing_zeros() as usize / 4);
            order.columns()[suit].total() as u8 - place as u8
        }
    }))
}
