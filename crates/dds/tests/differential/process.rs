//! A library in its own process.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The variable that makes this program answer for the library it names.
pub const SERVE: &str = "DDS_SERVE";

/// The fate of a question.
pub enum Answer {
    Came(Vec<u8>),
    Crashed,
}

pub struct Library {
    path: PathBuf,
    child: Child,
}

impl Library {
    pub fn start(path: &Path) -> Library {
        Library {
            path: path.to_owned(),
            child: start(path),
        }
    }

    /// Asks; a library that crashes is started again.
    pub fn ask(&mut self, question: &[u8]) -> Answer {
        match self.talk(question) {
            Some(answer) => Answer::Came(answer),
            None => {
                let _ = self.child.kill();
                let _ = self.child.wait();
                self.child = start(&self.path);
                Answer::Crashed
            }
        }
    }

    fn talk(&mut self, question: &[u8]) -> Option<Vec<u8>> {
        let to = self.child.stdin.as_mut()?;
        write_block(to, question)?;
        read_block(self.child.stdout.as_mut()?)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(path: &Path) -> Child {
    let program = std::env::current_exe().expect("the path of this program");
    Command::new(program)
        .env(SERVE, path)
        .env("OMP_NUM_THREADS", "1")
        // DDS writes dump.txt to its working directory when it refuses a deal.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process for the library")
}

/// Writes a length and as many bytes.
pub fn write_block(to: &mut impl Write, bytes: &[u8]) -> Option<()> {
    to.write_all(&(bytes.len() as u32).to_le_bytes()).ok()?;
    to.write_all(bytes).ok()?;
    to.flush().ok()
}

/// Reads a length and as many bytes.
pub fn read_block(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    from.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
