//! The exact distribution of double-dummy tricks over all layouts that a seat
//! cannot distinguish.
//!
//! At the start of a trick the layouts are not visited: they are counted on the diagram of the
//! partition of each split of the suits. In the middle of a trick, for single cards, and under
//! limits on high-card points every layout is looked up.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use setrograde_beliefs::{Beliefs, BridgeView, Layout, Limits};
use setrograde_cards::{Card, Hand, LargeCount, Rank, Seat, Strain, Suit};
use setrograde_lookup::{
    Database, Distribution, Ending, EndingError, EndingSet, ProbeError, Weights,
};
use setrograde_parallel::Stop;

use crate::double_dummy::Endings;
use crate::error::SearchError;
use crate::sampling::interval;

/// Maximum number of layouts that are looked up one by one.
pub const MOST_VISITED: u128 = 5_000_000;

/// The distribution of a side's tricks over all layouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(from = "OddsObject")
)]
#[serde(into = "OddsObject")]
pub struct Odds {
    /// Number of layouts.
    pub layouts: u128,
    /// Number of layouts in which the side takes 0, 1, … 13 of the remaining tricks.
    pub counts: Distribution<u128>,
    /// The probability of each number of tricks: the counts' shares, unless
    /// layouts have different weights.
    pub chances: Distribution<f64>,
    /// The remaining tricks: the maximum that the side can take.
    pub left: usize,
}

/// The odds as an object.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Odds")
)]
struct OddsObject {
    /// The number of layouts.
    layouts: LargeCount,
    /// The mean number of tricks.
    mean: f64,
    /// The number of layouts with 0, 1, … tricks.
    counts: Vec<LargeCount>,
    /// The probability of 0, 1, … tricks.
    chances: Vec<f64>,
}

impl From<Odds> for OddsObject {
    fn from(odds: Odds) -> OddsObject {
        let counts = odds.counts[..=odds.left].iter().copied();
        OddsObject {
            layouts: LargeCount(odds.layouts),
            mean: odds.mean(),
            counts: counts.map(LargeCount).collect(),
            chances: odds.chances[..=odds.left].to_vec(),
        }
    }
}

impl Odds {
    pub(crate) const fn none(left: usize) -> Odds {
        Odds {
            layouts: 0,
            counts: [0; 14],
            chances: [0.0; 14],
            left,
        }
    }

    /// The odds of the tricks that the other side takes.
    pub(crate) fn of_other_side(&self) -> Odds {
        let mut odds = self.clone();
        odds.counts[..=self.left].reverse();
        odds.chances[..=self.left].reverse();
        odds
    }

    /// The mean number of tricks.
    pub fn mean(&self) -> f64 {
        if self.has_equal_layouts() {
            let counts = self.counts.iter().zip(0_u128..);
            let sum: u128 = counts.map(|(count, tricks)| count * tricks).sum();
            return self.share(sum);
        }
        let chances = self.chances.iter().enumerate();
        chances.map(|(tricks, chance)| tricks as f64 * chance).sum()
    }

    /// Returns the chance of at least this number of tricks.
    pub fn at_least(&self, tricks: usize) -> f64 {
        self.chance_of(tricks..14)
    }

    /// Returns the chance of fewer tricks than this number.
    pub fn below(&self, tricks: usize) -> f64 {
        self.chance_of(0..tricks)
    }

    fn chance_of(&self, tricks: Range<usize>) -> f64 {
        let tricks = tricks.start.min(14)..tricks.end.min(14);
        if self.has_equal_layouts() {
            return self.share(self.counts[tricks].iter().sum());
        }
        self.chances[tricks].iter().sum::<f64>().min(1.0)
    }

    /// True if the chances are the shares of the counts. Then a sum of chances is computed from
    /// the counts, and rounded once.
    fn has_equal_layouts(&self) -> bool {
        self.chances == self.counts.map(|count| self.share(count))
    }

    fn share(&self, count: u128) -> f64 {
        count as f64 / self.layouts.max(1) as f64
    }

    /// The 95 % interval of a chance; the chance twice if these are all layouts.
    pub(crate) fn interval(&self, chance: f64, are_all: bool) -> [f64; 2] {
        if are_all {
            [chance; 2]
        } else {
            interval(chance, self.layouts)
        }
    }

    /// The odds of layouts with equal weights, by tricks.
    pub(crate) fn of_counts(counts: Distribution<u128>, left: usize) -> Odds {
        Odds {
            left,
            layouts: counts.iter().sum(),
            counts,
            chances: [0.0; 14],
        }
        .normal()
    }

