//! What a level holds for one partition, whichever method built it, and the
//! questions that all kinds answer.

use setrograde_endgame::diagram::{Bounds, Diagram, View, Walk};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::set::EndingSet;
use setrograde_endgame::shallow_tree::ShallowTree;

/// The values of a partition's endings.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Solution<'a> {
    /// A decision diagram, built by `refine`.
    Diagram(Diagram<'a>),
    /// A shallow tree of sets, built by `setrograde`.
    Tree(ShallowTree<'a>),
}

impl Solution<'_> {
    /// The value of an ending, whose suit at each place of the canonical order
    /// `order` names; `None` if the partition is incomplete.
    #[inline]
    #[must_use]
    pub fn value(&self, ending: &Ending, order: [u8; 4]) -> Option<u8> {
        match self {
            Solution::Diagram(diagram) => diagram.value(ending, order),
            Solution::Tree(tree) => tree.value(ending, order),
        }
    }

    /// The value of an ending, or bounds that decide whether it is at least
    /// `target`, and a set of endings for which they hold; `None` as in
    /// [`value`](Self::value).
    #[must_use]
    pub fn walk(&self, ending: &Ending, order: [u8; 4], target: Option<u8>) -> Option<Walk> {
        match self {
            Solution::Diagram(diagram) => diagram.walk(ending, order, target),
            // Only leaves are sets: an inner node's bounds do not hold for all
            // endings that its keys admit.
            Solution::Tree(tree) => tree.walk(ending, order),
        }
    }

    /// The least and the greatest value over the endings of `set`.
    #[must_use]
    pub fn bounds(&self, set: &EndingSet, view: View) -> Bounds {
        match self {
            Solution::Diagram(diagram) => diagram.bounds(set, view),
            Solution::Tree(tree) => tree.bounds(set, view),
        }
    }
}
