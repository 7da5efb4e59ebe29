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

const RANKS: &str = "AKQJT98765432";

impl PbnDeal {
    /// Reads `N:` and the hands from North clockwise, each spades.hearts.diamonds.clubs.
    #[must_use]
    pub fn read(text: &str) -> Option<PbnDeal> {
        let mut owners = [[None; 13]; 4];
        let mut count = [0; 4];
        let mut hands = text.strip_prefix("N:")?.split(' ');
        for hand in 0..4 {
            let mut suits = hands.next()?.split('.');
            for owners in &mut owners {
                for rank in suits.next()?.chars() {
                    let owner = &mut owners[RANKS.find(rank)?];
                    if owner.replace(hand).is_some() {
                        return None;
                    }
                    count[usize::from(hand)] += 1;
                }
            }
            if suits.next().is_some() {
                return None;
            }
        }
        let left = count[0];
        (hands.next().is_none() && left > 0 && count == [left; 4])
            .then_some(PbnDeal { owners, left })
    }

    /// The lemmas that a result in a strain, 0 to 4 for NT S H D C, is at least and at most that
    /// many tricks of a declarer.
    #[must_use]
    pub fn lemmas(&self, strain: usize, declarer: usize, tricks: u8) -> [Lemma; 2] {
        let is_trump = |&suit: &usize| suit + 1 == strain;
        let mut suits = [0, 1, 2, 3];
        suits.sort_by_key(is_trump);
        let (mut shape, mut owners, mut masks) = (0, [0; 4], [0; 4]);
        for (nth, suit) in suits.into_iter().enumerate() {
            for owner in self.owners[suit].into_iter().flatten() {
                shape += 1 << (16 * nth + 4 * usize::from(owner));
                owners[nth] |= u32::from(owner) * (masks[nth] + 1);
                masks[nth] = 4 * masks[nth] + 3;
            }
        }
        let lemma = |side: usize, goal: u8| Lemma {
            shape,
            owners,
            masks,
            leader: (declarer as u8 + 1) & 3,
            side: side as u8 & 1,
            goal: goal as i8,
        };
        [
            lemma(declarer, tricks),
            lemma(declarer + 1, self.left - tricks),
        ]
    }
}
