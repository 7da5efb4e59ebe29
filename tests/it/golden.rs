//! The bytes on disk: a database of 8 cards as it was built long ago.

use std::fs;
use std::path::Path;

use setrograde_lookup::format::manifest::Manifest;

use crate::database::{build, level_file};

/// A change of these files is a change of the format, and of its version.
#[test]
fn a_build_has_the_bytes_of_the_golden_database() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden-8");
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), 8, 2);
    for cards in [4, 8] {
        let [old, new] = [&golden, directory.path()]
            .map(|directory: &Path| fs::read(level_file(directory, cards)).expect("a level"));
        assert!(old == new, "the level of {cards} cards has other bytes");
    }
    // Only the time that a build takes may differ.
    let [old, new] = [&golden, directory.path()].map(|directory: &Path| {
        let mut manifest = Manifest::read(directory).expect("a manifest");
        for level in &mut manifest.levels {
            level.cpu_milliseconds = 0;
        }
        manifest.to_bytes().expect("bytes")
    });
    assert!(old == new, "the manifest has other bytes");
}
