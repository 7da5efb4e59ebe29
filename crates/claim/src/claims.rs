//! Answers: how many tricks are sure.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_cards::{Card, Hand, Position};
use setrograde_solver::{Endgames, SolveError, Solver};
use thiserror::Error;

use crate::adjudicate::{self, Adjudication};
use crate::cores::Core;
use crate::knowledge::Knowledge;
use crate::line::{Line, Worst};
use crate::plan::Plan;
use crate::planner;
use crate::refuter;
use crate::search::{Budget, Search};
use crate::table::Table;
use crate::weakest::{self, Assumption};

/// What [`Claims`] may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many bytes the table may take; when it is full it is emptied.
    /// 256 MiB unless set.
    pub memory: usize,
    /// Answers about endings, for the double-dummy search that looks for layouts
    /// in which a claim fails; none unless set. The answers are the same.
    pub endgames: Option<Arc<dyn Endgames>>,
    /// How many nodes may be searched for one answer; no limit unless set.
    pub limit: Option<u64>,
    /// Set this to true from another thread and the search stops soon.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: 256 << 20,
            endgames: None,
            limit: None,
            cancel: None,
        }
    }
}

/// How many nodes are searched before a refuting layout is looked for.
const FIRST_NODES: u64 = 1_000;

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The limit of nodes was reached.
    #[error("unknown: the limit of {limit} nodes was reached")]
    LimitReached {
        /// The limit.
        limit: u64,
    },
    /// Hidden hands that do not agree with what is known.
    #[error("the hidden hands do not agree with what is known")]
    NotALayout,
    /// A plan was asked for tricks that are not sure.
    #[error("these tricks are not sure")]
    NotSure,
    /// A plan would have too many steps.
    #[error("the tricks are sure, but the plan has more than {limit} steps")]
    PlanTooLarge {
        /// How many steps a plan may have.
        limit: usize,
    },
    /// The search was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The database failed.
    #[error(transparent)]
    Solve(SolveError),
}

impl From<SolveError> for ClaimError {
    fn from(error: SolveError) -> ClaimError {
        match error {
            SolveError::Cancelled => ClaimError::Cancelled,
            error => ClaimError::Solve(error),
        }
    }
}

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
    options: Options,
    table: Table,
    solver: Solver,
    nodes: u64,
    /// The nodes that the answer under way may still search.
    allowed: u64,
}

