//! `setrograde table --certificate`, and what `setrograde-check` says of the file.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use setrograde_check::{check as check_bytes, read};

use crate::command::{feed, setrograde};

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

#[test]
fn a_table_with_its_certificate() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let mut command = setrograde();
    command.args(["table", "--format", "numbers", "--certificate"]);
    let printed = feed(command.arg(&file).arg(DEAL), "");
    assert_eq!(printed.status, Some(0), "{}", printed.errors);

    let bytes = read(File::open(&file).expect("a file")).expect("gzip");
    let proved = check_bytes(&bytes).expect("accepted");
    assert_eq!(proved.deal, DEAL);
    let numbers = proved.results.map(|tricks| tricks.to_string());
    assert_eq!(printed.output, format!("{DEAL}\t{}\n", numbers.join(" ")));

    // East takes 11 tricks at no trump, not 12.
    let lines = bytes.splitn(4, |&byte| byte == b'\n').collect::<Vec<_>>();
    let others = String::from_utf8_lossy(lines[2]).replacen("11", "12", 1);
    let changed = [lines[0], lines[1], others.as_bytes(), lines[3]].join(&b'\n');
    let error = check_bytes(&changed).expect_err("a wrong result");
    assert!(error.to_string().contains("NT"), "{error}");
}

#[test]
fn a_certificate_is_of_one_deal() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let mut command = setrograde();
    command.args(["table", "--certificate"]).arg(&file).arg("-");
    let printed = feed(
        &mut command,
        "N:A... K... Q... J...\nN:K... A... Q... J...\n",
    );
    assert_eq!(printed.status, Some(3), "{}", printed.output);
    assert!(printed.errors.contains("one deal"), "{}", printed.errors);
    assert!(fs::metadata(&file).is_err());
}

/// The deal of `docs/certificate.md`, and its bytes there.
#[test]
fn the_bytes_of_the_document() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let mut command = setrograde();
    command.args(["table", "--certificate"]).arg(&file);
    feed(command.arg("N:.AK.. QJ... A.J.. K.Q.."), "").ended(0);
    let bytes = read(File::open(&file).expect("a file")).expect("gzip");
    let lemmas = bytes.splitn(4, |&byte| byte == b'\n').nth(3);

    let root = env!("CARGO_MANIFEST_DIR");
    let text = fs::read_to_string(format!("{root}/docs/certificate.md")).expect("text");
    let example = text.split("## An example").nth(1).expect("an example");
    let lines = example.lines().skip_while(|line| !line.starts_with("    "));
    let lines = lines.take_while(|line| line.starts_with("    "));
    let hexadecimal = lines.flat_map(str::split_whitespace);
    let shown: Vec<u8> = hexadecimal
        .map(|byte| u8::from_str_radix(byte, 16).expect("a byte"))
        .collect();
    assert_eq!(lemmas, Some(&shown[..]));
}

/// The checker in Python accepts and refuses the same.
#[test]
fn the_checker_in_python() {
    let root = env!("CARGO_MANIFEST_DIR");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let deal = "N:KJ5.2.. A2.Q4.. Q4.A3.. T3.K5..";
    let mut command = setrograde();
    command.args(["table", "--certificate"]).arg(&file);
    feed(command.arg(deal), "").ended(0);
    let check = |file: &Path| {
        let mut command = Command::new("python3");
        let script = format!("{root}/scripts/check_certificate.py");
        command.arg(script).arg(file).output()
    };
    let Ok(accepted) = check(&file) else {
        eprintln!("left out: there is no python3");
        return;
    };
    let output = String::from_utf8_lossy(&accepted.stdout).into_owned();
    assert!(
        output.starts_with(deal) && accepted.status.success(),
        "{accepted:?}"
    );

    let bytes = read(File::open(&file).expect("a file")).expect("gzip");
    let start = deal.len() + 26;
    for at in (start..bytes.len()).step_by(bytes.len() / 40) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let expected = check_bytes(&changed).is_ok();
        let other = directory.path().join("changed.certificate");
        let mut packed = GzEncoder::new(File::create(&other).expect("a file"), Compression::fast());
        packed.write_all(&changed).expect("written");
        packed.finish().expect("written");
        let status = check(&other).expect("python3").status;
        assert_eq!(status.success(), expected, "byte {at}");
    }
}

/// Returns the number of lines of a program without comments.
fn code_lines(file: &str) -> usize {
    let text = fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR")));
    let text = text.expect("text");
    let lines = text.lines().map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'))
        .count()
}

#[test]
fn the_checkers_are_short() {
    let files = ["deal", "lemma", "lib", "theorems", "trick"];
    let lines = files.map(|file| code_lines(&format!("crates/check/src/{file}.rs")));
    assert!(lines.iter().sum::<usize>() <= 400, "{lines:?}");
    let lines = code_lines("scripts/check_certificate.py");
    assert!(lines <= 200, "{lines}");
}
