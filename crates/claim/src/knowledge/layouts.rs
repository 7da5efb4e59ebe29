//! The layouts that match the knowledge.

use setrograde_cards::Hand;

use crate::knowledge::Knowledge;
use crate::knowledge::case::{Case, Hidden, Lengths};
use crate::knowledge::state::{State, keep_widest};
use crate::lanes::{count, each, lane, union};

impl Knowledge {
    /// The number of layouts of the unseen cards.
    pub fn layouts(&self) -> u64 {
        layouts(&self.state().cases, self.state().unseen, self.state().cards)
    }

    /// Returns true if `hands`, by [`hidden`](Self::hidden), is one of the layouts.
    pub fn has_layout(&self, hands: [Hand; 2]) -> bool {
        let hands = hands.map(Hand::bits);
        hands[0] & hands[1] == 0
            && hands[0] | hands[1] == self.state().unseen
            && hands[0].count_ones() == u32::from(self.state().cards)
            && State::includes(&self.state().cases, &[Case::of_layout(hands)])
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
        self.only(layouts.iter().map(|hands| hands.map(Hand::bits)))
    }

    /// The same, by bits.
    pub(crate) fn only(&self, layouts: impl IntoIterator<Item = [u64; 2]>) -> Knowledge {
        let mut knowledge = self.clone();
        knowledge.state.cases = layouts.into_iter().map(Case::of_layout).collect();
        keep_widest(&mut knowledge.state.cases);
        knowledge
    }
}

/// The number of layouts that match one of `cases`, all normal.
fn layouts(cases: &[Case], unseen: u64, cards: u8) -> u64 {
    let apart = apart(cases, unseen, cards).into_iter();
    let each = apart.flat_map(|case| weights(case, unseen, cards));
    each.map(|(_, weight)| weight).sum()
}

/// The same layouts as disjoint cases, all normal.
pub(crate) fn apart(cases: &[Case], unseen: u64, cards: u8) -> Vec<Case> {
    let mut found = Vec::new();
    for (n, case) in cases.iter().enumerate() {
        let mut rest = vec![*case];
        for earlier in &cases[..n] {
            rest = rest
                .iter()
                .flat_map(|case| without(case, earlier, unseen, cards))
                .collect();
        }
        found.extend(rest);
    }
    found
}

/// The lengths that the first hidden hand has in a normal case, each with its number of layouts.
pub(crate) fn weights(case: Case, unseen: u64, cards: u8) -> impl Iterator<Item = ([u8; 4], u64)> {
    let free: [u8; 4] = std::array::from_fn(|suit| count(unseen & !union(case.pinned), suit));
    let vectors = case.lengths.vectors(cards);
    vectors.map(move |lengths| {
        let ways = |suit: usize| {
            let wanted = lengths[suit] - count(case.pinned[0], suit);
            binomial(free[suit], wanted)
        };
        (lengths, (0..4).map(ways).product())
    })
}

/// The number of ways to choose `wanted` of at most 13 cards.
fn binomial(cards: u8, wanted: u8) -> u64 {
    let (cards, wanted) = (u64::from(cards), u64::from(wanted));
    (0..wanted).fold(1, |ways, n| ways * cards.saturating_sub(n) / (n + 1))
}

/// The layouts of `case` that are not in `other`, as cases without any layout
/// in common.
fn without(case: &Case, other: &Case, unseen: u64, cards: u8) -> Vec<Case> {
    let open = Case::open(unseen);
    // What `other` says, one thing at a time, each as a case with what denies it.
    let mut said = Vec::new();
    for hand in Hidden::BOTH {
        for card in each(other.pinned[hand.index()]) {
            said.push([hand, hand.other()].map(|hand| open.holding(hand, card)));
        }
    }
    for suit in 0..4 {
        let Lengths { lo, hi } = other.lengths;
        let (least, most, all) = (lo[suit], hi[suit], open.lengths.hi[suit]);
        let within = |bounds| open.with_lengths(suit, bounds);
        if least > 0 {
            said.push([(least, all), (0, least - 1)].map(within));
        }
        said.push([(0, most), (most + 1, all)].map(within));
    }
    let mut found = Vec::new();
    let mut rest = *case;
    for [holds, fails] in said {
        found.extend(rest.and(&fails).normal(unseen, cards));
        match rest.and(&holds).normal(unseen, cards) {
            Some(both) => rest = both,
            None => break,
        }
    }
    found
}

