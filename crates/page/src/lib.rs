//! The engine of setrograde's page: [`Engine::ask`] takes a question in JSON and answers in JSON.
//!
//! The page shows and asks; the rules of bridge live here. The same engine answers in a browser,
//! compiled to WebAssembly, and natively, where the tests compare the two. Questions about cards are
//! those of [`Desk::ask`], and two that the page alone asks; questions about files and evenings are
//! the page's own. `docs/json.md` describes all.
//!
//! ```
//! use setrograde_page::Engine;
//!
//! let mut engine = Engine::default();
//! let answer = engine.ask(r#"{"ask": "solve", "question": "NT W N:K3... Q4... J5... T2... ST", "all": true}"#);
//! assert!(answer.contains(r#""to_play":"N""#));
//! assert!(answer.contains(r#""cards":[{"card":"SK","equals":[],"tricks":1}"#));
//! let answer = engine.ask(r#"{"ask": "score", "contract": "3NTS", "vulnerable": "NS", "tricks": 10}"#);
//! assert!(answer.contains(r#""score":630,"outcome":"makes 1 over""#), "{answer}");
//! ```
//!
//! # Find your way
//!
//! | module | questions |
//! |---|---|
//! | `boards` | `boards`, `decode`, `write`: files and links of others, and boards as files |
//! | `evening` | `glance`, `score`: a board at a glance, and the score of a result |
//! | `wasm` | the functions that a browser calls |

mod boards;
mod evening;
#[cfg(target_family = "wasm")]
mod wasm;

use std::error::Error;
use std::fmt;

use setrograde::advice::{ConditionWords, ContractsToCompare};
use setrograde::ask::{
    Adjudicate, Analyse, Claim, Compare, Matter, Odds, Par, Positioned, Results, SingleDummy,
    Solve, Suit, Table,
};
#[cfg(not(feature = "schema"))]
use setrograde::entry;
#[cfg(feature = "schema")]
use setrograde::schema::entry;
use setrograde::{AskEntry, DESK, Desk, Refusal, causes};

use crate::boards::{Decode, PastedBoards, WrittenBoards};
use crate::evening::{Glance, ScoreOf};

/// The longest text with boards, in bytes: an evening with its play.
const LONGEST: usize = 4 << 20;
/// Memory of each search, in bytes. A table of 20 results takes 16 MiB.
const MEMORY: usize = 64 << 20;

/// The questions of the page.
pub const QUESTIONS: &[AskEntry] = &[
    entry::<Solve>(),
    entry::<Table>(),
    entry::<Par>(),
    entry::<Positioned>(),
    entry::<Analyse>(),
    entry::<Results>(),
    entry::<Matter>(),
    entry::<Claim>(),
    entry::<Adjudicate>(),
    entry::<Odds>(),
    entry::<Compare>(),
    entry::<SingleDummy>(),
    entry::<Suit>(),
    entry::<PastedBoards>(),
    entry::<WrittenBoards>(),
    entry::<Decode>(),
    entry::<Glance>(),
    entry::<ScoreOf>(),
    entry::<ContractsToCompare>(),
    entry::<ConditionWords>(),
];

/// The schemas of all answers, and the types that they refer to at `definitions`, as
/// [`setrograde::schema::schemas`].
#[cfg(feature = "schema")]
pub fn answers(definitions: &str) -> serde_json::Map<String, serde_json::Value> {
    setrograde::schema::schemas_of(QUESTIONS, definitions)
}

/// The schemas of all questions, as [`answers`].
#[cfg(feature = "schema")]
pub fn questions(definitions: &str) -> serde_json::Map<String, serde_json::Value> {
    setrograde::schema::questions_of(QUESTIONS, definitions)
}

/// The refusal of a question with an error.
fn refused(error: &(dyn Error + 'static)) -> Refusal {
    Refusal::question(causes(error))
}

/// Answers the questions of a page.
///
/// It keeps the tables of its searches, so one engine should answer all questions about a play.
pub struct Engine(Desk);

impl Default for Engine {
    fn default() -> Engine {
        Engine::new(Desk::default())
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.0).finish()
    }
}

impl Engine {
    /// Makes an engine that answers at a desk.
    pub fn new(desk: Desk) -> Engine {
        Engine(desk.with_memory(MEMORY))
    }

    /// Answers a question in JSON, or a list of them.
    ///
    /// A question that cannot be answered gives an object with an `error`.
    pub fn ask(&mut self, json: &str) -> String {
        let known: &[&[AskEntry]] = if cfg!(feature = "npm") {
            &[DESK, QUESTIONS]
        } else {
            &[QUESTIONS]
        };
        self.0.reply_among(known, json).object
    }
}
