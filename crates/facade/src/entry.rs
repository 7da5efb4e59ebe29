//! The entries of a table of questions.

#[cfg(feature = "schema")]
use schemars::JsonSchema;

use crate::desk::Ask;
#[cfg(not(target_family = "wasm"))]
use crate::desk::Example;
use crate::json::JsonRequest;
use crate::refusal::Refusal;
#[cfg(feature = "schema")]
use crate::schema::Schemas;
use crate::source::AnyAsk;

/// A question of an interface.
#[derive(Clone, Copy, Debug)]
pub struct AskEntry {
    /// The name.
    pub name: &'static str,
    /// Its example. The page's engine, which is kept small, has none.
    #[cfg(not(target_family = "wasm"))]
    pub example: Example,
    /// Reads the options.
    pub(crate) read: fn(&mut JsonRequest) -> Result<Box<dyn AnyAsk>, Refusal>,
    /// Adds the schema of the question.
    #[cfg(feature = "schema")]
    pub(crate) add_question: fn(&mut Schemas),
    /// Adds the schema of the answer.
    #[cfg(feature = "schema")]
    pub(crate) add_answer: fn(&mut Schemas),
}

/// Returns the entry of a question.
#[cfg(not(feature = "schema"))]
pub const fn entry<A: Ask + 'static>() -> AskEntry {
    AskEntry {
        name: A::NAME,
        #[cfg(not(target_family = "wasm"))]
        example: A::EXAMPLE,
        read: |request| Ok(Box::new(request.options::<A>()?)),
    }
}

/// Returns the entry of a question, with its schemas.
#[cfg(feature = "schema")]
pub const fn entry<A: Ask<Answer: JsonSchema> + JsonSchema + 'static>() -> AskEntry {
    AskEntry {
        name: A::NAME,
        #[cfg(not(target_family = "wasm"))]
        example: A::EXAMPLE,
        read: |request| Ok(Box::new(request.options::<A>()?)),
        add_question: Schemas::add_question::<A>,
        add_answer: Schemas::add_answer::<A>,
    }
}
