//! A shard in memory: the diagrams or the trees of its partitions.

use std::sync::OnceLock;

use setrograde_endgame::card_order::CardOrder;
use setrograde_endgame::diagram::census::{Census, Counts};
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, Edge, Node, PackedNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::shallow_tree::{ShallowTree, TreeNode};
use setrograde_endgame::unfold::{UnfoldError, unfold};

use crate::format::diagram_codec::DiagramReader;
use crate::format::tree_codec::TreeReader;
use crate::payload::Payload;

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
    /// Nodes of all diagrams or trees; a node counts for each diagram that it
    /// belongs to.
    pub nodes: u64,
    /// Nodes of the largest one.
    pub largest: u64,
    /// See [`content_hash`](crate::format::level_header::content_hash).
    pub content: u64,
}

/// The diagrams of a shard, which share nodes.
#[derive(Debug)]
pub(crate) struct Diagrams {
    /// By place.
    pub(super) roots: Vec<Edge>,
    pub(super) nodes: PackedNodes,
}

/// The trees of a shard.
#[derive(Debug)]
pub(crate) struct Trees {
    partitions: Vec<Partition>,
    /// Where each tree begins, and at last where all end.
    starts: Vec<u32>,
    nodes: Vec<TreeNode>,
    /// The same as diagrams, made when one is first asked for.
    unfolded: OnceLock<Diagrams>,
}

impl Shard {
    /// The bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let inside = match self {
            Shard::Diagrams(diagrams) => diagrams.bytes(),
            Shard::Trees(trees) => trees.bytes(),
        };
        size_of::<Shard>() + inside
    }

    /// What it holds for the partition at that place.
    #[inline]
    pub(crate) fn payload(&self, place: usize) -> Payload<'_> {
        match self {
            Shard::Diagrams(diagrams) => Payload::Diagram(diagrams.diagram(place)),
            Shard::Trees(trees) => Payload::Tree(trees.tree(place)),
        }
    }

    /// The diagram of the partition at that place. Trees are unfolded first, all
    /// of the shard.
    pub(crate) fn diagram(&self, place: usize) -> Result<Diagram<'_>, NoDiagram> {
        match self {
            Shard::Diagrams(diagrams) => Ok(diagrams.diagram(place)),
            Shard::Trees(trees) => Ok(trees.unfolded()?.diagram(place)),
        }
    }

    /// Counts what the shard holds; `content` is its content hash.
    pub(crate) fn facts(&self, content: u64) -> ShardFacts {
        let mut facts = ShardFacts {
            sets: 0,
            nodes: 0,
            largest: 0,
            content,
        };
        let mut add = |sets: u64, nodes: u64| {
            facts.sets += sets;
            facts.nodes += nodes;
            facts.largest = facts.largest.max(nodes);
        };
        match self {
            Shard::Diagrams(diagrams) => {
                let mut census = Census::new();
                for place in 0..diagrams.roots.len() {
                    let Counts { sets, nodes } = census.count(diagrams.diagram(place));
                    add(sets, nodes);
                }
            }
            Shard::Trees(trees) => {
                for place in 0..trees.partitions.len() {
                    let tree = trees.tree(place);
                    add(tree.set_count(), tree.nodes().len() as u64);
                }
            }
        }
        facts
    }
}

/// The diagrams of a shard, read apart from its level, which does not keep
/// them.
#[derive(Debug)]
pub struct ShardDiagrams {
    diagrams: Diagrams,
}

impl ShardDiagrams {
    /// All diagrams of a shard; trees are unfolded.
    pub(crate) fn of(shard: Shard) -> Result<ShardDiagrams, NoDiagram> {
        let diagrams = match shard {
            Shard::Diagrams(diagrams) => diagrams,
            Shard::Trees(trees) => trees.unfold()?,
        };
        Ok(ShardDiagrams { diagrams })
    }

    /// The diagram of the partition at that place in the shard, the first at 0.
    ///
    /// # Panics
    ///
    /// If the shard has no such place.
    #[must_use]
    pub fn diagram(&self, place: usize) -> Diagram<'_> {
        self.diagrams.diagram(place)
    }

    /// The nodes of all diagrams, unpacked, and the root of each by place; see
    /// [`PackedNodes::unpack`].
    #[must_use]
    pub fn unpack(self) -> (Vec<Node>, Vec<Edge>) {
        let Diagrams { mut roots, nodes } = self.diagrams;
        let nodes = nodes.unpack(&mut roots);
        (nodes, roots)
    }
}

