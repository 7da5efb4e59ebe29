//! The arguments of commands that build a level of a database.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use setrograde::lookup::Grain;
use setrograde_builder::{Build, Method};

use super::database::DirectoryArgument;
use super::numbers::{cards, level};
use super::shared::ThreadsArgument;

/// The name of this program in manifests.
pub const PROGRAM: &str = concat!("setrograde ", env!("CARGO_PKG_VERSION"));

/// A level of a database, and the method that builds it.
#[derive(Args)]
pub struct LevelArguments {
    /// Maximum number of cards in an ending, all hands together: a multiple of 4.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = cards)]
    pub cards: usize,
    #[command(flatten)]
    pub db: DirectoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The method that finds the sets of endings: refine splits each partition from the top
    /// down; setrograde is the paper's, which generalizes one independent ending after another.
    #[arg(long, value_name = "METHOD", default_value = "refine", value_parser = method(),
        conflicts_with = "coarse_from")]
    method: Method,
    #[command(flatten)]
    coarse: CoarseArguments,
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The coarse levels of a database.
#[derive(Args)]
pub struct CoarseArguments {
    /// Build the levels from N cards on coarse: sets that almost no search arrives at are not
    /// split, and have an interval instead of a value. A solver is faster with them; no answer
    /// depends on them.
    #[arg(long, value_name = "N", value_parser = level)]
    coarse_from: Option<usize>,
    /// The grain of coarse levels: the share of the questions to a level for which a set is
    /// split. "fine" is 2e-10 at 24 cards and 1.4e-9 at 28, for a workstation.
    #[arg(long, value_name = "SHARE", requires = "coarse_from", default_value = "1e-8",
        value_parser = grains)]
    grain: Grains,
}

/// The grain of the levels up to 24 cards, and of the larger ones.
type Grains = [Grain; 2];

/// Reads the grain of coarse levels.
fn grains(text: &str) -> Result<Grains, &'static str> {
    if text == "fine" {
        return Ok([200, 1_400].map(Grain::new));
    }
    let grain = text.parse();
    grain
        .map(|grain| [grain; 2])
        .map_err(|_| "a grain is fine, or a number from 1e-12 to 1e-3, as in 1e-8, or 0")
}

impl CoarseArguments {
    /// Returns the method of the level of that many cards if it is coarse.
    pub fn method(&self, cards: usize) -> Option<Method> {
        let grain = self.grain[usize::from(cards > 24)];
        (cards >= self.coarse_from?).then_some(Method::Coarse(grain))
    }
}

/// Reads the name of a method.
fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(["refine", "setrograde"]).map(|name| match name.as_str() {
        "setrograde" => Method::Setrograde,
        _ => Method::Refine,
    })
}

impl LevelArguments {
    /// A build as this program does it.
    pub fn build(&self) -> anyhow::Result<Build> {
        let method = |level| self.coarse.method(4 * level).unwrap_or(self.method);
        Ok(Build {
            methods: std::array::from_fn(method),
            threads: self.threads.count(),
            program: PROGRAM.to_owned(),
            ..Build::new(self.db.path()?, self.cards)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_levels_have_their_own_grain() {
        let texts = |text| grains(text).map(|grains| grains.map(|grain| grain.to_string()));
        assert_eq!(texts("fine"), Ok(["2e-10", "1.4e-9"].map(str::to_owned)));
        assert_eq!(texts("1e-8"), Ok(["1e-8", "1e-8"].map(str::to_owned)));
        assert!(texts("coarse").is_err());
        let coarse = CoarseArguments {
            coarse_from: Some(24),
            grain: [1, 2].map(Grain::new),
        };
        let by_cards = [20, 24, 28].map(|cards| coarse.method(cards));
        let expected = [1, 2].map(|grain| Some(Method::Coarse(Grain::new(grain))));
        assert_eq!(by_cards, [None, expected[0], expected[1]]);
    }
}
