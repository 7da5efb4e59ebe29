//! `setrograde solve`, `table`, `par` and `analyse`.

use setrograde_cards::{Card, Deal, Position, Rank, Seat, Strain, Suit};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_solver::{Endgames, Options, Solver};

use crate::command::{feed, run, setrograde};
use crate::database::{random_position, twelve_cards, twelve_cards_open};

const DEALS: [(&str, &str); 3] = [
    (
        "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76",
        "2 11 2 10 1 11 1 11 2 11 2 11 4 9 4 9 3 10 3 10",
    ),
    (
        "N:K87.KQT52.JT9.87 642.86.K873.AQ42 Q53.A973.A6.KT93 AJT9.J4.Q542.J65",
        "7 5 8 5 6 6 7 6 9 4 9 4 5 7 6 7 6 6 7 6",
    ),
    (
        "N:KJ82.7.KQ3.QT742 AQ964.AT54.T97.9 T3.92.AJ85.KJ863 75.KQJ863.642.A5",
        "4 9 4 9 5 8 5 8 2 10 2 10 8 5 8 5 9 4 9 4",
    ),
];

#[test]
fn solving_agrees_with_the_database_with_it_and_without() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut questions, mut expected) = (String::new(), String::new());
    for at in 0..300 {
        let position = random_position(&mut random, [4, 8, 12][at % 3]);
        let tricks = twelve_cards_open().position_value(&position).expect("held");
        questions += &format!("{position}\n");
        expected += &format!("{position}\t{tricks}\n");
    }
    let without = feed(
        setrograde().args(["solve", "--threads", "2", "-"]),
        &questions,
    );
    assert_eq!(
        (without.output.as_str(), without.status),
        (expected.as_str(), Some(0))
    );
    let with = feed(
        setrograde()
            .args(["solve", "--db"])
            .arg(twelve_cards())
            .arg("-"),
        &questions,
    );
    assert_eq!(
        (with.output.as_str(), with.status),
        (expected.as_str(), Some(0))
    );
}

#[test]
fn cards_and_targets_in_the_middle_of_a_trick() {
    let position = "NT S N:AQ... K3... 5... 76... played=S4";
    assert_eq!(run(&["solve", position]).output, format!("{position}\t1\n"));
    // West is to play: North takes the ace or queen, East the king.
    let cards = run(&["solve", "--all", position]).output;
    assert_eq!(cards, format!("{position}\tS7=1 S6=1\n"));
    let lead = "NT N N:AQ... K3... 54... 76...";
    let none = run(&["solve", "--best", "--tricks", "2", lead]);
    assert_eq!(
        (none.output, none.status),
        (format!("{lead}\t-\n"), Some(0))
    );
    let one = run(&["solve", "--one", "--json", lead]).output;
    let one: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(one["to_play"], "N");
    assert_eq!(one["cards"][0]["tricks"], 1);
    assert_eq!(run(&["solve", "--all", "--best", lead]).status, Some(2));
}