impl Diagrams {
    /// Reads the diagrams of these partitions, which have `promised`
    /// nodes, or says what is wrong.
    pub(crate) fn parse(
        [tokens, distances]: &[Vec<u8>; 2],
        level: usize,
        partitions: impl Iterator<Item = Partition>,
        promised: usize,
    ) -> Result<Diagrams, String> {
        let mut reader = DiagramReader::new(tokens, distances, level, promised);
        let roots: Vec<Edge> = partitions
            .map(|partition| {
                let root = reader.next(partition.shape);
                root.map_err(|error| in_partition(partition, error))
            })
            .collect::<Result<_, _>>()?;
        check_count(reader.node_count(), promised)?;
        let nodes = reader.finish().map_err(|error| error.to_string())?;
        Ok(Diagrams { roots, nodes })
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.roots) + self.nodes.bytes()
    }

    /// The diagram of the partition at that place in the shard.
    #[inline]
    pub(crate) fn diagram(&self, place: usize) -> Diagram<'_> {
        self.nodes.diagram(self.roots[place])
    }
}

impl Trees {
    /// Reads the trees of these partitions, which have `promised`
    /// nodes, or says what is wrong.
    pub(crate) fn parse(
        [keys, links]: &[Vec<u8>; 2],
        level: usize,
        partitions: impl Iterator<Item = Partition>,
        promised: usize,
    ) -> Result<Trees, String> {
        let mut reader = TreeReader::new(keys, links, level);
        let mut trees = Trees {
            partitions: Vec::new(),
            starts: vec![0],
            nodes: Vec::with_capacity(promised.min(keys.len() / 2)),
            unfolded: OnceLock::new(),
        };
        for partition in partitions {
            let order = CardOrder::new(partition.shape);
            reader
                .next(&order, &mut trees.nodes)
                .map_err(|error| in_partition(partition, error))?;
            trees.partitions.push(partition);
            trees.starts.push(trees.nodes.len() as u32);
        }
        reader.finish().map_err(|error| error.to_string())?;
        check_count(trees.nodes.len(), promised)?;
        Ok(trees)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.partitions)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.nodes)
            + self.unfolded.get().map_or(0, Diagrams::bytes)
    }

    /// The tree of the partition at that place in the shard.
    pub(crate) fn tree(&self, place: usize) -> ShallowTree<'_> {
        let nodes = self.starts[place] as usize..self.starts[place + 1] as usize;
        ShallowTree::of_checked(
            &self.nodes[nodes],
            CardOrder::new(self.partitions[place].shape),
        )
    }

    /// All trees as diagrams; or the place of one that makes none, and why.
    #[inline]
    pub(crate) fn unfolded(&self) -> Result<&Diagrams, NoDiagram> {
        match self.unfolded.get() {
            Some(diagrams) => Ok(diagrams),
            None => {
                let diagrams = self.unfold()?;
                // Another thread may have been faster; then its equal copy stays.
                Ok(self.unfolded.get_or_init(|| diagrams))
            }
        }
    }

    #[cold]
    fn unfold(&self) -> Result<Diagrams, NoDiagram> {
        let mut builder = DiagramBuilder::new();
        let mut roots = Vec::with_capacity(self.partitions.len());
        for (place, partition) in self.partitions.iter().enumerate() {
            let (order, sets) = (CardOrder::new(partition.shape), self.tree(place).sets());
            let root =
                unfold(&order, &sets, &mut builder).map_err(|error| NoDiagram { place, error })?;
            roots.push(root);
        }
        let nodes = PackedNodes::pack(builder.nodes(), &mut roots).map_err(|error| NoDiagram {
            place: 0,
            error: error.into(),
        })?;
        Ok(Diagrams { roots, nodes })
    }
}

/// A tree that is no diagram.
#[derive(Debug)]
pub(crate) struct NoDiagram {
    /// Its partition's place in the shard.
    pub(crate) place: usize,
    /// What is wrong with it.
    pub(crate) error: UnfoldError,
}

fn in_partition(partition: Partition, error: impl std::fmt::Display) -> String {
    format!("partition {partition}: {error}")
}

fn check_count(found: usize, promised: usize) -> Result<(), String> {
    if found == promised {
        Ok(())
    } else {
        Err(format!("{found} nodes where {promised} are promised"))
    }
}