    /// The odds of one layout, with its [weight](LayoutWeights::of).
    pub(crate) fn of_one(tricks: u8, weight: f64) -> Odds {
        let mut odds = Odds::none(0);
        let tricks = usize::from(tricks.min(13));
        (odds.layouts, odds.counts[tricks], odds.chances[tricks]) = (1, 1, weight);
        odds
    }

    pub(crate) fn add(&mut self, other: &Odds) {
        self.layouts += other.layouts;
        for tricks in 0..14 {
            self.counts[tricks] += other.counts[tricks];
            self.chances[tricks] += other.chances[tricks];
        }
    }

    /// With chances that sum to 1: the counts' shares if layouts were added without weights.
    pub(crate) fn normal(mut self) -> Odds {
        self.chances = match self.chances.iter().sum::<f64>() {
            0.0 => self.counts.map(|count| self.share(count)),
            sum => self.chances.map(|chance| chance / sum),
        };
        self
    }
}

/// The odds of the side that leads, or led, to the current trick; and for each
/// suit the odds for each way to split it, by the lengths of the hidden hands.
#[derive(Clone, Debug, PartialEq)]
pub struct BySplit {
    /// All layouts together.
    pub all: Odds,
    /// For each suit, by the lengths of the four hands (0 for visible hands).
    pub splits: [BTreeMap<[u8; 4], Odds>; 4],
}

/// The lengths of the hidden hands, by suit.
type HandLengths = [[u8; 4]; 4];

impl BySplit {
    pub(crate) fn none(left: usize) -> BySplit {
        BySplit {
            all: Odds::none(left),
            splits: Default::default(),
        }
    }

    /// Adds one layout, with its [weight](LayoutWeights::of).
    pub(crate) fn add_layout(&mut self, layout: &Layout, tricks: u8, weight: f64) {
        let lengths = Suit::ALL.map(|suit| layout.map(|hand| hand.suit(suit).len() as u8));
        self.add(&lengths, &Odds::of_one(tricks, weight));
    }

    /// Adds layouts of these lengths.
    fn add(&mut self, lengths: &HandLengths, odds: &Odds) {
        if odds.layouts > 0 {
            self.all.add(odds);
            let left = self.all.left;
            for (splits, &lengths) in self.splits.iter_mut().zip(lengths) {
                let split = splits.entry(lengths).or_insert(Odds::none(left));
                split.add(odds);
            }
        }
    }

    /// With chances that sum to 1.
    pub(crate) fn normal(self) -> BySplit {
        BySplit {
            all: self.all.normal(),
            splits: self.splits.map(|mut of| {
                of.values_mut()
                    .for_each(|odds| *odds = odds.clone().normal());
                of
            }),
        }
    }
}

/// The odds of the side of the seat that leads, or led, to the current trick; also
/// for every way to split each suit.
///
/// # Errors
///
/// If the database does not hold the endings or is damaged, too many layouts must be visited, or
/// `stop` is due.
pub fn odds(
    view: &BridgeView,
    beliefs: &Beliefs,
    database: &Database,
    stop: &Stop,
) -> Result<BySplit, SearchError> {
    let counted = |beliefs: &Beliefs| {
        let limits_points = |seat: Seat| beliefs.limits(seat).points != Limits::default().points;
        view.trick().is_empty() && !Seat::ALL.into_iter().any(limits_points)
    };
    let parts = match beliefs.parts() {
        Some(parts)
            if parts
                .iter()
                .all(|part| counted(part) && weights(view, part).is_none()) =>
        {
            parts
        }
        _ if beliefs.is_limits() && counted(beliefs) => Vec::new(),
        _ => return visited(view, beliefs, database, stop),
    };
    let mut found = BySplit::none(view.tricks_left());
    for part in parts.iter().chain(beliefs.is_limits().then_some(beliefs)) {
        let mut counting = Counting::new(view, part, database, stop);
        counting.found = found;
        counting.split(0)?;
        found = counting.found;
    }
    Ok(found.normal())
}

/// The same odds, by looking up every layout.
///
/// # Errors
///
/// As [`odds`].
pub fn visited(
    view: &BridgeView,
    beliefs: &Beliefs,
    database: &Database,
    stop: &Stop,
) -> Result<BySplit, SearchError> {
    SearchError::unless_at_most(MOST_VISITED, beliefs.count_looked_at())?;
    let endings = Endings::new(view.game().strain(), database);
    let side = view.trick().leader().side().index();
    let before = view.tally().tricks[side];
    let weights = LayoutWeights::new(beliefs);
    let mut found = BySplit::none(view.tricks_left());
    for layout in beliefs.layouts().until(stop) {
        SearchError::if_due(stop)?;
        let tricks = endings.finish(&view.state(&layout))?.tricks[side] - before;
        found.add_layout(&layout, tricks, weights.of(&layout));
    }
    SearchError::if_due(stop)?;
    Ok(found.normal())
}

