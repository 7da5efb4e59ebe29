//! The most valuable set of goals that one line reaches.
//!
//! The search starts from the double-dummy value of each layout. As long as no line reaches these
//! hopes, it keeps the cores that prove so, and drops the cheapest hopes that break all cores. The
//! value of the remaining hopes is always an upper bound, and the value of a line found is a lower
//! bound. (Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT instances", CP
//! 2011, with lines of play instead of assignments.)

use crate::error::SearchError;
use crate::given::dropped::{Worth, at_least, cheapest};
use crate::given::findings::{Goals, GoalsVerdict, LayoutGoal, SidePosition};
use crate::given::search::Search;
use setrograde_cards::Sorting;

/// The result of one line, and an upper bound for any line.
#[derive(Clone, Debug)]
pub(super) struct Best {
    /// By layout, the tricks that the line is sure to take, counted from the root.
    pub reached: Vec<u8>,
    pub worth: f64,
    /// An upper bound for any line; equal to `worth` if the search finished.
    pub at_most: f64,
}

/// The share of the allowed positions that is reserved for finding some line.
const KEPT: u64 = 4;

pub(super) struct Optimum<'s, 'a> {
    pub search: &'s mut Search<'a>,
    pub worth: &'s Worth,
    /// Goals that no line reaches together; each core holds at every position of the search.
    pub cores: Vec<Goals>,
}

impl Optimum<'_, '_> {
    /// The result of a best line from `at`. `hopes` are the double-dummy tricks of each layout.
    ///
    /// # Errors
    ///
    /// If the search is cancelled, or a layout cannot be evaluated. At its limit, the answer is the
    /// best so far.
    pub(super) fn best(&mut self, at: &SidePosition, hopes: &[u8]) -> Result<Best, SearchError> {
        let mut best = self.nothing(hopes);
        let all = best.at_most;
        match self.improve(at, hopes, &mut best) {
            Ok(()) => best.at_most = best.worth,
            Err(SearchError::TooLong(_)) => {
                self.some_line(at, hopes, &mut best)?;
                let bound = all - at_least(&self.cores, hopes, self.worth);
                best.at_most = best.at_most.min(bound).max(best.worth);
            }
            Err(error) => return Err(error),
        }
        Ok(best)
    }

    /// The layouts and tricks of a best line, without a limit.
    ///
    /// # Errors
    ///
    /// As [`best`](Self::best), and if the search reaches its limit.
    pub(super) fn whole(
        &mut self,
        at: &SidePosition,
        hopes: &[u8],
    ) -> Result<Vec<u8>, SearchError> {
        let mut best = self.nothing(hopes);
        self.improve(at, hopes, &mut best)?;
        Ok(best.reached)
    }

    fn nothing(&self, hopes: &[u8]) -> Best {
        let nothing = vec![0; hopes.len()];
        Best {
            worth: self.worth_of(&nothing),
            reached: nothing,
            at_most: self.worth_of(hopes),
        }
    }

    fn improve(
        &mut self,
        at: &SidePosition,
        hopes: &[u8],
        best: &mut Best,
    ) -> Result<(), SearchError> {
        let all = self.worth_of(hopes);
        loop {
            let limit = all - best.worth;
            let visits = &mut self.search.visits;
            let Some((drops, cost)) = cheapest(&self.cores, hopes, self.worth, limit, visits)?
            else {
                return Ok(());
            };
            best.at_most = best.at_most.min(all - cost);
            let mut hoped = hopes.to_vec();
            for (layout, tricks) in drops {
                let hope = &mut hoped[usize::from(layout)];
                *hope = tricks.min(*hope);
            }
            let found = self.largest_within(at, hopes, hoped.clone())?;
            let worth = self.worth_of(&found);
            let finished = found == hoped;
            if worth > best.worth || finished {
                best.reached = found;
                best.worth = worth;
            }
            if finished {
                return Ok(());
            }
        }
    }

    /// Goals that one line reaches: `hoped` without its cores, extended as far as `hopes` allow.
    fn largest_within(
        &mut self,
        at: &SidePosition,
        hopes: &[u8],
        mut hoped: Vec<u8>,
    ) -> Result<Vec<u8>, SearchError> {
        let asked = hoped.clone();
        while let Some(core) = self.least_core(at, &goals(&hoped))? {
            for &(layout, tricks) in &core {
                hoped[usize::from(layout)] = self.below(layout, tricks);
            }
            self.keep(core);
        }
        if hoped != asked {
            self.add_all(at, hopes, &mut hoped)?;
        }
        Ok(hoped)
    }

