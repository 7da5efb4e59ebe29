//! Builds the same levels by both methods and compares them: time, sets,
//! nodes, bytes, and the value of random endings.
//!
//! ```text
//! cargo run --release -p setrograde-builder --example compare_methods -- CARDS [ENDINGS]
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;

use setrograde_builder::{Build, Method, Metric, Silent};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let cards = arguments.next().ok_or("how many cards?")?.parse()?;
    let only = arguments.next();
    for method in [Method::Refine, Method::Setrograde(Metric::MostXs)] {
        if only.as_deref().is_some_and(|only| only != method.name()) { continue; }
        let directory = tempfile::tempdir()?;
        let build = Build {
            directory: directory.path().to_owned(),
            cards,
            method,
            threads: Some(1),
            force: false,
            program: "compare_methods".to_owned(),
        };
        for level in build.run(&Silent, &AtomicBool::new(false))?.levels {
            println!("{level:?}");
        }
    }
    Ok(())
}
