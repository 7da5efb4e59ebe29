//! Fetching levels that were built elsewhere.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use setrograde_lookup::Database;

use crate::command::{Printed, finish, setrograde};
use crate::database::{file_names, level_file, twelve_cards};

/// Levels up to 12 cards as a release has them, that of 12 in two parts.
fn released() -> tempfile::TempDir {
    let base = tempfile::tempdir().expect("a directory");
    for name in ["manifest", "level-04.sdb", "level-08.sdb"] {
        fs::copy(twelve_cards().join(name), base.path().join(name)).expect("a copy");
    }
    let bytes = fs::read(level_file(twelve_cards(), 12)).expect("readable");
    let (first, second) = bytes.split_at(bytes.len() / 2);
    fs::write(base.path().join("level-12.sdb.001"), first).expect("written");
    fs::write(base.path().join("level-12.sdb.002"), second).expect("written");
    list(base.path());
    base
}

/// Writes the checksums of a directory.
fn list(base: &Path) {
    use sha2::{Digest, Sha256};
    let mut list = String::new();
    for name in file_names(base) {
        let bytes = fs::read(base.join(&name)).expect("readable");
        let sum = Sha256::digest(bytes);
        let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        if name != "SHA256SUMS" {
            list += &format!("{digits}  {name}\n");
        }
    }
    fs::write(base.join("SHA256SUMS"), list).expect("written");
}

fn fetch(from: &str, to: &Path) -> Printed {
    let words = ["db", "fetch-level", "12", "--from", from, "--db"];
    finish(setrograde().args(words).arg(to))
}

/// Checks that a directory has the levels of 12 cards, compressed and mapped, and no more.
fn is_whole(directory: &Path) {
    for cards in [4, 8, 12] {
        let bytes = |directory| fs::read(level_file(directory, cards)).expect("readable");
        assert!(bytes(directory) == bytes(twelve_cards()), "{cards}");
    }
    assert_eq!(file_names(directory), file_names(twelve_cards()));
    assert_eq!(Database::open(directory).expect("it opens").max_tricks(), 3);
}

