//! The cheapest drops that break all cores: for each layout the number of tricks that remain
//! possible, by branch and bound. (A hitting set, in which a layout may be dropped trick by trick.)

use crate::error::{SearchError, Visits};
use crate::given::findings::{Goals, LayoutGoal};
use setrograde_cards::Sorting;

/// The values of 0, 1, … tricks in each layout, which never decrease.
pub(super) struct Worth(pub Vec<Vec<f64>>);

impl Worth {
    /// The value of tricks in a layout.
    pub(super) fn of(&self, layout: u16, tricks: u8) -> f64 {
        self.0[usize::from(layout)][usize::from(tricks)]
    }
}

/// Layouts with lowered hopes: the tricks that remain, and the total cost.
type Drops = (Goals, f64);

/// The cheapest drops from `hopes` that leave no core intact, if they cost less than `limit`.
pub(super) fn cheapest(
    cores: &[Goals],
    hopes: &[u8],
    worth: &Worth,
    limit: f64,
    visits: &mut Visits,
) -> Result<Option<Drops>, SearchError> {
    let mut cores = cores.to_vec();
    cores.in_order_by_key(Vec::len);
    let mut search = Dropping {
        worth,
        visits,
        slack: 1e-9 * worth.0.iter().filter_map(|of| of.last()).sum::<f64>(),
    };
    search.below(cores, &mut hopes.to_vec(), limit)
}

/// A lower bound on the cost of drops that leave no core intact.
pub(super) fn at_least(cores: &[Goals], hopes: &[u8], worth: &Worth) -> f64 {
    let mut shared = vec![0u32; hopes.len()];
    for goal in cores.iter().flatten() {
        shared[usize::from(goal.0)] += 1;
    }
    let shares =
        |core: &&Goals| -> u32 { core.iter().map(|goal| shared[usize::from(goal.0)]).sum() };
    let mut order: Vec<&Goals> = cores.iter().collect();
    order.in_order_by_key(shares);
    // Dropping a layout below a number of tricks breaks all cores that need at least this number in
    // it; these cores together pay at most its price.
    let mut taken: Vec<[f64; 14]> = vec![[0.0; 14]; hopes.len()];
    let mut sum = 0.0;
    for core in order {
        let room = |&(layout, tricks): &LayoutGoal| {
            let at = usize::from(layout);
            let hope = worth.of(layout, hopes[at]);
            let room =
                |below: u8| hope - worth.of(layout, below - 1) - taken[at][usize::from(below)];
            let rooms = (1..=tricks).map(room);
            rooms.fold(f64::INFINITY, f64::min)
        };
        let least = core.iter().map(room).fold(f64::INFINITY, f64::min).max(0.0);
        sum += least;
        for &(layout, tricks) in core {
            for taken in &mut taken[usize::from(layout)][1..=usize::from(tricks)] {
                *taken += least;
            }
        }
    }
    sum
}

struct Dropping<'a> {
    worth: &'a Worth,
    visits: &'a mut Visits,
    /// A negligible difference in cost.
    slack: f64,
}

