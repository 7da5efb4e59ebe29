use setrograde_cards::Suit;

use super::*;
use crate::tests::cases;

fn read(line: &str) -> Question {
    line.parse()
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn questions() {
    let question = read("D N S:KQ.5.. ? 65.A.. - hidden=32..K.542");
    assert_eq!(question.visible(), [Seat::South, Seat::North]);
    assert_eq!(question.hidden(), [Seat::East, Seat::West]);
    assert_eq!(question.unseen().len(), 6);
    assert_eq!(question.by(), None);
    // A full deal needs no list of unseen cards.
    let question = read("NT W N:AKQJ.AKQ.AKQ.AKQ ? ? ?");
    assert_eq!(question.unseen().len(), 39);
    let question = read("4SN N:A... ? K... ? out=Q2...");
    let found = (question.leader(), question.by(), *question.trump());
    let spades = Strain::Trump(Suit::Spades);
    assert_eq!(found, (Seat::East, Some(Seat::North), spades));
    let question = read("NT S N:AQ... ? 2... ? played=S3,SK by=S out=JT9... if=W.S=1 SA if=E+SJ");
    let (hands, unseen) = question.before_trick();
    assert_eq!(hands[Seat::South].to_string(), "32...");
    assert_eq!(unseen.to_string(), "KJT9...");
    let table = [(30, "S3".parse().unwrap()), (33, "SK".parse().unwrap())];
    assert_eq!(question.table(), table);
    assert_eq!(question.by(), Some(Seat::South));
    assert_eq!(question.steps().len(), 3);
    let assumed = question
        .assuming(["W+SJ".parse().unwrap()])
        .asked_by(Seat::North);
    assert!(matches!(
        assumed.steps()[0],
        (Location::Condition(1), Step::If(_))
    ));
    assert_eq!(assumed.by(), Some(Seat::South));
}

#[test]
fn a_question_is_written_as_it_is_read() {
    for line in [
        "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK S2",
        "NT S N:AQ... ? 2... ? out=JT9... played=S3,SK by=S if=W.S=1 SA if=E+SJ",
        "D N N:? 65.A.. ? KQ.5.. out=32..K.542",
        "NT W N:AKQJ.AKQ.AKQ.AKQ ? ? ?",
        "3NTXS N:? AQ... ? 32... out=KJT9...",
    ] {
        assert_eq!(read(line).to_string(), line);
    }
    // Conditions that were given separately are not part of it.
    let line = "NT S N:A... ? K... ? out=Q2...";
    let condition: Condition = "E+SQ".parse().unwrap();
    let more = read(line)
        .assuming([condition])
        .after(&["SK".parse().unwrap()]);
    assert_eq!(more.to_string(), format!("{line} SK"));
    assert!(matches!(
        more.steps(),
        [
            (Location::Condition(1), Step::If(_)),
            (Location::Column(1), Step::Play(_))
        ]
    ));
    let deal = ["A...", "Q...", "K...", "2..."].map(|hand| hand.parse().unwrap());
    let seen = |seat| seat == Seat::North || seat == Seat::South;
    let question = Question::of(Strain::NoTrump, Seat::South, &deal, seen);
    assert_eq!(question.to_string(), line);
    let columns = Seat::ALL.map(|seat| read(line).column(seat));
    assert_eq!(columns, [8, 13, 15, 20]);
}

const ERRORS: &str = r#"
 => column 1: expected a strain
X S => column 1: "X" is not a strain
NT Q => column 4: "Q" is not a seat
NT S => column 5: expected a deal
NT S N => column 6: "N" does not begin a deal
NT S Q:A... => column 6: "Q" is not a seat
NT S N:A... ? K... => column 19: expected four hands
NT S N:A... ? K... 2... => column 8: only one hand is hidden
NT S N:? ? ? ? => column 8: two or three of the four hands must be '?', found 4
NT S N:A... ? X... ? => column 15: 'X' is not a rank
NT S N:A... ? K... ? => column 13: 50 cards are unseen, expected 2
NT S N:A... ? K... ? out=Q2.3.. => column 26: 3 cards are unseen, expected 2
NT S N:A... ? K... ? out=A2... => column 26: the SA is given twice
NT S N:A... ? A... ? out=32... => column 15: the SA is given twice
NT S N:A... ? KQ... ? out=32... => column 15: South has 2 cards, expected 1
NT S N:... ? ... ? out=... => column 8: North has 0 cards, expected 1
NT S N:A... ? K... ? out=Q2... by=E => column 35: East asks, but its hand
NT S N:A... ? K... ? out=Q2... by=N by=S => column 37: "by=S" is left over
NT S N:A... ? K... ? out=Q2... hidden=Q2... => column 32: "hidden=Q2..." is left over
NT S N:A... ? K... ? out=Q2... who=N => column 32: "who=N" is left over
NT S N:A... ? K... ? out=Q2... if=E+SQ,E.X=3 => column 42: "X" is not counted
NT W N:A.2.. ? K.3.. ? out=QJ.4.. played=SQ,H3 => column 42: the SQ is given twice
NT W N:A... ? K.3.. ? out=JT.4.. played=SQ,S2 out=2... => column 47: "out=2..." is left
NT W N:A... ? K.3.. ? out=JT.4.. played=SQ,S2,S3,S4 => column 50: at most 3 cards
NT S N:A... ? K... ? SQ out=Q2... => column 25: "out=Q2..." is left over
NT S N:A... ? K... ? out=Q2... SK by=N => column 35: "by=N" is left over
NT S N:A... ? K... ? out=Q2... SK played=S3 => column 35: "played=S3" is left over
NT W N:A... ? K.3.. ? out=JT... played=SQ played=S2 => column 43: "played=S2" is left over
NT S N:A... ? K... ? out=Q2... SQ S1 => column 36: '1' is not a rank
"#;

#[test]
fn errors_name_their_column() {
    for (line, start) in cases(ERRORS) {
        let error = line.parse::<Question>().unwrap_err().to_string();
        assert!(error.starts_with(start), "{line}\n{error}");
    }
    let beside = QuestionError::at(Location::Condition(3), "x");
    assert!(beside.in_condition());
    assert_eq!(beside.to_string(), "condition, column 3: x");
    assert_eq!(beside.shifted(2).to_string(), "condition, column 5: x");
}
