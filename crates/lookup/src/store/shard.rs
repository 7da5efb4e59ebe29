//! Decoding of a shard: the diagrams or the trees of its partitions.

use std::borrow::Cow;
#[cfg(any(feature = "zstd", target_family = "wasm"))]
use std::cell::RefCell;
use std::io;

use setrograde_endgame::diagram::census::{Census, DiagramCounts};
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, Edge, Node};
use setrograde_endgame::partition::Partition;
use xxhash_rust::xxh3::xxh3_64;

use super::level_file::LevelFile;
use super::map_writer::require;
use crate::error::Error;
use crate::format::StreamError;
use crate::format::diagram_codec::DiagramReader;
use crate::format::level_header::{
    COARSE, Entry, HeaderError, TREES, check_expansion, content_hash,
};
use crate::paper::card_order::CardOrder;
use crate::paper::tree_codec::TreeReader;
use crate::paper::unfold::{UnfoldError, unfold};

/// Damage to a shard.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The index promises too much.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Some bytes have changed since they were written.
    #[error("checksum mismatch")]
    Checksum,
    /// A stream cannot be decompressed.
    #[error("cannot unpack: {0}")]
    Compression(io::Error),
    /// A stream's length differs from the index.
    #[error("it unpacks to {found} bytes, not {promised}")]
    StreamLength {
        /// Bytes in the stream.
        found: usize,
        /// Bytes according to the index.
        promised: usize,
    },
    /// The diagram or the tree of a partition is malformed.
    #[error("partition {partition}: {cause}")]
    Partition {
        /// The partition.
        partition: Partition,
        /// The fault in its streams.
        cause: StreamError,
    },
    /// The streams of a shard are too long.
    #[error(transparent)]
    Streams(#[from] StreamError),
    /// The sets of a tree do not cover its partition, or contradict each other.
    #[error("partition {partition}: {cause}")]
    Unfold {
        /// The partition.
        partition: Partition,
        /// The fault in its sets.
        cause: UnfoldError,
    },
    /// A shard's number of nodes differs from the index.
    #[error("{found} nodes instead of {promised}")]
    NodeCount {
        /// Nodes in the shard.
        found: usize,
        /// Nodes according to the index.
        promised: usize,
    },
}

/// A shard of a compressed level, as it is stored; its checksum matched.
#[derive(Debug)]
pub struct Shard<'a> {
    pub(super) level: &'a LevelFile,
    pub(super) number: usize,
    pub(super) entry: &'a Entry,
    pub(super) bytes: Cow<'a, [u8]>,
}

impl Shard<'_> {
    /// Returns its two compressed streams, and the bytes of each before compression.
    pub fn streams(&self) -> ([Vec<u8>; 2], [usize; 2]) {
        let (first, second) = self.bytes.split_at(self.entry.stored[0] as usize);
        let plain = self.entry.plain.map(|length| length as usize);
        ([first.to_vec(), second.to_vec()], plain)
    }

    /// Returns its diagrams; trees are unfolded.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is damaged.
    pub fn diagrams(&self) -> Result<ShardDiagrams, Error> {
        Ok(self.decoded()?.0)
    }

    /// Returns its diagrams, the counts of its diagrams or trees, and the hash of its content
    /// ([`content_hash`]).
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is damaged.
    pub fn survey(&self) -> Result<(ShardDiagrams, DiagramCounts, u64), Error> {
        let (diagrams, of_trees, streams) = self.decoded()?;
        let counts = of_trees.unwrap_or_else(|| {
            let (mut counts, mut census) = (DiagramCounts::default(), Census::new());
            for at in 0..diagrams.count() {
                counts += census.count(diagrams.diagram(at));
            }
            counts
        });
        let content = content_hash([&streams[0], &streams[1]]);
        Ok((diagrams, counts, content))
    }

    fn decoded(&self) -> Result<Decoded, Error> {
        let level = self.level;
        let partitions = level.partitions_of(self.number);
        let payload = level.header().payload;
        let decoded = decode(payload, level.level(), partitions, self.entry, &self.bytes);
        decoded.map_err(|damage| self.damaged(damage))
    }

    /// Returns the error of damage to the shard.
    pub(super) fn damaged(&self, damage: Damage) -> Error {
        match damage {
            Damage::Compression(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                Error::io(self.level.path(), "read")(error)
            }
            damage => {
                let Entry { offset, .. } = *self.entry;
                let end = offset + self.entry.bytes();
                let part = format!("shard {}, bytes {offset}..{end}", self.number);
                Error::damaged(self.level.path(), part, damage)
            }
        }
    }
}

