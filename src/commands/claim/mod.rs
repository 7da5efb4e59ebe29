//! `setrograde claim`: how many tricks are sure, whatever the unseen cards.

mod contested;
mod proof;

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use setrograde_cards::Seat;
use setrograde_claim::{
    Assumption, CardSure, ClaimError, Claims, Knowledge, Options, Verdict, core_in_words, in_dot,
    in_words, ordered,
};
use setrograde_records::Board;
use setrograde_review::{JudgedClaim, claim_line, claimed, no_claim};
use setrograde_solver::Endgames;

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::arguments::size::Size;
use crate::interrupt;
use crate::json::{AssumptionShare, ClaimAnswer, ClaimOfBoard, NoClaim, verdict, versioned};
use crate::questions::sources::Source;
use crate::questions::{Answer as Reply, NoAnswer, Question, Questions};

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
    /// exact: whether one plan takes the tricks; ordered: whether a fixed order
    /// wins them one after the other.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    method: Method,
    /// Say in words how the tricks are made, or what refutes them.
    #[arg(long, conflicts_with_all = ["all", "json", "plan"])]
    explain: bool,
    /// Print the same as data: for `claim check`, or as a graph for Graphviz.
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    Exact,
    Ordered,
}

#[derive(Clone, Copy, ValueEnum)]
enum PlanForm {
    Json,
    Dot,
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

/// What was seen so far, for the exit status.
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
    let about_plans =
        arguments.all || arguments.assume || arguments.explain || arguments.plan.is_some();
    if about_plans && arguments.method != Method::Exact {
        bail!("--all, --assume, --explain and --plan need --method exact");
    }
    arguments.condition.read()?;
    let database = arguments.db.open()?;
    let options = Options {
        memory: arguments.cache.addressable(),
        // A hopeless claim of a record may take long to refute.
        limit: match Source::all(&arguments.question) {
            Some(_) => arguments.limit.or(Some(BOARD_LIMIT)),
            None => arguments.limit,
        },
        cancel: Some(Arc::clone(interrupt::flag())),
        endgames: database.map(|database| database as Arc<dyn Endgames>),
    };
    arguments.answers(&options)
}

impl ClaimArguments {
    /// Answers the questions, each as it was asked.
    fn answers(&self, options: &Options) -> anyhow::Result<Outcome> {
        let seen = Seen::default();
        let questions = Questions {
            wanted: self.board.numbers(),
            ..self.answers.questions(&self.question, 1, Some(claim_line))
        };
        let outcome = questions.run(
            || Claims::new(options.clone()),
            |claims, question| match question.board {
                None => self.answer(claims, question.text, &seen),
                Some(board) => self.judge(claims, board, question, &seen),
            },
        )?;
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
        question: &Question<'_>,
        seen: &Seen,
    ) -> Result<Reply, NoAnswer> {
        let judged = match claimed(board) {
            Some(_) => {
                let knowledge = self.condition.knowledge(None, question.text)?;
                JudgedClaim::new(claims, board, &knowledge)?
            }
            None => None,
        };
        let Some(judged) = judged else {
            let why = no_claim(board);
            return Ok(match self.answers.json {
                true => Reply::json(NoClaim {
                    question: question.text,
                    claimed: None,
                    why: [why],
                }),
                false => Reply::Text(question.told(format_args!("{why}\n"))),
            });
        };
        seen.note(judged.sure);
        Ok(match self.answers.json {
            true => Reply::json(ClaimOfBoard::new(question.text, &judged)),
            false => Reply::Text(question.told_below(&judged.in_words())),
        })
    }

    fn answer(&self, claims: &mut Claims, text: &str, seen: &Seen) -> Result<Reply, NoAnswer> {
        let knowledge = self.condition.knowledge(self.by, text)?;
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
        if self.explains() {
            let (proof, verdict) = match target.or(answer.sure) {
                Some(tricks) => self.proof(claims, &knowledge, text, tricks)?,
                None => (format!("{text}\tunknown"), None),
            };
            seen.note(verdict);
            return Ok(Reply::Text(proof + &answer.assumptions_in_words()));
        }
        seen.note(answer.verdict);
        Ok(match self.answers.json {
            true => answer.json(text, &knowledge),
            false => Reply::Text(answer.text(text)),
        })
    }

    /// Whether the answer is a plan or a core.
    fn explains(&self) -> bool {
        self.explain || self.plan.is_some()
    }

    /// A plan or a core, in words or in the form that was asked for; and whether the tricks are
    /// sure.
    fn proof(
        &self,
        claims: &mut Claims,
        knowledge: &Knowledge,
        text: &str,
        tricks: u8,
    ) -> Result<(String, Option<bool>), NoAnswer> {
        let verdict = known(claims.decide(knowledge, tricks))?;
        Ok(match verdict {
            Some(Verdict::Sure(plan)) => {
                let shown = match self.plan {
                    Some(PlanForm::Json) => versioned(&plan).to_string(),
                    Some(PlanForm::Dot) => in_dot(&plan),
                    None => {
                        let words = in_words(knowledge, &plan);
                        format!("{text}\t{tricks} sure\n{words}")
                    }
                };
                (shown, Some(true))
            }
            Some(Verdict::Refuted(core)) => {
                let shown = match (core, self.plan) {
                    (Some(core), Some(PlanForm::Json)) => versioned(&core).to_string(),
                    (Some(core), _) => {
                        let words = core_in_words(knowledge, &core);
                        format!("{text}\t{tricks} not sure\n{words}")
                    }
                    (None, _) => format!(
                        "{text}\t{tricks} not sure\n\
                         No small set of layouts that shows this was found."
                    ),
                };
                (shown, Some(false))
            }
            Some(Verdict::Unknown) | None => (format!("{text}\tunknown"), None),
        })
    }

