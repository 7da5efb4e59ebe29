//! The nodes of a search, the current trick, and results.

use setrograde_solver::SolveError;

use crate::double_dummy::Path;
use crate::knowledge::Knowledge;
use crate::knowledge::state::State;
use crate::lanes::{bit, lane, suit_of};

/// A search that ended without an answer.
#[derive(Debug)]
pub(crate) enum End {
    /// The card has had its nodes of this round.
    Paused,
    /// All nodes that were allowed have been searched.
    Limit,
    /// The search was cancelled.
    Cancelled,
    /// Double dummy failed.
    Failed(Box<SolveError>),
}

/// A result, and the cards that it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchProof {
    /// True if the tricks are sure.
    pub reached: bool,
    /// The cards whose ranks mattered. The result holds whenever these cards and all higher ones
    /// have the same owners, in any order of the remaining cards.
    pub used: u64,
    /// The cards of the first hidden hand in a layout in which some line failed,
    /// if one was noted: likely to refute other lines too.
    pub layout: Option<u64>,
}

impl SearchProof {
    /// A result without a search.
    #[inline]
    pub(crate) fn at_sight(reached: bool, used: u64) -> SearchProof {
        SearchProof {
            reached,
            used,
            layout: None,
        }
    }
}

/// A point of the search: is the claimer's side sure of `need` of the `left` tricks?
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub state: &'a State,
    /// The seat to play.
    pub seat: usize,
    /// The trick under way; `None` if the seat leads.
    pub trick: Option<&'a Trick>,
    pub need: u8,
    /// The tricks left, the one under way included.
    pub left: u8,
    /// The way from the root.
    pub path: Path,
    /// The number of nodes with which the card under way is put off.
    pub pause_at: u64,
}

impl Node<'_> {
    /// The number of cards on the table.
    #[inline]
    pub(crate) fn played(&self) -> usize {
        self.trick.map_or(0, |trick| trick.played)
    }
}

/// One to four cards on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trick {
    /// The suit that must be followed.
    pub led: usize,
    /// The seat that led.
    pub leader: usize,
    /// The number of cards played.
    pub played: usize,
    /// The seat that is winning, and its card.
    pub winner: usize,
    pub winning: u64,
    /// All cards on the table.
    pub cards: u64,
}

impl Trick {
    /// The trick to which `seat` has led `card`.
    #[inline]
    pub(crate) fn new(seat: usize, card: u64) -> Trick {
        Trick {
            led: suit_of(card),
            leader: seat,
            played: 1,
            winner: seat,
            winning: card,
            cards: card,
        }
    }

    /// The trick under way, if there is one, with `as_rank` of each card.
    pub(crate) fn of(knowledge: &Knowledge, as_rank: impl Fn(u64) -> u64) -> Option<Trick> {
        let trump = knowledge.seating().trump;
        let plays = knowledge.trick().plays();
        plays.fold(None, |trick, (seat, card)| {
            let card = as_rank(bit(card));
            Some(match trick {
                None => Trick::new(seat.index(), card),
                Some(trick) => Trick::with(trick, card, trump),
            })
        })
    }

    /// Returns true if `card` would win the trick so far.
    #[inline]
    pub(crate) fn is_beaten_by(&self, card: u64, trump: Option<usize>) -> bool {
        let suit = suit_of(card);
        if suit == suit_of(self.winning) {
            card > self.winning
        } else {
            Some(suit) == trump
        }
    }

    /// The winning card if another of its suit was played; no card otherwise.
    #[inline]
    pub(crate) fn winner_by_rank(&self) -> u64 {
        if self.cards & lane(suit_of(self.winning)) == self.winning {
            0
        } else {
            self.winning
        }
    }

    /// The seat that plays next.
    #[inline]
    pub(crate) fn to_play(self) -> usize {
        (self.leader + self.played) % 4
    }

    /// The trick with one more card.
    #[inline]
    pub(crate) fn with(mut self, card: u64, trump: Option<usize>) -> Trick {
        if self.is_beaten_by(card, trump) {
            self.winner = self.to_play();
            self.winning = card;
        }
        self.played += 1;
        self.cards |= card;
        self
    }
}
