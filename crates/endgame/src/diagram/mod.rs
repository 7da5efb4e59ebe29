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
//! - [`PackedNodes`]: nodes of five bytes, for diagrams that are looked up
//! - [`census`]: how many sets and nodes a diagram has

mod builder;
pub mod census;
mod cursor;
mod distribution;
mod edge;
mod packed;
mod sets;

use std::convert::Infallible;

pub use builder::{DiagramBuilder, TooManyNodes};
pub use cursor::{Cursor, Step, Walk};
pub use distribution::{Distribution, Weights};
pub use edge::{Bounds, Edge, Node};
pub use packed::PackedNodes;
pub use sets::{Verdict, View};

/// A diagram: nodes, children before parents, and the edge to its root. All
/// endings of one partition lead from the root to a leaf. Diagrams may share
/// nodes, so some of these may be other diagrams' alone.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'a> {
    nodes: Nodes<'a>,
    root: Edge,
}

/// Where the nodes are.
#[derive(Clone, Copy, Debug)]
enum Nodes<'a> {
    /// As a [`DiagramBuilder`] has them.
    Plain(&'a [Node]),
    /// The words of [`PackedNodes`].
    Packed(&'a [u16]),
}

impl PackedNodes {
    /// The nodes that these roots among `nodes` lead to; the roots become those
    /// of the same diagrams here.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is not place enough.
    pub fn pack(nodes: &[Node], roots: &mut [Edge]) -> Result<PackedNodes, TooManyNodes> {
        let mut packed = PackedNodes::with_capacity(nodes.len());
        copy(
            |root| Diagram::new(nodes, root),
            roots,
            nodes.len(),
            &mut |at, children| packed.push(at.suit(), children),
        )?;
        packed.shrink_to_fit();
        Ok(packed)
    }

    /// The nodes that these roots lead to, as a [`DiagramBuilder`] has them; the
    /// roots become those of the same diagrams there. They take three times the
    /// memory, and walks through them are faster.
    #[must_use]
    pub fn unpack(&self, roots: &mut [Edge]) -> Vec<Node> {
        let mut nodes = Vec::new();
        let Ok(()) = copy(
            |root| self.diagram(root),
            roots,
            self.words().len(),
            &mut |at, children| -> Result<Edge, Infallible> {
                nodes.push(Node { children });
                Ok(Edge::node(at.suit(), nodes.len() - 1, at.bounds()))
            },
        );
        nodes.shrink_to_fit();
        nodes
    }

    /// A diagram of these nodes; `root` came from [`push`](Self::push), or is a
    /// leaf.
    #[inline]
    #[must_use]
    pub fn diagram(&self, root: Edge) -> Diagram<'_> {
        Diagram::packed(self.words(), root)
    }
}

/// Copies the diagrams with these roots, whose places are below `places`, and
/// makes the roots those of the copies. `push` takes a node and the edges to its
/// copied children, and returns the edge to its copy.
fn copy<'a, E>(
    diagram: impl Fn(Edge) -> Diagram<'a>,
    roots: &mut [Edge],
    places: usize,
    push: &mut impl FnMut(Edge, [Edge; 4]) -> Result<Edge, E>,
) -> Result<(), E> {
    let mut copies = vec![Edge::NOTHING; places];
    for root in roots {
        *root = copy_below(diagram(*root), *root, &mut copies, push)?;
    }
    Ok(())
}

/// Copies what `at` leads to, unless `copies` has it. Each node on the way takes
/// a card, so that this calls itself no deeper than there are cards.
fn copy_below<E>(
    diagram: Diagram<'_>,
    at: Edge,
    copies: &mut [Edge],
    push: &mut impl FnMut(Edge, [Edge; 4]) -> Result<Edge, E>,
) -> Result<Edge, E> {
    if !at.is_node() {
        return Ok(at);
    }
    if copies[at.place()].is_nothing() {
        let mut children = diagram.children(at);
        for child in &mut children {
            *child = copy_below(diagram, *child, copies, push)?;
        }
        copies[at.place()] = push(at, children)?;
    }
    Ok(copies[at.place()])
}

impl<'a> Diagram<'a> {
    /// The diagram with this root; a child's place among the nodes is below its
    /// parent's.
    #[inline]
    #[must_use]
    pub const fn new(nodes: &'a [Node], root: Edge) -> Diagram<'a> {
        let nodes = Nodes::Plain(nodes);
        Diagram { nodes, root }
    }

    #[inline]
    pub(crate) const fn packed(words: &'a [u16], root: Edge) -> Diagram<'a> {
        let nodes = Nodes::Packed(words);
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

    /// One more than the place of the last node.
    #[must_use]
    pub const fn places(&self) -> usize {
        match self.nodes {
            Nodes::Plain(nodes) => nodes.len(),
            Nodes::Packed(words) => words.len(),
        }
    }

    /// What follows the node at `at` if its card belongs to `owner` (0..=3, the
    /// leader first).
    ///
    /// # Panics
    ///
    /// If `at` is no edge to a node of this diagram.
    #[inline]
    #[must_use]
    pub fn child(&self, at: Edge, owner: usize) -> Edge {
        match self.nodes {
            Nodes::Plain(nodes) => nodes[at.place()].children[owner & 3],
            Nodes::Packed(words) => packed::child(words, at, owner & 3),
        }
    }

    /// What follows the node at `at`, for each owner of its card.
    ///
    /// # Panics
    ///
    /// As [`child`](Self::child).
    #[inline]
    #[must_use]
    pub fn children(&self, at: Edge) -> [Edge; 4] {
        match self.nodes {
            Nodes::Plain(nodes) => nodes[at.place()].children,
            Nodes::Packed(words) => packed::children(words, at),
        }
    }

    /// Asks the processor for the nodes close to the root, for a walk that is about
    /// to begin. Does nothing that can be seen but save time in a large database.
    #[inline]
    pub fn prefetch(&self) {
        if let Nodes::Packed(words) = self.nodes {
            packed::prefetch(words, self.root.place());
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
            if at.is_node() && !std::mem::replace(&mut met[at.place()], true) {
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
        let moved = |places: &[usize], at: Edge| {
            if at.is_node() {
                Edge::node(at.suit(), places[at.place()], at.bounds())
            } else {
                at
            }
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