/// The diagrams of a shard, which share nodes.
#[derive(Debug)]
pub struct ShardDiagrams {
    /// By the partition's number in the shard.
    roots: Vec<Edge>,
    nodes: Vec<Node>,
}

/// The two streams of a shard, decompressed.
type Streams = [Vec<u8>; 2];

/// The diagrams of a shard; the counts of its trees, if it has trees; and its streams.
type Decoded = (ShardDiagrams, Option<DiagramCounts>, Streams);

impl ShardDiagrams {
    /// Reads a shard of a level's partitions, given its stored bytes and its entry in the index.
    /// Trees are unfolded.
    ///
    /// # Errors
    ///
    /// Any damage to the bytes. It does not check that each ending has a value, or the right one.
    pub fn read(
        payload: u32,
        level: usize,
        partitions: impl Iterator<Item = Partition>,
        entry: &Entry,
        bytes: &[u8],
    ) -> Result<ShardDiagrams, Damage> {
        check_bytes(entry, bytes)?;
        Ok(decode(payload, level, partitions, entry, bytes)?.0)
    }

    /// The diagram of a partition, the first of the shard at 0.
    ///
    /// # Panics
    ///
    /// If the shard has no such partition.
    #[inline]
    pub fn diagram(&self, at: usize) -> Diagram<'_> {
        Diagram::new(&self.nodes, self.roots[at])
    }

    /// The number of diagrams.
    pub fn count(&self) -> usize {
        self.roots.len()
    }
}

/// Compares the bytes of a shard with its checksum.
pub(super) fn check_bytes(entry: &Entry, bytes: &[u8]) -> Result<(), Damage> {
    if bytes.len() as u64 == entry.bytes() && xxh3_64(bytes) == entry.checksum {
        Ok(())
    } else {
        Err(Damage::Checksum)
    }
}

/// Decompresses a shard's streams and checks their lengths.
fn decompressed(entry: &Entry, bytes: &[u8]) -> Result<Streams, Damage> {
    check_expansion(entry)?;
    let plain = entry.plain.map(u64::from);
    // A token is a byte, and a node has at least two.
    let nodes = u64::from(entry.nodes).min(plain[0] / 2) * (size_of::<Node>() as u64 + 1);
    require(plain[0] + plain[1] + nodes).map_err(Damage::Compression)?;
    let (first, second) = bytes.split_at(entry.stored[0] as usize);
    let decompressed = |bytes, length: u32| {
        let promised = length as usize;
        let stream = decompress(bytes, promised).map_err(Damage::Compression)?;
        if stream.len() == promised {
            Ok(stream)
        } else {
            let found = stream.len();
            Err(Damage::StreamLength { found, promised })
        }
    };
    Ok([
        decompressed(first, entry.plain[0])?,
        decompressed(second, entry.plain[1])?,
    ])
}

/// Decodes the shard of these partitions.
fn decode(
    payload: u32,
    level: usize,
    partitions: impl Iterator<Item = Partition>,
    entry: &Entry,
    bytes: &[u8],
) -> Result<Decoded, Damage> {
    let streams = decompressed(entry, bytes)?;
    let nodes = entry.nodes as usize;
    let (diagrams, of_trees) = if payload == TREES {
        let (diagrams, counts) = unfold_trees(&streams, level, partitions, nodes)?;
        (diagrams, Some(counts))
    } else {
        let coarse = payload == COARSE;
        (
            parse_diagrams(&streams, level, partitions, nodes, coarse)?,
            None,
        )
    };
    Ok((diagrams, of_trees, streams))
}

