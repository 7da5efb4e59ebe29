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

/// Asks the processor for `lines` lines of cache from the byte at `at` on, which are read
/// soon. Does nothing that can be seen but save time.
#[inline]
pub fn prefetch(bytes: &[u8], at: usize, lines: usize) {
    let asked = bytes.get(at..).unwrap_or_default();
    let asked = &asked[..asked.len().min(lines * LINE)];
    asked.iter().step_by(LINE).for_each(ask);
}
