//! Decision diagrams: what a database knows about one partition.
//!
//! A node names a suit and has one child for each owner of that suit's next
//! card; the path so far says which card that is. A leaf is a value. The bounds
//! of a subtree stand in the reference to it, beside the suit that its node
//! asks about, so that a walk knows them without touching the node: a question
//! "at least t?" is often decided one memory access early, and a question over
//! a set looks only into children that can still change the answer.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

use crate::ending::Ending;
use crate::set::EndingSet;
use crate::suit_order::SuitOrder;

/// Bounds on a value: the least and the greatest, in tricks for the leader's
/// side. `lo > hi` only in [`Bounds::NOTHING`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The least value.
    pub lo: u8,
    /// The greatest value.
    pub hi: u8,
}

impl Bounds {
    /// The bounds over no ending at all: joined to others it changes nothing.
    pub const NOTHING: Bounds = Bounds { lo: 15, hi: 0 };

    /// The least bounds that hold for both.
    #[must_use]
    pub fn join(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }
}

/// A reference to a subtree: a leaf's value, or a node's place with its suit
/// and its bounds.
///
/// From the lowest bit: `lo` (4), `hi` (4), suit (2), place (22).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Edge(u32);

impl Edge {
    /// Stands where no ending leads: a hand without a card cannot own the next
    /// one. Its bounds are [`Bounds::NOTHING`].
    pub const NOTHING: Edge = Edge(15);

    /// Diagrams have fewer nodes than this: 4,194,304.
    pub const MAX_NODES: usize = 1 << 22;

    /// A leaf of that value, 0..=13.
    #[must_use]
    pub const fn leaf(value: u8) -> Edge {
        let value = value as u32 & 15;
        Edge(value | value << 4)
    }

    /// The node at that place (below [`MAX_NODES`](Self::MAX_NODES)), which asks
    /// about `suit` (0..=3) and has values in `bounds`, the least below the
    /// greatest.
    #[must_use]
    pub fn node(suit: usize, place: usize, bounds: Bounds) -> Edge {
        debug_assert!(suit < 4 && place < Edge::MAX_NODES && bounds.lo < bounds.hi);
        Edge(
            u32::from(bounds.lo)
                | u32::from(bounds.hi) << 4
                | (suit as u32) << 8
                | (place as u32) << 10,
        )
    }

    /// The reference as a number, for [`from_bits`](Self::from_bits).
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The reference with that number.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Edge {
        Edge(bits)
    }

    /// The least value below.
    #[inline]
    #[must_use]
    pub const fn lo(self) -> u8 {
        self.0 as u8 & 15
    }

    /// The greatest value below.
    #[inline]
    #[must_use]
    pub const fn hi(self) -> u8 {
        (self.0 >> 4) as u8 & 15
    }

    /// Both bounds.
    #[inline]
    #[must_use]
    pub const fn bounds(self) -> Bounds {
        Bounds {
            lo: self.lo(),
            hi: self.hi(),
        }
    }

    /// Whether this is a leaf.
    #[inline]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.lo() == self.hi()
    }

    /// Whether this is [`Edge::NOTHING`].
    #[inline]
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.lo() > self.hi()
    }

    /// Whether this leads to a node.
    #[inline]
    #[must_use]
    pub const fn is_node(self) -> bool {
        self.lo() < self.hi()
    }

    /// The suit, in canonical order, whose next card the node asks about; 0
    /// for a leaf.
    #[inline]
    #[must_use]
    pub const fn suit(self) -> usize {
        (self.0 >> 8) as usize & 3
    }

    /// The node's place among the nodes of its diagram; 0 for a leaf.
    #[inline]
    #[must_use]
    pub const fn place(self) -> usize {
        (self.0 >> 10) as usize
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nothing() {
            write!(f, "nothing")
        } else if self.is_leaf() {
            write!(f, "={}", self.lo())
        } else {
            write!(
                f,
                "#{} suit {} [{}, {}]",
                self.place(),
                self.suit(),
                self.lo(),
                self.hi()
            )
        }
    }
}

/// A node: for each owner of the next card, hand 0 (the leader) first, what
/// follows. The suit stands in the references that lead here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(16))]
pub struct Node {
    /// One child for each owner.
    pub children: [Edge; 4],
}

/// A diagram: nodes, children before parents, and the reference to its root.
/// All endings of one partition lead from the root to a leaf. Diagrams may
/// share nodes, so some of these may be other diagrams' alone.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    /// The nodes; a child's place is below its parent's.
    pub nodes: &'a [Node],
    /// The root.
    pub root: Edge,
}

/// How a question's suits and hands stand to a diagram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The question's suit at each place of the canonical order.
    pub order: SuitOrder,
    /// The question's hand that is the diagram's hand 0: the one on lead.
    pub leader: u8,
}

/// Where a walk through a diagram ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Bounds that hold for the ending, equal unless the walk stopped early.
    pub bounds: Bounds,
    /// The endings that share the walk, all of which these bounds hold for.
    pub set: EndingSet,
}

