//! A level at work: its diagrams are walked where its bytes lie.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use setrograde_endgame::diagram::{Diagram, Edge, Guard, Verdict};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::{NumberTable, PartitionIndex};

use super::writers::MapShard;
use crate::bytes::{Bytes, map_file};
use crate::error::{Damage, Error};
use crate::format::level_map::{HEADER_BYTES, MapHeader, Origin, PAGE, VERSION, page_checksum};

/// A level at work: the endings with one number of cards, all or a part of them.
/// Threads may share it.
///
/// The checksum of a page is checked when its bytes are first asked for. Every place that
/// the bytes name is checked whenever it is used, so that no bytes can lead a question
/// astray, or keep it from ending.
#[derive(Debug)]
pub struct Level {
    path: PathBuf,
    bytes: Bytes,
    header: MapHeader,
    /// The first byte of the records of the shards, the bytes of each, and their number.
    records_at: usize,
    record_bytes: usize,
    shards: usize,
    /// Made when they are first asked for: the solver asks one level of a database, and
    /// needs only the first.
    numbers: OnceLock<NumberTable>,
    partitions: OnceLock<PartitionIndex>,
    /// By page, a bit each: whether its checksum was found to fit.
    checked: Box<[AtomicU64]>,
    /// By shard: [`CHECKED`] if those of all its pages were, or else how many questions
    /// have checked only the pages on their way.
    asked: Box<[AtomicU8]>,
}

/// See [`Level::asked`].
const CHECKED: u8 = u8::MAX;

/// Questions to a shard after which all of it is checked: by then to look at each page has
/// cost about as much.
const MOST_ASKED: u8 = 48;

impl Level {
    /// The level in these bytes, those of a `level-NN.map`; errors call it `path`.
    ///
    /// # Errors
    ///
    /// If the header is damaged, or of another version.
    pub fn new(path: &Path, bytes: Bytes) -> Result<Level, Error> {
        let unsound = |error| Error::header(path, VERSION, error);
        let header = MapHeader::read(&bytes).map_err(unsound)?;
        bytes.read_at_random(header.nodes_at()..header.nodes_end as usize);
        let words = header.pages().div_ceil(64);
        Ok(Level {
            path: path.to_owned(),
            records_at: header.records_at(),
            record_bytes: header.record_bytes(),
            shards: header.shards() as usize,
            numbers: OnceLock::new(),
            partitions: OnceLock::new(),
            checked: (0..words).map(|_| AtomicU64::new(0)).collect(),
            asked: (0..header.shards()).map(|_| AtomicU8::new(0)).collect(),
            header,
            bytes,
        })
    }

