//! Sets of worlds.

use std::ops::{BitAnd, BitOr};

/// Which of up to 1,024 worlds: a world for each layout of the hidden cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Worlds([u64; WORDS]);

/// Room for the 924 layouts of two hidden hands of six cards.
const WORDS: usize = 16;

impl Worlds {
    /// The most worlds that a set can have.
    pub const MOST: usize = 64 * WORDS;
    /// No world.
    pub const NONE: Worlds = Worlds([0; WORDS]);

    /// The first `count` worlds, at most [`MOST`](Self::MOST).
    #[must_use]
    pub fn first(count: usize) -> Worlds {
        (0..count.min(Worlds::MOST)).collect()
    }

    /// Number of worlds.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no world.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.into_iter().all(|word| word == 0)
    }

    /// The set of one world, numbered below [`MOST`](Self::MOST).
    #[inline]
    #[must_use]
    pub const fn one(at: usize) -> Worlds {
        let mut worlds = Worlds::NONE;
        worlds.insert(at);
        worlds
    }

    /// The number of the world, if there is one only.
    #[must_use]
    pub fn only(self) -> Option<usize> {
        let first = self.iter().next()?;
        (self == Worlds::one(first)).then_some(first)
    }

    /// What these worlds weigh, with the weight of each by its number.
    #[must_use]
    pub fn weight(self, weights: &[f64]) -> f64 {
        let weights = self.iter().filter_map(|at| weights.get(at));
        weights.sum()
    }

    /// Whether the world numbered `at` is one of them.
    #[inline]
    #[must_use]
    pub const fn contains(self, at: usize) -> bool {
        self.0[at / 64 % WORDS] >> (at & 63) & 1 == 1
    }

    /// Adds the world numbered `at`, below [`MOST`](Self::MOST).
    #[inline]
    pub const fn insert(&mut self, at: usize) {
        self.0[at / 64 % WORDS] |= 1 << (at & 63);
    }

    /// Whether all of these worlds are in `other`.
    #[inline]
    #[must_use]
    pub fn is_subset(self, other: Worlds) -> bool {
        let mut words = self.0.into_iter().zip(other.0);
        words.all(|(mine, others)| mine & !others == 0)
    }

    /// The worlds of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub fn without(self, other: Worlds) -> Worlds {
        Worlds(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// The worlds' numbers.
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

impl FromIterator<usize> for Worlds {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Worlds {
        let mut worlds = Worlds::NONE;
        for at in numbers {
            worlds.insert(at);
        }
        worlds
    }
}

impl BitAnd for Worlds {
    type Output = Worlds;
    #[inline]
    fn bitand(self, other: Worlds) -> Worlds {
        Worlds(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }
}

impl BitOr for Worlds {
    type Output = Worlds;
    #[inline]
    fn bitor(self, other: Worlds) -> Worlds {
        Worlds(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_keep_their_numbers() {
        let worlds: Worlds = [0, 63, 64, 255].into_iter().collect();
        assert!(worlds.iter().eq([0, 63, 64, 255]));
        assert!(Worlds::one(64).is_subset(worlds) && !worlds.is_subset(Worlds::one(64)));
        assert_eq!(worlds.weight(&[0.5; 100]), 1.5);
    }
}
