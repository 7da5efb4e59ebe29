//! The weakest assumptions that make a claim sure.
//!
//! The search is best-first: it decides next the open assumption that holds in the most layouts. If
//! it is not sure, the widest ones within it replace it. Results therefore come in order, and a
//! search that ends early has found the best of those decided. A layout in which double dummy fails
//! refutes all assumptions that allow it, and a few dozen such layouts refute nearly all that are
//! not sure.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::iter;

use serde::{Serialize, Serializer};
use setrograde_beliefs::{Condition, Measure, Term};
use setrograde_cards::{Card, Hand, Seat, Sorting, Suit};

use crate::answer::known;
use crate::claims::{ClaimError, Claims, FIRST_NODES};
use crate::double_dummy::bad_layouts;
use crate::knowledge::Knowledge;
use crate::knowledge::case::{Case, Hidden};
use crate::knowledge::counts::Counts;
use crate::knowledge::state::{Cases, State};
use crate::lanes::{bit, count};

/// An assumption that makes a claim sure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Assumption {
    /// The assumption, as a condition of a question.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(serialize_with = "as_text")]
    pub condition: Condition,
    /// The tricks that are sure with it.
    pub tricks: u8,
    /// The number of layouts in which it holds.
    pub layouts: u64,
    /// The number of all layouts.
    pub of: u64,
    /// The share of the layouts in which it holds, 0 to 1.
    pub share: f64,
}

fn as_text<S: Serializer>(condition: &Condition, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(condition)
}

/// The weakest assumptions that make a claim sure, the one that holds in the most layouts first.
#[derive(Clone, Debug, PartialEq)]
pub struct Weakest {
    /// The assumptions. None implies another.
    pub found: Vec<Assumption>,
    /// True if no weaker ones exist: no assumption was left open by the limit.
    pub complete: bool,
}

/// Maximum number of nodes of a search for assumptions, unless
/// [`Options::limit`](crate::Options::limit) is set.
const ASSUME_LIMIT: u64 = 200_000;

/// One assumption gets these shares of the nodes, in two passes. Slow decisions are left to the
/// second.
const SHARES: [u64; 2] = [64, 8];

/// No assumption is needed.
impl Default for Weakest {
    fn default() -> Weakest {
        Weakest {
            found: Vec::new(),
            complete: true,
        }
    }
}

impl Claims {
    /// The weakest assumptions that make `need` tricks sure, at most `most` of them: the length of
    /// one suit, the hand of one card, both, or ranges for the lengths of two suits. None if the
    /// claim is sure without one.
    ///
    /// The search ends after [`Options::limit`](crate::Options::limit) nodes, or 200,000,
    /// with its results so far.
    ///
    /// # Errors
    ///
    /// If the search was cancelled or the database failed.
    pub fn weakest(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
        most: usize,
    ) -> Result<Weakest, ClaimError> {
        self.begin();
        let left = match self.limit() {
            u64::MAX => ASSUME_LIMIT,
            limit => limit,
        };
        let search = WeakestSearch {
            knowledge,
            need,
            counts: Counts::new(knowledge),
            left,
            each: left,
            kept: 0,
            claims: self,
            open: BinaryHeap::new(),
            pushed: HashSet::new(),
            decided: HashMap::new(),
            witnesses: Vec::new(),
            harmless: HashSet::new(),
            complete: true,
            found: Vec::new(),
        };
        search.find(most)
    }
}

/// What is assumed. Lengths are those of the first hidden hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Assumed {
    /// The lengths of a suit, one bit each; and perhaps the hand of a card.
    Lengths(Option<HeldCard>, Suit, u16),
    /// The hand of a card.
    Card(HeldCard),
    /// The minimum and maximum length of two suits.
    Ranges([Suit; 2], [(u8, u8); 2]),
}

/// A card in one of the hidden hands.
type HeldCard = (Hidden, Card);