    fn find(
        &self,
        claims: &mut Claims,
        knowledge: &Knowledge,
        target: Option<u8>,
    ) -> Result<Findings, NoAnswer> {
        match self.method {
            Method::Exact => {}
            Method::Ordered => return Ok(Findings::by_order(knowledge, target)),
        }
        let mut answer = Findings {
            target,
            ..Findings::default()
        };
        if self.all || self.answers.json {
            answer.cards = known(claims.cards(knowledge))?;
        }
        // What each card makes sure says what is sure.
        if let Some(cards) = &answer.cards {
            let each = cards.iter().map(|of| of.sure);
            let sure = match knowledge.plays_for(knowledge.to_play()) {
                true => each.max(),
                false => each.min(),
            };
            answer.sure = sure.filter(|_| target.is_none() || self.answers.json);
            answer.verdict = sure.map(|sure| target.is_none_or(|target| sure >= target));
        } else {
            // A proof says it too.
            if let Some(target) = target.filter(|_| !self.explains()) {
                answer.verdict = known(claims.is_sure(knowledge, target))?;
            }
            if target.is_none() || self.answers.json {
                answer.sure = known(claims.sure(knowledge))?;
            }
            if target.is_none() && answer.sure.is_some() {
                answer.verdict = Some(true);
            }
        }
        if self.assume {
            let target = target.unwrap_or(knowledge.tricks_left() as u8);
            answer.assumptions = known(claims.weakest(knowledge, target))?;
        }
        Ok(answer)
    }
}

/// The answer, or nothing where the limit was reached.
fn known<T>(answer: Result<T, ClaimError>) -> Result<Option<T>, NoAnswer> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ClaimError::LimitReached { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The findings about one question.
#[derive(Default)]
struct Findings {
    /// The number of tricks asked for; `None` if the question is how many are sure.
    target: Option<u8>,
    /// The number of tricks that are sure; `None` if unknown or not asked.
    sure: Option<u8>,
    /// Whether the tricks that were asked for are sure; `None` if unknown.
    verdict: Option<bool>,
    cards: Option<Vec<CardSure>>,
    assumptions: Option<Vec<Assumption>>,
}

impl Findings {
    /// The number of tricks that a fixed order wins.
    fn by_order(knowledge: &Knowledge, target: Option<u8>) -> Findings {
        let order = ordered(knowledge);
        Findings {
            target,
            sure: Some(order.len() as u8),
            verdict: Some(target.is_none_or(|target| order.len() >= usize::from(target))),
            ..Findings::default()
        }
    }

    /// The answer to the question `text`, a line or more.
    fn text(&self, text: &str) -> String {
        let mut shown = match (&self.cards, self.sure) {
            (Some(cards), _) => {
                let cards = cards.iter().map(|of| format!("{}={}", of.card, of.sure));
                cards.collect::<Vec<_>>().join(" ")
            }
            (None, Some(sure)) if self.target.is_none() => sure.to_string(),
            (None, _) => verdict(self.verdict).to_owned(),
        };
        for of in self.assumptions.iter().flatten() {
            let (condition, share) = (&of.condition, 100.0 * of.share());
            let (layouts, all) = (of.layouts, of.of);
            shown += &format!("\n  {condition}\t{layouts}/{all}\t{share:.2} %");
        }
        format!("{text}\t{shown}")
    }

    /// The assumptions, a sentence each.
    fn assumptions_in_words(&self) -> String {
        let assumptions = self.assumptions.iter().flatten();
        let sentences = assumptions.map(|of| {
            let (condition, share) = (&of.condition, 100.0 * of.share());
            let (layouts, all) = (of.layouts, of.of);
            format!("Sure with {condition}: {layouts} of {all} layouts, {share:.2} %.\n")
        });
        sentences.collect()
    }

    /// The answer to the question `text`, as an object.
    fn json(&self, text: &str, knowledge: &Knowledge) -> Reply {
        let assume = self.assumptions.as_ref();
        Reply::json(ClaimAnswer {
            question: text,
            claimer: knowledge.claimer(),
            tricks_left: knowledge.tricks_left(),
            layouts: knowledge.layouts(),
            sure: self.sure,
            claimed: self.target.or(self.sure),
            verdict: verdict(self.verdict),
            cards: self.cards.as_deref().unwrap_or_default(),
            assume: assume.map(|list| list.iter().map(AssumptionShare::from).collect()),
        })
    }
}
