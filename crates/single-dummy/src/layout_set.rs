//! Sets of layouts, by number.

use std::ops::{BitAnd, BitOr};

/// A set of up to 1,024 layouts of the hidden cards, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LayoutSet([u64; WORDS]);

/// Room for the 924 layouts of two hidden hands of six cards.
const WORDS: usize = 16;

impl LayoutSet {
    /// The most layouts that a set can have.
    pub const MOST: usize = 64 * WORDS;
    /// No layout.
    pub const NONE: LayoutSet = LayoutSet([0; WORDS]);

    /// The first `count` layouts, at most [`MOST`](Self::MOST).
    #[must_use]
    pub fn first(count: usize) -> LayoutSet {
        (0..count.min(LayoutSet::MOST)).collect()
    }

    /// The set of one layout, numbered below [`MOST`](Self::MOST).
    #[inline]
    #[must_use]
    pub const fn one(number: usize) -> LayoutSet {
        let mut set = LayoutSet::NONE;
        set.insert(number);
        set
    }

    /// The number of layouts.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no layout.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == LayoutSet::NONE
    }

    /// The number of the layout, if there is one only.
    #[must_use]
    pub fn only(self) -> Option<usize> {
        let first = self.iter().next()?;
        (self == LayoutSet::one(first)).then_some(first)
    }

    /// The weight of these layouts, with the weight of each by its number.
    #[must_use]
    pub fn weight(self, weights: &[f64]) -> f64 {
        self.iter().filter_map(|number| weights.get(number)).sum()
    }

    /// Whether the layout of this number is one of them.
    #[inline]
    #[must_use]
    pub const fn contains(self, number: usize) -> bool {
        self.0[number / 64 % WORDS] >> (number & 63) & 1 == 1
    }

    /// Adds the layout of this number, below [`MOST`](Self::MOST).
    #[inline]
    pub const fn insert(&mut self, number: usize) {
        self.0[number / 64 % WORDS] |= 1 << (number & 63);
    }

    /// Whether all of these layouts are in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, other: LayoutSet) -> bool {
        self.without(other).is_empty()
    }

    /// The layouts of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: LayoutSet) -> LayoutSet {
        LayoutSet(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// The layouts' numbers.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * word + bit)
            })
        })
    }
}

impl FromIterator<usize> for LayoutSet {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> LayoutSet {
        let mut set = LayoutSet::NONE;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

impl BitAnd for LayoutSet {
    type Output = LayoutSet;
    #[inline]
    fn bitand(self, other: LayoutSet) -> LayoutSet {
        LayoutSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl BitOr for LayoutSet {
    type Output = LayoutSet;
    #[inline]
    fn bitor(self, other: LayoutSet) -> LayoutSet {
        LayoutSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_keep_their_numbers() {
        let set: LayoutSet = [0, 63, 64, 255].into_iter().collect();
        assert!(set.iter().eq([0, 63, 64, 255]));
        assert_eq!((set.len(), set.is_empty()), (4, false));
        assert!(set.contains(64) && !set.contains(65) && !set.contains(1));
        assert!(LayoutSet::one(64).is_subset(set) && !set.is_subset(LayoutSet::one(64)));
        assert_eq!(set.weight(&[0.5; 100]), 1.5);
        assert_eq!(LayoutSet::first(70).len(), 70);
    }
}
