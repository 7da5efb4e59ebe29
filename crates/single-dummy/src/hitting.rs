//! The lightest set of layouts that hits every core, by branch and bound.

use crate::error::{SearchError, Visits};
use crate::layout_set::LayoutSet;

/// The lightest set of layouts that has one of each core, if it weighs less than
/// `limit`.
pub(super) fn lightest(
    cores: &[LayoutSet],
    weights: &[f64],
    limit: f64,
    visits: &mut Visits,
) -> Result<Option<LayoutSet>, SearchError> {
    let mut cores = cores.to_vec();
    // Small cores first: the bound from below is then higher.
    cores.sort_by_key(|core| core.len());
    let mut search = Hitting { weights, visits };
    Ok(search.below(cores, limit)?.map(|found| found.0))
}

struct Hitting<'a> {
    weights: &'a [f64],
    visits: &'a mut Visits,
}

/// A set of layouts and its weight.
type Hit = (LayoutSet, f64);

impl Hitting<'_> {
    /// The lightest set that weighs less than `limit`; `None` if there is none.
    fn below(&mut self, mut cores: Vec<LayoutSet>, limit: f64) -> Result<Option<Hit>, SearchError> {
        self.visits.count()?;
        let mut hit = (LayoutSet::NONE, 0.0);
        self.reduce(&mut cores, &mut hit);
        if hit.1 + self.at_least(&cores) >= limit - 1e-9 {
            return Ok(None);
        }
        if cores.is_empty() {
            return Ok(Some(hit));
        }
        let mut parts = independent(cores);
        if parts.len() == 1 {
            let part = parts.pop().expect("there is one");
            let rest = self.branch(part, limit - hit.1)?;
            return Ok(rest.map(|rest| (hit.0 | rest.0, hit.1 + rest.1)));
        }
        let least: Vec<f64> = parts.iter().map(|part| self.at_least(part)).collect();
        let mut to_come: f64 = least.iter().sum();
        for (part, least) in parts.into_iter().zip(least) {
            to_come -= least;
            let Some(found) = self.below(part, limit - hit.1 - to_come)? else {
                return Ok(None);
            };
            hit = (hit.0 | found.0, hit.1 + found.1);
        }
        Ok(Some(hit))
    }

    /// With and without the layout that is in the most cores.
    fn branch(
        &mut self,
        cores: Vec<LayoutSet>,
        mut limit: f64,
    ) -> Result<Option<Hit>, SearchError> {
        let count = |one: &usize| cores.iter().filter(|core| core.contains(*one)).count();
        let all = cores.iter().fold(LayoutSet::NONE, |all, &core| all | core);
        let one = all.iter().max_by_key(count).expect("no core is empty");
        let others = cores.iter().filter(|core| !core.contains(one));
        let weight = self.weights[one];
        let mut best = self.below(others.copied().collect(), limit - weight)?;
        if let Some(with) = &mut best {
            *with = (with.0 | LayoutSet::one(one), with.1 + weight);
            limit = with.1;
        }
        let without = cores.iter().map(|core| core.without(LayoutSet::one(one)));
        let without = self.below(without.collect(), limit)?;
        Ok(without.or(best))
    }

    /// Takes the layouts that must be taken, and leaves out those that another one
    /// replaces: it is as light, and in all their cores.
    fn reduce(&self, cores: &mut Vec<LayoutSet>, hit: &mut Hit) {
        loop {
            while let Some(one) = cores.iter().find_map(|core| core.only()) {
                *hit = (hit.0 | LayoutSet::one(one), hit.1 + self.weights[one]);
                cores.retain(|core| !core.contains(one));
            }
            let Some(replaced) = self.replaced(cores) else {
                return;
            };
            for core in cores.iter_mut() {
                *core = core.without(LayoutSet::one(replaced));
            }
        }
    }

    fn replaced(&self, cores: &[LayoutSet]) -> Option<usize> {
        let all = cores.iter().fold(LayoutSet::NONE, |all, &core| all | core);
        all.iter().find(|&one| {
            let hit = cores.iter().filter(|core| core.contains(one));
            let common = hit.copied().reduce(|all, core| all & core);
            let others = common.unwrap_or_default().without(LayoutSet::one(one));
            others
                .iter()
                .any(|other| self.weights[other] <= self.weights[one])
        })
    }

    /// A weight that every set has which hits all cores: each core takes what its
    /// layouts have left in common, those first that share layouts with the fewest.
    fn at_least(&self, cores: &[LayoutSet]) -> f64 {
        let mut shared = vec![0u32; self.weights.len()];
        for one in cores.iter().flat_map(|core| core.iter()) {
            shared[one] += 1;
        }
        let mut order: Vec<(u32, LayoutSet)> = cores
            .iter()
            .map(|&core| (core.iter().map(|one| shared[one]).sum(), core))
            .collect();
        order.sort_by_key(|&(shares, _)| shares);
        let mut left = self.weights.to_vec();
        let mut sum = 0.0;
        for (_, core) in order {
            let least = core
                .iter()
                .map(|one| left[one])
                .fold(f64::INFINITY, f64::min);
            sum += least;
            for one in core.iter() {
                left[one] -= least;
            }
        }
        sum
    }
}

/// The cores in groups that have no layout in common.
fn independent(mut cores: Vec<LayoutSet>) -> Vec<Vec<LayoutSet>> {
    let mut parts = Vec::new();
    while let Some(first) = cores.pop() {
        let (mut part, mut reach) = (vec![first], first);
        loop {
            let apart = |core: &LayoutSet| (*core & reach).is_empty();
            let (others, joined): (Vec<_>, Vec<_>) = cores.into_iter().partition(apart);
            cores = others;
            if joined.is_empty() {
                break;
            }
            reach = joined.iter().fold(reach, |all, &core| all | core);
            part.extend(joined);
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fastrand::Rng;

    use super::*;

    #[test]
    fn the_lightest_of_all_sets_is_found() {
        let mut rng = Rng::with_seed(4);
        let mut made = 0;
        for round in 0..300 {
            let most = 1 + rng.usize(1..4);
            let core = |rng: &mut Rng| (0..most).map(|_| rng.usize(0..10)).collect();
            let cores: Vec<LayoutSet> = (0..rng.usize(1..14)).map(|_| core(&mut rng)).collect();
            let weight = |_| if round % 2 == 0 { 1.0 } else { rng.f64() };
            let weights: Vec<f64> = (0..10).map(weight).collect();
            let all = (0..1 << 10).map(|bits: usize| -> LayoutSet {
                (0..10).filter(|at| bits >> at & 1 == 1).collect()
            });
            let hits = |set: &LayoutSet| cores.iter().all(|core| !(*core & *set).is_empty());
            let expected = all.filter(hits).map(|set| set.weight(&weights));
            let expected = expected.fold(f64::INFINITY, f64::min);
            let mut visits = Visits {
                made: 0,
                most: u64::MAX,
                cancel: Arc::default(),
            };
            let found = lightest(&cores, &weights, f64::INFINITY, &mut visits);
            let Ok(Some(found)) = found else {
                unreachable!("no limit")
            };
            let below = lightest(&cores, &weights, expected, &mut visits);
            assert!(matches!(below, Ok(None)), "{cores:?}");
            made += visits.made;
            assert!(hits(&found), "{cores:?}");
            assert!(
                (found.weight(&weights) - expected).abs() < 1e-9,
                "{cores:?}"
            );
        }
        // A change that claims not to change the work leaves this as it is.
        assert_eq!(made, 1_342);
    }
}
