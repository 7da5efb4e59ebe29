//! The tables of the thesis, compared with the exact answers.

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::study::{Findings, Said};

fn right(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

fn table(title: &str, header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut first = vec![Cell::new(title)];
    first.extend(header.iter().map(|&text| right(text)));
    table.set_header(first);
    table
}

/// A row: its name, then numbers.
fn row<const N: usize>(name: &str, cells: [String; N]) -> Vec<Cell> {
    let mut row = vec![Cell::new(name)];
    row.extend(cells.map(right));
    row
}

fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.0} %", 100.0 * part as f64 / whole as f64),
    }
}

type Choice = fn(&Findings) -> bool;

const ROWS: [(&str, Choice); 3] = [
    ("claim all", |f| f.all),
    ("claim K", |f| !f.all),
    ("all claims", |_| true),
];

/// Table 3.1: how many boards are claims, and of how many at declarer's lead
/// each method finds the tricks.
pub fn finds(found: &[Findings], boards: u64) -> Table {
    let header = [
        "claims",
        "of boards",
        "at lead",
        "paper",
        "ordered",
        "sure",
        "paper of boards",
    ];
    let mut table = table("Table 3.1", &header);
    for (name, choice) in ROWS {
        let chosen: Vec<&Findings> = found.iter().filter(|f| choice(f)).collect();
        let lead: Vec<&&Findings> = chosen.iter().filter(|f| f.at_lead).collect();
        let of = |says: Choice| lead.iter().filter(|f| says(f)).count();
        let papers = of(|f| f.no_loser.found == Some(true));
        table.add_row(row(
            name,
            [
                chosen.len().to_string(),
                percent(chosen.len(), boards as usize),
                lead.len().to_string(),
                format!("{papers} ({})", percent(papers, lead.len())),
                of(|f| f.ordered).to_string(),
                {
                    let sure = of(|f| f.sure.found == Some(true));
                    format!("{sure} ({})", percent(sure, lead.len()))
                },
                percent(papers, boards as usize),
            ],
        ));
    }
    table
}

/// The claims that are sure, and those that double dummy would accept.
pub fn chain(found: &[Findings]) -> Table {
    let header = ["claims", "sure", "unknown", "least dd", "double dummy"];
    let mut table = table("All claims", &header);
    for (name, choice) in ROWS {
        let chosen: Vec<&Findings> = found.iter().filter(|f| choice(f)).collect();
        let of = |says: Choice| chosen.iter().filter(|f| says(f)).count().to_string();
        table.add_row(row(
            name,
            [
                chosen.len().to_string(),
                of(|f| f.sure.found == Some(true)),
                of(|f| f.sure.found.is_none()),
                of(|f| f.least.is_none_or(|least| least >= f.claimed)),
                of(|f| f.double_dummy >= f.claimed),
            ],
        ));
    }
    table
}

/// Table 3.4: claims for the search with a loser.
pub fn losers(found: &[Findings], boards: u64) -> Table {
    let header = ["claims", "of boards", "paper, one loser", "sure"];
    let mut table = table("Table 3.4", &header);
    let rest: Vec<&Findings> = found
        .iter()
        .filter(|f| f.at_lead && !f.all && f.no_loser.found == Some(false))
        .collect();
    let of = |says: Choice| {
        let part = rest.iter().filter(|f| says(f)).count();
        format!("{part} ({})", percent(part, rest.len()))
    };
    table.add_row(row(
        "not found without",
        [
            rest.len().to_string(),
            percent(rest.len(), boards as usize),
            of(|f| f.one_loser.found == Some(true)),
            of(|f| f.sure.found == Some(true)),
        ],
    ));
    table
}

/// Tables 3.2, 3.3 and 3.5: processor time in milliseconds, and moves a node.
pub fn times(found: &[Findings]) -> Table {
    let header = [
        "claims",
        "mean ms",
        "sd ms",
        "median ms",
        "most ms",
        "nodes",
        "b",
    ];
    let mut table = table("Tables 3.2, 3.3, 3.5", &header);
    type Of = fn(&Findings) -> Said;
    let rows: [(&str, Choice, Of); 7] = [
        (
            "3.2 all, no table, cut at 100,000",
            |f| f.at_lead && f.all,
            |f| f.no_table,
        ),
        (
            "3.2 K, no table, cut at 100,000",
            |f| f.at_lead && !f.all,
            |f| f.no_table,
        ),
        ("3.3 all", |f| f.at_lead && f.all, |f| f.no_loser),
        ("3.3 K", |f| f.at_lead && !f.all, |f| f.no_loser),
        ("3.5 K, one loser", |f| f.at_lead && !f.all, |f| f.one_loser),
        ("exact, at lead", |f| f.at_lead, |f| f.sure),
        ("exact, all claims", |_| true, |f| f.sure),
    ];
    for (name, choice, of) in rows {
        let said: Vec<Said> = found.iter().filter(|f| choice(f)).map(of).collect();
        if said.is_empty() {
            continue;
        }
        let mut ms: Vec<f64> = said.iter().map(|s| 1e3 * s.time.as_secs_f64()).collect();
        ms.sort_by(f64::total_cmp);
        let mean = ms.iter().sum::<f64>() / ms.len() as f64;
        let variance = ms.iter().map(|ms| (ms - mean).powi(2)).sum::<f64>() / ms.len() as f64;
        let nodes: u64 = said.iter().map(|s| s.nodes).sum();
        let moves: u64 = said.iter().map(|s| s.moves).sum();
        let branching = match moves {
            0 => "-".to_owned(),
            _ => format!("{:.1}", moves as f64 / nodes as f64),
        };
        table.add_row(row(
            name,
            [
                said.len().to_string(),
                format!("{mean:.4}"),
                format!("{:.4}", variance.sqrt()),
                format!("{:.4}", ms[ms.len() / 2]),
                format!("{:.3}", ms[ms.len() - 1]),
                nodes.to_string(),
                branching,
            ],
        ));
    }
    table
}
