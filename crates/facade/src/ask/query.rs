//! The value of an ending in a database, and the set that proves it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use setrograde_cards::{Seat, Suit};
use setrograde_lookup::{Bounds, Database, Ending, EndingSet, Level, ProbeError};

use super::solve::not_at_start;
use crate::explanation::Explanation;
use crate::{
    Ask, Board, Desk, Example, PositionTricks, Refusal, Report, Start, StyleOption, Words,
};

/// The value of an ending in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Query {
    /// The number of deals with the same proof, for positions at the start of a trick.
    pub count: bool,
    /// The bounds of a coarse level, instead of a search, if they leave the value open.
    pub no_search: bool,
}

impl Ask for Query {
    const NAME: &'static str = "query";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3...", "count": true}"#,
        command: "query --count",
    };
    type Subject = Start;
    type Answer = QueryAnswer;
    const STYLES: &'static [StyleOption] = &[StyleOption {
        name: "explain",
        meaning: "The deal and the proof in words, if the answer is a text.",
        set: |style, explain| style.explain = explain,
    }];

    fn answer(
        &self,
        desk: &mut Desk,
        start: &Start,
        _: Option<&Board>,
    ) -> Result<QueryAnswer, Refusal> {
        let database = desk.database();
        let database =
            database.ok_or_else(|| Refusal::question("this question needs a database"))?;
        let position = start.position()?;
        let deepest = database.levels().map(Level::level).max().unwrap_or(0);
        let is_coarse = (database.max_tricks() + 1..=deepest).contains(&position.tricks_left());
        let found = match Explanation::new(database, position) {
            Err(ProbeError::LevelNotHeld { .. }) if is_coarse && !self.no_search => None,
            found => Some(found?).filter(|found| self.no_search || found.value().is_some()),
        };
        let database = Arc::clone(database);
        let found = match found {
            Some(found) => found,
            // A coarse level leaves the value open.
            None => Explanation::searched(position, desk.solver().tricks(position)?),
        };
        let deals = self.count.then(|| deals(&database, &found)).transpose()?;
        let (proof, Bounds { lo, hi }) = (found.proof.as_ref(), found.bounds);
        let tricks = found.value();
        Ok(QueryAnswer {
            tricks: tricks.map(|tricks| {
                PositionTricks::new(position, tricks, deals).of_contract(start.contract())
            }),
            bounds: tricks.is_none().then_some([lo, hi]),
            set: proof.map(|(ending, set)| Owners::new(ending, set)),
            explanation: found,
        })
    }
}

/// The number of deals in the set that proves the value.
fn deals(database: &Database, found: &Explanation) -> Result<u128, Refusal> {
    let Some((ending, set)) = &found.proof else {
        return Err(not_at_start());
    };
    let located = database
        .locate(ending)?
        .ok_or_else(|| database.not_held(ending))?;
    Ok(located.distribution(set)?.iter().sum())
}

/// The number of tricks of an ending, and the set that proves it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueryAnswer {
    /// The tricks; `None` if only bounds are known.
    #[serde(flatten)]
    pub tricks: Option<PositionTricks>,
    /// The minimum and maximum number of tricks, if a coarse level knows no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u8; 2]>,
    /// The set that proves them; `None` if some cards had to be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Owners>,
    /// The value with its proof.
    #[serde(skip)]
    explanation: Explanation,
}

impl Report for QueryAnswer {
    fn words(&self, to: &mut Words) {
        if let Some([least, greatest]) = self.bounds {
            to.beside(format_args!("{least}-{greatest}"));
        }
        if let Some(tricks) = &self.tricks {
            to.beside(tricks.declarer_tricks.unwrap_or(tricks.tricks));
            if let Some(deals) = tricks.deals {
                to.beside(format_args!(" deals={}", deals.0));
            }
        }
        if to.style().explain {
            to.line(format_args!("\n{}", self.explanation));
        }
    }
}

/// By suit, the seats that may own each of the top cards that a set knows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Owners(pub BTreeMap<Suit, Vec<String>>);

impl Owners {
    /// The owners of a set around an ending.
    pub fn new(ending: &Ending, set: &EndingSet) -> Owners {
        let suits = Suit::ALL.into_iter();
        let held = suits.filter(|&suit| ending.lengths(suit).total() > 0);
        let owners = held.map(|suit| {
            let known = (0..set.known(suit.index())).map(|nth| {
                let mask = set.mask(suit.index(), nth);
                let seats = Seat::ALL.into_iter();
                let owners = seats.filter(|seat| mask >> seat.index() & 1 == 1);
                owners.map(Seat::letter).collect()
            });
            (suit, known.collect())
        });
        Owners(owners.collect())
    }
}
