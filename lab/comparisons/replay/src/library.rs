//! A library with DDS's C interface, and the ways to ask it about a board.

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, ensure};
use dds::abi::{BoardsPbn, Deal, DealPbn, FutureTricks, MAX_BOARDS, SolvedBoards};
use libloading::Library as Loaded;

use crate::recording::Call;

/// The functions to ask by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Way {
    /// `SolveBoardPBN`, with the number of the thread as its thread index.
    #[default]
    Board,
    /// `dds_c_solve_board` of DDS 3, with a context for each thread, kept from call to call.
    Context,
    /// The same with a new context for each board.
    Fresh,
    /// `SolveAllBoards`, with all boards of a call at once.
    Batch,
}

type SolveBoardPbn =
    unsafe extern "C" fn(DealPbn, c_int, c_int, c_int, *mut FutureTricks, c_int) -> c_int;
type SolveInContext =
    unsafe extern "C" fn(*mut c_void, *const Deal, c_int, c_int, c_int, *mut FutureTricks) -> c_int;
type NewContext = unsafe extern "C" fn() -> *mut c_void;
type FreeContext = unsafe extern "C" fn(*mut c_void);
type SolveAllBoards = unsafe extern "C" fn(*const BoardsPbn, *mut SolvedBoards) -> c_int;

const NEW: &[u8] = b"dds_c_create_solvercontext_default\0";

enum Functions {
    Board(SolveBoardPbn),
    Context {
        solve: SolveInContext,
        contexts: Vec<Context3>,
    },
    Fresh {
        solve: SolveInContext,
        new: NewContext,
        free: FreeContext,
    },
    Batch(SolveAllBoards),
}

/// A context of DDS 3, used by one thread at a time.
#[derive(Clone, Copy)]
struct Context3(*mut c_void);

// SAFETY: a context may be used by any thread, one at a time.
unsafe impl Send for Context3 {}
// SAFETY: each worker uses the context of its number alone.
unsafe impl Sync for Context3 {}

pub struct Library {
    functions: Functions,
    threads: usize,
}

impl Library {
    /// Loads a library, which stays loaded: DDS may crash when it is unloaded.
    pub fn load(path: &Path, way: Way, threads: usize) -> anyhow::Result<Library> {
        // A name without a directory is searched for where the system has its libraries, unless it
        // is here.
        let found = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // SAFETY: loading a DDS runs its constructors, which set up tables.
        let library = unsafe { Loaded::new(found) }
            .with_context(|| format!("cannot load {}", path.display()))?;
        let library: &'static Loaded = Box::leak(Box::new(library));
        // SAFETY: the functions have these types in DDS 2.9 and 3.1.
        let functions = unsafe {
            match way {
                Way::Context => {
                    let new = library.get::<NewContext>(NEW)?;
                    Functions::Context {
                        solve: *library.get(b"dds_c_solve_board\0")?,
                        contexts: (0..threads).map(|_| Context3(new())).collect(),
                    }
                }
                Way::Fresh => Functions::Fresh {
                    solve: *library.get(b"dds_c_solve_board\0")?,
                    new: *library.get(NEW)?,
                    free: *library.get(b"dds_c_destroy_solvercontext\0")?,
                },
                Way::Board | Way::Batch => {
                    library.get::<unsafe extern "C" fn(c_int)>(b"SetMaxThreads\0")?(
                        threads as c_int,
                    );
                    match way {
                        Way::Board => Functions::Board(*library.get(b"SolveBoardPBN\0")?),
                        _ => Functions::Batch(*library.get(b"SolveAllBoards\0")?),
                    }
                }
            }
        };
        Ok(Library { functions, threads })
    }

    /// Prepares a call, so what is timed is the library alone.
    pub fn prepare<'a>(&'a self, call: &'a Call) -> anyhow::Result<Prepared<'a>> {
        let mut prepared = Prepared {
            library: self,
            call,
            deals: Vec::new(),
            batches: Vec::new(),
        };
        match self.functions {
            Functions::Board(_) => {}
            Functions::Context { .. } | Functions::Fresh { .. } => {
                prepared.deals = call
                    .deals
                    .iter()
                    .map(in_numbers)
                    .collect::<anyhow::Result<_>>()?;
            }
            Functions::Batch(_) => {
                for deals in call.deals.chunks(MAX_BOARDS) {
                    let mut batch = Box::new(BoardsPbn {
                        count: deals.len() as c_int,
                        deals: [deals[0]; MAX_BOARDS],
                        target: [-1; MAX_BOARDS],
                        solutions: [call.solutions; MAX_BOARDS],
                        mode: [1; MAX_BOARDS],
                    });
                    batch.deals[..deals.len()].copy_from_slice(deals);
                    prepared.batches.push(batch);
                }
            }
        }
        Ok(prepared)
    }
}

