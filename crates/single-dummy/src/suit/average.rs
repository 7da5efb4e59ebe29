//! The line with the most tricks on average, and the one that does best at matchpoints.
//!
//! A line gives a number of tricks in every layout: the fewest that it takes there, whatever the
//! opponents play. The search keeps all such vectors of which none is as good as another
//! everywhere. For the best on average those are dropped that lose more than a line may lose of
//! the tricks that can be taken with all cards seen, a little more at each attempt
//! ([`Search::best`]). At matchpoints each line is compared with all others, so all are needed: in
//! a layout it scores a point against a line that takes fewer tricks, and a half against one that
//! takes as many.

use std::collections::HashMap;
use std::rc::Rc;

use serde::Serialize;

use super::search::{Search, Set, State, Trick, more_spare};
use super::{SuitHolding, Until};

/// The most comparisons of vectors to find the best on average, and as many to find all.
const MOST_MADE: usize = 4_000_000;

/// For 1, 2, … tricks the layouts in which a line takes at least so many, all in all.
type Profile = Vec<Set>;
type Front = Rc<Vec<Profile>>;

/// The tricks of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Average {
    /// Their mean.
    pub mean: f64,
    /// The chances of at least 0, 1, … tricks.
    pub at_least: Vec<f64>,
    /// The share of matchpoints against each other line that is not worse everywhere, 0 to 1;
    /// `None` if these are too many.
    pub matchpoints: Option<f64>,
}

/// The best lines by two measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    /// The line with the most tricks on average.
    pub mean: Average,
    /// The line with the most matchpoints; `None` if too many must be compared.
    pub matchpoints: Option<Average>,
}

struct Averaging<'a> {
    holding: &'a SuitHolding,
    /// The searches for 1, 2, … tricks.
    searches: Vec<Search<'a>>,
    /// The most tricks, by weight, that a line may lose to be looked at.
    spare: u64,
    fronts: HashMap<State, Front>,
    made: usize,
}

/// The best lines; `None` if the best on average is not found in time.
pub(super) fn averages(holding: &SuitHolding, until: Until<'_>) -> Option<Averages> {
    let searches = (1..=holding.most()).map(|tricks| Search::new(holding, tricks, until));
    let mut averaging = Averaging {
        holding,
        searches: searches.collect(),
        spare: 0,
        fronts: HashMap::new(),
        made: 0,
    };
    // One of the searches may have ended where the others have not noticed yet.
    let near = averaging.best().filter(|_| !until.is_now())?;
    averaging.spare = u64::MAX;
    averaging.made = 0;
    averaging.fronts.clear();
    let Some(all) = averaging.whole().filter(|_| !until.is_now()) else {
        let mean = near.iter().max_by_key(|line| averaging.sum(line))?;
        return Some(Averages {
            mean: averaging.average(mean, None),
            matchpoints: None,
        });
    };
    let points: Vec<u64> = all
        .iter()
        .map(|line| averaging.points(line, &all))
        .collect();
    let of = |at: usize| {
        let others = 2.0 * (all.len() - 1) as f64;
        let share = match others > 0.0 {
            true => holding.share(points[at]) / others,
            false => 0.5,
        };
        averaging.average(&all[at], Some(share))
    };
    let sum = |at: usize| averaging.sum(&all[at]);
    let mean = (0..all.len()).max_by_key(|&at| (sum(at), points[at]))?;
    let matchpoints = (0..all.len()).max_by_key(|&at| (points[at], sum(at)))?;
    Some(Averages {
        mean: of(mean),
        matchpoints: Some(of(matchpoints)),
    })
}

