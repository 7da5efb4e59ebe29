//! `setrograde layouts`: how the hidden cards can lie, and how likely that is.

use clap::{Args, value_parser};
use setrograde_beliefs::Beliefs;
use setrograde_cards::{Card, Seat};
use setrograde_games::{Game, View};
use setrograde_single_dummy::drawn;

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::shared::{AnswerArguments, RulesArgument};
use crate::json::{HiddenCard, LayoutsAnswer, Whole};
use crate::output::chances::all_layouts;
use crate::output::view::marginals;
use crate::questions::{Answer, NoAnswer};

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
    let questions = arguments.answers.questions(&arguments.question, 16, None);
    questions.run(|| (), |(), question| arguments.answer(question.text))
}

impl LayoutsArguments {
    fn answer(&self, text: &str) -> Result<Answer, NoAnswer> {
        match self.game {
            Rules::Bridge => self.describe(text, &View::of_bridge(&self.condition.ask(text)?)?),
            Rules::Jass => self.describe(text, &View::of_jass(&self.condition.ask(text)?)?),
        }
    }

    fn describe<G: Game>(&self, text: &str, view: &View<G>) -> Result<Answer, NoAnswer> {
        let beliefs = view.beliefs(&self.rules.strengths::<G>())?;
        // The same that `odds` draws.
        let samples = (0..self.draw).map(|number| drawn(&beliefs, self.seed, number.into()));
        let samples: Vec<String> = samples.map(|layout| deal(view, &layout)).collect();
        if self.answers.json {
            return Ok(Answer::json(LayoutsAnswer {
                question: text,
                layouts: Whole(beliefs.count()),
                cards: hidden_cards(&beliefs),
                samples,
            }));
        }
        let all = all_layouts(&beliefs);
        let mut answer = format!("{text}\t{all}\n{}\n", marginals(&beliefs));
        for sample in samples {
            answer += &sample;
            answer.push('\n');
        }
        Ok(Answer::Text(answer))
    }
}

/// The cards that the seats hold now, with a layout of the hidden ones.
fn deal<G: Game>(view: &View<G>, layout: &setrograde_beliefs::Layout) -> String {
    let [n, e, s, w] = *view.state(layout).hands();
    format!("N:{n} {e} {s} {w}")
}

fn hidden_cards(beliefs: &Beliefs) -> Vec<HiddenCard> {
    let marginals = beliefs.marginals();
    let hidden_card = |card: Card| {
        let seats = Seat::ALL.into_iter();
        let hidden = seats.filter(|seat| beliefs.sizes()[seat.index()] > 0);
        HiddenCard {
            card,
            chances: hidden
                .map(|seat| (seat, marginals.probability(seat, card)))
                .collect(),
        }
    };
    beliefs.unseen().iter().map(hidden_card).collect()
}
