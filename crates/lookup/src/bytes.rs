//! Bytes that levels are read from, wherever they are.

use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use crate::error::Error;

/// The bytes of a level: in the program, in memory, or a mapped file.
#[derive(Debug)]
pub struct Bytes(Source);

#[derive(Debug)]
enum Source {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    Shared(Arc<[u8]>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(memmap2::Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            #[cfg(not(target_family = "wasm"))]
            Source::Mapped(map) => map,
            Source::Static(bytes) => bytes,
            Source::Owned(bytes) => bytes,
            Source::Shared(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// Tells the system that questions touch this part of a great file here and there.
    /// Otherwise it reads up to 8 MiB around each touch of what is not in memory, and a first
    /// table of 20 results takes seconds.
    pub(crate) fn read_at_random(&self, part: Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Source::Mapped(map) = &self.0
            && map.len() > MOST_IN_LARGE_PAGES
        {
            // Advice: a system that does not take it gives the same bytes.
            let _ = map.advise_range(memmap2::Advice::Random, part.start, part.len());
        }
        #[cfg(not(target_os = "linux"))]
        let _ = part;
    }
}

impl From<&'static [u8]> for Bytes {
    fn from(bytes: &'static [u8]) -> Bytes {
        Bytes(Source::Static(bytes))
    }
}

impl<const N: usize> From<&'static [u8; N]> for Bytes {
    fn from(bytes: &'static [u8; N]) -> Bytes {
        Bytes(Source::Static(bytes))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Source::Owned(bytes))
    }
}

impl From<Arc<[u8]>> for Bytes {
    fn from(bytes: Arc<[u8]>) -> Bytes {
        Bytes(Source::Shared(bytes))
    }
}

/// The most bytes of a file that is read in large pages: of greater ones, with far more
/// than a few deals ask for, each touch would read too much.
#[cfg(target_os = "linux")]
const MOST_IN_LARGE_PAGES: usize = 1 << 30;

/// Maps a file into memory.
///
/// A mapped file must keep its length while it is open. If another program cuts
/// it short, or its disk fails, reading the lost bytes ends the program with the
/// signal SIGBUS; on a network file system that can happen when a file is replaced on
/// another machine. The writers of this project never change a file in its place: they
/// rename a new one over it, and the old one lives on in programs that have it open.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn map_file(path: &Path) -> Result<Bytes, Error> {
    let (file, _) = open_regular(path)?;
    // SAFETY: the mapping is read-only. Bytes that change underneath are what the
    // compiler must not see; nobody changes a file of a database in its place, as
    // the contract above says. What is read is checked before it is used, and
    // every index is, so that no byte can lead out of the mapping.
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(Error::io(path, "map"))?;
    #[cfg(target_os = "linux")]
    if map.len() <= MOST_IN_LARGE_PAGES {
        // What is read from the disk may come in pages of 2 MiB, which a process maps at one
        // touch. Where the system has none, nothing is lost.
        let _ = map.advise(memmap2::Advice::HugePage);
    }
    Ok(Bytes(Source::Mapped(map)))
}

/// Reads a file: there is nothing to map it with.
#[cfg(target_family = "wasm")]
pub(crate) fn map_file(path: &Path) -> Result<Bytes, Error> {
    Ok(std::fs::read(path).map_err(Error::io(path, "read"))?.into())
}

/// Opens a file for reading, if it is one: a pipe would wait for its writer for
/// ever. Returns its length with it.
pub(crate) fn open_regular(path: &Path) -> Result<(std::fs::File, u64), Error> {
    let metadata = std::fs::metadata(path).map_err(Error::io(path, "open"))?;
    if !metadata.is_file() {
        return Err(Error::damaged(path, "file", "it is not a regular file"));
    }
    let file = std::fs::File::open(path).map_err(Error::io(path, "open"))?;
    let length = file.metadata().map_err(Error::io(path, "open"))?.len();
    Ok((file, length))
}
