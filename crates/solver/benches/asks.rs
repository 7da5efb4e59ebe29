//! The time of the search's questions to an endgame database, by cards left.
//!
//! `SETROGRADE_DB=DIR cargo bench -p setrograde-solver --bench asks -- FILE [DEALS]` finds the
//! tables of the first deals of FILE, such as `data/deals_100.txt`, and records every question. It
//! prints the questions, how many of them the database decides, the time of each as the search
//! asked it, and the time of each when all are asked again in that order, by itself.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use setrograde_cards::Deal;
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

/// Rounds of asking everything again; the fastest counts.
const ROUNDS: usize = 5;

/// The questions about endings of one size.
#[derive(Debug, Default, Clone)]
struct Asked {
    questions: Vec<(Ending, u8)>,
    decided: usize,
    took: Duration,
}

/// A database that records its questions.
#[derive(Debug)]
struct Recorded {
    database: Database,
    asked: Mutex<[Asked; 14]>,
}

impl Endgames for Recorded {
    fn max_tricks(&self) -> usize {
        // The database's own method leaves out coarse levels.
        Endgames::max_tricks(&self.database)
    }

    fn exact_tricks(&self) -> usize {
        self.database.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let begun = Instant::now();
        let verdict = self.database.decide(ending, target)?;
        let took = begun.elapsed();
        let mut asked = self.asked.lock().expect("no other thread");
        let asked = &mut asked[ending.level()];
        asked.questions.push((*ending, target));
        asked.decided += usize::from(verdict.is_some());
        asked.took += took;
        Ok(verdict)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let directory = std::env::var_os("SETROGRADE_DB").ok_or("SETROGRADE_DB: no directory")?;
    let file = arguments.first().ok_or("FILE is missing")?;
    let deals = arguments.get(1).map_or(Ok(20), |deals| deals.parse())?;
    let recorded = Arc::new(Recorded {
        database: Database::open(directory)?,
        asked: Mutex::default(),
    });
    let mut solver = Solver::new(Options {
        endgames: Some(recorded.clone()),
        ..Options::default()
    });
    let text = std::fs::read_to_string(file)?;
    for line in text.lines().take(deals) {
        let deal: Deal = line.split(" | ").next().unwrap_or(line).parse()?;
        solver.table(&deal)?;
    }
    // The time of a reading of the clock.
    let begun = Instant::now();
    let clock = (0..10_000).fold(begun, |_, _| Instant::now()) - begun;
    let clock = clock.as_secs_f64() / 1e4;
    println!("cards\tquestions\tdecided\tns in the search\tns asked again");
    let asked = recorded.asked.lock().expect("no other thread");
    for (level, asked) in asked.iter().enumerate() {
        let questions = asked.questions.len();
        if questions == 0 {
            continue;
        }
        let mut again = Duration::MAX;
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            for (ending, target) in &asked.questions {
                std::hint::black_box(recorded.database.decide(ending, *target)?);
            }
            again = again.min(begun.elapsed());
        }
        let each = |time: f64| 1e9 * time / questions as f64;
        println!(
            "{}\t{questions}\t{:.3}\t{:.0}\t{:.0}",
            4 * level,
            asked.decided as f64 / questions as f64,
            each(asked.took.as_secs_f64()) - 1e9 * clock,
            each(again.as_secs_f64()),
        );
    }
    Ok(())
}
