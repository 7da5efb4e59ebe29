//! Questions as bytes, and a process that asks a library.

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use dds::abi::*;

use crate::process::{read_block, write_block};

/// The functions that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Function {
    SolveBoard,
    SolveBoardPBN,
    CalcDDtable,
    CalcDDtablePBN,
    CalcPar,
    CalcParPBN,
    CalcAllTables,
    CalcAllTablesPBN,
    SolveAllBoards,
    SolveAllBoardsBin,
    SolveAllChunks,
    SolveAllChunksBin,
    SolveAllChunksPBN,
    Par,
    SidesPar,
    SidesParBin,
    DealerPar,
    DealerParBin,
    ConvertToDealerTextFormat,
    ConvertToSidesTextFormat,
    AnalysePlayBin,
    AnalysePlayPBN,
    AnalyseAllPlaysBin,
    AnalyseAllPlaysPBN,
    ErrorMessage,
}

impl Function {
    pub const ALL: [Function; 25] = [
        Function::SolveBoard,
        Function::SolveBoardPBN,
        Function::CalcDDtable,
        Function::CalcDDtablePBN,
        Function::CalcPar,
        Function::CalcParPBN,
        Function::CalcAllTables,
        Function::CalcAllTablesPBN,
        Function::SolveAllBoards,
        Function::SolveAllBoardsBin,
        Function::SolveAllChunks,
        Function::SolveAllChunksBin,
        Function::SolveAllChunksPBN,
        Function::Par,
        Function::SidesPar,
        Function::SidesParBin,
        Function::DealerPar,
        Function::DealerParBin,
        Function::ConvertToDealerTextFormat,
        Function::ConvertToSidesTextFormat,
        Function::AnalysePlayBin,
        Function::AnalysePlayPBN,
        Function::AnalyseAllPlaysBin,
        Function::AnalyseAllPlaysPBN,
        Function::ErrorMessage,
    ];

    pub fn of(question: &[u8]) -> Function {
        Function::ALL[usize::from(question[0])]
    }
}

/// A question under way.
pub struct Question(Vec<u8>);

impl Question {
    pub fn new(function: Function) -> Question {
        Question(vec![function as u8])
    }

    /// Adds an argument, a number or a structure of the interface.
    pub fn with<T: Copy>(mut self, argument: &T) -> Question {
        // SAFETY: structures of the interface are numbers without padding.
        let bytes = unsafe {
            std::slice::from_raw_parts(std::ptr::from_ref(argument).cast::<u8>(), size_of::<T>())
        };
        self.0.extend_from_slice(bytes);
        self
    }

    pub fn bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads arguments and results back.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn take<T: Copy>(&mut self) -> T {
        let (value, rest) = self.0.split_at(size_of::<T>());
        self.0 = rest;
        // SAFETY: the bytes of a structure of the interface, in which any bits
        // are a value.
        unsafe { value.as_ptr().cast::<T>().read_unaligned() }
    }
}

/// The byte that fills a result before the call.
pub const UNTOUCHED: u8 = 0x2a;

fn untouched<T>() -> Box<T> {
    let mut value = Box::<T>::new_uninit();
    // SAFETY: results are structures of the interface, in which any bits are a
    // value.
    unsafe {
        value
            .as_mut_ptr()
            .cast::<u8>()
            .write_bytes(UNTOUCHED, size_of::<T>());
        value.assume_init()
    }
}

/// Answers questions from standard input until it ends.
pub fn serve(path: &Path) {
    // SAFETY: a library of the interface does nothing harmful when loaded.
    let library = unsafe { libloading::Library::new(path) }.expect("a library");
    let symbol = |name: &str| -> Option<*mut c_void> {
        // SAFETY: this takes the address alone; the caller knows the type of the function.
        let found = unsafe { library.get::<*mut c_void>(name.as_bytes()) };
        Some(*found.ok()?)
    };
    if let Some(set) = symbol("SetMaxThreads") {
        // SAFETY: the function's type in the interface.
        let set: extern "C" fn(c_int) = unsafe { std::mem::transmute(set) };
        set(1);
    }
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    while let Some(question) = read_block(&mut input) {
        let mut answer = Vec::new();
        let name = format!("{:?}", Function::of(&question));
        match symbol(&name) {
            // SAFETY: the symbol is the function of this name.
            Some(function) => unsafe { call(&question, function, &mut answer) },
            None => answer = b"none".to_vec(),
        }
        if write_block(&mut output, &answer).is_none() {
            break;
        }
    }
    // DDS may crash as the program ends; the parent has all answers by then.
    std::process::exit(0);
}

