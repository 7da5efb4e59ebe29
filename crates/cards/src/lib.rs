//! Cards, hands, seats, contracts and scores of bridge, and their text formats.
//!
//! This crate defines the vocabulary shared by the parts of a double-dummy program: who sits where
//! ([`Seat`]), what is trump ([`Strain`]), who holds what ([`Deal`], [`Hand`], [`Holding`]), the
//! play of the cards ([`Position`]), and what is at stake ([`Contract`], [`Vulnerability`], the
//! duplicate score and [`imps`]). Every type reads itself from text and writes itself back, and
//! every [`TextError`] says in which column the input is wrong, and how; serde writes and reads the
//! same texts.
//!
//! An array with an element for each seat, side, suit or strain is indexed by it:
//! `hands[Seat::South]`.
//!
//! The types favour clarity over speed; a solver is expected to convert a [`Position`] into its own
//! representation before searching.
//!
//! # Text formats
//!
//! | Type | Example | Notes |
//! |---|---|---|
//! | [`Seat`] | `N` | also `North`, any case |
//! | [`Side`] | `NS` | or `EW`, any case |
//! | [`Strain`] | `NT` | or `N` `S` `H` `D` `C`, any case |
//! | [`Card`] | `SA` | suit, then rank; the ten is `T` |
//! | [`Holding`] | `AKT2` | empty for a void |
//! | [`Hand`] | `AK.Q..T2` | spades, hearts, diamonds, clubs |
//! | [`Deal`] | `N:A.K.. K.A.. Q.Q.. J.J..` | the first seat, then hands clockwise |
//! | [`Bid`] | `3NT` | level and strain |
//! | [`Contract`] | `4SXN` | bid, `X` or `XX`, declarer |
//! | [`Vulnerability`] | `NS` | or `None` `EW` `All`, as in PBN |
//! | [`Position`] | `NT W N:A.K.. K.A.. Q.Q.. J.J..` | strain, leader, deal |
//!
//! # Example
//!
//! ```
//! use setrograde_cards::{Card, Position, Seat};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Hearts are trump, West leads, two cards each.
//! let mut position: Position = "H W N:A.2.. K..A. .AK.. Q..K.".parse()?;
//! assert_eq!(position.to_play(), Seat::West);
//! assert_eq!(position.tricks_left(), 2);
//!
//! // South is void in spades and ruffs North's ace.
//! for card in ["SQ", "SA", "SK", "HA"] {
//!     position = position.play(card.parse::<Card>()?)?;
//! }
//! assert_eq!(position.leader(), Seat::South);
//! assert_eq!(position.to_string(), "H S N:.2.. ..A. .K.. ..K.");
//!
//! let error = "NT W N:A.K.. K.X.. Q.Q.. J.J..".parse::<Position>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "column 16: 'X' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod as_text;
mod call;
mod card;
mod contract;
mod deal;
mod fields;
mod hand;
mod holding;
mod indexed;
mod large_count;
mod position;
mod score;
mod seat;
mod side;
mod sorting;
mod suit;
mod text;
mod trick;
mod vulnerability;

pub use call::Call;
pub use card::{Card, Rank};
pub use contract::{Bid, Contract, Doubling, PartialContract};
pub use deal::{Deal, DealError};
pub use fields::{Field, fields, hand_field};
pub use hand::{Ascending, Hand};
pub use holding::{Holding, Ranks};
pub use large_count::LargeCount;
pub use position::{PlayError, Position, PositionError};
pub use score::imps;
pub use seat::Seat;
pub use side::Side;
pub use sorting::Sorting;
pub use suit::{Strain, Suit};
pub use text::{TextError, quote};
pub use trick::Trick;
pub use vulnerability::Vulnerability;
