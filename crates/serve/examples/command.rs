//! The command `setrograde`, with whose answers tests compare those of the server.

use std::process::ExitCode;

fn main() -> ExitCode {
    setrograde_cli::main()
}
