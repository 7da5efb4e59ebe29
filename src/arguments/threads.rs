//! The argument `--threads`.

use clap::Args;

/// More threads than any machine that this program was made for has cores: a
/// number above is a slip, and would cost memory before it failed.
const MOST: i64 = 1024;

/// How many threads work.
#[derive(Args)]
pub struct ThreadsArgument {
    /// Worker threads, at most 1024. [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// The number that was asked for; `None` for one for each core.
    pub fn count(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}
