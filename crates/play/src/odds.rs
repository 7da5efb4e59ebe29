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

    fn add_counts(&mut self, counts: &Distribution<u128>, weights: &Distribution<f64>) {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum += count;
            self.layouts += count;
        }
        for (sum, weight) in self.chances.iter_mut().zip(weights) {
            *sum += weight;
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
) -> Result<Odds, OddsError> {
    let mut all = Odds::NONE;
    let mut add = |_: &Lengths, counts: &Distribution<u128>, weights: &Distribution<f64>| {
        all.add_counts(counts, weights);
    };
    match must_visit(view, beliefs) {
        true => return visited(view, beliefs, database),
        false => Counting::new(view, beliefs, database, &mut add)?.run()?,
    }
    Ok(all.normal())
}

/// The same odds, and those for every way to split each suit.
///
/// # Errors
///
/// As [`odds`].
pub fn odds_by_split<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
) -> Result<BySplit, OddsError> {
    let mut found = BySplit::none();
    let mut add = |lengths: &Lengths, counts: &Distribution<u128>, weights: &Distribution<f64>| {
        found.all.add_counts(counts, weights);
        if *counts != [0; 14] {
            for odds in found.of_lengths(lengths) {
                odds.add_counts(counts, weights);
            }
        }
    };
    match must_visit(view, beliefs) {
        true => return visited_by_split(view, beliefs, database),
        false => Counting::new(view, beliefs, database, &mut add)?.run()?,
    }
    Ok(found.normal())
}

/// Whether the layouts cannot be counted.
fn must_visit<G: Game>(view: &View<G>, beliefs: &Beliefs) -> bool {
    let points_limited = |seat: Seat| {
        let limits = beliefs.limits(seat);
        limits.points != Limits::default().points
    };
    !view.trick().is_empty() || Seat::ALL.into_iter().any(points_limited)
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
) -> Result<Odds, OddsError> {
    let mut all = Odds::NONE;
    visit(view, beliefs, database, |_, tricks, weight| {
        all.add(tricks, weight);
    })?;
    Ok(all.normal())
}

/// The same odds, and those for every way to split each suit.
///
/// # Errors
///
/// As [`odds`].
pub fn visited_by_split<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
) -> Result<BySplit, OddsError> {
    let mut found = BySplit::none();
    visit(view, beliefs, database, |layout, tricks, weight| {
        found.all.add(tricks, weight);
        let lengths = Suit::ALL.map(|suit| layout.map(|hand| hand.suit(suit).len() as u8));
        for odds in found.of_lengths(&lengths) {
            odds.add(tricks, weight);
        }
    })?;
    Ok(found.normal())
}

/// Tells of every layout its tricks and its weight.
fn visit<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    mut tell: impl FnMut(&Layout, u8, f64),
) -> Result<(), OddsError> {
    let endings = Endings::new(view.game(), Some(database)).ok_or(OddsError::Game(G::NAME))?;
    check_visits(beliefs)?;
    let party = view.game().party(view.trick().leader());
    let before = view.tally().tricks[party];
    for layout in beliefs.layouts() {
        let weight = beliefs.log_probability(&layout).exp();
        let state: State = view.state(&layout);
        let tricks = endings.finish(&state)?.tricks[party] - before;
        tell(&layout, tricks, weight);
    }
    Ok(())
}

impl BySplit {
    fn none() -> BySplit {
        BySplit {
            all: Odds::NONE,
            splits: Default::default(),
        }
    }

    /// For each suit the odds of these lengths.
    fn of_lengths<'a>(&'a mut self, lengths: &'a Lengths) -> impl Iterator<Item = &'a mut Odds> {
        let splits = self.splits.iter_mut().zip(lengths);
        splits.map(|(splits, &lengths)| splits.entry(lengths).or_insert(Odds::NONE))
    }

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

/// The lengths of the hidden hands, by suit.
type Lengths = [[u8; 4]; 4];

/// What is done with the layouts of each split of all suits: how many have each
/// number of tricks, and what they weigh (nothing if all weigh the same).
type Tell<'a> = dyn FnMut(&Lengths, &Distribution<u128>, &Distribution<f64>) + 'a;

/// A card in play, as a question's set of endings has it.
#[derive(Clone, Copy)]
enum Owner {
    /// In a hand that is seen.
    Seen(u8),
    Hidden,
}

/// Layouts counted over all ways to split the suits.
struct Counting<'a> {
    leader: Seat,
    strain: Strain,
    database: &'a Database,
    /// The cards of each suit from the top.
    owners: [Vec<Owner>; 4],
    /// All layouts.
    set: EndingSet,
    weights: Option<Box<Weights>>,
    /// The least and the greatest length of each suit in each hidden hand.
    limits: [[(u8, u8); 4]; 4],
    lengths: Lengths,
    room: [u8; 4],
    tell: &'a mut Tell<'a>,
}

