//! Counts of a set's endings by value, from a diagram.

use std::collections::HashMap;

use super::{Diagram, Edge, View};
use crate::partition::Shape;
use crate::set::EndingSet;
use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// For each value, 0..=13 tricks for the leader's side: how many endings have
/// it, or the sum of their weights.
pub type Distribution<N> = [N; 14];

/// The weight of each card with each hand: by suit, by the card's place from the
/// top, by hand, in the question's suits and hands. A weight of 0 means that the
/// hand cannot own the card.
pub type Weights = [[[f64; 4]; SUIT_CARDS as usize]; 4];

/// The most nodes that one count may look at: far more than any that a builder
/// made needs.
const MOST_STEPS: u64 = 1 << 30;

impl Diagram<'_> {
    /// Returns the number of endings of `set` for each value. The set is given in
    /// the question's suits and hands, `shape` in the diagram's: that of its
    /// partition.
    ///
    /// The count walks all branches that the set allows with the lengths that
    /// are left; cards below the last branch are counted together. `None` if an
    /// ending of the set leads nowhere, which a sound diagram of its partition
    /// excludes.
    #[must_use]
    pub fn distribution(
        &self,
        shape: Shape,
        set: &EndingSet,
        view: View,
    ) -> Option<Distribution<u128>> {
        let seen = set.seen_by(view.order, view.leader);
        let suits = [0, 1, 2, 3].map(|suit| Masks::new(&seen, suit, shape.lengths[suit]));
        count(*self, shape, suits)
    }

    /// The sums of the weights of all endings with each value, where an ending's
    /// weight is the product of those of its cards. As
    /// [`distribution`](Self::distribution).
    #[must_use]
    pub fn weighed_distribution(
        &self,
        shape: Shape,
        weights: &Weights,
        view: View,
    ) -> Option<Distribution<f64>> {
        let turned = |suit: usize| {
            weights[view.order.suit(suit)]
                .map(|card| std::array::from_fn(|hand| card[(hand + usize::from(view.leader)) & 3]))
        };
        let suits = [0, 1, 2, 3].map(|suit| Weighed {
            weights: turned(suit),
            tails: HashMap::new(),
        });
        count(*self, shape, suits)
    }
}

/// The cards of a suit: who may own them, and how much that weighs.
trait Cards {
    type Sum: Copy + PartialEq + std::ops::Mul<Output = Self::Sum> + std::ops::AddAssign;
    const ZERO: Self::Sum;
    const ONE: Self::Sum;

    /// The weight of the card at `place` with `hand`.
    fn weight(&self, place: usize, hand: usize) -> Self::Sum;

    /// The sum over all ways to own the cards from `place` on, with `left` cards
    /// in the hands.
    fn tail(&mut self, place: usize, left: SuitLengths) -> Self::Sum;
}

fn count<C: Cards>(
    diagram: Diagram<'_>,
    shape: Shape,
    suits: [C; 4],
) -> Option<Distribution<C::Sum>> {
    let mut count = Count {
        diagram,
        suits,
        sums: [C::ZERO; 14],
        steps: 0,
    };
    let mut tails = [C::ONE; 4];
    for (suit, tail) in tails.iter_mut().enumerate() {
        *tail = count.suits[suit].tail(0, shape.lengths[suit]);
    }
    if tails.contains(&C::ZERO) {
        return Some(count.sums);
    }
    let all = At {
        left: shape.lengths,
        places: [0; 4],
        tails,
    };
    count.walk(diagram.root(), &all, C::ONE)?;
    Some(count.sums)
}

/// The cards left in each suit at a branch.
#[derive(Clone, Copy)]
struct At<N> {
    left: [SuitLengths; 4],
    places: [u8; 4],
    /// The sum over all ways to own the cards that are left.
    tails: [N; 4],
}

struct Count<'a, C: Cards> {
    diagram: Diagram<'a>,
    suits: [C; 4],
    sums: Distribution<C::Sum>,
    steps: u64,
}

impl<C: Cards> Count<'_, C> {
    fn walk(&mut self, edge: Edge, at: &At<C::Sum>, weight: C::Sum) -> Option<()> {
        if !edge.is_node() {
            let [a, b, c, d] = at.tails;
            // Where no ending leads, nothing may be counted.
            *self.sums.get_mut(usize::from(edge.lo()))? += weight * a * b * c * d;
            return Some(());
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let suit = self.diagram.suit(edge);
        let place = usize::from(at.places[suit]);
        let children = self.diagram.children(edge);
        let mut below = *at;
        below.places[suit] += 1;
        for (hand, child) in children.into_iter().enumerate() {
            let of_card = self.suits[suit].weight(place, hand);
            if at.left[suit].length(hand) == 0 || of_card == C::ZERO {
                continue;
            }
            below.left[suit] = at.left[suit].without_one(hand);
            below.tails[suit] = self.suits[suit].tail(place + 1, below.left[suit]);
            if below.tails[suit] != C::ZERO {
                self.walk(child, &below, weight * of_card)?;
            }
        }
        Some(())
    }
}

