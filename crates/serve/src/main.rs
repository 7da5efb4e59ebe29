//! `setrograde-serve`: answers over HTTP, for programs in other languages.
//!
//! A request is a question of the library `setrograde`, in JSON or in a query. Desks answer on
//! their own threads; one thread reads and writes.

#![deny(unsafe_code)]

mod allocator;
mod answer;
mod body;
mod connections;
mod desks;
mod log;
mod metrics;
mod openapi;
mod options;
mod origin;
mod places;
mod request;
mod turns;
mod wire;
mod works;

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{CommandFactory, Parser};
use setrograde::lookup::Database;
use setrograde::source::arguments_act;
use setrograde::{Desk, cores};
use tokio::sync::watch;

use self::connections::{GRACE, Server, ServerLimits};
use self::desks::Desks;
use self::log::say;
use self::options::{Arguments, GeneratedForm};
use self::origin::Origins;

/// Maximum number of deals or layouts in an answer.
const LONGEST_LIST: u32 = 10_000;

fn main() -> ExitCode {
    allocator::return_freed_memory();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(refusal) => return refused(&refusal),
    };
    let end = match arguments.generate {
        Some(form) => generate(form),
        None => run(&arguments),
    };
    let code = match end {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("setrograde: {error:#}"));
            ExitCode::FAILURE
        }
    };
    log::end();
    code
}

/// Prints what a command line asks for instead of work: an error, help or the version.
fn refused(refusal: &clap::Error) -> ExitCode {
    if refusal.use_stderr() && arguments_act() {
        refusal.render().to_string().lines().for_each(say);
        log::end();
    } else if refusal.print().and_then(|()| io::stdout().flush()).is_err() {
        return ExitCode::FAILURE;
    }
    ExitCode::from(refusal.exit_code() as u8)
}

/// Prints the man page or the completions of a shell.
fn generate(form: GeneratedForm) -> anyhow::Result<()> {
    let mut command = Arguments::command();
    let mut text = Vec::new();
    match form {
        GeneratedForm::ManPage => clap_mangen::Man::new(command).render(&mut text)?,
        GeneratedForm::Completions(shell) => {
            clap_complete::generate(shell, &mut command, "setrograde-serve", &mut text);
        }
    }
    match io::stdout().write_all(&text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("standard output: cannot write"),
    }
}

/// Opens the database in use; `None` if that is none.
fn database(arguments: &Arguments) -> anyhow::Result<Option<Arc<Database>>> {
    let Some(found) = Database::in_use(arguments.db.as_deref())? else {
        return Ok(None);
    };
    if let Some(problem) = &found.problem {
        say(format_args!("setrograde: {problem}"));
    }
    for note in found.database.notes() {
        say(format_args!("setrograde: {note}"));
    }
    Ok(Some(found.database))
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let here = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port as u16);
    let address = arguments.listen.unwrap_or(here);
    let limits = ServerLimits {
        at_once: arguments.at_once.map_or_else(cores, |count| count as usize),
        time: Duration::from_secs(arguments.time),
        size: arguments.size,
        log: arguments.log,
    };
    let desk = Desk::new(database(arguments)?)
        .with_memory(arguments.cache)
        .with_limits(LONGEST_LIST, openapi::MOST_DRAWN);
    let desks = Desks::new(desk, limits.at_once, limits.answer());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(limits.threads())
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("{address}: cannot listen"))?;
        let address = listener.local_addr()?;
        // Who reads that it listens may end it.
        let ended = signal()?;
        if !address.ip().is_loopback() {
            say(format_args!(
                "setrograde: without a password or encryption, anyone who can reach {address} can ask"
            ));
        }
        say(format_args!(
            "setrograde: listening on http://{address}/; press Ctrl-C to stop"
        ));
        let origins = Origins::new(arguments.allow_origin.clone(), &arguments.host, address.ip());
        Server::new(desks, limits, origins, address)
            .run(listener, ended)
            .await;
        anyhow::Ok(())
    })?;
    // It does not wait for cancelled work that has not stopped yet.
    runtime.shutdown_background();
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
