//! The position of a question, the root of the search: translates tricks of a side to answers of
//! the search, and back.

use setrograde_cards::{Position, Sorting};

use crate::board::Board;
use crate::choices::{Choice, choices};
use crate::error::SolveError;
use crate::first_guess;
use crate::lanes::alike;
use crate::moves::follow_order;
use crate::moves::lead_order::{self, Hints};
use crate::moves::list::Moves;
use crate::search::{Proof, Search};
use crate::state::{State, Trick, is_north_south, with_played};
use crate::zero_window::most_tricks;

/// A position with a search set up for it.
pub(crate) struct Root<'a> {
    search: Search<'a>,
    board: &'a Board,
    /// The trick under way; `None` at its start.
    trick: Option<Trick>,
    /// Number of cards on the trick.
    played: usize,
    /// The seat that led or leads to the trick.
    leader: usize,
    /// The seat to play.
    seat: usize,
    left: u8,
}

/// A candidate card at the root, and its known bounds.
pub(crate) struct RootCard {
    pub choice: Choice,
    /// Its bit on the board.
    bit: u64,
    /// Lower and upper bound of the tricks that the side to play takes with it.
    least: u8,
    most: u8,
}

impl<'a> Root<'a> {
    /// The root at `position`, whose board is `board`.
    pub(crate) fn new(position: &Position, board: &'a Board, search: Search<'a>) -> Root<'a> {
        let mut trick: Option<Trick> = None;
        for (seat, card) in position.trick().plays() {
            let bit = board.bit(card);
            trick = Some(match trick {
                None => Trick::new(seat.index(), bit),
                Some(trick) => trick.with(seat.index(), bit, board.start.trumps),
            });
        }
        Root {
            search,
            trick,
            played: position.played().len(),
            leader: position.leader().index(),
            seat: position.to_play().index(),
            left: position.tricks_left() as u8,
            board,
        }
    }

    /// Returns the maximum number of tricks that the side to play can take.
    pub(crate) fn tricks(&mut self) -> Result<u8, SolveError> {
        let left = i32::from(self.left);
        let guess = first_guess::north_south_tricks(&self.board.start, self.leader, left);
        let tricks = most_tricks(left, guess, |need| {
            let proof = self.proof(need);
            self.search.finished()?;
            Ok(proof.reached)
        })?;
        // Of North and South.
        Ok(if is_north_south(self.seat) {
            tricks
        } else {
            left - tricks
        } as u8)
    }

    /// Returns whether North and South take at least `need` of the tricks left, from another state
    /// of the board.
    pub(crate) fn reaches(&mut self, state: State, need: i32) -> Result<Proof, SolveError> {
        self.search.start_from(state);
        let proof = self.proof(need);
        self.search.finished()?;
        Ok(proof)
    }

    fn proof(&mut self, need: i32) -> Proof {
        let left = i32::from(self.left);
        match &self.trick {
            None => self.search.lead(self.leader, need, left),
            Some(trick) => {
                let search = &mut self.search;
                with_played!(self.played, Search::follow(search, *trick, need, left))
            }
        }
    }

    /// The cards to choose from, the most promising first, without any bounds yet. The order
    /// depends only on the position.
    pub(crate) fn cards(&self, position: &Position) -> Vec<RootCard> {
        let mut cards: Vec<RootCard> = choices(position)
            .into_iter()
            .map(|choice| RootCard {
                bit: self.board.bit(choice.card),
                choice,
                least: 0,
                most: self.left,
            })
            .collect();
        let mut moves = Moves::new();
        let state = &self.board.start;
        match &self.trick {
            None => {
                let owners = self.board.owners(state.all);
                let left = i32::from(self.left);
                lead_order::fill(state, &owners, self.leader, left, &Hints::NONE, &mut moves);
            }
            Some(trick) => {
                with_played!(self.played, follow_order::fill(state, trick, &mut moves));
            }
        }
        let mut order = Vec::with_capacity(cards.len());
        while let Some(card) = moves.next() {
            order.push(card);
        }
        cards.in_order_by_key(|card| order.iter().position(|&bit| bit == card.bit));
        cards
    }

    /// Returns the maximum number of tricks that the side to play can take, found by trying the
    /// cards in their order.
    pub(crate) fn best(&mut self, cards: &mut [RootCard]) -> Result<u8, SolveError> {
        let left = i32::from(self.left);
        let guess = first_guess::north_south_tricks(&self.board.start, self.leader, left);
        let guess = if is_north_south(self.seat) {
            guess
        } else {
            left - guess
        };
        let most = most_tricks(left, guess, |target| match self.glance(target as u8)? {
            Some(reached) => Ok(reached),
            None => Ok(self.first(cards, target as u8)?.is_some()),
        })?;
        Ok(most as u8)
    }

    /// Returns whether the side to play takes at least `target` tricks, if that is known without a
    /// search.
    fn glance(&mut self, target: u8) -> Result<Option<bool>, SolveError> {
        if self.trick.is_some() {
            return Ok(None);
        }
        let need = i32::from(self.need(target));
        let known = self.search.glance(self.leader, need, i32::from(self.left));
        self.search.finished()?;
        Ok(known
            .ok()
            .map(|proof| proof.reached == is_north_south(self.seat)))
    }

    /// The tricks of North and South that decide whether the side to play takes `target`.
    fn need(&self, target: u8) -> u8 {
        if is_north_south(self.seat) {
            target
        } else {
            self.left - target + 1
        }
    }

    /// The index of the first card that takes at least `target` tricks for the side to play.
    pub(crate) fn first(
        &mut self,
        cards: &mut [RootCard],
        target: u8,
    ) -> Result<Option<usize>, SolveError> {
        for nth in 0..cards.len() {
            if self.takes(cards, nth, target)? {
                return Ok(Some(nth));
            }
        }
        Ok(None)
    }

    /// Returns whether the side to play takes at least `target` tricks with the card of an index.
    pub(crate) fn takes(
        &mut self,
        cards: &mut [RootCard],
        nth: usize,
        target: u8,
    ) -> Result<bool, SolveError> {
        let card = &cards[nth];
        if target <= card.least {
            return Ok(true);
        }
        if target > card.most {
            return Ok(false);
        }
        let bit = card.bit;
        let proof = self.play(bit, i32::from(self.need(target)));
        self.search.finished()?;
        let taken = proof.reached == is_north_south(self.seat);
        let alike = alike(bit, proof.ranks) | bit;
        for card in cards.iter_mut().filter(|card| card.bit & alike != 0) {
            if taken {
                card.least = card.least.max(target);
            } else {
                card.most = card.most.min(target - 1);
            }
        }
        Ok(taken)
    }

    fn play(&mut self, card: u64, need: i32) -> Proof {
        let left = i32::from(self.left);
        let search = &mut self.search;
        match &self.trick {
            None => search.play_lead(self.leader, card, need, left),
            Some(trick) => with_played!(
                self.played,
                Search::play_follow(search, trick, card, need, left)
            ),
        }
    }
}
