//! `setrograde single-dummy --layouts FILE`: the best line over layouts that are given.

use anyhow::Context;
use setrograde::ask::{BestLine, Lines};
use setrograde_cards::{Contract, Vulnerability};
use setrograde_single_dummy::read_layouts;

use crate::arguments::shared::duration;
use crate::questions::sources::InputSource;

/// The options of a best line.
#[derive(clap::Args)]
pub struct LineArguments {
    /// The best line over the layouts of a file instead of all: a deal on each line, optionally
    /// with a weight after it, or PBN.
    #[arg(long, value_name = "FILE")]
    pub layouts: Option<std::path::PathBuf>,
    /// With --layouts: the best duplicate score in this contract, as 3NTS or 4SXW, instead of
    /// the most tricks. --won N: the tricks that declarer won before.
    #[arg(
        long,
        value_name = "CONTRACT",
        requires = "layouts",
        conflicts_with = "tricks"
    )]
    score: Option<Contract>,
    /// The tricks that declarer has won before, for --score.
    #[arg(long, value_name = "N", requires = "score", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=13))]
    won: u8,
    /// The sides that are vulnerable, for --score: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", requires = "score", default_value = "none", value_parser = crate::arguments::shared::sides)]
    vulnerable: Vulnerability,
    /// With --layouts: seconds after which the answer has bounds.
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "layouts",
        default_value_t = 60.0
    )]
    time: f64,
}

impl LineArguments {
    /// The question about the layouts of the file; `None` if no file is given.
    pub fn read(
        &self,
        tricks: Option<u8>,
        plan: bool,
        limit: u64,
    ) -> anyhow::Result<Option<BestLine>> {
        let Some(path) = &self.layouts else {
            return Ok(None);
        };
        let ask = BestLine {
            layouts: Lines(InputSource::new(path.as_os_str()).text(MOST_BYTES)?),
            weights: Vec::new(),
            tricks,
            score: self.score,
            won: self.won,
            vulnerable: self.vulnerable,
            cards: true,
            plan,
            time: Some(self.time),
            limit,
        };
        duration(self.time)?;
        read_layouts(&ask.layouts.0).with_context(|| path.display().to_string())?;
        Ok(Some(ask))
    }
}

/// A file of 1,000 deals is far smaller.
const MOST_BYTES: u64 = 16 << 20;
