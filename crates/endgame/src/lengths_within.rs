//! Iteration over all suit lengths within given ones.

use crate::suit_lengths::SuitLengths;

/// Returns all lengths that exceed `whole` in no hand, in ascending order.
pub(crate) fn lengths_within(whole: SuitLengths) -> LengthsWithin {
    let ways = whole.to_array().map(|length| usize::from(length) + 1);
    LengthsWithin {
        whole,
        next: SuitLengths::EMPTY,
        left: ways.into_iter().product(),
    }
}

/// See [`lengths_within`]. Skipping takes no time.
#[derive(Clone)]
pub(crate) struct LengthsWithin {
    whole: SuitLengths,
    next: SuitLengths,
    left: usize,
}

impl Iterator for LengthsWithin {
    type Item = SuitLengths;

    #[inline]
    fn next(&mut self) -> Option<SuitLengths> {
        self.left = self.left.checked_sub(1)?;
        let suit_lengths = self.next;
        // Lengths equal to those of `whole` become 15, so the carry passes over them and leaves
        // zeros.
        let missing = 0xffff - u32::from(self.whole.bits());
        let next = u32::from(suit_lengths.bits()) + missing + 1;
        let zeros = next.trailing_zeros() & !3;
        self.next = SuitLengths::from_bits((next - (missing >> zeros << zeros)) as u16);
        Some(suit_lengths)
    }

    fn nth(&mut self, skipped: usize) -> Option<SuitLengths> {
        self.left = self.left.saturating_sub(skipped);
        // Adds the skipped ones as a number whose digits are the lengths.
        let mut carry = skipped;
        self.next = SuitLengths::new(std::array::from_fn(|hand| {
            let ways = usize::from(self.whole.length(hand)) + 1;
            carry += usize::from(self.next.length(hand));
            let length = carry % ways;
            carry /= ways;
            length as u8
        }));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for LengthsWithin {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipping_is_the_same_as_passing_one_by_one() {
        for whole in [[2, 1, 0, 3], [0; 4], [0, 0, 4, 1]].map(SuitLengths::new) {
            let all: Vec<_> = lengths_within(whole).collect();
            assert_eq!(all.len(), lengths_within(whole).len());
            assert!(all.is_sorted_by(|one, next| one < next));
            for first in 0..all.len() + 2 {
                for skipped in 0..all.len() + 2 {
                    let mut left = lengths_within(whole).skip(first);
                    assert_eq!(left.nth(skipped), all.get(first + skipped).copied());
                    assert_eq!(left.len(), all.len().saturating_sub(first + skipped + 1));
                }
            }
        }
    }
}
