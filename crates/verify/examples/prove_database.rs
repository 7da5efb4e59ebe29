//! Proves a database, and prints each check as it is done.
//!
//! ```sh
//! cargo run --release -p setrograde-verify --example prove_database -- db
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;

use setrograde_lookup::Database;
use setrograde_verify::{CheckReport, Verify, VerifyObserver};

struct Printer;

impl VerifyObserver for Printer {
    fn finished(&self, report: &CheckReport) {
        println!(
            "{} cards: {} {} right ({})",
            report.cards,
            report.units,
            report.check.unit(),
            report.check
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: prove_database DIR")?;
    let database = Database::open(directory)?;
    let verify = Verify {
        sample: 1_000,
        exhaustive: true,
        ..Verify::default()
    };
    verify.run(&database, &Printer, &AtomicBool::new(false))?;
    println!("whole and right");
    Ok(())
}
