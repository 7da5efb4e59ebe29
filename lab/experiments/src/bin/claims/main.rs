//! The claims of records, by every method: the tables of P. M. Bethe, "DTAC: A method
//! for planning to claim in Bridge", compared with the exact answers.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin claims -- boards.lin

mod record;
mod study;
mod tables;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;

use clap::Parser;
use rayon::prelude::*;
use setrograde_claim::{ClaimError, Claims, Options};
use setrograde_records::{Board, RecordError, Records};

use self::record::{NoClaim, claim_of};
use self::study::{Findings, rises, study};

/// Print how many claims of records are sure, and what other methods find.
///
/// A board that ends early with a result is treated as a claim for the declarer's
/// total minus the tricks already won. The tables are Tables 3.1 to 3.5 of the thesis
/// (docs/claim.md). Boards that cannot be read are named on standard error.
#[derive(Parser)]
struct Arguments {
    /// Give up on a claim after this number of nodes.
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    /// Print one JSON object for each claim instead of the tables.
    #[arg(long)]
    json: bool,
    /// Leave the processor times out, so equal runs print the same.
    #[arg(long)]
    no_times: bool,
    /// Check that fixed orders take no more tricks than are sure, and that no more
    /// tricks are sure than double dummy takes; list the violations.
    #[arg(long)]
    chain: bool,
    /// Files of boards; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

/// A board of a file, and the file's name.
type Read = (String, Result<Board, RecordError>);

/// The outcome of a board.
enum Finding {
    NoClaim,
    Bad(String),
    /// A claim, its line of JSON if wanted, and a complaint about the methods.
    Claim {
        findings: Findings,
        json: Option<String>,
        broken: Option<String>,
    },
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let mut boards: Vec<Read> = Vec::new();
    for file in &arguments.files {
        let input: Box<dyn BufRead> = match file.as_str() {
            "-" => Box::new(io::stdin().lock()),
            _ => Box::new(BufReader::new(File::open(file)?)),
        };
        let records = Records::new(input, file)?;
        boards.extend(records.map(|board| (file.clone(), board)));
    }
    let options = Options {
        limit: arguments.limit,
        ..Options::default()
    };
    let findings: Result<Vec<Finding>, ClaimError> = boards
        .into_par_iter()
        .map_init(
            || Claims::new(options.clone()),
            |claims, board| arguments.look_at(claims, board),
        )
        .collect();
    let mut totals = Totals::default();
    for finding in findings? {
        totals.add(finding)?;
    }
    if !arguments.json {
        totals.print(!arguments.no_times)?;
    }
    Ok(ExitCode::from(match totals {
        Totals { broken: 1.., .. } => 1,
        Totals { bad: 1.., .. } => 3,
        _ => 0,
    }))
}

/// All outcomes.
#[derive(Default)]
struct Totals {
    boards: u64,
    bad: u64,
    broken: u64,
    found: Vec<Findings>,
}

/// A fault of a board, and its location.
fn complaint(file: &str, board: &Board, why: &str) -> String {
    let number = board.number.map(|number| format!(", board {number}"));
    format!(
        "{file}, line {}{}: {why}",
        board.line,
        number.unwrap_or_default()
    )
}

impl Arguments {
    fn look_at(&self, claims: &mut Claims, (file, board): Read) -> Result<Finding, ClaimError> {
        let board = match board {
            Ok(board) => board,
            Err(error) => return Ok(Finding::Bad(error.to_string())),
        };
        let claim = match claim_of(&board) {
            Ok(claim) => claim,
            Err(NoClaim::None) => return Ok(Finding::NoClaim),
            Err(NoClaim::Bad(why)) => return Ok(Finding::Bad(complaint(&file, &board, &why))),
        };
        let findings = study(claims, &claim)?;
        let rises = !self.chain
            || match rises(claims, &claim) {
                Err(ClaimError::LimitReached { .. }) => true,
                rises => rises?,
            };
        let broken = || complaint(&file, &board, "a method takes too many tricks");
        Ok(Finding::Claim {
            json: self.json.then(|| findings.json(&file, &board)),
            broken: (!rises).then(broken),
            findings,
        })
    }
}

impl Totals {
    /// Adds the outcome of a board, and complains on standard error.
    fn add(&mut self, finding: Finding) -> io::Result<()> {
        self.boards += 1;
        let complaint = match finding {
            Finding::NoClaim => None,
            Finding::Bad(why) => {
                self.bad += 1;
                Some(why)
            }
            Finding::Claim {
                findings,
                json,
                broken,
            } => {
                if let Some(json) = json {
                    writeln!(io::stdout(), "{json}")?;
                }
                self.broken += u64::from(broken.is_some());
                self.found.push(findings);
                broken
            }
        };
        if let Some(why) = complaint {
            eprintln!("claims: {why}");
        }
        Ok(())
    }

    fn print(&self, times: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let Totals {
            boards, bad, found, ..
        } = self;
        writeln!(
            out,
            "{boards} boards, {bad} of them bad, {} claims",
            found.len()
        )?;
        if found.is_empty() {
            return Ok(());
        }
        writeln!(out, "{}", tables::finds(found, *boards))?;
        writeln!(out, "{}", tables::chain(found))?;
        writeln!(out, "{}", tables::losers(found, *boards))?;
        if times {
            writeln!(out, "{}", tables::times(found))?;
        }
        Ok(())
    }
}
