//! Trick-taking games of four seats, and the view of one seat.
//!
//! - [`Game`]: the rules of [`Whist`], [`Bridge`] after the auction and [`Jass`];
//!   [`State`] is a position with all cards known.
//! - [`Table`] and [`View`]: a board being played, and one seat's view of it. A view gives the
//!   exact [beliefs](setrograde_beliefs) about the hidden hands that follow from the play.
//!
//! ```
//! use setrograde_beliefs::Limits;
//! use setrograde_cards::{Seat, Strain};
//! use setrograde_rules::{Strengths, Table, Whist, deal};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = Whist::new(Strain::NoTrump, Seat::West, 5);
//! let hands = deal(&game, &mut fastrand::Rng::with_seed(1));
//! let table = Table::new(game, hands, [Limits::default(); 4])?;
//!
//! // Before a card is played, North cannot distinguish 756,756 layouts.
//! let beliefs = table.view().beliefs(&Strengths::NONE)?;
//! assert_eq!(beliefs.count(), 756_756);
//! # Ok(())
//! # }
//! ```
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod bridge;
mod clues;
mod game;
mod jass;
mod state;
mod table;
mod view;
mod whist;

pub use bridge::{Bridge, Goal};
pub use clues::{Play, Rule, Strengths};
pub use game::{Game, Tally};
pub use jass::{Jass, Mode};
pub use state::{State, Trick};
pub use table::{Table, TableError, deal};
pub use view::{BridgeView, View};
pub use whist::Whist;
