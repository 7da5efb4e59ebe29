//! `--certificate`, and what `setrograde-check` says of the file.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use setrograde_check::{Proved, check as check_bytes, read};

use crate::command::{feed, setrograde};

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

/// The certificates of a file, decompressed.
fn certificates(mut file: &[u8]) -> Vec<Vec<u8>> {
    let next = || read(&mut file).expect("gzip");
    std::iter::from_fn(next).collect()
}

fn proved(file: &[u8]) -> Vec<Proved> {
    let certificates = certificates(file).into_iter();
    certificates
        .map(|bytes| check_bytes(&bytes).expect("accepted"))
        .collect()
}

#[test]
fn a_table_with_its_certificate() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let mut command = setrograde();
    command.args(["table", "--format", "numbers", "--certificate"]);
    let printed = feed(command.arg(&file).arg(DEAL), "");
    assert_eq!(printed.status, Some(0), "{}", printed.errors);

    let bytes = certificates(&fs::read(&file).expect("a file")).remove(0);
    let proved = check_bytes(&bytes).expect("accepted");
    assert_eq!(proved.deal, DEAL);
    let numbers = proved
        .results
        .map(|tricks| tricks.expect("stated").to_string());
    assert_eq!(printed.output, format!("{DEAL}\t{}\n", numbers.join(" ")));

    // East takes 11 tricks at no trump, not 12.
    let lines = bytes.splitn(4, |&byte| byte == b'\n').collect::<Vec<_>>();
    let others = String::from_utf8_lossy(lines[2]).replacen("11", "12", 1);
    let changed = [lines[0], lines[1], others.as_bytes(), lines[3]].join(&b'\n');
    let error = check_bytes(&changed).expect_err("a wrong result");
    assert!(error.to_string().contains("NT"), "{error}");
}

const THREE: &str = "N:A... K... Q... J...\nN:KJ.2.. A2.3.. Q4.A.. T3.K..\nN:K... A... Q... J...\n";

/// The certificates of several deals follow each other in the order of the deals, in the file and in
/// place of the answers.
#[test]
fn certificates_of_several_deals() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deals.certificate");
    for command in ["table", "par"] {
        let run = |arguments: &[&str]| {
            let mut asked = setrograde();
            asked.arg(command).args(arguments);
            feed(asked.arg("-"), THREE)
        };
        let name = file.to_str().expect("a name");
        let plain = run(&[]);
        let with_file = run(&["--certificate", name]);
        assert_eq!(with_file.status, Some(0), "{}", with_file.errors);
        assert_eq!(with_file.output, plain.output);
        let in_place = directory.path().join("in-place");
        let in_place_name = in_place.to_str().expect("a name");
        let printed = run(&["--certificate", "-", "--output", in_place_name]);
        assert_eq!(printed.status, Some(0), "{}", printed.errors);
        let bytes = fs::read(&file).expect("a file");
        assert_eq!(fs::read(&in_place).expect("a file"), bytes);
        let deals: Vec<String> = proved(&bytes).into_iter().map(|one| one.deal).collect();
        assert_eq!(deals, THREE.lines().collect::<Vec<_>>());
    }
    // Deals that are left out have none.
    let mut command = setrograde();
    command.args(["table", "--where", "tricks(N,NT)=0", "--certificate"]);
    feed(command.arg(&file).arg("-"), THREE).ended(0);
    let left = proved(&fs::read(&file).expect("a file"));
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].deal, "N:K... A... Q... J...");
}

/// A position has a certificate of its own result, which says nothing of others.
#[test]
fn a_position_with_its_certificate() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("position.certificate");
    let mut command = setrograde();
    command.args(["solve", "--certificate"]).arg(&file);
    let printed = feed(command.args(["NT", "S", "N:AQ... 76... 54... K3..."]), "");
    assert!(printed.output.ends_with("\t2\n"), "{}", printed.errors);
    let proved = proved(&fs::read(&file).expect("a file")).remove(0);
    let mut stated = [None; 20];
    // East would declare, and takes none.
    stated[1] = Some(0);
    assert_eq!(proved.results, stated);

    fs::write(&file, "before").expect("written");
    let mut command = setrograde();
    command.args(["solve", "--certificate"]).arg(&file);
    let within = "NT S N:AQ... K3... 5... 76... played=S4";
    let printed = feed(command.arg(within), "");
    assert_eq!(printed.status, Some(3));
    assert!(
        printed.errors.contains("start of a trick"),
        "{}",
        printed.errors
    );
    assert!(
        printed.errors.contains("left unchanged"),
        "{}",
        printed.errors
    );
    assert_eq!(fs::read(&file).expect("a file"), b"before");
}

/// A file of questions is never replaced, and answers and certificates have a file each.
#[test]
fn certificates_replace_no_input() {
    let directory = tempfile::tempdir().expect("a directory");
    let deals = directory.path().join("deals");
    fs::write(&deals, THREE).expect("written");
    let refused = |arguments: &[&str], error: &str| {
        let mut command = setrograde();
        command.current_dir(&directory).arg("table").args(arguments);
        let printed = feed(&mut command, "");
        assert_eq!(printed.status, Some(1), "{}", printed.errors);
        assert!(printed.errors.contains(error), "{}", printed.errors);
        assert_eq!(fs::read_to_string(&deals).expect("a file"), THREE);
    };
    refused(&["--certificate", "deals", "deals"], "which is an input");
    refused(
        &["--certificate", "x", "--output", "x", "deals"],
        "the answers go there",
    );
    refused(&["--certificate", "-", "--json", "deals"], "name a file");
    refused(
        &["--certificate", "x", "--format", "lin", "deals"],
        "has none",
    );
    assert!(fs::metadata(directory.path().join("x")).is_err());
}

/// The deal of `docs/certificate.md`, and its bytes there.
#[test]
fn the_bytes_of_the_document() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("deal.certificate");
    let mut command = setrograde();
    command.args(["table", "--certificate"]).arg(&file);
    feed(command.arg("N:.AK.. QJ... A.J.. K.Q.."), "").ended(0);
    let bytes = certificates(&fs::read(&file).expect("a file")).remove(0);
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
    let packed = |bytes: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        let written = packed.write_all(bytes).and_then(|()| packed.finish());
        written.expect("memory")
    };
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

    let bytes = certificates(&fs::read(&file).expect("a file")).remove(0);
    let start = deal.len() + 26;
    for at in (start..bytes.len()).step_by(bytes.len() / 40) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let expected = check_bytes(&changed).is_ok();
        let other = directory.path().join("changed.certificate");
        fs::write(&other, packed(&changed)).expect("written");
        let status = check(&other).expect("python3").status;
        assert_eq!(status.success(), expected, "byte {at}");
    }

    // Several certificates, and one of a position.
    let mut command = setrograde();
    command.args(["solve", "--certificate"]).arg(&file);
    feed(command.args(["S", "S", "N:AQ... 76... 54... K3..."]), "").ended(0);
    let one = fs::read(&file).expect("a file");
    fs::write(&file, [&one[..], &one[..]].concat()).expect("written");
    let accepted = check(&file).expect("python3");
    let output = String::from_utf8_lossy(&accepted.stdout).into_owned();
    assert_eq!(output.lines().count(), 2, "{output}");
    fs::write(&file, [&one[..], &one[..one.len() - 1]].concat()).expect("written");
    assert!(!check(&file).expect("python3").status.success());
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
    assert!(lines.iter().sum::<usize>() <= 410, "{lines:?}");
    let lines = code_lines("scripts/check_certificate.py");
    assert!(lines <= 200, "{lines}");
}
