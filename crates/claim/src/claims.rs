//! Answers: how many tricks are sure, by searches that share a table and solvers.

use std::sync::Arc;

use serde::Serialize;
use setrograde_cards::{Card, Hand, Position};
use setrograde_parallel::Stop;
use setrograde_solver::{Endgames, SolveError, Solver};
use thiserror::Error;

use crate::answer::known;
use crate::double_dummy::{self, Path, Refuters, tricks_of_side};
use crate::evidence::cores::Core;
use crate::evidence::plan::{Plan, PlanTooLarge};
use crate::knowledge::Knowledge;
use crate::knowledge::state::{Seating, State};
use crate::lanes::{self, bit};
use crate::line::LineStep;
use crate::search::moves::{Move, NO_HISTORY, moves};
use crate::search::node::{End, Node, Trick};
use crate::search::table::Table;
use crate::search::{Helps, Search};
use crate::so_far::SoFar;

/// Options of [`Claims`](crate::Claims).
#[derive(Clone, Debug)]
pub struct Options {
    /// Approximate size of the table in bytes; a full table is cleared. 256 MiB unless set.
    pub memory: usize,
    /// Answers about endings, for the double-dummy search that looks for layouts
    /// in which a claim fails; none unless set. The answers are the same.
    pub endgames: Option<Arc<dyn Endgames>>,
    /// Maximum number of nodes to search for one answer; no limit unless set.
    pub limit: Option<u64>,
    /// Once this is due, the search ends soon with [`ClaimError::Cancelled`]; never unless set.
    pub stop: Stop,
    /// The record in which [`sure`](Claims::sure) notes its bounds so far, if any.
    pub so_far: Option<Arc<SoFar>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: 256 << 20,
            endgames: None,
            limit: None,
            stop: Stop::default(),
            so_far: None,
        }
    }
}

/// A question about a claim that has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The limit of nodes was reached.
    #[error("unknown: the limit of {limit} nodes was reached")]
    LimitReached {
        /// The limit.
        limit: u64,
    },
    /// Hidden hands that contradict the knowledge.
    #[error("the hidden hands contradict the facts given")]
    NotALayout,
    /// A stated line with an illegal card.
    #[error("the line: {card} {problem}")]
    StatedCard {
        /// The card.
        card: Card,
        /// The fault.
        problem: &'static str,
    },
    /// A step of a stated line that cannot be made.
    #[error("the line: \"{step}\" {problem}")]
    StatedStep {
        /// The step.
        step: LineStep,
        /// The fault.
        problem: &'static str,
    },
    /// A plan was asked for tricks that are not sure.
    #[error("these tricks are not sure")]
    NotSure,
    /// A plan would have too many steps.
    #[error("the tricks are sure, but {0}")]
    PlanTooLarge(#[from] PlanTooLarge),
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
/// Answers are exact and do not depend on earlier questions.
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
    helps: Helps,
    table: Table,
    solver: Solver,
    refuters: Refuters,
    nodes: u64,
    /// The nodes that the answer under way may still search.
    allowed: u64,
}

/// The decision about a claim, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is sure: the plan takes the tricks.
    Sure(Plan),
    /// It is not: no plan survives these layouts. `None` if another proof was found, but no small
    /// core.
    Refuted(Option<Core>),
    /// The limit was reached.
    Unknown,
}

/// A card and the tricks that are sure with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardSure {
    /// The card.
    pub card: Card,
    /// The tricks of the claimer's side that are sure once it is played.
    pub sure: u8,
}

/// Number of the solver's nodes that take as long as one node of the search.
const SOLVER_NODES: u64 = 32;

/// Number of nodes before a refuting layout is searched for.
pub(crate) const FIRST_NODES: u64 = 100;

impl Claims {
    /// Makes a decider with an empty table.
    pub fn new(options: Options) -> Claims {
        let of_solver = setrograde_solver::Options {
            memory: options.memory / 16,
            endgames: options.endgames.clone(),
            stop: options.stop.clone(),
        };
        Claims {
            helps: Helps::default(),
            table: Table::new(options.memory),
            options,
            solver: Solver::new(of_solver.clone()),
            refuters: Refuters::new(of_solver),
            nodes: 0,
            allowed: u64::MAX,
        }
    }

    /// Sets the end of the searches that follow. What the decider has learned is kept.
    pub fn set_stop(&mut self, stop: &Stop) {
        self.options.stop = stop.clone();
        self.solver.set_stop(stop.clone());
        self.refuters.set_stop(stop);
    }

