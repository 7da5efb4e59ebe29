//! The endgame database as a source of endgame values.
//!
//! A walk through an ending's diagram, cut short where bounds decide the
//! question, knows which cards it has looked at. That set is then reduced: a
//! suit's lowest known card is forgotten as long as every path that the known
//! cards leave open still ends in the same answer.

use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::ending::{Ending, EndingError};
use setrograde_endgame::shape::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::{Database, ProbeError};

use crate::endgames::{Boundary, Endgames, EndgamesError, Verdict};

impl Endgames for Database {
    fn max_tricks(&self) -> usize {
        (1..14)
            .take_while(|&level| self.level(level).is_some())
            .count()
    }

    #[inline]
    fn verdict(&self, ending: &Boundary, target: u8) -> Result<Verdict, EndgamesError> {
        let leader = usize::from(ending.leader);
        let lengths = ending
            .lengths
            .map(|lengths| SuitLengths::from_bits(lengths).seen_from(leader));
        let shape = Shape { lengths };
        let Some(tricks) = shape.level() else {
            return Err(ProbeError::from(no_ending(ending)).into());
        };
        let Some(level) = self.level(tricks) else {
            let cards = 4 * tricks;
            let levels = self.levels().map(|level| 4 * level.level()).collect();
            return Err(ProbeError::LevelNotHeld { cards, levels }.into());
        };
        let canonical = shape.canonical(ending.trump.then_some(3));
        let diagram = level.diagram(canonical.partition)?;
        let probe = Probe {
            diagram,
            // Of owners and of lengths, the order of the suits is the diagram's.
            owners: canonical.order.suits().map(|suit| ending.owners[suit]),
            leader: u32::from(ending.leader),
            target,
        };
        let Some((reached, walked)) = probe.walk() else {
            return Err(leads_nowhere(self, ending, target));
        };
        let reduced = probe.reduce(reached, walked);
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

/// Why an ending leads nowhere: the level that should cover it is damaged, or
/// there is no such ending.
#[cold]
fn leads_nowhere(database: &Database, boundary: &Boundary, target: u8) -> EndgamesError {
    let lengths = |suit: usize, seat: usize| boundary.lengths[suit] >> (4 * seat) & 15;
    let owners: [Vec<u8>; 4] = std::array::from_fn(|suit| {
        let cards: u16 = (0..4).map(|seat| lengths(suit, seat)).sum();
        let owner = |place: u16| (boundary.owners[suit] >> (30 - 2 * place)) as u8 & 3;
        (0..cards.min(13)).map(owner).collect()
    });
    let fits = (0..4).all(|suit| {
        let cards = |seat: u8| owners[suit].iter().filter(|&&owner| owner == seat).count();
        (0..4).all(|seat| cards(seat) == usize::from(lengths(suit, usize::from(seat))))
    });
    if !fits {
        return "the owners of the cards do not fit the suit lengths".into();
    }
    let strain = if boundary.trump {
        Strain::Trump(Suit::Clubs)
    } else {
        Strain::NoTrump
    };
    let leader = Seat::from_index(usize::from(boundary.leader));
    let suits = [0, 1, 2, 3].map(|suit: usize| owners[suit].as_slice());
    match Ending::new(suits, leader, strain) {
        Ok(ending) => match database
            .locate(&ending)
            .and_then(|located| Ok(located.decide(target)?))
        {
            Ok(_) => format!("it does not cover {ending:?}").into(),
            Err(damage) => damage.into(),
        },
        Err(error) => error.into(),
    }
}

/// A target asked of a diagram; suits are in the diagram's order.
struct Probe<'a> {
    diagram: Diagram<'a>,
    owners: [u32; 4],
    leader: u32,
    target: u8,
}

impl Probe<'_> {
    /// The child for the owner of the card at `place` of `suit`.
    #[inline]
    fn child(&self, at: Edge, suit: usize, place: u8) -> Edge {
        let owner = self.owners[suit] >> (30 - 2 * u32::from(place & 15));
        let hand = owner.wrapping_sub(self.leader) & 3;
        self.diagram.child(at, hand as usize)
    }

    /// Whether the target is reached, and the cards looked at to know it; `None`
    /// if the walk ends where no ending leads.
    #[inline]
    fn walk(&self) -> Option<(bool, [u8; 4])> {
        let mut known = [0; 4];
        let mut at = self.diagram.root();
        while at.lo() < self.target && self.target <= at.hi() {
            let suit = at.suit();
            at = self.child(at, suit, known[suit]);
            known[suit] += 1;
        }
        (!at.is_nothing()).then_some((at.lo() >= self.target, known))
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

#[cfg(test)]
mod tests {
    use super::*;
    use setrograde_endgame::diagram::{Bounds, Node};

    /// One card: North's wins, South's does not, and nobody else has it.
    fn probe<'a>(nodes: &'a [Node], owner: u32) -> Probe<'a> {
        let root = Edge::node(0, 0, Bounds { lo: 0, hi: 1 });
        Probe {
            diagram: Diagram::new(nodes, root),
            owners: [owner << 30, 0, 0, 0],
            leader: 0,
            target: 1,
        }
    }

    #[test]
    fn a_walk_that_leads_nowhere_reaches_nothing() {
        let children = [Edge::leaf(1), Edge::NOTHING, Edge::leaf(0), Edge::NOTHING];
        let nodes = [Node { children }];
        assert_eq!(probe(&nodes, 0).walk(), Some((true, [1, 0, 0, 0])));
        assert_eq!(probe(&nodes, 2).walk(), Some((false, [1, 0, 0, 0])));
        assert_eq!(probe(&nodes, 1).walk(), None);
    }
}
