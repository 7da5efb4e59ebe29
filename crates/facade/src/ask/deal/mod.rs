//! Deals that match conditions.

mod hands;
mod mix;
mod source;
mod statistics;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{Budget, Condition, Script, ScriptAction, ScriptError};
use setrograde_cards::{Card, Contract, PartialContract, Seat, Vulnerability};

pub use self::statistics::{CountedValue, Statistic, ValueCount};

use self::mix::{Mix, MixPart};
use self::source::{DealKind, DealSource, TriedDeal};
use self::statistics::ScriptTally;
use super::options::{Conditions, NoSubject, seed, time_limit};
use crate::{
    Ask, Board, Desk, Example, Refusal, RefusalKind, Report, ResultCondition, Setting, Words,
};

/// Deals of the full pack that match conditions, each with the same probability.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The number of deals. By default that of the script, or 1 without one. A script that only
    /// counts takes all deals of its `generate`, and its deals are not listed.
    #[serde(default)]
    pub count: Option<u32>,
    /// Conditions on the hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// The text of a script in the language of the program *dealer*.
    #[serde(default)]
    pub dealer: Option<String>,
    /// Shares of named types of deals, such as `35 % weak two, 60 % strong, 5 % other`.
    #[serde(default)]
    pub mix: Option<String>,
    /// Conditions on the hands by name, for the mix; the names of the script are known, too.
    #[serde(rename = "name", default)]
    pub names: BTreeMap<String, String>,
    /// Known hands, such as `N:AKQ52.K43.QJ5.T98 ? ? ?`; or two hands, North's and South's.
    #[serde(default)]
    pub hands: Option<String>,
    /// The contract, such as `3NTS`: it is written to the records, and conditions on results that
    /// name no contract are about it.
    #[serde(default)]
    pub contract: Option<String>,
    /// The seed of the deals.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Conditions on the results, such as `tricks(S,NT)>=9`.
    #[serde(rename = "where", default)]
    pub results: Conditions,
    /// The number of the first board, which gives the dealer and the vulnerable sides.
    #[serde(default = "one")]
    pub first: u32,
    /// The time limit in seconds, after which there are fewer deals than `count`.
    #[serde(default)]
    pub time: Option<f64>,
}

const fn one() -> u32 {
    1
}

/// The number of deals of a script that only counts and does not say how many, as in *dealer*.
const COUNTED: u32 = 10_000_000;

/// Maximum number of deals of a mix, all of which are kept until their order is known.
const MOST_OF_MIX: u32 = 1_000_000;

/// What a question about deals asks for.
#[derive(Clone, Copy, Debug)]
pub struct DealPlan {
    /// The number of deals; the maximum for a script that only counts.
    pub count: u32,
    /// True if deals are counted instead of listed, as many as the script generates.
    pub only_counts: bool,
    /// True if the script has actions.
    pub acts: bool,
    /// The first of them that prints cards, by its name.
    pub prints: Option<&'static str>,
}

/// The work so far, and a deal that matches the conditions if it was found now.
#[derive(Clone, Debug)]
pub struct DealFound {
    /// The number of deals tried.
    pub tried: u64,
    /// The number of deals found.
    pub found: u32,
    /// The deal, with its number, dealer, vulnerable sides and contract.
    pub board: Option<Board>,
    /// Its type in a mix.
    pub kind: Option<String>,
    /// What the script prints for it besides the cards.
    pub report: String,
}

/// A deal that was found, the number of its board, and what the script prints for it.
struct FoundDeal {
    number: u32,
    deal: setrograde_cards::Deal,
    report: String,
}

/// The deals tried and found so far, and what the script counts of them.
struct DealsSoFar<'s> {
    summary: DealSummary,
    tally: ScriptTally<'s>,
}

impl DealsSoFar<'_> {
    /// Adds a step of a search; returns the deal that it found.
    fn add(&mut self, tried: TriedDeal) -> Option<FoundDeal> {
        self.summary.tried += u64::from(tried.tried);
        let (number, deal) = tried.deal?;
        self.summary.found += 1;
        Some(FoundDeal {
            number,
            report: self.tally.add(&deal, &tried.values),
            deal,
        })
    }
}

