//! Mutated and hostile inputs for everything that reads files or text.
//!
//! Each target takes bytes, and fails by a panic. `src/main.rs` feeds it with mutated seeds on any
//! compiler; `fuzz_targets/` has the same targets for cargo-fuzz. Each target's page lists the
//! properties that must hold.

pub mod golden;
pub mod meter;
pub mod mutate;
pub mod targets;

/// A reader under test.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    /// The share of this target, of 10,000 inputs, when all share them.
    pub share: u32,
    /// Sound inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Changes an input; the second is another to take pieces from.
    pub mutate: fn(&mut Vec<u8>, &[u8], &mut fastrand::Rng),
    /// True if changed inputs are changed further, so changes add up.
    pub grows: bool,
    /// Panics if the input shows a fault.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    Target {
        name: "text",
        share: 2500,
        seeds: targets::text::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::text::run,
    },
    Target {
        name: "records",
        share: 2500,
        seeds: targets::records::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::records::run,
    },
    Target {
        name: "players",
        share: 400,
        seeds: targets::players::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::players::run,
    },
    Target {
        name: "manifest",
        share: 200,
        seeds: targets::manifest::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::manifest::run,
    },
    Target {
        name: "head",
        share: 1678,
        seeds: targets::head::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::head::run,
    },
    Target {
        name: "codecs",
        share: 1200,
        seeds: targets::codecs::seeds,
        mutate: mutate::mutate_streams,
        grows: false,
        run: targets::codecs::run,
    },
    Target {
        name: "map",
        share: 400,
        seeds: targets::map::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::map::run,
    },
    Target {
        name: "level",
        share: 20,
        seeds: targets::level::seeds,
        mutate: mutate::mutate_streams,
        grows: false,
        run: targets::level::run,
    },
    Target {
        name: "journal",
        share: 2,
        seeds: targets::journal::seeds,
        mutate: mutate::mutate,
        grows: true,
        run: targets::journal::run,
    },
    Target {
        name: "questions",
        share: 400,
        seeds: targets::questions::seeds,
        mutate: mutate::mutate_words,
        grows: false,
        run: targets::questions::run,
    },
    Target {
        name: "ask",
        share: 200,
        seeds: targets::ask::seeds,
        mutate: mutate::mutate_words,
        grows: false,
        run: targets::ask::run,
    },
    Target {
        name: "desk",
        share: 500,
        seeds: targets::desk::seeds,
        mutate: mutate::mutate_questions,
        grows: false,
        run: targets::desk::run,
    },
];
