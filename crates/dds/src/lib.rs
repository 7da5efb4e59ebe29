//! The C interface of DDS 2.9 over the solver of this project, with the contexts of DDS 3.1.
//!
//! A program that loads `libdds.so` by that name, or links with it, gets this project's solver and
//! its endgame database without a change: the functions, structures, return codes and texts are
//! those of DDS 2.9.0, and equally good cards come in its order. `docs/libdds.md` lists the
//! differences.
//!
//! The crate is built as a shared and as a static library named `dds`. Its C
//! header is `include/dds/dll.h`.
//!
//! # Example
//!
//! The functions are for C, but Rust can call them too.
//!
//! ```
//! use dds::abi::{Deal, FutureTricks};
//! use dds::SolveBoard;
//!
//! // Two cards each, no trump, North leads.
//! let mut deal = Deal { trump: 4, first: 0, trick_suit: [0; 3], trick_rank: [0; 3], cards: [[0; 4]; 4] };
//! deal.cards[0] = [1 << 14 | 1 << 12, 0, 0, 0];
//! deal.cards[1] = [1 << 13 | 1 << 3, 0, 0, 0];
//! deal.cards[2] = [0, 1 << 5 | 1 << 4, 0, 0];
//! deal.cards[3] = [0, 0, 1 << 7 | 1 << 6, 0];
//!
//! let mut future = FutureTricks::EMPTY;
//! // SAFETY: `future` may be written to.
//! let code = unsafe { SolveBoard(deal, -1, 3, 1, &raw mut future, 0) };
//! assert_eq!(code, 1);
//! assert_eq!((future.cards, future.rank[0], future.score[0]), (2, 14, 1));
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.

pub mod abi;
mod boundary;
mod check;
mod code;
mod compat;
mod context;
mod database;
mod exports;
#[cfg(target_os = "linux")]
mod fork;
mod info;
mod numbers;
mod pbn;
mod play;
mod resources;
mod solve;
mod table;
mod unlisted;

pub use database::in_use;
pub use exports::*;
