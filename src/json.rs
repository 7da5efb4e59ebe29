//! The objects that `--json` prints, described with examples in docs/json.md. A
//! thing has one name and one form in all of them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::Value;
use setrograde_cards::{Card, Contract, Seat, Side, Strain, Suit};
use setrograde_claim::{Adjudication, Assumption, CardSure, Plan};
use setrograde_estimate::{EstimateReport, Projection};
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_lookup::{Ending, EndingSet};
use setrograde_review::JudgedClaim;
use setrograde_single_dummy::{Average, BySplit, ContractOdds, Odds, Split, SuitLine, interval};
use setrograde_solver::{CardTricks, Par, TrickTable};
use setrograde_verify::CheckReport;

/// The version of the interface: names stay and keep their meaning as long as it
/// does; names may be added.
pub const VERSION: u64 = 1;

/// An object with the version, for standard output.
pub fn versioned(object: impl Serialize) -> Value {
    let mut value = serde_json::to_value(object).expect("keys are text");
    value["version"] = Value::from(VERSION);
    value
}

/// Prints an object on standard output, by itself on a line.
pub fn print(object: impl Serialize) -> io::Result<()> {
    writeln!(io::stdout(), "{}", versioned(object))
}

/// A count. Above 2^53, where many readers of JSON would round it, it is text.
#[derive(Clone, Copy)]
pub struct Whole(pub u128);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if number <= 1 << 53 => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// The number of tricks of a position: `solve`, `query`.
#[derive(Serialize)]
pub struct PositionTricks<'a> {
    pub question: &'a str,
    pub leader: Seat,
    pub tricks: u8,
    pub tricks_left: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<Whole>,
    /// The set that proves the number, for `query`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Owners>,
}

/// By suit, the seats that may own each of the top cards that a set knows.
#[derive(Serialize)]
pub struct Owners(BTreeMap<Suit, Vec<String>>);

impl Owners {
    pub fn new(ending: &Ending, set: &EndingSet) -> Owners {
        let suits = Suit::ALL.into_iter();
        let held = suits.filter(|&suit| ending.lengths(suit).total() > 0);
        let owners = held.map(|suit| {
            let known = (0..set.known(suit.index())).map(|place| {
                let mask = set.mask(suit.index(), place);
                let seats = Seat::ALL.into_iter();
                let owners = seats.filter(|seat| mask >> seat.index() & 1 == 1);
                owners.map(Seat::letter).collect()
            });
            (suit, known.collect())
        });
        Owners(owners.collect())
    }
}

/// The cards that may be played, with tricks: `solve --all`, `--best`, `--one`.
#[derive(Serialize)]
pub struct CardList<'a> {
    pub question: &'a str,
    pub to_play: Seat,
    pub tricks_left: usize,
    pub cards: Vec<SolvedCard>,
}

#[derive(Serialize)]
pub struct SolvedCard {
    card: Card,
    equals: Vec<Card>,
    tricks: u8,
}

impl From<&CardTricks> for SolvedCard {
    fn from(solved: &CardTricks) -> SolvedCard {
        SolvedCard {
            card: solved.card,
            equals: solved.equal_cards().collect(),
            tricks: solved.tricks,
        }
    }
}

/// The tricks of all declarers, by strain and seat: `table`.
#[derive(Serialize)]
pub struct Table<'a> {
    question: &'a str,
    tricks: BTreeMap<Strain, BTreeMap<Seat, u8>>,
}

impl<'a> Table<'a> {
    pub fn new(question: &'a str, table: &TrickTable) -> Table<'a> {
        let tricks = Strain::ALL.map(|strain| {
            let declarers = Seat::ALL.map(|seat| (seat, table.tricks(strain, seat)));
            (strain, BTreeMap::from(declarers))
        });
        Table {
            question,
            tricks: tricks.into(),
        }
    }
}

/// Par for each vulnerability and dealer: `par`.
#[derive(Serialize)]
pub struct Pars<'a> {
    pub question: &'a str,
    pub par: Vec<OnePar>,
}

#[derive(Serialize)]
pub struct OnePar {
    vulnerable: &'static str,
    dealer: Seat,
    score: i32,
    contracts: Vec<OneContract>,
}

#[derive(Serialize)]
struct OneContract {
    level: u8,
    strain: Strain,
    declarers: Vec<Seat>,
    doubled: bool,
    over: i8,
}

