//! Runs searches: the table, the solvers and the limits that they share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_cards::{Card, Position};
use setrograde_solver::{Endgames, Solver};

use crate::claim_error::ClaimError;
use crate::double_dummy::bad_layouts;
use crate::double_dummy::path::Path;
use crate::double_dummy::refuters::Refuters;
use crate::knowledge::Knowledge;
use crate::knowledge::state::State;
use crate::lanes::bit;
use crate::search::moves::moves;
use crate::search::node::{Node, Stop};
use crate::search::table::Table;
use crate::search::trick::Trick;
use crate::search::{Budget, Helps, Search};

/// Options of [`Claims`](crate::Claims).
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many bytes the table may take; when it is full it is emptied.
    /// 256 MiB unless set.
    pub memory: usize,
    /// Answers about endings, for the double-dummy search that looks for layouts
    /// in which a claim fails; none unless set. The answers are the same.
    pub endgames: Option<Arc<dyn Endgames>>,
    /// The most nodes to search for one answer; no limit unless set.
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

/// The number of nodes before a refuting layout is looked for.
const FIRST_NODES: u64 = 100;

/// The table, solvers and limits behind all answers.
#[derive(Debug)]
pub(crate) struct Engine {
    options: Options,
    helps: Helps,
    table: Table,
    solver: Solver,
    refuters: Refuters,
    nodes: u64,
    /// The nodes that the answer under way may still search.
    allowed: u64,
}

impl Engine {
    /// An engine that has learned nothing yet.
    pub fn new(options: Options) -> Engine {
        let of_solver = setrograde_solver::Options {
            memory: options.memory / 16,
            endgames: options.endgames.clone(),
            cancel: options.cancel.clone(),
        };
        Engine {
            helps: Helps::default(),
            table: Table::new(options.memory),
            options,
            solver: Solver::new(of_solver.clone()),
            refuters: Refuters::new(of_solver),
            nodes: 0,
            allowed: u64::MAX,
        }
    }

    /// The number of nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The most tricks that are sure.
    pub fn sure(&mut self, knowledge: &Knowledge) -> Result<u8, ClaimError> {
        self.begin();
        let left = knowledge.tricks_left() as u8;
        self.most(left, |engine, need| engine.decide(knowledge, need))
    }

    /// Whether `need` tricks are sure.
    pub fn is_sure(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        self.begin();
        self.decide(knowledge, need)
    }

    /// The cards that may be played, and the tricks that are sure with each.
    pub fn cards(&mut self, knowledge: &Knowledge) -> Result<Vec<(Card, u8)>, ClaimError> {
        self.begin();
        let left = knowledge.tricks_left() as u8;
        let (state, trick, ranks) = knowledge.relative();
        let mut found = Vec::new();
        for card in knowledge.playable().cards() {
            let card_bit = ranks.relative(card);
            let sure = self.most(left, |engine, need| {
                engine.search(knowledge, |search, path| {
                    let node = node(knowledge, &state, trick.as_ref(), need, path);
                    Ok(search.try_card(node, card_bit)?.reached)
                })
            })?;
            found.push((card, sure));
        }
        Ok(found)
    }

