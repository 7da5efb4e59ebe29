//! Sampled parts of a level are equal to those of the built level.

use std::error::Error;

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_parallel::Stop;

use super::{golden, golden_below};
use crate::estimate::sample::build_run;
use crate::{Method, shard_partitions};

#[test]
fn shards_have_the_counts_of_the_level() -> Result<(), Box<dyn Error>> {
    let below = golden_below(1)?;
    let partitions = PartitionIndex::new(2);
    let level = golden(2)?;
    let header = level.header();
    let size = shard_partitions(2, Method::Refine);
    let (mut sets, mut nodes, mut bytes) = (0, 0, 0);
    for first in (0..partitions.len()).step_by(size) {
        let numbers = first..partitions.len().min(first + size);
        let method = Method::Refine;
        let built = build_run(&below, &partitions, method, numbers, &Stop::default())?;
        sets += built.counts.sets;
        nodes += built.counts.nodes;
        bytes += built.bytes as u64;
    }
    assert_eq!((sets, nodes), (header.sets, header.nodes));
    // The rest of the file is its header and its index.
    let all = level.bytes();
    assert!((all - 1_000..all).contains(&bytes), "{bytes}");
    Ok(())
}
