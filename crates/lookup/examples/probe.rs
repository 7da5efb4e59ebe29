//! Looks up one ending: its value, the endings that share it, and whether a
//! target is reached.
//!
//! ```text
//! cargo run --release -p setrograde-lookup --example probe -- \
//!     data/golden 'NT W N:A.2.. K..A. .AK.. Q..K.'
//! ```

use std::error::Error;

use setrograde_cards::Position;
use setrograde_lookup::{Bounds, Database, Ending};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(position)) = (arguments.next(), arguments.next()) else {
        return Err("usage: probe DIRECTORY 'STRAIN LEADER DEAL'".into());
    };
    let database = Database::open(directory)?;
    let position: Position = position.parse()?;
    let ending = Ending::from_position(&position)?;

    // One look-up serves all questions about the ending.
    let located = database
        .locate(&ending)?
        .ok_or("the database does not hold it")?;
    let answer = located.answer()?;
    let wide = located.widen(&answer.set, Bounds::exactly(answer.value));
    println!("{} tricks for {}'s side", answer.value, ending.leader());
    println!("found with the owners    {}", answer.set);
    println!("proved by no more than   {wide}");
    for target in 1..=ending.level() as u8 {
        let verdict = located.decide(target)?;
        println!(
            "{target} or more: {}, by the top {:?} cards of the suits",
            if verdict.reached { "yes" } else { "no" },
            verdict.known
        );
    }
    Ok(())
}
