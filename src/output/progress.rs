//! The progress of a build or a verification: a bar on a terminal, plain lines
//! elsewhere. All of it goes to standard error.
//!
//! Bar, rate and time left count predicted cost, and the last two only that of this run: partitions
//! differ a thousandfold, and earlier work took no time in this run.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use setrograde::grouped;
use setrograde::lookup::format::manifest::LevelRecord;
use setrograde_builder::{BuildObserver, Portion};
use setrograde_parallel::lock;
use setrograde_verify::{Check, CheckPortion, CheckReport, VerifyObserver};

use super::{bars_are_shown, is_json, is_quiet, say};

/// The period in which bars move.
const TICK: Duration = Duration::from_millis(200);

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are constants")
}

/// A bar, or a line without a bar, on a terminal; elsewhere a line a minute, unless `--quiet`.
pub fn simple_bar(template: &str, length: Option<u64>) -> ProgressBar {
    bar(style(template), length, "")
}

/// The same; `unit` names what its rate counts.
fn bar(style: ProgressStyle, length: Option<u64>, unit: &'static str) -> ProgressBar {
    let shown = bars_are_shown();
    let target = if shown {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(length, target).with_style(style);
    if shown {
        bar.enable_steady_tick(TICK);
    } else if !is_quiet() {
        log(&bar, unit);
    }
    bar
}

/// The period of lines where there is no terminal.
const MINUTE: Duration = Duration::from_secs(60);

/// Writes a line about a hidden bar each minute until it is finished or gone.
fn log(bar: &ProgressBar, unit: &'static str) {
    let bar = bar.downgrade();
    let begun = Instant::now();
    let follow = move || {
        let mut written = begun;
        // Work finished before this run took no time in it.
        let mut before = None;
        loop {
            thread::sleep(TICK);
            let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) else {
                return;
            };
            let before = *before.get_or_insert(bar.position());
            if written.elapsed() >= MINUTE {
                written = Instant::now();
                say(ProgressLine {
                    name: bar.prefix(),
                    done: bar.position(),
                    all: bar.length().filter(|&all| all > 0),
                    before,
                    unit,
                    elapsed: begun.elapsed(),
                    message: bar.message(),
                });
            }
        }
    };
    // Without a thread there are no lines.
    let _ = thread::Builder::new().spawn(follow);
}

/// A time in words.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match hours {
        0 if minutes == 0 => format!("{seconds} s"),
        0 => format!("{minutes} min {:02} s", seconds % 60),
        _ => format!("{hours} h {:02} min", minutes % 60),
    }
}

/// A line about long work.
struct ProgressLine {
    name: String,
    done: u64,
    /// `None` if it is unknown.
    all: Option<u64>,
    /// The part that was done before this run.
    before: u64,
    unit: &'static str,
    elapsed: Duration,
    message: String,
}

impl ProgressLine {
    fn per_second(&self) -> f64 {
        self.done.saturating_sub(self.before) as f64 / self.elapsed.as_secs_f64()
    }

    /// The share that is done, from 0 to 1.
    fn share(&self) -> Option<f64> {
        Some((self.done as f64 / self.all? as f64).min(1.0))
    }

    /// The time left, if that can be known.
    fn left(&self) -> Option<Duration> {
        let left = self.all?.saturating_sub(self.done) as f64 / self.per_second();
        Duration::try_from_secs_f64(left).ok()
    }

    fn object(&self) -> serde_json::Value {
        serde_json::json!({
            "progress": self.name.trim(),
            "done": self.done,
            "all": self.all,
            "share": self.share(),
            "per_second": self.per_second(),
            "seconds": self.elapsed.as_secs_f64(),
            "seconds_left": self.left().map(|left| left.as_secs_f64()),
        })
    }
}

