//! The layouts that agree with what is known.

use setrograde_cards::{Hand, Suit};

use crate::knowledge::Knowledge;
use crate::knowledge::case::Case;
use crate::knowledge::count;
use crate::knowledge::state::State;
use crate::lanes::{self, bits};

impl Knowledge {
    /// How many layouts of the unseen cards there are.
    #[must_use]
    pub fn layouts(&self) -> u64 {
        count::layouts(&self.state().cases, self.state().unseen, self.state().cards)
    }

    /// Whether `hands`, by [`hidden`](Self::hidden), is one of the layouts.
    #[must_use]
    pub fn has_layout(&self, hands: [Hand; 2]) -> bool {
        let hands = hands.map(|hand| bits(&hand));
        hands[0] & hands[1] == 0
            && hands[0] | hands[1] == self.state().unseen
            && hands[0].count_ones() == u32::from(self.state().cards)
            && State::includes(&self.state().cases, &[Case::of_layout(hands)])
    }

    /// The fewest and the most cards of `suit` that either hidden hand may hold.
    #[must_use]
    pub fn lengths(&self, suit: Suit) -> (u8, u8) {
        let state = self.state();
        let bounds = state.cases.iter().flat_map(|case| {
            [0, 1].map(|who| {
                let least = case.least(who, suit.index(), state.unseen);
                (least, case.most(who, suit.index(), state.unseen))
            })
        });
        bounds
            .reduce(|(low, high), (least, most)| (low.min(least), high.max(most)))
            .expect("some case is possible")
    }

    /// What is known, split by split: the cards known to be in each hidden hand,
    /// and the lengths that the first of them may have.
    pub(crate) fn splits(&self) -> Vec<([Hand; 2], Vec<[usize; 4]>)> {
        let split = |case: &Case| {
            let vectors = case.lengths.vectors(self.state().cards);
            let lengths = vectors.map(|vector| vector.map(usize::from)).collect();
            (case.pinned.map(lanes::hand), lengths)
        };
        self.state().cases.iter().map(split).collect()
    }

    /// What would be known if one of `layouts` were the case.
    pub(crate) fn only(&self, layouts: &[[u64; 2]]) -> Knowledge {
        self.with_exactly(layouts.iter().copied().map(Case::of_layout))
    }
}
