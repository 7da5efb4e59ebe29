//! The results of an evening: each board at all its tables, and the ranking of the pairs.

mod scores;
mod session;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use setrograde_cards::{Card, Contract, Hand, Seat, Side, Sorting, Vulnerability};
use setrograde_records::{Board, ScoreRow, ScoreTable};
use setrograde_solver::TrickTable;

use self::scores::{Comparing, TableScore, ranked, tables_of};
pub use self::session::Session;
use self::session::{BoardResults, Ranking, SessionLists, TableLine};
use crate::tables::OnePar;

/// The name of comparing by matchpoints.
const MATCHPOINTS: &str = "matchpoints";

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

    /// The IMPs of a result that the director gave: three for 60 % against 40 % (Law 86).
    fn given_imps(&self) -> Option<f64> {
        let [ours, theirs] = self.given;
        let ours = ours.filter(|ours| (ours + theirs.unwrap_or(0.0) - 1.0).abs() < 1e-9)?;
        ((ours - 0.5).abs() < 0.11).then_some(30.0 * ours - 15.0)
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
        let numbers = |columns: [&'static str; 2]| {
            let number = |column| value(column).filter(|_| !is_played)?.parse::<f64>().ok();
            columns
                .map(number)
                .map(|number| number.filter(|number| *number >= 0.0))
        };
        let percents = numbers(["Percentage_NS", "Percentage_EW"]);
        let shares = match (
            numbers(["MP_NS", "MP_EW"]),
            row.adjusted.map(|of| of.map(f64::from)),
        ) {
            ([Some(ours), Some(theirs)], [None, None]) if ours + theirs > 0.0 => {
                [ours, theirs].map(|points| Some(100.0 * points / (ours + theirs)))
            }
            (_, words) => words.map(|percent| percent.filter(|_| !is_played)),
        };
        let given = [0, 1].map(|side| {
            let percent = percents[side].or(shares[side])?;
            (percent <= 100.0).then_some(percent / 100.0)
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

impl BoardTables {
    /// The scores that are compared, and the tables with each.
    fn compared(&self) -> Vec<(i32, usize)> {
        let mut tables = BTreeMap::new();
        for table in &self.tables {
            if let Some(score) = self.score(table) {
                *tables.entry(score).or_insert(0) += table.count();
            }
        }
        tables.into_iter().collect()
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
                .map(|(table, contract)| table.tricks(contract.bid.strain(), contract.declarer));
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
                    .map(|own| own.imps)
                    .or_else(|| of.given_imps().filter(|_| !is_matchpoints)),
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