    /// Adds every further goal that some line reaches together with these.
    fn add_all(
        &mut self,
        at: &SidePosition,
        hopes: &[u8],
        reached: &mut Vec<u8>,
    ) -> Result<(), SearchError> {
        for layout in 0..hopes.len() as u16 {
            while let Some(tricks) = self.above(layout, reached, hopes) {
                let mut more = reached.clone();
                more[usize::from(layout)] = tricks;
                match self.least_core(at, &goals(&more))? {
                    None => *reached = more,
                    Some(core) => {
                        self.keep(core);
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// A line for the goals that are found quickly, the most valuable layouts first.
    fn some_line(
        &mut self,
        at: &SidePosition,
        hopes: &[u8],
        best: &mut Best,
    ) -> Result<(), SearchError> {
        let most = self.search.visits.most;
        let kept = (most / KEPT).min(2_000_000);
        let (until, deadline) = (
            self.search.visits.made.saturating_add(kept),
            self.search.deadline,
        );
        let grace = deadline.map(|deadline| deadline + self.search.grace);
        self.search.deadline = grace;
        let mut order: Vec<u16> = (0..hopes.len() as u16).collect();
        let gain = |layout: u16| {
            let hope = self.worth.of(layout, hopes[usize::from(layout)]);
            hope - self.worth.of(layout, 0)
        };
        order.in_order_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        let mut reached = best.reached.clone();
        for layout in order {
            let mut more = reached.clone();
            more[usize::from(layout)] = hopes[usize::from(layout)];
            let made = self.search.visits.made;
            self.search.visits.most = until.min(made.saturating_add(kept / 32 + 1));
            match self.search.together(at, &goals(&more)) {
                Ok(GoalsVerdict::Reached) => reached = more,
                Ok(GoalsVerdict::Refuted(core)) => self.keep(core),
                Err(SearchError::TooLong(_)) => {}
                Err(error) => return Err(error),
            }
        }
        self.search.visits.most = most;
        self.search.deadline = deadline;
        // It keeps the goals reached before.
        best.worth = self.worth_of(&reached);
        best.reached = reached;
        Ok(())
    }

    /// Returns a minimal core of the goals, in which no goal can be dropped or lowered, if no line
    /// reaches them.
    fn least_core(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<Option<Goals>, SearchError> {
        let GoalsVerdict::Refuted(mut least) = self.search.together(at, goals)? else {
            return Ok(None);
        };
        let mut done = 0;
        while done < least.len() {
            let (layout, tricks) = least[done];
            let mut fewer = least.clone();
            match self.below(layout, tricks) {
                0 => {
                    fewer.remove(done);
                }
                lower => fewer[done].1 = lower,
            }
            match self.search.together(at, &fewer)? {
                // Goals before this one stay as they are, because lowering them allowed a line.
                GoalsVerdict::Refuted(core) => {
                    done = core.iter().filter(|goal| goal.0 < layout).count();
                    least = core;
                }
                GoalsVerdict::Reached => done += 1,
            }
        }
        Ok(Some(least))
    }

    fn keep(&mut self, core: Goals) {
        if !self.cores.contains(&core) {
            self.cores.push(core);
        }
    }

    /// Maximum number of tricks with a lower value in this layout.
    fn below(&self, layout: u16, tricks: u8) -> u8 {
        let of = |tricks| self.worth.of(layout, tricks);
        let less = (0..tricks).rev().find(|&fewer| of(fewer) < of(tricks));
        // The minimum with the same value.
        less.map_or(0, |less| self.fewest(layout, less))
    }

    /// The minimum number of tricks with the same value in this layout.
    pub(super) fn fewest(&self, layout: u16, tricks: u8) -> u8 {
        let of = |tricks| self.worth.of(layout, tricks);
        let least = (0..=tricks).find(|&fewer| of(fewer) >= of(tricks));
        least.unwrap_or(tricks)
    }

    /// The smallest number of tricks within the hopes with a higher value than those reached in a
    /// layout.
    fn above(&self, layout: u16, reached: &[u8], hopes: &[u8]) -> Option<u8> {
        let of = |tricks| self.worth.of(layout, tricks);
        let [reached, hope] = [reached, hopes].map(|tricks| tricks[usize::from(layout)]);
        (reached + 1..=hope).find(|&more| of(more) > of(reached))
    }

    pub(crate) fn worth_of(&self, tricks: &[u8]) -> f64 {
        let each = (0..).zip(tricks);
        each.map(|(layout, &tricks)| self.worth.of(layout, tricks))
            .sum()
    }
}

/// The goals of these tricks by layout.
pub(super) fn goals(tricks: &[u8]) -> Goals {
    let wanted = tricks.iter().enumerate().filter(|(_, tricks)| **tricks > 0);
    wanted
        .map(|(layout, &tricks)| (layout as u16, tricks))
        .collect()
}
