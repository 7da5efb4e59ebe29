//! Conditions: their text, their cases, and their meaning.

use setrograde_cards::{Card, Hand, Seat, Suit};

use super::{CONDITIONS, Condition, ConditionError, Fitted, Steps, Term};
use crate::limits::{Limits, Measure, NamedMeasure};
use crate::tests::cases;

/// Conditions that are written as they are read.
const WRITTEN: &str = "
    W.S=1-2  W.S<=2  W.S>=1  W.S=2  S=3-2  S<=3  E.hcp=11-15  E.hcp>=12  hcp<=9  E+HK
    E+HK,S=3-2|W.S=4  W-HA  N.balanced  balanced  N.5-4-3-1  N.controls>=5  losers<=7  N.S.top3>=2
    S.top5<=1  N.S+S.S>=8  N.hcp+S.hcp=25-27  N.S+S.S+E.H=4  N.S+N.H<=7  N.S>N.H  N.S+N.H>=S.C
    N.hcp=S.hcp  not N.balanced  not S=3-2,not E.hcp=11-15|not S<=3  not N.S=N.H  N.S>=N.H+2
    N.hcp+N.S>=S.hcp-2  N.hcp-S.hcp=2-4  N.hcp+N.S-S.hcp-S.H+3=0-5
    W.semibalanced,not W.void|E.singleton
";

/// How players write conditions, and word processors, and how these are written.
const READ: &str = "
E+HKQ => E+HK,E+HQ
W-♥A10 => W-HA,W-HT
W.S<3,W.S>4 => W.S<=2,W.S>=5
E.hcp=12+ => E.hcp>=12
N.5431 => N.5-4-3-1
N.2-3-3-5 => N.5-3-3-2
(W.S>=5|W.H>=5),E+HK => W.S>=5,E+HK|W.H>=5,E+HK
W.( S>=5 | H>=5 ) => W.S>=5|W.H>=5
(((E+HK))) => E+HK
S.S>=2,S.top3>=1 => S.S>=2,S.top3>=1
n.s + s.s > 7 => N.S+S.S>=8
N.S+S.S=8+ => N.S+S.S>=8
N.S+S.S<3 => N.S+S.S<=2
N.S<N.H => N.H>N.S
N.S<=N.H+S.H => N.H+S.H>=N.S
N.(S>H,S+H>=8,S=2) => N.S>N.H,N.S+N.H>=8,N.S=2
S.S.top3+S.H.top3>=3 => S.S.top3+S.H.top3>=3
not E+HK => E-HK
not not E+HK => E+HK
not (E+HK,W.S>=5) => E-HK|W.S<=4
NOT(E+HK|W.S=2) => E-HK,not W.S=2
not N.S>N.H => N.H>=N.S
not N.S+S.S>=8 => N.S+S.S<=7
not N.hcp<=9 => N.hcp>=10
N.(not balanced,not S=4) => not N.balanced,not N.S=4
not (not N.balanced) => N.balanced
N 15-17 => N.hcp=15-17
N.hcp 15-17 => N.hcp=15-17
N hcp 15 - 17 => N.hcp=15-17
N.points=15..17 => N.hcp=15-17
N.pts = 15 to 17 => N.hcp=15-17
S 8-9 => S.hcp=8-9
N 15+ => N.hcp>=15
15<=N.hcp<=17 => N.hcp=15-17
17 >= N.hcp > 14 => N.hcp=15-17
15<=N.hcp => N.hcp>=15
NS.hcp>=25 => N.hcp+S.hcp>=25
NS 25-27 => N.hcp+S.hcp=25-27
25<=NS.hcp<=27 => N.hcp+S.hcp=25-27
EW.S=8 => E.S+W.S=8
N.bal => N.balanced
North balanced => N.balanced
N.semibal,N.unbalanced => N.semibalanced,not N.balanced
NS.balanced => N.balanced,S.balanced
N.void or N.singleton => N.void|N.singleton
N.5=3=3=2 => N.S=5,N.H=3,N.D=3,N.C=2
NS.4=3=3=3 => N.S=4,N.H=3,N.D=3,N.C=3,S.S=4,S.H=3,S.D=3,S.C=3
N.S=AKT9x => N+SA,N+SK,N+ST,N+S9,N.S.top5=3,N.S=5
N.H=xxx => N.H.top5=0,N.H=3
!N.balanced => not N.balanced
!(E+HK,W.S>=5) => E-HK|W.S<=4
N.S!=4 => not N.S=4
N.S==4 => N.S=4
N.S-N.H>=2 => N.S>=N.H+2
N.S>=N.H+2 => N.S>=N.H+2
N.S-N.H<0 => N.H>N.S
S.hcp-N.hcp=1-2 => S.hcp-N.hcp=1-2
N.hcp-S.hcp+5=4-7 => N.hcp-S.hcp+1=0-3
N.S>=N.H+1 => N.S>N.H
N.hcp+3>S.hcp+1 => N.hcp>=S.hcp-1
8<=N.S+S.S => N.S+S.S>=8
N.hcp+2>=17 => N.hcp>=15
hcp=11-15 => hcp>=11,hcp<=15
N spades >= 5 => N.S>=5
N.♠️≥5 => N.S>=5
N.hcp=15–17 => N.hcp=15-17
N.hcp ≤ 9; E.♥ ≥ 4 => N.hcp<=9,E.H>=4
not N.balanced and N.S>=5 => not N.balanced,N.S>=5
S=3—2 or W.S=4 => S=3-2|W.S=4
E+HK && W.S=4 || E+SA => E+HK,W.S=4|E+SA
 e+hk , s=3-2 | w.s=0-2,E.HCP=0-40 => E+HK,S=3-2|W.S<=2,E.hcp<=40
