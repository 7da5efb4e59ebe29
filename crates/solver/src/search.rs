//! The search: can North and South take a given number of the remaining tricks?
//!
//! Every answer comes with the cards that mattered, so the answer can be stored for all positions
//! in which these cards have the same owners. A claim is proved by one side: North and South if the
//! answer is yes, East and West if it is no. A card matters if it wins a trick over another card of
//! the same suit for the side that the proof is about.

use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::{PackedOwners, TopCards};
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_parallel::Stop;

use crate::board::Board;
use crate::endgames::Endgames;
use crate::error::SolveError;
use crate::lanes::{alike, counts, from_lowest_up, highest, suit_mask, suit_of};
use crate::moves::cutoffs::{Cutoffs, Sight};
use crate::moves::lead_order::Hints;
use crate::moves::list::{Moves, is_one_run, lowest_of_last_run, top_of_run};
use crate::moves::{follow_order, lead_order};
use crate::proofs::{later_tricks, quick_tricks};
use crate::shared_result::SharedResult;
use crate::state::{State, Trick, is_north_south, suit_lengths};
use crate::transposition::{Miss, Transposition, key};

#[cfg(feature = "open-search")]
pub(crate) mod open;

/// An answer and the cards that prove it.
///
/// In each suit only the lowest of them counts: all cards above it matter, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// True if North and South take the tricks.
    pub reached: bool,
    /// The cards that matter.
    pub ranks: u64,
}

impl Proof {
    #[inline]
    const fn new(reached: bool, ranks: u64) -> Proof {
        Proof { reached, ranks }
    }
}

/// A question that must be searched: its slot in the table, and the lead to try first.
pub(crate) struct OpenQuestion {
    key: u64,
    owners: PackedOwners,
    miss: Miss,
}

