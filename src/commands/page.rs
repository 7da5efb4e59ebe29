//! `setrograde page`: a file with boards inside, which any browser shows and solves.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use serde_json::json;
use setrograde::lookup::patiently;
use setrograde::source::QuestionLocation;
use setrograde_records::pbn;
use setrograde_records::{Board, Options, Records};

use crate::Outcome;
use crate::arguments::boards::{BoardArgument, BoardNumbers, in_words};
use crate::arguments::output::is_standard;
use crate::output::say;
use crate::output::whole_file::write_file;
use crate::questions::refuse_as_output;
use crate::questions::sources::{InputSource, question};

/// The page, if this program was built with it: `--features page`, after
/// `node page/build.mjs`.
#[cfg(feature = "page")]
const BUILT: Option<&str> = Some(include_str!("../../page/setrograde.html"));
#[cfg(not(feature = "page"))]
const BUILT: Option<&str> = None;

/// Maximum number of bytes of a file of boards, and of a page.
const LONGEST: u64 = 64 << 20;

/// The marker of a page is within this number of bytes, behind its style alone.
const SLOT_WITHIN: u64 = 1 << 20;

/// The marker before the boards.
const SLOT: &str = "<script type=\"application/json\" id=\"boards\">";

/// Write boards as a page that solves them in a browser.
#[derive(Args)]
#[command(after_help = include_str!("../help/page.txt"))]
pub struct PageArguments {
    /// The file to write; it appears complete or not at all; `-` is standard output. [default: the
    /// name of the first file of boards with .html, in this directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The page to put the boards into, a `setrograde.html`. [default: the one in this program, if
    /// it was built with it]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    board: BoardArgument,
    /// Files of boards in any format, or a deal in PBN; `-` is
    /// standard input.
    #[arg(value_name = "BOARDS")]
    boards: Vec<OsString>,
}

pub fn run(arguments: &PageArguments) -> anyhow::Result<Outcome> {
    let sources = InputSource::all(&arguments.boards);
    let from = arguments.from.clone().map(InputSource::File);
    let read: Vec<InputSource> = sources.iter().flatten().cloned().chain(from).collect();
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None => usual_output(sources.as_deref())?,
    };
    if arguments.open && is_standard(&output) {
        bail!("--open: a browser opens a file; name one with --output");
    }
    refuse_as_output(&output, &read)?;
    let page = match (&arguments.from, BUILT) {
        (Some(path), _) => regular_text(path, LONGEST)?,
        (None, Some(page)) => page.to_owned(),
        (None, None) => bail!(
            "this program was built without the page: `scripts/page.sh` of its source builds it in, \
             and a release has it; or name one with --from setrograde.html"
        ),
    };
    let (before, after) = page
        .split_once(SLOT)
        .filter(|(_, after)| after.starts_with("</script>"))
        .with_context(|| match &arguments.from {
            Some(path) => format!(
                "{}: not an empty page of setrograde: it has no slot for boards, or boards in it",
                path.display()
            ),
            None => "the page in this program has no slot for boards".to_owned(),
        })?;
    let texts = match &sources {
        Some(sources) => {
            let text = |source: &InputSource| {
                anyhow::Ok((source.name().to_string(), source.text(LONGEST)?))
            };
            sources.iter().map(text).collect::<Result<_, _>>()?
        }
        None => vec![("deal".to_owned(), question(&arguments.boards))],
    };
    let mut files = Vec::new();
    let mut outcome = Outcome::Done;
    let mut boards = 0;
    for (name, text) in texts {
        let (good, bad) = read_boards(&name, &text, arguments.board.numbers())?;
        boards += good.len();
        if bad > 0 {
            outcome = Outcome::SomeUnanswered;
        }
        let text = match arguments.board.numbers() {
            None => text,
            Some(_) => good.iter().map(pbn::write).collect(),
        };
        files.push(json!({ "name": name, "text": text }));
    }
    // In a script element only this character could end it.
    let inside = if files.is_empty() {
        String::new()
    } else {
        json!(files).to_string().replace('<', "\\u003c")
    };
    let page = format!("{before}{SLOT}{inside}{after}");
    let shown = if is_standard(&output) {
        io::stdout().write_all(page.as_bytes())?;
        "standard output".to_owned()
    } else {
        write_file(&output, &page)?;
        output.display().to_string()
    };
    say(match boards {
        0 => format!("{shown}: a page without boards, which begins with an example"),
        1 => format!("{shown}: a page with 1 board"),
        boards => format!("{shown}: a page with {boards} boards"),
    });
    if arguments.open {
        let opened = open::that_detached(&output);
        opened.with_context(|| format!("{shown}: no browser opens it; open it by hand"))?;
    }
    Ok(outcome)
}

