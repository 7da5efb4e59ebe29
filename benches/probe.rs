//! Opening a database, and look-ups in it. The database is that of `SETROGRADE_DB`, with its
//! deepest level, or one of 16 cards, which the first run builds in the target directory (half a
//! minute on two cores).

use std::collections::HashSet;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use setrograde_builder::{Build, Silent, Stop};
use setrograde_cards::{Card, Deal, Hand};
use setrograde_cards::{Position, Rank, Seat, Strain, Suit};
use setrograde_lookup::{Bounds, Database, Ending, Error, Located, Walk};

/// Cards per hand of the database that is built if none is given.
const LEVEL: usize = 4;
const ENDINGS: usize = 1 << 16;
/// Maximum number of look-ups in untouched blocks.
const COLD: usize = 1000;

fn directory() -> PathBuf {
    if let Some(directory) = std::env::var_os("SETROGRADE_DB") {
        return directory.into();
    }
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-db");
    let build = Build::new(&directory, 4 * LEVEL);
    build
        .run(&Silent, &Stop::default())
        .expect("the database builds");
    directory
}

/// A random ending: cards drawn uniformly from the pack.
fn random_position(level: usize, random: &mut fastrand::Rng) -> Position {
    let deal = Deal::random_ending(level, |n| random.usize(..n));
    let strain = Strain::ALL[random.usize(..5)];
    Position::new(strain, Seat::from_index(random.usize(..4)), deal, &[]).expect("a position")
}

/// Endings such as a search meets one after another: a few deals, each with
/// small changes.
fn clustered(level: usize, random: &mut fastrand::Rng) -> Vec<Ending> {
    let mut endings = Vec::with_capacity(ENDINGS);
    while endings.len() < ENDINGS {
        let position = random_position(level, random);
        let hands = *position.deal().hands();
        for _ in 0..256 {
            let mut hands = hands;
            // Two seats exchange a card of one suit, so the shape stays.
            let [a, b] = [random.usize(..4), random.usize(..4)];
            let suit = Suit::from_index(random.usize(..4));
            let [one, other] = [a, b].map(|seat| hands[seat].holding(suit).iter().next());
            if let (Some(one), Some(other), true) = (one, other, a != b) {
                exchange(&mut hands, suit, (a, one), (b, other));
            }
            let deal = Deal::new(hands).expect("no card twice");
            endings.push(
                Ending::from_deal(position.strain(), position.leader(), &deal).expect("an ending"),
            );
        }
    }
    endings
}

fn exchange(hands: &mut [Hand; 4], suit: Suit, from: (usize, Rank), to: (usize, Rank)) {
    for ((loser, card), gainer) in [(from, to.0), (to, from.0)] {
        hands[loser].remove(Card::new(suit, card));
        hands[gainer].insert(Card::new(suit, card));
    }
}

fn opening(criterion: &mut Criterion) {
    let directory = directory();
    let deepest = Database::open(&directory).expect("it opens").max_tricks();
    criterion.bench_function("open the database", |bench| {
        bench.iter(|| Database::open(&directory).expect("it opens"));
    });
    criterion.bench_function("open it and ask for one ending", |bench| {
        let position = random_position(deepest, &mut fastrand::Rng::with_seed(1));
        let ending = Ending::from_position(&position).expect("an ending");
        bench.iter_batched(
            || Database::open(&directory).expect("it opens"),
            |database| {
                let value = located(&database, &ending).value().expect("a value");
                (database, value)
            },
            BatchSize::PerIteration,
        );
    });
}

fn located<'a>(database: &'a Database, ending: &Ending) -> Located<'a> {
    let located = database.locate(ending).expect("it is sound");
    located.expect("it is held")
}

