//! `setrograde claim`: how many tricks are sure, whatever the unseen cards.

mod contested;
mod proof;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use setrograde::{Claim, Either, JudgedClaim, NoClaim, Report, ToldClaim, Words, claimed};
use setrograde_cards::Seat;
use setrograde_claim::{Claims, Options, SoFar, Wanted, tricks};
use setrograde_records::Board;
use setrograde_solver::Endgames;

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::arguments::size::Size;
use crate::json::versioned;
use crate::questions::progress::tell;
use crate::questions::{NoAnswer, Question, Questions};
use crate::session::Session;

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
    /// Say in words how the tricks are made, or what refutes them; with --json as data.
    #[arg(long, conflicts_with_all = ["all", "plan"])]
    explain: bool,
    /// Print that alone, as data for `claim check`.
    #[arg(long, value_name = "FORM", conflicts_with_all = ["all", "json"])]
    plan: Option<PlanForm>,
    /// If the tricks are not sure, show the weakest assumptions that make them so:
    /// those of --tricks, or else all that are left.
    #[arg(long, conflicts_with_all = ["all", "plan"])]
    assume: bool,
    #[command(flatten)]
    db: DatabaseArgument,
    /// Give up on a question after N search nodes: `unknown`, exit status 4. [default:
    /// 10000 for questions in files, else none]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Most memory for the positions that each worker remembers, as in 64M or 2G.
    #[arg(long, alias = "memory", value_name = "SIZE", default_value = "256M")]
    cache: Size,
    #[command(flatten)]
    answers: AnswerArguments,
    #[command(flatten)]
    board: BoardArgument,
    /// The question; or files with one question a line or with boards, whose claims are
    /// judged; `-` is standard input.
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
}

#[derive(Subcommand)]
enum Contested {
    Check(proof::CheckArguments),
    Line(contested::LineArguments),
    Adjudicate(contested::AdjudicateArguments),
}

#[derive(Clone, Copy, ValueEnum)]
enum PlanForm {
    Json,
}

/// The default of `--limit` for files.
const BOARD_LIMIT: u64 = 10_000;

/// The number of tricks claimed.
#[derive(Clone, Copy)]
enum Tricks {
    All,
    These(u8),
}

impl FromStr for Tricks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Tricks, Self::Err> {
        if text == "all" {
            return Ok(Tricks::All);
        }
        let tricks = text.parse().ok().filter(|&tricks| tricks <= 13);
        tricks
            .map(Tricks::These)
            .ok_or("expected 0 to 13, or `all`")
    }
}

/// The fault of a claim of more tricks than are left.
pub fn too_many(claimed: u8, left: u8) -> String {
    let are = |count| if count == 1 { "is" } else { "are" };
    let claim = tricks(claimed);
    format!(
        "{claim} {} claimed, but only {left} {} left",
        are(claimed),
        are(left)
    )
}

/// The claims seen so far, for the exit status.
#[derive(Default)]
struct Seen {
    not_sure: AtomicBool,
    unknown: AtomicBool,
}

impl Seen {
    /// Notes whether a claim is sure; `None` if that is unknown.
    fn note(&self, sure: Option<bool>) {
        match sure {
            Some(true) => {}
            Some(false) => self.not_sure.store(true, Ordering::Relaxed),
            None => self.unknown.store(true, Ordering::Relaxed),
        }
    }
}

pub fn run(arguments: &ClaimArguments, session: &Session) -> anyhow::Result<Outcome> {
    match &arguments.contested {
        Some(Contested::Check(arguments)) => return proof::run(arguments),
        Some(Contested::Line(arguments)) => return contested::line(arguments),
        Some(Contested::Adjudicate(arguments)) => return contested::adjudicate(arguments),
        None => {}
    }
    if arguments.question.is_empty() {
        bail!("a question is missing; `setrograde claim --help` shows some");
    }
    arguments.condition.read()?;
    let database = arguments.db.open(session)?;
    let so_far = Arc::new(SoFar::default());
    let questions = arguments.questions(session);
    let one = questions.are_asked_directly();
    if one && session.request().is_none() {
        let so_far = Arc::clone(&so_far);
        tell(move || so_far.to_string());
    }
    let options = Options {
        so_far: one.then_some(so_far),
        memory: arguments.cache.addressable(),
        // A hopeless claim of a record may take long to refute.
        limit: match one {
            true => arguments.limit,
            false => arguments.limit.or(Some(BOARD_LIMIT)),
        },
        stop: session.stop().clone(),
        endgames: database.map(|database| database as Arc<dyn Endgames>),
    };
    arguments.answers(&questions, &options)
}

