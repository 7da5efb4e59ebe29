//! Conditions on the double-dummy results of a deal.
//!
//! `text` reads them; `check` finds as few results as decide them.

mod check;
mod text;

use setrograde_beliefs::{Budget, Condition, Placed, alternatives};
use setrograde_cards::{Card, Contract, Hand, Seat, Sorting, Strain, Vulnerability};
use setrograde_records::Board;

pub(crate) use check::DealResults;

use crate::refusal::Refusal;

/// The forms of a condition on results, an example and its meaning on each line; the text of help
/// and documents.
pub const RESULT_CONDITIONS: &str = include_str!("../result_conditions.txt");

/// A condition on the double-dummy results of a deal and on its hands: alternatives, each a list
/// of statements that hold together.
///
#[doc = concat!("```text\n", include_str!("../result_conditions.txt"), "```")]
///
/// ```
/// use setrograde::cards::Deal;
/// use setrograde::{Desk, ResultCondition, Setting};
///
/// let condition = ResultCondition::read("tricks(E,S)>=11,E.S>=5")?;
/// let deal: Deal =
///     "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76".parse()?;
/// assert!(Desk::default().fits(&deal, &condition, &Setting::default())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCondition {
    /// In each, the statements that are cheap to check come first.
    alternatives: Vec<Vec<Literal>>,
}

/// A statement, or its opposite.
#[derive(Clone, Debug, PartialEq)]
enum Literal {
    /// A statement about the hands.
    Hands(Placed),
    /// A statement about results.
    Result { term: ResultTerm, holds: bool },
}

/// A statement about results.
#[derive(Clone, Debug, PartialEq)]
enum ResultTerm {
    /// A sum is `least` to `most`.
    Within {
        of: Vec<(i32, Amount)>,
        least: i32,
        most: i32,
    },
    /// Exactly one lead, or run of equal cards, beats the contract.
    UniqueLead(NamedContract),
    /// After a lead, exactly one card of dummy, or run of equal cards, makes the contract, and
    /// another does not.
    UniqueCard {
        contract: NamedContract,
        lead: NamedLead,
        /// True if it makes the contract sure in every layout of the defenders' cards.
        is_sure: bool,
    },
}

/// A number that results determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    /// The tricks of a declarer.
    Tricks(Seat, Strain),
    /// 1 if the contract makes, otherwise 0.
    Makes(NamedContract),
    /// The tricks that a lead against the contract costs.
    Lost(NamedContract, NamedLead),
    /// The score of North and South in the contract.
    Score(NamedContract),
    /// The par score of North and South.
    Par,
}

/// A contract; that of the board if none is named.
type NamedContract = Option<Contract>;

/// An opening lead; that of the board if none is named.
type NamedLead = Option<Card>;

/// The facts about a board, besides its cards, that conditions mention; `None` if they are unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// The vulnerable sides.
    pub vulnerability: Option<Vulnerability>,
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The contract.
    pub contract: Option<Contract>,
    /// The opening lead.
    pub lead: Option<Card>,
    /// True if all four passed, so that there is no contract to speak of.
    pub passed_out: bool,
}

impl Setting {
    /// Returns the setting of a board of a record.
    pub fn of_board(board: &Board) -> Setting {
        Setting {
            vulnerability: board.vulnerability,
            dealer: board.dealer,
            contract: board.contract,
            lead: board.play.first().copied(),
            passed_out: board.passed_out,
        }
    }
}

impl ResultCondition {
    /// Reads a condition.
    ///
    /// # Errors
    ///
    /// If it is invalid, with its column.
    pub fn read(text: &str) -> Result<ResultCondition, Refusal> {
        ResultCondition::within(text, &mut Budget::default())
    }

    /// Reads a condition, whose size is taken from `budget`.
    pub(crate) fn within(text: &str, budget: &mut Budget) -> Result<ResultCondition, Refusal> {
        let wrong = |error: setrograde_beliefs::QuestionError| Refusal::in_text_of("where", &error);
        let mut alternatives: Vec<Vec<Literal>> = alternatives(text, budget).map_err(wrong)?;
        for literals in &mut alternatives {
            for literal in literals.iter() {
                if let Literal::Hands(placed) = literal {
                    placed.check(&Seat::ALL, Hand::PACK).map_err(wrong)?;
                }
            }
            literals.in_order_by_key(Literal::cost);
        }
        Ok(ResultCondition { alternatives })
    }

