//! `setrograde claim`: how many tricks are sure, whatever the unseen cards.

mod contested;
mod proof;

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::{Args, Subcommand};
use serde::Serialize;
use setrograde::ask::{self, ClaimReply, Tricks};
use setrograde::cards::Seat;
use setrograde::{ClaimProgress, ClaimSubject, Desk, Refusal, Report, Style, Words};

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::numbers::whole;
use crate::arguments::shared::AnswerArguments;
use crate::arguments::size::Size;
use crate::json::versioned;
use crate::questions::{Question, Questions};

/// Find how many tricks are sure, whatever the unseen cards and the defence.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim.txt"), args_conflicts_with_subcommands = true)]
pub struct ClaimArguments {
    #[command(subcommand)]
    contested: Option<Contested>,
    /// Decide whether K tricks are sure, or all that are left.
    #[arg(long, value_name = "K|all")]
    tricks: Option<Tricks>,
    /// The seat that claims; needed if the visible hands are opponents.
    #[arg(long, value_name = "SEAT")]
    by: Option<Seat>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Show every card that may be played, with the tricks that it makes sure.
    #[arg(long)]
    all: bool,
    /// Explain how the tricks are made, or what refutes them; with --json as data.
    #[arg(long, conflicts_with_all = ["all", "plan"])]
    explain: bool,
    /// Print that alone, as JSON for `claim check`.
    #[arg(long, conflicts_with_all = ["all", "json"])]
    plan: bool,
    /// If the tricks are not sure, show the weakest assumptions that make them sure, at most five:
    /// the lengths of a suit, the hand of a card, both, or the lengths of two suits. The tricks are
    /// those of --tricks, or all remaining ones.
    #[arg(long, conflicts_with_all = ["all", "plan"])]
    assume: bool,
    #[command(flatten)]
    db: DatabaseArgument,
    /// Give up on a question after N search nodes: `unknown`, exit status 4. [default:
    /// 10000 for questions in files, else none]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    limit: Option<u64>,
    /// Memory limit for the positions that each worker remembers, such as 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    memory: Size,
    #[command(flatten)]
    answers: AnswerArguments,
    #[command(flatten)]
    board: BoardArgument,
    /// The question; or files with one question per line or with boards, whose claims are
    /// judged; `-` is standard input.
    #[arg(value_name = "QUESTION")]
    question: Vec<OsString>,
}

#[derive(Subcommand)]
enum Contested {
    Check(proof::CheckArguments),
    Line(contested::ClaimLineArguments),
    Adjudicate(contested::AdjudicateArguments),
}

/// The default of `--limit` for files: a hopeless claim of a record may take long to refute.
const BOARD_LIMIT: u64 = 10_000;

/// The claims seen so far, for the exit status.
#[derive(Default)]
struct ClaimTotals {
    not_sure: AtomicBool,
    unknown: AtomicBool,
}

impl ClaimTotals {
    /// Notes whether a claim is sure; `None` if that is unknown.
    fn note(&self, sure: Option<bool>) {
        match sure {
            Some(true) => {}
            Some(false) => self.not_sure.store(true, Ordering::Relaxed),
            None => self.unknown.store(true, Ordering::Relaxed),
        }
    }
}

pub fn run(arguments: &ClaimArguments) -> anyhow::Result<Outcome> {
    match &arguments.contested {
        Some(Contested::Check(arguments)) => return proof::run(arguments),
        Some(Contested::Line(arguments)) => return contested::line(arguments),
        Some(Contested::Adjudicate(arguments)) => return contested::adjudicate(arguments),
        None => {}
    }
    if arguments.question.is_empty() {
        bail!("a question is missing; `setrograde claim --help` shows some");
    }
    arguments.condition.check()?;
    let desk = arguments.db.desk()?;
    let mut desk = desk.with_memory(arguments.memory.addressable());
    let mut questions = Questions {
        wanted: arguments.board.numbers(),
        style: Style {
            by_card: arguments.all,
            ..Style::default()
        },
        ..arguments.answers.questions(&arguments.question, 1, true)
    };
    let one = questions.are_asked_directly();
    if one {
        let so_far = ClaimProgress::default();
        desk = desk.with_progress(&so_far);
        questions.so_far = Some(so_far);
    }
    let ask = ask::Claim {
        tricks: arguments.tricks,
        by: arguments.by,
        conditions: arguments.condition.texts(),
        explain: arguments.explain || arguments.plan,
        assume: arguments.assume,
        limit: arguments.limit.or((!one).then_some(BOARD_LIMIT)),
        cards: arguments.answers.json || arguments.all,
    };
    let seen = ClaimTotals::default();
    let as_data = arguments.plan;
    let answer = |desk: &mut Desk, question: &Question<'_, ClaimSubject>| {
        let of_questions = [("--plan", arguments.plan), ("--all", arguments.all)];
        if question.board.is_some()
            && let Some((name, _)) = of_questions.into_iter().find(|&(_, is_set)| is_set)
        {
            return Err(Refusal::question(format_args!(
                "{name} is for questions; the claim of a board is judged as it was made"
            )));
        }
        let reply = desk.answer(&ask, question.ask, question.board)?;
        match &reply {
            ClaimReply::Judged(judged) => seen.note(judged.sure),
            ClaimReply::NoClaim(_) => {}
            ClaimReply::Sure(claim) => seen.note(claim.verdict()),
        }
        Ok(ClaimOutput { reply, as_data })
    };
    let outcome = questions.run(&desk, answer)?;
    Ok(match outcome {
        Outcome::Done if seen.unknown.into_inner() => Outcome::Unknown,
        Outcome::Done if seen.not_sure.into_inner() => Outcome::NotSure,
        outcome => outcome,
    })
}

/// An answer, perhaps with its proof as data.
#[derive(Serialize)]
struct ClaimOutput {
    #[serde(flatten)]
    reply: ClaimReply,
    /// True if the proof alone is shown, as an object.
    #[serde(skip)]
    as_data: bool,
}

impl Report for ClaimOutput {
    fn words(&self, to: &mut Words) {
        let evidence = match &self.reply {
            ClaimReply::Sure(claim) if self.as_data => claim.evidence(),
            _ => None,
        };
        match evidence {
            Some(evidence) => to.only(versioned(&evidence)),
            None => self.reply.words(to),
        }
    }
}
