//! `setrograde tournament`: players against each other, on duplicate boards.

mod chart;
mod course;
mod log_file;
mod report;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};
use setrograde_cards::{Contract, Strain};
use setrograde_games::{Bridge, Game, Goal, Hearts, Jass, Mode, Whist};
use setrograde_play::players::Spec;
use setrograde_play::tournament::{
    Boards, BridgeBoards, Event, HeartsBoards, JassBoards, Log, Tournament, TournamentError,
    WhistBoards, pbn_game,
};

use self::course::{Course, Export};
use self::log_file::LogFile;
use self::report::Report;
use crate::Outcome;
use crate::arguments::players::{GameName, GoalName, PlayerArguments};
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;

/// Play a duplicate tournament: every deal twice, with the sides exchanged.
#[derive(Args)]
#[command(after_help = include_str!("../../help/tournament.txt"))]
pub struct TournamentArguments {
    /// The game.
    #[arg(long, value_enum)]
    game: GameName,
    /// The players: two or more.
    #[arg(long, value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Number of boards.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
    /// Random seed of deals and players.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cards in each hand: at whist up to 13, at jass up to 9, the highest of each
    /// suit. [default: all]
    #[arg(long, value_name = "N")]
    cards: Option<usize>,
    /// The trump on all boards: NT S H D C at whist; D H S C, O (Obe-Abe) or U
    /// (Une-Ufe) at jass. [default: each in turn]
    #[arg(long, value_name = "TRUMP")]
    trump: Option<String>,
    /// The contract and declarer of all boards at bridge, as 4SN. [default: the par
    /// contract, with probability ½ one higher]
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<String>,
    /// Deal again until bridge's contract needs as many tricks as the declarer takes
    /// with all cards known, give or take N.
    #[arg(long, value_name = "N")]
    within: Option<u8>,
    /// The aim of bridge players. [default: score]
    #[arg(long, value_enum)]
    goal: Option<GoalName>,
    /// Stop once every interval's half width is at most this.
    #[arg(long, value_name = "X", value_parser = half_width)]
    until: Option<f64>,
    #[command(flatten)]
    shared: PlayerArguments,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Write every card to a new file, as lines of JSON.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Continue the log, which must be of the same tournament.
    #[arg(long, requires = "log")]
    resume: bool,
    /// Write the games of a bridge tournament to this file, in PBN.
    #[arg(long, value_name = "FILE")]
    pbn: Option<PathBuf>,
    /// Print the standings as JSON.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print the standings as CSV.
    #[arg(long)]
    csv: bool,
    /// Draw the gains with their intervals against the boards.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl TournamentArguments {
    fn goal(&self) -> GoalName {
        self.goal.unwrap_or(GoalName::Score)
    }
}

/// A half width that intervals can come down to.
fn half_width(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("expected a number, 0 or more")
}

pub fn run(arguments: &TournamentArguments) -> anyhow::Result<Outcome> {
    let (seed, cards) = (arguments.seed, arguments.cards);
    let count = |most: usize| match cards {
        Some(cards) if cards < 1 || cards > most => bail!("--cards {cards}: expected 1 to {most}"),
        cards => Ok(cards.unwrap_or(most)),
    };
    let whole_pack = |game: &str| match cards {
        Some(cards) if cards != 13 => {
            bail!("--cards {cards}: {game} is played with 13 cards a hand")
        }
        _ => Ok(()),
    };
    let bridge =
        arguments.contract.is_some() || arguments.within.is_some() || arguments.goal.is_some();
    if bridge && arguments.game != GameName::Bridge {
        bail!("--contract, --within and --goal are for bridge");
    }
    if arguments.pbn.is_some() && arguments.game != GameName::Bridge {
        bail!("--pbn is for bridge");
    }
    if arguments.trump.is_some() && !matches!(arguments.game, GameName::Whist | GameName::Jass) {
        bail!("--trump is for whist and jass");
    }
    match arguments.game {
        GameName::Whist => {
            let strain: Option<Strain> = parsed("--trump", arguments.trump.as_deref())?;
            let cards = count(13)?;
            play::<Whist, _>(
                arguments,
                &WhistBoards {
                    seed,
                    cards,
                    strain,
                },
                None,
            )
        }
        GameName::Jass => {
            let mode: Option<Mode> = parsed("--trump", arguments.trump.as_deref())?;
            let cards = count(9)?;
            play::<Jass, _>(arguments, &JassBoards { seed, cards, mode }, None)
        }
        GameName::Bridge => {
            whole_pack("bridge")?;
            let contract: Option<Contract> = parsed("--contract", arguments.contract.as_deref())?;
            let goal = arguments.goal().into();
            let boards = BridgeBoards {
                seed,
                goal,
                contract,
                within: arguments.within,
            };
            let export = arguments
                .pbn
                .as_deref()
                .map(|path| export(path, &arguments.players));
            play::<Bridge, _>(arguments, &boards, export.transpose()?)
        }
        GameName::Hearts => {
            whole_pack("hearts")?;
            play::<Hearts, _>(arguments, &HeartsBoards { seed }, None)
        }
    }
}