impl OnePar {
    pub fn new(vulnerable: &'static str, dealer: Seat, par: &Par) -> OnePar {
        let contracts = par.contracts.iter().map(|contract| OneContract {
            level: contract.bid.level(),
            strain: contract.bid.strain(),
            declarers: contract.declarers().collect(),
            doubled: contract.over < 0,
            over: contract.over,
        });
        OnePar {
            vulnerable,
            dealer,
            score: par.score,
            contracts: contracts.collect(),
        }
    }
}

/// A board that all four players passed.
#[derive(Serialize)]
pub struct PassedOut {
    pub question: Option<&'static str>,
    pub passed_out: bool,
}

/// A board without a claim: `claim FILE`.
#[derive(Serialize)]
pub struct NoClaim<'a> {
    pub question: &'a str,
    pub claimed: Option<u8>,
    pub why: [String; 1],
}

/// A claim of a record, judged: `claim FILE`.
#[derive(Serialize)]
pub struct ClaimOfBoard<'a> {
    question: &'a str,
    claimer: Seat,
    tricks_left: u8,
    claimed: u8,
    verdict: &'static str,
    why: Vec<&'a str>,
    ruling: Option<&'a Adjudication>,
}

/// Whether tricks are sure, as a word.
pub fn verdict(sure: Option<bool>) -> &'static str {
    match sure {
        Some(true) => "sure",
        Some(false) => "not sure",
        None => "unknown",
    }
}

impl<'a> ClaimOfBoard<'a> {
    pub fn new(question: &'a str, of: &'a JudgedClaim) -> ClaimOfBoard<'a> {
        ClaimOfBoard {
            question,
            claimer: of.claimer,
            tricks_left: of.left,
            claimed: of.claimed,
            verdict: verdict(of.sure),
            why: of.why.lines().collect(),
            ruling: of.ruling.as_ref(),
        }
    }
}

/// The layouts of hidden hands by double-dummy tricks: `odds`.
#[derive(Serialize)]
pub struct OddsAnswer<'a> {
    pub question: &'a str,
    /// The side whose tricks are counted.
    pub side: Side,
    pub to_play: Seat,
    #[serde(flatten)]
    pub all: Chances,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<CardChances>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<BTreeMap<Suit, Vec<SplitChances>>>,
}

/// The same from layouts that were drawn.
#[derive(Serialize)]
pub struct DrawnAnswer<'a> {
    #[serde(flatten)]
    pub answer: OddsAnswer<'a>,
    pub drawn_of: Whole,
    pub seed: u64,
    /// The intervals of the chances of at least 0, 1, … tricks.
    pub intervals: Vec<[f64; 2]>,
    pub mean_half_width: f64,
}

/// The intervals of the chances of at least 0 to `left` tricks, over layouts that were drawn.
pub fn intervals(odds: &Odds, left: usize) -> Vec<[f64; 2]> {
    let of = |tricks| interval(odds.at_least(tricks), odds.layouts).into();
    (0..=left).map(of).collect()
}

/// The leads against a contract: `leads`.
#[derive(Serialize)]
pub struct LeadsAnswer<'a> {
    pub contract: String,
    pub cards: Vec<LeadChances>,
    #[serde(flatten)]
    pub drawn: DrawnAnswer<'a>,
}

/// A lead, and the chance that it defeats the contract.
#[derive(Serialize)]
pub struct LeadChances {
    #[serde(flatten)]
    pub card: CardChances,
    pub defeats: f64,
    pub defeats_interval: [f64; 2],
}

/// Contracts by score over layouts that were drawn: `compare`.
#[derive(Serialize)]
pub struct ContractsAnswer<'a> {
    pub question: &'a str,
    /// The side whose scores are counted.
    pub side: Side,
    pub layouts: Whole,
    pub seed: u64,
    pub contracts: Vec<ScoredContract>,
}

#[derive(Serialize)]
pub struct ScoredContract {
    contract: Contract,
    makes: f64,
    makes_interval: [f64; 2],
    score: f64,
    score_half_width: f64,
    matchpoints: f64,
    imps: f64,
    #[serde(flatten)]
    chances: Chances,
}

impl ScoredContract {
    pub fn new(of: &ContractOdds) -> ScoredContract {
        let makes = of.odds.at_least(of.contract.bid.tricks().into());
        ScoredContract {
            contract: of.contract,
            makes,
            makes_interval: interval(makes, of.odds.layouts).into(),
            score: of.score,
            score_half_width: of.score_half_width,
            matchpoints: of.matchpoints,
            imps: of.imps,
            chances: Chances::new(&of.odds, 13),
        }
    }
}