/// All that was found.
#[derive(Clone, Debug, Default)]
pub struct DealSummary {
    /// The number of deals tried.
    pub tried: u64,
    /// The number of deals found.
    pub found: u32,
    /// Whether the search ended by the script's limit of deals tried.
    pub limited: bool,
    /// The averages and frequencies of the script.
    pub statistics: Vec<Statistic>,
}

/// The options that were read.
struct DealOptions {
    script: Option<Script>,
    mix: Option<Mix>,
    conditions: Vec<Condition>,
    results: Vec<ResultCondition>,
    contract: Option<Contract>,
    /// The lead of the problem that each deal sets, if there is just one.
    lead: Option<Card>,
    count: u32,
    /// Whether the deals are counted, not listed.
    only_counted: bool,
    /// Maximum number of deals tried.
    most: u64,
    seed: u64,
}

impl DealOptions {
    /// The board with a number, as far as it is known before the deal.
    fn board(&self, number: u32) -> Board {
        let script = self.script.as_ref();
        let of_script = |script: &Script| (script.dealer, script.vulnerability);
        let (dealer, vulnerability) = script.map_or((None, None), of_script);
        Board {
            number: Some(number),
            dealer: Some(dealer.unwrap_or_else(|| Seat::dealer_of_board(number))),
            vulnerability: Some(vulnerability.unwrap_or_else(|| Vulnerability::of_board(number))),
            contract: self.contract,
            declarer: self.contract.map(|contract| contract.declarer),
            strain: self.contract.map(|contract| contract.bid.strain()),
            leader: self.contract.map(Contract::leader),
            play: self.lead.into_iter().collect(),
            ..Board::default()
        }
    }

    fn setting(&self, number: u32) -> Setting {
        Setting::of_board(&self.board(number))
    }
}

impl From<ScriptError> for Refusal {
    fn from(error: ScriptError) -> Refusal {
        Refusal::option("dealer", error)
    }
}

impl Deal {
    /// The number of deals of a script that prints them and does not say how many.
    pub const PRINTED: u32 = 40;

    fn wanted(&self) -> Result<DealOptions, Refusal> {
        let script = self.dealer.as_deref().map(Script::read).transpose()?;
        let contract = self.contract.as_deref().map(declared).transpose()?;
        // All conditions have one budget.
        let mut budget = Budget::default();
        let conditions = self.conditions.read(&mut budget)?;
        let results = self.results.results_within(&mut budget)?;
        for condition in &results {
            condition.names_all(contract.is_some())?;
        }
        let problem = results.iter().find_map(ResultCondition::problem);
        let problem = problem.filter(|&(named, _)| {
            contract.is_none() || named.is_none_or(|named| contract == Some(named))
        });
        let contract = contract.or(problem.and_then(|(named, _)| named));
        let mix = match &self.mix {
            None if !self.names.is_empty() => return Err(Refusal::needs("name", &["mix"])),
            None => None,
            Some(text) => Some(Mix::read(text, &self.names, script.as_ref(), &mut budget)?),
        };
        let generate = script.as_ref().and_then(|script| script.generate);
        let produce = script.as_ref().and_then(|script| script.produce);
        let only_counted = self.count.or(produce).is_none()
            && mix.is_none()
            && script.as_ref().is_some_and(Script::only_counts);
        let of_script = match &script {
            None => 1,
            Some(_) if only_counted => generate.map_or(COUNTED, |most| most as u32),
            Some(_) => produce.unwrap_or(Deal::PRINTED),
        };
        let of_seed = script.as_ref().and_then(|script| script.seed);
        let count = self.count.unwrap_or(of_script);
        if mix.is_some() && count > MOST_OF_MIX {
            let problem = format_args!(
                "{count} deals are too many for a mix; expected at most {MOST_OF_MIX}"
            );
            return Err(Refusal::option("mix", problem));
        }
        Ok(DealOptions {
            mix,
            conditions,
            results,
            contract,
            lead: problem.map(|(_, lead)| lead),
            count,
            only_counted,
            most: generate.unwrap_or(u64::MAX),
            // A script's own seed counts unless another is given.
            seed: of_seed.filter(|_| self.seed == seed()).unwrap_or(self.seed),
            script,
        })
    }

