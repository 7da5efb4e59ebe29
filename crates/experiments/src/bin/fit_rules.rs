//! Fits the strengths of the rules of thumb on self-play, and compares the
//! log-loss of the marginals on other boards: without rules, with mu's factors,
//! and fitted.
//!
//!     cargo run --release -p setrograde-experiments --bin fit_rules -- whist simple 400

use std::error::Error;

use setrograde_beliefs::{CardSet, Limits};
use setrograde_cards::Seat;
use setrograde_play::Table;
use setrograde_play::clues::Strengths;
use setrograde_play::fit::{Sample, fit, log_loss};
use setrograde_play::games::{Bridge, Game, Goal, Jass, Whist};
use setrograde_play::players::{Player, Roster, Spec};
use setrograde_play::tournament::{Boards, BridgeBoards, JassBoards, WhistBoards, generator};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, player, boards] = &arguments[..] else {
        return Err("expected GAME PLAYER BOARDS, as whist simple 400".into());
    };
    let (spec, count): (Spec, u32) = (player.parse()?, boards.parse()?);
    let seed = 77;
    match game.as_str() {
        "whist" => run::<Whist, _>(
            &WhistBoards {
                seed,
                cards: 13,
                strain: None,
            },
            &spec,
            count,
        ),
        "bridge" => run::<Bridge, _>(
            &BridgeBoards {
                seed,
                goal: Goal::Score,
                contract: None,
            },
            &spec,
            count,
        ),
        "jass" => run::<Jass, _>(
            &JassBoards {
                seed,
                cards: 9,
                mode: None,
            },
            &spec,
            count,
        ),
        other => Err(format!("{other:?} is no game; expected whist, bridge or jass").into()),
    }
}

fn run<G: Game, B: Boards<G>>(boards: &B, spec: &Spec, count: u32) -> Result<(), Box<dyn Error>> {
    let mut players: Vec<Box<dyn Player<G>>> = Vec::new();
    for _ in 0..4 {
        players.push(Roster::default().player(spec)?);
    }
    let mut samples = Vec::new();
    for number in 1..=count {
        samples.push(play(boards, &mut players, number)?);
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
    for (rule, strength) in G::rules().iter().zip(&fitted.0) {
        let factor = rule.base.powf(*strength);
        println!(
            "  {:24} strength {strength:6.2}, factor {factor:.2} (mu: {:.2})",
            rule.name, rule.base
        );
    }
    println!("log-loss a hidden card on boards held out, in nats:");
    for (name, strengths) in [
        ("none", Strengths::NONE),
        ("as published", Strengths::as_published::<G>()),
        ("fitted", fitted),
    ] {
        println!("  {name:14} {:.5}", log_loss(&held_out, &strengths)?);
    }
    Ok(())
}

/// Plays a board, and returns what a random seat saw after every fourth card.
fn play<G: Game, B: Boards<G>>(
    boards: &B,
    players: &mut [Box<dyn Player<G>>],
    number: u32,
) -> Result<Vec<Sample<G>>, Box<dyn Error>> {
    let board = boards.board(number)?;
    let mut table = Table::new(board.game, board.hands, [Limits::default(); 4])?;
    let mut rng = generator(&[78, number.into()]);
    let mut samples = Vec::new();
    for player in players.iter_mut() {
        player.new_board();
    }
    while !table.state().is_over() {
        let view = table.view();
        let choice = players[view.observer().index()].choose(&view, &mut rng)?;
        table.play(choice.card)?;
        let played = table.history().len();
        if played % 4 == 2 && table.state().tricks_left() > 2 {
            let view = table.view_of(Seat::from_index(rng.usize(0..4)));
            let truth = std::array::from_fn(|seat| match view.hand(Seat::from_index(seat)) {
                Some(_) => CardSet::EMPTY,
                None => table.state().hands()[seat],
            });
            samples.push(Sample { view, truth });
        }
    }
    Ok(samples)
}
