//! A level at work: its diagrams are walked where its bytes lie.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::partition_index::PartitionIndex;

use super::writers::MapShard;
use crate::bytes::{Bytes, map_file};
use crate::error::{Damage, Error};
use crate::format::level_map::{
    HEADER_BYTES, MapHeader, Origin, ROOT_BYTES, VERSION, shard_checksum,
};

/// A level at work: the endings with one number of cards, all or a part of them.
/// Threads may share it.
///
/// The checksum of a shard is checked when it is first asked. Every place that the
/// bytes name is checked whenever it is used, so that no bytes can lead a question
/// astray, or keep it from ending.
#[derive(Debug)]
pub struct Level {
    path: PathBuf,
    bytes: Bytes,
    header: MapHeader,
    /// The first byte of the table of places.
    places_at: usize,
    checksums_at: usize,
    /// Made when it is first asked for: the solver asks one level of a database.
    partitions: OnceLock<PartitionIndex>,
    /// By shard, a bit each: whether its checksum was found to fit.
    checked: Box<[AtomicU64]>,
}

impl Level {
    /// The level in these bytes, those of a `level-NN.map`; errors call it `path`.
    ///
    /// # Errors
    ///
    /// If the header is damaged, or of another version.
    pub fn new(path: &Path, bytes: Bytes) -> Result<Level, Error> {
        let unsound = |error| Error::header(path, VERSION, error);
        let header = MapHeader::read(&bytes).map_err(unsound)?;
        let words = header.shards().div_ceil(64) as usize;
        Ok(Level {
            path: path.to_owned(),
            // The header fits the bytes, so these are within them.
            places_at: header.places_at() as usize,
            checksums_at: header.checksums_at() as usize,
            partitions: OnceLock::new(),
            checked: (0..words).map(|_| AtomicU64::new(0)).collect(),
            header,
            bytes,
        })
    }