    /// Searches a little, then looks for a layout in which double dummy fails,
    /// then searches to the end.
    fn decide(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
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

    fn search_at(&mut self, knowledge: &Knowledge, need: u8) -> Result<bool, ClaimError> {
        let left = knowledge.tricks_left() as u8;
        let (state, trick, _) = knowledge.relative();
        self.search(knowledge, |search, path| {
            let node = node(knowledge, &state, trick.as_ref(), need, path);
            Ok(match &trick {
                None => search.lead(node)?.reached,
                Some(_) if need == 0 || need > left => need == 0,
                Some(_) => search.turn(node)?.reached,
            })
        })
    }

    /// The tricks of the claimer's side with all cards seen by everybody.
    pub fn double_dummy(
        &mut self,
        knowledge: &Knowledge,
        position: &Position,
    ) -> Result<u8, ClaimError> {
        Ok(bad_layouts::double_dummy(
            &mut self.solver,
            knowledge,
            position,
        )?)
    }

    /// A layout in which double dummy fails, if one of those tried is.
    pub fn refuting(
        &mut self,
        knowledge: &Knowledge,
        need: u8,
    ) -> Result<Option<[u64; 2]>, ClaimError> {
        Ok(bad_layouts::refuting(&mut self.solver, knowledge, need)?)
    }

    /// The cards worth trying for the seat to play, the likeliest first.
    pub fn candidates(&mut self, knowledge: &Knowledge) -> Vec<Card> {
        let (state, trick, ranks) = knowledge.relative();
        let steps = self.search(knowledge, |search, path| {
            let node = node(knowledge, &state, trick.as_ref(), 0, path);
            Ok(moves(&search.seating, &search.history, &node))
        });
        let steps = steps.unwrap_or_default();
        steps.iter().map(|step| ranks.card(step.card)).collect()
    }

    /// Starts an answer. With a limit it starts from nothing, so that what was
    /// asked before does not decide whether the limit is reached.
    fn begin(&mut self) {
        self.allowed = self.options.limit.unwrap_or(u64::MAX);
        if self.options.limit.is_some() {
            self.table.clear();
            self.refuters.clear();
        }
    }

    /// The greatest number up to `left` of which `ask` says yes.
    fn most(
        &mut self,
        left: u8,
        mut ask: impl FnMut(&mut Engine, u8) -> Result<bool, ClaimError>,
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
        ask: impl FnOnce(&mut Search<'_>, Path) -> Result<T, Stop>,
    ) -> Result<T, ClaimError> {
        let seating = knowledge.seating();
        self.table.start(seating);
        self.refuters.start(knowledge);
        let mut helps = self.helps;
        if knowledge.tricks_left() < usize::from(helps.refuter_tricks) {
            helps.refuter_nodes = u64::MAX;
        }
        let table = knowledge.trick().cards().iter().map(|&card| bit(card));
        let path = Path::new(knowledge.state().held(), table);
        let mut search = Search {
            seating,
            helps,
            table: &mut self.table,
            budget: Budget {
                left: &mut self.allowed,
                cancel: self.options.cancel.as_deref(),
            },
            nodes: 0,
            refuters: &mut self.refuters,
            history: Box::new([[[0; 64]; 4]; 4]),
        };
        let answer = ask(&mut search, path);
        self.nodes += search.nodes;
        answer.map_err(|stop| match stop {
            Stop::Failed(error) => (*error).into(),
            Stop::Cancelled => ClaimError::Cancelled,
            Stop::Limit | Stop::Paused => ClaimError::LimitReached {
                limit: self.options.limit.unwrap_or(u64::MAX),
            },
        })
    }
}

/// The root of a search: a state with relative ranks, and the trick under way.
fn node<'a>(
    knowledge: &Knowledge,
    state: &'a State,
    trick: Option<&'a Trick>,
    need: u8,
    path: Path,
) -> Node<'a> {
    Node {
        state,
        seat: knowledge.to_play().index(),
        trick,
        need,
        left: knowledge.tricks_left() as u8,
        path,
        pause_at: u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use setrograde_cards::{Deal, Seat, Strain};

    use super::*;

    /// South's view of a deal from which random cards have been played.
    fn random(rng: &mut fastrand::Rng, left: usize) -> Knowledge {
        loop {
            let deal = Deal::random(rng);
            let strain = Strain::ALL[rng.usize(0..5)];
            let leader = Seat::from_index(rng.usize(0..4));
            let Ok(mut position) = Position::new(strain, leader, deal, &[]) else {
                continue;
            };
            let Ok(mut known) = Knowledge::from_position(&position, Seat::South, Seat::North)
            else {
                continue;
            };
            let extra = rng.usize(0..4);
            while position.tricks_left() > left || position.played().len() < extra {
                let cards: Vec<Card> = known.playable().cards().collect();
                let card = cards[rng.usize(0..cards.len())];
                if let Ok(next) = position.play(card) {
                    position = next;
                    known = known.play(card).unwrap();
                }
            }
            return known;
        }
    }

    #[test]
    fn helps_do_not_change_answers() {
        let mut rng = fastrand::Rng::with_seed(8);
        let mut plain = Engine::new(Options::default());
        plain.helps = Helps {
            order_tricks: 14,
            refuter_tricks: 14,
            refuter_nodes: u64::MAX,
            round_tricks: 14,
            first_round: u64::MAX,
        };
        let mut helped = Engine::new(Options::default());
        helped.helps = Helps {
            order_tricks: 2,
            refuter_tricks: 2,
            refuter_nodes: 0,
            ..plain.helps
        };
        // Rounds of so few nodes take more of them, and put off all they can.
        let mut in_rounds = Engine::new(Options::default());
        in_rounds.helps = Helps {
            round_tricks: 2,
            first_round: 1,
            ..helped.helps
        };
        let mut fewer = 0;
        for n in 0..600 {
            let known = random(&mut rng, 3 + n % 3);
            plain.table.clear();
            helped.table.clear();
            in_rounds.table.clear();
            let sure = plain.sure(&known).unwrap();
            assert_eq!(helped.sure(&known).unwrap(), sure, "{known:#?}");
            assert_eq!(in_rounds.sure(&known).unwrap(), sure, "{known:#?}");
            let cards = plain.cards(&known).unwrap();
            assert_eq!(helped.cards(&known).unwrap(), cards);
            assert_eq!(in_rounds.cards(&known).unwrap(), cards);
            fewer += i32::from(helped.nodes < plain.nodes);
        }
        assert!(fewer > 300, "{fewer}");
    }
}
