//! Diagrams as bytes: the token streams of a shard.
//!
//! A diagram is written from its root down. Every child is one token: a leaf's
//! value, a node that is written out right here, or a node that was finished
//! before, named by how many nodes of the shard were finished since. Diagrams
//! of a shard share nodes: those of neighbouring partitions have almost half of
//! theirs in common. A node needs no number of its own, and a hand without
//! cards in the node's suit needs no token: the reader, who knows the
//! partition's shape and the path from the root, knows that too. Tokens and
//! distances go into two streams, since a compressor does better on each alone.

mod fit;
mod reader;

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::shape::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::format::varint;

pub use reader::DiagramReader;

/// Tokens 0..=13 are leaves.
const LAST_LEAF: u8 = 13;
/// Tokens 16..=19 are nodes, written out next, that ask about suit 0..=3.
const NODE: u8 = 16;
/// A node that is finished; the distance to it is next in the other stream.
const FINISHED: u8 = 20;

/// The two streams of a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiagramStreams {
    /// One byte for each child and each root.
    pub tokens: Vec<u8>,
    /// Distances, in base 128 with the lowest digit first; all digits but the
    /// last have the top bit set.
    pub distances: Vec<u8>,
    /// By node: which number it was finished as, counted from 1; 0 if it was
    /// not.
    finished: Vec<u32>,
    count: u32,
}

impl DiagramStreams {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.distances.clear();
        self.finished.clear();
        self.count = 0;
    }

    /// How many nodes are written out: those that diagrams share count once.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.count
    }

    /// Appends the diagram of a partition with this shape. Its nodes must begin
    /// with those of the diagram before, with which it may share some, as they
    /// do if both come from one [`DiagramBuilder`].
    ///
    /// [`DiagramBuilder`]: setrograde_endgame::diagram::DiagramBuilder
    pub fn push(&mut self, diagram: Diagram<'_>, shape: Shape) {
        self.finished.resize(diagram.places(), 0);
        self.child(&diagram, diagram.root(), shape.lengths);
    }

    /// Appends a diagram whose nodes have nothing to do with those of the
    /// diagrams before.
    pub fn push_apart(&mut self, diagram: Diagram<'_>, shape: Shape) {
        self.finished.clear();
        self.push(diagram, shape);
    }

    fn child(&mut self, diagram: &Diagram<'_>, at: Edge, lengths: [SuitLengths; 4]) {
        if !at.is_node() {
            self.tokens.push(at.lo());
        } else if self.finished[at.place()] != 0 {
            self.tokens.push(FINISHED);
            let distance = self.count - self.finished[at.place()];
            varint::write(distance as usize, &mut self.distances);
        } else {
            let suit = at.suit();
            self.tokens.push(NODE + suit as u8);
            for (owner, &child) in diagram.children(at).iter().enumerate() {
                if lengths[suit].length(owner) > 0 {
                    let mut lengths = lengths;
                    lengths[suit] = lengths[suit].without_one(owner);
                    self.child(diagram, child, lengths);
                }
            }
            self.count += 1;
            self.finished[at.place()] = self.count;
        }
    }
}

/// What is wrong with a token stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramCodecError {
    /// A stream is too short.
    #[error("a stream ends in the middle of a diagram")]
    Ends,
    /// A stream is too long.
    #[error("a stream goes on after the last diagram")]
    GoesOn,
    /// A byte that is no token, or a leaf beyond the level.
    #[error("byte {0} stands where a token should")]
    Token(u8),
    /// A distance that leads before the shard's first node.
    #[error("a distance leads out of its shard")]
    Distance,
    /// A finished node that is named where the hands have other cards left than
    /// it was written for.
    #[error("a finished node does not fit the cards that are left")]
    Misfit,
    /// A node that no ending needs: its suit is exhausted, or its children are
    /// all one value.
    #[error("a node tells nothing")]
    IdleNode,
    /// More nodes than can be held: 8 MiB of them, packed.
    #[error("there are too many nodes")]
    TooManyNodes,
}
