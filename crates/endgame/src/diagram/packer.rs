//! Writing packed nodes.

use rustc_hash::FxHashMap;

use crate::diagram::packed::{
    ABOVE, FIRST_KIND, FIRST_SAME, FOLLOWING, GREATER_LEAF, HEADS, LEAF, NOTHING, NodeLayout, SAME,
    TWO_BYTES, WIDEST, layout,
};
use crate::diagram::{Diagram, Edge, TooManyNodes};

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

/// The contents of a node without its distances. They are numbers, for fast hashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Body {
    /// The suit, and from bit 32 on the bounds of each child less the minimum, one byte each.
    suit_and_above: u64,
    /// The offsets of the nodes of hands 0 and 1, 32 bits each: 0 without one, [`OPEN`] for an
    /// interval.
    first_offsets: u64,
    /// The same of hands 2 and 3.
    last_offsets: u64,
}

impl Body {
    fn new(suit: usize, children: &[Child; 4]) -> Body {
        let above = children.map(|child| child.above);
        let [a, b, c, d] = children.map(|child| u64::from(child.offset));
        Body {
            suit_and_above: (suit as u64 & 3) | u64::from(u32::from_le_bytes(above)) << 32,
            first_offsets: a | b << 32,
            last_offsets: c | d << 32,
        }
    }
}

/// A child of the node that is packed.
#[derive(Clone, Copy)]
struct Child {
    /// Its bounds less the minimum of the node, the lower one in the low four bits; [`NOTHING`] if
    /// there is no child.
    above: u8,
    /// The offset of its node: 0 without one, [`OPEN`] for an interval.
    offset: u32,
}

impl Child {
    fn new(edge: Edge, least: u8) -> Child {
        let above = if edge.is_nothing() {
            NOTHING
        } else {
            (edge.lo() - least) | (edge.hi() - least) << 4
        };
        let offset = if edge.is_node() {
            edge.byte() as u32
        } else if edge.is_interval() {
            OPEN
        } else {
            0
        };
        Child { above, offset }
    }
}

/// The first bit of the fields in a head, after the suit.
const FIELDS: u32 = 2;

/// The first bit of the bounds in the widest heads, a byte for each owner.
const WIDE_BOUNDS: u32 = 16;

/// The bytes of a head whose bounds are one apart, before the frequent ones get one byte.
const NARROW: u8 = layout(1).head;

/// The parts of a node that is written.
struct NodeParts {
    layout: NodeLayout,
    /// The suit and the fields, as if no child were an interval in narrow bounds.
    head: u64,
    /// The hands that lead to an interval, if the bounds are one apart, one bit each.
    intervals: u8,
    /// The distances to children, hand 0's first, each with its lowest byte first.
    distances: [u8; 12],
    /// The number of bytes of the distances.
    length: usize,
}

impl NodeParts {
    fn new(suit: usize, layout: NodeLayout) -> NodeParts {
        NodeParts {
            layout,
            head: suit as u64 & 3,
            intervals: 0,
            distances: [0; 12],
            length: 0,
        }
    }

    /// Returns true if the bounds of the node are one apart.
    fn is_narrow(&self) -> bool {
        self.layout.head == NARROW
    }

    fn kind_of_leaf(&self, above: u8) -> u32 {
        if self.is_narrow() && above != 0 {
            GREATER_LEAF
        } else {
            LEAF
        }
    }

    fn kind_of_interval(&mut self, owner: usize) -> u32 {
        self.intervals |= 1 << owner;
        if self.is_narrow() { SAME } else { GREATER_LEAF }
    }

    /// Adds the distance to a child, and returns the child's kind.
    fn add_distance(&mut self, distance: u32) -> u32 {
        let length = 4 - distance.leading_zeros() / 8;
        for &byte in &distance.to_le_bytes()[..length as usize] {
            self.distances[self.length] = byte;
            self.length += 1;
        }
        FOLLOWING + length
    }

    /// Sets the field of a hand: the kind of its child, and the child's bounds.
    fn set_field(&mut self, owner: usize, kind: u32, above: u8) {
        let owner = owner as u32;
        let mut field = kind;
        if above != NOTHING {
            match self.layout.above {
                WIDEST => self.head |= u64::from(above) << (WIDE_BOUNDS + 8 * owner),
                0 => {}
                _ => field |= u32::from(REST[usize::from(above)]) << 3,
            }
        }
        self.head |= u64::from(field) << (FIELDS + u32::from(self.layout.field) * owner);
    }