    /// Maps the file of the level with `level` cards in each hand that was made from
    /// `source`.
    ///
    /// # Errors
    ///
    /// The reason why the file is of no use, in words: it is not there, damaged, or
    /// not that level.
    pub fn open(path: &Path, level: usize, source: Origin) -> Result<Level, String> {
        let name = path.display();
        if !path.exists() {
            return Err(format!("there is no {name}"));
        }
        let opened = map_file(path).and_then(|bytes| Level::new(path, bytes));
        let opened = opened.map_err(|error| match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        })?;
        if opened.level() != level || opened.header.source != source {
            return Err(format!("{name} belongs to another level"));
        }
        Ok(opened)
    }

    /// Cards in each hand.
    #[must_use]
    pub fn level(&self) -> usize {
        self.header.level as usize
    }

    /// The file, or what stands for it in errors.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &MapHeader {
        &self.header
    }

    /// The numbering of the level's partitions.
    #[must_use]
    #[inline]
    pub fn partitions(&self) -> &PartitionIndex {
        self.partitions
            .get_or_init(|| PartitionIndex::new(self.level()))
    }

    /// Returns true if all partitions of the level are held.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.header.held == self.header.partitions
    }

    /// The number of partitions held.
    #[must_use]
    pub fn held_partitions(&self) -> usize {
        self.header.held as usize
    }

    /// The number of shards.
    #[must_use]
    pub fn shard_count(&self) -> usize {
        self.header.shards() as usize
    }

    /// The numbers of the partitions in a shard, below
    /// [`shard_count`](Self::shard_count).
    #[must_use]
    pub fn shard_partitions(&self, shard: usize) -> Range<usize> {
        let size = self.header.shard_partitions as usize;
        let first = shard * size;
        first..(self.header.partitions as usize).min(first + size)
    }

    /// The bytes of a shard's nodes, in proportion to which questions about all of
    /// them take time.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    #[must_use]
    pub fn shard_bytes(&self, shard: usize) -> u64 {
        self.nodes(shard).map_or(0, <[u8]>::len) as u64
    }

    /// Returns true if the partition of that number is held.
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[must_use]
    pub fn holds(&self, number: usize) -> bool {
        !self.root(number).is_nothing()
    }

    /// The diagram of the partition of that number, or `None` if it is not held, which a
    /// whole level excludes.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its shard is.
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    pub fn diagram(&self, number: usize) -> Result<Option<Diagram<'_>>, Error> {
        // Levels have fewer than 2^32 partitions.
        let shard = (number as u32 / self.header.shard_partitions) as usize;
        if self.checked[shard / 64].load(Ordering::Relaxed) >> (shard % 64) & 1 == 0 {
            self.check_shard(shard)?;
        }
        let root = self.root(number);
        if root.is_nothing() {
            return self.not_held(number);
        }
        let nodes = self.nodes(shard).unwrap_or_default();
        Ok(Some(Diagram::packed(nodes, root)))
    }

    /// Checks the checksum of a shard.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it does not fit.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    #[cold]
    pub fn check_shard(&self, shard: usize) -> Result<(), Error> {
        let numbers = self.shard_partitions(shard);
        let roots =
            HEADER_BYTES + ROOT_BYTES * numbers.start..HEADER_BYTES + ROOT_BYTES * numbers.end;
        let checksum = self.shard_checksum(shard);
        let place = |what: &str| format!("shard {shard}, {what}");
        let Some(nodes) = self.nodes(shard) else {
            let problem = "it lies outside of the file";
            return Err(Error::damaged(&self.path, place("its place"), problem));
        };
        if shard_checksum(shard, &self.bytes[roots.clone()], nodes) != checksum {
            let start = self.number(self.places_at + 8 * shard);
            let what = format!(
                "bytes {}..{} and {start}..{}",
                roots.start,
                roots.end,
                start + nodes.len() as u64
            );
            return Err(Error::damaged(&self.path, place(&what), Damage::Checksum));
        }
        self.checked[shard / 64].fetch_or(1 << (shard % 64), Ordering::Relaxed);
        Ok(())
    }

    /// A copy of a shard.
    ///
    /// # Errors
    ///
    /// As [`check_shard`](Self::check_shard).
    ///
    /// # Panics
    ///
    /// As [`check_shard`](Self::check_shard).
    pub fn map_shard(&self, shard: usize) -> Result<MapShard, Error> {
        self.check_shard(shard)?;
        let roots = self.shard_partitions(shard).map(|number| self.root(number));
        let nodes = self.nodes(shard).unwrap_or_default();
        Ok(MapShard::new(roots.collect(), nodes.to_vec()))
    }

    /// The checksum of a shard as the table of shards has it.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    #[must_use]
    pub fn shard_checksum(&self, shard: usize) -> u64 {
        assert!(shard < self.shard_count());
        self.number(self.checksums_at + 8 * shard)
    }

    /// The answer for a partition without a root.
    #[cold]
    fn not_held(&self, number: usize) -> Result<Option<Diagram<'_>>, Error> {
        if self.is_whole() {
            let place = format!("root of partition {number}");
            let problem = "it is missing in a level that is said to be whole";
            return Err(Error::damaged(&self.path, place, problem));
        }
        Ok(None)
    }

    /// The root of a partition's diagram, [`Edge::NOTHING`] if it is not held.
    #[inline]
    fn root(&self, number: usize) -> Edge {
        let at = HEADER_BYTES + ROOT_BYTES * number;
        let root = self.bytes[at..].first_chunk();
        Edge::from_bits(u32::from_le_bytes(*root.expect("four bytes for each root")))
    }

    /// The nodes of a shard, if its place is one in the file.
    #[inline]
    fn nodes(&self, shard: usize) -> Option<&[u8]> {
        let [start, end] = [0, 8].map(|next| self.number(self.places_at + 8 * shard + next));
        self.bytes.get(start as usize..end as usize)
    }

    #[inline]
    fn number(&self, at: usize) -> u64 {
        let number = self.bytes[at..].first_chunk();
        u64::from_le_bytes(*number.expect("the tables lie within the file"))
    }
}
