//! A forward double-dummy solver.

mod board;
mod follow_order;
mod lanes;
mod later;
mod lead_order;
mod moves;
mod quick;
mod search;
mod sure_trumps;
mod transposition;
mod weights;

use setrograde_cards::Position;

#[doc(hidden)]
pub fn debug_value(position: &Position) -> (i32, u64, u64, u64) {
    let board = board::Board::new(position);
    let left = board.tricks_left() as i32;
    let mut search = search::Search::new(&board, transposition::Transposition::new(1 << 30));
    let leader = position.leader().index();
    let (mut lo, mut hi) = (0, left);
    let mut guess = left / 2;
    while lo < hi {
        let target = if guess == lo { guess + 1 } else { guess };
        if search.lead(leader, target, left).reached { lo = target; guess = lo } else { hi = target - 1; guess = hi }
    }
    (if leader & 1 == 0 { lo } else { left - lo }, search.nodes, search.table.probes, search.table.scanned)
}

#[doc(hidden)]
pub fn debug_table(deal: &setrograde_cards::Deal) -> (Vec<i32>, u64, u64, u64) {
    let mut out = vec![];
    let (mut n, mut p, mut c) = (0, 0, 0);
    let mut tt = transposition::Transposition::new(1 << 30);
    for strain in setrograde_cards::Strain::ALL {
        let board = board::Board::from_deal(deal, strain);
        tt.clear();
        let mut search = search::Search::new(&board, tt);
        let mut values = [0; 4];
        let left = 13;
        let mut guess = 7;
        for leader in [0, 2, 1, 3] {
            let (mut lo, mut hi) = (0, left);
            while lo < hi {
                let target = if guess == lo { guess + 1 } else { guess };
                if search.lead(leader, target, left).reached { lo = target; guess = lo } else { hi = target - 1; guess = hi }
            }
            guess = lo;
            // declarer sits to the right of the leader
            let declarer = (leader + 3) & 3;
            values[declarer] = if declarer & 1 == 0 { lo } else { left - lo };
        }
        out.extend(values);
        n += search.nodes;
        p += search.table.probes;
        c += search.table.scanned;
        tt = search.table; tt.probes = 0; tt.scanned = 0;
        STATS.with_borrow_mut(|t| for i in 0..16 { t[i] += search.stats[i]; });
    }
    (out, n, p, c)
}

thread_local! { pub static STATS: std::cell::RefCell<[u64; 16]> = Default::default(); }
