//! The promise of the libraries: how many items it has, and that no signature names a type of a
//! crate that promises nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose interface has a promise.
const PROMISED: [&str; 3] = ["facade", "lookup", "solver"];

/// Maximum number of promised items: types, functions, methods, constants and modules, those that
/// are exported from other crates included.
const MOST_ITEMS: usize = 420;

/// The crates that promise nothing, as their names begin in paths.
const INTERNAL: [&str; 9] = [
    "beliefs",
    "builder",
    "check",
    "claim",
    "play",
    "prove",
    "records",
    "single_dummy",
    "verify",
];

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/{name}/src"))
}

/// The sources below a directory without those of tests, each without comments.
pub fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if name == "tests" || name == "tests.rs" {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("text");
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let code = code.expect("a first part").lines().filter(is_code);
            found.push((path, code.collect::<Vec<_>>().join("\n")));
        }
    }
    found.sort();
    found
}

/// The sources below a directory without those of the feature `open-search`.
fn promised_sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = sources(directory);
    found.retain(|(path, _)| !path.ends_with("open.rs"));
    found
}

/// The identifiers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

/// The first identifier after those that begin an item: its kind and its name.
fn item(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let mut words = words(rest).skip_while(|word| ["const", "async", "unsafe"].contains(word));
    let kind = words.next()?;
    let kinds = [
        "fn", "struct", "enum", "trait", "type", "static", "union", "mod",
    ];
    if kinds.contains(&kind) {
        return Some((kind, words.next()?));
    }
    // The name of a constant follows at once.
    rest.starts_with("const ").then_some(("const", kind))
}

/// The type of an `impl` that begins in a line.
fn implemented(line: &str) -> Option<&str> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|c: char| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        rest = &rest[end? + 1..];
    }
    let of = rest.rsplit(" for ").next()?;
    words(of).next()
}

/// The owners of the public items of a crate's sources: each the type that the item belongs to, or
/// the item itself.
fn items(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, text) in promised_sources(&source(name)) {
        let mut owner = None;
        for line in text.lines() {
            if line.starts_with("impl") {
                owner = implemented(line);
            } else if line.starts_with('}') {
                owner = None;
            }
            if let Some((_, name)) = item(line) {
                found.push(owner.unwrap_or(name).to_owned());
            }
        }
    }
    found
}

/// What the root of a crate exports from one place.
struct Export {
    is_hidden: bool,
    /// The path before the names, as `setrograde_endgame::set`.
    from: String,
    names: BTreeSet<String>,
}

fn exports(name: &str) -> Vec<Export> {
    let text = fs::read_to_string(source(name).join("lib.rs")).expect("a root");
    let mut found = Vec::new();
    let mut is_hidden = false;
    let mut rest = text.as_str();
    while let Some((line, after)) = rest.split_once('\n') {
        rest = after;
        let (from, names) = if let Some(module) = line.strip_prefix("pub mod ") {
            (module.trim_end_matches(';').to_owned(), BTreeSet::new())
        } else if let Some(begin) = line.strip_prefix("pub use ") {
            let mut all = begin.to_owned();
            while !all.contains(';') {
                let (line, after) = rest.split_once('\n').expect("a semicolon");
                all += line;
                rest = after;
            }
            let path = all.split(['{', ';']).next().expect("a path");
            let (from, last) = path.trim().rsplit_once("::").unwrap_or((path, ""));
            let list = all.split_once('{').map_or(last, |(_, list)| list);
            (from.to_owned(), words(list).map(str::to_owned).collect())
        } else {
            is_hidden = line.contains("#[doc(hidden)]") || is_hidden && line.starts_with("#[");
            continue;
        };
        found.push(Export {
            is_hidden,
            from,
            names,
        });
        is_hidden = false;
    }
    found
}

/// The promised items of each crate, and of the crates that they export.
fn promised() -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    // These are counted once, though the library exports them whole.
    let mut whole = BTreeSet::from(PROMISED.map(str::to_owned));
    for name in PROMISED {
        let (hidden, exports): (Vec<_>, Vec<_>) = exports(name)
            .into_iter()
            .partition(|export| export.is_hidden);
        // The files of hidden modules hide all that they have.
        let (modules, hidden): (Vec<_>, Vec<_>) =
            hidden.iter().partition(|export| export.names.is_empty());
        let in_modules = modules
            .iter()
            .map(|module| module_items(name, &module.from));
        let mut own = items(name);
        own.retain(|owner| !hidden.iter().any(|export| export.names.contains(owner)));
        counted.push((name.to_owned(), own.len() - in_modules.sum::<usize>()));
        for export in exports {
            let Some(other) = export.from.strip_prefix("setrograde_") else {
                continue;
            };
            let other = other.split("::").next().expect("a crate").replace('_', "-");
            if other.contains(" as ") {
                let other = words(&other).next().expect("a name").to_owned();
                if whole.insert(other.clone()) {
                    counted.push((other.clone(), items(&other).len()));
                }
                continue;
            }
            for name in &export.names {
                if whole.insert(format!("{other}::{name}")) {
                    let of = items(&other);
                    let count = of.iter().filter(|owner| *owner == name).count();
                    counted.push((format!("{other}::{name}"), count));
                }
            }
        }
    }
    counted
}

