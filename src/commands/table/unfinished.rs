//! An output file that appears whole or not at all, and that a later run can
//! finish.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use setrograde_records::Format;
use setrograde_records::pbn::{Game, Games};
use setrograde_solver::TrickTable;

use super::results::results;
use crate::output::say;
use crate::questions::sources::Source;
use crate::questions::{BoardLine, complaint};

/// The file under the name that it has until it is finished.
pub struct Unfinished {
    file: File,
    unfinished: PathBuf,
    finished: PathBuf,
}

/// What an earlier run has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// Games that are in the file.
    pub games: usize,
    /// Those of them that had no answer.
    pub unanswered: usize,
}

impl Unfinished {
    /// A new file.
    pub fn create(finished: &Path) -> anyhow::Result<Unfinished> {
        // It would be replaced, not written to.
        if finished.metadata().is_ok_and(|there| !there.is_file()) {
            bail!(
                "{}: cannot write: it is no regular file; without --output the results go to standard output",
                finished.display()
            );
        }
        let unfinished = unfinished_name(finished);
        let file = match File::create_new(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
                "{}: an earlier run left it; go on with --resume, or remove it",
                unfinished.display()
            ),
            file => file.with_context(|| format!("{}: cannot create", unfinished.display()))?,
        };
        Ok(Unfinished {
            file,
            unfinished,
            finished: finished.to_owned(),
        })
    }

    /// The file of an earlier run, if there is one, cut after the last game that
    /// is the one of the input with its results. Says again which boards had no
    /// answer.
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
        let unfinished = unfinished_name(finished);
        if !unfinished.exists() {
            return Ok((Unfinished::create(finished)?, Kept::default()));
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
        let unfinished = Unfinished {
            file,
            unfinished,
            finished: finished.to_owned(),
        };
        Ok((unfinished, kept))
    }

    /// The name that it has now.
    pub fn name(&self) -> String {
        self.unfinished.display().to_string()
    }

    /// Gives the file its name, once it is on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.finished.display());
        self.file.sync_all().with_context(cannot)?;
        fs::rename(&self.unfinished, &self.finished).with_context(cannot)
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn unfinished_name(finished: &Path) -> PathBuf {
    let mut name = finished.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

/// The bytes that `game` has with the results that `done` tells, and what is said
/// of a board without an answer; no bytes if results are missing.
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
