//! The trait of all games, and rules that several of them share.

use std::fmt::Debug;

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Seat, Strain, Suit};

use crate::clues::{Play, Rule};
use crate::trick::Trick;

/// What the parties have won so far. Partners are one party, numbered 0 for
/// North's and 1 for East's; in games without partners the parties are the
/// seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Points of the tricks won.
    pub points: [i16; 4],
    /// Tricks won.
    pub tricks: [u8; 4],
}

impl Tally {
    /// Adds a complete trick, which may be the last, for its winner's party.
    #[inline]
    pub(crate) fn take<G: Game>(&mut self, game: &G, trick: &Trick, last: bool) {
        let party = game.party(trick.winner());
        self.points[party] += game.points(trick, last);
        self.tricks[party] += 1;
    }
}

/// The rules of a game on one board: what is trump, who leads first, what is
/// at stake.
///
/// A rule that says what may be played must say it in pairs: a card may be
/// played from a hand exactly if it may be played from every pair of it and
/// another card of the hand. Then what a play shows follows from the rule: a
/// seat that plays a card cannot hold any other from which, in that pair, it
/// could not have played it.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// The game's name, as in `--game`.
    const NAME: &'static str;

    /// Whether partners sit opposite and win and lose together, as in all games
    /// of two parties.
    const PARTNERS: bool = true;

    /// The cards that are dealt; a multiple of four.
    fn pack(&self) -> CardSet;

    /// Who leads to the first trick.
    fn first_leader(&self) -> Seat;

    /// The cards of `hand` that may be played to `trick`; none only if the hand
    /// is empty.
    fn legal(&self, hand: CardSet, trick: &Trick) -> CardSet;

    /// Whether `card` wins from `best`, the winner of a trick so far.
    fn beats(&self, card: Card, best: Card) -> bool;

    /// Plays a card to a trick.
    #[inline]
    fn play_to(&self, trick: &mut Trick, card: Card) {
        let wins = trick.best().is_some_and(|best| self.beats(card, best));
        trick.push(card, wins);
    }

    /// What a complete trick is worth to the side that wins it.
    fn points(&self, trick: &Trick, last: bool) -> i16;

    /// The party of a seat.
    #[inline]
    fn party(&self, seat: Seat) -> usize {
        seat.index() & 1
    }

    /// What a finished board is worth to a party, in the units in which results
    /// are shown.
    fn result(&self, tally: &Tally, party: usize) -> i32;

    /// What a player tries to make as large as it can.
    fn utility(&self, tally: &Tally, party: usize) -> f64 {
        f64::from(self.result(tally, party))
    }

    /// The least and the greatest value that [`utility`](Game::utility) can
    /// have.
    fn utility_range(&self) -> (f64, f64);

    /// The hand that is laid open after the first card.
    fn dummy(&self) -> Option<Seat> {
        None
    }

    /// Who chooses the cards of `seat`: the declarer for dummy.
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

    /// What a card counts by itself, where cards count.
    fn card_value(&self, _card: Card) -> i16 {
        0
    }

    /// The tricks that decide the board for the side of `seat`, if it is the side
    /// that has undertaken to take them.
    fn tricks_wanted(&self, _seat: Seat) -> Option<u8> {
        None
    }

    /// What was settled before the play, as names and values for programs and
    /// logs.
    fn setup(&self) -> Vec<(&'static str, String)>;

    /// What is known in words, as `spades are trumps`.
    fn headline(&self) -> String;

    /// Rules of thumb about what a play says of the hand that it came from.
    fn rules() -> &'static [Rule] {
        &[]
    }

    /// Tells which rules apply to a play, and the cards that they make more or
    /// less likely to be in a seat's hand.
    fn clues(&self, _play: &Play, _tell: &mut dyn FnMut(usize, Seat, CardSet)) {}
}

/// The cards that may be played where suit must be followed and nothing else.
#[inline]
pub(crate) fn follow_suit(hand: CardSet, trick: &Trick) -> CardSet {
    match trick.led() {
        Some(suit) => {
            let following = hand.suit(suit);
            if following.is_empty() {
                hand
            } else {
                following
            }
        }
        None => hand,
    }
}

/// Whether `card` beats `best` with this strain, aces high.
#[inline]
pub fn beats_in_strain(strain: Strain, card: Card, best: Card) -> bool {
    if card.suit == best.suit {
        card.rank > best.rank
    } else {
        strain.trump() == Some(card.suit)
    }
}

/// The top `count` ranks of each suit.
pub(crate) fn short_pack(count: usize) -> CardSet {
    Card::pack()
        .filter(|card| usize::from(14 - card.rank.value()) < count)
        .collect()
}
