//! The hands, the trick on the table, and the play of the cards.

use setrograde_cards::{Card, Hand, Rank, Seat, Suit};

use crate::game::{Game, Tally};

/// A position in the play: what searches and roll-outs play on, with all cards known;
/// or what one seat sees, with hidden hands empty. 64 bytes at most, and copied freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hands: [Hand; 4],
    trick: Trick,
    tally: Tally,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// The position before the first card.
    #[must_use]
    pub fn new<G: Game>(game: &G, hands: [Hand; 4]) -> State {
        State::at(hands, Trick::new(game.first_leader()), Tally::default())
    }

    /// A position in the play.
    #[must_use]
    pub const fn at(hands: [Hand; 4], trick: Trick, tally: Tally) -> State {
        State {
            hands,
            trick,
            tally,
        }
    }

    /// The cards still held, by seat.
    #[inline]
    #[must_use]
    pub const fn hands(&self) -> &[Hand; 4] {
        &self.hands
    }

    /// The trick on the table; never complete.
    #[inline]
    #[must_use]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The points and tricks won so far.
    #[inline]
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The seat to play.
    #[inline]
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// The hand of the seat to play.
    #[inline]
    #[must_use]
    pub const fn hand(&self) -> Hand {
        self.hands[self.to_play().index()]
    }

    /// Whether all cards are played.
    #[inline]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.hand().is_empty()
    }

    /// Tricks not finished yet.
    #[inline]
    #[must_use]
    pub const fn tricks_left(&self) -> usize {
        self.hand().len()
    }

    /// The cards that may be played.
    #[inline]
    #[must_use]
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

/// The cards played to a trick, 0 to 4, and which of them wins so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    cards: [Card; 4],
    leader: Seat,
    count: u8,
    /// The place of the winning card in the order of play.
    best: u8,
}

/// Stands where no card has been played.
const NO_CARD: Card = Card::new(Suit::Spades, Rank::DEUCE);

impl Trick {
    /// The trick to which `leader` is to lead.
    #[must_use]
    pub const fn new(leader: Seat) -> Trick {
        Trick {
            cards: [NO_CARD; 4],
            leader,
            count: 0,
            best: 0,
        }
    }

    /// The cards in the order of play.
    #[inline]
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.count)]
    }

    /// The seats that have played, with their cards.
    pub fn plays(&self) -> impl Iterator<Item = (Seat, Card)> + '_ {
        let seats = (0..4).map(|place| self.leader.plus(place));
        seats.zip(self.cards().iter().copied())
    }

    /// The seat that led or is to lead.
    #[inline]
    #[must_use]
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// Number of cards, 0 to 4.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether nobody has led yet.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The seat that plays the next card.
    #[inline]
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.leader.plus(self.count as usize)
    }

    /// The suit that was led.
    #[inline]
    #[must_use]
    pub fn led(&self) -> Option<Suit> {
        self.cards().first().map(|card| card.suit)
    }

    /// The card that wins so far.
    #[inline]
    #[must_use]
    pub fn best(&self) -> Option<Card> {
        self.cards().get(usize::from(self.best)).copied()
    }

    /// The seat that wins so far; the leader if nobody has played.
    #[inline]
    #[must_use]
    pub const fn winner(&self) -> Seat {
        self.leader.plus(self.best as usize)
    }

    /// All cards of the trick.
    #[must_use]
    pub fn set(&self) -> Hand {
        self.cards().iter().copied().collect()
    }

    /// Adds a card, which takes the lead if it `wins` from the best so far; the
    /// first card always does. A fifth card takes the place of the fourth.
    #[inline]
    pub(crate) fn push(&mut self, card: Card, wins: bool) {
        let place = usize::from(self.count.min(3));
        if place == 0 || wins {
            self.best = place as u8;
        }
        self.cards[place] = card;
        self.count = place as u8 + 1;
    }
}
