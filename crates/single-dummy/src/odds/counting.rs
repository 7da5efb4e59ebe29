//! Layouts counted on diagrams, over all ways to split the suits.

use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Beliefs;
use setrograde_cards::{Card, Rank, Seat, Strain, Suit};
use setrograde_lookup::{Database, Ending, EndingError, EndingSet, ProbeError, Weights};

use super::chances::{Gather, Lengths};
use super::error::{OddsError, check_cancelled};
use setrograde_games::{Game, View};

/// A card in play, as a question's set of endings has it.
#[derive(Clone, Copy)]
enum Owner {
    /// In a hand that is seen.
    Seen(u8),
    Hidden,
}

/// Layouts counted over all ways to split the suits.
pub(super) struct Counting<'a, T> {
    leader: Seat,
    strain: Strain,
    database: &'a Database,
    cancel: &'a AtomicBool,
    /// The cards of each suit from the top.
    owners: [Vec<Owner>; 4],
    /// All layouts.
    set: EndingSet,
    weights: Option<Box<Weights>>,
    /// The least and the greatest length of each suit in each hidden hand.
    limits: [[(u8, u8); 4]; 4],
    lengths: Lengths,
    room: [u8; 4],
    found: &'a mut T,
}

impl<'a, T: Gather> Counting<'a, T> {
    pub fn new<G: Game>(
        view: &View<G>,
        beliefs: &Beliefs,
        database: &'a Database,
        cancel: &'a AtomicBool,
        found: &'a mut T,
    ) -> Result<Counting<'a, T>, OddsError> {
        let mut counting = Counting {
            leader: view.to_play(),
            strain: view.game().strain().ok_or(OddsError::Game(G::NAME))?,
            database,
            cancel,
            owners: Default::default(),
            set: EndingSet::EVERYTHING,
            weights: weights(view, beliefs),
            limits: [[(0, 0); 4]; 4],
            lengths: [[0; 4]; 4],
            room: view.hidden_sizes(),
            found,
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
    pub fn run(&mut self) -> Result<(), OddsError> {
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
        check_cancelled(self.cancel)?;
        let located = self.database.locate(&self.ending()?)?;
        let counts = located.distribution(&self.set).map_err(ProbeError::from)?;
        let weights = match &self.weights {
            Some(weights) => located
                .weighed_distribution(weights)
                .map_err(ProbeError::from)?,
            None => [0.0; 14],
        };
        self.found.add_lengths(&self.lengths, &counts, &weights);
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
