//! `setrograde-serve`: answers over HTTP, for programs in other languages.
//!
//! A request is a command line with `--json`: `GET /solve?question=…&all` is `setrograde solve
//! --json --all …`, and a file that is posted is its standard input. So answers are those of the
//! commands, which run on their own threads; one thread reads and writes.

#![deny(unsafe_code)]

mod allocator;
mod body;
mod connections;
mod log;
mod metrics;
mod origin;
mod places;
mod request;
mod turns;
mod wire;
mod works;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{CommandFactory, Parser};
use setrograde_cli::remote::{self, Asking, DatabaseArgument, FORMS, Size, whole};
use setrograde_parallel::cores;
use tokio::sync::watch;

use self::connections::{GRACE, Server, ServerLimits};
use self::log::say;
use self::origin::Origins;

/// Answer questions about bridge over HTTP.
#[derive(Parser)]
#[command(name = "setrograde-serve", version, after_help = include_str!("help.txt"))]
struct Arguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// The port, on this machine alone (127.0.0.1); 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 5213, value_parser = whole::<u16>(0..=65535))]
    port: u16,
    /// Listen at this address instead, as 0.0.0.0:5213: everybody who can reach it may ask, without
    /// a password, and nothing is encrypted.
    #[arg(long, value_name = "IP:PORT", conflicts_with = "port", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Answer requests for this host, too, as `bridge.example.org`; may be repeated. Without it only
    /// localhost and the address at which the server listens are answered; with 0.0.0.0 any address.
    #[arg(long, value_name = "NAME", value_parser = origin::read_host)]
    host: Vec<String>,
    /// Let the pages of this site ask, as `https://example.org`, or `*` for any site; may be
    /// repeated. Requests from the pages of other sites are refused.
    #[arg(long, value_name = "ORIGIN", value_parser = origin::read)]
    allow_origin: Vec<String>,
    /// Long requests that are answered at once, each on one core; others wait. [default: one
    /// for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    at_once: Option<u16>,
    /// Time limit of a request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u32>(1..))]
    time: u32,
    /// Maximum memory for the positions that each request remembers, as in 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    cache: Size,
    /// Maximum size of a file that is posted. An answer may be 16 times as long.
    #[arg(long, value_name = "SIZE", default_value = "1M")]
    size: Size,
    /// Write a line for each request to standard error, in the Common Log Format with the seconds.
    #[arg(long)]
    log: bool,
    /// Print the completions of a shell, or the man page, and end.
    #[arg(long, value_name = "FORM", value_parser = FORMS, hide = true)]
    generate: Option<String>,
}

/// Reads an address to listen at.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let address = text.parse();
    address.map_err(|_| "expected an IP address and a port, as 0.0.0.0:5213 or [::]:5213")
}

fn main() -> ExitCode {
    allocator::return_freed_memory();
    let end = match Arguments::try_parse_from(remote::arguments()) {
        Ok(arguments) => run(&arguments).map(|()| ExitCode::SUCCESS),
        // Help and version are such an "error", too.
        Err(refusal) => setrograde_cli::print_refusal(&refusal),
    };
    setrograde_cli::ended(end)
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(form) = &arguments.generate {
        return remote::generate(form, Arguments::command());
    }
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port);
    let address = arguments.listen.unwrap_or(here);
    let size = arguments.size.addressable();
    ensure!(size <= 1 << 30, "--size {}: at most 1G", arguments.size);
    remote::prepare();
    let limits = ServerLimits {
        at_once: arguments.at_once.map_or_else(cores, usize::from),
        time: Duration::from_secs(arguments.time.into()),
        size,
        log: arguments.log,
    };
    let asking = Asking::new(&arguments.db, arguments.cache, limits.answer())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(limits.threads())
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("{address}: cannot listen"))?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            say(format_args!(
                "setrograde: without a password or encryption, anyone who can reach {address} can ask"
            ));
        }
        say(format_args!(
            "setrograde: listening on http://{address}/; press Ctrl-C to stop"
        ));
        let origins = Origins::new(arguments.allow_origin.clone(), &arguments.host, address.ip());
        Server::new(asking, limits, origins, address)
            .run(listener, signal()?)
            .await;
        anyhow::Ok(())
    })?;
    // It does not wait for cancelled work that has not stopped yet.
    runtime.shutdown_background();
    log::end();
    Ok(())
}

/// Returns whether the process is to end: true after SIGINT, SIGTERM or SIGHUP, or once its
/// console closes.
fn signal() -> anyhow::Result<watch::Receiver<bool>> {
    let (sender, ended) = watch::channel(false);
    let signal = first_signal().context("cannot listen for signals")?;
    tokio::spawn(async move {
        signal.await;
        sender.send_replace(true);
        // The server ends by itself earlier.
        std::thread::spawn(|| {
            std::thread::sleep(2 * GRACE);
            std::process::exit(1);
        });
    });
    Ok(ended)
}

/// Waits for the first signal to end.
#[cfg(unix)]
fn first_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

/// Waits for the first signal to end.
#[cfg(windows)]
fn first_signal() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows;
    let mut ctrl_c = windows::ctrl_c()?;
    let mut ctrl_break = windows::ctrl_break()?;
    let mut close = windows::ctrl_close()?;
    let mut shutdown = windows::ctrl_shutdown()?;
    Ok(async move {
        tokio::select! {
            _ = ctrl_c.recv() => {}
            _ = ctrl_break.recv() => {}
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
}
