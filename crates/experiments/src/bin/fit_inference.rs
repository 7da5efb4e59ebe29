//! Fits how well others are taken to play, on self-play: the temperature of the
//! softmax of tricks lost double dummy, and the share of slips. On other boards
//! it prints −ln of the probability given to the true layout among those that fit
//! what was seen: samples of them, and all where there are few.
//!
//!     cargo run --release -p setrograde-experiments --bin fit_inference -- bridge pimc:10 60

use std::error::Error;

use fastrand::Rng;
use setrograde_beliefs::Layout;
use setrograde_experiments::self_play::{Fit, Sample, fit, self_play};
use setrograde_games::{Game, Strengths};
use setrograde_play::inference::{Inference, Losses, plays_of_others};
use setrograde_play::players::{Player, PlayerError, Spec};
use setrograde_play::tournament::{Boards, generator};
use setrograde_solver::{Options, Solver};

/// Layouts in a line-up; where there are no more, all of them.
const LAYOUTS: usize = 70;

fn main() -> Result<(), Box<dyn Error>> {
    fit::<Others>(79, "bridge pimc:10 60")
}

struct Others;

impl Fit for Others {
    fn run<G: Game>(
        boards: &impl Boards<G>,
        players: &mut [Box<dyn Player<G>>; 4],
        spec: &Spec,
        count: u32,
    ) -> Result<(), Box<dyn Error>> {
        let built_in = Inference::fitted(&boards.board(1)?.game);
        let tricks = built_in.tricks;
        let mut by_board = Vec::new();
        for number in 1..=count {
            let mut rng = generator(&[80, number.into()]);
            let mut line_ups = Vec::new();
            let board = boards.board(number)?;
            for sample in self_play(&board, players, 81)? {
                if sample.view.tricks_left() < tricks {
                    line_ups.extend(LineUp::new(&sample, LAYOUTS, tricks, &mut rng)?);
                }
            }
            by_board.push(line_ups);
        }
        let held_out: Vec<LineUp> = by_board.split_off(by_board.len() / 2).concat();
        let training = by_board.concat();
        let fitted = fit_to(&training, tricks).ok_or("there is nothing to fit")?;
        println!(
            "{} played by {spec}: {count} boards, {} views to fit, {} held out",
            G::NAME,
            training.len(),
            held_out.len()
        );
        println!(
            "  temperature {:.2} tricks, slips {:.3}, plays with up to {tricks} tricks left",
            fitted.temperature, fitted.slips
        );
        println!("-ln of the probability of the true layout on boards held out, in nats:");
        let (all, sampled): (Vec<LineUp>, Vec<LineUp>) =
            held_out.into_iter().partition(|of| of.layouts() < LAYOUTS);
        for (name, line_ups) in [("among samples", sampled), ("among all, few", all)] {
            let ((with, without), (built_in, _)) = (
                log_losses(&line_ups, &fitted),
                log_losses(&line_ups, &built_in),
            );
            println!(
                "  {name:14} ({} views): none {without:.4}, fitted {with:.4}, built in {built_in:.4}",
                line_ups.len()
            );
        }
        Ok(())
    }
}

/// The layouts of a sample, the true one first: what the cards that others could
/// have played would have lost in each.
#[derive(Clone, Debug)]
struct LineUp(Vec<Vec<Losses>>);

impl LineUp {
    /// The true layout and all others, if there are at most `count` in all; else
    /// `count - 1` others at random. `None` if there is no other, or the game is
    /// not played as bridge. Plays with more than `tricks` tricks left are not
    /// looked at.
    fn new<G: Game>(
        sample: &Sample<G>,
        count: usize,
        tricks: usize,
        rng: &mut Rng,
    ) -> Result<Option<LineUp>, PlayerError> {
        let Some(strain) = sample.view.game().strain() else {
            return Ok(None);
        };
        let beliefs = sample.view.beliefs(&Strengths::NONE)?;
        let mut layouts: Vec<Layout> = vec![sample.truth];
        if beliefs.count() <= count as u128 {
            layouts.extend(beliefs.layouts().filter(|layout| *layout != sample.truth));
        } else {
            layouts.extend((1..count).map(|_| beliefs.sample(rng)));
        }
        if layouts.len() < 2 {
            return Ok(None);
        }
        let losses = |layout: &Layout| {
            let options = Options {
                memory: 8 << 20,
                ..Options::default()
            };
            let mut solver = Solver::new(options);
            plays_of_others(&sample.view, layout, 0)
                .filter(|(state, _)| state.tricks_left() <= tricks)
                .map(|(state, card)| Losses::new(&mut solver, &state, strain, card))
                .collect()
        };
        let losses: Result<Vec<Vec<Losses>>, PlayerError> = layouts.iter().map(losses).collect();
        Ok(Some(LineUp(losses?)))
    }

    /// Number of layouts.
    fn layouts(&self) -> usize {
        self.0.len()
    }

    /// −ln of the probability that is given to the true layout.
    fn log_loss(&self, inference: &Inference) -> f64 {
        let log = |plays: &Vec<Losses>| -> f64 {
            let logs = plays.iter().map(|play| inference.probability(play).ln());
            logs.sum()
        };
        let logs: Vec<f64> = self.0.iter().map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
        most + sum.ln() - logs.first().copied().unwrap_or(most)
    }
}

/// The mean of the line-ups' log-losses, and of what it would be without
/// inference.
fn log_losses(line_ups: &[LineUp], inference: &Inference) -> (f64, f64) {
    let count = line_ups.len().max(1) as f64;
    let with: f64 = line_ups.iter().map(|of| of.log_loss(inference)).sum();
    let without: f64 = line_ups.iter().map(|of| (of.layouts() as f64).ln()).sum();
    (with / count, without / count)
}

/// The inference under which the true layouts are picked out best: temperatures
/// from 0.1 to 10 in steps of 10 %, slips from 0.01 to 0.5 in steps of 20 %.
/// `None` without line-ups.
fn fit_to(line_ups: &[LineUp], tricks: usize) -> Option<Inference> {
    let grid = |low: f64, high: f64, step: f64| {
        std::iter::successors(Some(low), move |at| Some(at * step)).take_while(move |at| *at < high)
    };
    let mut best = None;
    let mut least = f64::INFINITY;
    for temperature in grid(0.1, 10.0, 1.1) {
        for slips in grid(0.01, 0.5, 1.2) {
            let inference = Inference {
                temperature,
                slips,
                tricks,
            };
            let (loss, _) = log_losses(line_ups, &inference);
            if loss < least && !line_ups.is_empty() {
                least = loss;
                best = Some(inference);
            }
        }
    }
    best
}
