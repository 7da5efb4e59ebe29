//! `setrograde layouts`: how the hidden cards can lie, and how likely that is.

use std::collections::BTreeMap;
use std::fmt::Display;

use clap::{Args, value_parser};
use serde::Serialize;
use setrograde::{Report, Words, about};
use setrograde_beliefs::{Beliefs, Question, QuestionError, Trump};
use setrograde_cards::{Card, Seat, Whole};
use setrograde_games::{Game, View};
use setrograde_single_dummy::drawn;

use crate::arguments::condition::ConditionArgument;
use crate::arguments::shared::{AnswerArguments, RulesArgument};
use crate::output::view::marginals;
use crate::{Outcome, questions};

/// Count the layouts of hidden hands, and say how likely each card is where.
#[derive(Args)]
#[command(after_help = include_str!("../help/layouts.txt"))]
pub struct LayoutsArguments {
    /// The rules that the play follows.
    #[arg(long, value_enum, default_value_t = Rules::Bridge)]
    game: Rules,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Layouts to draw, at most a million.
    #[arg(long, aliases = ["sample", "samples"], value_name = "N", default_value_t = 0, value_parser = value_parser!(u32).range(..=1_000_000))]
    draw: u32,
    /// Random seed of the drawn layouts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Rules {
    /// Suit must be followed.
    Bridge,
    /// Schieber jass; trump is one of D H S C, O (Obe-Abe) or U (Une-Ufe).
    Jass,
}

pub fn run(arguments: &LayoutsArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    match arguments.game {
        Rules::Bridge => arguments.answer_all(View::of_bridge),
        Rules::Jass => arguments.answer_all(View::of_jass),
    }
}

impl LayoutsArguments {
    fn answer_all<T: Trump + Clone + Display, G: Game>(
        &self,
        view: impl Fn(&Question<T>) -> Result<View<G>, QuestionError> + Sync,
    ) -> anyhow::Result<Outcome> {
        let questions = self.answers.questions(&self.question, 16, false);
        questions.run(
            || (),
            |(), question: &questions::Question<'_, Question<T>>| {
                let view = view(&self.condition.ask(question.ask)?)?;
                let beliefs = view.beliefs(&self.rules.strengths::<G>())?;
                // The same that `odds` draws.
                let samples = (0..self.draw).map(|number| {
                    let layout = drawn(&beliefs, self.seed, number.into());
                    let [n, e, s, w] = *view.state(&layout).hands();
                    format!("N:{n} {e} {s} {w}")
                });
                Ok(Layouts {
                    layouts: Whole(beliefs.count()),
                    exact: beliefs.is_exact(),
                    cards: hidden_cards(&beliefs),
                    samples: samples.collect(),
                    table: marginals(&beliefs),
                })
            },
        )
    }
}

/// The layouts of hidden hands.
#[derive(Serialize)]
struct Layouts {
    layouts: Whole,
    #[serde(skip)]
    exact: bool,
    cards: Vec<HiddenCard>,
    samples: Vec<String>,
    #[serde(skip)]
    table: String,
}

/// A hidden card, with the chances that each hidden hand holds it.
#[derive(Serialize)]
struct HiddenCard {
    card: Card,
    chances: BTreeMap<Seat, f64>,
}

impl Report for Layouts {
    fn words(&self, to: &mut Words) {
        to.beside(about(self.layouts.0, self.exact));
        to.line(&self.table);
        self.samples.iter().for_each(|sample| to.line(sample));
    }
}

fn hidden_cards(beliefs: &Beliefs) -> Vec<HiddenCard> {
    let marginals = beliefs.marginals();
    let hidden_card = |card: Card| {
        let seats = Seat::ALL.into_iter();
        let hidden = seats.filter(|&seat| beliefs.sizes()[seat] > 0);
        HiddenCard {
            card,
            chances: hidden
                .map(|seat| (seat, marginals.probability(seat, card)))
                .collect(),
        }
    };
    beliefs.unseen().iter().map(hidden_card).collect()
}
