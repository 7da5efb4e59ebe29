//! The oracle: proofs about sets of endings, one abstract trick deep.
//!
//! A proof says "this side takes at least so many tricks in every ending of the
//! set". Its side picks its moves; the other side's moves must all be covered.
//! A hand's moves are its known cards, one for each run of adjacent ones, and
//! in each suit where it has any, "an x". When x's of several hands compete for
//! the trick, each of them may be the winner, and the claim must hold for all.
//! Every finished trick asks the level below for a bound over the set of
//! endings that remains. Sound, not complete: where a proof fails, one more
//! card must be known. On a single ending it is exact.
//!
//! "Setrograde analysis" (2024), section 3.3 and Algorithm 3, `ORACLE`.

use setrograde_endgame::diagram::{Diagram, Node, Ref};
use setrograde_endgame::shape::{Column, Shape};
use setrograde_lookup::Error;

use crate::top_set::TopSet;

/// The solved level below.
pub(crate) trait LevelBelow {
    /// The diagram of a canonical shape of that level.
    fn diagram(&self, shape: Shape, trump: bool) -> Result<Diagram<'_>, Error>;
}

/// The suits, as a bit mask, that a failed proof would know more about.
pub(crate) type Blame = u8;

/// Proves bounds on sets of one partition at a time.
pub(crate) struct Oracle<'a, L> {
    below: &'a L,
    level: u8,
    columns: [Column; 4],
    trump: bool,
    /// What follows a trick, by the four suits played and the winner.
    after: Vec<After<'a>>,
    blame: Blame,
    /// Why the level below could not answer.
    failure: Option<Error>,
    /// Proofs tried, and questions asked to the level below.
    pub(crate) counts: OracleCounts,
}

/// How much work an oracle has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OracleCounts {
    /// Proofs tried.
    pub proofs: u64,
    /// Questions to the level below.
    pub lookups: u64,
}

/// The diagram that answers for the endings after a trick.
#[derive(Clone, Copy)]
struct After<'a> {
    nodes: &'a [Node],
    root: Ref,
    /// This level's suit at each place of the diagram's canonical order.
    order: [u8; 4],
    ready: bool,
}

impl After<'_> {
    const UNKNOWN: After<'static> =
        After { nodes: &[], root: Ref::NOTHING, order: [0, 1, 2, 3], ready: false };
}

/// Place of an x among the cards of its suit: below all known ones.
const X: u8 = 15;

/// The moves of each hand in each suit: places of known cards from the top, one
/// for each run, and [`X`].
struct Moves {
    places: [[[u8; 14]; 4]; 4],
    counts: [[u8; 4]; 4],
}

impl Moves {
    fn of(set: &TopSet) -> Moves {
        let mut moves = Moves { places: [[[0; 14]; 4]; 4], counts: [[0; 4]; 4] };
        for suit in 0..4 {
            let mut owners = set.owners()[suit];
            let mut previous = 4;
            let mut place = 0;
            while owners > 1 {
                let owner = (owners & 3) as usize;
                if owner != previous {
                    moves.push(owner, suit, place);
                }
                previous = owner;
                place += 1;
                owners >>= 2;
            }
            for hand in 0..4 {
                if set.xs(suit).length(hand) > 0 {
                    moves.push(hand, suit, X);
                }
            }
        }
        moves
    }

    fn push(&mut self, hand: usize, suit: usize, place: u8) {
        let count = &mut self.counts[hand][suit];
        self.places[hand][suit][usize::from(*count)] = place;
        *count += 1;
    }

    #[inline]
    fn of_hand(&self, hand: usize, suit: usize) -> &[u8] {
        &self.places[hand][suit][..usize::from(self.counts[hand][suit])]
    }
}

/// A trick under way.
#[derive(Clone, Copy)]
struct Trick {
    /// Owners of the known cards that are left, as in [`TopSet`].
    owners: [u32; 4],
    /// Places of the known cards that are gone, a bit each.
    gone: [u16; 4],
    /// Suits played, two bits a hand.
    suits: u8,
    /// The suit and place of the best card so far, and who may have played it:
    /// more than one hand only if it is an x.
    best_suit: u8,
    best_place: u8,
    winners: u8,
}