/// The odds of each card that may be played, for the side of the seat that
/// plays it: every layout is looked up, and the rest of the trick is searched. Those of
/// a card of a hidden hand are over the layouts in which that hand may play it. The cards are listed
/// by suit, from the highest down.
///
/// # Errors
///
/// As [`odds`].
pub fn card_odds(
    view: &BridgeView,
    beliefs: &Beliefs,
    database: &Database,
    stop: &Stop,
) -> Result<Vec<(Card, Odds)>, SearchError> {
    SearchError::unless_at_most(MOST_VISITED, beliefs.count_looked_at())?;
    let endings = Endings::new(view.game().strain(), database);
    let side = view.to_play().side().index();
    let before = view.tally().tricks[side];
    let weights = LayoutWeights::new(beliefs);
    let mut cards: Vec<(Card, Odds)> = view
        .playable()
        .cards()
        .map(|card| (card, Odds::none(view.tricks_left())))
        .collect();
    for layout in beliefs.layouts().until(stop) {
        SearchError::if_due(stop)?;
        let weight = weights.of(&layout);
        let state = view.state(&layout);
        for (card, odds) in &mut cards {
            if state.legal(view.game()).contains(*card) {
                let tally = endings.finish_with(&state, *card)?;
                odds.add(&Odds::of_one(tally.tricks[side] - before, weight));
            }
        }
    }
    SearchError::if_due(stop)?;
    // A hidden hand has some cards in no matching layout.
    let held = cards.into_iter().filter(|(_, odds)| odds.layouts > 0);
    Ok(held.map(|(card, odds)| (card, odds.normal())).collect())
}

/// The weights of layouts that are added one by one.
pub(crate) struct LayoutWeights<'a> {
    beliefs: &'a Beliefs,
    are_equal: bool,
}

impl<'a> LayoutWeights<'a> {
    pub(crate) fn new(beliefs: &'a Beliefs) -> LayoutWeights<'a> {
        let of_card = |card| Seat::ALL.map(|seat| beliefs.weight(seat, card));
        let mut weights = beliefs.unseen().iter().flat_map(of_card);
        LayoutWeights {
            are_equal: weights.all(|weight| weight == 0.0 || weight == 1.0),
            beliefs,
        }
    }

    /// The weight of a layout; 0 if all are equal, because their number is then exact and a sum of
    /// fractions is not.
    pub(crate) fn of(&self, layout: &Layout) -> f64 {
        if self.are_equal {
            0.0
        } else {
            self.beliefs.log_probability(layout).exp()
        }
    }
}

/// Layouts counted on diagrams, over all ways to split the suits.
struct Counting<'a> {
    leader: Seat,
    strain: Strain,
    database: &'a Database,
    stop: &'a Stop,
    /// The seats of the cards of each suit from the top; `None` if they are hidden.
    owners: [Vec<Option<u8>>; 4],
    /// All layouts.
    set: EndingSet,
    weights: Option<Box<Weights>>,
    /// The minimum and maximum length of each suit in each hidden hand.
    limits: [[(u8, u8); 4]; 4],
    lengths: HandLengths,
    room: [u8; 4],
    found: BySplit,
}

