//! Sets of worlds that can be won together.

use super::set::Worlds;

/// Sets of worlds, each of which some plan wins in all of, and none of which is
/// part of another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Front(Vec<Worlds>);

impl Front {
    /// Whether some plan wins in all of these worlds.
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
        assert_eq!(front.0, [worlds(&[2, 3]), worlds(&[1, 2, 200])]);
        assert!(front.covers(worlds(&[200])) && !front.covers(worlds(&[1, 3])));
    }
}
