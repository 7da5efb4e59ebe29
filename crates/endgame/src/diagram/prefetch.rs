//! Asking the processor for nodes ahead of time.

/// Words in a line of cache.
const LINE: usize = 64 / size_of::<u16>();

/// Asks for the line of cache that holds a word. Does nothing that can be seen but
/// save time in a large database.
#[inline]
fn ask(word: &u16) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It reads nothing and
        // faults at no address, and this one is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// Asks for the word at `place`, and for `lines` lines of cache before it.
#[inline]
pub(super) fn back_from(words: &[u16], place: usize, lines: usize) {
    // The last of the words is left over.
    let from = place.saturating_sub(lines * LINE);
    if let Some(asked) = words.get(from..=place) {
        let (lines, rest) = asked.as_chunks::<LINE>();
        rest.last().map(ask);
        lines.iter().map(|line| &line[0]).for_each(ask);
    }
}