impl<'a> Counting<'a> {
    fn new(
        view: &BridgeView,
        beliefs: &Beliefs,
        database: &'a Database,
        stop: &'a Stop,
    ) -> Counting<'a> {
        let mut counting = Counting {
            leader: view.to_play(),
            strain: view.game().strain(),
            database,
            stop,
            owners: Default::default(),
            set: EndingSet::EVERYTHING,
            weights: weights(view, beliefs),
            limits: [[(0, 0); 4]; 4],
            lengths: [[0; 4]; 4],
            room: view.hidden_sizes(),
            found: BySplit::none(view.tricks_left()),
        };
        for suit in Suit::ALL {
            counting.add_suit(suit, view, beliefs);
        }
        counting
    }

    fn add_suit(&mut self, suit: Suit, view: &BridgeView, beliefs: &Beliefs) {
        let hands = Seat::ALL.map(|seat| view.hand(seat).unwrap_or_default());
        let at = suit.index();
        let mut able = [0; 4];
        for rank in Rank::all() {
            let card = Card::new(suit, rank);
            let mask = if let Some(seat) = hands.iter().position(|hand| hand.contains(card)) {
                self.owners[at].push(Some(seat as u8));
                1 << seat
            } else if beliefs.unseen().contains(card) {
                self.owners[at].push(None);
                let can = |&seat: &usize| {
                    let hidden = beliefs.sizes()[seat] > 0;
                    hidden && beliefs.weight(Seat::from_index(seat), card) > 0.0
                };
                let mask = (0..4).filter(can).map(|seat| 1 << seat).sum::<u8>();
                for (seat, able) in able.iter_mut().enumerate() {
                    *able += mask >> seat & 1;
                }
                mask
            } else {
                continue;
            };
            self.set.learn(at, mask);
        }
        for seat in (0..4).filter(|&seat| beliefs.sizes()[seat] > 0) {
            let (low, high) = beliefs.limits(Seat::from_index(seat)).lengths[at];
            self.limits[at][seat] = (low, high.min(able[seat]));
        }
    }

    /// Splits the suits from `suit` on.
    fn split(&mut self, suit: usize) -> Result<(), SearchError> {
        let Some(owners) = self.owners.get(suit) else {
            return self.count();
        };
        let hidden = owners.iter().filter(|owner| owner.is_none());
        self.split_suit(suit, 0, hidden.count() as u8)
    }

    /// Assigns lengths in a suit with `cards` remaining cards to the hands from `seat` on.
    fn split_suit(&mut self, suit: usize, seat: usize, cards: u8) -> Result<(), SearchError> {
        if seat == 4 {
            return match cards {
                0 => self.split(suit + 1),
                _ => Ok(()),
            };
        }
        let (low, high) = self.limits[suit][seat];
        for length in low..=high.min(cards).min(self.room[seat]) {
            self.lengths[suit][seat] = length;
            self.room[seat] -= length;
            self.split_suit(suit, seat + 1, cards - length)?;
            self.room[seat] += length;
        }
        Ok(())
    }

    /// Counts the layouts of these lengths.
    fn count(&mut self) -> Result<(), SearchError> {
        SearchError::if_due(self.stop)?;
        let ending = self.ending()?;
        let located = self
            .database
            .locate(&ending)
            .map_err(ProbeError::from)?
            .ok_or_else(|| self.database.not_held(&ending))?;
        let counts = located.distribution(&self.set).map_err(ProbeError::from)?;
        let chances = match &self.weights {
            Some(weights) => located
                .weighed_distribution(weights)
                .map_err(ProbeError::from)?,
            None => [0.0; 14],
        };
        let layouts = counts.iter().sum();
        self.found.add(
            &self.lengths,
            &Odds {
                layouts,
                counts,
                chances,
                left: 0,
            },
        );
        Ok(())
    }

    /// One ending of these lengths.
    fn ending(&self) -> Result<Ending, EndingError> {
        let mut owners = [[0; 13]; 4];
        let mut suits = [&[][..]; 4];
        for (suit, seats) in owners.iter_mut().enumerate() {
            // Any hand with space is suitable.
            let mut room = self.lengths[suit];
            for (seat, owner) in seats.iter_mut().zip(&self.owners[suit]) {
                *seat = match *owner {
                    Some(seat) => seat,
                    None => {
                        let seat = room
                            .iter()
                            .position(|&room| room > 0)
                            .expect("the lengths are those of the hidden cards");
                        room[seat] -= 1;
                        seat as u8
                    }
                };
            }
            suits[suit] = &seats[..self.owners[suit].len()];
        }
        Ending::new(self.strain, self.leader, suits)
    }
}

/// The weight of every card with every seat, by its index in its suit, if they
/// are not all 0 or 1.
fn weights(view: &BridgeView, beliefs: &Beliefs) -> Option<Box<Weights>> {
    let mut weights = Box::new([[[0.0; 4]; 13]; 4]);
    let mut plain = true;
    let shown = Seat::ALL.into_iter().filter_map(|seat| view.hand(seat));
    let left = beliefs.unseen() | shown.collect::<Hand>();
    for suit in Suit::ALL {
        for (index, rank) in left.holding(suit).iter().enumerate() {
            let card = Card::new(suit, rank);
            for seat in Seat::ALL {
                let weight = match view.hand(seat) {
                    Some(hand) => f64::from(u8::from(hand.contains(card))),
                    None if beliefs.unseen().contains(card) => beliefs.weight(seat, card),
                    None => 0.0,
                };
                plain &= weight == 0.0 || weight == 1.0;
                weights[suit][index][seat] = weight;
            }
        }
    }
    (!plain).then_some(weights)
}
