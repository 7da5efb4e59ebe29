//! Files of all formats, well formed and not.

use setrograde_cards::{Deal, Position, Seat, Side, Strain, Suit};
use setrograde_records::{Board, Doubt, Format, Note, Records, lin, pbn, pbn::Games};

use crate::common::{boards, notes, read, said};

const FULL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

/// What the boards of a file say about these fields.
#[track_caller]
fn all_say(file: impl AsRef<[u8]>, fields: &str) -> Vec<String> {
    let boards = boards(file);
    boards.iter().map(|board| said(board, fields)).collect()
}

fn errors(file: impl AsRef<[u8]>) -> Vec<String> {
    read(file).into_iter().filter_map(Result::err).collect()
}

/// The doubts about the boards that are read, each with its line.
fn doubts(file: impl AsRef<[u8]>) -> Vec<String> {
    let read = read(file);
    read.iter().flatten().flat_map(notes).collect()
}

fn full() -> Deal {
    FULL.parse().unwrap()
}

#[test]
fn a_pbn_file_with_everything() {
    let file = format!(
        "% PBN 2.1\n% EXPORT\n\n{{ a header }}\n\
         [Event \"Cup\"]\n[Site \"\"]\n[Board \"12\"]\n[West \"W. \\\"X\\\"\"]\n[North \"N\"]\n\
         [East \"E\"]\n[South \"S\"]\n[Dealer \"W\"]\n[Vulnerable \"NS\"]\n\
         [Deal \"{}\"]\n[Scoring \"IMP\"]\n[Declarer \"W\"]\n[Contract \"4HX\"]\n[Result \"9\"]\n\
         {{a comment\n\nwith a blank line}}\n\
         [Auction \"W\"]\n3H =1= Pass 4H X ; doubled\nAP\n[Note \"1:weak\"]\n\
         [Play \"N\"]\nS3 SJ S7 S2\nS4 SA S8 SQ\n- - - *\n\
         [OptimumScore \"EW 620\"]\n[ParContract \"EW 4H\"]\n\
         [DoubleDummyTricks \"57543 57543 75798 75798\"]\n\n",
        full().to_pbn(Seat::West)
    );
    for file in [
        file.clone(),
        file.replace('\n', "\r\n"),
        format!("\u{feff}{file}"),
        file.trim_end().to_owned(),
    ] {
        assert_eq!(Format::of(file.as_bytes()), Format::Pbn);
        let [board] = &boards(&file)[..] else {
            panic!("{file}");
        };
        assert_eq!(
            said(board, "line number dealer sides contract"),
            "5 12 W NS 4HXW"
        );
        assert_eq!(board.deal(), Some(full()));
        assert_eq!(board.alerts, [(0, "weak".to_owned())]);
        assert_eq!(said(board, "auction"), "3H Pass 4H X Pass Pass Pass");
        // East won the first trick, and leads from the second column.
        let play = "N S3,SJ,S7,S2,SA,S8,SQ,S4 Stopped 9";
        assert_eq!(said(board, "leader play end result"), play);
        assert_eq!(board.tricks_played(), Some(2));
        assert_eq!(said(board, "players"), "N|E|S|W. \"X\"");
        assert_eq!(board.double_dummy.par_score, Some(-620));
        assert_eq!(board.double_dummy.par_contract.as_deref(), Some("EW 4H"));
        let tricks = board.double_dummy.tricks.unwrap();
        let row = |seat: Seat| tricks.map(|strain| strain[seat]);
        assert_eq!(row(Seat::South), [5, 7, 5, 4, 3]);
        assert_eq!(row(Seat::West), [7, 5, 7, 9, 8]);
    }
}

#[test]
fn values_of_earlier_games() {
    let file = "[Event \"##Cup\"]\n[Dealer \"E\"]\n[Vulnerable \"##EW\"]\n[Board \"1\"]\n\n\
        [Dealer \"#\"]\n[Board \"2\"]\n\n\
        [Dealer \"S\"]\n[Vulnerable \"All\"]\n[Board \"3\"]\n\n\
        [Dealer \"#\"]\n[Board \"4\"]\n";
    let expected = ["1 E EW", "2 E EW", "3 S All", "4 S -"];
    assert_eq!(all_say(file, "number dealer sides"), expected);
}

/// Long values are not kept for later games, nor are too many.
#[test]
fn only_so_much_is_kept_for_later_games() {
    let kept = |length: usize| {
        let name = "x".repeat(length);
        let file = format!("[North \"##{name}\"]\n[Board \"1\"]\n\n[Board \"2\"]\n");
        let names = all_say(file, "players");
        assert_eq!(names[0], format!("{name}|||"));
        names[1].len() - "|||".len()
    };
    assert_eq!((kept(1_024), kept(1_025)), (1_024, 0));
    let kept = |others: usize| {
        let others: String = (0..others).map(|n| format!("[T{n} \"##\"]\n")).collect();
        let file = format!("{others}[North \"##x\"]\n[Board \"1\"]\n\n[Board \"2\"]\n");
        all_say(file, "players").remove(1)
    };
    assert_eq!([kept(1_023), kept(1_024)], ["x|||", "|||"]);
}

/// Comments, quotes and escaped lines come before what they contain.
#[test]
fn games_end_where_no_comment_is_open() {
    for (file, games) in [
        ("[Board \"1\"] { \"a\"\n\nb }\n[Dealer \"N\"]\n", 1),
        ("[Board \"1\"] { a ; b }\n\n[Board \"2\"]\n", 2),
        ("[Board \"1\"] ; a { b\n\n[Board \"2\"]\n", 2),
        ("[Board \"1\"] { a ; b }\n\n[Event \"\"]\n", 2),
        ("[Board \"1\"] ; a { b\n\n[Event \"\"]\n", 2),
        ("[Site \"{\"]\n[Board \"1\"]\n\n[Board \"2\"]\n", 2),
        ("[Board \"1\"]\n% {\n\n[Board \"2\"]\n", 2),
        ("\u{feff}% {\n[Board \"1\"]\n\n[Board \"2\"]\n", 2),
        ("{ [Board \"1\"] }\n[Board \"1\"]\n", 1),
        ("[Board \"1\"]\n{ open\n[Board \"2\"]\n", 2),
        ("\n\n% x\n[Board \"1\"]\n", 1),
    ] {
        let found = Games::new(file.as_bytes(), "file").count();
        assert_eq!(found, games, "{file}");
    }
}