/// Look-ups in blocks that no question has touched yet, each in another one; criterion
/// would repeat them, and the second time they are warm.
fn first_touch(_: &mut Criterion) {
    let random = &mut fastrand::Rng::with_seed(5);
    for dealt in [true, false] {
        let database = Database::open(directory()).expect("it opens");
        let level = database.level(database.max_tricks()).expect("a level");
        cache(level.path()).expect("the file");
        let partitions = level.partitions();
        let draw = || {
            if !dealt {
                let number = random.usize(..partitions.len());
                return partitions.partition(number).expect("it is one");
            }
            let position = random_position(level.level(), random);
            let ending = Ending::from_position(&position).expect("an ending");
            ending.canonical().partition
        };
        let mut touched = HashSet::new();
        let mut times = Vec::new();
        for partition in std::iter::repeat_with(draw).take(COLD) {
            if touched.insert(partition.relative().matrix) {
                let start = Instant::now();
                black_box(level.diagram(partition)).expect("it is sound");
                times.push(start.elapsed());
            }
        }
        times.sort();
        println!(
            "{} cards, the first question to a block, {}: median {:.1?}, mean {:.1?} of {}",
            4 * level.level(),
            if dealt { "of a random ending" } else { "any" },
            times[times.len() / 2],
            times.iter().sum::<Duration>() / times.len() as u32,
            times.len(),
        );
    }
}

/// Reads a file, or those of a directory, so they are in the page cache.
fn cache(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            cache(&entry?.path())?;
        }
    } else {
        fs::read(path)?;
    }
    Ok(())
}

fn probing(criterion: &mut Criterion) {
    let database = Database::open(directory()).expect("it opens");
    let deepest = database.max_tricks();
    let level = database.level(deepest).expect("the level is there");
    level.check().expect("the level is sound");
    let mut random = fastrand::Rng::with_seed(16);
    let positions: Vec<Position> = (0..ENDINGS)
        .map(|_| random_position(deepest, &mut random))
        .collect();
    let of = |position| Ending::from_position(position).expect("an ending");
    let endings: Vec<Ending> = positions.iter().map(of).collect();
    let clustered = clustered(deepest, &mut random);

    let mut group = criterion.benchmark_group(format!("{} cards", 4 * deepest));
    let mut next = 0;
    let mut turn = |endings: &[Ending]| {
        next = (next + 1) % endings.len();
        endings[next]
    };
    group.bench_function("value of a random ending", |bench| {
        bench.iter(|| located(&database, black_box(&turn(&endings))).value());
    });
    group.bench_function("value of clustered endings", |bench| {
        bench.iter(|| located(&database, black_box(&turn(&clustered))).value());
    });
    group.bench_function("value and proving set", |bench| {
        bench.iter(|| located(&database, black_box(&turn(&endings))).answer());
    });
    group.bench_function("bound for a target, with its set", |bench| {
        bench.iter(|| -> Result<Walk, Error> {
            located(&database, black_box(&turn(&endings))).prove(2)
        });
    });
    group.bench_function("value and proving set, widened", |bench| {
        bench.iter(|| {
            let ending = turn(&endings);
            let located = located(&database, &ending);
            let answer = located.answer().expect("a value");
            located.widen(&answer.set, Bounds::exactly(answer.value))
        });
    });
    group.bench_function("position to ending", |bench| {
        let mut next = 0;
        bench.iter(|| {
            next = (next + 1) % positions.len();
            Ending::from_position(black_box(&positions[next]))
        });
    });
    group.bench_function("ending to partition number", |bench| {
        bench.iter(|| {
            let canonical = black_box(turn(&endings)).canonical();
            level.partitions().number(canonical.partition)
        });
    });
    group.throughput(Throughput::Elements(ENDINGS as u64));
    group.bench_function("values of random endings in a batch", |bench| {
        bench.iter(|| database.values(black_box(&endings)).expect("values"));
    });
    group.bench_function("the same on all cores", |bench| {
        bench.iter(|| -> usize {
            let values = |chunk| database.values(chunk).expect("values").len();
            black_box(&endings).par_chunks(1024).map(values).sum()
        });
    });
    group.finish();
}

criterion_group!(benches, opening, first_touch, probing);
criterion_main!(benches);
