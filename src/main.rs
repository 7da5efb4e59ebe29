//! The command `setrograde`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    setrograde_cli::main()
}
