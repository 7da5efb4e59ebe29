//! Questions as bytes: asked of a library, shown, and their answers compared.

use std::ffi::{CString, c_char, c_int, c_void};
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

    fn of(question: &[u8]) -> Function {
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
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<T: Copy>(&mut self) -> T {
        let (value, rest) = self.0.split_at(size_of::<T>());
        self.0 = rest;
        // SAFETY: the bytes of a structure of the interface, in which any bits
        // are a value.
        unsafe { value.as_ptr().cast::<T>().read_unaligned() }
    }
}

/// What a result holds before the call.
const UNTOUCHED: u8 = 0x2a;

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
    let path = CString::new(path.as_os_str().as_encoded_bytes()).expect("a path");
    // SAFETY: a library of the interface does nothing harmful when loaded.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!library.is_null(), "cannot load {path:?}");
    let symbol = |name: &str| -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        // SAFETY: the library is loaded.
        let found = unsafe { libc::dlsym(library, name.as_ptr()) };
        (!found.is_null()).then_some(found)
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
    // SAFETY: leaves without running what DDS does at the end.
    unsafe { libc::_exit(0) };
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
                    deal, vul, &raw mut (*out).0, &raw mut (*out).1))
            }
            Function::CalcParPBN => {
                ask!((TableResults, ParResults); TableDealPbn, c_int; |f, out, deal, vul|
                typed!(f, fn(TableDealPbn, *mut TableResults, c_int, *mut ParResults))(
                    deal, &raw mut (*out).0, vul, &raw mut (*out).1))
            }
            Function::CalcAllTables => {
                ask!((TablesResults, AllParResults); TableDeals, c_int, [c_int; 5]; |f, out, deals, mode, filter| {
                    let mut deals = deals;
                    let mut filter = filter;
                    typed!(f, fn(*mut TableDeals, c_int, *mut c_int, *mut TablesResults, *mut AllParResults))(
                        &raw mut deals, mode, filter.as_mut_ptr(), &raw mut (*out).0, &raw mut (*out).1)
                })
            }
            Function::CalcAllTablesPBN => {
                ask!((TablesResults, AllParResults); TableDealsPbn, c_int, [c_int; 5]; |f, out, deals, mode, filter| {
                    let mut deals = deals;
                    let mut filter = filter;
                    typed!(f, fn(*mut TableDealsPbn, c_int, *mut c_int, *mut TablesResults, *mut AllParResults))(
                        &raw mut deals, mode, filter.as_mut_ptr(), &raw mut (*out).0, &raw mut (*out).1)
                })
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
                })
            }
            Function::SolveAllChunksBin => {
                ask!(SolvedBoards; Boards, c_int; |f, out, boards, chunk| {
                    let mut boards = boards;
                    typed!(f, fn(*mut Boards, *mut SolvedBoards, c_int))(&raw mut boards, out, chunk)
                })
            }
            Function::Par => ask!(ParResults; TableResults, c_int; |f, out, table, vul| {
                let mut table = table;
                typed!(f, fn(*mut TableResults, *mut ParResults, c_int))(&raw mut table, out, vul)
            }),
            Function::SidesPar => {
                ask!([ParResultsDealer; 2]; TableResults, c_int; |f, out, table, vul| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut [ParResultsDealer; 2], c_int))(&raw mut table, out, vul)
                })
            }
            Function::SidesParBin => {
                ask!([ParResultsMaster; 2]; TableResults, c_int; |f, out, table, vul| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut [ParResultsMaster; 2], c_int))(&raw mut table, out, vul)
                })
            }
            Function::DealerPar => {
                ask!(ParResultsDealer; TableResults, [c_int; 2]; |f, out, table, n| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut ParResultsDealer, c_int, c_int))(&raw mut table, out, n[0], n[1])
                })
            }
            Function::DealerParBin => {
                ask!(ParResultsMaster; TableResults, [c_int; 2]; |f, out, table, n| {
                    let mut table = table;
                    typed!(f, fn(*mut TableResults, *mut ParResultsMaster, c_int, c_int))(&raw mut table, out, n[0], n[1])
                })
            }
            Function::ConvertToDealerTextFormat => {
                ask!([c_char; 256]; ParResultsMaster; |f, out, par| {
                    let mut par = par;
                    typed!(f, fn(*mut ParResultsMaster, *mut [c_char; 256]))(&raw mut par, out)
                })
            }
            Function::ConvertToSidesTextFormat => {
                ask!(ParTextResults; [ParResultsMaster; 2]; |f, out, par| {
                    let mut par = par;
                    typed!(f, fn(*mut [ParResultsMaster; 2], *mut ParTextResults))(&raw mut par, out)
                })
            }
            Function::AnalysePlayBin => {
                ask!(SolvedPlay; Deal, PlayTrace, c_int; |f, out, deal, play, thread|
                typed!(f, fn(Deal, PlayTrace, *mut SolvedPlay, c_int))(deal, play, out, thread))
            }
            Function::AnalysePlayPBN => {
                ask!(SolvedPlay; DealPbn, PlayTracePbn, c_int; |f, out, deal, play, thread|
                typed!(f, fn(DealPbn, PlayTracePbn, *mut SolvedPlay, c_int))(deal, play, out, thread))
            }
            Function::AnalyseAllPlaysBin => {
                ask!(SolvedPlays; Boards, PlayTraces, c_int; |f, out, boards, plays, chunk| {
                    let (mut boards, mut plays) = (boards, plays);
                    typed!(f, fn(*mut Boards, *mut PlayTraces, *mut SolvedPlays, c_int))(&raw mut boards, &raw mut plays, out, chunk)
                })
            }
            Function::AnalyseAllPlaysPBN => {
                ask!(SolvedPlays; BoardsPbn, PlayTracesPbn, c_int; |f, out, boards, plays, chunk| {
                    let (mut boards, mut plays) = (boards, plays);
                    typed!(f, fn(*mut BoardsPbn, *mut PlayTracesPbn, *mut SolvedPlays, c_int))(&raw mut boards, &raw mut plays, out, chunk)
                })
            }
            Function::ErrorMessage => ask!([c_char; 80]; c_int; |f, out, code| {
                std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut [c_char; 80])>(f)(code, out);
                1
            }),
        }
    }
}

