//! Texts from files, names of files and arguments, as they may be printed.

use std::borrow::Cow;
use std::path::Path;

/// Returns a text in which every control character is written as `\u{1b}`, except line breaks and
/// tabs: what a stranger's file says must not act on a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match acts(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Returns a path as it may be printed.
pub fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_do_not_act() {
        assert_eq!(printable("a ♠\n\tb"), "a ♠\n\tb");
        let found = printable("\u{1b}]0;x\u{7}\u{9b}31m\r");
        assert_eq!(found, r"\u{1b}]0;x\u{7}\u{9b}31m\u{d}");
    }
}
