//! Pareto fronts of sets of worlds.

use super::set::Worlds;

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
        let sets = self.0.iter().map(|set| set.weight(weights));
        sets.fold(0.0, f64::max)
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
    }
}
