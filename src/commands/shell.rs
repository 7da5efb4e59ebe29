//! The words of the command line, as the shell meant them that starts the program.

use std::ffi::OsString;

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
}