";

#[test]
fn text() {
    let written = WRITTEN.split("  ");
    for written in written.map(str::trim).filter(|text| !text.is_empty()) {
        let condition: Condition = written.parse().unwrap();
        assert_eq!(condition.to_string(), written);
    }
    for (text, written) in cases(READ) {
        let condition: Condition = text.parse().unwrap();
        assert_eq!(condition.to_string(), written, "{text}");
    }
}

const IN_WORDS: &str = "
E+HK => East has the king of hearts
W-HA,S=3-2 => West does not have the ace of hearts and the spades are split 3-2
W.S=1|W.S=0 => West has 1 spade, or West has no spades
N.hcp=15-17,N.balanced => North has 15 to 17 points and North is balanced
S<=3 => each hidden hand has at most 3 spades
N.5431 => North is 5-4-3-1
N.S.top3>=2 => North has at least 2 of the top 3 spades
N.losers<=7,N.controls>=1 => North has at most 7 losers and North has at least 1 control
E.hcp=1,E.controls=2,E.losers=1 => East has 1 point and East has 2 controls and East has 1 loser
E.hcp>=12,E.S.top5<=1 => East has at least 12 points and East has at most 1 of the top 5 spades
balanced => each hidden hand is balanced
N.S+S.S>=8 => North and South have at least 8 spades together
N.hcp+S.hcp=25-27 => North and South have 25 to 27 points together
N.S>N.H,N.S+S.H=7
 => North's spades are more than North's hearts and North's spades and South's hearts are 7 together
not N.balanced,not N.S=4|not S=3-2
 => North is not balanced and North does not have 4 spades, or the spades are not split 3-2
not S<=3 => not each hidden hand has at most 3 spades
N.hcp-S.hcp=2-4,N.S=N.H+1
 => North's points minus South's points are 2 to 4 and North's spades are as many as North's hearts plus 1
";

#[test]
fn in_words() {
    for (text, words) in cases(IN_WORDS) {
        let condition: Condition = text.parse().unwrap();
        assert_eq!(condition.in_words(), words);
    }
    for NamedMeasure { of, things, .. } in Measure::NAMED {
        let text = format!("E.{of}>=1|W.{of}>=2");
        let [one, two] = things;
        let words = format!("East has at least 1 {one}, or West has at least 2 {two}");
        let condition: Condition = text.parse().unwrap();
        assert_eq!((condition.to_string(), condition.in_words()), (text, words));
    }
}

/// Every line of the text that help and documents show is read, and every measure is in it.
#[test]
fn what_the_help_teaches_is_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/questions.md");
    let page = std::fs::read_to_string(page).expect("the page of questions");
    for named in Measure::NAMED {
        let name = format!(".{}", named.of);
        assert!(CONDITIONS.contains(&name), "{name}");
    }
    for line in CONDITIONS.lines() {
        assert!(page.contains(&format!("\n    {line}\n")), "{line}");
        let (text, meaning) = line.split_once("  ").expect("a meaning");
        let condition: Condition = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(condition.to_string().parse(), Ok(condition), "{text}");
        for also in meaning
            .split_once("also ")
            .map_or("", |(_, also)| also)
            .split(", ")
        {
            assert!(
                also.is_empty() || also.parse::<Condition>().is_ok(),
                "{also}"
            );
        }
        assert!(
            !meaning.trim().is_empty() && line.chars().count() <= 80,
            "{line}"
        );
    }
}

