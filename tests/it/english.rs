//! Doc comments begin with the thing or a verb, not with a question word.

use std::fs;
use std::path::Path;

const QUESTION_WORDS: [&str; 9] = [
    "What", "Who", "Whom", "Whose", "How", "Why", "Where", "When", "Which",
];

/// Rooms that were read for this, all of their files.
const ROOMS: [&str; 5] = ["src", "crates/records", "crates/dds", "python/src", "fuzz"];

/// The number of doc comments in the Rust files below a directory, and those that
/// begin with a question word, with their places.
fn count(directory: &Path, comments: &mut usize, bad: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            count(&path, comments, bad);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            let mut inside = false;
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.trim_start();
                let doc = line.strip_prefix("///").or(line.strip_prefix("//!"));
                let first = doc.and_then(|doc| doc.split_whitespace().next());
                if let (false, Some(first)) = (inside, first) {
                    *comments += 1;
                    if QUESTION_WORDS.contains(&first) {
                        bad.push(format!("{}:{number}: {line}", path.display()));
                    }
                }
                inside = doc.is_some();
            }
        }
    }
}

#[test]
fn doc_comments_begin_with_the_thing_or_a_verb() {
    for room in ROOMS {
        let (mut comments, mut bad) = (0, Vec::new());
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(room);
        count(&directory, &mut comments, &mut bad);
        assert!(comments > 50, "{room}: {comments}");
        assert!(
            100 * bad.len() <= 3 * comments,
            "{room}: {} of {comments} begin with a question word:\n{}",
            bad.len(),
            bad.join("\n")
        );
    }
}
