//! Measures certificates: their sizes, the times to make and to check them, and whether the checker
//! refuses changed ones.
//!
//! ```text
//! cargo run --profile dist -p setrograde-experiments --bin certificate -- \
//!     [--deals N] [--random N] [--cards N] [--seed SEED] [--changes N] [FILE]
//! ```
//!
//! Times are processor times of one thread.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use cpu_time::ThreadTime;
use fastrand::Rng;
use setrograde_cards::Deal;
use setrograde_check::{Proved, check, read};
use setrograde_prove::certify;
use setrograde_solver::{Options, Solver, TrickTable};

/// Measures certificates.
#[derive(Parser)]
struct Arguments {
    /// Take only the first N deals of the file.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    deals: usize,
    /// Add N random deals.
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: usize,
    /// Cards in each hand of random deals.
    #[arg(long, value_name = "N", default_value_t = 13)]
    cards: usize,
    /// Seed of random deals and changes.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Check each certificate with N changes.
    #[arg(long, value_name = "N", default_value_t = 0)]
    changes: usize,
    /// Deals in PBN, one per line; text after ` | ` is ignored.
    file: Option<PathBuf>,
}

/// The figures of a deal, or their sums.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    lemmas: usize,
    unpacked: usize,
    bytes: usize,
    most_bytes: usize,
    table: Duration,
    certify: Duration,
    check: Duration,
    refused: usize,
    same: usize,
    slowest: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut random = Rng::with_seed(arguments.seed);
    let mut deals = Vec::new();
    if let Some(file) = &arguments.file {
        deals = setrograde_experiments::deals(file)?;
        deals.truncate(arguments.deals);
    }
    for _ in 0..arguments.random {
        deals.push(Deal::random_ending(arguments.cards, |n| random.usize(..n)));
    }
    let mut sum = Figures::default();
    for (nth, deal) in deals.iter().enumerate() {
        let figures = measure(deal, arguments.changes, &mut random)
            .map_err(|error| format!("deal {}, {deal}: {error}", nth + 1))?;
        if deals.len() <= 200 {
            print!("{:4} ", nth + 1);
            figures.print(1);
        }
        sum.add(&figures);
    }
    print!("{} deals, means: ", deals.len());
    sum.print(deals.len().max(1));
    println!(
        "largest {} bytes; changed: {} refused, {} accepted with the same results, slowest {:?}",
        sum.most_bytes, sum.refused, sum.same, sum.slowest
    );
    Ok(())
}

fn measure(deal: &Deal, changes: usize, random: &mut Rng) -> Result<Figures, Box<dyn Error>> {
    let start = ThreadTime::now();
    let table = Solver::new(Options::default()).table(deal)?;
    let solved = start.elapsed();
    let start = ThreadTime::now();
    let (_, file) = certify(deal, 1, &Options::default())?;
    let certified = start.elapsed();
    let start = ThreadTime::now();
    let bytes = read(&mut &file[..])?.ok_or("the file is empty")?;
    let proved = check(&bytes)?;
    let checked = start.elapsed();
    if !proves(&proved, deal, &table)? {
        return Err("the certificate proves another table".into());
    }
    let mut figures = Figures {
        lemmas: proved.lemmas,
        unpacked: bytes.len(),
        bytes: file.len(),
        most_bytes: file.len(),
        table: solved,
        certify: certified,
        check: checked,
        ..Figures::default()
    };
    for _ in 0..changes {
        let changed = change(&bytes, proved.lemmas, random);
        let start = ThreadTime::now();
        let answer = check(&changed);
        figures.slowest = figures.slowest.max(start.elapsed());
        match answer {
            Err(_) => figures.refused += 1,
            Ok(proved) => {
                let other: Deal = proved.deal.parse()?;
                let table = if other == *deal {
                    table
                } else {
                    Solver::new(Options::default()).table(&other)?
                };
                if !proves(&proved, &other, &table)? {
                    return Err(format!("{proved}is accepted").into());
                }
                figures.same += 1;
            }
        }
    }
    Ok(figures)
}

fn proves(proved: &Proved, deal: &Deal, table: &TrickTable) -> Result<bool, Box<dyn Error>> {
    // A change may also leave out a result.
    let mut results = table.results().zip(proved.results);
    let same = results.all(|((_, _, tricks), stated)| stated.is_none_or(|stated| stated == tricks));
    Ok(same && proved.deal.parse::<Deal>()? == *deal)
}

/// Returns a certificate with one change: a bit, a byte, a lemma, more known cards or fewer, another
/// move, another result, or two cards exchanged.
fn change(bytes: &[u8], lemmas: usize, random: &mut Rng) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let lines = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::len);
    let ends: Vec<usize> = lines
        .take(3)
        .scan(0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect();
    let (deal, results, moves) = (ends[0] + 2, ends[1], ends[2]);
    let tops = bytes.len() - 2 * lemmas;
    let within =
        |random: &mut Rng, start: usize, end: usize| random.usize(start..end.max(start + 1));
    match random.u8(..8) {
        0 => {
            let bit = random.usize(..8 * bytes.len());
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        1 => {
            changed.remove(random.usize(..bytes.len()));
        }
        2 if lemmas > 0 => {
            let at = tops + 2 * random.usize(..lemmas);
            changed.drain(at..at + 2);
        }
        kind @ (3 | 4) if lemmas > 0 => {
            let at = within(random, tops, bytes.len());
            let step: u8 = if random.bool() { 1 } else { 16 };
            let step = if kind == 3 { step.wrapping_neg() } else { step };
            changed[at] = changed[at].wrapping_add(step);
        }
        5 if moves < tops => {
            let at = within(random, moves, tops);
            changed[at] = random.u8(..4);
        }
        6 => {
            let text = String::from_utf8_lossy(&bytes[results..moves - 1]).into_owned();
            let mut numbers: Vec<u8> = text.split(' ').flat_map(str::parse).collect();
            let at = random.usize(..numbers.len());
            numbers[at] = if random.bool() {
                numbers[at] + 1
            } else {
                numbers[at].wrapping_sub(1)
            };
            let numbers: Vec<_> = numbers.iter().map(u8::to_string).collect();
            changed.splice(results..moves - 1, numbers.join(" ").bytes());
        }
        _ => {
            let (a, b) = (within(random, deal, results), within(random, deal, results));
            changed.swap(a, b);
        }
    }
    changed
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.lemmas += other.lemmas;
        self.unpacked += other.unpacked;
        self.bytes += other.bytes;
        self.most_bytes = self.most_bytes.max(other.most_bytes);
        self.table += other.table;
        self.certify += other.certify;
        self.check += other.check;
        self.refused += other.refused;
        self.same += other.same;
        self.slowest = self.slowest.max(other.slowest);
    }

    fn print(&self, deals: usize) {
        let table = self.table.as_secs_f64();
        println!(
            "{} lemmas, {} bytes, {} compressed; table {:.3} s, making {:.2} more, checking {:.3}",
            self.lemmas / deals,
            self.unpacked / deals,
            self.bytes / deals,
            table / deals as f64,
            self.certify.as_secs_f64() / table - 1.0,
            self.check.as_secs_f64() / table,
        );
    }
}
