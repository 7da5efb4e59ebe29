//! `setrograde serve`: answers over HTTP, for programs in other languages.
//!
//! A request is a command line with `--json`: `GET /solve?question=…&all` is
//! `solve --json --all …`, and a file that is posted is its standard input. So answers are those
//! of the commands, which run on threads of their own; one thread reads and writes.

mod asked;
mod connections;
mod metrics;
mod openapi;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use setrograde_ordered::cores;

use self::asked::Asking;
use self::connections::{GRACE, Limits, Server};
use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::size::Size;
use crate::interrupt;
use crate::output::{say, set_quiet};
use crate::session::Session;

/// Answer questions over HTTP.
#[derive(Args)]
#[command(after_help = include_str!("../../help/serve.txt"))]
pub struct ServeArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// The port, on this machine alone (127.0.0.1); 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 5213)]
    port: u16,
    /// Listen at this address instead, as 0.0.0.0:5213: everybody who can reach it may ask, without
    /// a password, and nothing is encrypted.
    #[arg(long, value_name = "IP:PORT", conflicts_with = "port")]
    listen: Option<SocketAddr>,
    /// Requests that are answered at once, each on one core; others wait. [default: one for
    /// each core]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    at_once: Option<u16>,
    /// Give up on a request after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = value_parser!(u32).range(1..))]
    time: u32,
    /// Most memory for the positions that each request remembers, as in 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    cache: Size,
    /// Longest file that may be posted. An answer may be 16 times as long.
    #[arg(long, value_name = "SIZE", default_value = "1M")]
    size: Size,
}

pub fn run(arguments: &ServeArguments) -> anyhow::Result<Outcome> {
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port);
    let address = arguments.listen.unwrap_or(here);
    let size = arguments.size.addressable();
    ensure!(size <= 1 << 30, "--size {}: at most 1G", arguments.size);
    let database = arguments.db.open(Session::terminal())?;
    let limits = Limits {
        at_once: arguments.at_once.map_or_else(cores, usize::from),
        time: Duration::from_secs(arguments.time.into()),
        size,
    };
    let asking = Asking::new(super::command(), database, arguments.cache, 16 * size);
    // Bars would show several requests at once.
    set_quiet(true);
    interrupt::wait_for(2 * GRACE);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(limits.at_once)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("{address}: cannot listen"))?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            say(format_args!(
                "setrograde: everybody who can reach {address} may ask, without a password; nothing is encrypted"
            ));
        }
        say(format_args!(
            "setrograde: http://{address}/ answers; Ctrl-C ends it"
        ));
        Server::new(asking, limits, address).run(listener).await;
        anyhow::Ok(())
    })?;
    // What was given up and has not noticed yet is not waited for.
    runtime.shutdown_background();
    Ok(Outcome::Done)
}
