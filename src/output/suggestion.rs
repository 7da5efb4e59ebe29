//! Suggested commands: the only place where messages get them from.

use std::ffi::OsStr;
use std::path::Path;

use setrograde::lookup::Grain;
use setrograde::lookup::format::manifest::Manifest;
use setrograde_builder::Method;

#[cfg(not(windows))]
use super::printable::acts;

/// A command of this program for a database, in backticks, which can be pasted into the shell of
/// the system.
///
/// The words come from the program and need no quotes.
pub fn command(words: &str, database: Option<&Path>) -> String {
    match database {
        Some(path) => format!("`setrograde {words} --db {}`", quoted(path.as_os_str())),
        None => format!("`setrograde {words}`"),
    }
}

/// The command that builds the levels up to this one that are missing or damaged. It makes levels
/// coarse that the database has as coarse ones.
pub fn build(cards: usize, database: &Path) -> String {
    build_by(Method::Refine, cards, "", database)
}

/// The cards of the first coarse level of a database, up to this one, and its grain.
pub fn coarse_from(manifest: &Manifest, cards: usize) -> Option<(usize, Grain)> {
    let mut levels = manifest.levels.iter();
    let coarse = levels.find_map(|record| Some((4 * record.level as usize, record.grain()?)));
    coarse.filter(|&(first, _)| first <= cards)
}

/// The command that builds a level by a method, with more options.
pub fn build_by(method: Method, cards: usize, more: &str, database: &Path) -> String {
    let mut words = format!("build --cards {cards}");
    let manifest = Manifest::read(database).unwrap_or_default();
    let coarse = coarse_from(&manifest, cards);
    match (coarse, method) {
        (_, Method::Coarse(grain)) => {
            let first = coarse.map_or(cards, |(first, _)| first);
            words += &format!(" --coarse-from {first} --grain {grain}");
        }
        (Some((first, grain)), _) => words += &format!(" --coarse-from {first} --grain {grain}"),
        (None, Method::Setrograde) => words += " --method setrograde",
        (None, Method::Refine) => {}
    }
    command(&(words + more), Some(database))
}

/// The directory that a file is in: for one of a database, the database.
pub fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the number of cards in the name of a level's file, such as 16 in `level-16.sdb`.
pub fn cards_of(file: &Path) -> Option<usize> {
    let name = file.file_name()?.to_str()?.strip_prefix("level-")?;
    name.split(['.', '-']).next()?.parse().ok()
}

/// Returns an argument as the shell of the system reads it.
pub fn quoted(argument: &OsStr) -> String {
    let text = argument.to_string_lossy();
    let marks = if cfg!(windows) {
        "_./:=@+,-\\"
    } else {
        "_./:=@%+,-"
    };
    let is_plain = |c: char| c.is_alphanumeric() || marks.contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    in_quotes(argument)
}

/// File names have no double quotes there. A backslash before the last quote would take it.
#[cfg(windows)]
fn in_quotes(argument: &OsStr) -> String {
    let text = argument.to_string_lossy();
    let end = if text.ends_with('\\') { "\\" } else { "" };
    format!("\"{}{end}\"", super::printable::printable(&text))
}

#[cfg(not(windows))]
fn in_quotes(argument: &OsStr) -> String {
    let bytes = argument.as_encoded_bytes();
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(|c: char| c.is_control() || acts(c)) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        // Unprintable bytes are written in hexadecimal digits, which Bash and Zsh understand.
        _ => {
            let mut quoted = "$'".to_owned();
            for &byte in bytes {
                match byte {
                    b'\'' | b'\\' => quoted.extend(['\\', byte as char]),
                    b' '..=b'~' => quoted.push(byte as char),
                    byte => quoted += &format!(r"\x{byte:02x}"),
                }
            }
            quoted + "'"
        }
    }
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (argument, expected) in [
            ("db/x-1.y", "db/x-1.y"),
            ("/home/Müller", "/home/Müller"),
            ("my db", "'my db'"),
            ("it's", r"'it'\''s'"),
            ("a$b", "'a$b'"),
            ("", "''"),
            ("\u{1b}[31m", r"$'\x1b[31m'"),
        ] {
            assert_eq!(quoted(argument.as_ref()), expected);
        }
    }

    #[test]
    fn a_command_names_its_database() {
        let found = build(16, directory_of(Path::new("my db/level-16.sdb")));
        assert_eq!(found, "`setrograde build --cards 16 --db 'my db'`");
        assert_eq!(directory_of(Path::new("manifest")), Path::new("."));
        assert_eq!(
            cards_of(Path::new("x/level-16-5f3a0b9c2d71e846.map")),
            Some(16)
        );
        assert_eq!(cards_of(Path::new("x/manifest")), None);
    }
}