/// A suit of a set: the hands that may own each card.
struct Masks {
    masks: [u8; SUIT_CARDS as usize + 1],
    /// From each place on: how many cards each hand must own, as the only one
    /// that may.
    forced: [[u8; 4]; SUIT_CARDS as usize + 1],
    /// From each place on: the hands that may own the other cards; `None` if it
    /// is not the same for all of them.
    free: [Option<u8>; SUIT_CARDS as usize + 1],
    tails: HashMap<(usize, u16), u128>,
}

impl Masks {
    fn new(set: &EndingSet, suit: usize, lengths: SuitLengths) -> Masks {
        let cards = (lengths.total() as usize).min(SUIT_CARDS as usize);
        let mut masks = Masks {
            masks: [0; SUIT_CARDS as usize + 1],
            forced: [[0; 4]; SUIT_CARDS as usize + 1],
            free: [Some(0); SUIT_CARDS as usize + 1],
            tails: HashMap::new(),
        };
        for place in (0..cards).rev() {
            let mask = set.mask(suit, place);
            masks.masks[place] = mask;
            masks.forced[place] = masks.forced[place + 1];
            masks.free[place] = masks.free[place + 1];
            if mask.is_power_of_two() {
                masks.forced[place][mask.trailing_zeros() as usize] += 1;
            } else {
                masks.free[place] = match masks.free[place + 1] {
                    Some(other) if other == 0 || other == mask => Some(mask),
                    _ => None,
                };
            }
        }
        masks
    }
}

/// In how many ways some of up to 13 cards can be chosen: by the number of cards,
/// and of those chosen.
const CHOICES: [[u32; 16]; 16] = {
    let mut choices = [[0; 16]; 16];
    let mut cards = 0;
    while cards <= SUIT_CARDS as usize {
        choices[cards][0] = 1;
        let mut chosen = 1;
        while chosen <= cards {
            choices[cards][chosen] = choices[cards - 1][chosen - 1] + choices[cards - 1][chosen];
            chosen += 1;
        }
        cards += 1;
    }
    choices
};

impl Cards for Masks {
    type Sum = u128;
    const ZERO: u128 = 0;
    const ONE: u128 = 1;

    #[inline]
    fn weight(&self, place: usize, hand: usize) -> u128 {
        u128::from(self.masks[place.min(13)] >> hand & 1)
    }

    fn tail(&mut self, place: usize, left: SuitLengths) -> u128 {
        let place = place.min(SUIT_CARDS as usize);
        let Some(mask) = self.free[place] else {
            return self.mixed_tail(place, left);
        };
        let mut cards = 0;
        let mut ways = 1;
        for hand in 0..4 {
            let forced = self.forced[place][hand];
            let length = left.length(hand);
            if length < forced || (length > forced && mask >> hand & 1 == 0) {
                return 0;
            }
            let free = length - forced;
            cards = (cards + free) & 15;
            ways *= u64::from(CHOICES[usize::from(cards)][usize::from(free & 15)]);
        }
        ways.into()
    }
}

impl Masks {
    /// Cards with masks of several kinds, one after the other.
    fn mixed_tail(&mut self, place: usize, left: SuitLengths) -> u128 {
        if self.free[place].is_some() {
            return self.tail(place, left);
        }
        if let Some(&known) = self.tails.get(&(place, left.bits())) {
            return known;
        }
        let mut sum = 0;
        for hand in 0..4 {
            if self.masks[place] >> hand & 1 == 1 && left.length(hand) > 0 {
                sum += self.mixed_tail(place + 1, left.without_one(hand));
            }
        }
        self.tails.insert((place, left.bits()), sum);
        sum
    }
}

/// A suit with weights.
struct Weighed {
    weights: [[f64; 4]; SUIT_CARDS as usize],
    tails: HashMap<(usize, u16), f64>,
}

impl Cards for Weighed {
    type Sum = f64;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline]
    fn weight(&self, place: usize, hand: usize) -> f64 {
        self.weights[place.min(12)][hand & 3]
    }

    fn tail(&mut self, place: usize, left: SuitLengths) -> f64 {
        if left == SuitLengths::EMPTY {
            return 1.0;
        }
        if let Some(&known) = self.tails.get(&(place, left.bits())) {
            return known;
        }
        let mut sum = 0.0;
        for hand in 0..4 {
            let weight = self.weight(place, hand);
            if left.length(hand) > 0 && weight != 0.0 {
                sum += weight * self.tail(place + 1, left.without_one(hand));
            }
        }
        self.tails.insert((place, left.bits()), sum);
        sum
    }
}
