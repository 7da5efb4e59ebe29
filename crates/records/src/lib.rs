//! Readers of bridge records.
//!
//! [`Records`] reads the boards of a stream. It recognizes the [`Format`] by the content. Files may
//! be in UTF-8, UTF-16 or Windows-1252, with a byte order mark or without, and mix line breaks.
//! Fields missing in a record are missing in the [`Board`]. A board that cannot be read gives a
//! [`RecordError`] with the file, the line, the board's number and the reason, and reading
//! continues with the next board. Memory is bounded by the largest board, and the length of boards
//! is limited.
//!
//! [`pbn::Games`] also writes PBN files back with double-dummy results and
//! every other byte kept.
//!
//! | Format | Recognized by | Read |
//! |---|---|---|
//! | PBN | `[`, `%`, `{` or `;` | deal, dealer, vulnerability, auction, contract, play, result, double-dummy tags; table, pairs, scoring, the results of all tables |
//! | LIN | `xx\|` | the same except double-dummy results, and claims |
//! | links to boards | `http://`, `https://`, `www.`, `[hv=` | the LIN in each, or hands, auction and play as its parameters |
//! | RBN | `%RBN`, or `H` with a seat | hands, dealer, vulnerability, auction, contract, result, players |
//! | Duplimate's DLM | `Board NN=` with 26 letters | hands; board, dealer and vulnerability by the number of the board |
//! | DUP, BRI | 78 digits | the same |
//! | USEBIO | `<USEBIO` | hands; scoring, the results of all tables with the names of the pairs |
//! | lists of DDS | `NUMBER` or `PBN` | deal, dealer, vulnerability, strain, leader, play, double-dummy results |
//! | GIB's .sol | a deal, a colon, 20 hex digits | deal, double-dummy results |
//! | hands after their seats, diagrams | a hand after the name of its seat, or a suit after its symbol | hands; board, dealer and vulnerability |
//! | deals or questions, one per line | anything else | deals, or positions as `STRAIN LEADER DEAL` |
//!
//! # Example
//!
//! ```
//! use setrograde_cards::{Seat, Vulnerability};
//! use setrograde_records::Records;
//!
//! let file = "\
//! % PBN 2.1
//! [Board \"7\"]
//! [Dealer \"S\"]
//! [Vulnerable \"All\"]
//! [Deal \"S:87.97.QJ9876.KT8 Q2.AJT8532.2.A76 T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3\"]
//! [Auction \"S\"]
//! Pass 3H Pass 4H AP
//! [Play \"N\"]
//! C2 C3 C8 CA *
//! [Result \"9\"]
//! ";
//! let board = Records::new(file.as_bytes(), "example.pbn")?.next().unwrap()?;
//! assert_eq!(board.vulnerability, Some(Vulnerability::Both));
//! assert_eq!(board.contract.unwrap().to_string(), "4HW");
//! assert_eq!(board.leader, Some(Seat::North));
//! assert_eq!(board.play.len(), 4);
//! assert_eq!(board.result, Some(9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod auction;
mod board;
mod columns;
mod dds_list;
mod diagram;
pub mod dlm;
mod draft;
mod dup;
mod error;
mod facts;
mod languages;
pub mod lin;
mod lines;
mod lists;
mod markup;
pub mod pbn;
mod rbn;
mod records;
mod rows;
mod scores;
mod signs;
mod text;
mod usebio;

pub use board::{Board, DoubleDummy, Doubt, Note, PlayEnd, Room};
pub use dup::{write_bri, write_dup};
pub use error::{Problem, RecordError};
pub use languages::in_another_language;
pub use lines::Options;
pub use lists::{deal_beside, is_question};
#[cfg(not(target_family = "wasm"))]
pub use records::FormatGuide;
pub use records::{Format, PrefixedText, Records};
pub use scores::{ScoreRow, ScoreTable};
pub use text::{Text, acts, decode, decode_lines};
