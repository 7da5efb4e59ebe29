//! `setrograde table`: the 20 results of a deal.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use setrograde_cards::{Deal, Seat, Strain};
use setrograde_solver::TrickTable;

use crate::Outcome;
use crate::input::solver::{SolverArguments, deal_and_table};

const EXAMPLES: &str = "\
A deal is four hands in PBN, clockwise from the named seat, each as
spades.hearts.diamonds.clubs; all of the same length, 13 cards or fewer. The
answer is the deal, a tab and the declarers' tricks: strains NT S H D C, in each
the declarers N E S W.

Formats:
  numbers  20 numbers, as above
  text     a table to read
  pbn      PBN's tags Deal and OptimumResultTable
  digits   20 hexadecimal digits as in the tag DoubleDummyTricks: declarers
           N S E W, in each the strains NT S H D C

Examples:
  setrograde table N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde table --format text N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde table --threads 4 - < deals.txt > tables.txt";

/// Find the tricks of all declarers in all strains.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TableArguments {
    /// Form of the results.
    #[arg(long, value_enum, default_value = "numbers", conflicts_with = "json")]
    format: Format,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or `-` to read one deal a line from standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Numbers,
    Text,
    Pbn,
    Digits,
}

/// The order of declarers in the tag DoubleDummyTricks.
const PARTNERS_TOGETHER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

pub fn run(arguments: &TableArguments) -> anyhow::Result<Outcome> {
    arguments.solver.run(&arguments.deal, |solver, text| {
        let (deal, table) = deal_and_table(solver, text)?;
        Ok(match arguments.format {
            _ if arguments.solver.json => {
                json!({ "deal": text, "tricks": to_json(&table) }).to_string()
            }
            Format::Numbers => format!("{text}\t{table}"),
            Format::Text => format!("{text}\n{}", readable(&table)),
            Format::Pbn => pbn(&deal, &table),
            Format::Digits => format!("{text}\t{}", digits(&table)),
        })
    })
}

/// By strain, then by declarer.
fn to_json(table: &TrickTable) -> Value {
    let mut strains = Map::new();
    for strain in Strain::ALL {
        let seats =
            Seat::ALL.map(|seat| (seat.to_string(), Value::from(table.tricks(strain, seat))));
        strains.insert(
            strain.to_string(),
            Value::Object(seats.into_iter().collect()),
        );
    }
    Value::Object(strains)
}

fn readable(table: &TrickTable) -> String {
    let mut text = String::from("      NT   S   H   D   C\n");
    for seat in Seat::ALL {
        let _ = write!(text, "  {:2}", seat.letter());
        for strain in Strain::ALL {
            let _ = write!(text, "{:4}", table.tricks(strain, seat));
        }
        text.push('\n');
    }
    text
}

fn pbn(deal: &Deal, table: &TrickTable) -> String {
    let mut text = format!("[Deal \"{deal}\"]\n");
    text.push_str("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            let tricks = table.tricks(strain, seat);
            let _ = writeln!(text, "{seat} {:>2} {tricks:>2}", strain.to_string());
        }
    }
    text
}

fn digits(table: &TrickTable) -> String {
    let declarer = |seat| Strain::ALL.map(|strain| format!("{:x}", table.tricks(strain, seat)));
    PARTNERS_TOGETHER.into_iter().flat_map(declarer).collect()
}
