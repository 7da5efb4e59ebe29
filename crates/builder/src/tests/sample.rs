//! Sampled parts of a level are equal to those of the built level.

use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::diagram::census::Census;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::LevelFile;
use setrograde_lookup::format::manifest::level_path;

use crate::estimate::sample::{build_diagram, build_run};
use crate::oracle::plain_level::PlainLevel;
use crate::{BuildError, Method, shard_partitions};

fn golden(level: usize) -> Result<LevelFile, setrograde_lookup::Error> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden");
    LevelFile::open(&level_path(&golden, level))
}

#[test]
fn shards_and_diagrams_have_the_counts_of_the_level() -> Result<(), Box<dyn Error>> {
    let below = PlainLevel::new(golden(1)?);
    let partitions = PartitionIndex::new(2);
    let level = golden(2)?;
    let header = level.header();
    let size = shard_partitions(2, Method::Refine);
    let shard = |numbers: Range<usize>, cancel: bool| {
        build_run(
            &below,
            &partitions,
            Method::Refine,
            numbers,
            &AtomicBool::new(cancel),
        )
    };
    let (mut sets, mut nodes, mut bytes) = (0, 0, 0);
    for first in (0..partitions.len()).step_by(size) {
        let built = shard(first..partitions.len().min(first + size), false)?;
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
    assert!(matches!(shard(0..1, true), Err(BuildError::Cancelled)));

    let (mut sets, mut nodes) = (0, 0);
    for partition in partitions.iter() {
        let (made, root) = build_diagram(&below, &partitions, partition, Method::Refine)?;
        let counts = Census::new().count(Diagram::new(&made, root));
        assert_eq!(counts.nodes, made.len() as u64);
        sets += counts.sets;
        nodes += counts.nodes;
    }
    assert_eq!((sets, nodes), (header.sets, header.nodes));
    Ok(())
}
