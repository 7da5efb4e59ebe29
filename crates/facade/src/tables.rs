//! Tables, par and cards to play: answers of the double-dummy solver.

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use setrograde_beliefs::joined;
use setrograde_cards::{Card, Contract, LargeCount, Position, Seat, Strain, Vulnerability};
use setrograde_solver::{Par, ParContract, Solution, TrickTable};

use crate::words::side_name;
use crate::{QuestionKind, Report, Words, outcome};

/// The 20 results of a deal.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Table {
    /// The tricks, by strain and declarer.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<Strain, BTreeMap<Seat, u8>>")
    )]
    #[serde(serialize_with = "by_strain")]
    pub tricks: TrickTable,
}

fn by_strain<S: Serializer>(table: &TrickTable, to: S) -> Result<S::Ok, S::Error> {
    strains(&(table, &Strain::ALL), to)
}

/// Writes the results of some strains.
fn strains<S: Serializer>(
    &(table, some): &(&TrickTable, &[Strain]),
    to: S,
) -> Result<S::Ok, S::Error> {
    /// The tricks of each declarer.
    struct Declarers([u8; 4]);
    impl Serialize for Declarers {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.collect_map(Seat::ALL.iter().zip(&self.0))
        }
    }
    to.collect_map(some.iter().map(|&strain| {
        let declarers = Seat::ALL.map(|seat| table.tricks(strain, seat));
        (strain, Declarers(declarers))
    }))
}

/// The part of a table that is solved.
#[derive(Serialize)]
pub(crate) struct SomeStrains<'a> {
    /// The tricks in these strains.
    #[serde(serialize_with = "strains")]
    pub tricks: (&'a TrickTable, &'a [Strain]),
}

/// A line for each declarer.
impl Report for Table {
    fn words(&self, to: &mut Words) {
        to.line("      NT   S   H   D   C");
        for seat in Seat::ALL {
            let tricks =
                Strain::ALL.map(|strain| format!("{:4}", self.tricks.tricks(strain, seat)));
            to.line(format_args!("  {:2}{}", seat.letter(), tricks.concat()));
        }
    }
}

/// Par for each requested vulnerability and dealer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pars {
    /// The results.
    pub par: Vec<OnePar>,
    /// The heading of the board, if the vulnerable sides are not those of its record.
    #[serde(skip)]
    pub title: Option<String>,
}

/// Par for one vulnerability and dealer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnePar {
    /// The vulnerable sides: `none`, `NS`, `EW` or `both`.
    #[cfg_attr(feature = "schema", schemars(with = "VulnerableSides"))]
    #[serde(serialize_with = "sides")]
    pub vulnerable: Vulnerability,
    /// The dealer.
    pub dealer: Seat,
    /// The score of North and South.
    pub score: i32,
    /// The contracts with this score.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<OneContract>"))]
    #[serde(serialize_with = "contracts")]
    pub contracts: Vec<ParContract>,
}

impl OnePar {
    /// The par result of a deal with this table.
    pub fn new(table: &TrickTable, vulnerable: Vulnerability, dealer: Seat) -> OnePar {
        let Par {
            score, contracts, ..
        } = Par::new(table, vulnerable, dealer);
        OnePar {
            vulnerable,
            dealer,
            score,
            contracts,
        }
    }

    /// The contracts, such as `4S NS =, 5D* EW -1`.
    fn contracts(&self) -> String {
        match &self.contracts[..] {
            [] => "pass".to_owned(),
            contracts => joined(contracts, ", "),
        }
    }
}

const fn name(vulnerable: Vulnerability) -> &'static str {
    match vulnerable {
        Vulnerability::None => "none",
        Vulnerability::NorthSouth => "NS",
        Vulnerability::EastWest => "EW",
        Vulnerability::Both => "both",
    }
}

fn sides<S: Serializer>(vulnerable: &Vulnerability, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(name(*vulnerable))
}

/// A contract at par, as an object.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct OneContract {
    /// The number of odd tricks bid, 1 to 7.
    level: u8,
    /// The strain.
    strain: Strain,
    /// The seats that may declare it.
    declarers: Vec<Seat>,
    /// True if it is doubled, because it goes down.
    doubled: bool,
    /// Overtricks; undertricks are negative.
    over: i8,
}

/// The names of vulnerable sides.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[allow(dead_code)]
enum VulnerableSides {
    #[schemars(rename = "none")]
    None,
    #[schemars(rename = "NS")]
    NorthSouth,
    #[schemars(rename = "EW")]
    EastWest,
    #[schemars(rename = "both")]
    Both,
}

fn contracts<S: Serializer>(contracts: &[ParContract], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(contracts.iter().map(|contract| OneContract {
        level: contract.bid.level(),
        strain: contract.bid.strain(),
        declarers: contract.declarers().collect(),
        doubled: contract.over < 0,
        over: contract.over,
    }))
}

