//! The value of coarse levels: tables of deals with several databases.
//!
//! Each deal is solved with each database in turn, so all are affected equally by load on the
//! machine. The minimum of several rounds counts. Prints, for each database, the nodes and the time
//! of a table, both as a part of the first database's, and for each of its levels the questions
//! that a table asked it and the share that it decided. All tables must be equal.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_cards::Deal;
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

#[derive(Parser)]
struct Arguments {
    /// Deals, one a line: a PBN deal, and perhaps more after a bar.
    deals: PathBuf,
    /// Directories of databases; the first is the measure.
    databases: Vec<PathBuf>,
    /// Only this number of deals.
    #[arg(long, default_value_t = usize::MAX)]
    take: usize,
    /// The first ones are left out.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// Counts the questions to each level.
#[derive(Debug)]
struct Counted {
    database: Arc<Database>,
    asked: [AtomicU64; 14],
    decided: [AtomicU64; 14],
}

impl Endgames for Counted {
    fn max_tricks(&self) -> usize {
        Endgames::max_tricks(&*self.database)
    }

    fn exact_tricks(&self) -> usize {
        self.database.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let verdict = self.database.verdict(ending, target)?;
        self.asked[ending.level()].fetch_add(1, Ordering::Relaxed);
        let decided = u64::from(verdict.is_some());
        self.decided[ending.level()].fetch_add(decided, Ordering::Relaxed);
        Ok(verdict)
    }
}

fn solver(endgames: Arc<dyn Endgames>) -> Solver {
    Solver::new(Options {
        endgames: Some(endgames),
        ..Options::default()
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let deals = setrograde_experiments::deals(&arguments.deals)?.into_iter();
    let deals: Vec<Deal> = deals.skip(arguments.skip).take(arguments.take).collect();
    let databases: Vec<Arc<Database>> = arguments
        .databases
        .iter()
        .map(Database::open)
        .map(|database| database.map(Arc::new))
        .collect::<Result<_, _>>()?;
    let counted: Vec<Arc<Counted>> = databases
        .iter()
        .map(|database| {
            Arc::new(Counted {
                database: Arc::clone(database),
                asked: Default::default(),
                decided: Default::default(),
            })
        })
        .collect();
    let mut nodes = vec![vec![0; deals.len()]; databases.len()];
    let mut times = vec![vec![f64::MAX; deals.len()]; databases.len()];
    for (number, deal) in deals.iter().enumerate() {
        let mut first = None;
        for (which, counted) in counted.iter().enumerate() {
            // Warms the pages up, too.
            let mut counting = solver(Arc::clone(counted) as _);
            let table = counting.table(deal)?;
            nodes[which][number] = counting.nodes();
            assert_eq!(*first.get_or_insert(table), table, "deal {number}");
        }
        for _ in 0..arguments.rounds {
            for (which, database) in databases.iter().enumerate() {
                let mut timed = solver(Arc::clone(database) as _);
                let start = ThreadTime::now();
                let table = timed.table(deal)?;
                let time = start.elapsed().as_secs_f64();
                times[which][number] = time.min(times[which][number]);
                assert_eq!(first, Some(table), "deal {number}");
            }
        }
    }
    println!("{} deals, all tables equal", deals.len());
    let per_deal = |sum: f64| sum / deals.len() as f64;
    for (which, counted) in counted.iter().enumerate() {
        let sum = |of: &[u64]| of.iter().sum::<u64>() as f64;
        let time = |which: usize| times[which].iter().sum::<f64>();
        let ratios = times[which]
            .iter()
            .zip(&times[0])
            .map(|(a, b)| (a / b).ln());
        println!(
            "{}: {:.0} nodes ({:.3}), {:.2} ms ({:.3}, geometric mean {:.3})",
            counted.database.extent(),
            per_deal(sum(&nodes[which])),
            sum(&nodes[which]) / sum(&nodes[0]),
            1e3 * per_deal(time(which)),
            time(which) / time(0),
            per_deal(ratios.sum()).exp(),
        );
        for level in 5..14 {
            let [asked, decided] = [&counted.asked, &counted.decided]
                .map(|counts| counts[level].load(Ordering::Relaxed) as f64);
            if asked > 0.0 {
                println!(
                    "  {} cards: {:.0} questions, {:.1} % decided",
                    4 * level,
                    per_deal(asked),
                    100.0 * decided / asked,
                );
            }
        }
    }
    Ok(())
}
