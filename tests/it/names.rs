//! Names of types: a reader who meets one looks for its definition once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The crates in which no two types have the same name.
const ENGINE: [&str; 5] = [
    "crates/endgame",
    "crates/lookup",
    "crates/builder",
    "crates/verify",
    "crates/solver",
];

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

/// Notes the definitions in the sources below a directory, without those of tests.
fn collect(path: &Path, types: &mut BTreeMap<String, Vec<String>>) {
    for entry in fs::read_dir(path).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if name == "tests" || name == "tests.rs" {
            continue;
        }
        if path.is_dir() {
            collect(&path, types);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("text");
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            for line in code.expect("a first part").lines() {
                if let Some(name) = defined(line) {
                    let file = path.display().to_string();
                    types.entry(name.to_owned()).or_default().push(file);
                }
            }
        }
    }
}

/// Lists the names with more than one type in these source directories.
fn shared(directories: &[String]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut types = BTreeMap::new();
    for directory in directories {
        collect(&root.join(directory), &mut types);
    }
    assert!(types.len() > 100, "{directories:?}: {}", types.len());
    let shared = types.iter().filter(|(_, files)| files.len() > 1);
    shared
        .map(|(name, files)| format!("{name}: {}", files.join(", ")))
        .collect()
}

#[test]
fn a_name_is_one_type_within_the_engine() {
    let shared = shared(&ENGINE.map(|room| format!("{room}/src")));
    assert!(shared.is_empty(), "{}", shared.join("\n"));
}

#[test]
fn few_names_are_types_of_several_crates() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut rooms = vec!["src".to_owned(), "python/src".to_owned()];
    for entry in fs::read_dir(crates).expect("a directory") {
        let name = entry.expect("an entry").file_name();
        rooms.push(format!("crates/{}/src", name.display()));
    }
    let shared = shared(&rooms);
    assert!(
        shared.len() <= SHARED,
        "{}:\n{}",
        shared.len(),
        shared.join("\n")
    );
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
