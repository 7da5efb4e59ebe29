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

use std::slice;

use setrograde_endgame::diagram::{Bounds, Diagram, Edge, Node};
use setrograde_endgame::partition::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::format;

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

    /// The number of nodes written out: those that diagrams share count once.
    #[must_use]
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
        if !at.is_node() {
            self.tokens.push(at.lo());
        } else if self.finished[at.place()] != 0 {
            self.tokens.push(FINISHED);
            let distance = self.count - self.finished[at.place()];
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
            self.finished[at.place()] = self.count;
        }
    }
}

/// Streams that no shard of diagrams has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramCodecError {
    /// A stream is too short.
    #[error("a stream ends in the middle of a diagram")]
    Ends,
    /// A stream is too long.
    #[error("a stream continues after the last diagram")]
    GoesOn,
    /// A byte that is not a token, or a leaf beyond the level.
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
    /// More nodes than can be held: [`Edge::MAX_NODES`].
    #[error("there are too many nodes")]
    TooManyNodes,
}

// Reading the diagrams of a shard.

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// The greatest leaf: the tricks of the level.
    tricks: u8,
    nodes: Vec<Node>,
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
    children: [Edge; 4],
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
                let children = [Edge::NOTHING; 4];
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
                parent.children[place % 4] = subtree.at;
                if let Some(left_below) = parent.needs.left_below() {
                    left = left_below;
                    break;
                }
                let children = parent.children;
                let bounds = children
                    .iter()
                    .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
                if bounds.lo >= bounds.hi {
                    return Err(DiagramCodecError::IdleNode);
                }
                if self.nodes.len() >= Edge::MAX_NODES {
                    return Err(DiagramCodecError::TooManyNodes);
                }
                let at = Edge::node(place / 4, self.nodes.len(), bounds);
                self.nodes.push(Node { children });
                let fit = parent.needs.fit();
                self.path.pop();
                self.finished.push(Subtree { at, fit });
                subtree = &self.finished[self.finished.len() - 1];
            }
        }
    }

    /// The number of nodes read so far; those that diagrams share count once.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.finished.len()
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
}

/// Reads how many nodes back the next one lies.
#[inline]
fn read_distance(distances: &mut slice::Iter<'_, u8>) -> Result<usize, DiagramCodecError> {
    format::read_number(
        || distances.next().copied().ok_or(DiagramCodecError::Ends),
        |_| DiagramCodecError::Distance,
    )
}

// Where a finished node may be named again.

/// The cards left in each suit and hand, four bits each: those of suit 0, hand 0
/// lowest, then of its hand 1, and so on.
pub(crate) type Left = u64;

/// A number of cards for each suit and hand, a byte each: those at even places
/// of [`Left`], then those at odd ones.
type Counts = [u8; 16];

/// By place in [`Left`]: one card.
const ONE: [Counts; 16] = {
    let mut one = [[0; 16]; 16];
    let mut place = 0;
    while place < 16 {
        one[place][place / 2 + 8 * (place % 2)] = 1;
        place += 1;
    }
    one
};

/// The cards that may be left at a subtree, so that every path in it is
/// one that some ending takes.
///
/// A subtree needs the cards that its paths use up, and where it has no child
/// for a hand, it needs this hand to have none left. So a path through subtrees
/// that fit never has more nodes than the partition has cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    /// The number that must be left.
    fewest: Counts,
    /// The cards left where it was read.
    left: Left,
    /// All four bits where exactly these must be left.
    exact: Left,
}

/// The fit of a node, as far as its children are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    fewest: Counts,
    exact: Left,
    /// The lowest bit of each hand in [`Left`] whose child is to come.
    open: Left,
    left: Left,
}

impl Needs {
    /// Those of a node that asks about `suit`, where these cards are left. Nothing if
    /// nobody has a card of the suit.
    #[inline]
    pub(crate) fn new(suit: u8, left: Left) -> Option<Needs> {
        let hands = 0x1111 << (16 * suit);
        let holders = (left | left >> 1 | left >> 2 | left >> 3) & hands;
        (holders != 0).then_some(Needs {
            fewest: [0; 16],
            exact: (holders ^ hands) * 15,
            open: holders,
            left,
        })
    }

    /// The cards that are left for the child that comes next, or nothing if all are there.
    #[inline]
    pub(crate) fn left_below(&self) -> Option<Left> {
        (self.open != 0).then(|| self.left - (self.open & self.open.wrapping_neg()))
    }

    /// Adds those of the child that comes next, and returns the place of its card in
    /// [`Left`].
    #[inline]
    pub(crate) fn add(&mut self, child: &Fit) -> usize {
        let place = self.open.trailing_zeros() as usize / 4;
        self.open &= self.open - 1;
        self.exact |= child.exact;
        let one = &ONE[place % 16];
        // One instruction for each of these steps.
        let counts = self.fewest.iter_mut().zip(child.fewest).zip(one);
        for ((fewest, below), one) in counts {
            *fewest = below.wrapping_add(*one).max(*fewest);
        }
        place
    }

    /// The fit of the node, whose children are all known.
    #[inline]
    pub(crate) fn fit(&self) -> Fit {
        Fit {
            fewest: self.fewest,
            left: self.left,
            exact: self.exact,
        }
    }
}

impl Fit {
    /// That of a leaf, which may stand anywhere.
    pub(crate) const ANYWHERE: Fit = Fit {
        fewest: [0; 16],
        left: 0,
        exact: 0,
    };

    /// Whether a subtree fits where these cards are left.
    #[inline]
    pub(crate) fn admits(&self, left: Left) -> bool {
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        const TOP: u64 = 0x8080_8080_8080_8080;
        let (even, odd) = self.fewest.split_at(8);
        let [even, odd] = [even, odd].map(|half| half.try_into().map_or(0, u64::from_le_bytes));
        // No byte borrows from another, and its top bit stays if it is enough.
        let enough = ((left & LOW | TOP) - even) & ((left >> 4 & LOW | TOP) - odd);
        (self.left ^ left) & self.exact == 0 && enough & TOP == TOP
    }
}