    /// Maps the file of the level with `level` cards in each hand that was made from
    /// `source`.
    ///
    /// # Errors
    ///
    /// [`Error::NoMap`] if there is no such file, [`Error::OtherLevel`] if it is another
    /// level's; [`Error::Damaged`], [`Error::Version`] or [`Error::Io`] if it cannot be used.
    pub fn open(path: &Path, level: usize, source: Origin) -> Result<Level, Error> {
        if !path.exists() {
            let path = path.to_owned();
            return Err(Error::NoMap { path });
        }
        let opened = Level::new(path, map_file(path)?)?;
        if opened.level() != level || opened.header.source != source {
            let path = path.to_owned();
            return Err(Error::OtherLevel { path });
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
        self.shards
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
        self.nodes(shard).map_or(0, |nodes| nodes.len()) as u64
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

    /// The number of a partition of this level, read from the level's table; that of
    /// [`partitions`](Self::partitions) is the same.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the table is.
    #[inline]
    pub fn number(&self, partition: Partition) -> Result<usize, Error> {
        let numbers = self.numbers.get_or_init(|| NumberTable::new(self.level()));
        let [first, second, third] = numbers.entries(partition).map(|at| HEADER_BYTES + at);
        // None lies on two pages.
        let is_checked = |at: usize| is_set(&self.checked, at / PAGE);
        if !(is_checked(first) & is_checked(second) & is_checked(third)) {
            [first, second, third]
                .into_iter()
                .try_for_each(|at| self.check(at..at + 1))?;
        }
        let third = u16::from_le_bytes(self.array(third));
        let number = self.u32(first).wrapping_add(self.u32(second));
        let number = number.wrapping_add(u32::from(third)) as usize;
        if number < self.header.partitions as usize {
            Ok(number)
        } else {
            let place = "table of partitions";
            Err(Error::damaged(&self.path, place, "there is no such number"))
        }
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
        let (shard, _) = self.place(number);
        if self.asked[shard].load(Ordering::Relaxed) != CHECKED {
            self.check_shard(shard)?;
        }
        let root = self.root(number);
        if root.is_nothing() {
            return self.not_held(number);
        }
        let nodes = self.nodes(shard)?;
        Ok(Some(Diagram::packed(&self.bytes[nodes], root)))
    }

    /// Whether the leader's side takes at least `target` tricks in an ending, and the
    /// fewest top cards of each suit that prove it; `None` if its partition is not held.
    /// Of the shard only the pages that the answer needs are checked, and read.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the shard is, or the ending leads nowhere in it.
    #[inline]
    pub(crate) fn decide(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, Error> {
        let canonical = ending.canonical();
        let number = self.number(canonical.partition)?;
        let (shard, _) = self.place(number);
        let asked = self.asked[shard].load(Ordering::Relaxed);
        match asked {
            CHECKED => {}
            MOST_ASKED.. => self.check_shard(shard)?,
            _ => {
                self.check_record(shard)?;
                // Threads may lose a count: it decides nothing but the time.
                self.asked[shard].store(asked + 1, Ordering::Relaxed);
            }
        }
        let root = self.root(number);
        if root.is_nothing() {
            return self.not_held(number).map(|_| None);
        }
        let nodes = self.nodes(shard)?;
        let guard = Pages {
            level: self,
            start: nodes.start,
            are_damaged: AtomicBool::new(false),
        };
        let bytes = &self.bytes[nodes.clone()];
        let diagram = match asked {
            MOST_ASKED.. => Diagram::packed(bytes, root),
            _ => Diagram::guarded(bytes, root, &guard),
        };
        diagram.prefetch();
        let verdict = diagram.decide(ending, canonical.order, target);
        if guard.are_damaged.into_inner() {
            self.check(nodes)?;
        }
        let verdict = verdict.ok_or_else(|| self.leads_nowhere(canonical.partition));
        verdict.map(Some)
    }

    /// The error of an ending of that partition that has no value.
    #[cold]
    pub(crate) fn leads_nowhere(&self, partition: Partition) -> Error {
        let place = format!("partition {partition}");
        Error::damaged(&self.path, place, "it does not cover an ending")
    }

    /// Checks the checksums of a shard.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if one does not fit.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn check_shard(&self, shard: usize) -> Result<(), Error> {
        self.check_record(shard)?;
        self.check(self.nodes(shard)?)?;
        self.asked[shard].store(CHECKED, Ordering::Relaxed);
        Ok(())
    }

    /// Checks all that stands before the nodes: the checksums, and whether the table
    /// numbers partitions as [`partitions`](Self::partitions) does.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if anything is wrong.
    pub fn check_head(&self) -> Result<(), Error> {
        self.check(0..self.header.nodes_at())?;
        match self.bytes[HEADER_BYTES..].starts_with(&self.partitions().table()) {
            true => Ok(()),
            false => {
                let problem = "it does not number them as it should";
                Err(Error::damaged(&self.path, "table of partitions", problem))
            }
        }
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
        let nodes = self.nodes(shard)?;
        let roots = self.shard_partitions(shard).map(|number| self.root(number));
        Ok(MapShard::new(roots.collect(), self.bytes[nodes].to_vec()))
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

    /// Checks the checksums of a shard's record.
    fn check_record(&self, shard: usize) -> Result<(), Error> {
        let record = self.record(shard);
        // And the place where the next record begins, to which these nodes reach.
        self.check(record..record + self.record_bytes + 8)
    }

    /// Checks the checksums of the pages that have these bytes, if that was not done
    /// before.
    #[inline]
    fn check(&self, bytes: Range<usize>) -> Result<(), Error> {
        match self.are_checked(&bytes) {
            true => Ok(()),
            false => self.check_pages(bytes.start / PAGE..bytes.end.div_ceil(PAGE)),
        }
    }

    /// Returns true if the checksums of the pages that have these bytes were checked.
    #[inline]
    fn are_checked(&self, bytes: &Range<usize>) -> bool {
        let mut pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        pages.all(|page| is_set(&self.checked, page))
    }

    #[cold]
    fn check_pages(&self, pages: Range<usize>) -> Result<(), Error> {
        for page in pages {
            if page >= self.header.pages() {
                let place = format!("page {page}");
                return Err(Error::damaged(&self.path, place, "there is none"));
            }
            if is_set(&self.checked, page) {
                continue;
            }
            let end = self.header.nodes_end as usize;
            let bytes = page * PAGE..end.min((page + 1) * PAGE);
            let checksum = u64::from_le_bytes(self.array(end + 8 * page));
            if page_checksum(page, &self.bytes[bytes.clone()]) != checksum {
                let place = format!("bytes {}..{}", bytes.start, bytes.end);
                return Err(Error::damaged(&self.path, place, Damage::Checksum));
            }
            set(&self.checked, page);
        }
        Ok(())
    }

    /// The place of the record of a shard.
    #[inline]
    fn record(&self, shard: usize) -> usize {
        assert!(shard < self.shards);
        self.records_at + self.record_bytes * shard
    }

    /// The shard of the partition with that number, and its place there.
    #[inline]
    fn place(&self, number: usize) -> (usize, usize) {
        // Levels have fewer than 2^32 partitions.
        let (number, size) = (number as u32, self.header.shard_partitions);
        ((number / size) as usize, (number % size) as usize)
    }

    /// The root of a partition's diagram, [`Edge::NOTHING`] if it is not held.
    #[inline]
    fn root(&self, number: usize) -> Edge {
        assert!(number < self.header.partitions as usize);
        let (shard, place) = self.place(number);
        let root = self.u32(self.record(shard) + MapHeader::root_at(place));
        Edge::from_bits(root)
    }

    /// The place of the nodes of a shard.
    #[inline]
    fn nodes(&self, shard: usize) -> Result<Range<usize>, Error> {
        let record = self.record(shard);
        let place = |at| u64::from_le_bytes(self.array(at));
        let (start, end) = (place(record), place(record + self.record_bytes));
        if start <= end && end <= self.header.nodes_end {
            return Ok(start as usize..end as usize);
        }
        let problem = "it lies outside of the file";
        let place = format!("place of shard {shard}");
        Err(Error::damaged(&self.path, place, problem))
    }

    #[inline]
    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    /// Bytes whose place follows from the header, which fits the file.
    #[inline]
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.bytes[at..]
            .first_chunk()
            .expect("the tables lie within the file")
    }
}

#[inline]
fn is_set(bits: &[AtomicU64], at: usize) -> bool {
    let word = bits.get(at / 64);
    word.is_some_and(|word| word.load(Ordering::Relaxed) >> (at % 64) & 1 == 1)
}

fn set(bits: &[AtomicU64], at: usize) {
    bits[at / 64].fetch_or(1 << (at % 64), Ordering::Relaxed);
}

/// Checks the pages of a shard as a walk comes to them.
#[derive(Debug)]
struct Pages<'a> {
    level: &'a Level,
    /// The first byte of the shard's nodes.
    start: usize,
    /// True if one was not sound.
    are_damaged: AtomicBool,
}

impl Guard for Pages<'_> {
    #[inline]
    fn is_sound(&self, bytes: Range<usize>) -> bool {
        let bytes = self.start + bytes.start..self.start + bytes.end;
        let is_sound = self.level.check(bytes).is_ok();
        if !is_sound {
            self.are_damaged.store(true, Ordering::Relaxed);
        }
        is_sound
    }
}
