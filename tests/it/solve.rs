//! `setrograde solve`, `table`, `par` and `analyse`.

use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Strain, Suit};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_solver::{Endgames, Options, Solver};

use crate::command::{feed, feed_line, json, on, run, run_line};
use crate::database::{twelve_cards, twelve_cards_open};
use crate::positions::{all, random_position};

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
        let position = random_position(&mut random, 1 + at % 3);
        let tricks = twelve_cards_open().position_value(&position).expect("held");
        questions += &format!("{position}\n");
        expected += &format!("{position}\t{tricks}\n");
    }
    feed_line("solve --threads 2 -", &questions).prints(&expected);
    let mut with = on(twelve_cards(), "solve -");
    feed(&mut with, &questions).prints(&expected);
}

#[test]
fn cards_and_targets_in_the_middle_of_a_trick() {
    let position = "NT S N:AQ... K3... 5... 76... played=S4";
    let lead = "NT N N:AQ... K3... 54... 76...";
    for (options, question, answer) in [
        ("", position, "1"),
        // West is to play: North takes the ace or queen, East the king.
        ("--all", position, "S7=1 S6=1"),
        ("--best --tricks 2", lead, "-"),
    ] {
        let printed = run_line(&format!("solve {options} '{question}'"));
        printed.prints(&format!("{question}\t{answer}\n"));
    }
    let one = json(&format!("solve --one '{lead}'"));
    assert_eq!(one["to_play"], "N");
    assert_eq!(one["cards"][0]["tricks"], 1);
    for options in ["--all --best", "--line --all"] {
        run_line(&format!("solve {options} '{lead}'")).ended(2);
    }
}

/// Plays some legal cards at random.
fn played(mut position: Position, cards: usize, random: &mut fastrand::Rng) -> Position {
    for _ in 0..cards {
        let legal: Vec<Card> = position.legal_cards().collect();
        let card = legal[random.usize(..legal.len())];
        position = position.play(card).expect("legal");
    }
    position
}

