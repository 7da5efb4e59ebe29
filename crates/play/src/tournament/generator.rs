//! Random numbers that depend on nothing but who asks.

use fastrand::Rng;

/// A generator that depends on some numbers alone.
#[must_use]
pub fn generator(numbers: &[u64]) -> Rng {
    // SplitMix64's finalizer over a running sum.
    let mix = |sum: u64, number: &u64| {
        let mut z = (sum ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    Rng::with_seed(numbers.iter().fold(0, mix))
}
