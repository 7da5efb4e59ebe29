//! One position being asked about: the way from tricks for a side to answers
//! of the search, and back.

use setrograde_cards::{Holding, Position};

use crate::board::{Board, is_north_south};
use crate::error::SolveError;
use crate::guess;
use crate::lanes::suit_mask;
use crate::moves::for_each_run;
use crate::search::{Proof, Search};
use crate::solution::CardTricks;
use crate::trick::Trick;

/// A position with a search set up for it.
pub(crate) struct Question<'a> {
    search: Search<'a>,
    board: Board,
    /// The trick under way; `None` at its start.
    trick: Option<Trick>,
    /// How many cards are on the trick.
    played: usize,
    /// Who led or leads to the trick.
    leader: usize,
    /// Who is to play.
    seat: usize,
    left: u8,
}

impl<'a> Question<'a> {
    /// The question about `position`, whose board is `board`.
    pub fn new(position: &Position, board: Board, search: Search<'a>) -> Question<'a> {
        let mut trick: Option<Trick> = None;
        for (seat, card) in position.trick().plays() {
            let bit = board.bit(card);
            trick = Some(match trick {
                None => Trick::new(seat.index(), bit),
                Some(trick) => trick.with(seat.index(), bit, board.trumps),
            });
        }
        Question {
            search,
            trick,
            played: position.played().len(),
            leader: position.leader().index(),
            seat: position.to_play().index(),
            left: position.tricks_left() as u8,
            board,
        }
    }

    /// Nodes searched so far, by tricks left.
    pub fn visits(&self) -> [u64; 14] {
        self.search.visits
    }

    /// The most tricks that the side to play can take.
    pub fn tricks(&mut self) -> Result<u8, SolveError> {
        let left = i32::from(self.left);
        let north_south = guess::north_south_tricks(&self.board, self.leader, left);
        let guess = if is_north_south(self.seat) {
            north_south
        } else {
            left - north_south
        };
        self.bisect(guess as u8, |question, need| match &question.trick {
            None => question
                .search
                .lead(question.leader, need, i32::from(question.left)),
            Some(trick) => {
                let (trick, left) = (*trick, i32::from(question.left));
                match question.played {
                    1 => question.search.follow::<1>(trick, need, left),
                    2 => question.search.follow::<2>(trick, need, left),
                    _ => question.search.follow::<3>(trick, need, left),
                }
            }
        })
    }

    /// The tricks that the side to play takes with one card.
    pub fn tricks_with(&mut self, card: u64, guess: u8) -> Result<u8, SolveError> {
        self.bisect(guess, |question, need| question.play(card, need))
    }

    /// Whether the side to play takes at least `target` tricks with one card.
    pub fn takes(&mut self, card: u64, target: u8) -> Result<bool, SolveError> {
        if target == 0 {
            return Ok(true);
        }
        let mine = is_north_south(self.seat);
        let need = if mine { target } else { self.left - target + 1 };
        let proof = self.play(card, i32::from(need));
        self.search.finished()?;
        Ok(proof.reached == mine)
    }

    /// The cards to choose from, as bits and with their equals.
    pub fn cards(&self) -> Vec<(u64, CardTricks)> {
        let hand = self.search.hands[self.seat];
        let pool = match &self.trick {
            Some(trick) if hand & trick.led_mask != 0 => hand & trick.led_mask,
            _ => hand,
        };
        let mut found: Vec<(u64, CardTricks)> = Vec::new();
        for suit in 0..4 {
            let held = pool & suit_mask(suit);
            let others = self.search.all & suit_mask(suit) & !held;
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
                    found.push((
                        top,
                        CardTricks {
                            card,
                            equals,
                            tricks: 0,
                        },
                    ));
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

    /// Closes in on the tricks of the side to play with searches that ask
    /// whether North and South take so many.
    fn bisect(
        &mut self,
        guess: u8,
        mut ask: impl FnMut(&mut Self, i32) -> Proof,
    ) -> Result<u8, SolveError> {
        let left = i32::from(self.left);
        let mine = is_north_south(self.seat);
        let turn = |tricks: i32| if mine { tricks } else { left - tricks };
        let (mut low, mut high) = (0, left);
        let mut guess = turn(i32::from(guess)).clamp(0, left);
        while low < high {
            let need = if guess == low { guess + 1 } else { guess };
            let reached = ask(self, need).reached;
            self.search.finished()?;
            if reached {
                low = need;
            } else {
                high = need - 1;
            }
            guess = need - i32::from(!reached);
        }
        Ok(turn(low) as u8)
    }
}