impl<'a> Counting<'a> {
    fn new<G: Game>(
        view: &View<G>,
        beliefs: &Beliefs,
        database: &'a Database,
        tell: &'a mut Tell<'a>,
    ) -> Result<Counting<'a>, OddsError> {
        let mut counting = Counting {
            leader: view.to_play(),
            strain: view.game().strain().ok_or(OddsError::Game(G::NAME))?,
            database,
            owners: Default::default(),
            set: EndingSet::EVERYTHING,
            weights: weights(view, beliefs),
            limits: [[(0, 0); 4]; 4],
            lengths: [[0; 4]; 4],
            room: view.hidden_sizes(),
            tell,
        };
        for suit in Suit::ALL {
            counting.add_suit(suit, view, beliefs);
        }
        Ok(counting)
    }

    fn add_suit<G: Game>(&mut self, suit: Suit, view: &View<G>, beliefs: &Beliefs) {
        let hands = Seat::ALL.map(|seat| view.hand(seat).unwrap_or_default());
        let at = suit.index();
        let (mut able, mut must) = ([0; 4], [0; 4]);
        for rank in Rank::all() {
            let card = Card::new(suit, rank);
            let mask = if let Some(seat) = hands.iter().position(|hand| hand.contains(card)) {
                self.owners[at].push(Owner::Seen(seat as u8));
                1 << seat
            } else if beliefs.unseen().contains(card) {
                self.owners[at].push(Owner::Hidden);
                let can = |&seat: &usize| {
                    let hidden = beliefs.sizes()[seat] > 0;
                    hidden && beliefs.weight(Seat::from_index(seat), card) > 0.0
                };
                let mask = (0..4).filter(can).map(|seat| 1 << seat).sum::<u8>();
                for seat in 0..4 {
                    able[seat] += mask >> seat & 1;
                    must[seat] += u8::from(mask == 1 << seat);
                }
                mask
            } else {
                continue;
            };
            self.set.learn(at, mask);
        }
        for seat in 0..4 {
            let (low, high) = beliefs.limits(Seat::from_index(seat)).lengths[at];
            self.limits[at][seat] = match beliefs.sizes()[seat] {
                0 => (0, 0),
                _ => (low.max(must[seat]), high.min(able[seat])),
            };
        }
    }

    /// Counts all layouts.
    fn run(&mut self) -> Result<(), OddsError> {
        self.split(0)
    }

    /// Splits the suits from `suit` on.
    fn split(&mut self, suit: usize) -> Result<(), OddsError> {
        let Some(owners) = self.owners.get(suit) else {
            return self.count();
        };
        let hidden = owners.iter().filter(|of| matches!(of, Owner::Hidden));
        self.split_suit(suit, 0, hidden.count() as u8)
    }

    /// Gives the hands from `seat` on their lengths in a suit with `cards` left.
    fn split_suit(&mut self, suit: usize, seat: usize, cards: u8) -> Result<(), OddsError> {
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
    fn count(&mut self) -> Result<(), OddsError> {
        let located = self.database.locate(&self.ending()?)?;
        let counts = located.distribution(&self.set).map_err(ProbeError::from)?;
        let weights = match &self.weights {
            Some(weights) => located
                .weighed_distribution(weights)
                .map_err(ProbeError::from)?,
            None => [0.0; 14],
        };
        (self.tell)(&self.lengths, &counts, &weights);
        Ok(())
    }

    /// One ending of these lengths.
    fn ending(&self) -> Result<Ending, EndingError> {
        let mut owners = [[0; 13]; 4];
        let mut suits = [&[][..]; 4];
        for (suit, seats) in owners.iter_mut().enumerate() {
            // Any hand with room will do.
            let mut room = self.lengths[suit];
            for (owner, of) in seats.iter_mut().zip(&self.owners[suit]) {
                *owner = match *of {
                    Owner::Seen(seat) => seat,
                    Owner::Hidden => {
                        let seat = room.iter().position(|&room| room > 0).unwrap_or(0);
                        room[seat] = room[seat].saturating_sub(1);
                        seat as u8
                    }
                };
            }
            suits[suit] = &seats[..self.owners[suit].len()];
        }
        Ending::new(self.strain, self.leader, suits)
    }
}
