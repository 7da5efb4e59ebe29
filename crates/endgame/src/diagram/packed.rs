//! Nodes as bytes, about three each, read in place.
//!
//! A node's bounds are stored in the edge that leads to it. The bounds of its children lie within
//! them and are stored as differences from the minimum, in fewer bits for closer bounds. A new
//! child follows its parent directly; other children are given by their distance from the parent. A
//! node's bytes therefore depend neither on the minimum nor on its offset, and nodes that differ
//! only in the minimum are one.
//!
//! A node begins with its *head*, the low byte first; its offset is that of the first byte:
//!
//! | greatest less least | bytes of the head | bits of a field |
//! |---|---|---|
//! | 1 | 1 or 2 | 3 |
//! | 2 | 3 | 5 |
//! | 3, 4 | 4 | 7 |
//! | 5 and more | 6 | 3, and then a byte for each owner from bit 16 on |
//!
//! The lowest two bits are the suit whose next card the node asks for. Then follows a field for
//! each owner of the card, hand 0 first. If the bounds are one apart, the head has 14 bits. The
//! most frequent heads take one byte, their index in [`HEADS`]; the rest take two, of which the
//! first is 192 plus the upper six bits. The lowest three bits of a field are the *kind* of the
//! child:
//!
//! | kind | child |
//! |---|---|
//! | 0 | nothing: this hand cannot own the card |
//! | 1 | a leaf; of the least value, if the bounds are one apart |
//! | 2 | a leaf of the greatest value, if the bounds are one apart |
//! | 3 | the same node as that of the nearest owner before with a kind of 4 or more |
//! | 4 | the node that follows the end of this one |
//! | 5, 6, 7 | a node whose distance from the end of this one takes 1, 2, 3 bytes |
//!
//! If the bounds are one apart, a child that is a node has the same bounds. Otherwise the rest of
//! the field has its bounds, or a byte of the head; see [`ABOVE`]. The distances follow the head,
//! hand 0's first.
//!
//! Intervals are the leaves of coarse levels. If the bounds are farther apart, kind 2 is an
//! interval, with bounds encoded like a node's. If they are one apart and a child is an interval,
//! the head has three bytes. The first two give hand 0 the kind 3, which hand 0 cannot have
//! otherwise; the lowest three bits of the third are its true kind, and the next four mark the
//! hands whose child is an interval, all of which have the kind 3.
//!
//! Nodes may come from an untrusted file, so nothing here panics: an invalid reference is
//! [`Edge::NOTHING`]. A child always has a larger offset than its parent, so every walk ends.

use super::lanes::{self, ONES};
use super::{OpenChildren, TargetSide};
use crate::diagram::Edge;

/// Average size of a node of a large level in bytes, rounded up. A shared node counts for each of
/// its diagrams.
pub const NODE_BYTES: f64 = 2.75;

/// Number of bytes that must follow the last node, to read it.
pub const PADDING: usize = 16;

