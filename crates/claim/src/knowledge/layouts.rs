//! The layouts that agree with what is known.

use setrograde_cards::{Hand, Suit};

use crate::knowledge::Knowledge;
use crate::knowledge::case::{Case, Hidden};
use crate::knowledge::count;
use crate::knowledge::state::State;

impl Knowledge {
    /// The number of layouts of the unseen cards.
    #[must_use]
    pub fn layouts(&self) -> u64 {
        count::layouts(&self.state().cases, self.state().unseen, self.state().cards)
    }

    /// Whether `hands`, by [`hidden`](Self::hidden), is one of the layouts.
    #[must_use]
    pub fn has_layout(&self, hands: [Hand; 2]) -> bool {
        let hands = hands.map(Hand::bits);
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
            Hidden::BOTH.map(|hand| {
                let least = case.least(hand, suit.index(), state.unseen);
                (least, case.most(hand, suit.index(), state.unseen))
            })
        });
        bounds
            .reduce(|(low, high), (least, most)| (low.min(least), high.max(most)))
            .expect("some case is possible")
    }

    /// The knowledge split by split: the cards known to be in each hidden hand,
    /// and the lengths that the first of them may have.
    pub(crate) fn splits(&self) -> Vec<([Hand; 2], Vec<[usize; 4]>)> {
        let split = |case: &Case| {
            let vectors = case.lengths.vectors(self.state().cards);
            let lengths = vectors.map(|vector| vector.map(usize::from)).collect();
            (case.pinned.map(Hand::from_bits), lengths)
        };
        self.state().cases.iter().map(split).collect()
    }

    /// The knowledge that the layout is one of `layouts`, which must be layouts of
    /// the unseen cards.
    #[must_use]
    pub fn among(&self, layouts: &[[Hand; 2]]) -> Knowledge {
        let layouts = layouts.iter().map(|hands| hands.map(Hand::bits));
        self.with_exactly(layouts.map(Case::of_layout))
    }

    /// The same, by bits.
    pub(crate) fn only(&self, layouts: &[[u64; 2]]) -> Knowledge {
        self.with_exactly(layouts.iter().copied().map(Case::of_layout))
    }
}
