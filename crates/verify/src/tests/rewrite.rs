//! Level files that say something else, with all checksums right.

use std::fs;
use std::path::Path;

use setrograde_endgame::diagram::census::Census;
use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::LevelFile;
use setrograde_lookup::format::diagram_codec::DiagramStreams;
use setrograde_lookup::format::level_header::{self, Entry, Header};
use setrograde_lookup::format::manifest::{self, Manifest};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::Outcome;

/// Writes a level anew, its diagrams and its header as `change` and `header`
/// leave them, with all checksums right.
pub(super) fn rewrite(
    directory: &Path,
    number: usize,
    mut change: impl FnMut(usize, Partition, &mut Vec<Node>, &mut Edge),
    header: impl FnOnce(&mut Header),
) -> Outcome {
    let path = manifest::level_path(directory, number);
    let level = LevelFile::open(&path)?;
    let mut written = Header {
        nodes: 0,
        sets: 0,
        ..*level.header()
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut body = Vec::new();
    let mut content = Xxh3::new();
    let mut largest = 0;
    let start =
        (level_header::HEADER_BYTES + level.shard_count() * level_header::ENTRY_BYTES) as u64;
    for shard in 0..level.shard_count() {
        let mut streams = DiagramStreams::default();
        let mut nodes_in_shard = 0;
        let diagrams = level.read_diagrams(shard)?;
        for (at, number) in level.shard_partitions(shard).enumerate() {
            let partition = level.partitions().partition(number).ok_or("no partition")?;
            let (mut nodes, mut root) = diagrams.diagram(at).alone();
            change(number, partition, &mut nodes, &mut root);
            let diagram = Diagram::new(&nodes, root);
            let before = streams.tokens.len();
            streams.push_apart(diagram, partition.shape);
            written.sets += Census::new().count(diagram).sets;
            // Only nodes that are still in use are written.
            let nodes = streams.tokens[before..]
                .iter()
                .filter(|token| (16..20).contains(*token))
                .count();
            nodes_in_shard += nodes;
            largest = largest.max(nodes as u64);
        }
        written.nodes += nodes_in_shard as u64;
        let [tokens, distances] = [&streams.tokens, &streams.distances];
        let both = [xxh3_64(tokens), xxh3_64(distances)].map(u64::to_le_bytes);
        content.update(&xxh3_64(&both.concat()).to_le_bytes());
        let zipped = [tokens, distances].map(|plain| zstd::bulk::compress(plain, 1));
        let [zipped_tokens, zipped_distances] = zipped;
        let (zipped_tokens, zipped_distances) = (zipped_tokens?, zipped_distances?);
        let bytes = [&zipped_tokens[..], &zipped_distances].concat();
        entries.push(Entry {
            offset: start + body.len() as u64,
            checksum: xxh3_64(&bytes),
            stored: [zipped_tokens.len() as u32, zipped_distances.len() as u32],
            plain: [tokens.len() as u32, distances.len() as u32],
            nodes: nodes_in_shard as u32,
        });
        body.extend(bytes);
    }
    written.content = content.digest();
    header(&mut written);
    let (mut file, checksum) = level_header::head_bytes(&written, &entries);
    file.extend(body);
    fs::write(&path, &file)?;
    // What it was made from is gone.
    let _ = fs::remove_file(manifest::map_path(directory, number));
    let mut manifest = Manifest::read(directory)?;
    let mut record = manifest.level(number).ok_or("no record")?.clone();
    record.bytes = file.len() as u64;
    record.checksum = checksum;
    record.content = written.content;
    record.sets = written.sets;
    record.nodes = written.nodes;
    record.largest = largest;
    manifest.insert(record);
    fs::write(manifest::path_in(directory), manifest.to_bytes()?)?;
    Ok(())
}

pub(super) fn keep_header(_: &mut Header) {}