#[test]
fn results_of_either_side() {
    let board = |declarer: &str, result: &str| {
        let tags = format!("[Declarer \"{declarer}\"]\n[Result \"{result}\"]\n");
        boards(format!("[Board \"1\"]\n{tags}")).remove(0)
    };
    for (declarer, result, tricks) in [
        ("N", "9", Some(9)),
        ("N", "^9", Some(9)),
        ("N", "NS 9", Some(9)),
        ("N", "EW 4", Some(9)),
        ("W", "EW 4", Some(4)),
        ("W", "NS 9 EW 4", Some(4)),
        ("", "EW 4", None),
        ("N", "-", None),
    ] {
        let found = board(declarer, result).result;
        assert_eq!(found, tricks, "{result} by {declarer:?}");
    }
    for result in ["NS 14", "NS x", "XX 9", "14", "x", "+1"] {
        let board = board("N", result);
        let note = format!("3: Result {result:?}: expected 0 to 13 tricks");
        assert!(notes(&board)[0].starts_with(&note), "{:?}", notes(&board));
        assert_eq!(board.result, None);
    }
}

#[test]
fn hidden_hands_and_unknown_values() {
    let boards = boards(
        "[Board \"?\"]\n[Dealer \"?\"]\n[Vulnerable \"-\"]\n[Declarer \"\"]\n[Contract \"?\"]\n\
         [Result \"?\"]\n[Deal \"E:- AKJ96.6.AKT5.QJ3 - -\"]\n\n\
         [Deal \"N:- - - -\"]\n\n[Deal \"\"]\n",
    );
    let [one, none, empty] = &boards[..] else {
        panic!("{boards:?}");
    };
    assert_eq!(said(one, "number sides"), "- None");
    let south = Seat::South.index();
    assert_eq!(one.hands[south].unwrap().to_string(), "AKJ96.6.AKT5.QJ3");
    assert_eq!(one.hands.iter().flatten().count(), 1);
    assert_eq!(one.deal(), None);
    assert_eq!(none.hands, [None; 4]);
    assert_eq!(empty.hands, [None; 4]);
}

#[test]
fn games_without_blank_lines_between() {
    let file = "[Board \"1\"]\n[Dealer \"N\"]\n[Board \"2\"]\n[Dealer \"E\"]\n";
    assert_eq!(all_say(file, "number dealer line"), ["1 N 1", "2 E 3"]);
}

/// A program that sends a file may remove its line breaks.
#[test]
fn games_on_one_line() {
    let file = "[Board \"1\"][Note \"[Board 7]\"] {[Board \"8\"]} [Dealer \"N\"] [Board \"2\"]\
                [Deal \"N:A... K... Q... J...\"][Deal \"N:2... 3... 4... 5...\"]\n[Result \"1\"]";
    assert_eq!(all_say(file, "number line"), ["1 1", "2 1", "- 1"]);
    let games = Games::new(file.as_bytes(), "a").map(|game| game.unwrap().bytes().to_vec());
    assert_eq!(games.collect::<Vec<_>>().concat(), file.as_bytes());
    // Lines that are longer than a reader takes at once.
    let long = "[Board \"1\"]".repeat(20_000);
    assert!((19_990..=20_000).contains(&boards(&long).len()));
}

#[test]
fn tables_of_results() {
    let mut table = String::from("[Board \"1\"]\n[OptimumResultTable ");
    table.push_str("\"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for (number, seat) in ["W", "E", "S", "N"].iter().enumerate() {
        for strain in ["NT", "S", "H", "D", "C"] {
            table.push_str(&format!("{seat} {strain:>2} {number:>2}\n"));
        }
    }
    let tricks = boards(&table)[0].double_dummy.tricks.unwrap();
    assert_eq!(tricks, [[3, 1, 2, 0]; 5]);
    // A table with a hole says nothing.
    let hole = table.replace("W  H  0", "W  H  -");
    assert_eq!(boards(hole)[0].double_dummy.tricks, None);
    let bad = table.replace("W  H  0", "W  H 14");
    assert!(
        doubts(bad)[0]
            .starts_with("2: OptimumResultTable \"W H 14\": expected a declarer, a strain")
    );
}

#[test]
fn tables_of_best_cards() {
    let table = "[Board \"1\"]\n[OptimumPlayTable \"S\\8R;H\\8R;D\\8R;C\\8R\"]\n\
                 KQ86    -       QJ      K\nT - - - - 10987 - -\n";
    let play = boards(table)[0].double_dummy.play.clone().unwrap();
    let written: Vec<String> = play.iter().map(ToString::to_string).collect();
    assert_eq!(written, ["KQ86..QJ.K", "T...", ".T987.."]);
    // In any order of columns.
    let turned = table.replace("S\\8R;H\\8R;D\\8R;C\\8R", "C;-D;H\\1L;S");
    let play = boards(turned)[0].double_dummy.play.clone().unwrap();
    assert_eq!(play[0].to_string(), "K.QJ..KQ86");
    let without = table.replace("S\\8R", "X");
    assert_eq!(boards(without)[0].double_dummy.play, None);
    for (row, found) in [
        ("T - -", "T - -"),
        ("T - - - 5 4 3 X", "5 4 3 X"),
        ("- - - -", "- - - -"),
    ] {
        let bad = table.replace("T - - - - 10987 - -", row);
        let begins = format!("2: OptimumPlayTable \"{found}\": expected ranks or -");
        assert!(doubts(&bad)[0].starts_with(&begins), "{:?}", doubts(&bad));
        assert_eq!(boards(&bad)[0].double_dummy.play, None);
    }
}

#[test]
fn bad_boards_are_named_and_the_rest_goes_on() {
    let file = format!(
        "[Board \"1\"]\n[Deal \"{FULL}\"]\n\n\
         [Board \"2\"]\n[Deal \"N:A... A... K... Q...\"]\n\n\
         [Board \"3\"]\n[Vulnerable \"some\"]\n\n\
         [Board \"4\"]\n[Deal \"N:AK\n\n\
         [Board \"5\"]\n{{ not closed\n[Deal \"{FULL}\"]\n\n\
         [Board \"6\"]\n[Result \"14\"]\n\n\
         [Board \"7\"]\n[Play \"N\"]\nS1\n\n\
         [Board \"8\"]\n[Deal \"W:- .AX.. - -\"]\n\n\
         [Board \"9\"]\n[Deal \"{FULL}\"]\n"
    );
    let read = read(&file);
    let numbers: Vec<_> = read.iter().flatten().filter_map(|b| b.number).collect();
    assert_eq!(numbers, [1, 3, 5, 6, 7, 9]);
    let expected = [
        "8: Vulnerable \"some\": column 1: \"some\" is not a vulnerability; \
         expected one of None NS EW All; it counts as missing",
        "14: a comment without its end; it counts as missing",
        "18: Result \"14\": expected 0 to 13 tricks; it counts as missing",
        "22: Play \"S1\": column 2: '1' is not a rank; \
         expected one of A K Q J T 9 8 7 6 5 4 3 2; it counts as missing",
    ];
    assert_eq!(doubts(&file), expected);
    let expected = [
        "file, line 5, board 2: Deal \"N:A... A... K... Q...\": column 8: \
         the ace of spades (SA) is held by both North and East",
        "file, line 11: a tag without its end",
        "file, line 25, board 8: Deal \"W:- .AX.. - -\": column 7: \
         'X' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2",
    ];
    assert_eq!(errors(&file), expected);
}

