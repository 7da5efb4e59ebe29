//! Counts of a set's endings by value, from a diagram.

use std::ops::{AddAssign, Mul};

use rustc_hash::FxHashMap;

use super::{Diagram, Edge, View};
use crate::partition::Shape;
use crate::set::EndingSet;
use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// For each value, 0..=13 tricks for the leader's side, the number of endings with it, or the sum
/// of their weights.
pub type Distribution<N> = [N; 14];

/// The weight of each card in each hand: by suit, by the card's rank from the top, by hand, in the
/// question's suits and hands. A weight of 0 means that the hand cannot own the card.
pub type Weights = [[[f64; 4]; SUIT_CARDS as usize]; 4];

/// Maximum number of nodes that one count may visit, far more than any diagram of a builder needs.
const MOST_STEPS: u64 = 1 << 30;

impl Diagram<'_> {
    /// Returns the number of endings of `set` for each value. The set is given in the question's
    /// suits and hands; `shape`, that of the diagram's partition, in the diagram's.
    ///
    /// The count walks all branches that the set and the remaining lengths allow; cards below the
    /// last branch are counted together. Returns `None` if an ending of the set leads to an
    /// interval, or nowhere, which a valid diagram of its partition excludes.
    pub fn distribution(
        &self,
        shape: Shape,
        set: &EndingSet,
        view: View,
    ) -> Option<Distribution<u128>> {
        let seen = set.seen_by(view.order, view.leader);
        Counter::new(*self, shape, |suit, nth, hand| {
            u128::from(seen.mask(suit, nth) >> hand & 1)
        })
        .run()
    }

    /// Returns the total weight of the endings with each value, like
    /// [`distribution`](Self::distribution). An ending's weight is the product of its cards'
    /// weights.
    pub fn weighed_distribution(
        &self,
        shape: Shape,
        weights: &Weights,
        view: View,
    ) -> Option<Distribution<f64>> {
        let leader = usize::from(view.leader);
        Counter::new(*self, shape, |suit, nth, hand| {
            weights[view.order.suit(suit)][nth][(hand + leader) & 3]
        })
        .run()
    }
}

/// A count in progress, in numbers of this type.
struct Counter<'a, N, W> {
    diagram: Diagram<'a>,
    shape: Shape,
    /// Returns the weight of the card at an index from the top of a suit in a hand.
    weigh: W,
    /// For each suit, by its remaining cards: the sum over all ways to own them.
    tails: [FxHashMap<SuitLengths, N>; 4],
    sums: Distribution<N>,
    steps: u64,
}

/// The cards left in each suit at a branch.
#[derive(Clone, Copy)]
struct Remaining<N> {
    left: [SuitLengths; 4],
    /// The sum over all ways to own them.
    tails: [N; 4],
}

impl<'a, N, W> Counter<'a, N, W>
where
    N: Copy + PartialEq + From<u8> + Mul<Output = N> + AddAssign,
    W: Fn(usize, usize, usize) -> N,
{
    fn new(diagram: Diagram<'a>, shape: Shape, weigh: W) -> Counter<'a, N, W> {
        Counter {
            diagram,
            shape,
            weigh,
            tails: Default::default(),
            sums: [N::from(0); 14],
            steps: 0,
        }
    }

    fn run(mut self) -> Option<Distribution<N>> {
        let left = self.shape.lengths;
        let tails = [0, 1, 2, 3].map(|suit| self.tail(suit, left[suit]));
        if !tails.contains(&N::from(0)) {
            self.walk(self.diagram.root(), &Remaining { left, tails }, N::from(1))?;
        }
        Some(self.sums)
    }

    fn walk(&mut self, edge: Edge, at: &Remaining<N>, weight: N) -> Option<()> {
        if !edge.is_node() {
            if edge.is_interval() {
                return None;
            }
            let [a, b, c, d] = at.tails;
            // An edge that no ending leads to must not be counted.
            *self.sums.get_mut(usize::from(edge.lo()))? += weight * a * b * c * d;
            return Some(());
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        let suit = self.diagram.suit(edge);
        let children = self.diagram.children(edge);
        let mut below = *at;
        for (hand, child) in children.into_iter().enumerate() {
            let of_card = self.weight(suit, at.left[suit], hand);
            if of_card == N::from(0) {
                continue;
            }
            below.left[suit] = at.left[suit].without_one(hand);
            below.tails[suit] = self.tail(suit, below.left[suit]);
            if below.tails[suit] != N::from(0) {
                self.walk(child, &below, weight * of_card)?;
            }
        }
        Some(())
    }

    /// Returns the weight of the top remaining card of a suit in a hand; 0 if the hand has none of
    /// the suit.
    fn weight(&self, suit: usize, left: SuitLengths, hand: usize) -> N {
        if left.length(hand) == 0 {
            return N::from(0);
        }
        let nth = self.shape.lengths[suit].total() - left.total();
        (self.weigh)(suit, nth as usize, hand)
    }

    /// Returns the sum over all ways to own the remaining cards of a suit.
    fn tail(&mut self, suit: usize, left: SuitLengths) -> N {
        if left == SuitLengths::EMPTY {
            return N::from(1);
        }
        if let Some(&known) = self.tails[suit].get(&left) {
            return known;
        }
        let mut sum = N::from(0);
        for hand in 0..4 {
            let weight = self.weight(suit, left, hand);
            if weight != N::from(0) {
                sum += weight * self.tail(suit, left.without_one(hand));
            }
        }
        self.tails[suit].insert(left, sum);
        sum
    }
}
