//! Ctrl-C, SIGTERM and SIGHUP; on Windows also the end of the console.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use setrograde::solver::Stop;

use crate::outcome::AGAIN;
use crate::output::say;
use crate::output::whole_file::remove_begun;

/// The time that a command has to stop. Then the process ends, which is safe at any
/// moment: files appear complete or not at all, and a build continues from its journals.
const PATIENCE: Duration = Duration::from_millis(900);

/// The exit status after an interrupt.
static STATUS: AtomicU8 = AtomicU8::new(130);

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Listens for interrupts from now on: the first sets [`flag`]. A file that grows beyond the limit
/// of its size (`ulimit -f`) is an error of the write, not the end of the process.
pub fn listen() -> anyhow::Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .context("cannot listen for signals")?;
    set_handler(|| {
        flag().store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        remove_begun();
        say("setrograde: cancelled");
        std::process::exit(status().into());
    })
    .context("cannot listen for interrupts")
}

/// Returns the exit status after an interrupt.
pub fn status() -> u8 {
    STATUS.load(Ordering::Relaxed)
}

/// Declares that the same command continues the work after an interrupt, which
/// [`AGAIN`] reports.
pub fn is_resumable() {
    STATUS.store(AGAIN, Ordering::Relaxed);
}

/// Calls a function, in its own thread, when the process is to end.
#[cfg(unix)]
fn set_handler(handler: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let wait = move || signals.forever().for_each(|_| handler());
    thread::Builder::new().spawn(wait).map(drop)
}

#[cfg(windows)]
fn set_handler(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(handler)
}

/// The flag that long work checks: true once it is to stop.
pub fn flag() -> &'static Arc<AtomicBool> {
    &INTERRUPTED
}

/// The end of work at an interrupt.
pub fn stop() -> Stop {
    Arc::clone(flag()).into()
}

/// Returns true if there was an interrupt.
pub fn is_interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}