/// A line is a legal play to the end, it takes the tricks that the value promises, and no card of
/// it costs a trick, as `analyse` says.
#[test]
fn a_line_takes_the_tricks_of_the_value() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut positions, mut questions) = (Vec::new(), String::new());
    for at in 0..60 {
        let mut position = random_position(&mut random, [8, 12, 16][at % 3]);
        for _ in 0..at % 4 {
            let legal: Vec<Card> = position.legal_cards().collect();
            position = position
                .play(legal[random.usize(..legal.len())])
                .expect("legal");
        }
        questions += &format!("{position}\n");
        positions.push(position);
    }
    let printed = feed(
        setrograde().args(["solve", "--line", "--json", "-"]),
        &questions,
    );
    let values = feed(setrograde().args(["solve", "-"]), &questions);
    let mut plays = String::new();
    for ((start, line), value) in positions
        .iter()
        .zip(printed.output.lines())
        .zip(values.output.lines())
    {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let mut position = *start;
        let mut won = 0;
        plays += &start.to_string();
        for card in answer["play"].as_array().expect("cards") {
            let card: Card = card.as_str().expect("a card").parse().expect("a card");
            position = position.play(card).expect("a legal card");
            let won_it = position.leader().side() == start.leader().side();
            won += u64::from(position.is_trick_boundary() && won_it);
            plays += &format!(" {card}");
        }
        plays.push('\n');
        assert!(position.is_finished(), "{line}");
        assert_eq!(answer["tricks"], won, "{line}");
        assert_eq!(value, format!("{start}\t{won}"));
    }
    assert_eq!(plays.lines().count(), 60);
    let analysed = feed(setrograde().args(["analyse", "--json", "-"]), &plays);
    assert!(analysed.output.matches(r#""gives_away":0"#).count() > 400);
    for cost in 1..=13 {
        let given = format!(r#""gives_away":{cost},"#);
        assert!(!analysed.output.contains(&given), "{}", analysed.output);
    }
}

#[test]
fn a_line_as_text() {
    let position = "NT S N:AQ... 76... 54... K3...";
    let printed = run(&["solve", "--line", position]).output;
    let expected = "\t2\n   1  South  \u{2660}5 \u{2660}3 \u{2660}Q \u{2660}6\n";
    assert!(
        printed.starts_with(&format!("{position}{expected}")),
        "{printed}"
    );
    let lines = feed(
        setrograde().args(["solve", "--line", "-"]),
        &format!("{position}\n"),
    );
    assert!(
        lines
            .output
            .starts_with(&format!("{position}\t2 S5 S3 SQ S6 ")),
        "{}",
        lines.output
    );
    assert_eq!(run(&["solve", "--line", "--all", position]).status, Some(2));
}

#[test]
fn refused_positions_are_named() {
    let good = "NT W N:A... K... Q... J...";
    let lines =
        format!("# none\n{good}\n\nNT W N:A... A... Q... J...\nNT W N:AX... K...\n{good}\n");
    let printed = feed(setrograde().args(["solve", "-"]), &lines);
    assert_eq!(printed.output, format!("{good}\t0\n{good}\t0\n"));
    printed.ended(3);
    let errors: Vec<&str> = printed.errors.lines().collect();
    assert!(
        errors[0].starts_with("setrograde: line 4, column 13: "),
        "{}",
        errors[0]
    );
    assert!(
        errors[1].starts_with("setrograde: line 5, column 9: "),
        "{}",
        errors[1]
    );
    assert_eq!(errors.len(), 2);
    let uneven = feed(
        setrograde().args(["table", "-"]),
        "N:AK... Q... J... T...\n",
    );
    assert!(
        uneven
            .errors
            .starts_with("setrograde: line 1: the hands hold 2, 1, 1 and 1")
    );
    uneven.ended(3);
}

#[test]
fn tables_in_order() {
    let lines: String = DEALS.iter().map(|(deal, _)| format!("{deal}\n")).collect();
    let expected: String = DEALS
        .iter()
        .map(|(deal, table)| format!("{deal}\t{table}\n"))
        .collect();
    let printed = feed(setrograde().args(["table", "--threads", "2", "-"]), &lines);
    assert_eq!((printed.output, printed.status), (expected, Some(0)));
}

#[test]
fn a_database_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut lines = String::new();
    for at in 0..60 {
        let mut position = random_position(&mut random, [16, 20, 24][at % 3]);
        for _ in 0..at % 4 {
            let cards: Vec<_> = position.legal_cards().collect();
            position = position
                .play(cards[random.usize(..cards.len())])
                .expect("legal");
        }
        lines += &format!("{position}\n");
    }
    let deals: String = DEALS[..1]
        .iter()
        .map(|(deal, _)| format!("{deal}\n"))
        .collect();
    let cases: [(&[&str], &str); 4] = [
        (&["solve", "--all"], &lines),
        (&["solve", "--best"], &lines),
        (&["solve", "--one", "--tricks", "2"], &lines),
        (&["table"], &deals),
    ];
    for (command, lines) in cases {
        let without = feed(setrograde().args(command).arg("-"), lines);
        let with = feed(
            setrograde()
                .args(command)
                .arg("--db")
                .arg(twelve_cards())
                .arg("-"),
            lines,
        );
        without.ended(0);
        assert_eq!(with.output, without.output, "{command:?}");
        assert_eq!(with.output.lines().count(), lines.lines().count());
    }
}

/// Whatever the solver asks the database, it is an answer or an error.
#[test]
fn any_ending_is_answered_or_refused() {
    let mut random = fastrand::Rng::with_seed(7);
    let database: &dyn Endgames = twelve_cards_open();
    let (mut answered, mut refused) = (0, 0);
    for at in 0..200_000 {
        // A third has any lengths, the rest those of an ending.
        let mut lengths = [0_u16; 4].map(|_| random.u16(..));
        if at % 3 > 0 {
            lengths = [0; 4];
            for seat in 0..4 {
                for _ in 0..1 + at % 4 {
                    lengths[random.usize(..4)] += 1 << (4 * seat);
                }
            }
        }
        let strain = if random.bool() {
            Strain::Trump(Suit::Clubs)
        } else {
            Strain::NoTrump
        };
        let ending = Ending::from_packed(
            strain,
            Seat::from_index(random.usize(..4)),
            lengths.map(SuitLengths::from_bits),
            PackedOwners::from_words([0; 4].map(|_: u32| random.u32(..))),
        );
        let target = random.u8(..16);
        match ending.map(|ending| database.verdict(&ending, target)) {
            Ok(Ok(Some(_))) => answered += 1,
            _ => refused += 1,
        }
    }
    assert!(
        answered > 50_000 && refused > 50_000,
        "{answered} {refused}"
    );
}

/// Texts that look enough like questions to get past the first checks.
#[test]
fn no_text_makes_the_program_panic() {
    let pieces = [
        "N",
        "NT",
        "S",
        "W",
        "N:",
        "W:",
        "A",
        "K",
        "Q",
        "T9",
        "2",
        ".",
        ".",
        "...",
        " ",
        " ",
        ",",
        "played=",
        "SA",
        "H3",
        "A... K... Q... J...",
        "AK... QJ... T9... 87...",
        "é",
        "\u{a0}",
        "\t",
    ];
    let mut random = fastrand::Rng::with_seed(8);
    let mut lines = String::new();
    for _ in 0..5_000 {
        if random.bool() {
            lines += "NT W N:";
        }
        for _ in 0..random.usize(..12) {
            lines += pieces[random.usize(..pieces.len())];
        }
        lines.push('\n');
    }
    let commands: [&[&str]; 5] = [
        &["solve"],
        &["solve", "--all", "--json"],
        &["table", "--format", "pbn"],
        &["par"],
        &["analyse", "--explain"],
    ];
    for command in commands {
        let printed = feed(setrograde().args(command).arg("-"), &lines);
        assert_eq!(printed.status, Some(3), "{command:?}");
        assert!(!printed.errors.contains("panicked"), "{}", printed.errors);
    }
}

/// Two deals with their `DoubleDummyTricks` from a PBN file that a program for
/// Bridge Base Online wrote; its `OptimumResultTable` says the same in rows. In
/// the second deal North takes 8 tricks in hearts and South 9.
#[test]
fn digits_stand_as_in_published_files() {
    let boards = [
        (
            "N:J8.AK985.AJ6.AJ8 QT4.Q2.9874.9753 A5.JT74.KT32.KQ2 K97632.63.Q5.T64",
            "d8ddad8dda0500105001",
        ),
        (
            "E:QT7642.K.KT73.92 K.AQ732.Q65.KJT5 AJ53.J8.J42.AQ74 98.T9654.A98.863",
            "53846539467a4867a486",
        ),
    ];
    for (deal, digits) in boards {
        let found = run(&["table", "--format", "digits", deal]).output;
        assert_eq!(found, format!("{deal}\t{digits}\n"));
    }
    let pbn = run(&["table", "--format", "pbn", boards[1].0]).output;
    assert!(pbn.contains("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n"));
    for row in ["N NT  5", "N  S  3", "N  H  8", "S  H  9", "E  S 10"] {
        assert!(pbn.contains(&format!("\n{row}\n")), "{row}");
    }
}

#[test]
fn tables_in_every_format() {
    let deal = "N:A... K... Q... J...";
    let table = |format: &str| run(&["table", "--format", format, deal]).output;
    assert_eq!(table("digits"), format!("{deal}\t11111111110000000000\n"));
    let text = table("text");
    assert!(
        text.contains("      NT   S   H   D   C\n  N    1   1   1   1   1\n"),
        "{text}"
    );
    let pbn = table("pbn");
    assert!(
        pbn.starts_with(&format!(
            "[Deal \"{deal}\"]\n[DoubleDummyTricks \"11111111110000000000\"]\n[OptimumResultTable "
        )),
        "{pbn}"
    );
    assert!(pbn.contains("\nN NT  1\nN  S  1\n"), "{pbn}");
    assert_eq!(pbn.trim_end().lines().count(), 23);
    let json = run(&["table", "--json", deal]).output;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["tricks"]["NT"]["N"], &json["tricks"]["C"]["W"]),
        (&1.into(), &0.into())
    );
}

