//! DDS 2.9, as the crate `ddss-sys` builds it, with one thread.

use std::ffi::CStr;

use compare::dds::{pbn, table, tricks};
use compare::{Answer, Question, Solve, serve};

struct Dds;

fn main() -> anyhow::Result<()> {
    // SAFETY: called once, before any other function of DDS.
    unsafe { ddss_sys::SetMaxThreads(1) };
    serve(Dds)
}

impl Solve for Dds {
    fn name(&self) -> String {
        let mut info = ddss_sys::DDSInfo::default();
        // SAFETY: DDS was set up and fills the structure, whose version ends
        // in a zero byte.
        let version = unsafe {
            ddss_sys::GetDDSInfo(&mut info);
            CStr::from_ptr(info.versionString.as_ptr())
        };
        format!("DDS {}", version.to_string_lossy())
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        match question {
            Question::Table(deal) => {
                let deal = ddss_sys::ddTableDealPBN { cards: pbn(deal) };
                let mut results = ddss_sys::ddTableResults::default();
                // SAFETY: DDS was set up, and is called from this thread only.
                let code = unsafe { ddss_sys::CalcDDtablePBN(deal, &mut results) };
                table(code, results.resTable)
            }
            Question::Tricks(position) => {
                let deal = ddss_sys::dealPBN {
                    trump: position.strain().dds_index() as i32,
                    first: position.leader().index() as i32,
                    currentTrickSuit: [0; 3],
                    currentTrickRank: [0; 3],
                    remainCards: pbn(position.deal()),
                };
                let mut found = ddss_sys::futureTricks::default();
                // SAFETY: as above.
                let code = unsafe { ddss_sys::SolveBoardPBN(deal, -1, 1, 1, &mut found, 0) };
                tricks(code, found.score)
            }
        }
    }
}
