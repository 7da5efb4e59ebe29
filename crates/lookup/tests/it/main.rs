//! Integration tests: each file keeps one promise about opened databases.

mod codec;
mod golden;
mod hostile;
mod level;
mod repair;

use std::error::Error;

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::Ending;

/// A database of 8 cards.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");

/// A random ending of a level.
fn random_ending(level: usize, random: &mut fastrand::Rng) -> Result<Ending, Box<dyn Error>> {
    let deal = Deal::random_ending(level, |n| random.usize(..n));
    let (strain, leader) = (Strain::ALL[random.usize(..5)], random.usize(..4));
    let position = Position::new(strain, Seat::from_index(leader), deal, &[])?;
    Ok(Ending::from_position(&position)?)
}
