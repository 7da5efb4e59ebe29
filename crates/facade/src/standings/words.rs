//! The results of an evening in words.

use std::fmt::Display;

use comfy_table::{CellAlignment, Table, presets};
use setrograde_beliefs::counted;

use super::MATCHPOINTS;
use super::session::{BoardResults, PairLine, Session, SessionLists, TableLine};
use crate::heading::bid;
use crate::{Report, Words, shown};

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

/// Writes a table: the heads of its columns, each with true at its right edge, and its rows.
fn table<const N: usize>(
    to: &mut Words,
    heads: [(&str, bool); N],
    rows: impl Iterator<Item = [String; N]>,
) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(heads.map(|(head, _)| head));
    table.add_rows(rows);
    for (column, (_, right)) in table.column_iter_mut().zip(heads) {
        column.set_padding((2, 0));
        if right {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.lines() {
        to.line(line.trim_end());
    }
}

/// The beginning of a name.
fn short(name: impl Display) -> String {
    name.to_string().chars().take(WIDEST).collect()
}

fn ranking_lines(to: &mut Words, pairs: &[PairLine], is_matchpoints: bool) {
    let (value, unit) = if is_matchpoints {
        ("per cent", "%")
    } else {
        ("IMPs", "IMPs")
    };
    let heads = [
        ("rank", true),
        ("pair", false),
        ("boards", true),
        (value, true),
        ("decl", true),
        ("def", true),
        ("cost most", false),
    ];
    let row = |pair: &PairLine| {
        let names = pair.names.as_deref().filter(|names| *names != pair.pair);
        let cost = pair.cost_most.as_ref().map(|of| {
            let board = of.board.map(|number| format!("board {number}"));
            let board = board.as_deref().unwrap_or("a board");
            format!("{board}: {}, {} {unit}", -of.tricks, plain(of.cost))
        });
        [
            pair.rank.to_string(),
            short(names.map_or(pair.pair.clone(), |names| format!("{} {names}", pair.pair))),
            pair.boards.to_string(),
            match (pair.percent, pair.imps) {
                (Some(percent), _) => format!("{percent:.2}"),
                (None, imps) => or_dash(imps.map(|imps| format!("{imps:+.1}"))),
            },
            format!("{:+}", pair.declaring),
            format!("{:+}", pair.defending),
            or_dash(cost),
        ]
    };
    table(to, heads, pairs.iter().map(row));
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
    let heads = [
        ("table", false),
        ("N-S", false),
        ("E-W", false),
        ("contract", false),
        ("lead", false),
        ("made", true),
        ("dd", true),
        ("score", true),
        ("off par", true),
        (if is_matchpoints { "N-S %" } else { "IMPs" }, true),
    ];
    let row = |at: &TableLine| {
        let contract = match at.contract {
            Some(contract) => format!(
                "{}{} {}",
                bid(contract),
                contract.doubling,
                contract.declarer
            ),
            None if at.passed_out => "pass".to_owned(),
            None => "-".to_owned(),
        };
        let [north_south, east_west] = at.pairs.clone().map(or_dash).map(short);
        [
            short(or_dash(at.table.as_ref())),
            north_south,
            east_west,
            contract,
            or_dash(at.lead.map(shown)),
            or_dash(at.result),
            or_dash(at.double_dummy),
            or_dash(at.score.map(|score| format!("{score:+}"))),
            or_dash(at.over_par.map(|over| format!("{over:+}"))),
            match (at.percent[0], at.imps) {
                (Some(percent), _) => plain(percent),
                (None, imps) => or_dash(imps.map(|imps| format!("{imps:+.1}"))),
            },
        ]
    };
    table(to, heads, board.tables.iter().map(row));
}
