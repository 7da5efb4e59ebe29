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
//! | | 12..14 | the suit of the node just before |
//! | | 14 | references take two words |
//! | codes | | bounds two to four apart: one word, four bits a child; farther: two words, a byte a child |
//! | references | | the way back to each child, the first owner's first |
//!
//! The way back is how many words the child lies before the last word above the
//! references, times four, less the child's suit: what is to be taken from place and
//! suit as they stand side by side in an edge. One of two words has the low word first.
//!
//! Before the first node there are unused words, so that as many words as most
//! nodes take can be read from any place at once. Words are stored as bytes, the
//! low one first, and may begin at any address: a level's file is read where it lies.
//!
//! Nodes may come from a file that somebody changed, so nothing here panics: what is
//! not a node of these words leads nowhere, as [`Edge::NOTHING`] says.

use crate::diagram::{Edge, Guard};

/// Nodes of diagrams, packed; a [`NodePacker`](super::NodePacker) makes them. An
/// edge's place is that of the node's last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedNodes {
    words: Vec<u16>,
}

/// The bytes of a word.
pub(super) const WORD: usize = size_of::<u16>();

/// The words that are read at once: a head, codes of four bits, and a short
/// reference for each child are six.
const READ: usize = 8;
/// The most words below a node's last: its codes, and references of two words.
const WIDEST: usize = 2 + 4 * 2;
/// The words before the first node.
pub(super) const UNUSED: usize = READ - 1;

/// The widest bounds whose children have codes of four bits.
pub(super) const CODED: u32 = 4;
/// By code: what the least and the greatest value (four bits higher) are above
/// the parent's least. First the codes of four bits: all pairs, and nothing. Then
/// those of two: nothing, a leaf of the lesser value, one of the greater, a node.
pub(super) const ABOVE: [u8; 32] = {
    let mut above = [NOTHING; 32];
    let pairs = [
        0x00, 0x10, 0x20, 0x30, 0x40, 0x11, 0x21, 0x31, 0x41, 0x22, 0x32, 0x42, 0x33, 0x43, 0x44,
    ];
    let mut code = 0;
    while code < pairs.len() {
        above[code] = pairs[code];
        code += 1;
    }
    above[TWO_BITS + 1] = 0x00;
    above[TWO_BITS + 2] = 0x11;
    above[TWO_BITS + 3] = 0x10;
    above
};
/// The place of the codes of two bits in [`ABOVE`].
const TWO_BITS: usize = 16;
/// In [`ABOVE`]: no ending leads here.
const NOTHING: u8 = 0xff;

/// In a head: references take two words.
pub(super) const WIDE: u32 = 1 << 14;
/// The bits of a number of words that a short reference can go back.
pub(super) const BACK: u32 = 14;

impl PackedNodes {
    /// The bytes that a node of a large level takes, on average and rounded up.
    pub const NODE_BYTES: f64 = 5.5;

    /// The nodes in these words.
    pub(super) fn new(words: Vec<u16>) -> PackedNodes {
        PackedNodes { words }
    }

    /// The nodes as [`Diagram::packed`](super::Diagram::packed) reads them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }
}

/// The number of set bits among four.
#[inline]
pub(super) const fn ones(bits: u32) -> usize {
    // A table in a number, a nibble for each: there is not always an
    // instruction for it.
    (0x4332_3221_3221_2110_u64 >> (4 * (bits & 15))) as usize & 15
}

/// The words between a node's head and its references.
#[inline]
pub(super) const fn code_words(width: u32) -> usize {
    (width > 1) as usize + (width > CODED) as usize
}

/// The bounds of a child, in an edge's bits, whose code is at that place of
/// [`ABOVE`] and whose parent's least value is `lo`.
#[inline]
fn bounds(code: usize, lo: u32) -> u32 {
    match ABOVE[code % ABOVE.len()] {
        NOTHING => Edge::NOTHING.to_bits(),
        above => u32::from(above) + 0x11 * lo,
    }
}

/// Bytes of nodes, and their guard if they have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) guard: Option<&'a dyn Guard>,
}

impl Bytes<'_> {
    /// Returns true unless the guard refuses the words from `first` to `last`.
    #[inline]
    fn are_sound(&self, first: usize, last: usize) -> bool {
        let bytes = WORD * first..WORD * (last + 1);
        self.guard.is_none_or(|guard| guard.is_sound(bytes))
    }
}

/// A node whose bounds are at most [`CODED`] apart and whose references take a
/// word each: all but a few.
struct Short<'a> {
    /// Its words, the head last.
    words: &'a [u8; WORD * READ],
    head: u32,
    codes: u32,
    /// 1 if the codes have a word of their own, of four bits a child.
    coded: u32,
    /// The place of the last word above the references.
    first: u32,
    /// The least value.
    lo: u32,
}

