//! A temporary directory with files, in which commands run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::command::{Printed, finish, setrograde, words};
use crate::database::file_names;

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a directory"))
    }

    /// A directory with one file.
    pub fn with(name: &str, bytes: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, bytes);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.at(name), bytes).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).expect(name)
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.at(name)).expect("removed");
    }

    /// The sorted names of all files.
    pub fn names(&self) -> Vec<String> {
        file_names(self.path())
    }

    /// The program with the words of a line, in this directory.
    pub fn command(&self, line: &str) -> Command {
        let mut command = setrograde();
        command.current_dir(self.path()).args(words(line));
        command
    }

    /// Runs the program with the words of a line in this directory.
    pub fn run(&self, line: &str) -> Printed {
        finish(&mut self.command(line))
    }
}
