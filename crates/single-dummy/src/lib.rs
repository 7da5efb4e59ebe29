//! Bridge with hidden hands.
//!
//! - [`odds()`]: the exact distribution of the tricks that a side takes with all
//!   cards known, over all layouts of the hidden cards.
//! - [`single_dummy()`]: the line of play that makes sure of a target in most
//!   layouts, against opponents who see everything ([`BestDefence`]).

mod best_defence;
mod double_dummy;
mod endings;
mod error;
mod odds;
mod single_dummy;
mod worlds;

pub use best_defence::{BestDefence, Plan};
pub use double_dummy::{OpenCards, tricks_of_cards};
pub use endings::{Endings, with_tricks};
pub use error::SearchError;
pub use odds::{
    BySplit, MOST_VISITED, Odds, OddsError, card_odds, odds, odds_by_split, visited,
    visited_by_split,
};
pub use single_dummy::{Options, SingleDummy, SingleDummyError, single_dummy};
pub use worlds::{Valuation, Worlds};
