//! The sets found so far in one partition.

use setrograde_endgame::owners::PackedOwners;
use setrograde_lookup::paper::card_order::{CardOrder, EVERYTHING, OrderKey};

use crate::setrograde::generalize::UnknownCounts;

/// A set: the owner of each card is known, or the card is an x.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    /// None for x's.
    owners: PackedOwners,
    /// Keeps the known cards.
    known: PackedOwners,
}

impl Ranked {
    fn known(&self) -> [u8; 4] {
        self.known.words().map(|cards| cards.count_ones() as u8 / 2)
    }

    fn key(&self, order: &CardOrder) -> OrderKey {
        let mut key = EVERYTHING;
        for (suit, known) in self.known().into_iter().enumerate() {
            for nth in 0..usize::from(known) {
                let owner = self.owners.owner(suit, nth);
                key &= !((15 & !(1 << owner)) << (4 * order.at(suit, nth)));
            }
        }
        key
    }
}

/// The known cards of a set whose owners an ending differs in: for each suit a
/// bit or two for each card, the top card's lowest; and a bit below all cards.
struct Difference([u32; 4]);

impl Difference {
    const END: u32 = 1 << 31;

    #[inline]
    fn of(state: &PackedOwners, set: &Ranked) -> Difference {
        let (state, owners, known) = (state.words(), set.owners.words(), set.known.words());
        Difference(std::array::from_fn(|suit| {
            (state[suit] ^ owners[suit]) & known[suit] | Difference::END
        }))
    }

    /// Returns the index of the first card that differs, in each suit; 15 if none does.
    fn first(&self) -> [u8; 4] {
        self.0.map(|cards| cards.trailing_zeros() as u8 / 2)
    }
}

/// The fewest x's in each suit with which a set around an ending shares an
/// ending with another set.
#[derive(Clone, Copy, Debug)]
struct Limit {
    xs: UnknownCounts,
    /// The cards down to the first that differs, in each suit, as in
    /// [`Difference`]; all of them and its end where none does.
    reach: [u32; 4],
}

impl Limit {
    /// The fewest x's at which a set around the ending meets `set`: the
    /// cards above the first that differs may be known, and all where none
    /// does.
    fn of(difference: &Difference, totals: [u8; 4]) -> Limit {
        let first = difference.first();
        let reach = |suit: usize| {
            if first[suit] < totals[suit] {
                (4 << (2 * first[suit])) - 1
            } else {
                u32::MAX
            }
        };
        Limit {
            xs: UnknownCounts::of(std::array::from_fn(|suit| {
                totals[suit].saturating_sub(first[suit])
            })),
            reach: std::array::from_fn(reach),
        }
    }

    /// Returns true if the limit of such a difference has at least as many x's in
    /// each suit.
    #[expect(clippy::needless_bitwise_bool, reason = "no branch for each suit")]
    #[inline]
    fn is_passed(&self, difference: &Difference) -> bool {
        (0..4).fold(true, |passed, suit| {
            passed & (difference.0[suit] & self.reach[suit] != 0)
        })
    }
}

/// Sets by their values; no ending is in two sets of different values.
#[derive(Debug, Default)]
pub(crate) struct SolvedSets {
    by_value: [Vec<Ranked>; 16],
    limits: Vec<Limit>,
}

impl SolvedSets {
    pub(crate) fn clear(&mut self) {
        self.by_value.iter_mut().for_each(Vec::clear);
    }

    /// Returns the number of sets.
    pub(crate) fn len(&self) -> usize {
        self.by_value.iter().map(Vec::len).sum()
    }

    /// Adds the set of the endings that share the `known` top cards of each suit
    /// with this one, all of that value (0..=13).
    pub(crate) fn insert(&mut self, state: &PackedOwners, known: [u8; 4], value: u8) {
        let known = PackedOwners::from_words(known.map(|cards| (1 << (2 * cards)) - 1));
        let owners = state.masked(known);
        self.by_value[usize::from(value)].push(Ranked { owners, known });
    }

