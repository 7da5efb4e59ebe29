//! From sets to a decision diagram with the same values.
//!
//! A tree answers questions about an ending or a set by trying one entry after
//! another; a diagram asks for one card after another and never looks back.
//! Whoever asks millions of questions, as a builder asks the level below,
//! unfolds the tree first. Unfolding also proves that the sets cover their
//! partition and nowhere contradict each other.

use crate::card_order::{CardOrder, Key, mask_at};
use crate::diagram::{DiagramBuilder, Edge, TooManyNodes};
use crate::suit_lengths::SuitLengths;

/// Why sets make no diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfoldError {
    /// Some ending is in no set.
    #[error("an ending is in no set")]
    Uncovered,
    /// Some ending is in sets of different values.
    #[error("an ending has two values")]
    Contradiction,
    /// The diagram has too many nodes.
    #[error(transparent)]
    TooManyNodes(#[from] TooManyNodes),
}

/// Builds the diagram of the partition that these sets cover into `diagram`,
/// beside what is there, and returns its root.
///
/// # Errors
///
/// If the sets leave an ending out or contradict each other, or the diagram
/// grows too large.
pub fn unfold(
    order: &CardOrder,
    sets: &[(Key, u8)],
    diagram: &mut DiagramBuilder,
) -> Result<Edge, UnfoldError> {
    let mut active: Vec<u32> = (0..sets.len() as u32).collect();
    let start = At {
        left: order.lengths(),
        places: [0; 4],
    };
    Unfolding {
        order,
        sets,
        diagram,
    }
    .node(start, &mut active, 0)
}

struct Unfolding<'a> {
    order: &'a CardOrder,
    sets: &'a [(Key, u8)],
    diagram: &'a mut DiagramBuilder,
}

/// What is known on the way from the root.
#[derive(Clone, Copy)]
struct At {
    /// Cards whose owners are not known.
    left: [SuitLengths; 4],
    /// How many are known in each suit.
    places: [u8; 4],
}

impl Unfolding<'_> {
    /// The diagram of what is left at `at`, where the sets in
    /// `active[from..]` are still possible. Leaves `active` as it was.
    fn node(&mut self, at: At, active: &mut Vec<u32>, from: usize) -> Result<Edge, UnfoldError> {
        // How many sets say something about the next card of each suit, and
        // whether some set says nothing more at all.
        let mut says = [0u32; 4];
        let able = at.left.map(holders);
        for &number in &active[from..] {
            let (set, of_set) = self.sets[number as usize];
            let mut silent = true;
            for suit in 0..4 {
                let total = self.order.lengths()[suit].total() as usize;
                for place in usize::from(at.places[suit])..total {
                    if mask_at(set, self.order.at(suit, place)) & able[suit] != able[suit] {
                        silent = false;
                        says[suit] += 1;
                        break;
                    }
                }
            }
            if silent {
                return self.leaf(of_set, &active[from..], at);
            }
        }
        let Some(suit) = (0..4)
            .filter(|&suit| at.left[suit].holders() > 0)
            .max_by_key(|&suit| (says[suit], std::cmp::Reverse(suit)))
            .filter(|_| active.len() > from)
        else {
            return Err(UnfoldError::Uncovered);
        };
        let card = self.order.at(suit, at.places[suit].into());
        let mut children = [Edge::NOTHING; 4];
        for (owner, child) in children.iter_mut().enumerate() {
            if at.left[suit].length(owner) == 0 {
                continue;
            }
            let mut next = at;
            next.left[suit] = next.left[suit].without_one(owner);
            next.places[suit] += 1;
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

    /// A set holds everything that is left; the others must agree with it
    /// where they hold anything at all.
    fn leaf(&self, value: u8, active: &[u32], at: At) -> Result<Edge, UnfoldError> {
        for &number in active {
            let (set, other) = self.sets[number as usize];
            if other != value && self.order.is_possible_below(set, at.left, at.places) {
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