#[test]
fn par_of_a_deal() {
    let (deal, _) = DEALS[0];
    let all = run(&["par", deal]).output;
    let rows = [
        "none        any      -460  3NT E +2, 4NT E +1, 5NT E =",
        "NS          any      -460  3NT E +2, 4NT E +1, 5NT E =",
        "EW          any      -660  3NT E +2, 4NT E +1, 5NT E =",
        "both        any      -660  3NT E +2, 4NT E +1, 5NT E =",
    ];
    assert_eq!(all.trim_end().lines().skip(2).collect::<Vec<_>>(), rows);
    let one = run(&["par", "--vulnerable", "both", "--dealer", "N", deal]).output;
    assert_eq!(one.split('\t').nth(1), Some("-660"), "{one}");
    let json = run(&["par", "--json", deal]).output;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["par"].as_array().map(Vec::len), Some(16));
}

#[test]
fn a_play_and_what_it_gave_away() {
    // South leads towards ace and queen; the queen loses to the king only if
    // North plays it.
    let play = "NT S N:AQ... 76... 54... K3... S4 S3 SA S6";
    let found = run(&["analyse", play]).output;
    let (position, _) = play.split_at(play.len() - 12);
    let review = "  Double dummy North and South take 2 of 2 tricks.\n";
    let mistake =
        "  trick  hand   card  cost  leaves  right\n      1  North  ♠A       1       1  ♠Q\n";
    assert_eq!(found, format!("{position}\n{review}{mistake}"));
    let explained = run(&["analyse", "--explain", play]).output;
    explained
        .contains("      1  S ♠4    W ♠3    N ♠A?   E ♠6    North        1\n")
        .then_some(())
        .expect("the trick");
    let json = run(&["analyse", "--json", play]).output;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["cards"][2]["gives_away"], 1);
    assert_eq!(json["cards"][2]["right"][0], "SQ");
    assert_eq!(json["cards"][3]["winner"], "N");
    let wrong = run(&["analyse", "NT S N:AQ... 76... 54... K3... S4 SJ"]);
    assert!(
        wrong
            .errors
            .starts_with("setrograde: column 35: West is to play"),
        "{}",
        wrong.errors
    );
    wrong.ended(3);
}

