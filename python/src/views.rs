//! A board as one seat sees it, and the layouts of its hidden cards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use setrograde_beliefs::{
    Beliefs, Game, Jass, Layout, Marginals, Mode, Question, QuestionError, Strengths,
    View as GameView, Whist,
};
use setrograde_cards::{Card, Seat};
use setrograde_parallel::Stop;
use setrograde_play::Bridge;
use setrograde_play::players::view_json;

use crate::input::{parse, value_error};
use crate::parallel::watched;

/// A view of any of the games.
#[derive(Clone)]
pub enum AnyView {
    Whist(GameView<Whist>),
    Bridge(GameView<Bridge>),
    Jass(GameView<Jass>),
}

/// A game whose views Python can hold.
pub trait Playable: Game {
    /// The view as one of any game.
    fn any(view: GameView<Self>) -> AnyView;
}

macro_rules! playable {
    ($($game:ident),*) => {
        $(impl Playable for $game {
            fn any(view: GameView<$game>) -> AnyView {
                AnyView::$game(view)
            }
        })*
    };
}
playable!(Whist, Bridge, Jass);

/// Does the same with a view of any game.
macro_rules! with_view {
    ($any:expr, $view:ident => $work:expr) => {
        match $any {
            $crate::views::AnyView::Whist($view) => $work,
            $crate::views::AnyView::Bridge($view) => $work,
            $crate::views::AnyView::Jass($view) => $work,
        }
    };
}
pub(crate) use with_view;

/// Reads a view of the play of bridge.
pub fn read_bridge(question: &str) -> PyResult<GameView<Whist>> {
    let read = question.trim().parse::<Question>();
    read.and_then(|question| GameView::of_bridge(&question))
        .map_err(wrong)
}

fn wrong(error: QuestionError) -> PyErr {
    value_error(format_args!("question: {error}"))
}

/// A board as one seat sees it.
#[pyclass(frozen, module = "setrograde._native")]
pub struct View {
    pub view: AnyView,
}

#[pymethods]
impl View {
    /// A view as text: `STRAIN LEADER DEAL`, with `?` for hidden hands, and the
    /// cards played.
    #[new]
    fn new(question: &str, game: &str) -> PyResult<View> {
        let view = match game {
            "bridge" => AnyView::Whist(read_bridge(question)?),
            "jass" => {
                let read = question.trim().parse::<Question<Mode>>();
                let view = read.and_then(|question| GameView::of_jass(&question));
                AnyView::Jass(view.map_err(wrong)?)
            }
            _ => {
                return Err(value_error(format_args!(
                    "game: {game:?} is none of 'bridge', 'jass'"
                )));
            }
        };
        Ok(View { view })
    }

    /// The seen cards, as JSON.
    fn seen(&self) -> String {
        with_view!(&self.view, view => view_json(view)).to_string()
    }

    /// The layouts of the hidden cards.
    fn layouts(&self, py: Python<'_>) -> PyResult<Layouts> {
        let cancel = Arc::new(AtomicBool::new(false));
        let stop = Stop::from(cancel.clone());
        let found = watched(py, &cancel, || {
            let facts = with_view!(&self.view, view => view.facts(&Strengths::NONE))?;
            Beliefs::until(&facts, &stop)
        })?;
        Ok(Layouts {
            beliefs: found.map_err(value_error)?,
            view: self.view.clone(),
        })
    }
}

/// The layouts of the hidden cards.
#[pyclass(frozen, module = "setrograde._native")]
pub struct Layouts {
    beliefs: Beliefs,
    view: AnyView,
}

#[pymethods]
impl Layouts {
    /// The number of layouts.
    fn count(&self) -> u128 {
        self.beliefs.count()
    }

    /// The probability of each hidden card with each seat that holds hidden
    /// ones.
    fn marginals(&self, py: Python<'_>) -> PyResult<BTreeMap<String, BTreeMap<String, f64>>> {
        let marginals = self.shares(py)?;
        let sizes = self.beliefs.sizes();
        let of_card = |card: Card| {
            let hidden = Seat::ALL.into_iter().filter(|seat| sizes[seat.index()] > 0);
            let chances = hidden.map(|seat| (seat.to_string(), marginals.probability(seat, card)));
            (card.to_string(), chances.collect())
        };
        Ok(self.beliefs.unseen().iter().map(of_card).collect())
    }

    /// The probability of one card with one seat.
    fn probability(&self, py: Python<'_>, seat: &str, card: &str) -> PyResult<f64> {
        let seat: Seat = parse("seat", seat)?;
        let card: Card = parse("card", card)?;
        if !self.beliefs.unseen().contains(card) {
            return Err(value_error(format_args!("card: {card} is not hidden")));
        }
        Ok(self.shares(py)?.probability(seat, card))
    }

    /// Deals drawn with the right probability; `spread` draws them from equal
    /// parts of all.
    fn sample(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        spread: bool,
    ) -> PyResult<Vec<String>> {
        let cancel = Arc::new(AtomicBool::new(false));
        let stop = Stop::from(cancel.clone());
        watched(py, &cancel, || {
            let mut rng = Rng::with_seed(seed);
            // Layouts drawn after an interrupt are discarded.
            let numbers = (0..count).take_while(|_| !stop.is_due());
            let drawn = numbers.map(|number| {
                let layout = if spread {
                    self.beliefs.stratum(number, count, &mut rng, &stop)
                } else {
                    self.beliefs.sample_until(&mut rng, &stop)
                };
                Ok(self.deal(&layout.map_err(value_error)?))
            });
            drawn.collect()
        })?
    }

    /// The deal of the layout with this number, from 0.
    fn layout(&self, number: u128) -> PyResult<String> {
        match self.beliefs.layout(number) {
            Some(layout) => Ok(self.deal(&layout)),
            None => Err(PyIndexError::new_err("there are not that many layouts")),
        }
    }
}

impl Layouts {
    fn shares(&self, py: Python<'_>) -> PyResult<Marginals> {
        let cancel = Arc::new(AtomicBool::new(false));
        let stop = Stop::from(cancel.clone());
        let shares = watched(py, &cancel, || self.beliefs.marginals_until(&stop))?;
        shares.map_err(value_error)
    }

    fn deal(&self, layout: &Layout) -> String {
        let [n, e, s, w] = with_view!(&self.view, view => *view.state(layout).hands());
        format!("N:{n} {e} {s} {w}")
    }
}
