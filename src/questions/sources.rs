//! The sources of questions and boards: files, and standard input.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use flate2::bufread::MultiGzDecoder;
use same_file::Handle;
use setrograde::lookup::patiently;
use setrograde_beliefs::joined;
use setrograde_records::{Format, deal_beside, decode};

use crate::output::standard;

/// Bytes that are read from a file at a time.
const BUFFER: usize = 1 << 16;

/// A file or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    StandardInput,
    File(PathBuf),
    /// A text on the command line, and its name: a link with a board, or several questions, one on
    /// each line.
    Text(&'static str, String),
}

impl InputSource {
    /// The source with this name; `-` is standard input.
    pub fn new(name: &OsStr) -> InputSource {
        match name.to_str() {
            Some("-") => InputSource::StandardInput,
            Some(link) if is_link(link) && !Path::new(name).exists() => {
                InputSource::Text("link", link.to_owned())
            }
            _ => InputSource::File(name.into()),
        }
    }

    /// The sources that the words of a command line name; `None` if the words are
    /// a question, which has a colon and is no path, or four hands.
    pub fn all(words: &[OsString]) -> Option<Vec<InputSource>> {
        let text: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
        let has_hands = text.is_some_and(|words| deal_beside(&words.join(" ")).is_some());
        let question = has_hands || words.iter().any(|word| has_colon(word) && !is_path(word));
        let words = words.iter().flat_map(|word| {
            // Windows shells do not expand patterns.
            if cfg!(windows) {
                expanded(word)
            } else {
                vec![word.clone()]
            }
        });
        let sources: Vec<InputSource> = words.map(|word| InputSource::new(&word)).collect();
        (!question || sources.iter().all(InputSource::exists)).then_some(sources)
    }

    /// The questions that the words of a command line are, each quoted; `None` if the words
    /// are one question, or none.
    pub fn questions(words: &[OsString]) -> Option<InputSource> {
        if words.len() < 2 {
            return None;
        }
        let whole = |word: &'_ OsString| {
            let text = word
                .to_str()
                .filter(|_| has_colon(word) && !is_path(word))?;
            let quoted = text.trim().contains(char::is_whitespace);
            (quoted && !Path::new(word).exists()).then(|| text.replace('\r', " "))
        };
        let questions: Option<Vec<String>> = words.iter().map(whole).collect();
        Some(InputSource::Text("the questions", questions?.join("\n")))
    }

    pub fn exists(&self) -> bool {
        match self {
            InputSource::StandardInput | InputSource::Text(..) => true,
            InputSource::File(path) => path.exists(),
        }
    }

    /// The name in errors.
    pub fn name(&self) -> Arc<str> {
        match self {
            InputSource::StandardInput => "standard input".into(),
            InputSource::Text(name, _) => (*name).into(),
            InputSource::File(path) => path.display().to_string().into(),
        }
    }

    /// Returns true if it is this open regular file, under any name.
    pub fn is(&self, file: &Handle) -> bool {
        // A pipe would lose its writer if it was opened twice.
        let same = match self {
            InputSource::StandardInput => standard::input().and_then(Handle::from_file).ok(),
            InputSource::File(path) if path.is_file() => Handle::from_path(path).ok(),
            InputSource::Text(..) | InputSource::File(_) => None,
        };
        let regular = file.as_file().metadata().is_ok_and(|there| there.is_file());
        regular && same.as_ref() == Some(file)
    }

    /// The length of a regular file, in bytes.
    pub fn size(&self) -> Option<u64> {
        let InputSource::File(path) = self else {
            return None;
        };
        let metadata = path.metadata().ok()?;
        let plain = metadata.is_file() && path.extension().is_none_or(|e| e != "gz");
        plain.then_some(metadata.len())
    }

    /// Opens it. Files compressed by gzip are decompressed.
    pub fn open(&self) -> anyhow::Result<Box<dyn BufRead>> {
        let mut bytes = self.open_bytes()?;
        let start = bytes.fill_buf();
        let start = start.with_context(|| format!("{}: cannot read", self.name()))?;
        Ok(if start.starts_with(b"\x1f\x8b") {
            Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(bytes)))
        } else {
            bytes
        })
    }

    /// Returns the whole text, of at most `most` bytes.
    pub fn text(&self, most: u64) -> anyhow::Result<String> {
        let name = self.name();
        let mut bytes = Vec::new();
        let read = self.open()?.take(most + 1).read_to_end(&mut bytes);
        read.with_context(|| format!("{name}: cannot read"))?;
        ensure!(
            bytes.len() as u64 <= most,
            "{name}: longer than {most} bytes"
        );
        Ok(decode(&bytes))
    }

    fn open_bytes(&self) -> anyhow::Result<Box<dyn BufRead>> {
        Ok(match self {
            InputSource::StandardInput => Box::new(io::stdin().lock()),
            InputSource::Text(_, text) => Box::new(Cursor::new(text.clone())),
            InputSource::File(path) => {
                if path.is_dir() {
                    bail!(
                        "{}: it is a directory; name the files in it",
                        path.display()
                    );
                }
                let cannot = || format!("{}: cannot open", path.display());
                let file = patiently(|| File::open(path)).with_context(cannot)?;
                Box::new(BufReader::with_capacity(BUFFER, file))
            }
        })
    }
}

