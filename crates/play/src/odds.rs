//! The exact distribution of double-dummy tricks over all layouts that a seat
//! cannot tell apart.
//!
//! At the start of a trick the layouts are not visited: for every way to split
//! the suits among the hidden hands they are counted on the diagram of that
//! partition. In the middle of a trick, for single cards, and under limits on
//! high-card points every layout is looked up.

use std::collections::BTreeMap;

use setrograde_beliefs::{Beliefs, Layout, Limits};
use setrograde_cards::{Card, Rank, Seat, Strain, Suit};
use setrograde_lookup::{
    Database, Distribution, Ending, EndingError, EndingSet, ProbeError, Weights,
};
use thiserror::Error;

use crate::endings::Endings;
use crate::games::Game;
use crate::state::State;
use crate::view::View;

/// How the tricks of a side are distributed over all layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// How many layouts there are.
    pub layouts: u128,
    /// In how many of them the side takes 0, 1, … 13 of the tricks left.
    pub counts: Distribution<u128>,
    /// The probability of each number of tricks: the counts' shares, unless
    /// layouts have different weights.
    pub chances: Distribution<f64>,
}

impl Odds {
    const NONE: Odds = Odds {
        layouts: 0,
        counts: [0; 14],
        chances: [0.0; 14],
    };

    /// The mean number of tricks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let chances = self.chances.iter().enumerate();
        chances.map(|(tricks, chance)| tricks as f64 * chance).sum()
    }

    /// The chance of at least that many tricks.
    #[must_use]
    pub fn at_least(&self, tricks: usize) -> f64 {
        self.chances.iter().skip(tricks).sum()
    }

    fn add(&mut self, tricks: u8, weight: f64) {
        let tricks = usize::from(tricks.min(13));
        self.layouts += 1;
        self.counts[tricks] += 1;
        self.chances[tricks] += weight;
    }

    fn add_counts(&mut self, counts: &Distribution<u128>) {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum += count;
            self.layouts += count;
        }
    }

    /// With chances that sum to 1.
    fn normal(mut self) -> Odds {
        if self.chances == [0.0; 14] {
            self.chances = self.counts.map(|count| count as f64);
        }
        let sum: f64 = self.chances.iter().sum();
        self.chances = self.chances.map(|chance| chance / sum);
        self
    }
}

/// Why there are no odds.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OddsError {
    /// The game is not played as bridge.
    #[error("{0} is not played as bridge; the database does not know it")]
    Game(&'static str),
    /// Too many layouts to visit.
    #[error("{0} layouts are too many to visit; at most {MOST_VISITED} are")]
    TooMany(u128),
    /// What is left is no ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The database has no answer.
    #[error(transparent)]
    Database(#[from] ProbeError),
}

/// The most layouts that are looked up one by one.
pub const MOST_VISITED: u128 = 5_000_000;

/// The odds of the side that leads, or led, to the current trick; and for each
/// suit the odds for each way to split it, by the lengths of the hidden hands.
#[derive(Clone, Debug, PartialEq)]
pub struct BySplit {
    /// All layouts together.
    pub all: Odds,
    /// For each suit, by the lengths of the four hands (0 for those that are
    /// seen).
    pub splits: [BTreeMap<[u8; 4], Odds>; 4],
}

/// The odds of the side of the seat that leads, or led, to the current trick.
///
/// # Errors
///
/// If the game is not played as bridge, the database does not hold the endings
/// or is damaged, or layouts must be visited and are too many.
pub fn odds<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
) -> Result<BySplit, OddsError> {
    let strain = view.game().strain().ok_or(OddsError::Game(G::NAME))?;
    let points_limited = |seat: Seat| {
        let limits = beliefs.limits(seat);
        limits.points != Limits::default().points
    };
    let visit = !view.trick().is_empty() || Seat::ALL.into_iter().any(points_limited);
    if visit {
        return visited(view, beliefs, database);
    }
    let mut count = Counting {
        leader: view.to_play(),
        strain,
        database,
        beliefs,
        seen: Seat::ALL.map(|seat| view.hand(seat).unwrap_or_default()),
        weights: weights(view, beliefs),
        lengths: [[0; 4]; 4],
        found: BySplit {
            all: Odds::NONE,
            splits: Default::default(),
        },
    };
    count.split(0, view.hidden_sizes())?;
    Ok(count.found.normal())
}

