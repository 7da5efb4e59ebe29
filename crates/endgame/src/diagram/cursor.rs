//! Steps along the path of one ending.

use crate::diagram::{Bounds, Diagram, Edge};
use crate::ending::Ending;
use crate::owners::PackedOwners;
use crate::partition::SuitOrder;
use crate::set::EndingSet;

/// The relation of a question's suits and hands to a diagram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The question's suit at each index of the canonical order.
    pub order: SuitOrder,
    /// The index, in the question, of the diagram's hand 0: the hand on lead.
    pub leader: u8,
}

/// A position in a diagram, on the path of one ending.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    diagram: Diagram<'a>,
    /// The owners of the ending's cards that no node has asked for yet: seats, in the diagram's
    /// suits.
    owners: PackedOwners,
    view: View,
    at: Edge,
    /// Number of cards that it may still ask for.
    steps: u8,
}

/// A node's question and the ending's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The suit, in the diagram's order, of the last node's card.
    pub suit: usize,
    /// Its owner, 0 for the leader.
    pub owner: usize,
}

/// The end of a walk through a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walk {
    /// Bounds that hold for the ending. They are equal unless the walk stopped early or reached an
    /// interval.
    pub bounds: Bounds,
    /// The endings that share the walk. The bounds hold for all of them.
    pub set: EndingSet,
}

impl<'a> Cursor<'a> {
    /// A cursor without a diagram.
    pub const NOWHERE: Cursor<'static> = Cursor {
        diagram: Diagram::constant(0),
        owners: PackedOwners::NONE,
        view: View {
            order: SuitOrder::IDENTITY,
            leader: 0,
        },
        at: Edge::NOTHING,
        steps: 0,
    };

    /// Makes a cursor at the root of the diagram of the ending's partition. `order` is the order of
    /// suits of [`Ending::canonical`].
    #[inline]
    pub fn new(diagram: Diagram<'a>, ending: &Ending, order: SuitOrder) -> Cursor<'a> {
        let leader = ending.leader_index();
        Cursor {
            diagram,
            owners: ending.owners().in_order(order),
            view: View { order, leader },
            at: diagram.root(),
            steps: super::MOST_DEPTH,
        }
    }

    /// Returns the edge that leads here. Its bounds hold for the ending.
    #[inline]
    pub const fn edge(&self) -> Edge {
        self.at
    }

    /// Advances from a node to its child, or to [`Edge::NOTHING`] after more steps than there are
    /// cards, which no valid diagram needs.
    ///
    /// # Panics
    ///
    /// If the cursor is not at a node.
    #[inline]
    pub fn step(&mut self) -> Step {
        let node = self.diagram.node(self.at);
        let step = self.step_at(node.suit());
        self.enter(self.diagram.child_of(&node, step.owner));
        step
    }

    #[inline]
    fn enter(&mut self, child: Edge) {
        self.steps = self.steps.wrapping_sub(1);
        self.at = if self.steps == 0 {
            Edge::NOTHING
        } else {
            child
        };
    }

    /// Takes the ending's next card of a suit.
    #[inline]
    fn step_at(&mut self, suit: usize) -> Step {
        let seat = self.owners.pop(suit);
        let owner = seat.wrapping_sub(usize::from(self.view.leader)) & 3;
        Step { suit, owner }
    }

    /// Prefetches `lines` cache lines from the cursor's node. Useful if other work comes before the
    /// next step.
    #[inline]
    pub fn prefetch(&self, lines: usize) {
        self.diagram.prefetch_node(self.at, lines);
    }

    /// Advances like [`step`](Self::step), and adds to `set` the seats that may own the card
    /// without changing the path.
    fn step_noting(&mut self, set: &mut EndingSet) {
        let node = self.diagram.node(self.at);
        let Step { suit, owner } = self.step_at(node.suit());
        let children = self.diagram.children_of(&node);
        let child = children[owner & 3];
        let sharers = (0..4).filter(|&other| children[other] == child);
        let hands = sharers.fold(0, |hands, other| hands | 1_u8 << other);
        self.enter(child);
        // Hands are counted from the leader, seats from North.
        let turned = u32::from(hands) << self.view.leader;
        set.learn(
            self.view.order.suit(suit),
            (turned | turned >> 4) as u8 & 15,
        );
    }
}

impl Diagram<'_> {
    /// Returns the value of an ending; `None` if the ending leads to an interval, or nowhere, which
    /// a valid diagram of its partition excludes.
    #[inline]
    pub fn value(&self, ending: &Ending, order: SuitOrder) -> Option<u8> {
        let mut cursor = Cursor::new(*self, ending, order);
        while cursor.edge().is_node() {
            cursor.step();
        }
        cursor.edge().is_leaf().then(|| cursor.edge().lo())
    }

    /// Walks until it is decided whether the ending's value is at least `target`, or to the leaf
    /// without a target. Returns `None` if the ending leads nowhere.
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
