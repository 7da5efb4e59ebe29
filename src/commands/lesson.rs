//! `setrograde lesson`: the questions that a teacher asks about deals.

use clap::Args;
use setrograde::Lessons;
use setrograde_cards::Deal;

use crate::Outcome;
use crate::arguments::draw::DrawArguments;
use crate::arguments::solver::SolverArguments;
use crate::questions::Question;
use crate::session::Session;

/// Ask about deals what a teacher asks: what is sure, the best line's chance, where double dummy misleads.
#[derive(Args)]
#[command(after_help = include_str!("../help/lesson.txt"))]
pub struct LessonArguments {
    /// Most search nodes for each question of what is sure; beyond, the answer has bounds.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    limit: u64,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    solver: SolverArguments,
    /// Files of boards, or of deals in PBN, one a line; or a deal. `-` is standard input.
    #[arg(required = true, value_name = "DEALS")]
    deals: Vec<String>,
}

/// The layouts that are drawn unless `--draw` or `--until` says otherwise.
const LAYOUTS: usize = 50;

pub fn run(arguments: &LessonArguments, session: &Session) -> anyhow::Result<Outcome> {
    let questions = arguments.solver.questions(session, &arguments.deals);
    let mut sampling = arguments.draw.sampling(questions.threads_for_each(), false);
    if !arguments.draw.is_wanted() {
        sampling.layouts = LAYOUTS;
    }
    arguments.solver.with_options(session, |options| {
        let start = || Lessons::new(options.clone(), arguments.limit, sampling);
        questions.run(start, |lessons, question: &Question<'_, Deal>| {
            Ok(lessons.lesson(question.ask, question.board)?)
        })
    })
}
