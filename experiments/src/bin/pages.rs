//! The parts of a mapped level that searches touch, counted in windows of 4, 16 and 64 KiB: the
//! pages that a new process has to load. No clock is read, so layouts of the file can be compared.
//!
//! ```sh
//! cargo run --release --manifest-path experiments/Cargo.toml --bin pages -- DB --deals 20
//! ```
//!
//! Random deals are solved with the database, all 20 results of each, and what its deepest
//! level is asked is asked again with a list of all bytes that are read: of the index, of the
//! head of a block, of nodes, and, at the first question to a diagram, all that its checksum
//! is of.

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Parser;
use setrograde_cards::{Deal, Suit};
use setrograde_lookup::{Database, Level};
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

/// Counts the pages of a mapped level that deals touch.
#[derive(Parser)]
struct Arguments {
    /// The database.
    db: PathBuf,
    /// Random deals to solve, all 20 results of each.
    #[arg(long, value_name = "N", default_value_t = 20)]
    deals: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Writes what is asked to this file: a line for each question, with the deal's number,
    /// the partition's number, the owners of the cards of each suit in the diagram's order,
    /// the leader's first, and the target.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// The bytes of the windows that are counted.
const WINDOWS: [usize; 3] = [4 << 10, 16 << 10, 64 << 10];

/// The kinds of bytes.
const KINDS: [&str; 4] = ["index", "heads of blocks", "nodes", "checked"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let database = Arc::new(Database::open(&arguments.db)?);
    let level = database.max_tricks();
    let asked = Arc::new(Asked {
        level,
        database: Arc::clone(&database),
        questions: Mutex::default(),
    });
    let mut solver = Solver::new(Options {
        endgames: Some(Arc::clone(&asked) as Arc<dyn Endgames>),
        ..Options::default()
    });
    let level = database.level(level).ok_or("an empty database")?;
    let mut trace = arguments
        .trace
        .map(File::create)
        .transpose()?
        .map(BufWriter::new);
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let mut sums = Sums::default();
    for deal in 0..arguments.deals {
        solver.table(&Deal::random(|n| random.usize(..n)))?;
        let questions = std::mem::take(&mut *asked.questions());
        sums.add(level, &questions)?;
        if let Some(trace) = &mut trace {
            write_trace(trace, deal, level, &questions)?;
        }
    }
    sums.print(level, arguments.deals as f64);
    Ok(())
}

/// The pages touched, over all deals.
#[derive(Default)]
struct Sums {
    questions: usize,
    nodes: usize,
    partitions: usize,
    matrices: usize,
    /// By window, of each kind alone, and of all together.
    touched: [[usize; KINDS.len() + 1]; WINDOWS.len()],
    /// Nodes by how far behind the root they lie, in powers of two.
    depths: [usize; 24],
}

impl Sums {
    /// Adds a deal.
    fn add(&mut self, level: &Level, questions: &[(Ending, u8)]) -> Result<(), Box<dyn Error>> {
        let mut touched: [[HashSet<usize>; KINDS.len() + 1]; WINDOWS.len()] = Default::default();
        let mut touch = |kind: usize, bytes: Range<usize>| {
            for (window, of_window) in WINDOWS.iter().zip(&mut touched) {
                let windows = bytes.start / window..bytes.end.div_ceil(*window);
                of_window[kind].extend(windows.clone());
                of_window[KINDS.len()].extend(windows);
            }
        };
        let (mut partitions, mut matrices) = (HashSet::new(), HashSet::new());
        for (ending, target) in questions {
            let canonical = ending.canonical();
            let partition = canonical.partition;
            partitions.insert(partition);
            matrices.insert(partition.relative().matrix);
            let diagram = level.diagram(partition)?;
            let ([index, head, nodes], root) = level.reads(partition)?;
            touch(0, index);
            touch(1, head);
            if !diagram.root().bounds().leave_open(*target) {
                continue;
            }
            touch(3, nodes);
            diagram.decide_visiting(ending, canonical.order, *target, |offset| {
                self.nodes += 1;
                self.depths[(offset + 1).ilog2() as usize % 24] += 1;
                touch(2, root + offset..root + offset + 8);
            });
        }
        self.questions += questions.len();
        self.partitions += partitions.len();
        self.matrices += matrices.len();
        for (sums, touched) in self.touched.iter_mut().zip(touched) {
            for (sum, touched) in sums.iter_mut().zip(touched) {
                *sum += touched.len();
            }
        }
        Ok(())
    }

    fn print(&self, level: &Level, deals: f64) {
        let each = |count: usize| count as f64 / deals;
        println!(
            "{} cards, {} bytes; a deal: {:.0} questions, {:.0} partitions, {:.0} matrices, {:.1} nodes a question",
            4 * level.level(),
            level.header().bytes(),
            each(self.questions),
            each(self.partitions),
            each(self.matrices),
            self.nodes as f64 / self.questions as f64,
        );
        print!("windows a deal");
        KINDS.iter().for_each(|kind| print!(" | {kind}"));
        println!(" | all");
        for (window, sums) in WINDOWS.iter().zip(&self.touched) {
            print!("{:>6} KiB    ", window >> 10);
            sums.iter().for_each(|&sum| print!(" | {:.0}", each(sum)));
            println!();
        }
        print!("nodes less than so many bytes behind the root, %:");
        let mut sum = 0;
        for (depth, count) in self.depths.iter().enumerate() {
            sum += count;
            let share = 100.0 * sum as f64 / self.nodes.max(1) as f64;
            print!(" {}: {share:.0}", (2_usize << depth) - 1);
            if sum == self.nodes {
                break;
            }
        }
        println!();
    }
}

fn write_trace(
    out: &mut impl Write,
    deal: usize,
    level: &Level,
    questions: &[(Ending, u8)],
) -> Result<(), Box<dyn Error>> {
    for (ending, target) in questions {
        let canonical = ending.canonical();
        let number = level.partitions().number(canonical.partition);
        write!(out, "{deal} {number}")?;
        for suit in canonical.order.suits().map(Suit::from_index) {
            let owners = (0..13).map_while(|index| ending.owner(suit, index));
            let hands = owners.map(|seat| seat.distance_from(ending.leader()));
            let hands: Vec<String> = hands.map(|hand| hand.to_string()).collect();
            write!(out, " {}.", hands.concat())?;
        }
        writeln!(out, " {target}")?;
    }
    Ok(())
}

/// A database that notes what its deepest level is asked.
#[derive(Debug)]
struct Asked {
    level: usize,
    database: Arc<Database>,
    questions: Mutex<Vec<(Ending, u8)>>,
}

impl Asked {
    fn questions(&self) -> std::sync::MutexGuard<'_, Vec<(Ending, u8)>> {
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Endgames for Asked {
    fn max_tricks(&self) -> usize {
        self.database.max_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        if ending.level() == self.level {
            self.questions().push((*ending, target));
        }
        self.database.verdict(ending, target)
    }
}