/// All ways to deal `cards` to four hands of these sizes.
fn ways(cards: &[Card], sizes: [usize; 4]) -> Vec<[Vec<Card>; 4]> {
    let Some((&card, rest)) = cards.split_first() else {
        return vec![Default::default()];
    };
    let mut found = Vec::new();
    for hand in (0..4).filter(|&hand| sizes[hand] > 0) {
        let mut less = sizes;
        less[hand] -= 1;
        for mut way in ways(rest, less) {
            way[hand].push(card);
            found.push(way);
        }
    }
    found
}

#[test]
fn deals_that_share_the_solver_s_proof_are_counted_and_have_its_value() {
    let mut random = fastrand::Rng::with_seed(140);
    let (mut narrow, mut wide) = (0, 0);
    for round in 0..80 {
        let position = random_position(&mut random, [4, 8, 12][round % 3]);
        let text = run(&[
            "solve",
            "--count",
            "--db",
            "none",
            "--json",
            &position.to_string(),
        ]);
        let found: serde_json::Value = serde_json::from_str(&text.output).expect("JSON");
        let tricks = found["tricks"].as_u64().expect("a number") as u8;
        let mut solver = Solver::new(Options::default());
        let mut lowest = [None; 4];
        for target in [tricks, tricks + 1] {
            let reach = solver.reaches(&position, target).expect("an answer");
            for card in reach.cards.cards() {
                let lowest = &mut lowest[card.suit];
                *lowest = Some(lowest.map_or(card.rank, |rank: Rank| rank.min(card.rank)));
            }
        }
        // The deals with the same cards down to the lowest that mattered.
        let mut deals = vec![*position.deal().hands()];
        for suit in Suit::ALL {
            let mut cards = Vec::new();
            let mut sizes = [0; 4];
            for (seat, hand) in position.deal().hands().iter().enumerate() {
                for rank in hand.holding(suit) {
                    if lowest[suit].is_none_or(|lowest| rank < lowest) {
                        cards.push(Card::new(suit, rank));
                        sizes[seat] += 1;
                    }
                }
            }
            let of_suit = ways(&cards, sizes);
            let all = deals.iter().flat_map(|deal| {
                of_suit.iter().map(|way| {
                    let mut deal = *deal;
                    for seat in 0..4 {
                        cards.iter().for_each(|&card| _ = deal[seat].remove(card));
                        way[seat]
                            .iter()
                            .for_each(|&card| _ = deal[seat].insert(card));
                    }
                    deal
                })
            });
            deals = all.collect();
        }
        assert_eq!(found["deals"], deals.len(), "{position}");
        for hands in deals.iter().take(2_000) {
            let deal = Deal::new(*hands).expect("a deal");
            let other = Position::new(position.strain(), position.leader(), deal, &[]);
            let other = other.expect("a position");
            let value = twelve_cards_open().position_value(&other).expect("held");
            assert_eq!(value, tricks, "{position} shares its proof with {other}");
        }
        narrow += u32::from(lowest != [None; 4]);
        wide += u32::from(deals.len() > 1);
    }
    assert!(narrow > 20 && wide > 20, "{narrow} {wide}");
    let under_way = run(&[
        "solve",
        "--count",
        "NT W N:K3... Q4... J5... T... played=SA",
    ]);
    assert_eq!(under_way.status, Some(3), "{}", under_way.errors);
}