fn parsed<T: std::str::FromStr>(option: &str, text: Option<&str>) -> anyhow::Result<Option<T>>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    text.map(|text| {
        text.parse::<T>()
            .with_context(|| format!("{option} {text}"))
    })
    .transpose()
}

fn play<G: Game, B: Boards<G>>(
    arguments: &TournamentArguments,
    boards: &B,
    export: Option<Export<'_, G>>,
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
    let file = path.map(|path| LogFile::open(path, arguments.resume, &log));
    let file = file.transpose()?;
    let logged = file
        .as_ref()
        .map_or(Vec::new(), |file| file.before().to_vec());
    let threads = arguments.threads.count();
    let tournament = Tournament {
        boards,
        players: &players,
        roster: &roster,
        seed: arguments.seed,
        count: arguments.boards,
        until: arguments.until,
        threads: threads.unwrap_or_else(rayon::current_num_threads),
    };
    let pairs: Vec<(usize, usize)> = tournament.pairs().collect();
    let mut course = Course::new(arguments.boards, &names, &pairs, &log, file).with_export(export);
    let standings = tournament.run(&logged, |event: &Event<G>| course.take(event));
    course.bar.finish_and_clear();
    let standings = standings.map_err(|error| in_log(error, path))?;
    let (decisions, curves) = course.finish()?;
    let report = Report {
        game: G::NAME,
        names: &names,
        pairs: &pairs,
        standings: &standings,
        decisions: &decisions,
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", report.json())?;
    } else if arguments.csv {
        write!(out, "{}", report.csv())?;
    } else {
        writeln!(out, "{}", report.table())?;
    }
    if let Some(path) = &arguments.svg {
        chart::draw(path, &curves).with_context(|| format!("cannot draw {path:?}"))?;
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

/// Writes the games of a bridge tournament to a file of PBN.
fn export<'a>(path: &'a Path, names: &'a [String]) -> anyhow::Result<Export<'a, Bridge>> {
    let cannot_write = move || format!("cannot write {}", path.display());
    let mut file = File::create(path).with_context(cannot_write)?;
    writeln!(file, "% PBN 2.1").with_context(cannot_write)?;
    Ok(Box::new(move |board, table, sides, result| {
        let names = sides.map(|player| names[player].as_str());
        let game = pbn_game(board, table, names, result);
        file.write_all(game.as_bytes()).with_context(cannot_write)
    }))
}

/// The settings that identify a tournament, besides its players and its length.
fn settings(arguments: &TournamentArguments) -> Value {
    let goal = Goal::from(arguments.goal());
    json!({
        "game": match arguments.game {
            GameName::Whist => Whist::NAME,
            GameName::Bridge => Bridge::NAME,
            GameName::Jass => Jass::NAME,
            GameName::Hearts => Hearts::NAME,
        },
        "seed": arguments.seed,
        "cards": arguments.cards,
        "trump": arguments.trump,
        "contract": arguments.contract,
        "within": arguments.within,
        "goal": Goal::NAMES.iter().find(|(_, of)| *of == goal).map(|(name, _)| name),
        "shared": arguments.shared.settings(),
    })
}
