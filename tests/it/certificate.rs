//! `setrograde table --certificate`, and what `setrograde-check` says of the file.

use std::fs::{self, File};

use setrograde_check::{check, read};

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
    let proved = check(&bytes).expect("accepted");
    assert_eq!(proved.deal, DEAL);
    let numbers: Vec<_> = proved
        .results
        .as_flattened()
        .iter()
        .map(u8::to_string)
        .collect();
    assert_eq!(printed.output, format!("{DEAL}\t{}\n", numbers.join(" ")));

    // East takes 11 tricks at no trump, not 12.
    let lines = bytes.splitn(4, |&byte| byte == b'\n').collect::<Vec<_>>();
    let others = String::from_utf8_lossy(lines[2]).replacen("11", "12", 1);
    let changed = [lines[0], lines[1], others.as_bytes(), lines[3]].join(&b'\n');
    let error = check(&changed).expect_err("a wrong result");
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
