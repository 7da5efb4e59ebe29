//! Claims at bridge: the tricks that are sure in every layout of the unseen cards.
//!
//! The claimer sees two hands. *Sure* is the maximum number of tricks that a single plan takes in
//! every layout of the unseen cards against every defence; the plan may depend on the cards played.
//! The answer is exact: the state of the search is the unseen cards pinned to a hand and a range of
//! lengths for each suit, and every play leads from one such state to another.
//! `src/search/method.md` describes and proves the method, `docs/claim.md` the rulings.
//!
//! # Example
//!
//! ```
//! use setrograde_claim::{Claims, Knowledge, Options};
//!
//! let mut claims = Claims::new(Options::default());
//! // West takes the rest: a heart discarded on the ace of spades.
//! let knowledge: Knowledge =
//!     "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQJT9.98.7.98".parse()?;
//! assert_eq!(claims.sure(&knowledge)?, 5);
//! for card in claims.cards(&knowledge)? {
//!     println!("{} {}", card.card, card.sure);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Find your way
//!
//! | what | modules |
//! |---|---|
//! | the claimer's knowledge: cases with pinned cards and ranges of lengths; questions and conditions as such | `knowledge` |
//! | the search over knowledge; `claims` runs it | `search` |
//! | double dummy against a claim | `double_dummy` |
//! | plans and cores: found, checked, printed in words | `evidence` |
//! | fixed orders | `ordered` |
//! | on top: all answers, assumptions | `claims`, `weakest` |
//! | stated lines, normal plays, the worst of them, rulings | `line`, `normal`, `worst`, `ruling` |
//!
//! `docs/words.md` of the project defines the terms, with an example.
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod answer;
mod claims;
mod double_dummy;
mod evidence;
mod knowledge;
mod lanes;
mod line;
mod normal;
mod ordered;
mod ruling;
mod search;
mod so_far;
mod statement;
mod weakest;
mod worst;

#[cfg(feature = "schema")]
pub use answer::VerdictWord;
pub use answer::{ClaimAnswer, ClaimParts, as_lines, as_word, known, verdict};
pub use claims::{CardSure, ClaimError, Claims, Options, Verdict};
pub use double_dummy::{refutes, tricks_of_side};
pub use evidence::check_core::{CoreError, check_core};
pub use evidence::check_plan::check_plan;
pub use evidence::cores::Core;
pub use evidence::plan::{MOST_STEPS, Plan, PlanBuilder, PlanError, PlanFault, PlanTooLarge, Step};
pub use evidence::words::{core_in_words, in_words, tricks, wrapped};
pub use knowledge::Knowledge;
pub use knowledge::error::KnowledgeError;
pub use line::{How, Line, LineStep};
pub use ordered::{Pair, ordered};
pub use ruling::{
    Adjudication, Inferior, Reading, ReadingOf, ruling_in_words, tricks_in_words, tricks_of,
};
pub use so_far::SoFar;
pub use weakest::{Assumption, Weakest};
pub use worst::Worst;
