//! Claims at bridge: how many tricks are sure, whatever the unseen cards.
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

mod bounds;
mod case;
mod claims;
mod condition;
mod count;
mod error;
mod knowledge;
mod lanes;
mod lengths;
mod moves;
mod question;
mod refuter;
mod search;
mod state;
mod table;
mod trick;

pub use claims::{CardSure, ClaimError, Claims, Options};
pub use condition::{Condition, Term};
pub use error::{Problem, QuestionError};
pub use knowledge::{Knowledge, KnowledgeError};
pub use question::Question;
