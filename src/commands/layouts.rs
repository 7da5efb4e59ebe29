//! `setrograde layouts`: how the hidden cards can lie, and how likely that is.

use std::ffi::OsString;

use clap::Args;
use setrograde::Ask;
use setrograde::ask::{JassLayouts, Layouts};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::desk;
use crate::arguments::numbers::whole;
use crate::arguments::shared::{AnswerArguments, RulesArgument};

/// Count the layouts of hidden hands, and say how likely each card is where.
#[derive(Args)]
#[command(after_help = include_str!("../help/layouts.txt"))]
pub struct LayoutsArguments {
    /// The rules that the play follows.
    #[arg(long, value_enum, default_value_t = GameRules::Bridge)]
    game: GameRules,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Layouts to draw, at most a million.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(..=1_000_000))]
    draw: u32,
    /// Random seed of the drawn layouts.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<OsString>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GameRules {
    /// Suit must be followed.
    Bridge,
    /// Schieber jass; trump is one of D H S C, O (Obe-Abe) or U (Une-Ufe).
    Jass,
}

pub fn run(arguments: &LayoutsArguments) -> anyhow::Result<Outcome> {
    match arguments.game {
        GameRules::Bridge => arguments.answer_all(&arguments.ask()),
        GameRules::Jass => arguments.answer_all(&JassLayouts(arguments.ask())),
    }
}

impl LayoutsArguments {
    fn ask(&self) -> Layouts {
        Layouts {
            conditions: self.condition.texts(),
            rules: self.rules.rules(),
            draw: self.draw,
            seed: self.seed,
        }
    }

    fn answer_all(&self, ask: &(impl Ask + Sync)) -> anyhow::Result<Outcome> {
        let questions = self.answers.questions(&self.question, 16, false);
        questions.ask(ask, || Ok(desk()))
    }
}
