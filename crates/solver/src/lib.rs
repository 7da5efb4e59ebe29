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