#[test]
fn an_endless_game_is_cut() {
    let mut file = String::from("[Board \"1\"]\n[Auction \"N\"]\n");
    while file.len() < 3 << 20 {
        file.push_str("Pass Pass Pass Pass\n");
    }
    file.push_str("\n[Board \"2\"]\n\n[Board \"3\"]\n");
    let read = read(&file).into_iter();
    let shown: Vec<_> = read
        .map(|board| board.map(|board| board.number.unwrap()))
        .collect();
    let message = "file, line 1: a game is longer than 1048576 bytes".to_owned();
    assert_eq!(shown, [Err(message), Ok(2), Ok(3)]);
}

/// As long as may be, and one byte more.
#[test]
fn limits_are_what_errors_say() {
    let game = |length: usize| {
        let start = "[Board \"1\"]\n{";
        format!("{start}{}}}\n\n", "x".repeat(length - start.len() - 2))
    };
    let field = |length: usize| format!("md|1S2|an|{}|\n", "x".repeat(length));
    assert_eq!(boards(game(1 << 20)).len(), 1);
    assert_eq!(
        errors(game((1 << 20) + 1)),
        ["file, line 1: a game is longer than 1048576 bytes"]
    );
    assert_eq!(boards(field((1 << 16) - 1)).len(), 1);
    let to_the_end = format!("md|1S2|mb|{}", "x".repeat(1 << 16));
    assert!(boards(to_the_end)[0].auction.is_some());
    assert_eq!(
        doubts(field(1 << 16)),
        ["1: a field is longer than 65536 bytes; it counts as missing"]
    );
}

/// A line that is too long is reported, and its neighbours are read.
#[test]
fn long_lines_are_named() {
    let long = "x".repeat(1 << 16);
    let link = "https://x.example/?lin=md|1S2|";
    for (line, middle) in [
        (link, format!("{link}an|{long}|")),
        (FULL, format!("N:{long}")),
    ] {
        let file = format!("{line}\n{middle}\n{line}\n");
        let [error] = &errors(&file)[..] else {
            panic!("{line}");
        };
        assert!(
            error.starts_with("file, line 2")
                && error.ends_with("a line is longer than 65536 bytes"),
            "{error}"
        );
    }
}

/// A board says nothing of the next.
#[test]
fn lin_boards_are_apart() {
    let file = "pn|a,b,c,d|md|1S2|\n\nsv|b|\nmd|2S3|\npn|e|md|3S4|\n";
    let expected = ["1 S All c|d|a|b", "4 W - |||", "5 N - ||e|"];
    assert_eq!(all_say(file, "line dealer sides players"), expected);
}

#[test]
fn calls_without_end_are_cut() {
    for call in ["1S", "hello"] {
        let file = format!("md|1S2|{}pg||\n", format!("mb|{call}|").repeat(1_000));
        let auction = boards(&file)[0].auction.clone().expect("calls");
        assert_eq!(auction.split(' ').count(), 400, "{call}");
    }
}

#[test]
fn lin_of_one_table() {
    let file = "pn|S,W,N,E|st||md|3S358TH28D34579C89,S6QH7JQD8TKAC47JK,\
        SAH35TKAD2JC235QA,|rh||ah|Board 1|sv|b|mb|1H|mb|2S!|an|weak|mb|p|mb|4S|mb|ppp|pg||\n\
        pc|CT|pc|C8|pc|C4|pc|CQ|pg||pc|HA|mc|9|\r\n\
        pn|S,W,N,E|st||md|1,S2H2,S3H3,S4H4|sv|o|\n";
    assert_eq!(Format::of(file.as_bytes()), Format::Lin);
    let [first, second] = &boards(file)[..] else {
        panic!("{file}");
    };
    assert_eq!(said(first, "number dealer sides contract"), "1 N All 4SE");
    let deal = first.deal().unwrap();
    assert_eq!(deal.cards_per_hand(), Some(13));
    assert_eq!(deal.hand(Seat::East).to_string(), "KJ9742.964.Q6.T6");
    assert_eq!(said(first, "auction"), "1H 2S Pass 4S Pass Pass Pass");
    let end = said(first, "cards end claim result players");
    assert_eq!(end, "5 Stopped 9 9 N|E|S|W");
    // Hands of fewer cards, the first of them empty.
    assert_eq!(said(second, "dealer line"), "S 3");
    assert_eq!(second.hands[Seat::South], None);
    let north = second.hands[Seat::North].unwrap();
    assert_eq!(north.to_string(), "3.3..");
}

#[test]
fn lin_of_a_vugraph() {
    let deal = "md|3SKQT7HT92DA654CK6,S4HAQ765DK9CAQJ32,S653HKJ43DJ32C987,SAJ982H8DQT87CT54|";
    let file = format!(
        "vg|Cup,Final,I,8,9,A,19,B,105|\nrs|5CE=,3NWx-1,PASS,4HN+1|\n\
         pn|a,b,c,d,e,f,g,h|pg||\nqx|o8|{deal}sv|o|mb|p|mb|1S|pg||\n\
         qx|c8|{deal}sv|o|mb|p|mb|p|mb|p|mb|3N|mb|d|mb|p|mb|p|mb|p|pc|s5|pc|s8|pg||\n\
         qx|o9|{deal}\nqx|c9|{deal}mb|hello|mb|p|\n"
    );
    let expected = [
        "8 Open 5CE 11 c|d|a|b",
        "8 Closed 3NTXW 8 g|h|e|f",
        "9 Open passed - c|d|a|b",
        "9 Closed 4HN 11 g|h|e|f",
    ];
    assert_eq!(
        all_say(&file, "number room contract result players"),
        expected
    );
    assert_eq!(boards(&file)[3].auction.as_deref(), Some("hello p"));
}

