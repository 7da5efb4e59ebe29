//! The arguments of layouts that are drawn.

use std::sync::Arc;

use clap::{Args, value_parser};
use setrograde::{Ask, Report};
use setrograde_beliefs::{Beliefs, Question};
use setrograde_games::{BridgeView, Strengths};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Sampling, SearchError};
use setrograde_solver::{Endgames, Options};

use super::condition::ConditionArgument;
use super::database::DatabaseArgument;
use super::shared::AnswerArguments;
use crate::questions::NoAnswer;
use crate::session::Session;
use crate::{Outcome, questions};

/// `--draw`, `--until` and `--seed`.
#[derive(Args)]
pub struct DrawArguments {
    /// Draw N layouts. [default: 1000, or as many as --until takes]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    draw: Option<u32>,
    /// Stop drawing once every chance is known to within this many per cent.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    until: Option<f64>,
    /// Seed of the layouts that are drawn.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches('%').trim_end().parse::<f64>();
    let number = number
        .ok()
        .filter(|&number| number > 0.0 && number <= 100.0);
    number
        .map(|number| number / 100.0)
        .ok_or("expected per cent, as 1%")
}

impl DrawArguments {
    /// Returns true if layouts are to be drawn, even where they could be counted.
    pub fn is_wanted(&self) -> bool {
        self.draw.is_some() || self.until.is_some()
    }

    /// The sample, by so many threads.
    pub fn sampling(&self, threads: usize, by_card: bool) -> Sampling {
        let usual = if self.until.is_some() {
            1_000_000
        } else {
            1000
        };
        Sampling {
            layouts: self.draw.unwrap_or(usual) as usize,
            until: self.until,
            seed: self.seed,
            threads,
            by_card,
        }
    }
}

/// Options of a solver of layouts, which uses this database if there is one.
pub fn solver(database: Option<&Arc<Database>>, session: &Session) -> Options {
    Options {
        endgames: database.map(|database| Arc::clone(database) as Arc<dyn Endgames>),
        stop: session.stop().clone(),
        ..Options::default()
    }
}

/// The arguments of commands that draw layouts of whole deals, before the lead.
#[derive(Args)]
pub struct BeforeLeadArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    answers: AnswerArguments,
}

/// The view of a question and its layouts, and the way to draw and solve them.
pub struct Drawing<'a> {
    pub view: BridgeView,
    pub beliefs: Beliefs,
    pub sampling: Sampling,
    pub solver: &'a Options,
}

impl BeforeLeadArguments {
    /// Answers questions, each of which `question` makes of an `Ask`.
    pub fn run<A: Ask<Error: Into<NoAnswer>>, R: Report>(
        &self,
        asked: &[String],
        question: impl Fn(&A) -> Question + Sync,
        answer: impl Fn(Drawing<'_>) -> Result<R, SearchError> + Sync,
    ) -> anyhow::Result<Outcome> {
        self.condition.read()?;
        let session = Session::terminal();
        let solver = solver(self.db.open(session)?.as_ref(), session);
        let questions = self.answers.questions(asked, 1, false);
        let sampling = self.draw.sampling(questions.threads_for_each(), true);
        questions.run(
            || (),
            |(), ask: &questions::Question<'_, A>| {
                let view = BridgeView::of_bridge(&self.condition.ask(&question(ask.ask))?)?;
                let beliefs = view.beliefs(&Strengths::NONE)?;
                Ok(answer(Drawing {
                    view,
                    beliefs,
                    sampling,
                    solver: &solver,
                })?)
            },
        )
    }
}
