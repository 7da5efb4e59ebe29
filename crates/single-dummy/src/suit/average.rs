//! The line with the most tricks on average, and the one that does best at matchpoints.
//!
//! The search is for all numbers of tricks at once. For the best average, the search drops lines
//! that lose more than a limit compared with double-dummy play, and raises the limit at each
//! attempt ([`Search::best`]). At matchpoints each line is compared with all others, so all are
//! needed: in a layout it scores a point against a line that takes fewer tricks, and a half against
//! one that takes as many.

use serde::Serialize;

use super::SuitHolding;
use super::search::{LineSets, Search};

/// Maximum number of comparisons of lines in a search for the best average, and again in a search
/// for all lines that have it.
const MOST_MADE: usize = 4_000_000;

/// The tricks of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Average {
    /// Their mean.
    pub mean: f64,
    /// The chances of at least 0, 1, … tricks.
    pub at_least: Vec<f64>,
    /// The share of matchpoints, 0 to 1, against all lines that are not worse everywhere; `None` if
    /// these are too many.
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

/// The best lines; `None` if the best on average is not found in time.
pub(super) fn averages(holding: &SuitHolding) -> Option<Averages> {
    let tricks = (1..=holding.most()).collect();
    let mut search = Search::new(holding, tricks);
    search.most = MOST_MADE;
    let near = search.best()?;
    let sum = |line: &LineSets| holding.weight_of(line);
    let Some(all) = search.whole() else {
        let mean = near.iter().max_by_key(|line| sum(line))?;
        return Some(Averages {
            mean: average(holding, mean, None),
            matchpoints: None,
        });
    };
    let points: Vec<u64> = all.iter().map(|line| points(holding, line, &all)).collect();
    let of = |at: usize| {
        let others = 2.0 * (all.len() - 1) as f64;
        let share = if others > 0.0 {
            holding.share(points[at]) / others
        } else {
            0.5
        };
        average(holding, &all[at], Some(share))
    };
    let mean = (0..all.len()).max_by_key(|&at| (sum(&all[at]), points[at]))?;
    let matchpoints = (0..all.len()).max_by_key(|&at| (points[at], sum(&all[at])))?;
    Some(Averages {
        mean: of(mean),
        matchpoints: Some(of(matchpoints)),
    })
}

fn average(holding: &SuitHolding, line: &LineSets, matchpoints: Option<f64>) -> Average {
    let chances = line.iter().map(|set| holding.share(holding.weight(set)));
    Average {
        mean: holding.share(holding.weight_of(line)),
        at_least: std::iter::once(1.0).chain(chances).collect(),
        matchpoints,
    }
}

/// Twice the points of a line against the other lines, by weight.
fn points(holding: &SuitHolding, mine: &LineSets, all: &[LineSets]) -> u64 {
    let tricks = |line: &LineSets, at: usize| line.iter().filter(|set| set.has(at)).count();
    let layouts = holding.layouts.iter().enumerate();
    let points = layouts.map(|(at, layout)| {
        let mine = tricks(mine, at);
        let scored = all
            .iter()
            .map(|theirs| tricks(theirs, at))
            .map(|theirs| 1 + u64::from(mine > theirs) - u64::from(mine < theirs));
        // It is one of all, and ties with itself.
        layout.weight * (scored.sum::<u64>() - 1)
    });
    points.sum()
}
