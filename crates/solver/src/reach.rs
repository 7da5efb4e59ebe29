//! `Solver::reaches`: whether a side takes a number of tricks, and which cards
//! prove it.

use std::sync::Arc;

use setrograde_cards::{Hand, Position, Seat, Suit};

use crate::board::{Board, deal_at_trick_start};
use crate::error::SolveError;
use crate::solver::Solver;
use crate::state::is_north_south;

/// The answer to a [`Solver::reaches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Whether the tricks are taken.
    pub reached: bool,
    /// The cards whose ranks mattered. The answer is the same in every position
    /// with the same suit lengths in which these cards, and all higher ones of
    /// their suits, lie alike.
    pub cards: Hand,
}

impl Solver {
    /// Whether the side of the seat that led or leads to the current trick takes
    /// at least `tricks` of those not finished yet.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, and if the database fails.
    pub fn reaches(&mut self, position: &Position, tricks: u8) -> Result<Reach, SolveError> {
        let left = position.tricks_left() as u8;
        if tricks == 0 || tricks > left {
            return Ok(Reach {
                reached: tricks == 0,
                cards: Hand::EMPTY,
            });
        }
        let board = self.board_for(position);
        let mine = is_north_south(position.leader().index());
        let need = if mine { tricks } else { left - tricks + 1 };
        let state = board.state(position);
        let proof = self
            .root(position, &board)
            .reaches(state, i32::from(need))?;
        let mut ranks = proof.ranks;
        let bits = std::iter::from_fn(|| {
            let low = ranks & ranks.wrapping_neg();
            ranks ^= low;
            (low != 0).then_some(low)
        });
        Ok(Reach {
            reached: proof.reached == mine,
            cards: bits.filter_map(|bit| board.card(bit)).collect(),
        })
    }

    /// The number of deals that share the proof that a position at the start of a trick
    /// is worth `tricks`: those with the same suit lengths in which the cards that
    /// mattered, and all higher ones of their suits, lie alike.
    ///
    /// # Errors
    ///
    /// As [`reaches`](Self::reaches).
    pub fn deals_with_proof(
        &mut self,
        position: &Position,
        tricks: u8,
    ) -> Result<u128, SolveError> {
        let mut mattered = Hand::EMPTY;
        for target in [tricks, tricks + 1] {
            mattered |= self.reaches(position, target)?.cards;
        }
        let mut deals = 1;
        for suit in Suit::ALL {
            let lowest = mattered.suit(suit).iter().min();
            let mut placed = 0;
            for hand in position.deal().hands() {
                let free = hand
                    .suit(suit)
                    .iter()
                    .filter(|card| lowest.is_none_or(|lowest| *card < lowest));
                // The ways to choose this hand's free cards among those placed so far.
                for chosen in 1..=free.count() as u128 {
                    placed += 1;
                    deals = deals * placed / chosen;
                }
            }
        }
        Ok(deals)
    }

    /// The board of the deal that the position belongs to: the last one if it may
    /// be.
    fn board_for(&mut self, position: &Position) -> Arc<Board> {
        let position_deal = deal_at_trick_start(position);
        if let Some((deal, strain, board)) = &self.board
            && *strain == position.strain()
            && Seat::ALL
                .iter()
                .all(|&seat| position_deal.hand(seat).is_subset(deal.hand(seat)))
        {
            return Arc::clone(board);
        }
        let board = Arc::new(Board::from_deal(position.strain(), &position_deal));
        self.board = Some((position_deal, position.strain(), Arc::clone(&board)));
        board
    }
}
