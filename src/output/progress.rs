//! The progress of a build or a verification: a bar on a terminal, plain lines
//! elsewhere. All of it goes to standard error.
//!
//! Bar, rate and time left count predicted cost, and the last two only what this
//! run has done: partitions differ a thousandfold, and what was finished before
//! took no time now.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use setrograde_builder::{BuildObserver, Portion};
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_verify::{Check, CheckReport, Portion as CheckPortion, VerifyObserver};

use super::tables::grouped;
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

/// How far a piece of work is, in a unit that time is in proportion to: a part
/// that was finished before counts for the bar, and not for the rate.
struct Meter {
    all: u64,
    before: AtomicU64,
    done: AtomicU64,
    begun: Instant,
    /// When something was finished last, in milliseconds since the beginning.
    last: AtomicU64,
}

impl Meter {
    fn new(all: u64) -> Meter {
        Meter {
            all,
            before: AtomicU64::new(0),
            done: AtomicU64::new(0),
            begun: Instant::now(),
            last: AtomicU64::new(0),
        }
    }

    fn advance(&self, part: u64) {
        self.done.fetch_add(part, Ordering::Relaxed);
        let now = self.begun.elapsed().as_millis() as u64;
        self.last.fetch_max(now, Ordering::Relaxed);
    }

    /// The share that is finished, before and now.
    fn share(&self) -> f64 {
        let done = self.before.load(Ordering::Relaxed) + self.done.load(Ordering::Relaxed);
        done as f64 / self.all.max(1) as f64
    }

    /// Units a second of this run; `None` as long as it has done too little to tell.
    fn rate(&self) -> Option<f64> {
        let last = self.last.load(Ordering::Relaxed);
        let done = self.done.load(Ordering::Relaxed);
        (last >= LEAST_MILLISECONDS && done > 0).then(|| done as f64 * 1e3 / last as f64)
    }

    /// The time that the rest takes at this rate.
    fn left(&self) -> Option<Duration> {
        let rest = self.all as f64 * (1.0 - self.share()).max(0.0);
        let since = self.begun.elapsed().as_millis() as u64 - self.last.load(Ordering::Relaxed);
        let left = rest / self.rate()? - since as f64 / 1e3;
        Duration::try_from_secs_f64(left.max(0.0)).ok()
    }
}

/// A rate is told from so long a time on.
const LEAST_MILLISECONDS: u64 = 2_000;

/// A bar that is there only on a terminal, and only between `begin` and `end`.
struct Bar {
    shown: bool,
    current: Mutex<Option<(ProgressBar, Arc<Meter>)>>,
}

impl Bar {
    fn new() -> Bar {
        Bar {
            shown: bars_are_shown(),
            current: Mutex::default(),
        }
    }

    /// Starts a bar; `unit` names what its rate counts. A message of `advance`
    /// follows the share that is finished.
    fn begin(&self, prefix: &str, all: u64, unit: &'static str) {
        if !self.shown {
            return;
        }
        let meter = Arc::new(Meter::new(all));
        let style = style("{prefix} [{bar:30}] {share}{msg}{rate}{left}");
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
        bar.set_style(
            style
                .with_key(
                    "share",
                    key(&meter, |meter| {
                        Some(format!("{:.1} %", 100.0 * meter.share()))
                    }),
                )
                .with_key(
                    "rate",
                    key(&meter, move |meter| {
                        Some(format!(", {} {unit}/s", rounded(meter.rate()?)))
                    }),
                )
                .with_key(
                    "left",
                    key(&meter, |meter| {
                        Some(format!(", {} left", time_text(meter.left()?)))
                    }),
                ),
        );
        bar.set_prefix(prefix.to_owned());
        bar.enable_steady_tick(TICK);
        self.with(|current| *current = Some((bar, meter)));
    }

    /// Moves the bar by what was finished before this run.
    fn resume(&self, part: u64, message: String) {
        self.with(|current| {
            if let Some((bar, meter)) = current {
                meter.before.fetch_add(part, Ordering::Relaxed);
                bar.inc(part);
                bar.set_message(message);
            }
        });
    }

