//! A search whose cards its caller plays.

use setrograde_cards::{Deal, Strain};
use setrograde_endgame::owners::TopCards;

use super::{Proof, Search};
use crate::board::Board;
use crate::error::SolveError;
use crate::lanes::{highest, suit_mask, suit_of};
use crate::moves::cutoffs::Sight;
use crate::moves::follow_order;
use crate::moves::lead_order;
use crate::moves::list::{Moves, for_each_run, is_one_run, top_of_run};
use crate::solver::Solver;
use crate::state::{State, Trick, with_played};
use crate::transposition::key;

/// A position in the play of a deal, and what the solver has learned about the deal.
///
/// A card is a bit: 16 for each suit, its lowest card the lowest bit, the trump suit last.
pub struct OpenSearch<'a> {
    search: Search<'a>,
}

impl Solver {
    /// Calls `work` with a search at the start of the play of a deal.
    pub fn with_open_search<R>(
        &mut self,
        deal: &Deal,
        strain: Strain,
        work: impl FnOnce(&mut OpenSearch<'_>) -> R,
    ) -> R {
        let board = Board::from_deal(strain, deal);
        let search = self.search(deal, strain, &board);
        work(&mut OpenSearch { search })
    }
}

impl OpenSearch<'_> {
    /// Returns the error that ended the search, if any: its answers then mean nothing.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, and if the database failed.
    pub fn finished(&mut self) -> Result<(), SolveError> {
        self.search.finished()
    }

    /// The cards in play at the start of the trick.
    pub fn all(&self) -> u64 {
        self.search.state.all
    }

    /// The suit lengths: 4 bits each, hand by hand within suit by suit.
    pub fn shape(&self) -> u64 {
        self.search.state.shape
    }

    /// At the start of a trick, the owners of each suit's cards: 2 bits each, the highest card's
    /// lowest.
    pub fn owners(&self) -> [u32; 4] {
        self.search.board.owners(self.search.state.all).words()
    }

    /// The lowest of the `known` top cards of each suit.
    pub fn ranks_of(&self, known: [u8; 4]) -> u64 {
        self.search.ranks_of(TopCards::new(known))
    }

    /// The number of top cards of each suit down to the lowest of `ranks`.
    pub fn known(&self, ranks: u64) -> [u8; 4] {
        let known = self.search.known(ranks);
        [0, 1, 2, 3].map(|suit| known.of_suit(suit) as u8)
    }

    /// The cards of a hand to try: the highest of each run of equivalent ones.
    pub fn tops_of_runs(&self, seat: usize) -> u64 {
        let state = &self.search.state;
        let (hand, others) = (state.hands[seat], state.all & !state.hands[seat]);
        let mut tops = 0;
        for suit in (0..4).map(suit_mask) {
            for_each_run(hand & suit, others & suit, |card| tops |= card);
        }
        tops
    }

    /// Takes a card out of a hand.
    pub fn play(&mut self, seat: usize, card: u64) {
        self.search.state.play(seat, card);
    }

    /// Puts a card back.
    pub fn take_back(&mut self, seat: usize, card: u64) {
        self.search.state.take_back(seat, card);
    }

    /// Removes the four cards of a trick from those in play, or puts them back.
    pub fn toggle_trick(&mut self, played: u64) {
        self.search.state.all ^= played;
    }

    /// The seat that wins a trick of these cards.
    pub fn winner(&self, leader: usize, played: &[u64; 4]) -> usize {
        trick(&self.search.state, leader, played).map_or(leader, |trick| trick.winner)
    }

    /// Returns whether North and South take the last trick, and the card that matters, if one does.
    pub fn last_trick(&mut self, leader: usize) -> (bool, u64) {
        let Proof { reached, ranks } = self.search.last_trick(leader);
        (reached, ranks)
    }

    /// Adds the card that won a trick to the cards that matter after it, if it won by rank. `reached`
    /// is true if the proof is about the tricks that North and South take.
    pub fn add_winner(&self, leader: usize, played: &[u64; 4], reached: bool, ranks: u64) -> u64 {
        let mut proof = Proof::new(reached, ranks);
        if let Some(trick) = trick(&self.search.state, leader, played) {
            self.search.add_winner(&trick, &mut proof);
        }
        proof.ranks
    }

    /// Returns whether North and South take at least `need` of the `left` tricks, after up to three
    /// cards of the trick.
    pub fn reaches(&mut self, leader: usize, played: &[u64], need: i32, left: i32) -> bool {
        let search = &mut self.search;
        let proof = match trick(&search.state, leader, played) {
            None => search.lead(leader, need, left),
            Some(trick) => {
                with_played!(played.len(), Search::follow(search, trick, need, left))
            }
        };
        proof.reached
    }

    /// Lists the cards to try, one for each run of equals, in the order of the search; returns
    /// their number.
    pub fn moves(&self, leader: usize, played: &[u64], left: i32, list: &mut [u64; 14]) -> usize {
        let search = &self.search;
        let state = &search.state;
        let mut moves = Moves::new();
        let mut first = 0;
        if let Some(trick) = trick(state, leader, played) {
            let seat = (leader + played.len()) & 3;
            let hand = state.hands[seat];
            let others = state.all & !hand;
            let held = hand & trick.led_mask;
            if held != 0 && is_one_run(held, others & trick.led_mask) {
                list[0] = highest(held);
                return 1;
            }
            let playable = if held != 0 { held } else { hand };
            let sight = with_played!(played.len(), Sight::follow(state, &trick, seat));
            let last = search.cutoffs.card(sight) & playable;
            if last != 0 {
                let suit = suit_mask(suit_of(last));
                first = top_of_run(last, hand & suit, others & suit);
            }
            with_played!(played.len(), follow_order::fill(state, &trick, &mut moves));
        } else {
            let key = key(state.shape, leader, left as u32);
            let hints = search.hints(leader, left, search.table.best_lead(key));
            let owners = search.board.owners(state.all);
            lead_order::fill(state, &owners, leader, left, &hints, &mut moves);
        }
        let mut count = 0;
        let rest = std::iter::from_fn(|| moves.next()).filter(|&card| card != first);
        for card in (first != 0).then_some(first).into_iter().chain(rest) {
            list[count] = card;
            count += 1;
        }
        count
    }
}

/// The trick after these cards; `None` at its start.
fn trick(state: &State, leader: usize, played: &[u64]) -> Option<Trick> {
    let (&lead, more) = played.split_first()?;
    let trick = Trick::new(leader, lead);
    let mut seats = (leader + 1)..;
    Some(more.iter().fold(trick, |trick, &card| {
        trick.with(seats.next().unwrap_or(0) & 3, card, state.trumps)
    }))
}