/// The part of an answer that both libraries must give, as text.
pub fn compared(question: &[u8], answer: &[u8]) -> String {
    if answer == b"none" {
        return "no such function".to_owned();
    }
    let mut arguments = Reader(&question[1..]);
    let mut answer = Reader(answer);
    let code: c_int = answer.take();
    if code != 1 {
        // Which of several wrong things is reported, in a deal and its play or in
        // the deals of a batch, is DDS's secret.
        let batch = matches!(
            Function::of(question),
            Function::AnalysePlayBin
                | Function::AnalysePlayPBN
                | Function::AnalyseAllPlaysBin
                | Function::AnalyseAllPlaysPBN
                | Function::CalcAllTablesPBN
                | Function::SolveAllBoards
                | Function::SolveAllBoardsBin
                | Function::SolveAllChunks
                | Function::SolveAllChunksBin
                | Function::SolveAllChunksPBN
        );
        return if batch && code < 0 {
            "refused".to_owned()
        } else {
            format!("code {code}")
        };
    }
    match Function::of(question) {
        Function::SolveBoard | Function::SolveBoardPBN => cards(&answer.take()),
        Function::CalcDDtable | Function::CalcDDtablePBN => {
            format!("{:?}", answer.take::<TableResults>())
        }
        Function::CalcPar | Function::CalcParPBN => {
            let table: TableResults = answer.take();
            format!("{table:?} {}", texts(answer.0))
        }
        Function::CalcAllTables => {
            let deals: TableDeals = arguments.take();
            tables(deals.count, arguments.take(), arguments.take(), answer)
        }
        Function::CalcAllTablesPBN => {
            let deals: TableDealsPbn = arguments.take();
            tables(deals.count, arguments.take(), arguments.take(), answer)
        }
        Function::SolveAllBoards
        | Function::SolveAllBoardsBin
        | Function::SolveAllChunks
        | Function::SolveAllChunksBin
        | Function::SolveAllChunksPBN => {
            let solved: SolvedBoards = answer.take();
            let shown = usize::try_from(solved.count).unwrap_or(0).min(MAX_BOARDS);
            let boards: Vec<String> = solved.solved[..shown].iter().map(cards).collect();
            format!("{} boards: {}", solved.count, boards.join(" | "))
        }
        Function::SidesParBin => {
            let pars: [ParResultsMaster; 2] = answer.take();
            format!("{} / {}", master(&pars[0]), master(&pars[1]))
        }
        Function::DealerParBin => master(&answer.take()),
        Function::DealerPar => {
            let mut par: ParResultsDealer = answer.take();
            // Of a passed board DDS writes no score.
            if par.contracts[0][0] == b'p' as c_char {
                par.score = 0;
            }
            format!(
                "{} of {}: {}",
                par.score,
                par.number,
                texts(
                    &par.contracts
                        .as_flattened()
                        .iter()
                        .map(|&c| c as u8)
                        .collect::<Vec<u8>>()
                )
            )
        }
        Function::Par
        | Function::SidesPar
        | Function::ConvertToDealerTextFormat
        | Function::ConvertToSidesTextFormat
        | Function::ErrorMessage => texts(answer.0),
        Function::AnalysePlayBin | Function::AnalysePlayPBN => values(&answer.take()),
        Function::AnalyseAllPlaysBin | Function::AnalyseAllPlaysPBN => {
            let solved: SolvedPlays = answer.take();
            let shown = usize::try_from(solved.count).unwrap_or(0).min(MAX_BOARDS);
            let plays: Vec<String> = solved.solved[..shown].iter().map(values).collect();
            format!("{} plays: {}", solved.count, plays.join(" | "))
        }
    }
}

