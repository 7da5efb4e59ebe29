//! Reading the diagrams of a shard.

use std::slice;

use setrograde_endgame::diagram::{Children, Edge, NodePacker, PackedNodes};
use setrograde_endgame::shape::Shape;

use super::fit::{Fit, Needs};
use super::{DiagramCodecError, FINISHED, LAST_LEAF, NODE};
use crate::format::varint;

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// The greatest leaf: the tricks of the level.
    tricks: u8,
    nodes: NodePacker,
    finished: Vec<Subtree>,
    /// The nodes from the root to the one whose children are being read.
    path: Vec<Unfinished>,
}

/// A leaf or a finished node.
#[derive(Debug)]
struct Subtree {
    at: Edge,
    fit: Fit,
}

/// By value: the leaves.
static LEAVES: [Subtree; 16] = {
    let mut leaves = [const {
        Subtree {
            at: Edge::NOTHING,
            fit: Fit::ANYWHERE,
        }
    }; 16];
    let mut value = 0;
    while value <= LAST_LEAF {
        leaves[value as usize].at = Edge::leaf(value);
        value += 1;
    }
    leaves
};

/// A node whose children are not all read yet.
#[derive(Debug)]
struct Unfinished {
    children: Children,
    needs: Needs,
}

impl<'a> DiagramReader<'a> {
    /// A reader of a shard's streams at `level`, which expects `nodes` nodes.
    #[must_use]
    pub fn new(
        tokens: &'a [u8],
        distances: &'a [u8],
        level: usize,
        nodes: usize,
    ) -> DiagramReader<'a> {
        // Each node has two children at least, so that a wrong number cannot
        // ask for much.
        let nodes = nodes.min(tokens.len() / 2);
        DiagramReader {
            tokens,
            distances,
            tricks: LAST_LEAF.min(level as u8),
            nodes: NodePacker::with_capacity(nodes),
            finished: Vec::with_capacity(nodes),
            path: Vec::with_capacity(4 * level),
        }
    }

    /// Reads the next diagram, which belongs to a partition of this shape, and
    /// returns its root. It is a diagram of the nodes that
    /// [`finish`](Self::finish) returns.
    ///
    /// # Errors
    ///
    /// If the streams are wrong. A diagram that is read without an error leads
    /// every ending of the shape to a value, and each of its paths is the path of
    /// some ending.
    pub fn next(&mut self, shape: Shape) -> Result<Edge, DiagramCodecError> {
        let mut left = (0..4).rev().fold(0, |left, suit| {
            left << 16 | u64::from(shape.lengths[suit].bits())
        });
        let mut tokens = self.tokens.iter();
        let mut distances = self.distances.iter();
        self.path.clear();
        loop {
            let &token = tokens.next().ok_or(DiagramCodecError::Ends)?;
            if (NODE..FINISHED).contains(&token) {
                // Each takes a card away, so that the path is no longer than there
                // are cards.
                let needs = Needs::new(token - NODE, left).ok_or(DiagramCodecError::IdleNode)?;
                left = needs.left_below().unwrap_or(left);
                let children = Children::NONE;
                self.path.push(Unfinished { children, needs });
                continue;
            }
            let mut subtree = if token <= self.tricks {
                &LEAVES[usize::from(token % 16)]
            } else if token == FINISHED {
                let distance = read_distance(&mut distances)?;
                let number = self.finished.len().wrapping_sub(distance + 1);
                let named = self.finished.get(number);
                let named = named.ok_or(DiagramCodecError::Distance)?;
                if !named.fit.admits(left) {
                    return Err(DiagramCodecError::Misfit);
                }
                named
            } else {
                return Err(DiagramCodecError::Token(token));
            };
            // Give it to its parent, and that to its own if it is finished now.
            loop {
                let Some(parent) = self.path.last_mut() else {
                    self.tokens = tokens.as_slice();
                    self.distances = distances.as_slice();
                    return Ok(subtree.at);
                };
                let place = parent.needs.add(&subtree.fit);
                parent.children.set(place % 4, subtree.at);
                if let Some(left_below) = parent.needs.left_below() {
                    left = left_below;
                    break;
                }
                let at = self.nodes.push(place / 4, &parent.children);
                let at = at.map_err(|_| DiagramCodecError::TooManyNodes)?;
                if !at.is_node() {
                    return Err(DiagramCodecError::IdleNode);
                }
                let fit = parent.needs.fit();
                self.path.pop();
                self.finished.push(Subtree { at, fit });
                subtree = &self.finished[self.finished.len() - 1];
            }
        }
    }

    /// How many nodes were read so far; those that diagrams share count once.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.finished.len()
    }

    /// The nodes of all diagrams, if both streams are at their ends.
    ///
    /// # Errors
    ///
    /// [`DiagramCodecError::GoesOn`] if one is not.
    pub fn finish(self) -> Result<PackedNodes, DiagramCodecError> {
        if self.tokens.is_empty() && self.distances.is_empty() {
            Ok(self.nodes.finish())
        } else {
            Err(DiagramCodecError::GoesOn)
        }
    }
}

/// Reads how many nodes back the next one lies.
#[inline]
fn read_distance(distances: &mut slice::Iter<'_, u8>) -> Result<usize, DiagramCodecError> {
    varint::read(
        || distances.next().copied().ok_or(DiagramCodecError::Ends),
        |_| DiagramCodecError::Distance,
    )
}
