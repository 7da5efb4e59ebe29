//! The canonical order of the permutations of a suit.
//!
//! A permutation says who owns each of the suit's cards from the top. Low cards
//! permute first: permutations are ordered by the owner of the top card, then
//! of the next, and so on, so that the endings of a set that knows a suit's top
//! cards follow one another without a gap. The owners are ordered North, South,
//! East, West with East on lead, which makes the paper's first deals first.
//!
//! "Setrograde analysis" (2024), section 9.1.

use setrograde_endgame::suit_lengths::SuitLengths;

/// The hands (0 is the leader) in the order North, South, East, West.
const HANDS: [u8; 4] = [3, 1, 0, 2];
/// The place of each hand in that order.
const RANKS: [u8; 4] = [2, 1, 3, 0];

/// One permutation of a suit: for each card its owner's place in the order of
/// hands, two bits each, the top card's highest, so that permutations of one
/// suit compare as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Permutation(u32);

impl Permutation {
    /// The first permutation of a suit with these lengths.
    pub(crate) fn first(suit_lengths: SuitLengths) -> Permutation {
        let mut permutation = Permutation::default();
        let mut place = 0;
        for hand in HANDS {
            for _ in 0..suit_lengths.length(usize::from(hand)) {
                permutation.0 |= u32::from(RANKS[usize::from(hand)]) << shift(place);
                place += 1;
            }
        }
        permutation
    }

    /// The hand (0..=3) that owns the card at a place from the top.
    #[inline]
    pub(crate) fn owner(self, place: usize) -> usize {
        usize::from(HANDS[(self.0 >> shift(place)) as usize & 3])
    }

    /// The first permutation after all those that share this one's `known` top
    /// cards; it must itself share the topmost `kept`. `None` if there is none.
    /// The suit has `total` cards.
    pub(crate) fn after(self, known: usize, kept: usize, total: usize) -> Option<Permutation> {
        // How many of each rank lie below the card in question.
        let mut below = [0u8; 4];
        for place in known..total {
            below[self.rank(place)] += 1;
        }
        for place in (kept..known).rev() {
            let rank = self.rank(place);
            if let Some(next) = (rank + 1..4).find(|&next| below[next] > 0) {
                below[rank] += 1;
                below[next] -= 1;
                let above = u32::MAX.checked_shl(shift(place) + 2).unwrap_or(0);
                let mut bits = self.0 & above | (next as u32) << shift(place);
                let mut place = place + 1;
                for (rank, &count) in below.iter().enumerate() {
                    for _ in 0..count {
                        bits |= (rank as u32) << shift(place);
                        place += 1;
                    }
                }
                return Some(Permutation(bits));
            }
            below[rank] += 1;
        }
        None
    }

    #[inline]
    fn rank(self, place: usize) -> usize {
        (self.0 >> shift(place)) as usize & 3
    }
}

/// Returns the bit at which the owner of the card at a place begins.
#[inline]
fn shift(place: usize) -> u32 {
    30 - 2 * place as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(permutation: Permutation, total: usize) -> String {
        (0..total)
            .map(|place| ['E', 'S', 'W', 'N'][permutation.owner(place)])
            .collect()
    }

    #[test]
    fn the_published_first_deals_are_first() {
        assert_eq!(
            names(Permutation::first(SuitLengths::new([1; 4])), 4),
            "NSEW"
        );
        assert_eq!(
            names(Permutation::first(SuitLengths::new([2; 4])), 8),
            "NNSSEEWW"
        );
    }

    #[test]
    fn all_permutations_come_once_and_in_order() {
        let suit_lengths = SuitLengths::new([2, 1, 0, 3]);
        let mut at = Permutation::first(suit_lengths);
        let mut count = 1;
        while let Some(next) = at.after(6, 0, 6) {
            assert!(next > at);
            at = next;
            count += 1;
        }
        assert_eq!(count, 60);
        assert_eq!(names(at, 6), "EESNNN");
    }

    #[test]
    fn xs_go_back_to_their_first_permutation() {
        let first = Permutation::first(SuitLengths::new([2; 4]));
        let next = first.after(2, 0, 8);
        assert_eq!(next.map(|next| names(next, 8)).as_deref(), Some("NSNSEEWW"));
        assert_eq!(first.after(2, 2, 8), None);
        let kept = next.and_then(|next| next.after(2, 1, 8));
        assert_eq!(kept.map(|next| names(next, 8)).as_deref(), Some("NENSSEWW"));
    }
}
