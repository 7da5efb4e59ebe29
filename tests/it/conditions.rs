//! Conditions add up, whichever option has them, and one that no cards satisfy is named as it was
//! written.

use crate::command::{finish, run, setrograde};

#[test]
fn conditions_add_up_and_are_about_hidden_hands() {
    let question = "S N N:AQ4... - 32.A.. - hidden=KJT.98.5.";
    let layouts = |conditions: &[&str]| {
        let mut command = setrograde();
        command.args(["layouts", question]);
        for condition in conditions {
            command.args(["--if", condition]);
        }
        let printed = finish(&mut command);
        let count = printed.output.lines().next().and_then(|line| {
            let (_, count) = line.split_once('\t')?;
            count.parse::<u32>().ok()
        });
        count.ok_or(printed.errors)
    };
    // East has two or three of three spades: 10 of 20; no hearts besides: 4.
    assert_eq!(layouts(&["E.S>=2"]), Ok(10));
    assert_eq!(layouts(&["E.S>=2", "E.H=0"]), Ok(4));
    assert_eq!(layouts(&["E.H=0,E.S>=2"]), Ok(4));
    assert_eq!(layouts(&["E+SK"]), Ok(10));
    assert_eq!(layouts(&["W.hcp=4,S=2-1"]), Ok(3));
    let error = layouts(&["E.S=2", "N.S=3"]).expect_err("North is visible");
    assert!(
        error.contains("--if: column 1: North is visible"),
        "{error}"
    );
    let error = layouts(&["E.S=2", "E.S=3"]).expect_err("no hand");
    assert!(error.contains("E.S>=3,E.S<=2 cannot be met"), "{error}");
    // Of the spades King, Jack and Ten East has King or Jack, or both: 10 + 10 - 4.
    assert_eq!(layouts(&["E+SK|E+SJ"]), Ok(16));
    assert_eq!(layouts(&["(E+SK|E+SJ),E-ST"]), Ok(9));
    assert_eq!(layouts(&["S=3-0"]), Ok(2));
    let error = layouts(&["E.S=3,E.H=1|E.S=3,E.D=1"]).expect_err("no hand");
    assert!(error.contains("fits E.S=3,E.H=1|E.S=3,E.D=1"), "{error}");
}

/// A condition that no cards satisfy is named as it was written.
#[test]
fn impossible_conditions_are_named() {
    for (option, condition, problem) in [
        (
            "--if",
            "N.S=5-3",
            "--if: column 1: \"N.S=5-3\": the range 5-3 is reversed; expected 3-5",
        ),
        (
            "--if",
            "E+HK,N.hcp=17-15",
            "--if: column 6: \"N.hcp=17-15\": the range 17-15 is reversed",
        ),
        (
            "--if",
            "N.S>=8,N.balanced",
            "--if: column 1: N.S>=8,N.balanced can never hold",
        ),
        (
            "--if",
            "N.losers=1,N.S=3,N.S=4",
            "--if: column 1: N.losers=1,N.S=3,N.S=4 can never hold",
        ),
        (
            "--where",
            "tricks(S,NT)=10-9",
            "--where: column 1: \"tricks(S,NT)=10-9\": the range 10-9 is reversed",
        ),
    ] {
        let printed = run(&["deal", option, condition]);
        assert_eq!(printed.status, Some(3), "{condition}");
        printed.complains(problem);
    }
}
