//! Bridge with hidden hands.
//!
//! - [`odds()`]: the exact distribution of the tricks that a side takes with all
//!   cards known, over all layouts of the hidden cards.
//! - [`single_dummy()`]: the line of play that makes sure of a target in most
//!   layouts, against opponents who see everything ([`BestDefence`]).
//!
//! A question is a [`View`](setrograde_games::View) of [`Whist`](setrograde_games::Whist):
//! the play of bridge, without a contract.

mod best_defence;
mod double_dummy;
mod error;
mod hitting;
mod layout_set;
mod odds;
mod plan;
mod single_dummy;

pub use best_defence::BestDefence;
pub use double_dummy::{Endings, OpenCards, tricks_of_cards, with_tricks};
pub use error::SearchError;
pub use layout_set::LayoutSet;
pub use odds::{BySplit, MOST_VISITED, Odds, card_odds, odds, visited};
pub use single_dummy::{Options, SingleDummy, single_dummy};
