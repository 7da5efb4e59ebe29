//! Fits the strengths of the rules of thumb on self-play, and compares the
//! log-loss of the marginals on other boards: without rules, with mu's factors,
//! and fitted.
//!
//!     cargo run --release -p setrograde-experiments --bin fit_rules -- whist simple 400

use std::error::Error;

use setrograde_games::{Bridge, Game, Goal, Jass, Strengths, Whist};
use setrograde_play::fit::rules::{fit, log_loss};
use setrograde_play::fit::{Sample, self_play};
use setrograde_play::players::{Roster, Spec};
use setrograde_play::tournament::{Boards, BridgeBoards, JassBoards, WhistBoards};

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
                within: None,
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
        ("as published", Strengths::as_published(G::rules())),
        ("fitted", fitted),
    ] {
        println!("  {name:14} {:.5}", log_loss(&held_out, &strengths)?);
    }
    Ok(())
}