    /// Returns the condition on the hands that every deal meets which meets this one, if the text
    /// has no alternatives.
    pub(crate) fn on_hands(&self) -> Option<Condition> {
        let [literals] = &self.alternatives[..] else {
            return None;
        };
        let hands = literals.iter().filter_map(|literal| match literal {
            Literal::Hands(placed) => Some(*placed),
            Literal::Result { .. } => None,
        });
        let hands: Vec<Placed> = hands.collect();
        (!hands.is_empty()).then(|| Condition::any([hands]))
    }

    /// Returns true if the condition depends on the vulnerable sides or the dealer.
    pub(crate) fn depends_on_board(&self) -> bool {
        let mut sums = self.terms().filter_map(|term| match term {
            ResultTerm::Within { of, .. } => Some(of),
            _ => None,
        });
        let depends =
            |(_, amount): &(i32, Amount)| matches!(amount, Amount::Par | Amount::Score(_));
        sums.any(|of| of.iter().any(depends))
    }

    /// Checks that the condition names every lead that it speaks of, and every contract unless one
    /// is `given` for all deals.
    ///
    /// # Errors
    ///
    /// If it does not: drawn deals have no contract.
    pub(crate) fn names_all(&self, given: bool) -> Result<(), Refusal> {
        let wrong = |problem| Refusal::option("where", problem);
        for term in self.terms() {
            let [contract, lead] = term.lacks();
            if contract && !given {
                return Err(wrong(
                    "a drawn deal has no contract; name it, as in unique(lead,3NTS)",
                ));
            }
            if lead {
                return Err(wrong(
                    "a drawn deal has no lead; name it, as in lost(HK,3NTS)",
                ));
            }
        }
        Ok(())
    }

    /// Returns the contract and the lead of the problem that each deal sets which meets the condition:
    /// those of its one statement that one card of dummy is right.
    pub(crate) fn problem(&self) -> Option<(NamedContract, Card)> {
        let [literals] = &self.alternatives[..] else {
            return None;
        };
        let mut problems = literals.iter().filter_map(|literal| match literal {
            Literal::Result {
                term: ResultTerm::UniqueCard { contract, lead, .. },
                holds: true,
            } => Some((*contract, (*lead)?)),
            _ => None,
        });
        let first = problems.next()?;
        problems.all(|other| other == first).then_some(first)
    }

    fn terms(&self) -> impl Iterator<Item = &ResultTerm> {
        let literals = self.alternatives.iter().flatten();
        literals.filter_map(|literal| match literal {
            Literal::Result { term, .. } => Some(term),
            Literal::Hands(_) => None,
        })
    }
}

impl ResultTerm {
    /// Returns whether the term speaks of a contract that it does not name, and of such a lead.
    fn lacks(&self) -> [bool; 2] {
        match self {
            ResultTerm::UniqueLead(contract) => [contract.is_none(), false],
            ResultTerm::UniqueCard { contract, lead, .. } => [contract.is_none(), lead.is_none()],
            ResultTerm::Within { of, .. } => {
                let amounts = of.iter().map(|(_, amount)| match amount {
                    Amount::Tricks(..) | Amount::Par => [false; 2],
                    Amount::Makes(contract) | Amount::Score(contract) => {
                        [contract.is_none(), false]
                    }
                    Amount::Lost(contract, lead) => [contract.is_none(), lead.is_none()],
                });
                amounts.fold([false; 2], |[contract, lead], [other, led]| {
                    [contract || other, lead || led]
                })
            }
        }
    }

    /// The order of the terms of an alternative.
    fn cost(&self) -> usize {
        match self {
            ResultTerm::Within { of, .. } => {
                let costs = of.iter().map(|(_, amount)| match amount {
                    Amount::Tricks(..) | Amount::Makes(_) | Amount::Score(_) => 1,
                    Amount::Lost(..) => 4,
                    Amount::Par => 20,
                });
                costs.sum()
            }
            ResultTerm::UniqueLead(_) => 6,
            ResultTerm::UniqueCard { is_sure, .. } => 6 + usize::from(*is_sure),
        }
    }
}

impl Literal {
    fn cost(&self) -> usize {
        match self {
            Literal::Hands(_) => 0,
            Literal::Result { term, .. } => term.cost().max(1),
        }
    }
}
