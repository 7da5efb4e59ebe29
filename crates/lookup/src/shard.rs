//! A shard in memory: the diagrams or the trees of its partitions.

use std::sync::OnceLock;

use setrograde_endgame::card_order::CardOrder;
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, Node, Ref};
use setrograde_endgame::shallow_tree::{ShallowTree, TreeNode};
use setrograde_endgame::shape::Shape;
use setrograde_endgame::unfold::{UnfoldError, unfold};

use crate::codec::Reader;
use crate::tree_codec::TreeReader;

/// A shard, by the kind of its payload.
#[derive(Debug)]
pub(crate) enum Shard {
    Diagrams(Diagrams),
    Trees(Trees),
}

/// What a shard holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardFacts {
    /// Sets of 4-bit owner masks.
    pub sets: u64,
    /// Nodes of all diagrams or trees.
    pub nodes: u64,
    /// Nodes of the largest one.
    pub largest: u64,
    /// See [`content_hash`](crate::layout::content_hash).
    pub content: u64,
}

/// The diagrams of a shard.
#[derive(Debug, Default)]
pub(crate) struct Diagrams {
    roots: Vec<Root>,
    nodes: Vec<Node>,
}

/// A partition's diagram within its shard.
#[derive(Debug, Clone, Copy)]
struct Root {
    root: Ref,
    first: u32,
}

/// The trees of a shard.
#[derive(Debug)]
pub(crate) struct Trees {
    shapes: Vec<Shape>,
    /// Where each tree begins, and at last where all end.
    starts: Vec<u32>,
    nodes: Vec<TreeNode>,
    /// The same as diagrams, made when one is first asked for.
    unfolded: OnceLock<Diagrams>,
}

impl Shard {
    /// Counts what the shard holds; `content` is its content hash.
    pub(crate) fn facts(&self, content: u64) -> ShardFacts {
        let mut facts = ShardFacts {
            sets: 0,
            nodes: 0,
            largest: 0,
            content,
        };
        let mut add = |sets: u64, nodes: usize| {
            facts.sets += sets;
            facts.nodes += nodes as u64;
            facts.largest = facts.largest.max(nodes as u64);
        };
        match self {
            Shard::Diagrams(diagrams) => {
                for place in 0..diagrams.roots.len() {
                    let diagram = diagrams.diagram(place).trimmed();
                    add(diagram.set_count(), diagram.nodes.len());
                }
            }
            Shard::Trees(trees) => {
                for place in 0..trees.shapes.len() {
                    let tree = trees.tree(place);
                    add(tree.set_count(), tree.nodes().len());
                }
            }
        }
        facts
    }
}

impl Diagrams {
    /// Reads the diagrams of partitions with these shapes, which have so many
    /// nodes, or says what is wrong.
    pub(crate) fn parse(
        [tokens, distances]: &[Vec<u8>; 2],
        level: usize,
        shapes: impl Iterator<Item = Shape>,
        promised: usize,
    ) -> Result<Diagrams, String> {
        let mut reader = Reader::new(tokens, distances, level);
        let mut diagrams = Diagrams {
            roots: Vec::with_capacity(shapes.size_hint().0),
            nodes: Vec::with_capacity(promised.min(tokens.len())),
        };
        for shape in shapes {
            let first = diagrams.nodes.len() as u32;
            let root = reader
                .next(shape, &mut diagrams.nodes)
                .map_err(|error| in_shape(shape, error))?;
            diagrams.roots.push(Root { root, first });
        }
        reader.finish().map_err(|error| error.to_string())?;
        check_count(diagrams.nodes.len(), promised)?;
        Ok(diagrams)
    }

    /// The diagram of the partition at that place in the shard.
    #[inline]
    pub(crate) fn diagram(&self, place: usize) -> Diagram<'_> {
        let Root { root, first } = self.roots[place];
        Diagram {
            nodes: &self.nodes[first as usize..],
            root,
        }
    }
}

impl Trees {
    /// Reads the trees of partitions with these shapes, which have so many
    /// nodes, or says what is wrong.
    pub(crate) fn parse(
        [keys, links]: &[Vec<u8>; 2],
        level: usize,
        shapes: impl Iterator<Item = Shape>,
        promised: usize,
    ) -> Result<Trees, String> {
        let mut reader = TreeReader::new(keys, links, level);
        let mut trees = Trees {
            shapes: Vec::new(),
            starts: vec![0],
            nodes: Vec::with_capacity(promised.min(keys.len() / 2)),
            unfolded: OnceLock::new(),
        };
        for shape in shapes {
            let order = CardOrder::new(shape);
            reader
                .next(&order, &mut trees.nodes)
                .map_err(|error| in_shape(shape, error))?;
            trees.shapes.push(shape);
            trees.starts.push(trees.nodes.len() as u32);
        }
        reader.finish().map_err(|error| error.to_string())?;
        check_count(trees.nodes.len(), promised)?;
        Ok(trees)
    }

    /// The tree of the partition at that place in the shard.
    pub(crate) fn tree(&self, place: usize) -> ShallowTree<'_> {
        let nodes = self.starts[place] as usize..self.starts[place + 1] as usize;
        ShallowTree::of_checked(&self.nodes[nodes], CardOrder::new(self.shapes[place]))
    }

    /// All trees as diagrams; or the place of one that makes none, and why.
    #[inline]
    pub(crate) fn unfolded(&self) -> Result<&Diagrams, (usize, UnfoldError)> {
        match self.unfolded.get() {
            Some(diagrams) => Ok(diagrams),
            None => self.unfold(),
        }
    }

    #[cold]
    fn unfold(&self) -> Result<&Diagrams, (usize, UnfoldError)> {
        let mut diagrams = Diagrams::default();
        let mut builder = DiagramBuilder::new();
        for (place, &shape) in self.shapes.iter().enumerate() {
            let first = diagrams.nodes.len() as u32;
            let root = unfold(
                &CardOrder::new(shape),
                &self.tree(place).sets(),
                &mut builder,
            )
            .map_err(|error| (place, error))?;
            diagrams.nodes.extend_from_slice(builder.nodes());
            diagrams.roots.push(Root { root, first });
        }
        // Another thread may have been faster; then its equal copy stays.
        Ok(self.unfolded.get_or_init(|| diagrams))
    }
}

fn in_shape(shape: Shape, error: impl std::fmt::Display) -> String {
    format!("partition {shape:?}: {error}")
}

fn check_count(found: usize, promised: usize) -> Result<(), String> {
    if found == promised {
        Ok(())
    } else {
        Err(format!("{found} nodes where {promised} are promised"))
    }
}
