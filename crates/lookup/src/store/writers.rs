//! Writing levels: at rest and at work.

use std::io::{self, Seek, SeekFrom, Write};

use setrograde_endgame::diagram::{Diagram, Edge, PackedNodes, TooManyNodes};

use super::shard::ShardDiagrams;
use crate::format::level_header::{self, Entry, Header, head_bytes};
use crate::format::level_map::{HEADER_BYTES, MapHeader, Origin, shard_checksum};

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

    /// The roots as bytes.
    fn root_bytes(&self) -> Vec<u8> {
        let roots = self.roots.iter();
        roots
            .flat_map(|root| root.to_bits().to_le_bytes())
            .collect()
    }

    /// The checksum of the shard, if it has that number.
    #[must_use]
    pub fn checksum(&self, shard: usize) -> u64 {
        shard_checksum(shard, &self.root_bytes(), &self.nodes)
    }
}

/// Writes a level at work, shard by shard: the nodes as they come, the head at the
/// end.
#[derive(Debug)]
pub struct MapWriter<W> {
    out: W,
    header: MapHeader,
    roots: Vec<u8>,
    /// The first byte of each shard's nodes, and at last the end of all.
    places: Vec<u8>,
    checksums: Vec<u8>,
}

impl<W: Write + Seek> MapWriter<W> {
    /// Begins a level at work of `partitions` partitions, in shards of
    /// `shard_partitions`, at the start of `out`.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(
        mut out: W,
        level: u32,
        partitions: u64,
        shard_partitions: u32,
        source: Origin,
    ) -> io::Result<MapWriter<W>> {
        let header = MapHeader {
            level,
            shard_partitions,
            partitions,
            held: 0,
            source,
            bytes: 0,
        };
        let bytes = header.nodes_at();
        out.seek(SeekFrom::Start(bytes))?;
        Ok(MapWriter {
            out,
            header: MapHeader { bytes, ..header },
            roots: Vec::new(),
            places: bytes.to_le_bytes().to_vec(),
            checksums: Vec::new(),
        })
    }

    /// Writes the next shard.
    ///
    /// # Errors
    ///
    /// Those of the file.
    pub fn push(&mut self, shard: &MapShard) -> io::Result<()> {
        self.out.write_all(&shard.nodes)?;
        self.header.held += shard.held() as u64;
        self.header.bytes += shard.nodes.len() as u64;
        let checksum = shard.checksum(self.checksums.len() / 8);
        self.roots.extend(shard.root_bytes());
        self.places.extend(self.header.bytes.to_le_bytes());
        self.checksums.extend(checksum.to_le_bytes());
        Ok(())
    }

    /// Writes the head, all shards having been written, and returns the file.
    ///
    /// # Errors
    ///
    /// Those of the file.
    pub fn finish(mut self) -> io::Result<W> {
        // Where the last shards are not held, nothing was written at the end.
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.to_bytes())?;
        self.roots
            .resize((self.header.places_at() as usize) - HEADER_BYTES, 0);
        self.out.write_all(&self.roots)?;
        self.out.write_all(&self.places)?;
        self.out.write_all(&self.checksums)?;
        self.out.flush()?;
        Ok(self.out)
    }
}
