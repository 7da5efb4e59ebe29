//! `setrograde claims`: the claims of records, by every method.

mod record;
mod study;
mod tables;

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use setrograde_claim::{ClaimError, Claims, Options};
use setrograde_records::Records;

use self::record::{NoClaim, claim_of};
use self::study::{Findings, rises, study};
use crate::Outcome;
use crate::interrupt;
use crate::output::say;
use crate::questions::complaint;
use crate::questions::sources::Source;

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
    /// Check of each claim that fixed orders take no more tricks than are sure,
    /// and these no more than double dummy takes; name the claims where they do.
    #[arg(long)]
    chain: bool,
    /// Files of boards; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
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
    let (mut boards, mut bad, mut broken) = (0_u64, 0_u64, 0_u64);
    let mut found: Vec<Findings> = Vec::new();
    for file in &arguments.files {
        let source = Source::new(file);
        let name = source.name();
        let records =
            Records::new(source.open()?, &name).with_context(|| format!("{name}: cannot read"))?;
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
            if arguments.chain {
                match rises(&mut claims, &claim) {
                    Ok(true) => {}
                    Ok(false) => {
                        broken += 1;
                        let why = complaint(&name, &board, "a method takes too many tricks");
                        bar.suspend(|| say(format_args!("setrograde: {why}")));
                    }
                    Err(ClaimError::LimitReached { .. }) => {}
                    Err(ClaimError::Cancelled) => return Ok(Outcome::Interrupted),
                    Err(error) => return Err(error.into()),
                }
            }
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
            writeln!(io::stdout(), "{}", tables::finds(&found, boards))?;
            writeln!(io::stdout(), "{}", tables::chain(&found))?;
            writeln!(io::stdout(), "{}", tables::losers(&found, boards))?;
            if !arguments.no_times {
                writeln!(io::stdout(), "{}", tables::times(&found))?;
            }
        }
    }
    Ok(if broken > 0 {
        Outcome::NotSure
    } else if bad == 0 {
        Outcome::Done
    } else {
        Outcome::SomeUnanswered
    })
}