#[test]
fn levels_come_from_a_directory_and_are_kept() {
    let base = released();
    let from = base.path().to_str().expect("text");
    let home = tempfile::tempdir().expect("a directory");
    fetch(from, home.path()).shows("4, 8, 12 cards fetched and checked");
    is_whole(home.path());
    fetch(from, home.path()).shows("all levels already exist");
    fs::remove_file(level_file(home.path(), 8)).expect("removed");
    let json = finish(
        setrograde()
            .args(["db", "fetch-level", "8", "--json", "--from", from, "--db"])
            .arg(home.path()),
    );
    json.shows(r#""fetched":[8],"kept":[4],"mended":[]"#);
    is_whole(home.path());
    fs::remove_file(home.path().join("manifest")).expect("removed");
    fetch(from, home.path()).shows("4, 8, 12 cards repaired");
    is_whole(home.path());
}

/// A level whose first bytes are damaged is that of the manifest still; another file is not.
#[test]
fn a_level_without_its_first_bytes_is_mended() {
    let home = tempfile::tempdir().expect("a directory");
    let from = twelve_cards().to_str().expect("text");
    let build = || {
        let words = ["build", "--cards", "12", "--db"];
        finish(setrograde().args(words).arg(home.path()))
    };
    fetch(from, home.path()).ended(0);
    let path = level_file(home.path(), 12);
    let damage = |bytes: usize| {
        let mut damaged = fs::read(level_file(twelve_cards(), 12)).expect("readable");
        damaged[..16].fill(0x5a);
        damaged.truncate(damaged.len() - bytes);
        fs::write(&path, damaged).expect("written");
    };
    damage(0);
    build().ended(0);
    is_whole(home.path());
    damage(0);
    fetch(from, home.path()).ended(0);
    is_whole(home.path());
    damage(1);
    for refused in [build(), fetch(from, home.path())] {
        refused.ended(1);
        refused.complains("it is not a level of a database; move it away");
    }
}

/// Any database directory serves as a source, without a list of checksums.
#[test]
fn levels_come_from_a_database() {
    let home = tempfile::tempdir().expect("a directory");
    fetch(twelve_cards().to_str().expect("text"), home.path()).ended(0);
    is_whole(home.path());
}

#[test]
fn what_was_begun_is_continued_and_what_does_not_match_is_refused() {
    let base = released();
    let from = base.path().to_str().expect("text");
    let home = tempfile::tempdir().expect("a directory");
    let part = home.path().join("level-12.sdb.001.part");
    let whole = fs::read(base.path().join("level-12.sdb.001")).expect("readable");
    fs::write(&part, &whole[..1000]).expect("written");
    fetch(from, home.path()).ended(0);
    is_whole(home.path());

    // Other bytes than those that the list names.
    let home = tempfile::tempdir().expect("a directory");
    fs::write(&part, "").unwrap_or(());
    let damaged = base.path().join("level-12.sdb.002");
    let sound = fs::read(&damaged).expect("readable");
    let mut bytes = sound.clone();
    bytes[5_000] ^= 1;
    fs::write(&damaged, &bytes).expect("written");
    let refused = fetch(from, home.path());
    refused.ended(1);
    refused.complains("level-12.sdb.002: its SHA-256 is not the one in SHA256SUMS");
    assert_eq!(
        Database::open(home.path()).expect("it opens").max_tricks(),
        2
    );
    // Even if the list names them.
    list(base.path());
    let refused = fetch(from, home.path());
    refused.ended(1);
    refused.complains("it does not match its manifest");
    assert_eq!(
        Database::open(home.path()).expect("it opens").max_tricks(),
        2
    );
    fs::write(&damaged, &sound).expect("written");
    list(base.path());
    fetch(from, home.path()).ended(0);
    is_whole(home.path());

    // As an answer without content has it.
    fs::write(base.path().join("SHA256SUMS"), "").expect("written");
    let refused = fetch(from, home.path());
    refused.ended(1);
    refused.complains("SHA256SUMS: it is empty");
    list(base.path());
    let nothing = tempfile::tempdir().expect("a directory");
    let refused = fetch(nothing.path().to_str().expect("text"), home.path());
    refused.ended(1);
    refused.complains("manifest: cannot read: there is none");
    let more = ["db", "fetch-level", "16", "--from", from, "--db"];
    let refused = finish(setrograde().args(more).arg(home.path()));
    refused.ended(1);
    refused.complains("it has no level of 16 cards");
}

/// A server that Python has.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn levels_come_from_a_web_address() {
    use std::io::{BufRead, BufReader};
    let has = |name: &str| {
        let run = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        run.is_ok_and(|status| status.success())
    };
    if !has("curl") || !has("python3") {
        println!("skipped: no curl, or no python3 for a server");
        return;
    }
    let base = released();
    let mut server = Command::new("python3")
        .args([
            "-u",
            "-m",
            "http.server",
            "0",
            "--bind",
            "127.0.0.1",
            "--directory",
        ])
        .arg(base.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let output = BufReader::new(server.stdout.take().expect("its output"));
    let _server = Server(server);
    let line = output.lines().next().expect("a line").expect("text");
    let port = line
        .split_whitespace()
        .skip_while(|word| *word != "port")
        .nth(1);
    let from = format!("http://127.0.0.1:{}/", port.expect("a port"));
    let home = tempfile::tempdir().expect("a directory");
    fetch(&from, home.path()).ended(0);
    is_whole(home.path());
    // The begun download is of another file, longer or not, or complete; and this server ignores
    // requests to continue.
    for begun in [10_000_000, 1_000, 81_766] {
        let home = tempfile::tempdir().expect("a directory");
        let part = home.path().join("level-12.sdb.001.part");
        fs::write(&part, vec![0; begun]).expect("written");
        fetch(&from, home.path()).ended(0);
        is_whole(home.path());
    }
    let refused = fetch(&format!("{from}elsewhere"), home.path());
    refused.ended(1);
    refused.complains("elsewhere/manifest: cannot read: there is none");
}
