//! Time of this library against that of the DDS that is installed, on questions
//! that `dtest` does not ask:
//!
//! - batches of 200 boards that share the leader's hand, trump and leader, as
//!   programs ask that sample what they cannot see;
//! - single endings of 2 to 5 cards a hand.
//!
//! `taskset -c 0 target/release/calls` asks both libraries the same in turn, and says the
//! median of the processor time of each and their ratio; `--rounds N` sets how often,
//! `--boards N` makes the batches smaller. `DDS_REFERENCE` names another library than
//! Debian's.

use std::ffi::c_int;
use std::path::{Path, PathBuf};

use cpu_time::ProcessTime;
use dds::abi::*;
use fastrand::Rng;
use libloading::Library as Loaded;

const STOCK: &str = "libdds.so.0";
const ENDINGS: usize = 500;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = |name: &str, usual: usize, most: usize| {
        let index = words.iter().position(|word| word == name);
        let given = index.and_then(|index| words.get(index + 1)?.parse().ok());
        given.unwrap_or(usual).clamp(1, most)
    };
    let rounds = number("--rounds", 5, 1000);
    let count = number("--boards", MAX_BOARDS, MAX_BOARDS);
    let stock = std::env::var_os("DDS_REFERENCE").map_or(STOCK.into(), PathBuf::from);
    let program = std::env::current_exe().expect("the path of this program");
    let ours = program.with_file_name("deps").join("libdds.so");
    let libraries = [ours, stock].map(|path| Library::load(&path));
    let mut random = Rng::with_seed(2);
    compare("500 endings of 2 to 5 cards", rounds, &libraries, || {
        let endings: Vec<Deal> = (0..ENDINGS).map(|_| ending(&mut random)).collect();
        move |library: &Library| endings.iter().map(|ending| library.one(ending)).collect()
    });
    let what = format!("{count} boards, one hand fixed");
    let mut random = Rng::with_seed(1);
    compare(&what, rounds, &libraries, || {
        let boards = sampled(&mut random, count);
        move |library: &Library| library.batch(&boards)
    });
    // SAFETY: leaves without running what DDS does at the end, which crashes.
    unsafe { libc::_exit(0) };
}

/// Asks both libraries each of some questions and prints the times.
fn compare<Ask: Fn(&Library) -> Vec<Vec<c_int>>>(
    what: &str,
    rounds: usize,
    libraries: &[Library; 2],
    mut question: impl FnMut() -> Ask,
) {
    let mut times = [const { Vec::new() }; 2];
    for round in 0..rounds {
        let ask = question();
        let mut answers = [const { Vec::new() }; 2];
        // Who comes first changes.
        for which in [round % 2, 1 - round % 2] {
            let start = ProcessTime::now();
            answers[which] = ask(&libraries[which]);
            times[which].push(start.elapsed().as_secs_f64());
        }
        assert_eq!(answers[0], answers[1], "{what}: the libraries differ");
    }
    let ratios = times[0].iter().zip(&times[1]);
    let ratios = sorted(ratios.map(|(ours, theirs)| ours / theirs).collect());
    let [ours, theirs] = times.map(|times| sorted(times)[rounds / 2]);
    println!(
        "{what}: setrograde {ours:.3} s, DDS {theirs:.3} s, ratio {:.2} ({:.2} to {:.2}, {rounds} rounds)",
        ratios[rounds / 2],
        ratios[0],
        ratios[rounds - 1]
    );
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

type SolveBoard =
    unsafe extern "C" fn(Deal, c_int, c_int, c_int, *mut FutureTricks, c_int) -> c_int;
type SolveAllBoards = unsafe extern "C" fn(*const BoardsPbn, *mut SolvedBoards) -> c_int;

struct Library {
    board: SolveBoard,
    /// Debian's library lacks `SolveAllBoardsBin`.
    boards: SolveAllBoards,
}

impl Library {
    /// Loads a library, which stays, and limits it to one thread.
    fn load(path: &Path) -> Library {
        // SAFETY: both libraries may be loaded, and the functions have these types.
        unsafe {
            let library = Loaded::new(path)
                .unwrap_or_else(|error| panic!("cannot load {}: {error}", path.display()));
            let library: &'static Loaded = Box::leak(Box::new(library));
            let named = "a DDS has the function";
            library
                .get::<unsafe extern "C" fn(c_int)>(b"SetMaxThreads\0")
                .expect(named)(1);
            Library {
                board: *library.get(b"SolveBoard\0").expect(named),
                boards: *library.get(b"SolveAllBoards\0").expect(named),
            }
        }
    }

    /// The scores of all cards.
    fn one(&self, deal: &Deal) -> Vec<c_int> {
        let mut future = FutureTricks::EMPTY;
        // SAFETY: `future` may be written to.
        let code = unsafe { (self.board)(*deal, -1, 3, 1, &raw mut future, 0) };
        assert_eq!(code, 1);
        scores(&future)
    }

    fn batch(&self, boards: &BoardsPbn) -> Vec<Vec<c_int>> {
        let mut solved = Box::new(SolvedBoards {
            count: 0,
            solved: [FutureTricks::EMPTY; MAX_BOARDS],
        });
        // SAFETY: `solved` may be written to.
        let code = unsafe { (self.boards)(boards, &raw mut *solved) };
        assert_eq!(code, 1);
        let count = boards.count as usize;
        solved.solved[..count].iter().map(scores).collect()
    }
}

fn scores(future: &FutureTricks) -> Vec<c_int> {
    future.score[..future.cards as usize].to_vec()
}

/// Up to 200 deals with one leader's hand, all cards asked for.
fn sampled(random: &mut Rng, count: usize) -> Box<BoardsPbn> {
    let mut pack = pack(random);
    let trump = random.i32(0..5);
    let mut board = || {
        random.shuffle(&mut pack[13..]);
        let hands: Vec<String> = pack.chunks(13).map(hand).collect();
        let mut cards = [0; 80];
        for (index, byte) in format!("N:{}", hands.join(" ")).bytes().enumerate() {
            cards[index] = byte as _;
        }
        DealPbn {
            trump,
            first: 0,
            trick_suit: [0; 3],
            trick_rank: [0; 3],
            cards,
        }
    };
    Box::new(BoardsPbn {
        count: count as c_int,
        deals: std::array::from_fn(|_| board()),
        target: [-1; MAX_BOARDS],
        solutions: [3; MAX_BOARDS],
        mode: [1; MAX_BOARDS],
    })
}

fn ending(random: &mut Rng) -> Deal {
    let pack = pack(random);
    let size = random.usize(2..6);
    let mut cards = Holdings::default();
    for (index, &(suit, rank)) in pack[..4 * size].iter().enumerate() {
        cards[index % 4][suit] |= 4 << rank;
    }
    Deal {
        trump: random.i32(0..5),
        first: random.i32(0..4),
        trick_suit: [0; 3],
        trick_rank: [0; 3],
        cards,
    }
}

/// The pack in random order: suits, and ranks from 0 on.
fn pack(random: &mut Rng) -> Vec<(usize, usize)> {
    let mut pack: Vec<(usize, usize)> = (0..52).map(|card| (card % 4, card / 4)).collect();
    random.shuffle(&mut pack);
    pack
}

/// A hand as PBN.
fn hand(cards: &[(usize, usize)]) -> String {
    let suit = |suit: usize| -> String {
        let ranks = cards.iter().filter(|card| card.0 == suit);
        ranks
            .map(|card| char::from(b"23456789TJQKA"[card.1]))
            .collect()
    };
    [0, 1, 2, 3].map(suit).join(".")
}
