//! `setrograde claim`: how many tricks are sure, whatever the unseen cards.

mod answer;
mod compare;
mod contested;
mod options;
mod proof;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use setrograde_cards::Seat;
use setrograde_claim::{
    ClaimError, Claims, Condition, Knowledge, Options, Question, QuestionError, Verdict,
    core_in_words, in_dot, in_words,
};
use setrograde_solver::Endgames;

use self::answer::Answer;
use self::options::{option_if_any, refused};
use crate::Outcome;
use crate::arguments::database::DatabaseMemory;
use crate::arguments::size::Size;
use crate::arguments::threads::ThreadsArgument;
use crate::interrupt;
use crate::questions::sources::Source;
use crate::questions::{NoAnswer, Questions};

const EXAMPLES: &str = "\
A question is STRAIN LEADER DEAL, as for `solve`, with `?` for the two hidden
hands. After it come, in this order and as far as needed: `out=` with the cards
of the hidden hands together (without it, the rest of the pack), `played=` with
the cards on the table, `by=` with the seat that claims, `if=` with a condition,
and the cards played since, from which show-outs are learnt.

The answer is the number of tricks, of those not finished, that one plan takes
for the claimer's side in every layout against every defence. With --tricks it is
`sure`, `not sure` or `unknown`, with exit status 0, 1 or 4.

Conditions, joined by `,` (and) and `|` (or):
  E+HK     East holds the king of hearts
  W.S=0-2  West holds no more than two spades
  S=3-2    one hidden hand holds three spades, the other two
  S<=3     neither holds more than three spades

Examples:
  setrograde claim 'NT S N:AQ... ? 32... ? out=KJT9...'
  setrograde claim --tricks 2 --explain --assume 'NT S N:AQ... ? 32... ? out=KJT9...'
  setrograde claim --tricks all --if 'W+SK' 'NT S N:AQ... ? 32... ? out=KJT9...'
  setrograde claim --all 'NT W W:A.KQJT.. ? .A..AKQ2 ? out=T9.98.T98.T98'
  setrograde claim --json - < questions.txt
  setrograde claim --check answers.txt";

/// Find how many tricks are sure, whatever the unseen cards and the defence.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct ClaimArguments {
    #[command(subcommand)]
    contested: Option<Contested>,
    /// Decide whether K tricks are sure, or all that are left.
    #[arg(long, value_name = "K|all")]
    tricks: Option<Tricks>,
    /// The seat that claims; needed if the visible hands are opponents.
    #[arg(long, value_name = "SEAT")]
    by: Option<Seat>,
    /// What may be assumed about the unseen cards.
    #[arg(long = "if", value_name = "COND")]
    condition: Option<String>,
    /// Show every card that may be played, with the tricks that it makes sure.
    #[arg(long)]
    all: bool,
    /// exact: whether one plan takes the tricks; ordered: whether a fixed order
    /// wins them one after the other.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    method: Method,
    /// Show how: a plan if the tricks are sure, else layouts that refute them.
    #[arg(long, value_name = "FORM", conflicts_with_all = ["all", "json"])]
    plan: Option<PlanForm>,
    /// Say in words how the tricks are made, or what refutes them.
    #[arg(long, conflicts_with_all = ["all", "json", "plan"])]
    explain: bool,
    /// If the tricks are not sure, show the weakest assumptions that make them so:
    /// those of --tricks, or else all that are left.
    #[arg(long, conflicts_with_all = ["all", "plan"])]
    assume: bool,
    /// Endgame database to consult (faster, same answers).
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    #[command(flatten)]
    db_memory: DatabaseMemory,
    /// Give up on a question after that many nodes: `unknown`, exit status 4.
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Most memory for the positions that each worker remembers, as in 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    memory: Size,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Read lines of a QUESTION, a tab and N from a file, or from standard input as
    /// `-`, and name those where N is not the number of tricks that are sure.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "tricks", "all", "json"])]
    check: Option<String>,
    /// The question, or `-` to read one a line from standard input.
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
}

