//! The same questions to this library and to DDS 2.9, with equal answers.
//!
//! Each library lives in its own process, so DDS may crash. Without Debian's `libdds0` the test
//! says so and passes.
//!
//! `cargo test --test differential -- --rounds 15000 --seed 7 --only SolveBoard` asks more than the
//! test does; `--from 14000` leaves out the rounds before. With `DDS_ORDER=1` in the environment
//! equal scores must come in the same order too, which in DDS depends slightly on earlier
//! questions. `docs/libdds.md` describes the known differences.

mod ask;
mod compare;
mod describe;
mod generate;
mod positions;
mod process;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ask::Function;
use process::{Answer, Library};

const REFERENCE: &str = "/usr/lib/x86_64-linux-gnu/libdds.so.0";

fn main() -> ExitCode {
    if let Some(path) = std::env::var_os(process::SERVE) {
        ask::serve(Path::new(&path));
        return ExitCode::SUCCESS;
    }
    let options = Options::read();
    let reference = std::env::var_os("DDS_REFERENCE").map_or(REFERENCE.into(), PathBuf::from);
    if !reference.exists() {
        println!(
            "differential: skipped, no {} (Debian's libdds0)",
            reference.display()
        );
        return ExitCode::SUCCESS;
    }
    let mut reference = Library::start(&reference);
    let mut ours = Library::start(&our_library());
    let mut random = fastrand::Rng::with_seed(options.seed);
    let (mut differences, mut crashes, mut asked) = (0, 0, 0);
    for round in 0..options.rounds {
        for &function in Function::ALL {
            if options
                .only
                .as_ref()
                .is_some_and(|only| *only != format!("{function:?}"))
            {
                continue;
            }
            let question = generate::question(function, &mut random, round);
            if round < options.from {
                continue;
            }
            asked += 1;
            let mine = ours.ask(&question.bytes);
            let theirs = reference.ask(&question.bytes);
            let (Answer::Came(mine_bytes), Answer::Came(their_bytes)) = (&mine, &theirs) else {
                crashes += usize::from(matches!(theirs, Answer::Crashed));
                if matches!(mine, Answer::Crashed) {
                    println!("CRASH of ours: round {round} {}", question.text);
                    differences += 1;
                }
                continue;
            };
            // DDS crashes on two blanks or refuses the hands; this library
            // refuses the text.
            if question.bytes.windows(2).any(|pair| pair == b"  ") {
                continue;
            }
            // Debian's library lacks a function.
            if their_bytes == b"none" {
                continue;
            }
            let (mine, theirs) = (
                compare::compared(&question.bytes, mine_bytes),
                compare::compared(&question.bytes, their_bytes),
            );
            if mine != theirs {
                differences += 1;
                if differences <= options.show {
                    println!(
                        "DIFFERENCE: round {round} {}\n  ours   {mine}\n  theirs {theirs}",
                        question.text
                    );
                }
            }
        }
    }
    println!(
        "differential: {} rounds, {asked} questions, {differences} differences, DDS crashed {crashes} times",
        options.rounds
    );
    if differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

struct Options {
    rounds: usize,
    from: usize,
    seed: u64,
    show: usize,
    only: Option<String>,
}

impl Options {
    fn read() -> Options {
        let mut options = Options {
            rounds: 20,
            from: 0,
            seed: 1,
            show: 20,
            only: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || {
                let value = words.next();
                value.and_then(|value| value.parse().ok()).unwrap_or(1)
            };
            match word.as_str() {
                "--rounds" => options.rounds = number() as usize,
                "--from" => options.from = number() as usize,
                "--seed" => options.seed = number(),
                "--show" => options.show = number() as usize,
                "--only" => options.only = words.next(),
                // The options of the usual test harness.
                _ => {}
            }
        }
        options
    }
}

/// The shared library that Cargo built beside this test.
fn our_library() -> PathBuf {
    if let Some(path) = std::env::var_os("DDS_OURS") {
        return path.into();
    }
    let test = std::env::current_exe().expect("the path of this program");
    let name = format!(
        "{}dds{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    test.with_file_name(name)
}
