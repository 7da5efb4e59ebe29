//! What stands at the head of a level's file: the header and the index of shards.

/// The payload kind of decision diagrams (see [`diagram_codec`](super::diagram_codec)).
pub const DIAGRAMS: u32 = 1;
/// The payload kind of shallow trees (see [`tree_codec`](super::tree_codec)):
/// keys stand in the place of tokens, links in that of distances.
pub const TREES: u32 = 2;

/// What stands at the head of a level's file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    /// Cards per hand, 1..=8.
    pub level: u32,
    /// What the shards hold: [`DIAGRAMS`] or [`TREES`].
    pub payload: u32,
    /// Partitions of the level.
    pub partitions: u64,
    /// Partitions in each shard but perhaps the last, which holds the rest.
    pub shard_partitions: u32,
    /// Number of shards.
    pub shards: u32,
    /// Nodes of all diagrams or trees; a node counts for each diagram that it
    /// belongs to.
    pub nodes: u64,
    /// Sets of 4-bit owner masks in all shards.
    pub sets: u64,
    /// A hash of the diagrams themselves, however they are compressed.
    pub content: u64,
}

/// Where a shard lies in the file, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The first byte of the shard in the file.
    pub offset: u64,
    /// Hash (XXH3-64) of the shard's bytes in the file.
    pub checksum: u64,
    /// Bytes of the two compressed streams, which follow each other.
    pub stored: [u32; 2],
    /// Their bytes before compression.
    pub plain: [u32; 2],
    /// Nodes in the shard; those that diagrams share count once.
    pub nodes: u32,
}

impl Entry {
    /// The shard's bytes in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.stored.into_iter().map(u64::from).sum()
    }
}

/// Why a header or an index is not sound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Not a level file at all.
    #[error("the file does not begin as a level of a setrograde database")]
    Magic,
    /// Another version of the format.
    #[error("format version {0}")]
    Version(u32),
    /// The file ends early or late.
    #[error("the file has {found} bytes where {expected} are promised")]
    Length {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the header or index promises.
        expected: u64,
    },
    /// The hash over header and index does not fit.
    #[error("the checksum of header and index does not fit")]
    Checksum,
    /// A field has an impossible value.
    #[error("impossible {field}: {value}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// Its value.
        value: u64,
    },
}
