//! Mutated and hostile inputs for everything that reads files or text.
//!
//! Each target takes bytes, and fails by a panic. `src/main.rs` feeds it with mutated seeds on any
//! compiler; `fuzz_targets/` has the same targets for cargo-fuzz. Each target's page lists the
//! properties that must hold.

pub mod golden;
pub mod meter;
pub mod mutate;
pub mod targets;

use self::mutate::Changes;
use self::targets::*;

/// A reader under test.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// The share of this target, of 10,000 inputs, when all share them.
    pub share: u32,
    /// How inputs are changed.
    pub changes: Changes,
    /// Sound inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Panics if the input shows a fault.
    pub run: fn(&[u8]),
}

const fn target(
    name: &'static str,
    share: u32,
    changes: Changes,
    seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]),
) -> Target {
    Target {
        name,
        share,
        changes,
        seeds,
        run,
    }
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    target("text", 2500, Changes::Bytes, text::seeds, text::run),
    target(
        "records",
        2500,
        Changes::Bytes,
        records::seeds,
        records::run,
    ),
    target("players", 400, Changes::Bytes, players::seeds, players::run),
    target(
        "manifest",
        200,
        Changes::Bytes,
        manifest::seeds,
        manifest::run,
    ),
    target("head", 1678, Changes::Bytes, head::seeds, head::run),
    target("codecs", 1200, Changes::Streams, codecs::seeds, codecs::run),
    target("map", 400, Changes::Bytes, map::seeds, map::run),
    target("level", 20, Changes::Streams, codecs::seeds, level::run),
    target("journal", 2, Changes::Bytes, journal::seeds, journal::run),
    target(
        "questions",
        400,
        Changes::Words,
        questions::seeds,
        questions::run,
    ),
    target("ask", 200, Changes::Words, ask::seeds, ask::run),
    target("desk", 500, Changes::Questions, desk::seeds, desk::run),
];
