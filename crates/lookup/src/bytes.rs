//! The bytes of a level: static, in memory, or a mapped file.

use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::patience::patiently;

/// How look-ups read the bytes of a mapped level that are not in memory.
///
/// Only Linux says whether a page is in memory: elsewhere look-ups always wait.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiskReads {
    /// As [`Wait`](Self::Wait) up to 1 GiB, as [`Never`](Self::Never) above.
    #[default]
    BySize,
    /// Every look-up waits for the disk. After a reboot the first deal takes seconds with a level
    /// of 477 MB.
    Wait,
    /// [`Database::decide`](crate::Database::decide) returns `None` instead of waiting, and the
    /// system reads the bytes in the background. Other look-ups wait.
    Never,
    /// Opening reads every level from end to end, so look-ups find it in memory as long as the
    /// system keeps it cached.
    Ahead,
}

/// The bytes of a level: in the program, in memory, or a mapped file.
#[derive(Debug)]
pub struct Bytes(Storage);

#[derive(Debug)]
enum Storage {
    Static(&'static [u8]),
    Owned(Vec<u8>),
    #[cfg(not(target_family = "wasm"))]
    Mapped(Mapped),
}

/// A mapped file.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
struct Mapped {
    map: memmap2::Mmap,
    /// Open with a shared lock, which keeps its name from being given to another file.
    file: std::fs::File,
    /// The pages found in memory, for a large file.
    #[cfg(target_os = "linux")]
    great: Option<Bits>,
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            #[cfg(not(target_family = "wasm"))]
            Storage::Mapped(mapped) => &mapped.map,
            Storage::Static(bytes) => bytes,
            Storage::Owned(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// Advises the system that questions read scattered bytes of a large file. Without this advice
    /// each page fault reads up to 8 MiB, and a first table of 20 results takes seconds.
    pub(crate) fn read_at_random(&self) {
        #[cfg(target_os = "linux")]
        if let Storage::Mapped(mapped) = &self.0
            && mapped.great.is_some()
        {
            // Only advice: a system that ignores it returns the same bytes.
            let _ = mapped.map.advise(memmap2::Advice::Random);
        }
    }

    /// Sets how look-ups read bytes that are not in memory. Only mapped files have a choice.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn set_disk_reads(&mut self, reads: DiskReads) -> std::io::Result<()> {
        let Storage::Mapped(mapped) = &mut self.0 else {
            return Ok(());
        };
        match reads {
            DiskReads::BySize => {}
            DiskReads::Ahead => {
                std::io::copy(&mut &mapped.file, &mut std::io::sink())?;
                mapped.wait();
            }
            DiskReads::Wait => mapped.wait(),
            DiskReads::Never => mapped.never_wait(),
        }
        Ok(())
    }

    /// Returns true if these bytes can be read without waiting for a disk, as far as the system
    /// reports. If not, asks the system to read them and their neighbours.
    #[inline]
    pub(crate) fn are_ready(&self, bytes: Range<usize>) -> bool {
        #[cfg(target_os = "linux")]
        if let Storage::Mapped(mapped) = &self.0
            && let Some(found) = &mapped.great
        {
            let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
            if !pages.clone().all(|page| found.has(page)) {
                return mapped.ask_for(found, pages);
            }
        }
        let _ = bytes;
        true
    }
}

/// Bytes of a page of the system's file cache.
#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

#[cfg(not(target_family = "wasm"))]
impl Mapped {
    /// Makes look-ups wait for bytes that are not in memory.
    fn wait(&mut self) {
        #[cfg(target_os = "linux")]
        if self.great.take().is_some() {
            let _ = self.map.advise(memmap2::Advice::Normal);
            let _ = rustix::fs::fadvise(&self.file, 0, None, rustix::fs::Advice::Normal);
        }
    }

    /// Makes look-ups ask the system for bytes that are not in memory, without waiting.
    fn never_wait(&mut self) {
        #[cfg(target_os = "linux")]
        if self.great.is_none() {
            let _ = rustix::fs::fadvise(&self.file, 0, None, rustix::fs::Advice::Random);
            let _ = self.map.advise(memmap2::Advice::Random);
            self.great = Some(Bits::new(self.map.len().div_ceil(PAGE)));
        }
    }
}

#[cfg(target_os = "linux")]
impl Mapped {
    /// Returns true if these pages are in memory. Otherwise asks the system to read them.
    #[cold]
    fn ask_for(&self, found: &Bits, pages: Range<usize>) -> bool {
        use rustix::io::{Errno, ReadWriteFlags, preadv2};
        for page in pages.clone() {
            if found.has(page) {
                continue;
            }
            // One byte is enough to know about the page.
            let mut byte = [0];
            let mut read = [std::io::IoSliceMut::new(&mut byte)];
            let at = (PAGE * page) as u64;
            match preadv2(&self.file, &mut read, at, ReadWriteFlags::NOWAIT) {
                Err(Errno::AGAIN) => {
                    let first = PAGE * page;
                    let length = (PAGE * pages.end).min(self.map.len()) - first;
                    let _ = (self.map).advise_range(memmap2::Advice::WillNeed, first, length);
                    return false;
                }
                // On a file system that cannot answer, the read waits.
                _ => found.set(page),
            }
        }
        true
    }
}

impl From<&'static [u8]> for Bytes {
    fn from(bytes: &'static [u8]) -> Bytes {
        Bytes(Storage::Static(bytes))
    }
}

impl<const N: usize> From<&'static [u8; N]> for Bytes {
    fn from(bytes: &'static [u8; N]) -> Bytes {
        Bytes(Storage::Static(bytes))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(Storage::Owned(bytes))
    }
}

