//! The engine of setrograde's page: [`Engine::ask`] takes a question as text and
//! answers in JSON.
//!
//! The page shows and asks; the rules of bridge live here. The same engine answers
//! in a browser, compiled to WebAssembly, and natively, where the tests compare the
//! two. `page/npm/QUESTIONS.md` lists the questions.
//!
//! ```
//! use setrograde_page::Engine;
//!
//! let mut engine = Engine::default();
//! let answer = engine.ask("cards", "NT W N:K3... Q4... J5... T2...\tST");
//! assert_eq!(answer["to_play"], "N");
//! assert_eq!(answer["cards"][0]["card"], "SK");
//! assert_eq!(answer["cards"][0]["tricks"], 1);
//! let answer = engine.ask("cards", "NT W N:K3...");
//! assert!(answer["error"].is_string());
//! ```
//!
//! # Find your way
//!
//! | module | questions |
//! |---|---|
//! | `advice` | `suit`, `compare`, `contracts`: the best play of one suit, and the contract to be in |
//! | `boards` | `boards`, `file`, `decode`, `write`: files and links of others, and boards as files |
//! | `evening` | `glance`, `tables`, `summary`: a board at a glance, the tables of a board, and who lost tricks |
//! | `deal` | `strain`, `par`: a deal's table and par |
//! | `position` | `position`, `cards`: a point of the play, and each card's tricks |
//! | `record` | `record`: a play that was recorded, and its mistakes |
//! | `matter` | `matter`: the cards on which a result depends |
//! | `hidden` | `sure`, `sure_cards`, `plan`, `against`, `help`, `adjudicate`: two hands hidden; `condition`: one in words |
//! | `chances` | `chances`, `shares`, `goal`, `single`: the tricks over layouts of hidden hands, and those that are sure |
//! | `endings` | `beside`, `hard`: an ending and those beside it, and a hard one |
//! | `wasm` | the functions that a browser calls |

mod advice;
mod boards;
mod chances;
mod deal;
mod endings;
mod evening;
mod hidden;
mod matter;
mod position;
mod record;
#[cfg(target_family = "wasm")]
mod wasm;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
#[cfg(feature = "npm")]
use setrograde::Desk;
use setrograde::causes;
#[cfg(feature = "npm")]
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

/// The longest question, in bytes: an evening of boards with their play.
const LONGEST: usize = 4 << 20;
/// Memory for the solver's table, in bytes. A table of 20 results takes 16 MiB.
const SOLVER_MEMORY: usize = 64 << 20;

/// An answer, or why there is none.
type JsonAnswer = Result<Value, Box<dyn Error>>;

/// Answers the questions of a page.
///
/// It keeps the solver's table for a deal, so one engine should answer all questions about a play.
#[derive(Default)]
pub struct Engine {
    solver: Option<Solver>,
    endgames: Option<Arc<dyn Endgames>>,
    #[cfg(feature = "npm")]
    desk: Option<Desk>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Answers a question: `what` is asked about `text`.
    ///
    /// A question that cannot be answered gives an object with an `error`.
    pub fn ask(&mut self, what: &str, text: &str) -> Value {
        self.answer(what, text)
            .unwrap_or_else(|error| json!({ "error": causes(error.as_ref()) }))
    }

    fn answer(&mut self, what: &str, text: &str) -> JsonAnswer {
        if text.len() > LONGEST {
            let long = text.len();
            return Err(format!("{long} bytes; at most {LONGEST} are read").into());
        }
        match what {
            "boards" => boards::boards(text),
            "file" => boards::file(text),
            "write" => boards::written(text),
            "decode" => boards::decoded(text),
            "contracts" => advice::contracts(text),
            "suit" => advice::suit(text),
            "compare" => advice::compare(text),
            "glance" => evening::glance(self.solver(), text),
            "score" => evening::score_of(text),
            "tables" => evening::tables(text),
            "summary" => evening::summary(text),
            "strain" => deal::strain(self.solver(), text),
            "par" => deal::par(text),
            "position" => position::position(text),
            "cards" => position::cards(self.solver(), text),
            "record" => record::record(self.solver(), text),
            "matter" => matter::matter(self.solver(), text),
            "chances" => chances::chances(self.solver(), text),
            "shares" => chances::shares(text),
            "goal" => chances::goal(text),
            "single" => chances::single(text),
            "beside" => endings::beside(self.solver(), text),
            "hard" => endings::hard(self.solver(), text),
            "condition" => hidden::condition(text),
            "soon" | "sure" | "sure_cards" | "plan" | "against" | "help" => {
                hidden::answer(what, text)
            }
            "adjudicate" => hidden::adjudicate(text),
            _ => Err(format!("{what:?} is not a question").into()),
        }
    }

    /// Answers a question in JSON, or a list of them, as the desk does.
    #[cfg(feature = "npm")]
    pub fn ask_desk(&mut self, question: &str) -> String {
        let desk = self.desk.get_or_insert_with(|| desk(None));
        desk.ask(question)
    }

    /// Uses a database from now on.
    #[cfg(feature = "npm")]
    pub fn use_database(&mut self, database: Arc<Database>) {
        self.solver = None;
        self.endgames = Some(Arc::clone(&database) as Arc<dyn Endgames>);
        self.desk = Some(desk(Some(database)));
    }

    fn solver(&mut self) -> &mut Solver {
        let endgames = &self.endgames;
        self.solver.get_or_insert_with(|| {
            Solver::new(Options {
                memory: SOLVER_MEMORY,
                endgames: endgames.clone(),
                ..Options::default()
            })
        })
    }
}

/// A desk with the memory of an engine.
#[cfg(feature = "npm")]
fn desk(database: Option<Arc<Database>>) -> Desk {
    Desk::new(database).with_memory(SOLVER_MEMORY)
}
