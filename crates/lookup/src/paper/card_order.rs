//! The order of a partition's cards, high to low regardless of suit, and keys of owner masks in
//! this order.
//!
//! "Setrograde analysis" (2024), sections 9.1 and 9.2.

use setrograde_endgame::partition::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

/// The owner masks of up to 32 cards in the order of a [`CardOrder`], four bits each, the first
/// card's lowest; all ones for an x. Bit `h` of a mask is hand `h`; hand 0 is the leader.
pub type OrderKey = u128;

/// The key of the set of all endings.
pub const EVERYTHING: OrderKey = OrderKey::MAX;

/// Maximum number of cards per hand in an [`OrderKey`].
pub const DEEPEST: usize = 8;

/// The cards of a canonical shape: the top card of each suit in the order of suits, then the second
/// cards, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardOrder {
    lengths: [SuitLengths; 4],
    count: usize,
    /// The index of each suit's cards in the order.
    at: [[u8; 16]; 4],
}

impl CardOrder {
    /// The order of a shape's cards.
    ///
    /// # Panics
    ///
    /// If the shape has more than 32 cards, which no shape of a level up to
    /// [`DEEPEST`] has.
    pub fn new(shape: Shape) -> CardOrder {
        let lengths = shape.lengths;
        let mut order = CardOrder {
            lengths,
            count: 0,
            at: [[0; 16]; 4],
        };
        for nth in 0..16 {
            for (suit, suit_lengths) in lengths.iter().enumerate() {
                if nth < suit_lengths.total() as usize {
                    order.at[suit][nth] = order.count as u8;
                    order.count += 1;
                }
            }
        }
        order
    }

    /// Returns the number of cards.
    pub fn cards(&self) -> usize {
        self.count
    }

    /// The suit lengths.
    pub fn lengths(&self) -> [SuitLengths; 4] {
        self.lengths
    }

    /// Returns a card's index in the order. `nth` is its rank in the suit, 0 for the top card.
    #[inline]
    pub fn at(&self, suit: usize, nth: usize) -> usize {
        usize::from(self.at[suit & 3][nth & 15])
    }

    /// Returns true if some ending of the shape is in the set of a key. The answer is exact: in
    /// each suit, the cards can be dealt according to the masks and the lengths (Hall's condition
    /// over the sixteen sets of hands).
    pub fn is_possible(&self, key: OrderKey) -> bool {
        self.is_possible_below(key, self.lengths, [0; 4])
    }

    /// Like [`is_possible`](Self::is_possible), for the cards of each suit below its topmost
    /// `top` cards; the hands have the lengths `left`.
    pub(super) fn is_possible_below(
        &self,
        key: OrderKey,
        left: [SuitLengths; 4],
        top: [u8; 4],
    ) -> bool {
        (0..4).all(|suit| {
            let mut cards = [0u8; 16];
            for nth in usize::from(top[suit])..self.lengths[suit].total() as usize {
                cards[usize::from(mask_at(key, self.at(suit, nth)))] += 1;
            }
            (0..15usize).all(|hands| {
                let room: u8 = (0..4)
                    .filter(|hand| hands >> hand & 1 == 1)
                    .map(|hand| left[suit].length(hand))
                    .sum();
                let need: u8 = (0..=hands)
                    .filter(|mask| mask & !hands == 0)
                    .map(|mask| cards[mask])
                    .sum();
                need <= room
            })
        })
    }
}

/// Returns the mask of the card at an index (0..32) of the order.
#[inline]
pub(super) fn mask_at(key: OrderKey, at: usize) -> u8 {
    (key >> ((4 * at) & 127)) as u8 & 15
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(lengths: [[u8; 4]; 4]) -> Shape {
        Shape {
            lengths: lengths.map(SuitLengths::new),
        }
    }

    #[test]
    fn cards_are_ordered_by_place_and_then_by_suit() {
        let order = CardOrder::new(shape([[1, 1, 1, 0], [0, 0, 0, 1], [0; 4], [0; 4]]));
        let at = [(0, 0), (1, 0), (0, 1), (0, 2)].map(|(suit, nth)| order.at(suit, nth));
        assert_eq!(at, [0, 1, 2, 3]);
    }

    #[test]
    fn a_set_is_possible_only_if_the_hands_have_room() {
        let order = CardOrder::new(shape([[1, 1, 2, 2], [0; 4], [0; 4], [0; 4]]));
        let key = |masks: &[u8]| {
            masks
                .iter()
                .enumerate()
                .fold(EVERYTHING, |key, (at, &mask)| {
                    key & !(OrderKey::from(!mask & 15) << (4 * at))
                })
        };
        assert!(order.is_possible(EVERYTHING));
        assert!(order.is_possible(key(&[0b0001, 0b0010, 0b0100, 0b0100])));
        assert!(!order.is_possible(key(&[0b0001, 0b0001])));
        assert!(order.is_possible(key(&[0b0011, 0b0011])));
        assert!(!order.is_possible(key(&[0b0011, 15, 0b0011, 0b0011])));
        // Four cards for hands 2 and 3 leave no card of theirs for the x's.
        assert!(!order.is_possible(key(&[12, 12, 12, 12, 12])));
        assert!(!order.is_possible(key(&[0])));
    }
}
