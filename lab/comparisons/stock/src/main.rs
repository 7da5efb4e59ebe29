//! The DDS that the system has installed, loaded while the program runs, with one
//! thread. On Debian it is the package `libdds0`.

use std::ffi::c_int;

use anyhow::Context;
use compare::dds::{pbn, table, tricks};
use compare::{Answer, Question, Solve, serve};
use dds::abi::{DealPbn, FutureTricks, TableDealPbn, TableResults};
use libloading::Library;

const LIBRARY: &str = "libdds.so.0";

/// The start of `DDSInfo`, and more room than the rest of it needs.
#[repr(C)]
struct Info {
    version: [c_int; 3],
    rest: [c_int; 1024],
}

type CalcTable = unsafe extern "C" fn(TableDealPbn, *mut TableResults) -> c_int;
type SolveBoard =
    unsafe extern "C" fn(DealPbn, c_int, c_int, c_int, *mut FutureTricks, c_int) -> c_int;

struct Dds {
    library: Library,
    name: String,
}

impl Dds {
    fn load() -> anyhow::Result<Dds> {
        // SAFETY: loading DDS runs its constructors, which set up tables.
        let library = unsafe { Library::new(LIBRARY) }
            .with_context(|| format!("no DDS is installed ({LIBRARY})"))?;
        let mut info = Info {
            version: [0; 3],
            rest: [0; 1024],
        };
        // SAFETY: both functions have these types in DDS 2.9; DDS is called from
        // this thread only, and writes no more than `DDSInfo`, which fits.
        unsafe {
            library.get::<unsafe extern "C" fn(c_int)>(b"SetMaxThreads\0")?(1);
            library.get::<unsafe extern "C" fn(*mut Info)>(b"GetDDSInfo\0")?(&mut info);
        }
        let [major, minor, patch] = info.version;
        let name = format!("DDS {major}.{minor}.{patch}, installed");
        Ok(Dds { library, name })
    }
}

fn main() -> anyhow::Result<()> {
    serve(Dds::load()?)
}

impl Solve for Dds {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer> {
        match question {
            Question::Table(deal) => {
                let deal = TableDealPbn { cards: pbn(deal) };
                let mut results = TableResults {
                    tricks: [[0; 4]; 5],
                };
                // SAFETY: the function has this type in DDS 2.9, and DDS was set
                // up by `load`.
                let code = unsafe {
                    self.library.get::<CalcTable>(b"CalcDDtablePBN\0")?(deal, &mut results)
                };
                table(code, results.tricks)
            }
            Question::Tricks(position) => {
                let deal = DealPbn {
                    trump: position.strain().dds_index() as c_int,
                    first: position.leader().index() as c_int,
                    trick_suit: [0; 3],
                    trick_rank: [0; 3],
                    cards: pbn(position.deal()),
                };
                let mut found = FutureTricks::EMPTY;
                // SAFETY: as above.
                let code = unsafe {
                    self.library.get::<SolveBoard>(b"SolveBoardPBN\0")?(
                        deal, -1, 1, 1, &mut found, 0,
                    )
                };
                tricks(code, found.score)
            }
        }
    }
}
