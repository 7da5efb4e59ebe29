//! The children of a node that is about to be packed.

use wide::u32x4;

use super::Edge;

/// The children of a node, by owner: made one after another, and packed by a
/// [`NodePacker`](super::NodePacker).
#[derive(Clone, Copy, Debug)]
pub struct Children {
    /// The bits in which each edge differs from [`Edge::NOTHING`].
    edges: u32x4,
    /// A bit for the least value of each child and, 16 bits higher, for the greatest.
    values: u32,
}

/// By the bounds in an edge's bits: the bits of both values.
static VALUES: [u32; 256] = {
    let mut values = [0; 256];
    let mut bounds = 0;
    while bounds < values.len() {
        let (lo, hi) = (bounds & 15, bounds >> 4);
        if lo <= hi {
            values[bounds] = 1 << lo | 1 << (16 + hi);
        }
        bounds += 1;
    }
    values
};

/// By owner: all bits of its edge.
static OF_OWNER: [u32x4; 4] = [
    u32x4::new([u32::MAX, 0, 0, 0]),
    u32x4::new([0, u32::MAX, 0, 0]),
    u32x4::new([0, 0, u32::MAX, 0]),
    u32x4::new([0, 0, 0, u32::MAX]),
];

impl Children {
    /// [`Edge::NOTHING`] for every owner.
    pub const NONE: Children = Children {
        edges: u32x4::ZERO,
        values: 0,
    };

    /// Sets the child of an owner (0..=3) who has none yet.
    #[inline]
    pub fn set(&mut self, owner: usize, child: Edge) {
        let bits = child.to_bits();
        self.edges ^= u32x4::splat(bits ^ Edge::NOTHING.to_bits()) & OF_OWNER[owner & 3];
        self.values |= VALUES[bits as usize & 0xff];
    }

    /// The bits of the edges.
    #[inline]
    pub(super) fn edges(&self) -> u32x4 {
        self.edges ^ u32x4::splat(Edge::NOTHING.to_bits())
    }

    /// The least and the greatest value; the least is the greater one if there is
    /// none.
    #[inline]
    pub(super) fn bounds(&self) -> (u32, u32) {
        let greatest = (self.values >> 16).checked_ilog2();
        (self.values.trailing_zeros(), greatest.unwrap_or(0))
    }
}

impl From<[Edge; 4]> for Children {
    fn from(edges: [Edge; 4]) -> Children {
        let mut children = Children::NONE;
        for (owner, edge) in edges.into_iter().enumerate() {
            children.set(owner, edge);
        }
        children
    }
}
