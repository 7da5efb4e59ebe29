//! One line of text, read as every type of the cards crate, and as questions about hidden cards,
//! conditions, lines of play and scripts of dealer. Parsed values are written and parsed again; the
//! expressions of a script are evaluated.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use setrograde_beliefs::{
    Condition, Question, QuestionError, Script, ScriptError, Strengths, Values, View,
};
use setrograde_cards::{
    Bid, Card, Contract, Deal, Doubling, Hand, Holding, Position, Rank, Seat, Side, Strain, Suit,
    TextError, Vulnerability,
};
use setrograde_claim::{Knowledge, Line};

const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

pub fn seeds() -> Vec<Vec<u8>> {
    [
        DEAL,
        "NT W N:A.K.. K.A.. Q.Q.. J.J..",
        "S E N:A... ... ... ... played=SK,SQ,SJ",
        "AK.Q..T2",
        "4SXXN",
        "3NT",
        "SA",
        "All",
        "north",
        "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK,W.hcp<=4|S=2-2 S2 S9 if=E.S=1",
        "H W N:A... - - K... hidden=Q2... by=W",
        "NT S N:AQ... ? 3... ? out=KJT... played=S2,S9",
        "E+HK,S=3-1|W.S=4,E.hcp=11-15",
        "tricks(S,NT)>=9,not (makes(4SXN)|unique(lead,3NTS)),par>score(4SN)+50",
        "unique(card,3NTS,HK)|lost(HK,3NTS)=1-2,N.hcp+S.hcp<=24",
        "SA-C2 HT H2-HQ T rest",
        "  d  South e:K.2.. 3.4.. 5.6.. 7.8..  ",
        include_str!("../../../../data/samples/stayman.dlr"),
        "a = hcp(north)>=15 && shape(south, any 4333 + 54xx - any 0xxx) predeal east SAK, H2
         b = a ? tricks(west, notrump) : imps(score(vul, x4Sx, 9)) condition not b or cccc(north)>1500
         altcount 0 9 6 3 1 action printpbn, frequency \"f\" (quality(east, spades), -5, 10), average rnd(3)",
        &format!("a = {}1{} condition a", "(".repeat(99), ")".repeat(99)),
        &format!("condition {}", ["hcp(north)>3"; 4000].join(" and ")),
        &format!("({}){}", ["E+SK"; 250].join("|"), ",E+SK".repeat(15)),
        &["E.hcp=3-5"; 6000].join(","),
        &format!("not ({})", ["E.S=2,W.S=1"; 5000].join("|")),
        &format!(
            "NT S N:AQ... ? 32... ? out=KJT9...{}",
            " if=E+SK|W+SQ".repeat(4000)
        ),
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    read::<Rank>(&text);
    read::<Card>(&text);
    read::<Suit>(&text);
    read::<Strain>(&text);
    read::<Seat>(&text);
    read::<Side>(&text);
    read::<Holding>(&text);
    read::<Hand>(&text);
    read::<Deal>(&text);
    read::<Bid>(&text);
    read::<Doubling>(&text);
    read::<Contract>(&text);
    read::<Vulnerability>(&text);
    read::<Position>(&text);
    if let Ok(condition) = ask::<Condition>(&text) {
        // Without brackets it may be too large to be read.
        let statements: usize = condition.alternatives().map(<[_]>::len).sum();
        let written = condition.to_string();
        if statements <= 512 && written.len() <= 64 << 10 {
            assert_eq!(written.parse(), Ok(condition));
        }
    }
    if let Err(error) = setrograde::ResultCondition::read(&text) {
        assert!(error.to_string().len() < 1_000 + 3 * text.len());
    }
    read_script(&text);
    if let Ok(line) = ask::<Line>(&text) {
        assert_eq!(line.to_string().parse(), Ok(line));
    }
    if let Ok(question) = ask::<Question>(&text) {
        let _ = within(&text, Knowledge::of(&question));
        if let Ok(view) = within(&text, View::of_bridge(&question)) {
            // It may be that no layout is left.
            let _ = view.facts(&Strengths::NONE);
        }
    }
}

/// Reads a script, finds the conditions by which its deals are drawn, and all its values in a deal.
fn read_script(text: &str) {
    let script = match Script::read(text) {
        Ok(script) => script,
        Err(error) => {
            assert!(
                error.line() as usize <= text.matches('\n').count() + 1,
                "{error}"
            );
            assert!(
                (1..=text.len() + 1).contains(&(error.column() as usize)),
                "{error}"
            );
            assert!(error.to_string().len() < 600, "{error}");
            return;
        }
    };
    let deal: Deal = DEAL.parse().expect("a deal");
    let mut values = Values::new(&script);
    values.start(Seat::ALL.map(|seat| deal.hand(seat)), 1);
    if let Some(condition) = script.condition {
        let _ = script.conditions(condition, true);
    }
    let named = script.names().filter_map(|name| script.named(name));
    for expression in script.condition.into_iter().chain(named) {
        let found: Result<i64, ScriptError> = values.of(&script, expression, &mut |_| Ok(7));
        if let Err(error) = found {
            assert!(error.to_string().len() < 600, "{error}");
        }
    }
}

fn ask<T: FromStr<Err = QuestionError>>(text: &str) -> Result<T, QuestionError> {
    within(text, text.parse())
}

/// Checks that an error names a column of the text.
fn within<T>(text: &str, found: Result<T, QuestionError>) -> Result<T, QuestionError> {
    found.inspect_err(|error| {
        let column = error.column();
        assert!(column >= 1 && column <= text.chars().count() + 1, "{error}");
        assert!(error.to_string().len() < 600, "{error}");
    })
}

fn read<T>(text: &str)
where
    T: FromStr<Err = TextError> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>(), Ok(value)),
        Err(error) => {
            let column = error.column();
            assert!(column >= 1 && column <= text.chars().count() + 1, "{error}");
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}
