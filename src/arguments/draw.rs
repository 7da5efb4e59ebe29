//! The arguments of layouts that are drawn.

use clap::Args;
use setrograde::Ask;
use std::ffi::OsString;

use super::condition::ConditionArgument;
use super::database::DatabaseArgument;
use super::numbers::whole;
use super::shared::AnswerArguments;
use crate::Outcome;

/// `--draw`, `--until` and `--seed`.
#[derive(Args)]
pub struct DrawArguments {
    /// Draw N layouts. [default: 1000 (50 for a lesson), or as many as --until takes]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    pub draw: Option<u32>,
    /// Stop drawing once every chance is known to within this share, such as 1% or 0.01.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub until: Option<f64>,
    /// Seed of the layouts that are drawn.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = whole::<u64>(..))]
    pub seed: u64,
}

/// A share of 1, or per cent with their sign. The half-width of a chance is below one half, so a
/// number without a sign that means per cent is refused.
fn share(text: &str) -> Result<f64, &'static str> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim_end().parse::<f64>().map(|of| of / 100.0),
        None => text.parse(),
    };
    let share = share.ok().filter(|&share| share > 0.0 && share < 0.5);
    share.ok_or("expected a share below one half, as 1% or 0.01")
}

/// The arguments of commands that draw layouts of whole deals, before the lead.
#[derive(Args)]
pub struct BeforeLeadArguments {
    #[command(flatten)]
    pub db: DatabaseArgument,
    #[command(flatten)]
    pub condition: ConditionArgument,
    #[command(flatten)]
    pub draw: DrawArguments,
    #[command(flatten)]
    pub answers: AnswerArguments,
}

impl BeforeLeadArguments {
    /// Answers a question about each of the hands.
    pub fn run<A: Ask + Sync>(&self, ask: &A, hands: &[OsString]) -> anyhow::Result<Outcome> {
        let questions = self.answers.questions(hands, 1, false);
        questions.ask(ask, || self.db.desk())
    }
}
