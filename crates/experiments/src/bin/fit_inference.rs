//! Fits how well others are taken to play, on self-play: the temperature of the
//! softmax of tricks lost double dummy, and the share of slips. On other boards
//! it prints −ln of the probability given to the true layout among those that fit
//! what was seen: samples of them, and all where there are few.
//!
//!     cargo run --release -p setrograde-experiments --bin fit_inference -- bridge pimc:10 60

use std::error::Error;

use setrograde_games::{Bridge, Game, Goal, Whist};
use setrograde_play::fit::inference::{LineUp, fit, log_losses};
use setrograde_play::fit::self_play;
use setrograde_play::inference::Inference;
use setrograde_play::players::{Roster, Spec};
use setrograde_play::tournament::{Boards, BridgeBoards, WhistBoards, generator};

/// Layouts in a line-up; where there are no more, all of them.
const LAYOUTS: usize = 70;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, player, boards] = &arguments[..] else {
        return Err("expected GAME PLAYER BOARDS, as bridge pimc:10 60".into());
    };
    let (spec, count): (Spec, u32) = (player.parse()?, boards.parse()?);
    let seed = 79;
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
        other => Err(format!("{other:?} is no game; expected whist or bridge").into()),
    }
}

fn run<G: Game, B: Boards<G>>(boards: &B, spec: &Spec, count: u32) -> Result<(), Box<dyn Error>> {
    let player = || Roster::default().player::<G>(spec);
    let mut players = [player()?, player()?, player()?, player()?];
    let built_in = Inference::fitted(&boards.board(1)?.game);
    let tricks = built_in.tricks;
    let mut by_board = Vec::new();
    for number in 1..=count {
        let mut rng = generator(&[80, number.into()]);
        let mut line_ups = Vec::new();
        let board = boards.board(number)?;
        for sample in self_play(&board, &mut players, 81)? {
            if sample.view.tricks_left() < tricks {
                line_ups.extend(LineUp::new(&sample, LAYOUTS, tricks, &mut rng)?);
            }
        }
        by_board.push(line_ups);
    }
    let held_out: Vec<LineUp> = by_board.split_off(by_board.len() / 2).concat();
    let training = by_board.concat();
    let fitted = fit(&training, tricks).ok_or("there is nothing to fit")?;
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
