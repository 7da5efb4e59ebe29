//! The weakest assumptions that make a claim sure.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use setrograde_beliefs::{Condition, Measure, Term};
use setrograde_cards::{Card, Seat, Suit};

use crate::claims::{ClaimError, Claims};
use crate::knowledge::Knowledge;
use crate::knowledge::state::State;
use crate::lanes::count;

/// An assumption that makes a claim sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The assumption.
    pub condition: Condition,
    /// The tricks that are sure with it.
    pub tricks: u8,
    /// In how many layouts it holds.
    pub layouts: u64,
    /// The number of all layouts.
    pub of: u64,
}

/// Writes the condition as text, the tricks, the layouts, of how many, and their share.
impl Serialize for Assumption {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut to = to.serialize_struct("Assumption", 5)?;
        to.serialize_field("condition", &self.condition.to_string())?;
        to.serialize_field("tricks", &self.tricks)?;
        to.serialize_field("layouts", &self.layouts)?;
        to.serialize_field("of", &self.of)?;
        to.serialize_field("share", &self.share())?;
        to.end()
    }
}

impl Assumption {
    /// The share of the layouts in which it holds, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.layouts as f64 / self.of as f64
    }
}

impl Claims {
    /// The weakest assumptions that make `need` tricks sure: which lengths one
    /// suit has, where one card is, or between which lengths each of two suits
    /// is. None implies another, and the one that holds in the most layouts
    /// comes first. Empty if the claim is sure without one, or with none.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure).
    pub fn weakest(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<Vec<Assumption>, ClaimError> {
        self.find_weakest(knowledge, need, false)
    }

    /// The same, but with a limit of nodes for each assumption, and without those that are not decided
    /// within it, so that there may be weaker ones.
    ///
    /// # Errors
    ///
    /// If the search was cancelled.
    pub fn assumptions(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<Vec<Assumption>, ClaimError> {
        self.find_weakest(knowledge, need, true)
    }

    fn find_weakest(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
        skips: bool,
    ) -> Result<Vec<Assumption>, ClaimError> {
        let mut finder = Finder {
            claims: self,
            skips,
            knowledge,
            need,
            found: Vec::new(),
        };
        if finder.is_sure(knowledge)? {
            return Ok(Vec::new());
        }
        for suit in Suit::ALL {
            finder.one_suit(suit)?;
        }
        finder.one_card()?;
        for (n, first) in Suit::ALL.into_iter().enumerate() {
            for second in Suit::ALL.into_iter().skip(n + 1) {
                finder.two_suits(first, second)?;
            }
        }
        let of = knowledge.layouts();
        let mut found: Vec<Assumption> = finder
            .found
            .into_iter()
            .map(|(condition, given)| Assumption {
                condition,
                tricks: need,
                layouts: given.layouts(),
                of,
            })
            .collect();
        found.sort_by_key(|assumption| std::cmp::Reverse(assumption.layouts));
        Ok(found)
    }
}

struct Finder<'a> {
    claims: &'a mut Claims,
    knowledge: &'a Knowledge,
    need: u8,
    /// Whether what is not decided within the limit is left out.
    skips: bool,
    found: Vec<(Condition, Knowledge)>,
}

impl Finder<'_> {
    /// Whether the claim is sure if `condition` holds; `None` if it cannot.
    fn sure(&mut self, condition: &Condition) -> Result<Option<Knowledge>, ClaimError> {
        let Ok(given) = self.knowledge.given(condition) else {
            return Ok(None);
        };
        Ok(self.is_sure(&given)?.then_some(given))
    }

    fn is_sure(&mut self, knowledge: &Knowledge) -> Result<bool, ClaimError> {
        match self.claims.is_sure(knowledge, self.need) {
            Err(ClaimError::LimitReached { .. }) if self.skips => Ok(false),
            decided => decided,
        }
    }

    /// Keeps an assumption unless a weaker one is known, and drops those that it
    /// is weaker than.
    fn keep(&mut self, condition: Condition, given: Knowledge) {
        let cases = |knowledge: &Knowledge| knowledge.state().cases.clone();
        let new = cases(&given);
        if self
            .found
            .iter()
            .any(|(_, old)| State::includes(&cases(old), &new))
        {
            return;
        }
        self.found
            .retain(|(_, old)| !State::includes(&new, &cases(old)));
        self.found.push((condition, given));
    }

    /// The lengths of a suit that the first hidden hand may have.
    fn lengths(&self, suit: Suit) -> Vec<u8> {
        let state = self.knowledge.state();
        let all = 0..=count(state.unseen, suit.index());
        all.filter(|&length| self.knowledge.given(&self.length(suit, &[length])).is_ok())
            .collect()
    }

