//! Looks up the values of the endings in a file, one a line, in one batch.
//!
//! ```text
//! cargo run --release -p setrograde-lookup --example values -- data/golden endings.txt
//! ```

use std::error::Error;
use std::time::Instant;

use setrograde_cards::Position;
use setrograde_lookup::{Database, Ending};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: values DIRECTORY FILE".into());
    };
    let database = Database::open(directory)?;
    let text = std::fs::read_to_string(file)?;
    let mut endings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let ending = |line: &str| -> Result<Ending, Box<dyn Error>> {
            Ok(Ending::from_position(&line.parse::<Position>()?)?)
        };
        endings.push(ending(line).map_err(|error| format!("line {}: {error}", number + 1))?);
    }

    // A batch waits for memory once where single look-ups wait many times.
    let start = Instant::now();
    let values = database.values(&endings)?;
    let time = start.elapsed();
    for (line, value) in text.lines().zip(&values) {
        match value {
            Some(value) => println!("{line}\t{value}"),
            None => println!("{line}\tnot held"),
        }
    }
    eprintln!("{} look-ups in {time:.1?}", values.len());
    Ok(())
}
