//! An evening: each board at a glance, the tables of one board side by side, and who lost
//! tricks by mistakes.

use serde::{Deserialize, Serialize};
use setrograde::ask::{self, NoSubject};
use setrograde::{
    Ask, Desk, OnePar, Play, Refusal, Review, Session, Standings, Subject, Summary, Table, outcome,
    table_deal,
};
use setrograde_cards::{Contract, Side, Sorting, Vulnerability};
use setrograde_records::{Board, Options, Records};
use setrograde_solver::TrickTable;

use crate::{refused, without_words};

/// A board at a glance: its table, par and review.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Glance {
    /// The board in PBN, as `boards` has it.
    pbn: String,
}

/// The results of all tables of an evening, and the ranking of the pairs.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Evening {
    /// The boards in PBN, each with its `DoubleDummyTricks` if they are known.
    pbn: String,
}

/// The score of a result.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScoreOf {
    /// The contract, with its declarer.
    contract: Contract,
    /// The vulnerable sides.
    vulnerable: Vulnerability,
    /// The declarer's tricks.
    tricks: u8,
}

/// A board at a glance. Fields that are missing in the record, and those derived from them, are
/// `null`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardAtGlance {
    /// As `table`.
    #[serde(flatten)]
    table: Table,
    /// As an object of `par`.
    par: Option<OnePar>,
    /// The declarer's tricks double dummy in the contract.
    double_dummy: Option<u8>,
    /// The declarer's tricks at the table.
    result: Option<u8>,
    /// The result against the contract, in words.
    outcome: Option<String>,
    /// The score of North and South at the table.
    score: Option<i32>,
    /// The score less par.
    over_par: Option<i32>,
    /// The tricks that mistakes cost North and South, and East and West.
    lost: Option<[u8; 2]>,
    /// As `analyse`.
    review: Option<Review>,
    /// The board's share of the summary of `analyse`.
    summary: Option<Summary>,
    /// The reason that the play cannot be reviewed.
    problem: Option<String>,
}

/// The results of all tables.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionOfBoards {
    #[serde(flatten)]
    found: Session,
    /// Of each board of the text its board in the session and the index of its table there, null if
    /// it has the results of several tables; null of a board without results.
    tables: Vec<Option<(usize, Option<usize>)>>,
}

/// A result.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreInWords {
    /// The score of North and South.
    score: i32,
    /// The result against the contract, in words.
    outcome: String,
}

without_words!(BoardAtGlance, SessionOfBoards, ScoreInWords);

/// One board in PBN, as `boards` gives it.
fn board(text: &str) -> Result<Board, Refusal> {
    let options = Options::default().keep_names(true);
    let records = Records::with_options(text.as_bytes(), "the board", options);
    let board = records.map_err(|error| refused(&error))?.next();
    let board = board.ok_or_else(|| Refusal::question("there is no board"))?;
    board.map_err(|error| refused(&error))
}

/// The score of North and South, if the record has it; 0 if the board was passed out.
pub(crate) fn score(board: &Board, result: Option<u8>) -> Option<i32> {
    if board.passed_out {
        return Some(0);
    }
    let (contract, vulnerable) = board.contract.zip(board.vulnerability)?;
    Some(contract.score(result?, vulnerable, Side::NorthSouth))
}

impl Ask for Glance {
    const NAME: &'static str = "glance";
    type Subject = NoSubject;
    type Answer = BoardAtGlance;

