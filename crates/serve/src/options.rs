//! The command line of the server.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::ops::RangeInclusive;

use clap::Parser;
use clap_complete::Shell;

use crate::origin;

/// The form of `--generate` that is no shell's.
const MAN: &str = "man";

/// Answer questions about bridge over HTTP.
#[derive(Parser)]
#[command(name = "setrograde-serve", version, after_help = include_str!("help.txt"))]
pub struct Arguments {
    /// Directory of the endgame database, or `none` for none. [default: $SETROGRADE_DB, your own
    /// (`setrograde build`), share/setrograde next to the program, or the 12 cards compiled in]
    #[arg(long, value_name = "DIR")]
    pub db: Option<OsString>,
    /// The port, on this machine alone (127.0.0.1); 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 5213, value_parser = whole(0..=65535))]
    pub port: u64,
    /// Listen at this address instead, such as 0.0.0.0:5213: everybody who can reach it may ask,
    /// without a password, and nothing is encrypted.
    #[arg(long, value_name = "IP:PORT", conflicts_with = "port", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// Answer requests for this host, too, such as `bridge.example.org`; may be repeated. Without
    /// it only localhost and the address at which the server listens are answered; with 0.0.0.0 any
    /// address.
    #[arg(long, value_name = "NAME", value_parser = origin::read_host)]
    pub host: Vec<String>,
    /// Let the pages of this site ask, such as `https://example.org`, or `*` for any site; may be
    /// repeated. Requests from the pages of other sites are refused.
    #[arg(long, value_name = "ORIGIN", value_parser = origin::read)]
    pub allow_origin: Vec<String>,
    /// Long requests that are answered at once, each on one core; others wait. [default: one
    /// for each core]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024))]
    pub at_once: Option<u64>,
    /// Time limit of a request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole(1..=MOST_SECONDS))]
    pub time: u64,
    /// Maximum memory for the positions that each request remembers, such as 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size(MOST_CACHE))]
    pub cache: usize,
    /// Maximum size of a file that is posted. An answer may be 16 times as long.
    #[arg(long, value_name = "SIZE", default_value = "1M", value_parser = size(MOST_SIZE))]
    pub size: usize,
    /// Write a line for each request to standard error, in the Common Log Format, followed by the
    /// time in seconds.
    #[arg(long)]
    pub log: bool,
    /// Print the completions of a shell, or the man page, and exit.
    #[arg(long, value_name = "FORM", value_parser = form, hide = true)]
    pub generate: Option<GeneratedForm>,
}

/// A year.
const MOST_SECONDS: u64 = 366 * 24 * 3600;
const MOST_CACHE: u64 = 1 << 40;
const MOST_SIZE: u64 = 1 << 30;

/// The form that `--generate` prints.
#[derive(Clone, Copy)]
pub enum GeneratedForm {
    ManPage,
    Completions(Shell),
}

/// Returns the reader of a whole number in a range.
fn whole(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (low, high) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
    }
}

/// Returns the reader of a size in bytes, of at most `most`.
fn size(most: u64) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
        let read = units.into_iter().find_map(|(unit, power)| {
            let text = text.to_ascii_uppercase();
            let text = text.trim_end_matches('B').trim_end_matches('I');
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            let bytes = number * (1_u64 << power) as f64;
            (bytes >= 1.0 && bytes <= most as f64).then_some(bytes as usize)
        });
        let most = most >> 30;
        read.ok_or_else(|| format!("expected a size such as 64M or 2G, of at most {most}G"))
    }
}

/// Reads an address to listen at.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let address = text.parse();
    address.map_err(|_| "expected an IP address and a port, such as 0.0.0.0:5213 or [::]:5213")
}

fn form(text: &str) -> Result<GeneratedForm, String> {
    match text {
        MAN => Ok(GeneratedForm::ManPage),
        shell => shell.parse().map(GeneratedForm::Completions),
    }
}