/// Maximum bytes of a file that is mapped in large pages. A few deals need only a small part of a
/// larger file, and each page fault would read too much.
#[cfg(not(target_family = "wasm"))]
const MOST_IN_LARGE_PAGES: usize = 1 << 30;

/// Maps a file into memory.
///
/// A mapped file must keep its length while it is open. If another program truncates it, or its
/// disk fails, reading the lost bytes kills the process with SIGBUS; on a network file system,
/// removing the file on another machine can have the same effect. This project's writers never
/// modify a mapped file: a damaged one is replaced by a new file of its name, and kept under another
/// name as long as a process holds its lock.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn map_file(path: &Path) -> Result<Bytes, Error> {
    map_file_by(path, MOST_IN_LARGE_PAGES)
}

/// Maps a file, and treats it as large if it has more bytes than `most`.
#[cfg(not(target_family = "wasm"))]
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "no file is large there")
)]
fn map_file_by(path: &Path, most_in_large_pages: usize) -> Result<Bytes, Error> {
    let (file, _) = open_regular(path)?;
    // Without locks the system may still keep the file while it is mapped.
    let _ = file.try_lock_shared();
    // SAFETY: the mapping is read-only. The compiler assumes that mapped bytes do not change; no
    // writer modifies a file of a database, by the contract above. Every value read from it is
    // checked before it is used as an index, so no byte can lead out of the mapping.
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(Error::io(path, "map"))?;
    #[cfg(target_os = "linux")]
    let great = if map.len() <= most_in_large_pages {
        // The file cache may use pages of 2 MiB, each mapped by a single page fault. Systems
        // without them lose nothing.
        let _ = map.advise(memmap2::Advice::HugePage);
        None
    } else {
        // Without this advice a read that may not wait asks for far more than the missing page.
        let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::Random);
        Some(Bits::new(map.len().div_ceil(PAGE)))
    };
    Ok(Bytes(Storage::Mapped(Mapped {
        map,
        file,
        #[cfg(target_os = "linux")]
        great,
    })))
}

/// Reads a file into memory, because this platform has no mappings.
#[cfg(target_family = "wasm")]
pub(crate) fn map_file(path: &Path) -> Result<Bytes, Error> {
    Ok(std::fs::read(path).map_err(Error::io(path, "read"))?.into())
}

/// Opens a regular file for reading and returns its length. Anything else is refused: a pipe would
/// wait for its writer forever.
pub(crate) fn open_regular(path: &Path) -> Result<(std::fs::File, u64), Error> {
    let metadata = patiently(|| std::fs::metadata(path)).map_err(Error::io(path, "open"))?;
    if !metadata.is_file() {
        return Err(Error::damaged(path, "file", "it is not a regular file"));
    }
    let file = patiently(|| std::fs::File::open(path)).map_err(Error::io(path, "open"))?;
    let length = file.metadata().map_err(Error::io(path, "open"))?.len();
    Ok((file, length))
}

/// Bits that are set once.
#[derive(Debug)]
pub(crate) struct Bits(Box<[AtomicU64]>);

impl Bits {
    /// Makes `bits` bits, none of them set. The system allocates their pages on first use. If there
    /// is no memory, none can be set.
    pub(crate) fn new(bits: usize) -> Bits {
        Bits(bytemuck::try_zeroed_slice_box(bits.div_ceil(64)).unwrap_or_default())
    }

    #[inline]
    pub(crate) fn has(&self, at: usize) -> bool {
        let word = self.0.get(at / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (at % 64) & 1 == 1)
    }

    pub(crate) fn set(&self, at: usize) {
        if let Some(word) = self.0.get(at / 64) {
            word.fetch_or(1 << (at % 64), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_set_one_by_one() {
        let bits = Bits::new(130);
        assert!((0..200).all(|at| !bits.has(at)));
        for at in [0, 63, 64, 65, 129] {
            bits.set(at);
        }
        let set: Vec<usize> = (0..200).filter(|&at| bits.has(at)).collect();
        assert_eq!(set, [0, 63, 64, 65, 129]);
    }

    /// A look-up does not wait for a file on a disk: the bytes are in memory a moment later.
    #[cfg(target_os = "linux")]
    #[test]
    fn bytes_that_are_not_in_memory_are_asked_for() -> Result<(), Box<dyn std::error::Error>> {
        use rustix::fs::{Advice, fadvise};
        use rustix::io::{Errno, ReadWriteFlags, preadv2};
        use std::time::{Duration, Instant};

        let directory = tempfile::tempdir()?;
        let path = directory.path().join("great");
        // Not a whole number of pages.
        let length = 9 * PAGE + 100;
        std::fs::write(&path, vec![7; length])?;
        let file = std::fs::File::open(&path)?;
        file.sync_all()?;
        fadvise(&file, 0, None, Advice::DontNeed)?;
        let mut byte = [0];
        let mut read = [std::io::IoSliceMut::new(&mut byte)];
        let there = preadv2(&file, &mut read, length as u64 - 1, ReadWriteFlags::NOWAIT);

        let bytes = map_file_by(&path, PAGE)?;
        let wanted = 2 * PAGE + 10..length;
        // On a file system in memory all pages are present.
        if there == Err(Errno::AGAIN) {
            assert!(!bytes.are_ready(wanted.clone()));
        }
        let begun = Instant::now();
        while !bytes.are_ready(wanted.clone()) {
            assert!(begun.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
        let Storage::Mapped(Mapped {
            great: Some(found), ..
        }) = &bytes.0
        else {
            panic!("a large file is mapped as one");
        };
        let known: Vec<usize> = (0..20).filter(|&page| found.has(page)).collect();
        assert_eq!(known, [2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(bytes.iter().all(|&byte| byte == 7));
        // A small file is mapped without asking.
        assert!(map_file(&path)?.are_ready(0..length));
        Ok(())
    }
}
