//! Diagrams as bytes: the token streams of a shard.
//!
//! A diagram is written from its root down. Every child is one token: a leaf's value or interval, a
//! node that follows immediately, or a finished node, named by the number of nodes of the shard
//! that were finished since. Diagrams of a shard share nodes: those of neighbouring partitions have
//! almost half of theirs in common. A node needs no number, and a hand without cards in the node's
//! suit needs no token, because the reader knows the partition's shape and the path from the root.
//! Tokens and distances are separate streams, because they compress better separately.

use std::slice;

use setrograde_endgame::diagram::{Bounds, Diagram, Edge, Node};
use setrograde_endgame::partition::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::format::{self, StreamError};

/// Tokens 0..=13 are leaves.
const LAST_LEAF: u8 = 13;
/// Tokens 16..=19 are nodes, written out next, that ask about suit 0..=3.
const NODE: u8 = 16;
/// A node that is finished; the distance to it is next in the other stream.
const FINISHED: u8 = 20;
/// Tokens from here on are intervals: this number, plus 14 times the minimum, plus the maximum.
const INTERVAL: u8 = 32;

/// The two streams of a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiagramStreams {
    /// One byte for each child and each root.
    pub tokens: Vec<u8>,
    /// Distances, in base 128 with the lowest digit first; all digits but the
    /// last have the top bit set.
    pub distances: Vec<u8>,
    /// By node: its number in the order of finishing, counted from 1; 0 for a node that is not
    /// finished.
    finished: Vec<u32>,
    count: u32,
}

impl DiagramStreams {
    /// Clears the streams and keeps their memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.distances.clear();
        self.finished.clear();
        self.count = 0;
    }

    /// Returns the number of nodes written. Shared nodes count once.
    pub fn node_count(&self) -> u32 {
        self.count
    }

    /// Appends the diagram of a partition with this shape, one of [`Diagram::new`]. Its
    /// nodes must begin with those of the diagram before, with which it may share some, as
    /// they do if both come from one [`DiagramBuilder`].
    ///
    /// [`DiagramBuilder`]: setrograde_endgame::diagram::DiagramBuilder
    pub fn push(&mut self, diagram: Diagram<'_>, shape: Shape) {
        let nodes = diagram.plain_nodes().unwrap_or_default();
        self.finished.resize(nodes.len(), 0);
        self.child(&diagram, diagram.root(), shape.lengths);
    }

    fn child(&mut self, diagram: &Diagram<'_>, at: Edge, lengths: [SuitLengths; 4]) {
        if at.is_interval() {
            self.tokens.push(INTERVAL + 14 * at.lo() + at.hi());
        } else if !at.is_node() {
            self.tokens.push(at.lo());
        } else if self.finished[at.slot()] != 0 {
            self.tokens.push(FINISHED);
            let distance = self.count - self.finished[at.slot()];
            format::write_number(distance as usize, &mut self.distances);
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
            self.finished[at.slot()] = self.count;
        }
    }
}

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// The largest leaf: the tricks of the level.
    tricks: u8,
    /// Maximum number of nodes on a path: the cards of the level.
    cards: usize,
    /// True if leaves may be intervals.
    coarse: bool,
    nodes: Vec<Node>,
    /// By node: the edge to it, and the number of nodes on the longest path from it.
    finished: Vec<(Edge, u8)>,
    /// The nodes from the root to the one whose children are being read.
    path: Vec<Unfinished>,
}

/// The cards left in each suit and hand, four bits each: those of suit 0, hand 0
/// lowest, then of its hand 1, and so on.
type RemainingCards = u64;

/// A node whose children are not all read yet.
#[derive(Debug)]
struct Unfinished {
    children: [Edge; 4],
    /// The lowest bit of each hand in [`RemainingCards`] whose child is to come.
    open: RemainingCards,
    left: RemainingCards,
    /// The number of nodes on the longest path from a child.
    height: u8,
}

impl Unfinished {
    /// Makes a node that asks about `suit`, with these cards left; `None` if no hand has a card of
    /// the suit.
    #[inline]
    fn new(suit: u8, left: RemainingCards) -> Option<Unfinished> {
        let holders = (left | left >> 1 | left >> 2 | left >> 3) & 0x1111 << (16 * suit);
        (holders != 0).then_some(Unfinished {
            children: [Edge::NOTHING; 4],
            open: holders,
            left,
            height: 0,
        })
    }

    /// Returns the cards left for the next child; `None` if the node is complete.
    #[inline]
    fn left_below(&self) -> Option<RemainingCards> {
        (self.open != 0).then(|| self.left - (self.open & self.open.wrapping_neg()))
    }

