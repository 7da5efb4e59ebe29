//! Errors as one line: each cause once, and what to do about it.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::Chain;
use setrograde::lookup::{Error as DatabaseError, ProbeError};
use setrograde::{Refusal, RefusalFault, causes};
use setrograde_builder::{BuildError, EstimateError, is_ours};
use setrograde_verify::VerifyError;

use super::suggestion::{build, build_by, cards_of, command, directory_of};

/// The error, its causes, and what the user can do.
pub fn one_line(error: &(dyn Error + 'static)) -> String {
    with_hint(causes(error), Chain::new(error).find_map(hint))
}

/// A refusal in words, and what the user can do about its cause.
pub fn hinted(refusal: &Refusal, words: String) -> String {
    with_hint(words, hint(refusal))
}

/// A text, and what the user can do.
pub fn with_hint(text: String, hint: Option<String>) -> String {
    match hint {
        Some(hint) => format!("{text}; {hint}"),
        None => text,
    }
}

/// The commands and options that help against an error.
pub fn hint(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        return match &refusal.fault {
            RefusalFault::Failed(cause) => Chain::new(&**cause).find_map(hint),
            _ => None,
        };
    }
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
    if let Some(VerifyError::Database(error)) = error.downcast_ref() {
        return Some(error);
    }
    error.downcast_ref()
}

fn database_hint(error: &DatabaseError) -> Option<String> {
    match error {
        DatabaseError::NoDatabase { path } => Some(format!("build one with {}", build(16, path))),
        DatabaseError::Damaged { path, .. } | DatabaseError::Version { path, .. } => {
            damage_hint(path)
        }
        DatabaseError::MissingLevel { path, cards } => Some(format!(
            "build it with {}",
            build(*cards, directory_of(path))
        )),
        DatabaseError::NoMap { path } | DatabaseError::OtherLevel { path } => Some(format!(
            "make it with {}",
            command("db unpack", Some(directory_of(path)))
        )),
        DatabaseError::Io { source, .. } => space_hint(source),
        _ => None,
    }
}

/// The cheapest command that mends a damaged file of a database.
fn damage_hint(file: &Path) -> Option<String> {
    let database = directory_of(file);
    let command = match file.extension().and_then(OsStr::to_str) {
        // A map with other contents than its level may have sound checksums.
        Some("map") => command("db unpack --force", Some(database)),
        Some("sdb") => build(cards_of(file)?, database),
        _ if file.file_name() == Some(OsStr::new("manifest")) => {
            let repair = command("db verify --repair", Some(database));
            // Another program's file is not replaced.
            if is_ours(file).is_ok_and(|ours| !ours) {
                return Some(format!(
                    "it is not a manifest: move it away, and make one with {repair}"
                ));
            }
            repair
        }
        _ => return None,
    };
    Some(format!("mend it with {command}"))
}

/// The advice for a full disk.
fn space_hint(error: &io::Error) -> Option<String> {
    let is_full = matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    );
    is_full.then(|| {
        "finished work is kept; free some space, and run the same command again".to_owned()
    })
}

fn build_hint(error: &BuildError) -> Option<String> {
    match error {
        BuildError::Database(error) => database_hint(error),
        BuildError::Cancelled => Some("the same command continues from there".to_owned()),
        BuildError::NoLevelBelow { path, cards } => {
            Some(format!("{} builds it", build(*cards, path)))
        }
        BuildError::Unfinished {
            path,
            cards,
            method,
            chunks,
            from_files,
            ..
        } => chunks.first().map(|chunk| {
            let mut one = format!(" --chunk {chunk}");
            if *from_files {
                one += &format!(" --output {}.chunk", chunk.number());
            }
            format!(
                "build each with {}, or all with {}",
                build_by(*method, *cards, &one, path),
                build_by(*method, *cards, "", path)
            )
        }),
        BuildError::Memory { free: true, .. } => {
            Some("use a machine with more, or pass --memory to override".to_owned())
        }
        BuildError::Memory { free: false, .. } => {
            Some("use a machine with more, or pass a greater --memory".to_owned())
        }
        BuildError::Space { .. } => {
            Some("finished work is kept; free some space, and run this again".to_owned())
        }
        _ => None,
    }
}