#[test]
fn bad_lin() {
    let file = "md|9S2,S3,S4,S5|\nmd|1S2,S2,S4,S5|\nmd|1S2|mc|14|\nmd|1S2|pc|S1|\n\
        md|1S2|sv|x|\nmd|1S2|what|is|this|pc|S2|\nmd|1S2|\n";
    let shared = "file, line 2: the deuce of spades (S2) is held by both South and West";
    assert_eq!(
        (read(file).len(), errors(file)),
        (7, vec![shared.to_owned()])
    );
    let notes = doubts(file);
    let starts = [
        "1: md \"9S2,S3,S4,S5\": expected a dealer",
        "3: mc \"14\": expected 0 to 13 tricks",
        "4: pc \"S1\": column 2: '1' is not a rank",
        "5: sv \"x\": expected one of o n e b",
        "6: \"what\" is not the two-letter name",
    ];
    assert_eq!(notes.len(), starts.len(), "{notes:?}");
    for (note, start) in notes.iter().zip(starts) {
        assert!(note.starts_with(start), "{note}");
    }
    let first = read(file).remove(0).unwrap();
    let hands = first.hands.iter().flatten().count();
    assert_eq!((first.dealer, hands), (None, 4));
}

#[test]
fn a_dds_list_with_another_number_of_deals() {
    let deal = "PBN 0 0 4 0 \"N:A... K... Q... J...\"\n";
    let of = |text: &str| (read(text).iter().flatten().count(), errors(text));
    let fine = |boards| (boards, Vec::new());
    assert_eq!(of(deal), fine(1));
    assert_eq!(of(&format!("NUMBER 1\n{deal}")), fine(1));
    assert_eq!(of(&format!("NUMBER 1\n{deal}").repeat(2)), fine(2));
    let promises = |boards: u64, promised: u64| {
        let error =
            format!("file, line 1: NUMBER promises {promised} deals, but the list has {boards}");
        (boards as usize, vec![error])
    };
    assert_eq!(of(&format!("NUMBER 2\n{deal}")), promises(1, 2));
    assert_eq!(of(&format!("NUMBER 1\n{deal}{deal}")), promises(2, 1));
    assert_eq!(of("NUMBER 1\n"), promises(0, 1));
    assert_eq!(of(&format!("NUMBER 1\nFUT 1\n{deal}")), fine(1));
    for number in ["-1", "x", "99999999999999999999"] {
        let (boards, errors) = of(&format!("NUMBER {number}\n{deal}"));
        let error = format!("file, line 1: NUMBER {number:?}: expected how many deals follow");
        assert_eq!((boards, errors), (1, vec![error]));
    }
}

#[test]
fn a_dds_list() {
    let file = "NUMBER 2 \n\
        PBN 1 2 4 1 \"N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3\" \n\
        FUT 2 2 3 5 13 16 0 5 4 \n\
        TABLE 5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 6 6 6 \n\
        PAR \"NS -110\" \"EW 110\" \"NS:EW 2S\" \"EW:EW 2S\" \n\
        PAR2 \"-110\" \"2S-EW\" \nPLAY 2 \"CTC4\" \nTRACE 3 8 8 7 \n\
        PBN 0 1 0 7 \"N:... ... ... ...\"\nFUT 1\nWHAT\n";
    assert_eq!(Format::of(file.as_bytes()), Format::DdsList);
    let [board, second] = &boards(file)[..] else {
        panic!("{file}");
    };
    assert_eq!(said(board, "dealer sides leader cards"), "E NS E 2");
    assert_eq!(board.strain, Some(Strain::NoTrump));
    let tricks = board.double_dummy.tricks.unwrap();
    assert_eq!(tricks[Strain::Trump(Suit::Spades)], [5, 8, 5, 8]);
    assert_eq!(tricks[Strain::NoTrump], [6, 6, 6, 6]);
    assert_eq!(board.double_dummy.par_score, Some(-110));
    assert_eq!(board.double_dummy.par_contract.as_deref(), Some("EW 2S"));
    assert_eq!(said(second, "leader notes"), "- 9");
    assert!(second.notes[0].to_string().starts_with("PBN "));
}

#[test]
fn a_sol_file() {
    // The clubs identify the leaders: 8 8 8 7 for South, East, North, West.
    let file = "AKQT972.2.Q953.5 J.AQ9.K762.QT763 6.T87654.AT4.AK9 8543.KJ3.J8.J842\
        :33332121555532328887\n1 2 3 4:0000000000000000000g\n";
    assert_eq!(Format::of(file.as_bytes()), Format::Sol);
    let read = read(file);
    let board = read[0].as_ref().unwrap();
    let west = board.hands[Seat::West].unwrap();
    assert_eq!(west.to_string(), "AKQT972.2.Q953.5");
    // As a solver finds it: 3 10 3 10, 1 11 1 11, 5 8 5 8, 2 10 2 10, 8 5 7 5, except the spades
    // and hearts of North, which the leads distinguish.
    let tricks = board.double_dummy.tricks.unwrap();
    assert_eq!(tricks[0], [3, 10, 3, 10]);
    assert_eq!(tricks[4], [8, 5, 7, 5]);
    let error = read[1].as_ref().unwrap_err();
    assert!(error.starts_with("file, line 2, board 2: "), "{error}");
}

#[test]
fn plain_lines() {
    let file = format!(
        "# deals\n\n{FULL}\nNT W N:.K.. K.A.. Q.Q.. J.J.. played=\n\
        NT N N:.K.. K.A.. Q.Q.. J.J.. played=SA\n"
    );
    assert_eq!(Format::of(file.as_bytes()), Format::Plain);
    let [Ok(deal), Err(error), Ok(position)] = &read(&file)[..] else {
        panic!("{file}");
    };
    assert_eq!(deal.deal(), Some(full()));
    let start = "file, line 4, board 2: line \"NT W";
    assert!(error.starts_with(start), "{error}");
    assert_eq!(said(position, "leader number"), "N 3");
    assert_eq!(
        (position.on_table.len(), position.strain),
        (1, Some(Strain::NoTrump))
    );
}