#[test]
fn equal_conditions_have_equal_terms() {
    let read = |text: &str| text.parse::<Condition>().unwrap();
    assert_eq!(read("E+HK, S=3-2"), read("E+HK,S=3-2"));
    assert_ne!(read("E+HK"), read("E+HQ"));
    // A range of each hidden hand is not a split.
    let each = Term::range(None, Measure::Length(Suit::Spades), (1, 3));
    let text = Condition::any([[each]]).to_string();
    assert_eq!(text, "S>=1,S<=3");
    let text = Condition::any([[(each, false)]]).to_string();
    assert_eq!(text, "not (S>=1,S<=3)");
}

/// Errors point at the part that is wrong, and say what was expected: the column, and a part of the
/// problem.
const ERRORS: &str = r#"
 => 1: expected a condition
E+HK, => 6: expected a condition
E+HK, X => 7: "X" is not a condition
S=3-2|S=14-0 => 9: a suit has 13 cards
S=3 => 1: "S" names no hand; expected W.S=3, or for both hidden hands S<=3
W.S => 1: "W.S" is a number; compare it, as W.S=4
W.S=+1 => 5: expected a number
E+H => 3: "H" is not a card
E.hcp=41 => 7: "41": a hand has 0 to 40 points
N.S=14 => 5: "14": a hand has 13 cards
N.S=AKQJTxxxxxxxxx => 5: a hand has 13 cards
hcp=3-2 => 1: the range 3-2 is reversed; expected 2-3
E+HK,N.S=5-3 => 6: "N.S=5-3": the range 5-3 is reversed; expected 3-5
E+HK,N.(S=5-3) => 9: the range 5-3 is reversed
N.S+S.S=9-3 => 1: the range 9-3 is reversed
E:S5-8 => 1: "E:S5-8" is not a condition
(E+HK => 6: expected a closing bracket
E+HK) => 5: closes no bracket
N.(E+HK) => 4: in the brackets of a hand
E+HK,N(S=1) => 6: is not a condition
N.5-4-3-2 => 3: four lengths that add up to 13
N.5=4=3=2 => 3: the four lengths of a hand of 13 cards
W.S>13 => 5: a hand has 13 cards
W.S<0 => 5: a hand has 13 cards
W+H => 3: is not a card
N.S.top6>=1 => 3: "S.top6" is not counted
N.foo=3 => 3: "foo" is not counted; expected a suit (S H D C), hcp
N.foo => 3: "foo" says nothing about a hand
N.SAK => 1: write N+SAK if North has it
N.S+S.S>=27 => 10: these are 0 to 26 together
N.S+S>=8 => 5: names no hand
N.S+S.S+E.S+W.S+N.H=3 => 1: more than four
S>H => 1: names no hand
15<=N.hcp>=17 => 5: of one direction
15<=N.hcp<=17<=S.hcp => 16: more than two relations
15<=17 => 5: two numbers
N.hcp<=15-17 => 8: a range
N.hcp=15- => 10: expected a number
N.hcp=150 => 7: too large
N.(S.S=3) => 4: names a hand in the brackets of North
N.(S.5=3=3=2) => 4: names a hand in the brackets of North
E+HK,not => 6: is not a condition
not  => 5: expected a condition
notN.balanced => 1: is not a condition
E+HK,not (E+SK => 15: expected a closing bracket
"#;

#[test]
fn errors_name_their_column() {
    for (text, expected) in cases(ERRORS) {
        let (column, problem) = expected.split_once(": ").unwrap();
        let error = text.parse::<Condition>().expect_err(&text);
        assert_eq!(error.column().to_string(), column, "{text}: {error}");
        assert!(error.problem().contains(problem), "{text}: {error}");
    }
}

/// An odd number of cards that are split evenly leaves no alternatives.
#[test]
fn even_splits_are_limits() {
    let hidden = [Seat::East, Seat::West];
    let limits = |text: &str| {
        let condition: Condition = text.parse().unwrap();
        condition.limits(&hidden, "KT987...".parse().unwrap())
    };
    for text in ["S=3-2", "S=2-3"] {
        let [_, east, _, west] = limits(text).unwrap();
        assert_eq!((east.lengths[0], west.lengths[0]), ((2, 3), (2, 3)));
    }
    assert_eq!(limits("S=4-1"), Err((1, ConditionError::Alternatives)));
}

#[test]
fn texts_have_limits() {
    let error = |text: String| text.parse::<Condition>().unwrap_err().to_string();
    let any = |count: usize| vec!["W.S>=1"; count].join("|");
    let read = any(256).parse::<Condition>().unwrap();
    assert_eq!(read.alternatives().len(), 256);
    let many = "column 1804: more than 256 alternatives";
    assert_eq!(error(any(257) + ",E+HK"), many);
    let read = format!("({}),({})", any(16), any(16));
    let read = read.parse::<Condition>().unwrap();
    assert_eq!(read.alternatives().len(), 256);
    let many = error(format!("({}),({})", any(16), any(17)));
    assert!(many.ends_with("more than 256 alternatives"), "{many}");
    // Brackets may be many, but not deep.
    let nested = |depth: usize| format!("{}S<=3{}", "(".repeat(depth), ")".repeat(depth));
    let side_by_side = [nested(16), nested(16)].join("|");
    assert_eq!(
        side_by_side.parse::<Condition>().unwrap().to_string(),
        "S<=3|S<=3"
    );
    assert_eq!(
        error(nested(17)),
        "column 17: more than 16 brackets in brackets"
    );
}

/// Impossible alternatives take no memory.
#[test]
fn limits_around_alternatives_are_narrow() {
    let unseen: Hand = "KT98.K2..".parse().unwrap();
    let hidden = [Seat::East, Seat::West];
    let around = |text: &str| {
        let condition: Condition = text.parse().unwrap();
        let fitted = condition.fit(&hidden, unseen, &mut Steps::default());
        fitted.expect("some layout may fit").around
    };
    let [_, east, _, west] = around("E.S>=3,E.S<=2|E.S=2,E.hcp=3-4,W+HK|E.S=1,W+HK2,E-S9");
    assert_eq!(east.lengths[0], (1, 2));
    assert_eq!(east.points, Limits::default().points);
    assert_eq!(west.cards, ".K..".parse().unwrap());
    assert_eq!(east.lacks, Hand::EMPTY);
    let [_, east, ..] = around("E.hcp=3-4,E-S9|E.hcp=2,E-S98");
    assert_eq!((east.points, east.lacks), ((2, 4), "9...".parse().unwrap()));
}

/// If there are too many cases, the layouts are checked one by one.
#[test]
fn cases_are_not_too_many() {
    let hidden = [Seat::East, Seat::South, Seat::West];
    let cases = |text: &str| {
        let condition: Condition = text.parse().unwrap();
        let fitted = condition.fit(&hidden, Hand::PACK, &mut Steps::default());
        fitted.expect("it fits").cases.map(|cases| cases.len())
    };
    // 4, 12 and 12 shapes are balanced.
    assert_eq!(cases("S.balanced,W.balanced"), Some(28 * 28));
    assert_eq!(
        cases("E.S=0,S.balanced,W.balanced|E.S=1,S.balanced,W.balanced"),
        None
    );
    assert_eq!(cases("balanced"), None);
}

#[test]
fn terms_fit_the_hidden_cards() {
    let unseen: Hand = "KT98.K2..".parse().unwrap();
    let hidden = [Seat::East, Seat::West];
    let check = |text: &str| {
        let condition: Condition = text.parse().unwrap();
        let found = condition.check(&hidden, unseen);
        found.map_err(|(column, error)| format!("{column}: {error}"))
    };
    assert_eq!(check("E+SK,S=3-1|W.H>=1,hcp<=4"), Ok(()));
    let error = |text: &str| check(text).unwrap_err();
    assert!(error("E+SK,N.S=0").starts_with("6: North is visible"));
    assert!(error("E+SK|S+HK").starts_with("6: South is visible"));
    assert_eq!(error(" E+SA"), "2: the SA is not one of the unseen cards");
    assert_eq!(
        error("S=3-2"),
        "1: 4 spades are unseen, which cannot be split 3-2"
    );
    for never in [
        "E.S>=3,E.S<=2",
        "E.S=3,E.losers=2,E.S=2",
        "E.H=3,E.H=1|W+SK,W-SK",
    ] {
        assert_eq!(error(never), format!("1: {never} can never hold"));
    }
    assert_eq!(check("E.S>=3,E.S<=2|E.S=3"), Ok(()));
    let three = [Seat::East, Seat::South, Seat::West];
    let split: Condition = "S=2-2".parse().unwrap();
    let (_, error) = split.check(&three, unseen).unwrap_err();
    assert_eq!(error, ConditionError::SplitOfMany { hidden: 3 });
}

#[test]
fn limits_say_the_same_as_the_condition() {
    let unseen: Hand = "AK98.K2..".parse().unwrap();
    let hidden = [Seat::East, Seat::West];
    let of_measures = Measure::NAMED
        .iter()
        .map(|NamedMeasure { of, .. }| format!("E.{of}>W.{of}"));
    let conditions = [
        "E+SK",
        "W.hcp=3-6,S<=3",
        "S=2-2,E.H>=1",
        "hcp>=3",
        "E+SK,E+HK,W.S=3",
        "H=2-0|S=1-3",
        "S=4-0",
        "E-SK",
        "(E+SK|W.S=3),hcp<=6",
        "E.S.top3=1|W+HK",
        "W.(S>=3|H=2)",
        "S<=3|E+HK|E-S9",
        "E.losers<=2",
        "E.controls=1|W.S=2",
        "E.S.top5=1",
        "E-SK,E-S9|E.H>=1,W+S9",
        "E.S+W.H>=3",
        "E.S>E.H",
        "E.hcp>W.hcp",
        "E.hcp+W.S=4-6",
        "E.S=W.S",
        "not S=2-2",
        "not S<=3",
        "not E.S=1-2",
        "not (E+SK,W.H=1)",
        "not hcp=2+,W.S>=1",
        "not E.hcp=W.hcp+2",
        "not E.S.top5=1",
        "E.controls>=W.controls",
        "not E.losers=2-3",
    ];
    for text in conditions.map(str::to_owned).into_iter().chain(of_measures) {
        let text = &*text;
        let condition: Condition = text.parse().unwrap();
        let limits = condition.limits(&hidden, unseen);
        let fitted = condition.fit(&hidden, unseen, &mut Steps::default());
        let Fitted { around, cases } = fitted.expect("it fits");
        let is_bounded = |of| Limits::default().and_range(of, 0, 1).is_some();
        let mut totals = Measure::NAMED.iter().filter(|named| !is_bounded(named.of));
        let said = !totals.any(|named| text.contains(named.names[0]));
        assert_eq!(cases.is_some(), said, "{text}");
        if text.contains('|') || text == "S=4-0" || !said && !text.starts_with("not") {
            let column = match text {
                "(E+SK|W.S=3),hcp<=6" => 7,
                "W.(S>=3|H=2)" => 9,
                text => text.find('|').map_or(1, |bar| bar + 2),
            };
            assert_eq!(
                limits,
                Err((column, ConditionError::Alternatives)),
                "{text}"
            );
        } else {
            let one = cases.as_ref().is_some_and(|cases| cases.len() == 1);
            assert_eq!(limits.is_ok(), one, "{text}");
        }
        let mut allowed = 0;
        for n in 0..1 << 6 {
            let of_east = |(at, _): &(usize, Card)| n >> at & 1 == 1;
            let (east, west): (Vec<_>, Vec<_>) = unseen.iter().enumerate().partition(of_east);
            let hand = |cards: Vec<(usize, Card)>| cards.into_iter().map(|(_, card)| card);
            let mut hands = [Hand::EMPTY; 4];
            hands[Seat::East] = hand(east).collect();
            hands[Seat::West] = hand(west).collect();
            let allows = condition.allows(&hidden, &hands);
            allowed += u32::from(allows);
            let within = |case: &[Limits; 4]| {
                hidden
                    .iter()
                    .all(|s| case[s.index()].allow(hands[s.index()]))
            };
            assert!(!allows || within(&around), "{text} {}", hands[1]);
            if let Some(cases) = &cases {
                // Each matching layout is in one case.
                let found = cases.iter().filter(|case| within(case)).count();
                assert_eq!(found, usize::from(allows), "{text} {}", hands[1]);
            }
            if let Ok(limits) = limits {
                let again = Condition::of_limits(Seat::East, &limits[1]);
                assert_eq!(again.allows(&hidden, &hands), limits[1].allow(hands[1]));
                let within = (0..4).all(|seat| {
                    hands[seat].is_empty() && seat % 2 == 0 || limits[seat].allow(hands[seat])
                });
                assert_eq!(allows, within, "{text} {}", hands[1]);
            }
        }
        assert!(allowed > 0 && allowed < 64, "{text}: {allowed}");
    }
}
