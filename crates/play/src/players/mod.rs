//! Players, from random cards to double-dummy search over sampled layouts.

mod choice;
mod exact;
mod external;
mod ismcts;
mod mu;
mod pimc;
mod roster;
mod simple;
mod tree;

pub(crate) use choice::with_tricks_of;

pub use crate::player::{CardWorth, Player, PlayerChoice, PlayerError};
pub use external::view_json;
pub use mu::Determinizer;
pub use roster::{Roster, Spec, SpecError};
