//! `setrograde claims`: the claims of records, by every method.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use comfy_table::{Cell, Table};
use cpu_time::ThreadTime;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::json;
use setrograde_cards::{Position, Trick};
use setrograde_claim::{ClaimError, Claims, Knowledge, Options, PaperOptions, ordered, paper};
use setrograde_records::{Board, PlayEnd, Records};

use crate::Outcome;
use crate::input::questions::complaint;
use crate::input::sources::Source;
use crate::interrupt;
use crate::output::say;
use crate::output::tables::{plain, right};

const EXAMPLES: &str = "\
Reads boards of LIN, PBN and the other formats. A board whose play stopped before
its last trick, with a result, is a claim: of the declarer's tricks in total less
those won before. Prints how often each method finds the tricks, as in Tables 3.1
to 3.5 of the paper (`docs/claim.md`); boards that cannot be read are named on
standard error.

Examples:
  setrograde claims boards.lin
  setrograde claims --json *.pbn > claims.json";

/// Print how many claims of records are sure, and what other methods find.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ClaimsArguments {
    /// Give up on a claim after that many nodes.
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    /// Print one JSON object for each claim instead of the tables.
    #[arg(long)]
    json: bool,
    /// Leave the processor times out, so that equal runs print the same.
    #[arg(long)]
    no_times: bool,
    /// Files of boards; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

/// After how many nodes the paper's method is cut off where it has no table.
const CUT: u64 = 100_000;

/// A claim of a record.
struct Claim {
    knowledge: Knowledge,
    /// The hidden hands as they are.
    layout: [setrograde_cards::Hand; 2],
    claimed: u8,
}

/// What a method says of one claim.
#[derive(Clone, Copy)]
struct Said {
    found: Option<bool>,
    nodes: u64,
    moves: u64,
    time: Duration,
}

/// All that is found about a claim.
struct Findings {
    all: bool,
    /// Whether the declarer's side leads, and the trick has not begun.
    at_lead: bool,
    tricks_left: usize,
    sure: Said,
    ordered: bool,
    no_table: Said,
    no_loser: Said,
    one_loser: Said,
    double_dummy: u8,
    least: u8,
    claimed: u8,
}

/// Why a board is no claim.
enum NoClaim {
    /// Played out, passed out, or without a result.
    None,
    /// It contradicts itself.
    Bad(String),
}

fn claim_of(board: &Board) -> Result<Claim, NoClaim> {
    let bad = |why: &str| NoClaim::Bad(why.to_owned());
    let (Some(deal), Some(strain), Some(declarer), Some(leader)) =
        (board.deal(), board.strain, board.declarer, board.leader)
    else {
        return Err(NoClaim::None);
    };
    let total = board.claim.or(board.result.filter(|_| {
        board.play_end != PlayEnd::Unknown && !board.play.is_empty() && board.play.len() < 49
    }));
    let Some(total) = total.filter(|_| board.play.len() < 49) else {
        return Err(NoClaim::None);
    };
    if total > 13 {
        return Err(bad("more than 13 tricks are claimed"));
    }
    let start =
        Position::new(strain, leader, deal, &[]).map_err(|e| NoClaim::Bad(e.to_string()))?;
    let known = Knowledge::from_position(&start, declarer, declarer.partner());
    let mut knowledge = known.map_err(|error| NoClaim::Bad(error.to_string()))?;
    let mut position = start;
    let mut won = 0;
    let mut trick = Trick::new(leader);
    for (n, &card) in board.play.iter().enumerate() {
        let place =
            |error: &dyn std::fmt::Display| NoClaim::Bad(format!("card {}: {error}", n + 1));
        position = position.play(card).map_err(|error| place(&error))?;
        knowledge = knowledge.play(card).map_err(|error| place(&error))?;
        trick = trick.with(card).unwrap_or(trick);
        if trick.is_complete()
            && let Some(winner) = trick.winner(strain)
        {
            won += u8::from(winner.side() == declarer.side());
            trick = Trick::new(winner);
        }
    }
    let left = knowledge.tricks_left() as u8;
    let claimed = total
        .checked_sub(won)
        .filter(|&claimed| claimed <= left)
        .ok_or_else(|| bad("the result does not agree with the tricks played"))?;
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    Ok(Claim {
        knowledge,
        layout,
        claimed,
    })
}

fn by_paper(knowledge: &Knowledge, claimed: u8, losers: u8, table: bool) -> Said {
    let start = ThreadTime::now();
    let answer = paper(
        knowledge,
        claimed,
        PaperOptions {
            losers,
            table,
            limit: if table { 2_000_000 } else { CUT },
        },
    );
    Said {
        found: answer.found,
        nodes: answer.nodes,
        moves: answer.moves,
        time: start.elapsed(),
    }
}

