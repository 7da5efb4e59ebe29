//! The trait of all games, and rules that several of them share.

use std::fmt::Debug;

use setrograde_cards::{Card, Hand, Seat, Strain, Suit};

use super::clues::{self, Play, Rule};
use super::state::Trick;

/// The points and tricks that the parties have won so far. Partners are one party, numbered 0 for
/// North's and 1 for East's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Points of the tricks won.
    pub points: [i16; 2],
    /// Tricks won.
    pub tricks: [u8; 2],
}

/// The rules of a game on one board: what is trump, who leads first, what is
/// at stake.
///
/// A rule on legal cards must be a rule on pairs: a card is legal from a hand exactly if it is
/// legal from every pair of it and another card of the hand. The inference from a play then follows
/// from the rule: a seat that plays a card cannot have any card that would make it illegal in that
/// pair.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// The game's name, as in `--game`.
    const NAME: &'static str;

    /// The points of the last trick in addition to those of its cards.
    const LAST_TRICK: i16 = 0;

    /// Rules of thumb about what a play reveals about its hand.
    const RULES: &'static [Rule] = clues::FOLLOW_SUIT;

    /// The cards that are dealt; a multiple of four.
    fn pack(&self) -> Hand;

    /// The seat that leads to the first trick.
    fn first_leader(&self) -> Seat;

    /// The legal cards of `hand` in `trick`; none only if the hand is empty. By default, suit must
    /// be followed.
    #[inline]
    fn legal(&self, hand: Hand, trick: &Trick) -> Hand {
        match trick.led_suit().map(|suit| hand.suit(suit)) {
            Some(following) if !following.is_empty() => following,
            _ => hand,
        }
    }

    /// Returns true if `card` wins from `best`, the winner of a trick so far: aces are high, unless
    /// a game says otherwise.
    #[inline]
    fn beats(&self, card: Card, best: Card) -> bool {
        if card.suit == best.suit {
            card.rank > best.rank
        } else {
            self.trump() == Some(card.suit)
        }
    }

    /// Plays a card to a trick.
    #[inline]
    fn play_to(&self, trick: &mut Trick, card: Card) {
        let wins = trick.best().is_some_and(|best| self.beats(card, best));
        trick.push(card, wins);
    }

    /// The points of a complete trick for the side that wins it.
    #[inline]
    fn points(&self, _trick: &Trick) -> i16 {
        1
    }

    /// The party of a seat.
    #[inline]
    fn party(&self, seat: Seat) -> usize {
        seat.index() & 1
    }

    /// The result of a finished board for a party, in the units of the output.
    fn result(&self, tally: &Tally, party: usize) -> i32;

    /// The number that a player maximizes.
    fn utility(&self, tally: &Tally, party: usize) -> f64 {
        f64::from(self.result(tally, party))
    }

    /// The minimum and maximum value that [`utility`](Game::utility) can
    /// have.
    fn utility_range(&self) -> (f64, f64);

    /// The hand that is faced after the first card.
    fn dummy(&self) -> Option<Seat> {
        None
    }

    /// The seat that chooses the cards of `seat`: the declarer for dummy.
    #[inline]
    fn chooser(&self, seat: Seat) -> Seat {
        match self.dummy() {
            Some(dummy) if dummy == seat => dummy.partner(),
            _ => seat,
        }
    }

    /// The strain, if the play is that of bridge and a double-dummy solver
    /// knows it.
    fn strain(&self) -> Option<Strain> {
        None
    }

    /// The trump suit, if there is one.
    fn trump(&self) -> Option<Suit> {
        self.strain().and_then(Strain::trump)
    }

    /// The points of a card, in games in which cards count.
    fn card_value(&self, _card: Card) -> i16 {
        0
    }

    /// The tricks that decide the board for the side of `seat`, if it is the side
    /// that has undertaken to take them.
    fn tricks_wanted(&self, _seat: Seat) -> Option<u8> {
        None
    }

    /// The terms settled before the play, as names and values for programs and
    /// logs.
    fn setup(&self) -> Vec<(&'static str, String)>;

    /// The terms in words, such as `spades are trumps`.
    fn headline(&self) -> String;

    /// Reports which of the [rules](Game::RULES) apply to a play, and the cards that they
    /// make more or less likely to be in a seat's hand.
    fn clues(&self, play: &Play, learn: &mut dyn FnMut(usize, Seat, Hand)) {
        if let Some(strain) = self.strain() {
            clues::follow_suit(play, strain, learn);
        }
    }
}

/// The top `count` ranks of each suit.
pub(super) fn short_pack(count: usize) -> Hand {
    Card::pack()
        .filter(|card| usize::from(14 - card.rank.value()) < count)
        .collect()
}
