//! `Solver::solve`: the cards of a position and their tricks.

use std::sync::Arc;

use setrograde_cards::{Card, Hand, Holding, Position, Seat, Sorting};

use crate::board::{Board, deal_at_trick_start};
use crate::error::SolveError;
use crate::root::{Root, RootCard};
use crate::solver::Solver;
use crate::state::is_north_south;

/// Target number of tricks of the side to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// As many as it can take.
    Most,
    /// At least this many, the current trick included. A target of 0 is met by every card.
    AtLeast(u8),
}

/// The cards to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// One that meets the target.
    One,
    /// All that meet the target.
    AllBest,
    /// All legal cards, each with its tricks, for any target.
    All,
}

/// A card and its tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CardTricks {
    /// The card: the highest of a run of equivalent cards, between which no other hand has a card.
    pub card: Card,
    /// The lower ones.
    pub equals: Holding,
    /// Tricks for the side to play, the current trick included. With [`Target::AtLeast`] and
    /// without [`Wanted::All`] this is the target, although the card may take more.
    pub tricks: u8,
}

impl CardTricks {
    /// The lower equivalent cards, from the top.
    pub fn equal_cards(&self) -> impl Iterator<Item = Card> + use<> {
        let suit = self.card.suit;
        self.equals.iter().map(move |rank| Card::new(suit, rank))
    }
}

/// The answer to a [`Solver::solve`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Solution {
    /// The seat to play.
    pub seat: Seat,
    /// The requested cards: the most tricks first, then spades first, each suit high to low. Empty
    /// if the target cannot be met.
    pub cards: Vec<CardTricks>,
}

impl Solver {
    /// The cards of the seat to play that meet a target.
    ///
    /// # Errors
    ///
    /// If the position is finished or the target exceeds the tricks left, if
    /// the search was cancelled, and if the database fails.
    pub fn solve(
        &mut self,
        position: &Position,
        target: Target,
        wanted: Wanted,
    ) -> Result<Solution, SolveError> {
        check(position, target)?;
        let seat = position.to_play();
        let board = Board::new(position);
        let mut root = self.root(position, &board);
        let mut choices = root.cards(position);
        let mut cards = ask(&mut root, &mut choices, target, wanted)?;
        cards.in_order_by_key(|card| {
            (
                u8::MAX - card.tricks,
                card.card.suit,
                u8::MAX - card.card.rank.value(),
            )
        });
        Ok(Solution { seat, cards })
    }

    /// The first card of an order that meets a target; `None` if none does.
    ///
    /// `order` has the card of each of the [`choices`](crate::choices()) of the position; missing
    /// cards come last. No card is searched twice, and none after the one that is returned, so this
    /// is faster than [`solve`](Self::solve) with [`Wanted::AllBest`].
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn first_of(
        &mut self,
        position: &Position,
        target: Target,
        order: &[Card],
    ) -> Result<Option<CardTricks>, SolveError> {
        check(position, target)?;
        let board = Board::new(position);
        let mut root = self.root(position, &board);
        let mut cards = root.cards(position);
        cards.in_order_by_key(|card| {
            let index = order.iter().position(|&other| other == card.choice.card);
            index.unwrap_or(order.len())
        });
        first(&mut root, &mut cards, target)
    }
}

/// Returns an error if the position is finished or the target exceeds the tricks left.
fn check(position: &Position, target: Target) -> Result<(), SolveError> {
    let left = position.tricks_left() as u8;
    match target {
        _ if left == 0 => Err(SolveError::NoCards),
        Target::AtLeast(target) if target > left => Err(SolveError::TargetTooHigh { target, left }),
        _ => Ok(()),
    }
}

fn ask(
    root: &mut Root<'_>,
    cards: &mut [RootCard],
    target: Target,
    wanted: Wanted,
) -> Result<Vec<CardTricks>, SolveError> {
    match wanted {
        Wanted::One => Ok(first(root, cards, target)?.into_iter().collect()),
        Wanted::AllBest => {
            let target = match target {
                Target::Most => root.best(cards)?,
                Target::AtLeast(target) => target,
            };
            let mut found = Vec::new();
            for index in 0..cards.len() {
                if root.takes(cards, index, target)? {
                    found.push(cards[index].choice.with_tricks(target));
                }
            }
            Ok(found)
        }
        Wanted::All => every_card(root, cards),
    }
}

