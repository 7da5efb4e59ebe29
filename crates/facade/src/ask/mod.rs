//! The questions, each with its options, named as on the command line.

mod adjudicate;
mod analyse;
mod best_line;
mod claim;
mod compare;
mod deal;
mod layouts;
mod leads;
mod lesson;
mod line;
mod matter;
mod odds;
mod options;
mod par;
mod position;
mod query;
mod results;
mod single_dummy;
mod solve;
mod suit;
mod table;

pub use adjudicate::Adjudicate;
pub use analyse::{Analyse, AnalyseAnswer};
pub use best_line::{BestLine, OverLayouts};
pub use claim::{Claim, ClaimReply, Tricks, of_left};
pub use compare::{Compare, Contracts};
pub use deal::{
    CountedValue, Deal, DealFound, DealSummary, Dealt, PlainDeals, Statistic, ValueCount,
};
pub use layouts::{HiddenCard, HiddenCards, JassLayouts, Layouts};
pub use leads::Leads;
pub use lesson::Lesson;
pub use line::Line;
pub use matter::{Matter, Matters, share};
pub use odds::Odds;
pub use options::{Conditions, Lines, NoSubject, Rules};
pub use par::Par;
pub use position::{PlayPoint, Positioned};
pub use query::{Owners, Query, QueryAnswer};
pub use results::Results;
pub use single_dummy::{SingleDummy, SingleDummyAnswer};
pub use solve::{LineOfPlay, Solve, SolveAnswer};
pub use suit::{Suit, SuitLines};
pub use table::Table;