/// A line is a legal play to the end, it takes the tricks that the value promises, and no card of
/// it costs a trick, as `analyse` says.
#[test]
fn a_line_takes_the_tricks_of_the_value() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut positions, mut questions) = (Vec::new(), String::new());
    for at in 0..60 {
        let position = random_position(&mut random, 2 + at % 3);
        let position = played(position, at % 4, &mut random);
        questions += &format!("{position}\n");
        positions.push(position);
    }
    let answers = feed_line("solve --line --json -", &questions).objects();
    let values = feed_line("solve -", &questions);
    let mut plays = String::new();
    let values = values.output.lines();
    for ((start, answer), value) in positions.iter().zip(answers).zip(values) {
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
        assert!(position.tricks_left() == 0, "{answer}");
        assert_eq!(answer["tricks"], won, "{answer}");
        assert_eq!(value, format!("{start}\t{won}"));
    }
    assert_eq!(plays.lines().count(), 60);
    let analysed = feed_line("analyse --json -", &plays);
    assert!(analysed.output.matches(r#""gives_away":0"#).count() > 400);
    for cost in 1..=13 {
        analysed.does_not_show(&format!(r#""gives_away":{cost},"#));
    }
}

#[test]
fn a_line_as_text() {
    let position = "NT S N:AQ... 76... 54... K3...";
    let printed = run_line(&format!("solve --line '{position}'"));
    printed.begins(&format!("{position}\t2\n   1  South  ♠5 ♠3 ♠Q ♠6\n"));
    let lines = feed_line("solve --line -", &format!("{position}\n"));
    lines.begins(&format!("{position}\t2 S5 S3 SQ S6 "));
}

#[test]
fn refused_positions_are_named() {
    let good = "NT W N:A... K... Q... J...";
    let lines =
        format!("# none\n{good}\n\nNT W N:A... A... Q... J...\nNT W N:AX... K...\n{good}\n");
    let printed = feed_line("solve -", &lines);
    assert_eq!(printed.output, format!("{good}\t0\n{good}\t0\n"));
    printed.ended(3);
    printed.complains_by_line(&[
        "setrograde: line 4, column 13: ",
        "setrograde: line 5, column 9: ",
    ]);
    let uneven = feed_line("table -", "N:AK... Q... J... T...\n");
    uneven.is_refused(3, "setrograde: line 1: the hands hold 2, 1, 1 and 1");
}

#[test]
fn tables_in_order() {
    let lines: String = DEALS.iter().map(|(deal, _)| format!("{deal}\n")).collect();
    let expected = DEALS.map(|(deal, table)| format!("{deal}\t{table}\n"));
    feed_line("table --threads 2 -", &lines).prints(&expected.concat());
}

#[test]
fn a_database_changes_no_answer() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut lines = String::new();
    for at in 0..60 {
        let position = random_position(&mut random, 4 + at % 3);
        lines += &format!("{}\n", played(position, at % 4, &mut random));
    }
    let deal = format!("{}\n", DEALS[0].0);
    for (line, lines) in [
        ("solve --all -", &lines),
        ("solve --best -", &lines),
        ("solve --one --tricks 2 -", &lines),
        ("table -", &deal),
    ] {
        let without = feed_line(line, lines);
        let with = feed(&mut on(twelve_cards(), line), lines);
        without.ended(0);
        assert_eq!(with.output, without.output, "{line}");
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
    let pieces = "N|NT|S|W|N:|W:|A|K|Q|T9|2|.|.|...| | |,|played=|SA|H3|A... K... Q... J...|\
                  AK... QJ... T9... 87...|é|\u{a0}|\t";
    let pieces: Vec<&str> = pieces.split('|').collect();
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
    for command in [
        "solve",
        "solve --all --json",
        "table --format pbn",
        "par",
        "analyse --explain",
    ] {
        let printed = feed_line(&format!("{command} -"), &lines);
        printed.ended(3);
        printed.does_not_complain("panicked");
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
        let printed = run_line(&format!("table --format digits '{deal}'"));
        printed.prints(&format!("{deal}\t{digits}\n"));
    }
    let pbn = run_line(&format!("table --format pbn '{}'", boards[1].0));
    pbn.shows("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for row in ["N NT  5", "N  S  3", "N  H  8", "S  H  9", "E  S 10"] {
        pbn.shows(&format!("\n{row}\n"));
    }
}

#[test]
fn tables_in_every_format() {
    let deal = "N:A... K... Q... J...";
    let table = |format: &str| run(&["table", "--format", format, deal]);
    let digits = "11111111110000000000";
    table("digits").prints(&format!("{deal}\t{digits}\n"));
    table("text").shows("      NT   S   H   D   C\n  N    1   1   1   1   1\n");
    let pbn = table("pbn");
    let start =
        format!("[Deal \"{deal}\"]\n[DoubleDummyTricks \"{digits}\"]\n[OptimumResultTable ");
    pbn.begins(&start);
    pbn.shows("\nN NT  1\nN  S  1\n");
    assert_eq!(pbn.output.trim_end().lines().count(), 23);
    let json = json(&format!("table '{deal}'"));
    assert_eq!(json["tricks"]["NT"]["N"], 1);
    assert_eq!(json["tricks"]["C"]["W"], 0);
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
    let one = run(&["par", "--vulnerable", "both", "--dealer", "N", deal]);
    one.begins(&format!("{deal}\t-660\t"));
    let json = json(&format!("par '{deal}'"));
    assert_eq!(json["par"].as_array().map(Vec::len), Some(16));
}

#[test]
fn a_play_and_what_it_gave_away() {
    // South leads towards ace and queen; the queen loses to the king only if
    // North plays it.
    let position = "NT S N:AQ... 76... 54... K3...";
    let play = format!("{position} S4 S3 SA S6");
    let review = "  Double dummy North and South take 2 of 2 tricks.\n";
    let mistake =
        "  trick  hand   card  cost  leaves  right\n      1  North  ♠A       1       1  ♠Q\n";
    let found = run(&["analyse", &play]);
    found.prints(&format!("{position}\n{review}{mistake}"));
    let explained = run(&["analyse", "--explain", &play]);
    explained.shows("      1  S ♠4    W ♠3    N ♠A?   E ♠6    North        1\n");
    let json = json(&format!("analyse '{play}'"));
    assert_eq!(json["cards"][2]["gives_away"], 1);
    assert_eq!(json["cards"][2]["right"][0], "SQ");
    assert_eq!(json["cards"][3]["winner"], "N");
    let wrong = run_line(&format!("analyse '{position} S4 SJ'"));
    wrong.is_refused(3, "setrograde: column 35: West is to play");
}

#[test]
fn deals_that_share_the_solver_s_proof_are_counted_and_have_its_value() {
    let mut random = fastrand::Rng::with_seed(140);
    let (mut narrow, mut wide) = (0, 0);
    for round in 0..80 {
        let position = random_position(&mut random, 1 + round % 3);
        let found = json(&format!("solve --count --db none '{position}'"));
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
        let hands = *position.deal().hands();
        let is_low = |card: &Card| lowest[card.suit].is_none_or(|lowest| card.rank < lowest);
        let kept = hands.map(|hand| hand.iter().filter(|card| !is_low(card)).collect::<Hand>());
        let mut deals = vec![kept];
        for suit in Suit::ALL {
            let low = [0, 1, 2, 3].map(|seat| hands[seat] - kept[seat]);
            let low = low.map(|hand| hand.iter().filter(|card| card.suit == suit).collect());
            let sizes = low.map(|hand: Hand| hand.len() as u8);
            let of_suit = all(
                low.into_iter().fold(Hand::EMPTY, |all, hand| all | hand),
                sizes,
            );
            let ways = deals.iter().flat_map(|deal| {
                of_suit
                    .iter()
                    .map(|way| [0, 1, 2, 3].map(|seat| deal[seat] | way[seat]))
            });
            deals = ways.collect();
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
    let under_way = "solve --count 'NT W N:K3... Q4... J5... T... played=SA'";
    run_line(under_way).ended(3);
}
