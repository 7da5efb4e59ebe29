//! The results of an evening: each board at all its tables, and the ranking of the pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;

use serde::Serialize;
use setrograde_cards::{Card, Contract, Hand, Seat, Side, Sorting, Vulnerability, imps};
use setrograde_records::{Board, ScoreRow, ScoreTable};
use setrograde_solver::TrickTable;

use crate::heading::bid;
use crate::tables::OnePar;
use crate::words::{Report, Words, shown};

/// Maximum number of characters of names in the output.
const WIDEST: usize = 20;

/// The name of comparing by matchpoints.
const MATCHPOINTS: &str = "matchpoints";

/// The way in which the scores of a board are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Comparing {
    /// Two points for each lower score of another table, one for each equal score.
    #[default]
    Matchpoints,
    /// The mean of the IMPs against each other table.
    Imps,
}

/// The result of a board at a table.
#[derive(Clone, Debug, Default, PartialEq)]
struct PlayedTable {
    /// The table.
    table: Option<String>,
    /// The numbers of the pairs, North and South first. One that is missing had no opponents.
    pairs: [Option<String>; 2],
    /// The contract.
    contract: Option<Contract>,
    /// True if all four players passed.
    passed_out: bool,
    /// The declarer's tricks.
    tricks: Option<u8>,
    /// The opening lead.
    lead: Option<Card>,
    /// The score of North and South in the record, which counts more than the one of the contract.
    score: Option<i32>,
    /// The shares of the matchpoints that the director gave instead of a score, 0 to 1.
    given: [Option<f64>; 2],
    /// The further tables with the same result, of a record with a row for all of them.
    more: u16,
}

impl PlayedTable {
    /// The tables with this result.
    fn count(&self) -> usize {
        usize::from(self.more) + 1
    }
}

/// The results of an evening. Boards may be added in any order; the same number and hands are the
/// same board.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    /// As stated by the first board that states it.
    comparing: Option<Comparing>,
    boards: Vec<BoardTables>,
    indices: HashMap<(Option<u32>, [Option<Hand>; 4]), usize>,
    /// The names of the pairs in each direction.
    names: [BTreeMap<String, String>; 2],
    rooms: bool,
    /// For each added record, the index of its board, and of its own table there.
    records: Vec<Option<(usize, Option<usize>)>>,
}

/// A board and its tables.
#[derive(Clone, Debug, Default)]
struct BoardTables {
    number: Option<u32>,
    dealer: Option<Seat>,
    vulnerability: Option<Vulnerability>,
    double_dummy: Option<TrickTable>,
    tables: Vec<PlayedTable>,
}

impl Standings {
    /// The number of boards.
    #[must_use]
    pub fn boards(&self) -> usize {
        self.boards.len()
    }

    /// Adds the results of a board: of all tables, if the record has them, or of the one at which
    /// it was played. Returns the board's index for [`solved`](Self::solved).
    pub fn add(&mut self, board: &Board) -> usize {
        let next = self.boards.len();
        let key = (board.number, board.hands);
        let index = *self.indices.entry(key).or_insert(next);
        if index == next {
            self.boards.push(BoardTables {
                number: board.number,
                dealer: board.dealer,
                vulnerability: board.vulnerability,
                ..BoardTables::default()
            });
        }
        self.rooms |= board.room.is_some();
        self.comparing = self
            .comparing
            .or_else(|| board.scoring.as_deref().map(Comparing::named))
            .or_else(|| Comparing::of_columns(board.scores.as_ref()?));
        let results = match &board.scores {
            Some(scores) => (scores.rows.iter())
                .map(|row| self.row(scores, row))
                .collect(),
            None if board.passed_out || board.contract.is_some() => vec![self.own(board)],
            None => Vec::new(),
        };
        let tables = &mut self.boards[index].tables;
        self.records.push(match board.scores {
            Some(_) => Some((index, None)),
            None if results.is_empty() => None,
            None => Some((index, Some(tables.len()))),
        });
        tables.extend(results);
        index
    }

