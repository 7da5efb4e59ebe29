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
        finish(&mut command)
    };
    for (conditions, count) in [
        // East has two or three of three spades: 10 of 20; no hearts besides: 4.
        (&["E.S>=2"][..], 10),
        (&["E.S>=2", "E.H=0"], 4),
        (&["E.H=0,E.S>=2"], 4),
        (&["E+SK"], 10),
        (&["W.hcp=4,S=2-1"], 3),
        // Of the spades King, Jack and Ten East has King or Jack, or both: 10 + 10 - 4.
        (&["E+SK|E+SJ"], 16),
        (&["(E+SK|E+SJ),E-ST"], 9),
        (&["S=3-0"], 2),
    ] {
        let printed = layouts(conditions);
        let first = printed.output.lines().next().unwrap_or_default();
        let found = first.split_once('\t').map(|(_, count)| count.parse());
        assert_eq!(found, Some(Ok(count)), "{conditions:?}: {printed:?}");
    }
    for (conditions, error) in [
        (&["E.S=2", "N.S=3"][..], "--if: column 1: North is visible"),
        (&["E.S=2", "E.S=3"], "E.S>=3,E.S<=2 cannot be met"),
        (&["E.S=3,E.H=1|E.S=3,E.D=1"], "fits E.S=3,E.H=1|E.S=3,E.D=1"),
    ] {
        layouts(conditions).is_refused(3, error);
    }
}

/// A condition that no cards satisfy is named as it was written.
#[test]
fn impossible_conditions_are_named() {
    for (option, condition, problem) in [
        (
            "--if",
            "N.S=5-3",
            "1: \"N.S=5-3\": the range 5-3 is reversed; expected 3-5",
        ),
        (
            "--if",
            "E+HK,N.hcp=17-15",
            "6: \"N.hcp=17-15\": the range 17-15 is reversed",
        ),
        (
            "--if",
            "N.S>=8,N.balanced",
            "1: N.S>=8,N.balanced can never hold",
        ),
        (
            "--if",
            "N.losers=1,N.S=3,N.S=4",
            "1: N.losers=1,N.S=3,N.S=4 can never hold",
        ),
        (
            "--where",
            "tricks(S,NT)=10-9",
            "1: \"tricks(S,NT)=10-9\": the range 10-9 is reversed",
        ),
    ] {
        let printed = run(&["deal", option, condition]);
        printed.is_refused(3, &format!("{option}: column {problem}"));
    }
}
