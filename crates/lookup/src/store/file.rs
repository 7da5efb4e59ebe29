//! A level's file: opened, its head checked, its shards' streams handed out.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;
use zstd::bulk::Decompressor;

use crate::error::Error;
use crate::format::level_header::{self, Entry, HEADER_BYTES, Header, HeaderError};

/// How the bytes of a level's file are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// The file is mapped into memory: the fastest way.
    ///
    /// # Safety
    ///
    /// A mapped file must keep its length while it is open. If another program
    /// cuts it short, or its disk fails, reading the lost bytes ends the
    /// program with the signal SIGBUS; on a network file system that can happen
    /// when a file is replaced on another machine. This crate's own writers
    /// never change a level's file: they rename a new one over it, and the old
    /// one lives on in programs that have it open.
    #[default]
    Mapped,
    /// Each shard is read from the file when it is needed, by `pread`. Whatever
    /// happens to the file is an error then, and nothing worse: for databases
    /// on network file systems, or in directories that strangers write to. Costs
    /// a system call and a copy for each shard that is unpacked, which take as long
    /// as the page faults of a mapped file (0.95 to 1.01 of the time from cold,
    /// `docs/results.md`); what is unpacked is as fast as ever.
    Read,
}

/// An opened level whose head is sound: a file, or journals end to end.
#[derive(Debug)]
pub(crate) struct LevelFile {
    /// The file, or the directory of the journals.
    pub(crate) path: PathBuf,
    /// Each begins where the one before ends.
    parts: Vec<FilePart>,
    pub(crate) header: Header,
    pub(crate) entries: Vec<Entry>,
    /// The checksum of header and index.
    pub(crate) checksum: u64,
}

/// A file, and where it lies when all of a level are laid end to end.
#[derive(Debug)]
pub(crate) struct FilePart {
    path: PathBuf,
    source: Source,
    start: u64,
    length: u64,
}

#[derive(Debug)]
enum Source {
    Mapped(Mmap),
    Read(File),
}

impl FilePart {
    /// A file of that `length` that lies at `start`.
    pub(super) fn new(
        path: &Path,
        file: File,
        length: u64,
        start: u64,
        access: Access,
    ) -> Result<FilePart, Error> {
        let source = match access {
            Access::Read => Source::Read(file),
            Access::Mapped => {
                // SAFETY: the mapping is read-only and private to this value,
                // and every read of it is bounds-checked and checksummed before
                // it is used. That nobody cuts the file short while it is mapped
                // is what `Access::Mapped` asks of the caller; our own writers
                // replace a level's file by renaming a new one over it, and cut
                // off from a journal what is no whole record.
                let map = unsafe { Mmap::map(&file) };
                Source::Mapped(map.map_err(Error::io(path, "map"))?)
            }
        };
        // A file may have changed its length before it was mapped.
        let length = match &source {
            Source::Mapped(map) => map.len() as u64,
            Source::Read(_) => length,
        };
        Ok(FilePart {
            path: path.to_owned(),
            source,
            start,
            length,
        })
    }