    fn answer(
        &self,
        desk: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<BoardAtGlance, Refusal> {
        let board = board(&self.pbn)?;
        let deal = table_deal(&board).map_err(|error| refused(&error))?;
        let table = desk.answer(&ask::Table {}, &deal, None)?;
        let par = match (board.dealer, board.vulnerability) {
            (Some(dealer), Some(vulnerable)) if deal.cards_left() == 52 => {
                Some(OnePar::new(&table.tricks, vulnerable, dealer))
            }
            _ => None,
        };
        let reviewed = (!board.play.is_empty()).then(|| review(desk, &board));
        let (review, problem) = match reviewed {
            Some(Ok(review)) => (Some(review), None),
            Some(Err(refusal)) => (None, Some(refusal.to_string())),
            None => (None, None),
        };
        let result = review.as_ref().and_then(|review| review.result);
        let result = result.or(board.result);
        let contract = board.contract;
        let score = score(&board, result);
        let summary = |review: &Review| {
            let mut summary = Summary::default();
            summary.add(&board, review);
            summary
        };
        let over_par = score.zip(par.as_ref());
        Ok(BoardAtGlance {
            double_dummy: contract.map(|of| table.tricks.tricks(of.strain(), of.declarer)),
            outcome: contract
                .zip(result)
                .map(|(contract, result)| outcome(contract, result)),
            table,
            result,
            score,
            over_par: over_par.map(|(score, par)| score - par.score),
            par,
            lost: review
                .as_ref()
                .map(|review| Side::ALL.map(|side| review.lost_by(side))),
            summary: review.as_ref().map(summary),
            review,
            problem,
        })
    }
}

fn review(desk: &mut Desk, board: &Board) -> Result<Review, Refusal> {
    let play = Play::board(board).map_err(|error| refused(&error))?;
    match play.map(|play| desk.answer(&ask::Analyse {}, &play, Some(board))) {
        Some(Ok(ask::AnalyseAnswer::Play(review))) => Ok(review),
        Some(Err(refusal)) => Err(refusal),
        _ => Err(Refusal::question("the contract is missing")),
    }
}

impl Ask for Evening {
    const NAME: &'static str = "session";
    type Subject = NoSubject;
    type Answer = SessionOfBoards;

    fn answer(
        &self,
        _: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<SessionOfBoards, Refusal> {
        let options = Options::default().keep_names(true);
        let mut standings = Standings::default();
        // Of each deal its number and its results; of each board its deal, and its own result there
        // or all of them.
        let (mut deals, mut own): (Vec<(Option<u32>, usize)>, Vec<_>) = (Vec::new(), Vec::new());
        let boards = Records::with_options(self.pbn.as_bytes(), "the evening", options);
        for board in boards.map_err(|error| refused(&error))? {
            let board = board.map_err(|error| refused(&error))?;
            let index = standings.add(&board);
            deals.resize(standings.boards(), (board.number, 0));
            let results = &mut deals[index].1;
            let is_own = board.passed_out || board.contract.is_some();
            let of_tables = board.scores.as_ref().map(|of| of.rows.len());
            own.push(match of_tables {
                Some(_) => Some((index, None)),
                None => is_own.then_some((index, Some(*results))),
            });
            *results += of_tables.unwrap_or(usize::from(is_own));
            if let Some(tricks) = board.double_dummy.tricks {
                standings.solved(index, TrickTable::new(tricks));
            }
        }
        let mut order: Vec<usize> = (0..deals.len()).filter(|&of| deals[of].1 > 0).collect();
        order.in_order_by_key(|&index| deals[index].0);
        let table = |of: Option<(usize, Option<usize>)>| {
            let (index, table) = of?;
            Some((order.iter().position(|&of| of == index)?, table))
        };
        Ok(SessionOfBoards {
            tables: own.into_iter().map(table).collect(),
            found: standings.session(),
        })
    }
}

impl Ask for ScoreOf {
    const NAME: &'static str = "score";
    type Subject = NoSubject;
    type Answer = ScoreInWords;

    fn answer(
        &self,
        _: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<ScoreInWords, Refusal> {
        let ScoreOf {
            contract,
            vulnerable,
            tricks,
        } = *self;
        Ok(ScoreInWords {
            score: contract.score(tricks, vulnerable, Side::NorthSouth),
            outcome: outcome(contract, tricks),
        })
    }
}
