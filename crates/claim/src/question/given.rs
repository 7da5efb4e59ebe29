//! What is known if a condition holds.

use setrograde_cards::{Seat, Suit};

use crate::knowledge::case::Case;
use crate::knowledge::error::KnowledgeError;
use crate::knowledge::{Knowledge, MOST_CASES};
use crate::lanes::{bit, count};
use crate::question::condition::{Condition, Term};

impl Knowledge {
    /// What is known if `condition` holds besides, at this point of the play.
    ///
    /// # Errors
    ///
    /// A [`KnowledgeError`] if it is about visible hands or cards, does not add
    /// up, has too many cases, or agrees with no layout.
    pub fn given(&self, condition: &Condition) -> Result<Knowledge, KnowledgeError> {
        let cases = condition.cases(self, MOST_CASES)?;
        self.with_cases(&cases)
    }
}

impl Condition {
    /// The condition as cases of what `knowledge` leaves open; not normal.
    pub(crate) fn cases(
        &self,
        knowledge: &Knowledge,
        limit: usize,
    ) -> Result<Vec<Case>, KnowledgeError> {
        let mut found = Vec::new();
        for terms in self.alternatives() {
            let mut cases = vec![Case::open(knowledge.state().unseen)];
            for term in terms {
                let options = term.cases(knowledge)?;
                cases = cases
                    .iter()
                    .flat_map(|case| options.iter().map(move |option| both(case, option)))
                    .collect();
                if cases.len() > limit {
                    return Err(KnowledgeError::TooManyCases { limit });
                }
            }
            found.extend(cases);
        }
        if found.len() > limit {
            return Err(KnowledgeError::TooManyCases { limit });
        }
        Ok(found)
    }
}

fn both(case: &Case, other: &Case) -> Case {
    Case {
        pinned: [0, 1].map(|who| case.pinned[who] | other.pinned[who]),
        lengths: case.lengths.intersection(&other.lengths),
    }
}

impl Term {
    /// The term as alternative cases.
    fn cases(&self, knowledge: &Knowledge) -> Result<Vec<Case>, KnowledgeError> {
        let unseen = knowledge.state().unseen;
        let place = |seat: Seat| {
            let visible = KnowledgeError::VisibleSeat { seat };
            knowledge.hidden_place(seat).ok_or(visible)
        };
        let open = Case::open(unseen);
        let between = |suit: Suit, least: u8, most: u8| {
            let mut case = open;
            case.lengths.lo[suit.index()] = least;
            case.lengths.hi[suit.index()] = most;
            case
        };
        match *self {
            Term::Length {
                seat,
                suit,
                least,
                most,
            } => {
                let all = count(unseen, suit.index());
                let most = most.min(all);
                if least > most {
                    return Err(KnowledgeError::Impossible);
                }
                let first = between(suit, least, most);
                let second = between(suit, all - most, all - least);
                Ok(vec![match seat.map(place).transpose()? {
                    Some(0) => first,
                    Some(_) => second,
                    None => both(&first, &second),
                }])
            }
            Term::Split {
                suit,
                first,
                second,
            } => {
                let all = count(unseen, suit.index());
                if first.checked_add(second) != Some(all) {
                    return Err(KnowledgeError::UnfitSplit {
                        suit,
                        unseen: usize::from(all),
                        first,
                        second,
                    });
                }
                if first.abs_diff(second) <= 1 {
                    return Ok(vec![between(suit, first.min(second), first.max(second))]);
                }
                Ok([first, second]
                    .map(|length| between(suit, length, length))
                    .into())
            }
            Term::Place { seat, card } => {
                let mut case = open;
                let who = place(seat)?;
                if unseen & bit(card) == 0 {
                    return Err(KnowledgeError::NotUnseen { card });
                }
                case.pinned[who] = bit(card);
                Ok(vec![case])
            }
        }
    }
}
