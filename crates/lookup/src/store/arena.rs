//! Memory for what a level keeps for good.

use std::io;
use std::sync::{Mutex, PoisonError};

use memmap2::MmapMut;

/// Memory for words that stay where they are until it is dropped.
///
/// It comes in large pieces, and the system is asked to use huge pages for them: with
/// pages of 4 KiB, a random look-up in a large level waits for the tables that say
/// where a page is nearly as often as for the page.
#[derive(Debug)]
pub(super) struct Arena {
    /// The bytes of a piece.
    size: usize,
    pieces: Mutex<Pieces>,
}

#[derive(Debug)]
struct Pieces {
    maps: Vec<MmapMut>,
    /// What is free of the last one.
    free: &'static mut [u16],
}

/// The least and the most bytes of a piece.
const SIZES: (u64, u64) = (1 << 16, 1 << 26);

impl Arena {
    /// Nothing yet; there may be about that many bytes.
    pub(super) fn new(bytes: u64) -> Arena {
        let (maps, free) = (Vec::new(), &mut [][..]);
        Arena {
            size: bytes.clamp(SIZES.0, SIZES.1) as usize,
            pieces: Mutex::new(Pieces { maps, free }),
        }
    }

    /// Copies words to where they stay. Fails if the system has no memory left.
    ///
    /// # Safety
    ///
    /// What this returns may be used only as long as the arena lives.
    pub(super) unsafe fn keep(&self, words: &[u16]) -> io::Result<&'static [u16]> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        if pieces.free.len() < words.len() {
            let mut map = MmapMut::map_anon(self.size.max(size_of_val(words)))?;
            #[cfg(target_os = "linux")]
            // Without huge pages it is slower, and nothing else.
            let _ = map.advise(memmap2::Advice::HugePage);
            let (start, length) = (map.as_mut_ptr().cast(), map.len() / size_of::<u16>());
            // SAFETY: the map begins at a page and is full of zeros. It stays where it
            // is until the arena is dropped, and is not used in another way.
            pieces.free = unsafe { std::slice::from_raw_parts_mut(start, length) };
            pieces.maps.push(map);
        }
        let (kept, free) = std::mem::take(&mut pieces.free).split_at_mut(words.len());
        pieces.free = free;
        kept.copy_from_slice(words);
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_as_they_were() -> io::Result<()> {
        let arena = Arena::new(0);
        let words = |number: u16| vec![number; 3000 * usize::from(number % 30)];
        let kept = (0..200).map(|number| {
            // SAFETY: the arena outlives what is kept.
            unsafe { arena.keep(&words(number)) }
        });
        let kept = kept.collect::<io::Result<Vec<_>>>()?;
        for (number, kept) in (0..).zip(kept) {
            assert_eq!(kept, words(number));
        }
        Ok(())
    }
}
