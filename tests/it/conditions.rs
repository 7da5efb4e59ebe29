//! Conditions add up, whichever option has them, and one that no cards satisfy is named as it was
//! written.

use crate::command::{are_refused, run_line};

#[test]
fn conditions_add_up_and_are_about_hidden_hands() {
    let question = "S N N:AQ4... - 32.A.. - hidden=KJT.98.5.";
    for (conditions, count) in [
        // East has two or three of three spades: 10 of 20; no hearts besides: 4.
        ("--if E.S>=2", 10),
        ("--if E.S>=2 --if E.H=0", 4),
        ("--if E.H=0,E.S>=2", 4),
        ("--if E+SK", 10),
        ("--if W.hcp=4,S=2-1", 3),
        // Of the spades King, Jack and Ten East has King or Jack, or both: 10 + 10 - 4.
        ("--if E+SK|E+SJ", 16),
        ("--if (E+SK|E+SJ),E-ST", 9),
        ("--if S=3-0", 2),
    ] {
        let printed = run_line(&format!("layouts '{question}' {conditions}"));
        let first = printed.output.lines().next().unwrap_or_default();
        let found = first.split_once('\t').map(|(_, count)| count.parse());
        assert_eq!(found, Some(Ok(count)), "{conditions}: {printed:?}");
    }
}

/// A condition that no cards satisfy is named as it was written.
#[test]
fn impossible_conditions_are_named() {
    are_refused(
        r#"
        3 layouts 'S N N:AQ4... - 32.A.. - hidden=KJT.98.5.' --if E.S=2 --if N.S=3 => --if: column 1: North is visible
        3 layouts 'S N N:AQ4... - 32.A.. - hidden=KJT.98.5.' --if E.S=2 --if E.S=3 => E.S>=3,E.S<=2 cannot be met
        3 layouts 'S N N:AQ4... - 32.A.. - hidden=KJT.98.5.' --if E.S=3,E.H=1|E.S=3,E.D=1 => fits E.S=3,E.H=1|E.S=3,E.D=1
        3 deal --if N.S=5-3 => --if: column 1: "N.S=5-3": the range 5-3 is reversed; expected 3-5
        3 deal --if E+HK,N.hcp=17-15 => --if: column 6: "N.hcp=17-15": the range 17-15 is reversed
        3 deal --if N.S>=8,N.balanced => --if: column 1: N.S>=8,N.balanced can never hold
        3 deal --if N.losers=1,N.S=3,N.S=4 => --if: column 1: N.losers=1,N.S=3,N.S=4 can never hold
        3 deal --where tricks(S,NT)=10-9 => --where: column 1: "tricks(S,NT)=10-9": the range 10-9 is reversed"#,
    );
}
