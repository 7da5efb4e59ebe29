//! How far a build or a verification is: a bar on a terminal, plain lines
//! elsewhere. All of it goes to standard error.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use setrograde_builder::BuildObserver;
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_verify::{Check, CheckReport, VerifyObserver};

use super::say;
use super::tables::grouped;

/// A bar that is there only on a terminal, and only between `begin` and `end`.
struct Bar {
    terminal: bool,
    current: Mutex<ProgressBar>,
}

impl Bar {
    fn new() -> Bar {
        Bar {
            terminal: io::stderr().is_terminal(),
            current: Mutex::new(ProgressBar::hidden()),
        }
    }

    fn begin(&self, cards: usize, units: u64, template: &str) {
        let bar = ProgressBar::with_draw_target(Some(units), ProgressDrawTarget::stderr());
        // The templates are constants; were one wrong, the default would show.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix(format!("{cards:>2} cards"));
        bar.enable_steady_tick(Duration::from_millis(200));
        self.with(|current| *current = bar);
    }

    fn end(&self) {
        self.with(|current| {
            current.finish_and_clear();
            *current = ProgressBar::hidden();
        });
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        // A poisoned lock means that drawing panicked; the work goes on.
        if let Ok(mut bar) = self.current.lock() {
            act(&mut bar);
        }
    }
}

/// Tells how a build goes.
pub struct BuildProgress {
    bar: Bar,
    sets: AtomicU64,
    sealing: Mutex<BTreeMap<u32, Duration>>,
}

impl BuildProgress {
    pub fn new() -> BuildProgress {
        BuildProgress {
            bar: Bar::new(),
            sets: AtomicU64::new(0),
            sealing: Mutex::default(),
        }
    }

    /// How long it took to put together a level that was built.
    pub fn sealing(&self, level: u32) -> Option<Duration> {
        let sealing = self.sealing.lock().unwrap_or_else(PoisonError::into_inner);
        sealing.get(&level).copied()
    }
}

impl BuildObserver for BuildProgress {
    fn kept(&self, record: &LevelRecord) {
        say(format_args!(
            "{:>2} cards: there already and sound, kept",
            4 * record.level
        ));
    }

    fn unsound(&self, what: &str, why: &dyn Display) {
        say(format_args!("{what}: {why}"));
        say(format_args!("{what}: building it again"));
    }

    fn damaged(&self, journal: &Path, damage: &dyn Display) {
        say(format_args!("{}: {damage}", journal.display()));
        say(format_args!(
            "{}: building again what is lost",
            journal.display()
        ));
    }

    fn begun(&self, cards: usize, partitions: usize) {
        self.sets.store(0, Ordering::Relaxed);
        if self.bar.terminal {
            let template =
                "{prefix} [{bar:30}] {pos}/{len} partitions, {msg} sets, {per_sec}, {eta} left";
            self.bar.begin(cards, partitions as u64, template);
        } else {
            say(format_args!(
                "{cards:>2} cards: {} partitions",
                grouped(partitions as u64)
            ));
        }
    }

    fn resumed(&self, partitions: usize) {
        self.bar.with(|bar| bar.inc(partitions as u64));
        if !self.bar.terminal {
            let partitions = grouped(partitions as u64);
            say(format_args!(
                "          {partitions} of them were finished before"
            ));
        }
    }

    fn advanced(&self, partitions: usize, sets: u64) {
        if self.bar.terminal {
            let sets = sets + self.sets.fetch_add(sets, Ordering::Relaxed);
            self.bar.with(|bar| {
                bar.inc(partitions as u64);
                bar.set_message(grouped(sets));
            });
        }
    }

    fn finished(&self, record: &LevelRecord, together: Duration) {
        self.bar.end();
        let mut sealing = self.sealing.lock().unwrap_or_else(PoisonError::into_inner);
        sealing.insert(record.level, together);
        say(format_args!(
            "{:>2} cards: {} sets, {} nodes, {} bytes; {} proofs, {} look-ups, {:.2} s of CPU, {:.2} s to put together",
            4 * record.level,
            grouped(record.sets),
            grouped(record.nodes),
            grouped(record.bytes),
            grouped(record.proofs),
            grouped(record.lookups),
            record.cpu_milliseconds as f64 / 1e3,
            together.as_secs_f64(),
        ));
    }
}

/// Tells how a verification goes.
pub struct VerifyProgress {
    bar: Bar,
}

impl VerifyProgress {
    pub fn new() -> VerifyProgress {
        VerifyProgress { bar: Bar::new() }
    }
}

impl VerifyObserver for VerifyProgress {
    fn begun(&self, cards: usize, check: Check, units: u64) {
        if self.bar.terminal {
            let template = format!(
                "{{prefix}} {check} [{{bar:30}}] {{pos}}/{{len}} {}, {{eta}} left",
                check.unit()
            );
            self.bar.begin(cards, units, &template);
        }
    }

    fn advanced(&self, units: u64) {
        self.bar.with(|bar| bar.inc(units));
    }

    fn finished(&self, report: &CheckReport) {
        self.bar.end();
        let CheckReport {
            cards,
            check,
            units,
            cpu,
            ..
        } = report;
        say(format_args!(
            "{cards:>2} cards: {check}: {} {} right, {:.2} s of CPU",
            grouped(*units),
            check.unit(),
            cpu.as_secs_f64(),
        ));
    }
}
