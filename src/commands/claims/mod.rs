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
use setrograde_records::{Board, RecordError, Records};

use self::record::{NoClaim, claim_of};
use self::study::{Findings, rises, study};
use crate::Outcome;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;
use crate::output::say;
use crate::questions::complaint;
use crate::questions::sources::Source;
use crate::questions::workers::{Sink, feed, in_order};

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
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Files of boards; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

/// A board as it was read, and the file that it is from.
type Read = (Arc<str>, Result<Board, RecordError>);

/// What came of a board.
enum Finding {
    NoClaim,
    Bad(String),
    /// A claim, its line of JSON if wanted, and what is wrong with the methods.
    Claim {
        findings: Findings,
        json: Option<String>,
        broken: Option<String>,
    },
}

/// What came of all boards.
#[derive(Default)]
struct Totals {
    boards: u64,
    bad: u64,
    broken: u64,
    found: Vec<Findings>,
}

pub fn run(arguments: &ClaimsArguments) -> anyhow::Result<Outcome> {
    let options = Options {
        limit: arguments.limit,
        cancel: Some(Arc::clone(interrupt::flag())),
        ..Options::default()
    };
    let sources: Vec<Source> = arguments
        .files
        .iter()
        .map(|file| Source::new(file))
        .collect();
    let boards = feed(move |sink| {
        if let Err(error) = read(&sources, sink) {
            sink.give(Err(error));
        }
    });
    let bar = match io::stderr().is_terminal() {
        true => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
        false => ProgressBar::hidden(),
    };
    let workers = (0..arguments.threads.or_cores()).map(|_| Claims::new(options.clone()));
    let mut totals = Totals::default();
    let finished = in_order(
        boards,
        workers.collect(),
        |claims, board: anyhow::Result<Read>| match arguments.look_at(claims, board?) {
            Ok(finding) => Ok(Some(finding)),
            Err(ClaimError::Cancelled) => Ok(None),
            Err(error) => Err(anyhow::Error::from(error)),
        },
        |finding| {
            let Some(finding) = finding else {
                return Ok(true);
            };
            let Some(finding) = finding? else {
                return Ok(false);
            };
            bar.inc(1);
            totals.add(finding, &bar)?;
            Ok(true)
        },
    )?;
    bar.finish_and_clear();
    if !finished {
        say("setrograde: cancelled");
        return Ok(Outcome::Interrupted);
    }
    if !arguments.json {
        totals.print(!arguments.no_times)?;
    }
    Ok(match totals {
        Totals { broken: 1.., .. } => Outcome::NotSure,
        Totals { bad: 1.., .. } => Outcome::SomeUnanswered,
        _ => Outcome::Done,
    })
}

/// Gives the boards of all sources, until no more are wanted.
fn read(sources: &[Source], sink: &mut Sink<anyhow::Result<Read>>) -> anyhow::Result<()> {
    for source in sources {
        let name = source.name();
        let records =
            Records::new(source.open()?, &name).with_context(|| format!("{name}: cannot read"))?;
        for board in records {
            if !sink.give(Ok((Arc::clone(&name), board))) {
                return Ok(());
            }
        }
    }
    Ok(())
}

impl ClaimsArguments {
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
    /// Adds what came of a board, and says on standard error what is wrong with it.
    fn add(&mut self, finding: Finding, bar: &ProgressBar) -> io::Result<()> {
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
            bar.suspend(|| say(format_args!("setrograde: {why}")));
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