#[test]
fn text_beside_a_deal_is_noted() {
    for (line, beside) in [
        (format!("{FULL} | 2 11 2 10"), "| 2 11 2 10"),
        (format!("{FULL} # a remark"), "# a remark"),
        (format!("{FULL}; par 420"), "; par 420"),
        (format!("{FULL} {{slam?}}"), "{slam?}"),
        (format!("\"{FULL}\",17"), "\" \",17"),
        (format!("Board 3: {FULL}"), "Board 3:"),
        (format!("deal={FULL},NS"), "deal= ,NS"),
        (format!("3. {FULL}\t0 tricks"), "3. 0 tricks"),
    ] {
        let board = boards(format!("{FULL}\n{line}\n")).remove(1);
        assert_eq!(board.deal(), Some(full()), "{line}");
        assert_eq!(
            notes(&board),
            [format!("2: {beside:?} beside the deal is ignored")]
        );
    }
    // What may be part of a question, or a wrong deal, stays an error.
    for line in [
        format!("{FULL} A.K.Q.J"),
        format!("NT S {FULL} ZZ"),
        FULL.replacen('A', "K", 1),
    ] {
        assert!(read(format!("{FULL}\n{line}\n"))[1].is_err(), "{line}");
    }
}

#[test]
fn formats_are_detected_by_content() {
    let of = |text: &str| Format::of(text.as_bytes());
    assert_eq!(of(""), Format::Plain);
    assert_eq!(of("\u{feff}\r\n  [Board \"1\"]"), Format::Pbn);
    assert_eq!(of("\n% PBN 2.1"), Format::Pbn);
    assert_eq!(of("vg|x|"), Format::Lin);
    assert_eq!(of("NT W N:A... K... Q... J..."), Format::Plain);
    assert_eq!(of("N:A... K... Q... J..."), Format::Plain);
}

/// Every format has its row, an example that is read, and a place in the documents.
#[test]
fn formats_have_examples_and_are_documented() {
    let page = include_str!("../../../../docs/records.md").replace('`', "");
    let page: Vec<&str> = page.split_whitespace().collect();
    let (page, overview) = (page.join(" "), include_str!("../../src/lib.rs"));
    for (format, name) in Format::all() {
        let example = format.guide().example;
        assert_eq!(Format::of(example.as_bytes()), format, "{example}");
        let [board] = &boards(example)[..] else {
            panic!("{example}");
        };
        assert_eq!(board.notes, [], "{example}");
        assert!(page.contains(name), "docs/records.md: {name}");
        assert!(overview.contains(&format!("\n//! | {name} | ")), "{name}");
    }
    // The last one is for all other lines.
    assert_eq!(Format::all().count(), Format::Plain as usize + 1);
}

/// Files in any encoding, with any line break.
#[test]
fn any_encoding_and_line_break_is_read() {
    let pbn = "% PBN 2.1\n[Board \"7\"]\n[West \"Malmö\"]\n\n[Board \"8\"]\n";
    for line_break in ["\n", "\r", "\r\n"] {
        for name in ["Malmö", "Šárka"] {
            let text = pbn.replace('\n', line_break).replace("Malmö", name);
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let narrow: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
            let marked = [b"\xff\xfe", &wide[..]].concat();
            for file in [marked, wide, text.into_bytes()].into_iter().chain(narrow) {
                let expected = [format!("7 |||{name}"), "8 |||".to_owned()];
                assert_eq!(all_say(&file, "number players"), expected);
            }
        }
    }
}

#[test]
fn an_error_of_the_stream_ends_the_boards() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("broken"))
        }
    }
    use std::io::{BufReader, Read};
    for (start, line) in [
        ("[Board \"1\"]\n\n", 2),
        ("md|1S2|\n\nan|x|\n", 3),
        ("#\nhttp://x?lin=md|1S2|\n", 2),
        ("PBN \n", 1),
        ("\nN:A... K... Q... J...\n", 2),
    ] {
        let stream = BufReader::new(start.as_bytes().chain(Broken));
        let records = Records::new(stream, "file").unwrap();
        let last = records.take(10).last().unwrap().unwrap_err();
        let expected = format!("file, line {line}: cannot read: broken");
        assert_eq!(last.to_string(), expected);
        let stream = BufReader::new(start.as_bytes().chain(Broken));
        assert!(Records::new(stream, "file").unwrap().count() <= 2);
    }
}

#[test]
fn links_to_boards_are_read() {
    let hands = "S2345HA,S6789HK,STJQKHQ";
    let link = |number: u32, end: &str| {
        let lin =
            format!("pn|a,b,c,d|md|1{hands},|ah|Board {number}|sv|b|mb|1N|mb|p|mb|p|mb|p|{end}");
        let coded = lin
            .replace('|', "%7C")
            .replace(' ', "%20")
            .replace(',', "%2c");
        format!("https://www.example.com/tools/handviewer.html?bbo=y&lin={coded}&v3=no")
    };
    let file = format!(
        "# mailed\n{}\n\n{}\r\n{}\n",
        link(3, "pc|S6|mc|7"),
        link(4, "pg|"),
        link(5, "pc|S6|pg||"),
    );
    assert_eq!(Format::of(file.as_bytes()), Format::Links);
    let expected = ["2 3 1 7", "4 4 0 -", "5 5 1 -"].map(|start| format!("{start} c|d|a|b 1NTS"));
    assert_eq!(
        all_say(&file, "line number cards claim players contract"),
        expected
    );
    // A line without a board is reported and does not affect its neighbours.
    for bad in [
        "https://example.com/no?x=1",
        "http://x?lin=garbage",
        "http://x?lin=qx|o1|md|1SX",
        "https://short.example/y2abc",
    ] {
        let file = format!("{}\n{bad}\n{}\n", link(3, ""), link(4, ""));
        let [Ok(before), Err(error), Ok(after)] = &read(file)[..] else {
            panic!("{bad}");
        };
        assert_eq!((before.number, after.number), (Some(3), Some(4)));
        assert!(error.starts_with("file, line 2"), "{error}");
    }
}

