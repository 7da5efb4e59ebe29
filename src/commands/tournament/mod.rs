//! `setrograde tournament`: players against each other, on duplicate boards.

mod chart;
mod log_file;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};
use setrograde_cards::{Contract, Strain};
use setrograde_play::games::{Bridge, Game, Hearts, Jass, Mode, Whist};
use setrograde_play::players::Spec;
use setrograde_play::tournament::{
    Boards, BridgeBoards, Decisions, Event, Format, HeartsBoards, JassBoards, Log, Standing,
    Tournament, WhistBoards,
};

use self::chart::Curve;
use self::log_file::LogFile;
use crate::Outcome;
use crate::input::players::{GameName, GoalName, PlayerArguments};
use crate::input::threads::ThreadsArgument;
use crate::interrupt;
use crate::output::say;
use crate::output::tables::{headed, right};

const EXAMPLES: &str = "\
Every deal is played at two tables with the sides exchanged, and every two
players meet on every board. The gain of A over B is what A won at both tables
together above B, halved: in tricks at whist, score at bridge, points at jass.

Players, each with its parameters after a colon, as pimc:worlds=40,rules=mu:
  random    any card
  simple    rules of thumb
  mu        iterations, c, time: tree search as published by mu
  ismcts    iterations, c, rollout (random, simple), rules, time
  pimc      worlds, memory (MiB a world), exact, rules, time
  alphamu   m (moves ahead), worlds, visits, memory, rules, time: αμ as declarer
  external:COMMAND   a program: a line of JSON in, a card out

Examples:
  setrograde tournament --game whist --cards 7 --players pimc:20 mu --boards 500
  setrograde tournament --game bridge --players pimc ismcts --log boards.pbn
  setrograde tournament --game jass --players pimc mu random --until 3 --boards 5000
  setrograde tournament --game bridge --players pimc ismcts --resume boards.pbn";

/// Play a duplicate tournament: every deal twice, with the sides exchanged.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
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
    /// What is trump on all boards: NT S H D C at whist, D H S C O U at jass.
    /// [default: it goes round]
    #[arg(long, value_name = "TRUMP")]
    trump: Option<String>,
    /// The contract and declarer of all boards at bridge, as 4SN. [default: the par
    /// contract, with probability ½ one higher]
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<String>,
    /// What bridge players try to make large.
    #[arg(long, value_enum, default_value_t = GoalName::Score)]
    goal: GoalName,
    /// Stop once every interval's half width is at most this.
    #[arg(long, value_name = "X")]
    until: Option<f64>,
    #[command(flatten)]
    shared: PlayerArguments,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Write every card to a new file: PBN for bridge, else lines of JSON.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    log: Option<PathBuf>,
    /// Go on with the tournament of a log, and add to it.
    #[arg(long, value_name = "LOG")]
    resume: Option<PathBuf>,
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
    if arguments.contract.is_some() && arguments.game != GameName::Bridge {
        bail!("--contract is for bridge");
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
            )
        }
        GameName::Jass => {
            let mode: Option<Mode> = parsed("--trump", arguments.trump.as_deref())?;
            let cards = count(9)?;
            play::<Jass, _>(arguments, &JassBoards { seed, cards, mode })
        }
        GameName::Bridge => {
            whole_pack("bridge")?;
            let contract: Option<Contract> = parsed("--contract", arguments.contract.as_deref())?;
            let goal = arguments.goal.into();
            play::<Bridge, _>(
                arguments,
                &BridgeBoards {
                    seed,
                    goal,
                    contract,
                },
            )
        }
        GameName::Hearts => {
            whole_pack("hearts")?;
            play::<Hearts, _>(arguments, &HeartsBoards { seed })
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
    let format = match arguments.game {
        GameName::Bridge => Format::Pbn,
        _ => Format::Json,
    };
    let log = Log::new(format, &settings(arguments), &names);
    let (mut file, logged) =
        LogFile::open(arguments.resume.as_deref(), arguments.log.as_deref(), &log)?;
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
    let bar = bar(arguments.boards);
    let mut failed = None;
    let mut decisions = vec![Decisions::default(); players.len()];
    let pairs: Vec<(usize, usize)> = tournament.pairs().collect();
    let mut curves: Vec<Curve> = pairs
        .iter()
        .map(|&(a, b)| Curve::new(format!("{} v {}", names[a], names[b])))
        .collect();
    let standings = tournament.run(&logged, |event: &Event<G>| {
        for (sum, of_board) in decisions.iter_mut().zip(&event.decisions) {
            sum.add(of_board);
        }
        for (((first, second), (tables, result)), curve) in
            pairs.iter().copied().zip(&event.pairs).zip(&mut curves)
        {
            curve.add(result);
            for (table, sides) in [[first, second], [second, first]].into_iter().enumerate() {
                let text = log.record(&event.board, table, sides, &tables[table]);
                let written = file.write(&text, event.from_log);
                if let Err(error) = written {
                    failed.get_or_insert(error);
                    interrupt::flag().store(true, Ordering::Relaxed);
                }
                if let Some(forfeit) = &tables[table].forfeit {
                    let (board, seat) = (event.board.number, forfeit.seat.name());
                    let problem = &forfeit.problem;
                    bar.suspend(|| {
                        say(format_args!("board {board}: {seat} forfeits: {problem}"));
                    });
                }
            }
        }
        bar.set_position(event.board.number.into());
        if let Some(curve) = curves.first() {
            bar.set_message(curve.summary());
        }
    });
    bar.finish_and_clear();
    let standings = standings?;
    if let Some(error) = failed {
        return Err(error);
    }
    file.finish()?;
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

/// What identifies a tournament, but for its players and its length.
fn settings(arguments: &TournamentArguments) -> Value {
    let goal = setrograde_play::games::Goal::from(arguments.goal);
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
        "goal": format!("{goal:?}").to_lowercase(),
        "shared": arguments.shared.settings(),
    })
}

