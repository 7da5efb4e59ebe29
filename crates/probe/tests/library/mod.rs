//! What tests of shared libraries need: tools that may be missing, and what these say. Tests of several
//! crates include this file.

use std::path::Path;
use std::process::{Command, Output};

/// Gives a library the name under which programs look for it.
pub fn link_to(folder: &Path, library: &str, name: &str) {
    // Another test may do the same.
    let _ = std::os::unix::fs::symlink(library, folder.join(name));
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

/// Runs a compiler, which must succeed; `None` if there is no such compiler.
pub fn compile(command: &mut Command) -> Option<()> {
    let compiled = tool(command)?;
    let problem = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{command:?}: {problem}");
    Some(())
}

/// Checks the names that a library exports, in alphabetical order.
pub fn assert_exports(library: &Path, expected: &[&str]) {
    if let Some(output) = tool(
        Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(library),
    ) {
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text
            .lines()
            .filter_map(|line| line.split_whitespace().nth(2));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        assert_eq!(names, expected);
    }
}

/// Checks the name under which programs look for a library.
pub fn assert_name(library: &Path, name: &str) {
    if let Some(output) = tool(Command::new("readelf").arg("-d").arg(library)) {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("soname: [{name}]")), "{text}");
    }
}
