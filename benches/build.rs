//! Building whole levels; "elements" are proofs of the oracle.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use setrograde_builder::{Build, Observer, OracleCounts, Silent};
use setrograde_lookup::manifest::LevelRecord;

fn build(directory: &Path, cards: usize, observer: &impl Observer) {
    let build = Build {
        threads: Some(1),
        ..Build::new(directory, cards)
    };
    build
        .run(observer, &AtomicBool::new(false))
        .expect("the level builds");
}

/// Remembers the work of the last level that was finished.
#[derive(Default)]
struct Work(Mutex<OracleCounts>);

impl Observer for Work {
    fn finished(&self, _: &LevelRecord, work: OracleCounts) {
        *self.0.lock().expect("nobody panics") = work;
    }
}

fn levels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build on one thread");
    group.sample_size(10);
    for cards in [8, 12] {
        let work = Work::default();
        let whole = tempfile::tempdir().expect("a directory");
        build(whole.path(), cards, &work);
        let proofs = work.0.lock().expect("nobody panics").proofs;
        group.throughput(Throughput::Elements(proofs));
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