fn study(claims: &mut Claims, claim: &Claim) -> Result<Findings, ClaimError> {
    let Claim {
        knowledge,
        layout,
        claimed,
    } = claim;
    let before = claims.nodes();
    let start = ThreadTime::now();
    let found = match claims.is_sure(knowledge, *claimed) {
        Ok(found) => Some(found),
        Err(ClaimError::LimitReached { .. }) => None,
        Err(error) => return Err(error),
    };
    let sure = Said {
        found,
        nodes: claims.nodes() - before,
        moves: 0,
        time: start.elapsed(),
    };
    let at_lead = knowledge.trick().cards().is_empty() && knowledge.plays_for(knowledge.to_play());
    Ok(Findings {
        all: usize::from(*claimed) == knowledge.tricks_left(),
        at_lead,
        tricks_left: knowledge.tricks_left(),
        sure,
        ordered: at_lead && ordered(knowledge).len() >= usize::from(*claimed),
        no_table: by_paper(knowledge, *claimed, 0, false),
        no_loser: by_paper(knowledge, *claimed, 0, true),
        one_loser: by_paper(knowledge, *claimed, 1, true),
        double_dummy: claims.double_dummy_of(knowledge, *layout)?,
        least: match sure.found {
            Some(true) | None => *claimed,
            Some(false) => claims.least_double_dummy(knowledge, 300)?.0,
        },
        claimed: *claimed,
    })
}

pub fn run(arguments: &ClaimsArguments) -> anyhow::Result<Outcome> {
    let mut claims = Claims::new(Options {
        limit: arguments.limit,
        cancel: Some(Arc::clone(interrupt::flag())),
        ..Options::default()
    });
    let bar = match io::stderr().is_terminal() {
        true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        false => ProgressBar::hidden(),
    };
    let (mut boards, mut bad) = (0_u64, 0_u64);
    let mut found: Vec<Findings> = Vec::new();
    for file in &arguments.files {
        let source = Source::new(file);
        let name = source.name();
        let records = Records::new(source.open(&Arc::default())?, &name)
            .with_context(|| format!("{name}: cannot read"))?;
        for board in records {
            bar.inc(1);
            boards += 1;
            let board = match board {
                Ok(board) => board,
                Err(error) => {
                    bad += 1;
                    bar.suspend(|| say(format_args!("setrograde: {error}")));
                    continue;
                }
            };
            let claim = match claim_of(&board) {
                Ok(claim) => claim,
                Err(NoClaim::None) => continue,
                Err(NoClaim::Bad(why)) => {
                    bad += 1;
                    let why = complaint(&name, &board, &why);
                    bar.suspend(|| say(format_args!("setrograde: {why}")));
                    continue;
                }
            };
            let findings = match study(&mut claims, &claim) {
                Ok(findings) => findings,
                Err(ClaimError::Cancelled) => return Ok(Outcome::Interrupted),
                Err(error) => return Err(error.into()),
            };
            if arguments.json {
                writeln!(io::stdout(), "{}", findings.json(&name, &board))?;
            }
            found.push(findings);
        }
    }
    bar.finish_and_clear();
    if !arguments.json {
        writeln!(
            io::stdout(),
            "{boards} boards, {bad} of them bad, {} claims",
            found.len()
        )?;
        if !found.is_empty() {
            writeln!(io::stdout(), "{}", finds(&found, boards))?;
            writeln!(io::stdout(), "{}", chain(&found))?;
            writeln!(io::stdout(), "{}", losers(&found, boards))?;
            if !arguments.no_times {
                writeln!(io::stdout(), "{}", times(&found))?;
            }
        }
    }
    Ok(if bad == 0 {
        Outcome::Done
    } else {
        Outcome::SomeUnanswered
    })
}

impl Findings {
    fn json(&self, file: &str, board: &Board) -> String {
        json!({
            "file": file,
            "line": board.line,
            "board": board.number,
            "tricks_left": self.tricks_left,
            "claimed": self.claimed,
            "at_lead": self.at_lead,
            "sure": self.sure.found,
            "ordered": self.ordered,
            "paper": self.no_loser.found,
            "paper_one_loser": self.one_loser.found,
            "least_double_dummy": self.least,
            "double_dummy": self.double_dummy,
        })
        .to_string()
    }
}

fn table(title: &str, header: &[&str]) -> Table {
    let mut table = plain();
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
fn finds(found: &[Findings], boards: u64) -> Table {
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

/// What is sure, and what double dummy would say, of all claims.
fn chain(found: &[Findings]) -> Table {
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
                of(|f| f.least >= f.claimed),
                of(|f| f.double_dummy >= f.claimed),
            ],
        ));
    }
    table
}

/// Table 3.4: what is left for a loser.
fn losers(found: &[Findings], boards: u64) -> Table {
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
fn times(found: &[Findings]) -> Table {
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
