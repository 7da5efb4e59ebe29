//! Texts from files, names of files and arguments, as they may be printed.

use std::borrow::Cow;

pub use setrograde_records::acts;

/// Returns true if an argument of the command line has characters that [act](acts): a message that
/// repeats it is to be [printable].
pub fn arguments_act() -> bool {
    let mut arguments = std::env::args_os();
    arguments.any(|argument| argument.to_string_lossy().contains(acts))
}

/// Returns a line in which every character that [acts](acts) is written as `\u{1b}`, and a line break
/// as `\n`: what a stranger's file says must not act on a terminal, nor look like another line.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text.into(), Escape::Line)
}

/// The way to write a character that [acts](acts) on a terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// As `\u{1b}`, and a line break as `\n`.
    Line,
    /// As `\u{1b}`; line breaks stay.
    Lines,
    /// As `\u001b`. JSON itself escapes only some of these characters.
    Json,
}

/// Escapes the characters of a text that [act](acts) on a terminal.
pub(crate) fn escaped(text: Cow<'_, str>, way: Escape) -> Cow<'_, str> {
    let acts = |c: char| acts(c) && (way != Escape::Lines || c != '\n');
    if !text.contains(acts) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match way {
            _ if !acts(c) => shown.push(c),
            Escape::Json => shown += &format!("\\u{:04x}", u32::from(c)),
            Escape::Line if c == '\n' => shown += "\\n",
            Escape::Line | Escape::Lines => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_do_not_act() {
        assert_eq!(printable("a ♠\tb"), "a ♠\tb");
        assert_eq!(
            printable("a\nd: complete and correct"),
            "a\\nd: complete and correct"
        );
        let found = printable("\u{1b}]0;x\u{7}\u{9b}31m\r");
        assert_eq!(found, r"\u{1b}]0;x\u{7}\u{9b}31m\u{d}");
        let found = printable("a\u{202e}gnp.\u{2066}\u{200b}\u{feff}");
        assert_eq!(found, r"a\u{202e}gnp.\u{2066}\u{200b}\u{feff}");
    }
}
