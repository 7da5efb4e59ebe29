//! Asking the processor for nodes ahead of time.

/// Bytes in a line of cache.
const LINE: usize = 64;

/// Asks for the line of cache that holds a byte. Does nothing that can be seen but
/// save time in a large database.
#[inline]
fn ask(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction. It reads nothing and
        // faults at no address, and this one is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}

/// Asks for the byte at `at`, and for `lines` lines of cache before it.
#[inline]
pub(super) fn back_from(bytes: &[u8], at: usize, lines: usize) {
    // The last byte is left over.
    let from = at.saturating_sub(lines * LINE);
    if let Some(asked) = bytes.get(from..=at) {
        let (lines, rest) = asked.as_chunks::<LINE>();
        rest.last().map(ask);
        lines.iter().map(|line| &line[0]).for_each(ask);
    }
}
