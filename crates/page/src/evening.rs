//! An evening: each board at a glance, the tables of one board side by side, and who lost
//! tricks by mistakes.

use std::mem;

use serde::Serialize;
use setrograde::{
    Losses, OnePar, Review, Session, Standings, Summary, Table, causes, outcome, results,
    table_deal,
};
use setrograde_cards::{Contract, Deal, Hand, Position, Seat, Side, Sorting, Strain};
use setrograde_records::{Board, Options, Records};
use setrograde_solver::{Solver, TrickTable};

use crate::position::field;
use crate::{Engine, EngineAnswer};

/// A board at a glance. Fields that are missing in the record, and those derived from them, are
/// `null`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Glance {
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
pub(crate) struct SessionOfBoards {
    #[serde(flatten)]
    found: Session,
    /// The result of each board of the text: the indices of its board and of its table; null of a
    /// board without a result, or with those of several tables.
    places: Vec<Option<[usize; 2]>>,
}

/// A result.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ScoreInWords {
    /// The score of North and South.
    score: i32,
    /// The result against the contract, in words.
    outcome: String,
}

/// One board in PBN, as `boards` gives it.
fn board(text: &str) -> EngineAnswer<Board> {
    let options = Options::default().keep_names(true);
    let mut records = Records::with_options(text.as_bytes(), "the board", options)?;
    Ok(records.next().ok_or("there is no board")??)
}

/// The score of North and South, if the record has it; 0 if the board was passed out.
pub(crate) fn score(board: &Board, result: Option<u8>) -> Option<i32> {
    if board.passed_out {
        return Some(0);
    }
    let (contract, vulnerable) = board.contract.zip(board.vulnerability)?;
    Some(contract.score(result?, vulnerable, Side::NorthSouth))
}

/// The tables of the last deals.
#[derive(Default)]
pub(crate) struct Tables(Vec<(Deal, TrickTable)>);

impl Tables {
    /// Maximum number of deals.
    const MOST: usize = 256;

    /// Returns a deal's table. Each deal is solved once while it is among the last [`Tables::MOST`].
    fn of(&mut self, solver: &mut Solver, deal: &Deal) -> EngineAnswer<TrickTable> {
        if let Some((_, table)) = self.0.iter().find(|(other, _)| other == deal) {
            return Ok(*table);
        }
        let mut tricks = [[0; 4]; 5];
        for strain in Strain::ALL {
            tricks[strain] = solver.declarer_tricks(deal, strain)?;
        }
        let table = TrickTable::new(tricks);
        if self.0.len() == Tables::MOST {
            self.0.remove(0);
        }
        self.0.push((*deal, table));
        Ok(table)
    }
}

/// A board in PBN: its table, par and review.
pub(crate) fn glance(engine: &mut Engine, text: &str) -> EngineAnswer<Glance> {
    let board = board(text)?;
    let deal = table_deal(&board)?;
    let mut tables = mem::take(&mut engine.tables);
    let table = tables.of(engine.solver(), &deal);
    engine.tables = tables;
    let table = table?;
    let solver = engine.solver();
    let par = match (board.dealer, board.vulnerability) {
        (Some(dealer), Some(vulnerable)) if deal.cards_left() == 52 => {
            let par = OnePar::new(&table, vulnerable, dealer);
            debug_assert_eq!(results(&table, &board).par_score, Some(par.score));
            Some(par)
        }
        _ => None,
    };
    let reviewed = (!board.play.is_empty()).then(|| review(solver, &board));
    let (review, problem) = match reviewed {
        Some(Ok(review)) => (Some(review), None),
        Some(Err(error)) => (None, Some(causes(error.as_ref()))),
        None => (None, None),
    };
    let result = review
        .as_ref()
        .and_then(|review| review.result)
        .or(board.result);
    let contract = board.contract;
    let score = score(&board, result);
    let summary = |review: &Review| {
        let mut summary = Summary::default();
        summary.add(&board, review);
        summary
    };
    Ok(Glance {
        table: Table { tricks: table },
        double_dummy: contract.map(|of| table.tricks(of.strain(), of.declarer)),
        outcome: contract
            .zip(result)
            .map(|(contract, result)| outcome(contract, result)),
        result,
        score,
        over_par: score
            .zip(par.as_ref())
            .map(|(score, par)| score - par.score),
        par,
        lost: review
            .as_ref()
            .map(|review| Side::ALL.map(|side| review.lost_by(side))),
        summary: review.as_ref().map(summary),
        review,
        problem,
    })
}

