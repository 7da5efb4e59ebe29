//! Trick-taking games, players for them, and duplicate tournaments.
//!
//! Four layers, each of which knows only those before it:
//!
//! - [`games`]: the trait [`Game`](games::Game) and whist, bridge play, jass and
//!   hearts; [`State`] is a position with all cards known.
//! - [`Table`] and [`View`]: a board being played, and what one seat sees of it.
//!   A view gives the exact [beliefs](setrograde_beliefs) about the hidden hands
//!   that follow from the play.
//! - [`players`]: the trait [`Player`](players::Player), and players from a page
//!   of rules to double-dummy search over sampled worlds.
//! - [`tournament`]: every deal at two tables with the sides exchanged.
//!
//! ```
//! use setrograde_beliefs::Limits;
//! use setrograde_cards::{Seat, Strain};
//! use setrograde_play::games::Whist;
//! use setrograde_play::players::{Roster, Player};
//! use setrograde_play::{Table, tournament};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = Whist::new(Strain::NoTrump, Seat::West, 5);
//! let deal = tournament::deal(&game, &mut fastrand::Rng::with_seed(1));
//! let mut table = Table::new(game, deal, [Limits::default(); 4])?;
//!
//! // Before a card is played, North cannot tell 756,756 layouts apart.
//! let beliefs = table.view().beliefs(&Default::default())?;
//! assert_eq!(beliefs.count(), 756_756);
//!
//! let mut player: Box<dyn Player<Whist>> = Roster::default().player(&"pimc:worlds=4".parse()?)?;
//! let choice = player.choose(&table.view(), &mut fastrand::Rng::with_seed(1))?;
//! table.play(choice.card)?;
//! # Ok(())
//! # }
//! ```
//!
//! `docs/words.md` of the project defines the terms, with one deal drawn through
//! them all.

pub mod alpha_mu;
pub mod best_defence;
pub mod clues;
pub mod double_dummy;
mod endings;
mod error;
pub mod fit;
pub mod games;
pub mod inference;
pub mod odds;
pub mod perfect;
mod player;
pub mod players;
pub mod single_dummy;
mod state;
mod table;
pub mod thumb;
pub mod tournament;
mod trick;
mod view;
mod view_text;
pub mod worlds;

pub use error::TableError;
pub use state::State;
pub use table::Table;
pub use trick::Trick;
pub use view::View;