/// The layouts of a case, as the cards of the first hidden hand.
pub(crate) fn each_layout(case: &Case, unseen: u64, cards: u8) -> Vec<u64> {
    let mut found = Vec::new();
    for vector in case.lengths.vectors(cards) {
        let mut hands = vec![case.pinned[0]];
        for (suit, &length) in vector.iter().enumerate() {
            let free = unseen & lane(suit) & !union(case.pinned);
            let wanted = u32::from(length - count(case.pinned[0], suit));
            hands = hands
                .iter()
                .flat_map(|&hand| {
                    choose(free, wanted)
                        .into_iter()
                        .map(move |more| hand | more)
                })
                .collect();
        }
        found.extend(hands);
    }
    found
}

/// The subsets of `cards` with `wanted` cards.
fn choose(cards: u64, wanted: u32) -> Vec<u64> {
    if wanted == 0 {
        return vec![0];
    }
    if cards.count_ones() < wanted {
        return Vec::new();
    }
    let low = cards & cards.wrapping_neg();
    let mut found = choose(cards ^ low, wanted);
    found.extend(
        choose(cards ^ low, wanted - 1)
            .iter()
            .map(|rest| rest | low),
    );
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::knowledge::state::Cases;

    #[test]
    fn counts_agree_with_lists() {
        let unseen = 0b1011 | 0b110 << 16 | 0b11111 << 32;
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..500 {
            let mut cases: Vec<Case> = Vec::new();
            for _ in 0..rng.usize(1..4) {
                let mut case = Case::open(unseen);
                for card in each(unseen) {
                    match rng.u8(0..10) {
                        0 => case.pinned[0] |= card,
                        1 => case.pinned[1] |= card,
                        _ => {}
                    }
                }
                let suit = rng.usize(0..3);
                case.lengths.hi[suit] = rng.u8(0..4);
                case.lengths = case.lengths.intersection(&Lengths {
                    lo: [0, rng.u8(0..2), 0, 0],
                    hi: [13; 4],
                });
                cases.extend(case.normal(unseen, 5));
            }
            let mut all: Vec<u64> = cases
                .iter()
                .flat_map(|case| each_layout(case, unseen, 5))
                .collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(layouts(&cases, unseen, 5), all.len() as u64);
        }
    }

    /// Keeps the maximal sets of layouts, each once.
    #[test]
    fn the_widest_cases_are_kept() {
        let unseen = 0b111 | 0b11 << 16;
        let mut rng = fastrand::Rng::with_seed(3);
        let layouts_of = |case: &Case| each_layout(case, unseen, 2).into_iter().collect();
        let mut single = 0;
        for _ in 0..2_000 {
            let mut cases = Cases::new();
            for _ in 0..rng.usize(2..5) {
                let mut case = Case::open(unseen);
                for card in each(unseen) {
                    if let Some(pinned) = case.pinned.get_mut(rng.usize(0..6)) {
                        *pinned |= card;
                    }
                }
                case.lengths.hi[0] = rng.u8(0..4);
                cases.extend(case.normal(unseen, 2));
            }
            let all: Vec<BTreeSet<u64>> = cases.iter().map(layouts_of).collect();
            for (case, layouts) in cases.iter().zip(&all) {
                assert_eq!(case.is_one_layout(), layouts.len() == 1, "{case:?}");
            }
            single += usize::from(cases.len() > 1 && all.iter().all(|set| set.len() == 1));
            let widest = |set: &&BTreeSet<u64>| {
                let mut others = all.iter();
                !others.any(|other| *set != other && set.is_subset(other))
            };
            let expected: BTreeSet<_> = all.iter().filter(widest).cloned().collect();
            keep_widest(&mut cases);
            let kept: Vec<BTreeSet<u64>> = cases.iter().map(layouts_of).collect();
            assert_eq!(kept.len(), expected.len(), "{all:?}");
            assert_eq!(BTreeSet::from_iter(kept), expected);
        }
        assert!(single > 50, "{single}");
    }
}
