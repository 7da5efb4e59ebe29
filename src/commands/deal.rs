//! `setrograde deal`: deals that fit a condition, for a lesson or a game.

use std::io::{self, BufWriter, Write};

use anyhow::bail;
use clap::{Args, ValueEnum, value_parser};
use setrograde::{Ask, TwoHands};
use setrograde_beliefs::{Beliefs, Facts};
use setrograde_cards::{Deal, Hand, Seat, Vulnerability};
use setrograde_records::{Board, pbn};
use setrograde_single_dummy::drawn;

use crate::Outcome;
use crate::arguments::condition::{ConditionArgument, described};
use crate::interrupt::is_interrupted;
use crate::questions::refused;

/// Draw deals that fit a condition.
#[derive(Args)]
#[command(after_help = include_str!("../help/deal.txt"))]
pub struct DealArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The form of the deals.
    #[arg(long, value_enum, default_value_t = Form::Pbn)]
    format: Form,
    /// The number of the first board, which gives the dealer and the vulnerable sides.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1_000_000))]
    first: u32,
    /// Hands that are known, as N:AKQ52.K43.QJ5.T98 ? ? ?; or two hands, North's and South's.
    #[arg(long, value_name = "DEAL")]
    hands: Option<String>,
    /// Seed of the deals.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The number of deals, at most a million.
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1_000_000))]
    count: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// PBN, with board numbers, dealers and vulnerable sides.
    Pbn,
    /// A deal a line.
    Lines,
}

pub fn run(arguments: &DealArguments) -> anyhow::Result<Outcome> {
    let hands = match &arguments.hands {
        Some(text) => known(text)?,
        None => [None; 4],
    };
    let held: Hand = hands.iter().flatten().copied().collect();
    let unseen = Hand::PACK - held;
    let sizes = hands.map(|hand| if hand.is_some() { 0 } else { 13 });
    let hidden: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| hands[seat].is_none())
        .collect();
    let mut facts = Facts::new(unseen, sizes);
    for condition in arguments.condition.read()? {
        facts
            .suppose(&condition, &hidden)
            .map_err(|error| refused(described(&error, true)))?;
    }
    let beliefs = Beliefs::new(&facts).map_err(refused)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..arguments.count {
        if is_interrupted() {
            bail!("interrupted");
        }
        let layout = drawn(&beliefs, arguments.seed, number.into());
        let hand = |seat: usize| hands[seat].unwrap_or(layout[seat]);
        let hands = [0, 1, 2, 3].map(hand);
        match arguments.format {
            Form::Lines => {
                let deal = Deal::new(hands).expect("a layout shares the cards out");
                writeln!(out, "{deal}")?;
            }
            Form::Pbn => {
                let board = arguments.first + number;
                let board = Board {
                    number: Some(board),
                    dealer: Some(Seat::dealer_of_board(board)),
                    vulnerability: Some(Vulnerability::of_board(board)),
                    hands: hands.map(Some),
                    ..Board::default()
                };
                out.write_all(pbn::write(&board).as_bytes())?;
            }
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// The hands of a whole deal, of which `?` or `-` are not known.
fn known(text: &str) -> anyhow::Result<[Option<Hand>; 4]> {
    let read = TwoHands::line(text);
    let question = read
        .map_err(|error| refused(format_args!("--hands: {error}")))?
        .0;
    let hands = Seat::ALL.map(|seat| question.hand(seat));
    match hands.iter().flatten().find(|hand| hand.len() != 13) {
        Some(hand) => {
            let cards = hand.len();
            let problem = format!("--hands: {hand} has {cards} cards, expected 13");
            Err(refused(problem))
        }
        None => Ok(hands),
    }
}