    /// Returns the bytes of the head as a number, the first one lowest, and how many there are.
    fn encoded_head(&self) -> (u64, usize) {
        if !self.is_narrow() {
            return (self.head, usize::from(self.layout.head));
        }
        let has_intervals = self.intervals != 0;
        let own = self.head as u16;
        let fields = if has_intervals {
            own & !(FIRST_KIND as u16) | FIRST_SAME as u16
        } else {
            own
        };
        let (head, length) = match HEADS.binary_search(&fields) {
            Ok(number) => (number as u64, 1),
            // The upper six bits come first.
            Err(_) => (u64::from(fields.swap_bytes() + u16::from(TWO_BYTES)), 2),
        };
        if !has_intervals {
            return (head, length);
        }
        // No frequent head has the first kind [`SAME`], so this is the third byte.
        let first_kind = (self.head >> FIELDS & 7) as u8;
        let third = first_kind | self.intervals << 3;
        (head | u64::from(third) << 16, length + 1)
    }
}

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
    /// A node for suit 0 with bounds 0 to 2: hand 0 leads to the node that follows, with bounds 0 to
    /// 1; hand 1 to the same node, one trick higher; hand 2 has no card of the suit; hand 3 leads to
    /// the value 2. The bounds are two apart, so the head has three bytes and fields of five bits:
    ///
    /// ```text
    ///     hand 3    hand 2    hand 1    hand 0
    ///     rest kind rest kind rest kind rest kind suit
    ///  00   10  001   00  000   10  011   00  100   00  = 0x220990, written 90 09 22
    ///       a leaf, nothing,    SAME,     FOLLOWING,
    ///       value 2             1 to 2    0 to 1
    /// ```
    ///
    /// The node that follows it has bounds one apart, fields of three bits, and the leaves 0, 1, 0
    /// and 1 of suit 2: `010 001 010 001 10` = 0x1146 is not in [`HEADS`], so it is written `d1 46`,
    /// 192 + 0x11 first. A test has both nodes, and `docs/format.md` the rules.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no space left.
    pub(crate) fn push(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let bounds = match Edge::joined(children) {
            Ok(edge) => return Ok(edge),
            Err(bounds) => bounds,
        };
        let children = children.map(|edge| Child::new(edge, bounds.lo));
        let body = Body::new(suit, &children);
        let bits = u32::from(bounds.lo) | u32::from(bounds.hi) << 4;
        if let Some(&offset) = self.known.get(&body) {
            return Ok(Edge::to_byte(bits, offset));
        }
        let end = self.bytes.len() as u32;
        let mut node = NodeParts::new(suit, layout(u32::from(bounds.hi - bounds.lo)));
        let mut last = 0;
        for (owner, &Child { above, offset }) in children.iter().enumerate() {
            let kind = if above == NOTHING {
                0
            } else if offset == 0 {
                node.kind_of_leaf(above)
            } else if offset == OPEN {
                node.kind_of_interval(owner)
            } else if offset == last {
                SAME
            } else {
                last = offset;
                node.add_distance(end - offset)
            };
            node.set_field(owner, kind, above);
        }
        let (head, length) = node.encoded_head();
        let offset = end + (node.length + length) as u32;
        if offset >= Edge::MAX_BYTES {
            return Err(TooManyNodes);
        }
        self.bytes
            .extend(node.distances[..node.length].iter().rev());
        self.bytes.extend(head.to_le_bytes()[..length].iter().rev());
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
    pub fn offset(&self, root: Edge) -> usize {
        if root.is_node() {
            self.bytes.len() - root.byte()
        } else {
            0
        }
    }

    /// Returns the nodes in the form that [`Diagram::packed_at_start`] reads, without the
    /// [`PADDING`] that must follow them.
    ///
    /// [`PADDING`]: super::PADDING
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
        if is_plain {
            self.plain[at.slot()]
        } else {
            self.packed.get(&at).copied()
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
mod tests;
