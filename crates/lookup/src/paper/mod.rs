//! Sets in the paper's form, and their conversion to a diagram.
//!
//! "Setrograde analysis" (2024) keeps a partition as a *shallow tree* of sets, with four cards to a
//! node. Levels of the method `setrograde` have this payload. [`Shard`](crate::Shard) unfolds it
//! into diagrams, so nothing else reads it.
//!
//! - [`card_order`]: the order of a partition's cards, and sets as keys in this order
//! - [`tree_codec`]: sets as the streams of a shard, and back
//! - [`unfold`]: sets as a diagram

pub mod card_order;
pub mod tree_codec;
pub mod unfold;