/// The odds of each card that may be played, for the side of the seat that
/// plays it: every layout is looked up, and the rest of the trick is searched.
///
/// # Errors
///
/// As [`odds`].
pub fn card_odds<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
) -> Result<Vec<(Card, Odds)>, OddsError> {
    let endings = Endings::new(view.game(), Some(database)).ok_or(OddsError::Game(G::NAME))?;
    check_visits(beliefs)?;
    let party = view.game().party(view.to_play());
    let mut cards: Vec<(Card, Odds)> = view
        .playable()
        .iter()
        .map(|card| (card, Odds::NONE))
        .collect();
    let before = view.tally().tricks[party];
    for layout in beliefs.layouts() {
        let weight = beliefs.log_probability(&layout).exp();
        let state = view.state(&layout);
        for (card, odds) in &mut cards {
            if state.legal(view.game()).contains(*card) {
                let tally = endings.finish_with(&state, *card)?;
                odds.add(tally.tricks[party] - before, weight);
            }
        }
    }
    Ok(cards
        .into_iter()
        .map(|(card, odds)| (card, odds.normal()))
        .collect())
}

fn check_visits(beliefs: &Beliefs) -> Result<(), OddsError> {
    match beliefs.count() {
        count if count > MOST_VISITED => Err(OddsError::TooMany(count)),
        _ => Ok(()),
    }
}

/// The odds by looking up every layout.
///
/// # Errors
///
/// As [`odds`].
pub fn visited<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
) -> Result<BySplit, OddsError> {
    let endings = Endings::new(view.game(), Some(database)).ok_or(OddsError::Game(G::NAME))?;
    check_visits(beliefs)?;
    let party = view.game().party(view.trick().leader());
    let before = view.tally().tricks[party];
    let mut found = BySplit {
        all: Odds::NONE,
        splits: Default::default(),
    };
    for layout in beliefs.layouts() {
        let weight = beliefs.log_probability(&layout).exp();
        let state: State = view.state(&layout);
        let tricks = endings.finish(&state)?.tricks[party] - before;
        found.all.add(tricks, weight);
        for (suit, splits) in Suit::ALL.into_iter().zip(&mut found.splits) {
            let of_suit = splits.entry(lengths(&layout, suit)).or_insert(Odds::NONE);
            of_suit.add(tricks, weight);
        }
    }
    Ok(found.normal())
}

fn lengths(layout: &Layout, suit: Suit) -> [u8; 4] {
    layout.map(|hand| hand.suit(suit).len() as u8)
}

impl BySplit {
    fn normal(self) -> BySplit {
        let normal = |splits: BTreeMap<[u8; 4], Odds>| {
            splits
                .into_iter()
                .map(|(split, odds)| (split, odds.normal()))
                .collect()
        };
        BySplit {
            all: self.all.normal(),
            splits: self.splits.map(normal),
        }
    }
}

/// The weight of every card with every seat, by its place in its suit, if they
/// are not all 0 or 1.
fn weights<G: Game>(view: &View<G>, beliefs: &Beliefs) -> Option<Box<Weights>> {
    let mut weights = Box::new([[[0.0; 4]; 13]; 4]);
    let mut plain = true;
    let left = left_in_play(view, beliefs);
    for suit in Suit::ALL {
        let held = left.holding(suit);
        for (place, rank) in held.iter().enumerate() {
            let card = Card::new(suit, rank);
            for seat in Seat::ALL {
                let weight = match view.hand(seat) {
                    Some(hand) => f64::from(u8::from(hand.contains(card))),
                    None if beliefs.unseen().contains(card) => beliefs.weight(seat, card),
                    None => 0.0,
                };
                plain &= weight == 0.0 || weight == 1.0;
                weights[suit.index()][place][seat.index()] = weight;
            }
        }
    }
    (!plain).then_some(weights)
}

fn left_in_play<G: Game>(view: &View<G>, beliefs: &Beliefs) -> setrograde_beliefs::CardSet {
    let hands = Seat::ALL.into_iter().filter_map(|seat| view.hand(seat));
    hands.fold(beliefs.unseen(), |all, hand| all | hand)
}

