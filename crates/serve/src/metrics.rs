//! Counts for Prometheus and what reads its text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

use setrograde::lock;

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
}

/// The current counts.
pub struct Gauges {
    pub connections: usize,
    /// Requests that are being answered or wait for an answer.
    pub requests: usize,
    /// Requests that are being answered.
    pub working: usize,
    /// Those of them that do not end.
    pub stuck: usize,
}

impl Metrics {
    /// Notes an answer, and the time that it took.
    pub fn add(&self, endpoint: &'static str, status: u16, time: Duration) {
        let mut answered = lock(&self.answered);
        let answered = answered.entry((endpoint, status)).or_default();
        answered.count += 1;
        answered.time += time;
    }

    /// The text.
    pub fn text(&self, gauges: &Gauges) -> String {
        let mut text = String::new();
        let mut say = |line: std::fmt::Arguments<'_>| {
            writeln!(text, "{line}").expect("a string takes all");
        };
        for (name, about, value) in [
            ("connections", "Open connections", gauges.connections),
            (
                "requests",
                "Requests being answered or waiting",
                gauges.requests,
            ),
            (
                "working",
                "Requests that are answered, or given up and not ended",
                gauges.working,
            ),
            (
                "stuck",
                "Requests that were given up 2 s ago or earlier, and whose work does not end",
                gauges.stuck,
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
        let answered = lock(&self.answered);
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
