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

use setrograde_endgame::diagram::{Diagram, Edge, NodePacker, PackedNodes};
use setrograde_endgame::shape::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::format::varint;

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

/// The cards left in each suit and hand, four bits each: those of suit 0, hand 0
/// lowest, then of its hand 1, and so on.
type Left = u64;

/// The highest bit of each number of cards.
const HIGHEST: Left = 0x8888_8888_8888_8888;

/// For each number of cards, its highest bit if it is at least the other.
#[inline]
const fn at_least(left: Left, other: Left) -> Left {
    // The lower three bits of each are compared by a subtraction that borrows
    // from nobody, then the highest bits.
    let lower = (left | HIGHEST) - (other & !HIGHEST);
    (left & !other | !(left ^ other) & lower) & HIGHEST
}

/// The greater of each two numbers of cards.
#[inline]
const fn greater(left: Left, other: Left) -> Left {
    let mask = (at_least(left, other) >> 3) * 15;
    left & mask | other & !mask
}

/// Which cards may be left where a subtree stands, so that every path in it is
/// one that some ending takes.
///
/// A subtree needs the cards that its paths use up, and where it has no child
/// for a hand, it needs this hand to have none left. So a path through subtrees
/// that fit never has more nodes than the partition has cards.
#[derive(Clone, Copy, Debug)]
struct Fit {
    /// The cards left where it was read.
    left: Left,
    /// All four bits where exactly these must be left.
    exact: Left,
    /// How many must be left elsewhere.
    fewest: Left,
}

impl Fit {
    #[inline]
    const fn admits(&self, left: Left) -> bool {
        (self.left ^ left) & self.exact == 0 && at_least(left, self.fewest) == HIGHEST
    }
}

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// The greatest leaf: the tricks of the level.
    tricks: u8,
    nodes: NodePacker,
    /// The edge to each node, and what it fits.
    finished: Vec<(Edge, Fit)>,
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
        }
    }

    /// Reads the next diagram, which belongs to a partition of this shape, and
    /// returns its root. It is a diagram of the nodes that
    /// [`finish`](Self::finish) returns.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the streams. What is read without one is a
    /// diagram that leads every ending of the shape to a value, and every path
    /// of it is the path of some ending.
    pub fn next(&mut self, shape: Shape) -> Result<Edge, DiagramCodecError> {
        let token = self.token()?;
        if token <= self.tricks {
            return Ok(Edge::leaf(token));
        }
        let left = (0..4).rev().fold(0, |left, suit| {
            left << 16 | u64::from(shape.lengths[suit].bits())
        });
        let number = self.subtree(token, left)?;
        Ok(self.finished[number].0)
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

    /// The number of the node that a token says comes next, or was finished
    /// before.
    #[inline]
    fn subtree(&mut self, token: u8, left: Left) -> Result<usize, DiagramCodecError> {
        if token == FINISHED {
            self.back(left)
        } else if (NODE..FINISHED).contains(&token) {
            self.node(usize::from(token - NODE), left)
        } else {
            Err(DiagramCodecError::Token(token))
        }
    }

    /// Reads the children of a node that asks about `suit`, and returns its
    /// number. Each takes a card away, so that this calls itself no deeper than
    /// there are cards.
    fn node(&mut self, suit: usize, left: Left) -> Result<usize, DiagramCodecError> {
        let mut children = [Edge::NOTHING; 4];
        let (mut exact, mut fewest) = (0, 0);
        let of_suit = left >> (16 * suit) & 0xffff;
        // The lowest bit of each hand that has cards left.
        let holders = (of_suit | of_suit >> 1 | of_suit >> 2 | of_suit >> 3) & 0x1111;
        exact |= ((holders ^ 0x1111) * 15) << (16 * suit);
        let mut open = holders;
        while open != 0 {
            let owner = open.trailing_zeros() as usize / 4;
            open &= open - 1;
            let one = 1 << (16 * suit + 4 * owner);
            let token = self.token()?;
            if token <= self.tricks {
                children[owner] = Edge::leaf(token);
                fewest = greater(fewest, one);
            } else {
                let number = self.subtree(token, left - one)?;
                let (at, below) = self.finished[number];
                children[owner] = at;
                exact |= below.exact;
                fewest = greater(fewest, below.fewest + one);
            }
        }
        let number = self.finished.len();
        let at = self.nodes.push(suit, children);
        let at = at.map_err(|_| DiagramCodecError::TooManyNodes)?;
        if !at.is_node() {
            return Err(DiagramCodecError::IdleNode);
        }
        let fit = Fit {
            left,
            exact,
            fewest,
        };
        self.finished.push((at, fit));
        Ok(number)
    }

    #[inline]
    fn token(&mut self) -> Result<u8, DiagramCodecError> {
        take(&mut self.tokens)
    }

    /// The number of the node that the next distance names.
    #[inline]
    fn back(&mut self, left: Left) -> Result<usize, DiagramCodecError> {
        let distance = varint::read(
            || take(&mut self.distances),
            |_| DiagramCodecError::Distance,
        )?;
        let number = self.finished.len().wrapping_sub(distance + 1);
        let (_, fit) = self
            .finished
            .get(number)
            .ok_or(DiagramCodecError::Distance)?;
        if fit.admits(left) {
            Ok(number)
        } else {
            Err(DiagramCodecError::Misfit)
        }
    }
}

#[inline]
fn take(stream: &mut &[u8]) -> Result<u8, DiagramCodecError> {
    let (&byte, rest) = stream.split_first().ok_or(DiagramCodecError::Ends)?;
    *stream = rest;
    Ok(byte)
}