/// The name of the first file with `.html`, in this directory: of a file that is not there, or
/// is such a page. What cannot be read may be anything, and stays.
fn usual_output(sources: Option<&[InputSource]>) -> anyhow::Result<PathBuf> {
    let name = match sources {
        Some([InputSource::File(path), ..]) => path.file_stem().map(PathBuf::from),
        _ => None,
    };
    let output = name.unwrap_or("boards".into()).with_extension("html");
    let is_missing = |error: io::Error| error.kind() == ErrorKind::NotFound;
    if !fs::metadata(&output).is_err_and(is_missing) {
        let other = "name another file with --output";
        let start =
            regular_start(&output, SLOT_WITHIN).map_err(|why| anyhow!("{why:#}; {other}"))?;
        ensure!(
            String::from_utf8_lossy(&start).contains(SLOT),
            "{}: not a page of setrograde; {other}",
            output.display()
        );
    }
    Ok(output)
}

/// The text of a regular file of at most `most` bytes.
fn regular_text(path: &Path, most: u64) -> anyhow::Result<String> {
    let name = path.display();
    let bytes = regular_start(path, most + 1)?;
    ensure!(
        bytes.len() as u64 <= most,
        "{name}: longer than {most} bytes"
    );
    String::from_utf8(bytes).with_context(|| format!("{name}: cannot read"))
}

/// The first bytes of a regular file, at most `most`. A device or a pipe may be endless, or wait
/// for ever.
fn regular_start(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let cannot = || format!("{name}: cannot read");
    let metadata = fs::metadata(path).with_context(cannot)?;
    ensure!(metadata.is_file(), "{name}: not a regular file");
    let file = patiently(|| File::open(path)).with_context(cannot)?;
    let mut bytes = Vec::new();
    file.take(most)
        .read_to_end(&mut bytes)
        .with_context(cannot)?;
    Ok(bytes)
}

/// The boards of a text that can be shown, and the number of those that cannot; each of
/// these is named.
fn read_boards(
    name: &str,
    text: &str,
    wanted: Option<&BoardNumbers>,
) -> anyhow::Result<(Vec<Board>, usize)> {
    let options = Options::default().keep_names(true);
    let records = Records::with_options(text.as_bytes(), name, options)
        .with_context(|| format!("{name}: cannot read"))?;
    let wants = |number| wanted.is_none_or(|wanted| wanted.include(number));
    let (mut good, mut bad, mut others) = (Vec::new(), 0, Vec::new());
    for board in records {
        match board {
            Ok(board) if !wants(board.number) => others.extend(board.number),
            Err(error) if !wants(error.board) => others.extend(error.board),
            Ok(board) if board.deal().is_some() => good.push(board),
            Ok(board) => {
                bad += 1;
                let problem = "a hand is missing; the board is not shown";
                say(QuestionLocation::of_board(name, &board).complaint(None, problem));
            }
            Err(error) => {
                bad += 1;
                say(format_args!("{error}"));
            }
        }
    }
    if let (Some(wanted), true, 0) = (wanted, good.is_empty(), bad) {
        bail!("{name}: no board {wanted}; it has {}", in_words(others));
    }
    if good.is_empty() {
        bail!("{name}: no board with four hands");
    }
    Ok((good, bad))
}
