//! Rules of thumb: inferences from a play about its hand.
//!
//! A rule multiplies the weight of some cards in a seat's hand by its base to the power of a
//! strength. Strength 0 switches it off, 1 is mu's factor, and the experiment `fit_rules` finds the
//! strengths under which the actual hands are most likely.

use setrograde_cards::{Card, Hand, Seat, Strain, Suit};

use super::state::Trick;

/// A rule of thumb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// The factor of weights at strength 1.
    pub base: f64,
    /// The strength that fits self-play of the rules of thumb best, from
    /// `fit_rules` among the experiments.
    pub fitted: f64,
}

/// A played card, as seen by one seat.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// The observer.
    pub observer: Seat,
    /// The seat that played.
    pub seat: Seat,
    /// The played card.
    pub card: Card,
    /// The trick before it.
    pub trick: Trick,
    /// All cards of the deal.
    pub pack: Hand,
}

/// The strengths of a game's rules, in the order of
/// [`Game::RULES`](crate::Game::RULES). Rules without a strength are off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strengths(pub Vec<f64>);

impl Strengths {
    /// All rules off.
    pub const NONE: Strengths = Strengths(Vec::new());

    /// Each rule with mu's factor.
    pub fn as_published(rules: &[Rule]) -> Strengths {
        Strengths(vec![1.0; rules.len()])
    }

    /// Each rule with the strength that fits self-play best.
    pub fn fitted(rules: &[Rule]) -> Strengths {
        Strengths(rules.iter().map(|rule| rule.fitted).collect())
    }

    /// Returns true if no rule is on.
    pub(crate) fn are_off(&self) -> bool {
        self.0.iter().all(|&strength| strength == 0.0)
    }

    /// The factor of the rule numbered `rule` of `rules`.
    pub fn factor(&self, rules: &[Rule], rule: usize) -> f64 {
        match (rules.get(rule), self.0.get(rule)) {
            (Some(rule), Some(&strength)) => rule.base.powf(strength),
            _ => 1.0,
        }
    }
}

const fn rule(name: &'static str, base: f64, fitted: f64) -> Rule {
    Rule { name, base, fitted }
}

/// mu's five rules, for games in which suit must be followed.
pub(crate) const FOLLOW_SUIT: &[Rule] = &[
    rule("played_low_on_winnable", 0.3, -0.02),
    rule("led_a_suit", 1.5, 1.4),
    rule("low_trump_ruff", 1.8, 0.92),
    rule("discard_not_trump", 0.4, -0.26),
    rule("partner_led_high", 0.5, -0.7),
];

/// Applies mu's five rules. They apply to opponents of the observer, the second to any seat, the
/// fifth to the observer's partner.
pub(crate) fn follow_suit(play: &Play, strain: Strain, learn: &mut dyn FnMut(usize, Seat, Hand)) {
    let Play {
        observer,
        seat,
        card,
        trick,
        pack,
    } = *play;
    let opponent = seat.side() != observer.side();
    let suit = pack.suit(card.suit);
    // A rank's index in its suit: 0 is the lowest that was dealt.
    let ranks = suit.len();
    let index = |card: Card| pack.suit(card.suit).iter().filter(|c| *c < card).count();
    let high = |cards: Hand| -> Hand {
        let dealt = cards.len();
        cards
            .iter()
            .filter(|&c| index(c) >= 2 * dealt / 3)
            .collect()
    };
    match trick.led_suit() {
        None => {
            learn(1, seat, suit - card.into());
            if !opponent && seat != observer && index(card) >= 2 * ranks / 3 {
                for other in Seat::ALL {
                    if other.side() != observer.side() {
                        learn(4, other, high(suit));
                    }
                }
            }
        }
        Some(led) if led == card.suit => {
            if opponent && index(card) < ranks / 3 {
                learn(0, seat, high(suit));
            }
        }
        Some(_) => {
            let Some(trump) = strain.trump().filter(|_| opponent) else {
                return;
            };
            if card.suit != trump {
                learn(3, seat, pack.suit(trump));
            } else if index(card) < 6 * ranks / 13 {
                learn(2, seat, suit.iter().filter(|&c| c > card).collect());
            }
        }
    }
}

