//! The bench signature: the builder's output and the solver's nodes, as one text. A change that
//! claims to change no behaviour leaves it as it is; `data/signature.txt` holds the expected text.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use setrograde_builder::{Build, DEEPEST, Method, Silent, Stop};
use setrograde_lookup::Database;
use setrograde_solver::{Options, Solver};

/// The signature of the levels up to `cards` and of the solver.
pub fn signature(cards: usize) -> String {
    let mut text = String::new();
    for method in [Method::Refine, Method::Setrograde] {
        levels(method, cards, &mut text);
    }
    solver(&mut text);
    text
}

/// For each level its sets, its nodes and a hash of its content.
fn levels(method: Method, cards: usize, text: &mut String) {
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), method, cards);
    let database = Database::open(directory.path()).expect("it opens");
    for level in &database.manifest().levels {
        writeln!(
            text,
            "{} {} cards: {} sets {} nodes {:016x}",
            level.method,
            4 * level.level,
            level.sets,
            level.nodes,
            level.content,
        )
        .expect("room");
    }
}

/// The nodes of full deals and of endings, without a database and with one of
/// 12 cards.
fn solver(text: &mut String) {
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), Method::Refine, 12);
    let database = Arc::new(Database::open(directory.path()).expect("it opens"));
    for (file, lines) in [
        ("deals_100", 10),
        ("hard_deals", 3),
        ("endings_16", 20),
        ("endings_20", 20),
        ("endings_24", 20),
        ("endings_28", 20),
        ("endings_32", 20),
    ] {
        let path = format!("{}/data/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let content = std::fs::read_to_string(&path).expect(&path);
        let nodes = |options: Options| {
            let mut solver = Solver::new(options);
            for line in content.lines().take(lines) {
                answer(&mut solver, line);
            }
            solver.nodes()
        };
        let alone = nodes(Options::default());
        let with_database = nodes(Options {
            endgames: Some(database.clone()),
            ..Options::default()
        });
        writeln!(
            text,
            "solve {file}, first {lines}: {alone} nodes, {with_database} with 12 cards"
        )
        .expect("room");
    }
}

/// Solves a line of a file of reference answers, and compares.
fn answer(solver: &mut Solver, line: &str) {
    let (found, expected) = if let Some((deal, tricks)) = line.split_once(" | ") {
        let table = solver.table(&deal.parse().expect(line)).expect(line);
        (table.to_string(), tricks)
    } else {
        let (position, tricks) = line.rsplit_once(' ').expect(line);
        let found = solver.tricks(&position.parse().expect(line)).expect(line);
        (found.to_string(), tricks)
    };
    assert_eq!(found, expected, "{line}");
}

fn build(directory: &Path, method: Method, cards: usize) {
    let build = Build {
        methods: [method; DEEPEST + 1],
        ..Build::new(directory, cards)
    };
    build.run(&Silent, &Stop::default()).expect("it builds");
}
