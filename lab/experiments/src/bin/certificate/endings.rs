//! A database as the leaves of a certificate.

use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::Database;

use crate::check::{Claim, Leaves, Set};

/// The endings of a database.
pub struct Endings<'a>(pub &'a Database);

impl Endings<'_> {
    /// Returns the known top cards by which the claim holds in a position, `None` if it does not
    /// or the database has no such ending.
    pub fn ask(&self, set: &Set, claim: Claim, trumps: bool) -> Result<Option<[u8; 4]>, String> {
        let left = set.left();
        if left as usize > self.0.max_tricks() {
            return Ok(None);
        }
        let strain = if trumps {
            Strain::Trump(Suit::Clubs)
        } else {
            Strain::NoTrump
        };
        let lengths =
            [0, 1, 2, 3].map(|suit| SuitLengths::from_bits((set.shape >> (16 * suit)) as u16));
        let leader = Seat::from_index(set.leader);
        let ending = Ending::from_packed(
            strain,
            leader,
            lengths,
            PackedOwners::from_words(set.owners),
        )
        .map_err(|error| error.to_string())?;
        let goal = claim.goal(left);
        let mine = claim.is_by(set.leader);
        let target = if mine { goal } else { left - goal + 1 };
        let verdict = self
            .0
            .decide(&ending, target as u8)
            .map_err(|error| error.to_string())?;
        Ok(verdict
            .filter(|verdict| verdict.reached == mine)
            .map(|verdict| [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit) as u8)))
    }
}

/// Returns a position of the set: in each suit the x's go to the hands in turn.
pub fn first_position(set: &Set) -> Set {
    let mut position = *set;
    for suit in 0..4 {
        let known = usize::from(set.known[suit]);
        position.owners[suit] &= (1_u32 << (2 * known)) - 1;
        let mut rank = known;
        for hand in 0..4 {
            let held = (0..known)
                .filter(|&rank| set.owner(suit, rank) == hand)
                .count();
            for _ in held..set.length(suit, hand) {
                position.owners[suit] |= (hand as u32) << (2 * rank);
                rank += 1;
            }
        }
        position.known[suit] = rank as u8;
    }
    position
}

impl Leaves for Endings<'_> {
    fn hold(&mut self, set: &Set, claim: Claim, trumps: bool) -> Result<bool, String> {
        let Some(known) = self.ask(&first_position(set), claim, trumps)? else {
            return Ok(false);
        };
        let Some(suit) = (0..4).find(|&suit| known[suit] > set.known[suit]) else {
            return Ok(true);
        };
        // Case by case of the owner of the next card.
        let rank = usize::from(set.known[suit]);
        for hand in 0..4 {
            let held = (0..rank)
                .filter(|&rank| set.owner(suit, rank) == hand)
                .count();
            if set.length(suit, hand) > held {
                let mut case = *set;
                case.known[suit] += 1;
                case.owners[suit] &= !(3 << (2 * rank));
                case.owners[suit] |= (hand as u32) << (2 * rank);
                if !self.hold(&case, claim, trumps)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