    /// A row of a board's results.
    fn row(&mut self, scores: &ScoreTable, row: &ScoreRow) -> PlayedTable {
        let value = |column: &'static str| scores.value(row, column);
        let section = value("Section").unwrap_or_default();
        let pair = |columns: [&'static str; 2]| {
            let id = columns.into_iter().find_map(value)?;
            Some(format!("{section}{id}"))
        };
        let pairs = [
            pair(["PairId_NS", "PairId_North"]),
            pair(["PairId_EW", "PairId_East"]),
        ];
        let names = ["Names_NS", "Names_EW"].map(value);
        for ((known, pair), names) in self.names.iter_mut().zip(&pairs).zip(names) {
            if let (Some(pair), Some(names)) = (pair, names) {
                known.insert(pair.clone(), names.to_owned());
            }
        }
        // A pair without opponents has no result.
        let is_played = pairs.contains(&None)
            || row.passed_out
            || row.score.is_some()
            || row.contract.is_some();
        let given = ["Percentage_NS", "Percentage_EW"].map(|column| {
            let percent: f64 = value(column).filter(|_| !is_played)?.parse().ok()?;
            (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
        });
        PlayedTable {
            table: value("Table").map(|table| format!("{section}{table}")),
            pairs,
            contract: row.contract,
            passed_out: row.passed_out,
            tricks: row.result,
            lead: row.lead,
            score: row.score,
            given,
            more: value("Multiplicity")
                .and_then(|count| count.parse::<u16>().ok()?.checked_sub(1))
                .unwrap_or(0),
        }
    }

    /// The result of the table at which a board was played.
    fn own(&mut self, board: &Board) -> PlayedTable {
        let pairs = Side::ALL.map(|side| {
            let players = board.players.as_ref();
            let names = players.map(|players| side.seats().map(|seat| players[seat].clone()));
            let names = names.filter(|names| names.iter().any(|name| !name.is_empty()));
            let names = names.map(|names| names.join(" – "));
            let Some(id) = &board.pairs[side as usize] else {
                return names;
            };
            if let Some(names) = names {
                self.names[side as usize].insert(id.clone(), names);
            }
            Some(id.clone())
        });
        PlayedTable {
            table: board.table.clone(),
            pairs,
            contract: board.contract,
            passed_out: board.passed_out,
            tricks: board.result.or(board.claim),
            lead: board.play.first().copied(),
            score: None,
            given: [None; 2],
            more: 0,
        }
    }

    /// Adds the double-dummy results of the board at an index. An index without a board is
    /// ignored.
    pub fn solved(&mut self, index: usize, table: TrickTable) {
        if let Some(board) = self.boards.get_mut(index) {
            board.double_dummy = Some(table);
        }
    }

    /// True if pairs with the same number sit in both directions at once, so each direction is
    /// ranked for itself.
    fn two_fields(&self) -> bool {
        self.boards.iter().any(|board| {
            let of = |side: Side| -> BTreeSet<&str> {
                let pairs = board.tables.iter().map(|table| &table.pairs[side as usize]);
                pairs.flatten().map(String::as_str).collect()
            };
            !of(Side::NorthSouth).is_disjoint(&of(Side::EastWest))
        })
    }

    /// The way in which scores are compared: as the record says, or else IMPs for two tables.
    fn comparing(&self) -> Comparing {
        let tables =
            |board: &BoardTables| board.tables.iter().map(PlayedTable::count).sum::<usize>();
        let most = self.boards.iter().map(tables).max();
        self.comparing.unwrap_or(if self.rooms || most == Some(2) {
            Comparing::Imps
        } else {
            Comparing::Matchpoints
        })
    }

    /// The results and the ranking.
    #[must_use]
    pub fn session(&self) -> Session {
        let comparing = self.comparing();
        let mut order: Vec<usize> = (0..self.boards.len()).collect();
        order.retain(|&of| !self.boards[of].tables.is_empty());
        order.in_order_by_key(|&of| self.boards[of].number);
        let boards = || order.iter().map(|&of| &self.boards[of]);
        let most = boards().map(|of| tables_of(&of.compared())).max();
        let most = most.unwrap_or(0);
        let boards: Vec<BoardResults> = boards().map(|of| of.results(comparing, most)).collect();
        let mut ranks = vec![None; self.boards.len()];
        for (rank, &index) in order.iter().enumerate() {
            ranks[index] = Some(rank);
        }
        let record = |of: &Option<(usize, Option<usize>)>| {
            let (index, table) = (*of)?;
            Some((ranks[index]?, table))
        };
        let fields: &[Option<Side>] = if self.two_fields() {
            &[Some(Side::NorthSouth), Some(Side::EastWest)]
        } else {
            &[None]
        };
        let rankings = fields.iter().map(|&side| Ranking {
            side: side.map(name_of),
            pairs: ranked(comparing, &boards, side, &self.names),
        });
        Session {
            session: SessionLists {
                comparing: match comparing {
                    Comparing::Matchpoints => MATCHPOINTS,
                    Comparing::Imps => "imps",
                },
                rankings: rankings.filter(|of| !of.pairs.is_empty()).collect(),
                boards,
                records: self.records.iter().map(record).collect(),
            },
            unread: Vec::new(),
        }
    }
}

const fn name_of(side: Side) -> &'static str {
    match side {
        Side::NorthSouth => "N-S",
        Side::EastWest => "E-W",
    }
}