/// Links as programs and people write them: the whole board is read, or why not is said.
#[test]
fn links_of_all_writers_are_read() {
    let rest = "|sv|o|mb|1N|an|2 or 3?|mb|p|mb|p|mb|p|pc|S6|mc|7|";
    let lin = format!("pn|a,b,c,d|md|1S2345HA,S6789HK,STJQKHQ{rest}");
    let plain = format!("https://x.example/handviewer.html?lin={lin}");
    let expected = boards(&plain);
    assert_eq!(said(&expected[0], "cards result"), "1 7");
    assert_eq!(expected[0].alerts, [(0, "2 or 3?".to_owned())]);
    let encoded = lin
        .replace('|', "%7C")
        .replace('?', "%3F")
        .replace(' ', "+");
    for link in [
        format!("HTTPS://x.example/handviewer.html?lin={encoded}"),
        format!("https://x.example/handviewer.html?LIN={lin}"),
        format!("https://x.example/handviewer.html?lin={lin}#top"),
        format!("https://x.example/handviewer.html?bbo=y&amp;lin={lin}&amp;v3=no"),
        format!(
            "www.x.example/handviewer.html?lin={}",
            lin.replace("2 or 3?", "2 or 3?&x")
        ),
    ] {
        let mut boards = boards(&link);
        if link.starts_with("www.") {
            assert_eq!(boards[0].alerts, [(0, "2 or 3?&x".to_owned())]);
            boards[0].alerts.clone_from(&expected[0].alerts);
        }
        assert_eq!(boards, expected, "{link}");
    }
    // The same hands, auction, play and claim as parameters.
    let parts = "https://x.example/handviewer.html?s=S2345HA&w=s6789hk&n=s10jqkhq&d=s&v=o\
                 &a=1N(2%20or%203%3F)ppp&p=S6&c=7&sn=a&wn=b&nn=c&en=d";
    assert_eq!(boards(parts), expected);
    let hand = "https://www.example.com/handviewer.html?n=sakqh10d..&d=e&v=n&b=7&\
                a=p1n(15-17)pp&p=sah10&c=9&nn=Ann";
    let lin = "https://x/?LIN=pn%7C,,Ann,|md|4,,SAKQHTDC,|sv|n|ah|Board 7|mb|p1n(15-17)pp|\
               pc|sah10|mc|9|";
    assert_eq!(boards(hand), boards(lin));
    assert_eq!(boards(lin).len(), 1);
    let no_board = "the link has no board";
    for (link, problem) in [
        ("https://x.example/?myhand=M-1", no_board),
        ("https://x.example/?myhand=M-1-2", no_board),
        ("https://x.example/?a=1", no_board),
        ("https://x.example/", no_board),
        (
            "https://x.example/?n=SAK&s=SAQ",
            "the ace of spades (SA) is held by both",
        ),
    ] {
        assert!(errors(link)[0].contains(problem), "{:?}", errors(link));
    }
}

/// A row of a play has a card of each hand: where it does not begin at the hand that PBN
/// says, those who hold the cards have played them.
#[test]
fn a_play_in_rows_of_another_order() {
    let few = "N:AK2... QJT... 987... 654...";
    let first = "S3 SA S8 SQ\n";
    let tags = |deal: &str, declarer: &str| {
        format!("[Board \"1\"]\n[Deal \"{deal}\"]\n[Declarer \"{declarer}\"]\n[Contract \"4H\"]\n")
    };
    let west = tags(FULL, "W") + "[Play \"N\"]\n";
    let north = tags(few, "N").replace("4H", "1NT") + "[Play \"E\"]\n";
    for (tags, rows, expected) in [
        (
            &west,
            format!("{first}H4 DA D6 D2 *"),
            "S3,SA,S8,SQ,DA,D6,D2,H4 Stopped -",
        ),
        // Each row from the hand on lead.
        (
            &west,
            format!("{first}DA D6 D2 H4 *"),
            "S3,SA,S8,SQ,DA,D6,D2,H4 Stopped 5",
        ),
        // A card of no hand, or two of one hand: unchanged.
        (
            &west,
            format!("{first}DA DK D2 H4 *"),
            "S3,SA,S8,SQ,DK,D2,H4,DA Stopped -",
        ),
        (&north, "SA SK S9 S6".to_owned(), "SA,SK,S9,S6 Open -"),
        // Rows begin with North, who is not on lead.
        (
            &north,
            "SA SQ S9 S6\nS2 S4 S7 ST *".to_owned(),
            "SQ,S9,S6,SA,S2,ST,S7,S4 Stopped 5",
        ),
        (
            &north,
            "SA SQ S9 S6\nS2 - ST -".to_owned(),
            "SQ,S9,S6,SA,S2,ST Open 5",
        ),
        // North and South, but not East between them.
        (
            &north,
            "SA SQ S9 S6\nS2 - S7 -".to_owned(),
            "SA,SQ,S9,S6,S2 Unknown -",
        ),
    ] {
        let file = format!("{tags}{rows}\n");
        assert_eq!(all_say(&file, "play end notes"), [expected], "{file}");
    }
    let noted = boards(north + "SA SQ S9 S6\n").remove(0).notes;
    assert_eq!(noted[0].doubt, Doubt::RowsByOwner);
}

/// Rows are a trick each, with a column for each seat.
#[test]
fn rows_are_seats_and_not_turns() {
    let rows = "SK =1= H3 S4 S3\nC5 C2 C6 CK\nS2 H6 S5 S7 *";
    for (contract, rows, expected) in [
        // East ruffs, and leads from the second column.
        ("1H", rows, "SK,H3,S4,S3,C2,C6,CK,C5,S7,S2,H6,S5 Stopped"),
        ("1NT", rows, "SK,H3,S4,S3,C5,C2,C6,CK,S7,S2,H6,S5 Stopped"),
        ("", rows, "SK,H3,S4,S3 Unknown"),
        ("", "SK H3 S4 S3", "SK,H3,S4,S3 Open"),
        // Cards that are not named.
        ("1NT", "SK S2 S3 S4 SQ - S6 S7", "SK,S2,S3,S4,SQ Unknown"),
        ("1NT", "SK S2 S3 S4 SQ - - - *", "SK,S2,S3,S4,SQ Stopped"),
        ("1NT", "SK S2 S3 S4 SQ", "SK,S2,S3,S4,SQ Open"),
        ("1NT", "", "- Open"),
        ("1NT", "C2=1= C8$5 C3 C4!", "C2,C8,C3,C4 Open"),
    ] {
        let play = format!("[Contract \"{contract}\"]\n[Play \"N\"]\n{rows}\n");
        let file = format!("[Board \"1\"]\n[Declarer \"W\"]\n{play}");
        assert_eq!(all_say(&file, "play end"), [expected], "{file}");
    }
}

