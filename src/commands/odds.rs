//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::sync::Arc;

use clap::Args;
use setrograde_beliefs::Question;
use setrograde_games::{View, Whist};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Chances, MOST_VISITED};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::{AnswerArguments, RulesArgument};
use crate::questions::{NoAnswer, Questions};
use crate::session::Session;

/// Count double-dummy tricks over layouts of hidden hands.
#[derive(Args)]
#[command(after_help = include_str!("../help/odds.txt"))]
pub struct OddsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Also show the odds of every card that may be played, for its own side.
    #[arg(long, alias = "cards")]
    all: bool,
    /// Also show the odds for every split of each suit.
    #[arg(long)]
    by_split: bool,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &OddsArguments, session: &Session) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let database = arguments.db.open(session)?;
    let questions = Questions {
        session,
        ..arguments.answers.questions(&arguments.question, 4, false)
    };
    let threads = questions.threads_for_each();
    questions.run(
        || (),
        |(), question| arguments.answer(session, database.as_ref(), threads, question.ask),
    )
}

impl OddsArguments {
    fn answer(
        &self,
        session: &Session,
        database: Option<&Arc<Database>>,
        threads: usize,
        question: &Question,
    ) -> Result<Chances, NoAnswer> {
        let view = View::of_bridge(&self.condition.ask(question)?)?;
        let beliefs = view.beliefs(&self.rules.strengths::<Whist>())?;
        let each = self.all || !view.trick().is_empty();
        let many = each && beliefs.count_looked_at() > MOST_VISITED;
        let counted = database.filter(|database| {
            view.tricks_left() <= database.max_level() && !self.draw.is_wanted() && !many
        });
        if let Some(database) = counted {
            let parts = [self.all, self.by_split];
            let found = Chances::counted(&view, &beliefs, database, parts, session.stop());
            return Ok(found?);
        }
        if self.by_split {
            let problem = "--by-split is for layouts that are counted, not drawn";
            return Err(NoAnswer::refused(problem));
        }
        let sampling = self.draw.sampling(threads, self.all);
        Ok(Chances::drawn(
            &view,
            &beliefs,
            sampling,
            &solver(database, session),
        )?)
    }
}
