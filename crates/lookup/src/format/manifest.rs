//! The manifest: the levels of a database, and how each was built.
//!
//! It is the only file encoded by bincode. Files on the hot path have formats of their own.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::open_regular;
use crate::error::Error;
use crate::format::grain::Grain;

const MAGIC: [u8; 8] = *b"setrogm\n";
/// The version of the manifest that this crate reads and writes.
pub const VERSION: u32 = 2;
/// Maximum bytes of a manifest.
pub const MAX_BYTES: usize = 1 << 20;

/// The record of one level.
#[derive(Debug, Clone, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct LevelRecord {
    /// Cards in each hand, 1..=8.
    pub level: u32,
    /// The builder's method: `refine`, `coarse` or `setrograde`.
    pub method: String,
    /// The program that built it, with its version.
    pub program: String,
    /// Partitions.
    pub partitions: u64,
    /// Endings.
    pub states: u128,
    /// Sets of 4-bit owner masks.
    pub sets: u64,
    /// Nodes of diagrams or trees.
    pub nodes: u64,
    /// Nodes of the largest diagram or tree.
    pub largest: u64,
    /// Bytes of the level's file.
    pub bytes: u64,
    /// Processor time of the build, summed over its threads, in milliseconds.
    pub cpu_milliseconds: u64,
    /// Checksum of the file's header and index.
    pub checksum: u64,
    /// Hash of the diagrams or trees themselves.
    pub content: u64,
    /// Proofs that the oracle tried.
    pub proofs: u64,
    /// Questions to the level below.
    pub lookups: u64,
    /// Details of levels that were not built by the method `refine`.
    pub details: Details,
}

impl LevelRecord {
    /// Returns the figures of the setrograde analysis, if that was the method.
    pub fn analysis(&self) -> Option<AnalysisRecord> {
        match self.details {
            Details::Analysis(analysis) => Some(analysis),
            _ => None,
        }
    }

    /// The grain, if the level is coarse.
    pub fn grain(&self) -> Option<Grain> {
        match self.details {
            Details::Coarse { grain } => Some(Grain::new(grain)),
            _ => None,
        }
    }
}

/// Details that only some levels have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub enum Details {
    /// Of an exact level by `refine`: nothing more.
    #[default]
    None,
    /// The figures of a setrograde analysis.
    Analysis(AnalysisRecord),
    /// Of a coarse level.
    Coarse {
        /// Its grain, in trillionths.
        grain: u32,
    },
}

/// Figures of the setrograde analysis of a level, as in section 6.3 of "Setrograde analysis"
/// (2024).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct AnalysisRecord {
    /// Endings that were put on an open list.
    pub generated: u64,
    /// Of those, the endings that were in no set yet. Each was evaluated and generalized.
    pub independent: u64,
    /// Maximum length of a partition's open list.
    pub longest_open_list: u64,
    /// Candidate sets that the oracle was asked about.
    pub candidates: u64,
    /// Sets before the final compaction.
    pub uncompacted: u64,
    /// Time for evaluation and generalization, summed over the threads, in
    /// milliseconds.
    pub solving_milliseconds: u64,
    /// Time for the whole analysis without packing, likewise.
    pub elapsed_milliseconds: u64,
}

/// The levels of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Manifest {
    /// One record for each level, in ascending order.
    pub levels: Vec<LevelRecord>,
}

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_BYTES>()
}

/// The manifest's path in a database's directory.
pub fn path_in(directory: &Path) -> PathBuf {
    directory.join("manifest")
}

/// The path of a level's file in a database's directory.
pub fn level_path(directory: &Path, level: usize) -> PathBuf {
    directory.join(format!("level-{:02}.sdb", 4 * level))
}

/// Returns the path of a mapped level in a database's directory. Its name has the checksum of the
/// compressed level from which it was made, `source`, as in `level-16-5f3a0b9c2d71e846.map`.
pub fn map_path(directory: &Path, level: usize, source: u64) -> PathBuf {
    directory.join(format!("level-{:02}-{source:016x}.map", 4 * level))
}