#[derive(Subcommand)]
enum Contested {
    Check(proof::CheckArguments),
    Line(contested::LineArguments),
    Adjudicate(contested::AdjudicateArguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    Exact,
    Ordered,
}

#[derive(Clone, Copy, ValueEnum)]
enum PlanForm {
    Text,
    Dot,
    Json,
}

/// How many tricks are claimed.
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

/// What the exit status tells of all answers together.
#[derive(Default)]
struct Seen {
    not_sure: AtomicBool,
    unknown: AtomicBool,
}

impl From<QuestionError> for NoAnswer {
    fn from(error: QuestionError) -> NoAnswer {
        NoAnswer::At {
            column: error.column(),
            problem: error.problem().to_string(),
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
    if arguments.question.is_empty() && arguments.check.is_none() {
        bail!("a question is missing; `setrograde claim --help` shows some");
    }
    let about_plans =
        arguments.all || arguments.assume || arguments.explain || arguments.plan.is_some();
    if about_plans && arguments.method != Method::Exact {
        bail!("--all, --assume, --explain and --plan need --method exact");
    }
    if let Err(error) = option_if_any::<Condition>("--if", arguments.condition.as_ref()) {
        return refused(error);
    }
    let open = |directory| arguments.db_memory.open(directory);
    let database = arguments.db.as_deref().map(open).transpose()?.map(Arc::new);
    let options = Options {
        memory: arguments.memory.addressable(),
        limit: arguments.limit,
        cancel: Some(Arc::clone(interrupt::flag())),
        endgames: database
            .as_ref()
            .map(|database| Arc::clone(database) as Arc<dyn Endgames>),
    };
    let outcome = match &arguments.check {
        Some(file) => {
            let read = |text: &str| arguments.knowledge(text);
            compare::run(read, options, &Source::new(file))?
        }
        None => arguments.answers(&options)?,
    };
    if let Some(database) = database {
        arguments.db_memory.report(&database);
    }
    Ok(outcome)
}

impl ClaimArguments {
    /// Answers the questions, each as it was asked.
    fn answers(&self, options: &Options) -> anyhow::Result<Outcome> {
        let seen = Seen::default();
        let questions = Questions::lines(&self.question, self.threads.count(), self.json, 1);
        let outcome = questions.run(
            || Claims::new(options.clone()),
            |claims, question| self.answer(claims, question.text, &seen),
        )?;
        Ok(match outcome {
            Outcome::Done if seen.unknown.into_inner() => Outcome::Unknown,
            Outcome::Done if seen.not_sure.into_inner() => Outcome::NotSure,
            outcome => outcome,
        })
    }

    fn knowledge(&self, text: &str) -> Result<Knowledge, QuestionError> {
        let question: Question = text.parse()?;
        let condition = self.condition.as_deref().map(str::parse).transpose()?;
        question.knowledge(self.by, condition.as_ref())
    }

    fn answer(&self, claims: &mut Claims, text: &str, seen: &Seen) -> Result<String, NoAnswer> {
        let knowledge = self.knowledge(text)?;
        let left = knowledge.tricks_left();
        let target = match self.tricks {
            None => None,
            Some(Tricks::All) => Some(left as u8),
            Some(Tricks::These(tricks)) if usize::from(tricks) > left => {
                let error = format!("{tricks} tricks are claimed, but only {left} are left");
                return Err(NoAnswer::Refused(error));
            }
            Some(Tricks::These(tricks)) => Some(tricks),
        };
        let answer = self.find(claims, &knowledge, target)?;
        match answer.verdict {
            Some(true) => {}
            Some(false) => seen.not_sure.store(true, Ordering::Relaxed),
            None => seen.unknown.store(true, Ordering::Relaxed),
        }
        if self.explain || self.plan.is_some() {
            let tricks = target.or(answer.sure).unwrap_or(0);
            let proof = self.proof(claims, &knowledge, text, tricks)?;
            return Ok(proof + &answer.assumptions_in_words());
        }
        Ok(match self.json {
            true => answer.json(text, &knowledge).to_string(),
            false => answer.text(text),
        })
    }

    /// A plan or a core, as it was asked for.
    fn proof(
        &self,
        claims: &mut Claims,
        knowledge: &Knowledge,
        text: &str,
        tricks: u8,
    ) -> Result<String, NoAnswer> {
        let verdict = known(claims.decide(knowledge, tricks))?;
        let form = self.plan.unwrap_or(PlanForm::Text);
        Ok(match verdict {
            Some(Verdict::Sure(plan)) => match form {
                PlanForm::Text => {
                    let words = in_words(knowledge, &plan);
                    format!("{text}\t{tricks} sure\n{words}")
                }
                PlanForm::Dot => in_dot(&plan),
                PlanForm::Json => proof::plan_json(&plan).to_string(),
            },
            Some(Verdict::Refuted(Some(core))) => match form {
                PlanForm::Json => proof::core_json(&core).to_string(),
                PlanForm::Text | PlanForm::Dot => {
                    let words = core_in_words(knowledge, &core);
                    format!("{text}\t{tricks} not sure\n{words}")
                }
            },
            Some(Verdict::Refuted(None)) => {
                format!("{text}\t{tricks} not sure\nNo few layouts were found that show it.")
            }
            Some(Verdict::Unknown) | None => format!("{text}\tunknown"),
        })
    }

    fn find(
        &self,
        claims: &mut Claims,
        knowledge: &Knowledge,
        target: Option<u8>,
    ) -> Result<Answer, NoAnswer> {
        match self.method {
            Method::Exact => {}
            Method::Ordered => return Ok(Answer::by_order(knowledge, target)),
        }
        let mut answer = Answer {
            target,
            ..Answer::default()
        };
        if let Some(target) = target {
            answer.verdict = known(claims.is_sure(knowledge, target))?;
        }
        if target.is_none() || self.json {
            answer.sure = known(claims.sure(knowledge))?;
        }
        if target.is_none() && answer.sure.is_some() {
            answer.verdict = Some(true);
        }
        if self.assume {
            let target = target.unwrap_or(knowledge.tricks_left() as u8);
            answer.assumptions = known(claims.weakest(knowledge, target))?;
        }
        if self.all || self.json {
            answer.cards = known(claims.cards(knowledge))?;
        }
        Ok(answer)
    }
}

/// The answer, or nothing where the limit was reached.
fn known<T>(answer: Result<T, ClaimError>) -> Result<Option<T>, NoAnswer> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ClaimError::LimitReached { .. }) => Ok(None),
        Err(ClaimError::Cancelled) => Err(NoAnswer::Interrupted),
        Err(error) => Err(NoAnswer::refused(&error)),
    }
}