impl Dropping<'_> {
    /// The cheapest drops that cost less than `limit`; `None` if there are none.
    fn below(
        &mut self,
        mut cores: Vec<Goals>,
        hopes: &mut [u8],
        limit: f64,
    ) -> Result<Option<Drops>, SearchError> {
        self.visits.count()?;
        let mut drops = Drops::default();
        loop {
            while let Some(&goal) = cores
                .iter()
                .find(|core| core.len() == 1)
                .map(|core| &core[0])
            {
                drops.1 += self.drop(goal, &mut cores, hopes);
                drops.0.push((goal.0, hopes[usize::from(goal.0)]));
            }
            let Some(replaced) = self.replaced(&cores, hopes) else {
                break;
            };
            for core in &mut cores {
                core.retain(|goal| goal.0 != replaced);
            }
        }
        if drops.1 + at_least(&cores, hopes, self.worth) >= limit - self.slack {
            return Ok(None);
        }
        let parts = independent(cores);
        if parts.len() == 1 {
            let part = parts.into_iter().next().expect("there is one");
            let rest = self.branch(part, hopes, limit - drops.1)?;
            return Ok(rest.map(|rest| joined(drops, rest)));
        }
        let least: Vec<f64> = parts
            .iter()
            .map(|part| at_least(part, hopes, self.worth))
            .collect();
        let mut to_come: f64 = least.iter().sum();
        for (part, least) in parts.into_iter().zip(least) {
            to_come -= least;
            // Parts share no layout.
            let Some(found) = self.below(part, &mut hopes.to_vec(), limit - drops.1 - to_come)?
            else {
                return Ok(None);
            };
            drops = joined(drops, found);
        }
        Ok(Some(drops))
    }

    /// A layout dominated by another: the other is in all of its cores, and dropping the other
    /// instead costs no more.
    fn replaced(&self, cores: &[Goals], hopes: &[u8]) -> Option<u16> {
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); hopes.len()];
        for (number, core) in cores.iter().enumerate() {
            for goal in core {
                of[usize::from(goal.0)].push(number as u32);
            }
        }
        let goal = |core: u32, layout: u16| {
            let core = &cores[core as usize];
            let at = core.binary_search_by_key(&layout, |goal| goal.0);
            at.ok().map(|at| core[at].1)
        };
        (0..of.len() as u16).find(|&layout| {
            let within = &of[usize::from(layout)];
            let Some(&first) = within.first() else {
                return false;
            };
            let highest = within.iter().filter_map(|&core| goal(core, layout)).max();
            let price = self.price((layout, highest.expect("a core")), hopes);
            cores[first as usize].iter().any(|&(other, _)| {
                let lowest = within
                    .iter()
                    .map(|&core| goal(core, other))
                    .reduce(|a, b| Some(a?.min(b?)))
                    .flatten();
                other != layout
                    && lowest.is_some_and(|lowest| self.price((other, lowest), hopes) <= price)
            })
        })
    }

    /// Tries to keep and to drop the goal that occurs in most cores.
    fn branch(
        &mut self,
        cores: Vec<Goals>,
        hopes: &[u8],
        mut limit: f64,
    ) -> Result<Option<Drops>, SearchError> {
        let count = |goal: &&LayoutGoal| {
            let whole = cores.iter().filter(|core| {
                core.iter()
                    .any(|other| other.0 == goal.0 && other.1 >= goal.1)
            });
            let price = self.price(**goal, hopes);
            // Cores per unit of cost, the highest first.
            (whole.count() as f64 / price.max(self.slack)).to_bits()
        };
        let &goal = cores
            .iter()
            .flatten()
            .max_by_key(count)
            .expect("no core is empty");
        let (mut rest, mut with) = (cores.clone(), hopes.to_vec());
        let price = self.drop(goal, &mut rest, &mut with);
        let mut best = self.below(rest, &mut with, limit - price)?;
        if let Some(best) = &mut best {
            // A further drop of the same layout includes this one.
            if !best.0.iter().any(|drop| drop.0 == goal.0) {
                best.0.push((goal.0, goal.1 - 1));
            }
            best.1 += price;
            limit = best.1;
        }
        // The layout keeps these tricks, so it cannot break cores that need no more.
        let mut others = cores;
        for core in &mut others {
            core.retain(|other| other.0 != goal.0 || other.1 > goal.1);
        }
        if others.iter().any(Vec::is_empty) {
            return Ok(best);
        }
        let without = self.below(others, &mut hopes.to_vec(), limit)?;
        Ok(without.or(best))
    }

    /// The price of dropping a goal.
    fn price(&self, (layout, tricks): LayoutGoal, hopes: &[u8]) -> f64 {
        let hope = self.worth.of(layout, hopes[usize::from(layout)]);
        hope - self.worth.of(layout, tricks - 1)
    }

    /// Drops a goal, which breaks its cores. Returns the price.
    fn drop(&self, goal: LayoutGoal, cores: &mut Vec<Goals>, hopes: &mut [u8]) -> f64 {
        let price = self.price(goal, hopes);
        hopes[usize::from(goal.0)] = goal.1 - 1;
        cores.retain(|core| {
            !core
                .iter()
                .any(|other| other.0 == goal.0 && other.1 >= goal.1)
        });
        price
    }
}

/// Both drops; if both have a layout, the lower one remains.
fn joined(mut one: Drops, other: Drops) -> Drops {
    for drop in other.0 {
        match one.0.iter_mut().find(|old| old.0 == drop.0) {
            Some(old) => old.1 = old.1.min(drop.1),
            None => one.0.push(drop),
        }
    }
    (one.0, one.1 + other.1)
}

/// The cores in groups that have no layout in common.
fn independent(mut cores: Vec<Goals>) -> Vec<Vec<Goals>> {
    let mut parts = Vec::new();
    while let Some(first) = cores.pop() {
        let mut reach: Vec<u16> = first.iter().map(|goal| goal.0).collect();
        let mut part = vec![first];
        loop {
            let apart = |core: &Goals| !core.iter().any(|goal| reach.contains(&goal.0));
            let (others, joined): (Vec<_>, Vec<_>) = cores.into_iter().partition(apart);
            cores = others;
            if joined.is_empty() {
                break;
            }
            reach.extend(joined.iter().flatten().map(|goal| goal.0));
            part.extend(joined);
        }
        parts.push(part);
    }
    parts
}