/// Reads the diagrams of these partitions, which must have `promised` nodes. Leaves may be
/// intervals if the level is `coarse`.
fn parse_diagrams(
    [tokens, distances]: &Streams,
    level: usize,
    partitions: impl Iterator<Item = Partition>,
    promised: usize,
    coarse: bool,
) -> Result<ShardDiagrams, Damage> {
    let mut reader = DiagramReader::new(tokens, distances, level, promised, coarse);
    let mut roots = Vec::new();
    for partition in partitions {
        let root = reader.next(partition.shape);
        roots.push(root.map_err(|cause| Damage::Partition { partition, cause })?);
    }
    check_count(reader.node_count(), promised)?;
    let nodes = reader.finish()?;
    Ok(ShardDiagrams { roots, nodes })
}

/// Reads the trees of these partitions, which must have `promised` nodes, and unfolds them. Returns
/// the counts of the trees, too.
fn unfold_trees(
    [keys, links]: &Streams,
    level: usize,
    partitions: impl Iterator<Item = Partition>,
    promised: usize,
) -> Result<(ShardDiagrams, DiagramCounts), Damage> {
    let mut reader = TreeReader::new(keys, links, level);
    let mut builder = DiagramBuilder::new();
    let (mut roots, mut sets, mut found) = (Vec::new(), Vec::new(), DiagramCounts::default());
    for partition in partitions {
        let order = CardOrder::new(partition.shape);
        sets.clear();
        let read = reader.next(&order, &mut sets);
        found += read.map_err(|cause| Damage::Partition { partition, cause })?;
        let root = unfold(&order, &sets, &mut builder);
        roots.push(root.map_err(|cause| Damage::Unfold { partition, cause })?);
    }
    reader.finish()?;
    check_count(found.nodes as usize, promised)?;
    let nodes = builder.into_nodes();
    Ok((ShardDiagrams { roots, nodes }, found))
}

fn check_count(found: usize, promised: usize) -> Result<(), Damage> {
    if found == promised {
        Ok(())
    } else {
        Err(Damage::NodeCount { found, promised })
    }
}

/// Decompresses a stream of at most `length` bytes. Each thread keeps its zstd context, because
/// setting one up takes longer than decompressing a stream.
#[cfg(all(feature = "zstd", not(target_family = "wasm")))]
fn decompress(bytes: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    use zstd::bulk::Decompressor;
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(Decompressor::new()?),
        };
        let mut stream = Vec::new();
        stream.try_reserve_exact(length)?;
        context.decompress_to_buffer(bytes, &mut stream)?;
        Ok(stream)
    })
}

/// Refuses to decompress: this build reads only mapped levels.
#[cfg(not(any(feature = "zstd", target_family = "wasm")))]
fn decompress(_: &[u8], _: usize) -> std::io::Result<Vec<u8>> {
    let problem = "this program reads mapped levels only; `setrograde db unpack` makes them";
    Err(std::io::Error::new(
        std::io::ErrorKind::Unsupported,
        problem,
    ))
}

/// Decompresses a stream of at most `length` bytes.
#[cfg(target_family = "wasm")]
fn decompress(bytes: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    use ruzstd::decoding::FrameDecoder;
    thread_local! {
        static DECODER: RefCell<FrameDecoder> = RefCell::new(FrameDecoder::new());
    }
    DECODER.with_borrow_mut(|decoder| {
        let mut stream = vec![0; length];
        let decoded = decoder.decode_all(bytes, &mut stream);
        stream.truncate(decoded.map_err(std::io::Error::other)?);
        Ok(stream)
    })
}
