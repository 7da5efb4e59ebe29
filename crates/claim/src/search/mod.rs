//! The zero-window search over what is known.

pub(crate) mod bounds;
pub(crate) mod engine;
pub(crate) mod moves;
pub(crate) mod order;
pub(crate) mod proof;
pub(crate) mod ranks;
pub(crate) mod table;
pub(crate) mod trick;

use setrograde_solver::SolveError;

use crate::double_dummy::path::Path;
use crate::double_dummy::refuters::Refuters;
use crate::knowledge::seating::{Role, Seating};
use crate::knowledge::state::State;
use crate::lanes::{each, open_gap};
use crate::ordered;
use crate::search::moves::{Move, Moves};
use crate::search::proof::Proof;
use crate::search::table::{Place, Table};
use crate::search::trick::Trick;

/// The points at which the search asks for help that takes longer than a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Helps {
    /// The fewest tricks left with which a fixed order is looked for.
    pub order_tricks: u8,
    /// The fewest tricks left with which cards are tried double dummy.
    pub refuter_tricks: u8,
    /// After how many nodes that begins.
    pub refuter_nodes: u64,
    /// The fewest tricks left with which cards are tried in rounds.
    pub round_tricks: u8,
    /// The number of nodes that each card gets in the first round.
    pub first_round: u64,
}

impl Default for Helps {
    fn default() -> Helps {
        Helps {
            order_tricks: 5,
            refuter_tricks: 7,
            refuter_nodes: 100,
            round_tricks: 13,
            first_round: 64,
        }
    }
}

/// The factor by which each card gets more nodes in the next round.
const ROUND_FACTOR: u64 = 3;

/// Why a search has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The card has had its nodes of this round.
    Paused,
    /// The budget has ended, or double dummy has failed.
    Ended,
}

/// How much a search may do.
pub(crate) trait Budget {
    /// Whether another node may be searched.
    fn allows(&mut self) -> bool;
}

/// A search. It is exact unless it stops, after which all it returns is void.
pub(crate) struct Search<'a> {
    pub seating: Seating,
    pub helps: Helps,
    pub table: &'a mut Table,
    pub budget: &'a mut dyn Budget,
    pub nodes: u64,
    /// With how many nodes the card under way is put off.
    pub pause_at: u64,
    pub stopped: Option<Stop>,
    pub path: Path,
    pub refuters: &'a mut Refuters,
    /// Why double dummy failed; then the search has ended.
    pub failure: Option<SolveError>,
    /// How often a card decided, by seat, cards on the table, and card.
    pub history: Box<[[[u32; 64]; 4]; 4]>,
}

