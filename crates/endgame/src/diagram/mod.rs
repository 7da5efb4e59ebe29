//! Decision diagrams: what a database knows about one partition.
//!
//! A node names a suit and has one child for each owner of that suit's next
//! card; the path so far says which card that is. A leaf is a value. The bounds
//! of a subtree stand in the [`Edge`] that leads to it, beside the suit that
//! its node asks about, so that a walk knows them without touching the node: a
//! question "at least t?" is often decided one memory access early, and a
//! question over a set looks only into children that can still change the
//! answer.
//!
//! - [`Edge`], [`Bounds`], [`Node`], [`Diagram`]: the parts
//! - [`Cursor`]: one step after another along an ending's path; values and
//!   walks are made of such steps
//! - [`bounds`](Diagram::bounds), [`widen`](Diagram::widen),
//!   [`decide`](Diagram::decide): questions over sets of endings
//! - [`distribution`](Diagram::distribution): how many endings of a set have each
//!   value
//! - [`DiagramBuilder`]: growing diagrams from the leaves up
//! - [`PackedNodes`]: nodes of five bytes, for diagrams that are looked up;
//!   a [`NodePacker`] writes them
//! - [`census`]: how many sets and nodes a diagram has

pub mod census;
mod cursor;
mod distribution;
mod edge;
mod packed;
mod packer;
mod sets;

pub use crate::diagram::cursor::View;
pub use crate::diagram::edge::{DiagramBuilder, TooManyNodes};
pub use cursor::{Cursor, Step, Walk};
pub use distribution::{Distribution, Weights};
pub use edge::{Bounds, Edge, Node};
pub use packed::PackedNodes;
pub use packer::NodePacker;
pub use sets::Verdict;

/// A diagram: nodes, children before parents, and the edge to its root. All
/// endings of one partition lead from the root to a leaf. Diagrams may share
/// nodes, so some of these may be other diagrams' alone.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    nodes: Nodes<'a>,
    root: Edge,
}

