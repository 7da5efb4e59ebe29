//! Ctrl-C, SIGTERM and SIGHUP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use crate::output::say;
use crate::output::whole_file::remove_begun;

/// The time that a command has to stop by itself. Then the process ends, which is
/// safe at any moment: files appear whole or not at all, and a build continues from
/// its journals.
const PATIENCE: Duration = Duration::from_millis(900);

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Listens for interrupts from now on: the first sets [`flag`].
pub fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        flag().store(true, Ordering::Relaxed);
        thread::sleep(PATIENCE);
        remove_begun();
        say("setrograde: cancelled");
        std::process::exit(130);
    })
    .context("cannot listen for interrupts")
}

/// The flag that long work checks: true once it is to stop.
pub fn flag() -> &'static Arc<AtomicBool> {
    &INTERRUPTED
}

/// Whether there was an interrupt.
pub fn is_interrupted() -> bool {
    flag().load(Ordering::Relaxed)
}
