//! Nodes packed into words of 16 bits, about five bytes a node.
//!
//! A node's bounds stand in the edge that leads to it, and those of its children
//! lie within them: a child is told by what it adds to the least value. Where
//! the bounds are one apart, as at three nodes of four, a child is nothing, a
//! leaf of one value, a leaf of the other, or a node with the same bounds: two
//! bits. A reference is how far back the child lies; the node that was written
//! just before needs none.
//!
//! From its last word, which is its place, a node reads downwards:
//!
//! | word | bits | |
//! |---|---|---|
//! | head | 0..8 | the children, two bits each, if the bounds are one apart |
//! | | 8..12 | the children whose reference is stored |
//! | | 12..14 | the suit of the node just before, if that is a child |
//! | | 14 | references take two words |
//! | codes | | bounds two to four apart: one word, four bits a child; farther: two words, a byte a child |
//! | references | 14, 2 | how far back the child lies, and its suit; the first owner's first |
//!
//! The way back is counted in words from the last word above the references. A
//! reference of two words has 30 bits for it, the low word first.

use super::{Bounds, Edge, TooManyNodes};

/// Nodes of diagrams, packed. An edge's place is that of the node's last word.
#[derive(Clone, Debug, Default)]
pub struct PackedNodes {
    /// The nodes, and room for more.
    words: Vec<u16>,
    /// Where the nodes end.
    end: usize,
}

impl PartialEq for PackedNodes {
    fn eq(&self, other: &PackedNodes) -> bool {
        self.words() == other.words()
    }
}

impl Eq for PackedNodes {}

/// The most words that a node takes.
const MOST_WORDS: usize = 11;

/// The widest bounds whose children have codes of four bits.
const CODED: u32 = 4;
/// In [`ABOVE`]: no ending leads here.
const NOTHING: u8 = 0xff;
/// Where the codes of four bits begin in [`ABOVE`].
const FOUR_BITS: usize = 4;
/// By code: what the least and the greatest value (four bits higher) are above
/// the parent's least. First the codes of two bits: nothing, a leaf of the
/// lesser value, one of the greater, a node. Then those of four: all pairs.
const ABOVE: [u8; 20] = [
    NOTHING, 0x00, 0x11, 0x10, //
    0x00, 0x10, 0x20, 0x30, 0x40, 0x11, 0x21, 0x31, 0x41, 0x22, 0x32, 0x42, 0x33, 0x43, 0x44,
    NOTHING,
];
/// By what the least value is above the parent's: the code of four bits of this
/// value's leaf.
const LEAVES: [u16; 5] = [0, 5, 9, 12, 14];

const WIDE: u32 = 1 << 14;
/// The bits of a short reference that say how far back.
const BACK: u32 = 14;

/// How many of four bits are set.
#[inline]
const fn ones(bits: u32) -> usize {
    // A table in a number, a nibble for each: there is not always an
    // instruction for it.
    (0x4332_3221_3221_2110_u64 >> (4 * (bits & 15))) as usize & 15
}

/// The words between a node's head and its references.
#[inline]
const fn code_words(width: u32) -> usize {
    (width > 1) as usize + (width > CODED) as usize
}

impl PackedNodes {
    /// The most bytes that `nodes` nodes take, of whose children at most `shared`
    /// were not written anew for them.
    #[must_use]
    pub const fn most_bytes(nodes: u64, shared: u64) -> u64 {
        // A head and codes for each node, and a reference for each that is shared
        // and for each other node but those that stand just before.
        let heads = nodes.saturating_mul(6);
        let references = nodes.saturating_add(shared).saturating_mul(2);
        let bytes = heads.saturating_add(references);
        if bytes >> (BACK + 1) == 0 {
            bytes
        } else {
            bytes.saturating_add(references)
        }
    }

    /// No nodes.
    #[must_use]
    pub fn new() -> PackedNodes {
        PackedNodes::default()
    }

    /// Room for a number of nodes as they come.
    #[must_use]
    pub fn with_capacity(nodes: usize) -> PackedNodes {
        PackedNodes {
            words: vec![0; nodes.saturating_mul(11) / 4 + MOST_WORDS],
            end: 0,
        }
    }

    /// The bytes that a node of a large level takes, on average and rounded up.
    pub const NODE_BYTES: f64 = 5.5;

