//! The desk that answers questions: a database, searches with their tables, and limits.

use std::fmt;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde::de::DeserializeOwned;
use setrograde_beliefs::{
    Beliefs, BeliefsError, BridgeView, Facts, Marginals, Question, Strengths, View,
};
use setrograde_cards::{Card, Deal, Hand, Position, Strain};
use setrograde_claim::{Claims, SoFar};
use setrograde_lookup::Database;
use setrograde_parallel::{cores, lock};
use setrograde_single_dummy::SolvedLayouts;
use setrograde_solver::{Endgames, Options, SolveError, Solver, Stop, TrickTable};

use crate::lesson::Lessons;
use crate::result_condition::DealResults;
use crate::results::best_cards;
use crate::source::object_text;
use crate::tables::SomeStrains;
use crate::{Board, Refusal, Report, ResultCondition, Setting, Style, Subject, ask};

/// A name of JSON that sets the style of an answer's text, true or false.
#[derive(Clone, Copy, Debug)]
pub struct StyleOption {
    /// The name.
    pub name: &'static str,
    /// The meaning, for documents.
    pub meaning: &'static str,
    /// Sets it.
    pub set: fn(&mut Style, bool),
}

/// An example of a question, which documents show and tests ask through every interface.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The question in JSON, without its name.
    pub json: &'static str,
    /// The words of the command that asks the same, before the question if it has one; empty if no
    /// command does without a file.
    pub command: &'static str,
}

/// A question: its options. Its subject, a line or a board, is passed separately.
///
/// As JSON the options are an object, with names as on the command line.
pub trait Ask: DeserializeOwned {
    /// The name of the question, such as `odds`.
    const NAME: &'static str;

    /// An example that is answered at once, with the database of 12 cards.
    const EXAMPLE: Example;

    /// The subject of the question.
    type Subject: Subject;

    /// The answer.
    type Answer: Report + 'static;

    /// The names of JSON that set the style of the answer's text.
    const STYLES: &'static [StyleOption] = &[];

    /// Checks the options before anything is read or searched.
    ///
    /// # Errors
    ///
    /// If an option is invalid.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Answers the question about a subject, and about the board that it was made from, if any.
    ///
    /// # Errors
    ///
    /// If an option contradicts the question, a limit is reached, a search fails, or the desk is
    /// cancelled.
    fn answer(
        &self,
        desk: &mut Desk,
        subject: &Self::Subject,
        board: Option<&Board>,
    ) -> Result<Self::Answer, Refusal>;
}

/// The results so far of the search for a claim. Its text is a summary for people.
#[derive(Clone, Debug, Default)]
pub struct ClaimProgress(Arc<SoFar>);

impl fmt::Display for ClaimProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Default memory of a solver, in bytes.
const MEMORY: usize = 256 << 20;

/// Default maximum number of deals or layouts in an answer.
const LONGEST: u32 = 1_000_000;

/// Checks the value of an option.
fn at_most(name: &'static str, count: u32, most: u32) -> Result<(), Refusal> {
    if count > most {
        Err(Refusal::too_many(name, count, most))
    } else {
        Ok(())
    }
}

/// Maximum number of stored tables: more than a tournament has deals.
const TABLES: usize = 1 << 12;

/// Is called with each part of an answer.
type OnPart = Box<dyn FnMut(&str) + Send + Sync>;

/// Answers questions. It keeps the tables of its searches, so it answers later questions sooner; each
/// thread has [another](Desk::another).
pub struct Desk {
    database: Option<Arc<Database>>,
    memory: usize,
    threads: usize,
    longest: u32,
    most_drawn: u32,
    stop: Stop,
    so_far: Option<Arc<SoFar>>,
    on_part: Option<OnPart>,
    /// The tables of recent deals, shared by all desks made from one.
    tables: Arc<Mutex<Vec<(Deal, TrickTable)>>>,
    solver: Option<Solver>,
    claims: Option<(Option<u64>, Claims)>,
    lessons: Option<(ask::Lesson, Lessons)>,
    /// The layouts of the last odds, by the line of the question, for a larger sample; if parts are
    /// wanted.
    layouts: Option<(String, SolvedLayouts)>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

/// A desk without a database, one thread for each question.
impl Default for Desk {
    fn default() -> Desk {
        Desk::new(None)
    }
}

impl Desk {
    /// Returns a desk that answers from a database, or without one.
    pub fn new(database: Option<Arc<Database>>) -> Desk {
        Desk {
            database,
            memory: MEMORY,
            threads: 1,
            longest: LONGEST,
            most_drawn: u32::MAX,
            stop: Stop::default(),
            so_far: None,
            on_part: None,
            tables: Arc::default(),
            solver: None,
            claims: None,
            lessons: None,
            layouts: None,
        }
    }

    /// Sets the size of each search's table in bytes; 256 MiB unless set.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Desk {
        Desk { memory, ..self }
    }

