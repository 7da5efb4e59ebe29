//! Looks up an ending that is given as 52-bit hands, and searches a larger one by an alpha-beta
//! that asks the database: `cargo run --release --example endings [DIRECTORY]`.

use std::ffi::OsString;

use anyhow::Context;
use setrograde_lookup::cards::{Deal, Hand, Holding, Position, Seat, Strain};
use setrograde_lookup::{Database, Ending};

/// The hand of 52 bits: 13 for each suit, spades in the lowest, the deuce first.
fn hand(bits: u64) -> Hand {
    let suit = |from: u32| Holding::from_bits((bits >> from & 0x1fff) as u16);
    Hand::new([suit(0), suit(13), suit(26), suit(39)])
}

/// Whether the side that leads, or led to the trick under way, takes at least `target` of the
/// tricks left: alpha-beta with a window of one trick, down to the levels of the database.
fn reaches(database: &Database, position: &Position, target: u8) -> anyhow::Result<bool> {
    let left = position.tricks_left() as u8;
    if target == 0 || target > left {
        return Ok(target == 0);
    }
    if position.is_trick_boundary() {
        let ending = Ending::from_position(position)?;
        // The verdict names the cards that prove it, for a transposition table.
        if let Some(verdict) = database.decide(&ending, target)? {
            return Ok(verdict.reached);
        }
    }
    let side = position.leader().side();
    let mine = position.to_play().side() == side;
    for card in position.legal_cards() {
        let next = position.play(card)?;
        let reached = match (next.is_trick_boundary(), next.leader().side() == side) {
            (false, _) => reaches(database, &next, target)?,
            (true, true) => reaches(database, &next, target - 1)?,
            // The opponents lead: they must not take too many.
            (true, false) => !reaches(database, &next, left - target)?,
        };
        if reached == mine {
            return Ok(mine);
        }
    }
    Ok(!mine)
}

/// Uses the database in `directory`, or else the user's own, or the built-in one of 12 cards.
#[allow(clippy::missing_errors_doc, reason = "an example")]
pub fn run(directory: Option<OsString>) -> anyhow::Result<()> {
    let found = Database::in_use(directory.as_deref())?;
    let database = found.context("SETROGRADE_DB is none")?.database;

    // North has ♠AQ, East ♠76, South ♠54, West ♠K3.
    let deal = Deal::new([0x1400, 0x0030, 0x000c, 0x0802].map(hand))?;
    let ending = Ending::from_deal(Strain::NoTrump, Seat::South, &deal)?;
    let located = database
        .locate(&ending)?
        .ok_or_else(|| database.not_held(&ending))?;
    let answer = located.answer()?;
    println!(
        "{} tricks, for all endings with {}",
        answer.value, answer.set
    );
    assert_eq!(answer.value, 2);

    let position: Position = "H N N:A5.K3.7. KJ.Q6.8. Q4.A2.6. T3.J7.9.".parse()?;
    let tricks = (1..=5).take_while(|&target| {
        let reached = reaches(&database, &position, target);
        reached.is_ok_and(|reached| reached)
    });
    println!("North and South take {} tricks", tricks.count());
    Ok(())
}

fn main() -> anyhow::Result<()> {
    run(std::env::args_os().nth(1))
}
