//! `setrograde-check`: checks certificates.

use std::error::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::process::ExitCode;

use setrograde_check::{check, read};

const HELP: &str = "\
Checks certificates, which prove double-dummy results, as `setrograde table --certificate FILE
DEAL` writes them. Prints each deal and its results. `-` is standard input.

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
        if let Err(error) = check_all(&file) {
            // A name may hold what acts on a terminal.
            let name = file.to_string_lossy();
            eprintln!("{}: {error}", name.escape_debug());
            status = ExitCode::FAILURE;
        }
    }
    status
}

/// Checks the certificates of a file up to the first that is refused.
fn check_all(file: &OsStr) -> Result<(), Box<dyn Error>> {
    let mut file: Box<dyn BufRead> = match file.to_str() {
        Some("-") => Box::new(stdin().lock()),
        _ => Box::new(BufReader::new(File::open(file)?)),
    };
    if file.fill_buf()?.is_empty() {
        return Err("it is empty".into());
    }
    for number in 1.. {
        let refused = |error: &dyn Error| format!("certificate {number} is refused: {error}");
        let Some(bytes) = read(&mut file).map_err(|error| refused(&error))? else {
            break;
        };
        let proved = check(&bytes).map_err(|error| refused(&error))?;
        write!(stdout(), "{proved}")?;
    }
    Ok(())
}