/// The most frequent heads of nodes whose bounds are one apart, in ascending order: those of more
/// than half of these nodes at 20 cards.
pub(super) const HEADS: [u16; 192] = [
    0x0028, 0x002a, 0x002b, 0x0030, 0x0032, 0x0033, 0x0034, 0x0036, 0x0037, 0x0038, 0x003b, 0x0088,
    0x008a, 0x008b, 0x0097, 0x00a8, 0x00aa, 0x00ab, 0x00c8, 0x00cb, 0x0220, 0x0222, 0x0223, 0x022a,
    0x022b, 0x0230, 0x0234, 0x0280, 0x0282, 0x0283, 0x028a, 0x028b, 0x02a0, 0x02a2, 0x02a3, 0x02aa,
    0x02ab, 0x02c2, 0x0420, 0x0422, 0x0423, 0x0434, 0x0436, 0x0437, 0x04a0, 0x04a2, 0x04a3, 0x04a8,
    0x04aa, 0x0520, 0x0522, 0x0523, 0x0534, 0x0622, 0x0623, 0x0808, 0x0809, 0x0810, 0x0811, 0x0812,
    0x0814, 0x0815, 0x0818, 0x0819, 0x0828, 0x0829, 0x0830, 0x0831, 0x0832, 0x0834, 0x0835, 0x0888,
    0x0894, 0x0895, 0x08a8, 0x0a00, 0x0a01, 0x0a08, 0x0a09, 0x0a14, 0x0a20, 0x0a21, 0x0a29, 0x0a30,
    0x0a31, 0x0a35, 0x0a80, 0x0a81, 0x0a88, 0x0a89, 0x0a94, 0x0aa0, 0x0aa8, 0x0aa9, 0x0c00, 0x0c01,
    0x0c02, 0x0c08, 0x0c09, 0x0c11, 0x0c14, 0x0c15, 0x0c18, 0x0c20, 0x0c21, 0x0c22, 0x0c28, 0x0c29,
    0x0c34, 0x0c35, 0x0c36, 0x0c38, 0x0ca0, 0x0ca8, 0x0cb4, 0x0cb5, 0x0d00, 0x0d01, 0x0d10, 0x0d11,
    0x0d14, 0x0d20, 0x0d21, 0x0d30, 0x0d31, 0x0e00, 0x0e01, 0x0e38, 0x2008, 0x2009, 0x200a, 0x2014,
    0x2015, 0x2028, 0x2029, 0x2034, 0x2036, 0x208a, 0x20a8, 0x20a9, 0x20aa, 0x2200, 0x2201, 0x2202,
    0x2208, 0x2209, 0x220a, 0x2214, 0x2220, 0x2221, 0x2229, 0x2281, 0x22a0, 0x22a1, 0x22a2, 0x22a8,
    0x22a9, 0x22aa, 0x22b4, 0x22b5, 0x22c8, 0x2500, 0x2501, 0x2508, 0x2520, 0x2528, 0x2534, 0x25a0,
    0x25a8, 0x25b4, 0x2808, 0x2809, 0x280a, 0x2888, 0x2889, 0x28a8, 0x2a00, 0x2a01, 0x2a08, 0x2a09,
    0x2a80, 0x2a81, 0x2a89, 0x2aa0, 0x2c08, 0x2c09, 0x3008, 0x3009, 0x3200, 0x3201, 0x3209, 0x32c8,
];

/// Minimum of the first byte of a two-byte head.
pub(super) const TWO_BYTES: u8 = HEADS.len() as u8;

/// The layout of a node, which depends on the distance between its bounds.
#[derive(Clone, Copy)]
pub(super) struct NodeLayout {
    /// The bytes of the head; 2 if they are 1 or 2.
    pub(super) head: u8,
    /// The bits of a field.
    pub(super) field: u8,
    /// A mask of this number of low bits.
    mask: u8,
    /// The index in [`ABOVE`] of the meanings of its fields; the widest nodes use separate bytes. 0
    /// if the bounds are one apart.
    pub(super) above: u8,
}

/// Returns the layout for this distance between the bounds.
#[inline]
pub(super) const fn layout(width: u32) -> NodeLayout {
    let (head, field, above) = match width {
        0 | 1 => (2, 3, 0),
        2 => (3, 5, 8),
        3 | 4 => (4, 7, 8 + 32),
        _ => (6, 3, WIDEST),
    };
    let mask = (1 << field) - 1;
    NodeLayout {
        head,
        field,
        mask,
        above,
    }
}

/// By the distance between the bounds.
static LAYOUTS: [NodeLayout; 16] = {
    let mut layouts = [layout(0); 16];
    let mut width = 1;
    while width < 16 {
        layouts[width] = layout(width as u32);
        width += 1;
    }
    layouts
};

/// See [`NodeLayout::above`]: bytes of the head have the bounds.
pub(super) const WIDEST: u8 = 8 + 32 + 128;

