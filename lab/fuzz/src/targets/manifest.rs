//! A manifest: raw bytes, and with a sound checksum.

use setrograde_lookup::format::manifest::{Manifest, path_in};
use xxhash_rust::xxh3::xxh3_64;

use crate::golden::{GOLDEN, scratch};

pub fn seeds() -> Vec<Vec<u8>> {
    let bytes = |manifest: &Manifest| manifest.to_bytes().expect("a manifest");
    GOLDEN
        .iter()
        .map(|golden| bytes(&golden.manifest))
        .collect()
}

pub fn run(input: &[u8]) {
    thread_local! {
        static DIRECTORY: tempfile::TempDir = scratch();
    }
    let mut repaired = input.to_vec();
    if let Some((body, checksum)) = repaired.split_last_chunk_mut::<8>() {
        *checksum = xxh3_64(body).to_le_bytes();
    }
    DIRECTORY.with(|directory| {
        for bytes in [input, &repaired] {
            std::fs::write(path_in(directory.path()), bytes).expect("written");
            if let Ok(manifest) = Manifest::read(directory.path()) {
                let again = manifest.to_bytes().expect("what is read can be written");
                std::fs::write(path_in(directory.path()), again).expect("written");
                let read = Manifest::read(directory.path()).expect("what is written can be read");
                assert_eq!(read, manifest);
            }
        }
    });
}
