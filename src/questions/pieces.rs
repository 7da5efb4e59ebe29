//! The pieces of sources, read by a separate thread.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use setrograde::solver::Stop;
use setrograde::source::{Pieces, QuestionPiece, SourceError, SourceOptions};

use super::sources::InputSource;
use crate::arguments::boards::BoardNumbers;

/// The period in which waits check for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

/// Pieces as they are read. They end with the sources or at an interrupt, which need not
/// wait for the next piece.
pub struct Feed {
    pieces: Receiver<anyhow::Result<QuestionPiece>>,
    /// True if an interrupt has ended them.
    pub interrupted: bool,
    stop: Stop,
}

impl Iterator for Feed {
    type Item = anyhow::Result<QuestionPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pieces.recv_timeout(WAIT) {
                Err(RecvTimeoutError::Timeout) if self.stop.is_due() => {
                    self.interrupted = true;
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                piece => return piece.ok(),
            }
        }
    }
}

/// The number of pieces that are read ahead: with fewer, the threads wait for each other at every
/// piece.
const READ_AHEAD: usize = 16;

/// The entrance for pieces of the thread that reads.
type Sink = SyncSender<anyhow::Result<QuestionPiece>>;

/// The way to read sources.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// True if boards are distinguished from lines; otherwise all is lines.
    pub boards: bool,
    /// True if PBN files are cut into games with all their bytes.
    pub games: bool,
    /// The boards that are wanted; all unless set.
    pub wanted: Option<BoardNumbers>,
    /// Lines or boards in a piece.
    pub piece: usize,
    /// True if each line of standard input has a reply, even an empty line.
    pub every_line: bool,
}

impl ReadOptions {
    /// The pieces of `sources`, read by a separate thread, until `stop` is due.
    pub fn feed(self, sources: Vec<InputSource>, stop: Stop) -> Feed {
        let (sink, pieces) = sync_channel(READ_AHEAD);
        let failed = sink.clone();
        let read = move || {
            for source in sources {
                match self.read(&source, &sink) {
                    Ok(true) => {}
                    Ok(false) => return,
                    // Nobody reads it any more if the work has ended.
                    Err(error) => return drop(sink.send(Err(error))),
                }
            }
        };
        if let Err(error) = thread::Builder::new().spawn(read) {
            let error = anyhow::Error::from(error).context("cannot start a thread");
            // The channel has room for it.
            drop(failed.send(Err(error)));
        }
        Feed {
            pieces,
            interrupted: false,
            stop,
        }
    }

    /// Reads a source to its end; says whether more is wanted.
    fn read(&self, source: &InputSource, sink: &Sink) -> anyhow::Result<bool> {
        let name = source.name();
        let is_named = *source != InputSource::StandardInput;
        let wanted = self.wanted.clone();
        let wants = wanted.map(|wanted| Box::new(move |number| wanted.include(number)) as Box<_>);
        let options = SourceOptions {
            boards: self.boards,
            games: self.games,
            piece: self.piece,
            named_lines: is_named,
            every_line: self.every_line && !is_named,
            wants,
        };
        let failed = |error| match error {
            SourceError::Io(error) => {
                anyhow::Error::from(error).context(format!("{name}: cannot read"))
            }
            SourceError::Record(error) => error.into(),
        };
        for piece in Pieces::new(&*name, source.open()?, options).map_err(failed)? {
            if sink.send(Ok(piece.map_err(failed)?)).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
