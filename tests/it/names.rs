//! Names of types: a reader who meets one looks for its definition once.

use std::collections::BTreeMap;
use std::path::Path;

use crate::promised::sources;

/// The crates in which no two types have the same name.
const ENGINE: [&str; 5] = ["endgame", "lookup", "builder", "verify", "solver"];

/// Maximum number of names with more than one type in all crates: answers of the facade named as
/// the findings behind them, types of the C interface, and words of the field such as *trick*.
const SHARED: usize = 30;

/// Returns the name that a line of code defines, if it defines a type.
fn defined(line: &str) -> Option<&str> {
    // An indented alias is that of a trait.
    if line.starts_with(' ') && line.trim_start().starts_with("type ") {
        return None;
    }
    let mut words = line.split_whitespace().peekable();
    if words.peek().is_some_and(|word| word.starts_with("pub")) {
        let visibility = words.next()?;
        if visibility == "pub(in" {
            words.next();
        }
    }
    if !["struct", "enum", "trait", "union", "type"].contains(&words.next()?) {
        return None;
    }
    let name = words.next()?;
    // A macro's variable is no name.
    if name.starts_with('$') {
        return None;
    }
    let end = name.find(|c: char| !c.is_alphanumeric());
    Some(&name[..end.unwrap_or(name.len())])
}

/// Lists the names with more than one type in these crates.
fn shared(rooms: &[String]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut types = BTreeMap::<String, Vec<String>>::new();
    for (path, text) in rooms.iter().flat_map(|room| sources(&root.join(room))) {
        for name in text.lines().filter_map(defined) {
            let files = types.entry(name.to_owned()).or_default();
            files.push(path.display().to_string());
        }
    }
    assert!(types.len() > 100, "{rooms:?}: {}", types.len());
    let shared = types.iter().filter(|(_, files)| files.len() > 1);
    shared
        .map(|(name, files)| format!("{name}: {}", files.join(", ")))
        .collect()
}

#[test]
fn a_name_is_one_type_within_the_engine() {
    let shared = shared(&ENGINE.map(|room| format!("crates/{room}/src")));
    assert!(shared.is_empty(), "{}", shared.join("\n"));
}

#[test]
fn few_names_are_types_of_several_crates() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut rooms = vec!["src".to_owned(), "python/src".to_owned()];
    for entry in std::fs::read_dir(crates).expect("a directory") {
        let name = entry.expect("an entry").file_name();
        rooms.push(format!("crates/{}/src", name.display()));
    }
    let shared = shared(&rooms);
    let count = shared.len();
    assert!(count <= SHARED, "{count}:\n{}", shared.join("\n"));
}

#[test]
fn definitions_are_recognized() {
    let lines = [
        ("pub struct Level {", Some("Level")),
        ("    pub(in crate::store) enum Kind<'a> {", Some("Kind")),
        ("pub(crate) type Key = u64;", Some("Key")),
        ("struct Unit;", Some("Unit")),
        ("    type Err = Error;", None),
        ("        pub struct $name {", None),
        ("/// A struct Level", None),
        ("impl Level {", None),
    ];
    for (line, name) in lines {
        assert_eq!(defined(line), name, "{line}");
    }
}
