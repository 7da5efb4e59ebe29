//! Opening a database, and look-ups in it. Builds a database of 16 cards in
//! the target directory the first time (half a minute on two cores).

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use setrograde_builder::{Build, Silent};
use setrograde_cards::{Card, Deal, Hand};
use setrograde_cards::{Position, Rank, Seat, Strain, Suit};
use setrograde_lookup::{Bounds, Database, Ending};

const LEVEL: usize = 4;
const ENDINGS: usize = 1 << 16;

fn directory() -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-db");
    let build = Build::new(&directory, 4 * LEVEL);
    build
        .run(&Silent, &AtomicBool::new(false))
        .expect("the database builds");
    directory
}

/// A random ending: cards drawn uniformly from the pack.
fn random_position(random: &mut fastrand::Rng) -> Position {
    let mut pack: Vec<Card> = Card::pack().collect();
    random.shuffle(&mut pack);
    let mut hands = [Hand::EMPTY; 4];
    for (at, &card) in pack[..4 * LEVEL].iter().enumerate() {
        hands[at % 4].insert(card);
    }
    let deal = Deal::new(hands).expect("no card twice");
    let strain = Strain::ALL[random.usize(..5)];
    Position::new(deal, strain, Seat::from_index(random.usize(..4)), &[]).expect("a position")
}

/// Endings such as a search meets one after another: a few deals, each with
/// small changes.
fn clustered(random: &mut fastrand::Rng) -> Vec<Ending> {
    let mut endings = Vec::with_capacity(ENDINGS);
    while endings.len() < ENDINGS {
        let position = random_position(random);
        let hands = *position.deal().hands();
        for _ in 0..256 {
            let mut hands = hands;
            // Two seats exchange a card of one suit, so that the shape stays.
            let [a, b] = [random.usize(..4), random.usize(..4)];
            let suit = Suit::from_index(random.usize(..4));
            let [one, other] = [a, b].map(|seat| hands[seat].holding(suit).iter().next());
            if let (Some(one), Some(other), true) = (one, other, a != b) {
                exchange(&mut hands, suit, (a, one), (b, other));
            }
            let deal = Deal::new(hands).expect("no card twice");
            endings.push(
                Ending::from_deal(&deal, position.leader(), position.strain()).expect("an ending"),
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
    criterion.bench_function("open a database of 16 cards", |bench| {
        bench.iter(|| Database::open(&directory).expect("it opens"));
    });
    criterion.bench_function("open it and ask for one ending", |bench| {
        let position = random_position(&mut fastrand::Rng::with_seed(1));
        let ending = Ending::from_position(&position).expect("an ending");
        bench.iter_batched(
            || Database::open(&directory).expect("it opens"),
            |database| {
                let value = database.value(&ending).expect("a value");
                (database, value)
            },
            BatchSize::PerIteration,
        );
    });
}

fn probing(criterion: &mut Criterion) {
    let database = Database::open(directory()).expect("it opens");
    let level = database.level(LEVEL).expect("the level is there");
    for shard in 0..level.shard_count() {
        level.load(shard).expect("the shard is sound");
    }
    let mut random = fastrand::Rng::with_seed(16);
    let positions: Vec<Position> = (0..ENDINGS).map(|_| random_position(&mut random)).collect();
    let endings: Vec<Ending> = positions
        .iter()
        .map(|position| Ending::from_position(position).expect("an ending"))
        .collect();
    let clustered = clustered(&mut random);

    let mut group = criterion.benchmark_group("16 cards");
    let mut next = 0;
    let mut turn = |endings: &[Ending]| {
        next = (next + 1) % endings.len();
        endings[next]
    };
    group.bench_function("value of a random ending", |bench| {
        bench.iter(|| database.value(black_box(&turn(&endings))));
    });
    group.bench_function("value of clustered endings", |bench| {
        bench.iter(|| database.value(black_box(&turn(&clustered))));
    });
    group.bench_function("value and proving set", |bench| {
        bench.iter(|| database.probe(black_box(&turn(&endings))));
    });
    group.bench_function("bound for a target, with its set", |bench| {
        bench.iter(|| database.decide(black_box(&turn(&endings)), 2));
    });
    group.bench_function("value and proving set, widened", |bench| {
        bench.iter(|| {
            let ending = turn(&endings);
            let answer = database.probe(&ending).expect("a value");
            let exactly = Bounds {
                lo: answer.value,
                hi: answer.value,
            };
            database.widen(&ending, &answer.set, exactly)
        });
    });
    group.bench_function("position to ending", |bench| {
        let mut next = 0;
        bench.iter(|| {
            next = (next + 1) % positions.len();
            Ending::from_position(black_box(&positions[next]))
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

criterion_group!(benches, opening, probing);
criterion_main!(benches);
