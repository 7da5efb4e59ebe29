//! `setrograde-check`: checks certificates.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::process::ExitCode;

use setrograde_check::{Proved, check, read};

const HELP: &str = "\
Checks certificates, which prove the 20 double-dummy results of a deal, as `setrograde table
--certificate FILE DEAL` writes them. Prints each deal and its results.

Usage: setrograde-check FILE...

Exit status: 0 if all are accepted, 1 if one is refused, 2 without a file.
Example: setrograde-check deal.certificate
";

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    let help = files.iter().any(|file| file == "--help" || file == "-h");
    if help || files.is_empty() {
        eprint!("{HELP}");
        return ExitCode::from(if help { 0 } else { 2 });
    }
    let mut status = ExitCode::SUCCESS;
    for file in files {
        match checked(&file) {
            Ok(proved) => print!("{proved}"),
            Err(error) => {
                // A name may hold what acts on a terminal.
                let name = file.to_string_lossy();
                eprintln!("{}: refused: {error}", name.escape_debug());
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

fn checked(file: &OsStr) -> Result<Proved, Box<dyn Error>> {
    Ok(check(&read(File::open(file)?)?)?)
}
