//! The progress of a build or a verification: a bar on a terminal, plain lines
//! elsewhere. All of it goes to standard error.
//!
//! Bar, rate and time left count predicted cost, and the last two only what this
//! run has done: partitions differ a thousandfold, and what was finished before
//! took no time now.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use setrograde::grouped;
use setrograde_builder::{BuildObserver, Portion};
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_verify::{Check, CheckReport, Portion as CheckPortion, VerifyObserver};

use super::{bars_are_shown, is_quiet, say};

/// The period in which bars move.
const TICK: Duration = Duration::from_millis(200);

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are constants")
}

/// A bar, or a line without a bar, that is there only on a terminal.
pub fn simple_bar(template: &str, length: Option<u64>) -> ProgressBar {
    if !bars_are_shown() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(style(template));
    bar.enable_steady_tick(TICK);
    bar
}

/// A bar that is there only on a terminal, and only between `begin` and `end`.
struct Bar {
    shown: bool,
    current: Mutex<ProgressBar>,
}

impl Bar {
    fn new() -> Bar {
        Bar {
            shown: bars_are_shown(),
            current: Mutex::new(ProgressBar::hidden()),
        }
    }

    /// Starts a bar; `unit` names what its rate counts. A message of `advance`
    /// follows the share that is finished.
    fn begin(&self, prefix: &str, all: u64, unit: &'static str) {
        let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Writing to the bar's own line does not fail.
            let _ = write!(out, ", {} {unit}/s", grouped(state.per_sec() as u64));
        };
        let template = "{prefix} [{wide_bar}] {percent} %{msg}{rate}, {eta} left";
        let bar = simple_bar("", Some(all)).with_prefix(prefix.to_owned());
        bar.set_style(style(template).with_key("rate", rate));
        self.with(|current| *current = bar);
    }

    /// Moves the bar by what was finished before this run, which counts for the share
    /// and not for the rate.
    fn resume(&self, part: u64, message: String) {
        self.with(|bar| {
            bar.inc(part);
            // The bar updates its position only when it ticks.
            bar.disable_steady_tick();
            bar.tick();
            bar.reset_eta();
            bar.enable_steady_tick(TICK);
            bar.set_message(message);
        });
    }

    /// Moves the bar by what was finished now.
    fn advance(&self, part: u64, message: String) {
        self.with(|bar| {
            bar.inc(part);
            bar.set_message(message);
        });
    }

    fn end(&self) {
        self.with(|bar| bar.finish_and_clear());
    }

    fn with(&self, act: impl FnOnce(&mut ProgressBar)) {
        // A poisoned lock means that drawing panicked; the work continues.
        if self.shown
            && let Ok(mut bar) = self.current.lock()
        {
            act(&mut bar);
        }
    }
}

/// A bar that is cleared later would take a line with it that was written below.
impl Drop for Bar {
    fn drop(&mut self) {
        self.end();
    }
}

/// Writes a line of progress to standard error, unless `--quiet`.
pub fn tell(line: impl Display) {
    if !is_quiet() {
        say(line);
    }
}

/// The progress of a build.
pub struct BuildProgress {
    bar: Bar,
    done: Mutex<Portion>,
    sealing: Mutex<BTreeMap<u32, Duration>>,
}

impl BuildProgress {
    pub fn new() -> BuildProgress {
        BuildProgress {
            bar: Bar::new(),
            done: Mutex::default(),
            sealing: Mutex::default(),
        }
    }

    /// Adds what is finished, and returns the text of the sum.
    fn add(&self, part: Portion) -> String {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += part;
        format!(
            ", {} partitions, {} sets",
            grouped(done.partitions),
            grouped(done.sets)
        )
    }

    /// The time that sealing a built level took.
    pub fn sealing(&self, level: u32) -> Option<Duration> {
        let sealing = self.sealing.lock().unwrap_or_else(PoisonError::into_inner);
        sealing.get(&level).copied()
    }
}

impl BuildObserver for BuildProgress {
    fn kept(&self, record: &LevelRecord) {
        tell(format_args!(
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

    fn begun(&self, cards: usize, all: Portion) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = Portion::default();
        if self.bar.shown {
            self.bar
                .begin(&format!("{cards:>2} cards"), all.cost, "look-ups");
        } else {
            let partitions = grouped(all.partitions);
            tell(format_args!("{cards:>2} cards: {partitions} partitions"));
        }
    }

    fn resumed(&self, part: Portion) {
        self.bar.resume(part.cost, self.add(part));
        if !self.bar.shown {
            let partitions = grouped(part.partitions);
            tell(format_args!(
                "          {partitions} of them were finished before"
            ));
        }
    }

    fn advanced(&self, part: Portion) {
        self.bar.advance(part.cost, self.add(part));
    }

    fn finished(&self, record: &LevelRecord, together: Duration) {
        self.bar.end();
        let mut sealing = self.sealing.lock().unwrap_or_else(PoisonError::into_inner);
        sealing.insert(record.level, together);
        tell(format_args!(
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

/// The progress of a verification.
pub struct VerifyProgress {
    bar: Bar,
    /// Units of the current check that are done, and what they are.
    done: Mutex<(u64, &'static str)>,
}

impl VerifyProgress {
    pub fn new() -> VerifyProgress {
        VerifyProgress {
            bar: Bar::new(),
            done: Mutex::default(),
        }
    }
}

impl VerifyObserver for VerifyProgress {
    fn begun(&self, cards: usize, check: Check, all: CheckPortion) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = (0, check.unit());
        let unit = match check {
            Check::Checksums | Check::Sets => "nodes",
            _ => check.unit(),
        };
        let prefix = format!("{cards:>2} cards: {check}");
        self.bar.begin(&prefix, all.cost, unit);
    }

    fn advanced(&self, part: CheckPortion) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.0 += part.units;
        let message = format!(", {} {}", grouped(done.0), done.1);
        self.bar.advance(part.cost, message);
    }

    fn finished(&self, report: &CheckReport) {
        self.bar.end();
        let CheckReport {
            cards,
            check,
            units,
            of,
            cpu,
            ..
        } = report;
        let of = if units < of {
            format!(" of {}", grouped(*of))
        } else {
            String::new()
        };
        tell(format_args!(
            "{cards:>2} cards: {check}: {}{of} {} right, {:.2} s of CPU",
            grouped(*units),
            check.unit(),
            cpu.as_secs_f64(),
        ));
    }
}