/// A call in the form that a library wants.
pub struct Prepared<'a> {
    library: &'a Library,
    call: &'a Call,
    deals: Vec<Deal>,
    batches: Vec<Box<BoardsPbn>>,
}

impl Prepared<'_> {
    /// Asks about all boards.
    pub fn ask(&self) -> anyhow::Result<Vec<FutureTricks>> {
        if let Functions::Batch(solve) = self.library.functions {
            return self.ask_batches(solve);
        }
        let count = self.call.deals.len();
        let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(1));
        let found = Mutex::new(vec![FutureTricks::EMPTY; count]);
        let work = |thread: usize| {
            let mut mine = Vec::new();
            loop {
                let board = next.fetch_add(1, Ordering::Relaxed);
                if board >= count {
                    break;
                }
                let mut future = FutureTricks::EMPTY;
                let code = self.solve(board, thread, &mut future);
                if code != 1 {
                    failed.store(code as usize, Ordering::Relaxed);
                }
                mine.push((board, future));
            }
            let mut found = found.lock().expect("no worker panics");
            for (board, future) in mine {
                found[board] = future;
            }
        };
        if self.library.threads == 1 {
            work(0);
        } else {
            std::thread::scope(|scope| {
                for thread in 0..self.library.threads {
                    let work = &work;
                    scope.spawn(move || work(thread));
                }
            });
        }
        let code = failed.into_inner() as c_int;
        ensure!(code == 1, "the library fails with {code}");
        Ok(found.into_inner()?)
    }

    fn solve(&self, board: usize, thread: usize, future: &mut FutureTricks) -> c_int {
        let solutions = self.call.solutions;
        match &self.library.functions {
            // SAFETY: `future` may be written to, and no other call has this thread index.
            Functions::Board(solve) => unsafe {
                solve(
                    self.call.deals[board],
                    -1,
                    solutions,
                    1,
                    future,
                    thread as c_int,
                )
            },
            // SAFETY: as above; no other thread uses the context.
            Functions::Context { solve, contexts } => unsafe {
                solve(
                    contexts[thread].0,
                    &raw const self.deals[board],
                    -1,
                    solutions,
                    1,
                    future,
                )
            },
            // SAFETY: as above; the context is this call's own.
            Functions::Fresh { solve, new, free } => unsafe {
                let context = new();
                let code = solve(
                    context,
                    &raw const self.deals[board],
                    -1,
                    solutions,
                    1,
                    future,
                );
                free(context);
                code
            },
            Functions::Batch(_) => unreachable!("`ask` has seen to batches"),
        }
    }

    fn ask_batches(&self, solve: SolveAllBoards) -> anyhow::Result<Vec<FutureTricks>> {
        let mut found = Vec::new();
        for batch in &self.batches {
            let mut solved = Box::new(SolvedBoards {
                count: 0,
                solved: [FutureTricks::EMPTY; MAX_BOARDS],
            });
            // SAFETY: `solved` may be written to.
            let code = unsafe { solve(&raw const **batch, &raw mut *solved) };
            ensure!(code == 1, "the library fails with {code}");
            found.extend_from_slice(&solved.solved[..batch.count as usize]);
        }
        Ok(found)
    }
}

/// The deal with its cards as numbers.
fn in_numbers(deal: &DealPbn) -> anyhow::Result<Deal> {
    let text: Vec<u8> = deal
        .cards
        .iter()
        .map(|&byte| byte as u8)
        .take_while(|&byte| byte != 0)
        .collect();
    let text = String::from_utf8(text)?;
    let (first, hands) = text
        .split_once(':')
        .context("a deal without a first hand")?;
    let first = "NESW".find(first).context("a deal of no seat")?;
    let mut cards = [[0; 4]; 4];
    for (index, hand) in hands.split(' ').enumerate() {
        for (suit, ranks) in hand.split('.').enumerate() {
            for rank in ranks.chars() {
                let rank = "23456789TJQKA".find(rank).context("a card of no rank")?;
                cards[(first + index) % 4][suit] |= 4 << rank;
            }
        }
    }
    Ok(Deal {
        trump: deal.trump,
        first: deal.first,
        trick_suit: deal.trick_suit,
        trick_rank: deal.trick_rank,
        cards,
    })
}
