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

pub use crate::player::{CardWorth, Choice, Player, PlayerError};
pub use exact::Exact;
pub use external::{External, view_json};
pub use ismcts::{Ismcts, Rollout};
pub use mu::{Determinizer, Mu};
pub use pimc::Pimc;
pub use roster::{Roster, Spec, SpecError};
