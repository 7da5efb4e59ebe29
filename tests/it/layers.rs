//! No crate depends on one above it, nor on one beside it, not even for its
//! tests; and no module imports one that imports it, directly or by others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The crates that each crate may depend on, from the bottom up: those of its
/// own list, and all that those may depend on.
const LAYERS: [(&str, &[&str]); 13] = [
    ("cards", &[]),
    ("endgame", &["cards"]),
    ("lookup", &["endgame"]),
    ("builder", &["lookup"]),
    ("verify", &["lookup"]),
    ("solver", &["lookup"]),
    ("records", &["cards"]),
    ("beliefs", &["cards"]),
    ("claim", &["solver", "beliefs", "records"]),
    ("play", &["claim"]),
    ("dds", &["solver"]),
    ("experiments", &["builder", "verify", "play"]),
    ("", &["builder", "verify", "play", "records"]),
];

/// All crates below another.
fn below(name: &str) -> Vec<&'static str> {
    let direct = LAYERS
        .iter()
        .find(|(layer, _)| *layer == name)
        .unwrap_or_else(|| panic!("the crate {name} has no place among the layers"))
        .1;
    let mut all = direct.to_vec();
    for name in direct {
        all.extend(below(name));
    }
    all
}

/// The workspace's crates, without the prefix that their names share, and the
/// others of them that each depends on in any way.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
        ])
        .output()
        .expect("cargo starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let short = |name: &Value| -> Option<String> {
        let name = name.as_str()?;
        let name = name.strip_prefix("setrograde")?;
        Some(name.trim_start_matches('-').to_owned())
    };
    let packages = metadata["packages"].as_array().expect("a list");
    packages
        .iter()
        .filter_map(|package| {
            let list = package["dependencies"].as_array()?;
            let dependencies = list.iter().filter_map(|other| short(&other["name"]));
            Some((short(&package["name"])?, dependencies.collect()))
        })
        .collect()
}

#[test]
fn no_crate_depends_on_one_above_or_beside_it() {
    let crates = dependencies();
    assert!(crates.len() >= 6, "{crates:?}");
    for (name, dependencies) in crates {
        let below = below(&name);
        for other in dependencies {
            assert!(
                below.contains(&other.as_str()),
                "{name} depends on {other}, which is not below it"
            );
        }
    }
}

/// The modules of a crate, each with its text, in which tests and comments are
/// left out.
fn modules(folder: &Path, name: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("");
        let inner = match name {
            "" => stem.to_owned(),
            _ => format!("{name}::{stem}"),
        };
        if path.is_dir() {
            modules(&path, &inner, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or("");
            let code = text
                .lines()
                .map(|line| line.split("//").next().unwrap_or(""));
            let module = match stem {
                "lib" | "main" => continue,
                "mod" => name.to_owned(),
                _ => inner,
            };
            found.insert(module, code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The modules that a text names by their paths from the crate's root.
fn imports(text: &str, modules: &BTreeMap<String, String>) -> BTreeSet<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let module = |rest: &str| {
        let mut path: String = rest.chars().take_while(|&c| is_path(c)).collect();
        while !modules.contains_key(&path) {
            let end = path.rfind("::")?;
            path.truncate(end);
        }
        Some(path)
    };
    text.split("crate::").skip(1).filter_map(module).collect()
}

/// The modules of a circle of imports, if there is one.
fn circle(modules: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let mut left: BTreeMap<String, BTreeSet<String>> = modules
        .iter()
        .map(|(name, text)| {
            let mut others = imports(text, modules);
            others.remove(name);
            (name.clone(), others)
        })
        .collect();
    // Take away what imports nothing that is left, until nothing or a circle is.
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, others| !others.is_disjoint(&names));
        if left.is_empty() {
            return None;
        }
        if left.len() == before {
            return Some(left.into_keys().collect());
        }
    }
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("a folder");
    let mut sources: Vec<_> = crates
        .map(|entry| entry.expect("an entry").path().join("src"))
        .collect();
    sources.push(root.join("src"));
    for source in sources.iter().filter(|source| source.is_dir()) {
        let mut found = BTreeMap::new();
        modules(source, "", &mut found);
        if let Some(circle) = circle(&found) {
            panic!(
                "{}: among {circle:?} are circles of imports",
                source.display()
            );
        }
    }
    let text = |text: &str| text.to_owned();
    let two = [("a", "use crate::b::B;"), ("b", "use crate::a;"), ("c", "")];
    let two = two.map(|(name, code)| (text(name), text(code)));
    assert_eq!(
        circle(&BTreeMap::from(two)),
        Some(vec![text("a"), text("b")])
    );
}