/// By layout and field, the bounds of a child: the difference of its minimum from the parent's
/// minimum, and four bits higher that of its maximum.
pub(super) const ABOVE: [u8; 256] = {
    const LEAVES: [u8; 5] = [0x00, 0x11, 0x22, 0x33, 0x44];
    const BOUNDS: [u8; 10] = [0x10, 0x20, 0x21, 0x30, 0x31, 0x32, 0x40, 0x41, 0x42, 0x43];
    let mut above = [NOTHING; 256];
    let mut kind = 1;
    while kind < 8 {
        above[kind] = if kind == 1 {
            0x00
        } else if kind == 2 {
            0x11
        } else {
            0x10
        };
        let mut rest = 0;
        while rest < 16 {
            let code = match kind {
                1 if rest < LEAVES.len() => LEAVES[rest],
                2.. if rest < BOUNDS.len() => BOUNDS[rest],
                _ => NOTHING,
            };
            // Of bounds that are two apart, only those within them.
            if rest < 3 {
                above[8 + kind + 8 * rest] = code;
            }
            above[8 + 32 + kind + 8 * rest] = code;
            rest += 1;
        }
        kind += 1;
    }
    above
};
/// In [`ABOVE`]: no ending leads here.
pub(super) const NOTHING: u8 = 0xff;

/// Kinds of children.
pub(super) const LEAF: u32 = 1;
/// If the bounds are one apart; otherwise an interval.
pub(super) const GREATER_LEAF: u32 = 2;
pub(super) const SAME: u32 = 3;
pub(super) const FOLLOWING: u32 = 4;

/// The bits of the kind of hand 0's child in a head, and those of [`SAME`].
pub(super) const FIRST_KIND: u32 = 7 << 2;
pub(super) const FIRST_SAME: u32 = SAME << 2;

/// Decodes the three bytes of the head of a node with intervals whose bounds are one apart. Returns
/// the head, and the owners whose children are intervals.
#[cold]
fn with_intervals(head: u32, third: u8) -> (u32, u8) {
    let kind = u32::from(third & 7) << 2;
    (head & !FIRST_KIND | kind, third >> 3)
}

/// The fields of the head of a node whose bounds are one apart, by its first byte.
static FIRST_BYTES: [u16; 256] = {
    let mut heads = [0; 256];
    let mut first = 0;
    while first < 256 {
        heads[first] = match first.checked_sub(HEADS.len()) {
            None => HEADS[first],
            Some(upper) => (upper as u16) << 8,
        };
        first += 1;
    }
    heads
};

/// A decoded node. Words have a byte for each owner, the leader's lowest.
#[derive(Clone, Copy)]
pub(super) struct PackedNode {
    /// The bounds of each child less the least value of the node: the lower one, and the upper
    /// one four bits higher. [`NOTHING`] if there is none.
    above: u32,
    /// The kind of each child.
    kinds: u32,
    /// The offset after the head.
    after: u32,
    /// The suit that it asks about.
    suit: u8,
    /// The least value.
    lo: u8,
    /// The owners whose children are intervals, one bit each, if the bounds are one apart.
    intervals: u8,
}

impl PackedNode {
    /// A node without children.
    const NOWHERE: PackedNode = PackedNode {
        above: NOTHING as u32 * ONES,
        kinds: 0,
        after: 0,
        suit: 0,
        lo: 0,
        intervals: 0,
    };

