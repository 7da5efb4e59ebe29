//! Asks libraries with DDS's C interface what a program asked while it played, in turns,
//! and compares answers and times.

use std::hash::{Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::{Parser, ValueEnum};
use cpu_time::ProcessTime;
use dds::abi::FutureTricks;

use crate::library::{Library, Way};
use crate::recording::Call;
use crate::report::Report;

mod library;
mod recording;
mod report;

/// Asks libraries with DDS's C interface what a program asked while it played.
///
/// Each library is in a process of its own. They are asked in turns, call by call, and
/// their times are set against those of the first. All answers are compared with the
/// recorded ones.
///
/// For example, one call in twenty:
///
///     replay --every 20 2.9=/usr/lib/libdds.so.0 ours=target/release/libdds.so
#[derive(Parser)]
#[command(verbatim_doc_comment)]
struct Arguments {
    /// NAME=LIBRARY[,db=DIR][,by=board|context|batch][,threads=N][,set=NAME:VALUE]: DIR is a
    /// database for setrograde's library, `none` means no database; `by` chooses between
    /// SolveBoardPBN (the usual), a context of DDS 3 kept from call to call, and
    /// SolveAllBoards; `set` sets a variable of the environment. With more than one thread
    /// anywhere all times are elapsed times, otherwise processor time.
    #[arg(required = true, value_name = "LIBRARY")]
    libraries: Vec<Spec>,
    /// The recording; found among Cargo's sources of dds-bridge-sys 3.4.0 unless given.
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Ask about boards instead, lines of STRAIN LEADER PBN TRICKS.
    #[arg(long, value_name = "FILE", conflicts_with = "recording")]
    boards: Option<PathBuf>,
    /// The cards to ask for: 1 for one, 2 for all of the best, 3 for all.
    #[arg(long, value_name = "N", requires = "boards", default_value_t = 1)]
    solutions: i32,
    /// Ask about the leads of deals instead, one by one: what is left after each lead of West,
    /// at no trump and with spades as trumps. FILE has a deal in PBN a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["recording", "boards"])]
    leads: Option<PathBuf>,
    /// Ask every K-th call only.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// The first call to ask, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Calls of this purpose only: bid, lead, play or claimcheck.
    #[arg(long)]
    purpose: Option<String>,
    /// Calls of this trick only.
    #[arg(long)]
    trick: Option<u8>,
    /// Show times by trick, too.
    #[arg(long)]
    tricks: bool,
    /// Print the ratios so far on standard error, every hundred calls.
    #[arg(long)]
    progress: bool,
    /// Answer the calls whose numbers come on the standard input.
    #[arg(long, hide = true)]
    serve: bool,
}

/// A library and how to ask it.
#[derive(Clone)]
struct Spec {
    text: String,
    name: String,
    path: PathBuf,
    db: Option<PathBuf>,
    variables: Vec<(String, String)>,
    way: Way,
    threads: usize,
}

impl FromStr for Spec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Spec> {
        let mut parts = text.split(',');
        let (name, path) = parts
            .next()
            .and_then(|part| part.split_once('='))
            .context("expected NAME=LIBRARY")?;
        let mut spec = Spec {
            text: text.to_owned(),
            name: name.to_owned(),
            path: path.into(),
            db: None,
            variables: Vec::new(),
            way: Way::default(),
            threads: 1,
        };
        for part in parts {
            match part.split_once('=') {
                Some(("db", db)) => spec.db = Some(db.into()),
                Some(("set", variable)) => {
                    let pair = variable
                        .split_once(':')
                        .context("expected set=NAME:VALUE")?;
                    spec.variables.push((pair.0.to_owned(), pair.1.to_owned()));
                }
                Some(("by", way)) => {
                    spec.way = Way::from_str(way, false).map_err(anyhow::Error::msg)?;
                }
                Some(("threads", threads)) => spec.threads = threads.parse()?,
                _ => bail!("expected db=, by=, threads= or set=, not {part:?}"),
            }
        }
        ensure!(spec.threads > 0, "there must be a thread");
        Ok(spec)
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let calls = match (&arguments.boards, &arguments.leads, &arguments.recording) {
        (Some(path), _, _) => recording::boards(path, arguments.solutions)?,
        (_, Some(path), _) => recording::leads(path)?,
        (_, _, Some(path)) => recording::read(path)?,
        _ => recording::read(&recording::fetched()?)?,
    };
    if arguments.serve {
        let done = serve(&arguments.libraries[0], &calls);
        if let Err(error) = &done {
            eprintln!("{error:#}");
        }
        // SAFETY: leaves without running what DDS does at the end, which may crash.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    ensure!(arguments.every > 0, "every 0th call is none");
    let chosen: Vec<usize> = (arguments.offset..calls.len())
        .step_by(arguments.every)
        .filter(|&call| {
            let call = &calls[call];
            arguments
                .purpose
                .as_ref()
                .is_none_or(|purpose| call.purpose == *purpose)
                && arguments.trick.is_none_or(|trick| call.trick == trick)
        })
        .collect();
    ensure!(!chosen.is_empty(), "no call is left to ask");

    let specs = &arguments.libraries;
    let mut workers = specs
        .iter()
        .map(Worker::start)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let elapsed = specs.iter().any(|spec| spec.threads > 1);
    let mut report = Report::new(
        specs.iter().map(|spec| spec.name.clone()).collect(),
        elapsed,
    );
    for (turn, &call) in chosen.iter().enumerate() {
        let mut answers = None;
        for index in 0..workers.len() {
            let who = (index + turn) % workers.len();
            let reply = workers[who].ask(call)?;
            ensure!(
                *answers.get_or_insert(reply.answers) == reply.answers,
                "{} has other answers to call {call}",
                specs[who].name
            );
            report.add(who, &calls[call], reply.seconds(elapsed), &reply);
        }
        if arguments.progress && turn % 100 == 99 {
            eprintln!(
                "{} of {} calls: {}",
                turn + 1,
                chosen.len(),
                report.ratios()
            );
        }
    }
    print!("{}", report.show(arguments.tricks));
    Ok(())
}

/// Answers calls by their numbers until the input ends.
fn serve(spec: &Spec, calls: &[Call]) -> anyhow::Result<()> {
    let library = Library::load(&spec.path, spec.way, spec.threads)?;
    for line in std::io::stdin().lines() {
        let call = calls
            .get(line?.parse::<usize>()?)
            .context("there is no such call")?;
        let prepared = library.prepare(call)?;
        let (processor, clock) = (ProcessTime::now(), Instant::now());
        let found = prepared.ask()?;
        let (processor, clock) = (processor.elapsed(), clock.elapsed());
        let wrong = (0..found.len()).filter(|&board| !call.is_answer(board, &found[board]));
        let nodes: i64 = found.iter().map(|future| i64::from(future.nodes)).sum();
        println!(
            "{} {} {} {nodes} {}",
            processor.as_nanos(),
            clock.as_nanos(),
            wrong.count(),
            hash(&found)
        );
    }
    Ok(())
}

/// A hash of the tricks of the best cards.
fn hash(found: &[FutureTricks]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    for future in found {
        future.score[0].hash(&mut hasher);
    }
    hasher.finish()
}

/// A worker's report of a call.
struct Reply {
    processor: f64,
    elapsed: f64,
    wrong: usize,
    nodes: u64,
    /// A hash of the tricks.
    answers: u64,
}

impl Reply {
    fn seconds(&self, elapsed: bool) -> f64 {
        1e-9 * if elapsed {
            self.elapsed
        } else {
            self.processor
        }
    }
}

/// A process with a library.
struct Worker {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(spec: &Spec) -> anyhow::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        // The same calls, and one library of its own.
        let is_spec = |word: &String| Spec::from_str(word).is_ok();
        command.args(std::env::args().skip(1).filter(|word| !is_spec(word)));
        command.arg("--serve").arg(&spec.text);
        if let Some(db) = &spec.db {
            command.env("SETROGRADE_DB", db);
        }
        command.envs(spec.variables.iter().cloned());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Worker {
            name: spec.name.clone(),
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().context("no output")?),
            child,
        })
    }

    fn ask(&mut self, call: usize) -> anyhow::Result<Reply> {
        writeln!(self.input.as_mut().context("no input")?, "{call}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let numbers: Vec<u64> = line
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [processor, elapsed, wrong, nodes, answers] = numbers[..] else {
            bail!("{} has stopped at call {call}", self.name);
        };
        Ok(Reply {
            processor: processor as f64,
            elapsed: elapsed as f64,
            wrong: wrong as usize,
            nodes,
            answers,
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A worker ends with its input.
        self.input = None;
        let _ = self.child.wait();
    }
}
