//! `setrograde generate`: shell completions and man pages, from the definitions of
//! the command line.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::Outcome;

/// Make shell completions or man pages.
#[derive(Args)]
#[command(after_help = include_str!("../help/generate.txt"))]
pub struct GenerateArguments {
    /// The completions of a shell, or man pages.
    #[arg(value_parser = FORMS)]
    form: String,
    /// Write a man page for each command into this directory; without it only the page of
    /// `setrograde` is printed.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// The form that is no shell's.
const MAN: &str = "man";

/// All forms.
pub const FORMS: [&str; 6] = ["bash", "elvish", "fish", "powershell", "zsh", MAN];

/// Writes the completions or man pages of the whole command line.
pub fn run(arguments: &GenerateArguments, command: Command) -> anyhow::Result<Outcome> {
    match &arguments.directory {
        Some(directory) if arguments.form == MAN => clap_mangen::generate_to(command, directory)
            .with_context(|| format!("{}: cannot write", directory.display()))?,
        _ => print(&arguments.form, command)?,
    }
    Ok(Outcome::Done)
}

/// Prints the completions of a shell for a program, or its man page.
///
/// # Errors
///
/// If the form is not among [`FORMS`], or standard output cannot be written.
pub fn print(form: &str, mut command: Command) -> anyhow::Result<()> {
    let mut text = Vec::new();
    if form == MAN {
        Man::new(command).render(&mut text)?;
    } else {
        let shell: Shell = form.parse().map_err(anyhow::Error::msg)?;
        let name = command.get_name().to_owned();
        clap_complete::generate(shell, &mut command, name, &mut text);
    }
    io::stdout().write_all(&text)?;
    Ok(())
}
