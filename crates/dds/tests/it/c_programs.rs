//! C programs that use the shared library, and the library's symbols and name.
//!
//! Tests that need a C compiler, `nm` or `readelf` are skipped with a message if it is missing.

#![cfg(target_os = "linux")]

#[path = "../../../probe/tests/library/mod.rs"]
mod library;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use library::{assert_exports, assert_name, compile, link_to, tool};

/// The directory in which Cargo put this test and the library.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this program");
    test.parent().expect("its directory").to_owned()
}

fn library() -> PathBuf {
    built().join("libdds.so")
}

/// Compiles a program of `tests/c` or `docs` and runs it.
fn run_c(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Option<Output> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["tests/c", "../../docs"].map(|folder| here.join(folder));
    let sources = folders.map(|folder| folder.join(format!("{name}.c")));
    let source = sources.into_iter().find(|source| source.exists())?;
    // A folder for each run: a program cannot be run while another test writes it.
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join(name);
    link_to(&built(), "libdds.so", "libdds.so.0");
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-I"]);
    command
        .arg(here.join("include"))
        .arg(source)
        .arg("-o")
        .arg(&program);
    command.arg("-L").arg(built());
    compile(command.args(["-ldds", "-lpthread", "-ldl"]))?;
    let mut command = Command::new(&program);
    command.args(arguments).env("LD_LIBRARY_PATH", built());
    for (name, value) in environment {
        command.env(name, value);
    }
    Some(command.output().expect("the program just compiled"))
}

fn passes(name: &str, arguments: &[&str]) {
    if let Some(output) = run_c(name, arguments, &[]) {
        assert!(
            output.status.success(),
            "{name}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// Layouts are those of DDS, 64 threads get what one gets, what was asked before changes no answer,
/// loading, forking and unloading are safe, and bad pointers and texts are refused.
#[test]
fn programs_pass() {
    passes("layout", &[]);
    passes("threads", &["1000"]);
    passes("contexts", &["3000"]);
    passes("load", &[library().to_str().expect("a path")]);
    passes("hostile", &[]);
}

#[test]
fn a_wrong_database_is_reported_once_and_ignored() {
    let nowhere = [("SETROGRADE_DB", "/nonexistent/database")];
    if let Some(output) = run_c("threads", &["10"], &nowhere) {
        assert!(output.status.success());
        let reported = String::from_utf8_lossy(&output.stderr);
        assert_eq!(reported.lines().count(), 1, "{reported}");
        assert!(reported.contains("/nonexistent/database"), "{reported}");
    }
}

/// The lines of the example in docs/libdds.md, with the home of a user who has just come.
#[test]
fn the_example_of_the_document_compiles_and_runs_as_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let is_there = |name| tool(Command::new(name).arg("--version")).is_some();
    if !is_there("cc") || !is_there("pkg-config") {
        return;
    }
    let document = std::fs::read_to_string(root.join("docs/libdds.md")).expect("there");
    let printed = document
        .split("```sh\n")
        .find(|part| part.starts_with("PREFIX="));
    let lines = printed
        .and_then(|part| part.split("```").next())
        .expect("the example begins with PREFIX=");
    let home = built().join("dds-test-home");
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir(&home).expect("made");
    // Other files that they write go there too.
    let lines = lines
        .replace("-o table", "-o $HOME/table")
        .replace("./table", "$HOME/table");
    let output = Command::new("sh")
        .args(["-e", "-c", &lines])
        .current_dir(&root)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", &home)
        .env("BUILT", built())
        .output()
        .expect("a shell");
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{reported}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("\nsetrograde\n-----"), "{shown}");
    assert!(shown.contains("NT  2 11  2 10"), "{shown}");
    let _ = std::fs::remove_dir_all(&home);
}

#[test]
fn the_library_exports_nothing_else_and_has_the_name_that_programs_look_for() {
    // Which a test compares with the headers.
    let list = include_str!("../../dds.def");
    let listed = list.lines().filter_map(|line| line.strip_prefix("    "));
    assert_exports(&library(), &listed.collect::<Vec<_>>());
    assert_name(&library(), "libdds.so.0");
}