fn bar(boards: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(boards.into()), ProgressDrawTarget::stderr());
    let template = "[{bar:30}] {pos}/{len} boards, {eta} left, {msg}";
    // The template is a constant; were it wrong, the default would show.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// What is printed at the end.
struct Report<'a> {
    game: &'a str,
    names: &'a [String],
    pairs: &'a [(usize, usize)],
    standings: &'a [Standing],
    decisions: &'a [Decisions],
}

/// Milliseconds and layouts a decision.
fn per_decision(of: &Decisions) -> (f64, f64) {
    let count = of.count.max(1) as f64;
    (
        of.time.as_secs_f64() * 1e3 / count,
        of.worlds as f64 / count,
    )
}

impl Report<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, &str, &Standing)> {
        let pairs = self.pairs.iter().zip(self.standings);
        pairs.map(|(&(a, b), of)| (self.names[a].as_str(), self.names[b].as_str(), of))
    }

    fn table(&self) -> String {
        let bridge = self.game == Bridge::NAME;
        let mut table = headed([
            "A",
            "B",
            "boards",
            "gain of A",
            "±",
            "sd",
            "won",
            "tied",
            "lost",
        ]);
        if bridge {
            let mut header: Vec<_> = ["A", "B", "boards", "gain of A", "±", "sd"].to_vec();
            header.extend(["won", "tied", "lost", "IMPs", "±"]);
            table = headed(header);
        }
        for (a, b, of) in self.rows() {
            let mut row = vec![right(a), right(b), right(of.boards.to_string())];
            for number in [of.mean(), of.half_width(), of.deviation()] {
                row.push(right(format!("{number:.3}")));
            }
            row.extend([of.won, of.tied, of.lost].map(|count| right(count.to_string())));
            if bridge {
                let (imps, half_width) = of.imps();
                row.extend([imps, half_width].map(|number| right(format!("{number:.3}"))));
            }
            table.add_row(row);
        }
        let mut players = headed(["player", "decisions", "ms each", "worlds each"]);
        for (name, of) in self.names.iter().zip(self.decisions) {
            let (milliseconds, worlds) = per_decision(of);
            players.add_row([
                right(name),
                right(of.count.to_string()),
                right(format!("{milliseconds:.2}")),
                right(format!("{worlds:.1}")),
            ]);
        }
        format!("{table}\n\n{players}")
    }

    fn json(&self) -> Value {
        let pair = |(a, b, of): (&str, &str, &Standing)| {
            let (imps, imps_half_width) = of.imps();
            json!({
                "a": a, "b": b, "boards": of.boards, "gain": of.mean(),
                "half_width": finite(of.half_width()), "deviation": finite(of.deviation()),
                "won": of.won, "tied": of.tied, "lost": of.lost,
                "imps": imps, "imps_half_width": finite(imps_half_width),
            })
        };
        let pairs: Vec<Value> = self.rows().map(pair).collect();
        let players = self.names.iter().zip(self.decisions);
        let players: Vec<Value> = players
            .map(|(name, of)| {
                let (milliseconds, worlds) = per_decision(of);
                json!({
                    "player": name, "decisions": of.count,
                    "milliseconds": milliseconds, "worlds": worlds,
                })
            })
            .collect();
        json!({ "game": self.game, "pairs": pairs, "players": players })
    }

    fn csv(&self) -> String {
        let mut text = String::from(
            "a,b,boards,gain,half_width,deviation,won,tied,lost,imps,imps_half_width\n",
        );
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        for (a, b, of) in self.rows() {
            let (imps, imps_half_width) = of.imps();
            let numbers = [of.mean(), of.half_width(), of.deviation()];
            let counts = [of.won, of.tied, of.lost].map(f64::from);
            let rest = [imps, imps_half_width];
            text += &format!("{},{},{}", quoted(a), quoted(b), of.boards);
            for number in numbers.iter().chain(&counts).chain(&rest) {
                text += &format!(",{number}");
            }
            text.push('\n');
        }
        text
    }
}

/// JSON has no infinity.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
