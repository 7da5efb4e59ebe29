//! The value of coarse levels: tables of deals with several databases.
//!
//! Each deal is solved with each database in turn, so all are affected equally by load on the
//! machine. The minimum of several rounds counts. Prints, for each database, the nodes and the time
//! of a table, both as a part of the first database's, and for each of its levels the questions
//! that a table asked it and the share that it decided. All tables must be equal.

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Also measures what the questions to the coarse levels of the last database cost: its answers
    /// are thrown away, and the tables are compared with those for which it is not asked.
    #[arg(long)]
    ignore: bool,
    /// Also counts the cache lines that the questions to the largest level of the last database
    /// read. Counts do not depend on the load of the machine.
    #[arg(long)]
    lines: bool,
}

/// A database whose coarse levels answer nothing: asked, or not even asked.
#[derive(Debug)]
struct Ignored {
    database: Arc<Database>,
    is_asked: bool,
    asked: AtomicU64,
}

impl Endgames for Ignored {
    fn max_tricks(&self) -> usize {
        Endgames::max_tricks(&*self.database)
    }

    fn exact_tricks(&self) -> usize {
        self.database.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        if ending.level() <= self.database.exact_tricks() {
            return self.database.verdict(ending, target);
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.is_asked {
            std::hint::black_box(self.database.verdict(ending, target)?);
        }
        Ok(None)
    }
}

/// Prints the price of a question to the coarse levels of a database.
fn price(database: &Arc<Database>, deals: &[Deal], rounds: usize) -> Result<(), Box<dyn Error>> {
    let mut times = [0.0; 2];
    let (mut nodes, mut questions) = (0, 0);
    for deal in deals {
        let mut best = [f64::MAX; 2];
        let mut first = None;
        // The first round warms the pages up.
        for round in 0..=rounds {
            for is_asked in [false, true] {
                let ignored = Arc::new(Ignored {
                    database: Arc::clone(database),
                    is_asked,
                    asked: AtomicU64::new(0),
                });
                let mut timed = solver(Arc::clone(&ignored) as _);
                let start = ThreadTime::now();
                let table = timed.table(deal)?;
                let time = start.elapsed().as_secs_f64();
                let asked = ignored.asked.load(Ordering::Relaxed);
                let found = (table, timed.nodes(), asked);
                assert_eq!(*first.get_or_insert(found), found, "the same search");
                if round > 0 {
                    let best = &mut best[usize::from(is_asked)];
                    *best = best.min(time);
                }
            }
        }
        let (_, of_deal, asked) = first.expect("a round");
        nodes += of_deal;
        questions += asked;
        times = [times[0] + best[0], times[1] + best[1]];
    }
    let per_deal = |sum: f64| sum / deals.len() as f64;
    println!(
        "{}, coarse levels asked and ignored: {:.0} nodes, {:.0} questions, {:.2} ms instead of {:.2} \
         ms ({:.3}): {:.0} ns a question",
        database.extent(),
        per_deal(nodes as f64),
        per_deal(questions as f64),
        1e3 * per_deal(times[1]),
        1e3 * per_deal(times[0]),
        times[1] / times[0],
        1e9 * (times[1] - times[0]) / questions as f64,
    );
    Ok(())
}

/// Records the questions to the largest level.
#[derive(Debug)]
struct Recorded {
    database: Arc<Database>,
    asked: Mutex<Vec<(Ending, u8)>>,
}

impl Endgames for Recorded {
    fn max_tricks(&self) -> usize {
        Endgames::max_tricks(&*self.database)
    }

    fn exact_tricks(&self) -> usize {
        self.database.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        if ending.level() == Endgames::max_tricks(&*self.database) {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.push((*ending, target));
        }
        self.database.verdict(ending, target)
    }
}

/// Number of recent diagrams of a thread, as in `setrograde_lookup`.
const RECENT: usize = 1 << 13;
/// Bytes of a cache line.
const LINE: usize = 64;

/// Prints how far the questions to the largest level of a database read.
fn cache_lines(database: &Arc<Database>, deals: &[Deal]) -> Result<(), Box<dyn Error>> {
    let tricks = Endgames::max_tricks(&**database);
    let level = database.level(tricks).ok_or("no level")?;
    let (mut questions, mut recent, mut by_bounds, mut short_blocks) = (0, 0, 0, 0);
    let (mut walks, mut nodes, mut walked_lines) = (0, 0, 0);
    for deal in deals {
        let recorded = Arc::new(Recorded {
            database: Arc::clone(database),
            asked: Mutex::default(),
        });
        solver(Arc::clone(&recorded) as _).table(deal)?;
        let mut last = vec![None; RECENT];
        let asked = recorded.asked.lock().map_err(|_| "a panic")?;
        for (ending, target) in asked.iter() {
            questions += 1;
            let key = ending.lengths_and_turn();
            let mixed = (key.0 ^ u64::from(key.1) << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let slot = &mut last[mixed as usize >> (64 - RECENT.ilog2())];
            if slot.replace(key) == Some(key) {
                recent += 1;
                continue;
            }
            let canonical = ending.canonical();
            // A coarse level knows nothing about some matrices.
            let Ok(([_, head, of_nodes], root)) = level.reads(canonical.partition) else {
                continue;
            };
            let diagram = level.diagram(canonical.partition)?;
            if !diagram.root().bounds().leave_open(*target) {
                by_bounds += 1;
                continue;
            }
            let mut lines = HashSet::new();
            diagram.decide_visiting(ending, canonical.order, *target, |offset| {
                nodes += 1;
                lines.insert((root + offset) / LINE);
            });
            walks += 1;
            walked_lines += lines.len();
            short_blocks += u32::from(of_nodes.end - head.start <= 3 * LINE);
        }
    }
    println!(
        "{} cards: {questions} questions, {recent} to recent diagrams, {by_bounds} others decided by \
         a root's bounds, {walks} by walks of {:.2} nodes in {:.2} cache lines; {short_blocks} of \
         these end within three lines of the block",
        4 * tricks,
        nodes as f64 / walks as f64,
        walked_lines as f64 / walks as f64,
    );
    Ok(())
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
    let text = std::fs::read_to_string(&arguments.deals)?;
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .skip(arguments.skip)
        .take(arguments.take);
    let deals: Vec<Deal> = lines
        .map(|line| line.split('|').next().unwrap_or_default().trim().parse())
        .collect::<Result<_, _>>()?;
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
    let last = databases.last();
    if let Some(database) = last.filter(|_| arguments.ignore) {
        price(database, &deals, arguments.rounds)?;
    }
    if let Some(database) = last.filter(|_| arguments.lines) {
        cache_lines(database, &deals)?;
    }
    Ok(())
}