    /// Moves the bar by what was finished now.
    fn advance(&self, part: u64, message: String) {
        self.with(|current| {
            if let Some((bar, meter)) = current {
                meter.advance(part);
                bar.inc(part);
                bar.set_message(message);
            }
        });
    }

    fn end(&self) {
        self.with(|current| {
            if let Some((bar, _)) = current.take() {
                bar.finish_and_clear();
            }
        });
    }

    fn with(&self, act: impl FnOnce(&mut Option<(ProgressBar, Arc<Meter>)>)) {
        // A poisoned lock means that drawing panicked; the work continues.
        if let Ok(mut current) = self.current.lock() {
            act(&mut current);
        }
    }
}

/// A part of the bar's line: nothing as long as it is not known.
fn key(
    meter: &Arc<Meter>,
    text: impl Fn(&Meter) -> Option<String> + Clone + Send + Sync + 'static,
) -> impl Fn(&ProgressState, &mut dyn fmt::Write) + Clone + Send + Sync + 'static {
    let meter = Arc::clone(meter);
    move |_: &ProgressState, out: &mut dyn fmt::Write| {
        if let Some(text) = text(&meter) {
            // Writing to the bar's own line does not fail.
            let _ = out.write_str(&text);
        }
    }
}

/// A number in three digits or so: "850", "12 thousand", "2.1 million".
fn rounded(number: f64) -> String {
    let (number, unit) = match number {
        ..9_999.5 => return grouped(number.round() as u64),
        ..999_500.0 => (number / 1e3, "thousand"),
        ..999.5e6 => (number / 1e6, "million"),
        _ => (number / 1e9, "billion"),
    };
    if number < 9.95 {
        format!("{number:.1} {unit}")
    } else {
        format!("{number:.0} {unit}")
    }
}

/// A time as people say it: "35 s", "14 min", "5 h 10 min", "1 d 6 h".
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil() as u64;
    let minutes = seconds.div_ceil(60);
    let hours = minutes / 60;
    match seconds {
        ..60 => format!("{} s", seconds.max(1)),
        60..3_600 => format!("{minutes} min"),
        3_600..172_800 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} d {} h", hours / 24, hours % 24),
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
        if self.bar.shown {
            self.bar.advance(part.cost, self.add(part));
        }
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
        if self.bar.shown {
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.0 += part.units;
            let message = format!(", {} {}", grouped(done.0), done.1);
            self.bar.advance(part.cost, message);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_read_as_people_say_them() {
        for (seconds, text) in [
            (0.0, "1 s"),
            (34.2, "35 s"),
            (61.0, "2 min"),
            (3_599.0, "60 min"),
            (18_600.0, "5 h 10 min"),
            (108_000.0, "30 h 0 min"),
            (180_000.0, "2 d 2 h"),
        ] {
            assert_eq!(time_text(Duration::from_secs_f64(seconds)), text);
        }
        for (number, text) in [
            (0.4, "0"),
            (1_234.0, "1,234"),
            (12_345.0, "12 thousand"),
            (2_140_000.0, "2.1 million"),
            (31e9, "31 billion"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn only_what_this_run_did_counts_for_rate_and_time_left() {
        let mut meter = Meter::new(1_000);
        assert_eq!((meter.rate(), meter.left()), (None, None));
        meter.before.store(600, Ordering::Relaxed);
        meter.begun = Instant::now() - Duration::from_secs(10);
        assert_eq!((meter.share(), meter.left()), (0.6, None));
        meter.advance(100);
        // 100 in 10 s, and 300 are left.
        let (rate, left) = (meter.rate().expect("a rate"), meter.left().expect("a time"));
        assert!((9.9..=10.0).contains(&rate), "{rate}");
        assert!((29.5..30.5).contains(&left.as_secs_f64()), "{left:?}");
    }
}
