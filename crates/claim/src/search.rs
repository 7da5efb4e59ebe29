//! The zero-window search over what is known.

use setrograde_solver::SolveError;

use crate::bounds;
use crate::lanes::{each, lane, open_gap, suit_of, top};
use crate::moves::{self, Move, Moves};
use crate::ordered;
use crate::path::Path;
use crate::proof::Proof;
use crate::refuters::Refuters;
use crate::seating::{Role, Seating};
use crate::state::State;
use crate::table::{Place, Table};
use crate::trick::Trick;

/// Where the search asks for help that takes longer than a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Helps {
    /// The fewest tricks left with which a fixed order is looked for.
    pub order_tricks: u8,
    /// The fewest tricks left with which cards are tried double dummy.
    pub refuter_tricks: u8,
    /// After how many nodes that begins.
    pub refuter_nodes: u64,
}

impl Default for Helps {
    fn default() -> Helps {
        Helps {
            order_tricks: 5,
            refuter_tricks: 7,
            refuter_nodes: 500,
        }
    }
}

/// How much a search may do.
pub(crate) trait Budget {
    /// Whether another node may be searched.
    fn allows(&mut self) -> bool;
}

/// A search. It is exact unless the budget ends, after which all it returns is
/// void.
pub(crate) struct Search<'a> {
    pub seating: Seating,
    pub helps: Helps,
    pub table: &'a mut Table,
    pub budget: &'a mut dyn Budget,
    pub nodes: u64,
    pub exhausted: bool,
    pub path: Path,
    pub refuters: &'a mut Refuters,
    /// Why double dummy failed; then the search is exhausted.
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
        if self.exhausted {
            return Proof::at_sight(false, 0);
        }
        if need > left {
            return self.failed(state, 0);
        }
        let sure = bounds::sure(&self.seating, state, leader);
        if sure.tricks >= need {
            return Proof::at_sight(true, sure.used);
        }
        let lost = bounds::lost(&self.seating, state, leader);
        if lost.tricks > left - need {
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
        if !self.budget.allows() {
            self.exhausted = true;
            return Proof::at_sight(false, 0);
        }
        self.nodes += 1;
        let first = self.table.lead(&place);
        let mut moves = self.moves(state, leader, None);
        if let Some(at) = moves.iter().position(|step| step.card == first) {
            moves[..=at].rotate_right(1);
        }
        let (mut proof, lead) = self.try_all(state, leader, None, need, left, &moves);
        if !self.exhausted {
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
        let path = self.path;
        let hidden = match self.seating.roles[seat] {
            Role::Hidden(who) => Some(who),
            Role::Visible(..) => None,
        };
        let far = left >= self.helps.refuter_tricks;
        let double_dummy = far && self.nodes >= self.helps.refuter_nodes;
        for step in moves {
            if far {
                self.path = path;
                self.path.play(step.card, hidden);
            }
            let (after, next) = self.played(state, seat, trick, step.card);
            let wrong = if claimers && double_dummy {
                self.refuted(&next, need, left)
            } else {
                None
            };
            let mut proof = match wrong {
                Some(used) => Proof::at_sight(false, used),
                None => self.after_card(after, next, need, left),
            };
            if let Some(hand) = &mut proof.layout
                && hidden == Some(0)
            {
                *hand |= step.card;
            }
            if self.exhausted || proof.reached == claimers {
                let history = &mut self.history[seat][played][step.card.trailing_zeros() as usize];
                *history += 1 << left.min(13);
                self.path = path;
                return (proof, step.card);
            }
            if let Some(hand) = proof.layout
                && claimers
            {
                layout = proof.layout;
                if double_dummy {
                    self.path = path;
                    self.refuters.add(path.first_hand(hand), left);
                }
            }
            used |= proof.used;
            // An equal card leads to the same with the ranks of both swapped.
            if used & step.run != 0 {
                used |= step.run;
            }
        }
        self.path = path;
        let reached = !claimers;
        let proof = Proof {
            reached,
            used,
            layout,
        };
        (proof, 0)
    }

    /// The ranks that matter if double dummy fails where the search stands, in one
    /// of the layouts that have refuted before.
    fn refuted(&mut self, trick: &Trick, need: u8, left: u8) -> Option<u64> {
        let mut at = self.path;
        let side = self.seating.side;
        let answer = if trick.played < 4 {
            self.refuters.refute(&at, (trick.leader, side), need, left)
        } else {
            at.end_trick();
            let won = u8::from(self.seating.is_ours(trick.winner));
            let need = need.saturating_sub(won);
            self.refuters
                .refute(&at, (trick.winner, side), need, left - 1)
        };
        match answer {
            Ok(cards) => {
                let mut used = self.path.relative(cards?);
                if trick.played == 4 {
                    used |= trick.winner_by_rank();
                }
                Some(used)
            }
            Err(error) => {
                self.failure.get_or_insert(error);
                self.exhausted = true;
                None
            }
        }
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

    /// The same once `seat` has played `card`.
    pub fn play(
        &mut self,
        state: &State,
        seat: usize,
        trick: Option<&Trick>,
        card: u64,
        need: u8,
        left: u8,
    ) -> bool {
        let hidden = match self.seating.roles[seat] {
            Role::Hidden(who) => Some(who),
            Role::Visible(..) => None,
        };
        let path = self.path;
        self.path.play(card, hidden);
        let (after, next) = self.played(state, seat, trick, card);
        let proof = self.after_card(after, next, need, left);
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
        let won = u8::from(self.seating.is_ours(trick.winner));
        let mut proof = self.lead(&state, trick.winner, need.saturating_sub(won), left - 1);
        for card in each(trick.cards) {
            proof.used = open_gap(proof.used, card);
            proof.layout = proof.layout.map(|hand| open_gap(hand, card));
        }
        proof.used |= trick.winner_by_rank();
        proof
    }

    /// The cards to try, the likeliest first.
    pub fn moves(&self, state: &State, seat: usize, trick: Option<&Trick>) -> Moves {
        let mut found = match self.seating.roles[seat] {
            Role::Visible(who, _) => moves::of_visible(state, who, trick),
            Role::Hidden(who) => {
                let played = trick.map_or(0, |trick| trick.played);
                let other_to_come = self.seating.other_to_come(seat, played);
                moves::of_hidden(state, who, trick, other_to_come)
            }
        };
        if found.len() > 1 {
            let claimers = self.seating.is_claimers(seat);
            match trick {
                None => moves::sort(&mut found, |card| {
                    i64::from(self.lead_score(state, seat, card)) << 32
                }),
                Some(trick) => moves::sort(&mut found, |card| {
                    let history = self.history[seat][trick.played][card.trailing_zeros() as usize];
                    let history = if claimers { history } else { 0 };
                    (i64::from(self.follow_score(trick, card) > 40) << 40)
                        + i64::from(history) * 64
                        + i64::from(self.follow_score(trick, card))
                }),
            }
        }
        found
    }

    fn lead_score(&self, state: &State, seat: usize, card: u64) -> i32 {
        let suit = suit_of(card);
        let theirs = top(state.unseen & lane(suit));
        let rank = (card.trailing_zeros() % 16) as i32;
        match self.seating.roles[seat] {
            Role::Visible(who, true) => {
                let mine = state.visible[who] & lane(suit);
                let partners = state.visible[1 - who] & lane(suit);
                let trump = i32::from(Some(suit) == self.seating.trump && theirs != 0);
                if card > theirs {
                    100 + 40 * trump - (mine.count_ones() as i32) + rank / 4
                } else if partners > theirs {
                    80 + 40 * trump - rank
                } else {
                    20 - rank
                }
            }
            _ => rank,
        }
    }

    fn follow_score(&self, trick: &Trick, card: u64) -> i32 {
        let rank = (card.trailing_zeros() % 16) as i32;
        if trick.is_beaten_by(card, self.seating.trump) {
            let partners = trick.winner % 2 == trick.to_play() % 2;
            if partners { 10 + rank } else { 60 - rank }
        } else {
            30 - rank
        }
    }
}