/// The question that the words of a command line are together.
pub fn question(words: &[OsString]) -> String {
    let words = words.iter().map(|word| word.to_string_lossy());
    joined(words, " ")
}

/// File extensions. An argument with one of them is a file unless it has a colon.
const ENDINGS: [&str; 14] = [
    "bri", "csv", "dlm", "dup", "gz", "htm", "html", "json", "lin", "pbn", "rbn", "sol", "txt",
    "xml",
];

fn has_colon(word: &OsStr) -> bool {
    word.to_str().is_some_and(|text| text.contains(':'))
}

fn is_link(text: &str) -> bool {
    Format::of(text.as_bytes()) == Format::Links
}

/// Returns true if a word can only be the name of a file: it is not text, or has a slash, a
/// backslash or a file extension.
pub fn is_path(word: &OsStr) -> bool {
    let Some(text) = word.to_str() else {
        return true;
    };
    let ending = Path::new(text).extension().and_then(OsStr::to_str);
    let known = |ending: &str| {
        ENDINGS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    };
    !is_link(text) && (text.contains(['\\', '/']) || ending.is_some_and(known))
}

/// The files that a pattern such as `data\*.pbn` fits, in order; the word itself if it is no
/// pattern, or fits none.
fn expanded(word: &OsStr) -> Vec<OsString> {
    let pattern = word.to_str().filter(|text| text.contains('*'));
    let paths = pattern.and_then(|pattern| glob::glob(pattern).ok());
    let found: Vec<OsString> = paths
        .into_iter()
        .flatten()
        .filter_map(|path| Some(path.ok()?.into_os_string()))
        .collect();
    if found.is_empty() {
        vec![word.to_owned()]
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(texts: &[&str]) -> Vec<OsString> {
        texts.iter().map(OsString::from).collect()
    }

    #[test]
    fn words_with_a_colon_are_a_question() {
        let all = |text: &str| InputSource::all(&words(&text.split(' ').collect::<Vec<_>>()));
        assert_eq!(all("-"), Some(vec![InputSource::StandardInput]));
        assert_eq!(all("a.pbn b.lin").map(|sources| sources.len()), Some(2));
        assert_eq!(all("NT W N:A... K... Q... J..."), None);
        let several = |texts: &[&str]| InputSource::questions(&words(texts));
        let (one, two) = ("NT W N:A... K... Q... J...", "H N N:A... K... Q... J...");
        assert_eq!(
            several(&[one, two]),
            Some(InputSource::Text("the questions", format!("{one}\n{two}")))
        );
        assert_eq!(several(&[one]), None);
        assert_eq!(several(&[one, "SA"]), None);
        assert_eq!(several(&["NT", "W", "N:A...", "K..."]), None);
        assert_eq!(several(&["NT W", "N:A... K...", "Q... J..."]), None);
    }

    #[test]
    fn paths_are_no_questions() {
        for path in [
            r"D:\x\y.pbn",
            r"C:\nope",
            "C:/boards/one",
            r"\\server\share\boards",
            r".\boards",
            "data/a:b",
            "N:x.pbn",
            "evening.PBN",
            "a.lin.gz",
        ] {
            assert!(is_path(path.as_ref()), "{path}");
            let file = InputSource::File(path.into());
            assert_eq!(InputSource::all(&words(&[path])), Some(vec![file]));
        }
        for text in [
            "NT W N:A... K... Q... J...",
            "N:AK.Q.J.T",
            "-",
            "https://x.example/y?n=SA&s=SK",
            "hello",
        ] {
            assert!(!is_path(text.as_ref()), "{text}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            assert!(is_path(OsStr::from_bytes(b"b\xf6rd:x")));
        }
    }

    #[test]
    fn patterns_are_the_files_that_fit() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["b.pbn", "a.pbn", "c.lin"] {
            std::fs::write(directory.path().join(name), "").expect("written");
        }
        let names = |pattern: &str| {
            let pattern = directory.path().join(pattern);
            let found = expanded(pattern.as_os_str()).into_iter();
            let names =
                found.map(|path| PathBuf::from(path).file_name().expect("a name").to_owned());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names("*.pbn"), ["a.pbn", "b.pbn"]);
        assert_eq!(names("*.sol"), ["*.sol"]);
        assert_eq!(names("c.lin"), ["c.lin"]);
    }
}
