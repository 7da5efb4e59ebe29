//! Proves one level, and gives up after a number of seconds.
//!
//! ```sh
//! cargo run --release -p setrograde-verify --example prove_level_in_time -- db 16 60
//! ```

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use setrograde_lookup::Database;
use setrograde_verify::{Silent, Verify, VerifyError};

static CANCEL: AtomicBool = AtomicBool::new(false);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(cards), Some(seconds)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: prove_level_in_time DIR CARDS SECONDS".into());
    };
    let seconds = Duration::from_secs(seconds.parse()?);
    let level = cards.parse::<usize>()? / 4;
    std::thread::spawn(move || {
        std::thread::sleep(seconds);
        CANCEL.store(true, Ordering::Relaxed);
    });
    let database = Database::open(directory)?;
    let verify = Verify {
        levels: Some(level..=level),
        ..Verify::default()
    };
    match verify.run(&database, &Silent, &CANCEL) {
        Ok(_) => println!("right, if the level below is"),
        Err(VerifyError::Cancelled) => println!("nothing wrong so far"),
        Err(error) => println!("wrong: {error}"),
    }
    Ok(())
}
