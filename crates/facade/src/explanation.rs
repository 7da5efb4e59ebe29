//! The value of a position with the set that proves it, in masks and in words.

use std::fmt;

use setrograde_beliefs::joined;
use setrograde_cards::{Card, Hand, Position, Seat, Strain, Suit};
use setrograde_claim::tricks;
use setrograde_endgame::set::write_mask;
use setrograde_lookup::{Bounds, Database, Ending, EndingSet, ProbeError, Walk};

use crate::compass::compass_of;

/// The order of the hands in words: partners together, as in a written mask.
const PARTNERS: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

/// The value of a position, and its proof. Shown as text it is the deal, the value and
/// the proof in words.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    /// The position of the question.
    pub position: Position,
    /// Bounds of the tricks for the side that led to the current trick: equal, unless a
    /// coarse level leaves the value open.
    pub bounds: Bounds,
    /// The ending and a set that proves the bounds, with as few known cards as possible; `None` if
    /// some cards had to be searched.
    pub proof: Option<(Ending, EndingSet)>,
}

impl Explanation {
    /// Looks up the value of a position with its proof.
    pub(crate) fn new(database: &Database, position: &Position) -> Result<Explanation, ProbeError> {
        let mut explanation = Explanation {
            position: *position,
            bounds: Bounds::exactly(0),
            proof: None,
        };
        if position.is_trick_boundary() {
            let ending = Ending::from_position(position)?;
            if let Some(Walk { bounds, set, .. }) = database.bounds(&ending)? {
                explanation.bounds = bounds;
                explanation.proof = Some((ending, set));
                return Ok(explanation);
            }
        }
        explanation.bounds = Bounds::exactly(database.position_value(position)?);
        Ok(explanation)
    }

    /// The explanation of a searched position.
    pub(crate) fn searched(position: &Position, value: u8) -> Explanation {
        Explanation {
            position: *position,
            bounds: Bounds::exactly(value),
            proof: None,
        }
    }

    /// The value, if it is known.
    pub(crate) fn value(&self) -> Option<u8> {
        (self.bounds.lo == self.bounds.hi).then_some(self.bounds.lo)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, leader) = (&self.position, self.position.leader());
        let is_lead = position.is_trick_boundary();
        let strain = match position.strain() {
            Strain::NoTrump => "at no trump".to_owned(),
            Strain::Trump(suit) => format!("with {} as trumps", suit.name()),
        };
        let (name, partner) = (leader.name(), leader.partner().name());
        let leads = if is_lead { "leads" } else { "has led" };
        let Bounds { lo, hi } = self.bounds;
        let left = position.tricks_left();
        let value = if lo == hi {
            lo.to_string()
        } else {
            format!("{lo} to {hi}")
        };
        let diagram = compass_of(position.deal().hands(), Some(leader));
        writeln!(f, "{diagram}")?;
        write!(f, "{name} {leads} {strain}: ")?;
        writeln!(
            f,
            "{name} and {partner} take {value} of the {} left.",
            tricks(left as u8)
        )?;
        match &self.proof {
            Some((_, set)) => explain(f, position, set),
            None if is_lead => f.write_str(
                "This was searched, because no exact level of the database holds the ending.\n",
            ),
            None => f.write_str(
                "The rest of this trick was searched, and the ending after it looked up.\n",
            ),
        }
    }
}

fn explain(f: &mut fmt::Formatter<'_>, position: &Position, set: &EndingSet) -> fmt::Result {
    f.write_str("\nThe same holds for every ending of these suit lengths with (N S E W):\n")?;
    let left: Hand = position.deal().hands().iter().copied().collect();
    let suits = Suit::ALL.map(|suit| (suit, left.suit(suit).cards().collect::<Vec<Card>>()));
    for (suit, cards) in suits.iter().filter(|(_, cards)| !cards.is_empty()) {
        writeln!(f, "  {}", suit_masks(*suit, cards.len(), set))?;
    }
    f.write_str("In words:\n")?;
    let mut cards_matter = false;
    for (suit, cards) in &suits {
        for (nth, card) in cards.iter().enumerate().take(set.known(suit.index())) {
            let mask = set.mask(suit.index(), nth);
            if mask != 15 {
                let owners = PARTNERS.iter().filter(|seat| mask >> seat.index() & 1 == 1);
                let names = joined(owners.map(|seat| seat.name()), " or ");
                writeln!(f, "  {card:#} with {names}")?;
                cards_matter = true;
            }
        }
    }
    f.write_str(if cards_matter {
        "  all other cards anywhere\n"
    } else {
        "  any cards anywhere\n"
    })
}

/// The masks of all cards of a set's endings on one line, such as `♠ 1100 xxxx ♥ xxxx`, hands in
/// the order N S E W.
pub fn set_line(ending: &Ending, set: &EndingSet) -> String {
    let suits = Suit::ALL.map(|suit| (suit, ending.lengths(suit).total() as usize));
    let held = suits.into_iter().filter(|&(_, cards)| cards > 0);
    joined(held.map(|(suit, cards)| suit_masks(suit, cards, set)), " ")
}

fn suit_masks(suit: Suit, cards: usize, set: &EndingSet) -> String {
    let mut text = suit.symbol().to_string();
    for nth in 0..cards {
        text.push(' ');
        if nth < set.known(suit.index()) {
            write_mask(&mut text, set.mask(suit.index(), nth))
                .expect("writing to a string does not fail");
        } else {
            text.push_str("xxxx");
        }
    }
    text
}