    /// The condition that the first hidden hand has one of these lengths.
    fn length(&self, suit: Suit, lengths: &[u8]) -> Condition {
        let unseen = count(self.knowledge.state().unseen, suit.index());
        let seat = self.knowledge.hidden()[0];
        // A split either way round reads better than two lengths.
        let both_ways = lengths
            .iter()
            .all(|length| lengths.contains(&(unseen - length)));
        let mut alternatives: Vec<Vec<Term>> = Vec::new();
        if both_ways {
            for &first in lengths.iter().filter(|&&length| 2 * length >= unseen) {
                let second = unseen - first;
                alternatives.push(vec![Term::Split {
                    suit,
                    first,
                    second,
                }]);
            }
        } else {
            let mut rest = lengths;
            while let Some(&least) = rest.first() {
                let run = (0..rest.len())
                    .take_while(|&n| rest[n] == least + n as u8)
                    .count();
                alternatives.push(vec![length(seat, suit, (least, least + run as u8 - 1))]);
                rest = &rest[run..];
            }
        }
        Condition::any(alternatives)
    }

    /// All largest sets of lengths of one suit.
    fn one_suit(&mut self, suit: Suit) -> Result<(), ClaimError> {
        let mut good = Vec::new();
        for length in self.lengths(suit) {
            if self.sure(&self.length(suit, &[length]))?.is_some() {
                good.push(length);
            }
        }
        // Larger sets first: a set within one that is kept is dropped.
        let mut sets: Vec<Vec<u8>> = (1_u32..1 << good.len())
            .map(|set| {
                let chosen = good.iter().enumerate().filter(|(n, _)| set >> n & 1 != 0);
                chosen.map(|(_, &length)| length).collect()
            })
            .collect();
        sets.sort_by_key(|set: &Vec<u8>| std::cmp::Reverse(set.len()));
        let mut kept: Vec<Vec<u8>> = Vec::new();
        for set in sets {
            if kept
                .iter()
                .any(|old| set.iter().all(|length| old.contains(length)))
            {
                continue;
            }
            let condition = self.length(suit, &set);
            if let Some(given) = self.sure(&condition)? {
                self.keep(condition, given);
                kept.push(set);
            }
        }
        Ok(())
    }

    /// The place of one card: the highest of each run of unseen cards.
    fn one_card(&mut self) -> Result<(), ClaimError> {
        let unseen = self.knowledge.unseen();
        let shown = self.knowledge.visible_hands();
        let mut above: Option<Card> = None;
        for card in Card::pack() {
            if unseen.contains(card) {
                if above.is_none_or(|above| above.suit != card.suit) {
                    for seat in self.knowledge.hidden() {
                        let condition = Condition::all(vec![Term::Holds { seat, card }]);
                        if let Some(given) = self.sure(&condition)? {
                            self.keep(condition, given);
                        }
                    }
                }
                above = Some(card);
            } else if shown.iter().any(|hand| hand.contains(card)) {
                above = None;
            }
        }
        Ok(())
    }

    /// All largest ranges of lengths in each of two suits.
    fn two_suits(&mut self, first: Suit, second: Suit) -> Result<(), ClaimError> {
        let seat = self.knowledge.hidden()[0];
        let (firsts, seconds) = (self.lengths(first), self.lengths(second));
        let ranges = |lengths: &[u8]| {
            let mut ranges = Vec::new();
            for (n, &least) in lengths.iter().enumerate() {
                ranges.extend(lengths[n..].iter().map(|&most| (least, most)));
            }
            ranges
        };
        let mut all = Vec::new();
        for a in ranges(&firsts) {
            all.extend(ranges(&seconds).into_iter().map(|b| (a, b)));
        }
        // A range comes before those within it.
        all.sort_by_key(|&((a, b), (c, d))| std::cmp::Reverse(b - a + d - c));
        // What fails for two lengths fails for all ranges with them. Two that exclude each
        // other fail nowhere.
        let mut fails = Vec::new();
        for &a in &firsts {
            for &b in &seconds {
                let condition = Condition::all(vec![
                    length(seat, first, (a, a)),
                    length(seat, second, (b, b)),
                ]);
                if let Ok(given) = self.knowledge.given(&condition)
                    && !self.is_sure(&given)?
                {
                    fails.push((a, b));
                }
            }
        }
        for (a, b) in all {
            let bad = |&(x, y): &(u8, u8)| a.0 <= x && x <= a.1 && b.0 <= y && y <= b.1;
            if fails.iter().any(bad) {
                continue;
            }
            let condition = Condition::all(vec![length(seat, first, a), length(seat, second, b)]);
            let Ok(given) = self.knowledge.given(&condition) else {
                continue;
            };
            let weaker = self
                .found
                .iter()
                .any(|(_, old)| State::includes(&old.state().cases, &given.state().cases));
            if !weaker && self.is_sure(&given)? {
                self.keep(condition, given);
            }
        }
        Ok(())
    }
}

/// Returns the term: `seat` holds `least` to `most` cards of the suit.
fn length(seat: Seat, suit: Suit, (least, most): (u8, u8)) -> Term {
    Term::Range {
        seat: Some(seat),
        of: Measure::Length(suit),
        least,
        most,
    }
}