    /// The bytes that the nodes take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(self.words())
    }

    /// Gives back the memory that no node takes.
    pub fn shrink_to_fit(&mut self) {
        self.words.truncate(self.end);
        self.words.shrink_to_fit();
    }

    #[inline]
    pub(super) fn words(&self) -> &[u16] {
        &self.words[..self.end]
    }

    /// The edge to a new node that asks for the owner of the next card of `suit`
    /// (0..=3, canonical order) and goes on with these children, which are
    /// leaves or came from here. If all of them have one value, the edge is that
    /// leaf, and there is no node.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if there is no place left.
    pub fn push(&mut self, suit: usize, children: [Edge; 4]) -> Result<Edge, TooManyNodes> {
        let lo = children.iter().fold(15, |lo, child| child.lo().min(lo));
        let hi = children.iter().fold(0, |hi, child| child.hi().max(hi));
        let bounds = Bounds { lo, hi };
        if lo >= hi {
            return Ok(Edge::of_bounds(bounds));
        }
        // Few branches, for nobody could foretell them.
        let end = self.end;
        let (mut stored, mut before) = (0, 0);
        for (owner, child) in children.iter().enumerate() {
            let is_node = child.is_node();
            let is_before = is_node & (child.place() + 1 == end);
            stored |= u32::from(is_node & !is_before) << owner;
            before |= if is_before { child.suit() as u32 } else { 0 };
        }
        let mut words = [0; MOST_WORDS];
        let mut count = 0;
        let mut first = end + ones(stored);
        let mut head = stored << 8 | before << 12;
        let mut farthest = 0;
        for (owner, child) in children.iter().enumerate().rev() {
            let is_stored = stored >> owner & 1;
            let back = first.wrapping_sub(child.place()) as u32;
            words[count] = (back | (child.suit() as u32) << BACK) as u16;
            farthest |= back * is_stored;
            count += is_stored as usize;
        }
        if farthest >> BACK != 0 {
            head |= WIDE;
            first += count;
            count = 0;
            for (_, child) in (0..4)
                .zip(&children)
                .rev()
                .filter(|(owner, _)| stored >> owner & 1 == 1)
            {
                let back = (first - child.place()) as u32;
                words[count] = (back >> 16 | (child.suit() as u32) << BACK) as u16;
                words[count + 1] = back as u16;
                count += 2;
            }
        }
        let width = u32::from(hi - lo);
        match code_words(width) {
            0 => head |= codes_of_two_bits(&children, lo),
            1 => {
                words[count] = codes_of_four_bits(&children, lo);
                count += 1;
            }
            _ => {
                let [a, b, c, d] = children.map(|child| child.to_bits() as u16 & 0xff);
                (words[count], words[count + 1]) = (c | d << 8, a | b << 8);
                count += 2;
            }
        }
        words[count] = head as u16;
        let place = end + count;
        if place >= Edge::MAX_NODES {
            return Err(TooManyNodes);
        }
        if self.words.len() < end + MOST_WORDS {
            self.words.resize(2 * end + 4 * MOST_WORDS, 0);
        }
        self.words[end..end + MOST_WORDS].copy_from_slice(&words);
        self.end = place + 1;
        Ok(Edge::node(suit, place, bounds))
    }
}

/// The children's codes where their bounds are `lo` and one more.
#[inline]
fn codes_of_two_bits(children: &[Edge; 4], lo: u8) -> u32 {
    let mut codes = 0;
    for (owner, child) in children.iter().enumerate() {
        // 1 for a leaf of the lesser value, 2 for the other, 3 for a node.
        let (low, high) = (child.lo() == lo, child.hi() > lo);
        let code = u32::from(low) | u32::from(high) << 1;
        codes |= code << (2 * owner);
    }
    codes
}

/// The children's codes where the least of their values is `lo`.
#[inline]
fn codes_of_four_bits(children: &[Edge; 4], lo: u8) -> u16 {
    let mut codes = 0;
    for (owner, child) in children.iter().enumerate() {
        let code = if child.is_nothing() {
            15
        } else {
            LEAVES[usize::from(child.lo() - lo)] + u16::from(child.hi() - child.lo())
        };
        codes |= code << (4 * owner);
    }
    codes
}

/// What follows the node at `at` if its card belongs to `owner` (0..=3).
#[inline]
pub(super) fn child(words: &[u16], at: Edge, owner: usize) -> Edge {
    let lo = u32::from(at.lo());
    let width = u32::from(at.hi()) - lo;
    if width > CODED {
        return far_child(words, at, owner);
    }
    let place = at.place();
    let head = u32::from(words[place]);
    let coded = usize::from(width > 1);
    let code = u32::from(words[place - coded]) >> (owner << (1 + coded));
    let code = if coded == 0 { code & 3 } else { code & 15 };
    let above = ABOVE[FOUR_BITS * coded + code as usize];
    if above == NOTHING {
        return Edge::NOTHING;
    }
    let bounds = u32::from(above) + lo * 0x11;
    if Edge::from_bits(bounds).is_node() {
        reference(words, place - coded, head, owner, bounds)
    } else {
        Edge::from_bits(bounds)
    }
}

/// [`child`] of a node whose bounds are far apart.
#[cold]
fn far_child(words: &[u16], at: Edge, owner: usize) -> Edge {
    let place = at.place();
    let bounds = u32::from(words[place - 1 - owner / 2]) >> (8 * (owner & 1)) & 0xff;
    if Edge::from_bits(bounds).is_node() {
        reference(words, place - 2, u32::from(words[place]), owner, bounds)
    } else {
        Edge::from_bits(bounds)
    }
}