impl Comparing {
    /// The way that PBN's `Scoring` names: `MatchPoints;MP1`, `IMP;Cross`, `Butler`.
    fn named(scoring: &str) -> Comparing {
        let scoring = scoring.to_ascii_uppercase();
        if scoring.contains("IMP") || scoring.contains("BUTLER") {
            Comparing::Imps
        } else {
            Comparing::Matchpoints
        }
    }

    /// The way of a record without `Scoring`, if its results have a column of IMPs.
    fn of_columns(scores: &ScoreTable) -> Option<Comparing> {
        let mut columns = scores.columns.split(';');
        let is_imps = columns.any(|column| column.starts_with("IMP_"));
        is_imps.then_some(Comparing::Imps)
    }
}

impl BoardTables {
    /// The scores that are compared, and the tables with each.
    fn compared(&self) -> Vec<(i32, usize)> {
        let scores = self.tables.iter();
        scores
            .filter_map(|table| Some((self.score(table)?, table.count())))
            .collect()
    }

    /// The score of North and South, unless the director gave another result.
    fn score(&self, table: &PlayedTable) -> Option<i32> {
        if table.given.iter().any(Option::is_some) || table.pairs.iter().flatten().count() == 1 {
            return None;
        }
        table.score.or_else(|| {
            if table.passed_out {
                return Some(0);
            }
            self.with_tricks(table, table.tricks?)
        })
    }

    /// The score of North and South with this number of tricks for the declarer.
    fn with_tricks(&self, table: &PlayedTable, tricks: u8) -> Option<i32> {
        let vulnerable = self.vulnerability?;
        let contract = table.contract?;
        Some(contract.score(tricks, vulnerable, Side::NorthSouth))
    }

