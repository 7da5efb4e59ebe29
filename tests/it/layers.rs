//! No crate depends on one above it or at its own level, not even for its tests.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::command::finish;

/// The crates that each crate may depend on, from the bottom up: those of its
/// own list, and all that those may depend on.
const LAYERS: [(&str, &[&str]); 23] = [
    ("check", &[]),
    ("cards", &[]),
    ("parallel", &[]),
    ("endgame", &["cards"]),
    ("lookup", &["endgame", "parallel"]),
    ("builder", &["lookup"]),
    ("verify", &["lookup"]),
    ("solver", &["lookup"]),
    ("records", &["cards"]),
    ("beliefs", &["cards", "parallel"]),
    ("claim", &["solver", "beliefs"]),
    ("single-dummy", &["claim"]),
    ("play", &["single-dummy"]),
    ("", &["single-dummy", "records"]),
    ("page", &[""]),
    ("probe", &["lookup"]),
    ("ask", &[""]),
    ("dds", &["solver"]),
    ("prove", &["solver", "check"]),
    ("cli", &["", "builder", "verify", "play", "prove"]),
    ("serve", &[""]),
    ("experiments", &["builder", "play", "prove"]),
    ("fuzz", &["builder", "page", "play", "verify"]),
];

/// All crates below another.
fn below(name: &str) -> Vec<&'static str> {
    let layer = LAYERS.iter().find(|(layer, _)| *layer == name);
    let (_, direct) = layer.unwrap_or_else(|| panic!("no layer has the crate {name}"));
    let mut all = direct.to_vec();
    for name in *direct {
        all.extend(below(name));
    }
    all
}

/// The workspace's crates, without the prefix that their names share, and the
/// others of them that each depends on, by a dependency whose kind is `counted`.
fn dependencies(counted: impl Fn(&Value) -> bool) -> BTreeMap<String, Vec<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args("metadata --format-version 1 --no-deps --offline --manifest-path".split(' '));
    let printed = finish(cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
    printed.ended(0);
    let metadata = printed.json();
    let short = |name: &Value| -> Option<String> {
        let name = name.as_str()?;
        let name = name.strip_prefix("setrograde")?;
        Some(name.trim_start_matches('-').to_owned())
    };
    let package = |package: &Value| {
        let list = package["dependencies"].as_array()?;
        let counted = list.iter().filter(|other| counted(&other["kind"]));
        let dependencies = counted.filter_map(|other| short(&other["name"]));
        let name = short(&package["name"])?;
        // For its tests a crate may have features of its own.
        let dependencies = dependencies.filter(|other| *other != name);
        Some((name.clone(), dependencies.collect()))
    };
    let packages = metadata["packages"].as_array().expect("a list");
    packages.iter().filter_map(package).collect()
}

#[test]
fn no_crate_depends_on_one_above_or_beside_it() {
    let crates = dependencies(|_| true);
    assert!(crates.len() >= 6, "{crates:?}");
    for (name, dependencies) in crates {
        let below = below(&name);
        for other in dependencies {
            let is_below = below.contains(&other.as_str());
            assert!(is_below, "{name} depends on {other}, which is not below it");
        }
    }
}

/// Maximum number of the project's crates that a door imports, apart from its tests. The aim is the
/// facade and three more.
const MOST_IMPORTED: [(&str, usize); 4] = [("cli", 8), ("page", 2), ("serve", 1), ("ask", 1)];

#[test]
fn doors_import_few_crates() {
    // Those of tests and build scripts have a kind.
    let crates = dependencies(Value::is_null);
    for (door, most) in MOST_IMPORTED {
        let imported: BTreeSet<&String> = crates[door].iter().collect();
        assert!(imported.len() <= most, "{door}: {imported:?}");
    }
}

/// The packages of a lock file: the version of each name and compatible range, as in `1` or `0.3`.
fn locked(file: &str) -> BTreeMap<(String, String), String> {
    let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a lock file");
    let package = |package: &str| {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name));
            line.expect("a field").trim_matches('"').to_owned()
        };
        let version = field("version = ");
        let parts = if version.starts_with("0.") { 2 } else { 1 };
        let range: Vec<&str> = version.split('.').take(parts).collect();
        ((field("name = "), range.join(".")), version)
    };
    text.split("[[package]]").skip(1).map(package).collect()
}

/// The other workspaces have the versions of the main one, so what is measured, fuzzed and shipped
/// is the same.
#[test]
fn lock_files_agree() {
    let main = locked("Cargo.lock");
    assert!(main.len() > 100, "{}", main.len());
    for workspace in ["lab/comparisons", "python"] {
        for (package, version) in locked(&format!("{workspace}/Cargo.lock")) {
            let expected = main.get(&package).unwrap_or(&version);
            assert_eq!(&version, expected, "{workspace}/Cargo.lock: {package:?}");
        }
    }
}
