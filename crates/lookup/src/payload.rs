//! What a level holds for one partition, whichever method built it, and the
//! questions that all kinds answer.

use setrograde_endgame::diagram::{Bounds, Diagram, View, Walk};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::set::EndingSet;
use setrograde_endgame::shallow_tree::ShallowTree;
use setrograde_endgame::suit_order::SuitOrder;

/// The values of a partition's endings.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// A decision diagram, built by `refine`.
    Diagram(Diagram<'a>),
    /// A shallow tree of sets, built by `setrograde`.
    Tree(ShallowTree<'a>),
}

impl Payload<'_> {
    /// The value of an ending, whose suit at each place of the canonical order
    /// `order` names; `None` if the partition is incomplete.
    #[inline]
    #[must_use]
    pub fn value(&self, ending: &Ending, order: SuitOrder) -> Option<u8> {
        match self {
            Payload::Diagram(diagram) => diagram.value(ending, order),
            Payload::Tree(tree) => tree.value(ending, order),
        }
    }

    /// The value of an ending, or bounds that decide whether it is at least
    /// `target`, and a set of endings for which they hold; `None` as in
    /// [`value`](Self::value).
    #[must_use]
    pub fn walk(&self, ending: &Ending, order: SuitOrder, target: Option<u8>) -> Option<Walk> {
        match self {
            Payload::Diagram(diagram) => diagram.walk(ending, order, target),
            // Only leaves are sets: an inner node's bounds do not hold for all
            // endings that its keys admit.
            Payload::Tree(tree) => tree.walk(ending, order),
        }
    }

    /// The least and the greatest value over the endings of `set`.
    #[must_use]
    pub fn bounds(&self, set: &EndingSet, view: View) -> Bounds {
        match self {
            Payload::Diagram(diagram) => diagram.bounds(set, view),
            Payload::Tree(tree) => tree.bounds(set, view),
        }
    }

    /// The set with as few known cards as `bounds` bear.
    #[must_use]
    pub fn widen(&self, set: &EndingSet, view: View, bounds: Bounds) -> EndingSet {
        match self {
            Payload::Diagram(diagram) => diagram.widen(set, view, bounds),
            Payload::Tree(tree) => tree.widen(set, view, bounds),
        }
    }
}