impl Report for Pars {
    fn words(&self, to: &mut Words) {
        if let Some(title) = &self.title {
            to.title(title);
        }
        if let [one] = &self.par[..] {
            let (score, contracts) = (one.score, one.contracts());
            return match to.asked() {
                QuestionKind::Board => to.beside(format_args!("par {score}: {contracts}")),
                _ => to.beside(format_args!("{score}\t{contracts}")),
            };
        }
        to.line("vulnerable  dealer  score  contracts");
        let alike = |a: &OnePar, b: &OnePar| {
            (a.vulnerable, a.score, &a.contracts) == (b.vulnerable, b.score, &b.contracts)
        };
        for same in self.par.chunk_by(alike) {
            let dealers = match same.len() {
                4 => "any".to_owned(),
                _ => same.iter().map(|of| of.dealer.letter()).collect(),
            };
            let (sides, score) = (name(same[0].vulnerable), same[0].score);
            let contracts = same[0].contracts();
            to.line(format_args!(
                "{sides:10}  {dealers:6}  {score:5}  {contracts}"
            ));
        }
    }
}

/// The number of tricks of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionTricks {
    /// The seat that leads, or led, whose side takes the tricks.
    pub leader: Seat,
    /// The tricks.
    pub tricks: u8,
    /// The tricks left.
    pub tricks_left: usize,
    /// The number of deals with the same proof, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<LargeCount>,
    /// The contract, if the question has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<Contract>,
    /// The tricks of its declarer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declarer_tricks: Option<u8>,
    /// True if it makes, of a whole deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makes: Option<bool>,
}

impl PositionTricks {
    /// The number of tricks of `position`.
    pub(crate) fn new(position: &Position, tricks: u8, deals: Option<u128>) -> PositionTricks {
        PositionTricks {
            leader: position.leader(),
            tricks,
            tricks_left: position.tricks_left(),
            deals: deals.map(LargeCount),
            contract: None,
            declarer_tricks: None,
            makes: None,
        }
    }

    /// The same with the tricks of the declarer of a contract.
    pub(crate) fn of_contract(mut self, contract: Option<Contract>) -> PositionTricks {
        if let Some(contract) = contract {
            let tricks = if self.leader.side() == contract.declarer.side() {
                self.tricks
            } else {
                self.tricks_left as u8 - self.tricks
            };
            self.declarer_tricks = Some(tricks);
            self.makes = (self.tricks_left == 13).then(|| tricks >= contract.bid.tricks());
        }
        PositionTricks { contract, ..self }
    }
}

impl Report for PositionTricks {
    fn words(&self, to: &mut Words) {
        let (tricks, left) = (self.tricks, self.tricks_left);
        match to.asked() {
            QuestionKind::Board => {
                let side = side_name(self.leader.side());
                let left = setrograde_claim::tricks(left as u8);
                to.beside(format_args!("{side} take {tricks} of {left}"));
            }
            _ => to.beside(self.declarer_tricks.unwrap_or(tricks)),
        }
        if let (Some(contract), Some(tricks), Some(_)) =
            (self.contract, self.declarer_tricks, self.makes)
        {
            to.beside(format_args!(", {}", outcome(contract, tricks)));
        }
        if let Some(deals) = self.deals {
            to.beside(format_args!(" deals={}", deals.0));
        }
    }
}

/// The playable cards, with their tricks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardList {
    /// The seat to play.
    pub to_play: Seat,
    /// The tricks left.
    pub tricks_left: usize,
    /// The cards.
    pub cards: Vec<SolvedCard>,
    /// True if the text also names the equal cards.
    #[serde(skip)]
    pub with_equals: bool,
}

/// A card and its tricks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolvedCard {
    /// The card.
    pub card: Card,
    /// Lower cards with the same tricks.
    pub equals: Vec<Card>,
    /// The tricks of the side to play.
    pub tricks: u8,
}

impl CardList {
    /// The cards of a solution of `position`.
    pub(crate) fn new(position: &Position, solution: &Solution, with_equals: bool) -> CardList {
        let cards = solution.cards.iter().map(|solved| SolvedCard {
            card: solved.card,
            equals: solved.equal_cards().collect(),
            tricks: solved.tricks,
        });
        CardList {
            to_play: solution.seat,
            tricks_left: position.tricks_left(),
            cards: cards.collect(),
            with_equals,
        }
    }
}

impl Report for CardList {
    fn words(&self, to: &mut Words) {
        let shown = self.cards.iter().flat_map(|solved| {
            let equals = solved.equals.iter().filter(|_| self.with_equals);
            let cards = std::iter::once(&solved.card).chain(equals);
            cards.map(|card| format!("{card}={}", solved.tricks))
        });
        to.beside(match joined(shown, " ") {
            shown if shown.is_empty() => "-".to_owned(),
            shown => shown,
        });
    }
}