#[derive(Serialize)]
pub struct Chances {
    layouts: Whole,
    counts: Vec<Whole>,
    chances: Vec<f64>,
    mean: f64,
}

#[derive(Serialize)]
pub struct CardChances {
    card: Card,
    #[serde(flatten)]
    chances: Chances,
}

#[derive(Serialize)]
pub struct SplitChances {
    lengths: [u8; 4],
    #[serde(flatten)]
    chances: Chances,
}

impl Chances {
    /// The chances of 0 to `left` tricks.
    pub fn new(odds: &Odds, left: usize) -> Chances {
        let counts = odds.counts.iter().take(left + 1);
        Chances {
            layouts: Whole(odds.layouts),
            counts: counts.map(|&count| Whole(count)).collect(),
            chances: odds.chances.iter().take(left + 1).copied().collect(),
            mean: odds.mean(),
        }
    }
}

impl CardChances {
    pub fn new(card: Card, odds: &Odds, left: usize) -> CardChances {
        CardChances {
            card,
            chances: Chances::new(odds, left),
        }
    }
}

/// The chances for every split of each suit.
pub fn splits(found: &BySplit, left: usize) -> BTreeMap<Suit, Vec<SplitChances>> {
    let suits = Suit::ALL.into_iter().zip(&found.splits);
    suits
        .map(|(suit, splits)| {
            let splits = splits.iter().map(|(lengths, odds)| SplitChances {
                lengths: *lengths,
                chances: Chances::new(odds, left),
            });
            (suit, splits.collect())
        })
        .collect()
}

/// A refusal: `error` and, as far as they are known, the place and the question.
#[derive(Serialize)]
pub struct Refusal<'a> {
    pub error: &'a str,
    pub question: Option<&'a str>,
    pub column: Option<usize>,
}

/// A level of a database: `build`, `seal`, `stats`.
#[derive(Serialize)]
pub struct LevelSummary {
    cards: u32,
    method: String,
    program: String,
    partitions: u64,
    states: Whole,
    sets: u64,
    nodes: u64,
    largest: u64,
    bytes: u64,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sealing_seconds: Option<f64>,
    content: String,
    checksum: String,
}

impl LevelSummary {
    /// A level, and the seconds that sealing took if it was built just now.
    pub fn new(level: &LevelRecord, sealing_seconds: Option<f64>) -> LevelSummary {
        LevelSummary {
            cards: 4 * level.level,
            method: level.method.to_string(),
            program: level.program.to_string(),
            partitions: level.partitions,
            states: Whole(level.states),
            sets: level.sets,
            nodes: level.nodes,
            largest: level.largest,
            bytes: level.bytes,
            cpu_seconds: level.cpu_milliseconds as f64 / 1e3,
            sealing_seconds,
            content: format!("{:016x}", level.content),
            checksum: format!("{:016x}", level.checksum),
        }
    }
}

/// An estimate with its 95 % confidence interval.
#[derive(Serialize)]
pub struct Interval {
    estimate: f64,
    low: f64,
    high: f64,
}

impl From<Projection> for Interval {
    fn from(Projection { value, low, high }: Projection) -> Interval {
        Interval {
            estimate: value,
            low,
            high,
        }
    }
}

/// A level that is finished already, where `build` had nothing to do.
#[derive(Serialize)]
pub struct FinishedLevel {
    pub cards: usize,
    pub level: bool,
}

/// The work of `build --for`.
#[derive(Serialize)]
pub struct BuiltForDeals {
    pub cards: usize,
    pub deals: usize,
    pub partitions: usize,
    pub lookups: u64,
    pub cpu_seconds: f64,
}

/// A finished chunk: `build --chunk`.
#[derive(Serialize)]
pub struct BuiltChunk {
    pub cards: usize,
    pub chunk: String,
    pub first_shard: usize,
    pub shards: usize,
    pub lookups: u64,
    pub cpu_seconds: f64,
}

/// The levels of a database: `build`, `seal`, `stats`.
#[derive(Serialize)]
pub struct Levels {
    pub levels: Vec<LevelSummary>,
}

/// The database in use: `stats`.
#[derive(Serialize, Default)]
pub struct DatabaseInUse {
    /// `--db`, `SETROGRADE_DB`, `user` or `inside`.
    pub from: Option<&'static str>,
    pub cards: usize,
    pub directory: Option<String>,
    pub levels: Vec<LevelSummary>,
    /// The level that is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<UnfinishedLevel>,
}

