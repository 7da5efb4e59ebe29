//! Imitates choices of DDS 2.9 that do not follow from the rules of bridge.
//!
//! A program in which this library replaces DDS's compares lists and texts with earlier ones. Two
//! of them follow from the way in which DDS searches, not from the cards:
//!
//! * **The order of cards with equal scores** ([`order`]). DDS lists them in the
//!   order in which its search tries them at the root: by the weights of
//!   [`weights`], sorted by the networks of [`network`], whose comparisons decide
//!   ties. The authors describe the weights in outline (Haglund, "Search algorithms
//!   for a bridge double dummy solver", chapter 5, in the versions of 2008 and of
//!   2014 with Hein). Their values, and the networks, were found by asking DDS 2.9
//!   for the cards of positions with a target of 0, which it answers without a
//!   search: some 200,000 lists. Without it `dtest -s solve` reports differences,
//!   and
//!   `DDS_ORDER=1 cargo test -p setrograde-dds --test differential` does.
//! * **Par of tables that no deal has** ([`par`]). DDS has two programs for par,
//!   which agree with the rules of the auction on real tables and differ from them,
//!   and from each other, on some impossible ones. `par::sides` follows the one for
//!   the side that bids first, `par::dealer` the one for the hand that does.
//!   `tests/differential` compares both with DDS's answers to random tables.
//!
//! The numbers in this folder are facts about DDS: they have no other reason. `docs/libdds.md`
//! reports how well these agree.

mod network;
pub mod order;
pub mod par;
mod weights;
