//! Counting the sets and the nodes of diagrams that share nodes.

use super::{Diagram, Edge};

/// Counts of a diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagramCounts {
    /// Sets of 4-bit owner masks: paths from the root to a leaf, owners with
    /// the same child sharing one branch; `u64::MAX` if they are more.
    pub sets: u64,
    /// Nodes that the root leads to.
    pub nodes: u64,
}

/// Counts one diagram after another among nodes that only grow.
#[derive(Debug, Default)]
pub struct Census {
    /// By node: the paths from it to a leaf, 0 until they are counted. They do
    /// not depend on where a walk comes from, so each node is counted once.
    paths: Vec<u64>,
    /// By node: the last diagram that was seen to lead to it.
    seen: Vec<u32>,
    diagrams: u32,
}

impl Census {
    /// A census that has counted nothing.
    #[must_use]
    pub fn new() -> Census {
        Census::default()
    }

    /// Forgets all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.paths.clear();
        self.seen.clear();
        self.diagrams = 0;
    }

    /// Counts a diagram of [`Diagram::new`]. Its nodes must begin with those of the diagram
    /// before, unless all was forgotten since. No path may be longer than a partition has
    /// cards.
    pub fn count(&mut self, diagram: Diagram<'_>) -> DiagramCounts {
        let places = diagram.plain_nodes().unwrap_or_default().len();
        self.paths.resize(places, 0);
        self.seen.resize(places, 0);
        self.diagrams += 1;
        let mut nodes = 0;
        let sets = self.paths_below(&diagram, diagram.root(), &mut nodes);
        DiagramCounts { sets, nodes }
    }

    /// The paths from `at` to a leaf; adds to `nodes` those that this diagram had
    /// not led to before.
    fn paths_below(&mut self, diagram: &Diagram<'_>, at: Edge, nodes: &mut u64) -> u64 {
        if !at.is_node() {
            return 1;
        }
        let place = at.place();
        if self.seen[place] == self.diagrams {
            return self.paths[place];
        }
        self.seen[place] = self.diagrams;
        *nodes += 1;
        let mut paths = 0_u64;
        let children = diagram.children(at);
        for (owner, &child) in children.iter().enumerate() {
            if !child.is_nothing() && !children[..owner].contains(&child) {
                paths = paths.saturating_add(self.paths_below(diagram, child, nodes));
            }
        }
        self.paths[place] = paths;
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
        let mut builder = DiagramBuilder::new();
        let mut census = Census::new();
        let shared = builder.node(1, [leaf(0), leaf(1), leaf(0), leaf(1)])?;
        let first = builder.node(0, [shared, shared, leaf(2), Edge::NOTHING])?;
        let nodes = builder.nodes();
        let counts = census.count(Diagram::new(nodes, first));
        assert_eq!(counts, DiagramCounts { sets: 3, nodes: 2 });
        let second = builder.node(2, [leaf(0), shared, leaf(2), first])?;
        assert_eq!(builder.nodes().len(), 3);
        let nodes = builder.nodes();
        let counts = census.count(Diagram::new(nodes, second));
        assert_eq!(counts, DiagramCounts { sets: 7, nodes: 3 });
        let counts = census.count(Diagram::new(nodes, shared));
        assert_eq!(counts, DiagramCounts { sets: 2, nodes: 1 });
        let constant = census.count(Diagram::constant(1));
        assert_eq!(constant, DiagramCounts { sets: 1, nodes: 0 });
        Ok(())
    }
}
