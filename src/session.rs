//! The surroundings of a command that answers questions: a terminal, or a request to the server.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use setrograde::Desk;
use setrograde_lookup::Database;
use setrograde_parallel::Stop;

use crate::interrupt;

/// The input and output of a command, its database, and the end of its work.
pub struct Session {
    stop: Stop,
    request: Option<Request>,
}

/// A request to the server, which a command has instead of files and streams.
pub struct Request {
    /// The database in use; `None` if that is none.
    pub database: Option<Arc<Database>>,
    /// The file of questions, if the command line has none.
    pub body: Option<Arc<[u8]>>,
    /// The answer.
    pub answer: Mutex<Vec<u8>>,
    /// Maximum number of bytes of an answer.
    pub longest: usize,
}

impl Session {
    /// The command line with its files and streams.
    pub fn terminal() -> &'static Session {
        static TERMINAL: LazyLock<Session> = LazyLock::new(|| Session {
            stop: interrupt::stop(),
            request: None,
        });
        &TERMINAL
    }

    /// A request to the server, which is given up once `stop` is due.
    pub fn of_request(request: Request, stop: Stop) -> Session {
        Session {
            stop,
            request: Some(request),
        }
    }

    /// The answer to a request.
    pub fn into_answer(self) -> Vec<u8> {
        let answer = self.request.map(|request| request.answer.into_inner());
        answer.map_or(Vec::new(), |answer| {
            answer.unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// The request, if the server runs the command.
    pub fn request(&self) -> Option<&Request> {
        self.request.as_ref()
    }

    /// A desk without a database.
    pub fn desk(&self) -> Desk {
        Desk::default().with_stop(self.stop.clone())
    }

    /// The end of the work, at which long work looks.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns true if the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.stop.is_due()
    }

    /// The destination of answers.
    pub fn output(&self) -> Box<dyn Write + '_> {
        match &self.request {
            None => Box::new(io::stdout().lock()),
            Some(request) => Box::new(request),
        }
    }
}

impl Write for &Request {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        if answer.len() + bytes.len() > self.longest {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        answer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