impl<'a> Diagram<'a> {
    /// The diagram of a partition in which all endings have one value.
    #[must_use]
    pub const fn constant(value: u8) -> Diagram<'a> {
        Diagram {
            nodes: &[],
            root: Edge::leaf(value),
        }
    }

    /// The nodes that the root leads to, and no others, in the same order, with
    /// the reference to the root among them.
    #[must_use]
    pub fn alone(&self) -> (Vec<Node>, Edge) {
        let mut wanted = vec![false; self.nodes.len()];
        let want = |wanted: &mut [bool], at: Edge| {
            if at.is_node() {
                wanted[at.place()] = true;
            }
        };
        want(&mut wanted, self.root);
        for place in (0..self.nodes.len()).rev() {
            if wanted[place] {
                for child in self.nodes[place].children {
                    want(&mut wanted, child);
                }
            }
        }
        let mut places = vec![0; self.nodes.len()];
        let moved = |places: &[usize], at: Edge| {
            if at.is_node() {
                Edge::node(at.suit(), places[at.place()], at.bounds())
            } else {
                at
            }
        };
        let mut nodes = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            if wanted[place] {
                places[place] = nodes.len();
                nodes.push(Node {
                    children: node.children.map(|child| moved(&places, child)),
                });
            }
        }
        (nodes, moved(&places, self.root))
    }

    /// The value of an ending, or `None` if the ending leads nowhere, which a
    /// sound diagram of its partition excludes.
    #[inline]
    #[must_use]
    pub fn value(&self, ending: &Ending, order: SuitOrder) -> Option<u8> {
        let mut owners = ending.packed_owners();
        let leader = u32::from(ending.leader_index());
        let mut at = self.root;
        while at.is_node() {
            let owners = &mut owners[order.suit(at.suit())];
            let owner = owners.wrapping_sub(leader) & 3;
            *owners >>= 2;
            at = self.nodes[at.place()].children[owner as usize];
        }
        (!at.is_nothing()).then(|| at.lo())
    }

    /// Walks as far as needed to know whether the ending's value is at least
    /// `target`, or to its value where there is no target. `None` as in
    /// [`value`](Self::value).
    #[must_use]
    pub fn walk(&self, ending: &Ending, order: SuitOrder, target: Option<u8>) -> Option<Walk> {
        let mut owners = ending.packed_owners();
        let leader = u32::from(ending.leader_index());
        let mut set = EndingSet::EVERYTHING;
        let mut at = self.root;
        while at.is_node() && target.is_none_or(|target| at.lo() < target && target <= at.hi()) {
            let suit = order.suit(at.suit());
            let owner = owners[suit].wrapping_sub(leader) & 3;
            owners[suit] >>= 2;
            let children = &self.nodes[at.place()].children;
            let child = children[owner as usize];
            let mut mask = 0;
            for (other, &sibling) in children.iter().enumerate() {
                if sibling == child {
                    mask |= 1 << ((other as u32 + leader) & 3);
                }
            }
            set.learn(suit, mask);
            at = child;
        }
        (!at.is_nothing()).then(|| Walk {
            bounds: at.bounds(),
            set,
        })
    }

    /// The least and the greatest value over the endings of `set`, which is
    /// given in the question's suits and hands; [`Bounds::NOTHING`] if the set
    /// has none. Exact where each card's mask names one hand; elsewhere the
    /// bounds may also count paths that no deal of the shape can follow.
    #[must_use]
    pub fn bounds(&self, set: &EndingSet, view: View) -> Bounds {
        let mut found = Bounds::NOTHING;
        self.widen(self.root, [0; 4], set, view, &mut found);
        found
    }

    fn widen(&self, at: Edge, cards: [u8; 4], set: &EndingSet, view: View, found: &mut Bounds) {
        if found.lo <= at.lo() && at.hi() <= found.hi {
            return;
        }
        if !at.is_node() {
            *found = found.join(at.bounds());
            return;
        }
        let suit = view.order.suit(at.suit());
        let mask = seen_from(set.mask(suit, usize::from(cards[suit])), view.leader);
        let mut cards = cards;
        cards[suit] += 1;
        for (owner, &child) in self.nodes[at.place()].children.iter().enumerate() {
            if mask >> owner & 1 == 1 {
                self.widen(child, cards, set, view, found);
            }
        }
    }
}

/// The mask of hands with hand `leader` moved to bit 0.
#[inline]
fn seen_from(mask: u8, leader: u8) -> u8 {
    ((mask | mask << 4) >> (leader & 3)) & 15
}

/// Grows diagrams from the leaves up; equal subtrees become one, also where
/// they belong to several diagrams.
#[derive(Debug, Default)]
pub struct DiagramBuilder {
    nodes: Vec<Node>,
    places: HashMap<(Node, u8), Edge, BuildHasherDefault<NodeHasher>>,
}

/// A diagram that has grown beyond [`Edge::MAX_NODES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a diagram needs more than {} nodes", Edge::MAX_NODES)]
pub struct TooManyNodes;

impl DiagramBuilder {
    /// A builder without nodes.
    #[must_use]
    pub fn new() -> DiagramBuilder {
        DiagramBuilder::default()
    }

    /// Forgets all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.places.clear();
    }

    /// The nodes so far, children before parents.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The reference to the node that asks for the owner of the next card of
    /// `suit` (0..=3, canonical order) and goes on with these children: an
    /// equal node that is there already, a new one, or, if all children are
    /// leaves of one value, that leaf.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no place left for a new node.
    pub fn node(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let bounds = children
            .iter()
            .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
        if bounds.lo >= bounds.hi {
            return Ok(if bounds.lo == bounds.hi {
                Edge::leaf(bounds.lo)
            } else {
                Edge::NOTHING
            });
        }
        let node = Node { children };
        if let Some(&at) = self.places.get(&(node, suit as u8)) {
            return Ok(at);
        }
        let place = self.nodes.len();
        if place >= Edge::MAX_NODES {
            return Err(TooManyNodes);
        }
        let at = Edge::node(suit, place, bounds);
        self.nodes.push(node);
        self.places.insert((node, suit as u8), at);
        Ok(at)
    }
}

/// A multiplicative hash for nodes: they are found by the million, and come
/// from no adversary.
#[derive(Default)]
struct NodeHasher(u64);

impl Hasher for NodeHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
