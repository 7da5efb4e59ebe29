//! How far a build is: a bar on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use setrograde_builder::{Observer, OracleCounts};
use setrograde_lookup::Error;
use setrograde_lookup::manifest::LevelRecord;

use crate::level_table::grouped;

/// Tells standard error how a build goes.
pub struct BuildProgress {
    terminal: bool,
    bar: Mutex<ProgressBar>,
    sets: AtomicU64,
}

impl BuildProgress {
    pub fn new() -> BuildProgress {
        BuildProgress {
            terminal: io::stderr().is_terminal(),
            bar: Mutex::new(ProgressBar::hidden()),
            sets: AtomicU64::new(0),
        }
    }

    fn with_bar(&self, act: impl FnOnce(&mut ProgressBar)) {
        // A poisoned lock means that drawing panicked; the build goes on.
        if let Ok(mut bar) = self.bar.lock() {
            act(&mut bar);
        }
    }
}

impl Observer for BuildProgress {
    fn kept(&self, record: &LevelRecord) {
        eprintln!("{:>2} cards: there already and sound, kept", 4 * record.level);
    }

    fn unsound(&self, what: &str, why: &Error) {
        eprintln!("{what}: {why}");
        eprintln!("{what}: building it again");
    }

    fn begun(&self, cards: usize, partitions: usize) {
        self.sets.store(0, Ordering::Relaxed);
        if !self.terminal {
            eprintln!("{cards:>2} cards: {} partitions", grouped(partitions as u128));
            return;
        }
        let bar = ProgressBar::with_draw_target(Some(partitions as u64), ProgressDrawTarget::stderr());
        // The template is a constant; were it wrong, the default would show.
        if let Ok(style) = ProgressStyle::with_template(
            "{prefix} cards [{bar:30}] {pos}/{len} partitions, {msg} sets, {per_sec}, {eta} left",
        ) {
            bar.set_style(style);
        }
        bar.set_prefix(format!("{cards:>2}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        self.with_bar(|current| *current = bar);
    }

    fn advanced(&self, partitions: usize, sets: u64) {
        if self.terminal {
            let sets = sets + self.sets.fetch_add(sets, Ordering::Relaxed);
            self.with_bar(|bar| {
                bar.inc(partitions as u64);
                bar.set_message(grouped(sets.into()));
            });
        }
    }

    fn finished(&self, record: &LevelRecord, work: OracleCounts) {
        self.with_bar(|bar| {
            bar.finish_and_clear();
            *bar = ProgressBar::hidden();
        });
        eprintln!(
            "{:>2} cards: {} sets, {} nodes, {} bytes; {} proofs, {} look-ups, {:.2} s of CPU",
            4 * record.level,
            grouped(record.sets.into()),
            grouped(record.nodes.into()),
            grouped(record.bytes.into()),
            grouped(work.proofs.into()),
            grouped(work.lookups.into()),
            record.cpu_milliseconds as f64 / 1e3,
        );
    }
}
