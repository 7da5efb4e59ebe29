//! The oracle: proofs about sets of endings, one abstract trick deep.
//!
//! A proof says "this side takes at least *t* tricks in every ending of the set". Its side picks
//! its moves; the other side's moves must all be covered. A hand's moves are its known cards, one
//! for each run of adjacent cards, and "an x" in each suit where it has any. When x's of several
//! hands compete for the trick, each of them may win, and the claim must hold in every case. After
//! a finished trick, the level below gives a bound over the remaining set of endings. The oracle is
//! sound but not complete: if a proof fails, one more card must be known. On a single ending it is
//! exact.
//!
//! "Setrograde analysis" (2024), section 3.3 and Algorithm 3, `ORACLE`.

pub(crate) mod abstract_trick;
pub(crate) mod bookmarks;
pub(crate) mod bound_query;
pub(crate) mod stored_level;
pub(crate) mod top_set;

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::{Partition, Shape};
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::Error;

use abstract_trick::{AbstractTrick, CardMask, KnownCards, playable, trump_cards};
use bookmarks::{Bookmarks, Moment, TrickKey};
use bound_query::{Blame, Bound, BoundQuery, OPEN, Question};
use top_set::TopSet;

use crate::counts::ShardCounts;

/// The solved level below.
pub(crate) trait LevelBelow {
    /// The diagram of a partition of that level.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error>;
}

/// Proves bounds on sets of one partition at a time.
pub(crate) struct Oracle<'a, L> {
    below: &'a L,
    pub(crate) level: u8,
    lengths: [SuitLengths; 4],
    /// All cards of the trump suit, the first; none if there is none.
    trumps: CardMask,
    /// The query for the endings after a trick, by the four suits played and the winner; `None`
    /// until its first use.
    after: Box<[Option<BoundQuery<'a>>; 1 << 10]>,
    /// The indices of the entries of `after` that are set.
    found: Vec<usize>,
    blame: Blame,
    /// By the claim's side, the hand and the suit led (0 for the leader): the card
    /// that decided last in this partition.
    decided: [[[CardMask; 4]; 4]; 2],
    /// The bookmarks of look-ups for the enclosing sets.
    bookmarks: Bookmarks,
    /// The known cards of the set that was split last. Every later set has them, and bookmarks
    /// are stored for it.
    around: KnownCards,
    /// The reason why the level below could not answer.
    failure: Option<Error>,
    /// The proofs and the look-ups.
    pub(crate) counts: ShardCounts,
}

