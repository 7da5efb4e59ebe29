//! Sets of hand shapes.

use setrograde_cards::{Hand, Sorting, Suit};

/// Shapes of a hand: the lengths of its suits in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shapes {
    /// Some of the 39 shapes of a hand of 13 cards: a bit for each, from 4-3-3-3 to 13-0-0-0 in the
    /// order of their lengths, the longest first.
    Of(u64),
    /// Those with a suit of this length, whatever the number of cards.
    WithLength(u8),
}

/// The shapes of a hand of 13 cards, the longest suit first, in order.
pub(crate) const SHAPES: [[u8; 4]; 39] = {
    let mut all = [[0; 4]; 39];
    let (mut count, mut number) = (0, 0);
    while number < 14 * 14 * 14 {
        let (a, b, c) = (number / 196, number / 14 % 14, number % 14);
        number += 1;
        if a + b + c <= 13 && a >= b && b >= c && c >= 13 - a - b - c {
            all[count] = [a as u8, b as u8, c as u8, (13 - a - b - c) as u8];
            count += 1;
        }
    }
    all
};

/// The bits of the balanced shapes.
const BALANCED: u64 = bit([4, 3, 3, 3]) | bit([4, 4, 3, 2]) | bit([5, 3, 3, 2]);

impl Shapes {
    /// The sets that have names: the first name is written, all are read.
    pub(super) const NAMED: [(Shapes, &[&str]); 4] = [
        (Shapes::BALANCED, &["balanced", "bal"]),
        (
            Shapes::SEMIBALANCED,
            &["semibalanced", "semi-balanced", "semibal"],
        ),
        (Shapes::WithLength(0), &["void"]),
        (Shapes::WithLength(1), &["singleton"]),
    ];

    /// 4-3-3-3, 4-4-3-2 and 5-3-3-2.
    pub const BALANCED: Shapes = Shapes::Of(BALANCED);

    /// The balanced shapes, 5-4-2-2 and 6-3-2-2.
    const SEMIBALANCED: Shapes = Shapes::Of(BALANCED | bit([5, 4, 2, 2]) | bit([6, 3, 2, 2]));

    /// The shape of 13 cards with suits of these lengths in any order; no shape if they are not 13
    /// cards.
    pub fn of(mut lengths: [u8; 4]) -> Shapes {
        lengths.in_any_order_by(|a, b| b.cmp(a));
        Shapes::Of(bit(lengths))
    }

    /// The shapes of 13 cards in the set, the longest suit first.
    pub(super) fn each(self) -> impl Iterator<Item = [u8; 4]> {
        let has = move |(at, lengths): &(usize, [u8; 4])| match self {
            Shapes::Of(set) => set >> at & 1 == 1,
            Shapes::WithLength(length) => lengths.contains(&length),
        };
        SHAPES
            .into_iter()
            .enumerate()
            .filter(has)
            .map(|(_, lengths)| lengths)
    }

    /// Returns true if the hand has one of the shapes.
    pub(super) fn has(self, hand: Hand) -> bool {
        let mut lengths = Suit::ALL.map(|suit| hand.suit(suit).len() as u8);
        match self {
            Shapes::Of(set) => {
                lengths.in_any_order_by(|a, b| b.cmp(a));
                set & bit(lengths) != 0
            }
            Shapes::WithLength(length) => lengths.contains(&length),
        }
    }
}

/// The orders of four suits, from spades first to clubs first.
pub(crate) fn orders() -> impl Iterator<Item = [usize; 4]> {
    let numbers = (0..256_usize).map(|number| [6, 4, 2, 0].map(|shift| number >> shift & 3));
    numbers.filter(|order| (0..4).all(|suit| order.contains(&suit)))
}

/// The bit of a shape; none if there is no such shape.
const fn bit([a, b, c, d]: [u8; 4]) -> u64 {
    let mut at = 0;
    while at < SHAPES.len() {
        let [e, f, g, h] = SHAPES[at];
        if a == e && b == f && c == g && d == h {
            return 1 << at;
        }
        at += 1;
    }
    0
}
