//! `setrograde db fetch-level`: fetches levels built elsewhere.

use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use serde_json::json;
use setrograde_builder::{DirectorySource, Fetch, Fetched, Source};

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::numbers::cards;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt::{self, flag, is_interrupted};
use crate::json;
use crate::output::printable;
use crate::output::progress::simple_bar;

/// Fetch the levels up to a number of cards from a directory or a server.
///
/// They come from a directory, or from a web address by the program curl, and are checked: each
/// level against its record in the manifest, and each file against the list SHA256SUMS if there is
/// one beside it. Sound files are kept; missing or damaged ones are fetched again. A broken fetch
/// continues where it ended.
#[derive(Args)]
#[command(after_help = include_str!("../help/fetch_level.txt"))]
pub struct FetchLevelArguments {
    /// Maximum number of cards in an ending: a multiple of 4.
    #[arg(value_name = "N", value_parser = cards)]
    cards: usize,
    /// The directory or the web address of the files.
    #[arg(long, value_name = "URL|DIR")]
    from: String,
    #[command(flatten)]
    db: DirectoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &FetchLevelArguments) -> anyhow::Result<Outcome> {
    interrupt::is_resumable();
    let cards = arguments.cards;
    ensure!(
        cards > 0 && cards.is_multiple_of(4) && cards <= 52,
        "{cards} cards: choose a multiple of 4 up to 52"
    );
    let source = arguments.from.trim_end_matches('/');
    let directory = DirectorySource(Path::new(&arguments.from).to_owned());
    let web = Web(source.to_owned());
    let fetch = Fetch {
        directory: arguments.db.path()?,
        cards,
        source: if source.contains("://") {
            &web
        } else {
            &directory
        },
        source_name: without_user(source),
        threads: arguments.threads.count(),
    };
    let bar = simple_bar(
        "{prefix} [{wide_bar}] {bytes} of {total_bytes}, {eta} left",
        Some(0),
    );
    let progress = |cards, done, all| {
        bar.set_prefix(format!("{cards:>2} cards"));
        bar.set_length(all);
        bar.set_position(done);
    };
    let fetched = fetch.run(progress, flag());
    bar.finish_and_clear();
    let Fetched {
        fetched,
        mended,
        kept,
    } = fetched?;
    let directory = printable::path(&fetch.directory);
    if arguments.json {
        json::print(json!({
            "directory": directory,
            "fetched": fetched,
            "kept": kept,
            "mended": mended,
        }))?;
        return Ok(Outcome::Done);
    }
    let of = |levels: &[usize], what: &str| {
        let cards: Vec<String> = levels.iter().map(usize::to_string).collect();
        (!levels.is_empty()).then(|| format!("{} cards {what}", cards.join(", ")))
    };
    let parts = [
        of(&fetched, "fetched and checked"),
        of(&mended, "repaired"),
        of(&kept, "kept"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let text = if fetched.is_empty() && mended.is_empty() {
        "all levels already exist and are sound".to_owned()
    } else {
        parts.join("; ")
    };
    writeln!(io::stdout(), "{directory}: {text}")?;
    Ok(Outcome::Done)
}

/// Returns a web address as it may be shown: without a user's name and password.
fn without_user(address: &str) -> String {
    let shown = || {
        let (scheme, rest) = address.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next()?;
        let (user, _) = host.rsplit_once('@')?;
        Some(format!("{scheme}://…{}", &rest[user.len()..]))
    };
    shown().unwrap_or_else(|| address.to_owned())
}

/// A web address as a source of files, which the program curl reads.
struct Web(String);

impl Source for Web {
    fn open(&self, name: &str, from: u64) -> io::Result<Box<dyn Read + '_>> {
        // A redirection may lead to HTTPS, and to no other scheme.
        let after = if self.0.starts_with("https:") {
            "=https"
        } else {
            "=http,https"
        };
        let address = format!("{}/{name}", self.0);
        if address.contains(char::is_control) {
            let why = "a web address has no control characters";
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        }
        // The user's own settings of curl are not meant for this.
        let mut child = Command::new("curl")
            .args([
                "--disable",
                "--silent",
                "--show-error",
                "--fail",
                "--location",
                "--globoff",
            ])
            .args(["--proto", "=http,https", "--proto-redir", after])
            .args(["--max-redirs", "10", "--connect-timeout", "20"])
            // Maximum number of seconds below this rate, before the source counts as stalled.
            .args(["--speed-limit", "500", "--speed-time", "20"])
            .args(["--continue-at", &from.to_string(), "--config", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let why = "curl cannot be started; fetch the files in another way, and name their \
                           directory";
                io::Error::other(format!("{why}: {error}"))
            })?;
        // Not as an argument, because any user can list the arguments of programs, and an address
        // may contain a password.
        let quoted = address.replace('\\', r"\\").replace('"', r#"\""#);
        let mut input = child.stdin.take().expect("it is piped");
        let sent = writeln!(input, "url = \"{quoted}\"");
        drop(input);
        let output = child.stdout.take().expect("it is piped");
        let transfer = Transfer {
            child,
            pieces: pieces(output)?,
            piece: Vec::new(),
            at: 0,
        };
        sent.map(|()| Box::new(transfer) as Box<dyn Read + '_>)
    }
}

/// Reads a stream in a thread, so an interrupt need not wait for it.
fn pieces(mut output: ChildStdout) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(4);
    thread::Builder::new().spawn(move || {
        loop {
            let mut piece = vec![0; 1 << 16];
            let read = output.read(&mut piece).map(|read| {
                piece.truncate(read);
                piece
            });
            let is_last = read.as_ref().map_or(true, Vec::is_empty);
            if sender.send(read).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// A transfer by curl, which ends with it.
struct Transfer {
    child: Child,
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
}

impl Transfer {
    /// The error of curl, whose output has ended; none if all came.
    fn failure(&mut self) -> io::Result<Option<io::Error>> {
        let status = self.child.wait()?;
        if status.success() {
            return Ok(None);
        }
        let mut text = String::new();
        if let Some(errors) = self.child.stderr.take() {
            let _ = errors.take(1 << 12).read_to_string(&mut text);
        }
        let kind = match status.code() {
            // The server does not continue a file where it is asked to.
            Some(33) => ErrorKind::Unsupported,
            Some(22) if text.contains("error: 416") => ErrorKind::Unsupported,
            Some(22) if text.contains("error: 404") => ErrorKind::NotFound,
            Some(28) => ErrorKind::TimedOut,
            _ => ErrorKind::Other,
        };
        let why = format!("curl failed with {status}: {}", text.trim());
        Ok(Some(io::Error::new(kind, why)))
    }
}

impl Read for Transfer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            match self.pieces.recv_timeout(Duration::from_millis(100)) {
                Ok(piece) => (self.piece, self.at) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) if is_interrupted() => {
                    return Err(io::Error::new(ErrorKind::TimedOut, "interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.piece.is_empty() {
                return self.failure()?.map_or(Ok(0), Err);
            }
        }
        let taken = buffer.len().min(self.piece.len() - self.at);
        buffer[..taken].copy_from_slice(&self.piece[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        for (address, shown) in [
            ("http://me:secret@host:80/a@b", "http://…@host:80/a@b"),
            ("https://me:s@e@host", "https://…@host"),
            ("http://host/a@b", "http://host/a@b"),
            ("db", "db"),
        ] {
            assert_eq!(without_user(address), shown);
        }
    }
}
