//! The position that a question is about, the root of the search: from tricks for
//! a side to answers of the search, and back.

use setrograde_cards::{Card, Holding, Position};

use crate::board::{Board, State, Trick, is_north_south};
use crate::lanes::suit_mask;
use crate::moves::list::for_each_run;
use crate::search::{Proof, Search, alike};
use crate::solver::SolveError;
use crate::zero_window;
use crate::zero_window::most_tricks;

/// A position with a search set up for it.
pub(crate) struct Root<'a> {
    search: Search<'a>,
    board: &'a Board,
    /// The trick under way; `None` at its start.
    trick: Option<Trick>,
    /// The number of cards on the trick.
    played: usize,
    /// The seat that led or leads to the trick.
    leader: usize,
    /// The seat to play.
    seat: usize,
    left: u8,
}

/// A card to choose at the root.
pub(crate) struct RootCard {
    /// Its bit on the board.
    pub bit: u64,
    pub card: Card,
    /// Lower cards that are worth the same because no other hand has a card
    /// between them.
    pub equals: Holding,
}

impl<'a> Root<'a> {
    /// The root at `position`, whose board is `board`.
    pub fn new(position: &Position, board: &'a Board, search: Search<'a>) -> Root<'a> {
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

    /// The most tricks that the side to play can take.
    pub fn tricks(&mut self) -> Result<u8, SolveError> {
        let left = i32::from(self.left);
        let guess = zero_window::north_south_tricks(&self.board.start, self.leader, left);
        let tricks = most_tricks(left, guess, |need| {
            let proof = self.proof(need);
            self.search.finished()?;
            Ok(proof.reached)
        })?;
        // Of North and South.
        Ok(match is_north_south(self.seat) {
            true => tricks,
            false => left - tricks,
        } as u8)
    }

    /// Whether North and South take at least `need` of the tricks left, from
    /// another state of the board.
    pub fn reaches(&mut self, state: State, need: i32) -> Result<Proof, SolveError> {
        self.search.start_from(state);
        let proof = self.proof(need);
        self.search.finished()?;
        Ok(proof)
    }

    fn proof(&mut self, need: i32) -> Proof {
        let left = i32::from(self.left);
        match &self.trick {
            None => self.search.lead(self.leader, need, left),
            Some(trick) => match self.played {
                1 => self.search.follow::<1>(*trick, need, left),
                2 => self.search.follow::<2>(*trick, need, left),
                _ => self.search.follow::<3>(*trick, need, left),
            },
        }
    }

    /// Whether the side to play takes at least `target` tricks with one card, and the
    /// cards of which the same is then known.
    pub fn takes(&mut self, card: u64, target: u8) -> Result<(bool, u64), SolveError> {
        if target == 0 {
            return Ok((true, u64::MAX));
        }
        let mine = is_north_south(self.seat);
        let need = if mine { target } else { self.left - target + 1 };
        let proof = self.play(card, i32::from(need));
        self.search.finished()?;
        Ok((proof.reached == mine, alike(card, proof.ranks)))
    }

    /// The cards to choose from.
    pub fn cards(&self) -> Vec<RootCard> {
        let State { hands, all, .. } = self.board.start;
        let hand = hands[self.seat];
        let pool = match &self.trick {
            Some(trick) if hand & trick.led_mask != 0 => hand & trick.led_mask,
            _ => hand,
        };
        let mut found = Vec::new();
        for suit in 0..4 {
            let held = pool & suit_mask(suit);
            let others = all & suit_mask(suit) & !held;
            let mut tops = Vec::new();
            for_each_run(held, others, |card| tops.push(card));
            for (n, &top) in tops.iter().enumerate() {
                let below = tops.get(n + 1).copied().unwrap_or(0);
                let mut rest = held & (top - 1) & !(below | below.saturating_sub(1));
                let mut equals = Holding::EMPTY;
                while rest != 0 {
                    let low = rest & rest.wrapping_neg();
                    if let Some(card) = self.board.card(low) {
                        equals.insert(card.rank);
                    }
                    rest ^= low;
                }
                if let Some(card) = self.board.card(top) {
                    found.push(RootCard {
                        bit: top,
                        card,
                        equals,
                    });
                }
            }
        }
        found
    }

    fn play(&mut self, card: u64, need: i32) -> Proof {
        let left = i32::from(self.left);
        let search = &mut self.search;
        match (&self.trick, self.played) {
            (None, _) => search.play_lead(self.leader, card, need, left),
            (Some(trick), 1) => search.play_follow::<1>(trick, card, need, left),
            (Some(trick), 2) => search.play_follow::<2>(trick, card, need, left),
            (Some(trick), _) => search.play_follow::<3>(trick, card, need, left),
        }
    }
}