    /// Returns the number of top cards of each suit that are known in a set that
    /// holds this ending. The last sets are tried first: endings come in an order
    /// in which neighbours follow each other.
    pub(crate) fn covering(&self, state: &PackedOwners) -> Option<[u8; 4]> {
        let mut sets = self.by_value.iter().flat_map(|sets| sets.iter().rev());
        sets.find(|set| state.agree(&set.owners, &set.known))
            .map(Ranked::known)
    }

    /// Finds the sets around an ending of that value that share an ending with a
    /// set of another value: those with at least as many x's in each suit as one of
    /// `limits`, none of which is within another. The suits have `totals` cards.
    pub(crate) fn contradicted(
        &mut self,
        state: &PackedOwners,
        totals: [u8; 4],
        value: u8,
        limits: &mut Vec<UnknownCounts>,
    ) {
        self.limits.clear();
        let others = self.by_value.iter().enumerate();
        for (_, sets) in others.filter(|&(other, _)| other != usize::from(value)) {
            for set in sets {
                let difference = Difference::of(state, set);
                if !self.limits.iter().any(|limit| limit.is_passed(&difference)) {
                    let limit = Limit::of(&difference, totals);
                    self.limits.retain(|known| !limit.xs.is_within(known.xs));
                    self.limits.push(limit);
                }
            }
        }
        limits.clear();
        limits.extend(self.limits.iter().map(|limit| limit.xs));
    }

    /// The sets, compacted, with their values.
    pub(crate) fn compacted(&self, order: &CardOrder) -> Vec<(OrderKey, u8)> {
        let mut all = Vec::new();
        for (value, sets) in self.by_value.iter().enumerate() {
            let mut keys = sets.iter().map(|set| set.key(order)).collect();
            compact(order, &mut keys);
            all.extend(keys.into_iter().map(|key| (key, value as u8)));
        }
        all
    }
}

/// Unites sets, all of one value, as long as two of them differ in the mask of
/// one card alone; low cards first. Their union is the set whose mask for that
/// card allows what either allows.
pub(crate) fn compact(order: &CardOrder, sets: &mut Vec<OrderKey>) {
    loop {
        let before = sets.len();
        for at in (0..order.cards()).rev() {
            unite_at(order, sets, 15 << (4 * at));
        }
        if sets.len() == before {
            break;
        }
    }
}

/// Unites sets that differ in the mask of one card alone, whose nibble is
/// given.
fn unite_at(order: &CardOrder, sets: &mut Vec<OrderKey>, nibble: OrderKey) {
    sets.sort_unstable_by_key(|&set| (set & !nibble, set));
    sets.dedup_by(|next, kept| {
        let differ_there_alone = (*next ^ *kept) & !nibble == 0;
        if differ_there_alone {
            *kept = normal(order, *kept | *next);
        }
        differ_there_alone
    });
}

/// Returns the set with x's for cards whose masks exclude no possible owner, because such sets
/// unite more often.
fn normal(order: &CardOrder, mut set: OrderKey) -> OrderKey {
    for suit in 0..4 {
        let suit_lengths = order.lengths()[suit];
        // The number of cards that each hand can still have, apart from those whose masks name only
        // this hand.
        let mut room = suit_lengths.to_array();
        for nth in 0..suit_lengths.total() as usize {
            let at = 4 * order.at(suit, nth);
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
    use setrograde_endgame::partition::Shape;
    use setrograde_endgame::suit_lengths::SuitLengths;
    use setrograde_lookup::paper::card_order::EVERYTHING;

    use super::*;

    fn order(spades: [u8; 4]) -> CardOrder {
        let mut lengths = [SuitLengths::EMPTY; 4];
        lengths[0] = SuitLengths::new(spades);
        CardOrder::new(Shape { lengths })
    }

    /// The set of these masks of the top cards.
    fn set(masks: &[u8]) -> OrderKey {
        masks
            .iter()
            .enumerate()
            .fold(EVERYTHING, |key, (at, &mask)| {
                key & !(OrderKey::from(!mask & 15) << (4 * at))
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
        // North's only card is known, and the remaining three are all that is left.
        let mut sets = vec![set(&[N, E]), set(&[N, W]), set(&[N, S])];
        compact(&order([2, 2, 2, 1]), &mut sets);
        assert_eq!(sets, [set(&[N])]);
    }
}
