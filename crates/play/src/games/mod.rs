//! Games of four seats in which each plays one card to a trick.

mod bridge;
mod game;
mod hearts;
mod jass;
mod whist;

pub use bridge::{Bridge, Goal};
pub(crate) use game::beats_in_strain;
pub use game::{Game, Tally};
pub use hearts::Hearts;
pub use jass::{Jass, Mode};
pub use whist::Whist;