#[derive(Serialize)]
pub struct UnfinishedLevel {
    pub cards: usize,
    pub partitions: usize,
    pub held: usize,
    pub bytes: u64,
    pub states_share: f64,
    pub demand_share: f64,
}

/// The chunks of a level: `chunks`.
#[derive(Serialize)]
pub struct Chunks {
    pub cards: usize,
    pub chunks: Vec<OneChunk>,
}

#[derive(Serialize)]
pub struct OneChunk {
    pub chunk: String,
    pub first_shard: usize,
    pub shards: usize,
    pub first_partition: usize,
    pub partitions: usize,
    pub share: f64,
}

/// The checks that a database passed: `verify`.
#[derive(Serialize)]
pub struct Checks {
    pub checks: Vec<OneCheck>,
}

#[derive(Serialize)]
pub struct OneCheck {
    cards: usize,
    check: String,
    units: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    unit: &'static str,
    sets: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
}

impl From<&CheckReport> for OneCheck {
    fn from(report: &CheckReport) -> OneCheck {
        OneCheck {
            cards: report.cards,
            check: report.check.to_string(),
            units: report.units,
            of: (report.units < report.of).then_some(report.of),
            unit: report.check.unit(),
            sets: report.sets,
            cpu_seconds: report.cpu.as_secs_f64(),
            wall_seconds: report.wall.as_secs_f64(),
        }
    }
}

/// The projection of a level from a sample: `estimate`.
#[derive(Serialize)]
pub struct LevelEstimate {
    cards: usize,
    partitions: usize,
    states: Whole,
    confidence: f64,
    lookups: Interval,
    cpu_seconds: Interval,
    sets: Interval,
    nodes: Interval,
    nodes_written: Interval,
    bytes: Interval,
    memory_bytes: Option<u64>,
    unpacked_bytes: Interval,
    largest_in_sample: u64,
    sample: Sample,
}

#[derive(Serialize)]
struct Sample {
    runs: usize,
    rounds: usize,
    partitions_of_run: usize,
    partitions_of_shard: usize,
    seed: u64,
    seconds: f64,
    on_the_fly: Vec<BuiltOnTheFly>,
}

#[derive(Serialize)]
struct BuiltOnTheFly {
    cards: usize,
    partitions: u64,
    nodes: u64,
    all_partitions: usize,
    predicted_lookups: u64,
}

impl LevelEstimate {
    pub fn new(report: &EstimateReport, seed: u64) -> LevelEstimate {
        let on_the_fly = report.on_the_fly.iter().map(|built| BuiltOnTheFly {
            cards: built.cards,
            partitions: built.partitions,
            nodes: built.nodes,
            all_partitions: built.all,
            predicted_lookups: built.predicted,
        });
        LevelEstimate {
            cards: report.cards,
            partitions: report.partitions,
            states: Whole(report.states),
            confidence: 0.95,
            lookups: report.lookups.into(),
            cpu_seconds: report.cpu.into(),
            sets: report.sets.into(),
            nodes: report.nodes.into(),
            nodes_written: report.written.into(),
            bytes: report.bytes.into(),
            memory_bytes: report.memory,
            unpacked_bytes: report.unpacked().into(),
            largest_in_sample: report.largest,
            sample: Sample {
                runs: report.draws,
                rounds: report.rounds,
                partitions_of_run: report.run,
                partitions_of_shard: report.shard,
                seed,
                seconds: report.elapsed.as_secs_f64(),
                on_the_fly: on_the_fly.collect(),
            },
        }
    }
}

/// The tricks that are sure: `claim`.
#[derive(Serialize)]
pub struct ClaimAnswer<'a> {
    pub question: &'a str,
    pub claimer: Seat,
    pub tricks_left: usize,
    pub layouts: u64,
    pub sure: Option<u8>,
    pub claimed: Option<u8>,
    pub verdict: &'static str,
    pub cards: &'a [CardSure],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assume: Option<Vec<AssumptionShare>>,
}

#[derive(Serialize)]
pub struct AssumptionShare {
    condition: String,
    layouts: u64,
    of: u64,
    share: f64,
}

impl From<&Assumption> for AssumptionShare {
    fn from(assumption: &Assumption) -> AssumptionShare {
        AssumptionShare {
            condition: assumption.condition.to_string(),
            layouts: assumption.layouts,
            of: assumption.of,
            share: assumption.share(),
        }
    }
}

