//! `setrograde page`: a file with boards inside, which any browser shows and solves.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use setrograde_records::Records;

use crate::Outcome;
use crate::output::say;
use crate::output::unfinished::write_file;
use crate::questions::sources::Source;

/// The page, if this program was built with it: `--features page`, after
/// `node page/build.mjs`.
#[cfg(feature = "page")]
const BUILT: Option<&str> = Some(include_str!("../../page/setrograde.html"));
#[cfg(not(feature = "page"))]
const BUILT: Option<&str> = None;

/// The place of the boards.
const PLACE: &str = "<script type=\"application/json\" id=\"boards\">";

/// Write boards as a page that solves them in a browser.
#[derive(Args)]
#[command(after_help = include_str!("../help/page.txt"))]
pub struct PageArguments {
    /// The file to write; it appears whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The page to put the boards into, a `setrograde.html`. [default: the one in
    /// this program, where it was built with it]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Files of boards in any format that is read elsewhere, or a deal in PBN; `-` is
    /// standard input.
    #[arg(value_name = "BOARDS")]
    boards: Vec<String>,
}

pub fn run(arguments: &PageArguments) -> anyhow::Result<Outcome> {
    let page = match (&arguments.from, BUILT) {
        (Some(path), _) => {
            fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?
        }
        (None, Some(page)) => page.to_owned(),
        (None, None) => bail!(
            "this program was built without the page; name one with --from setrograde.html, or \
             build it in (docs/page.md#build)"
        ),
    };
    let (before, after) = page
        .split_once(PLACE)
        .filter(|(_, after)| after.starts_with("</script>"))
        .with_context(|| match &arguments.from {
            Some(path) => format!("{}: not a page without boards", path.display()),
            None => "the page in this program has no place for boards".to_owned(),
        })?;
    let mut files = Vec::new();
    let mut outcome = Outcome::Done;
    let mut boards = 0;
    for (name, text) in texts(&arguments.boards)? {
        let (good, bad) = count(&name, &text)?;
        boards += good;
        if bad > 0 {
            outcome = Outcome::SomeUnanswered;
        }
        files.push(json!({ "name": name, "text": text }));
    }
    // In a script element only this character could end it.
    let inside = match files.is_empty() {
        true => String::new(),
        false => json!(files).to_string().replace('<', "\\u003c"),
    };
    let page = format!("{before}{PLACE}{inside}{after}");
    write_file(&arguments.output, &page)?;
    let shown = arguments.output.display();
    say(format_args!(
        "{shown}: a page with {boards} {}",
        if boards == 1 { "board" } else { "boards" }
    ));
    Ok(outcome)
}

/// The texts of the files, each with its name; the words are one deal if the first of
/// them has a colon and is not a file.
fn texts(words: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let is_deal = |word: &String| word.contains(':') && !Path::new(word).exists();
    if words.first().is_some_and(is_deal) {
        return Ok(vec![("deal".to_owned(), words.join(" "))]);
    }
    let read = |word: &String| {
        let source = Source::new(word);
        let name = source.name();
        let mut bytes = Vec::new();
        let read = source.open()?.read_to_end(&mut bytes);
        read.with_context(|| format!("{name}: cannot read"))?;
        // Files are in UTF-8 or Latin-1.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| byte as char).collect());
        Ok((name.to_string(), text))
    };
    words.iter().map(read).collect()
}

/// The number of boards of a text that can be shown, and of those that cannot; each of
/// these is named.
fn count(name: &str, text: &str) -> anyhow::Result<(usize, usize)> {
    let records =
        Records::new(text.as_bytes(), name).with_context(|| format!("{name}: cannot read"))?;
    let (mut good, mut bad) = (0, 0);
    for board in records {
        match board {
            Ok(board) if board.deal().is_some() => good += 1,
            Ok(board) => {
                bad += 1;
                say(format_args!(
                    "{name}, line {}: a hand is missing; the board is not shown",
                    board.line
                ));
            }
            Err(error) => {
                bad += 1;
                say(format_args!("{error}"));
            }
        }
    }
    if good == 0 {
        bail!("{name}: no board with four hands");
    }
    Ok((good, bad))
}