    /// Returns what the options and the script ask for.
    ///
    /// # Errors
    ///
    /// If an option is invalid.
    pub fn plan(&self) -> Result<DealPlan, Refusal> {
        let wanted = self.wanted()?;
        let actions = wanted.script.map_or(Vec::new(), |script| script.actions);
        Ok(DealPlan {
            count: wanted.count,
            only_counts: wanted.only_counted,
            acts: !actions.is_empty(),
            prints: actions.iter().find_map(|action| match action {
                ScriptAction::PrintPbn => Some("printpbn"),
                ScriptAction::Print(name) => Some(*name),
                _ => None,
            }),
        })
    }

    /// Passes the deals to `take`, which may break, in order until there are `count` or the time is
    /// over. `take` is also called without a deal; of a script that only counts it never gets one.
    /// All threads of the desk search; the deals do not depend on their number.
    ///
    /// # Errors
    ///
    /// If an option is invalid, no deal matches, or a search fails.
    pub fn each<B>(
        &self,
        desk: &Desk,
        mut take: impl FnMut(DealFound) -> ControlFlow<B>,
    ) -> Result<(DealSummary, Option<B>), Refusal> {
        let wanted = self.wanted()?;
        let mut stop = desk.stop().clone();
        if let Some(time) = time_limit(self.time)? {
            stop = stop.by(Instant::now() + time);
        }
        let mut timed = desk.another();
        timed.set_stop(stop);
        // As with the seed, another number than the usual one counts.
        let of_script = wanted.script.as_ref().and_then(|script| script.first);
        let first = of_script
            .filter(|_| self.first == one())
            .unwrap_or(self.first);
        let mut so_far = DealsSoFar {
            summary: DealSummary::default(),
            tally: ScriptTally::new(wanted.script.as_ref()),
        };
        let end = match &wanted.mix {
            None => {
                let boards = |found: u32| first.saturating_add(found);
                let (kind, count) = (DealKind::default(), wanted.count);
                self.each_of(&timed, &wanted, kind, count, &boards, |tried| {
                    let found = so_far.add(tried).filter(|_| !wanted.only_counted);
                    take(self.found(&wanted, found, None, &so_far.summary))
                })?
            }
            Some(mix) => self.each_of_mix(&timed, &wanted, mix, first, &mut so_far, take)?,
        };
        let DealsSoFar { mut summary, tally } = so_far;
        summary.limited = summary.tried >= wanted.most;
        summary.statistics = tally.statistics();
        Ok((summary, end))
    }

    /// Draws the deals of each type of a mix, then passes all in the order of their boards, the
    /// `first` and those after it.
    fn each_of_mix<B>(
        &self,
        desk: &Desk,
        wanted: &DealOptions,
        mix: &Mix,
        first: u32,
        so_far: &mut DealsSoFar<'_>,
        mut take: impl FnMut(DealFound) -> ControlFlow<B>,
    ) -> Result<Option<B>, Refusal> {
        let kinds = mix.spread(wanted.count, wanted.seed);
        let mut dealt: Vec<Option<FoundDeal>> = Vec::new();
        dealt.resize_with(kinds.len(), || None);
        for (at, part) in mix.parts.iter().enumerate() {
            let places: Vec<usize> = (0..kinds.len()).filter(|&n| kinds[n] == at).collect();
            let number = |found: u32| {
                let place = places.get(found as usize).copied().unwrap_or(0);
                first.saturating_add(place as u32)
            };
            let kind = DealKind {
                part: Some(part),
                number: at as u64,
            };
            let count = places.len() as u32;
            let mut free = places.iter();
            let end = self.each_of(desk, wanted, kind, count, &number, |tried| {
                if let Some(found) = so_far.add(tried)
                    && let Some(&place) = free.next()
                {
                    dealt[place] = Some(found);
                }
                take(self.found(wanted, None, None, &so_far.summary))
            })?;
            if end.is_some() {
                return Ok(end);
            }
        }
        for (found, kind) in dealt.into_iter().zip(kinds) {
            if found.is_some() {
                let part = Some(&mix.parts[kind]);
                let step = self.found(wanted, found, part, &so_far.summary);
                if let ControlFlow::Break(value) = take(step) {
                    return Ok(Some(value));
                }
            }
        }
        Ok(None)
    }