impl ClaimArguments {
    fn questions<'a>(&'a self, session: &'a Session) -> Questions<'a> {
        Questions {
            wanted: self.board.numbers(),
            session,
            ..self.answers.questions(&self.question, 1, true)
        }
    }

    /// Answers the questions, each as it was asked.
    fn answers(&self, questions: &Questions<'_>, options: &Options) -> anyhow::Result<Outcome> {
        let seen = Seen::default();
        let start = || Claims::new(options.clone());
        let outcome = questions.run(start, |claims, question: &Question<'_, Claim>| {
            Ok(match (question.board, question.ask) {
                (Some(board), ask) => Either::One(self.judge(claims, board, ask, &seen)?),
                (None, Claim::Hidden(ask)) => Either::Other(self.answer(claims, ask, &seen)?),
                (None, Claim::Open(_)) => return Err(NoAnswer::refused("no hand is hidden")),
            })
        })?;
        Ok(match outcome {
            Outcome::Done if seen.unknown.into_inner() => Outcome::Unknown,
            Outcome::Done if seen.not_sure.into_inner() => Outcome::NotSure,
            outcome => outcome,
        })
    }

    /// The judgement of a record's claim.
    fn judge(
        &self,
        claims: &mut Claims,
        board: &Board,
        ask: &Claim,
        seen: &Seen,
    ) -> Result<Either<JudgedClaim, NoClaim>, NoAnswer> {
        let judged = match (claimed(board), ask) {
            (Some(_), Claim::Hidden(question)) => {
                let knowledge = self.condition.knowledge(None, question)?;
                JudgedClaim::new(claims, board, &knowledge)?
            }
            _ => None,
        };
        Ok(match judged {
            Some(judged) => {
                seen.note(judged.sure);
                Either::One(judged)
            }
            None => Either::Other(NoClaim::of(board)),
        })
    }

    fn answer(
        &self,
        claims: &mut Claims,
        question: &setrograde_beliefs::Question,
        seen: &Seen,
    ) -> Result<Told, NoAnswer> {
        let knowledge = self.condition.knowledge(self.by, question)?;
        let left = knowledge.tricks_left() as u8;
        let tricks = match self.tricks {
            None => None,
            Some(Tricks::All) => Some(left),
            Some(Tricks::These(tricks)) if tricks > left => {
                return Err(NoAnswer::refused(too_many(tricks, left)));
            }
            Some(Tricks::These(tricks)) => Some(tricks),
        };
        let json = self.answers.json;
        let wanted = Wanted {
            tricks,
            sure: json,
            cards: self.all || json,
            proof: self.explain || self.plan.is_some(),
            assume: self.assume,
        };
        let answer = claims.answer(&knowledge, wanted)?;
        seen.note(answer.verdict);
        Ok(Told {
            as_data: self.plan.is_some(),
            claim: ToldClaim {
                answer,
                knowledge,
                explained: wanted.proof,
                counted: tricks.is_none(),
            },
        })
    }
}

/// An answer, perhaps with its proof as data.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    claim: ToldClaim,
    /// Whether the proof alone is shown, as an object.
    #[serde(skip)]
    as_data: bool,
}

impl Report for Told {
    fn words(&self, to: &mut Words) {
        let answer = &self.claim.answer;
        match (&answer.plan, &answer.core) {
            (Some(plan), _) if self.as_data => to.only(versioned(plan)),
            (_, Some(core)) if self.as_data => to.only(versioned(core)),
            _ => self.claim.words(to),
        }
    }
}