/// The tricks of a stated line: `claim line` and, of a contested claim, `claim adjudicate`.
#[derive(Serialize)]
pub struct LineAnswer<'a, T> {
    pub question: &'a str,
    pub line: String,
    /// A worst play, or an adjudication.
    #[serde(flatten)]
    pub found: &'a T,
}

/// The layouts in which tricks are sure against best defence: `single-dummy --tricks`.
#[derive(Serialize)]
pub struct SingleDummyAnswer<'a> {
    pub question: &'a str,
    pub of: usize,
    #[serde(flatten)]
    pub target: SingleDummyTarget,
    pub plan: Option<&'a Plan>,
}

/// The same for each number of tricks: `single-dummy`.
#[derive(Serialize)]
pub struct SingleDummyTargets<'a> {
    pub question: &'a str,
    pub of: usize,
    pub targets: Vec<SingleDummyTarget>,
}

#[derive(Serialize)]
pub struct SingleDummyTarget {
    pub tricks: u8,
    pub layouts: usize,
    pub cards: Vec<CardLayouts>,
}

#[derive(Serialize)]
pub struct CardLayouts {
    pub card: Card,
    pub layouts: usize,
    pub double_dummy: Option<Whole>,
}

/// The layouts of hidden hands: `layouts`.
#[derive(Serialize)]
pub struct LayoutsAnswer<'a> {
    pub question: &'a str,
    pub layouts: Whole,
    pub cards: Vec<HiddenCard>,
    pub samples: Vec<String>,
}

/// A hidden card, with the chances that each hidden hand holds it.
#[derive(Serialize)]
pub struct HiddenCard {
    pub card: Card,
    pub chances: BTreeMap<Seat, f64>,
}

/// The best lines of one suit: `suit`.
#[derive(Serialize)]
pub struct SuitAnswer<'a> {
    pub north: &'a str,
    pub south: &'a str,
    pub at_least: &'a [f64],
    /// The best lines on average and at matchpoints, unless too many must be kept apart.
    pub average: Option<&'a Average>,
    pub matchpoints: Option<&'a Average>,
    pub lines: Vec<OneLine<'a>>,
}

#[derive(Serialize)]
pub struct OneLine<'a> {
    tricks: usize,
    chance: f64,
    plan: Vec<&'a str>,
    splits: &'a [Split],
}

impl<'a> From<&'a SuitLine> for OneLine<'a> {
    fn from(line: &'a SuitLine) -> OneLine<'a> {
        OneLine {
            tricks: line.tricks,
            chance: line.chance,
            plan: line.plan.lines().collect(),
            splits: &line.splits,
        }
    }
}

/// The sets of a partition: `sets`.
#[derive(Serialize)]
pub struct PartitionSets<'a> {
    pub question: &'a str,
    pub leader: Seat,
    pub endings: Whole,
    pub counts: Vec<Whole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<Vec<SetOfEndings>>,
}

#[derive(Serialize)]
pub struct SetOfEndings {
    pub tricks: u8,
    pub endings: Whole,
    pub set: Owners,
}

/// The result of a tournament: `tournament`. Numbers that are not finite are null.
#[derive(Serialize)]
pub struct Standings<'a> {
    pub game: &'a str,
    pub pairs: Vec<PairGain<'a>>,
    pub players: Vec<PlayerDecisions<'a>>,
}

#[derive(Serialize)]
pub struct PairGain<'a> {
    pub a: &'a str,
    pub b: &'a str,
    pub boards: u32,
    pub gain: f64,
    pub half_width: f64,
    pub deviation: f64,
    pub won: u32,
    pub tied: u32,
    pub lost: u32,
    pub imps: f64,
    pub imps_half_width: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contracts: Option<Contracts>,
}

#[derive(Serialize)]
pub struct Contracts {
    pub both: u32,
    pub a: u32,
    pub b: u32,
    pub neither: u32,
    pub ahead: f64,
    pub half_width: f64,
    pub p: f64,
}

#[derive(Serialize)]
pub struct PlayerDecisions<'a> {
    pub player: &'a str,
    pub role: &'a str,
    pub decisions: u64,
    pub milliseconds: f64,
    pub layouts: f64,
    pub effective: f64,
}

/// The levels at work: `unpack`.
#[derive(Serialize)]
pub struct Unpacked {
    pub levels: Vec<OneUnpacked>,
}

#[derive(Serialize)]
pub struct OneUnpacked {
    pub cards: usize,
    pub file: String,
    pub bytes: u64,
    pub held: usize,
    pub partitions: usize,
    pub demand_share: f64,
    pub seconds: Option<f64>,
}
