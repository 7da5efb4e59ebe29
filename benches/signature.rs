//! The bench signature: for each small level its sets, its nodes and a hash of
//! its content. A change that claims to change no behaviour leaves it as it is;
//! `data/signature.txt` holds what it was.
//!
//! `cargo bench --bench signature` prints 4 to 12 cards, and 16 with `-- 16`.

use std::sync::atomic::AtomicBool;

use setrograde_builder::{Build, Silent};

fn main() {
    let cards = if std::env::args().any(|argument| argument == "16") {
        16
    } else {
        12
    };
    let directory = tempfile::tempdir().expect("a directory");
    let build = Build::new(directory.path(), cards);
    let manifest = build
        .run(&Silent, &AtomicBool::new(false))
        .expect("the database builds");
    for level in &manifest.levels {
        println!(
            "{} {} cards: {} sets {} nodes {:016x}",
            level.method,
            4 * level.level,
            level.sets,
            level.nodes,
            level.content,
        );
    }
}
