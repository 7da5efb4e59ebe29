//! Errors as one line: each cause once, and what to do about it.

use std::error::Error;

use anyhow::Chain;
use setrograde::causes;
use setrograde_builder::BuildError;
use setrograde_estimate::EstimateError;
use setrograde_lookup::{Error as DatabaseError, ProbeError};
use setrograde_verify::VerifyError;

/// The error, its causes, and what the user can do.
pub fn one_line(error: &(dyn Error + 'static)) -> String {
    let text = causes(error);
    match Chain::new(error).find_map(hint) {
        Some(hint) => format!("{text}; {hint}"),
        None => text,
    }
}

/// The commands and options that help against an error.
fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<BuildError>() {
        return build_hint(error);
    }
    if let Some(EstimateError::Build(error)) = error.downcast_ref() {
        return build_hint(error);
    }
    database_error(error).and_then(database_hint)
}

/// The error of a database, also from inside an error that shows it as its own.
fn database_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a DatabaseError> {
    if let Some(ProbeError::Database(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(EstimateError::Database(error)) = error.downcast_ref() {
        return Some(error);
    }
    if let Some(VerifyError::Database(error)) = error.downcast_ref() {
        return Some(error);
    }
    error.downcast_ref()
}

fn database_hint(error: &DatabaseError) -> Option<String> {
    match error {
        DatabaseError::NoDatabase { path } => Some(format!(
            "build one with `setrograde build --cards 16 --db {}`",
            path.display()
        )),
        DatabaseError::Damaged { .. } => {
            Some("build it again with `setrograde build --force`".to_owned())
        }
        DatabaseError::MissingLevel { cards, .. } => {
            Some(format!("build it with `setrograde build --cards {cards}`"))
        }
        _ => None,
    }
}

fn build_hint(error: &BuildError) -> Option<String> {
    match error {
        BuildError::Database(error) => database_hint(error),
        BuildError::Cancelled => Some("the same command continues from there".to_owned()),
        BuildError::NoLevelBelow { cards, .. } => {
            Some(format!("`setrograde build --cards {cards}` builds it"))
        }
        BuildError::Unfinished { cards, chunks, .. } => chunks.first().map(|chunk| {
            format!("build each with `setrograde build --cards {cards} --chunk {chunk}`")
        }),
        BuildError::Memory { free: true, .. } => {
            Some("use a machine with more, or pass --memory to override".to_owned())
        }
        BuildError::Memory { free: false, .. } => {
            Some("use a machine with more, or pass a greater --memory".to_owned())
        }
        _ => None,
    }
}
