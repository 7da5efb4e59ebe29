//! The promise of the libraries: how many items it has, and that no signature names a type of a
//! crate that promises nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose interface has a promise.
const PROMISED: [&str; 3] = ["facade", "lookup", "solver"];

/// Maximum number of promised items: types, functions, methods, constants and modules, those that
/// are exported from other crates included.
const MOST_ITEMS: usize = 495;

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

/// An item, and the type that it belongs to, or itself.
struct PublicItem {
    owner: String,
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/{name}/src"))
}

/// The sources of a crate without those of its tests and of the feature `open-search`, each without
/// comments and attributes.
fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if name == "tests" || name == "tests.rs" || name == "open.rs" {
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

/// The public items of a crate's sources.
fn items(name: &str) -> Vec<PublicItem> {
    let mut found = Vec::new();
    for (_, text) in sources(&source(name)) {
        let mut owner = None;
        for line in text.lines() {
            if line.starts_with("impl") {
                owner = implemented(line).map(str::to_owned);
            } else if line.starts_with('}') {
                owner = None;
            }
            if let Some((_, name)) = item(line) {
                let owner = owner.clone().unwrap_or_else(|| name.to_owned());
                found.push(PublicItem { owner });
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
        if line.contains("#[doc(hidden)]") {
            is_hidden = true;
        } else if let Some(module) = line.strip_prefix("pub mod ") {
            let from = module.trim_end_matches(';').to_owned();
            let names = BTreeSet::new();
            found.push(Export {
                is_hidden,
                from,
                names,
            });
            is_hidden = false;
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
            let names = words(list).map(str::to_owned).collect();
            let from = from.to_owned();
            found.push(Export {
                is_hidden,
                from,
                names,
            });
            is_hidden = false;
        } else if !line.starts_with("#[") {
            is_hidden = false;
        }
    }
    found
}

/// The promised items of each crate, and of the crates that they export.
fn promised() -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    let mut whole = BTreeSet::new();
    for name in PROMISED {
        let exports = exports(name);
        let hidden = exports.iter().filter(|export| export.is_hidden);
        let hidden: BTreeSet<&str> = hidden
            .flat_map(|export| export.names.iter().map(String::as_str))
            .collect();
        // The files of hidden modules hide all that they have.
        let modules: Vec<&str> = exports
            .iter()
            .filter(|export| export.is_hidden && export.names.is_empty())
            .map(|export| export.from.as_str())
            .collect();
        let in_modules: usize = modules
            .iter()
            .map(|module| module_items(name, module))
            .sum();
        let own = items(name);
        let own = own.iter().filter(|item| !hidden.contains(&*item.owner));
        counted.push((name.to_owned(), own.count() - in_modules));
        for export in exports.iter().filter(|export| !export.is_hidden) {
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
                    let of = of.iter().filter(|item| item.owner == *name);
                    counted.push((format!("{other}::{name}"), of.count()));
                }
            }
        }
    }
    counted
}

/// The number of public items of a module and of those below it.
fn module_items(name: &str, module: &str) -> usize {
    let root = source(name);
    let count = |text: &str| text.lines().filter(|line| item(line).is_some()).count();
    if root.join(module).is_dir() {
        let files = sources(&root.join(module));
        files.iter().map(|(_, text)| count(text)).sum()
    } else {
        let file = root.join(format!("{module}.rs"));
        let files = sources(&root);
        let files = files.iter().filter(|(path, _)| *path == file);
        files.map(|(_, text)| count(text)).sum()
    }
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
    for (path, text) in sources(&root) {
        let module = path.strip_prefix(&root).expect("a path below the root");
        let module = module.iter().next().expect("a file or a directory");
        if hidden.contains(module.to_string_lossy().trim_end_matches(".rs")) {
            continue;
        }
        let names = imported(&text);
        // Fields of a tuple without `pub` are private.
        for signature in signatures(&text) {
            let is_tuple = item(signature).is_some_and(|(kind, _)| kind == "struct")
                && signature.contains('(');
            let shown = if is_tuple {
                let fields = signature.split_once('(').map_or("", |(_, fields)| fields);
                let fields = fields.split(", ").filter(|field| field.starts_with("pub "));
                fields.collect::<Vec<_>>().join(" ")
            } else {
                signature.to_owned()
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
            let names = leak
                .split_once(": ")
                .and_then(|(_, rest)| rest.split_once(" in "));
            let names = names.expect("names").0;
            let is_named = |name| EXPORTED.contains(&name) || OF_THE_PAGE.contains(&name);
            !names.split(", ").all(is_named)
        });
        assert!(leaks.is_empty(), "{name}:\n{}", leaks.join("\n"));
    }
}

#[test]
fn an_internal_type_in_a_signature_is_seen() {
    let text = "\nuse setrograde_claim::{Plan, Step as Part};\npub struct A {\n    pub plan: Option<Plan>,\n    own: Plan,\n}\npub fn f(\n    part: Part,\n) -> u8 {\n}\npub struct B(Plan);\npub(crate) fn g(plan: Plan) {}\n";
    let names = imported(text);
    let named = |signature: &str| words(signature).any(|word| names.contains(word));
    let found: Vec<&str> = signatures(text)
        .into_iter()
        .filter(|of| named(of))
        .collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].contains("plan:") && found[1].contains("fn f"),
        "{found:?}"
    );
}