/// `-` fills a column up to the dealer; a suffix may be glued to a call; other words are reported.
#[test]
fn auctions_as_programs_write_them() {
    for (dealer, column, calls, expected) in [
        (
            "N",
            "W",
            "- 1D 1S 3H 4S\n5H Pass Pass X AP",
            "N 5HXS 1D 1S 3H 4S 5H Pass Pass X Pass Pass Pass",
        ),
        ("N", "W", "-- -- 1D", "N - Pass 1D"),
        (
            "N",
            "N",
            "1H -- 2H --\n-- --",
            "N 2HN 1H Pass 2H Pass Pass Pass",
        ),
        (
            "N",
            "N",
            "3H=1= Pass$1 4H! Pass AP",
            "N 4HN 3H Pass 4H Pass Pass Pass",
        ),
        (
            "",
            "N",
            "1D 1S 3H =1= 4S AP",
            "N 4SE 1D 1S 3H 4S Pass Pass Pass",
        ),
        ("", "N", "pass $1 Pass AP", "N passed Pass Pass Pass Pass"),
        ("", "N", "1D - X +", "N - 1D X"),
        ("", "N", "1D=1= 1S$2 3H! -- P", "N - 1D 1S 3H Pass Pass"),
        ("", "N", "- - 1D X", "S - 1D X"),
        ("", "N", "1D hello", "- - 1D hello"),
    ] {
        let tags = format!("[Dealer \"{dealer}\"]\n[Auction \"{column}\"]\n{calls}\n");
        let file = format!("[Board \"1\"]\n{tags}");
        assert_eq!(
            all_say(&file, "dealer contract auction"),
            [expected],
            "{file}"
        );
    }
    assert_eq!(all_say("md|1S2|mb|1N|mb|PPP|", "contract"), ["1NTS"]);
    let pbn = "[Board \"1\"]\n[Dealer \"N\"]\n[Auction \"N\"]\n3H Passt AP\n";
    for (file, line, word) in [(pbn, 4, "Passt"), ("md|1S2|mb|1N|mb|what|", 1, "what")] {
        let doubt = Doubt::Call(word.to_owned());
        let board = boards(file).remove(0);
        assert_eq!(
            (board.contract, board.notes),
            (None, vec![Note { line, doubt }])
        );
    }
}

#[test]
fn a_tag_without_quotes_is_taken_as_it_stands() {
    let file = "[Event Random Deal #]\n[Board \"1\"]\n[Dealer N]\n\n[Board \"2\"]\n";
    assert_eq!(all_say(file, "number dealer"), ["1 N", "2 -"]);
}

/// A whole play has a result; a record that says otherwise is doubted.
#[test]
fn a_whole_play_has_its_result() {
    let deal: Deal = FULL.parse().unwrap();
    let mut position = Position::new(Strain::NoTrump, Seat::North, deal, &[]).unwrap();
    let (mut play, mut won) = (String::new(), 0);
    while position.tricks_left() > 0 {
        let card = position.legal_cards().next().unwrap();
        position = position.play(card).unwrap();
        play += &format!("pc|{card}|");
        won += u8::from(position.is_trick_boundary() && position.leader().side() == Side::EastWest);
    }
    let whole = lin::write(&Board {
        dealer: Some(Seat::South),
        hands: deal.hands().map(Some),
        ..Board::default()
    });
    let lin = |end: &str| format!("{whole}mb|p|mb|1N|mb|ppp|{play}{end}");
    assert_eq!(
        all_say(lin(""), "contract result notes"),
        [format!("1NTW {won} -")]
    );
    assert_eq!(all_say(lin(&format!("mc|{won}|")), "notes"), ["-"]);
    let other = boards(lin("mc|3|")).remove(0);
    let doubt = Doubt::Result {
        recorded: 3,
        played: won,
    };
    let note = Note { line: 2, doubt };
    assert_ne!(won, 3);
    assert_eq!((other.result, other.notes), (Some(3), vec![note]));
}

/// Fields in the order that few writers choose: one board is not cut in two.
#[test]
fn names_after_the_hands_are_of_the_same_board() {
    let one = "md|1S2,S3,S4,S5|pn|a,b,c,d|ah|Board 7 (closed)|mb|1N|mb|ppp|pc|S3|";
    assert_eq!(all_say(one, "players number cards"), ["c|d|a|b 7 1"]);
    let two = "pn|a|md|1S2|mb|p|pn|b|st||ah|Board 8|md|2S3|mb|p|\npn|c|\n";
    assert_eq!(all_say(two, "players number"), ["||a| -", "||b| 8"]);
    assert_eq!(all_say("md|1S2|pn|a|", "players"), ["||a|"]);
    // A name of the board without a number takes no number from it.
    for file in [
        "qx|c4|md|1S2|ah|Final|",
        "qx|c4|ah|Board 4 (closed)|md|1S2|",
    ] {
        assert_eq!(all_say(file, "number"), ["4"], "{file}");
    }
}

/// PBN keeps a board's room, and adds no mark to a board without one.
#[test]
fn a_board_written_as_pbn_is_the_same_board() {
    let lin = "pn|a,b,c,d|qx|c7|md|1S2345HA,S6789HK,STJQKHQ,|sv|b|mb|1N|mb|p|mb|p|mb|p|pc|S6|";
    for lin in [lin.to_owned(), format!("{lin}mc|4|")] {
        let board = boards(&lin).remove(0);
        let mut again = boards(pbn::write(&board)).remove(0);
        again.claim = board.claim;
        assert_eq!(again, Board { line: 1, ..board }, "{lin}");
    }
}

/// Alerts and explanations of a LIN file are notes in PBN, and are read back from there.
#[test]
fn explanations_become_notes() {
    let lin = "md|1S2345HA,S6789HK,STJQKHQ,|sv|b|mb|1N|an|15-17, \"good\"|mb|2C!|mb|2D!|an|no major|\
               mb|p|mb|ppp!|an||pc|S6|";
    let board = boards(lin).remove(0);
    let found = [(0, "15-17, \"good\""), (1, ""), (2, "no major"), (6, "")];
    assert_eq!(
        board.alerts,
        found.map(|(call, text)| (call, text.to_owned()))
    );
    let pbn = pbn::write(&board);
    assert!(
        pbn.contains(
            "1NT =1= 2C =2= 2D =3= Pass\nPass Pass Pass =4=\n\
             [Note \"1:15-17, \\\"good\\\"\"]\n[Note \"2:alert\"]\n[Note \"3:no major\"]\n"
        ),
        "{pbn}"
    );
    let again = boards(&pbn).remove(0).alerts;
    assert_eq!(again.len(), 4);
    assert_eq!(again[..1], board.alerts[..1]);
    let several = boards("md|1S2|mb|1N|an||an|15-17|an||an|no major|").remove(0);
    assert_eq!(several.alerts, [(0, "15-17; no major".to_owned())]);
    // Only the words of an unknown auction are kept.
    let unknown = boards("md|1S2|mb|1C!|an|strong|mb|zz|an|?|").remove(0);
    assert_eq!(unknown.alerts, []);
}

/// A contract without declarer is not written; passes beside it are not written either, or the
/// board would have been passed out.
#[test]
fn passes_beside_a_contract_without_declarer_are_not_written() {
    let text = "[Dealer \"N\"]\n[Deal \"N:AK.2.. QJ.A.. 32..A. ..K2.A\"]\n[Contract \"3NT\"]\n\
                [Result \"9\"]\n[Auction \"N\"]\nPass Pass Pass Pass\n";
    let board = boards(text).remove(0);
    assert!(!board.passed_out && board.contract.is_none());
    let again = boards(pbn::write(&board)).remove(0);
    assert_eq!((again.passed_out, again.result), (false, board.result));
}

