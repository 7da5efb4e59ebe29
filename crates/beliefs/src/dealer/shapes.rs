//! Sets of shapes: the numbers of cards in spades, hearts, diamonds and clubs.

use setrograde_cards::{Hand, Seat, Sorting, Suit};

use crate::condition::{SHAPES, Shapes, Term, orders};
use crate::limits::Measure;
use crate::subsets::splits;

/// The lengths of a hand's suits, from spades.
pub(super) type HandShape = [u8; 4];

/// A set of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeSet([u64; ShapeSet::WORDS]);

impl ShapeSet {
    const WORDS: usize = (14_usize * 14 * 14).div_ceil(64);

    pub(super) const EMPTY: ShapeSet = ShapeSet([0; ShapeSet::WORDS]);

    fn bit([s, h, d, _]: HandShape) -> (usize, u64) {
        let index = (usize::from(s) * 14 + usize::from(h)) * 14 + usize::from(d);
        (index / 64, 1 << (index % 64))
    }

    fn insert(&mut self, shape: HandShape) {
        let (word, bit) = ShapeSet::bit(shape);
        self.0[word] |= bit;
    }

    /// The shapes that fit.
    pub(super) fn of(fits: impl Fn(&HandShape) -> bool) -> ShapeSet {
        let mut set = ShapeSet::EMPTY;
        all().filter(fits).for_each(|shape| set.insert(shape));
        set
    }

    pub(super) fn has(&self, shape: HandShape) -> bool {
        let (word, bit) = ShapeSet::bit(shape);
        self.0[word] & bit != 0
    }

    /// Returns true if the set has the shape of a hand of 13 cards.
    pub(super) fn allows(&self, hand: Hand) -> bool {
        self.has(Suit::ALL.map(|suit| hand.holding(suit).len() as u8))
    }

    /// Adds the shapes of another set, or removes them if it is `less` these.
    pub(super) fn change(&mut self, other: &ShapeSet, less: bool) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word = if less { *word & !more } else { *word | more };
        }
    }

    /// The shapes that are not in the set.
    pub(super) fn others(&self) -> ShapeSet {
        ShapeSet::of(|&shape| !self.has(shape))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == ShapeSet::EMPTY.0
    }

    /// The set as terms about the hand of `seat`: alternatives, each a list of terms. They overlap.
    pub(super) fn alternatives(&self, seat: Seat) -> Vec<Vec<Term>> {
        // Whole families of shapes, as 5-3-3-2, unless ranges of lengths are fewer.
        let is_whole =
            |shape: &HandShape| orders().all(|order| self.has(order.map(|at| shape[at])));
        let mut families = SHAPES.to_vec();
        families.retain(is_whole);
        let (mut found, mut boxes) = (Vec::new(), self.boxes());
        if (1..boxes.len()).contains(&families.len()) {
            for &lengths in &families {
                let (seat, shapes) = (Some(seat), Shapes::of(lengths));
                found.push(vec![Term::Shape { seat, shapes }]);
            }
            let is_left = |&shape: &HandShape| {
                let mut lengths = shape;
                lengths.in_any_order_by(|a, b| b.cmp(a));
                self.has(shape) && !families.contains(&lengths)
            };
            boxes = ShapeSet::of(is_left).boxes();
        }
        for bounds in boxes {
            let range = |(suit, bounds)| Term::range(Some(seat), Measure::Length(suit), bounds);
            let bounds = Suit::ALL.into_iter().zip(bounds);
            let limited = bounds.filter(|&(_, bounds)| bounds != (0, 13));
            found.push(limited.map(range).collect());
        }
        found
    }

    /// Ranges of lengths that together include these shapes and no others.
    fn boxes(&self) -> Vec<[(u8, u8); 4]> {
        let inside = |bounds: &[(u8, u8); 4], shape: &HandShape| {
            let mut pairs = bounds.iter().zip(shape);
            pairs.all(|(bounds, length)| (bounds.0..=bounds.1).contains(length))
        };
        let others: Vec<HandShape> = all().filter(|&shape| !self.has(shape)).collect();
        let mut left: Vec<HandShape> = all().filter(|&shape| self.has(shape)).collect();
        let mut found = Vec::new();
        while let Some(&first) = left.first() {
            // A suit is as free as can be, then the next; the best of four beginnings.
            let widest = |begin: usize| {
                let mut bounds = first.map(|length| (length, length));
                for suit in (0..4).map(|suit| (begin + suit) % 4) {
                    let fits = |bounds: &[(u8, u8); 4], length: u8| {
                        let mut wider = *bounds;
                        wider[suit] = (length, length);
                        let mut others = others.iter().filter(|shape| shape[suit] == length);
                        !others.any(|shape| inside(&wider, shape))
                    };
                    while bounds[suit].1 < 13 && fits(&bounds, bounds[suit].1 + 1) {
                        bounds[suit].1 += 1;
                    }
                    while bounds[suit].0 > 0 && fits(&bounds, bounds[suit].0 - 1) {
                        bounds[suit].0 -= 1;
                    }
                }
                bounds
            };
            let held = |bounds: &[(u8, u8); 4]| left.iter().filter(|of| inside(bounds, of)).count();
            let best = (0..4).map(widest).max_by_key(held);
            let bounds = best.expect("there are four beginnings");
            left.retain(|shape| !inside(&bounds, shape));
            found.push(bounds);
        }
        found
    }
}

/// All 560 shapes of a hand of 13 cards.
fn all() -> impl Iterator<Item = HandShape> {
    splits(13, [13; 4]).into_iter()
}

#[cfg(test)]
mod tests {
    use setrograde_cards::Rank;

    use super::super::braces;
    use super::*;
    use crate::condition::Condition;

    #[test]
    fn terms_say_what_the_set_does() {
        let set = |text: &str| braces::shapes(text).expect(text);
        let notrump = set("(4333)+(4432)+(5332)");
        assert_eq!(notrump.alternatives(Seat::North).len(), 3);
        let either = set("5xxx+x5xx");
        assert_eq!(either.alternatives(Seat::North).len(), 2);
        for set in [
            notrump,
            set("(4333)+(4432)+(5332)-5xxx-x5xx"),
            set("xxxx-(66xx)-(65xx)"),
            either,
            notrump.others(),
            set("(54xx)"),
        ] {
            let terms = set.alternatives(Seat::North);
            let said = Condition::any(terms);
            for shape in all() {
                let ranks = shape.map(|length| Rank::all().take(length.into()).collect());
                let mut hands = [Hand::EMPTY; 4];
                hands[Seat::North] = Hand::new(ranks);
                let said = said.allows(&[Seat::North], &hands);
                assert_eq!(said, set.has(shape), "{shape:?}");
            }
        }
        assert_eq!(all().count(), 560);
    }
}
