//! The bytes of a database on disk, and their meaning.
//!
//! A database is a directory: a [`manifest`] and a file for each level.
//! `docs/format.md` draws both byte by byte, with one level taken apart.
//!
//! | part of a level's file | module |
//! |---|---|
//! | header, and the index of the shards | [`level_header`] |
//! | a level at work: header, roots and the table of its shards | [`level_map`] |
//! | a shard of decision diagrams, unpacked: tokens and distances | [`diagram_codec`] |
//! | a shard of shallow trees, unpacked: keys and links | [`tree_codec`] |
//! | numbers of variable length in both | here |
//!
//! A *shard* holds the *payload* of consecutive partitions, in the order of
//! their numbers, as two *streams* of bytes, each compressed by zstd alone.
//! These modules check structure, not truth: a well-formed file may hold wrong values, but
//! nothing in it can misdirect a reader.

pub mod diagram_codec;
pub mod level_header;
pub mod level_map;
pub mod manifest;
pub mod tree_codec;

// Numbers in base 128, the lowest digit first; all digits but the last have
// the top bit set.

/// The most digits that are read: numbers have 28 bits.
const DIGITS: u32 = 4;

/// Appends a number.
pub(crate) fn write_number(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number from the bytes that `next` gives; `too_long` names the error
/// of one that does not end, from what its first digits say.
pub(crate) fn read_number<E>(
    mut next: impl FnMut() -> Result<u8, E>,
    too_long: impl FnOnce(usize) -> E,
) -> Result<usize, E> {
    let mut number = 0;
    for place in 0..DIGITS {
        let digit = next()?;
        number |= usize::from(digit & 127) << (7 * place);
        if digit < 128 {
            return Ok(number);
        }
    }
    Err(too_long(number))
}
