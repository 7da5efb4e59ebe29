//! What one seat sees of a board, and how its hidden cards may lie.

use std::collections::BTreeMap;

use fastrand::Rng;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use setrograde_beliefs::{Beliefs, Layout, Limits, SeatLimits};
use setrograde_cards::{Card, Seat};
use setrograde_games::{Bridge, Game, Hearts, Jass, Mode, Strengths, View as GameView, Whist};
use setrograde_play::players::view_json;

use crate::input::{parse, value_error};

/// A view of any of the games.
#[derive(Clone)]
pub enum AnyView {
    Whist(GameView<Whist>),
    Bridge(GameView<Bridge>),
    Jass(GameView<Jass>),
    Hearts(GameView<Hearts>),
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
playable!(Whist, Bridge, Jass, Hearts);

/// Does the same with a view whatever its game.
macro_rules! with_view {
    ($any:expr, $view:ident => $work:expr) => {
        match $any {
            $crate::views::AnyView::Whist($view) => $work,
            $crate::views::AnyView::Bridge($view) => $work,
            $crate::views::AnyView::Jass($view) => $work,
            $crate::views::AnyView::Hearts($view) => $work,
        }
    };
}
pub(crate) use with_view;

/// Limits on hands, as `E:S4-13`.
pub fn limits(texts: &[String]) -> PyResult<[Limits; 4]> {
    let read = |(n, text): (usize, &String)| {
        let wrong = |error| value_error(format_args!("limits[{n}]: {error}"));
        text.parse::<SeatLimits>().map_err(wrong)
    };
    let limits: Vec<SeatLimits> = texts
        .iter()
        .enumerate()
        .map(read)
        .collect::<PyResult<_>>()?;
    Ok(SeatLimits::by_seat(&limits))
}

/// Reads a view of the play of bridge.
pub fn read_bridge(question: &str, limits: [Limits; 4]) -> PyResult<GameView<Whist>> {
    let view = GameView::read_bridge(question.trim(), limits);
    view.map_err(|error| value_error(format_args!("question: {error}")))
}

/// What one seat sees.
#[pyclass(frozen, module = "setrograde._native")]
pub struct View {
    pub view: AnyView,
}

#[pymethods]
impl View {
    /// A view as text: `STRAIN LEADER DEAL`, with `?` for hidden hands, and the
    /// cards played.
    #[new]
    fn new(question: &str, game: &str, limits: Vec<String>) -> PyResult<View> {
        let limits = self::limits(&limits)?;
        let view = match game {
            "bridge" => AnyView::Whist(read_bridge(question, limits)?),
            "jass" => {
                let view = GameView::read(question.trim(), limits, |mode, leader| {
                    mode.parse::<Mode>().map(|mode| Jass::new(mode, leader, 9))
                });
                let wrong = |error| value_error(format_args!("question: {error}"));
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

    /// What is seen, as JSON.
    fn seen(&self) -> String {
        with_view!(&self.view, view => view_json(view)).to_string()
    }

    /// How the hidden cards may lie.
    fn layouts(&self, py: Python<'_>) -> PyResult<Layouts> {
        let found = py.detach(|| with_view!(&self.view, view => view.beliefs(&Strengths::NONE)));
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
    /// How many there are.
    fn count(&self) -> u128 {
        self.beliefs.count()
    }

    /// The probability of each hidden card with each seat that holds hidden
    /// ones.
    fn marginals(&self) -> BTreeMap<String, BTreeMap<String, f64>> {
        let marginals = self.beliefs.marginals();
        let sizes = self.beliefs.sizes();
        let of_card = |card: Card| {
            let hidden = Seat::ALL.into_iter().filter(|seat| sizes[seat.index()] > 0);
            let chances = hidden.map(|seat| (seat.to_string(), marginals.probability(seat, card)));
            (card.to_string(), chances.collect())
        };
        self.beliefs.unseen().iter().map(of_card).collect()
    }

    /// The probability of one card with one seat.
    fn probability(&self, seat: &str, card: &str) -> PyResult<f64> {
        let seat: Seat = parse("seat", seat)?;
        let card: Card = parse("card", card)?;
        if !self.beliefs.unseen().contains(card) {
            return Err(value_error(format_args!("card: {card} is not hidden")));
        }
        Ok(self.beliefs.marginals().probability(seat, card))
    }

    /// Deals drawn with the right probability; `spread` draws them from equal
    /// parts of all.
    fn sample(&self, py: Python<'_>, count: usize, seed: u64, spread: bool) -> Vec<String> {
        py.detach(|| {
            let mut rng = Rng::with_seed(seed);
            let layouts = match spread {
                true => self.beliefs.stratified(count, &mut rng),
                false => (0..count).map(|_| self.beliefs.sample(&mut rng)).collect(),
            };
            layouts.iter().map(|layout| self.deal(layout)).collect()
        })
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
    fn deal(&self, layout: &Layout) -> String {
        let [n, e, s, w] = with_view!(&self.view, view => *view.state(layout).hands());
        format!("N:{n} {e} {s} {w}")
    }
}
