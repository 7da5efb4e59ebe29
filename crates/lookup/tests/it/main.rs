//! Integration tests: each file keeps one promise about opened databases.

mod codec;
mod golden;
mod hostile;
mod level;
mod repair;

#[path = "../../../cards/tests/positions/mod.rs"]
mod positions;

use std::error::Error;

use setrograde_lookup::Ending;

use positions::random_position;

/// A database of 8 cards.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");

/// A random ending of a level.
fn random_ending(level: usize, random: &mut fastrand::Rng) -> Result<Ending, Box<dyn Error>> {
    Ok(Ending::from_position(&random_position(random, level))?)
}
