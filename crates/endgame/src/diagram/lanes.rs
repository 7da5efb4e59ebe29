//! Four bytes in a word, one for each owner of a card, the leader's lowest.

/// Bit 0 of every byte.
pub(super) const ONES: u32 = 0x0101_0101;

/// Bit 0 of an owner's byte.
#[inline]
pub(super) const fn lane(owner: usize) -> u32 {
    1 << (8 * (owner & 3))
}

/// The owners whose bit 0 is set in `lanes`. No other bits may be set.
#[inline]
pub(super) fn of(mut lanes: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let owner = lanes.trailing_zeros() as usize / 8;
        lanes &= lanes.wrapping_sub(1);
        (owner < 4).then_some(owner)
    })
}
