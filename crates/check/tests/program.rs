//! The program `setrograde-check`.

use std::process::Command;

#[test]
fn names_of_files_do_not_act_on_a_terminal() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setrograde-check"));
    let ended = command
        .arg("x\u{9b}31m\u{202e}")
        .output()
        .expect("it starts");
    let error = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(1), "{error}");
    assert!(
        error.starts_with(r"x\u{9b}31m\u{202e}: refused: "),
        "{error}"
    );
}