    /// Adds the next child. Returns the suit.
    #[inline]
    fn add(&mut self, child: Edge, height: u8) -> usize {
        let slot = self.open.trailing_zeros() as usize / 4;
        self.open &= self.open - 1;
        self.children[slot % 4] = child;
        self.height = self.height.max(height);
        slot / 4
    }
}

impl<'a> DiagramReader<'a> {
    /// A reader of a shard's streams at `level`, which expects `nodes` nodes. Only in a
    /// `coarse` level leaves may be intervals.
    pub fn new(
        tokens: &'a [u8],
        distances: &'a [u8],
        level: usize,
        nodes: usize,
        coarse: bool,
    ) -> DiagramReader<'a> {
        // Each node has at least two children, so a wrong number cannot allocate much.
        let nodes = nodes.min(tokens.len() / 2);
        DiagramReader {
            tokens,
            distances,
            tricks: LAST_LEAF.min(level as u8),
            cards: 4 * level,
            coarse,
            nodes: Vec::with_capacity(nodes),
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
    /// If the streams are wrong. No path of a diagram that is read without an error has more nodes
    /// than there are cards. It does not check that the diagram covers all endings of the shape: a
    /// proof of the values does.
    pub fn next(&mut self, shape: Shape) -> Result<Edge, StreamError> {
        let mut left = (0..4).rev().fold(0, |left, suit| {
            left << 16 | u64::from(shape.lengths[suit].bits())
        });
        let mut tokens = self.tokens.iter();
        let mut distances = self.distances.iter();
        self.path.clear();
        loop {
            let &token = tokens.next().ok_or(StreamError::Ends)?;
            let (mut at, mut height) = match token {
                NODE..FINISHED => {
                    // Each node uses up a card, so a path is no longer than the number of cards.
                    let node = Unfinished::new(token - NODE, left).ok_or(StreamError::IdleNode)?;
                    left = node.left_below().unwrap_or(left);
                    self.path.push(node);
                    continue;
                }
                FINISHED => {
                    let distance = read_distance(&mut distances)?;
                    let number = self.finished.len().wrapping_sub(distance + 1);
                    let named = self.finished.get(number);
                    let &(at, height) = named.ok_or(StreamError::Distance)?;
                    if self.path.len() + usize::from(height) > self.cards {
                        return Err(StreamError::Depth);
                    }
                    (at, height)
                }
                value if value <= self.tricks => (Edge::leaf(value), 0),
                INTERVAL.. if self.coarse => (self.interval(token)?, 0),
                other => return Err(StreamError::Token(other)),
            };
            // Add it to its parent, and the parent to its own if that completes it.
            loop {
                let Some(parent) = self.path.last_mut() else {
                    self.tokens = tokens.as_slice();
                    self.distances = distances.as_slice();
                    return Ok(at);
                };
                let suit = parent.add(at, height);
                if let Some(left_below) = parent.left_below() {
                    left = left_below;
                    break;
                }
                let children = parent.children;
                let Err(bounds) = Edge::joined(children) else {
                    return Err(StreamError::IdleNode);
                };
                if self.nodes.len() >= Edge::MAX_NODES {
                    return Err(StreamError::TooManyNodes);
                }
                at = Edge::node(suit, self.nodes.len(), bounds);
                height = parent.height + 1;
                self.nodes.push(Node { children });
                self.finished.push((at, height));
                self.path.pop();
            }
        }
    }

    /// The interval of a token.
    fn interval(&self, token: u8) -> Result<Edge, StreamError> {
        let (lo, hi) = ((token - INTERVAL) / 14, (token - INTERVAL) % 14);
        if lo < hi && hi <= self.tricks {
            Ok(Edge::interval(Bounds { lo, hi }))
        } else {
            Err(StreamError::Token(token))
        }
    }

    /// Returns the number of nodes read so far. Shared nodes count once.
    pub fn node_count(&self) -> usize {
        self.finished.len()
    }

    /// The nodes of all diagrams, if both streams are at their ends.
    ///
    /// # Errors
    ///
    /// [`StreamError::TrailingBytes`] if one is not.
    pub fn finish(self) -> Result<Vec<Node>, StreamError> {
        if self.tokens.is_empty() && self.distances.is_empty() {
            Ok(self.nodes)
        } else {
            Err(StreamError::TrailingBytes)
        }
    }
}

/// Reads the distance to a finished node, in nodes.
#[inline]
fn read_distance(distances: &mut slice::Iter<'_, u8>) -> Result<usize, StreamError> {
    let mut digit = || distances.next().copied().ok_or(StreamError::Ends);
    format::read_number(&mut digit)?.ok_or(StreamError::Distance)
}
