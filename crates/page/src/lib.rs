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
//! assert!(answer.contains(r#""to_play":"N""#));
//! assert!(answer.contains(r#""cards":[{"card":"SK","equals":[],"tricks":1}"#));
//! let answer = engine.ask("cards", "NT W N:K3...");
//! assert!(answer.starts_with(r#"{"error":"#));
//! ```
//!
//! # Find your way
//!
//! | module | questions |
//! |---|---|
//! | `advice` | `suit`, `compare`, `contracts`: the best play of one suit, and the contract to be in |
//! | `boards` | `boards`, `file`, `decode`, `write`: files and links of others, and boards as files |
//! | `evening` | `glance`, `session`, `summary`: a board at a glance, the tables of all boards, and who lost tricks |
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

use serde::{Serialize, Serializer};
#[cfg(feature = "npm")]
use setrograde::Desk;
use setrograde::ask::SuitLines;
use setrograde::{Pars, Summary, SureTricks, causes};
#[cfg(feature = "npm")]
use setrograde_lookup::Database;
use setrograde_single_dummy::Comparison;
use setrograde_solver::{Endgames, Options, Solver};

/// The longest question, in bytes: an evening of boards with their play.
const LONGEST: usize = 4 << 20;
/// Memory for the solver's table, in bytes. A table of 20 results takes 16 MiB.
const SOLVER_MEMORY: usize = 64 << 20;

/// An answer, or why there is none.
type EngineAnswer<T> = Result<T, Box<dyn Error>>;

/// The reason that there is no answer, or no board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorText {
    /// The reason.
    error: String,
}

/// An object by names. Maps of the standard library take more code.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Named<K, V>(
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<K, V>")
    )]
    Vec<(K, V)>,
);

impl<K: Serialize, V: Serialize> Serialize for Named<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

macro_rules! questions {
    (|$engine:ident, $text:ident| $($name:literal: $answer:ty = $asked:expr,)*) => {
        impl Engine {
            fn answer(&mut self, what: &str, $text: &str) -> EngineAnswer<String> {
                let $engine = self;
                match what {
                    $($name => {
                        let answer: $answer = $asked?;
                        Ok(json(&answer))
                    })*
                    _ => Err(format!("{what:?} is not a question").into()),
                }
            }
        }

        /// The schemas of all answers by the names of their questions, and the types that they
        /// refer to at `definitions`, as [`setrograde::schema::schemas`].
        #[cfg(feature = "schema")]
        #[must_use]
        pub fn schemas(definitions: &str) -> serde_json::Map<String, serde_json::Value> {
            let mut all = setrograde::schema::Schemas::new(definitions);
            $(all.refer::<$answer>($name);)*
            all.finish()
        }
    };
}

questions! {
    |engine, text|
    "boards": boards::BoardsRead = boards::boards(text),
    "file": boards::BoardsRead = boards::file(text),
    "write": boards::PlainText = boards::written(text),
    "decode": boards::PlainText = boards::decoded(text),
    "contracts": advice::ContractList = advice::contracts(text),
    "suit": SuitLines = advice::suit(text),
    "compare": Comparison = advice::compare(text),
    "glance": evening::Glance = evening::glance(engine, text),
    "score": evening::ScoreInWords = evening::score_of(text),
    "summary": Summary = evening::summary(text),
    "session": evening::SessionOfBoards = evening::session(text),
    "strain": deal::StrainTricks = deal::strain(engine.solver(), text),
    "par": Pars = deal::par(text),
    "position": position::PlayPoint = position::position(text),
    "cards": position::SolvedPoint = position::cards(engine.solver(), text),
    "record": record::ReviewedPlay = record::record(engine.solver(), text),
    "matter": matter::MatterCounts = matter::matter(engine.solver(), text),
    "chances": chances::LayoutSums = chances::chances(engine.solver(), text),
    "shares": chances::LayoutShares = chances::shares(text),
    "goal": chances::NeededTricks = chances::goal(text),
    "single": SureTricks = chances::single(text),
    "beside": endings::Neighbours = endings::beside(engine.solver(), text),
    "hard": endings::HardEnding = endings::hard(engine.solver(), text),
    "condition": hidden::ConditionInWords = hidden::condition(text),
    "soon": hidden::SureBounds = hidden::soon(text),
    "sure": hidden::OrLimit<hidden::SureCount> = hidden::sure(text),
    "sure_cards": hidden::OrLimit<hidden::SureCards> = hidden::sure_cards(text),
    "plan": hidden::OrLimit<hidden::PlanInWords> = hidden::plan(text),
    "against": hidden::OrLimit<hidden::Against> = hidden::against(text),
    "help": hidden::OrLimit<hidden::Help> = hidden::help(text),
    "adjudicate": hidden::OrLimit<hidden::Ruling> = hidden::adjudicate(text),
}

/// Answers the questions of a page.
///
/// It keeps the solver's table for a deal, so one engine should answer all questions about a play.
#[derive(Default)]
pub struct Engine {
    solver: Option<Solver>,
    /// Tables of deals: an evening has each deal at several tables.
    tables: evening::Tables,
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
    /// Answers a question, in JSON: `what` is asked about `text`.
    ///
    /// A question that cannot be answered gives an object with an `error`.
    pub fn ask(&mut self, what: &str, text: &str) -> String {
        let long = text.len();
        let answer = if long > LONGEST {
            Err(format!("{long} bytes; at most {LONGEST} are read").into())
        } else {
            self.answer(what, text)
        };
        answer.unwrap_or_else(|error| {
            let error = causes(error.as_ref());
            json(&ErrorText { error })
        })
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

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("names are text")
}
