//! One level: a mapped file whose shards are unpacked once, when first needed.

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use memmap2::Mmap;
use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::shallow_tree::TreeNode;
use setrograde_endgame::shape::Shape;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use crate::error::Error;
use crate::layout::{self, Entry, Header, LayoutError, TREES};
use crate::manifest::LevelRecord;
use crate::payload::Payload;
use crate::shard::{Diagrams, NoDiagram, Shard, ShardDiagrams, ShardFacts, Trees};

/// The endings with one number of cards.
///
/// Threads may share it: shards unpack themselves behind a lock of their own,
/// and what is unpacked is never changed or dropped while the level lives.
/// Where a shard is unpacked, readers load and nothing else.
#[derive(Debug)]
pub struct Level {
    path: PathBuf,
    file: Mmap,
    header: Header,
    entries: Vec<Entry>,
    checksum: u64,
    partitions: PartitionIndex,
    /// By partition, the root of its diagram if its shard is unpacked. They
    /// stand apart from the shards, so that a look-up waits for both at once.
    roots: Vec<AtomicU32>,
    shards: Vec<OnceLock<Kept>>,
}

/// What is kept of a shard.
#[derive(Debug)]
enum Kept {
    /// The nodes of its diagrams.
    Nodes(Box<[Node]>),
    /// Its trees.
    Trees(Box<Trees>),
}

impl Level {
    /// Opens a level's file: maps it and checks its header and index. The
    /// shards are checked when they are unpacked.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another version, or is damaged.
    pub fn open(path: &Path) -> Result<Level, Error> {
        let file = File::open(path).map_err(Error::io(path, "open"))?;
        // SAFETY: the mapping is read-only and private to this value. Writers
        // replace a level's file by renaming a new one over it and never write
        // into an existing one, so the mapped bytes stay as they are; every
        // read of them is bounds-checked and every shard is checksummed before
        // it is used.
        let file = unsafe { Mmap::map(&file) }.map_err(Error::io(path, "map"))?;
        let (header, entries, checksum) =
            layout::read_head(&file).map_err(|error| match error {
                LayoutError::Version(found) => Error::Version {
                    path: path.to_owned(),
                    found,
                    expected: layout::VERSION,
                },
                error => Error::damaged(path, "header and index", error.to_string()),
            })?;
        let partitions = PartitionIndex::new(header.level as usize);
        if partitions.len() as u64 != header.partitions {
            let problem = format!(
                "{} partitions where the level has {}",
                header.partitions,
                partitions.len()
            );
            return Err(Error::damaged(path, "header", problem));
        }
        let shards = entries.iter().map(|_| OnceLock::new()).collect();
        let roots = match header.payload {
            TREES => 0,
            _ => partitions.len(),
        };
        let nothing = || AtomicU32::new(Edge::NOTHING.to_bits());
        let roots = std::iter::repeat_with(nothing).take(roots).collect();
        Ok(Level {
            path: path.to_owned(),
            file,
            header,
            entries,
            checksum,
            partitions,
            roots,
            shards,
        })
    }

    /// Opens a level's file, which must be the one that a manifest's record
    /// names.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Error::Damaged`] if it is another file.
    pub fn open_recorded(path: &Path, record: &LevelRecord) -> Result<Level, Error> {
        let level = Level::open(path)?;
        if level.header.level != record.level {
            let problem = format!(
                "it holds {} cards, not {}",
                4 * level.header.level,
                4 * record.level
            );
            return Err(Error::damaged(path, "header", problem));
        }
        if level.checksum != record.checksum || level.bytes() != record.bytes {
            let problem = "it is not the file that the manifest names";
            return Err(Error::damaged(path, "header and index", problem));
        }
        Ok(level)
    }

    /// Cards in each hand.
    #[must_use]
    pub fn level(&self) -> usize {
        self.header.level as usize
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.len() as u64
    }