impl Averaging<'_> {
    fn average(&self, line: &Profile, matchpoints: Option<f64>) -> Average {
        let mut at_least = vec![1.0];
        let chances = line.iter().map(|set| self.holding.weight(set));
        at_least.extend(chances.map(|weight| self.holding.share(weight)));
        Average {
            mean: self.holding.share(self.sum(line)),
            at_least,
            matchpoints,
        }
    }

    /// The tricks of a line, by weight.
    fn sum(&self, line: &Profile) -> u64 {
        line.iter().map(|set| self.holding.weight(set)).sum()
    }

    /// Twice the points of a line against the others, by weight.
    fn points(&self, mine: &Profile, all: &[Profile]) -> u64 {
        let tricks = |line: &Profile, at: usize| line.iter().filter(|set| set.has(at)).count();
        let layouts = self.holding.layouts.iter().enumerate();
        let points = layouts.map(|(at, layout)| {
            let mine = tricks(mine, at);
            let scored = all.iter().map(|theirs| tricks(theirs, at));
            let scored =
                scored.map(|theirs| 1 + u64::from(mine > theirs) - u64::from(mine < theirs));
            // It is one of all, and ties with itself.
            layout.weight * (scored.sum::<u64>() - 1)
        });
        points.sum()
    }

    /// Vectors among which is the best on average.
    fn best(&mut self) -> Option<Front> {
        let start = self.searches[0].start();
        for search in &mut self.searches {
            search.winnable = search.possible(&start);
        }
        let all = self
            .searches
            .iter()
            .map(|search| self.holding.weight(&search.winnable));
        let all = all.sum();
        loop {
            let front = self.whole()?;
            if !front.is_empty() {
                return Some(front);
            }
            self.spare = more_spare(self.spare, all);
            self.fronts.clear();
        }
    }

    fn whole(&mut self) -> Option<Front> {
        let start = self.searches[0].start();
        self.front(&start)
    }

    /// Whether a vector loses no more in the layouts `alive` than a line may lose.
    fn is_spared(&self, alive: &Set, line: &Profile) -> bool {
        let winnable = self
            .searches
            .iter()
            .map(|search| alive.and(&search.winnable));
        let lost = winnable.zip(line).map(|(set, won)| set.without(won));
        let lost: u64 = lost.map(|lost| self.holding.weight(&lost)).sum();
        lost <= self.spare
    }

    /// The vectors from the start of a trick.
    fn front(&mut self, state: &State) -> Option<Front> {
        let like = self.searches[0].like(state);
        if let Some(front) = self.fronts.get(&like) {
            return Some(Rc::clone(front));
        }
        let searches = self.searches.iter_mut();
        let possible: Profile = searches
            .map(|search| search.possible(state).and(&search.winnable))
            .collect();
        let mut front = Vec::new();
        if self.is_spared(&self.searches[0].alive(state), &possible) {
            for (leader, card) in self.searches[0].leads(state) {
                let trick = self.searches[0].lead(state, leader, card);
                for line in self.trick_front(&trick)?.iter() {
                    self.add(&mut front, line.clone())?;
                }
                if front.first() == Some(&possible) {
                    break;
                }
            }
            // Nothing is left, or neither hand can be reached.
            if self.searches[0].leads(state).is_empty() {
                front.push(possible);
            }
        }
        let front = Rc::new(front);
        self.fronts.insert(like, Rc::clone(&front));
        Some(front)
    }

    fn trick_front(&mut self, trick: &Trick) -> Option<Front> {
        match trick.cards {
            1 | 3 => self.theirs(trick),
            2 => {
                let mut front = Vec::new();
                for card in self.searches[0].third(trick) {
                    for line in self.trick_front(&Search::follow(trick, card))?.iter() {
                        self.add(&mut front, line.clone())?;
                    }
                }
                Some(Rc::new(front))
            }
            _ => self.front(&Search::finish(trick)),
        }
    }

    fn theirs(&mut self, trick: &Trick) -> Option<Front> {
        let alive = self.searches[0].alive(&trick.state);
        let searches = self.searches.iter_mut();
        let possible: Profile = searches
            .map(|search| search.trick_possible(trick).and(&search.winnable))
            .collect();
        let mut front = match self.is_spared(&alive, &possible) {
            true => vec![possible],
            false => Vec::new(),
        };
        for (seen, with) in self.searches[0].ways(trick) {
            if front.is_empty() {
                break;
            }
            let next = self.searches[0].seen(trick, seen);
            let after = self.trick_front(&next)?;
            let mut joined = Vec::new();
            for line in &front {
                for won in after.iter() {
                    let both = line.iter().zip(won);
                    let both = both.map(|(set, won)| set.without(&with).or(&set.and(won)));
                    let both = both.collect();
                    self.step(1)?;
                    if self.is_spared(&alive, &both) {
                        self.add(&mut joined, both)?;
                    }
                }
            }
            front = joined;
        }
        Some(Rc::new(front))
    }

    /// Adds a vector unless another is as good everywhere; `None` if these are too many.
    fn add(&mut self, front: &mut Vec<Profile>, line: Profile) -> Option<()> {
        self.step(front.len() / 8)?;
        let within = |a: &Profile, b: &Profile| a.iter().zip(b).all(|(a, b)| a.is_in(b));
        if !front.iter().any(|other| within(&line, other)) {
            front.retain(|other| !within(other, &line));
            front.push(line);
        }
        Some(())
    }

    /// Counts comparisons; `None` if these are too many, or the search has ended.
    fn step(&mut self, steps: usize) -> Option<()> {
        self.made += steps;
        (self.made <= MOST_MADE && !self.searches[0].is_over_after(steps)).then_some(())
    }
}
