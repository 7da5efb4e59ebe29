//! Sets of worlds, and Pareto fronts of them.

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
        self == Worlds::NONE
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
        self & other == self
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

/// What a player can make sure of: sets of worlds, each of which some plan wins
/// in all of, and none of which is part of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front(Vec<Worlds>);

impl Front {
    /// The front with one set.
    #[must_use]
    pub fn of(worlds: Worlds) -> Front {
        Front(vec![worlds])
    }

    /// The sets.
    #[must_use]
    pub fn sets(&self) -> &[Worlds] {
        &self.0
    }

    /// Whether some plan wins in all of these worlds.
    #[must_use]
    pub fn covers(&self, worlds: Worlds) -> bool {
        self.0.iter().any(|set| worlds.is_subset(*set))
    }

    /// Adds a set, unless it is part of another; those that are part of it go.
    pub fn add(&mut self, worlds: Worlds) {
        if !self.covers(worlds) {
            self.0.retain(|set| !set.is_subset(worlds));
            self.0.push(worlds);
        }
    }

    /// What can be made sure of by choosing one of two ways to go on.
    pub fn join(&mut self, other: &Front) {
        for &set in &other.0 {
            self.add(set);
        }
    }

    /// Takes away the sets that are part of some set of `other`.
    pub fn remove_covered(&mut self, other: &Front) {
        self.0.retain(|set| !other.covers(*set));
    }

    /// The worlds that are in any of the sets.
    #[must_use]
    pub fn union(&self) -> Worlds {
        self.0.iter().fold(Worlds::NONE, |all, &set| all | set)
    }

    /// The most that any of the sets weighs.
    #[must_use]
    pub fn best(&self, weights: &[f64]) -> f64 {
        let weight = |set: &Worlds| -> f64 {
            let weights = set.iter().filter_map(|at| weights.get(at));
            weights.sum()
        };
        self.0.iter().map(weight).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worlds(numbers: &[usize]) -> Worlds {
        numbers.iter().copied().collect()
    }

    #[test]
    fn fronts_keep_what_is_not_part_of_another() {
        let mut front = Front::default();
        for set in [&[1, 2][..], &[2, 3], &[2], &[1, 2, 200], &[3]] {
            front.add(worlds(set));
        }
        assert_eq!(front.sets(), [worlds(&[2, 3]), worlds(&[1, 2, 200])]);
        assert!(front.covers(worlds(&[200])) && !front.covers(worlds(&[1, 3])));
        assert_eq!(front.best(&[1.0; 256]), 3.0);
        let numbers: Vec<usize> = worlds(&[0, 63, 64, 255]).iter().collect();
        assert_eq!(numbers, [0, 63, 64, 255]);
    }
}
