//! `setrograde deal`: deals that fit a condition, for a lesson or a game.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};
use setrograde::ask::{self, Dealer};
use setrograde_cards::{Seat, Vulnerability};
use setrograde_records::{Board, lin, pbn};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::interrupt::is_interrupted;
use crate::output::whole_file::WholeFile;
use crate::questions::refused;

/// Draw deals that fit a condition.
#[derive(Args)]
#[command(after_help = include_str!("../help/deal.txt"))]
pub struct DealArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The form of the deals.
    #[arg(long, value_enum, default_value_t = DealFormat::Pbn)]
    format: DealFormat,
    /// The number of the first board, which gives the dealer and the vulnerable sides.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1_000_000))]
    first: u32,
    /// Hands that are known, as N:AKQ52.K43.QJ5.T98 ? ? ?; or two hands, North's and South's.
    #[arg(long, value_name = "DEAL")]
    hands: Option<String>,
    /// Write the deals to this file, which appears complete or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seed of the deals.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The number of deals, at most a million.
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1_000_000))]
    count: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum DealFormat {
    /// PBN, with board numbers, dealers and vulnerable sides.
    Pbn,
    /// LIN, with the same.
    Lin,
    /// A deal a line.
    Lines,
}

pub fn run(arguments: &DealArguments) -> anyhow::Result<Outcome> {
    let ask = ask::Deal {
        count: arguments.count,
        conditions: arguments.condition.texts(),
        hands: arguments.hands.clone(),
        seed: arguments.seed,
    };
    let dealer = ask.dealer().map_err(refused)?;
    let Some(path) = &arguments.output else {
        write(arguments, &dealer, io::stdout().lock())?;
        return Ok(Outcome::Done);
    };
    let mut file = WholeFile::create(path)?;
    write(arguments, &dealer, &mut file)?;
    file.finish()?;
    Ok(Outcome::Done)
}

/// Writes the deals.
fn write(arguments: &DealArguments, dealer: &Dealer, out: impl Write) -> anyhow::Result<()> {
    let mut out = BufWriter::new(out);
    for number in 0..arguments.count {
        if is_interrupted() {
            bail!("interrupted");
        }
        let deal = dealer.deal(number);
        let board = arguments.first + number;
        let board = Board {
            number: Some(board),
            dealer: Some(Seat::dealer_of_board(board)),
            vulnerability: Some(Vulnerability::of_board(board)),
            hands: deal.hands().map(Some),
            ..Board::default()
        };
        let text = match arguments.format {
            DealFormat::Lines => format!("{deal}\n"),
            DealFormat::Pbn => pbn::write(&board),
            DealFormat::Lin => lin::write(&board),
        };
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}
