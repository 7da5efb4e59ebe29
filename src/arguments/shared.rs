//! The options that several subcommands share, each defined once.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use setrograde::ask::Rules;
use setrograde::cards::Vulnerability;

use super::numbers::whole;
use super::output;
use crate::questions::Questions;

/// More threads than any machine that this program was made for has cores: a
/// greater number is a slip, and would cost memory before it failed.
const MOST_THREADS: u64 = setrograde_builder::MOST_THREADS as u64;

/// `--threads`.
#[derive(Args)]
pub struct ThreadsArgument {
    /// Worker threads, at most 1024. [default: one for each core]
    #[arg(short = 'j', long, display_order = 90, value_name = "N", value_parser = whole::<u16>(1..=MOST_THREADS))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// The number that was asked for; `None` for one for each core.
    pub fn count(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// The sides that are vulnerable, in the words of the help or of PBN.
pub fn sides(text: &str) -> Result<Vulnerability, &'static str> {
    text.parse().map_err(|_| "expected none, NS, EW or both")
}

/// `--rules`.
#[derive(Args)]
pub struct RulesArgument {
    /// Weight layouts by rules of thumb about the cards that were played: none, mu or fitted.
    #[arg(long, value_name = "RULES", default_value = "none", value_parser = ["none", "mu", "fitted"])]
    rules: String,
}

impl RulesArgument {
    /// The rules.
    pub fn rules(&self) -> Rules {
        match self.rules.as_str() {
            "mu" => Rules::Mu,
            "fitted" => Rules::Fitted,
            _ => Rules::None,
        }
    }
}

/// The options of commands that answer questions.
#[derive(Args)]
pub struct AnswerArguments {
    #[command(flatten)]
    pub threads: ThreadsArgument,
    /// Print one JSON object per line (docs/json.md).
    #[arg(long, display_order = 91)]
    pub json: bool,
    /// Write the answers to this file, which appears complete or not at all; `-` is standard output.
    #[arg(short, long, display_order = 92, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl AnswerArguments {
    /// The questions as they are to be read and answered. A worker takes `piece` of
    /// them at a time.
    pub fn questions<'a>(
        &'a self,
        question: &'a [OsString],
        piece: usize,
        boards: bool,
    ) -> Questions<'a> {
        Questions {
            question,
            threads: self.threads.count(),
            json: self.json,
            output: output::file(self.output.as_deref()),
            piece,
            boards,
            ..Questions::default()
        }
    }
}
