//! A database with a level of hostile streams and sound checksums.
//!
//! Inputs are those of [`codecs`](super::codecs). Whatever the streams say, all
//! who ask must get a value or an error, and the same value. A stored value
//! that is simply another number cannot be distinguished from a right one without a
//! proof; so wherever an answer differs from plain minimax, `verify` must
//! refuse the database.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use fastrand::Rng;
use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::{Database, Ending, EndingSet};
use setrograde_solver::{Options, Solver};
use setrograde_verify::Verify;

use super::codecs::Parts;
use crate::golden::{CARDS, GOLDEN, level_file, scratch, write_database};

/// Positions of each level that are asked about.
const POSITIONS: usize = 400;

/// Counts of the inputs so far.
pub static SEEN: Seen = Seen {
    levels: AtomicU64::new(0),
    refused: AtomicU64::new(0),
    silent: AtomicU64::new(0),
    wrong: AtomicU64::new(0),
    answers: AtomicU64::new(0),
    errors: AtomicU64::new(0),
};

/// Counts of hostile levels.
pub struct Seen {
    /// All.
    pub levels: AtomicU64,
    /// Refused by opening them or by the first question.
    pub refused: AtomicU64,
    /// Of which every answer was given and right.
    pub silent: AtomicU64,
    /// With a wrong answer, found by `verify`.
    pub wrong: AtomicU64,
    /// Questions answered.
    pub answers: AtomicU64,
    /// Questions that got an error.
    pub errors: AtomicU64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// A question and its right answer.
struct Question {
    position: Position,
    ending: Ending,
    value: u8,
}

/// Questions of 4 and of 8 cards.
static QUESTIONS: LazyLock<[Vec<Question>; 2]> = LazyLock::new(|| {
    let mut rng = Rng::with_seed(8);
    [1, 2].map(|level| (0..POSITIONS).map(|_| question(level, &mut rng)).collect())
});

fn question(level: usize, rng: &mut Rng) -> Question {
    // Cards close together make more different partitions than random ones.
    let deal = Deal::random_ending(level, |n| rng.usize(..n));
    let strain = Strain::ALL[rng.usize(..5)];
    let leader = Seat::from_index(rng.usize(..4));
    let position = Position::new(strain, leader, deal, &[]).expect("a position");
    Question {
        ending: Ending::from_position(&position).expect("an ending"),
        value: minimax(&position, leader),
        position,
    }
}

/// The tricks of the side of `seat`, by trying everything.
fn minimax(position: &Position, seat: Seat) -> u8 {
    let maximizes = position.to_play().side() == seat.side();
    let values = position.legal_cards().map(|card| {
        let next = position.play(card).expect("a legal card");
        let won = next.is_trick_boundary() && next.leader().side() == seat.side();
        u8::from(won) + minimax(&next, seat)
    });
    let best = if maximizes {
        values.max()
    } else {
        values.min()
    };
    best.unwrap_or(0)
}

pub fn run(input: &[u8]) {
    let Some(parts) = Parts::read(input) else {
        return;
    };
    let golden = &GOLDEN[parts.kind];
    let level = &golden.levels[parts.level - 1];
    let mut streams = level.streams.clone();
    streams[0] = parts.streams;
    let mut nodes: Vec<u32> = level.entries.iter().map(|entry| entry.nodes).collect();
    nodes[0] = parts.nodes;
    let file = level_file(level.header, &streams, &nodes);
    let directory = scratch();
    write_database(golden, parts.level, &file, directory.path());
    count(&SEEN.levels);
    let Ok(database) = Database::open(directory.path()) else {
        return count(&SEEN.refused);
    };
    let Asked { answers, is_wrong } = questioned(database, parts.level);
    let errors = POSITIONS - answers;
    SEEN.answers.fetch_add(answers as u64, Ordering::Relaxed);
    SEEN.errors.fetch_add(errors as u64, Ordering::Relaxed);
    if is_wrong {
        count(&SEEN.wrong);
    } else if errors == POSITIONS {
        count(&SEEN.refused);
    } else if errors == 0 {
        count(&SEEN.silent);
    }
}

/// The answers of a database.
pub struct Asked {
    /// Number of positions that have a value.
    answers: usize,
    /// True if one of them, or an answer of the solver, is wrong.
    pub is_wrong: bool,
}

/// Asks a database about its level in all ways. Panics if there is a wrong answer
/// and `verify` does not refuse the database.
pub fn questioned(database: Database, level: usize) -> Asked {
    let database = Arc::new(database);
    let (mut answers, mut wrong) = (0, 0);
    for question in &QUESTIONS[level - 1] {
        if let Some(value) = ask(&database, question) {
            answers += 1;
            wrong += u64::from(value != question.value);
        }
    }
    wrong += u64::from(solver_is_wrong(&database, level));
    if wrong > 0 {
        let verify = Verify {
            threads: Some(1),
            ..Verify::default()
        };
        let stop = setrograde_verify::Stop::default();
        let report = verify.run(&database, &setrograde_verify::SilentCheck, &stop);
        assert!(
            report.is_err(),
            "{wrong} wrong answers, and verify is content"
        );
    }
    Asked {
        answers,
        is_wrong: wrong > 0,
    }
}

/// Has the sets of a level proved from the level below, which is taken as right. Whatever
/// it says, that ends.
pub fn proves(database: &Database, level: usize) {
    let verify = Verify {
        threads: Some(1),
        levels: Some(level..=level),
        ..Verify::default()
    };
    let _ = verify.run(
        database,
        &setrograde_verify::SilentCheck,
        &setrograde_verify::Stop::default(),
    );
}

/// Asks a database with any content that its checksums accept: every
/// question ends, with an answer that is possible, and the same in all ways.
pub fn survives(database: Database, level: usize, questions: usize) {
    let database = Arc::new(database);
    for question in QUESTIONS[level - 1].iter().take(questions) {
        if let Some(value) = ask_freely(&database, question) {
            assert!(usize::from(value) <= level, "{value} of {level} tricks");
        }
    }
    let _ = solver_is_wrong(&database, level);
}

/// All ways to ask about one ending of a mapped level that no program wrote.
fn ask_freely(database: &Database, question: &Question) -> Option<u8> {
    let ending = &question.ending;
    let batch = database.values(&[*ending]);
    let located = database.locate(ending).ok()??;
    let value = located.value().ok();
    assert_eq!(batch.ok().and_then(|batch| batch[0]), value);
    for target in 0..=ending.level() as u8 + 1 {
        if let Ok(walk) = located.prove(target) {
            let _ = located.widen(&walk.set, walk.bounds);
            let _ = located.bounds(&walk.set);
        }
        if let Ok(verdict) = located.decide(target) {
            assert!(usize::from(verdict.known.total()) <= 4 * ending.level());
        }
    }
    if let Ok(answer) = located.answer() {
        let _ = located.distribution(&answer.set);
    }
    let _ = located.distribution(&EndingSet::EVERYTHING);
    if let Ok(sets) = located.sets() {
        let possible = |&(_, value): &(_, u8)| usize::from(value) <= ending.level();
        assert!(!sets.is_empty() && sets.iter().all(possible));
    }
    value
}

/// All ways to ask about one ending. They must agree; an error counts as none.
fn ask(database: &Database, question: &Question) -> Option<u8> {
    let Question {
        position, ending, ..
    } = question;
    let batch = database.values(&[*ending]).ok();
    let Some(located) = database.locate(ending).ok()? else {
        // Its level is missing.
        assert_eq!(batch, Some(vec![None]));
        return database.position_value(position).ok();
    };
    let value = located.value().ok();
    assert_eq!(batch.and_then(|batch| batch[0]), value, "{position}");
    assert_eq!(database.position_value(position).ok(), value, "{position}");
    let answer = located.answer().ok();
    assert_eq!(answer.map(|answer| answer.value), value, "{position}");
    for target in 0..=ending.level() as u8 + 1 {
        if let Ok(walk) = located.prove(target) {
            let met = walk.bounds.lo >= target;
            assert!(met || walk.bounds.hi < target, "{position} {target}");
            if let Some(value) = value {
                assert_eq!(met, value >= target, "{position} {target}");
            }
            let _ = located.widen(&walk.set, walk.bounds);
        }
    }
    if let Some(answer) = answer {
        let bounds = located.bounds(&answer.set);
        assert!(bounds.lo <= answer.value && answer.value <= bounds.hi);
    }
    value
}

/// Returns true if a solver that asks the database gets anything wrong, in positions with a trick
/// more than the level has.
fn solver_is_wrong(database: &Arc<Database>, level: usize) -> bool {
    static DEEPER: LazyLock<[Vec<Question>; 2]> = LazyLock::new(|| {
        let mut rng = Rng::with_seed(9);
        [2, 2].map(|level| (0..20).map(|_| question(level, &mut rng)).collect())
    });
    let mut solver = Solver::new(Options {
        endgames: Some(Arc::clone(database) as _),
        memory: 1 << 20,
        ..Options::default()
    });
    let questions = &DEEPER[level - 1];
    let wrong = |question: &Question| {
        let tricks = solver.tricks(&question.position);
        tricks.is_ok_and(|tricks| tricks != question.value)
    };
    const { assert!(CARDS == 8) };
    questions.iter().map(wrong).fold(false, |a, b| a | b)
}
