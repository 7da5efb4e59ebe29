//! The subcommands, one file each. A new one is a module with its arguments and
//! a function `run`, a variant of [`Subcommand`], in the order of the help, and a line in
//! its `run`.

mod analyse;
mod best_line;
mod build;
mod certificates;
mod chunks;
mod claim;
mod compare;
mod db;
mod deal;
mod digest;
mod estimate;
mod generate;
mod help;
mod layouts;
mod leads;
mod lesson;
mod odds;
mod page;
mod par;
mod play;
mod query;
mod seal;
mod sets;
mod shell;
mod single_dummy;
mod solve;
mod stats;
mod suit;
mod table;
mod tournament;
mod unpack;
mod verify;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand as _};
use setrograde_beliefs::joined;

use crate::Outcome;
use crate::output;
use crate::output::printable::{acts, printable};

/// The headings of the help, each with the subcommand that follows it.
const HEADINGS: [(&str, &str); 4] = [
    ("solve", "Solve a deal"),
    ("claim", "Hidden hands"),
    ("play", "Play"),
    ("build", "Databases"),
];

/// Commands that the help names below its list.
const MORE: &[&str] = &["lesson", "layouts", "deal"];

/// Endgame databases for double-dummy bridge, and a double-dummy solver.
#[derive(Parser)]
#[command(name = "setrograde", bin_name = "setrograde", version, after_help = include_str!("../help/start.txt"), disable_help_subcommand = true)]
pub struct CommandLine {
    /// Show no progress on standard error; errors and warnings remain.
    #[arg(short, long, global = true, display_order = 93)]
    quiet: bool,
    /// The command to run.
    #[command(subcommand)]
    pub subcommand: Subcommand,
}

/// All subcommands, in the order of the help. The arguments of one are made once it is named.
#[derive(clap::Subcommand)]
#[command(defer = true)]
pub enum Subcommand {
    Solve(solve::SolveArguments),
    Table(table::TableArguments),
    Par(par::ParArguments),
    Analyse(analyse::AnalyseArguments),
    Lesson(lesson::LessonArguments),
    Page(page::PageArguments),
    Claim(claim::ClaimArguments),
    Odds(odds::OddsArguments),
    Leads(leads::LeadsArguments),
    Compare(compare::CompareArguments),
    SingleDummy(single_dummy::SingleArguments),
    Suit(suit::SuitArguments),
    Layouts(layouts::LayoutsArguments),
    Deal(deal::DealArguments),
    Play(play::PlayArguments),
    Tournament(tournament::TournamentArguments),
    Build(build::BuildArguments),
    Query(query::QueryArguments),
    Db(db::DbArguments),
    #[command(hide = true)]
    Generate(generate::GenerateArguments),
    #[command(hide = true)]
    Help(help::HelpArguments),
}

impl Subcommand {
    /// Runs a command line.
    pub fn run(&self) -> anyhow::Result<Outcome> {
        match self {
            Self::Solve(arguments) => solve::run(arguments),
            Self::Table(arguments) => table::run(arguments),
            Self::Par(arguments) => par::run(arguments),
            Self::Analyse(arguments) => analyse::run(arguments),
            Self::Lesson(arguments) => lesson::run(arguments),
            Self::Claim(arguments) => claim::run(arguments),
            Self::Odds(arguments) => odds::run(arguments),
            Self::Leads(arguments) => leads::run(arguments),
            Self::Compare(arguments) => compare::run(arguments),
            Self::Deal(arguments) => deal::run(arguments),
            Self::SingleDummy(arguments) => single_dummy::run(arguments),
            Self::Suit(arguments) => suit::run(arguments),
            Self::Layouts(arguments) => layouts::run(arguments),
            Self::Page(arguments) => page::run(arguments),
            Self::Play(arguments) => play::run(arguments),
            Self::Tournament(arguments) => tournament::run(arguments),
            Self::Build(arguments) => build::run(arguments),
            Self::Query(arguments) => query::run(arguments),
            Self::Db(arguments) => db::run(arguments),
            Self::Generate(arguments) => generate::run(arguments, command()),
            Self::Help(arguments) => help::run(arguments, command()),
        }
    }
}

/// Reads the command line.
pub fn read() -> Result<Subcommand, clap::Error> {
    let words = shell::arguments();
    let read = CommandLine::command().try_get_matches_from(&words);
    let matches = read.map_err(|error| match error.kind() {
        ErrorKind::DisplayVersion => error,
        // Help and suggestions take the whole definition, which is made in as much time as all else.
        _ => {
            // The message repeats words.
            let shown = words.iter().map(|word| {
                let text = word.to_string_lossy();
                if text.contains(acts) {
                    printable(&text).into_owned().into()
                } else {
                    word.clone()
                }
            });
            let again = command().try_get_matches_from(shown);
            with_tips(again.err().unwrap_or(error))
        }
    })?;
    let CommandLine { quiet, subcommand } = CommandLine::from_arg_matches(&matches)?;
    output::set_quiet(quiet);
    let mut innermost = &matches;
    while let Some((_, of)) = innermost.subcommand() {
        innermost = of;
    }
    let json = innermost.try_get_one::<bool>("json");
    output::set_json(json.is_ok_and(|json| json == Some(&true)));
    Ok(subcommand)
}

/// Adds the command that was meant to the error about a missing one: the commands that take
/// questions for a question or a file, `db verify` for `verify`. Removes the tip to write an unknown
/// option after `--`, where it would be a question.
fn with_tips(mut error: clap::Error) -> clap::Error {
    let tip = match error.get(ContextKind::InvalidSubcommand) {
        // Names of commands have none of these.
        Some(ContextValue::String(word)) if word.contains([' ', '.', ':', '/']) => Some(
            "`setrograde table` takes deals and files of boards, `setrograde solve` endings"
                .to_owned(),
        ),
        Some(ContextValue::String(word)) if db::DbCommand::has_subcommand(word) => {
            Some(format!("`setrograde db {word}`"))
        }
        _ => match error.get(ContextKind::InvalidValue) {
            Some(ContextValue::String(value)) if value == "results" => Some(
                "`setrograde analyse --format results` has the results of an evening".to_owned(),
            ),
            _ => None,
        },
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested)
    {
        let is_of_use = |tip: &StyledStr| !tip.to_string().contains("as a value, use");
        let tips: Vec<_> = tips.into_iter().filter(is_of_use).collect();
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    error
}

/// The definition of the command line, from which help, completions and man pages
/// are made.
pub fn command() -> Command {
    let mut command = CommandLine::command();
    command.build();
    let is_more = |name| MORE.contains(&name);
    let mut list = String::new();
    for shown in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = shown.get_name();
        if is_more(name) {
            continue;
        }
        if let Some((_, heading)) = HEADINGS.iter().find(|(first, _)| *first == name) {
            list += &format!("\n{heading}:\n");
        }
        let about = shown.get_about().map(ToString::to_string);
        list += &format!("  {name:13} {}\n", about.unwrap_or_default());
    }
    let more = command.get_subcommands().map(Command::get_name);
    let more = joined(more.filter(|&name| is_more(name)), ", ");
    list += &format!("\nMore: {more} (`setrograde help COMMAND`)\n");
    list += "\nHelp topics (`setrograde help TOPIC`):\n";
    for (name, about, _) in help::TOPICS {
        list += &format!("  {name:13} {about}\n");
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        let command = command();
        for (first, _) in HEADINGS {
            assert!(command.find_subcommand(first).is_some(), "{first}");
        }
        command.debug_assert();
    }
}
