//! The examples for Rust run, and `docs/rust.md` shows them unchanged.

#[allow(dead_code)]
#[path = "../../crates/facade/examples/endings.rs"]
mod endings;
#[path = "../../crates/facade/examples/readme.rs"]
mod readme;
#[allow(dead_code)]
#[path = "../../crates/facade/examples/tables.rs"]
mod tables;

#[test]
fn they_run() {
    endings::run(None).expect("endings");
    tables::run().expect("tables");
    readme::main().expect("readme");
}

/// The document has the search of `endings.rs` unchanged, and the lines of `Cargo.toml` that they need.
#[test]
fn the_document_shows_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let document = read("docs/rust.md");
    let mut crates = 0;
    let examples = "crates/facade/examples";
    let endings = read(&format!("{examples}/endings.rs"));
    let (_, from) = endings
        .split_once("/// Whether the side")
        .expect("the search");
    let (search, _) = from.split_once("\n}\n").expect("its end");
    assert!(
        document.contains(search),
        "the search of endings.rs is not as it is shown"
    );
    for text in [endings, read(&format!("{examples}/tables.rs"))] {
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if word.starts_with("setrograde_") {
                let line = format!("\n{} = {{ ", word.replace('_', "-"));
                assert!(document.contains(&line), "{word}");
                crates += 1;
            }
        }
    }
    assert!(crates >= 4);
    for line in document.lines().filter(|line| line.contains("path = \"")) {
        let path = line.split('"').nth(1).expect("a path");
        let manifest = read(&format!(
            "{}/Cargo.toml",
            path.trim_start_matches("setrograde/")
        ));
        let name = line.split(' ').next().expect("a name");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{line}");
    }
}
