//! Eight small counters in one number.

/// Counters, one byte each. Each is at most 127, so the top bits are free for comparing all eight at
/// once.
pub(crate) type Counters = u64;

const TOP_BITS: u64 = 0x8080_8080_8080_8080;

pub(crate) fn counters(bytes: [u8; 8]) -> Counters {
    u64::from_le_bytes(bytes)
}

/// Returns true if no counter of `a` is above that of `b`.
#[inline]
pub(crate) fn at_most(a: Counters, b: Counters) -> bool {
    ((b | TOP_BITS) - a) & TOP_BITS == TOP_BITS
}

/// Index of counters in an array: the sum of each times its step.
#[inline]
pub(crate) fn index(state: Counters, steps: &[usize; 8]) -> usize {
    let bytes = state.to_le_bytes().into_iter();
    let each = bytes
        .zip(steps)
        .map(|(count, step)| usize::from(count) * step);
    each.sum()
}
