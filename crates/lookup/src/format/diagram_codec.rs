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

use setrograde_endgame::diagram::{Bounds, Diagram, Edge, Node};
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
        self.finished.resize(diagram.nodes().len(), 0);
        self.child(diagram.nodes(), diagram.root(), shape.lengths);
    }

    /// Appends a diagram whose nodes have nothing to do with those of the
    /// diagrams before.
    pub fn push_apart(&mut self, diagram: Diagram<'_>, shape: Shape) {
        self.finished.clear();
        self.push(diagram, shape);
    }

    fn child(&mut self, nodes: &[Node], at: Edge, lengths: [SuitLengths; 4]) {
        if !at.is_node() {
            self.tokens.push(at.lo());
        } else if self.finished[at.place()] != 0 {
            self.tokens.push(FINISHED);
            let distance = self.count - self.finished[at.place()];
            varint::write(distance as usize, &mut self.distances);
        } else {
            let suit = at.suit();
            self.tokens.push(NODE + suit as u8);
            for (owner, &child) in nodes[at.place()].children.iter().enumerate() {
                if lengths[suit].length(owner) > 0 {
                    let mut lengths = lengths;
                    lengths[suit] = lengths[suit].without_one(owner);
                    self.child(nodes, child, lengths);
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
    /// A node that no ending needs: its suit is exhausted, or its children are
    /// all one value.
    #[error("a node tells nothing")]
    IdleNode,
    /// The number of nodes is not the promised one.
    #[error("there are more or fewer nodes than promised")]
    Count,
}

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// By token: the leaf that it is, or [`Edge::NOTHING`].
    leaves: [Edge; 256],
    nodes: Vec<Node>,
    /// The reference to each node.
    finished: Vec<Edge>,
}

impl<'a> DiagramReader<'a> {
    /// A reader of a shard's streams at `level`, which expects so many nodes.
    #[must_use]
    pub fn new(
        tokens: &'a [u8],
        distances: &'a [u8],
        level: usize,
        nodes: usize,
    ) -> DiagramReader<'a> {
        let mut leaves = [Edge::NOTHING; 256];
        for value in 0..=LAST_LEAF.min(level as u8) {
            leaves[usize::from(value)] = Edge::leaf(value);
        }
        // Each node takes a token, so that a wrong number cannot ask for much.
        let nodes = nodes.min(tokens.len());
        DiagramReader {
            tokens,
            distances,
            leaves,
            nodes: Vec::with_capacity(nodes),
            finished: Vec::with_capacity(nodes),
        }
    }

    /// Reads the next diagram, which belongs to a partition of this shape, and
    /// returns its root. Places count from the shard's first node.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the streams.
    pub fn next(&mut self, shape: Shape) -> Result<Edge, DiagramCodecError> {
        let lengths = shape.lengths.iter().rev().fold(0, |lengths, suit_lengths| {
            lengths << 16 | u64::from(suit_lengths.bits())
        });
        let token = self.token()?;
        self.child(token, lengths)
    }

    /// The nodes of all diagrams, if both streams are at their ends.
    ///
    /// # Errors
    ///
    /// [`DiagramCodecError::GoesOn`] if one is not.
    pub fn finish(self) -> Result<Vec<Node>, DiagramCodecError> {
        if self.tokens.is_empty() && self.distances.is_empty() {
            Ok(self.nodes)
        } else {
            Err(DiagramCodecError::GoesOn)
        }
    }

    #[inline]
    fn child(&mut self, token: u8, lengths: u64) -> Result<Edge, DiagramCodecError> {
        let leaf = self.leaves[usize::from(token)];
        if leaf.is_leaf() {
            Ok(leaf)
        } else if token == FINISHED {
            self.back()
        } else if (NODE..FINISHED).contains(&token) {
            self.node(usize::from(token - NODE), lengths)
        } else {
            Err(DiagramCodecError::Token(token))
        }
    }

    /// Reads the children of a node that asks about `suit`. `lengths` has four
    /// bits for the length of each suit in each hand, those of suit 0 and hand
    /// 0 lowest.
    fn node(&mut self, suit: usize, lengths: u64) -> Result<Edge, DiagramCodecError> {
        let mut children = [Edge::NOTHING; 4];
        let mut bounds = Bounds::NOTHING;
        for (owner, child) in children.iter_mut().enumerate() {
            let nibble = 16 * suit + 4 * owner;
            if lengths >> nibble & 15 != 0 {
                let token = self.token()?;
                *child = self.child(token, lengths - (1 << nibble))?;
                bounds = bounds.join(child.bounds());
            }
        }
        let place = self.nodes.len();
        if bounds.lo >= bounds.hi || place >= Edge::MAX_NODES {
            return Err(DiagramCodecError::IdleNode);
        }
        let at = Edge::node(suit, place, bounds);
        self.nodes.push(Node { children });
        self.finished.push(at);
        Ok(at)
    }

    #[inline]
    fn token(&mut self) -> Result<u8, DiagramCodecError> {
        take(&mut self.tokens)
    }

    /// The node that the next distance names.
    #[inline]
    fn back(&mut self) -> Result<Edge, DiagramCodecError> {
        let distance = varint::read(
            || take(&mut self.distances),
            |_| DiagramCodecError::Distance,
        )?;
        let place = self.finished.len().wrapping_sub(distance + 1);
        self.finished
            .get(place)
            .copied()
            .ok_or(DiagramCodecError::Distance)
    }
}

#[inline]
fn take(stream: &mut &[u8]) -> Result<u8, DiagramCodecError> {
    let (&byte, rest) = stream.split_first().ok_or(DiagramCodecError::Ends)?;
    *stream = rest;
    Ok(byte)
}
