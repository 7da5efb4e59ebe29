//! Endings, one page each: the result, the neighbouring endings, and a hard one.

use serde::Serialize;
use setrograde_cards::{Card, Deal, DealError, Position, Seat, Strain, Suit};
use setrograde_solver::{Solver, Target, Wanted};

use crate::EngineAnswer;
use crate::position::Play;

/// Maximum number of cards of each hand of an ending.
const MOST: usize = 6;
/// The endings that are tried for a hard one.
const TRIES: usize = 60;

/// The endings beside an ending.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Neighbours {
    leader: Seat,
    /// The tricks of the leader's side.
    tricks: u8,
    tricks_left: usize,
    /// The lengths of the suits, spades first, each of the hands from North.
    lengths: [[usize; 4]; 4],
    /// The endings beside it.
    beside: Vec<Neighbour>,
}

/// An ending in which two cards adjacent in rank have changed hands.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Neighbour {
    /// The two cards.
    swapped: [Card; 2],
    /// The seats that held them.
    seats: [Seat; 2],
    deal: Deal,
    /// The tricks of the leader's side.
    tricks: u8,
}

/// An ending in which one lead alone is right.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct HardEnding {
    strain: Strain,
    leader: Seat,
    deal: Deal,
    /// The right lead.
    right: [Card; 1],
}

/// A play as for `cards`, with at most six tricks left: the neighbours of its final ending, in
/// which two cards adjacent in rank have changed hands.
pub(crate) fn beside(solver: &mut Solver, text: &str) -> EngineAnswer<Neighbours> {
    let play = Play::read(text)?;
    let position = &play.end;
    let left = position.tricks_left();
    if !(1..=MOST).contains(&left) {
        return Err(format!("{left} tricks are left; an ending here has 1 to {MOST}").into());
    }
    let tricks = solver.tricks(position)?;
    let mut endings = Vec::new();
    for suit in Suit::ALL {
        let held: Vec<(Seat, Card)> = Card::pack()
            .filter(|card| card.suit == suit)
            .filter_map(|card| Some((position.deal().owner(card)?, card)))
            .collect();
        for pair in held.windows(2) {
            let [(one, card), (other, next)] = [pair[0], pair[1]];
            if one == other {
                continue;
            }
            let mut hands = *position.deal().hands();
            for (seat, out, into) in [(one, card, next), (other, next, card)] {
                hands[seat].remove(out);
                hands[seat].insert(into);
            }
            let deal = Deal::new(hands)?;
            let (strain, leader) = (position.strain(), position.leader());
            let swapped = Position::with_revokes(strain, leader, deal, position.played())?;
            endings.push(Neighbour {
                swapped: [card, next],
                seats: [one, other],
                deal,
                tricks: solver.tricks(&swapped)?,
            });
        }
    }
    let lengths = Suit::ALL.map(|suit| {
        let length = |seat| position.deal().hand(seat).holding(suit).len();
        Seat::ALL.map(length)
    });
    Ok(Neighbours {
        leader: position.leader(),
        tricks,
        tricks_left: left,
        lengths,
        beside: endings,
    })
}

/// `SEED TRICKS`: of some endings at random the hardest, in which one lead alone is
/// right and the result depends on the most cards.
pub(crate) fn hard(solver: &mut Solver, text: &str) -> EngineAnswer<HardEnding> {
    let (seed, tricks) = text
        .trim()
        .split_once(' ')
        .ok_or("the number of tricks is missing")?;
    let tricks: usize = tricks.parse()?;
    if !(2..=MOST).contains(&tricks) {
        return Err(format!("{tricks} tricks; a hard ending has 2 to {MOST}").into());
    }
    let mut rng = fastrand::Rng::with_seed(seed.parse()?);
    let mut best: Option<(usize, Position, Card)> = None;
    for _ in 0..TRIES {
        let deal = random_ending(tricks, &mut rng)?;
        let strain = Strain::ALL[below(Strain::ALL.len(), &mut rng)];
        let leader = Seat::from_index(below(4, &mut rng));
        let position = Position::new(strain, leader, deal, &[])?;
        let cards = solver.solve(&position, Target::Most, Wanted::All)?.cards;
        let most = cards.first().map_or(0, |of| of.tricks);
        let right: Vec<_> = cards.iter().filter(|of| of.tricks == most).collect();
        if right.len() != 1 || cards.len() < 3 {
            continue;
        }
        let score = setrograde::matter(solver, &position)?.len() + 2 * cards.len();
        if best.as_ref().is_none_or(|(least, ..)| score > *least) {
            best = Some((score, position, right[0].card));
        }
    }
    let (_, position, right) = best.ok_or("none of those that were tried is hard")?;
    Ok(HardEnding {
        strain: position.strain(),
        leader: position.leader(),
        deal: *position.deal(),
        right: [right],
    })
}

/// A number below `end`, the same where `usize` has 32 bits.
fn below(end: usize, rng: &mut fastrand::Rng) -> usize {
    rng.u32(..end as u32) as usize
}

/// An ending with this number of tricks and any cards.
fn random_ending(tricks: usize, rng: &mut fastrand::Rng) -> Result<Deal, DealError> {
    let mut pack: Vec<Card> = Card::pack().collect();
    for index in 0..4 * tricks {
        let other = index + below(pack.len() - index, rng);
        pack.swap(index, other);
    }
    let hand = |seat: usize| pack[seat * tricks..][..tricks].iter().copied().collect();
    Deal::new([0, 1, 2, 3].map(hand))
}
