//! A board at a glance, and the score of a result.

use serde::{Deserialize, Serialize};
use setrograde::ask::{self, NoSubject};
use setrograde::cards::{Contract, Deal, Side, Vulnerability};
use setrograde::{
    Ask, Board, Desk, Example, OnePar, Play, Refusal, Report, Review, Subject, Summary, Table,
    outcome,
};

use crate::refused;

/// A board at a glance: its table, par and review.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Glance {}

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

/// A result.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreInWords {
    /// The score of North and South.
    score: i32,
    /// The result against the contract, in words.
    outcome: String,
}

/// The page alone shows it.
impl Report for BoardAtGlance {}

/// The page alone shows it.
impl Report for ScoreInWords {}

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
    const EXAMPLE: Example = Example {
        json: r#"{"question": "N:AQ... 76... 54... K3..."}"#,
        command: "",
    };
    type Subject = Deal;
    type Answer = BoardAtGlance;

    fn answer(
        &self,
        desk: &mut Desk,
        deal: &Deal,
        board: Option<&Board>,
    ) -> Result<BoardAtGlance, Refusal> {
        let no_board = Board::default();
        let board = board.unwrap_or(&no_board);
        let table = desk.answer(&ask::Table {}, deal, None)?;
        let par = match (board.dealer, board.vulnerability) {
            (Some(dealer), Some(vulnerable)) if deal.cards_left() == 52 => {
                Some(OnePar::new(&table.tricks, vulnerable, dealer))
            }
            _ => None,
        };
        let reviewed = (!board.play.is_empty()).then(|| review(desk, board));
        let (review, problem) = match reviewed {
            Some(Ok(review)) => (Some(review), None),
            Some(Err(refusal)) => (None, Some(refusal.to_string())),
            None => (None, None),
        };
        let result = review.as_ref().and_then(|review| review.result);
        let result = result.or(board.result);
        let contract = board.contract;
        let score = score(board, result);
        let summary = |review: &Review| {
            let mut summary = Summary::default();
            summary.add(board, review);
            summary
        };
        let over_par = score.zip(par.as_ref());
        Ok(BoardAtGlance {
            double_dummy: contract.map(|of| table.tricks.tricks(of.bid.strain(), of.declarer)),
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
                .map(|review| Side::ALL.map(|side| lost_by(side, review))),
            summary: review.as_ref().map(summary),
            review,
            problem,
        })
    }
}

/// The tricks that one side lost by its cards.
fn lost_by(side: Side, review: &Review) -> u8 {
    let of_side = review.mistakes().filter(|step| step.seat.side() == side);
    of_side.map(|step| step.cost).sum()
}

fn review(desk: &mut Desk, board: &Board) -> Result<Review, Refusal> {
    let play = Play::board(board).map_err(|error| refused(&error))?;
    match play.map(|play| desk.answer(&ask::Analyse {}, &play, Some(board))) {
        Some(Ok(ask::AnalyseAnswer::Play(review))) => Ok(review),
        Some(Err(refusal)) => Err(refusal),
        _ => Err(Refusal::question("the contract is missing")),
    }
}

impl Ask for ScoreOf {
    const NAME: &'static str = "score";
    const EXAMPLE: Example = Example {
        json: r#"{"contract": "4HXW", "vulnerable": "All", "tricks": 9}"#,
        command: "",
    };
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