/// The number of public items of a module and of those below it.
fn module_items(name: &str, module: &str) -> usize {
    let root = source(name);
    let (directory, file) = (root.join(module), root.join(format!("{module}.rs")));
    let mut files = promised_sources(&root);
    files.retain(|(path, _)| path.starts_with(&directory) || *path == file);
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    lines.filter(|line| item(line).is_some()).count()
}

#[test]
fn few_items_are_promised() {
    let counted = promised();
    let all: usize = counted.iter().map(|(_, items)| items).sum();
    assert!(all > 200, "{counted:?}");
    assert!(all <= MOST_ITEMS, "{all}: {counted:?}");
}

/// The names that a file imports from crates that promise nothing.
fn imported(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for import in text.split("\nuse setrograde_").skip(1) {
        let import = import.split(';').next().expect("a list");
        let Some((from, list)) = import.split_once("::") else {
            continue;
        };
        if INTERNAL.contains(&from) {
            names.extend(words(list).map(str::to_owned));
        }
    }
    names
}

/// The text from here to the end of a signature; that of an enum or a trait has its body.
fn signature<'a>(text: &'a str, kind: &str) -> &'a str {
    let end = text.find(['{', ';']).unwrap_or(text.len());
    if !["enum", "trait"].contains(&kind) {
        return &text[..end];
    }
    let close = text.find("\n}").unwrap_or(text.len());
    &text[..close]
}

/// The public signatures and fields of a file, and the types of its public traits.
fn signatures(text: &str) -> Vec<&str> {
    let private = |line: &str| {
        let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
        let name = line.strip_prefix("trait ")?;
        words(name).next().map(str::to_owned)
    };
    let private: BTreeSet<String> = text.lines().filter_map(private).collect();
    let mut found = Vec::new();
    let (mut at, mut in_private) = (0, false);
    for line in text.split_inclusive('\n') {
        let rest = &text[at..];
        at += line.len();
        if line.starts_with(char::is_alphabetic) {
            in_private = words(line).any(|word| private.contains(word));
        }
        let code = line.trim_start();
        let field = code
            .strip_prefix("pub ")
            .and_then(|field| field.split_once(": "));
        if let Some((kind, _)) = item(line) {
            found.push(signature(rest, kind));
        } else if field.is_some() || code.starts_with("type ") && !in_private {
            found.push(line);
        }
    }
    found
}

/// The internal types that signatures name, each with its file.
fn leaks(name: &str) -> Vec<String> {
    let exports = exports(name).into_iter();
    let hidden = exports.filter(|export| export.is_hidden && export.names.is_empty());
    let hidden: BTreeSet<String> = hidden.map(|export| export.from).collect();
    let root = source(name);
    let mut found = Vec::new();
    for (path, text) in promised_sources(&root) {
        let module = path.strip_prefix(&root).expect("a path below the root");
        let module = module.iter().next().expect("a file or a directory");
        if hidden.contains(module.to_string_lossy().trim_end_matches(".rs")) {
            continue;
        }
        let names = imported(&text);
        // Fields of a tuple without `pub` are private.
        for signature in signatures(&text) {
            let is_struct = item(signature).is_some_and(|(kind, _)| kind == "struct");
            let shown = match signature.split_once('(') {
                Some((_, fields)) if is_struct => {
                    let fields = fields.split(", ").filter(|field| field.starts_with("pub "));
                    fields.collect::<Vec<_>>().join(" ")
                }
                _ => signature.to_owned(),
            };
            let typed = |word: &&str| word.starts_with(char::is_uppercase);
            let path_of = |word: &str| {
                let other = word.strip_prefix("setrograde_")?;
                INTERNAL.contains(&other).then_some(word.to_owned())
            };
            let direct = words(&shown).filter_map(path_of);
            let names = words(&shown)
                .filter(typed)
                .filter(|word| names.contains(*word));
            let all: Vec<String> = names.map(str::to_owned).chain(direct).collect();
            if !all.is_empty() {
                let file = path.file_name().expect("a name").display();
                found.push(format!("{file}: {} in {}", all.join(", "), shown.trim()));
            }
        }
    }
    found
}

/// Types of records that the library exports as its own, because a board is part of a question.
const EXPORTED: [&str; 3] = ["Board", "DoubleDummy", "Doubt"];

/// Types in answers that the page makes itself.
const OF_THE_PAGE: [&str; 5] = ["Average", "Knowledge", "Plan", "SuitLine", "SureTarget"];

#[test]
fn promised_signatures_name_no_internal_type() {
    for name in PROMISED {
        let mut leaks = leaks(name);
        leaks.retain(|leak| {
            let (_, rest) = leak.split_once(": ").expect("names");
            let (names, _) = rest.split_once(" in ").expect("names");
            let is_named = |name| EXPORTED.contains(&name) || OF_THE_PAGE.contains(&name);
            !names.split(", ").all(is_named)
        });
        assert!(leaks.is_empty(), "{name}:\n{}", leaks.join("\n"));
    }
}

#[test]
fn an_internal_type_in_a_signature_is_seen() {
    let text = "
use setrograde_claim::{Plan, Step as Part};
pub struct A {
    pub plan: Option<Plan>,
    own: Plan,
}
pub fn f(
    part: Part,
) -> u8 {
}
pub struct B(Plan);
pub(crate) fn g(plan: Plan) {}
";
    let names = imported(text);
    let named = |signature: &&str| words(signature).any(|word| names.contains(word));
    let found: Vec<&str> = signatures(text).into_iter().filter(named).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].contains("plan:"), "{found:?}");
    assert!(found[1].contains("fn f"), "{found:?}");
}
