//! The bytes of a database on disk, and their meaning.
//!
//! A database is a directory: a [`manifest`] and a file for each level.
//! `docs/format.md` draws both byte by byte, with one level taken apart.
//!
//! | part of a level's file | module |
//! |---|---|
//! | header, and the index of the shards | [`level_header`]; their fields: `head`; what they may say: `limits` |
//! | a level at work: header, roots and the table of its shards | [`level_map`] |
//! | a shard of decision diagrams, unpacked: tokens and distances | [`diagram_codec`] |
//! | a shard of shallow trees, unpacked: keys and links | [`tree_codec`] |
//! | numbers of variable length in both | `varint` |
//!
//! A *shard* holds the *payload* of consecutive partitions, in the order of
//! their numbers, as two *streams* of bytes, each compressed by zstd alone.
//! The output of these modules can be trusted as far as their errors say:
//! a file with sound checksums that no builder wrote is refused, or it is a
//! database of some other game's values, but nothing else.

pub mod diagram_codec;
mod head;
pub mod level_header;
pub mod level_map;
pub(crate) mod limits;
pub mod manifest;
pub mod tree_codec;
mod varint;
