//! Writing packed nodes.

use rustc_hash::FxHashMap;

use crate::diagram::packed::{
    ABOVE, FIRST_KIND, FIRST_SAME, FOLLOWING, GREATER_LEAF, HEADS, LEAF, NOTHING, SAME, TWO_BYTES,
    WIDEST, layout,
};
use crate::diagram::{Bounds, Diagram, Edge, TooManyNodes};

/// Packs diagrams, which share nodes: nodes are equal if their children differ only by a number
/// added to all values.
///
/// Nodes are written last byte first, so children come before parents. The bytes are reversed at
/// the end, so a parent comes before its children. Until then the offset of a node is the number of
/// bytes up to its head.
#[derive(Debug, Default)]
pub struct NodePacker {
    /// The nodes, the last byte first.
    bytes: Vec<u8>,
    /// The offsets of nodes.
    known: FxHashMap<Body, u32>,
    /// The copies of a diagram's nodes.
    copies: Copies,
}

/// The contents of a node, except the distances: the suit, and by owner the differences of the
/// bounds from the minimum, a byte each; and by owner the offset of a node, 0 without one, [`OPEN`]
/// for an interval. They are numbers, for fast hashing.
type Body = (u64, u64, u64);

/// Marks an interval instead of an offset.
const OPEN: u32 = u32::MAX;

/// The rest of a child's field, by the differences of its bounds from the minimum.
static REST: [u8; 256] = {
    const FIRST: usize = 8 + 32;
    let mut by_above = [0; 256];
    let mut rest = 0;
    while rest < 16 {
        let [leaf, node] = [LEAF, SAME];
        by_above[ABOVE[FIRST + leaf as usize + 8 * rest] as usize] = rest as u8;
        by_above[ABOVE[FIRST + node as usize + 8 * rest] as usize] = rest as u8;
        rest += 1;
    }
    by_above
};

impl NodePacker {
    /// Makes a packer without nodes.
    #[must_use]
    pub fn new() -> NodePacker {
        NodePacker::default()
    }

    /// Removes all nodes and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.known.clear();
    }

    /// Returns the number of bytes so far.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the edge to a node that asks for the owner of the next card of `suit` (0..=3,
    /// canonical order) and has these children, which are leaves or were returned by this packer:
    /// an existing equal node, or a new one. If all children have one value, it returns that leaf
    /// and makes no node.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no space left.
    pub(crate) fn push(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let bounds = children
            .iter()
            .fold(Bounds::NOTHING, |bounds, child| bounds.join(child.bounds()));
        if bounds.lo >= bounds.hi {
            return Ok(Edge::of_bounds(bounds));
        }
        if let Some(interval) = Edge::joint_interval(children) {
            return Ok(interval);
        }
        let layout = layout(u32::from(bounds.hi - bounds.lo));
        let above = children.map(|child| match child.is_nothing() {
            true => NOTHING,
            false => (child.lo() - bounds.lo) | (child.hi() - bounds.lo) << 4,
        });
        let offsets = children.map(|child| match child.is_node() {
            true => child.byte() as u32,
            false if child.is_interval() => OPEN,
            false => 0,
        });
        let [a, b, c, d] = offsets.map(u64::from);
        let first = (suit as u64 & 3) | u64::from(u32::from_le_bytes(above)) << 32;
        let body: Body = (first, a | b << 32, c | d << 32);
        let bits = u32::from(bounds.lo) | u32::from(bounds.hi) << 4;
        if let Some(&offset) = self.known.get(&body) {
            return Ok(Edge::to_byte(bits, offset));
        }
        let end = self.bytes.len() as u32;
        let mut head = suit as u64 & 3;
        let (mut distances, mut written) = ([0; 12], 0);
        let (mut last, mut intervals) = (0, 0);
        for (owner, (&above, &offset)) in above.iter().zip(&offsets).enumerate() {
            let kind = if above == NOTHING {
                0
            } else if offset == 0 {
                let is_greater = layout.head == 2 && above != 0;
                if is_greater { GREATER_LEAF } else { LEAF }
            } else if offset == OPEN {
                intervals |= 1 << owner;
                if layout.head == 2 { SAME } else { GREATER_LEAF }
            } else if offset == last {
                SAME
            } else {
                last = offset;
                let distance = (end - offset).to_le_bytes();
                let length = 4 - (end - offset).leading_zeros() / 8;
                for &byte in &distance[..length as usize] {
                    distances[written] = byte;
                    written += 1;
                }
                FOLLOWING + length
            };
            let owner = owner as u32;
            let mut field = kind;
            if above != NOTHING {
                match layout.above {
                    WIDEST => head |= u64::from(above) << (16 + 8 * owner),
                    0 => {}
                    _ => field |= u32::from(REST[usize::from(above)]) << 3,
                }
            }
            head |= u64::from(field) << (2 + u32::from(layout.field) * owner);
        }
        let mut bytes = u32::from(layout.head);
        let third = intervals << 3 | (head >> 2 & 7) as u8;
        if layout.head == 2 && intervals != 0 {
            head = head & !u64::from(FIRST_KIND) | u64::from(FIRST_SAME);
        }
        if layout.head == 2 {
            let common = HEADS.binary_search(&(head as u16));
            bytes = 1 + u32::from(common.is_err());
            // The upper six bits come first.
            head = common
                .map_or((head as u16).swap_bytes() + u16::from(TWO_BYTES), |at| {
                    at as u16
                })
                .into();
            if intervals != 0 {
                head |= u64::from(third) << 16;
                bytes += 1;
            }
        }
        let offset = end + written as u32 + bytes;
        if offset >= Edge::MAX_BYTES {
            return Err(TooManyNodes);
        }
        self.bytes.extend(distances[..written].iter().rev());
        let head = head.to_le_bytes();
        self.bytes.extend(head[..bytes as usize].iter().rev());
        self.known.insert(body, offset);
        Ok(Edge::to_byte(bits, offset))
    }

    /// Packs a diagram in either form, and returns the edge to its root.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no space left.
    pub fn add(&mut self, diagram: Diagram<'_>) -> Result<Edge, TooManyNodes> {
        let mut copies = std::mem::take(&mut self.copies);
        let root = copy(diagram, &mut copies, |suit, children| {
            self.push(suit, children)
        });
        self.copies = copies;
        root
    }

    /// Returns the offset of a diagram's root in the [bytes](Self::to_bytes).
    #[must_use]
    pub fn offset(&self, root: Edge) -> usize {
        match root.is_node() {
            true => self.bytes.len() - root.byte(),
            false => 0,
        }
    }

    /// Returns the nodes in the form that [`Diagram::packed_at_start`] reads, without the
    /// [`PADDING`] that must follow them.
    ///
    /// [`PADDING`]: super::PADDING
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.iter().rev().copied().collect()
    }
}