/// Layouts counted over all ways to split the suits.
struct Counting<'a> {
    leader: Seat,
    strain: Strain,
    database: &'a Database,
    beliefs: &'a Beliefs,
    seen: [setrograde_beliefs::CardSet; 4],
    weights: Option<Box<Weights>>,
    /// The lengths of the hidden hands, by suit.
    lengths: [[u8; 4]; 4],
    found: BySplit,
}

impl Counting<'_> {
    /// Splits the suits from `suit` on among hands with this room.
    fn split(&mut self, suit: usize, room: [u8; 4]) -> Result<(), OddsError> {
        if suit == 4 {
            return self.count();
        }
        let cards = self.beliefs.unseen().suit(Suit::from_index(suit)).len() as u8;
        self.split_suit(suit, 0, cards, room)
    }

    /// Gives the hands from `seat` on their lengths in a suit with `cards` left.
    fn split_suit(
        &mut self,
        suit: usize,
        seat: usize,
        cards: u8,
        room: [u8; 4],
    ) -> Result<(), OddsError> {
        if seat == 4 {
            return match cards {
                0 => self.split(suit + 1, room),
                _ => Ok(()),
            };
        }
        let limits = self.beliefs.limits(Seat::from_index(seat)).lengths[suit];
        for length in 0..=cards.min(room[seat]) {
            let limited = room[seat] > 0 && !(limits.0..=limits.1).contains(&length);
            if limited && self.beliefs.sizes()[seat] > 0 {
                continue;
            }
            self.lengths[suit][seat] = length;
            let mut left = room;
            left[seat] -= length;
            self.split_suit(suit, seat + 1, cards - length, left)?;
        }
        Ok(())
    }

    /// Counts the layouts of these lengths.
    fn count(&mut self) -> Result<(), OddsError> {
        let (ending, set) = self.partition()?;
        let located = self.database.locate(&ending)?;
        let counts = located.distribution(&set).map_err(ProbeError::from)?;
        let sums = match &self.weights {
            Some(weights) => Some(
                located
                    .weighed_distribution(weights)
                    .map_err(ProbeError::from)?,
            ),
            None => None,
        };
        let add = |odds: &mut Odds| {
            odds.add_counts(&counts);
            for (chance, sum) in odds.chances.iter_mut().zip(sums.iter().flatten()) {
                *chance += sum;
            }
        };
        add(&mut self.found.all);
        if counts != [0; 14] {
            for (splits, lengths) in self.found.splits.iter_mut().zip(self.lengths) {
                add(splits.entry(lengths).or_insert(Odds::NONE));
            }
        }
        Ok(())
    }

    /// One ending of these lengths, and the set of all of them.
    fn partition(&self) -> Result<(Ending, EndingSet), OddsError> {
        let mut set = EndingSet::EVERYTHING;
        let mut owners: [Vec<u8>; 4] = Default::default();
        for suit in Suit::ALL {
            let mut room = self.lengths[suit.index()];
            for rank in Rank::all() {
                let card = Card::new(suit, rank);
                let seen = self.seen.iter().position(|hand| hand.contains(card));
                if let Some(seat) = seen {
                    owners[suit.index()].push(seat as u8);
                    set.learn(suit.index(), 1 << seat);
                } else if self.beliefs.unseen().contains(card) {
                    // Any hand with room will do for the one ending.
                    let seat = (0..4).find(|&seat| room[seat] > 0).unwrap_or(0);
                    room[seat] = room[seat].saturating_sub(1);
                    owners[suit.index()].push(seat as u8);
                    let can = |seat: &usize| {
                        let hidden = self.beliefs.sizes()[*seat] > 0;
                        hidden && self.beliefs.weight(Seat::from_index(*seat), card) > 0.0
                    };
                    set.learn(suit.index(), (0..4).filter(can).map(|seat| 1 << seat).sum());
                }
            }
        }
        let [s, h, d, c] = &owners;
        let ending = Ending::new(self.strain, self.leader, [s, h, d, c])?;
        Ok((ending, set))
    }
}
