//! Building diagrams.

use rustc_hash::FxHashMap;

use crate::diagram::{Edge, Node};

/// Builds diagrams from the leaves up. Equal subtrees become one node, even if they belong to
/// several diagrams.
#[derive(Debug, Default)]
pub struct DiagramBuilder {
    nodes: Vec<Node>,
    edges: FxHashMap<(Node, u8), Edge>,
}

/// An error: a diagram has more than [`Edge::MAX_NODES`] nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a diagram needs more than {} nodes", Edge::MAX_NODES)]
pub struct TooManyNodes;

impl DiagramBuilder {
    /// Makes a builder without nodes.
    pub fn new() -> DiagramBuilder {
        DiagramBuilder::default()
    }

    /// Removes all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// The nodes, children before parents.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// The nodes so far, children before parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the edge to the node that asks for the owner of the next card of `suit` (0..=3,
    /// canonical order) and has these children: an existing equal node, a new one, or, if all
    /// children are the same leaf, that leaf.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no space for a new node.
    pub fn node(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let bounds = match Edge::joined(children) {
            Ok(edge) => return Ok(edge),
            Err(bounds) => bounds,
        };
        let node = Node { children };
        if let Some(&at) = self.edges.get(&(node, suit as u8)) {
            return Ok(at);
        }
        let slot = self.nodes.len();
        if slot >= Edge::MAX_NODES {
            return Err(TooManyNodes);
        }
        let at = Edge::node(suit, slot, bounds);
        self.nodes.push(node);
        self.edges.insert((node, suit as u8), at);
        Ok(at)
    }
}
