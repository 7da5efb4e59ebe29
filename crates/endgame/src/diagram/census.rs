//! Counting the sets and the nodes of diagrams that share nodes.

use super::{Diagram, Edge};

/// Counts of a diagram, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagramCounts {
    /// Sets of 4-bit owner masks: paths from the root to a leaf, where owners with the same child
    /// share one branch. Saturates at `u64::MAX`.
    pub sets: u64,
    /// Nodes below the root, itself included; a node counts for each diagram that it belongs to.
    pub nodes: u64,
    /// Nodes of the largest diagram.
    pub largest: u64,
}

impl std::ops::AddAssign for DiagramCounts {
    fn add_assign(&mut self, other: DiagramCounts) {
        self.sets = self.sets.saturating_add(other.sets);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.largest = self.largest.max(other.largest);
    }
}

/// Counts the diagrams of a growing list of nodes, one after another.
#[derive(Debug, Default)]
pub struct Census {
    /// By node: the number of paths from it to a leaf, 0 until counted. It does not depend on the
    /// path to the node, so each node is counted once.
    paths: Vec<u64>,
    /// By node: the last diagram that contained it.
    seen: Vec<u32>,
    diagrams: u32,
}

impl Census {
    /// Makes an empty census.
    pub fn new() -> Census {
        Census::default()
    }

    /// Removes all counts and keeps the memory.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.seen.clear();
        self.diagrams = 0;
    }

    /// Counts a diagram of [`Diagram::new`]. Its nodes must begin with those of the previous
    /// diagram, unless the census was cleared. No path may be longer than the number of cards.
    pub fn count(&mut self, diagram: Diagram<'_>) -> DiagramCounts {
        let indices = diagram.plain_nodes().unwrap_or_default().len();
        self.paths.resize(indices, 0);
        self.seen.resize(indices, 0);
        self.diagrams += 1;
        let mut nodes = 0;
        let sets = self.paths_below(&diagram, diagram.root(), &mut nodes);
        DiagramCounts {
            sets,
            nodes,
            largest: nodes,
        }
    }

    /// Returns the number of paths from `at` to a leaf. Adds the nodes that are new in this diagram
    /// to `nodes`.
    fn paths_below(&mut self, diagram: &Diagram<'_>, at: Edge, nodes: &mut u64) -> u64 {
        if !at.is_node() {
            return 1;
        }
        let slot = at.slot();
        if self.seen[slot] == self.diagrams {
            return self.paths[slot];
        }
        self.seen[slot] = self.diagrams;
        *nodes += 1;
        let mut paths = 0_u64;
        let children = diagram.children(at);
        for (owner, &child) in children.iter().enumerate() {
            if !child.is_nothing() && !children[..owner].contains(&child) {
                paths = paths.saturating_add(self.paths_below(diagram, child, nodes));
            }
        }
        self.paths[slot] = paths;
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{DiagramBuilder, TooManyNodes};

    #[test]
    fn shared_nodes_count_for_each_diagram() -> Result<(), TooManyNodes> {
        let leaf = Edge::leaf;
        let counts = |sets, nodes| DiagramCounts {
            sets,
            nodes,
            largest: nodes,
        };
        let mut builder = DiagramBuilder::new();
        let mut census = Census::new();
        let shared = builder.node(1, [leaf(0), leaf(1), leaf(0), leaf(1)])?;
        let first = builder.node(0, [shared, shared, leaf(2), Edge::NOTHING])?;
        let nodes = builder.nodes();
        assert_eq!(census.count(Diagram::new(nodes, first)), counts(3, 2));
        let second = builder.node(2, [leaf(0), shared, leaf(2), first])?;
        let nodes = builder.nodes();
        assert_eq!(nodes.len(), 3);
        assert_eq!(census.count(Diagram::new(nodes, second)), counts(7, 3));
        assert_eq!(census.count(Diagram::new(nodes, shared)), counts(2, 1));
        assert_eq!(census.count(Diagram::constant(1)), counts(1, 0));
        Ok(())
    }
}
