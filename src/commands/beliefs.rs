//! `setrograde beliefs`: how the hidden cards can lie, and how likely that is.

use clap::{Args, value_parser};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use setrograde_beliefs::{Beliefs, SeatLimits};
use setrograde_cards::{Card, Seat};
use setrograde_games::{Game, Jass, Mode, Strengths, View};

use crate::Outcome;
use crate::arguments::threads::ThreadsArgument;
use crate::output::view::marginals;
use crate::questions::{NoAnswer, Questions};

const EXAMPLES: &str = "\
A view is STRAIN LEADER DEAL with `?` for hidden hands, all as they were dealt;
LEADER led to the first trick. After it come, as far as needed, `out=` with the
cards of the hidden hands together (without it, the rest of the pack) and the
cards played since. What the plays show follows from the rules.

Examples:
  setrograde beliefs 'NT W N:AQ4... ? 532... ? out=KJT987... SK'
  setrograde beliefs --limits E:S3-,9-12hcp --samples 5 'S N N:AKQ2.K43.QJ5.T98 ? ? ?'
  setrograde beliefs --game jass 'H N N:AKQ.AKQ.AKQ. ? ? ? SA H6'
  setrograde beliefs --json - < views.txt";

/// Count the layouts of hidden hands, and say how likely each card is where.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BeliefsArguments {
    /// The rules that the play follows.
    #[arg(long, value_enum, default_value_t = Rules::Bridge)]
    game: Rules,
    /// What is known of a hand as it was dealt, as E:S5-8,11-15hcp; may be repeated.
    #[arg(long, value_name = "LIMITS")]
    limits: Vec<SeatLimits>,
    /// Layouts to draw, at most a million.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u32).range(..=1_000_000))]
    samples: u32,
    /// Random seed of the drawn layouts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// The view, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "VIEW")]
    view: Vec<String>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Rules {
    /// Suit must be followed.
    Bridge,
    /// Schieber jass; trump is one of D H S C, O (Obe-Abe) or U (Une-Ufe).
    Jass,
}

pub fn run(arguments: &BeliefsArguments) -> anyhow::Result<Outcome> {
    let questions = Questions::lines(
        &arguments.view,
        arguments.threads.count(),
        arguments.json,
        16,
    );
    questions.run(|| (), |(), question| arguments.answer(question.text))
}

impl BeliefsArguments {
    fn answer(&self, text: &str) -> Result<String, NoAnswer> {
        match self.game {
            Rules::Bridge => self.describe(
                text,
                &View::read_bridge(text, SeatLimits::by_seat(&self.limits))?,
            ),
            Rules::Jass => {
                let view = View::read(text, SeatLimits::by_seat(&self.limits), |mode, leader| {
                    let mode = mode.parse::<Mode>();
                    mode.map(|mode| Jass::new(mode, leader, 9))
                });
                self.describe(text, &view?)
            }
        }
    }

    fn describe<G: Game>(&self, text: &str, view: &View<G>) -> Result<String, NoAnswer> {
        let beliefs = view
            .beliefs(&Strengths::NONE)
            .map_err(|error| NoAnswer::Refused(error.to_string()))?;
        let mut rng = Rng::with_seed(self.seed);
        let samples = (0..self.samples).map(|_| beliefs.sample(&mut rng));
        let samples: Vec<String> = samples.map(|layout| deal(view, &layout)).collect();
        if self.json {
            return Ok(json!({
                "question": text,
                "layouts": beliefs.count().to_string(),
                "marginals": json_marginals(&beliefs),
                "samples": samples,
            })
            .to_string());
        }
        let mut answer = format!("{text}\t{}\n{}\n", beliefs.count(), marginals(&beliefs));
        for sample in samples {
            answer += &sample;
            answer.push('\n');
        }
        Ok(answer)
    }
}

/// The cards that the seats hold now, with a layout of the hidden ones.
fn deal<G: Game>(view: &View<G>, layout: &setrograde_beliefs::Layout) -> String {
    let [n, e, s, w] = *view.state(layout).hands();
    format!("N:{n} {e} {s} {w}")
}

fn json_marginals(beliefs: &Beliefs) -> Value {
    let marginals = beliefs.marginals();
    let of_card = |card: Card| {
        let seats = Seat::ALL.into_iter();
        let hidden = seats.filter(|seat| beliefs.sizes()[seat.index()] > 0);
        let chances: Map<String, Value> = hidden
            .map(|seat| (seat.to_string(), json!(marginals.probability(seat, card))))
            .collect();
        (card.to_string(), Value::Object(chances))
    };
    let cards: Map<String, Value> = beliefs.unseen().iter().map(of_card).collect();
    Value::Object(cards)
}
