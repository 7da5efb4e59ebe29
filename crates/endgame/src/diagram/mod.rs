//! Decision diagrams: the values of all endings of a partition.
//!
//! A node names a suit and has one child for each owner of that suit's next card; the path to the
//! node determines the card. A leaf is a value, or an interval in a coarse level. The [`Edge`] to a
//! subtree has its bounds and the suit of its node, so a walk knows them without touching the node:
//! a question "at least t?" is often decided one memory access early, and a question over a set
//! visits only children that can still change the answer.
//!
//! - [`Edge`], [`Bounds`], [`Node`], [`Diagram`]: the parts
//! - [`Cursor`]: steps along an ending's path, from which values and walks are made
//! - [`bounds`](Diagram::bounds), [`widen`](Diagram::widen),
//!   [`decide`](Diagram::decide): questions over sets of endings
//! - [`distribution`](Diagram::distribution): the number of endings of a set with each value
//! - [`DiagramBuilder`]: builds diagrams from the leaves up
//! - [`NodePacker`]: packs nodes into about three bytes each, for look-ups
//! - [`census`]: the numbers of sets and nodes of a diagram

mod builder;
pub mod census;
mod cursor;
mod decide;
mod distribution;
mod edge;
mod lanes;
mod packed;
mod packer;
mod prefetch;
mod sets;

pub use crate::diagram::builder::{DiagramBuilder, TooManyNodes};
use crate::diagram::packed::PackedNode;
use crate::diagram::packer::Copies;
pub use cursor::{Cursor, Step, View, Walk};
pub use decide::Verdict;
pub use distribution::{Distribution, Weights};
pub use edge::{Bounds, Edge, Node};
pub use packed::{NODE_BYTES, PADDING};
pub use packer::NodePacker;
pub use prefetch::prefetch;

/// Maximum number of cards that a path asks for.
const MOST_DEPTH: u8 = 52;

/// A diagram: nodes, children before parents, and the edge to its root. All endings of one
/// partition lead from the root to a leaf. Diagrams may share nodes, so some of the nodes may
/// belong only to other diagrams.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    nodes: Nodes<'a>,
    root: Edge,
}

/// The nodes, in either form.
#[derive(Clone, Copy, Debug)]
enum Nodes<'a> {
    /// Nodes of a [`DiagramBuilder`].
    Plain(&'a [Node]),
    /// Nodes of a [`NodePacker`].
    Packed(&'a [u8]),
}

/// A decoded node.
#[derive(Clone, Copy)]
enum FoundNode<'a> {
    Plain(&'a Node, usize),
    Packed(PackedNode),
}

impl FoundNode<'_> {
    #[inline]
    fn suit(&self) -> usize {
        match self {
            FoundNode::Plain(_, suit) => *suit,
            FoundNode::Packed(node) => node.suit(),
        }
    }
}

/// The values that reach a target, or those that do not.
#[derive(Clone, Copy)]
struct TargetSide {
    target: u8,
    reached: bool,
}

impl TargetSide {
    /// Returns true if no value below `edge` is on the other side.
    #[inline]
    const fn contains(self, edge: Edge) -> bool {
        if self.reached {
            edge.lo() >= self.target
        } else {
            edge.hi() < self.target
        }
    }

    /// Returns true if some value below `edge` is on this side.
    #[inline]
    const fn meets(self, edge: Edge) -> bool {
        if self.reached {
            edge.hi() >= self.target
        } else {
            edge.lo() < self.target
        }
    }
}

/// Children of a node, the first `count` of these.
#[derive(Clone, Copy)]
struct OpenChildren {
    edges: [Edge; 4],
    count: usize,
}

impl OpenChildren {
    const NONE: OpenChildren = OpenChildren {
        edges: [Edge::NOTHING; 4],
        count: 0,
    };

    /// Adds a child, unless it is present.
    #[inline]
    fn push(&mut self, edge: Edge) {
        let [a, b, c, _] = self.edges;
        if edge != a && edge != b && edge != c {
            self.edges[self.count & 3] = edge;
            self.count += 1;
        }
    }

    #[inline]
    fn edges(&self) -> &[Edge] {
        &self.edges[..self.count.min(4)]
    }
}

/// See [`Diagram::open`].
fn open(children: [Edge; 4], owner: Option<usize>, side: TargetSide) -> Option<OpenChildren> {
    let mut open = OpenChildren::NONE;
    let own = owner.map_or(Edge::NOTHING, |owner| children[owner & 3]);
    for child in children {
        if child == own || child.is_nothing() || side.contains(child) {
            continue;
        }
        if !child.is_node() || !side.meets(child) {
            return None;
        }
        open.push(child);
    }
    Some(open)
}

/// Number of cache lines that [`Diagram::prefetch`] fetches from the root on: 512 bytes, about 150
/// nodes.
const ROOT_LINES: usize = 8;

