//! The sources of questions and boards: files, and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use same_file::Handle;
use setrograde_records::Format;

/// Bytes that are read from a file at a time.
const BUFFER: usize = 1 << 16;

/// A file or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    StandardInput,
    File(PathBuf),
    /// A link with a board, on the command line.
    Link(String),
    /// The body of a request, which is read as standard input is.
    Body(Arc<[u8]>),
    /// Several questions on the command line, one a line.
    Questions(String),
}

impl Source {
    /// The source with this name; `-` is standard input.
    pub fn new(name: &str) -> Source {
        match name {
            "-" => Source::StandardInput,
            name if Path::new(name).exists() => Source::File(name.into()),
            link if Format::of(link.as_bytes()) == Format::Links => Source::Link(link.to_owned()),
            name => Source::File(name.into()),
        }
    }

    /// The sources that the words of a command line name; `None` if the words are
    /// a question, which has a colon.
    pub fn all(words: &[String]) -> Option<Vec<Source>> {
        let sources: Vec<Source> = words.iter().map(|word| Source::new(word)).collect();
        let question = words.iter().any(|word| word.contains(':'));
        (!question || sources.iter().all(Source::exists)).then_some(sources)
    }

    /// The questions that the words of a command line are, each quoted; `None` if the words
    /// are one question, or none.
    pub fn questions(words: &[String]) -> Option<Source> {
        let is_whole = |word: &String| {
            let quoted = word.contains(':') && word.trim().contains(char::is_whitespace);
            quoted && !Path::new(word).exists()
        };
        (words.len() > 1 && words.iter().all(is_whole))
            .then(|| Source::Questions(words.join("\n").replace('\r', " ")))
    }

    pub fn exists(&self) -> bool {
        match self {
            Source::StandardInput | Source::Body(_) | Source::Link(_) | Source::Questions(_) => {
                true
            }
            Source::File(path) => path.exists(),
        }
    }

    /// The name in errors.
    pub fn name(&self) -> Arc<str> {
        match self {
            Source::StandardInput | Source::Body(_) => "standard input".into(),
            Source::Link(_) => "link".into(),
            Source::Questions(_) => "the questions".into(),
            Source::File(path) => path.display().to_string().into(),
        }
    }

    /// Whether it is this open file, a regular one, under whatever name.
    pub fn is(&self, file: &Handle) -> bool {
        // A pipe would lose its writer if it was opened twice.
        let same = match self {
            Source::StandardInput => Handle::stdin().ok(),
            Source::Body(_) | Source::Link(_) | Source::Questions(_) => None,
            Source::File(path) if path.is_file() => Handle::from_path(path).ok(),
            Source::File(_) => None,
        };
        let regular = file.as_file().metadata().is_ok_and(|there| there.is_file());
        regular && same.as_ref() == Some(file)
    }

    /// The length of a regular file, in bytes.
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::StandardInput | Source::Body(_) | Source::Link(_) | Source::Questions(_) => {
                None
            }
            Source::File(path) => {
                let metadata = path.metadata().ok()?;
                metadata.is_file().then_some(metadata.len())
            }
        }
    }

    /// Opens it.
    pub fn open(&self) -> anyhow::Result<Box<dyn BufRead>> {
        Ok(match self {
            Source::StandardInput => Box::new(io::stdin().lock()),
            Source::Body(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            Source::Link(text) | Source::Questions(text) => Box::new(Cursor::new(text.clone())),
            Source::File(path) => {
                if path.is_dir() {
                    bail!(
                        "{}: it is a directory; name the files in it",
                        path.display()
                    );
                }
                let cannot = || format!("{}: cannot open", path.display());
                let file = File::open(path).with_context(cannot)?;
                Box::new(BufReader::with_capacity(BUFFER, file))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_colon_are_a_question() {
        let all = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            Source::all(&words)
        };
        assert_eq!(all("-"), Some(vec![Source::StandardInput]));
        assert_eq!(all("a.pbn b.lin").map(|sources| sources.len()), Some(2));
        assert_eq!(all("NT W N:A... K... Q... J..."), None);
        let several = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            Source::questions(&words)
        };
        let (one, two) = ("NT W N:A... K... Q... J...", "H N N:A... K... Q... J...");
        assert_eq!(
            several(&[one, two]),
            Some(Source::Questions(format!("{one}\n{two}")))
        );
        assert_eq!(several(&[one]), None);
        assert_eq!(several(&[one, "SA"]), None);
        assert_eq!(several(&["NT", "W", "N:A...", "K..."]), None);
        assert_eq!(several(&["NT W", "N:A... K...", "Q... J..."]), None);
    }
}
