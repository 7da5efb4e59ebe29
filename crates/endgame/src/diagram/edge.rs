//! Edges: references to subtrees of a diagram, with the bounds of their values.

use std::fmt;

/// Bounds on a value: minimum and maximum, in tricks for the leader's side. `lo > hi` only in
/// [`Bounds::NOTHING`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The minimum.
    pub lo: u8,
    /// The maximum.
    pub hi: u8,
}

impl Bounds {
    /// The bounds over no endings.
    pub const NOTHING: Bounds = Bounds { lo: 15, hi: 0 };

    /// The bounds of one value.
    pub const fn exactly(value: u8) -> Bounds {
        let (lo, hi) = (value, value);
        Bounds { lo, hi }
    }

    /// Returns the narrowest bounds that contain both.
    #[inline]
    #[must_use]
    pub(super) fn join(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// Returns true if these bounds contain `other`.
    #[inline]
    pub const fn contain(self, other: Bounds) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Returns true if the bounds do not decide whether a value is at least `target`.
    #[inline]
    pub const fn leave_open(self, target: u8) -> bool {
        self.lo < target && target <= self.hi
    }
}

/// The narrowest bounds that contain all; [`Bounds::NOTHING`] of none.
impl FromIterator<Bounds> for Bounds {
    fn from_iter<I: IntoIterator<Item = Bounds>>(all: I) -> Bounds {
        all.into_iter().fold(Bounds::NOTHING, Bounds::join)
    }
}

/// A reference to a subtree: a leaf's value, a leaf's interval, or a node's index with its suit and
/// its bounds.
///
/// From the lowest bit: `lo` (4), `hi` (4), suit (2), index (22). A packed node stores its own
/// suit; its edge has an offset of 24 bits, in bytes. The upper 24 bits of an interval are all set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Edge(u32);

/// The upper bits of an interval, which are not a valid offset.
const INTERVAL: u32 = 0xff_ffff;

impl Edge {
    /// The edge for an impossible owner: a hand without a card of the suit. Its bounds are
    /// [`Bounds::NOTHING`].
    pub const NOTHING: Edge = Edge(15);

    /// Maximum number of nodes of a diagram: 4,194,303.
    pub const MAX_NODES: usize = (1 << 22) - 1;

    /// Makes a leaf with a value, 0..=13.
    pub const fn leaf(value: u8) -> Edge {
        let value = value as u32 & 15;
        Edge(value | value << 4)
    }

    /// Makes an *interval*, a leaf of a coarse level with known bounds and an unknown value. `lo`
    /// must be below `hi`.
    #[inline]
    pub const fn interval(bounds: Bounds) -> Edge {
        Edge(bounds.lo as u32 | (bounds.hi as u32) << 4 | INTERVAL << 8)
    }

    /// Makes the edge to the node with an index (below [`MAX_NODES`](Self::MAX_NODES)), which asks
    /// about `suit` (0..=3) and has values in `bounds`. `lo` must be below `hi`.
    pub fn node(suit: usize, slot: usize, bounds: Bounds) -> Edge {
        debug_assert!(suit < 4 && slot < Edge::MAX_NODES && bounds.lo < bounds.hi);
        Edge(
            u32::from(bounds.lo)
                | u32::from(bounds.hi) << 4
                | (suit as u32) << 8
                | (slot as u32) << 10,
        )
    }

    /// Maximum size of a packed diagram in bytes.
    pub(super) const MAX_BYTES: u32 = INTERVAL;

    /// Makes the edge to a packed node from its bounds, encoded as in an edge, and its offset.
    #[inline]
    pub(super) const fn to_byte(bounds: u32, offset: u32) -> Edge {
        Edge(bounds | offset << 8)
    }

    /// Returns the offset of a packed node.
    #[inline]
    pub(super) const fn byte(self) -> usize {
        (self.0 >> 8) as usize
    }

    /// Joins children without a node: returns a leaf, an interval or nothing if all are the same.
    ///
    /// # Errors
    ///
    /// The bounds of the node that the children need otherwise.
    #[inline]
    pub fn joined(children: [Edge; 4]) -> Result<Edge, Bounds> {
        let bounds = children
            .iter()
            .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
        if bounds.lo == bounds.hi {
            return Ok(Edge::leaf(bounds.lo));
        }
        if bounds.lo > bounds.hi {
            return Ok(Edge::NOTHING);
        }
        let mut there = children.into_iter().filter(|child| !child.is_nothing());
        match there.next() {
            Some(first) if first.is_interval() && there.all(|child| child == first) => Ok(first),
            _ => Err(bounds),
        }
    }

    /// The edge as a number, for [`from_bits`](Self::from_bits).
    #[inline]
    pub(super) const fn to_bits(self) -> u32 {
        self.0
    }

    /// The edge with that number.
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Edge {
        Edge(bits)
    }

    /// Returns the minimum value of the subtree.
    #[inline]
    pub const fn lo(self) -> u8 {
        self.0 as u8 & 15
    }

    /// Returns the maximum value of the subtree.
    #[inline]
    pub const fn hi(self) -> u8 {
        (self.0 >> 4) as u8 & 15
    }

    /// Both bounds.
    #[inline]
    pub const fn bounds(self) -> Bounds {
        Bounds {
            lo: self.lo(),
            hi: self.hi(),
        }
    }

    /// Returns true if this is a leaf of one value.
    #[inline]
    pub const fn is_leaf(self) -> bool {
        self.lo() == self.hi()
    }

    /// Returns true if this is [`Edge::NOTHING`].
    #[inline]
    pub const fn is_nothing(self) -> bool {
        self.lo() > self.hi()
    }

    /// Returns true if this is an edge to a node.
    #[inline]
    pub const fn is_node(self) -> bool {
        self.lo() < self.hi() && !self.is_interval()
    }

    /// Returns true if this is a leaf of an [`interval`](Self::interval).
    #[inline]
    pub const fn is_interval(self) -> bool {
        self.0 >> 8 == INTERVAL
    }

    /// Returns the suit, in canonical order, whose next card the node asks about, if its diagram
    /// was made by [`Diagram::new`](super::Diagram::new); 0 for a leaf.
    #[inline]
    pub const fn suit(self) -> usize {
        (self.0 >> 8) as usize & 3
    }

    /// Returns the slot of the node in its diagram, if that was made by
    /// [`Diagram::new`](super::Diagram::new); 0 for a leaf.
    #[inline]
    pub const fn slot(self) -> usize {
        (self.0 >> 10) as usize
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_nothing() {
            write!(f, "nothing")
        } else if self.is_leaf() {
            write!(f, "={}", self.lo())
        } else if self.is_interval() {
            write!(f, "[{}, {}]", self.lo(), self.hi())
        } else {
            write!(f, "#{:x} [{}, {}]", self.byte(), self.lo(), self.hi())
        }
    }
}

/// A node: a child for each owner of the next card, hand 0 (the leader) first. The suit is stored
/// in the edges to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(16))]
pub struct Node {
    /// One child for each owner.
    pub children: [Edge; 4],
}