    pub(super) fn start(&self) -> u64 {
        self.start
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Bytes that lie within the file, as its head was found to promise.
    pub(super) fn bytes(&self, start: u64, length: usize) -> Result<Cow<'_, [u8]>, Error> {
        let cut = || Error::damaged(&self.path, "file", "it was cut short while it was open");
        let start = start - self.start;
        match &self.source {
            Source::Mapped(map) => {
                let end = (start as usize).checked_add(length);
                let bytes = end.and_then(|end| map.get(start as usize..end));
                bytes.map(Cow::Borrowed).ok_or_else(cut)
            }
            Source::Read(file) => {
                let mut bytes = zeros(length).map_err(Error::io(&self.path, "read"))?;
                read_at(file, &mut bytes, start).map_err(|error| match error.kind() {
                    std::io::ErrorKind::UnexpectedEof => cut(),
                    _ => Error::io(&self.path, "read")(error),
                })?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

impl LevelFile {
    /// Opens a file and checks its header and index, and that its shards may be
    /// as large as they say.
    pub(crate) fn open(path: &Path, access: Access) -> Result<LevelFile, Error> {
        let (file, length) = open_regular(path)?;
        let part = FilePart::new(path, file, length, 0, access)?;
        let length = part.length;
        let unsound = |error: HeaderError| match error {
            HeaderError::Version(found) => Error::Version {
                path: path.to_owned(),
                found,
                expected: level_header::VERSION,
            },
            error => Error::damaged(path, "header and index", error.to_string()),
        };
        let start = part.bytes(0, HEADER_BYTES.min(length as usize))?;
        let head = level_header::head_length(&start, length).map_err(unsound)?;
        drop(start);
        let head = part.bytes(0, head)?;
        let (header, entries, checksum) =
            level_header::read_head(&head, length).map_err(unsound)?;
        drop(head);
        Ok(LevelFile {
            path: path.to_owned(),
            parts: vec![part],
            header,
            entries,
            checksum,
        })
    }

    /// A level whose shards lie in several files, in `directory`.
    pub(super) fn of_parts(
        directory: PathBuf,
        parts: Vec<FilePart>,
        header: Header,
        entries: Vec<Entry>,
    ) -> LevelFile {
        LevelFile {
            path: directory,
            parts,
            header,
            entries,
            checksum: 0,
        }
    }

    /// The bytes of the file, or of all together.
    pub(crate) fn length(&self) -> u64 {
        self.parts.iter().map(FilePart::length).sum()
    }

    /// The file in which a shard lies.
    fn part_of(&self, entry: &Entry) -> &FilePart {
        let next = self
            .parts
            .partition_point(|part| part.start <= entry.offset);
        &self.parts[next.saturating_sub(1)]
    }

    /// A shard's two streams, their checksum checked.
    pub(crate) fn streams(&self, shard: usize) -> Result<[Vec<u8>; 2], Error> {
        let entry = self.entries[shard];
        let damaged = |problem| self.damaged_shard(shard, problem);
        let part = self.part_of(&entry);
        let bytes = part.bytes(entry.offset, entry.bytes() as usize)?;
        if xxh3_64(&bytes) != entry.checksum {
            return Err(damaged("its checksum does not fit".to_owned()));
        }
        let (first, second) = bytes.split_at(entry.stored[0] as usize);
        let unzip = |bytes: &[u8], length: u32| {
            let plain = unzip(bytes, length as usize)
                .map_err(|error| damaged(format!("it does not unpack: {error}")))?;
            if plain.len() == length as usize {
                Ok(plain)
            } else {
                let found = plain.len();
                Err(damaged(format!(
                    "it unpacks to {found} bytes, not {length}"
                )))
            }
        };
        Ok([
            unzip(first, entry.plain[0])?,
            unzip(second, entry.plain[1])?,
        ])
    }

    pub(crate) fn damaged_shard(&self, shard: usize, problem: String) -> Error {
        let entry = self.entries[shard];
        let part = self.part_of(&entry);
        let offset = entry.offset - part.start;
        let end = offset + entry.bytes();
        let place = format!("shard {shard}, bytes {offset}..{end}");
        Error::damaged(&part.path, place, problem)
    }
}

/// Opens a file for reading, if it is one: a pipe would wait for its writer for
/// ever. Returns its length with it.
pub(crate) fn open_regular(path: &Path) -> Result<(File, u64), Error> {
    let metadata = std::fs::metadata(path).map_err(Error::io(path, "open"))?;
    if !metadata.is_file() {
        return Err(Error::damaged(path, "file", "it is no regular file"));
    }
    let file = File::open(path).map_err(Error::io(path, "open"))?;
    let length = file.metadata().map_err(Error::io(path, "open"))?.len();
    Ok((file, length))
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    let mut read = 0;
    while read < bytes.len() {
        let at = start + read as u64;
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[read..], at)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            more => read += more,
        }
    }
    Ok(())
}

fn zeros(length: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length)?;
    bytes.resize(length, 0);
    Ok(bytes)
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
        let mut plain = Vec::new();
        plain.try_reserve_exact(length)?;
        context.decompress_to_buffer(bytes, &mut plain)?;
        Ok(plain)
    })
}
