//! Bridge with hidden hands.
//!
//! - [`odds()`]: the exact distribution of the tricks that a side takes with all
//!   cards known, over all layouts of the hidden cards.
//! - [`sampled()`]: the same over drawn layouts, at any size; [`sampled_leads`] ranks
//!   the leads against a contract, [`sampled_contracts`] compares contracts by score.
//! - [`SuitHolding`]: the best line for a single suit.
//! - [`single_dummy()`]: the line of play that guarantees a target in most layouts, against
//!   opponents who see everything.
//! - [`best_line`]: the best line over given layouts, for a target, for tricks or for
//!   the score.
//!
//! A question is a [`View`](setrograde_beliefs::View) of [`Whist`](setrograde_beliefs::Whist):
//! the play of bridge, without a contract.
//!
//! # Example
//!
//! ```
//! use setrograde_beliefs::{Strengths, View};
//! use setrograde_lookup::Database;
//! use setrograde_parallel::Stop;
//! use setrograde_single_dummy::{Options, odds, single_dummy};
//!
//! // South leads towards ace and queen; the king is hidden.
//! let view = View::of_bridge(&"NT S N:AQ... ? 32... ? out=KJT9...".parse()?)?;
//! let beliefs = view.beliefs(&Strengths::NONE)?;
//!
//! // With all cards known: one trick in three layouts, two in three.
//! let database = Database::open("../../data/golden")?;
//! let found = odds(&view, &beliefs, &database, &Stop::default())?;
//! assert_eq!(found.all.counts[..3], [0, 3, 3]);
//!
//! // Without: both tricks are sure in three of the six layouts.
//! let options = Options {
//!     database: None,
//!     most_visits: 1_000_000,
//!     plan: true,
//!     stop: Default::default(),
//! };
//! let found = single_dummy(&view, &beliefs, 2, &options)?;
//! assert_eq!((found.sure(), found.layouts), (3, 6));
//! assert!(found.plan.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod answers;
mod bidding;
mod double_dummy;
mod error;
mod given;
mod odds;
mod sampling;
mod suit;

pub use answers::{
    CardLayouts, CardOdds, Chances, Comparison, Drawn, Lead, Leads, SplitOdds, SureTarget,
};
pub use bidding::{Compared, ContractOdds, sampled_contracts, sampled_leads};
pub use double_dummy::{Endings, tricks_of_cards, with_tricks};
pub use error::SearchError;
pub use given::{
    BestLine, CardValue, LayoutsError, Line, LineOptions, LineValue, MOST_LAYOUTS, Objective,
    Options, Seen, SingleDummy, best_line, best_line_of, layouts_of, read_layouts, single_dummy,
};
pub use odds::{BySplit, MOST_VISITED, Odds, card_odds, odds, visited};
pub use sampling::{Sampled, Sampling, SolvedLayouts, drawn, interval, mean_half_width, sampled};
pub use suit::{
    Average, Averages, Split, SuitAnswer, SuitBranch, SuitError, SuitHolding, SuitLine, SuitStep,
    SuitThird, When,
};