/// The decision about an assumption.
#[derive(Clone, Copy, Debug)]
enum Decision {
    Sure,
    /// Double dummy fails in this case of one layout.
    Refuted(Case),
    /// No plan takes the tricks in all layouts.
    NotSure,
    /// The limit came first.
    Open,
}

/// An assumption in the queue: the number of its layouts, then simple ones first, then as they
/// came.
type Queued = (u64, Reverse<(u8, usize)>, Assumed);

struct WeakestSearch<'a> {
    claims: &'a mut Claims,
    knowledge: &'a Knowledge,
    need: u8,
    counts: Counts,
    /// The nodes that are left, and the most for one assumption.
    left: u64,
    each: u64,
    /// The nodes that the assumption under way leaves to others.
    kept: u64,
    open: BinaryHeap<Queued>,
    pushed: HashSet<Assumed>,
    decided: HashMap<Cases, Decision>,
    /// Cases of one layout each, in which double dummy fails.
    witnesses: Vec<Case>,
    /// The first hidden hands of layouts in which it does not.
    harmless: HashSet<u64>,
    complete: bool,
    found: Vec<(Assumed, Knowledge, u64)>,
}

impl WeakestSearch<'_> {
    fn find(mut self, most: usize) -> Result<Weakest, ClaimError> {
        let possible = self.need <= self.knowledge.tricks_left() as u8;
        let knowledge = self.knowledge;
        let all = self.left;
        let mut found: Vec<(Assumed, Knowledge, u64)> = Vec::new();
        for share in SHARES {
            self.each = (all / share).max(1);
            if !possible || matches!(self.decide(knowledge)?, Decision::Sure) {
                break;
            }
            self.pass(most)?;
            // The results of an earlier pass are certain, but a later one may have found a weaker
            // assumption.
            for (kind, given, layouts) in std::mem::take(&mut self.found) {
                found.retain(|(_, old, _)| !includes(&given, old));
                if !found.iter().any(|(_, old, _)| includes(old, &given)) {
                    found.push((kind, given, layouts));
                }
            }
            if self.complete {
                break;
            }
            self.decided
                .retain(|_, decision| !matches!(decision, Decision::Open));
        }
        found.in_order_by_key(|&(_, _, layouts)| Reverse(layouts));
        found.truncate(most);
        let of = self.counts.all;
        let assumption = |(kind, _, layouts): &(Assumed, Knowledge, u64)| Assumption {
            condition: self.condition(*kind),
            tricks: self.need,
            layouts: *layouts,
            of,
            share: self.share(*layouts),
        };
        Ok(Weakest {
            found: found.iter().map(assumption).collect(),
            complete: self.complete,
        })
    }

    /// The share of all layouts.
    fn share(&self, layouts: u64) -> f64 {
        layouts as f64 / self.counts.all as f64
    }

    /// Decides assumptions until enough are found or the nodes are used up.
    fn pass(&mut self, most: usize) -> Result<(), ClaimError> {
        self.complete = true;
        self.open.clear();
        self.pushed.clear();
        self.start();
        while self.found.len() < most
            && let Some((layouts, _, kind)) = self.open.pop()
        {
            if self.left == 0 {
                self.complete = false;
                break;
            }
            self.next(kind, layouts)?;
        }
        Ok(())
    }

    /// Queues the widest assumptions of each kind.
    fn start(&mut self) {
        // The places of the unseen cards, the highest card of a suit first.
        let unseen = self.knowledge.unseen().cards();
        let held = unseen.flat_map(|card| Hidden::BOTH.map(|hand| Some((hand, card))));
        for held in iter::once(None).chain(held) {
            held.into_iter()
                .for_each(|held| self.push(Assumed::Card(held)));
            for suit in Suit::ALL {
                let possible = |&n: &usize| self.counts.of(held, suit.index(), n) > 0;
                let set = (0..14).filter(possible).fold(0, |set, n| set | 1 << n);
                self.push(Assumed::Lengths(held, suit, set));
            }
        }
        for (n, first) in Suit::ALL.into_iter().enumerate() {
            for second in Suit::ALL.into_iter().skip(n + 1) {
                self.push(Assumed::Ranges([first, second], [(0, 13); 2]));
            }
        }
    }

    /// Returns true if two cards have no visible one between them.
    fn are_equals(&self, high: Card, low: Card) -> bool {
        let shown: Hand = self.knowledge.visible_hands().into_iter().collect();
        let between = |card: Card| high.rank > card.rank && card.rank > low.rank;
        high.suit == low.suit && high.rank > low.rank && !shown.suit(high.suit).cards().any(between)
    }

    /// Returns true if the same is found of a higher card that is as good.
    fn is_found_of_equal(&self, kind: Assumed, layouts: u64) -> bool {
        self.found.iter().any(|&(found, _, of)| {
            let same = match (kind, found) {
                (Assumed::Card(low), Assumed::Card(high)) => Some((high, low)),
                (
                    Assumed::Lengths(Some(low), suit, set),
                    Assumed::Lengths(Some(high), other, same),
                ) => (suit == other && set == same).then_some((high, low)),
                _ => None,
            };
            of == layouts
                && same.is_some_and(|(high, low)| high.0 == low.0 && self.are_equals(high.1, low.1))
        })
    }

    /// Queues an assumption, unless it cannot hold or was queued before.
    fn push(&mut self, kind: Assumed) {
        let (kind, layouts, rank) = match kind {
            Assumed::Ranges(suits, ranges) => {
                let (ranges, layouts) = self.narrowed(suits, ranges);
                (Assumed::Ranges(suits, ranges), layouts, 2)
            }
            Assumed::Lengths(held, suit, set) => {
                let rank = u8::from(held.is_some());
                (kind, self.layouts(held, suit, set), rank)
            }
            Assumed::Card(held) => (kind, self.layouts(Some(held), held.1.suit, u16::MAX), 0),
        };
        if layouts > 0 && self.pushed.insert(kind) {
            self.open
                .push((layouts, Reverse((rank, self.pushed.len())), kind));
        }
    }

    /// The number of layouts with a card in its hand and one of the lengths of a suit.
    fn layouts(&self, held: Option<HeldCard>, suit: Suit, set: u16) -> u64 {
        let each = members(set).map(|length| self.counts.of(held, suit.index(), length.into()));
        each.sum()
    }

    /// The ranges without lengths at their ends that no layout has, and the number of layouts.
    fn narrowed(&self, suits: [Suit; 2], mut ranges: [(u8, u8); 2]) -> ([(u8, u8); 2], u64) {
        let indices = suits.map(Suit::index);
        let sum = |[(a, b), (c, d)]: [(u8, u8); 2]| -> u64 {
            let pairs = (a..=b).flat_map(|first| (c..=d).map(move |second| [first, second]));
            pairs.map(|pair| self.counts.of_two(indices, pair)).sum()
        };
        let layouts = sum(ranges);
        if layouts > 0 {
            for at in 0..2 {
                let end = |ranges: [(u8, u8); 2], length: u8| {
                    let mut only = ranges;
                    only[at] = (length, length);
                    sum(only) == 0
                };
                while end(ranges, ranges[at].0) {
                    ranges[at].0 += 1;
                }
                while end(ranges, ranges[at].1) {
                    ranges[at].1 -= 1;
                }
            }
        }
        (ranges, layouts)
    }

    /// Decides an assumption, and keeps it or queues those within it.
    fn next(&mut self, kind: Assumed, layouts: u64) -> Result<(), ClaimError> {
        let cases = self.cases_of(kind);
        let allows = |layout: &&Case| cases.iter().any(|case| case.includes(layout));
        if let Some(&layout) = self.witnesses.iter().find(allows) {
            self.push_within(kind, Some(layout));
            return Ok(());
        }
        let Ok(given) = self.knowledge.with_cases(&cases) else {
            // Too many cases.
            self.complete = false;
            self.push_within(kind, None);
            return Ok(());
        };
        if self.is_found_of_equal(kind, layouts)
            || self.found.iter().any(|(_, old, _)| includes(old, &given))
        {
            return Ok(());
        }
        match self.decide(&given)? {
            Decision::Sure => {
                self.found.push((kind, given, layouts));
                let best = self.share(self.found[0].2);
                self.claims.note_assumptions(self.found.len(), best);
            }
            Decision::Refuted(layout) => self.push_within(kind, Some(layout)),
            Decision::NotSure => self.push_within(kind, None),
            Decision::Open => {
                self.complete = false;
                self.push_within(kind, None);
            }
        }
        Ok(())
    }

    /// Queues the widest assumptions within one: those that do not allow a layout, if there is one.
    fn push_within(&mut self, kind: Assumed, layout: Option<Case>) {
        let length = |suit: Suit| layout.map(|layout| layout.lengths.lo[suit]);
        match kind {
            Assumed::Lengths(held, suit, set) => {
                let is_out = |of: &u8| length(suit).is_none_or(|length| length == *of);
                for length in members(set).filter(is_out) {
                    self.push(Assumed::Lengths(held, suit, set & !(1 << length)));
                }
            }
            Assumed::Card(_) => {}
            Assumed::Ranges(suits, ranges) => {
                for at in 0..2 {
                    let (least, most) = ranges[at];
                    let length = length(suits[at]);
                    let (upper, lower) = (length.unwrap_or(most), length.unwrap_or(least));
                    let below = (least < upper).then(|| (least, upper - 1));
                    let above = (lower < most).then(|| (lower + 1, most));
                    for range in below.into_iter().chain(above) {
                        let mut ranges = ranges;
                        ranges[at] = range;
                        self.push(Assumed::Ranges(suits, ranges));
                    }
                }
            }
        }
    }

    /// Decides whether the claim is sure with this knowledge, within the nodes that are left.
    fn decide(&mut self, given: &Knowledge) -> Result<Decision, ClaimError> {
        let cases = &given.state().cases;
        if let Some(&known) = self.decided.get(cases) {
            return Ok(known);
        }
        self.kept = self.left.saturating_sub(self.each);
        let decision = self.decide_within(given)?;
        self.decided.insert(cases.clone(), decision);
        Ok(decision)
    }

    fn decide_within(&mut self, given: &Knowledge) -> Result<Decision, ClaimError> {
        let first = self.search(given, FIRST_NODES)?;
        if first == Some(true) {
            return Ok(Decision::Sure);
        }
        if let Some(layout) = self.witness(given)? {
            self.witnesses.push(layout);
            return Ok(Decision::Refuted(layout));
        }
        let sure = match first {
            None if self.allowed() > 0 => self.search(given, u64::MAX)?,
            first => first,
        };
        Ok(match sure {
            Some(true) => Decision::Sure,
            Some(false) => Decision::NotSure,
            None => Decision::Open,
        })
    }

    /// The nodes that are left for the assumption under way.
    fn allowed(&self) -> u64 {
        self.left.saturating_sub(self.kept)
    }

    /// Searches for a plan within the nodes allowed, `most` at most.
    fn search(&mut self, given: &Knowledge, most: u64) -> Result<Option<bool>, ClaimError> {
        let nodes = most.min(self.allowed());
        self.claims.allow(nodes);
        let found = self.claims.search_at(given, self.need);
        // A decision at sight takes time, too.
        let used = (nodes - self.claims.allowed()).max(1);
        self.left = self.left.saturating_sub(used);
        known(found)
    }

    /// A layout in which double dummy fails, if one of those tried is.
    fn witness(&mut self, given: &Knowledge) -> Result<Option<Case>, ClaimError> {
        for layout in bad_layouts(given) {
            if self.harmless.contains(&layout[0]) || self.allowed() == 0 {
                continue;
            }
            let (refuted, used) = self.claims.refuted_in(given, layout, self.need)?;
            self.left = self.left.saturating_sub(used);
            if refuted {
                return Ok(Some(Case::of_layout(layout)));
            }
            self.harmless.insert(layout[0]);
        }
        Ok(None)
    }

    fn cases_of(&self, kind: Assumed) -> Vec<Case> {
        let open = Case::open(self.knowledge.state().unseen);
        let holding = |(hand, card): HeldCard| open.holding(hand, bit(card));
        let within =
            |case: Case, (suit, range): (Suit, (u8, u8))| case.with_lengths(suit.index(), range);
        match kind {
            Assumed::Card(held) => vec![holding(held)],
            Assumed::Lengths(held, suit, set) => {
                let case = held.map_or(open, holding);
                runs(set).map(|run| within(case, (suit, run))).collect()
            }
            Assumed::Ranges(suits, ranges) => {
                vec![suits.into_iter().zip(ranges).fold(open, within)]
            }
        }
    }

    fn condition(&self, kind: Assumed) -> Condition {
        let hidden = self.knowledge.hidden();
        let term_of = |(hand, card): HeldCard| Term::Holds {
            seat: hidden[hand.index()],
            card,
        };
        match kind {
            Assumed::Card(held) => Condition::any([[term_of(held)]]),
            Assumed::Ranges(suits, ranges) => {
                let both = suits.into_iter().zip(ranges);
                Condition::any([both.map(|(suit, of)| length(hidden[0], suit, of))])
            }
            Assumed::Lengths(held, suit, set) => {
                let unseen = count(self.knowledge.state().unseen, suit.index());
                let lengths: Vec<u8> = members(set).collect();
                // A split either way round reads better than two lengths.
                let both_ways = lengths
                    .iter()
                    .all(|length| lengths.contains(&(unseen - length)));
                let splits = lengths.iter().filter(|&&length| 2 * length >= unseen);
                let in_one_run = runs(set).count() == 1;
                let alternatives: Vec<Term> = match held {
                    _ if both_ways && (held.is_none() || !in_one_run || lengths.len() <= 2) => {
                        let split = |&first: &u8| Term::Split {
                            suit,
                            first,
                            second: unseen - first,
                        };
                        splits.map(split).collect()
                    }
                    // The hand that has the card.
                    Some((Hidden::Second, _)) => {
                        let of = runs(set).map(|(least, most)| (unseen - most, unseen - least));
                        of.map(|of| length(hidden[1], suit, of)).collect()
                    }
                    _ => runs(set).map(|of| length(hidden[0], suit, of)).collect(),
                };
                let with_card = |term: Term| held.map(term_of).into_iter().chain([term]);
                Condition::any(alternatives.into_iter().map(with_card))
            }
        }
    }
}

/// Returns true if every layout of `other` is one of `knowledge`.
fn includes(knowledge: &Knowledge, other: &Knowledge) -> bool {
    let (cases, others) = (&knowledge.state().cases, &other.state().cases);
    State::includes(cases, others)
        || cases.len() > 1
            && other
                .with_cases(cases)
                .is_ok_and(|both| both.layouts() == other.layouts())
}

/// The lengths in a set.
fn members(set: u16) -> impl Iterator<Item = u8> {
    (0..14).filter(move |n| set >> n & 1 == 1)
}

/// The runs of lengths in a set, each as its minimum and maximum.
fn runs(set: u16) -> impl Iterator<Item = (u8, u8)> {
    let holds = move |n: u8| set >> n & 1 == 1;
    let starts = (0..14).filter(move |&n| holds(n) && (n == 0 || !holds(n - 1)));
    starts.map(move |least| {
        let most = (least..14).take_while(|&n| holds(n)).last();
        (least, most.expect("a run has a first length"))
    })
}

/// Returns the term: `seat` holds `least` to `most` cards of the suit.
fn length(seat: Seat, suit: Suit, bounds: (u8, u8)) -> Term {
    Term::range(Some(seat), Measure::Length(suit), bounds)
}
