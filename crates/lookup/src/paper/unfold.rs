//! Conversion of sets to a decision diagram with the same values.
//!
//! A tree answers questions about an ending or a set by trying its entries in turn; a diagram
//! follows a single path, one card after another. A builder asks the level below millions of
//! questions, so it unfolds the level's trees first. Unfolding also proves that the sets cover
//! their partition and do not contradict each other.
//!
//! # Limit
//!
//! In general it is hard to decide whether sets cover a partition: two sets that differ only in the
//! owner of the lowest card require a visit to every ending. The work is therefore limited in
//! proportion to the number of sets, see [`LOOKS_PER_SET`]; sets that need more are refused.

use std::cmp::Reverse;

use setrograde_endgame::diagram::{DiagramBuilder, Edge, TooManyNodes};
use setrograde_endgame::suit_lengths::SuitLengths;

use super::card_order::{CardOrder, OrderKey, mask_at};

/// Reasons why sets do not make a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfoldError {
    /// Some ending is in no set.
    #[error("an ending is in no set")]
    Uncovered,
    /// Some ending is in sets of different values.
    #[error("an ending has two values")]
    Contradiction,
    /// Unfolding would take longer than for the sets of any builder.
    #[error("its sets cannot be separated in reasonable time")]
    TooLong,
    /// The diagram has too many nodes.
    #[error(transparent)]
    TooManyNodes(#[from] TooManyNodes),
}

/// Maximum number of visits to sets, per set (plus eight sets), before unfolding fails.
///
/// The sets of setrograde analysis need at most a sixteenth of it: no partition of 12 cards needs
/// more than 3,533 visits, and none of 4,480 random partitions of 16 cards more than 23 per set.
pub const LOOKS_PER_SET: u64 = 512;

/// Adds the diagram of the partition that these sets cover to `diagram`, and returns its root.
///
/// # Errors
///
/// If the sets omit an ending or contradict each other, if they need more visits than
/// [`LOOKS_PER_SET`], or if the diagram has too many nodes.
pub fn unfold(
    order: &CardOrder,
    sets: &[(OrderKey, u8)],
    diagram: &mut DiagramBuilder,
) -> Result<Edge, UnfoldError> {
    unfold_within(LOOKS_PER_SET, order, sets, diagram)
}

/// Like [`unfold`], with another number of visits per set.
///
/// # Errors
///
/// As [`unfold`].
pub fn unfold_within(
    looks_per_set: u64,
    order: &CardOrder,
    sets: &[(OrderKey, u8)],
    diagram: &mut DiagramBuilder,
) -> Result<Edge, UnfoldError> {
    let mut active: Vec<u32> = (0..sets.len() as u32).collect();
    let start = PathCards {
        left: order.lengths(),
        passed: [0; 4],
    };
    Unfolding {
        order,
        sets,
        diagram,
        looks: looks_per_set.saturating_mul(sets.len() as u64 + 8),
    }
    .node(start, &mut active, 0)
}

struct Unfolding<'a> {
    order: &'a CardOrder,
    sets: &'a [(OrderKey, u8)],
    diagram: &'a mut DiagramBuilder,
    /// Remaining visits to sets.
    looks: u64,
}

/// The known cards on the path from the root.
#[derive(Clone, Copy)]
struct PathCards {
    /// The lengths of the cards with unknown owners.
    left: [SuitLengths; 4],
    /// Number of cards known in each suit.
    passed: [u8; 4],
}

/// The next step on the path from the root.
enum Next {
    /// A set has no further masks: its value.
    Value(u8),
    /// The suit of the next card: the one on which most sets have masks.
    Suit(usize),
}

