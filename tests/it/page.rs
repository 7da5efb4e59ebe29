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
