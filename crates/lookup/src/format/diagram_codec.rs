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
    /// A finished node that is named where the hands have other cards left than
    /// it was written for.
    #[error("a finished node does not fit the cards that are left")]
    Misfit,
    /// A node that no ending needs: its suit is exhausted, or its children are
    /// all one value.
    #[error("a node tells nothing")]
    IdleNode,
    /// The number of nodes is not the promised one.
    #[error("there are more or fewer nodes than promised")]
    Count,
}

/// Cards left in each suit and hand: those of suit 0, hand 0 first, then of its
/// hand 1, and so on.
type Left = [u8; 16];

/// Which cards may be left where a subtree stands, so that every path in it is
/// one that some ending takes: for each suit and hand the fewest and the most.
///
/// A subtree needs the cards that its paths use up, and where it has no child
/// for a hand, it needs this hand to have none left. So a path through subtrees
/// that fit never has more nodes than the partition has cards.
#[derive(Clone, Copy, Debug)]
struct Fit {
    fewest: Left,
    most: Left,
}

impl Fit {
    /// Stands for no limit.
    const ANY: u8 = 127;

    const ANYTHING: Fit = Fit {
        fewest: [0; 16],
        most: [Fit::ANY; 16],
    };

    #[inline]
    fn admits(&self, left: &Left) -> bool {
        let mut fits = true;
        for (place, &cards) in left.iter().enumerate() {
            fits &= self.fewest[place] <= cards && cards <= self.most[place];
        }
        fits
    }

    /// Adds what a child needs once it has the card at `place`.
    #[inline]
    fn join(&mut self, mut child: Fit, place: usize) {
        child.fewest[place] += 1;
        // No limit stays none, for there are at most 13 cards.
        child.most[place] += 1;
        for place in 0..16 {
            self.fewest[place] = self.fewest[place].max(child.fewest[place]);
            self.most[place] = self.most[place].min(child.most[place]);
        }
    }
}

/// Reads the diagrams of a shard one after another.
#[derive(Debug)]
pub struct DiagramReader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    /// By token: the leaf that it is, or [`Edge::NOTHING`].
    leaves: [Edge; 256],
    nodes: Vec<Node>,
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
        let mut leaves = [Edge::NOTHING; 256];
        for value in 0..=LAST_LEAF.min(level as u8) {
            leaves[usize::from(value)] = Edge::leaf(value);
        }
        // Each node has two children at least, so that a wrong number cannot
        // ask for much.
        let nodes = nodes.min(tokens.len() / 2);
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
    /// Whatever is wrong with the streams. What is read without one is a
    /// diagram that leads every ending of the shape to a value, and every path
    /// of it is the path of some ending.
    pub fn next(&mut self, shape: Shape) -> Result<Edge, DiagramCodecError> {
        let mut left = [0; 16];
        for (suit, lengths) in shape.lengths.iter().enumerate() {
            left[4 * suit..4 * suit + 4].copy_from_slice(&lengths.to_array());
        }
        let token = self.token()?;
        let leaf = self.leaves[usize::from(token)];
        if leaf.is_leaf() {
            return Ok(leaf);
        }
        Ok(self.subtree(token, &left)?.0)
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

    /// The node that a token says comes next, or was finished before.
    #[inline]
    fn subtree(&mut self, token: u8, left: &Left) -> Result<(Edge, Fit), DiagramCodecError> {
        if token == FINISHED {
            self.back(left)
        } else if (NODE..FINISHED).contains(&token) {
            self.node(usize::from(token - NODE), left)
        } else {
            Err(DiagramCodecError::Token(token))
        }
    }

    /// Reads the children of a node that asks about `suit`. Each takes a card
    /// away, so that this calls itself no deeper than there are cards.
    fn node(&mut self, suit: usize, left: &Left) -> Result<(Edge, Fit), DiagramCodecError> {
        let mut children = [Edge::NOTHING; 4];
        let mut bounds = Bounds::NOTHING;
        let mut fit = Fit::ANYTHING;
        for (owner, child) in children.iter_mut().enumerate() {
            let place = 4 * suit + owner;
            if left[place] == 0 {
                fit.most[place] = 0;
                continue;
            }
            let token = self.token()?;
            let leaf = self.leaves[usize::from(token)];
            if leaf.is_leaf() {
                *child = leaf;
                fit.fewest[place] = fit.fewest[place].max(1);
            } else {
                let mut left = *left;
                left[place] -= 1;
                let (at, below) = self.subtree(token, &left)?;
                *child = at;
                fit.join(below, place);
            }
            bounds = bounds.join(child.bounds());
        }
        let place = self.nodes.len();
        if bounds.lo >= bounds.hi || place >= Edge::MAX_NODES {
            return Err(DiagramCodecError::IdleNode);
        }
        let at = Edge::node(suit, place, bounds);
        self.nodes.push(Node { children });
        self.finished.push((at, fit));
        Ok((at, fit))
    }

    #[inline]
    fn token(&mut self) -> Result<u8, DiagramCodecError> {
        take(&mut self.tokens)
    }

    /// The node that the next distance names.
    #[inline]
    fn back(&mut self, left: &Left) -> Result<(Edge, Fit), DiagramCodecError> {
        let distance = varint::read(
            || take(&mut self.distances),
            |_| DiagramCodecError::Distance,
        )?;
        let place = self.finished.len().wrapping_sub(distance + 1);
        let &(at, fit) = self
            .finished
            .get(place)
            .ok_or(DiagramCodecError::Distance)?;
        if fit.admits(left) {
            Ok((at, fit))
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
