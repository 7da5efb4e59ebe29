//! A C program that uses the shared library, and the library's symbols and name.
//!
//! Tests that need a C compiler, `nm` or `readelf` are skipped with a message if it is missing.

#![cfg(target_os = "linux")]

#[path = "../../../probe/tests/library/mod.rs"]
mod library;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use library::{assert_exports, assert_name, compile, link_to};

/// Returns the directory in which Cargo put this test and the library.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this program");
    let folder = test.parent().expect("its directory").to_owned();
    link_to(&folder, "libsetrograde_ask.so", "libsetrograde_ask.so.1");
    folder
}

/// Compiles `docs/single_dummy.c` and runs it.
fn run_c() -> Option<Output> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("single_dummy");
    let mut command = Command::new("cc");
    command.args([
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-pedantic",
        "-Werror",
        "-O1",
    ]);
    command
        .arg("-I")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/include"));
    command.arg(root.join("docs/single_dummy.c"));
    command.arg("-o").arg(&program).arg("-L").arg(built());
    compile(command.arg("-lsetrograde_ask"))?;
    let mut command = Command::new(&program);
    command.env("LD_LIBRARY_PATH", built());
    Some(command.output().expect("the program just compiled"))
}

#[test]
fn the_program_about_hidden_cards_compiles_and_runs() {
    let Some(output) = run_c() else {
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{reported}");
    let answers: Vec<serde_json::Value> = shown
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [suit, _, line, solved, refused] = &answers[..] else {
        panic!("{shown}");
    };
    // Two finesses against king and queen: four tricks in 75.9 %.
    let chance = suit["lines"][0]["chance"].as_f64().expect("a number");
    assert!((chance - 0.76).abs() < 0.01, "{suit}");
    assert_eq!(suit["at_least"][4], suit["lines"][0]["chance"]);
    assert!(suit["average"]["mean"].as_f64() > Some(3.5), "{suit}");
    assert_eq!(line["worth"], line["at_most"]);
    assert_eq!(line["tricks"], serde_json::json!([0, 2]));
    assert_eq!(line["line"]["steps"][0]["done"], true);
    assert_eq!(solved["tricks"], 2);
    assert!(refused["error"].is_string(), "{refused}");
}

#[test]
fn the_library_exports_nothing_else_and_has_the_name_that_programs_look_for() {
    let library = built().join("libsetrograde_ask.so");
    let names = ["sg_ask", "sg_desk_ask", "sg_desk_free", "sg_desk_new"];
    assert_exports(&library, &names);
    assert_name(&library, "libsetrograde_ask.so.1");
}