/// A search on one board.
pub(crate) struct Search<'a> {
    state: State,
    board: &'a Board,
    table: &'a mut Transposition,
    cutoffs: &'a mut Cutoffs,
    endgames: Option<&'a dyn Endgames>,
    /// Tricks left from which on `endgames` is asked; 0 if there is none.
    depth: i32,
    /// Tricks left from which on it is asked before anything else.
    exact: i32,
    stop: &'a Stop,
    /// The result that is searched, if another thread may find it first.
    result: Option<&'a SharedResult>,
    /// Counts visits, to know a long search.
    clock: u32,
    /// The visits at the last check of `stop` and `result`.
    looked: u32,
    /// The reason why the search has stopped; then its answers mean nothing.
    failure: Option<SolveError>,
    /// Arrivals at the start of a trick that the number of tricks left does not decide, by that
    /// number.
    visits: &'a mut [u64; 14],
    killers: [[u64; 4]; 16],
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        board: &'a Board,
        table: &'a mut Transposition,
        cutoffs: &'a mut Cutoffs,
        visits: &'a mut [u64; 14],
        endgames: Option<&'a dyn Endgames>,
        stop: &'a Stop,
    ) -> Search<'a> {
        Search {
            state: board.start,
            board,
            table,
            cutoffs,
            endgames,
            depth: endgames.map_or(0, |endgames| endgames.max_tricks() as i32),
            exact: endgames.map_or(0, |endgames| endgames.exact_tricks() as i32),
            stop,
            result: None,
            clock: 0,
            looked: 0,
            // A short search never looks again.
            failure: stop.is_due().then_some(SolveError::Cancelled),
            visits,
            killers: [[0; 4]; 16],
        }
    }

    /// Starts from another state of the board.
    pub(crate) fn start_from(&mut self, state: State) {
        self.state = state;
    }

    /// Stops as if cancelled once `result` is known.
    pub(crate) fn stop_when_known(&mut self, result: &'a SharedResult) {
        self.result = Some(result);
    }

    /// Returns an error if the search has stopped and its answers mean nothing.
    pub(crate) fn finished(&mut self) -> Result<(), SolveError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// The lowest of the `known` top cards of each suit.
    #[inline]
    fn ranks_of(&self, known: TopCards) -> u64 {
        let mut ranks = 0;
        for suit in 0..4 {
            let known = known.of_suit(suit);
            if known != 0 {
                let mut cards = self.state.all & suit_mask(suit);
                for _ in 1..known {
                    cards &= !(1 << (cards | 1).ilog2());
                }
                ranks |= 1 << (cards | 1).ilog2();
            }
        }
        ranks
    }

    /// The hands, one bit each, other than its owner that could have the lowest of the
    /// `known` top cards of a suit: those with a lower card of the suit.
    #[inline]
    fn other_owners(&self, suit: usize, known: usize) -> u32 {
        let mut below = self.state.all & suit_mask(suit);
        let mut card = 0;
        for _ in 0..known {
            card = highest(below);
            below ^= card;
        }
        (0..4)
            .filter(|&hand| {
                let hand = self.state.hands[hand];
                hand & card == 0 && hand & below != 0
            })
            .fold(0, |hands, hand| hands | 1 << hand)
    }

    /// Returns the number of top cards of each suit down to the lowest of `ranks`.
    #[inline]
    fn known(&self, ranks: u64) -> TopCards {
        let counts = counts(self.state.all & from_lowest_up(ranks));
        TopCards::from_bits((counts | counts >> 12 | counts >> 24 | counts >> 36) as u16)
    }

    /// Returns whether North and South take at least `need` of the `left` tricks when `leader` is
    /// to lead.
    pub(crate) fn lead(&mut self, leader: usize, need: i32, left: i32) -> Proof {
        match self.glance(leader, need, left) {
            Ok(proof) => proof,
            Err(open) => self.lead_out(leader, need, left, &open),
        }
    }

    /// The answer to the same question if it is known without a search.
    #[expect(
        clippy::inline_always,
        reason = "one of its two callers is at every node"
    )]
    #[inline(always)]
    pub(crate) fn glance(
        &mut self,
        leader: usize,
        need: i32,
        left: i32,
    ) -> Result<Proof, OpenQuestion> {
        if need <= 0 {
            return Ok(Proof::new(true, 0));
        }
        if need > left {
            return Ok(Proof::new(false, 0));
        }
        if left == 1 {
            return Ok(self.last_trick(leader));
        }
        if let Some(visits) = self.visits.get_mut(left as usize) {
            *visits += 1;
        }
        self.clock = self.clock.wrapping_add(1);
        let mine = is_north_south(leader);
        let goal = if mine { need } else { left - need + 1 };
        let mut open = None;
        if left <= self.depth {
            let missed = match self.probe(leader, need, left) {
                Err(missed) => missed,
                proof => return proof,
            };
            open = if left <= self.exact {
                match self.ask(leader, need, goal, left, missed) {
                    Err(open) => Some(open),
                    proof => return proof,
                }
            } else {
                Some(missed)
            };
        }
        if let Some(ranks) = quick_tricks::reaches(&self.state, leader, goal) {
            return Ok(Proof::new(mine, ranks));
        }
        if let Some(ranks) = later_tricks::reaches(&self.state, leader, left + 1 - goal) {
            return Ok(Proof::new(!mine, ranks));
        }
        match open {
            Some(open) if left > self.exact => self.ask(leader, need, goal, left, open),
            Some(open) => Err(open),
            None => self.probe(leader, need, left),
        }
    }

    /// The answer of the table, or the open question to be searched.
    #[inline]
    fn probe(&mut self, leader: usize, need: i32, left: i32) -> Result<Proof, OpenQuestion> {
        let key = key(self.state.shape, leader, left as u32);
        let owners = self.board.owners(self.state.all);
        match self.table.probe(key, &owners, need as u32) {
            Ok(hit) => Ok(Proof::new(hit.reached, self.ranks_of(hit.known))),
            Err(miss) => Err(OpenQuestion { key, owners, miss }),
        }
    }

    /// The answer of the endgame database to a question that the table leaves open, or the question
    /// to be searched.
    fn ask(
        &mut self,
        leader: usize,
        need: i32,
        goal: i32,
        left: i32,
        open: OpenQuestion,
    ) -> Result<Proof, OpenQuestion> {
        let OpenQuestion { key, owners, miss } = open;
        let strain = match self.state.trumps {
            0 => Strain::NoTrump,
            _ => Strain::Trump(Suit::Clubs),
        };
        let lengths =
            [0, 1, 2, 3].map(|suit| SuitLengths::from_bits(suit_lengths(self.state.shape, suit)));
        let ending = Ending::from_packed(strain, Seat::from_index(leader), lengths, owners);
        let mine = is_north_south(leader);
        let asked = self.endgames.map(|endgames| match ending {
            Ok(ending) => endgames.verdict(&ending, goal as u8),
            Err(error) => Err(error.into()),
        });
        match asked {
            Some(Ok(Some(Verdict { reached, known }))) => {
                let reached = reached == mine;
                let (lo, hi) = if reached { (need, left) } else { (0, need - 1) };
                self.table
                    .store(key, &miss, &owners, known, (lo as u32, hi as u32), 0);
                Ok(Proof::new(reached, self.ranks_of(known)))
            }
            Some(Err(error)) => {
                self.failure.get_or_insert(SolveError::Endgames(error));
                Ok(Proof::new(false, 0))
            }
            Some(Ok(None)) | None => Err(OpenQuestion { key, owners, miss }),
        }
    }

    /// The answer by search.
    fn lead_out(&mut self, leader: usize, need: i32, left: i32, open: &OpenQuestion) -> Proof {
        if self.stopped() {
            return Proof::new(false, 0);
        }
        let mut moves = Moves::new();
        let hints = self.hints(leader, left, open.miss.hint);
        lead_order::fill(&self.state, &open.owners, leader, left, &hints, &mut moves);
        let (mut proof, best) = self.try_leads(leader, &mut moves, need, left);
        if self.failure.is_some() {
            return proof;
        }
        let mut known = self.known(proof.ranks);
        // With two tricks left a search is as cheap as a table look-up.
        if left > 2 {
            let wider = self.table.widen(
                open.key,
                &open.miss,
                &open.owners,
                known,
                (need as u32, proof.reached),
                |suit, known| self.other_owners(suit, known),
            );
            if wider != known {
                known = wider;
                proof.ranks = self.ranks_of(known);
            }
        }
        let (lo, hi) = if proof.reached {
            (need, left)
        } else {
            (0, need - 1)
        };
        if best != 0 {
            self.killers[left as usize & 15][leader & 3] = best;
        }
        self.table.store(
            open.key,
            &open.miss,
            &open.owners,
            known,
            (lo as u32, hi as u32),
            best,
        );
        proof
    }

    /// The leads that were best before; `same_shape` is that of a position of the same shape.
    #[inline]
    fn hints(&self, leader: usize, left: i32, same_shape: u64) -> Hints {
        Hints {
            same_shape,
            same_depth: self.killers[left as usize & 15][leader],
            same_hand: self.cutoffs.card(Sight::lead(&self.state, leader)),
            same_side: self.cutoffs.card(Sight::lead_of_side(&self.state, leader)),
            effort: self.clock,
        }
    }

    /// Returns true if the search must stop; checks once in 256 visits.
    #[inline]
    fn stopped(&mut self) -> bool {
        if self.clock.wrapping_sub(self.looked) >= 256 {
            self.looked = self.clock;
            if self.failure.is_none()
                && (self.stop.is_due() || self.result.is_some_and(SharedResult::is_known))
            {
                self.failure = Some(SolveError::Cancelled);
            }
        }
        self.failure.is_some()
    }

    fn try_leads(
        &mut self,
        leader: usize,
        moves: &mut Moves,
        need: i32,
        left: i32,
    ) -> (Proof, u64) {
        let mine = is_north_south(leader);
        let mut ranks = 0;
        let mut dead = 0;
        while let Some(card) = moves.next() {
            if card & dead != 0 {
                continue;
            }
            let proof = self.play_lead(leader, card, need, left);
            if proof.reached == mine {
                self.cutoffs
                    .remember(Sight::lead(&self.state, leader), card);
                self.cutoffs
                    .remember(Sight::lead_of_side(&self.state, leader), card);
                return (proof, card);
            }
            ranks |= proof.ranks;
            dead |= alike(card, proof.ranks);
        }
        (Proof::new(!mine, ranks), 0)
    }

    /// The answer if `leader` leads `card`.
    pub(crate) fn play_lead(&mut self, leader: usize, card: u64, need: i32, left: i32) -> Proof {
        self.state.play(leader, card);
        let proof = self.follow::<1>(Trick::new(leader, card), need, left);
        self.state.take_back(leader, card);
        proof
    }

    /// The answer with `N` cards on the trick.
    pub(crate) fn follow<const N: usize>(&mut self, trick: Trick, need: i32, left: i32) -> Proof {
        let seat = (trick.leader + N) & 3;
        let mine = is_north_south(seat);
        let hand = self.state.hands[seat];
        let held = hand & trick.led_mask;
        let others = self.state.all & !hand;
        if held != 0 && is_one_run(held, others & trick.led_mask) {
            return self.play_follow::<N>(&trick, highest(held), need, left);
        }
        let sight = Sight::follow::<N>(&self.state, &trick, seat);
        let playable = if held != 0 { held } else { hand };
        let mut ranks = 0;
        let mut dead = 0;
        let last = self.cutoffs.card(sight) & playable;
        if last != 0 {
            let suit = suit_mask(suit_of(last));
            let card = top_of_run(last, hand & suit, others & suit);
            let proof = self.play_follow::<N>(&trick, card, need, left);
            if proof.reached == mine {
                return proof;
            }
            ranks = proof.ranks;
            dead = card | alike(card, proof.ranks);
        }
        let mut moves = Moves::new();
        follow_order::fill::<N>(&self.state, &trick, &mut moves);
        while let Some(card) = moves.next() {
            if card & dead != 0 {
                continue;
            }
            let proof = self.play_follow::<N>(&trick, card, need, left);
            if proof.reached == mine {
                self.cutoffs.remember(sight, card);
                return proof;
            }
            ranks |= proof.ranks;
            dead |= alike(card, proof.ranks);
        }
        Proof::new(!mine, ranks)
    }

    /// The answer if the seat to play plays `card` as card number `N`.
    #[inline]
    pub(crate) fn play_follow<const N: usize>(
        &mut self,
        trick: &Trick,
        card: u64,
        need: i32,
        left: i32,
    ) -> Proof {
        let seat = (trick.leader + N) & 3;
        let after = trick.with(seat, card, self.state.trumps);
        self.state.play(seat, card);
        let proof = match N {
            1 => self.follow::<2>(after, need, left),
            2 => self.follow::<3>(after, need, left),
            _ => self.finish_trick(&after, need, left),
        };
        self.state.take_back(seat, card);
        proof
    }

    fn finish_trick(&mut self, trick: &Trick, need: i32, left: i32) -> Proof {
        let winner = trick.winner;
        self.state.all ^= trick.played;
        let mut proof = self.lead(winner, need - i32::from(is_north_south(winner)), left - 1);
        self.state.all ^= trick.played;
        self.add_winner(trick, &mut proof);
        proof
    }

    /// Adds the card that won the trick to what matters, if it won by rank.
    #[inline]
    fn add_winner(&self, trick: &Trick, proof: &mut Proof) {
        let suit = suit_of(trick.best);
        if trick.played & suit_mask(suit) != trick.best {
            proof.ranks |= if proof.reached == is_north_south(trick.winner) {
                trick.best
            } else {
                let held = (self.state.hands[trick.winner] & suit_mask(suit)) | trick.best;
                lowest_of_last_run(trick.best, held, self.state.all, suit)
            };
        }
    }

    fn last_trick(&mut self, leader: usize) -> Proof {
        let mut trick = Trick::new(
            leader,
            self.state.hands[leader] | u64::from(self.state.hands[leader] == 0),
        );
        for n in 1..4 {
            let seat = (leader + n) & 3;
            trick = trick.with(seat, self.state.hands[seat], self.state.trumps);
        }
        let by_rank = trick.played & suit_mask(suit_of(trick.best)) != trick.best;
        Proof {
            reached: is_north_south(trick.winner),
            ranks: if by_rank { trick.best } else { 0 },
        }
    }
}
