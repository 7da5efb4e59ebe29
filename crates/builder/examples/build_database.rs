//! Builds a database and tells how it goes. Interrupt it (Ctrl-C) whenever you
//! like: run again, it goes on.
//!
//! ```sh
//! cargo run --release -p setrograde-builder --example build_database -- db 16
//! ```

use std::error::Error;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use setrograde_builder::{Build, BuildObserver};
use setrograde_lookup::format::manifest::LevelRecord;

/// Prints each level, and how far it is by tenths.
#[derive(Default)]
struct Printer {
    all: AtomicUsize,
    done: AtomicUsize,
}

impl BuildObserver for Printer {
    fn kept(&self, record: &LevelRecord) {
        println!("{} cards: there already", 4 * record.level);
    }

    fn begun(&self, cards: usize, partitions: usize) {
        println!("{cards} cards: {partitions} partitions");
        self.all.store(partitions, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    fn resumed(&self, partitions: usize) {
        self.done.fetch_add(partitions, Ordering::Relaxed);
    }

    fn advanced(&self, partitions: usize, _sets: u64) {
        let before = self.done.fetch_add(partitions, Ordering::Relaxed);
        let all = self.all.load(Ordering::Relaxed).max(1);
        if 10 * before / all != 10 * (before + partitions) / all {
            println!("    {} %", 100 * (before + partitions) / all);
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
