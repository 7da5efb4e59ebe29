//! The arguments of layouts that are drawn.

use std::sync::Arc;

use clap::{Args, value_parser};
use setrograde_lookup::Database;
use setrograde_single_dummy::Sampling;
use setrograde_solver::{Endgames, Options};

use crate::interrupt;

/// `--draw`, `--until` and `--seed`.
#[derive(Args)]
pub struct DrawArguments {
    /// Draw N layouts. [default: 1000, or as many as --until takes]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    draw: Option<u32>,
    /// Stop drawing once every chance is known to within this many per cent.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    until: Option<f64>,
    /// Seed of the layouts that are drawn.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

fn percent(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches('%').trim_end().parse::<f64>();
    let number = number
        .ok()
        .filter(|&number| number > 0.0 && number <= 100.0);
    number
        .map(|number| number / 100.0)
        .ok_or("expected per cent, as 1%")
}

impl DrawArguments {
    /// Returns true if layouts are to be drawn, even where they could be counted.
    pub fn is_wanted(&self) -> bool {
        self.draw.is_some() || self.until.is_some()
    }

    /// The sample, by so many threads.
    pub fn sampling(&self, threads: usize, by_card: bool) -> Sampling {
        let usual = if self.until.is_some() {
            1_000_000
        } else {
            1000
        };
        Sampling {
            layouts: self.draw.unwrap_or(usual) as usize,
            until: self.until,
            seed: self.seed,
            threads,
            by_card,
        }
    }
}

/// Options of a solver of layouts, which uses this database if there is one.
pub fn solver(database: Option<&Arc<Database>>) -> Options {
    Options {
        endgames: database.map(|database| Arc::clone(database) as Arc<dyn Endgames>),
        cancel: Some(Arc::clone(interrupt::flag())),
        ..Options::default()
    }
}