    /// Reads the node at `at`; a node without children if the bytes end there.
    #[inline]
    pub(super) fn read(bytes: &[u8], at: Edge) -> PackedNode {
        let offset = at.byte();
        let Some(first) = bytes.get(offset..).and_then(<[u8]>::first_chunk::<8>) else {
            return PackedNode::NOWHERE;
        };
        let layout = LAYOUTS[usize::from(at.hi().wrapping_sub(at.lo())) % 16];
        let (mut head, mut length) = (u64::from_le_bytes(*first), u32::from(layout.head));
        let mut intervals = 0;
        let (above, kinds);
        if layout.above == 0 {
            let has_two = u32::from(first[0] >= TWO_BYTES);
            let second = u32::from(first[1]) & has_two.wrapping_neg();
            let mut of_two = u32::from(FIRST_BYTES[usize::from(first[0])]) | second;
            length = 1 + has_two;
            if has_two == 1 && of_two & FIRST_KIND == FIRST_SAME {
                (of_two, intervals) = with_intervals(of_two, first[2]);
                length += 1;
            }
            // Fields of three bits, apart: first two and two, then each.
            let pairs = (of_two >> 2 | of_two << 8) & 0x3f_003f;
            kinds = (pairs | pairs << 5) & (7 * ONES);
            head = of_two.into();
            let [low, middle, high] = [0, 1, 2].map(|bit| kinds >> bit & ONES);
            let greater = middle & !low & !high;
            let nothing = ONES & !(low | middle | high);
            // A leaf of the minimum has 0, a leaf of the maximum 0x11, a node 0x10.
            above = greater << 4 | greater | (high | low & middle) << 4 | (nothing * 0xff);
        } else {
            let fields = [0, 1, 2, 3].map(|owner| {
                let field = head >> (2 + u32::from(layout.field) * owner);
                field as u32 & u32::from(layout.mask)
            });
            let [a, b, c, d] = fields.map(|field| field & 7);
            kinds = a | b << 8 | c << 16 | d << 24;
            above = if layout.above == WIDEST {
                let nothing = ONES & !(kinds | kinds >> 1 | kinds >> 2);
                (head >> 16) as u32 | (nothing * 0xff)
            } else {
                let above = |field: u32| ABOVE[usize::from(layout.above.wrapping_add(field as u8))];
                u32::from_le_bytes(fields.map(above))
            };
        }
        PackedNode {
            above,
            kinds,
            after: offset as u32 + length,
            suit: head as u8 & 3,
            lo: at.lo(),
            intervals,
        }
    }

    /// The suit that it asks about.
    #[inline]
    pub(super) fn suit(&self) -> usize {
        self.suit.into()
    }

    #[inline]
    fn kind(&self, owner: u32) -> u32 {
        self.kinds >> (8 * owner) & 7
    }

    /// The bounds of a child, in an edge's bits.
    #[inline]
    fn bounds(&self, owner: u32) -> u32 {
        match (self.above >> (8 * owner)) as u8 {
            NOTHING => Edge::NOTHING.to_bits(),
            above => (u32::from(above) + 0x11 * u32::from(self.lo)) & 0xff,
        }
    }

    /// The bytes of each child's distance, one byte each.
    #[inline]
    fn lengths(&self) -> u32 {
        // The kinds of 4 and more, minus 4.
        let own = self.kinds >> 2 & ONES;
        self.kinds & (own | own << 1)
    }

    /// The offset of a child that has one of its own.
    #[inline]
    fn offset(&self, bytes: &[u8], owner: u32, lengths: u32) -> Option<u32> {
        // For each owner, the end of its distance's bytes.
        let ends = lengths.wrapping_mul(ONES);
        let (length, end) = (lengths >> (8 * owner) & 3, ends >> (8 * owner) & 15);
        let at = (self.after + end - length) as usize;
        let distance = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let offset = self.after + (ends >> 24) + (distance & ((1 << (8 * length)) - 1));
        (offset < Edge::MAX_BYTES).then_some(offset)
    }

    /// The edge for an owner (0..=3).
    #[inline]
    pub(super) fn child(&self, bytes: &[u8], owner: usize) -> Edge {
        let mut owner = owner as u32 & 3;
        let bounds = self.bounds(owner);
        if !Edge::from_bits(bounds).is_node() {
            return Edge::from_bits(bounds);
        }
        if self.kind(owner) < FOLLOWING {
            if self.is_interval(owner) {
                return Edge::interval(Edge::from_bits(bounds).bounds());
            }
            if self.kind(owner) != SAME {
                return Edge::NOTHING;
            }
            owner = self.owner_before(owner);
        }
        match self.offset(bytes, owner, self.lengths()) {
            Some(offset) if self.kind(owner) >= FOLLOWING => Edge::to_byte(bounds, offset),
            _ => Edge::NOTHING,
        }
    }

