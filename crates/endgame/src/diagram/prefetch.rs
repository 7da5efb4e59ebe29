//! Prefetching nodes.

/// Bytes in a line of cache.
const LINE: usize = 64;

/// Prefetches the cache line of a byte. The only effect is on speed.
#[inline]
fn ask(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, which cannot fault. The address is
        // that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}

/// Prefetches `lines` cache lines from the byte at `at` on. The only effect is on speed.
#[inline]
pub fn prefetch(bytes: &[u8], at: usize, lines: usize) {
    let asked = bytes.get(at..).unwrap_or_default();
    let asked = &asked[..asked.len().min(lines * LINE)];
    asked.iter().step_by(LINE).for_each(ask);
}
