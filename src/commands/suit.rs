//! `setrograde suit`: the best play of a single suit.

use clap::Args;
use setrograde::ask::Suit;

use crate::Outcome;
use crate::arguments::database::desk;
use crate::arguments::numbers::{seconds, whole};
use crate::questions::answer_only;

/// Find the best play of one suit, and its chances.
#[derive(Args)]
#[command(after_help = include_str!("../help/suit.txt"))]
pub struct SuitArguments {
    /// Show the best line for this number of tricks. [default: the largest with an even chance]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(..=13))]
    tricks: Option<usize>,
    /// Show the best line for every number of tricks.
    #[arg(long, conflicts_with = "tricks")]
    all: bool,
    /// Cards of the suit that were played before.
    #[arg(
        long,
        value_name = "RANKS",
        default_value = "-",
        hide_default_value = true
    )]
    gone: String,
    /// Vacant places of East and of West: their cards that are not known.
    #[arg(long, num_args = 2, value_names = ["EAST", "WEST"], default_values = ["13", "13"], value_parser = whole::<u8>(..=13))]
    vacant: Vec<u8>,
    /// Entries of North and of South in other suits, `-` for no limit. A lead uses one, unless the
    /// hand won the previous trick.
    #[arg(long, num_args = 2, value_names = ["NORTH", "SOUTH"], default_values = ["-", "-"], value_parser = entries, hide_default_value = true)]
    entries: Vec<Entries>,
    /// Give up after this number of seconds: exit status 4.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    time: f64,
    /// Print a JSON object (docs/json.md).
    #[arg(long)]
    json: bool,
    /// North's cards of the suit, such as AJT98 or AJxxx; `-` for none.
    north: String,
    /// South's cards.
    south: String,
}

/// The entries of a hand; enough if `None`.
type Entries = Option<u8>;

fn entries(text: &str) -> Result<Entries, &'static str> {
    match text {
        "-" => Ok(None),
        _ => text
            .parse()
            .map(Some)
            .map_err(|_| "expected a number, or `-` for enough"),
    }
}

pub fn run(arguments: &SuitArguments) -> anyhow::Result<Outcome> {
    let ask = Suit {
        north: arguments.north.clone(),
        south: arguments.south.clone(),
        tricks: arguments.tricks,
        all: arguments.all,
        gone: arguments.gone.clone(),
        vacant: [arguments.vacant[0], arguments.vacant[1]],
        entries: [arguments.entries[0], arguments.entries[1]],
        time: Some(arguments.time),
    };
    answer_only(&ask, &mut desk(), None, arguments.json)
}
