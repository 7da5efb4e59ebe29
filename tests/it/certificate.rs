//! `--certificate`, and what `setrograde-check` says of the file.

use std::fs;
use std::io::Write;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use setrograde_check::{Proved, check as check_bytes, read};

use crate::command::{Printed, feed, finish};
use crate::folder::Folder;

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

/// The only certificate that a command writes, decompressed, and what the command prints.
fn certificate(folder: &Folder, line: &str) -> (Vec<u8>, Printed) {
    let printed = folder.run(&format!("{line} --certificate one.certificate"));
    printed.ended(0);
    let mut all = certificates(&folder.bytes("one.certificate"));
    assert_eq!(all.len(), 1, "{line}");
    (all.remove(0), printed)
}

#[test]
fn a_table_with_its_certificate() {
    let line = format!("table --format numbers '{DEAL}'");
    let (bytes, printed) = certificate(&Folder::new(), &line);
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
    let folder = Folder::new();
    let run = |words: &str| {
        let printed = feed(&mut folder.command(&format!("{words} -")), THREE);
        printed.ended(0);
        printed.output
    };
    for command in ["table", "par"] {
        let with_file = run(&format!("{command} --certificate deals"));
        assert_eq!(with_file, run(command));
        run(&format!("{command} --certificate - --output in-place"));
        let bytes = folder.bytes("deals");
        assert_eq!(folder.bytes("in-place"), bytes);
        let deals: Vec<String> = proved(&bytes).into_iter().map(|one| one.deal).collect();
        assert_eq!(deals, THREE.lines().collect::<Vec<_>>());
    }
    // Deals that are left out have none.
    run("table --where tricks(N,NT)=0 --certificate deals");
    let left = proved(&folder.bytes("deals"));
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].deal, "N:K... A... Q... J...");
}

/// A position has a certificate of its own result, which says nothing of others.
#[test]
fn a_position_with_its_certificate() {
    let folder = Folder::new();
    let (bytes, printed) = certificate(&folder, "solve NT S 'N:AQ... 76... 54... K3...'");
    assert!(printed.output.ends_with("\t2\n"), "{}", printed.errors);
    let mut stated = [None; 20];
    // East would declare, and takes none.
    stated[1] = Some(0);
    assert_eq!(check_bytes(&bytes).expect("accepted").results, stated);

    folder.write("file", "before");
    let within = "solve --certificate file 'NT S N:AQ... K3... 5... 76... played=S4'";
    let printed = folder.run(within);
    printed.is_refused(3, "start of a trick");
    printed.complains("left unchanged");
    assert_eq!(folder.read("file"), "before");
}

/// A file of questions is never replaced, and answers and certificates have a file each.
#[test]
fn certificates_replace_no_input() {
    let folder = Folder::with("deals", THREE);
    for (words, error) in [
        ("--certificate deals", "which is an input"),
        ("--certificate x --output x", "the answers go there"),
        ("--certificate - --json", "name a file"),
        ("--certificate x --format lin", "has none"),
    ] {
        let printed = folder.run(&format!("table {words} deals"));
        printed.is_refused(1, error);
        assert_eq!(folder.read("deals"), THREE);
    }
    assert_eq!(folder.names(), ["deals"]);
}

/// The deal of `docs/certificate.md`, and its bytes there.
#[test]
fn the_bytes_of_the_document() {
    let line = "table 'N:.AK.. QJ... A.J.. K.Q..'";
    let (bytes, _) = certificate(&Folder::new(), line);
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
    let folder = Folder::new();
    let deal = "N:KJ5.2.. A2.Q4.. Q4.A3.. T3.K5..";
    let (bytes, _) = certificate(&folder, &format!("table '{deal}'"));
    let packed = |bytes: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        let written = packed.write_all(bytes).and_then(|()| packed.finish());
        written.expect("memory")
    };
    let script = format!(
        "{}/scripts/check_certificate.py",
        env!("CARGO_MANIFEST_DIR")
    );
    let check = |name: &str| {
        let mut command = Command::new("python3");
        finish(command.arg(&script).arg(folder.at(name)))
    };
    if Command::new("python3").arg("-V").output().is_err() {
        eprintln!("left out: there is no python3");
        return;
    }
    let accepted = check("one.certificate");
    accepted.ended(0);
    accepted.begins(deal);

    let start = deal.len() + 26;
    for at in (start..bytes.len()).step_by(bytes.len() / 40) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let expected = check_bytes(&changed).is_ok();
        folder.write("changed", packed(&changed));
        assert_eq!(check("changed").status == Some(0), expected, "byte {at}");
    }

    // Several certificates, and one of a position.
    certificate(&folder, "solve S S 'N:AQ... 76... 54... K3...'");
    let one = folder.bytes("one.certificate");
    folder.write("two", [&one[..], &one[..]].concat());
    let accepted = check("two");
    assert_eq!(accepted.output.lines().count(), 2, "{accepted:?}");
    folder.write("cut", [&one[..], &one[..one.len() - 1]].concat());
    assert_ne!(check("cut").status, Some(0));
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
