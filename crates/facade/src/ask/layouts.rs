//! The layouts of hidden hands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{
    Beliefs, BridgeView, Game, Jass, Layout, Marginals, Mode, Question, QuestionError, Trump, View,
    Whist,
};
use setrograde_cards::{Card, LargeCount, Seat, Strain};
use setrograde_single_dummy::{Sampling, drawn};

use super::options::{Conditions, Rules, seed};
use crate::desk::unless_stopped;
use crate::words::about;
use crate::{Ask, Board, Desk, Example, HiddenHands, JassHands, Refusal, Report, Words, marginals};

/// The rules that a play with hidden hands follows.
trait Hiding: Game {
    /// The trump, or the contract's kind.
    type Trump: Trump + Clone;

    /// The view of a question.
    fn view(question: &Question<Self::Trump>) -> Result<View<Self>, QuestionError>;
}

/// Bridge: suit must be followed.
impl Hiding for Whist {
    type Trump = Strain;

    fn view(question: &Question) -> Result<BridgeView, QuestionError> {
        View::of_bridge(question)
    }
}

/// Schieber jass.
impl Hiding for Jass {
    type Trump = Mode;

    fn view(question: &Question<Mode>) -> Result<View<Jass>, QuestionError> {
        View::of_jass(question)
    }
}

/// The layouts of hidden hands: their number, and the chances of each card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Layouts {
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Rules of thumb about the played cards, which weight the layouts.
    #[serde(default)]
    pub rules: Rules,
    /// The number of layouts to draw, as `odds` draws them.
    #[serde(default)]
    pub draw: u32,
    /// The seed of the layouts.
    #[serde(default = "seed")]
    pub seed: u64,
}

/// The same at jass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JassLayouts(pub Layouts);

impl Ask for Layouts {
    const NAME: &'static str = "layouts";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9...", "draw": 2}"#,
        command: "layouts --draw 2",
    };
    type Subject = HiddenHands;
    type Answer = HiddenCards;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        HiddenHands(question): &HiddenHands,
        _: Option<&Board>,
    ) -> Result<HiddenCards, Refusal> {
        self.of_game::<Whist>(desk, question)
    }
}

impl Ask for JassLayouts {
    const NAME: &'static str = Layouts::NAME;
    const EXAMPLE: Example = Layouts::EXAMPLE;
    type Subject = JassHands;
    type Answer = HiddenCards;

    fn check(&self) -> Result<(), Refusal> {
        self.0.check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        JassHands(question): &JassHands,
        _: Option<&Board>,
    ) -> Result<HiddenCards, Refusal> {
        self.0.of_game::<Jass>(desk, question)
    }
}

impl Layouts {
    fn of_game<G: Hiding>(
        &self,
        desk: &mut Desk,
        question: &Question<G::Trump>,
    ) -> Result<HiddenCards, Refusal> {
        desk.check_length("draw", self.draw)?;
        let view = G::view(&self.conditions.of(question)?)?;
        let beliefs = desk.beliefs(&view.facts(&self.rules.strengths::<G>())?)?;
        let mut samples = Vec::new();
        let mut take = |layout: &Layout| {
            let [n, e, s, w] = *view.state(layout).hands();
            samples.push(format!("N:{n} {e} {s} {w}"));
            if desk.is_cancelled() {
                return Err(Refusal::interrupted());
            }
            Ok(())
        };
        let sampling = Sampling {
            layouts: self.draw as usize,
            until: None,
            seed: self.seed,
            threads: 1,
            by_card: false,
        };
        // Rules weight the layouts; a list of all would not show that.
        if self.rules == Rules::None && sampling.covers(&beliefs) {
            let mut all = beliefs.layouts().until(desk.stop());
            all.try_for_each(|layout| take(&layout))?;
        } else {
            for number in 0..self.draw {
                let layout = drawn(&beliefs, self.seed, number.into(), desk.stop());
                take(&layout.map_err(unless_stopped)?)?;
            }
        }
        let shares = desk.marginals(&beliefs)?;
        Ok(HiddenCards {
            layouts: LargeCount(beliefs.count()),
            exact: beliefs.is_exact(),
            cards: hidden_cards(&beliefs, &shares),
            samples,
            table: marginals(beliefs.sizes(), beliefs.unseen(), |seat, card| {
                shares.probability(seat, card)
            }),
        })
    }
}

/// The layouts of hidden hands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HiddenCards {
    /// The number of layouts.
    pub layouts: LargeCount,
    /// True if that number was counted exactly.
    #[serde(skip)]
    pub exact: bool,
    /// The hidden cards.
    pub cards: Vec<HiddenCard>,
    /// The drawn layouts, each a deal; all of them if there are no more than were to be drawn.
    pub samples: Vec<String>,
    /// The chances in words.
    #[serde(skip)]
    pub table: String,
}

/// A hidden card, with its chance in each hidden hand.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HiddenCard {
    /// The card.
    pub card: Card,
    /// The chance of each hidden hand, 0 to 1.
    pub chances: BTreeMap<Seat, f64>,
}

impl Report for HiddenCards {
    fn words(&self, to: &mut Words) {
        to.beside(about(self.layouts.0, self.exact));
        to.line(&self.table);
        self.samples.iter().for_each(|sample| to.line(sample));
    }
}

fn hidden_cards(beliefs: &Beliefs, marginals: &Marginals) -> Vec<HiddenCard> {
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
