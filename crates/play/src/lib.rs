//! Players of trick-taking games, and duplicate tournaments between them.
//!
//! - [`Bridge`], the play of a contract, beside the games of `setrograde_beliefs`; [`Table`], a board
//!   being played.
//! - [`players`]: the trait [`Player`](players::Player), and players from a page
//!   of rules to double-dummy search over sampled layouts.
//! - [`tournament`]: every deal at two tables with the sides exchanged.
//!
//! ```
//! use setrograde_beliefs::{Limits, Whist};
//! use setrograde_cards::{Seat, Strain};
//! use setrograde_play::players::{Player, Roster};
//! use setrograde_play::{Table, deal};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = Whist::new(Strain::NoTrump, Seat::West, 5);
//! let deal = deal(&game, &mut fastrand::Rng::with_seed(1));
//! let mut table = Table::new(game, deal, [Limits::default(); 4])?;
//!
//! let mut player: Box<dyn Player<Whist>> = Roster::default().player(&"pimc:worlds=4".parse()?)?;
//! let choice = player.choose(&table.view(), &mut fastrand::Rng::with_seed(1))?;
//! table.play(choice.card)?;
//! # Ok(())
//! # }
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod bridge;
mod claim;
mod perfect;
mod player;
pub mod players;
mod table;
mod thumb;
pub mod tournament;

pub use bridge::{Bridge, Goal};
pub use claim::{TableClaim, TableClaimError};
pub use table::{Table, TableError, deal};
