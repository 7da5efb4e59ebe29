//! What the head of a level's file may say.

use setrograde_endgame::card_order;
use setrograde_endgame::diagram::Edge;
use setrograde_endgame::partition_index::partition_count;

use super::head::{DIAGRAMS, Entry, Header, HeaderError, TREES};

/// The deepest level that is read, in cards per hand: one more than any that is
/// built, and as many as a tree has room for.
pub(crate) const DEEPEST: u32 = card_order::DEEPEST as u32;
/// The most partitions in a shard.
pub(crate) const MAX_SHARD_PARTITIONS: u32 = 1 << 12;
/// How many times as large as its compressed form a stream may be, unless it is
/// small.
const MAX_EXPANSION: u64 = 256;
/// The most bytes of a small stream, which may compress as well as it likes.
const SMALL_STREAM: u64 = 1 << 12;

/// Checks that a shard with this number of partitions may have the sizes that its
/// entry says. A shard that passes takes at most 256 times its bytes in the file when
/// it is unpacked, and a little.
pub(crate) fn check_entry(entry: &Entry, payload: u32, partitions: u64) -> Result<(), HeaderError> {
    let [first, second] = entry.plain.map(u64::from);
    let nodes = u64::from(entry.nodes);
    let field = |field, value| Err(HeaderError::Field { field, value });
    for (stored, plain) in entry.stored.into_iter().zip(entry.plain) {
        if u64::from(plain) > MAX_EXPANSION * u64::from(stored) + SMALL_STREAM {
            return field("plain size of a stream", plain.into());
        }
    }
    if nodes > Edge::MAX_NODES as u64 {
        return field("number of nodes", nodes);
    }
    // Diagrams: a token for each root and each child, of which a node has two to
    // four; a distance of at most four bytes for a token. Trees: two bytes of
    // key and at most one of value for a node, at most four for the number of
    // its children and of the roots, of which a tree has one at least.
    let (fits, others_fit) = match payload {
        TREES => (
            first == 2 * nodes && nodes >= partitions,
            second <= 5 * nodes + 4 * partitions,
        ),
        _ => (
            (partitions + 2 * nodes..=partitions + 4 * nodes).contains(&first),
            second <= 4 * first,
        ),
    };
    if !fits {
        return field("size of the first stream", first);
    }
    if !others_fit {
        return field("size of the second stream", second);
    }
    Ok(())
}

/// Checks that there can be such a level, before anything is made for it: the
/// tables that number a level's partitions take memory, and the deeper the more.
pub(super) fn check_header(header: &Header) -> Result<(), HeaderError> {
    let field = |field, value| Err(HeaderError::Field { field, value });
    if !(1..=DEEPEST).contains(&header.level) {
        return field("level", u64::from(header.level));
    }
    if header.partitions != partition_count(header.level as usize) as u64 {
        return field("number of partitions", header.partitions);
    }
    if !matches!(header.payload, DIAGRAMS | TREES) {
        return field("payload kind", u64::from(header.payload));
    }
    if header.shard_partitions == 0
        || header.shard_partitions > MAX_SHARD_PARTITIONS
        || header
            .partitions
            .div_ceil(u64::from(header.shard_partitions))
            != u64::from(header.shards)
    {
        return field("partitions per shard", u64::from(header.shard_partitions));
    }
    Ok(())
}
