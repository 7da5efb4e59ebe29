//! `setrograde table --resume`: continues the unfinished file of an earlier run.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use anyhow::{Context, bail};
use setrograde_records::Format;
use setrograde_records::pbn::{Game, Games};
use setrograde_review::results;
use setrograde_solver::TrickTable;

use crate::output::say;
use crate::output::unfinished::Unfinished;
use crate::questions::sources::Source;
use crate::questions::{BoardLine, complaint};

/// The work that an earlier run has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Games that are in the file.
    pub games: usize,
    /// Those of them that had no answer.
    pub unanswered: usize,
}

/// The file of an earlier run, if there is one, cut after the last game that is
/// the one of the input with its results. Names again the boards without an answer.
pub fn resume(
    finished: &Path,
    inputs: &[String],
    line: BoardLine,
) -> anyhow::Result<(Unfinished, Kept)> {
    let [input] = inputs else {
        bail!("--resume needs one file");
    };
    let source = Source::new(input);
    if source == Source::StandardInput {
        bail!("--resume needs a file, not standard input");
    }
    let unfinished = Unfinished::name_of(finished);
    match unfinished.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((Unfinished::create(finished)?, Kept::default()));
        }
        // Writing to a link would destroy what it leads to.
        Ok(there) if !there.is_file() => bail!(
            "{}: it is not a regular file; remove it, and the table is made from the start",
            unfinished.display()
        ),
        _ => {}
    }
    let cannot = || format!("{}: cannot read", unfinished.display());
    let done = Source::File(unfinished.clone()).open()?;
    let (format, stream) = Format::tell(source.open()?).with_context(cannot)?;
    if format != Format::Pbn {
        bail!("{input}: --resume needs a PBN file");
    }
    let mut kept = Kept::default();
    let mut length = 0;
    let games = Games::new(stream, input).zip(Games::new(done, ""));
    for (game, done) in games {
        let game = game.with_context(|| format!("{input}: cannot read"))?;
        let done = done.with_context(cannot)?;
        let (bytes, complaint) = finished_game(&game, &done, input, line);
        if bytes.as_deref() != Some(done.bytes()) {
            break;
        }
        if let Some(complaint) = complaint {
            say(format_args!("setrograde: {complaint}"));
            kept.unanswered += 1;
        }
        kept.games += 1;
        length += done.bytes().len() as u64;
    }
    let mut file = File::options()
        .write(true)
        .open(&unfinished)
        .with_context(cannot)?;
    file.set_len(length).with_context(cannot)?;
    file.seek(SeekFrom::End(0)).with_context(cannot)?;
    Ok((Unfinished::of(file, finished), kept))
}

/// The bytes that `game` has with the results in `done`, and the complaint
/// about a board without an answer; no bytes if results are missing.
fn finished_game(
    game: &Game,
    done: &Game,
    file: &str,
    line: BoardLine,
) -> (Option<Vec<u8>>, Option<String>) {
    let as_it_is = || Some(game.bytes().to_vec());
    match game.board() {
        None => (as_it_is(), None),
        Some(Err(error)) => (as_it_is(), Some(error.to_string())),
        Some(Ok(board)) => match line(board) {
            Err(error) => (as_it_is(), Some(complaint(file, board, &error))),
            Ok(_) => {
                let done = done.board().and_then(Result::ok);
                let tricks = done.and_then(|board| board.double_dummy.tricks);
                let bytes = tricks.map(|tricks| {
                    game.with_double_dummy(&results(&TrickTable::new(tricks), board))
                });
                (bytes, None)
            }
        },
    }
}
