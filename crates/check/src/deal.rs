//! A deal in PBN.

use crate::lemma::Lemma;

/// The owners of the cards of each suit from the ace down; `None` for a card that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PbnDeal {
    /// By suit, spades first.
    pub owners: [[Option<u8>; 13]; 4],
    /// The cards in each hand.
    pub left: u8,
}

impl PbnDeal {
    /// Reads `N:` and the hands from North clockwise, each spades.hearts.diamonds.clubs.
    pub fn read(text: &str) -> Option<PbnDeal> {
        let mut owners = [[None; 13]; 4];
        let mut count = [0; 4];
        let hands = parts::<4>(text.strip_prefix("N:")?, ' ')?;
        for (hand, suits) in hands.into_iter().enumerate() {
            for (suit, ranks) in parts::<4>(suits, '.')?.into_iter().enumerate() {
                for rank in ranks.chars() {
                    let owner = &mut owners[suit]["AKQJT98765432".find(rank)?];
                    if owner.replace(hand as u8).is_some() {
                        return None;
                    }
                    count[hand] += 1;
                }
            }
        }
        let left = count[0];
        (left > 0 && count == [left; 4]).then_some(PbnDeal { owners, left })
    }

    /// Returns the two lemmas of a result: that a declarer takes at least, and at most, this many
    /// tricks in a strain, 0 to 4 for NT S H D C.
    pub fn lemmas(&self, strain: usize, declarer: u8, tricks: u8) -> [Lemma; 2] {
        let mut suits = [0, 1, 2, 3];
        suits.sort_by_key(|&suit| suit + 1 == strain);
        let (mut shape, mut owners, mut mask) = (0, [0; 4], [0; 4]);
        for (nth, suit) in suits.into_iter().enumerate() {
            let known = self.owners[suit].into_iter().flatten();
            for (rank, owner) in known.enumerate() {
                shape += 1 << (16 * nth + 4 * usize::from(owner));
                owners[nth] |= u32::from(owner) << (2 * rank);
                mask[nth] |= 3 << (2 * rank);
            }
        }
        let leader = (declarer + 1) & 3;
        [(declarer & 1, tricks), (leader & 1, self.left - tricks)].map(|(side, goal)| Lemma {
            shape,
            owners,
            mask,
            trumps: strain > 0,
            leader,
            side,
            goal: goal.into(),
        })
    }
}

/// The parts of a text that has exactly this many.
pub fn parts<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let parts: Vec<_> = text.splitn(N + 1, separator).collect();
    parts.try_into().ok()
}
