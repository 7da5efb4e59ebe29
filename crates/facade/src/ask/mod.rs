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
    CountedValue, Deal, DealFound, DealPlan, DealSummary, Dealt, Statistic, ValueCount,
};
pub use layouts::{HiddenCard, HiddenCards, JassLayouts, Layouts};
pub use leads::Leads;
pub use lesson::Lesson;
pub use line::Line;
#[doc(hidden)]
pub use matter::matter;
pub use matter::{Matter, Matters};
pub use odds::Odds;
pub use options::{Conditions, NoSubject, Rules, TextLines};
pub use par::Par;
pub use position::{PlayPoint, Positioned};
pub use query::{Owners, Query, QueryAnswer};
pub use results::Results;
pub use single_dummy::{SingleDummy, SingleDummyAnswer};
pub use solve::{LineOfPlay, Solve, SolveAnswer};
pub use suit::{Suit, SuitLines};
pub use table::Table;

use crate::AskEntry;
#[cfg(not(feature = "schema"))]
use crate::entry::entry;
#[cfg(feature = "schema")]
use crate::schema::entry;

/// The questions of the desk.
#[doc(hidden)]
pub const DESK: &[AskEntry] = &[
    entry::<Solve>(),
    entry::<Table>(),
    entry::<Par>(),
    entry::<Positioned>(),
    entry::<Analyse>(),
    entry::<Results>(),
    entry::<Lesson>(),
    entry::<Query>(),
    entry::<Matter>(),
    entry::<Claim>(),
    entry::<Line>(),
    entry::<Adjudicate>(),
    entry::<Odds>(),
    entry::<Leads>(),
    entry::<Compare>(),
    entry::<SingleDummy>(),
    entry::<BestLine>(),
    entry::<Suit>(),
    entry::<Layouts>(),
    entry::<Deal>(),
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use serde_json::Value;
    use setrograde_lookup::Database;

    use super::*;
    use crate::Desk;

    #[test]
    fn the_desk_has_every_question() {
        let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/ask")).expect("files");
        let mut found = Vec::new();
        for file in files {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path);
            let text = text.or_else(|_| fs::read_to_string(path.join("mod.rs")));
            let text = text.expect("text");
            let names = text.split("const NAME: &'static str = \"").skip(1);
            let names = names.filter_map(|name| name.split_once('"'));
            found.extend(names.map(|(name, _)| name.to_owned()));
        }
        let mut expected: Vec<&str> = DESK.iter().map(|entry| entry.name).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_answer_has_words() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
        let database = Database::open(golden).expect("a database");
        let mut desk = Desk::new(Some(Arc::new(database)));
        for entry in DESK {
            let options = entry.example.json.trim_start_matches('{');
            let question = format!("{{\"ask\": {:?}, \"text\": true, {options}", entry.name);
            let answer: Value = serde_json::from_str(&desk.ask(&question)).expect("JSON");
            // A text repeats its question.
            let text = answer["text"].as_str().unwrap_or_default();
            let asked = answer["question"].as_str().unwrap_or_default();
            let words = text.strip_prefix(asked).unwrap_or(text);
            assert!(words.contains(char::is_alphanumeric), "{answer}");
        }
    }
}
