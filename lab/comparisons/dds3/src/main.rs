//! DDS 3, as the crate `dds-bridge-sys` builds it, through the interface that
//! its authors recommend: a context that is kept from one question to the next.

use std::ffi::CStr;

use anyhow::ensure;
use compare::dds::{pbn, table, tricks};
use compare::{Answer, Question, Solve, serve};
use dds_bridge_sys::{
    DDS_TT_KIND_PATTERN, DDSInfo, DdTableDealPBN, DdTableResults, DdsSolverConfig,
    DdsSolverContext, Deal, FutureTricks, GetDDSInfo, SetMaxThreads, dds_calc_dd_table_pbn,
    dds_solve_board, dds_solver_context_free, dds_solver_context_new,
};
use setrograde_cards::{Seat, Suit};

/// Owns its context, which is never null.
struct Dds(*mut DdsSolverContext);

fn main() -> anyhow::Result<()> {
    // SAFETY: called once, before any other function of DDS.
    unsafe { SetMaxThreads(1) };
    // The default configuration: zeros mean DDS's own limits.
    let configuration = DdsSolverConfig {
        tt_kind: DDS_TT_KIND_PATTERN as i32,
        tt_mem_default_mb: 0,
        tt_mem_maximum_mb: 0,
    };
    // SAFETY: DDS only reads the configuration.
    let context = unsafe { dds_solver_context_new(&configuration) };
    ensure!(!context.is_null(), "DDS has no memory");
    serve(Dds(context))
}

impl Drop for Dds {
    fn drop(&mut self) {
        // SAFETY: the context is this value's own.
        unsafe { dds_solver_context_free(self.0) };
    }
}

impl Solve for Dds {
    fn name(&self) -> String {
        let mut info = DDSInfo::default();
        // SAFETY: DDS fills the structure, whose version ends in a zero byte.
        let version = unsafe {
            GetDDSInfo(&mut info);
            CStr::from_ptr(info.version_string.as_ptr())
        };
        format!("DDS {}", version.to_string_lossy())
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        match question {
            Question::Table(deal) => {
                let deal = DdTableDealPBN { cards: pbn(deal) };
                let mut results = DdTableResults::default();
                // SAFETY: the context lives, and all pointers are to values here.
                let code = unsafe { dds_calc_dd_table_pbn(self.0, &deal, &mut results) };
                table(code, results.res_table)
            }
            Question::Tricks(position) => {
                // A hand's suit has the deuce at bit 2, the ace at bit 14.
                let holding = |seat, suit| {
                    let holding = position.deal().hand(seat).holding(suit);
                    u32::from(holding.bits()) << 2
                };
                let deal = Deal {
                    trump: position.strain().dds_index() as i32,
                    first: position.leader().index() as i32,
                    currentTrickSuit: [0; 3],
                    currentTrickRank: [0; 3],
                    remainCards: Seat::ALL.map(|seat| Suit::ALL.map(|suit| holding(seat, suit))),
                };
                let mut found = FutureTricks::default();
                // SAFETY: as above.
                let code = unsafe { dds_solve_board(self.0, &deal, -1, 1, 1, &mut found) };
                tricks(code, found.score)
            }
        }
    }
}