/// A node whose children are being copied.
struct CopyFrame {
    at: Edge,
    suit: usize,
    children: [Edge; 4],
    next: usize,
}

/// The copies of nodes, by the edges to them.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The copies of plain nodes, by index.
    plain: Vec<Option<Edge>>,
    /// The indices that are set.
    set: Vec<u32>,
    /// The copies of packed nodes.
    packed: FxHashMap<Edge, Edge>,
}

impl Copies {
    /// Removes all copies, and reserves memory for those of a diagram.
    fn start(&mut self, diagram: &Diagram<'_>) {
        for slot in self.set.drain(..) {
            self.plain[slot as usize] = None;
        }
        self.packed.clear();
        let nodes = diagram.plain_nodes().unwrap_or_default().len();
        if self.plain.len() < nodes {
            self.plain.resize(nodes, None);
        }
    }

    fn get(&self, is_plain: bool, at: Edge) -> Option<Edge> {
        match is_plain {
            true => self.plain[at.slot()],
            false => self.packed.get(&at).copied(),
        }
    }

    fn insert(&mut self, is_plain: bool, at: Edge, copy: Edge) {
        if is_plain {
            self.plain[at.slot()] = Some(copy);
            self.set.push(at.slot() as u32);
        } else {
            self.packed.insert(at, copy);
        }
    }

    fn len(&self) -> usize {
        self.set.len() + self.packed.len()
    }
}

