//! Answers: how many tricks are sure.

use setrograde_cards::{Card, Hand};

use crate::adjudicate::{self, Adjudication};
use crate::claim_error::ClaimError;
use crate::double_dummy::bad_layouts;
use crate::evidence::cores::{self, Core};
use crate::evidence::plan::Plan;
use crate::evidence::planner;
use crate::knowledge::Knowledge;
use crate::line::{self, Line, Worst};
use crate::search::engine::{Engine, Options};
use crate::weakest::{self, Assumption};

/// Decides claims.
///
/// Answers are exact and do not depend on what was asked before.
///
/// ```
/// use setrograde_claim::{Claims, Knowledge, Options};
///
/// let mut claims = Claims::new(Options::default());
/// // A finesse is not sure, but two tricks are if North can hold up the ace.
/// let knowledge: Knowledge = "NT S N:AQ... ? 32... ? out=KJT9...".parse()?;
/// assert_eq!(claims.sure(&knowledge)?, 1);
/// // Once West has shown out, it is.
/// let knowledge: Knowledge = "NT S N:AQJ... ? 32.2.. ? out=KT9.43.2. if=W+SK".parse()?;
/// assert_eq!(claims.sure(&knowledge)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Claims {
    engine: Engine,
}

/// The decision about a claim, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is sure: the plan takes the tricks.
    Sure(Plan),
    /// It is not: no plan survives these layouts. `None` if it was proved
    /// otherwise, and no small core was found.
    Refuted(Option<Core>),
    /// The limit was reached.
    Unknown,
}

/// A card and the tricks that are sure with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardSure {
    /// The card.
    pub card: Card,
    /// The tricks of the claimer's side that are sure once it is played.
    pub sure: u8,
}

impl Claims {
    /// A decider that has learned nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Claims {
        Claims {
            engine: Engine::new(options),
        }
    }

    /// The number of nodes searched so far: states at the start of
    /// a trick, and not decided at sight.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.engine.nodes()
    }

    /// The most tricks, of those not finished yet, that one plan takes for the
    /// claimer's side in every layout against every defence.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn sure(&mut self, knowledge: &Knowledge) -> Result<u8, ClaimError> {
        self.engine.sure(knowledge)
    }

    /// Whether `need` tricks are sure.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn is_sure(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        self.engine.is_sure(knowledge, need)
    }

    /// Whether `need` tricks are sure, with the proof.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, the database fails, or the plan is too
    /// large to be of use.
    pub fn decide(&mut self, knowledge: &Knowledge, need: u8) -> Result<Verdict, ClaimError> {
        let proof = match self.is_sure(knowledge, need) {
            Ok(true) => self.plan(knowledge, need).map(Verdict::Sure),
            Ok(false) => self.core(knowledge, need).map(Verdict::Refuted),
            Err(error) => Err(error),
        };
        match proof {
            Err(ClaimError::LimitReached { .. }) => Ok(Verdict::Unknown),
            proof => proof,
        }
    }

    /// Few layouts that no plan for `need` tricks survives together; `None` if
    /// none were found among those that were looked at.
    ///
    /// One layout is returned if double dummy fails in one of those looked at;
    /// else two, if two are enough; else as many as are needed, so that none can
    /// be left out. With up to 600 layouts all are looked at.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure).
    pub fn core(&mut self, knowledge: &Knowledge, need: u8) -> Result<Option<Core>, ClaimError> {
        if usize::from(need) > knowledge.tricks_left() {
            return Ok(None);
        }
        cores::core(&mut self.engine, knowledge, need)
    }

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
        if self.is_sure(knowledge, need)? {
            return Ok(Vec::new());
        }
        weakest::weakest(&mut self.engine, knowledge, need)
    }

    /// The fewest tricks that a stated line takes, over all layouts and
    /// defences, and over all normal plays where it is silent; and how.
    ///
    /// Normal, after Law 70: suits are led from the top; to a trick a hand plays
    /// its lowest card, its highest, or the cheapest that is sure to win; an
    /// unstated finesse counts only once it cannot lose; trumps are led first
    /// only if the line draws or mentions them.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure), [`ClaimError::LimitReached`] if there
    /// are too many ways to play, and [`ClaimError::StatedCard`] if the claimer's
    /// side does not hold a card of the line, or the line has a card twice.
    pub fn line(&mut self, knowledge: &Knowledge, line: &Line) -> Result<Worst, ClaimError> {
        line::worst(&mut self.engine, knowledge, knowledge, line)
    }

    /// Adjudicates a claim of `claimed` tricks with a stated line,
    /// where `layout` has the cards of the two
    /// [hidden hands](Knowledge::hidden).
    ///
    /// # Errors
    ///
    /// As [`line`](Self::line), and [`ClaimError::NotALayout`].
    pub fn adjudicate(
        &mut self,
        knowledge: &Knowledge,
        layout: [Hand; 2],
        claimed: u8,
        line: &Line,
    ) -> Result<Adjudication, ClaimError> {
        adjudicate::adjudicate(&mut self.engine, knowledge, layout, claimed, line)
    }

    /// The fewest tricks that double dummy takes in any layout, and whether it is
    /// known that none takes fewer. No more than this can be sure.
    ///
    /// The layouts looked at are those with long suits and high cards together,
    /// and all if there are at most `most`.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure).
    pub fn least_double_dummy(
        &mut self,
        knowledge: &Knowledge,
        most: u64,
    ) -> Result<(u8, bool), ClaimError> {
        let sure = self.sure(knowledge)?;
        let (layouts, all) = bad_layouts::all_or_bad(knowledge, most);
        let mut least = knowledge.tricks_left() as u8;
        for layout in layouts {
            if least == sure {
                break;
            }
            if let Some(position) = bad_layouts::open(knowledge, layout) {
                let tricks = self.engine.double_dummy(knowledge, &position)?;
                least = least.min(tricks);
            }
        }
        Ok((least, all || least == sure))
    }

    /// The tricks of the claimer's side with all cards seen by everybody, where
    /// `layout` has the cards of the two [hidden hands](Knowledge::hidden).
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure), and [`ClaimError::NotALayout`].
    pub fn double_dummy_of(
        &mut self,
        knowledge: &Knowledge,
        layout: [Hand; 2],
    ) -> Result<u8, ClaimError> {
        if !knowledge.has_layout(layout) {
            return Err(ClaimError::NotALayout);
        }
        let layout = layout.map(Hand::bits);
        let position = bad_layouts::open(knowledge, layout).ok_or(ClaimError::NotALayout)?;
        self.engine.double_dummy(knowledge, &position)
    }

    /// A plan that takes `need` tricks: a fixed order if there is one, else the
    /// smallest tree that was found.
    ///
    /// # Errors
    ///
    /// [`ClaimError::NotSure`] if they are not sure, and as
    /// [`is_sure`](Self::is_sure); [`ClaimError::PlanTooLarge`] if the plan is
    /// too large to be of use.
    pub fn plan(&mut self, knowledge: &Knowledge, need: u8) -> Result<Plan, ClaimError> {
        if !self.is_sure(knowledge, need)? {
            return Err(ClaimError::NotSure);
        }
        planner::plan(&mut self.engine, knowledge, need)
    }

    /// The cards that the seat to play may play, spades first, each suit high
    /// to low, and the tricks that are sure with each. If that hand is hidden,
    /// they are those that it may hold.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn cards(&mut self, knowledge: &Knowledge) -> Result<Vec<CardSure>, ClaimError> {
        let cards = self.engine.cards(knowledge)?;
        let sure = |(card, sure)| CardSure { card, sure };
        Ok(cards.into_iter().map(sure).collect())
    }
}
