//! The endgame database as a source of answers.
//!
//! A walk through an ending's diagram, cut short where bounds decide the
//! question, knows which cards it has looked at. That set is then reduced: a
//! suit's lowest known card is forgotten as long as every path that the known
//! cards leave open still ends in the same answer.

use setrograde_cards::Suit;
use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::ending::EndingError;
use setrograde_endgame::shape::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::{Database, ProbeError};

use crate::endgames::{Boundary, Endgames, Verdict};

impl Endgames for Database {
    fn depth(&self) -> usize {
        (1..14)
            .take_while(|&level| self.level(level).is_some())
            .count()
    }

    #[inline]
    fn decide(&self, ending: &Boundary, target: u8) -> Result<Verdict, ProbeError> {
        let leader = usize::from(ending.leader);
        let lengths = ending
            .lengths
            .map(|lengths| SuitLengths::from_bits(lengths).seen_from(leader));
        let shape = Shape { lengths };
        let Some(tricks) = shape.level() else {
            return Err(no_ending(ending).into());
        };
        let Some(level) = self.level(tricks) else {
            let cards = 4 * tricks;
            let levels = self.levels().map(|level| 4 * level.level()).collect();
            return Err(ProbeError::LevelNotHeld { cards, levels });
        };
        let canonical = shape.canonical(ending.trump.then_some(3));
        let diagram = level.diagram(canonical.partition)?;
        let question = Asked {
            diagram,
            // Of owners and of lengths, the order of the suits is the diagram's.
            owners: canonical.order.suits().map(|suit| ending.owners[suit]),
            leader: u32::from(ending.leader),
            target,
        };
        let (reached, walked) = question.walk();
        let reduced = question.reduce(reached, walked);
        let mut known = [0; 4];
        for (place, suit) in canonical.order.suits().into_iter().enumerate() {
            known[suit] = reduced[place];
        }
        Ok(Verdict { reached, known })
    }
}

/// What is wrong with suit lengths that no ending has.
#[cold]
fn no_ending(ending: &Boundary) -> EndingError {
    let length = |suit: usize, seat: usize| usize::from(ending.lengths[suit] >> (4 * seat) & 15);
    let cards = |suit: usize| (0..4).map(|seat| length(suit, seat)).sum();
    let hand = |seat: usize| (0..4).map(|suit| length(suit, seat)).sum();
    let hands: [usize; 4] = [0, 1, 2, 3].map(hand);
    if hands != [hands[0]; 4] {
        return EndingError::UnequalHands(hands);
    }
    match (0..4).find(|&suit| cards(suit) > 13) {
        Some(suit) => EndingError::LongSuit {
            suit: Suit::from_index(suit).letter(),
            cards: cards(suit),
        },
        None => EndingError::NoCards,
    }
}

/// A question to a diagram; suits are in the diagram's order.
struct Asked<'a> {
    diagram: Diagram<'a>,
    owners: [u32; 4],
    leader: u32,
    target: u8,
}

impl Asked<'_> {
    /// The child for the owner of the card at `place` of `suit`.
    #[inline]
    fn child(&self, at: Edge, suit: usize, place: u8) -> Edge {
        let owner = self.owners[suit] >> (30 - 2 * u32::from(place & 15));
        let hand = owner.wrapping_sub(self.leader) & 3;
        self.diagram.child(at, hand as usize)
    }

    /// Whether the target is reached, and the cards looked at to know it.
    fn walk(&self) -> (bool, [u8; 4]) {
        let mut known = [0; 4];
        let mut at = self.diagram.root();
        while at.lo() < self.target && self.target <= at.hi() {
            let suit = at.suit();
            at = self.child(at, suit, known[suit]);
            known[suit] += 1;
        }
        (at.lo() >= self.target, known)
    }

    /// As few of the known cards as still prove the answer.
    fn reduce(&self, reached: bool, known: [u8; 4]) -> [u8; 4] {
        let mut known = known;
        for suit in 0..4 {
            while known[suit] > 0 {
                let mut fewer = known;
                fewer[suit] -= 1;
                if !self.proves(self.diagram.root(), [0; 4], &fewer, reached) {
                    break;
                }
                known = fewer;
            }
        }
        known
    }

    /// Whether the answer is the same below `at` whoever owns the cards that
    /// are not known.
    fn proves(&self, at: Edge, places: [u8; 4], known: &[u8; 4], reached: bool) -> bool {
        let (mut at, mut places) = (at, places);
        loop {
            if at.is_nothing() || at.lo() >= self.target || at.hi() < self.target {
                return at.is_nothing() || (at.lo() >= self.target) == reached;
            }
            let suit = at.suit();
            let place = places[suit];
            places[suit] += 1;
            if place >= known[suit] {
                let children = self.diagram.children(at);
                return children
                    .into_iter()
                    .all(|child| self.proves(child, places, known, reached));
            }
            at = self.child(at, suit, place);
        }
    }
}
