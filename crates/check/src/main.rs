//! `setrograde-check`: checks certificates.

use std::fs::File;
use std::process::ExitCode;

use setrograde_check::{CheckError, Proved, check, read};

const HELP: &str = "\
Checks certificates: proofs of the 20 double-dummy results of a bridge deal, as `setrograde table
--certificate FILE DEAL` writes them. Prints the deals and their results.

Usage: setrograde-check FILE...

Exit status: 0 if all are accepted, 1 if one is not, 2 if the arguments are wrong.

Example:
  setrograde-check deal.certificate
";

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.iter().any(|file| file == "--help" || file == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if files.is_empty() {
        eprint!("{HELP}");
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    for file in files {
        let opened = File::open(&file).map_err(CheckError::from);
        match opened.and_then(read).and_then(|bytes| check(&bytes)) {
            Ok(proved) => print(&proved),
            Err(error) => {
                eprintln!("{}: refused: {error}", file.display());
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

fn print(proved: &Proved) {
    println!("{}\n      NT   S   H   D   C", proved.deal);
    for (declarer, name) in ["N", "E", "S", "W"].iter().enumerate() {
        let tricks = proved.results.map(|strain| strain[declarer]);
        println!(
            "  {name}{}",
            tricks.map(|tricks| format!("{tricks:4}")).concat()
        );
    }
    println!("proved by {} lemmas", proved.lemmas);
}
