//! The entries of a table of questions.

use crate::desk::Ask;
#[cfg(not(target_family = "wasm"))]
use crate::desk::Example;
use crate::json::JsonRequest;
use crate::refusal::Refusal;
#[cfg(feature = "schema")]
use crate::schema::Schemas;
use crate::source::AnyAsk;

/// Two functions that add the schemas of a question and of its answer.
#[cfg(feature = "schema")]
type EntrySchemas = [fn(&mut Schemas); 2];

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
    /// Adds the schemas of the question and of its answer.
    #[cfg(feature = "schema")]
    pub(crate) schemas: Option<EntrySchemas>,
}

/// Returns the entry of a question, without schemas.
pub const fn entry<A: Ask + 'static>() -> AskEntry {
    AskEntry {
        name: A::NAME,
        #[cfg(not(target_family = "wasm"))]
        example: A::EXAMPLE,
        read: |request| Ok(Box::new(request.options::<A>()?)),
        #[cfg(feature = "schema")]
        schemas: None,
    }
}