/// The lines of cache that [`prefetch`] asks for: 1 KiB, about 200 nodes.
const LINES: usize = 16;
/// Words in a line of cache.
const LINE: usize = 64 / size_of::<u16>();

/// Asks the processor for the nodes written just before the one at `place`: those
/// below it, if it is a root. A walk through them waits once then, instead of once
/// for each line that it comes to.
#[inline]
pub(super) fn prefetch(words: &[u16], place: usize) {
    #[cfg(target_arch = "x86_64")]
    for word in words[..words.len().min(place + 1)]
        .rchunks(LINE)
        .take(LINES)
        .filter_map(<[u16]>::first)
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It reads nothing and
        // faults at no address, and this one is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (words, place, LINES, LINE);
}

/// The children of the node at `at`, by owner.
#[inline]
pub(super) fn children(words: &[u16], at: Edge) -> [Edge; 4] {
    [0, 1, 2, 3].map(|owner| child(words, at, owner))
}

/// The edge to a child that is a node with these bounds, in an edge's bits. The
/// first reference, if there is one, stands before word `first`, and the node
/// before the last.
#[inline]
fn reference(words: &[u16], first: usize, head: u32, owner: usize, bounds: u32) -> Edge {
    if head & WIDE != 0 {
        return wide_reference(words, first, head, owner, bounds);
    }
    let stored = head >> 8 & 15;
    let above = stored & ((1 << owner) - 1);
    let is_stored = stored >> owner & 1 == 1;
    // Both ways without a branch, which nobody could foretell: the word is the
    // reference, or the head of the node just before.
    let at = first - 1 - ones(if is_stored { above } else { stored });
    let word = u32::from(words[at]);
    let back = word as usize & ((1 << BACK) - 1);
    let (suit, place) = if is_stored {
        (word >> BACK, first.wrapping_sub(back))
    } else {
        (head >> 12 & 3, at)
    };
    Edge::from_parts(bounds, suit, place)
}

#[cold]
fn wide_reference(words: &[u16], first: usize, head: u32, owner: usize, bounds: u32) -> Edge {
    let stored = head >> 8 & 15;
    if stored >> owner & 1 == 0 {
        return Edge::from_parts(bounds, head >> 12 & 3, first - 1 - 2 * ones(stored));
    }
    let at = first - 1 - 2 * ones(stored & ((1 << owner) - 1));
    let (low, high) = (u32::from(words[at]), u32::from(words[at - 1]));
    let back = low | (high & ((1 << BACK) - 1)) << 16;
    Edge::from_parts(bounds, high >> BACK, first - back as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random children, near and far, with bounds of every width.
    #[test]
    fn children_are_read_as_they_were_written() {
        let random = &mut fastrand::Rng::with_seed(11);
        for most in 1..=13 {
            let mut nodes = PackedNodes::new();
            let mut made = vec![Edge::leaf(0)];
            while nodes.words().len() < 90_000 {
                let child = |random: &mut fastrand::Rng| match random.u8(..8) {
                    0 => Edge::NOTHING,
                    1 | 2 => Edge::leaf(random.u8(..=most)),
                    3 | 4 => made[made.len() - 1],
                    5 | 6 => made[made.len() - 1 - random.usize(..made.len().min(100))],
                    _ => made[random.usize(..made.len())],
                };
                let children = [(); 4].map(|()| child(random));
                let at = nodes.push(random.usize(..4), children).expect("few nodes");
                if at.is_node() {
                    assert_eq!(nodes.diagram(at).children(at), children);
                    made.push(at);
                }
            }
        }
    }

    #[test]
    fn one_value_makes_no_node() {
        let mut nodes = PackedNodes::new();
        let same = [Edge::leaf(3), Edge::NOTHING, Edge::leaf(3), Edge::leaf(3)];
        assert_eq!(nodes.push(1, same), Ok(Edge::leaf(3)));
        assert_eq!(nodes.push(1, [Edge::NOTHING; 4]), Ok(Edge::NOTHING));
        assert_eq!(nodes.bytes(), 0);
    }

    #[test]
    fn places_come_to_an_end() {
        let mut nodes = PackedNodes::new();
        let leaves = [0, 1, 1, 1].map(Edge::leaf);
        let first = nodes.push(0, leaves).expect("the first");
        while let Ok(at) = nodes.push(0, [first, first, first, Edge::leaf(0)]) {
            assert_eq!(nodes.diagram(at).child(at, 1), first);
        }
        assert!(nodes.words().len() <= Edge::MAX_NODES);
        assert!(nodes.words().len() + 8 > Edge::MAX_NODES);
    }
}
