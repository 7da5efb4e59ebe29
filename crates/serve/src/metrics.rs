//! Counts for Prometheus and what reads its text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Requests that were answered with one status.
#[derive(Default)]
struct StatusTotals {
    count: u64,
    time: Duration,
}

#[derive(Default)]
pub struct Metrics {
    /// By endpoint and status.
    answered: Mutex<BTreeMap<(&'static str, u16), StatusTotals>>,
    connections: AtomicUsize,
    waiting: AtomicUsize,
}

/// A request that is answered or waits for that.
pub struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Notes an answer, and the time that it took.
    pub fn add(&self, endpoint: &'static str, status: u16, time: Duration) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let answered = answered.entry((endpoint, status)).or_default();
        answered.count += 1;
        answered.time += time;
    }

    /// Records the number of connections.
    pub fn connections(&self, count: usize) {
        self.connections.store(count, Ordering::Relaxed);
    }

    /// Counts a request until the returned value is dropped.
    pub fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.waiting)
    }

    /// The requests that are answered or wait for that.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The text; `working` requests are being answered, of which `stuck` do not end.
    pub fn text(&self, working: usize, stuck: usize) -> String {
        let mut text = String::new();
        let mut say = |line: std::fmt::Arguments<'_>| {
            writeln!(text, "{line}").expect("a string takes all");
        };
        for (name, about, value) in [
            (
                "connections",
                "Open connections",
                self.connections.load(Ordering::Relaxed),
            ),
            (
                "requests",
                "Requests that are answered or wait for that",
                self.waiting(),
            ),
            (
                "working",
                "Requests that are answered, or given up and not ended",
                working,
            ),
            (
                "stuck",
                "Requests that were given up 2 s ago or earlier, and whose work does not end",
                stuck,
            ),
        ] {
            say(format_args!("# HELP setrograde_{name} {about}."));
            say(format_args!(
                "# TYPE setrograde_{name} gauge\nsetrograde_{name} {value}"
            ));
        }
        say(format_args!(
            "# HELP setrograde_answer_seconds Time from request to answer."
        ));
        say(format_args!("# TYPE setrograde_answer_seconds summary"));
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        for ((endpoint, status), StatusTotals { count, time }) in &*answered {
            let labels = format!("{{endpoint=\"{endpoint}\",status=\"{status}\"}}");
            let seconds = time.as_secs_f64();
            say(format_args!(
                "setrograde_answer_seconds_sum{labels} {seconds}"
            ));
            say(format_args!(
                "setrograde_answer_seconds_count{labels} {count}"
            ));
        }
        text
    }
}
