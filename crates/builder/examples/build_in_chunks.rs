//! Builds the top level of a database in chunks, as many machines would that
//! share a directory, and seals it.
//!
//! ```sh
//! cargo run --release -p setrograde-builder --example build_in_chunks -- db 12 4
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;

use setrograde_builder::{Build, Plan, Silent};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(cards), Some(chunks)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: build_in_chunks DIR CARDS CHUNKS".into());
    };
    let cards: usize = cards.parse()?;
    let never = AtomicBool::new(false);
    if cards > 4 {
        Build::new(&directory, cards - 4).run(&Silent, &never)?;
    }
    let build = Build::new(&directory, cards);
    // Every machine makes the same plan. The last chunk first, to show that
    // their order does not matter.
    let plan = Plan::new(cards, chunks.parse()?)?;
    for share in plan.shares.iter().rev() {
        match build.run_chunk(share.chunk, &Silent, &never)? {
            Some(finished) => println!(
                "chunk {}: shards {:?}, {} look-ups",
                share.chunk, finished.shards, finished.work.lookups
            ),
            None => println!("the level is there already"),
        }
    }
    let record = build.seal(&Silent)?;
    println!("{} bytes, checksum {:016x}", record.bytes, record.checksum);
    Ok(())
}
