//! Sampled parts of a level are equal to those of the built level.

use std::error::Error;
use std::ops::Range;
use std::time::Instant;

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_parallel::Stop;

use super::{golden, golden_below};
use crate::estimate::sample::build_run;
use crate::{BuildError, Method, shard_partitions};

#[test]
fn shards_have_the_counts_of_the_level() -> Result<(), Box<dyn Error>> {
    let below = golden_below(1)?;
    let partitions = PartitionIndex::new(2);
    let level = golden(2)?;
    let header = level.header();
    let size = shard_partitions(2, Method::Refine);
    let shard = |numbers: Range<usize>, stop: &Stop| {
        build_run(&below, &partitions, Method::Refine, numbers, stop)
    };
    let (mut sets, mut nodes, mut bytes) = (0, 0, 0);
    for first in (0..partitions.len()).step_by(size) {
        let built = shard(first..partitions.len().min(first + size), &Stop::default())?;
        sets += built.counts.sets;
        nodes += built.counts.nodes;
        bytes += built.bytes as u64;
    }
    assert_eq!((sets, nodes), (header.sets, header.nodes));
    // The rest of the file is its header and its index.
    assert!(
        (level.bytes() - 1_000..level.bytes()).contains(&bytes),
        "{bytes}"
    );
    assert!(matches!(
        shard(0..1, &Stop::default().by(Instant::now())),
        Err(BuildError::Cancelled)
    ));
    Ok(())
}