    /// What stands at the head of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The checksum of header and index, which covers those of all shards.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The bytes of memory that the level takes when all its shards are
    /// unpacked, the mapped file left aside. Trees that are unfolded into
    /// diagrams take more: how much, their file does not tell.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        let nodes = self.entries.iter().map(|entry| u64::from(entry.nodes));
        let (node, partition) = if self.header.payload == TREES {
            (size_of::<TreeNode>(), size_of::<Shape>() + size_of::<u32>())
        } else {
            (size_of::<Node>(), size_of::<Edge>())
        };
        let shard = size_of::<Entry>() + size_of::<OnceLock<Kept>>();
        nodes.sum::<u64>() * node as u64
            + self.header.partitions * partition as u64
            + (self.entries.len() * shard) as u64
            + self.partitions.bytes() as u64
    }

    /// The numbering of the level's partitions.
    #[must_use]
    pub fn partitions(&self) -> &PartitionIndex {
        &self.partitions
    }

    /// How many shards the level has.
    #[must_use]
    pub fn shard_count(&self) -> usize {
        self.shards.len()
    }

    /// The numbers of the partitions in a shard, below
    /// [`shard_count`](Self::shard_count).
    #[must_use]
    pub fn shard_partitions(&self, shard: usize) -> std::ops::Range<usize> {
        let size = self.header.shard_partitions as usize;
        let first = shard * size;
        first..self.partitions.len().min(first + size)
    }

    /// What the level holds for a partition of its own.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its shard is.
    #[inline]
    pub fn payload(&self, partition: Partition) -> Result<Payload<'_>, Error> {
        self.payload_at(self.partitions.number(partition))
    }

    /// What the level holds for the partition of that number.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its shard is.
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    pub fn payload_at(&self, number: usize) -> Result<Payload<'_>, Error> {
        Ok(match self.kept(number)? {
            Kept::Nodes(nodes) => Payload::Diagram(self.kept_diagram(nodes, number)),
            Kept::Trees(trees) => Payload::Tree(trees.tree(self.place(number))),
        })
    }

    /// The diagram of a partition of this level. Trees are unfolded into
    /// diagrams, a shard at a time, when one is first asked for.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its shard is, or if the sets of a tree do not
    /// cover their partition or contradict each other.
    #[inline]
    pub fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        self.diagram_at(self.partitions.number(partition))
    }

    /// The diagram of the partition of that number, as in
    /// [`diagram`](Self::diagram).
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    pub fn diagram_at(&self, number: usize) -> Result<Diagram<'_>, Error> {
        match self.kept(number)? {
            Kept::Nodes(nodes) => Ok(self.kept_diagram(nodes, number)),
            Kept::Trees(trees) => {
                let place = self.place(number);
                match trees.unfolded() {
                    Ok(diagrams) => Ok(diagrams.diagram(place)),
                    Err(wrong) => Err(self.no_diagram(number - place, &wrong)),
                }
            }
        }
    }

    /// The diagrams of a shard, read afresh from the file, for whoever needs them
    /// but once: the level does not keep them.
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn read_diagrams(&self, shard: usize) -> Result<ShardDiagrams, Error> {
        let first = self.shard_partitions(shard).start;
        ShardDiagrams::of(self.read_shard(shard)?).map_err(|wrong| self.no_diagram(first, &wrong))
    }

    #[cold]
    fn no_diagram(&self, first: usize, wrong: &NoDiagram) -> Error {
        let partition = format!("partition {}", first + wrong.place);
        Error::damaged(&self.path, partition, wrong.error.to_string())
    }

    /// The shard of a partition, unpacked.
    #[inline]
    fn kept(&self, number: usize) -> Result<&Kept, Error> {
        let shard = self.shard_of(number);
        match self.shards[shard].get() {
            Some(kept) => Ok(kept),
            None => self.unpack(shard),
        }
    }

    /// The diagram of a partition among the nodes of its shard.
    #[inline]
    fn kept_diagram<'a>(&self, nodes: &'a [Node], number: usize) -> Diagram<'a> {
        Diagram::new(
            nodes,
            Edge::from_bits(self.roots[number].load(Ordering::Relaxed)),
        )
    }

    #[inline]
    fn shard_of(&self, number: usize) -> usize {
        // Levels have fewer than 2^32 partitions.
        (number as u32 / self.header.shard_partitions) as usize
    }

    /// The place of a partition in its shard.
    #[inline]
    fn place(&self, number: usize) -> usize {
        number % self.header.shard_partitions as usize
    }

    /// Unpacks a shard unless it is unpacked already, so that later look-ups
    /// in it do not wait.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the shard is.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn load(&self, shard: usize) -> Result<(), Error> {
        if self.shards[shard].get().is_none() {
            self.unpack(shard)?;
        }
        Ok(())
    }

    #[cold]
    fn unpack(&self, shard: usize) -> Result<&Kept, Error> {
        let kept = match self.read_shard(shard)? {
            Shard::Trees(trees) => Kept::Trees(Box::new(trees)),
            Shard::Diagrams(diagrams) => {
                // A reader looks at the roots once it has seen the nodes, which
                // are published after them.
                for (number, root) in self.shard_partitions(shard).zip(diagrams.roots) {
                    self.roots[number].store(root.to_bits(), Ordering::Relaxed);
                }
                Kept::Nodes(diagrams.nodes.into_boxed_slice())
            }
        };
        // Another thread may have been faster; then its equal copy stays.
        Ok(self.shards[shard].get_or_init(|| kept))
    }

    fn read_shard(&self, shard: usize) -> Result<Shard, Error> {
        self.parse_shard(shard, &self.read_streams(shard)?)
    }

    /// A shard's two streams, their checksum checked.
    fn read_streams(&self, shard: usize) -> Result<[Vec<u8>; 2], Error> {
        let entry = self.entries[shard];
        let damaged = |problem| self.damaged_shard(shard, problem);
        // The head was checked: all shards lie inside the file.
        let start = entry.offset as usize;
        let bytes = &self.file[start..start + entry.bytes() as usize];
        if xxh3_64(bytes) != entry.checksum {
            return Err(damaged("its checksum does not fit".to_owned()));
        }
        let (first, second) = bytes.split_at(entry.stored[0] as usize);
        let unzip = |bytes: &[u8], length: u32| {
            let plain = unzip(bytes, length as usize)
                .map_err(|error| damaged(format!("it does not unpack: {error}")))?;
            if plain.len() == length as usize {
                Ok(plain)
            } else {
                Err(damaged(format!(
                    "it unpacks to {} bytes, not {length}",
                    plain.len()
                )))
            }
        };
        Ok([
            unzip(first, entry.plain[0])?,
            unzip(second, entry.plain[1])?,
        ])
    }

    fn parse_shard(&self, shard: usize, streams: &[Vec<u8>; 2]) -> Result<Shard, Error> {
        let numbers = self.shard_partitions(shard);
        let shapes = self.partitions.iter_from(numbers.start).take(numbers.len());
        let shapes = shapes.map(|partition| partition.shape);
        let nodes = self.entries[shard].nodes as usize;
        let parsed = if self.header.payload == TREES {
            Trees::parse(streams, self.level(), shapes, nodes).map(Shard::Trees)
        } else {
            Diagrams::parse(streams, self.level(), shapes, nodes).map(Shard::Diagrams)
        };
        parsed.map_err(|problem| self.damaged_shard(shard, problem))
    }

    fn damaged_shard(&self, shard: usize, problem: String) -> Error {
        let Entry { offset, .. } = self.entries[shard];
        let end = offset + self.entries[shard].bytes();
        Error::damaged(
            &self.path,
            format!("shard {shard}, bytes {offset}..{end}"),
            problem,
        )
    }

    /// Reads a shard afresh from the file and checks it, whether it is in
    /// memory or not. Answers with what it holds.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn check_shard(&self, shard: usize) -> Result<ShardFacts, Error> {
        let streams = self.read_streams(shard)?;
        let content = layout::content_hash([&streams[0], &streams[1]]);
        Ok(self.parse_shard(shard, &streams)?.facts(content))
    }
}

/// Decompresses a stream of at most `length` bytes. Each thread keeps what zstd
/// needs for that, which takes longer to set up than a stream to unpack.
fn unzip(bytes: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(Decompressor::new()?),
        };
        context.decompress(bytes, length)
    })
}
