//! Builds a database and prints its progress. Interrupt it (Ctrl-C) whenever you
//! like: the next run continues.
//!
//! ```sh
//! cargo run --release -p setrograde-builder --example build_database -- db 16
//! ```

use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use setrograde_builder::{Build, BuildObserver, Portion};
use setrograde_lookup::format::manifest::LevelRecord;

/// Prints each level, and each tenth of its predicted cost.
#[derive(Default)]
struct Printer {
    all: AtomicU64,
    done: AtomicU64,
}

impl BuildObserver for Printer {
    fn kept(&self, record: &LevelRecord) {
        println!("{} cards: there already", 4 * record.level);
    }

    fn begun(&self, cards: usize, all: Portion) {
        println!("{cards} cards: {} partitions", all.partitions);
        self.all.store(all.cost, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn resumed(&self, part: Portion) {
        self.done.fetch_add(part.cost, Ordering::Relaxed);
    }

    fn advanced(&self, part: Portion) {
        let before = self.done.fetch_add(part.cost, Ordering::Relaxed);
        let all = self.all.load(Ordering::Relaxed).max(1);
        let after = before + part.cost;
        if 10 * before / all != 10 * after / all {
            println!("    {} %", 100 * after / all);
        }
    }

    fn finished(&self, record: &LevelRecord, _sealing: Duration) {
        println!("    {} sets, {} bytes", record.sets, record.bytes);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(directory), Some(cards)) = (arguments.next(), arguments.next()) else {
        return Err("usage: build_database DIR CARDS".into());
    };
    let build = Build {
        program: "build_database 1.0".to_owned(),
        ..Build::new(directory, cards.parse()?)
    };
    // Another thread may set this to end the build.
    let cancel = AtomicBool::new(false);
    let manifest = build.run(&Printer::default(), &cancel)?;
    println!("{} levels", manifest.levels.len());
    Ok(())
}
