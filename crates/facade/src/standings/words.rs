//! The results of an evening in words.

use std::fmt::Display;

use super::MATCHPOINTS;
use super::session::{BoardResults, PairLine, Session, SessionLists};
use crate::heading::bid;
use crate::words::{Report, Words, shown};

/// Maximum number of characters of names in the output.
const WIDEST: usize = 20;

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