impl<'a> Short<'a> {
    /// The node at `at`, if it is such a one.
    #[inline]
    fn read(nodes: Bytes<'a>, at: Edge) -> Option<Short<'a>> {
        let (lo, place) = (u32::from(at.lo()), at.place());
        let width = u32::from(at.hi()) - lo;
        let words = nodes.bytes.get(..WORD * (place + 1))?.last_chunk()?;
        if !nodes.are_sound(place + 1 - READ, place) {
            return None;
        }
        let head = word(words, READ - 1);
        if width > CODED || head & WIDE != 0 {
            return None;
        }
        let coded = u32::from(width > 1);
        Some(Short {
            words,
            head,
            codes: word(words, READ - 1 - coded as usize),
            coded,
            first: place as u32 - coded,
            lo,
        })
    }

    #[inline]
    fn code(&self, owner: u32) -> u32 {
        self.codes >> (owner << (1 + self.coded)) & (12 * self.coded + 3)
    }

    /// The bounds of a child, in an edge's bits.
    #[inline]
    fn bounds(&self, owner: u32) -> u32 {
        let of_four_bits = self.coded as usize;
        bounds(
            self.code(owner) as usize + TWO_BITS * (1 - of_four_bits),
            self.lo,
        )
    }

    /// A child's reference, if the child is a node: whether it is stored; the word,
    /// which is the reference or else the head of the node just before; and how far
    /// back that word stands.
    #[inline]
    fn reference(&self, owner: u32) -> (bool, u32, u32) {
        let stored = self.head >> 8 & 15;
        let is_stored = stored >> owner & 1;
        // Of one that is not stored, all references are above.
        let above = stored & (((1 << owner) - 1) | is_stored.wrapping_sub(1));
        let back = 1 + ones(above) as u32;
        let at = (READ - 1).wrapping_sub((self.coded + back) as usize);
        (is_stored == 1, word(self.words, at % READ), back)
    }

    /// The edge for an owner. A branch for each choice: the processor foretells
    /// them where one ending is like the one before.
    #[inline]
    fn child(&self, owner: u32) -> Edge {
        let bounds = self.bounds(owner);
        if !Edge::from_bits(bounds).is_node() {
            return Edge::from_bits(bounds);
        }
        let (is_stored, word, words) = self.reference(owner);
        let way = if is_stored {
            word
        } else {
            self.way_to_last(words)
        };
        self.node(bounds, way)
    }

    /// The same without branches, which nobody could foretell where endings have
    /// nothing to do with each other.
    #[inline]
    fn child_without_branches(&self, owner: u32) -> Edge {
        let bounds = self.bounds(owner);
        let (is_stored, word, words) = self.reference(owner);
        let mask = 0_u32.wrapping_sub(u32::from(is_stored));
        let last = self.way_to_last(words);
        let node = self.node(bounds, last ^ (word ^ last) & mask);
        let is_node = Edge::from_bits(bounds).is_node();
        Edge::from_bits(if is_node { node.to_bits() } else { bounds })
    }

    /// The way back to the node just before, if it lies that many words back.
    #[inline]
    fn way_to_last(&self, words: u32) -> u32 {
        (words << 2) - (self.head >> 12 & 3)
    }

    /// The edge to the node to which this is the way back.
    #[inline]
    fn node(&self, bounds: u32, way: u32) -> Edge {
        before(self.first + self.coded, self.first, way, bounds)
    }

    /// The owners with the same child as `owner`, a bit each.
    #[inline]
    fn sharers(&self, owner: u32) -> u8 {
        let code = self.code(owner);
        let is_node = Edge::from_bits(self.bounds(owner)).is_node();
        let (is_stored, word, _) = self.reference(owner);
        (0..4).fold(0, |sharers, other| {
            let (other_stored, other_word, _) = self.reference(other);
            let same_node = is_stored == other_stored && word == other_word;
            let same = self.code(other) == code && (!is_node || same_node);
            sharers | u8::from(same) << other
        })
    }
}

/// The edge to the node that is the way back from `first` of the node at `place`. A child
/// that does not lie before its parent leads nowhere, so that every walk ends.
#[inline]
fn before(place: u32, first: u32, way: u32, bounds: u32) -> Edge {
    let subtree = (first << 2).wrapping_sub(way);
    if subtree >> 2 < place {
        Edge::to_subtree(subtree, bounds)
    } else {
        Edge::NOTHING
    }
}

/// The word at that place, below [`READ`].
#[inline]
fn word(words: &[u8; WORD * READ], at: usize) -> u32 {
    let at = WORD * (at % READ);
    u32::from(u16::from_le_bytes([words[at], words[at + 1]]))
}

/// The edge from the node at `at` if its card belongs to `owner` (0..=3).
#[inline]
pub(super) fn child(nodes: Bytes<'_>, at: Edge, owner: usize) -> Edge {
    match Short::read(nodes, at) {
        Some(node) => node.child(owner as u32),
        None => child_of_any(nodes, at, owner),
    }
}

/// The same, faster for many walks side by side.
#[inline]
pub(super) fn child_without_branches(nodes: Bytes<'_>, at: Edge, owner: usize) -> Edge {
    match Short::read(nodes, at) {
        Some(node) => node.child_without_branches(owner as u32),
        None => child_of_any(nodes, at, owner),
    }
}

/// The same, and the owners with the same child, a bit each.
#[inline]
pub(super) fn child_and_sharers(nodes: Bytes<'_>, at: Edge, owner: usize) -> (Edge, u8) {
    match Short::read(nodes, at) {
        Some(node) => {
            let owner = owner as u32;
            (node.child_without_branches(owner), node.sharers(owner))
        }
        None => {
            let children = [0, 1, 2, 3].map(|owner| child_of_any(nodes, at, owner));
            let child = children[owner & 3];
            let sharers = (0..4).filter(|&other| children[other] == child);
            (child, sharers.fold(0, |mask, other| mask | 1 << other))
        }
    }
}

/// The children of the node at `at`, by owner.
#[inline]
pub(super) fn children(nodes: Bytes<'_>, at: Edge) -> [Edge; 4] {
    match Short::read(nodes, at) {
        Some(node) => [0, 1, 2, 3].map(|owner| node.child(owner)),
        None => [0, 1, 2, 3].map(|owner| child_of_any(nodes, at, owner)),
    }
}

/// The same as [`child`], for a node of any kind.
#[cold]
fn child_of_any(nodes: Bytes<'_>, at: Edge, owner: usize) -> Edge {
    find_child(nodes, at, owner).unwrap_or(Edge::NOTHING)
}

/// The edge from the node at `at` for an owner; `None` if these words have no such node.
fn find_child(nodes: Bytes<'_>, at: Edge, owner: usize) -> Option<Edge> {
    let word = |place: usize| {
        let word = nodes.bytes.get(WORD * place..)?.first_chunk()?;
        Some(u32::from(u16::from_le_bytes(*word)))
    };
    let (lo, place) = (u32::from(at.lo()), at.place());
    let width = u32::from(at.hi()) - lo;
    if !nodes.are_sound(place.saturating_sub(WIDEST), place) {
        return None;
    }
    let head = word(place)?;
    let code_words = code_words(width);
    let first = place.checked_sub(code_words)?;
    let bounds = match code_words {
        0 => bounds(TWO_BITS + (head as usize >> (2 * owner) & 3), lo),
        1 => bounds(word(first)? as usize >> (4 * owner) & 15, lo),
        _ => word(first + 1 - owner / 2)? >> (8 * (owner & 1)) & 0xff,
    };
    if !Edge::from_bits(bounds).is_node() {
        return Some(Edge::from_bits(bounds));
    }
    let stored = head >> 8 & 15;
    let length = 1 + (head & WIDE != 0) as usize;
    let is_stored = stored >> owner & 1 == 1;
    // Of one that is not stored, all references are above.
    let above = if is_stored {
        stored & ((1 << owner) - 1)
    } else {
        stored
    };
    let at = first.checked_sub(1 + length * ones(above))?;
    if !is_stored {
        return Some(Edge::from_parts(bounds, head >> 12 & 3, at));
    }
    let low = word(at)?;
    let way = match length {
        1 => low,
        _ => low | word(at.checked_sub(1)?)? << 16,
    };
    Some(before(place as u32, first as u32, way, bounds))
}

// Asking the processor for nodes ahead of time.

/// Bytes in a line of cache.
const LINE: usize = 64;

/// Asks for the line of cache that holds a byte. Does nothing that can be seen but
/// save time in a large database.
#[inline]
fn ask(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It reads nothing and
        // faults at no address, and this one is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}

/// Asks for the byte at `at`, and for `lines` lines of cache before it.
#[inline]
pub(crate) fn back_from(bytes: &[u8], at: usize, lines: usize) {
    // The last byte is left over.
    let from = at.saturating_sub(lines * LINE);
    if let Some(asked) = bytes.get(from..=at) {
        let (lines, rest) = asked.as_chunks::<LINE>();
        rest.last().map(ask);
        lines.iter().map(|line| &line[0]).for_each(ask);
    }
}