/// A claim to prove: the side of hand `side` (0 or 1) takes at least `tricks`.
#[derive(Clone, Copy)]
struct Claim {
    side: u8,
    tricks: u8,
}

impl<'a, L: LevelBelow> Oracle<'a, L> {
    /// An oracle over the level below `level` (1..=13).
    pub(crate) fn new(below: &'a L, level: usize) -> Oracle<'a, L> {
        Oracle {
            below,
            level: level as u8,
            columns: [Column::EMPTY; 4],
            trump: false,
            after: vec![After::UNKNOWN; 1 << 10],
            blame: 0,
            failure: None,
            counts: OracleCounts::default(),
        }
    }

    /// Turns to another partition.
    pub(crate) fn enter(&mut self, shape: Shape, trump: bool) {
        self.columns = shape.columns;
        self.trump = trump;
        self.after.fill(After::UNKNOWN);
    }

    /// Why the level below could not answer, if it could not: then everything
    /// proved in this partition is worth nothing.
    pub(crate) fn take_failure(&mut self) -> Option<Error> {
        self.failure.take()
    }

    /// Narrows the bounds `lo..=hi` over a set as far as proofs reach. Answers
    /// with the bounds and, if they still differ, the suits to blame.
    pub(crate) fn bound(&mut self, set: &TopSet, mut lo: u8, mut hi: u8) -> (u8, u8, Blame) {
        let moves = Moves::of(set);
        self.blame = 0;
        while lo < hi && self.proves(set, &moves, Claim { side: 0, tricks: lo + 1 }) {
            lo += 1;
        }
        while lo < hi && self.proves(set, &moves, Claim { side: 1, tricks: self.level + 1 - hi }) {
            hi -= 1;
        }
        (lo, hi, self.blame)
    }

    fn proves(&mut self, set: &TopSet, moves: &Moves, claim: Claim) -> bool {
        self.counts.proofs += 1;
        let prover = claim.side == 0;
        for suit in 0..4 {
            for &place in moves.of_hand(0, suit) {
                let mut trick = Trick {
                    owners: set.owners(),
                    gone: [0; 4],
                    suits: suit as u8,
                    best_suit: suit as u8,
                    best_place: place,
                    winners: 1,
                };
                trick.take(suit, place);
                if self.follow(moves, &trick, 1, suit, claim) == prover {
                    return prover;
                }
            }
        }
        !prover
    }

    /// Whether the claim holds when `hand` (1..=3) and those after it have
    /// still to play to the trick.
    fn follow(&mut self, moves: &Moves, trick: &Trick, hand: usize, led: usize, claim: Claim) -> bool {
        let prover = hand & 1 == usize::from(claim.side);
        let must_follow = !moves.of_hand(hand, led).is_empty();
        let suits = if must_follow { led..led + 1 } else { 0..4 };
        for suit in suits {
            for &place in moves.of_hand(hand, suit) {
                let mut next = *trick;
                next.suits |= (suit as u8) << (2 * hand);
                next.compete(hand, suit as u8, place, self.trump);
                next.take(suit, place);
                let holds = if hand == 3 {
                    self.holds_after(&next, claim)
                } else {
                    self.follow(moves, &next, hand + 1, led, claim)
                };
                if holds == prover {
                    return prover;
                }
            }
        }
        !prover
    }

    fn holds_after(&mut self, trick: &Trick, claim: Claim) -> bool {
        if trick.winners.is_power_of_two() {
            return self.holds_for(trick, trick.winners.trailing_zeros() as u8, claim);
        }
        for winner in 0..4 {
            if trick.winners >> winner & 1 == 1 && !self.holds_for(trick, winner, claim) {
                self.blame |= 1 << trick.best_suit;
                return false;
            }
        }
        true
    }

    fn holds_for(&mut self, trick: &Trick, winner: u8, claim: Claim) -> bool {
        let left = self.level - 1;
        let after = self.after(trick.suits, winner);
        self.counts.lookups += 1;
        let question = Question {
            nodes: after.nodes,
            order: after.order,
            winner: u32::from(winner),
        };
        // Below, a value counts the tricks of the winner's side.
        let (holds, blame) = if winner & 1 == claim.side {
            question.at_least(after.root, trick.owners, claim.tricks.saturating_sub(1))
        } else if claim.tricks > left {
            (false, 0)
        } else {
            question.at_most(after.root, trick.owners, left - claim.tricks)
        };
        self.blame |= blame;
        holds
    }

    #[inline]
    fn after(&mut self, suits: u8, winner: u8) -> After<'a> {
        let at = usize::from(suits) << 2 | usize::from(winner);
        let after = self.after[at];
        if after.ready {
            return after;
        }
        self.find_after(suits, winner)
    }