fn review(solver: &mut Solver, board: &Board) -> EngineAnswer<Review> {
    let (strain, leader) = board
        .strain
        .zip(board.leader)
        .ok_or("the contract is missing")?;
    let start = Position::new(strain, leader, table_deal(board)?, &[])?;
    Ok(Review::new(solver, &start, &board.play)?.of_board(board))
}

/// The boards of an evening in PBN, each with its double-dummy tricks if they are known: the results
/// of all tables and the ranking of the pairs.
pub(crate) fn session(text: &str) -> EngineAnswer<SessionOfBoards> {
    let options = Options::default().keep_names(true);
    let mut standings = Standings::default();
    // Of each deal its number and its results; of each board its deal and its own result there.
    let (mut deals, mut own): (Vec<(Option<u32>, usize)>, Vec<_>) = (Vec::new(), Vec::new());
    for board in Records::with_options(text.as_bytes(), "the evening", options)? {
        let board = board?;
        let index = standings.add(&board);
        deals.resize(standings.boards(), (board.number, 0));
        let results = &mut deals[index].1;
        let is_own = board.scores.is_none() && (board.passed_out || board.contract.is_some());
        own.push(is_own.then_some((index, *results)));
        *results += (board.scores.as_ref()).map_or(usize::from(is_own), |of| of.rows.len());
        if let Some(tricks) = board.double_dummy.tricks {
            standings.solved(index, TrickTable::new(tricks));
        }
    }
    let mut order: Vec<usize> = (0..deals.len()).filter(|&of| deals[of].1 > 0).collect();
    order.in_order_by_key(|&index| deals[index].0);
    let place = |of: Option<(usize, usize)>| {
        let (index, table) = of?;
        Some([order.iter().position(|&of| of == index)?, table])
    };
    Ok(SessionOfBoards {
        places: own.into_iter().map(place).collect(),
        found: standings.session(),
    })
}

/// `CONTRACT VULNERABLE TRICKS`: the score of North and South, and the result in words.
pub(crate) fn score_of(text: &str) -> EngineAnswer<ScoreInWords> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [contract, vulnerable, tricks] = words[..] else {
        return Err("expected a contract, who is vulnerable, and tricks".into());
    };
    let contract: Contract = contract.parse()?;
    let (vulnerable, tricks) = (vulnerable.parse()?, tricks.parse()?);
    Ok(ScoreInWords {
        score: contract.score(tricks, vulnerable, Side::NorthSouth),
        outcome: outcome(contract, tricks),
    })
}

/// Mistakes of players and pairs in some boards, one a line: the name, `player` or `pair`, and
/// the numbers of [`Losses`], with a tab after each of the first two. The sums over all boards.
pub(crate) fn summary(text: &str) -> EngineAnswer<Summary> {
    let mut all = Summary::default();
    for line in text.lines() {
        let (name, rest) = field(line, "the name")?;
        let (kind, numbers) = field(rest, "`player` or `pair`")?;
        let numbers = numbers.split_whitespace().map(str::parse);
        let numbers = numbers.collect::<Result<Vec<u64>, _>>()?;
        let [
            boards,
            cards,
            mistakes,
            tricks,
            on_lead,
            declaring,
            defending,
        ] = numbers[..]
        else {
            return Err(format!("{} numbers of {name}; expected 7", numbers.len()).into());
        };
        let losses = Losses {
            name: name.to_owned(),
            boards,
            cards,
            mistakes,
            tricks,
            on_lead,
            declaring,
            defending,
        };
        match kind {
            "player" => all.add_player(&losses),
            "pair" => all.add_pair(&losses),
            _ => return Err(format!("{kind:?} is neither `player` nor `pair`").into()),
        }
    }
    Ok(all)
}

/// The points of the hands: 4 for an ace, 3, 2 and 1 for king, queen and jack.
pub(crate) fn points(hands: &[Hand; 4]) -> [u8; 4] {
    Seat::ALL.map(|seat| {
        let cards = hands[seat].cards();
        cards.map(|card| card.rank.value().saturating_sub(10)).sum()
    })
}
