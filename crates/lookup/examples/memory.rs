//! How much memory a database takes when all of it is unpacked.
//!
//!     cargo run --release -p setrograde-lookup --example memory -- db

use std::error::Error;

use setrograde_lookup::Database;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "db".into());
    let database = Database::open(directory)?;
    for level in database.levels() {
        let before = database.memory_use().bytes;
        for shard in 0..level.shard_count() {
            level.load(shard)?;
        }
        let nodes = level.written_nodes();
        let bytes = database.memory_use().bytes - before;
        // Beside the nodes stand a root for each partition and a place for each shard.
        let tables = 4 * level.partitions().len() + 24 * level.shard_count();
        println!(
            "{} cards: {nodes} nodes written, {bytes} bytes and {tables} of tables: {:.2} a node",
            4 * level.level(),
            (bytes + tables as u64) as f64 / nodes as f64
        );
    }
    Ok(())
}
