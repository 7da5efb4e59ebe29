//! The zero-window search over what is known.

use crate::bounds;
use crate::lanes::{each, lane, open_gap, suit_of, top};
use crate::moves::{self, Move, Moves};
use crate::state::State;
use crate::table::{Place, Table};
use crate::trick::Trick;

/// What a seat is to the claimer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A visible hand, by its place in [`State::visible`], and whether the
    /// claimer plays it.
    Visible(usize, bool),
    /// A hidden hand, by its place in [`Case::pinned`](crate::case::Case).
    Hidden(usize),
}

/// The table: who sits where, and what is trump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seating {
    pub trump: Option<usize>,
    pub roles: [Role; 4],
    /// The hidden seats.
    pub hidden: [usize; 2],
    /// The parity of the seats of the claimer's side.
    pub side: usize,
}

impl Seating {
    /// Whether a trick won by `seat` counts for the claimer.
    #[inline]
    pub fn is_ours(&self, seat: usize) -> bool {
        seat % 2 == self.side
    }

    /// Whether the claimer plays both visible hands.
    #[inline]
    pub fn has_partner(&self) -> bool {
        self.hidden[1] == (self.hidden[0] + 2) % 4
    }

    /// Whether the other hidden hand has still to play to a trick in which
    /// `seat`, hidden, plays next.
    #[inline]
    fn other_to_come(&self, seat: usize, played: usize) -> bool {
        (1..4 - played).any(|n| matches!(self.roles[(seat + n) % 4], Role::Hidden(_)))
    }
}

/// What was found, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// Whether the tricks are sure.
    pub reached: bool,
    /// The cards whose ranks mattered. The same is true wherever these cards and
    /// all that are higher lie alike, whatever the order of the others.
    pub used: u64,
}

impl Proof {
    fn at_sight(reached: bool, used: u64) -> Proof {
        Proof { reached, used }
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
    pub table: &'a mut Table,
    pub budget: &'a mut dyn Budget,
    pub nodes: u64,
    pub exhausted: bool,
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
        if need > left || self.exhausted {
            return Proof::at_sight(false, 0);
        }
        let sure = bounds::sure(&self.seating, state, leader);
        if sure.tricks >= need {
            return Proof::at_sight(true, sure.used);
        }
        let lost = bounds::lost(&self.seating, state, leader);
        if lost.tricks > left - need {
            return Proof::at_sight(false, lost.used);
        }
        let place = Place::new(state, leader);
        if let Some(known) = self.table.find(&place, state, need) {
            return known;
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
        let claimers = self.is_claimers(seat);
        let played = trick.map_or(0, |trick| trick.played);
        let mut used = 0;
        for step in moves {
            let (after, next) = self.played(state, seat, trick, step.card);
            let proof = self.after_card(after, next, need, left);
            if self.exhausted || proof.reached == claimers {
                let history = &mut self.history[seat][played][step.card.trailing_zeros() as usize];
                *history += 1 << left.min(13);
                return (proof, step.card);
            }
            used |= proof.used;
            // An equal card leads to the same with the ranks of both swapped.
            if used & step.run != 0 {
                used |= step.run;
            }
        }
        let reached = !claimers;
        (Proof { reached, used }, 0)
    }

    /// Whether the claimer chooses the cards of `seat`.
    #[inline]
    pub fn is_claimers(&self, seat: usize) -> bool {
        matches!(self.seating.roles[seat], Role::Visible(_, true))
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

    /// Whether the claimer's side is sure of `need` of the `left` tricks, the
    /// one under way included, with `trick` on the table.
    #[inline]
    pub fn after_card(&mut self, mut state: State, trick: Trick, need: u8, left: u8) -> Proof {
        if trick.played < 4 {
            return self.turn(&state, trick.to_play(), Some(&trick), need, left);
        }
        state.close_gaps(trick.cards);
        let won = u8::from(self.seating.is_ours(trick.winner));
        let mut proof = self.lead(&state, trick.winner, need.saturating_sub(won), left - 1);
        for card in each(trick.cards) {
            proof.used = open_gap(proof.used, card);
        }
        if trick.cards & lane(suit_of(trick.winning)) != trick.winning {
            proof.used |= trick.winning;
        }
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
            let claimers = self.is_claimers(seat);
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