/// The cards and their scores. Unless `DDS_ORDER` is set, equal scores may come
/// in any order, and of a single card only the score counts.
fn cards(future: &FutureTricks) -> String {
    let count = usize::try_from(future.cards).unwrap_or(0).min(13);
    let in_order = std::env::var_os("DDS_ORDER").is_some();
    let mut places: Vec<usize> = (0..count).collect();
    if !in_order {
        places.sort_by_key(|&n| (-future.score[n], future.suit[n], -future.rank[n]));
    }
    let mut text = format!("{} cards", future.cards);
    for n in places {
        if count > 1 || in_order {
            let suit = usize::try_from(future.suit[n]).unwrap_or(9);
            let letter = ["S", "H", "D", "C"].get(suit).unwrap_or(&"?");
            text += &format!(" {letter}{}({:x})", future.rank[n], future.equals[n]);
        }
        text += &format!("={}", future.score[n]);
    }
    if count == 0 {
        text += &format!(" score {}", future.score[0]);
    }
    text
}

fn tables(count: c_int, mode: c_int, filter: [c_int; 5], mut answer: Reader<'_>) -> String {
    let results: TablesResults = answer.take();
    let pars: AllParResults = answer.take();
    let count = usize::try_from(count).unwrap_or(0);
    let mut text = format!("{} boards", results.count);
    for table in &results.results[..count.min(MAX_TABLE_DEALS)] {
        text += &format!(" {:?}", table.tricks);
    }
    if mode >= 0 && filter == [0; 5] {
        for par in &pars.results[..count.min(MAX_TABLES)] {
            // SAFETY: a structure of characters.
            text += &texts(unsafe {
                std::slice::from_raw_parts(
                    std::ptr::from_ref(par).cast::<u8>(),
                    size_of::<ParResults>(),
                )
            });
        }
    }
    text
}

fn master(par: &ParResultsMaster) -> String {
    // Of a passed board DDS writes no contract.
    if par.score == 0 && par.number == 1 {
        return "passed".to_owned();
    }
    let count = usize::try_from(par.number).unwrap_or(0).min(10);
    let contracts: Vec<[c_int; 5]> = par.contracts[..count]
        .iter()
        .map(|c| [c.under, c.over, c.level, c.denomination, c.seats])
        .collect();
    format!("{} of {}: {contracts:?}", par.score, par.number)
}

fn values(solved: &SolvedPlay) -> String {
    let count = usize::try_from(solved.number).unwrap_or(0).min(53);
    format!("{}: {:?}", solved.number, &solved.tricks[..count])
}

/// Bytes of a result, untouched ones and zeros run together.
fn texts(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut last = None;
    for &byte in bytes {
        if byte.is_ascii_graphic() && byte != UNTOUCHED || byte == b' ' {
            text.push(char::from(byte));
        } else if last != Some(byte) || (byte != 0 && byte != UNTOUCHED) {
            text += &match byte {
                0 => "·".to_owned(),
                UNTOUCHED => "¤".to_owned(),
                _ => format!("<{byte:x}>"),
            };
        }
        last = Some(byte);
    }
    text
}

