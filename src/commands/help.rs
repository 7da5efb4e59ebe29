//! `setrograde help`: the help of a subcommand, or a topic.

use std::io::{self, Write};
use std::iter;

use anyhow::bail;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command};
use setrograde::RESULT_CONDITIONS;
use setrograde_beliefs::{CONDITIONS, joined};
use setrograde_records::Format;

use crate::Outcome;

/// The topics: name, summary, text.
pub const TOPICS: [(&str, &str, &str); 6] = [
    (
        "questions",
        "Positions, plays and hidden hands as text",
        include_str!("../help/questions.txt"),
    ),
    (
        "conditions",
        "What is known about hidden cards",
        include_str!("../help/conditions.txt"),
    ),
    (
        "dealer",
        "Scripts of the program dealer, read by `deal`",
        include_str!("../help/dealer.txt"),
    ),
    (
        "players",
        "The players of `play` and `tournament`",
        include_str!("../help/players.txt"),
    ),
    (
        "files",
        "Files of deals and boards, output files, the database",
        include_str!("../help/files.txt"),
    ),
    (
        "exit-status",
        "The exit status of the commands",
        include_str!("../help/exit_status.txt"),
    ),
];

/// Show the help of a command, or a topic.
#[derive(Args)]
pub struct HelpArguments {
    /// A command such as `solve` or `claim line`, or a topic such as `questions`.
    #[arg(value_name = "COMMAND")]
    about: Vec<String>,
}

/// Shows a topic, or a part of the help of the whole command line.
pub fn run(arguments: &HelpArguments, command: Command) -> anyhow::Result<Outcome> {
    if let [name] = &arguments.about[..]
        && let Some((_, _, text)) = TOPICS.iter().find(|(topic, _, _)| topic == name)
    {
        io::stdout().write_all(with_lists(text).as_bytes())?;
        return Ok(Outcome::Done);
    }
    let words = arguments.about.iter().map(String::as_str);
    let words = iter::once("setrograde").chain(words).chain(["--help"]);
    match command.try_get_matches_from(words) {
        Err(help) if help.kind() == ErrorKind::DisplayHelp => help.print()?,
        other => {
            let similar = match other
                .as_ref()
                .err()
                .map(|error| error.get(ContextKind::SuggestedSubcommand))
            {
                // The last is the most similar.
                Some(Some(ContextValue::Strings(names))) => names.last(),
                _ => None,
            };
            let hint = match similar {
                Some(name) => format!("did you mean `{name}`?"),
                None => "`setrograde help` lists both".to_owned(),
            };
            bail!(
                "{:?} is neither a command nor a topic; {hint}",
                arguments.about.join(" ")
            )
        }
    }
    Ok(Outcome::Done)
}

/// A topic with the lists of conditions and formats, which are the libraries'.
fn with_lists(text: &str) -> String {
    let mut topic = text.to_owned();
    let formats = Format::all().map(|(format, _)| format.guide().line);
    let formats = joined(formats, "\n");
    let lists = [
        ("{formats}\n", &*formats),
        ("{conditions}\n", CONDITIONS),
        ("{result conditions}\n", RESULT_CONDITIONS),
    ];
    for (mark, list) in lists {
        let lines = list.lines().map(|line| format!("  {line}\n"));
        topic = topic.replace(mark, &lines.collect::<String>());
    }
    topic
}