    fn found(
        &self,
        wanted: &DealOptions,
        deal: Option<FoundDeal>,
        part: Option<&MixPart>,
        summary: &DealSummary,
    ) -> DealFound {
        let (board, report) = match deal {
            None => (None, String::new()),
            Some(found) => {
                let hands = found.deal.hands().map(Some);
                let board = wanted.board(found.number);
                (Some(Board { hands, ..board }), found.report)
            }
        };
        let kind = part
            .filter(|_| board.is_some())
            .map(|part| part.name.clone());
        DealFound {
            tried: summary.tried,
            found: summary.found,
            board,
            kind,
            report,
        }
    }

    /// Hands `count` deals of a kind to `take`.
    fn each_of<B>(
        &self,
        desk: &Desk,
        wanted: &DealOptions,
        kind: DealKind<'_>,
        count: u32,
        boards: &dyn Fn(u32) -> u32,
        mut take: impl FnMut(TriedDeal) -> ControlFlow<B>,
    ) -> Result<Option<B>, Refusal> {
        if count == 0 {
            return Ok(None);
        }
        let source = match DealSource::new(self, desk, wanted, kind) {
            // The time was over before the deals were counted.
            Err(refusal) if refusal.kind == RefusalKind::Interrupted => return Ok(None),
            source => source?,
        };
        let (mut tried, mut all) = (0, 0);
        let end = source.each(desk, boards, |found| {
            tried += u64::from(found.tried);
            all += u32::from(found.deal.is_some());
            take(found).map_break(Some)?;
            if all == count || tried >= wanted.most {
                ControlFlow::Break(None)
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(end.flatten())
    }
}

impl Ask for Deal {
    const NAME: &'static str = "deal";
    const EXAMPLE: Example = Example {
        json: r#"{"count": 2, "if": "N.balanced"}"#,
        command: "deal 2 --if N.balanced",
    };
    type Subject = NoSubject;
    type Answer = Dealt;

    fn check(&self) -> Result<(), Refusal> {
        self.wanted()?;
        time_limit(self.time).map(drop)
    }

    fn answer(&self, desk: &mut Desk, _: &NoSubject, _: Option<&Board>) -> Result<Dealt, Refusal> {
        let wanted = self.wanted()?;
        if !wanted.only_counted {
            desk.check_length("count", wanted.count)?;
        }
        let mut dealt = Dealt::default();
        let (summary, _) = self.each(desk, |step| {
            dealt.add(step);
            ControlFlow::<()>::Continue(())
        })?;
        if desk.is_cancelled() {
            Err(Refusal::interrupted())
        } else {
            Ok(Dealt {
                tried: summary.tried,
                statistics: summary.statistics,
                ..dealt
            })
        }
    }
}

/// Drawn deals.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Dealt {
    /// The deals.
    pub deals: Vec<setrograde_cards::Deal>,
    /// The type of each deal of a mix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// What the script prints for each deal besides the cards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<String>,
    /// The number of deals tried: more than there are if some did not match all conditions.
    pub tried: u64,
    /// The averages and frequencies of the script.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<Statistic>,
}

impl Dealt {
    /// Adds the deal of a step, if it has one.
    pub fn add(&mut self, step: DealFound) {
        self.deals.extend(step.board.as_ref().and_then(Board::deal));
        self.types.extend(step.kind);
        let report = Some(step.report).filter(|report| !report.is_empty());
        self.reports.extend(report);
    }
}

impl Report for Dealt {
    fn words(&self, to: &mut Words) {
        let deals = self.deals.iter().map(|deal| format!("{deal}\n"));
        let statistics = self.statistics.iter().map(Statistic::to_string);
        let reports = self.reports.iter().cloned();
        to.only(deals.chain(reports).chain(statistics).collect::<String>());
    }
}

/// Reads a contract with its declarer.
fn declared(text: &str) -> Result<Contract, Refusal> {
    let contract = text.parse::<PartialContract>();
    let contract = contract.map_err(|error| Refusal::option("contract", error))?;
    let declared = contract.declarer.map(|seat| contract.or_by(seat));
    declared.ok_or_else(|| Refusal::option("contract", "expected the declarer, too, as in 3NTS"))
}

/// Reads the condition of a text, or its opposite.
fn condition_of(text: &str, holds: bool) -> Result<Condition, setrograde_beliefs::QuestionError> {
    if holds {
        text.parse()
    } else {
        format!("not ({text})").parse()
    }
}
