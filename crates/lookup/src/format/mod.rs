//! The bytes of a database on disk, and their meaning.
//!
//! A database is a directory: a [`manifest`] and a file for each level.
//! `docs/format.md` draws both byte by byte, with one level taken apart.
//!
//! | part of a level's file | module |
//! |---|---|
//! | header, and the index of the shards | [`level_header`] |
//! | a mapped level: header, index and blocks | [`level_map`] |
//! | a shard of decision diagrams, unpacked: tokens and distances | [`diagram_codec`] |
//! | a shard of shallow trees, unpacked: keys and links | [`tree_codec`](crate::paper::tree_codec) |
//! | variable-length numbers in both | here |
//!
//! A *shard* holds the *payload* of consecutive partitions, in the order of their numbers, as two
//! *streams* of bytes, compressed separately by zstd. These modules check structure, not truth: a
//! well-formed file may hold wrong values, but nothing in it can misdirect a reader.

pub mod diagram_codec;
pub(crate) mod grain;
pub mod level_header;
pub mod level_map;
pub mod manifest;

/// Damage to the streams of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// A stream is too short.
    #[error("a stream ends in the middle of a diagram or a tree")]
    Ends,
    /// A stream is too long.
    #[error("a stream continues after the last diagram or tree")]
    TrailingBytes,
    /// A path with more nodes than cards.
    #[error("a node lies deeper than there are cards")]
    Depth,
    /// In a diagram: a byte that is not a token, or a leaf above the level's tricks.
    #[error("byte {0} instead of a token")]
    Token(u8),
    /// A distance that points before the shard's first node.
    #[error("a distance leads out of its shard")]
    Distance,
    /// A node that no ending needs: its suit is exhausted, or its children are
    /// all one value.
    #[error("redundant node: no ending needs it")]
    IdleNode,
    /// More nodes than can be held: [`Edge::MAX_NODES`](setrograde_endgame::diagram::Edge::MAX_NODES).
    #[error("there are too many nodes")]
    TooManyNodes,
    /// In a tree: a byte that is neither a value of the level nor the mark of an inner node.
    #[error("byte {0} instead of a value")]
    Value(u8),
    /// A number of siblings that is zero or exceeds the remaining keys.
    #[error("invalid sibling count")]
    Siblings,
    /// A card that no hand may own.
    #[error("key {0:04x} gives a card to nobody")]
    Key(u16),
}

// Numbers in base 128, the lowest digit first; all digits but the last have
// the top bit set.

/// Maximum number of digits that are read: numbers have 28 bits.
const DIGITS: u32 = 4;

/// Appends a number.
pub(crate) fn write_number(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number from the bytes that `next` gives; `None` if it has too many digits.
pub(crate) fn read_number(
    mut next: impl FnMut() -> Result<u8, StreamError>,
) -> Result<Option<usize>, StreamError> {
    let mut number = 0;
    for at in 0..DIGITS {
        let digit = next()?;
        number |= usize::from(digit & 127) << (7 * at);
        if digit < 128 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}
