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
const FORMS: [&str; 6] = ["bash", "elvish", "fish", "powershell", "zsh", MAN];

/// Writes the completions or man pages of the whole command line.
pub fn run(arguments: &GenerateArguments, mut command: Command) -> anyhow::Result<Outcome> {
    let mut text = Vec::new();
    match (arguments.form.as_str(), &arguments.directory) {
        (MAN, Some(directory)) => clap_mangen::generate_to(command, directory)
            .with_context(|| format!("{}: cannot write", directory.display()))?,
        (MAN, None) => Man::new(command).render(&mut text)?,
        (shell, _) => {
            let shell: Shell = shell.parse().map_err(anyhow::Error::msg)?;
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut text);
        }
    }
    io::stdout().write_all(&text)?;
    Ok(Outcome::Done)
}
