//! Fits the strengths of the rules of thumb on self-play, and compares the
//! log-loss of the marginals on other boards: without rules, with mu's factors,
//! and fitted.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin fit_rules -- whist simple 400

use std::error::Error;

use setrograde_beliefs::{BeliefsError, Game, Jass, Layout, Limits, Strengths, View, Whist};
use setrograde_cards::{Hand, Seat};
use setrograde_play::players::{Player, PlayerError, Roster, Spec};
use setrograde_play::tournament::{
    Board, BoardSeries, BridgeBoards, JassBoards, WhistBoards, generator,
};
use setrograde_play::{Bridge, Goal, Table};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, player, boards] = &arguments[..] else {
        return Err("expected GAME PLAYER BOARDS, as whist simple 400".into());
    };
    let (spec, count) = (player.parse()?, boards.parse()?);
    let seed = 77;
    match game.as_str() {
        "whist" => {
            let boards = WhistBoards {
                seed,
                cards: 13,
                strain: None,
            };
            run::<Whist>(&boards, &spec, count)
        }
        "bridge" => {
            let boards = BridgeBoards {
                seed,
                goal: Goal::Score,
                contract: None,
                within: None,
            };
            run::<Bridge>(&boards, &spec, count)
        }
        "jass" => {
            let boards = JassBoards {
                seed,
                cards: 9,
                mode: None,
            };
            run::<Jass>(&boards, &spec, count)
        }
        other => Err(format!("{other:?} is not a game; expected whist, bridge or jass").into()),
    }
}

/// Fits to `count` boards played by four players like `spec`, and prints the result.
fn run<G: Game>(
    boards: &impl BoardSeries<G>,
    spec: &Spec,
    count: u32,
) -> Result<(), Box<dyn Error>> {
    let player = || Roster::default().player::<G>(spec);
    let mut players = [player()?, player()?, player()?, player()?];
    let mut samples = Vec::new();
    for number in 1..=count {
        samples.push(self_play(&boards.board(number)?, &mut players, 78)?);
    }
    let held_out: Vec<Sample<G>> = samples
        .split_off(samples.len() / 2)
        .into_iter()
        .flatten()
        .collect();
    let training: Vec<Sample<G>> = samples.into_iter().flatten().collect();
    let fitted = fit(&training)?;
    println!(
        "{} played by {spec}: {count} boards, {} views to fit, {} held out",
        G::NAME,
        training.len(),
        held_out.len()
    );
    for (rule, strength) in G::RULES.iter().zip(&fitted.0) {
        let factor = rule.base.powf(*strength);
        println!(
            "  {:24} strength {strength:6.2}, factor {factor:.2} (mu: {:.2})",
            rule.name, rule.base
        );
    }
    println!("log-loss a hidden card on boards held out, in nats:");
    for (name, strengths) in [
        ("none", Strengths::NONE),
        ("as published", Strengths::as_published(G::RULES)),
        ("fitted", fitted),
    ] {
        println!("  {name:14} {:.5}", log_loss(&held_out, &strengths)?);
    }
    Ok(())
}

/// A view, and the true layout of its hidden cards.
#[derive(Clone, Debug)]
struct Sample<G> {
    /// The view.
    view: View<G>,
    /// The hidden hands.
    truth: Layout,
}

/// Plays a board, and returns the view of a random seat in the middle of each trick
/// with more than two tricks left.
fn self_play<G: Game>(
    board: &Board<G>,
    players: &mut [Box<dyn Player<G>>; 4],
    seed: u64,
) -> Result<Vec<Sample<G>>, PlayerError> {
    let mut table = Table::new(board.game, board.hands, [Limits::default(); 4])
        .expect("a board's hands can be played");
    let mut rng = generator(&[seed, board.number.into()]);
    let mut samples = Vec::new();
    for player in players.iter_mut() {
        player.new_board();
    }
    while !table.state().is_over() {
        let view = table.view();
        let choice = players[view.observer().index()].choose(&view, &mut rng)?;
        table.play(choice.card).expect("players choose legal cards");
        if table.state().trick().len() == 2 && table.state().tricks_left() > 2 {
            let view = table.view_of(Seat::from_index(rng.usize(0..4)));
            let truth = std::array::from_fn(|seat| match view.hand(Seat::from_index(seat)) {
                Some(_) => Hand::EMPTY,
                None => table.state().hands()[seat],
            });
            samples.push(Sample { view, truth });
        }
    }
    Ok(samples)
}

/// The mean log-loss per hidden card of the marginals, in nats.
fn log_loss<G: Game>(samples: &[Sample<G>], strengths: &Strengths) -> Result<f64, BeliefsError> {
    let (mut sum, mut count) = (0.0, 0);
    for Sample { view, truth } in samples {
        let marginals = view.beliefs(strengths)?.marginals();
        for seat in Seat::ALL {
            for card in truth[seat.index()] {
                // A layout that is possible has no marginal of 0.
                sum -= marginals
                    .probability(seat, card)
                    .max(f64::MIN_POSITIVE)
                    .ln();
                count += 1;
            }
        }
    }
    Ok(sum / f64::from(count.max(1)))
}

/// The mean log-probability of the true layouts.
fn log_likelihood<G: Game>(
    samples: &[Sample<G>],
    strengths: &Strengths,
) -> Result<f64, BeliefsError> {
    let mut sum = 0.0;
    for Sample { view, truth } in samples {
        sum += view.beliefs(strengths)?.log_probability(truth);
    }
    Ok(sum / samples.len().max(1) as f64)
}

/// The strengths under which the samples' layouts are most likely. Each is searched by itself to
/// within 0.02, in two rounds. The likelihood is concave in the strengths, so there is one summit.
fn fit<G: Game>(samples: &[Sample<G>]) -> Result<Strengths, BeliefsError> {
    let mut strengths = Strengths(vec![0.0; G::RULES.len()]);
    for _ in 0..2 {
        for rule in 0..strengths.0.len() {
            let (mut low, mut high) = (-3.0, 3.0);
            let mut try_at = |strength: f64| {
                strengths.0[rule] = strength;
                log_likelihood(samples, &strengths)
            };
            // Golden section.
            let golden = (5f64.sqrt() - 1.0) / 2.0;
            let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
            let (mut at_a, mut at_b) = (try_at(a)?, try_at(b)?);
            while high - low > 0.02 {
                if at_a > at_b {
                    high = b;
                    (b, at_b) = (a, at_a);
                    a = high - golden * (high - low);
                    at_a = try_at(a)?;
                } else {
                    low = a;
                    (a, at_a) = (b, at_b);
                    b = low + golden * (high - low);
                    at_b = try_at(b)?;
                }
            }
            strengths.0[rule] = (low + high) / 2.0;
        }
    }
    Ok(strengths)
}
