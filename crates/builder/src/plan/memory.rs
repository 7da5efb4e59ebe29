//! Estimates the memory of a build before it starts.

use setrograde_endgame::diagram::{Edge, NODE_BYTES, Node};
use setrograde_lookup::LevelFile;

use crate::error::BuildError;
use crate::plan::DEEPEST;
use crate::system_memory;

/// Maximum number of nodes of each level by `refine`, from the first on. Nodes shared within a
/// shard count once. Beyond 20 cards they are projections by `setrograde db estimate`. They serve
/// only to predict the memory before the level exists.
const NODES: [u64; DEEPEST] = [
    21,
    3_397,
    198_271,
    2_900_000,
    115_000_000,
    3_200_000_000,
    45_000_000_000,
];
/// Bytes of a node in a level's file, on average and rounded up.
const FILE_NODE: u64 = 2;
/// Room for the work of a thread: its diagram, its streams, the compressor.
const THREAD: u64 = 32 << 20;
/// Room for the numbering of partitions and other overhead.
const REST: u64 = 64 << 20;
/// Room to look at what exists and to cut a level into shards, before its memory is known.
const PLAN: u64 = 4 << 20;
/// The assumed free memory if the system does not report it, in bytes.
const UNKNOWN: u64 = 2 << 30;

/// Returns the bytes of a number of nodes in memory. The number counts shared nodes once for a
/// shard; unshared, the diagrams of 20 cards have 1.6 times as many.
fn nodes_bytes(nodes: u64) -> u64 {
    (nodes as f64 * 1.6 * NODE_BYTES) as u64
}

/// Returns the bytes of the unpacked level below: its actual size if it exists, or else the
/// expected one.
fn below_bytes(level: usize, below: Option<&LevelFile>) -> u64 {
    match below {
        Some(below) => below.map_bytes() + below.bytes(),
        None if level == 1 => 0,
        None => nodes_bytes(NODES[level - 2]) + FILE_NODE * NODES[level - 2],
    }
}

/// Returns the bytes for everything except the level below.
fn rest_bytes(threads: usize) -> u64 {
    THREAD * threads as u64 + REST
}

/// Returns true if building the level above this one fits in `limit` bytes (or the free memory,
/// without a limit) with this level's nodes unpacked.
pub(crate) fn fits_plain(below: &LevelFile, threads: usize, limit: Option<u64>) -> bool {
    let plain = below.written_nodes() * size_of::<Node>() as u64
        + below.partitions().len() as u64 * size_of::<Edge>() as u64;
    below.bytes() + plain + rest_bytes(threads)
        <= limit.or_else(system_memory::free).unwrap_or(UNKNOWN)
}

/// Checks that building a level fits in `limit` bytes, or in the free memory without a limit.
///
/// # Errors
///
/// [`BuildError::Memory`] if it does not.
pub(crate) fn check(
    level: usize,
    below: Option<&LevelFile>,
    threads: usize,
    limit: Option<u64>,
) -> Result<(), BuildError> {
    enough(
        level,
        below_bytes(level, below) + rest_bytes(threads),
        limit,
    )
}

/// Checks that a level can be planned in the free memory.
///
/// # Errors
///
/// [`BuildError::Memory`] if it cannot.
pub(crate) fn check_plan(level: usize) -> Result<(), BuildError> {
    enough(level, PLAN, None)
}

fn enough(level: usize, needed: u64, limit: Option<u64>) -> Result<(), BuildError> {
    // If the system reports nothing, the user decides.
    let Some(allowed) = limit.or_else(system_memory::free) else {
        return Ok(());
    };
    if needed <= allowed {
        return Ok(());
    }
    Err(BuildError::Memory {
        cards: 4 * level,
        needed,
        allowed,
        free: limit.is_none(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::golden;

    /// The minimum limit.
    fn least(accepts: impl Fn(u64) -> bool) -> u64 {
        let (mut too_few, mut enough) = (0_u64, 1 << 50);
        while too_few + 1 < enough {
            let middle = too_few.midpoint(enough);
            if accepts(middle) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        enough
    }

    /// The bytes needed in addition to those of the threads and the fixed overhead.
    fn needed(level: usize, below: Option<&LevelFile>, threads: usize) -> u64 {
        let least = least(|limit| check(level, below, threads, Some(limit)).is_ok());
        least - threads as u64 * THREAD - REST
    }

    #[test]
    fn the_level_below_and_the_threads_count() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(needed(1, None, 1), 0);
        assert_eq!(needed(1, None, 16), 0);
        let below = golden(2)?;
        assert_eq!(
            needed(3, Some(&below), 2),
            below.map_bytes() + below.bytes()
        );
        // Before it exists: 3,397 nodes of 2.75 bytes mapped, 2 compressed.
        assert_eq!(needed(3, None, 2), 14_946 + 6_794);
        assert_eq!(needed(2, None, 2), 92 + 42);
        let found = check(2, None, 3, Some(1 << 20))
            .err()
            .ok_or("it is enough")?;
        let expected = "8 cards need 161 MiB of memory, but only 1 MiB may be used";
        assert_eq!(found.to_string(), expected);
        Ok(())
    }

    #[test]
    fn nodes_are_unpacked_if_16_bytes_for_each_fit() -> Result<(), Box<dyn std::error::Error>> {
        for (level, partitions) in [(1, 52), (2, 2_054)] {
            let below = golden(level)?;
            let plain = below.bytes() + 16 * below.written_nodes() + 4 * partitions;
            let found = least(|limit| fits_plain(&below, 2, Some(limit)));
            assert_eq!(found, plain + 2 * THREAD + REST);
        }
        Ok(())
    }
}
