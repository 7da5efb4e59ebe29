//! Sorting that takes little code where code is to be small.

use std::cmp::Ordering;

/// Sorts slices like the standard library: with it, but for WebAssembly, where the
/// code of a page is to be small. The library's is compiled for each type anew, 4 KB each time;
/// there numbers are sorted instead, in one function, and the items are moved once.
pub trait Sorting<T> {
    /// As [`sort_by`](slice::sort_by).
    fn in_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`sort_by_key`](slice::sort_by_key).
    fn in_order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.in_order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// As [`sort_by_cached_key`](slice::sort_by_cached_key).
    fn in_order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// As [`sort_unstable_by`](slice::sort_unstable_by): equal items in any order.
    fn in_any_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`sort_unstable_by_key`](slice::sort_unstable_by_key): equal items in any order.
    fn in_any_order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.in_any_order_by(|a, b| key(a).cmp(&key(b)));
    }
}

#[cfg(not(target_family = "wasm"))]
impl<T> Sorting<T> for [T] {
    fn in_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_by(compare);
    }

    fn in_order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.sort_by_cached_key(key);
    }

    fn in_any_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.sort_unstable_by(compare);
    }
}

#[cfg(target_family = "wasm")]
impl<T> Sorting<T> for [T] {
    fn in_order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = order(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        arrange(self, order);
    }

    fn in_order_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let order = order(keys.len(), &mut |a, b| keys[a].cmp(&keys[b]));
        arrange(self, order);
    }

    fn in_any_order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.in_order_by(compare);
    }
}

/// The indexes of this many items, in the order of the items.
#[cfg(any(target_family = "wasm", test))]
#[inline(never)]
fn order(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves the item that is at `order[n]` to `n`, for each `n`.
#[cfg(any(target_family = "wasm", test))]
fn arrange<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_moved_as_the_library_moves_them() {
        for length in 0..40 {
            let items: Vec<usize> = (0..length).map(|n| n * 31 % 17).collect();
            let numbered: Vec<(usize, usize)> = items.into_iter().zip(0..).collect();
            let (mut expected, mut found) = (numbered.clone(), numbered);
            expected.sort_by_key(|&(key, _)| key);
            let order = order(length, &mut |a, b| found[a].0.cmp(&found[b].0));
            arrange(&mut found, order);
            assert_eq!(found, expected);
        }
    }
}
