//! Sound databases of 8 cards, their parts, and levels put together from
//! changed parts.

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use setrograde_builder::{Build, Method, Silent, Stop};
use setrograde_lookup::format::level_header::{
    Entry, HEADER_BYTES, Header, HeaderError, content_hash, head_length, read_head,
};
use setrograde_lookup::format::manifest::{Manifest, level_path, path_in};
use setrograde_lookup::{Database, Grain, LevelWriter};
use tempfile::TempDir;

/// The golden database: diagrams of up to 8 cards.
pub static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    Arc::new(Database::open(golden).expect("the golden database"))
});

/// Cards of the databases.
pub const CARDS: usize = 8;

/// The grain of the coarse level, in trillionths: about half of its diagrams have nodes, and some
/// of their leaves are open.
const GRAIN: u32 = 100_000_000;

/// A database in parts.
pub struct Golden {
    /// Keeps the files.
    pub directory: TempDir,
    pub manifest: Manifest,
    pub levels: Vec<GoldenLevel>,
}

/// A level in parts.
pub struct GoldenLevel {
    pub file: Vec<u8>,
    pub header: Header,
    pub entries: Vec<Entry>,
    /// The two plain streams of each shard.
    pub streams: Vec<[Vec<u8>; 2]>,
}

/// A temporary directory, in memory where the system has such.
pub fn scratch() -> TempDir {
    let shared = Path::new("/dev/shm");
    if shared.is_dir() {
        tempfile::Builder::new().tempdir_in(shared)
    } else {
        TempDir::new()
    }
    .expect("a temporary directory")
}

/// Databases of each kind: diagrams, trees, and diagrams whose level of 8 cards is coarse.
pub static GOLDEN: LazyLock<[Golden; 3]> = LazyLock::new(|| {
    let coarse = Method::Coarse(Grain::new(GRAIN));
    let kinds = [
        [Method::Refine; 2],
        [Method::Setrograde; 2],
        [Method::Refine, coarse],
    ];
    kinds.map(|methods| {
        let directory = scratch();
        let mut build = Build::new(directory.path(), CARDS);
        build.methods[1..=CARDS / 4].copy_from_slice(&methods);
        build.threads = Some(1);
        let manifest = build
            .run(&Silent, &Stop::default())
            .expect("the database builds");
        let levels = (1..=CARDS / 4)
            .map(|level| {
                let path = level_path(directory.path(), level);
                golden_level(std::fs::read(path).expect("a level"))
            })
            .collect();
        Golden {
            directory,
            manifest,
            levels,
        }
    })
});

fn golden_level(file: Vec<u8>) -> GoldenLevel {
    let (header, entries, _) = read_file_head(&file).expect("a sound head");
    let streams = entries
        .iter()
        .map(|entry| {
            let mut at = entry.offset as usize;
            [0, 1].map(|n| {
                let stored = &file[at..at + entry.stored[n] as usize];
                at += stored.len();
                zstd::bulk::decompress(stored, entry.plain[n] as usize).expect("a stream")
            })
        })
        .collect();
    GoldenLevel {
        file,
        header,
        entries,
        streams,
    }
}

/// Reads the head of a level's complete file.
pub fn read_file_head(file: &[u8]) -> Result<(Header, Vec<Entry>, u64), HeaderError> {
    let start = &file[..file.len().min(HEADER_BYTES)];
    let length = file.len() as u64;
    let head = head_length(start, length)?;
    read_head(&file[..head], length)
}

/// A level's file with sound checksums around these streams, one pair a shard.
///
/// `nodes` is the index's number of nodes for each shard.
pub fn level_file(mut header: Header, streams: &[[Vec<u8>; 2]], nodes: &[u32]) -> Vec<u8> {
    let writer = LevelWriter::new(Cursor::new(Vec::new()), streams.len());
    let mut writer = writer.expect("memory");
    for (streams, &nodes) in streams.iter().zip(nodes) {
        let packed = [0, 1].map(|n| zstd::bulk::compress(&streams[n], 1).expect("compresses"));
        let entry = Entry::new(&packed, streams.each_ref().map(Vec::len), nodes);
        let content = content_hash([&streams[0], &streams[1]]);
        writer.push(&packed, entry, content).expect("memory");
    }
    header.content = writer.content();
    let (file, _) = writer.finish(&header).expect("memory");
    file.into_inner()
}

/// Writes a database into `directory` whose level `level` has the bytes
/// `file`, with a manifest that says so.
pub fn write_database(golden: &Golden, level: usize, file: &[u8], directory: &Path) {
    let mut manifest = golden.manifest.clone();
    for number in 1..=CARDS / 4 {
        let bytes = if number == level {
            file
        } else {
            &golden.levels[number - 1].file
        };
        std::fs::write(level_path(directory, number), bytes).expect("written");
    }
    if let (Some(mut record), Ok((header, _, checksum))) =
        (manifest.level(level).cloned(), read_file_head(file))
    {
        record.checksum = checksum;
        record.content = header.content;
        record.nodes = header.nodes;
        record.sets = header.sets;
        record.bytes = file.len() as u64;
        manifest.insert(record);
    }
    let bytes = manifest.to_bytes().expect("a manifest");
    std::fs::write(path_in(directory), bytes).expect("written");
}
