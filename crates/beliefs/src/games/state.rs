//! The hands, the trick on the table, and the play of the cards.

use std::ops::Deref;

use setrograde_cards::{self as cards, Card, Hand, Seat};

use super::game::{Game, Tally};

/// A position in the play: with all cards known, for searches and roll-outs; or one seat's view,
/// with hidden hands empty. 64 bytes at most, and copied freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hands: [Hand; 4],
    trick: Trick,
    tally: Tally,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// The position before the first card.
    pub fn new<G: Game>(game: &G, hands: [Hand; 4]) -> State {
        State::at(hands, Trick::new(game.first_leader()), Tally::default())
    }

    /// A position in the play.
    pub const fn at(hands: [Hand; 4], trick: Trick, tally: Tally) -> State {
        State {
            hands,
            trick,
            tally,
        }
    }

    /// The cards still held, by seat.
    #[inline]
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.hands
    }

    /// The trick on the table; never complete.
    #[inline]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The points and tricks won so far.
    #[inline]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The seat to play.
    #[inline]
    pub const fn to_play(&self) -> Seat {
        self.trick.played.to_play()
    }

    /// The hand of the seat to play.
    #[inline]
    pub const fn hand(&self) -> Hand {
        self.hands[self.to_play().index()]
    }

    /// Returns true if all cards are played.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.hand().is_empty()
    }

    /// Tricks not finished yet.
    #[inline]
    pub const fn tricks_left(&self) -> usize {
        self.hand().len()
    }

    /// The cards that may be played.
    #[inline]
    pub fn legal<G: Game>(&self, game: &G) -> Hand {
        game.legal(self.hand(), &self.trick)
    }

    /// Plays a card, which must be one of [`legal`](Self::legal), or of a hidden hand.
    #[inline]
    pub fn play<G: Game>(&mut self, game: &G, card: Card) {
        self.hands[self.to_play().index()].remove(card);
        game.play_to(&mut self.trick, card);
        if self.trick.len() == 4 {
            let winner = self.trick.winner();
            let party = game.party(winner);
            self.tally.points[party] += game.points(&self.trick);
            self.tally.tricks[party] += 1;
            if self.hands == [Hand::EMPTY; 4] {
                self.tally.points[party] += G::LAST_TRICK;
            }
            self.trick = Trick::new(winner);
        }
    }

    /// The position after a card, which must be one of [`legal`](Self::legal), or of a
    /// hidden hand.
    #[inline]
    #[must_use]
    pub fn after<G: Game>(mut self, game: &G, card: Card) -> State {
        self.play(game, card);
        self
    }
}

/// The cards played to a trick, 0 to 4, and which of them wins so far by the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    played: cards::Trick,
    /// The index of the winning card in the order of play.
    best: u8,
}

impl Deref for Trick {
    type Target = cards::Trick;

    #[inline]
    fn deref(&self) -> &cards::Trick {
        &self.played
    }
}

impl Trick {
    /// The trick to which `leader` is to lead.
    pub const fn new(leader: Seat) -> Trick {
        Trick {
            played: cards::Trick::new(leader),
            best: 0,
        }
    }

    /// Number of cards, 0 to 4.
    #[inline]
    pub fn len(&self) -> usize {
        self.cards().len()
    }

    /// Returns true if nobody has led yet.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.cards().is_empty()
    }

    /// The card that wins so far.
    #[inline]
    pub fn best(&self) -> Option<Card> {
        self.cards().get(usize::from(self.best)).copied()
    }

    /// The seat that wins so far; the leader of an empty trick.
    #[inline]
    pub const fn winner(&self) -> Seat {
        self.played.leader().plus(self.best as usize)
    }

    /// All cards of the trick.
    pub fn set(&self) -> Hand {
        self.cards().iter().copied().collect()
    }

    /// Adds a card, which takes the lead if it `wins` from the best so far; the
    /// first card always does. A fifth card is left out.
    #[inline]
    pub(crate) fn push(&mut self, card: Card, wins: bool) {
        let index = self.len() as u8;
        if let Some(played) = self.played.with(card) {
            self.played = played;
            if index == 0 || wins {
                self.best = index;
            }
        }
    }
}