/// What was decided about a claim.
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
        let solver = Solver::new(setrograde_solver::Options {
            memory: options.memory / 4,
            endgames: options.endgames.clone(),
            cancel: options.cancel.clone(),
        });
        Claims {
            table: Table::new(options.memory),
            options,
            solver,
            nodes: 0,
            allowed: u64::MAX,
        }
    }

    /// How many nodes have been searched so far: what was known at the start of
    /// a trick, and not decided at sight.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most tricks, of those not finished yet, that one plan takes for the
    /// claimer's side in every layout against every defence.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn sure(&mut self, knowledge: &Knowledge) -> Result<u8, ClaimError> {
        self.begin();
        let left = knowledge.tricks_left() as u8;
        self.most(left, |claims, need| claims.decide_at(knowledge, need))
    }

    /// Whether `need` tricks are sure.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn is_sure(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        self.begin();
        self.decide_at(knowledge, need)
    }

    /// Searches a little, then looks for a layout in which double dummy fails,
    /// then searches to the end.
    fn decide_at(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        let allowed = self.allowed;
        self.allowed = allowed.min(FIRST_NODES);
        let first = self.allowed;
        let answer = self.search_at(knowledge, need);
        self.allowed += allowed - first;
        if !matches!(answer, Err(ClaimError::LimitReached { .. })) || allowed == first {
            return answer;
        }
        if refuter::refuting(&mut self.solver, knowledge, need)?.is_some() {
            return Ok(false);
        }
        self.search_at(knowledge, need)
    }

    fn search_at(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        let left = knowledge.tricks_left() as u8;
        let (state, trick, _) = knowledge.relative();
        let seat = knowledge.to_play().index();
        self.search(knowledge, |search| match &trick {
            None => search.lead(&state, seat, need, left).reached,
            Some(_) if need == 0 || need > left => need == 0,
            Some(trick) => search.turn(&state, seat, Some(trick), need, left).reached,
        })
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
        crate::cores::core(self, knowledge, need)
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
        weakest::weakest(self, knowledge, need)
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
    /// As [`is_sure`](Self::is_sure), and [`ClaimError::LimitReached`] if there
    /// are too many ways to play.
    pub fn line(&mut self, knowledge: &Knowledge, line: &Line) -> Result<Worst, ClaimError> {
        crate::line::worst(self, knowledge, knowledge, line)
    }

    /// What can be said about a claim of `claimed` tricks with a stated line,
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
        adjudicate::adjudicate(self, knowledge, layout, claimed, line)
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
        let state = knowledge.state();
        let mut layouts = refuter::bad_layouts(knowledge);
        let all = knowledge.layouts() <= most;
        if all {
            for case in &state.cases {
                let hands = crate::count::each_layout(case, state.unseen, state.cards);
                layouts.extend(hands.into_iter().map(|hand| [hand, state.unseen & !hand]));
            }
        }
        let mut least = knowledge.tricks_left() as u8;
        for layout in layouts {
            if least == sure {
                break;
            }
            if let Some(position) = refuter::open(knowledge, layout) {
                let tricks = refuter::double_dummy(&mut self.solver, knowledge, &position)?;
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
        let layout = layout.map(|hand| crate::lanes::bits(&hand));
        let position = refuter::open(knowledge, layout).ok_or(ClaimError::NotALayout)?;
        self.double_dummy(knowledge, &position)
    }

    /// The tricks of the claimer's side with all cards seen by everybody.
    pub(crate) fn double_dummy(
        &mut self,
        knowledge: &Knowledge,
        position: &Position,
    ) -> Result<u8, ClaimError> {
        Ok(refuter::double_dummy(
            &mut self.solver,
            knowledge,
            position,
        )?)
    }

    /// A layout in which double dummy fails, if one of those tried is.
    pub(crate) fn refuting(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<Option<[u64; 2]>, ClaimError> {
        Ok(refuter::refuting(&mut self.solver, knowledge, need)?)
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
        planner::plan(self, knowledge, need)
    }

    /// The cards worth trying for the seat to play, the likeliest first.
    pub(crate) fn candidates(&mut self, knowledge: &Knowledge) -> Vec<Card> {
        let (state, trick, ranks) = knowledge.relative();
        let seat = knowledge.to_play().index();
        let moves = self.search(knowledge, |search| {
            search.moves(&state, seat, trick.as_ref())
        });
        let moves = moves.unwrap_or_default();
        moves.iter().map(|step| ranks.card(step.card)).collect()
    }

    /// The cards that the seat to play may play, spades first, each suit high
    /// to low, and the tricks that are sure with each. If that hand is hidden,
    /// they are those that it may hold.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn cards(&mut self, knowledge: &Knowledge) -> Result<Vec<CardSure>, ClaimError> {
        self.begin();
        let left = knowledge.tricks_left() as u8;
        let (state, trick, ranks) = knowledge.relative();
        let seat = knowledge.to_play().index();
        let mut found = Vec::new();
        for card in knowledge.playable().cards() {
            let bit = ranks.relative(card);
            let sure = self.most(left, |claims, need| {
                claims.search(knowledge, |search| {
                    let (after, next) = search.played(&state, seat, trick.as_ref(), bit);
                    search.after_card(after, next, need, left).reached
                })
            })?;
            found.push(CardSure { card, sure });
        }
        Ok(found)
    }

    /// Starts an answer. With a limit it starts from nothing, so that what was
    /// asked before does not decide whether the limit is reached.
    fn begin(&mut self) {
        self.allowed = self.options.limit.unwrap_or(u64::MAX);
        if self.options.limit.is_some() {
            self.table.clear();
        }
    }

    /// The greatest number up to `left` of which `ask` says yes.
    fn most(
        &mut self,
        left: u8,
        mut ask: impl FnMut(&mut Claims, u8) -> Result<bool, ClaimError>,
    ) -> Result<u8, ClaimError> {
        let mut sure = 0;
        while sure < left && ask(self, sure + 1)? {
            sure += 1;
        }
        Ok(sure)
    }

    fn search<T>(
        &mut self,
        knowledge: &Knowledge,
        ask: impl FnOnce(&mut Search<'_>) -> T,
    ) -> Result<T, ClaimError> {
        let seating = knowledge.seating();
        self.table.start(seating);
        let mut allowance = Allowance {
            left: &mut self.allowed,
            cancel: self.options.cancel.as_deref(),
            cancelled: false,
        };
        let mut search = Search {
            seating,
            table: &mut self.table,
            budget: &mut allowance,
            nodes: 0,
            exhausted: false,
            history: Box::new([[[0; 64]; 4]; 4]),
        };
        let answer = ask(&mut search);
        let (nodes, exhausted) = (search.nodes, search.exhausted);
        self.nodes += nodes;
        if allowance.cancelled {
            return Err(ClaimError::Cancelled);
        }
        if exhausted {
            let limit = self.options.limit.unwrap_or(u64::MAX);
            return Err(ClaimError::LimitReached { limit });
        }
        Ok(answer)
    }
}

struct Allowance<'a> {
    left: &'a mut u64,
    cancel: Option<&'a AtomicBool>,
    cancelled: bool,
}

impl Budget for Allowance<'_> {
    fn allows(&mut self) -> bool {
        if *self.left == 0 {
            return false;
        }
        *self.left -= 1;
        if self.left.is_multiple_of(256)
            && self
                .cancel
                .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        {
            self.cancelled = true;
            return false;
        }
        true
    }
}