impl<'a> Diagram<'a> {
    /// Makes the diagram with this root. A child's index must be below its parent's.
    #[inline]
    pub const fn new(nodes: &'a [Node], root: Edge) -> Diagram<'a> {
        let nodes = Nodes::Plain(nodes);
        Diagram { nodes, root }
    }

    /// Makes the diagram of the packed nodes in these bytes, with this edge to its root.
    #[inline]
    pub(crate) const fn packed(bytes: &'a [u8], root: Edge) -> Diagram<'a> {
        let nodes = Nodes::Packed(bytes);
        Diagram { nodes, root }
    }

    /// Makes the diagram of the packed nodes in these bytes. The first node is the root, and
    /// `bounds` are its bounds; if they are not those of a node, the diagram is a leaf or nothing.
    ///
    /// The bytes need not be trusted: questions to a diagram that no [`NodePacker`] made end soon
    /// and never panic, but their answers are meaningless.
    #[inline]
    pub const fn packed_at_start(bytes: &'a [u8], bounds: u8) -> Diagram<'a> {
        Diagram::packed(bytes, Edge::to_byte(bounds as u32, 0))
    }

    /// Makes the diagram of a partition in which all endings have one value.
    pub const fn constant(value: u8) -> Diagram<'a> {
        Diagram::new(&[], Edge::leaf(value))
    }

    /// Makes the diagram of a partition from its bounds alone: a value, or an interval.
    #[inline]
    pub const fn unsplit(bounds: Bounds) -> Diagram<'a> {
        let root = if bounds.lo == bounds.hi {
            Edge::leaf(bounds.lo)
        } else {
            Edge::interval(bounds)
        };
        Diagram::new(&[], root)
    }

    /// The edge to the root.
    #[inline]
    pub const fn root(&self) -> Edge {
        self.root
    }

    /// The nodes, if they are those of [`new`](Self::new).
    #[inline]
    pub const fn plain_nodes(&self) -> Option<&'a [Node]> {
        match self.nodes {
            Nodes::Plain(nodes) => Some(nodes),
            Nodes::Packed(_) => None,
        }
    }

    /// The suit (0..=3, canonical order) whose next card the node at `at` asks about.
    #[inline]
    pub fn suit(&self, at: Edge) -> usize {
        self.node(at).suit()
    }

    /// Returns the edge from the node at `at` if its card belongs to `owner`
    /// (0..=3, the leader first).
    ///
    /// # Panics
    ///
    /// If `at` is not an edge to a node of this diagram.
    #[inline]
    pub fn child(&self, at: Edge, owner: usize) -> Edge {
        self.child_of(&self.node(at), owner)
    }

    /// Returns the edge from the node at `at` for each owner of its card.
    ///
    /// # Panics
    ///
    /// As [`child`](Self::child).
    #[inline]
    pub fn children(&self, at: Edge) -> [Edge; 4] {
        self.children_of(&self.node(at))
    }

    #[inline]
    fn child_of(&self, node: &FoundNode<'_>, owner: usize) -> Edge {
        match node {
            FoundNode::Plain(node, _) => node.children[owner & 3],
            FoundNode::Packed(node) => node.child(self.bytes(), owner),
        }
    }

    #[inline]
    fn children_of(&self, node: &FoundNode<'_>) -> [Edge; 4] {
        match node {
            FoundNode::Plain(node, _) => node.children,
            FoundNode::Packed(node) => node.children(self.bytes()),
        }
    }

    /// Returns the distinct children that may lead to values outside `side`, for all owners of the
    /// card except `owner`, whose child does not; `None` if one of them certainly does.
    #[inline]
    fn open(
        &self,
        node: &FoundNode<'_>,
        owner: Option<usize>,
        side: TargetSide,
    ) -> Option<OpenChildren> {
        match node {
            FoundNode::Plain(node, _) => open(node.children, owner, side),
            FoundNode::Packed(node) => node.open(self.bytes(), owner, side),
        }
    }

    /// The bytes of packed nodes.
    #[inline]
    const fn bytes(&self) -> &'a [u8] {
        match self.nodes {
            Nodes::Packed(bytes) => bytes,
            Nodes::Plain(_) => &[],
        }
    }

    /// Reads the node at `at`, for more than one question about it.
    #[inline]
    fn node(&self, at: Edge) -> FoundNode<'a> {
        match self.nodes {
            Nodes::Plain(nodes) => FoundNode::Plain(&nodes[at.slot()], at.suit()),
            Nodes::Packed(bytes) => FoundNode::Packed(PackedNode::read(bytes, at)),
        }
    }

    /// Prefetches the root and the nodes after it, which are its descendants, for a walk that is
    /// about to begin. The walk then waits once for memory instead of once for each cache line. The
    /// only effect is on speed.
    #[inline]
    pub fn prefetch(&self) {
        self.prefetch_node(self.root, ROOT_LINES);
    }

    /// Prefetches `lines` cache lines from the node at `at`.
    #[inline]
    fn prefetch_node(&self, at: Edge, lines: usize) {
        if let Nodes::Packed(bytes) = self.nodes {
            prefetch(bytes, at.byte(), lines);
        }
    }

    /// Returns the diagram in the form of a [`DiagramBuilder`]: its own nodes, each once, and the
    /// edge to its root. Two diagrams in any form are the same if these are equal. The result is
    /// empty for a diagram with [`Edge::MAX_NODES`] nodes, which no builder makes.
    pub fn own_nodes(&self) -> (Vec<Node>, Edge) {
        let mut builder = DiagramBuilder::new();
        let copied = packer::copy(*self, &mut Copies::default(), |suit, children| {
            builder.node(suit, children)
        });
        match copied {
            Ok(root) => (builder.into_nodes(), root),
            Err(TooManyNodes) => (Vec::new(), Edge::NOTHING),
        }
    }
}
