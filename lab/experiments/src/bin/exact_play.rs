//! Players at bridge against each other, for docs/single-dummy.md: the gain of each pair in tricks
//! (with the goal `tricks`) or in score and IMPs, with 95 % intervals.
//!
//!     cargo run --profile dist -p setrograde-experiments --bin exact_play -- --db db --boards 1000 exact:20,from=8 pimc:20,from=8

use std::ops::ControlFlow;
use std::sync::Arc;

use clap::Parser;
use setrograde_lookup::Database;
use setrograde_play::players::{Roster, Spec};
use setrograde_play::tournament::{BridgeBoards, Event, Tournament};
use setrograde_play::{Bridge, Goal};

/// Measures players of bridge.
#[derive(Parser)]
struct Arguments {
    /// Number of boards.
    #[arg(long, default_value_t = 1000)]
    boards: u32,
    /// The seed of boards and players.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play for tricks instead of the score.
    #[arg(long)]
    tricks: bool,
    /// Print the standing after this number of boards.
    #[arg(long, default_value_t = 100)]
    every: u32,
    /// Directory of the database.
    #[arg(long)]
    db: Option<std::path::PathBuf>,
    /// The players.
    #[arg(required = true)]
    players: Vec<Spec>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let database = arguments.db.as_ref().map(Database::open).transpose()?;
    let roster = Roster {
        database: database.map(Arc::new),
        ..Roster::default()
    };
    let boards = BridgeBoards {
        seed: arguments.seed,
        goal: if arguments.tricks {
            Goal::Tricks
        } else {
            Goal::Score
        },
        contract: None,
    };
    let names: Vec<String> = arguments.players.iter().map(Spec::to_string).collect();
    let tournament = Tournament {
        boards: &boards,
        players: &names,
        seed: arguments.seed,
        count: arguments.boards,
        until: None,
        threads: 1,
    };
    let pairs: Vec<(usize, usize)> = tournament.pairs().collect();
    let mut sums = vec![[0.0; 4]; pairs.len()];
    let seat = |player: usize, _| roster.player::<Bridge>(&arguments.players[player]);
    let standings = tournament.run(seat, &[], |event: &Event<Bridge>, _| {
        for (sum, (tables, result)) in sums.iter_mut().zip(&event.pairs) {
            // Tricks that the first player's declarer takes more than the second's, and IMPs.
            let declarer = event.board.game.contract().declarer.side();
            let tricks =
                |table: usize| f64::from(event.board.game.declarer_tricks(&tables[table].tally));
            let first_declares = usize::from(declarer.index() != 0);
            let more = tricks(first_declares) - tricks(1 - first_declares);
            *sum = [
                sum[0] + more,
                sum[1] + more * more,
                sum[2] + 1.0,
                sum[3] + result.gain,
            ];
        }
        let board = event.board.number;
        if board.is_multiple_of(arguments.every) {
            for (sum, pair) in sums.iter().zip(&pairs) {
                let mean = sum[0] / sum[2];
                let deviation = (sum[1] / sum[2] - mean * mean).max(0.0).sqrt();
                println!(
                    "{board} boards, {pair:?}: declarer's tricks {mean:+.4} ± {:.4}",
                    1.96 * deviation / sum[2].sqrt()
                );
            }
        }
        ControlFlow::Continue(())
    })?;
    for (standing, (first, second)) in standings.iter().zip(pairs) {
        let (imps, half) = standing.imps();
        println!(
            "{} over {}: {} boards, gain {:+.3} ± {:.3}, IMPs {imps:+.4} ± {half:.4}",
            arguments.players[first],
            arguments.players[second],
            standing.boards,
            standing.mean(),
            standing.half_width(),
        );
    }
    Ok(())
}
