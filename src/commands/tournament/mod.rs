//! `setrograde tournament`: players against each other, on duplicate boards.

mod course;
mod log_file;
mod report;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use serde_json::Value;
use setrograde::cores;
use setrograde_beliefs::Game;
use setrograde_play::Goal;
use setrograde_play::players::Spec;
use setrograde_play::tournament::{
    BoardSeries, BridgeBoards, Event, JassBoards, Log, Tournament, TournamentError, WhistBoards,
};

use self::course::TournamentRun;
use self::log_file::LogFile;
use self::report::TournamentReport;
use crate::Outcome;
use crate::arguments::numbers::{not_negative, whole};
use crate::arguments::output::only_file;
use crate::arguments::players::{GameArguments, GameName, PlayerArguments};
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;
use crate::json;

/// Play a duplicate tournament: every deal twice, with the sides exchanged.
#[derive(Args)]
#[command(after_help = include_str!("../../help/tournament.txt"))]
pub struct TournamentArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The players: two or more.
    #[arg(long, value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Number of boards.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..))]
    boards: u32,
    /// Cards in each hand: at whist up to 13, at jass up to 9, the highest of each
    /// suit. [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=13))]
    cards: Option<usize>,
    /// Stop once every interval's half width is at most this.
    #[arg(long, value_name = "X", value_parser = half_width)]
    until: Option<f64>,
    #[command(flatten)]
    shared: PlayerArguments,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Write every card to this file, as lines of JSON. If the file exists, the tournament
    /// continues from it; it must be the log of the same tournament.
    #[arg(long, value_name = "FILE", value_parser = only_file())]
    log: Option<PathBuf>,
    /// Print the standings as JSON.
    #[arg(long)]
    json: bool,
}

/// A half width that intervals can come down to.
fn half_width(text: &str) -> Result<f64, &'static str> {
    not_negative(text).ok_or("expected a number, 0 or more")
}

pub fn run(arguments: &TournamentArguments) -> anyhow::Result<Outcome> {
    let (game, seed) = (&arguments.game, arguments.game.seed());
    game.check(&[])?;
    let (least, most) = match game.game {
        GameName::Whist => (1, 13),
        GameName::Jass => (1, 9),
        GameName::Bridge => (13, 13),
    };
    let cards = arguments.cards.unwrap_or(most);
    if !(least..=most).contains(&cards) {
        let expected = if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        };
        bail!("--cards {cards}: expected {expected} at {}", game.name());
    }
    match game.game {
        GameName::Whist => {
            let strain = game.trump()?;
            let boards = WhistBoards {
                seed,
                cards,
                strain,
            };
            play(arguments, &boards)
        }
        GameName::Jass => {
            let mode = game.trump()?;
            play(arguments, &JassBoards { seed, cards, mode })
        }
        GameName::Bridge => {
            let boards = BridgeBoards {
                seed,
                goal: game.goal(),
                contract: game.contract()?,
            };
            play(arguments, &boards)
        }
    }
}

/// Plays the tournament.
fn play<G: Game, B: BoardSeries<G>>(
    arguments: &TournamentArguments,
    boards: &B,
) -> anyhow::Result<Outcome> {
    let roster = arguments.shared.roster()?;
    let players: Vec<Spec> = arguments
        .players
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    // Errors in parameters come before anything is played.
    for spec in &players {
        roster.player::<G>(spec)?;
    }
    let names: Vec<String> = players.iter().map(Spec::to_string).collect();
    let log = Log::new(&settings(arguments), &names);
    let path = arguments.log.as_deref();
    let file = path.map(|path| LogFile::open(path, &log));
    let file = file.transpose()?;
    let logged = file
        .as_ref()
        .map_or(Vec::new(), |file| file.before().to_vec());
    let threads = arguments.threads.count();
    let tournament = Tournament {
        boards,
        players: &names,
        seed: arguments.game.seed(),
        count: arguments.boards,
        until: arguments.until,
        threads: threads.unwrap_or_else(cores),
    };
    let pairs: Vec<(usize, usize)> = tournament.pairs().collect();
    let mut course = TournamentRun::new(arguments.boards, &names, &log, file);
    let seat = |player: usize, _| roster.player::<G>(&players[player]);
    let standings = tournament.run(seat, &logged, |event: &Event<G>, standings| {
        // Players that decide at once never look.
        match course.take(event, standings) {
            ControlFlow::Continue(()) if interrupt::is_interrupted() => ControlFlow::Break(()),
            next => next,
        }
    });
    course.bar.finish_and_clear();
    let standings = standings.map_err(|error| in_log(error, path))?;
    let decisions = course.finish()?;
    let report = TournamentReport {
        game: G::NAME,
        names: &names,
        pairs: &pairs,
        standings: &standings,
        decisions: &decisions,
    };
    if arguments.json {
        json::print(report.json())?;
    } else {
        writeln!(io::stdout(), "{}", report.table())?;
    }
    let complete =
        standings.iter().all(|of| of.boards == arguments.boards) || !interrupt::is_interrupted();
    Ok(if complete {
        Outcome::Done
    } else {
        Outcome::Interrupted
    })
}

/// Names the log in an error about one of its lines.
fn in_log(error: TournamentError, path: Option<&Path>) -> anyhow::Error {
    let is_of_log = matches!(error, TournamentError::Log { .. });
    let error = anyhow::Error::from(error);
    match path {
        Some(path) if is_of_log => error.context(path.display().to_string()),
        _ => error,
    }
}

/// The settings that identify a tournament, besides its players and its length.
fn settings(arguments: &TournamentArguments) -> Value {
    let game = &arguments.game;
    let goal = Goal::NAMES.iter().find(|(_, goal)| *goal == game.goal());
    serde_json::json!({
        "game": game.name(),
        "seed": game.seed(),
        "cards": arguments.cards,
        "trump": game.trump,
        "contract": game.contract,
        "goal": goal.map(|(name, _)| name),
        "shared": arguments.shared.settings(),
    })
}