/// Nothing but a tag that a game has, `Event` or `Board` begins another one after an empty line.
#[test]
fn an_empty_line_does_not_end_a_game() {
    let tags = "[Event \"x\"]\n[Board \"4\"]\n[North \"Ann\"]\n[Dealer \"N\"]\n[Vulnerable \"NS\"]\n\
        [Deal \"N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95\"]\n\
        [Declarer \"N\"]\n[Contract \"4S\"]\n[Result \"10\"]\n[Auction \"N\"]\n1S Pass 4S =1= Pass\n\
        Pass Pass\n[Note \"1:weak\"]\n[Play \"E\"]\nCQ C4 C5 CA\nS3 S2 S5 SK\n*\n[Note \"1:later\"]\n";
    let fields = "number dealer sides contract cards result end notes auction";
    let whole = "4 N NS 4SN 8 10 Stopped - 1S Pass 4S Pass Pass Pass";
    let after = |tag: &str| tags.replacen(tag, &format!("\n{tag}"), 1);
    let forms = [
        tags.replace('\n', "\n\n"),
        tags.replace('\n', "\r\n\r\n"),
        tags.replace('\n', "\n \t\n\n"),
        tags.replace('\n', "\n\n{a remark}\n\n% no\n\n"),
        after("[Declarer"),
        after("[Deal "),
        after("[Dealer"),
        after("[Auction").replace("[Auction \"N\"]\n", "[Auction \"N\"]\n\n"),
        after("CQ C4"),
        after("S3 S2"),
        after("*"),
        after("[Play").replace("[Declarer", "\nThis is a fine deal.\n\n[Declarer"),
    ];
    for form in &forms {
        assert_eq!(all_say(form, fields), [whole], "{form}");
        let twice = format!("{form}\n{form}");
        assert_eq!(all_say(&twice, fields), [whole; 2], "{form}");
        assert!(
            boards(&twice).iter().all(|board| board.deal().is_some()),
            "{form}"
        );
        let games = Games::new(twice.as_bytes(), "file").map(|game| game.unwrap().bytes().to_vec());
        assert_eq!(games.collect::<Vec<_>>().concat(), twice.as_bytes());
    }
    // Games that begin in another way are games.
    let deal = "[Deal \"N:A... K... Q... J...\"]";
    for (file, numbers) in [
        (
            "[Board \"1\"]\n[Dealer \"N\"]\n\n[Dealer \"E\"]\n[Board \"2\"]\n",
            "1 2",
        ),
        (
            "[Contract \"4S\"]\n\n[Room \"Open\"]\n[Contract \"3NT\"]\n\n[Board \"3\"]\n",
            "- - 3",
        ),
        (&format!("[Board \"1\"]\n\n[Event \"\"]\n{deal}\n"), "1 -"),
        (&format!("{deal}\n\n[Board \"2\"]\n"), "- 2"),
    ] {
        assert_eq!(all_say(file, "number").join(" "), numbers, "{file}");
    }
    let text = format!("{tags}\nPass the salt.\n\nA K Q\n\n{tags}");
    let mut games = Games::new(text.as_bytes(), "file");
    assert_eq!(games.by_ref().count(), 2);
    assert_eq!(games.text_between(), Some(20));
}

/// A file may repeat a card for ever.
#[test]
fn a_play_of_more_than_a_pack_has_no_tricks() {
    let play = "SA SA SA SA\n".repeat(300);
    let file = format!(
        "[Deal \"N:AK.2.. QJ.A.. 32..A. ..K2.A\"]\n[Declarer \"N\"]\n[Contract \"1NT\"]\n[Play \"E\"]\n{play}*\n"
    );
    assert_eq!(boards(&file)[0].tricks_played(), None);
}

/// A slip moves no hand to another seat, and costs no fact in silence.
#[test]
fn slips_are_refused_or_noted() {
    let [n, e, s, w] = [
        "AKQJ.AKQ.AKQ.AKQ",
        "T987.JT9.JT9.JT9",
        "6543.876.876.876",
        "2.5432.5432.5432",
    ];
    let refused = [
        format!("WestNorth East South\n{n} {e} {s} {w}\n"),
        format!("W   E\n{n};{e};{s};{w}\n"),
        format!(
            "{{\"north\": \"west\": \"east\": \"{e}\", \"south\": \"{s}\", \"{n}\", \"{w}\"}}\n"
        ),
        format!("[Deal \"N:{n} {e} {s}\"] {w}\n"),
        format!(
            "<Board><North>{n}</North><East>{e}</South><South>{s}</East><West>{w}</West></Board>\n"
        ),
    ];
    for text in refused {
        let read = read(&text).into_iter().flatten();
        assert_eq!(read.filter_map(|board| board.deal()).count(), 0, "{text}");
    }
    let noted = [
        format!("Board: 8 8   Dealer: E\nN:{n} {e} {s} {w}\n"),
        format!("B 8 8\nH N:{n}:{e}:{s}:{w}\n"),
        format!(
            "md|1{},{},{},|ah|Board 2 6|\n",
            "SAKQJHAKQDAKQCAKQ", "ST987HJT9DJT9CJT9", "S6543H876D876C876"
        ),
    ];
    for text in noted {
        let [board] = &boards(text.as_str())[..] else {
            panic!("{text}")
        };
        assert_eq!(board.notes.len(), 1, "{text}");
        assert!(board.number.is_none_or(|number| number == 1), "{text}");
    }
}

/// Signs as JSON writes them, with its line breaks.
#[test]
fn signs_by_their_numbers_are_suits() {
    let text = r"\nNorth<br \/> \u2660 AKQJ<br \/> \u2665AKQ<br \/> \u2666AKQ<br \/> \u2663AKQ<\/td>
South<br \/> \u2660 T987<br \/> \u2665JT9<br \/> \u2666JT9<br \/> \u2663JT9<\/td>
";
    let [board] = &boards(text)[..] else {
        panic!("{text}")
    };
    let hand = |seat: Seat| board.hands[seat].map(|hand| hand.to_string());
    assert_eq!(hand(Seat::North).as_deref(), Some("AKQJ.AKQ.AKQ.AKQ"));
    assert_eq!(hand(Seat::South).as_deref(), Some("T987.JT9.JT9.JT9"));
}
