//! The results of an evening as an object.

use serde::Serialize;
use setrograde_cards::{Card, Contract, Seat, Side, Vulnerability};

use super::scores::Comparing;
use crate::tables::OnePar;

/// The results of an evening and the ranking of its pairs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// The results and the rankings.
    pub(super) session: SessionLists,
    /// The faults of boards that cannot be read, each with its line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unread: Vec<String>,
}

/// The boards and the rankings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SessionLists {
    /// `matchpoints` or `imps`.
    pub comparing: &'static str,
    /// The rankings: one, or one for each direction if pairs of the same number sit in both.
    pub rankings: Vec<Ranking>,
    /// The boards, by number.
    pub boards: Vec<BoardResults>,
    /// Of each record the index of its board in `boards`, and the index of its table there, null if
    /// it has the results of several tables; null of a record without results.
    pub records: Vec<Option<(usize, Option<usize>)>>,
}

/// The pairs of a field, the best first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Ranking {
    /// `N-S` or `E-W` if that direction is ranked for itself.
    pub side: Option<&'static str>,
    /// The pairs.
    pub pairs: Vec<PairLine>,
}

/// A pair's evening.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct PairLine {
    /// The rank; equal results have the same one.
    pub rank: u32,
    /// The number of the pair.
    pub pair: String,
    /// The names of its players.
    pub names: Option<String>,
    /// Number of boards with a result.
    pub boards: u32,
    /// The sum of the matchpoints; a result given by the director is not among them.
    pub matchpoints: Option<f64>,
    /// The mean of the boards' percentages.
    pub percent: Option<f64>,
    /// The sum of the IMPs.
    pub imps: Option<f64>,
    /// Tricks taken beyond double dummy, as declarer.
    pub declaring: i64,
    /// Tricks taken beyond double dummy, in defence.
    pub defending: i64,
    /// The board on which the tricks that it lost cost most.
    pub cost_most: Option<CostlyBoard>,
}

/// A board on which a pair took fewer tricks than double dummy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CostlyBoard {
    /// The board's number.
    pub board: Option<u32>,
    /// Number of lost tricks.
    pub tricks: i16,
    /// What they cost: percentage points of the board, or IMPs.
    pub cost: f64,
}

impl PairLine {
    pub(super) fn add(
        &mut self,
        comparing: Comparing,
        board: Option<u32>,
        table: &TableLine,
        side: Side,
    ) {
        let index = side as usize;
        let sign = if index == 0 { 1 } else { -1 };
        match comparing {
            Comparing::Matchpoints => {
                let Some(percent) = table.percent[index] else {
                    return;
                };
                *self.percent.get_or_insert(0.0) += percent;
                if let Some(points) = table.matchpoints {
                    *self.matchpoints.get_or_insert(0.0) += points[index];
                }
            }
            Comparing::Imps => {
                let Some(imps) = table.imps else {
                    return;
                };
                *self.imps.get_or_insert(0.0) += f64::from(sign) * imps;
            }
        }
        self.boards += 1;
        let Some((gained, contract)) = table.gained.zip(table.contract) else {
            return;
        };
        let declares = contract.declarer.side() == side;
        let own = if declares { gained } else { -gained };
        *if declares {
            &mut self.declaring
        } else {
            &mut self.defending
        } += i64::from(own);
        let cost = f64::from(sign) * table.cost.unwrap_or(0.0);
        let worst = self.cost_most.as_ref().map_or(0.0, |of| of.cost);
        if own < 0 && cost > worst {
            self.cost_most = Some(CostlyBoard {
                board,
                tricks: -own,
                cost,
            });
        }
    }
}

/// A board at all its tables.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct BoardResults {
    /// The board's number.
    pub board: Option<u32>,
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The vulnerable sides.
    pub vulnerable: Option<Vulnerability>,
    /// As an object of `par`, if the hands are known.
    pub par: Option<OnePar>,
    /// The tables.
    pub tables: Vec<TableLine>,
}

/// A board at a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TableLine {
    /// The table.
    pub table: Option<String>,
    /// The numbers of the pairs, North and South first.
    pub pairs: [Option<String>; 2],
    /// The contract.
    pub contract: Option<Contract>,
    /// True if all four players passed.
    pub passed_out: bool,
    /// The opening lead.
    pub lead: Option<Card>,
    /// The declarer's tricks.
    pub result: Option<u8>,
    /// The declarer's tricks double dummy.
    pub double_dummy: Option<u8>,
    /// The declarer's tricks less those double dummy: won by the declarer's side if positive, by
    /// the defenders if negative.
    pub gained: Option<i16>,
    /// The score of North and South.
    pub score: Option<i32>,
    /// The score less par.
    pub over_par: Option<i32>,
    /// The matchpoints of North and South, and of East and West.
    pub matchpoints: Option<[f64; 2]>,
    /// The percentages of North and South, and of East and West.
    pub percent: [Option<f64>; 2],
    /// The mean IMPs of North and South against the other tables, if there are any.
    pub imps: Option<f64>,
    /// What North and South would have had in addition with double-dummy tricks in the same
    /// contract: percentage points, or IMPs; negative if East and West would have had it.
    pub cost: Option<f64>,
}