impl Search<'_> {
    /// Whether the claimer's side is sure of `need` of the `left` tricks when
    /// `leader` is to lead.
    pub fn lead(&mut self, state: &State, leader: usize, need: u8, left: u8) -> Proof {
        if need == 0 {
            return Proof::at_sight(true, 0);
        }
        if self.stopped.is_some() {
            return Proof::at_sight(false, 0);
        }
        if need > left {
            return self.failed(state, 0);
        }
        let sure = bounds::sure(&self.seating, state, leader, need);
        if sure.tricks >= need {
            return Proof::at_sight(true, sure.used);
        }
        let lost = bounds::lost(&self.seating, state, leader, left + 1 - need);
        if lost.tricks >= left + 1 - need {
            return self.failed(state, lost.used);
        }
        let place = Place::new(state, leader);
        if let Some(known) = self.table.find(&place, state, need) {
            return match known.reached {
                true => known,
                false => self.failed(state, known.used),
            };
        }
        if left >= self.helps.order_tricks
            && self.seating.has_partner()
            && let Role::Visible(who, true) = self.seating.roles[leader]
            && let Some(used) = ordered::at_sight(state, self.seating.trump, who, need)
        {
            return Proof::at_sight(true, used);
        }
        if self.nodes >= self.pause_at {
            self.stopped = Some(Stop::Paused);
            return Proof::at_sight(false, 0);
        }
        if !self.budget.allows() {
            self.stopped = Some(Stop::Ended);
            return Proof::at_sight(false, 0);
        }
        self.nodes += 1;
        let first = self.table.lead(&place);
        let mut moves = self.moves(state, leader, None);
        if let Some(at) = moves.iter().position(|step| step.card == first) {
            moves[..=at].rotate_right(1);
        }
        let (mut proof, lead) = self.try_all(state, leader, None, need, left, &moves);
        if self.stopped.is_none() {
            proof.used = self.table.store(place, state, need, left, proof, lead);
        }
        proof
    }

    /// Tricks that are not sure, with some layout if that may help.
    fn failed(&self, state: &State, used: u64) -> Proof {
        let wanted = self.nodes >= self.helps.refuter_nodes;
        Proof {
            layout: wanted.then(|| state.some_layout()).flatten(),
            ..Proof::at_sight(false, used)
        }
    }

    /// The same where `seat` is to play to `trick`, or to lead without one.
    pub fn turn(
        &mut self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        need: u8,
        left: u8,
    ) -> Proof {
        let moves = self.moves(state, seat, trick);
        self.try_all(state, seat, trick, need, left, &moves).0
    }

    /// What comes of the best of `moves`, and the card that decided; 0 if all
    /// were tried.
    ///
    /// With many tricks left one card may take more nodes than all others, and
    /// not decide. So there they are tried in rounds, each of which gives every
    /// card that is still open a few times more nodes than the one before.
    fn try_all(
        &mut self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        need: u8,
        left: u8,
        moves: &[Move],
    ) -> (Proof, u64) {
        let claimers = self.seating.is_claimers(seat);
        let played = trick.map_or(0, |trick| trick.played);
        let mut used = 0;
        let mut layout = None;
        let (path, pause_at) = (self.path, self.pause_at);
        let mut round = self.helps.first_round;
        let mut open = Moves::from_slice(moves);
        while !open.is_empty() {
            let in_rounds = left >= self.helps.round_tricks && open.len() > 1;
            let mut put_off = Moves::new();
            for step in open {
                if in_rounds {
                    self.pause_at = pause_at.min(self.nodes.saturating_add(round));
                }
                let proof = self.try_card(state, seat, trick, step.card, need, left);
                self.path = path;
                self.pause_at = pause_at;
                if self.stopped == Some(Stop::Paused) && self.nodes < pause_at {
                    self.stopped = None;
                    put_off.push(step);
                    continue;
                }
                if self.stopped.is_some() || proof.reached == claimers {
                    let card = step.card.trailing_zeros() as usize;
                    self.history[seat][played][card] += 1 << left.min(13);
                    return (proof, step.card);
                }
                if let Some(hand) = proof.layout
                    && claimers
                {
                    layout = proof.layout;
                    if self.asks_double_dummy(left) {
                        self.refuters.add(path.first_hand(hand), left);
                    }
                }
                used |= proof.used;
                // An equal card leads to the same with the ranks of both swapped.
                if used & step.run != 0 {
                    used |= step.run;
                }
            }
            open = put_off;
            round = round.saturating_mul(ROUND_FACTOR);
        }
        let proof = Proof {
            reached: !claimers,
            used,
            layout,
        };
        (proof, 0)
    }

    /// Whether cards are tried double dummy with `left` tricks left.
    fn asks_double_dummy(&self, left: u8) -> bool {
        left >= self.helps.refuter_tricks && self.nodes >= self.helps.refuter_nodes
    }

    /// What comes of one card; leaves the path behind it.
    fn try_card(
        &mut self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        card: u64,
        need: u8,
        left: u8,
    ) -> Proof {
        let hidden = match self.seating.roles[seat] {
            Role::Hidden(who) => Some(who),
            Role::Visible(..) => None,
        };
        if left >= self.helps.refuter_tricks {
            self.path.play(card, hidden);
        }
        let (after, next) = self.played(state, seat, trick, card);
        if self.seating.is_claimers(seat)
            && self.asks_double_dummy(left)
            && let Some(used) = self.refuted(&next, need, left)
        {
            return Proof::at_sight(false, used);
        }
        let mut proof = self.after_card(after, next, need, left);
        if let Some(hand) = &mut proof.layout
            && hidden == Some(0)
        {
            *hand |= card;
        }
        proof
    }

    /// The ranks that matter if double dummy fails where the search stands, in one
    /// of the layouts that have refuted before.
    fn refuted(&mut self, trick: &Trick, need: u8, left: u8) -> Option<u64> {
        let mut at = self.path;
        let (leader, need, left, by_rank) = if trick.played < 4 {
            (trick.leader, need, left, 0)
        } else {
            at.end_trick();
            let (need, by_rank) = self.won(trick, need);
            (trick.winner, need, left - 1, by_rank)
        };
        match self.refuters.refute(&at, leader, need, left) {
            Ok(cards) => Some(self.path.relative(cards?) | by_rank),
            Err(error) => {
                self.failure.get_or_insert(error);
                self.stopped = Some(Stop::Ended);
                None
            }
        }
    }

    /// How many tricks are needed after `trick`, complete, and the card that won it
    /// by its rank.
    #[inline]
    fn won(&self, trick: &Trick, need: u8) -> (u8, u64) {
        let won = u8::from(self.seating.is_ours(trick.winner));
        (need.saturating_sub(won), trick.winner_by_rank())
    }

    /// What is known after `seat` has played `card`, and the trick with it.
    #[inline]
    pub fn played(
        &self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        card: u64,
    ) -> (State, Trick) {
        let after = match self.seating.roles[seat] {
            Role::Visible(who, _) => state.shown(who, card),
            Role::Hidden(who) => state.revealed(who, card, trick.map(|trick| trick.led)),
        };
        let next = match trick {
            None => Trick::new(seat, card),
            Some(trick) => trick.with(card, self.seating.trump),
        };
        (after, next)
    }

    /// Whether the claimer's side is sure of `need` of the `left` tricks once `seat`
    /// has played `card`.
    pub fn play(
        &mut self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        card: u64,
        need: u8,
        left: u8,
    ) -> bool {
        let path = self.path;
        let proof = self.try_card(state, seat, trick, card, need, left);
        self.path = path;
        proof.reached
    }

    /// Whether the claimer's side is sure of `need` of the `left` tricks, the
    /// one under way included, with `trick` on the table.
    #[inline]
    pub fn after_card(&mut self, mut state: State, trick: Trick, need: u8, left: u8) -> Proof {
        if trick.played < 4 {
            return self.turn(&state, trick.to_play(), Some(&trick), need, left);
        }
        state.close_gaps(trick.cards);
        if left >= self.helps.refuter_tricks {
            self.path.end_trick();
        }
        let (need, by_rank) = self.won(&trick, need);
        let mut proof = self.lead(&state, trick.winner, need, left - 1);
        for card in each(trick.cards) {
            proof.used = open_gap(proof.used, card);
            proof.layout = proof.layout.map(|hand| open_gap(hand, card));
        }
        proof.used |= by_rank;
        proof
    }
}