impl Unfolding<'_> {
    /// Returns the diagram of the endings that remain at `at`, where the sets in `active[from..]`
    /// are still possible. Leaves `active` unchanged.
    fn node(
        &mut self,
        at: PathCards,
        active: &mut Vec<u32>,
        from: usize,
    ) -> Result<Edge, UnfoldError> {
        let looks = (active.len() - from) as u64;
        self.looks = self.looks.checked_sub(looks).ok_or(UnfoldError::TooLong)?;
        let suit = match self.next(at, &active[from..])? {
            Next::Value(value) => return self.leaf(value, &active[from..], at),
            Next::Suit(suit) => suit,
        };
        let card = self.order.at(suit, at.passed[suit].into());
        let mut children = [Edge::NOTHING; 4];
        for (owner, child) in children.iter_mut().enumerate() {
            if at.left[suit].length(owner) == 0 {
                continue;
            }
            let mut next = at;
            next.left[suit] = next.left[suit].without_one(owner);
            next.passed[suit] += 1;
            let end = active.len();
            for index in from..end {
                let number = active[index];
                if mask_at(self.sets[number as usize].0, card) >> owner & 1 == 1 {
                    active.push(number);
                }
            }
            let result = self.node(next, active, end);
            active.truncate(end);
            *child = result?;
        }
        Ok(self.diagram.node(suit, children)?)
    }

    /// Returns the next step at `at`, where the sets in `active` are still
    /// possible.
    fn next(&self, at: PathCards, active: &[u32]) -> Result<Next, UnfoldError> {
        let able = at.left.map(holders);
        // By suit: the number of sets with masks for its cards.
        let mut says = [0u32; 4];
        for &number in active {
            let (set, value) = self.sets[number as usize];
            let speaks = [0, 1, 2, 3].map(|suit| {
                let total = self.order.lengths()[suit].total() as usize;
                (usize::from(at.passed[suit])..total)
                    .any(|nth| mask_at(set, self.order.at(suit, nth)) & able[suit] != able[suit])
            });
            if speaks == [false; 4] {
                return Ok(Next::Value(value));
            }
            for (count, speaks) in says.iter_mut().zip(speaks) {
                *count += u32::from(speaks);
            }
        }
        let open = (0..4).filter(|&suit| at.left[suit].holders() > 0);
        open.max_by_key(|&suit| (says[suit], Reverse(suit)))
            .filter(|_| !active.is_empty())
            .map(Next::Suit)
            .ok_or(UnfoldError::Uncovered)
    }

    /// Makes a leaf: a set contains all remaining endings, and the other sets must agree with it on
    /// their own endings.
    fn leaf(&self, value: u8, active: &[u32], at: PathCards) -> Result<Edge, UnfoldError> {
        for &number in active {
            let (set, other) = self.sets[number as usize];
            if other != value && self.order.is_possible_below(set, at.left, at.passed) {
                return Err(UnfoldError::Contradiction);
            }
        }
        Ok(Edge::leaf(value))
    }
}

/// The hands that hold a card.
fn holders(suit_lengths: SuitLengths) -> u8 {
    (0..4).fold(0, |hands, hand| {
        hands | u8::from(suit_lengths.length(hand) > 0) << hand
    })
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition::Shape;

    use super::*;
    use crate::paper::card_order::EVERYTHING;

    /// Three cards of each of `suits` suits to each hand.
    fn order(suits: usize) -> CardOrder {
        let mut lengths = [SuitLengths::EMPTY; 4];
        lengths[..suits].fill(SuitLengths::new([3; 4]));
        CardOrder::new(Shape { lengths })
    }

    /// Hand 0 owns the card at index `nth` of the order, or another hand does.
    fn by_owner_of(nth: usize) -> [OrderKey; 2] {
        [0b1110, 0b0001].map(|excluded: OrderKey| EVERYTHING & !(excluded << (4 * nth)))
    }

    fn unfolded(order: &CardOrder, sets: &[(OrderKey, u8)]) -> Result<Edge, UnfoldError> {
        unfold(order, sets, &mut DiagramBuilder::new())
    }

    #[test]
    fn sets_that_only_low_cards_distinguish_are_refused() {
        let [one, other] = by_owner_of(11);
        let found = unfolded(&order(1), &[(one, 0), (other, 1)]);
        assert_eq!(found, Err(UnfoldError::TooLong));

        // 136,604,160,000 ways to own the cards.
        let [first, second] = [by_owner_of(22), by_owner_of(23)];
        let mut sets = Vec::new();
        for (a, one) in first.into_iter().enumerate() {
            for (b, other) in second.into_iter().enumerate() {
                sets.push((one & other, (a ^ b) as u8));
            }
        }
        assert_eq!(unfolded(&order(2), &sets), Err(UnfoldError::TooLong));
    }

    #[test]
    fn sets_that_top_cards_distinguish_are_not() {
        for nth in 0..4 {
            let [one, other] = by_owner_of(nth);
            let found = unfolded(&order(1), &[(one, 0), (other, 1)]);
            assert!(found.is_ok_and(Edge::is_node), "{nth}: {found:?}");
        }
    }
}
