//! Times tables of 20 results with different sources of endgame values: none, a database's
//! verdicts, its values with small proofs, and its values with proofs that name all cards.
//!
//! `cargo run --release -p setrograde-solver --example sources [DEALS] [NAME]...`

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use setrograde_cards::Deal;
use setrograde_lookup::{Bytes, Database};
use setrograde_solver::{
    EndgameValues, Endgames, EndgamesError, Ending, Options, SmallProofs, Solver, Verdict,
};

/// The values of a database up to a number of tricks.
#[derive(Debug)]
struct Values(Arc<Database>, usize);

impl EndgameValues for Values {
    fn max_tricks(&self) -> usize {
        self.1
    }

    fn value(&self, ending: &Ending) -> Result<Option<u8>, EndgamesError> {
        self.0.value(ending)
    }
}

/// The same, each as the proof that names all cards.
#[derive(Debug)]
struct AllCards(Values);

impl Endgames for AllCards {
    fn max_tricks(&self) -> usize {
        self.0.max_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        Ok(self.0.value(ending)?.map(|value| Verdict {
            reached: value >= target,
            known: ending.all_cards(),
        }))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().as_deref().unwrap_or("20").parse()?;
    let names: Vec<String> = arguments.collect();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let levels = ["04", "08", "12"]
        .map(|cards| {
            let path = format!("{root}/crates/lookup/data/level-{cards}.map");
            std::fs::read(path).map(Bytes::from)
        })
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let database = Arc::new(Database::from_bytes(levels)?);
    let file = std::fs::read_to_string(format!("{root}/data/deals_100.txt"))?;
    let deals = file
        .lines()
        .take(count)
        .map(|line| line.split('|').next().unwrap_or_default().parse())
        .collect::<Result<Vec<Deal>, _>>()?;
    let values = |tricks| Values(Arc::clone(&database), tricks);
    let sources: [(&str, Option<Arc<dyn Endgames>>); 6] = [
        ("none", None),
        ("verdicts", Some(database.clone())),
        ("small-2", Some(Arc::new(SmallProofs::new(values(2))))),
        ("small-3", Some(Arc::new(SmallProofs::new(values(3))))),
        ("all-2", Some(Arc::new(AllCards(values(2))))),
        ("all-3", Some(Arc::new(AllCards(values(3))))),
    ];
    for (name, endgames) in sources {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let mut solver = Solver::new(Options {
            endgames,
            ..Options::default()
        });
        let begun = Instant::now();
        for deal in &deals {
            solver.table(deal)?;
        }
        let (seconds, nodes) = (begun.elapsed().as_secs_f64(), solver.nodes());
        println!("{name:10} {seconds:7.2} s {nodes:10} nodes");
    }
    Ok(())
}
