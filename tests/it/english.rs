//! The vocabulary: words that readers of the project had to guess are used nowhere in the rooms
//! that were read for this. Doc comments begin with the thing or a verb.

use std::fs;
use std::path::{Path, PathBuf};

/// Words with a plainer one in every sentence of ours: is, prints, returns, reports, compressed,
/// mapped, needlessly, predicted, anybody who.
const BANNED: [&str; 9] = [
    "stands",
    "told",
    "tells",
    "at rest",
    "at work",
    "in vain",
    "foretold",
    "whoever",
    "cannot be had",
];

/// Phrases of bridge, or of everyday English, in which a banned word is right.
const ALLOWED: [&str; 6] = [
    "claim stands",
    "in place",
    "into place",
    "take place",
    "takes place",
    "vacant place",
];

/// Directories and files that were read, sentence by sentence. Add a room when you have read it.
const ROOMS: [&str; 33] = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "benches",
    "crates/ask",
    "crates/beliefs",
    "crates/cards",
    "crates/check",
    "crates/claim",
    "crates/dds",
    "crates/builder",
    "crates/endgame",
    "crates/facade",
    "crates/lookup",
    "crates/parallel",
    "crates/page",
    "crates/play",
    "crates/probe",
    "crates/prove",
    "crates/records",
    "crates/serve",
    "crates/single-dummy",
    "crates/solver",
    "crates/verify",
    "data/README.md",
    "docs",
    "lab",
    "page",
    "python",
    "scripts",
    "src",
    "tests/it",
];

/// Uses of *place* as a noun in all rooms: a slot, an offset, a rank, an index or a location is
/// called that.
const PLACES: usize = 50;

/// Words with which no doc comment begins, unless nothing better does.
const QUESTION_WORDS: [&str; 9] = [
    "What", "Who", "Whom", "Whose", "How", "Why", "Where", "When", "Which",
];

/// The texts below a path, without those that tools make.
fn texts(path: &Path, files: &mut Vec<PathBuf>) {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if path.is_dir() {
        if ["target", "node_modules", "__pycache__", "vendor", ".venv"].contains(&name) {
            return;
        }
        for entry in fs::read_dir(path).expect("a directory") {
            texts(&entry.expect("an entry").path(), files);
        }
    } else if [".rs", ".md", ".txt", ".py", ".sh", ".mjs"]
        .iter()
        .any(|end| name.ends_with(end))
    {
        files.push(path.to_path_buf());
    }
}

/// The words of a file in lower case, each with its line: of documents without code, of sources
/// those of comments and of texts in quotes. Lines of a comment are one text; code spans are left
/// out.
fn words(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).expect("text");
    let ends = |end: &str| path.extension().is_some_and(|other| other == end);
    let script = ends("mjs");
    let (document, source) = (ends("md"), ends("rs") || script);
    let (mut fenced, mut words, mut code) = (false, Vec::new(), false);
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.trim();
        let comment = line.starts_with("//") || script && line.starts_with(['*', '/']);
        // A type is code.
        let line = line.split("@type").next().unwrap_or_default();
        fenced ^= document && line.starts_with("```");
        if document && (fenced || whole.starts_with("    ")) {
            continue;
        }
        // Names in braces are those of variables.
        let quoted = line.split('"').skip(1).step_by(2);
        // In scripts a text has several words: a single one names a class or a property.
        let is_text = |part: &&str| !script || part.contains(' ') && !part.contains('.');
        let quoted: Vec<&str> = quoted.filter(is_text).collect();
        let quoted = quoted.join(" , ");
        let after = |part: &'_ str| {
            part.split_once('}')
                .map_or(part, |(_, after)| after)
                .to_owned()
        };
        let quoted: String = quoted.split('{').map(after).collect();
        let line = if source && !comment {
            &quoted
        } else {
            line.trim_start_matches(['/', '#', '*'])
                .trim_start_matches('!')
        };
        code &= (document || comment) && !line.is_empty();
        for (part, piece) in line.split('`').enumerate() {
            code ^= part > 0;
            if code {
                continue;
            }
            // A mark ends a phrase and counts as a word.
            for part in piece.split_inclusive(|c: char| !c.is_alphanumeric()) {
                let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
                words.push((number, word.to_lowercase()));
                if part.ends_with(|c: char| !c.is_alphanumeric() && !c.is_whitespace()) {
                    words.push((number, ",".to_owned()));
                }
            }
        }
    }
    words.retain(|(_, word)| !word.is_empty());
    words
}

/// The lines with one of these phrases, outside those that are allowed.
fn uses(words: &[(usize, String)], phrases: &[&str]) -> Vec<(usize, String)> {
    let is = |at: usize, phrase: &str| {
        let mut rest = words[at..].iter();
        phrase.split(' ').all(|part| {
            rest.next().is_some_and(|(_, word)| {
                word == part || word.strip_suffix('s') == Some(part) && part == "place"
            })
        })
    };
    let allowed = |at: usize| {
        let begins = at.saturating_sub(1)..=at;
        begins
            .into_iter()
            .any(|begin| ALLOWED.iter().any(|phrase| is(begin, phrase)))
    };
    let mut found = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for phrase in phrases {
            if is(at, phrase) && !allowed(at) {
                found.push((*line, (*phrase).to_owned()));
            }
        }
    }
    found
}

#[test]
fn rooms_that_were_read_have_no_private_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut bad, mut places) = (Vec::new(), Vec::new());
    for room in ROOMS {
        let mut files = Vec::new();
        texts(&root.join(room), &mut files);
        // This file has the list.
        files.retain(|file| !file.ends_with("tests/it/english.rs"));
        assert!(!files.is_empty(), "{room}");
        for file in files {
            let words = words(&file);
            let file = file
                .strip_prefix(root)
                .expect("below the root")
                .display()
                .to_string();
            let at = |(line, word): (usize, String)| format!("{file}:{line}: {word}");
            bad.extend(uses(&words, &BANNED).into_iter().map(at));
            // In scripts it is the name of variables, too.
            if [".rs", ".md", ".txt"].iter().any(|end| file.ends_with(end)) {
                places.extend(uses(&words, &["place"]).into_iter().map(at));
            }
        }
    }
    assert!(bad.is_empty(), "{}:\n{}", bad.len(), bad.join("\n"));
    assert!(
        places.len() <= PLACES,
        "{}:\n{}",
        places.len(),
        places.join("\n")
    );
}

#[test]
fn doc_comments_begin_with_the_thing_or_a_verb() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for room in ["src", "crates", "python/src", "lab"] {
        texts(&root.join(room), &mut files);
    }
    let (mut comments, mut bad) = (0, Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let mut inside = false;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_start();
            let doc = line.strip_prefix("///").or(line.strip_prefix("//!"));
            let first = doc.and_then(|doc| doc.split_whitespace().next());
            if let (false, Some(first)) = (inside, first) {
                comments += 1;
                if QUESTION_WORDS.contains(&first) {
                    bad.push(format!("{}:{number}: {line}", file.display()));
                }
            }
            inside = doc.is_some();
        }
    }
    assert!(comments > 1000, "{comments}");
    assert!(
        100 * bad.len() <= 3 * comments,
        "{} of {comments} begin with a question word:\n{}",
        bad.len(),
        bad.join("\n")
    );
}
