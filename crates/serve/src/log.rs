//! Lines on standard error that nobody waits for: a pipe that is not read blocks its writer.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, SystemTime};

use hyper::{Method, StatusCode, Uri, Version};
use setrograde::source::printable;

/// Maximum number of lines that wait to be written. Later ones are lost.
const WAITING: usize = 1024;

/// Maximum length of a request's target in a line, in characters.
const TARGET: usize = 1000;

/// The time that the last lines have to be written.
const PATIENCE: Duration = Duration::from_millis(500);

/// A line, or the end of all lines, which is confirmed.
enum LogLine {
    Text(String),
    End(SyncSender<()>),
}

/// The lines that were lost since the last one.
static LOST: AtomicU64 = AtomicU64::new(0);

/// The entrance to the thread that writes; `None` if it could not be started.
fn lines() -> Option<&'static SyncSender<LogLine>> {
    static LINES: OnceLock<Option<SyncSender<LogLine>>> = OnceLock::new();
    let start = || {
        let (sender, receiver) = sync_channel(WAITING);
        let started = thread::Builder::new().spawn(move || write_all(&receiver));
        started.is_ok().then_some(sender)
    };
    LINES.get_or_init(start).as_ref()
}

fn write_all(lines: &Receiver<LogLine>) {
    for line in lines {
        let text = match line {
            LogLine::Text(text) => text,
            LogLine::End(confirm) => {
                let _ = confirm.send(());
                return;
            }
        };
        let lost = match LOST.swap(0, Ordering::Relaxed) {
            0 => String::new(),
            lost => format!("setrograde: {lost} lines were lost, because nobody read them\n"),
        };
        // If that fails, the line is lost and the work continues.
        let _ = io::stderr().write_all((lost + &text).as_bytes());
    }
}

/// Writes a line to standard error soon, or never if too many lines wait.
pub fn say(line: impl Display) {
    let text = printable(&line.to_string()).into_owned() + "\n";
    let sent = lines().map(|lines| lines.try_send(LogLine::Text(text)));
    if !matches!(sent, Some(Ok(()))) {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// Waits until all lines are written, for half a second at most.
pub fn end() {
    let (confirm, confirmed) = sync_channel(1);
    if lines().is_some_and(|lines| lines.try_send(LogLine::End(confirm)).is_ok()) {
        let _ = confirmed.recv_timeout(PATIENCE);
    }
}

/// A request and its answer in the Common Log Format, followed by the time in seconds.
pub struct AccessLine<'a> {
    pub client: IpAddr,
    pub method: &'a Method,
    pub target: &'a Uri,
    pub version: Version,
    pub status: StatusCode,
    /// The length of the answer.
    pub bytes: u64,
    pub took: Duration,
}

impl Display for AccessLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = self.target.to_string();
        let shown: String = target.chars().take(TARGET).collect();
        let cut = if shown.len() < target.len() {
            "..."
        } else {
            ""
        };
        write!(
            f,
            "{} - - [{}] \"{} {}{cut} {:?}\" {} {} {:.3}",
            self.client,
            log_time(SystemTime::now()),
            self.method,
            shown.replace('"', "%22"),
            self.version,
            self.status.as_u16(),
            self.bytes,
            self.took.as_secs_f64(),
        )
    }
}

/// A time in UTC, such as `27/Nov/2026:03:23:25 +0000`.
fn log_time(time: SystemTime) -> String {
    let http = httpdate::fmt_http_date(time);
    // As "Fri, 27 Nov 2026 03:23:25 GMT".
    let fields: Vec<&str> = http.split(' ').collect();
    match fields[..] {
        [_, day, month, year, clock, _] => format!("{day}/{month}/{year}:{clock} +0000"),
        _ => http,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_one_line() {
        let target = format!("/table?question={}", "x".repeat(2000));
        let line = AccessLine {
            client: "192.0.2.1".parse().expect("an address"),
            method: &Method::GET,
            target: &target.parse().expect("a target"),
            version: Version::HTTP_11,
            status: StatusCode::OK,
            bytes: 345,
            took: Duration::from_millis(12),
        };
        let line = line.to_string();
        assert!(line.starts_with("192.0.2.1 - - ["), "{line}");
        assert!(line.contains("+0000] \"GET /table?question=xxx"), "{line}");
        assert!(line.ends_with("x... HTTP/1.1\" 200 345 0.012"), "{line}");
        assert!(line.len() < 1100, "{line}");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(log_time(time), "06/Nov/1994:08:49:37 +0000");
    }
}