    fn results(&self, comparing: Comparing, most: usize) -> BoardResults {
        let compared = self.compared();
        let table = self.double_dummy;
        let par = table
            .zip(self.vulnerability.zip(self.dealer))
            .map(|(table, (vulnerable, dealer))| OnePar::new(&table, vulnerable, dealer));
        let par_score = par.as_ref().map(|par| par.score);
        let lines = self.tables.iter().map(|of| {
            let score = self.score(of);
            let double_dummy = table
                .zip(of.contract)
                .map(|(table, contract)| table.tricks(contract.strain(), contract.declarer));
            let gained = of
                .tricks
                .zip(double_dummy)
                .map(|(took, could)| i16::from(took) - i16::from(could));
            let compare = |score| TableScore::new(comparing, score, &compared, most);
            let own = score.map(compare);
            // The same tables, with double-dummy tricks at this one.
            let right = double_dummy.and_then(|tricks| self.with_tricks(of, tricks));
            let cost = score.zip(right).zip(own).map(|((score, right), own)| {
                let mut others = compared.clone();
                if let Some((_, count)) = others.iter_mut().find(|(other, _)| *other == score) {
                    *count -= 1;
                    others.push((right, 1));
                }
                TableScore::new(comparing, right, &others, most).value(comparing)
                    - own.value(comparing)
            });
            let percent = |side: usize| {
                of.given[side].map(|share| 100.0 * share).or_else(|| {
                    let share = own?.share;
                    Some(100.0 * if side == 0 { share } else { 1.0 - share })
                })
            };
            let is_matchpoints = comparing == Comparing::Matchpoints;
            TableLine {
                table: of.table.clone(),
                pairs: of.pairs.clone(),
                contract: of.contract,
                passed_out: of.passed_out,
                lead: of.lead,
                result: of.tricks,
                double_dummy,
                gained,
                score,
                over_par: score.zip(par_score).map(|(score, par)| score - par),
                matchpoints: own
                    .filter(|_| is_matchpoints)
                    .map(|own| [own.points, own.top - own.points]),
                percent: [0, 1].map(|side| percent(side).filter(|_| is_matchpoints)),
                imps: own
                    .filter(|_| !is_matchpoints && tables_of(&compared) > 1)
                    .map(|own| own.imps),
                cost: cost.filter(|cost| *cost != 0.0),
            }
        });
        BoardResults {
            board: self.number,
            vulnerable: self.vulnerability,
            dealer: self.dealer,
            tables: lines.collect(),
            par,
        }
    }
}

/// The number of tables with these scores.
fn tables_of<'a>(scores: impl IntoIterator<Item = &'a (i32, usize)>) -> usize {
    scores.into_iter().map(|(_, count)| count).sum()
}

/// A score beside those of all tables.
#[derive(Clone, Copy)]
struct TableScore {
    /// The matchpoints.
    points: f64,
    /// The maximum of them.
    top: f64,
    /// The share of the matchpoints.
    share: f64,
    /// The mean IMPs.
    imps: f64,
}

impl TableScore {
    /// Compares a score with those of all tables, of which it is one. Boards with fewer scores than
    /// `most` count as much as the others: the points that further tables would give are estimated
    /// by Neuberg's formula.
    fn new(comparing: Comparing, score: i32, all: &[(i32, usize)], most: usize) -> TableScore {
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
    fn value(self, comparing: Comparing) -> f64 {
        match comparing {
            Comparing::Matchpoints => 100.0 * self.share,
            Comparing::Imps => self.imps,
        }
    }
}

/// The sums of the pairs that sat in one direction, or in any, the best first.
fn ranked(
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

/// The results of an evening and the ranking of its pairs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// The results and the rankings.
    session: SessionLists,
    /// The faults of boards that cannot be read, each with its line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

impl Session {
    /// Adds the faults of boards that cannot be read.
    pub(crate) fn with_unread(self, unread: Vec<String>) -> Session {
        Session { unread, ..self }
    }
}

/// The boards and the rankings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SessionLists {
    /// `matchpoints` or `imps`.
    comparing: &'static str,
    /// The rankings: one, or one for each direction if pairs of the same number sit in both.
    rankings: Vec<Ranking>,
    /// The boards, by number.
    boards: Vec<BoardResults>,
    /// Of each record the index of its board in `boards`, and the index of its table there, null if
    /// it has the results of several tables; null of a record without results.
    records: Vec<Option<(usize, Option<usize>)>>,
}

/// The pairs of a field, the best first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ranking {
    /// `N-S` or `E-W` if that direction is ranked for itself.
    side: Option<&'static str>,
    /// The pairs.
    pairs: Vec<PairLine>,
}

