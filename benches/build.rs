//! Building complete levels; "elements" are proofs of the oracle.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use setrograde_builder::{Build, BuildObserver, Silent, Stop};
use setrograde_lookup::format::manifest::LevelRecord;

fn build(directory: &Path, cards: usize, observer: &dyn BuildObserver) {
    let build = Build {
        threads: Some(1),
        ..Build::new(directory, cards)
    };
    build
        .run(observer, &Stop::default())
        .expect("the level builds");
}

/// Remembers the work of the last level that was finished.
#[derive(Default)]
struct Work(AtomicU64);

impl BuildObserver for Work {
    fn finished(&self, record: &LevelRecord, _: Duration) {
        self.0.store(record.proofs, Ordering::Relaxed);
    }
}

fn levels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build on one thread");
    group.sample_size(10);
    for cards in [8, 12] {
        let work = Work::default();
        let whole = tempfile::tempdir().expect("a directory");
        build(whole.path(), cards, &work);
        group.throughput(Throughput::Elements(work.0.into_inner()));
        group.bench_function(format!("{cards} cards from {}", cards - 4), |bench| {
            bench.iter_batched(
                || {
                    let directory = tempfile::tempdir().expect("a directory");
                    build(directory.path(), cards - 4, &Silent);
                    directory
                },
                |directory| {
                    build(directory.path(), cards, &Silent);
                    directory
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, levels);
criterion_main!(benches);
