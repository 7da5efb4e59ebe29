//! Claims at bridge: how many tricks are sure, however the unseen cards lie.
//!
//! The claimer sees two hands. *Sure* is the greatest number of tricks that one
//! plan takes, which may look at the cards as they fall, in every layout of the
//! unseen cards against every defence. The answer is exact: the search keeps,
//! of the unseen cards, which are pinned to a hand and between which lengths
//! each suit may be, and every play leads from such knowledge to such knowledge
//! again. `docs/claim.md` tells how and proves it.
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
//! | the text of a question | `question`, `fields`, `condition` |
//! | what the claimer knows | `knowledge`: `given` (with a condition), `case`, `lengths`, `count`, `layouts` |
//! | the search | `engine` runs `search`: `state`, `trick`, `moves`, `order`, `bounds`, `table` |
//! | double dummy against a claim | `bad_layouts`, `refuters` |
//! | plans and cores | `planner`, `plan`, `cores`; checked by `check` and `check_core`; said by `words` |
//! | other methods | `ordered` (fixed orders), `paper` |
//! | on top | `claims` (all answers), `weakest` (assumptions), `line`, `adjudicate` |
//!
//! `docs/words.md` of the project defines the terms, with one deal drawn through
//! them all.

mod adjudicate;
mod bad_layouts;
mod bounds;
mod case;
mod check;
mod check_core;
mod claim_error;
mod claims;
mod condition;
mod cores;
mod count;
mod engine;
mod error;
mod fields;
mod given;
mod knowledge;
mod knowledge_error;
mod lanes;
mod layouts;
mod lengths;
mod line;
mod mix;
mod moves;
mod order;
mod ordered;
mod paper;
mod path;
mod plan;
mod planner;
mod proof;
mod question;
mod ranks;
mod refuters;
mod search;
mod seating;
mod state;
mod table;
mod trick;
mod weakest;
mod words;

pub use adjudicate::Adjudication;
pub use check::check_plan;
pub use check_core::{CoreError, check_core};
pub use claim_error::ClaimError;
pub use claims::{CardSure, Claims, Verdict};
pub use condition::{Condition, Term};
pub use cores::Core;
pub use engine::Options;
pub use error::{Problem, QuestionError};
pub use knowledge::Knowledge;
pub use knowledge_error::KnowledgeError;
pub use line::{Line, Worst};
pub use ordered::{Pair, fixed_order, ordered};
pub use paper::{PaperAnswer, PaperOptions, paper};
pub use plan::{Plan, PlanError, PlanFault, Step};
pub use question::Question;
pub use weakest::Assumption;
pub use words::{core_in_words, in_dot, in_words};