impl<'a, L: LevelBelow> Oracle<'a, L> {
    /// An oracle over the level below `level` (1..=13).
    pub(crate) fn new(below: &'a L, level: usize) -> Oracle<'a, L> {
        Oracle {
            below,
            level: level as u8,
            lengths: [SuitLengths::EMPTY; 4],
            trumps: 0,
            after: Box::new([const { None }; 1 << 10]),
            found: Vec::new(),
            blame: 0,
            decided: [[[0; 4]; 4]; 2],
            bookmarks: Bookmarks::new(),
            around: 0,
            failure: None,
            counts: ShardCounts::default(),
        }
    }

    /// Switches to another partition.
    pub(crate) fn enter(&mut self, partition: Partition) {
        self.lengths = partition.shape.lengths;
        self.trumps = trump_cards(partition.trump);
        for at in self.found.drain(..) {
            self.after[at] = None;
        }
        self.decided = [[[0; 4]; 4]; 2];
        self.bookmarks.forget_since(0);
        self.around = 0;
    }

    /// Enters the cases of `set`, until [`leave`](Self::leave) is called with the returned moment.
    pub(crate) fn split(&mut self, set: &TopSet) -> Moment {
        self.around = set.known();
        self.bookmarks.now()
    }

    /// Leaves the cases that [`split`](Self::split) entered at this moment.
    pub(crate) fn leave(&mut self, moment: Moment) {
        self.bookmarks.forget_since(moment);
    }

    /// Takes the reason why the level below could not answer. If there is one, all proofs in this
    /// partition are void.
    pub(crate) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Narrows the bounds `lo..=hi` over a set as far as proofs reach. Returns
    /// the bounds and, if they still differ, the suits to blame.
    ///
    /// `favoured` is a hand whose side's claims are tried first: where they
    /// hold, the other side's need not be tried. With `only_favoured`, the other side's are tried
    /// only if the failed ones blame no suit.
    pub(crate) fn bound(
        &mut self,
        set: &TopSet,
        favoured: usize,
        only_favoured: bool,
        mut lo: u8,
        mut hi: u8,
    ) -> (u8, u8, Blame) {
        if lo == hi {
            return (lo, hi, 0);
        }
        let mut blame = 0;
        for side in [favoured & 1, !favoured & 1] {
            if only_favoured && blame & !OPEN != 0 {
                break;
            }
            while lo < hi {
                let tricks = if side == 0 {
                    lo + 1
                } else {
                    self.level + 1 - hi
                };
                self.blame = 0;
                let holds = self.proves(set, side, tricks);
                if !holds && self.blame != 0 {
                    blame |= self.blame;
                    break;
                }
                // A claim that failed without blame is false in every ending of the set, so the
                // other side's bound is proved.
                match (side == 0, holds) {
                    (true, true) => lo += 1,
                    (true, false) => hi = lo,
                    (false, true) => hi -= 1,
                    (false, false) => lo = hi,
                }
            }
        }
        (lo, hi, blame)
    }

    /// Returns true if all endings of the set provably have this value. The claim of the side of
    /// hand `doubtful` (0 or 1) is tried first; if the other side's claim fails, that side becomes
    /// `doubtful`.
    pub(crate) fn confirms(&mut self, set: &TopSet, value: u8, doubtful: &mut usize) -> bool {
        for side in [*doubtful, 1 - *doubtful] {
            let tricks = if side == 0 { value } else { self.level - value };
            if tricks > 0 && !self.proves(set, side, tricks) {
                *doubtful = side;
                return false;
            }
        }
        true
    }

    /// Returns true if the side of hand `side` (0 or 1) takes at least `tricks` in every
    /// ending of the set, as far as proofs reach.
    fn proves(&mut self, set: &TopSet, side: usize, tricks: u8) -> bool {
        self.counts.proofs += 1;
        if side == 0 {
            self.first_hand::<0>(set, tricks)
        } else {
            self.first_hand::<1>(set, tricks)
        }
    }

    /// Continues [`proves`](Self::proves) with hand 0 to lead.
    fn first_hand<const SIDE: usize>(&mut self, set: &TopSet, tricks: u8) -> bool {
        self.some::<SIDE, 0>(set.moves()[0], 0, |oracle, card| {
            let trick = AbstractTrick::led(set.known(), card, oracle.trumps);
            oracle.second_hand::<SIDE>(set, &trick, tricks)
        })
    }

    /// Continues with hands 1 to 3 still to play.
    fn second_hand<const SIDE: usize>(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        tricks: u8,
    ) -> bool {
        let moves = playable(set.moves()[1], trick.suit_led());
        self.some::<SIDE, 1>(moves, trick.suits, |oracle, card| {
            let next = trick.with(1, card, oracle.trumps);
            oracle.third_hand::<SIDE>(set, &next, tricks)
        })
    }

    /// Continues with hands 2 and 3 still to play.
    fn third_hand<const SIDE: usize>(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        tricks: u8,
    ) -> bool {
        let moves = playable(set.moves()[2], trick.suit_led());
        self.some::<SIDE, 2>(moves, trick.suits, |oracle, card| {
            let next = trick.with(2, card, oracle.trumps);
            oracle.last_hand::<SIDE>(set, &next, tricks)
        })
    }

    fn last_hand<const SIDE: usize>(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        tricks: u8,
    ) -> bool {
        let moves = playable(set.moves()[3], trick.suit_led());
        self.some::<SIDE, 3>(moves, trick.suits, |oracle, card| {
            oracle.holds_after::<SIDE>(set, &trick.with(3, card, oracle.trumps), tricks)
        })
    }

    /// Returns true if a claim of `SIDE` holds when `HAND` is to play one of `cards` after these
    /// `suits`. It calls `holds` for each card until one decides, and starts with the card that
    /// decided last, which saves a fifth to a third of the look-ups.
    #[inline]
    fn some<const SIDE: usize, const HAND: usize>(
        &mut self,
        mut cards: CardMask,
        suits: u8,
        mut holds: impl FnMut(&mut Self, CardMask) -> bool,
    ) -> bool {
        let prover = HAND & 1 == SIDE;
        let led = usize::from(suits & 3);
        let mut card = match cards & self.decided[SIDE][HAND][led] {
            0 => top(cards),
            decided => decided,
        };
        while cards != 0 {
            if holds(self, card) == prover {
                self.decided[SIDE][HAND][led] = card;
                return prover;
            }
            cards ^= card;
            card = top(cards);
        }
        !prover
    }

    fn holds_after<const SIDE: usize>(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        tricks: u8,
    ) -> bool {
        let mut winners = trick.winners;
        let sure = winners.is_power_of_two();
        while winners != 0 {
            let winner = winners.trailing_zeros() as usize;
            winners &= winners - 1;
            if !self.holds_for::<SIDE>(set, trick, winner, tricks) {
                if !sure {
                    self.blame |= 1 << trick.best_suit();
                }
                return false;
            }
        }
        true
    }

    fn holds_for<const SIDE: usize>(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        winner: usize,
        tricks: u8,
    ) -> bool {
        self.counts.lookups += 1;
        // Below, a value counts the tricks of the winner's side.
        let or_more = winner & 1 == SIDE;
        let least = if or_more {
            tricks - 1
        } else {
            self.level - tricks
        };
        if least == 0 {
            return or_more;
        }
        self.holds_below(set, trick, winner, Bound { least, or_more })
    }

    /// Returns true if the bound holds for all endings that can follow the trick.
    #[inline(never)]
    fn holds_below(
        &mut self,
        set: &TopSet,
        trick: &AbstractTrick,
        winner: usize,
        bound: Bound,
    ) -> bool {
        let after = usize::from(trick.suits) << 2 | winner & 3;
        if self.after[after].is_none() {
            self.find_after(trick.suits, winner);
        }
        let query = self.after[after].as_ref().expect("it was found just now");
        let question = Question {
            owners: set.owners(),
            left: trick.left,
            around: self.around,
            bound,
        };
        let key = TrickKey::new(after, self.around & !trick.left);
        let begin = self.bookmarks.get(key);
        let taken = begin.map_or(0, |bookmark| bookmark.taken);
        let (answer, bookmark) = query.answer(&question, begin);
        debug_assert_eq!(answer, query.answer(&question, None).0);
        if bookmark.taken != taken {
            self.bookmarks.remember(key, bookmark);
        }
        match answer {
            Ok(()) => true,
            Err(blame) => {
                self.blame |= blame;
                false
            }
        }
    }

    #[cold]
    fn find_after(&mut self, suits: u8, winner: usize) {
        let mut lengths = self.lengths;
        for hand in 0..4 {
            let suit = usize::from(suits >> (2 * hand) & 3);
            lengths[suit] = lengths[suit].without_one(hand);
        }
        let lengths = lengths.map(|suit_lengths| suit_lengths.seen_from(winner));
        let canonical = Shape { lengths }.canonical((self.trumps != 0).then_some(0));
        let diagram = self
            .below
            .diagram(canonical.partition)
            .unwrap_or_else(|error| {
                self.failure = Some(error);
                Diagram::constant(0)
            });
        let query = BoundQuery::new(diagram, canonical.order, winner);
        let at = usize::from(suits) << 2 | winner & 3;
        self.after[at] = Some(query);
        self.found.push(at);
    }
}

/// The first of the cards, in the order of their bits; none if there are none.
#[inline]
fn top(cards: CardMask) -> CardMask {
    cards & cards.wrapping_neg()
}
