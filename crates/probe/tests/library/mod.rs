//! A shared library that a test builds, and the tools that it needs. Tests of several crates
//! include this file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Builds the library of a package as a user does, once, and returns its directory. Cargo does not
/// build shared libraries for tests.
pub fn built(package: &str, library: &str) -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().expect("the path of this program");
        let folder = test.ancestors().nth(2).expect("target/debug");
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--locked", "-p", package, "--lib", "--target-dir"]);
        command.arg(folder.parent().expect("target"));
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            command.arg("--release");
        }
        let output = command.output().expect("Cargo runs this test");
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{problem}");
        // The name under which programs look for it.
        let link = folder.join(format!("{library}.1"));
        if std::fs::symlink_metadata(&link).is_err() {
            let _ = std::os::unix::fs::symlink(library, &link);
        }
        folder.to_owned()
    })
}

/// Runs a tool; `None`, with a line, if this machine has none.
pub fn tool(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("skipped, no {}: {error}", command.get_program().display());
            None
        }
    }
}
