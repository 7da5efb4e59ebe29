//! Level files that say something else, with all checksums right.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use setrograde_endgame::diagram::census::Census;
use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::format::diagram_codec::DiagramStreams;
use setrograde_lookup::format::level_header::{Entry, Header, content_hash};
use setrograde_lookup::format::manifest::{self, Manifest};
use setrograde_lookup::{LevelFile, LevelWriter};

/// Writes a level again, its diagrams and its header as `change` and `header` leave them, with all
/// checksums right.
pub(super) fn rewrite(
    directory: &Path,
    number: usize,
    mut change: impl FnMut(usize, Partition, &mut Vec<Node>, &mut Edge),
    header: impl FnOnce(&mut Header),
) -> Result<(), Box<dyn Error>> {
    let path = manifest::level_path(directory, number);
    let level = LevelFile::open(&path)?;
    let mut written = Header {
        nodes: 0,
        sets: 0,
        ..*level.header()
    };
    let mut writer = LevelWriter::new(Cursor::new(Vec::new()), level.shard_count())?;
    let mut largest = 0;
    for shard in 0..level.shard_count() {
        let [mut tokens, mut distances] = [Vec::new(), Vec::new()];
        let mut nodes_in_shard = 0;
        let diagrams = level.shard(shard)?.diagrams()?;
        for (at, number) in level.shard_partitions(shard).enumerate() {
            let partition = level.partitions().partition(number).ok_or("no partition")?;
            let (mut nodes, mut root) = diagrams.diagram(at).own_nodes();
            change(number, partition, &mut nodes, &mut root);
            let diagram = Diagram::new(&nodes, root);
            // Distances lead back within the diagram, so its streams may follow any.
            let mut streams = DiagramStreams::default();
            streams.push(diagram, partition.shape);
            tokens.extend(&streams.tokens);
            distances.extend(&streams.distances);
            written.sets += Census::new().count(diagram).sets;
            // Only nodes that are still in use are written.
            nodes_in_shard += streams.node_count();
            largest = largest.max(u64::from(streams.node_count()));
        }
        written.nodes += u64::from(nodes_in_shard);
        let plain = [&tokens, &distances];
        let [tokens, distances] = plain.map(|plain| zstd::bulk::compress(plain, 1));
        let zipped = [tokens?, distances?];
        let entry = Entry::new(&zipped, plain.map(Vec::len), nodes_in_shard);
        writer.push(&zipped, entry, content_hash(plain.map(Vec::as_slice)))?;
    }
    written.content = writer.content();
    header(&mut written);
    let (file, checksum) = writer.finish(&written)?;
    let file = file.into_inner();
    fs::write(&path, &file)?;
    // The source of the map is gone.
    for map in manifest::map_paths(directory, number) {
        fs::remove_file(map)?;
    }
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
