//! `setrograde page`: boards go into a page, complete, and nothing else changes.

use crate::folder::Folder;

/// A page as `page/build.mjs` makes it, but for the engine.
const BLANK: &str = "<!doctype html>\n<p>a < b</p>\n<script type=\"application/json\" id=\"boards\"></script>\n<script></script>\n";
const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

#[test]
fn boards_go_into_the_page() {
    let folder = Folder::with("blank.html", BLANK);
    let record = format!(
        "[Board \"1\"]\n[Event \"</script><b>\"]\n[Deal \"{DEAL}\"]\n\n[Board \"2\"]\n[Deal \"N:A\"]\n\n\
         [Board \"3\"]\n[Deal \"N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 - -\"]\n"
    );
    folder.write("boards.pbn", &record);
    // The error names the second board; the page has the first.
    let printed = folder.run("page --from blank.html -o evening.html boards.pbn");
    printed.ended(3);
    printed.complains("boards.pbn, line");
    printed.complains("evening.html: a page with 1 board");
    printed.complains("a hand is missing; the board is not shown");
    let written = folder.read("evening.html");
    let (before, rest) = written.split_once("id=\"boards\">").expect("the script");
    let (inside, after) = rest.split_once("</script>").expect("its end");
    assert_eq!(format!("{before}id=\"boards\"></script>{after}"), BLANK);
    let files: serde_json::Value = serde_json::from_str(inside).expect("JSON");
    assert_eq!(files[0]["name"], "boards.pbn");
    assert_eq!(files[0]["text"], record);
    // The page may be written again, but not into a page with boards.
    let again = folder.run(&format!("page --from evening.html -o other.html '{DEAL}'"));
    again.ended(1);
    assert!(!folder.at("other.html").exists());
    // A deal in words, and no boards.
    let words = format!("page --from blank.html -o deal.html {DEAL}");
    folder.run(&words).ended(0);
    assert!(folder.read("deal.html").contains(DEAL));
    folder.run("page --from blank.html -o none.html").ended(0);
    assert_eq!(folder.read("none.html"), BLANK);
    assert_eq!(folder.names().len(), 5);
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::with("blank.html", BLANK);
    folder.write("empty.pbn", "% PBN 2.1\n");
    for (words, why) in [
        ("-o a.html", "--from setrograde.html"),
        ("--from no.html -o a.html", "no.html: cannot read"),
        ("--from blank.html -o a.html no.pbn", "no.pbn: cannot open"),
        (
            "--from blank.html -o a.html empty.pbn",
            "no board with four hands",
        ),
    ] {
        if words.starts_with("--from") || cfg!(not(feature = "page")) {
            folder.run(&format!("page {words}")).is_refused(1, why);
        }
    }
    assert!(!folder.at("a.html").exists());
}

/// Fails unless the program ends within some seconds; a pipe or a device could hold it for ever.
#[cfg(unix)]
fn ended(folder: &Folder, words: &str) -> crate::command::Printed {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let mut command = folder.command(&format!("page {words} '{DEAL}'"));
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let child = command.stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let from = Instant::now();
    while child.try_wait().expect("waited for").is_none() {
        if from.elapsed() > Duration::from_secs(20) {
            child.kill().expect("killed");
            panic!("{words}: does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("it ended").into()
}

/// Makes a pipe where the system can.
#[cfg(unix)]
fn makes_pipe(path: &std::path::Path) -> bool {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    made.is_ok_and(|status| status.success())
}

#[test]
#[cfg(unix)]
fn only_what_is_not_there_or_is_a_page_is_replaced() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::with("blank.html", BLANK);
    let output = folder.at("boards.html");
    // What is not there is written, and a page is written again.
    for _ in 0..2 {
        ended(&folder, "--from blank.html").ended(0);
        assert!(folder.read("boards.html").contains(DEAL));
    }
    let refused = |why: &str| {
        let printed = ended(&folder, "--from blank.html");
        printed.is_refused(1, why);
        printed.complains("boards.html: ");
        printed.complains("--output");
    };
    folder.write("boards.html", "mine");
    refused("not a page of setrograde");
    assert_eq!(folder.read("boards.html"), "mine");
    fs::set_permissions(&output, fs::Permissions::from_mode(0o0)).expect("set");
    // Root reads every file.
    if fs::read(&output).is_err() {
        refused("cannot read");
    }
    folder.remove("boards.html");
    fs::create_dir(&output).expect("made");
    refused("not a regular file");
    fs::remove_dir(&output).expect("removed");
    if makes_pipe(&output) {
        refused("not a regular file");
        folder.remove("boards.html");
    }
    for device in ["/dev/zero", "/dev/null"] {
        symlink(device, &output).expect("linked");
        refused("not a regular file");
        folder.remove("boards.html");
    }
    assert_eq!(folder.names(), ["blank.html"]);
}

#[test]
#[cfg(unix)]
fn the_page_to_fill_is_a_regular_file_of_some_size() {
    let folder = Folder::new();
    let long = std::fs::File::create(folder.at("long.html")).expect("made");
    long.set_len(1 << 40).expect("a sparse file");
    std::fs::create_dir(folder.at("folder.html")).expect("made");
    let mut all = vec![
        ("/dev/zero", "not a regular file"),
        ("folder.html", "not a regular file"),
        ("long.html", "longer than"),
    ];
    if makes_pipe(&folder.at("pipe.html")) {
        all.push(("pipe.html", "not a regular file"));
    }
    for (from, why) in all {
        let printed = ended(&folder, &format!("--from {from} -o a.html"));
        printed.is_refused(1, why);
        printed.complains(from);
    }
    assert!(!folder.at("a.html").exists());
}
