//! The sorting networks behind DDS's lists of moves.
//!
//! Which of two cards of equal weight comes first depends on the comparisons
//! that sort the list. DDS's answers to lists of up to 13 cards with ties agree
//! with these networks: Batcher's odd-even mergesort up to 8 cards, the
//! networks with the fewest comparisons that Knuth gives (The Art of Computer
//! Programming, 5.3.4) for 9 to 12, and insertion for 13.

/// Floyd's network for 9.
const NINE: &str = "01 34 67 12 45 78 01 34 67 03 36 03 14 47 14 25 58 25 13 57 26 46 24 23 56";
/// Waksman's network for 10.
const TEN: &str =
    "59 37 18 26 04 25 69 03 47 01 36 89 02 15 48 79 12 56 78 34 24 68 13 57 23 67 35 46 45";
/// Shapiro and Green's network for 11.
const ELEVEN: &str = "01 23 45 67 89 13 57 02 46 8a 12 56 9a 04 37 15 6a 48 59 26 04 38 15 6a 23 89 \
                      14 7a 35 68 24 79 56 34 78";
/// Shapiro and Green's network for 12.
const TWELVE: &str = "01 23 45 67 89 ab 13 57 9b 02 46 8a 12 56 9a 04 7b 15 6a 37 48 59 26 04 7b 38 \
                      15 6a 23 89 14 7a 35 68 24 79 56 34 78";

/// Sorts by falling weight.
pub fn sort<T>(items: &mut [(i32, T)]) {
    let network = match items.len() {
        9 => NINE,
        10 => TEN,
        11 => ELEVEN,
        12 => TWELVE,
        2..9 => return merge_sort(items),
        // Stable, as insertion is.
        _ => return items.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight)),
    };
    for pair in network.split_whitespace() {
        let mut digits = pair.chars().filter_map(|digit| digit.to_digit(16));
        if let (Some(first), Some(second)) = (digits.next(), digits.next()) {
            exchange(items, first as usize, second as usize);
        }
    }
}

/// Puts the heavier of two items first; equal ones stay.
fn exchange<T>(items: &mut [(i32, T)], first: usize, second: usize) {
    if items[first].0 < items[second].0 {
        items.swap(first, second);
    }
}

/// Batcher's network for the next power of two, without the elements beyond the
/// list.
fn merge_sort<T>(items: &mut [(i32, T)]) {
    let size = items.len().next_power_of_two();
    halves(items, 0, size);
}

fn halves<T>(items: &mut [(i32, T)], start: usize, size: usize) {
    if size > 1 {
        halves(items, start, size / 2);
        halves(items, start + size / 2, size / 2);
        merge(items, start, size, 1);
    }
}

/// Merges the elements at a distance of `step` from one another.
fn merge<T>(items: &mut [(i32, T)], start: usize, size: usize, step: usize) {
    if 2 * step >= size {
        if start + step < items.len() {
            exchange(items, start, start + step);
        }
        return;
    }
    merge(items, start, size, 2 * step);
    merge(items, start + step, size, 2 * step);
    let mut first = start + step;
    while first + step < start + size {
        if first + step < items.len() {
            exchange(items, first, first + step);
        }
        first += 2 * step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_zeros_and_ones_is_sorted() {
        for size in 0..=13 {
            for bits in 0..1_u32 << size {
                let mut items: Vec<(i32, ())> = (0..size)
                    .map(|bit| ((bits >> bit & 1) as i32, ()))
                    .collect();
                sort(&mut items);
                assert!(items.is_sorted_by(|a, b| a.0 >= b.0), "{size} {bits:b}");
            }
        }
    }

    #[test]
    fn ties_fall_as_in_dds() {
        let sorted = |weights: &[i32]| {
            let mut items: Vec<(i32, usize)> = weights.iter().copied().zip(0..).collect();
            sort(&mut items);
            items
                .into_iter()
                .map(|(_, index)| index)
                .collect::<Vec<_>>()
        };
        assert_eq!(sorted(&[0, 0, 1]), [2, 1, 0]);
        assert_eq!(sorted(&[0, 0, 0, 1]), [3, 1, 0, 2]);
        assert_eq!(sorted(&[1, 0, 1, 0, 1]), [0, 2, 4, 3, 1]);
    }
}
