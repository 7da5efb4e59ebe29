//! Mutates its own inputs, on any compiler, and counts.
//!
//! `cargo run --profile fuzz -p setrograde-fuzz -- --inputs 10000000`
//! shares the inputs among all targets; `--target level --inputs 20000` takes
//! one. Fails at the first input that panics, takes more than a second of
//! processor time (50 ms where something is only read), or more than 256 MB; the
//! input is written to a file, and `--replay FILE --target NAME` runs it again.
//! Inputs depend on `--seed` and the number of threads alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use setrograde_fuzz::meter::{Cost, Counting, measure};
use setrograde_fuzz::targets::{self, level::SEEN};
use setrograde_fuzz::{TARGETS, Target};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const TIME_LIMIT: Duration = Duration::from_secs(1);
/// Texts and JSON are only read, or the answer ends early.
const TIME_LIMIT_OF_READING: Duration = Duration::from_millis(50);
/// One suit with many cards out takes longer, here where everything is checked.
const TIME_LIMIT_OF_QUESTIONS: Duration = Duration::from_secs(2);
const MEMORY_LIMIT: usize = 256 << 20;

/// Inputs that a thread keeps to mutate further, in addition to the seeds.
const POOL: usize = 64;

#[derive(Parser)]
struct Arguments {
    /// Number of inputs to try.
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// The target; all of them if left out.
    #[arg(long)]
    target: Option<String>,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Multiplies the limits of time, for a build without optimization.
    #[arg(long, default_value_t = 1)]
    slower: u32,
    /// Runs the input in this file.
    #[arg(long, requires = "target")]
    replay: Option<PathBuf>,
}

/// Runs an input; returns the fault, if any. A slow one runs again: on a busy machine the same work
/// takes more processor time.
fn try_input(target: &Target, input: &[u8], slower: u32) -> Result<Cost, String> {
    let mut tried = try_once(target, input)?;
    for _ in 0..4 {
        if tried.time <= limit(target) * slower {
            return Ok(tried);
        }
        tried = try_once(target, input)?;
    }
    Err(format!("it takes {:?}", tried.time))
}

fn limit(target: &Target) -> Duration {
    match target.name {
        "questions" => TIME_LIMIT_OF_QUESTIONS,
        "text" | "desk" => TIME_LIMIT_OF_READING,
        _ => TIME_LIMIT,
    }
}

fn try_once(target: &Target, input: &[u8]) -> Result<Cost, String> {
    let mut outcome = Ok(());
    let cost = measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    });
    if outcome.is_err() {
        return Err("it panics".to_owned());
    }
    if cost.memory > MEMORY_LIMIT {
        return Err(format!("it takes {} bytes", cost.memory));
    }
    Ok(cost)
}

/// Maximum time and memory of the inputs of a target.
#[derive(Default)]
struct Worst {
    memory: AtomicU64,
    microseconds: AtomicU64,
}

fn run(target: &Target, inputs: u64, arguments: &Arguments) -> Result<(), String> {
    let seeds = (target.seeds)();
    for seed in &seeds {
        try_input(target, seed, arguments.slower)
            .map_err(|problem| format!("{}: a seed: {problem}", target.name))?;
    }
    let start = Instant::now();
    let failure = Mutex::new(None);
    let stop = AtomicBool::new(false);
    let worst = Worst::default();
    std::thread::scope(|scope| {
        for thread in 0..arguments.threads {
            let share = inputs / arguments.threads + u64::from(thread < inputs % arguments.threads);
            let (seeds, failure, stop, worst) = (&seeds, &failure, &stop, &worst);
            let mut rng = fastrand::Rng::with_seed(arguments.seed << 32 | thread);
            scope.spawn(move || {
                let mut pool = seeds.clone();
                for _ in 0..share {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let mut input = pool[rng.usize(..pool.len())].clone();
                    let other = &seeds[rng.usize(..seeds.len())];
                    target.changes.mutate(&mut input, other, &mut rng);
                    match try_input(target, &input, arguments.slower) {
                        Ok(cost) => {
                            let (memory, time) = (cost.memory as u64, cost.time.as_micros() as u64);
                            worst.memory.fetch_max(memory, Ordering::Relaxed);
                            worst.microseconds.fetch_max(time, Ordering::Relaxed);
                        }
                        Err(problem) => {
                            stop.store(true, Ordering::Relaxed);
                            *failure.lock().expect("a lock") = Some((problem, input));
                            return;
                        }
                    }
                    if target.changes.add_up() && rng.u32(..16) == 0 && input.len() < 1 << 16 {
                        if pool.len() < seeds.len() + POOL {
                            pool.push(input);
                        } else {
                            pool[seeds.len() + rng.usize(..POOL)] = input;
                        }
                    }
                }
            });
        }
    });
    if let Some((problem, input)) = failure.into_inner().expect("a lock") {
        let path = format!("failed-{}.input", target.name);
        std::fs::write(&path, input).map_err(|error| error.to_string())?;
        let name = target.name;
        return Err(format!("{name}: {problem}; the input is in {path}"));
    }
    println!(
        "{:9} {inputs:9} inputs, at most {:6.1} MB and {:4} ms; {:.0} s",
        target.name,
        worst.memory.into_inner() as f64 / 1e6,
        worst.microseconds.into_inner() / 1000,
        start.elapsed().as_secs_f64()
    );
    let answered = targets::ANSWERED.swap(0, Ordering::Relaxed);
    if answered > 0 {
        println!("          {answered} had an answer");
    }
    if target.name == "level" {
        let seen = |count: &AtomicU64| count.load(Ordering::Relaxed);
        println!(
            "          {} levels: {} refused, {} harmless, {} wrong and found by verify; \
             {} answers, {} errors",
            seen(&SEEN.levels),
            seen(&SEEN.refused),
            seen(&SEEN.silent),
            seen(&SEEN.wrong),
            seen(&SEEN.answers),
            seen(&SEEN.errors),
        );
    }
    Ok(())
}

/// The inputs of a target whose share comes to fewer.
const FEWEST: u64 = 4;

fn fuzz(arguments: &Arguments) -> Result<(), String> {
    let named = |target: &&Target| arguments.target.as_deref().is_none_or(|n| n == target.name);
    let targets: Vec<&Target> = TARGETS.iter().filter(named).collect();
    if targets.is_empty() {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        return Err(format!("no such target; there are {}", names.join(" ")));
    }
    if let Some(path) = &arguments.replay {
        let input = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let cost = try_input(targets[0], &input, arguments.slower)?;
        println!("{:?}, {} bytes", cost.time, cost.memory);
        return Ok(());
    }
    let shares: u64 = targets.iter().map(|target| u64::from(target.share)).sum();
    for target in targets {
        let inputs = arguments.inputs * u64::from(target.share) / shares;
        run(target, inputs.max(FEWEST), arguments)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match fuzz(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("mutate: {problem}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few inputs for every target. The limits of time are for optimized programs.
    #[test]
    fn no_target_has_a_fault() {
        let arguments = ["mutate", "--inputs", "2000", "--slower", "10"];
        fuzz(&Arguments::parse_from(arguments)).expect("no fault");
    }
}
