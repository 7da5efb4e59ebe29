//! Diagrams as bytes: the token streams of a shard.
//!
//! A diagram is written from its root down. Every child is one token: a leaf's
//! value, a node that is written out right here, or a node that was finished
//! before, named by how many nodes of the same diagram were finished since.
//! A node needs no number of its own, and a hand without cards in the node's
//! suit needs no token: the reader, who knows the partition's shape and the
//! path from the root, knows that too. Tokens and distances go into two
//! streams, since a compressor does better on each alone.

use setrograde_endgame::diagram::{Bounds, Diagram, Node, Ref};
use setrograde_endgame::shape::{Column, Shape};

use crate::base128;

/// Tokens 0..=13 are leaves.
const LAST_LEAF: u8 = 13;
/// Tokens 16..=19 are nodes, written out next, that ask about suit 0..=3.
const NODE: u8 = 16;
/// A node that is finished; the distance to it is next in the other stream.
const FINISHED: u8 = 20;

/// The two streams of a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streams {
    /// One byte for each child and each root.
    pub tokens: Vec<u8>,
    /// Distances, in base 128 with the lowest digit first; all digits but the
    /// last have the top bit set.
    pub distances: Vec<u8>,
}

impl Streams {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.distances.clear();
    }

    /// Appends the diagram of a partition with this shape.
    pub fn push(&mut self, diagram: Diagram<'_>, shape: Shape) {
        let mut writer = Writer {
            streams: self,
            diagram,
            finished: vec![None; diagram.nodes.len()],
            count: 0,
        };
        writer.child(diagram.root, shape.columns);
    }
}

struct Writer<'a> {
    streams: &'a mut Streams,
    diagram: Diagram<'a>,
    /// When each node was finished.
    finished: Vec<Option<usize>>,
    count: usize,
}

impl Writer<'_> {
    fn child(&mut self, at: Ref, columns: [Column; 4]) {
        if !at.is_node() {
            self.streams.tokens.push(at.lo());
        } else if let Some(finished) = self.finished[at.place()] {
            self.streams.tokens.push(FINISHED);
            base128::write(self.count - finished - 1, &mut self.streams.distances);
        } else {
            let suit = at.suit();
            self.streams.tokens.push(NODE + suit as u8);
            let node = self.diagram.nodes[at.place()];
            for (owner, &child) in node.children.iter().enumerate() {
                if columns[suit].length(owner) > 0 {
                    let mut columns = columns;
                    columns[suit] = columns[suit].without_one(owner);
                    self.child(child, columns);
                }
            }
            self.finished[at.place()] = Some(self.count);
            self.count += 1;
        }
    }
}

/// What is wrong with a token stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// A stream is too short.
    #[error("a stream ends in the middle of a diagram")]
    Ends,
    /// A stream is too long.
    #[error("a stream goes on after the last diagram")]
    GoesOn,
    /// A byte that is no token, or a leaf beyond the level.
    #[error("byte {0} stands where a token should")]
    Token(u8),
    /// A distance that leads before the diagram's first node.
    #[error("a distance leads out of its diagram")]
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
pub struct Reader<'a> {
    tokens: &'a [u8],
    distances: &'a [u8],
    level: usize,
}

impl<'a> Reader<'a> {
    /// A reader of a shard's streams at `level`.
    #[must_use]
    pub fn new(tokens: &'a [u8], distances: &'a [u8], level: usize) -> Reader<'a> {
        Reader {
            tokens,
            distances,
            level,
        }
    }

    /// Reads the next diagram, which belongs to a partition of this shape,
    /// appends its nodes to `nodes` and returns its root. The places in the
    /// root and in the nodes count from the diagram's first node.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the streams.
    pub fn next(&mut self, shape: Shape, nodes: &mut Vec<Node>) -> Result<Ref, CodecError> {
        let mut diagram = Open {
            first: nodes.len(),
            nodes,
            finished: Vec::new(),
        };
        self.child(shape.columns, &mut diagram)
    }

    /// Checks that both streams are at their ends.
    ///
    /// # Errors
    ///
    /// [`CodecError::GoesOn`] if one is not.
    pub fn finish(self) -> Result<(), CodecError> {
        if self.tokens.is_empty() && self.distances.is_empty() {
            Ok(())
        } else {
            Err(CodecError::GoesOn)
        }
    }

    fn child(&mut self, columns: [Column; 4], diagram: &mut Open<'_>) -> Result<Ref, CodecError> {
        let token = take(&mut self.tokens)?;
        match token {
            0..=LAST_LEAF if usize::from(token) <= self.level => Ok(Ref::leaf(token)),
            NODE..FINISHED => {
                let suit = usize::from(token - NODE);
                let column = columns[suit];
                let mut children = [Ref::NOTHING; 4];
                for (owner, child) in children.iter_mut().enumerate() {
                    if column.length(owner) > 0 {
                        let mut columns = columns;
                        columns[suit] = column.without_one(owner);
                        *child = self.child(columns, diagram)?;
                    }
                }
                diagram.finish(suit, children)
            }
            FINISHED => {
                let distance = self.distance()?;
                diagram.back(distance)
            }
            other => Err(CodecError::Token(other)),
        }
    }

    fn distance(&mut self) -> Result<usize, CodecError> {
        base128::read(|| take(&mut self.distances), |_| CodecError::Distance)
    }
}

fn take(stream: &mut &[u8]) -> Result<u8, CodecError> {
    let (&byte, rest) = stream.split_first().ok_or(CodecError::Ends)?;
    *stream = rest;
    Ok(byte)
}

/// A diagram that is being read.
struct Open<'n> {
    first: usize,
    nodes: &'n mut Vec<Node>,
    /// The reference to each finished node.
    finished: Vec<Ref>,
}

impl Open<'_> {
    fn finish(&mut self, suit: usize, children: [Ref; 4]) -> Result<Ref, CodecError> {
        let bounds = children
            .iter()
            .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
        let place = self.nodes.len() - self.first;
        if bounds.lo >= bounds.hi || place >= Ref::MAX_NODES {
            return Err(CodecError::IdleNode);
        }
        let at = Ref::node(suit, place, bounds);
        self.nodes.push(Node { children });
        self.finished.push(at);
        Ok(at)
    }

    fn back(&self, distance: usize) -> Result<Ref, CodecError> {
        let place = self
            .finished
            .len()
            .checked_sub(distance + 1)
            .ok_or(CodecError::Distance)?;
        Ok(self.finished[place])
    }
}
