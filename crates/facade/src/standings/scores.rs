//! Scores of one board beside each other, and pairs by rank.

use std::collections::BTreeMap;

use setrograde_cards::{Side, Sorting, imps};
use setrograde_records::ScoreTable;

use super::session::{BoardResults, PairLine};

/// The way in which the scores of a board are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Comparing {
    /// Two points for each lower score of another table, one for each equal score.
    #[default]
    Matchpoints,
    /// The mean of the IMPs against each other table.
    Imps,
}

impl Comparing {
    /// The way that PBN's `Scoring` names: `MatchPoints;MP1`, `IMP;Cross`, `Butler`.
    pub(super) fn named(scoring: &str) -> Comparing {
        let scoring = scoring.to_ascii_uppercase();
        if scoring.contains("IMP") || scoring.contains("BUTLER") {
            Comparing::Imps
        } else {
            Comparing::Matchpoints
        }
    }

    /// The way of a record without `Scoring`, if its results have a column of IMPs.
    pub(super) fn of_columns(scores: &ScoreTable) -> Option<Comparing> {
        let mut columns = scores.columns.split(';');
        let is_imps = columns.any(|column| column.starts_with("IMP_"));
        is_imps.then_some(Comparing::Imps)
    }
}

/// The number of tables with these scores.
pub(super) fn tables_of<'a>(scores: impl IntoIterator<Item = &'a (i32, usize)>) -> usize {
    scores.into_iter().map(|(_, count)| count).sum()
}

/// A score beside those of all tables.
#[derive(Clone, Copy)]
pub(super) struct TableScore {
    /// The matchpoints.
    pub points: f64,
    /// The maximum of them.
    pub top: f64,
    /// The share of the matchpoints.
    pub share: f64,
    /// The mean IMPs.
    pub imps: f64,
}

impl TableScore {
    /// Compares a score with those of all tables, of which it is one. Boards with fewer scores than
    /// `most` count as much as the others: the points that further tables would give are estimated
    /// by Neuberg's formula.
    pub(super) fn new(
        comparing: Comparing,
        score: i32,
        all: &[(i32, usize)],
        most: usize,
    ) -> TableScore {
        let count = tables_of(all);
        let others = count.saturating_sub(1);
        let top = 2.0 * most.saturating_sub(1) as f64;
        let below = tables_of(all.iter().filter(|(other, _)| *other < score));
        let equal = tables_of(all.iter().filter(|(other, _)| *other == score));
        let points = (2 * below + equal.saturating_sub(1)) as f64;
        let points = if others == 0 {
            top / 2.0
        } else {
            (points + 1.0) * most as f64 / count as f64 - 1.0
        };
        let against =
            |&(other, count): &(i32, usize)| f64::from(imps(score - other)) * count as f64;
        let sum: f64 = match comparing {
            Comparing::Matchpoints => 0.0,
            Comparing::Imps => all.iter().map(against).sum(),
        };
        TableScore {
            points,
            top,
            share: if top > 0.0 { points / top } else { 0.5 },
            imps: sum / others.max(1) as f64,
        }
    }

    /// North's and South's share in per cent, or their IMPs.
    pub(super) fn value(self, comparing: Comparing) -> f64 {
        match comparing {
            Comparing::Matchpoints => 100.0 * self.share,
            Comparing::Imps => self.imps,
        }
    }
}

/// The sums of the pairs that sat in one direction, or in any, the best first.
pub(super) fn ranked(
    comparing: Comparing,
    boards: &[BoardResults],
    side: Option<Side>,
    names: &[BTreeMap<String, String>; 2],
) -> Vec<PairLine> {
    let mut pairs: BTreeMap<&str, PairLine> = BTreeMap::new();
    for board in boards {
        for table in &board.tables {
            for direction in Side::ALL {
                let id = table.pairs[direction as usize].as_deref();
                let Some(id) = id.filter(|_| side.is_none_or(|side| side == direction)) else {
                    continue;
                };
                let pair = pairs.entry(id).or_insert_with(|| PairLine {
                    pair: id.to_owned(),
                    names: names[direction as usize].get(id).cloned(),
                    ..PairLine::default()
                });
                pair.add(comparing, board.board, table, direction);
            }
        }
    }
    let mut pairs: Vec<PairLine> = pairs.into_values().filter(|pair| pair.boards > 0).collect();
    let value = |pair: &PairLine| pair.percent.or(pair.imps).unwrap_or(0.0);
    for pair in &mut pairs {
        pair.percent = pair.percent.map(|sum| sum / f64::from(pair.boards));
    }
    pairs.in_order_by(|a, b| value(b).total_cmp(&value(a)));
    let mut before: Option<(f64, u32)> = None;
    for (index, pair) in (1..).zip(&mut pairs) {
        let value = value(pair);
        // Sums of the same shares in another order may differ in their last bits.
        pair.rank = match before {
            Some((other, rank)) if (other - value).abs() < 1e-9 => rank,
            _ => index,
        };
        before = Some((value, pair.rank));
    }
    pairs
}
