//! Schieber, the Swiss jass for two pairs, after trumps are chosen; without
//! melds.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Hand, Rank, Seat, Suit, quote};

use super::clues::{self, Play, Rule};
use super::game::{Game, Tally, short_pack};
use super::state::Trick;

/// The trump suit, or the order of cards without trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// This suit is trumps.
    Trump(Suit),
    /// No trumps, the ace is high.
    ObeAbe,
    /// No trumps, the six is high.
    UneUfe,
}

impl Mode {
    /// All six modes.
    pub const ALL: [Mode; 6] = [
        Mode::Trump(Suit::Diamonds),
        Mode::Trump(Suit::Hearts),
        Mode::Trump(Suit::Spades),
        Mode::Trump(Suit::Clubs),
        Mode::ObeAbe,
        Mode::UneUfe,
    ];
}

/// Writes the letter of the trump suit, `O` or `U`.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Trump(suit) => suit.fmt(f),
            Mode::ObeAbe => f.pad("O"),
            Mode::UneUfe => f.pad("U"),
        }
    }
}

/// Not a mode of jass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a mode of jass; expected one of D H S C O U")]
pub struct ModeError(String);

impl FromStr for Mode {
    type Err = ModeError;

    fn from_str(text: &str) -> Result<Mode, ModeError> {
        let is = |mode: &Mode| mode.to_string().eq_ignore_ascii_case(text);
        let mode = Mode::ALL.into_iter().find(is);
        mode.ok_or_else(|| ModeError(quote(text)))
    }
}

/// Schieber jass: 36 cards, 157 points, 100 more for all tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jass {
    mode: Mode,
    leader: Seat,
    cards: u8,
}

const JACK: u8 = 11;

/// The order of trumps by rank from the six: 6 7 8 10 Q K A 9 J.
const TRUMP_ORDER: [u8; 9] = [0, 1, 2, 7, 3, 8, 4, 5, 6];

impl Jass {
    /// Jass with 1 to 9 cards in each hand, the highest ranks of each suit;
    /// other numbers are taken as the nearest of these.
    pub fn new(mode: Mode, leader: Seat, cards: usize) -> Jass {
        Jass {
            mode,
            leader,
            cards: cards.clamp(1, 9) as u8,
        }
    }

    /// A card's index in the order of its suit.
    #[inline]
    fn height(&self, card: Card) -> u8 {
        let rank = card.rank.value();
        match self.mode {
            Mode::Trump(trump) if trump == card.suit => {
                TRUMP_ORDER[usize::from(rank.saturating_sub(6)) % 9]
            }
            Mode::UneUfe => 14 - rank,
            _ => rank,
        }
    }

    /// The trumps of `hand` that are lower than `best`.
    fn lower_trumps(&self, hand: Hand, best: Card) -> Hand {
        let lower = |card: &Card| self.height(*card) < self.height(best);
        hand.suit(best.suit).iter().filter(lower).collect()
    }
}

impl Game for Jass {
    const NAME: &'static str = "jass";
    const LAST_TRICK: i16 = 5;
    const RULES: &'static [Rule] = clues::JASS;

    fn pack(&self) -> Hand {
        short_pack(self.cards.into())
    }

    fn first_leader(&self) -> Seat {
        self.leader
    }

    fn legal(&self, hand: Hand, trick: &Trick) -> Hand {
        let Some(led) = trick.led_suit() else {
            return hand;
        };
        let following = hand.suit(led);
        let Some(trump) = self.trump() else {
            return if following.is_empty() {
                hand
            } else {
                following
            };
        };
        if led == trump {
            // The jack of trumps need never be played.
            let jack = Rank::new(JACK).map_or(Hand::EMPTY, |rank| Card::new(trump, rank).into());
            return if (following - jack).is_empty() {
                hand
            } else {
                following
            };
        }
        // Ruffing is legal even if the hand can follow suit.
        let mut allowed = if following.is_empty() {
            hand
        } else {
            following | hand.suit(trump)
        };
        // But not below a trump on the table, unless there is no other card. If there are two
        // trumps, the lower one counts.
        let on_table = trick.cards().iter().filter(|card| card.suit == trump);
        if let Some(&lowest) = on_table.min_by_key(|&&card| self.height(card)) {
            let rest = allowed - self.lower_trumps(hand, lowest);
            if !rest.is_empty() {
                allowed = rest;
            }
        }
        allowed
    }

    #[inline]
    fn beats(&self, card: Card, best: Card) -> bool {
        if card.suit == best.suit {
            self.height(card) > self.height(best)
        } else {
            self.trump() == Some(card.suit)
        }
    }

    fn points(&self, trick: &Trick) -> i16 {
        let points = trick.cards().iter().map(|&card| self.card_value(card));
        points.sum()
    }

    fn result(&self, tally: &Tally, party: usize) -> i32 {
        let all = tally.tricks[1 - (party & 1)] == 0 && tally.tricks[party] > 0;
        i32::from(tally.points[party]) + 100 * i32::from(all)
    }

    fn utility_range(&self) -> (f64, f64) {
        (0.0, 257.0)
    }

    fn trump(&self) -> Option<Suit> {
        match self.mode {
            Mode::Trump(suit) => Some(suit),
            Mode::ObeAbe | Mode::UneUfe => None,
        }
    }

    fn card_value(&self, card: Card) -> i16 {
        match (card.rank.value(), self.mode) {
            (11, Mode::Trump(trump)) if card.suit == trump => 20,
            (9, Mode::Trump(trump)) if card.suit == trump => 14,
            (14, Mode::UneUfe) => 0,
            (6, Mode::UneUfe) | (14, _) => 11,
            (8, Mode::ObeAbe | Mode::UneUfe) => 8,
            (13, _) => 4,
            (12, _) => 3,
            (11, _) => 2,
            (10, _) => 10,
            _ => 0,
        }
    }

    fn setup(&self) -> Vec<(&'static str, String)> {
        vec![
            ("mode", self.mode.to_string()),
            ("leader", self.leader.to_string()),
        ]
    }

    fn headline(&self) -> String {
        match self.mode {
            Mode::Trump(suit) => format!("{} are trumps", suit.name()),
            Mode::ObeAbe => "Obe-Abe: no trumps, aces high".to_owned(),
            Mode::UneUfe => "Une-Ufe: no trumps, sixes high".to_owned(),
        }
    }

    fn clues(&self, play: &Play, learn: &mut dyn FnMut(usize, Seat, Hand)) {
        clues::jass(play, self.trump(), learn);
    }
}
