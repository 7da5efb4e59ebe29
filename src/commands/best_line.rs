//! `setrograde single-dummy --layouts FILE`: the best line over layouts that are given.

use std::str::FromStr;

use anyhow::bail;
use setrograde::ask::{BestLine, TextLines};
use setrograde::cards::{Contract, Vulnerability};
use setrograde::{Ask, RefusalFault};

use crate::arguments::numbers::seconds;
use crate::questions::sources::InputSource;

/// The options of a best line.
#[derive(clap::Args)]
pub struct LineArguments {
    /// The best line over the layouts of a file instead of all: one deal per line, optionally
    /// with a weight after it, or PBN.
    #[arg(long, value_name = "FILE")]
    pub layouts: Option<std::path::PathBuf>,
    /// With --layouts: the best duplicate score in this contract, such as 3NTS or 4SXW, instead of
    /// the most tricks; 3NTS,5 if declarer has won five tricks before.
    #[arg(
        long,
        value_name = "CONTRACT[,WON]",
        requires = "layouts",
        conflicts_with = "tricks"
    )]
    score: Option<ScoreArgument>,
    /// The sides that are vulnerable, for --score: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", requires = "score", default_value = "none", value_parser = crate::arguments::shared::sides)]
    vulnerable: Vulnerability,
    /// With --layouts: seconds after which the answer has bounds.
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "layouts",
        default_value_t = 60.0,
        value_parser = seconds
    )]
    time: f64,
}

/// A contract, and the tricks that its declarer has won.
#[derive(Clone, Copy)]
struct ScoreArgument {
    contract: Contract,
    won: u8,
}

impl FromStr for ScoreArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<ScoreArgument, String> {
        let (contract, won) = match text.split_once(',') {
            Some((contract, won)) => (contract, won.parse().ok()),
            None => (text, Some(0)),
        };
        let won = won.filter(|&won| won <= 13);
        Ok(ScoreArgument {
            contract: contract.parse().map_err(|error| format!("{error}"))?,
            won: won.ok_or("expected 0 to 13 tricks after the comma")?,
        })
    }
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
            layouts: TextLines(InputSource::new(path.as_os_str()).text(MOST_BYTES)?),
            weights: Vec::new(),
            tricks,
            score: self.score.map(|score| score.contract),
            won: self.score.map_or(0, |score| score.won),
            vulnerable: self.vulnerable,
            cards: true,
            plan,
            time: Some(self.time),
            limit,
        };
        if let Err(refusal) = ask.check()
            && let RefusalFault::Wrong(problem) = refusal.fault
        {
            bail!("{}: {problem}", path.display());
        }
        Ok(Some(ask))
    }
}

/// A file of 1,000 deals is far smaller.
const MOST_BYTES: u64 = 16 << 20;