fn keep<T>(answer: &mut Vec<u8>, code: c_int, result: &T) {
    answer.extend(code.to_le_bytes());
    // SAFETY: results are structures of numbers without padding.
    answer.extend(unsafe {
        std::slice::from_raw_parts(std::ptr::from_ref(result).cast::<u8>(), size_of::<T>())
    });
}

/// Calls `function` with the arguments of a question.
unsafe fn call(question: &[u8], function: *mut c_void, answer: &mut Vec<u8>) {
    let mut arguments = Reader(&question[1..]);
    /// The function as one with these arguments that returns a code.
    macro_rules! ask {
        ($result:ty; $($argument:ty),*; |$f:ident, $out:ident, $($name:ident),*| $call:expr) => {{
            let mut result: Box<$result> = untouched();
            $(let $name: $argument = arguments.take();)*
            let $out: *mut $result = &raw mut *result;
            let $f = function;
            let code: c_int = $call;
            keep(answer, code, &*result);
        }};
    }
    macro_rules! typed {
        ($f:expr, fn($($argument:ty),*)) => {
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> c_int>($f)
        };
    }
    // SAFETY: each function is called with the types of the interface.
    unsafe {
        match Function::of(question) {
            Function::SolveBoard => ask!(FutureTricks; Deal, [c_int; 4]; |f, out, deal, n|
                typed!(f, fn(Deal, c_int, c_int, c_int, *mut FutureTricks, c_int))(
                    deal, n[0], n[1], n[2], out, n[3])),
            Function::SolveBoardPBN => ask!(FutureTricks; DealPbn, [c_int; 4]; |f, out, deal, n|
                typed!(f, fn(DealPbn, c_int, c_int, c_int, *mut FutureTricks, c_int))(
                    deal, n[0], n[1], n[2], out, n[3])),
            Function::CalcDDtable => ask!(TableResults; TableDeal; |f, out, deal|
                typed!(f, fn(TableDeal, *mut TableResults))(deal, out)),
            Function::CalcDDtablePBN => ask!(TableResults; TableDealPbn; |f, out, deal|
                typed!(f, fn(TableDealPbn, *mut TableResults))(deal, out)),
            Function::CalcPar => {
                ask!((TableResults, ParResults); TableDeal, c_int; |f, out, deal, vul|
                typed!(f, fn(TableDeal, c_int, *mut TableResults, *mut ParResults))(
                    deal, vul, &raw mut (*out).0, &raw mut (*out).1));
            }
            Function::CalcParPBN => {
                ask!((TableResults, ParResults); TableDealPbn, c_int; |f, out, deal, vul|
                typed!(f, fn(TableDealPbn, *mut TableResults, c_int, *mut ParResults))(
                    deal, &raw mut (*out).0, vul, &raw mut (*out).1));
            }
            Function::CalcAllTables => {
                ask!((TablesResults, AllParResults); TableDeals, c_int, [c_int; 5]; |f, out, deals, mode, filter| {
                    let mut deals = deals;
                    let mut filter = filter;
                    typed!(f, fn(*mut TableDeals, c_int, *mut c_int, *mut TablesResults, *mut AllParResults))(
                        &raw mut deals, mode, filter.as_mut_ptr(), &raw mut (*out).0, &raw mut (*out).1)
                });
            }
            Function::CalcAllTablesPBN => {
                ask!((TablesResults, AllParResults); TableDealsPbn, c_int, [c_int; 5]; |f, out, deals, mode, filter| {
                    let mut deals = deals;
                    let mut filter = filter;
                    typed!(f, fn(*mut TableDealsPbn, c_int, *mut c_int, *mut TablesResults, *mut AllParResults))(
                        &raw mut deals, mode, filter.as_mut_ptr(), &raw mut (*out).0, &raw mut (*out).1)
                });
            }
            Function::SolveAllBoards => ask!(SolvedBoards; BoardsPbn; |f, out, boards| {
                let mut boards = boards;
                typed!(f, fn(*mut BoardsPbn, *mut SolvedBoards))(&raw mut boards, out)
            }),
            Function::SolveAllBoardsBin => ask!(SolvedBoards; Boards; |f, out, boards| {
                let mut boards = boards;
                typed!(f, fn(*mut Boards, *mut SolvedBoards))(&raw mut boards, out)
            }),
            Function::SolveAllChunks | Function::SolveAllChunksPBN => {
                ask!(SolvedBoards; BoardsPbn, c_int; |f, out, boards, chunk| {
                    let mut boards = boards;
                    typed!(f, fn(*mut BoardsPbn, *mut SolvedBoards, c_int))(&raw mut boards, out, chunk)
                });
            }
            Function::SolveAllChunksBin => {
                ask!(SolvedBoards; Boards, c_int; |f, out, boards, chunk| {
                    let mut boards = boards;
                    typed!(f, fn(*mut Boards, *mut SolvedBoards, c_int))(&raw mut boards, out, chunk)
                });
            }
            Function::Par => ask!(ParResults; TableResults, c_int; |f, out, table, vul| {
                let mut table = table;
                typed!(f, fn(*mut TableResults, *mut ParResults, c_int))(&raw mut table, out, vul)
            }),
            Function::SidesPar => {
                ask!([ParResultsDealer; 2]; TableResults, c_int; |f, out, table, vul| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut [ParResultsDealer; 2], c_int))(&raw mut table, out, vul)
                });
            }
            Function::SidesParBin => {
                ask!([ParResultsMaster; 2]; TableResults, c_int; |f, out, table, vul| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut [ParResultsMaster; 2], c_int))(&raw mut table, out, vul)
                });
            }
            Function::DealerPar => {
                ask!(ParResultsDealer; TableResults, [c_int; 2]; |f, out, table, n| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut ParResultsDealer, c_int, c_int))(&raw mut table, out, n[0], n[1])
                });
            }
            Function::DealerParBin => {
                ask!(ParResultsMaster; TableResults, [c_int; 2]; |f, out, table, n| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut ParResultsMaster, c_int, c_int))(&raw mut table, out, n[0], n[1])
                });
            }
            Function::ConvertToDealerTextFormat => {
                ask!([c_char; 256]; ParResultsMaster; |f, out, par| {
                    let mut par = par;
                    typed!(f, fn(*mut ParResultsMaster, *mut [c_char; 256]))(&raw mut par, out)
                });
            }
            Function::ConvertToSidesTextFormat => {
                ask!(ParTextResults; [ParResultsMaster; 2]; |f, out, par| {
                    let mut par = par;
                    typed!(f, fn(*mut [ParResultsMaster; 2], *mut ParTextResults))(&raw mut par, out)
                });
            }
            Function::AnalysePlayBin => {
                ask!(SolvedPlay; Deal, PlayTrace, c_int; |f, out, deal, play, thread|
                typed!(f, fn(Deal, PlayTrace, *mut SolvedPlay, c_int))(deal, play, out, thread));
            }
            Function::AnalysePlayPBN => {
                ask!(SolvedPlay; DealPbn, PlayTracePbn, c_int; |f, out, deal, play, thread|
                typed!(f, fn(DealPbn, PlayTracePbn, *mut SolvedPlay, c_int))(deal, play, out, thread));
            }
            Function::AnalyseAllPlaysBin => {
                ask!(SolvedPlays; Boards, PlayTraces, c_int; |f, out, boards, plays, chunk| {
                    let (mut boards, mut plays) = (boards, plays);
                    typed!(f, fn(*mut Boards, *mut PlayTraces, *mut SolvedPlays, c_int))(&raw mut boards, &raw mut plays, out, chunk)
                });
            }
            Function::AnalyseAllPlaysPBN => {
                ask!(SolvedPlays; BoardsPbn, PlayTracesPbn, c_int; |f, out, boards, plays, chunk| {
                    let (mut boards, mut plays) = (boards, plays);
                    typed!(f, fn(*mut BoardsPbn, *mut PlayTracesPbn, *mut SolvedPlays, c_int))(&raw mut boards, &raw mut plays, out, chunk)
                });
            }
            Function::ErrorMessage => ask!([c_char; 80]; c_int; |f, out, code| {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut [c_char; 80])>(f)(code, out);
                1
            }),
        }
    }
}