/// A pair's evening.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PairLine {
    /// The rank; equal results have the same one.
    rank: u32,
    /// The number of the pair.
    pair: String,
    /// The names of its players.
    names: Option<String>,
    /// Number of boards with a result.
    boards: u32,
    /// The sum of the matchpoints; a result given by the director is not among them.
    matchpoints: Option<f64>,
    /// The mean of the boards' percentages.
    percent: Option<f64>,
    /// The sum of the IMPs.
    imps: Option<f64>,
    /// Tricks taken beyond double dummy, as declarer.
    declaring: i64,
    /// Tricks taken beyond double dummy, in defence.
    defending: i64,
    /// The board on which the tricks that it lost cost most.
    cost_most: Option<CostlyBoard>,
}

/// A board on which a pair took fewer tricks than double dummy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct CostlyBoard {
    /// The board's number.
    board: Option<u32>,
    /// Number of lost tricks.
    tricks: i16,
    /// What they cost: percentage points of the board, or IMPs.
    cost: f64,
}

impl PairLine {
    fn add(&mut self, comparing: Comparing, board: Option<u32>, table: &TableLine, side: Side) {
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
        let declares = side.includes(contract.declarer);
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
struct BoardResults {
    /// The board's number.
    board: Option<u32>,
    /// The dealer.
    dealer: Option<Seat>,
    /// The vulnerable sides.
    vulnerable: Option<Vulnerability>,
    /// As an object of `par`, if the hands are known.
    par: Option<OnePar>,
    /// The tables.
    tables: Vec<TableLine>,
}

/// A board at a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TableLine {
    /// The table.
    table: Option<String>,
    /// The numbers of the pairs, North and South first.
    pairs: [Option<String>; 2],
    /// The contract.
    contract: Option<Contract>,
    /// True if all four players passed.
    passed_out: bool,
    /// The opening lead.
    lead: Option<Card>,
    /// The declarer's tricks.
    result: Option<u8>,
    /// The declarer's tricks double dummy.
    double_dummy: Option<u8>,
    /// The declarer's tricks less those double dummy: won by the declarer's side if positive, by
    /// the defenders if negative.
    gained: Option<i16>,
    /// The score of North and South.
    score: Option<i32>,
    /// The score less par.
    over_par: Option<i32>,
    /// The matchpoints of North and South, and of East and West.
    matchpoints: Option<[f64; 2]>,
    /// The percentages of North and South, and of East and West.
    percent: [Option<f64>; 2],
    /// The mean IMPs of North and South against the other tables, if there are any.
    imps: Option<f64>,
    /// What North and South would have had in addition with double-dummy tricks in the same
    /// contract: percentage points, or IMPs; negative if East and West would have had it.
    cost: Option<f64>,
}

/// A number with as many digits after its point as are needed, at most one.
fn plain(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

impl Report for Session {
    fn words(&self, to: &mut Words) {
        let SessionLists {
            comparing,
            rankings,
            boards,
            records: _,
        } = &self.session;
        let is_matchpoints = *comparing == MATCHPOINTS;
        let counted = |count: usize, what: &str| {
            format!("{count} {what}{}", if count == 1 { "" } else { "s" })
        };
        to.title(format_args!(
            "{}, {}",
            counted(boards.len(), "board"),
            if is_matchpoints {
                "matchpoints"
            } else {
                "IMPs"
            }
        ));
        for ranking in rankings {
            to.line("");
            let side = ranking.side.map(|side| format!(", {side}"));
            to.line(format_args!("Ranking{}", side.unwrap_or_default()));
            ranking_lines(to, &ranking.pairs, is_matchpoints);
        }
        for board in boards {
            to.line("");
            board_lines(to, board, is_matchpoints);
        }
        for fault in &self.unread {
            to.line(fault);
        }
    }
}

fn ranking_lines(to: &mut Words, pairs: &[PairLine], is_matchpoints: bool) {
    let shown_name = |pair: &PairLine| -> String {
        let names = pair.names.as_deref().filter(|names| *names != pair.pair);
        let text = names.map_or(pair.pair.clone(), |names| format!("{} {names}", pair.pair));
        text.chars().take(WIDEST).collect()
    };
    let width = pairs
        .iter()
        .map(|pair| shown_name(pair).chars().count())
        .max();
    let width = width.unwrap_or(0).max(4);
    let value = if is_matchpoints { "per cent" } else { "IMPs" };
    to.line(format_args!(
        "  rank  {:width$}  boards  {value:>8}   decl    def  cost most",
        "pair"
    ));
    for pair in pairs {
        let value = match (pair.percent, pair.imps) {
            (Some(percent), _) => format!("{percent:.2}"),
            (None, imps) => or_dash(imps.map(|imps| format!("{imps:+.1}"))),
        };
        let cost = pair.cost_most.as_ref().map(|of| {
            let board = of.board.map(|number| format!("board {number}"));
            let unit = if is_matchpoints { "%" } else { "IMPs" };
            format!(
                "{}: {}, {} {unit}",
                board.as_deref().unwrap_or("a board"),
                -of.tricks,
                plain(of.cost)
            )
        });
        to.line(format_args!(
            "  {:4}  {:width$}  {:6}  {value:>8}  {:+5}  {:+5}  {}",
            pair.rank,
            shown_name(pair),
            pair.boards,
            pair.declaring,
            pair.defending,
            or_dash(cost),
        ));
    }
}

fn board_lines(to: &mut Words, board: &BoardResults, is_matchpoints: bool) {
    let number = board.board.map(|number| format!("Board {number}"));
    let vulnerable = board.vulnerable.map(|of| format!(", vulnerable: {of}"));
    let par = board
        .par
        .as_ref()
        .map(|par| format!(", par {:+}", par.score));
    to.line(format_args!(
        "{}{}{}",
        number.as_deref().unwrap_or("A board"),
        vulnerable.unwrap_or_default(),
        par.unwrap_or_default()
    ));
    let value = if is_matchpoints { "N-S %" } else { "IMPs" };
    to.line(format_args!(
        "  table  N-S   E-W   contract  lead  made  dd   score  off par  {value:>6}"
    ));
    for table in &board.tables {
        let contract = match table.contract {
            Some(contract) => format!(
                "{}{} {}",
                bid(contract),
                contract.doubling,
                contract.declarer
            ),
            None if table.passed_out => "pass".to_owned(),
            None => "-".to_owned(),
        };
        let value = match (table.percent[0], table.imps) {
            (Some(percent), _) => plain(percent),
            (None, imps) => or_dash(imps.map(|imps| format!("{imps:+.1}"))),
        };
        let [north_south, east_west] = table.pairs.clone().map(or_dash);
        to.line(format_args!(
            "  {:5}  {north_south:4}  {east_west:4}  {contract:8}  {:4}  {:4}  {:2}  {:>6}  {:>7}  {value:>6}",
            or_dash(table.table.as_ref()),
            or_dash(table.lead.map(shown)),
            or_dash(table.result),
            or_dash(table.double_dummy),
            or_dash(table.score.map(|score| format!("{score:+}"))),
            or_dash(table.over_par.map(|over| format!("{over:+}"))),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(columns: &str, rows: &str) -> SessionLists {
        let mut all = Standings::default();
        all.add(&Board {
            number: Some(1),
            vulnerability: Some(Vulnerability::None),
            scores: Some(ScoreTable::new(columns, rows)),
            ..Board::default()
        });
        all.session().session
    }

    /// The IMPs that OKbridge wrote for these scores; the record has no `Scoring`.
    #[test]
    fn imps_as_a_club_counts_them() {
        let columns =
            "Rank\\3R;Contract\\5L;Declarer\\1;Result\\2R;Score_NS\\5R;IMP_NS\\6R;Multiplicity";
        for (rows, imps) in [
            (
                "1 4S N 11 450 1.28 1\n2 4S N 10 420 0.28 33\n35 4S S 10 420 0.28 5\n\
                 40 1D E 13 -190 -12.00 1\n",
                &[1.28, 0.28, 0.28, -12.0][..],
            ),
            (
                "1 6SX N 12 1210 5.73 2\n3 5CX E 6 1100 2.66 1\n4 5HX W 6 1100 2.66 1\n\
                 5 6S N 12 980 -0.41 41\n",
                &[5.73, 2.66, 2.66, -0.41],
            ),
        ] {
            let session = session(columns, rows);
            assert_eq!(session.comparing, "imps");
            let lines = session.boards[0].tables.iter();
            let found: Vec<f64> = lines.filter_map(|line| line.imps).collect();
            assert_eq!(found.len(), imps.len());
            for (found, imps) in found.iter().zip(imps) {
                assert!((found - imps).abs() < 0.005, "{found} {imps}");
            }
        }
    }

    /// The percentages that a Swedish scoring program wrote for these scores.
    #[test]
    fn matchpoints_as_a_club_counts_them() {
        let session = session(
            "Table\\1R;Round\\1R;PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R;Lead\\3L;\
             Score_NS\\6R;Score_EW\\6R;MP_NS\\3R;MP_EW\\3R;Percentage_NS\\3R;Percentage_EW\\3R",
            "4 2 6 5 5HX E 7 SA \"800\" - 4.0 0.0 100 0\n2 5 7 3 4S S 11 CA \"450\" - 1.0 3.0 25 75\n\
             1 1 8 1 4S S 11 CA \"450\" - 1.0 3.0 25 75\n3 3 - 2 - - - - \"Bye\" \"Bye\" - 1.9 - 47\n",
        );
        let lines = &session.boards[0].tables;
        let points = lines.iter().map(|line| line.matchpoints);
        assert_eq!(
            points.collect::<Vec<_>>(),
            [Some([4.0, 0.0]), Some([1.0, 3.0]), Some([1.0, 3.0]), None]
        );
        assert_eq!(lines[1].percent, [Some(25.0), Some(75.0)]);
        let [ranking] = &session.rankings[..] else {
            panic!("{:?}", session.rankings);
        };
        let ranks = ranking.pairs.iter().map(|of| (of.rank, of.pair.as_str()));
        assert_eq!(
            ranks.collect::<Vec<_>>(),
            [(1, "6"), (2, "1"), (2, "3"), (4, "7"), (4, "8"), (6, "5")]
        );
    }

    /// A record that says nothing of its scoring has IMPs if two tables played, not if two rows
    /// stand for more.
    #[test]
    fn two_rows_of_many_tables_are_no_match() {
        let of_rows = |rows| session("Score_NS\\5R;Multiplicity", rows).comparing;
        assert_eq!(of_rows("420 1\n-50 1\n"), "imps");
        assert_eq!(of_rows("420 7\n-50 3\n"), MATCHPOINTS);
    }

    /// 13 tables in four rows.
    #[test]
    fn a_row_may_be_that_of_several_tables() {
        let session = session(
            "Score_NS\\5R;MP_NS\\6R;Multiplicity",
            "420 91.67 3\n170 54.17 6\n-50 16.67 3\n-100 0.00 1\n",
        );
        let lines = session.boards[0].tables.iter();
        let percent = lines.map(|line| (100.0 * line.percent[0].expect("a share")).round() / 100.0);
        assert_eq!(percent.collect::<Vec<_>>(), [91.67, 54.17, 16.67, 0.0]);
    }

    #[test]
    fn directions_with_the_same_numbers_are_two_fields() {
        let columns = "PairId_NS;PairId_EW;Score_NS;Names_NS\\12;Names_EW";
        let rankings = session(
            columns,
            "1 1 50 Ann - Bob  Cy - Dee\n2 2 -50 Eve - Fay  Gus - Hal\n",
        )
        .rankings;
        let sides: Vec<_> = rankings.iter().map(|of| of.side).collect();
        assert_eq!(sides, [Some("N-S"), Some("E-W")]);
        assert_eq!(rankings[1].pairs[0].pair, "2");
        assert_eq!(rankings[1].pairs[0].names.as_deref(), Some("Gus - Hal"));
    }

    /// Percentages of a French board with 22 tables: ties share the points.
    #[test]
    fn ties_share_the_points() {
        let scores = [670, 150, 140, 110, 110, 110, 110, 0, 0, 0];
        let rows: String = (1..)
            .zip(scores)
            .map(|(pair, score)| format!("{pair} {} {score}\n", pair + 10))
            .collect();
        let lines = &session("PairId_NS;PairId_EW;Score_NS", &rows).boards[0].tables;
        let points: Vec<f64> = lines
            .iter()
            .map(|line| line.matchpoints.expect("points")[0])
            .collect();
        assert_eq!(
            points,
            [18.0, 16.0, 14.0, 9.0, 9.0, 9.0, 9.0, 2.0, 2.0, 2.0]
        );
    }

    /// With a table fewer, its points are estimated: a top is a little less than one of all tables.
    #[test]
    fn a_board_that_was_not_played_by_all_counts_as_much() {
        let of = |score, all: &[i32]| {
            let all: Vec<(i32, usize)> = all.iter().map(|&score| (score, 1)).collect();
            TableScore::new(Comparing::Matchpoints, score, &all, 4)
        };
        assert_eq!(of(100, &[100, 50, 0, -50]).share, 1.0);
        let top = of(100, &[100, 50, 0]);
        assert!((top.points - (5.0 * 4.0 / 3.0 - 1.0)).abs() < 1e-9);
        let bottom = of(0, &[100, 50, 0]);
        assert!((top.share + bottom.share - 1.0).abs() < 1e-9);
        assert_eq!(of(100, &[100]).share, 0.5);
    }

    /// South could take ten tricks and took nine: a share of the matchpoints, and a trick.
    #[test]
    fn the_tricks_that_were_lost_have_a_price() {
        let mut all = Standings::default();
        let columns = "PairId_NS;PairId_EW;Contract;Declarer;Result";
        let rows = "1 2 4S S 9\n3 4 4S S 10\n5 6 3S S 9\n";
        let index = all.add(&Board {
            number: Some(3),
            dealer: Some(Seat::North),
            vulnerability: Some(Vulnerability::None),
            scores: Some(ScoreTable::new(columns, rows)),
            ..Board::default()
        });
        all.solved(index, TrickTable::new([[10, 3, 10, 3]; 5]));
        let session = all.session().session;
        let [first, second, third] = &session.boards[0].tables[..] else {
            panic!("{:?}", session.boards);
        };
        assert_eq!(
            [first.gained, second.gained, third.gained],
            [Some(-1), Some(0), Some(-1)]
        );
        assert_eq!(first.score, Some(-50));
        // With ten tricks the score would be equal to the second's: 75 % instead of 0 %.
        assert_eq!(first.cost, Some(75.0));
        let worst = session.rankings[0]
            .pairs
            .iter()
            .find(|pair| pair.pair == "1");
        let worst = worst
            .and_then(|pair| pair.cost_most.as_ref())
            .expect("a board");
        assert_eq!((worst.board, worst.tricks, worst.cost), (Some(3), 1, 75.0));
    }
}