/// A question as text.
pub fn describe(question: &[u8]) -> String {
    let mut arguments = Reader(&question[1..]);
    let function = Function::of(question);
    let what = match function {
        Function::SolveBoard => {
            let deal: Deal = arguments.take();
            format!("{} {:?}", deal_text(&deal), arguments.take::<[c_int; 4]>())
        }
        Function::SolveBoardPBN => {
            let deal: DealPbn = arguments.take();
            format!(
                "trump {} first {} {:?} {:?} {} {:?}",
                deal.trump,
                deal.first,
                deal.trick_suit,
                deal.trick_rank,
                pbn_text(&deal.cards),
                arguments.take::<[c_int; 4]>()
            )
        }
        Function::CalcDDtable | Function::CalcPar => {
            hands_text(&arguments.take::<TableDeal>().cards)
        }
        Function::CalcDDtablePBN | Function::CalcParPBN => {
            pbn_text(&arguments.take::<TableDealPbn>().cards)
        }
        Function::CalcAllTables => {
            let deals: TableDeals = arguments.take();
            format!(
                "{} deals, mode {} filter {:?}, first {}",
                deals.count,
                arguments.take::<c_int>(),
                arguments.take::<[c_int; 5]>(),
                hands_text(&deals.deals[0].cards)
            )
        }
        Function::CalcAllTablesPBN => {
            let deals: TableDealsPbn = arguments.take();
            format!(
                "{} deals, mode {} filter {:?}, first {}",
                deals.count,
                arguments.take::<c_int>(),
                arguments.take::<[c_int; 5]>(),
                pbn_text(&deals.deals[0].cards)
            )
        }
        Function::SolveAllBoardsBin | Function::SolveAllChunksBin => {
            let boards: Boards = arguments.take();
            let shown = usize::try_from(boards.count).unwrap_or(0).min(4);
            let deals: Vec<String> = (0..shown)
                .map(|n| {
                    format!(
                        "{} [{}, {}, {}]",
                        deal_text(&boards.deals[n]),
                        boards.target[n],
                        boards.solutions[n],
                        boards.mode[n]
                    )
                })
                .collect();
            format!("{} boards {}", boards.count, deals.join(" | "))
        }
        Function::SolveAllBoards | Function::SolveAllChunks | Function::SolveAllChunksPBN => {
            let boards: BoardsPbn = arguments.take();
            let shown = usize::try_from(boards.count).unwrap_or(0).min(4);
            let deals: Vec<String> = (0..shown)
                .map(|n| {
                    format!(
                        "trump {} first {} {} [{}, {}, {}]",
                        boards.deals[n].trump,
                        boards.deals[n].first,
                        pbn_text(&boards.deals[n].cards),
                        boards.target[n],
                        boards.solutions[n],
                        boards.mode[n]
                    )
                })
                .collect();
            format!("{} boards {}", boards.count, deals.join(" | "))
        }
        Function::Par
        | Function::SidesPar
        | Function::SidesParBin
        | Function::DealerPar
        | Function::DealerParBin => format!(
            "{:?} {:?}",
            arguments.take::<TableResults>().tricks,
            arguments
                .0
                .chunks_exact(4)
                .map(|n| i32::from_le_bytes([n[0], n[1], n[2], n[3]]))
                .collect::<Vec<_>>()
        ),
        Function::ConvertToDealerTextFormat => {
            format!("{:?}", arguments.take::<ParResultsMaster>())
        }
        Function::ConvertToSidesTextFormat => {
            let pars: [ParResultsMaster; 2] = arguments.take();
            format!("{} / {}", master(&pars[0]), master(&pars[1]))
        }
        Function::AnalysePlayBin => {
            let deal: Deal = arguments.take();
            let play: PlayTrace = arguments.take();
            let shown = usize::try_from(play.number).unwrap_or(0).min(52);
            let cards: Vec<(c_int, c_int)> =
                (0..shown).map(|n| (play.suit[n], play.rank[n])).collect();
            format!("{} play of {} {cards:?}", deal_text(&deal), play.number)
        }
        Function::AnalysePlayPBN => {
            let deal: DealPbn = arguments.take();
            let play: PlayTracePbn = arguments.take();
            format!(
                "trump {} first {} {:?} {:?} {} play of {} {}",
                deal.trump,
                deal.first,
                deal.trick_suit,
                deal.trick_rank,
                pbn_text(&deal.cards),
                play.number,
                pbn_text(&play.cards)
            )
        }
        _ => String::new(),
    };
    format!("{function:?} {what}")
}

fn deal_text(deal: &Deal) -> String {
    format!(
        "trump {} first {} trick {:?} {:?} {}",
        deal.trump,
        deal.first,
        deal.trick_suit,
        deal.trick_rank,
        hands_text(&deal.cards)
    )
}

fn hands_text(cards: &Holdings) -> String {
    let hands = cards.map(|hand| hand.map(holding).join("."));
    hands.join(" ")
}

fn holding(bits: u32) -> String {
    let mut text: String = (2..15)
        .rev()
        .filter(|rank| bits >> rank & 1 != 0)
        .map(|rank| char::from(b"23456789TJQKA"[rank - 2]))
        .collect();
    if bits & !0x7ffc != 0 {
        text += &format!("<{bits:x}>");
    }
    text
}

fn pbn_text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars
        .iter()
        .map(|&c| c as u8)
        .take_while(|&c| c != 0)
        .collect();
    format!("{:?}", String::from_utf8_lossy(&bytes))
}