/// Returns the paths of a level's maps in a database's directory, of whatever source.
pub fn map_paths(directory: &Path, level: usize) -> Vec<PathBuf> {
    let stem = format!("level-{:02}", 4 * level);
    let is_map = |name: &str| {
        let source = name.strip_prefix(&stem)?.strip_prefix('-')?;
        is_checksum(source.strip_suffix(".map")?).then_some(())
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let maps = entries.filter(|entry| entry.file_name().to_str().and_then(is_map).is_some());
    maps.map(|entry| entry.path()).collect()
}

fn is_checksum(text: &str) -> bool {
    text.len() == 16
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Manifest {
    /// Returns the record of a level, if there is one.
    pub fn level(&self, level: usize) -> Option<&LevelRecord> {
        self.levels
            .iter()
            .find(|record| record.level as usize == level)
    }

    /// Adds a record or replaces the one of the same level.
    pub fn insert(&mut self, record: LevelRecord) {
        self.levels.retain(|other| other.level != record.level);
        self.levels.push(record);
        self.levels.sort_by_key(|record| record.level);
    }

    /// The bytes of the file: magic, version, the records, a checksum.
    ///
    /// # Errors
    ///
    /// If bincode fails, which happens only above a megabyte.
    pub fn to_bytes(&self) -> Result<Vec<u8>, std::io::Error> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(bincode::encode_to_vec(self, config()).map_err(std::io::Error::other)?);
        let checksum = xxh3_64(&bytes);
        bytes.extend(checksum.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the manifest that is in `directory`.
    ///
    /// # Errors
    ///
    /// [`Error::NoDatabase`] if there is none, and whatever is wrong with it.
    pub fn read_file(directory: &Path) -> Result<Manifest, Error> {
        let path = path_in(directory);
        let (file, _) = open_regular(&path).map_err(|error| match error {
            Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => Error::NoDatabase {
                path: directory.to_owned(),
            },
            error => error,
        })?;
        let mut bytes = Vec::new();
        // One byte more shows that a file is too large.
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(Error::io(&path, "read"))?;
        Manifest::from_bytes(&bytes, &path)
    }

    /// Reads a manifest from its bytes; errors call it `path`.
    ///
    /// # Errors
    ///
    /// If it is damaged or of another version.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Manifest, Error> {
        let damaged = |problem: &str| Error::damaged(path, "manifest", problem);
        if bytes.len() > MAX_BYTES {
            return Err(damaged("it is larger than any manifest"));
        }
        let Some((body, checksum)) = bytes.split_last_chunk::<8>() else {
            return Err(damaged("it ends too early"));
        };
        let Some(rest) = body.strip_prefix(&MAGIC) else {
            return Err(damaged(
                "it does not begin as a manifest of a setrograde database",
            ));
        };
        let Some((version, records)) = rest.split_first_chunk::<4>() else {
            return Err(damaged("it ends too early"));
        };
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(Error::Version {
                path: path.to_owned(),
                found,
                expected: VERSION,
            });
        }
        if xxh3_64(body) != u64::from_le_bytes(*checksum) {
            return Err(damaged("checksum mismatch"));
        }
        match bincode::decode_from_slice(records, config()) {
            Ok((manifest, used)) if used == records.len() => Ok(manifest),
            Ok(_) => Err(damaged("it continues after its last record")),
            Err(error) => Err(damaged(&error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() -> Result<(), Box<dyn std::error::Error>> {
        let mut manifest = Manifest::default();
        manifest.insert(LevelRecord {
            level: 2,
            method: "refine".to_owned(),
            program: "setrograde 0.1.0".to_owned(),
            partitions: 2_054,
            states: 87_921,
            sets: 6_000,
            nodes: 3_000,
            largest: 15,
            bytes: 5_000,
            cpu_milliseconds: 10,
            checksum: u64::MAX,
            content: 1,
            proofs: 40_000,
            lookups: 300_000,
            details: Details::Analysis(AnalysisRecord {
                generated: 20_000,
                ..AnalysisRecord::default()
            }),
        });
        let mut bytes = manifest.to_bytes()?;
        let path = Path::new("manifest");
        assert_eq!(Manifest::from_bytes(&bytes, path)?, manifest);
        let step = if cfg!(miri) { 61 } else { 1 };
        for bit in (0..8 * bytes.len()).step_by(step) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::from_bytes(&bytes, path).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        for length in (0..bytes.len()).step_by(step) {
            assert!(
                Manifest::from_bytes(&bytes[..length], path).is_err(),
                "{length} bytes"
            );
        }
        Ok(())
    }

    #[test]
    fn maps_are_found_by_their_names() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let path = directory.path();
        let ours = [
            "level-08-00000000000000ff.map",
            "level-08-0123456789abcdef.map",
        ];
        // Names that this project never gives, and one of another level.
        let others = [
            "level-08-ff.map",
            "level-08-00000000000000FF.map",
            "level-08.2.map",
            "level-08.map",
            "level-08..map",
            "level-08.map.4",
            "level-12-00000000000000ff.map",
        ];
        for name in ours.iter().chain(&others) {
            std::fs::write(path.join(name), "")?;
        }
        let mut found = map_paths(path, 2);
        found.sort();
        assert_eq!(found, ours.map(|name| path.join(name)));
        assert!(found.contains(&map_path(path, 2, 255)));
        Ok(())
    }

    #[test]
    fn a_manifest_has_a_megabyte_at_most() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let error = || Manifest::read(directory.path()).map_err(|error| error.to_string());
        let none = error().expect_err("no manifest");
        assert!(none.contains("no database"), "{none}");
        let most = MAX_BYTES as u64;
        for (bytes, problem) in [
            (most, "it does not begin as a manifest"),
            (most + 1, "it is larger than any manifest"),
            (3 << 30, "it is larger than any manifest"),
        ] {
            std::fs::File::create(path_in(directory.path()))?.set_len(bytes)?;
            let found = error().expect_err("damage");
            assert!(found.contains(problem), "{found}");
        }
        std::fs::remove_file(path_in(directory.path()))?;
        std::fs::create_dir(path_in(directory.path()))?;
        let other = error().expect_err("a directory");
        assert!(!other.contains("no database"), "{other}");
        Ok(())
    }
}
