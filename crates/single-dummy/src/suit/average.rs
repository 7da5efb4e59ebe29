//! The line with the most tricks on average, and the one that does best at matchpoints.
//!
//! A line gives a number of tricks in every layout: the fewest that it takes there, whatever the
//! opponents play. The search keeps all such vectors of which none is as good as another
//! everywhere. The best on average is one of them. At matchpoints each is compared with all
//! others: in a layout it scores a point against a line that takes fewer tricks, and a half
//! against one that takes as many.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Instant;

use serde::Serialize;

use super::SuitHolding;
use super::search::{Search, Set, State, Trick};

/// The most vectors that are made.
const MOST_MADE: usize = 60_000;

/// For 1, 2, … tricks the layouts in which a line takes at least so many.
type Profile = Vec<Set>;
type Front = Rc<Vec<Profile>>;

/// The tricks of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Average {
    /// Their mean.
    pub mean: f64,
    /// The chances of at least 0, 1, … tricks.
    pub at_least: Vec<f64>,
    /// The share of matchpoints against each other line that is not worse everywhere, 0 to 1.
    pub matchpoints: f64,
}

/// The best lines by two measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    /// The line with the most tricks on average.
    pub mean: Average,
    /// The line with the most matchpoints.
    pub matchpoints: Average,
}

struct Averaging<'a> {
    search: Search<'a>,
    fronts: HashMap<State, Front>,
    made: usize,
}

/// The best lines; `None` if too many must be kept apart.
pub(super) fn averages(holding: &SuitHolding, deadline: Option<Instant>) -> Option<Averages> {
    let mut averaging = Averaging {
        search: Search::new(holding, usize::MAX),
        fronts: HashMap::new(),
        made: 0,
    };
    averaging.search.deadline = deadline;
    let start = averaging.search.start();
    let front = averaging.front(&start)?;
    let weights: Vec<u64> = holding.layouts.iter().map(|layout| layout.weight).collect();
    let tricks = |line: &Profile, at: usize| line.iter().filter(|set| set.has(at)).count();
    let values: Vec<Vec<usize>> = front
        .iter()
        .map(|line| (0..weights.len()).map(|at| tricks(line, at)).collect())
        .collect();
    // Twice the points, so that all is whole.
    let points = |mine: &Vec<usize>| -> u64 {
        let against = |theirs: &Vec<usize>| -> u64 {
            let each = mine.iter().zip(theirs).zip(&weights);
            each.map(|((mine, theirs), weight)| {
                weight * (1 + u64::from(mine > theirs) - u64::from(mine < theirs))
            })
            .sum()
        };
        values.iter().map(against).sum::<u64>() - against(mine)
    };
    let sum = |mine: &Vec<usize>| -> u64 {
        let each = mine.iter().zip(&weights);
        each.map(|(&tricks, weight)| tricks as u64 * weight).sum()
    };
    let of = |at: usize| {
        let others = (values.len() - 1) as f64;
        let share = |weight: u64| weight as f64 / holding.total as f64;
        let mut at_least = vec![1.0];
        at_least.extend(front[at].iter().map(|set| share(holding.weight(set))));
        Average {
            mean: share(sum(&values[at])),
            at_least,
            matchpoints: match others > 0.0 {
                true => share(points(&values[at])) / others / 2.0,
                false => 0.5,
            },
        }
    };
    let all = || 0..values.len();
    let mean = all().max_by_key(|&at| (sum(&values[at]), points(&values[at])))?;
    let matchpoints = all().max_by_key(|&at| (points(&values[at]), sum(&values[at])))?;
    Some(Averages {
        mean: of(mean),
        matchpoints: of(matchpoints),
    })
}

impl Averaging<'_> {
    /// The vectors from the start of a trick.
    fn front(&mut self, state: &State) -> Option<Front> {
        if state.hands == [0, 0] {
            return Some(Rc::new(vec![Vec::new()]));
        }
        // What was won before makes no difference to what can be won.
        let state = State { won: 0, ..*state };
        if let Some(front) = self.fronts.get(&state) {
            return Some(Rc::clone(front));
        }
        let mut front = Vec::new();
        for (leader, card) in self.search.leads(&state) {
            let trick = self.search.lead(&state, leader, card);
            for line in self.trick_front(&trick)?.iter() {
                self.add(&mut front, line.clone())?;
            }
        }
        if front.is_empty() {
            // Neither hand can be reached.
            front.push(Vec::new());
        }
        let front = Rc::new(front);
        self.fronts.insert(state, Rc::clone(&front));
        Some(front)
    }

    fn trick_front(&mut self, trick: &Trick) -> Option<Front> {
        match trick.cards {
            1 | 3 => self.theirs(trick),
            2 => {
                let mut front = Vec::new();
                for card in self.search.third(trick) {
                    for line in self.trick_front(&Search::follow(trick, card))?.iter() {
                        self.add(&mut front, line.clone())?;
                    }
                }
                Some(Rc::new(front))
            }
            _ => {
                let state = Search::finish(trick);
                let rest = self.front(&state)?;
                if !Search::is_won(trick) {
                    return Some(rest);
                }
                let alive = self.search.alive(&state);
                let with = |line: &Profile| {
                    let mut more = vec![alive];
                    more.extend(line);
                    more
                };
                Some(Rc::new(rest.iter().map(with).collect()))
            }
        }
    }

    fn theirs(&mut self, trick: &Trick) -> Option<Front> {
        let left = trick.state.hands.map(u16::count_ones);
        let most = left[0].max(left[1]) as usize + 1;
        let mut front = vec![vec![self.search.alive(&trick.state); most]];
        for (seen, with) in self.search.ways(trick) {
            let next = self.search.seen(trick, seen);
            let after = self.trick_front(&next)?;
            let mut joined = Vec::new();
            for line in &front {
                for won in after.iter() {
                    // Nothing is won beyond the end of a vector.
                    let won = won.iter().copied().chain(std::iter::repeat(Set::default()));
                    let both = line.iter().zip(won);
                    let both = both.map(|(set, won)| set.without(&with).or(&set.and(&won)));
                    self.add(&mut joined, both.collect())?;
                }
            }
            front = joined;
        }
        Some(Rc::new(front))
    }

    /// Adds a vector unless another is as good everywhere; `None` if these are too many.
    fn add(&mut self, front: &mut Vec<Profile>, line: Profile) -> Option<()> {
        self.made += 1 + front.len() / 8;
        if self.made > MOST_MADE || self.search.is_over() {
            return None;
        }
        let mut line = line;
        while line.last().is_some_and(Set::is_empty) {
            line.pop();
        }
        let within = |a: &Profile, b: &Profile| {
            a.len() <= b.len() && a.iter().zip(b).all(|(a, b)| a.is_in(b))
        };
        if !front.iter().any(|other| within(&line, other)) {
            front.retain(|other| !within(other, &line));
            front.push(line);
        }
        Some(())
    }
}