/// Copies a diagram, children before parents. `push` takes a suit and the edges to copied children,
/// and returns the edge to the copied node. `copies` remembers the copied nodes. Returns the edge
/// to the root's copy.
pub(super) fn copy(
    diagram: Diagram<'_>,
    copies: &mut Copies,
    mut push: impl FnMut(usize, [Edge; 4]) -> Result<Edge, TooManyNodes>,
) -> Result<Edge, TooManyNodes> {
    let open = |at: Edge| {
        let node = diagram.node(at);
        CopyFrame {
            at,
            suit: node.suit(),
            children: diagram.children_of(&node),
            next: 0,
        }
    };
    let (root, is_plain) = (diagram.root(), diagram.plain_nodes().is_some());
    if !root.is_node() {
        return Ok(root);
    }
    copies.start(&diagram);
    let mut path = vec![open(root)];
    while let Some(node) = path.last_mut() {
        let Some(child) = node.children.get_mut(node.next) else {
            let made = push(node.suit, node.children)?;
            copies.insert(is_plain, node.at, made);
            if copies.len() > Edge::MAX_NODES {
                return Err(TooManyNodes);
            }
            path.pop();
            match path.last_mut() {
                Some(parent) => {
                    parent.children[parent.next & 3] = made;
                    parent.next += 1;
                }
                None => return Ok(made),
            }
            continue;
        };
        if child.is_node() {
            match copies.get(is_plain, *child) {
                Some(copy) => *child = copy,
                None => {
                    let child = *child;
                    path.push(open(child));
                    continue;
                }
            }
        }
        node.next += 1;
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::PADDING;

    fn read(packer: &NodePacker) -> Vec<u8> {
        let mut bytes = packer.to_bytes();
        bytes.resize(bytes.len() + PADDING, 0);
        bytes
    }

    /// Returns the edge after the bytes are reversed.
    fn turned(packer: &NodePacker, at: Edge) -> Edge {
        match at.is_node() {
            true => Edge::to_byte(at.to_bits() & 0xff, packer.offset(at) as u32),
            false => at,
        }
    }

    /// Random children, near and far, with bounds of every width.
    #[test]
    fn children_are_read_as_they_were_written() {
        for with_intervals in [false, true] {
            children_are_read(with_intervals);
        }
    }

    fn children_are_read(with_intervals: bool) {
        let random = &mut fastrand::Rng::with_seed(11);
        for most in 1..=13 {
            let mut packer = NodePacker::new();
            let mut made = vec![Edge::leaf(0)];
            let mut pushed = Vec::new();
            while packer.len() < 180_000 {
                let child = |random: &mut fastrand::Rng| match random.u8(..8) {
                    0 => Edge::NOTHING,
                    1 | 2 => Edge::leaf(random.u8(..=most)),
                    3 if with_intervals => {
                        let lo = random.u8(..most);
                        let hi = random.u8(lo + 1..=most);
                        Edge::interval(Bounds { lo, hi })
                    }
                    3 | 4 => made[made.len() - 1],
                    5 | 6 => made[made.len() - 1 - random.usize(..made.len().min(100))],
                    _ => made[random.usize(..made.len())],
                };
                let children = [(); 4].map(|()| child(random));
                let suit = random.usize(..4);
                let at = packer.push(suit, children).expect("few nodes");
                if at.is_node() {
                    pushed.push((at, suit, children));
                    made.push(at);
                }
            }
            let bytes = read(&packer);
            for (at, suit, children) in pushed {
                let at = turned(&packer, at);
                let children = children.map(|child| turned(&packer, child));
                let diagram = Diagram::packed(&bytes, at);
                assert_eq!(diagram.children(at), children);
                assert_eq!(diagram.suit(at), suit);
                for (owner, child) in children.into_iter().enumerate() {
                    assert_eq!(diagram.child(at, owner), child);
                }
            }
        }
    }

    /// The node of docs/format.md.
    #[test]
    fn an_interval_in_narrow_bounds_takes_a_byte() -> Result<(), TooManyNodes> {
        let mut packer = NodePacker::new();
        let bounds = Bounds { lo: 2, hi: 3 };
        let children = [
            Edge::leaf(2),
            Edge::interval(bounds),
            Edge::NOTHING,
            Edge::leaf(3),
        ];
        let root = packer.push(1, children)?;
        let bytes = read(&packer);
        // Suit 1; kinds 3 (instead of 1), 3, 0, 2; hand 0: kind 1, hand 1: an interval.
        let head = 1 | 3 << 2 | 3 << 5 | 2 << 11;
        assert_eq!(
            bytes[..3],
            [192 + (head >> 8) as u8, head as u8, 1 | 2 << 3]
        );
        let at = turned(&packer, root);
        assert_eq!(Diagram::packed(&bytes, at).children(at), children);
        Ok(())
    }

    #[test]
    fn equal_intervals_make_no_node() {
        let mut packer = NodePacker::new();
        let open = Edge::interval(Bounds { lo: 1, hi: 3 });
        let other = Edge::interval(Bounds { lo: 1, hi: 2 });
        let same = [open, Edge::NOTHING, open, open];
        assert_eq!(packer.push(1, same), Ok(open));
        assert_eq!(packer.len(), 0);
        assert!(
            packer
                .push(1, [open, other, open, open])
                .is_ok_and(Edge::is_node)
        );
        assert!(
            packer
                .push(1, [open, Edge::leaf(2), open, open])
                .is_ok_and(Edge::is_node)
        );
    }

    #[test]
    fn one_value_makes_no_node() {
        let mut packer = NodePacker::new();
        let same = [Edge::leaf(3), Edge::NOTHING, Edge::leaf(3), Edge::leaf(3)];
        assert_eq!(packer.push(1, same), Ok(Edge::leaf(3)));
        assert_eq!(packer.push(1, [Edge::NOTHING; 4]), Ok(Edge::NOTHING));
        assert_eq!(packer.len(), 0);
    }

    /// The nodes of docs/format.md.
    #[test]
    fn nodes_that_differ_by_a_number_are_one() -> Result<(), TooManyNodes> {
        let mut packer = NodePacker::new();
        let low = packer.push(2, [0, 1, 0, 1].map(Edge::leaf))?;
        let high = packer.push(2, [1, 2, 1, 2].map(Edge::leaf))?;
        assert_eq!((low.byte(), high.byte(), packer.len()), (2, 2, 2));
        let root = packer.push(0, [low, high, Edge::NOTHING, Edge::leaf(2)])?;
        let bytes = read(&packer);
        // Suit 0; hand 0: the node that follows, 0 to 1; hand 1: the same, 1 to 2;
        // hand 2: nothing; hand 3: a leaf, 2 above the least value.
        let head = 4 << 2 | (3 | 2 << 3) << 7 | (1 | 2 << 3) << 17;
        // Suit 2; leaves of the lesser and of the greater value in turn.
        let below = 2 | 1 << 2 | 2 << 5 | 1 << 8 | 2 << 11;
        assert_eq!(bytes[..3], u32::to_le_bytes(head)[..3]);
        assert!(HEADS.is_sorted() && !HEADS.contains(&below));
        assert_eq!(bytes[3..5], [192 + (below >> 8) as u8, below as u8]);
        let at = turned(&packer, root);
        let diagram = Diagram::packed(&bytes, at);
        let children = diagram.children(at);
        assert_eq!(children[2..], [Edge::NOTHING, Edge::leaf(2)]);
        assert_eq!(diagram.children(children[0]), [0, 1, 0, 1].map(Edge::leaf));
        assert_eq!(diagram.children(children[1]), [1, 2, 1, 2].map(Edge::leaf));
        // A common head takes a byte: suit 0; a greater leaf, a lesser one, and nothing.
        let nothing = Edge::NOTHING;
        let common = packer.push(0, [Edge::leaf(1), Edge::leaf(0), nothing, nothing])?;
        assert_eq!((packer.offset(common), packer.len()), (0, 6));
        assert_eq!(HEADS.binary_search(&(2 << 2 | 1 << 5)), Ok(0));
        assert_eq!(packer.to_bytes()[0], 0);
        Ok(())
    }

    #[test]
    fn offsets_come_to_an_end() {
        let mut packer = NodePacker::new();
        let mut last = packer.push(0, [0, 1, 1, 1].map(Edge::leaf)).expect("one");
        let first = last;
        let mut children = [Edge::NOTHING; 4];
        let mut next = [last, first, last, Edge::leaf(0)];
        while let Ok(at) = packer.push(0, next) {
            (last, children) = (at, next);
            next = [last, first, last, Edge::leaf(0)];
        }
        let bytes = read(&packer);
        let at = turned(&packer, last);
        let found = Diagram::packed(&bytes, at).children(at);
        assert_eq!(found, children.map(|child| turned(&packer, child)));
        assert!(packer.len() + 16 > Edge::MAX_BYTES as usize);
    }

    /// For any bytes, children have larger offsets than their parents, and questions end.
    #[test]
    fn bytes_that_nobody_wrote_lead_forward() {
        let random = &mut fastrand::Rng::with_seed(12);
        for _ in 0..200_000 {
            let bytes: Vec<u8> = (0..random.usize(..40)).map(|_| random.u8(..)).collect();
            let (lo, hi) = (random.u8(..15), random.u8(..15));
            let at = Edge::to_byte(u32::from(lo | hi << 4), random.u32(..50));
            if !at.is_node() {
                continue;
            }
            let diagram = Diagram::packed(&bytes, at);
            for child in diagram.children(at) {
                assert!(!child.is_node() || child.byte() > at.byte());
            }
            let _ = diagram.own_nodes();
        }
    }
}
