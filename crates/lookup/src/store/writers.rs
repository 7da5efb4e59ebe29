//! Writing levels: at rest and at work.

use std::io::{self, Seek, SeekFrom, Write};

use setrograde_endgame::diagram::{Diagram, Edge, PackedNodes, TooManyNodes};
use setrograde_endgame::partition_index::PartitionIndex;

use super::shard::ShardDiagrams;
use crate::format::level_header::{self, Entry, Header, head_bytes};
use crate::format::level_map::{HEADER_BYTES, MapHeader, Origin, PAGE, page_checksum};

/// Writes a level at rest, shard after shard.
#[derive(Debug)]
pub struct LevelWriter<W> {
    out: W,
    offset: u64,
    entries: Vec<Entry>,
    contents: Vec<u64>,
}

impl<W: Write + Seek> LevelWriter<W> {
    /// Begins a level with that number of shards.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(mut out: W, shards: usize) -> io::Result<LevelWriter<W>> {
        let head = level_header::HEADER_BYTES + level_header::ENTRY_BYTES * shards;
        let offset = head as u64;
        out.seek(SeekFrom::Start(offset))?;
        Ok(LevelWriter {
            out,
            offset,
            entries: Vec::with_capacity(shards),
            contents: Vec::with_capacity(shards),
        })
    }

    /// Appends the next shard: its compressed streams, their entry, whose offset is
    /// filled in, and the hash of its content.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn push(&mut self, streams: &[Vec<u8>; 2], entry: Entry, content: u64) -> io::Result<()> {
        for stream in streams {
            self.out.write_all(stream)?;
        }
        let offset = self.offset;
        self.offset += entry.bytes();
        self.entries.push(Entry { offset, ..entry });
        self.contents.push(content);
        Ok(())
    }

    /// The hash of the content of the shards so far, for the header.
    #[must_use]
    pub fn content(&self) -> u64 {
        level_header::level_content(self.contents.iter().copied())
    }

    /// Returns the number of bytes of the file so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.offset
    }

    /// Writes header and index, and returns their checksum.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn finish(mut self, header: &Header) -> io::Result<(W, u64)> {
        let (head, checksum) = head_bytes(header, &self.entries);
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)?;
        self.out.flush()?;
        Ok((self.out, checksum))
    }
}

/// A shard at work: the roots of its partitions' diagrams, and their nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapShard {
    roots: Vec<Edge>,
    nodes: Vec<u8>,
}

impl From<ShardDiagrams> for MapShard {
    fn from(diagrams: ShardDiagrams) -> MapShard {
        let (roots, nodes) = diagrams.into_bytes();
        MapShard { roots, nodes }
    }
}

impl MapShard {
    /// A shard of these diagrams, which have no nodes in common; `None` for a
    /// partition that is not held.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if they have too many nodes.
    pub fn join(diagrams: &[Option<Diagram<'_>>]) -> Result<MapShard, TooManyNodes> {
        let (nodes, joined) = PackedNodes::join(diagrams.iter().flatten().copied())?;
        let mut joined = joined.into_iter();
        let roots = diagrams.iter().map(|diagram| {
            let root = diagram.and_then(|_| joined.next());
            root.unwrap_or(Edge::NOTHING)
        });
        Ok(MapShard {
            roots: roots.collect(),
            nodes: nodes.to_bytes(),
        })
    }

    /// A shard none of whose partitions is held.
    #[must_use]
    pub fn nothing(partitions: usize) -> MapShard {
        MapShard {
            roots: vec![Edge::NOTHING; partitions],
            nodes: Vec::new(),
        }
    }

    /// A shard of these roots and nodes.
    pub(super) fn new(roots: Vec<Edge>, nodes: Vec<u8>) -> MapShard {
        MapShard { roots, nodes }
    }

    /// The number of partitions that it holds.
    #[must_use]
    pub fn held(&self) -> usize {
        self.roots.iter().filter(|root| !root.is_nothing()).count()
    }
}

/// Bytes that are written at once, and end at a multiple of them: a system may then keep
/// them in one large page, which a new process maps at one touch.
const BLOCK: usize = 2 << 20;

/// Writes a level at work, shard by shard: the nodes as they come, the head at the
/// end.
#[derive(Debug)]
pub struct MapWriter<W> {
    out: W,
    header: MapHeader,
    /// The bytes before the nodes.
    head: Vec<u8>,
    /// Nodes that are not written yet.
    nodes: Vec<u8>,
    /// Of the nodes' pages.
    checksums: Vec<u8>,
}

impl<W: Write + Seek> MapWriter<W> {
    /// Begins a level at work, with these partitions in shards of `shard_partitions`, at
    /// the start of `out`.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(
        mut out: W,
        partitions: &PartitionIndex,
        shard_partitions: u32,
        source: Origin,
    ) -> io::Result<MapWriter<W>> {
        let mut header = MapHeader {
            level: partitions.level() as u32,
            shard_partitions,
            partitions: partitions.len() as u64,
            held: 0,
            source,
            nodes_end: 0,
        };
        header.nodes_end = header.nodes_at() as u64;
        out.seek(SeekFrom::Start(header.nodes_end))?;
        let mut head = vec![0; HEADER_BYTES];
        head.extend(partitions.table());
        head.resize(header.records_at(), 0);
        Ok(MapWriter {
            out,
            header,
            head,
            nodes: Vec::new(),
            checksums: Vec::new(),
        })
    }

    /// Writes the next shard.
    ///
    /// # Errors
    ///
    /// Those of the file.
    pub fn push(&mut self, shard: &MapShard) -> io::Result<()> {
        let record = self.head.len() + self.header.record_bytes();
        self.head.extend(self.header.nodes_end.to_le_bytes());
        let roots = shard.roots.iter();
        self.head
            .extend(roots.flat_map(|root| root.to_bits().to_le_bytes()));
        self.head.resize(record, 0);
        self.header.held += shard.held() as u64;
        self.header.nodes_end += shard.nodes.len() as u64;
        self.nodes.extend_from_slice(&shard.nodes);
        let begun = self.header.nodes_end as usize % BLOCK;
        if self.nodes.len() > begun {
            self.write_nodes(self.nodes.len() - begun)?;
        }
        Ok(())
    }

    /// Writes the first `bytes` bytes of nodes, whole pages or all that there are.
    fn write_nodes(&mut self, bytes: usize) -> io::Result<()> {
        let first = (self.header.nodes_at() + self.checksums.len() / 8 * PAGE) / PAGE;
        for (page, bytes) in self.nodes[..bytes].chunks(PAGE).enumerate() {
            let checksum = page_checksum(first + page, bytes);
            self.checksums.extend(checksum.to_le_bytes());
        }
        for block in self.nodes[..bytes].chunks(BLOCK) {
            self.out.write_all(block)?;
        }
        self.nodes.drain(..bytes);
        Ok(())
    }

    /// Writes the head, all shards having been written, and returns the file.
    ///
    /// # Errors
    ///
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_nodes(self.nodes.len())?;
        self.head.extend(self.header.nodes_end.to_le_bytes());
        self.head.resize(self.header.nodes_at(), 0);
        self.head[..HEADER_BYTES].copy_from_slice(&self.header.to_bytes());
        let pages = self.head.chunks(PAGE).enumerate();
        let checksums: Vec<u8> = pages
            .flat_map(|(page, bytes)| page_checksum(page, bytes).to_le_bytes())
            .collect();
        self.out.write_all(&checksums)?;
        self.out.write_all(&self.checksums)?;
        self.out.seek(SeekFrom::Start(0))?;
        for block in self.head.chunks(BLOCK) {
            self.out.write_all(block)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}