    /// Sets the number of threads for each question, 0 for one for each core; 1 unless set.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Desk {
        Desk { threads, ..self }
    }

    /// Sets the maximum number of deals or layouts in an answer, a million unless set, and of layouts
    /// drawn for a question, unlimited unless set.
    #[must_use]
    pub fn with_limits(self, longest: u32, most_drawn: u32) -> Desk {
        Desk {
            longest,
            most_drawn,
            ..self
        }
    }

    /// Sets the flag and the deadline that end all searches of the questions that follow soon; never
    /// unless set. The tables of the searches are kept, so a desk that answers many questions needs a new stop for each, not a new desk.
    pub fn set_stop(&mut self, stop: Stop) {
        if let Some(solver) = &mut self.solver {
            solver.set_stop(stop.clone());
        }
        if let Some((_, claims)) = &mut self.claims {
            claims.set_stop(&stop);
        }
        if let Some((_, lessons)) = &mut self.lessons {
            lessons.set_stop(&stop);
        }
        self.stop = stop;
    }

    /// Sets where the search for a claim stores its results so far.
    #[must_use]
    pub fn with_progress(self, progress: &ClaimProgress) -> Desk {
        Desk {
            so_far: Some(Arc::clone(&progress.0)),
            ..self
        }
    }

    /// Sets what is called with each part of an answer while the rest is computed: an object of JSON
    /// with some names of the answer, as they are so far. Those of a table have the strains that are
    /// solved, those of odds the layouts that are solved, those of a claim the tricks that are sure
    /// before those of each card.
    #[must_use]
    pub fn with_parts(self, on_part: impl FnMut(&str) + Send + Sync + 'static) -> Desk {
        Desk {
            on_part: Some(Box::new(on_part)),
            ..self
        }
    }

    /// Returns a desk for another thread, with the same database and limits.
    #[must_use]
    pub fn another(&self) -> Desk {
        Desk {
            database: self.database.clone(),
            stop: self.stop.clone(),
            so_far: self.so_far.clone(),
            on_part: None,
            tables: Arc::clone(&self.tables),
            solver: None,
            claims: None,
            lessons: None,
            layouts: None,
            ..*self
        }
    }

    /// The database, if there is one.
    pub fn database(&self) -> Option<&Arc<Database>> {
        let database = self.database.as_ref();
        database.filter(|_| cfg!(feature = "database"))
    }

    /// True once all searches must end.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.is_due()
    }

    /// Answers a question about a subject, and about the board that it was made from, if any. The
    /// deepest searches, for sure tricks, take 450 KB of stack, and more without optimization.
    ///
    /// # Errors
    ///
    /// As [`Ask::answer`].
    pub fn answer<A: Ask>(
        &mut self,
        ask: &A,
        subject: &A::Subject,
        board: Option<&Board>,
    ) -> Result<A::Answer, Refusal> {
        ask.answer(self, subject, board)
    }

    /// True if the parts of an answer are wanted.
    pub(crate) fn has_parts(&self) -> bool {
        self.on_part.is_some()
    }

    /// Passes on a part of an answer.
    pub(crate) fn part(&mut self, part: &impl Serialize) {
        if let Some(on_part) = &mut self.on_part {
            on_part(&object_text(part));
        }
    }

    /// Takes the solved layouts of a question.
    pub(crate) fn solved_layouts(&mut self, about: &str) -> SolvedLayouts {
        let kept = self.layouts.take().filter(|(of, _)| of == about);
        kept.map(|(_, solved)| solved).unwrap_or_default()
    }

    /// Keeps the solved layouts of a question.
    pub(crate) fn keep_layouts(&mut self, about: String, solved: SolvedLayouts) {
        self.layouts = self.has_parts().then_some((about, solved));
    }

    /// Returns the number of threads for each question.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => cores(),
            threads => threads,
        }
    }

    /// The end of all searches.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// What a question's asker sees, and the layouts of the hidden hands.
    pub(crate) fn seen(
        &self,
        question: &Question,
        strengths: &Strengths,
    ) -> Result<(BridgeView, Beliefs), Refusal> {
        let view = View::of_bridge(question)?;
        let beliefs = self.beliefs(&view.facts(strengths)?)?;
        Ok((view, beliefs))
    }

    /// Makes the layouts that match `facts`, until the end of all searches.
    pub(crate) fn beliefs(&self, facts: &Facts) -> Result<Beliefs, Refusal> {
        Beliefs::until(facts, &self.stop).map_err(unless_stopped)
    }

    /// The probability of each hidden card in each hand, until the end of all searches.
    pub(crate) fn marginals(&self, beliefs: &Beliefs) -> Result<Marginals, Refusal> {
        beliefs.marginals_until(&self.stop).map_err(unless_stopped)
    }

    /// Checks the number of deals or layouts in an option.
    pub(crate) fn check_length(&self, name: &'static str, count: u32) -> Result<(), Refusal> {
        at_most(name, count, self.longest)
    }

    /// Checks the number of layouts that a question draws.
    pub(crate) fn check_drawn(&self, draw: Option<u32>) -> Result<(), Refusal> {
        at_most("draw", draw.unwrap_or(0), self.most_drawn)
    }

    fn endgames(&self) -> Option<Arc<dyn Endgames>> {
        let database = self.database();
        database.map(|database| Arc::clone(database) as Arc<dyn Endgames>)
    }

    /// Returns the options of the desk's solver, for others like it.
    pub fn solver_options(&self) -> Options {
        Options {
            memory: self.memory,
            endgames: self.endgames(),
            stop: self.stop.clone(),
        }
    }

    /// Options of the solvers of drawn layouts.
    pub(crate) fn layout_options(&self) -> Options {
        Options {
            memory: self.memory.min(Options::default().memory),
            ..self.solver_options()
        }
    }

    /// The solver, which keeps its table.
    pub(crate) fn solver(&mut self) -> &mut Solver {
        if self.solver.is_none() {
            self.solver = Some(Solver::new(self.solver_options()));
        }
        self.solver.as_mut().expect("it was made")
    }

    /// Returns whether a deal meets a condition on its results. A board that was passed out meets
    /// none that speaks of its contract.
    ///
    /// # Errors
    ///
    /// If the condition speaks of something that the setting lacks, or of a contract while the
    /// hands do not have 13 cards; if the search fails or is cancelled.
    pub fn fits(
        &mut self,
        deal: &Deal,
        condition: &ResultCondition,
        setting: &Setting,
    ) -> Result<bool, Refusal> {
        if setting.passed_out && condition.names_all(false).is_err() {
            return Ok(false);
        }
        let stop = self.stop.clone();
        let results = DealResults::new(self.solver(), *deal);
        results.with_stop(stop).fit(condition, setting)
    }

    /// Returns the best cards at each card of a play, which begins at `start`.
    ///
    /// # Errors
    ///
    /// If a card of the play cannot be played, or the search fails or is cancelled.
    pub fn best_cards(&mut self, start: &Position, play: &[Card]) -> Result<Vec<Hand>, SolveError> {
        best_cards(self.solver(), start, play)
    }

    /// Returns the table of a deal, solved on all threads of the desk unless it is known: the record
    /// of a tournament has every deal once for each table at which it was played.
    pub(crate) fn table(&mut self, deal: &Deal) -> Result<TrickTable, SolveError> {
        if let Some(&(_, known)) = lock(&self.tables).iter().rev().find(|(of, _)| of == deal) {
            return Ok(known);
        }
        let threads = self.threads();
        let solved = if self.has_parts() {
            self.table_in_parts(deal)?
        } else {
            self.solver().table_on(threads, deal)?
        };
        let mut tables = lock(&self.tables);
        if tables.len() >= TABLES {
            tables.clear();
        }
        tables.push((*deal, solved));
        Ok(solved)
    }

    /// Solves a deal strain by strain.
    fn table_in_parts(&mut self, deal: &Deal) -> Result<TrickTable, SolveError> {
        let mut tricks = [[0; 4]; 5];
        for (solved, strain) in Strain::ALL.into_iter().enumerate() {
            tricks[strain] = self.solver().declarer_tricks(deal, strain)?;
            self.part(&SomeStrains {
                tricks: (&TrickTable::new(tricks), &Strain::ALL[..=solved]),
            });
        }
        Ok(TrickTable::new(tricks))
    }

    /// The decider of claims, with a limit of search nodes for each answer.
    pub(crate) fn claims(&mut self, limit: Option<u64>) -> &mut Claims {
        if self.claims.as_ref().is_none_or(|(of, _)| *of != limit) {
            let claims = Claims::new(setrograde_claim::Options {
                memory: self.memory,
                endgames: self.endgames(),
                limit,
                stop: self.stop.clone(),
                so_far: Some(self.so_far.clone().unwrap_or_default()),
            });
            self.claims = Some((limit, claims));
        }
        &mut self.claims.as_mut().expect("it was made").1
    }

    /// The searches for lessons with these settings.
    pub(crate) fn lessons(&mut self, ask: &ask::Lesson) -> &mut Lessons {
        if self.lessons.as_ref().is_none_or(|(of, _)| of != ask) {
            let lessons = Lessons::new(
                self.solver_options(),
                ask.limit,
                ask.sampling(self.threads()),
            );
            self.lessons = Some((ask.clone(), lessons));
        }
        &mut self.lessons.as_mut().expect("it was made").1
    }
}

/// The refusal; stopped work is no fault of the question.
pub(crate) fn unless_stopped(error: BeliefsError) -> Refusal {
    match error {
        BeliefsError::Stopped => Refusal::interrupted(),
        error => error.into(),
    }
}