/// Rules for jass.
pub(crate) const JASS: &[Rule] = &[
    rule("led_a_suit", 1.5, 0.67),
    rule("did_not_ruff", 0.4, 0.14),
    rule("led_trumps", 1.8, 2.19),
];

/// Applies the rules for jass.
pub(crate) fn jass(play: &Play, trump: Option<Suit>, learn: &mut dyn FnMut(usize, Seat, Hand)) {
    let Play {
        seat, card, trick, ..
    } = *play;
    let suit = play.pack.suit(card.suit);
    match (trick.led_suit(), trump) {
        (None, Some(trump)) if trump == card.suit => learn(2, seat, suit - card.into()),
        (None, _) => learn(0, seat, suit - card.into()),
        // It could have ruffed a trick that its partner does not win.
        (Some(led), Some(trump))
            if led != trump
                && card.suit != trump
                && card.suit != led
                && trick.winner().side() != seat.side() =>
        {
            learn(1, seat, play.pack.suit(trump));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::cases;

    /// What South learns from the last of some cards of a trick, which `seat` plays: the numbers of
    /// rules, each with a seat and cards.
    fn learned(text: &str, is_jass: bool) -> String {
        let (seat, cards) = text.split_once(": ").expect("a seat");
        let seat: Seat = seat.parse().expect("a seat");
        let cards = cards.split(' ').map(|card| card.parse().expect("a card"));
        let cards: Vec<Card> = cards.collect();
        let (&card, before) = cards.split_last().expect("a card");
        let mut trick = Trick::new(seat.plus(4 - before.len()));
        before.iter().for_each(|&card| trick.push(card, false));
        let play = Play {
            observer: Seat::South,
            seat,
            card,
            trick,
            pack: Hand::PACK,
        };
        let mut learned = Vec::new();
        let learn = &mut |rule: usize, seat: Seat, cards: Hand| {
            learned.push(format!("{rule} {seat} {cards}"));
        };
        if is_jass {
            jass(&play, Some(Suit::Spades), learn);
        } else {
            follow_suit(&play, Strain::Trump(Suit::Spades), learn);
        }
        match &learned[..] {
            [] => "nothing".to_owned(),
            _ => learned.join("; "),
        }
    }

    /// A lead makes the rest of its suit likelier in that hand. A high lead by the partner makes the
    /// high cards less likely in the opponents' hands. Opponents follow low, the partner may, and
    /// nobody is judged by a middle card. Opponents ruff with a low trump or discard.
    const OF_MU: &str = "
E: HK => 1 E .AQJT98765432..
N: H5 => 1 N .AKQJT9876432..
N: HT => 1 N .AKQJ98765432..; 4 E .AKQJT..; 4 W .AKQJT..
E: HA H5 => 0 E .AKQJT..
E: HA H6 => nothing
N: HA H5 => nothing
W: HA S4 => 2 W AKQJT98765...
W: HA S8 => nothing
W: HA C4 => 3 W AKQJT98765432...
N: HA C4 => nothing
S: C4 => 1 S ...AKQJT9876532
";

    /// Nobody ruffs a trick that an opponent wins, then one that the partner wins.
    const OF_JASS: &str = "
E: S9 => 2 E AKQJT8765432...
E: H9 => 0 E .AKQJT8765432..
W: HA C9 => 1 W AKQJT98765432...
W: HA H9 C9 => nothing
W: HA H9 => nothing
";

    #[test]
    fn each_rule_applies() {
        for (table, is_jass) in [(OF_MU, false), (OF_JASS, true)] {
            for (text, expected) in cases(table) {
                assert_eq!(learned(&text, is_jass), expected, "{text}");
            }
        }
    }
}
