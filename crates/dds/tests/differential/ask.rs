//! Questions as bytes, and a process that asks a library.

use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

use dds::abi::*;

use crate::describe::Shown;
use crate::process::{read_block, write_block};

/// Defines the functions that are asked.
macro_rules! functions {
    ($($name:ident),* $(,)?) => {
        /// A function of the interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Function {
            $($name),*
        }

        impl Function {
            pub const ALL: &[Function] = &[$(Function::$name),*];
        }
    };
}

functions!(
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
);

impl Function {
    pub fn of(question: &[u8]) -> Function {
        Function::ALL[usize::from(question[0])]
    }
}

/// A question, and what it says.
pub struct Question {
    pub bytes: Vec<u8>,
    pub text: String,
}

impl Question {
    pub fn new(function: Function) -> Question {
        Question {
            bytes: vec![function as u8],
            text: format!("{function:?}"),
        }
    }

    /// Adds an argument, a number or a structure of the interface.
    pub fn with<T: Copy + Shown>(mut self, argument: &T) -> Question {
        self.bytes.extend(bytes(argument));
        self.text += &format!(" {}", argument.shown());
        self
    }
}

/// The bytes of a number or of a structure of the interface.
pub fn bytes<T>(value: &T) -> &[u8] {
    // SAFETY: structures of the interface are numbers without padding.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast(), size_of::<T>()) }
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

/// Calls `function` with the arguments of a question.
unsafe fn call(question: &[u8], function: *mut c_void, answer: &mut Vec<u8>) {
    let mut arguments = Reader(&question[1..]);
    /// The type of an expression.
    macro_rules! its_type {
        ($of:expr) => {
            _
        };
    }
    /// Calls the function with values made of a result of this type and of the question's arguments.
    macro_rules! ask {
        ($result:ty; |$out:ident $(, $name:ident: $argument:ty)*| ($($value:expr),*)) => {{
            let mut result: Box<$result> = untouched();
            let $out: *mut $result = &raw mut *result;
            $(#[allow(unused_mut)] let mut $name: $argument = arguments.take();)*
            let function = std::mem::transmute::<
                *mut c_void, unsafe extern "C" fn($(its_type!($value)),*) -> c_int
            >(function);
            let code = function($($value),*);
            answer.extend(code.to_le_bytes());
            answer.extend(bytes(&*result));
        }};
    }
    /// The pointer to an argument.
    macro_rules! to {
        ($argument:expr) => {
            &raw mut $argument
        };
    }
    type Numbers = [c_int; 4];
    // SAFETY: each function is called with the types of the interface.
    unsafe {
        match Function::of(question) {
            Function::SolveBoard => ask!(FutureTricks; |out, deal: Deal, n: Numbers|
                (deal, n[0], n[1], n[2], out, n[3])),
            Function::SolveBoardPBN => ask!(FutureTricks; |out, deal: DealPbn, n: Numbers|
                (deal, n[0], n[1], n[2], out, n[3])),
            Function::CalcDDtable => ask!(TableResults; |out, deal: TableDeal| (deal, out)),
            Function::CalcDDtablePBN => ask!(TableResults; |out, deal: TableDealPbn| (deal, out)),
            Function::CalcPar => ask!(TableAndPar; |out, deal: TableDeal, vulnerable: c_int|
                (deal, vulnerable, to!((*out).0), to!((*out).1))),
            Function::CalcParPBN => ask!(TableAndPar; |out, deal: TableDealPbn, vulnerable: c_int|
                (deal, to!((*out).0), vulnerable, to!((*out).1))),
            Function::CalcAllTables => ask!(TablesAndPars;
                |out, deals: TableDeals, mode: c_int, filter: [c_int; 5]|
                (to!(deals), mode, to!(filter), to!((*out).0), to!((*out).1))),
            Function::CalcAllTablesPBN => ask!(TablesAndPars;
                |out, deals: TableDealsPbn, mode: c_int, filter: [c_int; 5]|
                (to!(deals), mode, to!(filter), to!((*out).0), to!((*out).1))),
            Function::SolveAllBoards => ask!(SolvedBoards; |out, boards: BoardsPbn|
                (to!(boards), out)),
            Function::SolveAllBoardsBin => ask!(SolvedBoards; |out, boards: Boards|
                (to!(boards), out)),
            Function::SolveAllChunks | Function::SolveAllChunksPBN => ask!(SolvedBoards;
                |out, boards: BoardsPbn, chunk: c_int| (to!(boards), out, chunk)),
            Function::SolveAllChunksBin => ask!(SolvedBoards;
                |out, boards: Boards, chunk: c_int| (to!(boards), out, chunk)),
            Function::Par => ask!(ParResults; |out, table: TableResults, vulnerable: c_int|
                (to!(table), out, vulnerable)),
            Function::SidesPar => ask!([ParResultsDealer; 2];
                |out, table: TableResults, vulnerable: c_int| (to!(table), out, vulnerable)),
            Function::SidesParBin => ask!([ParResultsMaster; 2];
                |out, table: TableResults, vulnerable: c_int| (to!(table), out, vulnerable)),
            Function::DealerPar => ask!(ParResultsDealer; |out, table: TableResults, n: [c_int; 2]|
                (to!(table), out, n[0], n[1])),
            Function::DealerParBin => ask!(ParResultsMaster;
                |out, table: TableResults, n: [c_int; 2]| (to!(table), out, n[0], n[1])),
            Function::ConvertToDealerTextFormat => ask!([c_char; 256];
                |out, par: ParResultsMaster| (to!(par), out)),
            Function::ConvertToSidesTextFormat => ask!(ParTextResults;
                |out, pars: [ParResultsMaster; 2]| (to!(pars), out)),
            Function::AnalysePlayBin => ask!(SolvedPlay;
                |out, deal: Deal, play: PlayTrace, thread: c_int| (deal, play, out, thread)),
            Function::AnalysePlayPBN => ask!(SolvedPlay;
                |out, deal: DealPbn, play: PlayTracePbn, thread: c_int| (deal, play, out, thread)),
            Function::AnalyseAllPlaysBin => ask!(SolvedPlays;
                |out, boards: Boards, plays: PlayTraces, chunk: c_int|
                (to!(boards), to!(plays), out, chunk)),
            Function::AnalyseAllPlaysPBN => ask!(SolvedPlays;
                |out, boards: BoardsPbn, plays: PlayTracesPbn, chunk: c_int|
                (to!(boards), to!(plays), out, chunk)),
            // It returns no code.
            Function::ErrorMessage => {
                type Describe = unsafe extern "C" fn(c_int, *mut [c_char; 80]);
                let mut result: Box<[c_char; 80]> = untouched();
                std::mem::transmute::<*mut c_void, Describe>(function)(
                    arguments.take(),
                    &raw mut *result,
                );
                answer.extend(1_i32.to_le_bytes());
                answer.extend(bytes(&*result));
            }
        }
    }
}

type TableAndPar = (TableResults, ParResults);
type TablesAndPars = (TablesResults, AllParResults);
