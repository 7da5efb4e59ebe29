//! Steps along the path of one ending.

use super::{Bounds, Diagram, Edge};
use crate::ending::Ending;
use crate::owners::PackedOwners;
use crate::set::EndingSet;
use crate::suit_order::SuitOrder;

/// A place in a diagram on the path of one ending.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    diagram: Diagram<'a>,
    order: SuitOrder,
    /// The ending's cards whose owners no node so far has asked for.
    owners: PackedOwners,
    leader: usize,
    at: Edge,
}

/// A node's question and the ending's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The suit, in the diagram's order, whose next card was asked for.
    pub suit: usize,
    /// Its owner, 0 for the leader.
    pub owner: usize,
}

/// Where a walk through a diagram ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Bounds that hold for the ending, equal unless the walk stopped early.
    pub bounds: Bounds,
    /// The endings that share the walk, all of which these bounds hold for.
    pub set: EndingSet,
}

impl<'a> Cursor<'a> {
    /// A cursor that leads nowhere.
    pub const NOWHERE: Cursor<'static> = Cursor {
        diagram: Diagram::constant(0),
        order: SuitOrder::IDENTITY,
        owners: PackedOwners::NONE,
        leader: 0,
        at: Edge::NOTHING,
    };

    /// A cursor at the root of the diagram of the ending's partition, whose
    /// suits stand in the order that [`Ending::canonical`] gave.
    #[inline]
    #[must_use]
    pub fn new(diagram: Diagram<'a>, ending: &Ending, order: SuitOrder) -> Cursor<'a> {
        Cursor {
            diagram,
            order,
            owners: ending.owners(),
            leader: usize::from(ending.leader_index()),
            at: diagram.root(),
        }
    }

    /// The edge that leads here: its bounds hold for the ending.
    #[inline]
    #[must_use]
    pub const fn edge(&self) -> Edge {
        self.at
    }

    /// Goes on from a node to its child.
    ///
    /// # Panics
    ///
    /// If the cursor is not at a node.
    #[inline]
    pub fn step(&mut self) -> Step {
        let suit = self.at.suit();
        let seat = self.owners.pop(self.order.suit(suit));
        let owner = seat.wrapping_sub(self.leader) & 3;
        self.at = self.diagram.child(self.at, owner);
        Step { suit, owner }
    }

    /// Goes on as [`step`](Self::step) does, and adds to `set` which seats may
    /// own the card so that the path stays the same.
    fn step_noting(&mut self, set: &mut EndingSet) {
        let children = self.diagram.children(self.at);
        let suit = self.order.suit(self.at.suit());
        let owner = self.owners.pop(suit).wrapping_sub(self.leader) & 3;
        self.at = children[owner];
        let mut mask = 0;
        for (other, &sibling) in children.iter().enumerate() {
            if sibling == self.at {
                mask |= 1 << ((other + self.leader) & 3);
            }
        }
        set.learn(suit, mask);
    }
}

impl<'a> Diagram<'a> {
    /// The value of an ending, or `None` if the ending leads nowhere, which a
    /// sound diagram of its partition excludes.
    #[inline]
    #[must_use]
    pub fn value(&self, ending: &Ending, order: SuitOrder) -> Option<u8> {
        let mut cursor = Cursor::new(*self, ending, order);
        while cursor.edge().is_node() {
            cursor.step();
        }
        (!cursor.edge().is_nothing()).then(|| cursor.edge().lo())
    }

    /// Walks as far as needed to know whether the ending's value is at least
    /// `target`, or to its value where there is no target. `None` as in
    /// [`value`](Self::value).
    #[must_use]
    pub fn walk(&self, ending: &Ending, order: SuitOrder, target: Option<u8>) -> Option<Walk> {
        let mut set = EndingSet::EVERYTHING;
        let mut cursor = Cursor::new(*self, ending, order);
        while cursor.edge().is_node()
            && target.is_none_or(|target| cursor.edge().bounds().leave_open(target))
        {
            cursor.step_noting(&mut set);
        }
        let bounds = cursor.edge().bounds();
        (!cursor.edge().is_nothing()).then_some(Walk { bounds, set })
    }
}
