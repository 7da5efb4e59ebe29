//! Words that depend on the shell that starts the program: those of the command line, and of its
//! help.
//!
//! Help is written for the shells of Unix. PowerShell reads a file for standard input, a comma and the
//! end of a line that goes on otherwise.

use std::ffi::OsString;

use clap::Command;

/// The command line with its help for the shell of this system.
pub fn for_this_system(command: Command) -> Command {
    if cfg!(windows) {
        for_powershell(command)
    } else {
        command
    }
}

fn for_powershell(mut command: Command) -> Command {
    if let Some(help) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(powershell(&help));
    }
    let names = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned());
    for name in names.collect::<Vec<_>>() {
        command = command.mut_subcommand(name, for_powershell);
    }
    command
}

/// The text with its examples as PowerShell reads them.
pub fn powershell(text: &str) -> String {
    let mut goes_on = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_example = goes_on || line.starts_with("  setrograde ");
        goes_on = is_example && line.ends_with('\\');
        lines.push(if is_example {
            example(line)
        } else {
            line.to_owned()
        });
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

/// One line of an example.
fn example(line: &str) -> String {
    let (line, more) = match line.strip_suffix('\\') {
        Some(line) => (line, "`"),
        None => (line, ""),
    };
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut words: Vec<String> = Vec::new();
    // Words outside quotes with a comma are quoted: they would be lists.
    let mut quoted = false;
    for word in line.trim_start().split(' ') {
        let opens = word.matches('"').count() % 2 == 1;
        let plain = !quoted && !word.contains('"');
        words.push(if plain && word.contains(',') {
            format!("\"{word}\"")
        } else {
            word.to_owned()
        });
        quoted ^= opens;
    }
    let input = words.iter().position(|word| word == "<");
    if let Some(at) = input
        && at + 1 < words.len()
    {
        let file = words.remove(at + 1);
        words.remove(at);
        return format!("{indent}Get-Content {file} | {}{more}", words.join(" "));
    }
    format!("{indent}{}{more}", words.join(" "))
}

/// The words of the command line of this process.
pub fn arguments() -> Vec<OsString> {
    let words = std::env::args_os();
    if cfg!(windows) {
        words.flat_map(without_quotation_mark).collect()
    } else {
        words.collect()
    }
}

/// The words that were meant by a word on Windows, where the `\` of `"C:\new boards\" -o x` takes
/// the end away from the quotation: the word has a quotation mark, which no path has, and what
/// comes after it.
fn without_quotation_mark(word: OsString) -> Vec<OsString> {
    let split = word.to_str().and_then(|text| text.split_once('"'));
    let Some((path, rest)) = split else {
        return vec![word];
    };
    let is_path = path.contains(['\\', ':', '/']);
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
    if !is_path || !ends || rest.contains('"') {
        return vec![word];
    }
    let rest = rest.split_whitespace().map(OsString::from);
    [OsString::from(format!("{path}\\"))]
        .into_iter()
        .chain(rest)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_those_of_powershell() {
        for (unix, windows) in [
            (
                "  setrograde analyse - < plays.txt",
                "  Get-Content plays.txt | setrograde analyse -",
            ),
            (
                "  setrograde table --threads 4 - < deals.txt > tables.txt",
                "  Get-Content deals.txt | setrograde table --threads 4 - > tables.txt",
            ),
            (
                "  setrograde compare 3NT,4S --draw 20 \"AK5,7 x\" --if \"S<=3\" \\\n      \"N:? A,B\" 3,7",
                "  setrograde compare \"3NT,4S\" --draw 20 \"AK5,7 x\" --if \"S<=3\" `\n      \"N:? A,B\" \"3,7\"",
            ),
            (
                "  --board N    some boards: 3, or 1,4",
                "  --board N    some boards: 3, or 1,4",
            ),
            ("Examples:\n", "Examples:\n"),
        ] {
            assert_eq!(powershell(unix), windows);
        }
    }

    #[test]
    fn a_quotation_that_a_backslash_has_opened_is_understood() {
        for (word, words) in [
            (r#"C:\new boards\w16""#, &[r"C:\new boards\w16\"][..]),
            (r#"C:\w16" --cards 8"#, &[r"C:\w16\", "--cards", "8"]),
            (
                r#"external:"C:\my bot.exe" -q"#,
                &[r#"external:"C:\my bot.exe" -q"#],
            ),
            (r#"{"ask""#, &[r#"{"ask""#]),
            ("N:AKQ2... K... 3... 4...", &["N:AKQ2... K... 3... 4..."]),
        ] {
            assert_eq!(without_quotation_mark(word.into()), words, "{word}");
        }
    }

    /// No example of the help has what PowerShell refuses, and nothing else changes.
    #[test]
    fn all_help_is_for_powershell() {
        fn check(command: &Command, seen: &mut usize) {
            let help = command.get_after_help().map(ToString::to_string);
            for line in powershell(&help.unwrap_or_default()).lines() {
                if line.trim_start().starts_with("setrograde ") || line.contains("Get-Content") {
                    assert!(!line.contains(" < ") && !line.ends_with('\\'), "{line}");
                    *seen += 1;
                }
            }
            for sub in command.get_subcommands() {
                check(sub, seen);
            }
        }
        let mut seen = 0;
        check(&crate::commands::command(), &mut seen);
        assert!(seen > 50, "{seen}");
    }
}