    /// Returns the number of nodes searched so far: states at the start of a trick that are not
    /// decided without search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the maximum number of tricks, of those not finished yet, that one plan takes for the
    /// claimer's side in every layout against every defence.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn sure(&mut self, knowledge: &Knowledge) -> Result<u8, ClaimError> {
        self.begin();
        let left = knowledge.tricks_left() as u8;
        let so_far = self.options.so_far.clone();
        let note = |least, most| so_far.iter().for_each(|so_far| so_far.note(least, most));
        note(0, left);
        self.most(knowledge, |claims, need| {
            let sure = claims.search_for(knowledge, need)?;
            if sure {
                note(need, left);
            } else {
                note(need - 1, need - 1);
            }
            Ok(sure)
        })
    }

    /// The bounds on the sure tricks in the record of [`sure`](Self::sure), if there is one.
    pub(crate) fn bounds(&self) -> Option<[u8; 2]> {
        let so_far = self.options.so_far.as_ref()?;
        Some(so_far.bounds().into())
    }

    /// Returns whether `need` tricks are sure.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn is_sure(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        self.begin();
        self.search_for(knowledge, need)
    }

    /// The cards that the seat to play may play, spades first, each suit high to low, and the
    /// tricks that are sure with each. If that hand is hidden, they are the cards that it may have.
    ///
    /// # Errors
    ///
    /// If the limit was reached or the search cancelled.
    pub fn cards(&mut self, knowledge: &Knowledge) -> Result<Vec<CardSure>, ClaimError> {
        self.begin();
        let root = ClaimRoot::new(knowledge);
        let mut found = Vec::new();
        for card in knowledge.playable().cards() {
            let sure = self.most(knowledge, |claims, need| {
                claims.search(knowledge, |search| {
                    let card = root.path.relative(bit(card));
                    Ok(search.try_card(root.node(need), card)?.reached)
                })
            })?;
            found.push(CardSure { card, sure });
        }
        Ok(found)
    }

    /// Decides whether `need` tricks are sure, with the proof.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, the database fails, or the plan is too
    /// large to be of use.
    pub fn decide(&mut self, knowledge: &Knowledge, need: u8) -> Result<Verdict, ClaimError> {
        match known(self.is_sure(knowledge, need))? {
            Some(sure) => self.prove(knowledge, need, sure),
            None => Ok(Verdict::Unknown),
        }
    }

    /// Returns the proof that `need` tricks are sure, or not sure, given the decision.
    pub(crate) fn prove(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
        sure: bool,
    ) -> Result<Verdict, ClaimError> {
        Ok(if sure {
            let plan = known(self.plan_for(knowledge, need))?;
            plan.map_or(Verdict::Unknown, Verdict::Sure)
        } else {
            // A negative decision needs no core.
            Verdict::Refuted(known(self.core(knowledge, need))?.flatten())
        })
    }

    /// Returns the tricks of the claimer's side with all cards visible. `layout` has the cards of
    /// the two [hidden hands](Knowledge::hidden).
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
        let position = double_dummy::open(knowledge, layout).ok_or(ClaimError::NotALayout)?;
        self.double_dummy(knowledge, &position)
    }

    pub(crate) fn double_dummy(
        &mut self,
        knowledge: &Knowledge,
        position: &Position,
    ) -> Result<u8, ClaimError> {
        let side = knowledge.claimer().side();
        Ok(tricks_of_side(&mut self.solver, position, side)?)
    }

    /// Returns a layout in which double dummy fails, if there is one among those tried.
    pub(crate) fn refuting(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<Option<[u64; 2]>, ClaimError> {
        for layout in double_dummy::bad_layouts(knowledge) {
            let (refuted, used) = self.refuted_in(knowledge, layout, need)?;
            if refuted {
                return Ok(Some(layout));
            }
            self.spend(used)?;
        }
        Ok(None)
    }

    /// Returns whether double dummy fails in a layout, and the equivalent number of search nodes.
    /// `need` is 1 to the tricks left.
    pub(crate) fn refuted_in(
        &mut self,
        knowledge: &Knowledge,
        layout: [u64; 2],
        need: u8,
    ) -> Result<(bool, u64), ClaimError> {
        let Some(position) = double_dummy::open(knowledge, layout) else {
            return Ok((false, 0));
        };
        let side = knowledge.claimer().side();
        let before = self.solver.nodes();
        let refuted = double_dummy::refutes(&mut self.solver, &position, side, need)?;
        let used = (self.solver.nodes() - before) / SOLVER_NODES;
        Ok((refuted.is_some(), used))
    }

    /// Records the number of assumptions found, and the share of the best.
    pub(crate) fn note_assumptions(&self, found: usize, best: f64) {
        if let Some(so_far) = &self.options.so_far {
            so_far.note_assumptions(found, best);
        }
    }

    /// Searches briefly, then tries to find a layout in which double dummy fails, then searches to
    /// the end.
    pub(crate) fn search_for(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<bool, ClaimError> {
        let allowed = self.allowed;
        self.allowed = allowed.min(FIRST_NODES);
        let first = self.allowed;
        let answer = self.search_at(knowledge, need);
        self.allowed += allowed - first;
        if !matches!(answer, Err(ClaimError::LimitReached { .. })) || allowed == first {
            return answer;
        }
        if self.refuting(knowledge, need)?.is_some() {
            return Ok(false);
        }
        self.search_at(knowledge, need)
    }

    pub(crate) fn search_at(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<bool, ClaimError> {
        let root = ClaimRoot::new(knowledge);
        self.search(knowledge, |search| search.decide(root.node(need)))
    }

    /// Returns whether the tricks that a node needs are sure; after `card`, if there is one.
    pub(crate) fn is_sure_at(
        &mut self,
        seating: Seating,
        node: Node<'_>,
        card: Option<u64>,
    ) -> Result<bool, ClaimError> {
        // No layouts are recorded on the path, because the path to this node is unknown.
        let helps = Helps {
            refuter_tricks: u8::MAX,
            ..self.helps
        };
        self.search_with(seating, helps, |search| match card {
            Some(card) => Ok(search.try_card(node, card)?.reached),
            None => search.decide(node),
        })
    }

    /// Allows the same number of nodes for the proof of an answer as for the answer.
    pub(crate) fn renew(&mut self) {
        self.allowed = self.limit();
    }

    /// Sets the remaining number of nodes, regardless of the limit.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.allowed = nodes;
    }

    /// Returns the remaining number of nodes.
    pub(crate) fn allowed(&self) -> u64 {
        self.allowed
    }

    /// Counts other work as the equivalent number of nodes.
    pub(crate) fn spend(&mut self, nodes: u64) -> Result<(), ClaimError> {
        self.allowed = self.allowed.saturating_sub(nodes);
        match self.allowed {
            0 => Err(ClaimError::LimitReached {
                limit: self.limit(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the maximum number of nodes for one answer.
    pub(crate) fn limit(&self) -> u64 {
        self.options.limit.unwrap_or(u64::MAX)
    }

    /// Starts an answer. With a limit it starts with an empty table, so earlier questions do not
    /// affect whether the limit is reached.
    pub(crate) fn begin(&mut self) {
        self.renew();
        if self.options.limit.is_some() {
            self.table.clear();
            self.solver.clear();
            self.refuters.clear();
        }
    }

    /// The maximum number of remaining tricks for which `ask` is true.
    fn most(
        &mut self,
        knowledge: &Knowledge,
        mut ask: impl FnMut(&mut Claims, u8) -> Result<bool, ClaimError>,
    ) -> Result<u8, ClaimError> {
        let (left, mut sure) = (knowledge.tricks_left() as u8, 0);
        while sure < left && ask(self, sure + 1)? {
            sure += 1;
        }
        Ok(sure)
    }

    fn search<T>(
        &mut self,
        knowledge: &Knowledge,
        ask: impl FnOnce(&mut Search<'_>) -> Result<T, End>,
    ) -> Result<T, ClaimError> {
        self.refuters.start(knowledge);
        let mut helps = self.helps;
        if knowledge.tricks_left() < usize::from(helps.refuter_tricks) {
            helps.refuter_nodes = u64::MAX;
        }
        self.search_with(knowledge.seating(), helps, ask)
    }

    fn search_with<T>(
        &mut self,
        seating: Seating,
        helps: Helps,
        ask: impl FnOnce(&mut Search<'_>) -> Result<T, End>,
    ) -> Result<T, ClaimError> {
        self.table.start(seating);
        let mut search = Search {
            seating,
            helps,
            table: &mut self.table,
            allowed: &mut self.allowed,
            stop: &self.options.stop,
            nodes: 0,
            refuters: &mut self.refuters,
            history: Box::new(NO_HISTORY),
        };
        let answer = ask(&mut search);
        self.nodes += search.nodes;
        answer.map_err(|end| match end {
            End::Failed(error) => (*error).into(),
            End::Cancelled => ClaimError::Cancelled,
            End::Limit | End::Paused => ClaimError::LimitReached {
                limit: self.limit(),
            },
        })
    }
}

/// The candidate cards of the seat to play, the most likely first.
pub(crate) fn candidates(knowledge: &Knowledge) -> Vec<Card> {
    let root = ClaimRoot::new(knowledge);
    let steps = moves(&knowledge.seating(), &NO_HISTORY, &root.node(0));
    let card = |step: &Move| lanes::card(root.path.real(step.card));
    steps.iter().map(card).collect()
}

/// The root of a search: the knowledge in relative ranks, and the current trick.
struct ClaimRoot {
    state: State,
    trick: Option<Trick>,
    seat: usize,
    left: u8,
    path: Path,
}

impl ClaimRoot {
    fn new(knowledge: &Knowledge) -> ClaimRoot {
        let table = knowledge.trick().cards().iter().map(|&card| bit(card));
        let path = Path::new(knowledge.state().held(), table);
        let mut state = knowledge.state().clone();
        state.close_gaps(Hand::PACK.bits() & !path.here());
        ClaimRoot {
            state,
            trick: Trick::of(knowledge, |card| path.relative(card)),
            seat: knowledge.to_play().index(),
            left: knowledge.tricks_left() as u8,
            path,
        }
    }

    fn node(&self, need: u8) -> Node<'_> {
        Node {
            state: &self.state,
            seat: self.seat,
            trick: self.trick.as_ref(),
            need,
            left: self.left,
            path: self.path,
            pause_at: u64::MAX,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
