//! `setrograde page`: boards go into a page, complete, and nothing else changes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn page(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setrograde"));
    command.arg("page").args(arguments).current_dir(directory);
    command.output().expect("the program starts")
}

/// A page as `page/build.mjs` makes it, but for the engine.
const BLANK: &str = "<!doctype html>\n<p>a < b</p>\n<script type=\"application/json\" id=\"boards\"></script>\n<script></script>\n";
const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

#[test]
fn boards_go_into_the_page() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = directory.path();
    fs::write(at.join("blank.html"), BLANK).expect("written");
    let record = format!(
        "[Board \"1\"]\n[Event \"</script><b>\"]\n[Deal \"{DEAL}\"]\n\n[Board \"2\"]\n[Deal \"N:A\"]\n\n\
         [Board \"3\"]\n[Deal \"N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 - -\"]\n"
    );
    fs::write(at.join("boards.pbn"), &record).expect("written");

    let output = page(
        at,
        &["--from", "blank.html", "-o", "evening.html", "boards.pbn"],
    );
    // The error names the second board; the page has the first.
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("boards.pbn, line") && text.contains("evening.html: a page with 1 board"),
        "{text}"
    );
    assert!(
        text.contains("a hand is missing; the board is not shown"),
        "{text}"
    );
    let written = fs::read_to_string(at.join("evening.html")).expect("the page");
    let (before, rest) = written.split_once("id=\"boards\">").expect("the script");
    let (inside, after) = rest.split_once("</script>").expect("its end");
    assert_eq!(format!("{before}id=\"boards\"></script>{after}"), BLANK);
    let files: serde_json::Value = serde_json::from_str(inside).expect("JSON");
    assert_eq!(files[0]["name"], "boards.pbn");
    assert_eq!(files[0]["text"], record);
    // The page may be written again, but not into a page with boards.
    let output = page(at, &["--from", "evening.html", "-o", "other.html", DEAL]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!at.join("other.html").exists());
    // A deal in words, and no boards.
    let mut words = vec!["--from", "blank.html", "-o", "deal.html"];
    words.extend(DEAL.split(' '));
    assert!(page(at, &words).status.success());
    assert!(
        fs::read_to_string(at.join("deal.html"))
            .expect("the page")
            .contains(DEAL)
    );
    assert!(
        page(at, &["--from", "blank.html", "-o", "none.html"])
            .status
            .success()
    );
    assert_eq!(
        fs::read_to_string(at.join("none.html")).expect("the page"),
        BLANK
    );
    assert_eq!(fs::read_dir(at).expect("a directory").count(), 5);
}

#[test]
fn what_is_missing_is_said() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = directory.path();
    let said = |arguments: &[&str]| {
        let output = page(at, arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    if cfg!(not(feature = "page")) {
        assert!(said(&["-o", "a.html"]).contains("--from setrograde.html"));
    }
    assert!(said(&["--from", "no.html", "-o", "a.html"]).contains("no.html: cannot read"));
    fs::write(at.join("blank.html"), BLANK).expect("written");
    assert!(
        said(&["--from", "blank.html", "-o", "a.html", "no.pbn"]).contains("no.pbn: cannot open")
    );
    fs::write(at.join("empty.pbn"), "% PBN 2.1\n").expect("written");
    assert!(
        said(&["--from", "blank.html", "-o", "a.html", "empty.pbn"])
            .contains("no board with four hands")
    );
    assert!(!at.join("a.html").exists());
}

/// Fails unless the program ends within some seconds; a pipe or a device could hold it for ever.
#[cfg(unix)]
fn ended(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    use std::io::Read;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let mut child = Command::new(env!("CARGO_BIN_EXE_setrograde"))
        .arg("page")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let from = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("waited for") {
            break status;
        }
        if from.elapsed() > Duration::from_secs(20) {
            child.kill().expect("killed");
            panic!("{arguments:?}: does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut text = String::new();
    let mut said = child.stderr.take().expect("it is piped");
    said.read_to_string(&mut text).expect("text");
    (status.code(), text)
}

#[test]
#[cfg(unix)]
fn only_what_is_not_there_or_is_a_page_is_replaced() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let directory = tempfile::tempdir().expect("a directory");
    let at = directory.path();
    fs::write(at.join("blank.html"), BLANK).expect("written");
    let output = at.join("boards.html");
    let run = || ended(at, &["--from", "blank.html", DEAL]);
    // What is not there is written, and a page is written again.
    for _ in 0..2 {
        assert_eq!(run().0, Some(0));
        assert!(
            fs::read_to_string(&output)
                .expect("the page")
                .contains(DEAL)
        );
    }
    let refused = |why: &str| {
        let (status, text) = run();
        assert_eq!(status, Some(1), "{why}: {text}");
        let named = text.contains("boards.html: ") && text.contains(why);
        assert!(named && text.contains("--output"), "{why}: {text}");
    };
    fs::write(&output, "mine").expect("written");
    refused("not a page of setrograde");
    assert_eq!(fs::read_to_string(&output).expect("read"), "mine");
    fs::set_permissions(&output, fs::Permissions::from_mode(0o0)).expect("set");
    // Root reads every file.
    if fs::read(&output).is_err() {
        refused("cannot read");
    }
    fs::remove_file(&output).expect("removed");
    fs::create_dir(&output).expect("made");
    refused("not a regular file");
    fs::remove_dir(&output).expect("removed");
    let made = Command::new("mkfifo").arg(&output).status();
    if made.is_ok_and(|status| status.success()) {
        refused("not a regular file");
        fs::remove_file(&output).expect("removed");
    }
    for device in ["/dev/zero", "/dev/null"] {
        symlink(device, &output).expect("linked");
        refused("not a regular file");
        fs::remove_file(&output).expect("removed");
    }
    assert_eq!(fs::read_dir(at).expect("a directory").count(), 1);
}

#[test]
#[cfg(unix)]
fn the_page_to_fill_is_a_regular_file_of_some_size() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = directory.path();
    let long = fs::File::create(at.join("long.html")).expect("made");
    long.set_len(1 << 40).expect("a sparse file");
    fs::create_dir(at.join("folder.html")).expect("made");
    let pipe = Command::new("mkfifo")
        .arg(at.join("pipe.html"))
        .status()
        .is_ok_and(|status| status.success());
    let all = ["/dev/zero", "folder.html", "long.html", "pipe.html"];
    for from in &all[..if pipe { 4 } else { 3 }] {
        let (status, text) = ended(at, &["--from", from, "-o", "a.html", DEAL]);
        assert_eq!(status, Some(1), "{from}: {text}");
        let why = if *from == "long.html" {
            "longer than"
        } else {
            "not a regular file"
        };
        assert!(text.contains(why) && text.contains(from), "{text}");
    }
    assert!(!at.join("a.html").exists());
}