/// The first of the cards that meets a target.
fn first(
    root: &mut Root<'_>,
    cards: &mut [RootCard],
    target: Target,
) -> Result<Option<CardTricks>, SolveError> {
    let target = match target {
        Target::Most => root.best(cards)?,
        Target::AtLeast(target) => target,
    };
    let found = root.first(cards, target)?;
    Ok(found.map(|index| cards[index].choice.with_tricks(target)))
}

/// All cards, each with its tricks. All cards are tested for the tricks of the best, then the rest
/// for one trick fewer, and so on: each search helps the next.
fn every_card(root: &mut Root<'_>, cards: &mut [RootCard]) -> Result<Vec<CardTricks>, SolveError> {
    let mut tricks = root.best(cards)?;
    let mut open: Vec<usize> = (0..cards.len()).collect();
    let mut found = Vec::new();
    loop {
        let mut rest = Vec::new();
        for index in open {
            if root.takes(cards, index, tricks)? {
                found.push(cards[index].choice.with_tricks(tricks));
            } else {
                rest.push(index);
            }
        }
        if rest.is_empty() {
            return Ok(found);
        }
        open = rest;
        tricks -= 1;
    }
}

// `Solver::analyse`: a played deal, card by card.

/// The tricks that both sides could still take at each point of a play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Analysis {
    leader: Seat,
    total: u8,
    tricks: Vec<u8>,
}

impl Analysis {
    /// Returns, for the start and after each card of the play, the total number of tricks from the
    /// start that the side of `seat` takes if play continues without a mistake.
    pub fn tricks(&self, seat: Seat) -> impl ExactSizeIterator<Item = u8> + '_ {
        let leaders = seat.distance_from(self.leader).is_multiple_of(2);
        self.tricks
            .iter()
            .map(move |&tricks| if leaders { tricks } else { self.total - tricks })
    }
}

impl Solver {
    /// The tricks after every card of a play that starts from `start`.
    ///
    /// # Errors
    ///
    /// If a card of the play cannot be played, if the search was cancelled, and
    /// if the database fails.
    pub fn analyse(&mut self, start: &Position, play: &[Card]) -> Result<Analysis, SolveError> {
        let leader = start.leader();
        let mut position = *start;
        // Tricks that the leader's side has won.
        let mut won = 0;
        let mut tricks = Vec::with_capacity(play.len() + 1);
        tricks.push(self.tricks(start)?);
        for (index, &card) in play.iter().enumerate() {
            let next = position
                .play(card)
                .map_err(|source| SolveError::IllegalCard { index, source })?;
            if next.is_trick_boundary() && next.leader().distance_from(leader) % 2 == 0 {
                won += 1;
            }
            position = next;
            let rest = self.tricks(&position)?;
            let same = position.leader().distance_from(leader).is_multiple_of(2);
            tricks.push(
                won + if same {
                    rest
                } else {
                    position.tricks_left() as u8 - rest
                },
            );
        }
        Ok(Analysis {
            leader,
            total: start.tricks_left() as u8,
            tricks,
        })
    }
}

// `Solver::reaches`: whether a side takes a number of tricks, and which cards
// prove it.

/// The answer to a [`Solver::reaches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Reach {
    /// True if the tricks are taken.
    pub reached: bool,
    /// The cards whose ranks mattered. The answer is the same in every position with the same suit
    /// lengths in which these cards, and all higher ones of their suits, have the same owners.
    pub cards: Hand,
}

impl Solver {
    /// Returns whether the side of the seat that led or leads to the current trick takes at least
    /// `tricks` of those not finished yet.
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

    /// The board of the deal that the position belongs to: the last one if it may
    /// be.
    fn board_for(&mut self, position: &Position) -> Arc<Board> {
        let position_deal = deal_at_trick_start(position);
        if let Some((deal, strain, board)) = &self.board
            && *strain == position.strain()
            && Seat::ALL
                .iter()
                .all(|&seat| (position_deal.hand(seat) - deal.hand(seat)).is_empty())
        {
            return Arc::clone(board);
        }
        let board = Arc::new(Board::from_deal(position.strain(), &position_deal));
        self.board = Some((position_deal, position.strain(), Arc::clone(&board)));
        board
    }
}
