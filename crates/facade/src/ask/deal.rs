//! Deals that match conditions.

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{Beliefs, Facts};
use setrograde_cards::{Hand, Seat};
use setrograde_records::Board;
use setrograde_single_dummy::drawn;

use super::options::{Conditions, NoSubject, seed};
use crate::desk::{Ask, Desk};
use crate::no_answer::NoAnswer;
use crate::subjects::{Subject, TwoHands};
use crate::words::{Report, Words};

/// Deals of the full pack that match conditions, each with the same probability.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The number of deals.
    #[serde(default = "one")]
    pub count: u32,
    /// Conditions on the hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Known hands, as `N:AKQ52.K43.QJ5.T98 ? ? ?`; or two hands, North's and South's.
    #[serde(default)]
    pub hands: Option<String>,
    /// The seed of the deals.
    #[serde(default = "seed")]
    pub seed: u64,
}

const fn one() -> u32 {
    1
}

/// Draws deals.
#[derive(Debug)]
pub struct Dealer {
    hands: [Option<Hand>; 4],
    beliefs: Beliefs,
    seed: u64,
}

impl Dealer {
    /// Draws the deal with a number, from 0.
    #[must_use]
    pub fn deal(&self, number: u32) -> setrograde_cards::Deal {
        let layout = drawn(&self.beliefs, self.seed, number.into());
        let hand = |seat: usize| self.hands[seat].unwrap_or(layout[seat]);
        setrograde_cards::Deal::new([0, 1, 2, 3].map(hand)).expect("a layout shares the cards out")
    }
}

impl Deal {
    /// Returns the generator of the deals.
    ///
    /// # Errors
    ///
    /// If a condition or a hand is invalid, or no deal matches.
    pub fn dealer(&self) -> Result<Dealer, NoAnswer> {
        let hands = match &self.hands {
            Some(text) => known(text)?,
            None => [None; 4],
        };
        let held: Hand = hands.iter().flatten().copied().collect();
        let unseen = Hand::PACK - held;
        let sizes = hands.map(|hand| if hand.is_some() { 0 } else { 13 });
        let hidden: Vec<Seat> = Seat::ALL
            .into_iter()
            .filter(|&seat| hands[seat].is_none())
            .collect();
        let mut facts = Facts::new(unseen, sizes);
        for condition in self.conditions.read()? {
            let supposed = facts.suppose(&condition, &hidden);
            supposed.map_err(|error| NoAnswer::condition(&error))?;
        }
        Ok(Dealer {
            hands,
            beliefs: Beliefs::new(&facts)?,
            seed: self.seed,
        })
    }
}

/// The hands of a full deal; `?` or `-` are unknown.
fn known(text: &str) -> Result<[Option<Hand>; 4], NoAnswer> {
    let wrong = |problem: String| NoAnswer::option("hands", format_args!(": {problem}"));
    let question = TwoHands::line(text)
        .map_err(|error| wrong(error.to_string()))?
        .0;
    let hands = Seat::ALL.map(|seat| question.hand(seat));
    match hands.iter().flatten().find(|hand| hand.len() != 13) {
        Some(hand) => {
            let cards = hand.len();
            Err(wrong(format!("{hand} has {cards} cards, expected 13")))
        }
        None => Ok(hands),
    }
}

impl Ask for Deal {
    const NAME: &'static str = "deal";
    type Subject = NoSubject;
    type Answer = Dealt;

    fn check(&self) -> Result<(), NoAnswer> {
        self.conditions.read().map(drop)
    }

    fn answer(&self, desk: &mut Desk, _: &NoSubject, _: Option<&Board>) -> Result<Dealt, NoAnswer> {
        desk.check_length("count", self.count)?;
        let dealer = self.dealer()?;
        let mut deals = Vec::new();
        for number in 0..self.count {
            if desk.is_cancelled() {
                return Err(NoAnswer::Interrupted);
            }
            deals.push(dealer.deal(number));
        }
        Ok(Dealt { deals })
    }
}

/// Drawn deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dealt {
    /// The deals.
    pub deals: Vec<setrograde_cards::Deal>,
}

impl Report for Dealt {
    fn words(&self, to: &mut Words) {
        let deals = self.deals.iter().map(|deal| format!("{deal}\n"));
        to.only(deals.collect::<String>());
    }
}