/// The nodes, in either form.
#[derive(Clone, Copy, Debug)]
enum Nodes<'a> {
    /// As a [`DiagramBuilder`] has them.
    Plain(&'a [Node]),
    /// The bytes of [`PackedNodes`].
    Packed(packed::Bytes<'a>),
}

/// A check of bytes before a walk reads them.
pub trait Guard: std::fmt::Debug + Sync {
    /// Returns true if these bytes of the nodes are those that were written. Where they
    /// are not, the walk leads nowhere, and its answer means nothing.
    fn is_sound(&self, bytes: std::ops::Range<usize>) -> bool;
}

/// The lines of cache before a root that [`Diagram::prefetch`] asks for: 1 KiB,
/// about 200 nodes.
const ROOT_LINES: usize = 16;

impl<'a> Diagram<'a> {
    /// The diagram with this root; a child's place among the nodes is below its
    /// parent's.
    #[inline]
    #[must_use]
    pub const fn new(nodes: &'a [Node], root: Edge) -> Diagram<'a> {
        let nodes = Nodes::Plain(nodes);
        Diagram { nodes, root }
    }

    /// The diagram with this root among the nodes in [these bytes](PackedNodes::to_bytes).
    ///
    /// Any bytes may be given, and any root: questions to a diagram that no
    /// [`NodePacker`] made end soon, without a panic, and their answers mean nothing.
    #[inline]
    #[must_use]
    pub const fn packed(bytes: &'a [u8], root: Edge) -> Diagram<'a> {
        let guard = None;
        let nodes = Nodes::Packed(packed::Bytes { bytes, guard });
        Diagram { nodes, root }
    }

    /// The diagram as [`packed`](Self::packed) has it; the guard is asked for the bytes
    /// of a node whenever a walk comes to one.
    #[inline]
    #[must_use]
    pub const fn guarded(bytes: &'a [u8], root: Edge, guard: &'a dyn Guard) -> Diagram<'a> {
        let guard = Some(guard);
        let nodes = Nodes::Packed(packed::Bytes { bytes, guard });
        Diagram { nodes, root }
    }

    /// The diagram of a partition in which all endings have one value.
    #[must_use]
    pub const fn constant(value: u8) -> Diagram<'a> {
        Diagram::new(&[], Edge::leaf(value))
    }

    /// The edge to the root.
    #[inline]
    #[must_use]
    pub const fn root(&self) -> Edge {
        self.root
    }

    /// The nodes, if they are those of [`new`](Self::new).
    #[inline]
    #[must_use]
    pub const fn plain_nodes(&self) -> Option<&'a [Node]> {
        match self.nodes {
            Nodes::Plain(nodes) => Some(nodes),
            Nodes::Packed(_) => None,
        }
    }

    /// One more than the place of the last node.
    #[must_use]
    pub const fn places(&self) -> usize {
        match self.nodes {
            Nodes::Plain(nodes) => nodes.len(),
            Nodes::Packed(nodes) => nodes.bytes.len() / packed::WORD,
        }
    }

    /// Returns the edge from the node at `at` if its card belongs to `owner`
    /// (0..=3, the leader first).
    ///
    /// # Panics
    ///
    /// If `at` is not an edge to a node of this diagram.
    #[inline]
    #[must_use]
    pub fn child(&self, at: Edge, owner: usize) -> Edge {
        match self.nodes {
            Nodes::Plain(nodes) => nodes[at.place()].children[owner & 3],
            Nodes::Packed(nodes) => packed::child(nodes, at, owner & 3),
        }
    }

    /// Returns the edge from the node at `at` for each owner of its card.
    ///
    /// # Panics
    ///
    /// As [`child`](Self::child).
    #[inline]
    #[must_use]
    pub fn children(&self, at: Edge) -> [Edge; 4] {
        match self.nodes {
            Nodes::Plain(nodes) => nodes[at.place()].children,
            Nodes::Packed(nodes) => packed::children(nodes, at),
        }
    }

    /// Returns the same as [`child`](Self::child), without a branch that depends on
    /// it: faster where many walks go side by side, slower where one follows
    /// another.
    #[inline]
    fn child_side_by_side(&self, at: Edge, owner: usize) -> Edge {
        match self.nodes {
            Nodes::Plain(nodes) => nodes[at.place()].children[owner & 3],
            Nodes::Packed(nodes) => packed::child_without_branches(nodes, at, owner & 3),
        }
    }

    /// Returns what [`child`](Self::child) does, and the owners who share it, a bit
    /// each: 1, 2, 4, 8.
    ///
    /// # Panics
    ///
    /// As [`child`](Self::child).
    #[inline]
    #[must_use]
    pub fn child_and_sharers(&self, at: Edge, owner: usize) -> (Edge, u8) {
        match self.nodes {
            Nodes::Packed(nodes) => packed::child_and_sharers(nodes, at, owner & 3),
            Nodes::Plain(nodes) => {
                let children = nodes[at.place()].children;
                let child = children[owner & 3];
                let sharers = (0..4).filter(|&other| children[other] == child);
                (child, sharers.fold(0, |mask, other| mask | 1 << other))
            }
        }
    }

    /// Asks the processor for the nodes written just before the root, which are
    /// those below it, for a walk that is about to begin: it waits once then,
    /// instead of once for each line of cache that it comes to. Does nothing that
    /// can be seen but save time in a large database.
    #[inline]
    pub fn prefetch(&self) {
        self.prefetch_node(self.root, ROOT_LINES);
    }

    /// Asks the processor for the node at `at`, and for `lines` lines of cache with
    /// what was written before it.
    #[inline]
    fn prefetch_node(&self, at: Edge, lines: usize) {
        if let Nodes::Packed(nodes) = self.nodes {
            packed::back_from(nodes.bytes, packed::WORD * at.place(), lines);
        }
    }

    /// The edges to all nodes that the root leads to, each once, children before
    /// parents.
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        let mut met = vec![false; self.places()];
        let mut edges = Vec::new();
        let mut open = vec![self.root];
        while let Some(at) = open.pop() {
            // In bytes that somebody changed, an edge may lead to no node.
            if at.is_node()
                && let Some(met) = met.get_mut(at.place())
                && !std::mem::replace(met, true)
            {
                edges.push(at);
                open.extend(self.children(at));
            }
        }
        edges.sort_by_key(|at| at.place());
        edges
    }

    /// The nodes that the root leads to, and no others, in the same order, with
    /// the edge to the root among them.
    #[must_use]
    pub fn alone(&self) -> (Vec<Node>, Edge) {
        let mut places = vec![0; self.places()];
        let moved = |places: &[usize], at: Edge| match places.get(at.place()) {
            Some(&place) if at.is_node() => Edge::node(at.suit(), place, at.bounds()),
            _ if at.is_node() => Edge::NOTHING,
            _ => at,
        };
        let mut nodes = Vec::new();
        for at in self.edges() {
            let children = self.children(at).map(|child| moved(&places, child));
            places[at.place()] = nodes.len();
            nodes.push(Node { children });
        }
        (nodes, moved(&places, self.root))
    }
}