    /// The edges for all owners.
    #[inline]
    pub(super) fn children(&self, bytes: &[u8]) -> [Edge; 4] {
        let (lengths, mut last) = (self.lengths(), None);
        [0, 1, 2, 3].map(|owner| {
            let bounds = self.bounds(owner);
            if self.kind(owner) >= FOLLOWING {
                last = self.offset(bytes, owner, lengths);
            }
            match Edge::from_bits(bounds) {
                leaf if !leaf.is_node() => leaf,
                open if self.is_interval(owner) => Edge::interval(open.bounds()),
                _ if self.kind(owner) < SAME => Edge::NOTHING,
                _ => last.map_or(Edge::NOTHING, |offset| Edge::to_byte(bounds, offset)),
            }
        })
    }

    /// See [`Diagram::open`](super::Diagram). The node has values on both sides of the target.
    #[inline]
    pub(super) fn open(
        &self,
        bytes: &[u8],
        owner: Option<usize>,
        side: TargetSide,
    ) -> Option<OpenChildren> {
        const LOW: u32 = 0x0f * ONES;
        const HIGHEST: u32 = 0x80 * ONES;
        let owners = owner.map_or(ONES, |owner| ONES & !lanes::lane(owner));
        let target = u32::from(side.target.wrapping_sub(self.lo) & 15) * ONES;
        let reach = |values: u32| ((values | HIGHEST) - target) >> 7 & ONES;
        let (least, greatest) = (self.above & LOW, self.above >> 4 & LOW);
        // 15 means no child.
        let nothing = (least + ONES) >> 4 & ONES;
        let (least, greatest) = (reach(least), reach(greatest));
        let outside = if side.reached {
            !greatest
        } else {
            least & !nothing
        };
        if outside & owners != 0 {
            return None;
        }
        let open = greatest & !least & owners;
        if open == 0 {
            return Some(OpenChildren::NONE);
        }
        let has_node = self.kinds >> 2 | self.kinds & self.kinds >> 1;
        let is_interval = |owner: usize| self.intervals >> owner & 1 == 1;
        if open & !has_node != 0 || self.intervals != 0 && lanes::of(open).any(is_interval) {
            return None;
        }
        let lengths = self.lengths();
        let node = |owner: usize| -> Edge {
            let bounds = self.bounds(owner as u32);
            let mut with_offset = owner as u32;
            if self.kind(with_offset) < FOLLOWING {
                with_offset = self.owner_before(with_offset);
            }
            match self.offset(bytes, with_offset, lengths) {
                Some(offset) => Edge::to_byte(bounds, offset),
                None => Edge::NOTHING,
            }
        };
        let mut edges = OpenChildren::NONE;
        let own = match owner {
            Some(owner) if greatest & !least & has_node & lanes::lane(owner) != 0 => node(owner),
            _ => Edge::NOTHING,
        };
        for owner in lanes::of(open) {
            let child = node(owner);
            if child != own {
                edges.push(child);
            }
        }
        Some(edges)
    }

    /// Returns true if the child of an owner, with open bounds, is an interval.
    #[inline]
    fn is_interval(&self, owner: u32) -> bool {
        self.intervals >> owner & 1 == 1 || self.kind(owner) == GREATER_LEAF
    }

    /// Returns the nearest earlier owner with its own offset, or the first owner.
    #[inline]
    fn owner_before(&self, owner: u32) -> u32 {
        let before = self.kinds >> 2 & ONES & ((1 << (8 * owner)) - 1);
        (before | 1).ilog2() / 8
    }
}
