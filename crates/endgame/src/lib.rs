//! The mathematics of double-dummy endings.
//!
//! An [*ending*](ending::Ending) is a position with no card on the table and the same number of
//! cards in each hand, described by relative ranks: the owners of each suit's cards from the top
//! down. Its *value* is the number of tricks that the leader's side takes.
//!
//! - [`suit_lengths`]: the lengths of one suit in the four hands
//! - [`partition`]: the lengths of all suits, at no trump or with trumps, and the canonical order
//!   of the suits
//! - [`partition_index`]: all partitions of a level, counted, enumerated and
//!   numbered exactly
//! - [`matrix`]: partitions that differ only by the leader and the trump suit
//! - [`owners`]: the owners of cards, packed
//! - [`states`]: the numbers of endings
//! - [`set`]: sets of endings, by a 4-bit owner mask for each of some top cards
//! - [`diagram`]: decision diagrams, which map every ending of a partition to its value and the set
//!   that proves it
//!
//! Hands are numbered from the leader within shapes, partitions and diagrams, and are seats from
//! North in questions; a [`View`](diagram::View) converts between the two.
//!
//! ```
//! use setrograde_cards::{Seat, Strain};
//! use setrograde_endgame::diagram::{Diagram, DiagramBuilder, Edge};
//! use setrograde_endgame::ending::Ending;
//! use setrograde_endgame::partition_index::PartitionIndex;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // One card each, all spades: East leads, and North has the top card.
//! let ending = Ending::new(Strain::NoTrump, Seat::East, [&[0, 1, 2, 3], &[], &[], &[]])?;
//!
//! // Its partition, one of the 52 of 4 cards.
//! let canonical = ending.canonical();
//! let partitions = PartitionIndex::new(1);
//! assert_eq!(partitions.len(), 52);
//! assert!(partitions.number(canonical.partition) < 15, "at no trump");
//!
//! // The leader's side wins if the leader (0) or its partner (2) has the top.
//! let mut builder = DiagramBuilder::new();
//! let root = builder.node(0, [1, 0, 1, 0].map(Edge::leaf))?;
//! let diagram = Diagram::new(builder.nodes(), root);
//! assert_eq!(diagram.value(&ending, canonical.order), Some(0));
//!
//! // The proof needs the top card only, which North or South must have.
//! let walk = diagram.walk(&ending, canonical.order, None).ok_or("covered")?;
//! assert_eq!((walk.set.known(0), walk.set.mask(0, 0)), (1, 0b0101));
//! # Ok(())
//! # }
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![warn(unreachable_pub)]

pub mod diagram;
pub mod ending;
mod lengths_within;
pub mod matrix;
pub mod owners;
pub mod partition;
pub mod partition_index;
pub mod set;
pub mod states;
pub mod suit_lengths;
