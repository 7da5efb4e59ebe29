//! A level's shards, kept by it or read apart from it.

use std::error::Error;

use setrograde_endgame::diagram::Diagram;
use setrograde_lookup::Database;

/// Databases of 8 cards: of diagrams, and of trees.
const GOLDEN: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden-trees"),
];

#[test]
fn diagrams_read_apart_are_those_that_the_level_keeps() -> Result<(), Box<dyn Error>> {
    for directory in GOLDEN {
        let database = Database::open(directory)?;
        let mut nodes = 0;
        for level in database.levels() {
            for shard in 0..level.shard_count() {
                let apart = level.read_diagrams(shard)?;
                let (plain, roots) = level.read_diagrams(shard)?.unpack();
                for (place, number) in level.shard_partitions(shard).enumerate() {
                    let kept = level.diagram_at(number)?.get().alone();
                    assert_eq!(apart.diagram(place).alone(), kept);
                    assert_eq!(Diagram::new(&plain, roots[place]).alone(), kept);
                    assert_eq!(level.locate(number)?, (shard, place));
                    nodes += kept.0.len();
                }
            }
        }
        assert!(nodes > 2_000, "{nodes}");
    }
    Ok(())
}

#[test]
fn memory_is_told_before_anything_is_unpacked() -> Result<(), Box<dyn Error>> {
    let database = Database::open(GOLDEN[0])?;
    let level = database.level(2).ok_or("no level")?;
    let told = level.unpacked_bytes();
    let mut words = 0;
    for shard in 0..level.shard_count() {
        let first = level.shard_partitions(shard).start;
        words += level.diagram_at(first)?.get().places();
    }
    let partitions = level.partitions().len();
    let least = 2 * words + 4 * partitions + level.partitions().bytes();
    assert!(told >= least as u64, "{told} {least}");
    assert!(told < least as u64 + 10_000, "{told} {least}");
    assert_eq!(told, level.unpacked_bytes());
    Ok(())
}
