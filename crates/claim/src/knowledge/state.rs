//! A position as the search sees it: cards by relative rank, and the cases.

use setrograde_cards::Sorting;
use smallvec::SmallVec;

use crate::knowledge::case::{Case, Hidden};
use crate::lanes::{close_gap, union};

/// The cases of a state: any of them may be the true one.
pub(crate) type Cases = SmallVec<[Case; 1]>;

/// A state of knowledge at some point of the play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The cards of the visible hands.
    pub visible: [u64; 2],
    /// The cards of the hidden hands together.
    pub unseen: u64,
    /// Number of cards in the first hidden hand.
    pub cards: u8,
    /// The cases of the unseen cards; normal, none within another.
    pub cases: Cases,
}

impl State {
    /// The cards of the first hidden hand in a layout of the first case: long in
    /// the first suits, the highest cards with the length.
    pub(crate) fn some_layout(&self) -> Option<u64> {
        let case = self.cases.first()?;
        let long = case.stretched([0, 1, 2, 3], Hidden::First, self.unseen, self.cards)?;
        Some(long.dealt(Hidden::First, self.unseen))
    }

    /// Returns the maximum number of cards of `suit` that a hidden hand may hold.
    #[inline]
    pub(crate) fn longest(&self, suit: usize) -> u8 {
        let of = |case: &Case| {
            let most = |hand| case.most(hand, suit, self.unseen);
            most(Hidden::First).max(most(Hidden::Second))
        };
        self.cases.iter().map(of).max().unwrap_or(0)
    }

    /// All cards still held.
    #[inline]
    pub(crate) fn held(&self) -> u64 {
        union(self.visible) | self.unseen
    }

    /// The state after visible hand `who` has played `card`.
    #[inline]
    fn shown(&self, who: usize, card: u64) -> State {
        let mut after = self.clone();
        after.visible[who] &= !card;
        after
    }

    /// The state after a hidden hand has played `card` to a trick in which `led`
    /// must be followed; without a case if it could not.
    #[inline]
    fn revealed(&self, hand: Hidden, card: u64, led: Option<usize>) -> State {
        let mut cases: Cases = self
            .cases
            .iter()
            .filter_map(|case| case.after(hand, card, led, self.unseen, self.cards))
            .collect();
        keep_widest(&mut cases);
        State {
            visible: self.visible,
            unseen: self.unseen & !card,
            cards: self.cards - u8::from(hand == Hidden::First),
            cases,
        }
    }

    /// The state after a hand has played `card` to a trick in which `led` must be followed.
    #[inline]
    pub(crate) fn after(&self, role: Role, card: u64, led: Option<usize>) -> State {
        match role {
            Role::Ours(who) | Role::Theirs(who) => self.shown(who, card),
            Role::Hidden(hand) => self.revealed(hand, card, led),
        }
    }

    /// The cards that a hidden hand may play in some layout.
    #[inline]
    pub(crate) fn playable(&self, hand: Hidden, led: Option<usize>) -> u64 {
        let playable = |case: &Case| case.playable(hand, led, self.unseen);
        union(self.cases.iter().map(playable))
    }

    /// The state with relative ranks, after the cards `gone` have left the pack.
    #[inline]
    pub(crate) fn close_gaps(&mut self, gone: u64) {
        // From the top down, so no card to remove moves.
        let mut left = gone;
        while left != 0 {
            let card = 1 << left.ilog2();
            left &= !card;
            for cards in &mut self.visible {
                *cards = close_gap(*cards, card);
            }
            self.unseen = close_gap(self.unseen, card);
            for case in &mut self.cases {
                case.pinned = case.pinned.map(|pinned| close_gap(pinned, card));
            }
        }
    }

    /// Returns true if every layout of `other` is one of this state. The rest of both must be
    /// equal.
    #[inline]
    pub(crate) fn includes(cases: &[Case], others: &[Case]) -> bool {
        let covered = |other| cases.iter().any(|case: &Case| case.includes(other));
        others.iter().all(covered)
    }
}

/// Drops every case that is within another.
pub(crate) fn keep_widest(cases: &mut Cases) {
    if cases.len() < 2 {
        return;
    }
    if cases.iter().all(Case::is_one_layout) {
        cases.in_any_order_by(Ord::cmp);
        cases.dedup();
        return;
    }
    let mut kept = Cases::new();
    for (n, case) in cases.iter().enumerate() {
        let wider = |(m, other): (usize, &Case)| {
            m != n && other.includes(case) && !(m > n && other == case)
        };
        if !cases.iter().enumerate().any(wider) {
            kept.push(*case);
        }
    }
    kept.in_any_order_by(Ord::cmp);
    *cases = kept;
}

/// The part of a seat in a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A visible hand that the claimer plays, by its index in
    /// [`State::visible`](crate::knowledge::state::State).
    Ours(usize),
    /// A visible hand that an opponent plays.
    Theirs(usize),
    /// A hidden hand.
    Hidden(Hidden),
}

/// The table: the seats and the trump suit.
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
    /// Returns true if a trick won by `seat` counts for the claimer.
    #[inline]
    pub(crate) fn is_ours(&self, seat: usize) -> bool {
        seat % 2 == self.side
    }

    /// Returns true if the claimer chooses the cards of `seat`.
    #[inline]
    pub(crate) fn is_claimers(&self, seat: usize) -> bool {
        matches!(self.roles[seat], Role::Ours(_))
    }

    /// Returns true if the claimer plays both visible hands.
    #[inline]
    pub(crate) fn has_partner(&self) -> bool {
        self.hidden[1] == (self.hidden[0] + 2) % 4
    }

    /// Returns true if the other hidden hand is still to play to a trick in which `seat`, hidden,
    /// plays next.
    #[inline]
    pub(crate) fn other_to_come(&self, seat: usize, played: usize) -> bool {
        (1..4 - played).any(|n| matches!(self.roles[(seat + n) % 4], Role::Hidden(_)))
    }
}