    #[cold]
    fn find_after(&mut self, suits: u8, winner: u8) -> After<'a> {
        let mut columns = self.columns;
        for hand in 0..4 {
            let suit = usize::from(suits >> (2 * hand) & 3);
            columns[suit] = columns[suit].without_one(hand);
        }
        let columns = columns.map(|column| column.seen_from(usize::from(winner)));
        let canonical = Shape { columns }.canonical(self.trump.then_some(0));
        let diagram = self.below.diagram(canonical.shape, canonical.trump).unwrap_or_else(|error| {
            self.failure = Some(error);
            Diagram::constant(0)
        });
        let after =
            After { nodes: diagram.nodes, root: diagram.root, order: canonical.order, ready: true };
        self.after[usize::from(suits) << 2 | usize::from(winner)] = after;
        after
    }
}

impl Trick {
    /// Takes a card from the known ones; an x needs nothing.
    #[inline]
    fn take(&mut self, suit: usize, place: u8) {
        if place == X {
            return;
        }
        let above = self.gone[suit] & ((1 << place) - 1);
        let at = 2 * (u32::from(place) - above.count_ones());
        let keep = (1u32 << at) - 1;
        let owners = self.owners[suit];
        self.owners[suit] = owners & keep | owners >> 2 & !keep;
        self.gone[suit] |= 1 << place;
    }

    #[inline]
    fn compete(&mut self, hand: usize, suit: u8, place: u8, trump: bool) {
        if suit == self.best_suit {
            if place < self.best_place {
                self.best_place = place;
                self.winners = 1 << hand;
            } else if place == X && self.best_place == X {
                self.winners |= 1 << hand;
            }
        } else if trump && suit == 0 {
            self.best_suit = suit;
            self.best_place = place;
            self.winners = 1 << hand;
        }
    }
}

/// A question about the set of endings after a trick.
struct Question<'a> {
    nodes: &'a [Node],
    order: [u8; 4],
    winner: u32,
}

impl Question<'_> {
    fn at_least(&self, at: Ref, owners: [u32; 4], least: u8) -> (bool, Blame) {
        self.holds(at, owners, |at| if at.lo() >= least { Some(true) } else if at.hi() < least { Some(false) } else { None })
    }

    fn at_most(&self, at: Ref, owners: [u32; 4], most: u8) -> (bool, Blame) {
        self.holds(at, owners, |at| if at.hi() <= most { Some(true) } else if at.lo() > most { Some(false) } else { None })
    }

    /// Whether `decide` says yes at every place that the set can lead to; it
    /// says `None` where bounds leave it open. `NOTHING` passes both tests.
    #[inline]
    fn holds(&self, mut at: Ref, mut owners: [u32; 4], decide: impl Fn(Ref) -> Option<bool> + Copy) -> (bool, Blame) {
        loop {
            if let Some(answer) = decide(at) {
                return (answer, 0);
            }
            let children = &self.nodes[at.place()].children;
            let suit = usize::from(self.order[at.suit()] & 3);
            if owners[suit] == 1 {
                return self.holds_for_all(children, owners, suit, decide);
            }
            let owner = owners[suit].wrapping_sub(self.winner) & 3;
            owners[suit] >>= 2;
            at = children[owner as usize];
        }
    }

    fn holds_for_all(&self, children: &[Ref; 4], owners: [u32; 4], suit: usize, decide: impl Fn(Ref) -> Option<bool> + Copy) -> (bool, Blame) {
        let blame = 1 << suit;
        if children.iter().any(|&child| decide(child) == Some(false)) {
            return (false, blame);
        }
        for &child in children {
            if decide(child).is_none() {
                let (holds, _) = self.holds(child, owners, decide);
                if !holds {
                    return (false, blame);
                }
            }
        }
        (true, 0)
    }
}
