//! Seats and trumps.

use crate::knowledge::case::Hidden;

/// The part of a seat in a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A visible hand that the claimer plays, by its place in
    /// [`State::visible`](crate::knowledge::state::State).
    Ours(usize),
    /// A visible hand that an opponent plays.
    Theirs(usize),
    /// A hidden hand.
    Hidden(Hidden),
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

    /// Whether the claimer chooses the cards of `seat`.
    #[inline]
    pub fn is_claimers(&self, seat: usize) -> bool {
        matches!(self.roles[seat], Role::Ours(_))
    }

    /// Whether the claimer plays both visible hands.
    #[inline]
    pub fn has_partner(&self) -> bool {
        self.hidden[1] == (self.hidden[0] + 2) % 4
    }

    /// Whether the other hidden hand has still to play to a trick in which
    /// `seat`, hidden, plays next.
    #[inline]
    pub fn other_to_come(&self, seat: usize, played: usize) -> bool {
        (1..4 - played).any(|n| matches!(self.roles[(seat + n) % 4], Role::Hidden(_)))
    }
}