impl Display for ProgressLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_json() {
            return write!(f, "{}", self.object());
        }
        let mut parts = Vec::new();
        if let Some(share) = self.share() {
            parts.push(format!("{:.1} %", 100.0 * share));
        }
        let message = self.message.trim_start_matches(", ");
        if !message.is_empty() {
            parts.push(message.to_owned());
        }
        if !self.unit.is_empty() {
            parts.push(format!(
                "{} {}/s",
                grouped(self.per_second() as u64),
                self.unit
            ));
        }
        parts.push(match self.left() {
            Some(left) => format!("{} left", time(left)),
            None => format!("{} so far", time(self.elapsed)),
        });
        if self.name.is_empty() {
            write!(f, "{}", parts.join(", "))
        } else {
            write!(f, "{}: {}", self.name, parts.join(", "))
        }
    }
}

/// A bar that exists only between `begin` and `end`.
struct Bar(Mutex<ProgressBar>);

impl Default for Bar {
    fn default() -> Bar {
        Bar(Mutex::new(ProgressBar::hidden()))
    }
}

impl Bar {
    /// Starts a bar; `unit` names what its rate counts, if that is more than a prediction. A message
    /// of `advance` follows the share that is finished.
    fn begin(&self, prefix: &str, all: u64, unit: &'static str) {
        let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            if !unit.is_empty() {
                // Writing to the bar's own line does not fail.
                let _ = write!(out, ", {} {unit}/s", grouped(state.per_sec() as u64));
            }
        };
        let template = "{prefix} [{wide_bar}] {percent} %{msg}{rate}, {eta} left";
        let bar = bar(style(template).with_key("rate", rate), Some(all), unit);
        bar.set_prefix(prefix.to_owned());
        self.with(|current| *current = bar);
    }

    /// Moves the bar by the work finished before this run, which counts for the share and not for
    /// the rate.
    fn resume(&self, part: u64, message: String) {
        self.advance(part, message);
        self.with(|bar| {
            if bar.is_hidden() {
                return;
            }
            // The bar updates its position only when it ticks.
            bar.disable_steady_tick();
            bar.tick();
            bar.reset_eta();
            bar.enable_steady_tick(TICK);
        });
    }

    /// Moves the bar by the work finished in this run.
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
        if let Ok(mut bar) = self.0.lock() {
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
fn say_progress(line: impl Display) {
    if !is_quiet() {
        say(line);
    }
}

/// The progress of a build.
#[derive(Default)]
pub struct BuildProgress {
    bar: Bar,
    done: Mutex<Portion>,
    sealing: Mutex<BTreeMap<u32, Duration>>,
}

impl BuildProgress {
    /// Adds finished work, and returns the text of the sum.
    fn add(&self, part: Portion) -> String {
        let mut done = lock(&self.done);
        *done += part;
        format!(
            ", {} partitions, {} sets",
            grouped(done.partitions),
            grouped(done.sets)
        )
    }

    /// The time that sealing a built level took.
    pub fn sealing(&self, level: u32) -> Option<Duration> {
        let sealing = lock(&self.sealing);
        sealing.get(&level).copied()
    }
}

impl BuildObserver for BuildProgress {
    fn kept(&self, record: &LevelRecord) {
        say_progress(format_args!(
            "{:>2} cards: already built, checksums match",
            4 * record.level
        ));
    }

    fn unsound(&self, cards: usize, shards: Option<usize>, why: &dyn Display) {
        say(format_args!("{cards} cards: {why}"));
        match shards {
            Some(1) => say(format_args!("{cards} cards: rebuilding the damaged shard")),
            Some(shards) => {
                let shards = grouped(shards as u64);
                say(format_args!(
                    "{cards} cards: rebuilding {shards} damaged shards"
                ));
            }
            None => say(format_args!("{cards} cards: rebuilding it")),
        }
    }

    fn mapping(&self, cards: usize, why: &dyn Display) {
        say(format_args!("{cards} cards: {why}"));
        say(format_args!("{cards} cards: rebuilding its map"));
    }

    fn recovered(&self, manifest: &Path, why: &dyn Display) {
        say(format_args!("{why}"));
        say(format_args!(
            "{}: rebuilt from the levels",
            manifest.display()
        ));
    }

    fn damaged(&self, journal: &Path, damage: &dyn Display) {
        say(format_args!("{}: {damage}", journal.display()));
        say(format_args!(
            "{}: lost shards are built again, unless another journal has them",
            journal.display()
        ));
    }

    fn begun(&self, cards: usize, all: Portion) {
        *lock(&self.done) = Portion::default();
        // The cost is a prediction, several times the look-ups of a coarse level.
        self.bar.begin(&format!("{cards:>2} cards"), all.cost, "");
        if !bars_are_shown() {
            let partitions = grouped(all.partitions);
            say_progress(format_args!("{cards:>2} cards: {partitions} partitions"));
        }
    }

    fn resumed(&self, part: Portion) {
        self.bar.resume(part.cost, self.add(part));
        if !bars_are_shown() {
            let partitions = grouped(part.partitions);
            say_progress(format_args!(
                "          {partitions} of them were already finished"
            ));
        }
    }

    fn advanced(&self, part: Portion) {
        self.bar.advance(part.cost, self.add(part));
    }

    fn sealing(&self, shards: usize, of: usize) {
        if shards == 0 {
            self.bar.begin("sealing", of as u64, "shards");
        }
        self.bar.with(|bar| bar.set_position(shards as u64));
    }

    fn finished(&self, record: &LevelRecord, together: Duration) {
        self.bar.end();
        let mut sealing = lock(&self.sealing);
        sealing.insert(record.level, together);
        say_progress(format_args!(
            "{:>2} cards: {} sets, {} nodes, {} bytes; {} proofs, {} look-ups, {:.2} s of CPU, {:.2} s to seal",
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
#[derive(Default)]
pub struct VerifyProgress {
    bar: Bar,
    /// The number of finished units of the current check, and the name of the unit.
    done: Mutex<(u64, &'static str)>,
}

impl VerifyObserver for VerifyProgress {
    fn begun(&self, cards: usize, check: Check, all: CheckPortion) {
        *lock(&self.done) = (0, check.unit());
        let unit = match check {
            Check::Checksums | Check::Sets => "nodes",
            _ => check.unit(),
        };
        let prefix = format!("{cards:>2} cards: {check}");
        self.bar.begin(&prefix, all.cost, unit);
    }

    fn advanced(&self, part: CheckPortion) {
        let mut done = lock(&self.done);
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
        let unit = check.unit();
        let unit = match (*units, &*of) {
            (1, "") => unit.trim_end_matches('s'),
            _ => unit,
        };
        say_progress(format_args!(
            "{cards:>2} cards: {check}: {}{of} {unit} correct, {:.2} s of CPU",
            grouped(*units),
            cpu.as_secs_f64(),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(done: u64, all: Option<u64>, message: &str) -> ProgressLine {
        ProgressLine {
            name: "20 cards".to_owned(),
            done,
            all,
            before: 300,
            unit: "look-ups",
            elapsed: Duration::from_secs(100),
            message: message.to_owned(),
        }
    }

    #[test]
    fn a_line_has_the_share_the_rate_and_the_time_left_if_they_are_known() {
        let all = Some(1_200);
        for (line, expected) in [
            // 300 in 100 s were done now: 600 take 200 s.
            (
                line(600, all, ", 7 partitions"),
                "20 cards: 50.0 %, 7 partitions, 3 look-ups/s, 3 min 20 s left",
            ),
            (
                line(600, None, ""),
                "20 cards: 3 look-ups/s, 1 min 40 s so far",
            ),
            (
                line(300, all, ""),
                "20 cards: 25.0 %, 0 look-ups/s, 1 min 40 s so far",
            ),
        ] {
            assert_eq!(line.to_string(), expected);
        }
        let object = line(600, all, "").object();
        assert_eq!(object["share"], 0.5);
        assert_eq!(object["per_second"], 3.0);
        assert_eq!(object["seconds_left"], 200.0);
        assert_eq!(object["progress"], "20 cards");
        assert!(line(300, all, "").object()["seconds_left"].is_null());
    }
}
