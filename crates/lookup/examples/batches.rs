//! Times look-ups of random endings, one by one and in batches.
//!
//! `cargo run --release -p setrograde-lookup --example batches DIRECTORY [COUNT]`

use std::error::Error;
use std::time::Instant;

use setrograde_lookup::cards::{Deal, Seat, Strain};
use setrograde_lookup::{Database, Ending};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("name the directory of a database")?;
    let count: usize = arguments.next().as_deref().unwrap_or("200000").parse()?;
    let database = Database::open(directory)?;
    for level in 1..=database.max_tricks() {
        let mut rng = fastrand::Rng::with_seed(1);
        let endings = (0..count)
            .map(|_| {
                let deal = Deal::random_ending(level, |n| rng.usize(..n));
                let leader = Seat::from_index(rng.usize(..4));
                Ending::from_deal(Strain::ALL[rng.usize(..5)], leader, &deal)
            })
            .collect::<Result<Vec<_>, _>>()?;
        // The second round finds its pages in memory.
        for round in 0..2 {
            let nanoseconds = |begun: Instant| begun.elapsed().as_nanos() as f64 / count as f64;
            let begun = Instant::now();
            let mut single = Vec::with_capacity(count);
            for ending in &endings {
                let located = database.locate(ending)?;
                single.push(located.map(|located| located.value()).transpose()?);
            }
            let one = nanoseconds(begun);
            let begun = Instant::now();
            let many = database.values(&endings)?;
            let batch = nanoseconds(begun);
            assert_eq!(single, many);
            let begun = Instant::now();
            for (ending, value) in endings.iter().zip(&many) {
                let target = value.unwrap_or_default().max(1);
                database.decide(ending, target)?;
            }
            let decide = nanoseconds(begun);
            if round == 1 {
                println!(
                    "{:2} cards: value {one:5.0} ns, in a batch {batch:5.0}, decide {decide:5.0}",
                    4 * level
                );
            }
        }
    }
    Ok(())
}
