//! Pasted input: records in the style of other programs, links with other text around them, files
//! with text between their boards.

use setrograde_cards::{Card, Deal, Seat, Vulnerability};
use setrograde_records::{
    Board, Format, Options, PlayEnd, Records, dlm, lin, pbn, write_bri, write_dup,
};

const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";
const MD: &str = "md|3SA972HK874DA53CT4,S5HQ96DKJ9872CK95,SKQJT64HAJ52D6CA3,|";
const H: &str = "n=skqjt64haj52d6ca3&e=s83ht3dqt4cqj8762&s=sa972hk874da53ct4&w=s5hq96dkj9872ck95";

fn read(file: &str) -> Vec<Result<Board, String>> {
    let options = Options::default().keep_names(true);
    let records = Records::with_options(file.as_bytes(), "file", options).unwrap();
    records
        .map(|board| board.map_err(|e| e.to_string()))
        .collect()
}

/// The only board of a file, which has the deal.
#[track_caller]
fn board(file: &str) -> Board {
    let mut boards = read(file);
    assert_eq!(boards.len(), 1, "{file}\n{boards:?}");
    let board = boards.remove(0).expect(file);
    assert_eq!(board.deal(), Some(D.parse().unwrap()), "{file}");
    board
}

fn notes(board: &Board) -> Vec<String> {
    let notes = board.notes.iter();
    notes.map(|note| format!("{}: {note}", note.line)).collect()
}

fn contract(board: &Board) -> String {
    board
        .contract
        .map(|contract| contract.to_string())
        .unwrap_or_default()
}

/// Only the deal can cost the board: another tag that is not understood counts as missing, and
/// is named once with its line.
#[test]
fn tags_that_are_not_understood_cost_a_note() {
    for tag in [
        "[DoubleDummyTricks \"********************\"]",
        "[DoubleDummyTricks \"77777\"]",
        "[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\nN NT *",
        "[OptimumScore \"unknown\"]",
        "[Contract \"later\"]",
        "[Contract \"9NT\"]",
        "[Declarer \"NS\"]",
        "[Dealer \"Nord\"]",
        "[Vulnerable \"sometimes\"]",
        "[Result \"made\"]",
        "[Result \"14\"]",
        "[Play \"Z\"]\nSA",
        "[Play \"N\"]\nnone",
        "[Auction \"N\"]\nlater",
        "[Event \"no end",
    ] {
        let board = board(&format!(
            "[Board \"1\"]\n[Deal \"{D}\"]\n{tag}\n[Site \"\"]\n"
        ));
        let notes = notes(&board);
        assert_eq!(notes.len(), 1, "{tag}: {notes:?}");
        let word_of_section =
            tag.contains("later") && tag.contains("Auction") || tag.ends_with("none");
        let line = if word_of_section { "4: " } else { "3: " };
        assert!(notes[0].starts_with(line), "{tag}: {notes:?}");
    }
    // A note that nothing is known is not a doubt.
    for tag in [
        "[Contract \"-\"]",
        "[Result \"?\"]",
        "[Dealer \"\"]",
        "[DoubleDummyTricks \"\"]",
    ] {
        let board = board(&format!("[Board \"1\"]\n[Deal \"{D}\"]\n{tag}\n"));
        assert!(board.notes.is_empty(), "{tag}");
    }
    for word in ["AP", "Pass", "passed out", "All Pass", "PASS", "P"] {
        let board = board(&format!(
            "[Board \"1\"]\n[Deal \"{D}\"]\n[Contract \"{word}\"]\n"
        ));
        assert!(board.passed_out && board.notes.is_empty(), "{word}");
    }
}

#[test]
fn fields_of_lin_that_are_not_understood_cost_a_note() {
    for (field, count) in [
        ("sv|both|", 0),
        ("sv|None|", 0),
        ("sv|maybe|", 1),
        ("mc|lots|", 1),
        ("mc|14|", 1),
        ("pc|??|", 1),
        ("mb|what|", 1),
        ("pn|a,b,c,d,e|", 1),
    ] {
        let board = board(&format!("qx|o1|{MD}\n{field}\n"));
        assert_eq!(board.notes.len(), count, "{field}: {:?}", notes(&board));
        assert!(board.notes.iter().all(|note| note.line == 2), "{field}");
    }
    let both = board(&format!("{MD}sv|both|"));
    assert_eq!(both.vulnerability, Some(Vulnerability::Both));
    // A dealer that LIN does not have.
    for file in [MD.replace("md|3", "md|9"), MD.replace("md|3", "md|")] {
        let board = board(&file);
        assert_eq!((board.dealer, board.notes.len()), (None, 1), "{file}");
    }
}

/// A link's words are PBN's. Parts that are not understood are unknown, with a note; missing parts
/// are unknown.
#[test]
fn links_guess_nothing() {
    let link = |rest: &str| board(&format!("https://x.example/h.html?{H}&b=7&{rest}"));
    use Vulnerability::{Both, EastWest, None as Nobody, NorthSouth};
    for (value, sides) in [
        ("-", Nobody),
        ("o", Nobody),
        ("none", Nobody),
        ("n", NorthSouth),
        ("NS", NorthSouth),
        ("N-S", NorthSouth),
        ("e", EastWest),
        ("b", Both),
        ("All", Both),
        ("both", Both),
    ] {
        let board = link(&format!("d=n&v={value}&a=1sp4sppp"));
        assert_eq!(board.vulnerability, Some(sides), "{value}");
        assert_eq!((contract(&board).as_str(), board.notes.len()), ("4SN", 0));
    }
    for (value, dealer) in [
        ("north", Some(Seat::North)),
        ("East", Some(Seat::East)),
        ("W", Some(Seat::West)),
        ("x", None),
        ("5", None),
    ] {
        let board = link(&format!("d={value}&v=n"));
        assert_eq!(board.dealer, dealer, "{value}");
        assert_eq!(board.notes.len(), usize::from(dealer.is_none()), "{value}");
    }
    let silent = link("a=1sp4sppp");
    assert_eq!((silent.dealer, silent.vulnerability), (None, None));
    assert_eq!(silent.contract, None);
    assert_eq!(link("v=sometimes").notes.len(), 1);
}

/// The first line that belongs to a format decides; text before, between and after is text.
#[test]
fn text_around_boards_is_text() {
    let game = format!("[Board \"1\"]\n[Deal \"{D}\"]\n");
    let lin = format!("qx|o1|{MD}sv|o|\n");
    let link = format!("https://x.example/h.html?{H}\n");
    let sol = format!("{}:65658888888843433232\n", &D[2..]);
    let dds = format!("PBN 0 0 4 0 \"{D}\"\n");
    let rbn = format!("H {}\n", D.replacen("N:", "N;", 1).replace(' ', ":"));
    // The lines of these are parts of a whole, or its only one.
    let is_whole = |format| {
        use Format::{Diagram, Dlm, Dup, Usebio};
        matches!(format, Diagram | Dlm | Dup | Usebio)
    };
    let all = Format::all().map(|(format, _)| (format, format.guide().example));
    let examples = all.filter(|&(format, _)| !is_whole(format));
    let boards = [
        (Format::Pbn, &*game),
        (Format::Lin, &*lin),
        (Format::Links, &*link),
        (Format::Sol, &*sol),
        (Format::DdsList, &*dds),
        (Format::Rbn, &*rbn),
        (Format::Plain, &format!("{D}\n")),
        (Format::Plain, &format!("NT W {D}\n")),
    ];
    for (format, boards) in boards.into_iter().chain(examples) {
        for before in [
            "",
            "Generated 12 hands\n",
            "Time: 10:30, 3.4.2026\n\n",
            "// made by a program\n",
            "From: a@b.example\nSubject: boards\n\n",
        ] {
            for after in ["", "\nTime needed    8.000 sec\n", "\n-- \nAnn\n"] {
                let file = format!("{before}{boards}{after}");
                assert_eq!(Format::of(file.as_bytes()), format, "{file}");
                let read = read(&file);
                let [Ok(_)] = &read[..] else {
                    panic!("{file}: {read:?}");
                };
            }
        }
        let twice = format!("{boards}\n// the next\n# board\n\n{boards}");
        let read = read(&twice);
        let sound = read.iter().filter(|board| board.is_ok()).count();
        assert_eq!((read.len(), sound), (2, 2), "{twice}: {read:?}");
    }
    let mut records = Records::new(&b"Hello\n[Board \"1\"]\n\nBye\n"[..], "file").unwrap();
    assert_eq!(records.by_ref().count(), 1);
    assert_eq!(records.text_between(), Some(1));
    for none in [
        "Hello\nyou\n",
        "<xml>\n</xml>\n",
        "<ÿUSEBÿO>",
        "PK\u{3}\u{4}",
        "",
    ] {
        assert_eq!(read(none), [], "{none}");
    }
}

/// A comma in a name is followed by a blank.
#[test]
fn names_with_commas() {
    for (names, expected) in [
        ("Eps, I,Zet, G,Eta,The, A", "Eta|The, A|Eps, I|Zet, G"),
        ("a,b,c,d", "c|d|a|b"),
        ("a, b, c, d", "c|d|a|b"),
        ("Smith, J,b,c,d", "c|d|Smith, J|b"),
        ("a,b,c,Jones, K", "c|Jones, K|a|b"),
        ("a,b,c,d,", "c|d|a|b"),
    ] {
        let board = board(&format!("pn|{names}|{MD}"));
        assert_eq!(
            board.players.as_ref().unwrap().join("|"),
            expected,
            "{names}"
        );
        assert_eq!(board.notes, [], "{names}");
    }
    let eight = "Alp,Bet,Gam,Del,Eps, I,Zet, G,Eta,The, A";
    let closed = board(&format!("pn|{eight}|pg||\nqx|c1|{MD}"));
    assert_eq!(
        closed.players.unwrap().join("|"),
        "Eta|The, A|Eps, I|Zet, G"
    );
    assert_eq!(board(&format!("pn|a,b,c,d,e,f|{MD}")).notes.len(), 1);
}

#[test]
fn cards_that_are_taken_back() {
    let play = |fields: &str| {
        let board = board(&format!(
            "qx|o1|{MD}sv|o|mb|1s|mb|p|mb|4s|mb|ppp|pg||{fields}"
        ));
        assert_eq!(contract(&board), "4SN");
        let cards: Vec<String> = board.play.iter().map(ToString::to_string).collect();
        (cards.join(" "), board.notes.len())
    };
    let first = "pc|CQ|pc|C4|pc|CK|pc|CA|pg||";
    for (fields, cards, count) in [
        ("up|4|pc|DQ|pc|D3|pc|D2|pc|D6|pg||", "DQ D3 D2 D6", 1),
        ("up|2|pc|C5|pc|CA|", "CQ C4 C5 CA", 1),
        ("up|4|", "CQ C4 CK CA", 1),
        ("up||pc|DQ|", "DQ", 1),
        ("up|99|", "CQ C4 CK CA", 1),
        ("", "CQ C4 CK CA", 0),
    ] {
        assert_eq!(
            play(&format!("{first}{fields}")),
            (cards.to_owned(), count),
            "{fields}"
        );
    }
}

/// Calls without a field or a blank between them, in all words that there are for calls.
#[test]
fn calls_in_any_writing() {
    for calls in [
        "1sp4sppp",
        "1S P 4S P P P",
        "1♠p4♠ap",
        "1sp4s{jump}ppp",
        "1s(5+)p4s!ppp",
        "1S-Pass-4S-All Pass",
        "1♠\u{fe0f}p4♤ppp",
        "1spades pass 4spades AP",
    ] {
        let lin = board(&format!("{MD}mb|{calls}|pg||pc|CQ|"));
        assert_eq!(
            (contract(&lin).as_str(), lin.play.len()),
            ("4SN", 1),
            "{calls}"
        );
        let coded = calls.replace(' ', "+");
        let link = board(&format!("https://x.example/h.html?{H}&d=n&v=n&a={coded}"));
        assert_eq!(contract(&link), "4SN", "{calls}");
        let coded: String = coded.bytes().map(|b| format!("%{b:02X}")).collect();
        let link = board(&format!(
            "https://x.example/h.html?{H}&d=n&a={}",
            coded.replace("%2B", "+")
        ));
        assert_eq!(contract(&link), "4SN", "{calls}");
    }
    for (calls, expected) in [
        ("1s|mb|d|mb|r|mb|ap", "1SXXN"),
        ("1sxppp", "1SXN"),
        ("1sxxxppp", "1SXXN"),
        ("1S*|mb|ap", "1SN"),
        ("1nt|mb|dbl|mb|rdbl|mb|p|mb|p|mb|p", "1NTXXN"),
        ("p|mb|p|mb|1h|mb|AP", "1HS"),
    ] {
        assert_eq!(
            contract(&board(&format!("{MD}mb|{calls}|"))),
            expected,
            "{calls}"
        );
    }
    for (calls, expected) in [
        ("1♥ Pass 4♥ AP", "4HN"),
        ("1H p 4H ap", "4HN"),
        ("1H Dbl Rdbl All Pass", "1HXXN"),
        ("1H X XX all pass", "1HXXN"),
        ("1hp4hppp", "4HN"),
        ("1H {good} P 4H =1= P P P", "4HN"),
    ] {
        let game = format!("[Dealer \"N\"]\n[Deal \"{D}\"]\n[Auction \"N\"]\n{calls}\n");
        assert_eq!(contract(&board(&game)), expected, "{calls}");
    }
    for (written, expected) in [
        ("4♠", "4SN"),
        ("4 ♠\u{fe0f}", "4SN"),
        ("4S*", "4SXN"),
        ("4S Dbl", "4SXN"),
        ("3 No Trump", "3NTN"),
        ("4♤ by North", "4SN"),
    ] {
        let game = format!("[Declarer \"N\"]\n[Deal \"{D}\"]\n[Contract \"{written}\"]\n");
        assert_eq!(contract(&board(&game)), expected, "{written}");
    }
    assert_eq!(
        contract(&board(&format!(
            "[Deal \"{D}\"]\n[Contract \"4♠X by North\"]\n"
        ))),
        "4SXN"
    );
    let cards = board(&format!("{MD}mb|1sap|pc|CQC4CKCA|"));
    assert_eq!(cards.play.len(), 4);
}

/// Whatever a viewer calls its parameters, and any text around a link.
#[test]
fn links_of_any_viewer() {
    let dots = "north=KQJT64.AJ52.6.A3&east=83.T3.QT4.QJ8762&south=A972.K874.A53.T4\
                &west=5.Q96.KJ9872.K95";
    let bsol = board(&format!(
        "https://dds.example/bsol2/ddummy.htm?board=12&dealer=N&vul=NS&{dots}"
    ));
    assert_eq!((bsol.number, bsol.dealer), (Some(12), Some(Seat::North)));
    assert_eq!(bsol.vulnerability, Some(Vulnerability::NorthSouth));
    for rest in [
        "contract=4S&declarer=N&lead=CQ",
        "Contract=4♠ by North&Lead=♣Q",
        "CONTRACT=4SN&lead=CQ&dealer=E",
    ] {
        let board = board(&format!("https://x.example/?{dots}&{rest}"));
        assert_eq!(
            (contract(&board).as_str(), board.play.len()),
            ("4SN", 1),
            "{rest}"
        );
    }
    let coded = MD.replace('|', "%7C").replace(',', "%2C");
    for link in [
        format!("https://x.example/?{MD}"),
        format!("https://x.example/#{coded}"),
        format!("https://x.example/v?st%7C%7C{coded}sv%7Co%7C"),
        format!(
            "https://x.example/go?to=https%3A%2F%2Fx.example%2F%3Flin%3D{}",
            coded.replace('%', "%25")
        ),
        format!("https://x.example/?deal={}", D.replace(' ', "+")),
        "https://x.example/?W=S5HQ96DKJ9872CK95&E=S83HT3DQT4CQJ8762&N=SKQJ1064HAJ52D6CA3&S=SA972HK874DA53C104".to_owned(),
    ] {
        board(&link);
    }
    let link = format!("https://x.example/h.html?{H}&d=n&v=n&b=7&a=1sp4sppp");
    for around in [
        format!("<{link}>"),
        format!("See {link} for the hand."),
        format!("[the board]({link}), please"),
        format!("<a href=\"{link}\">board 7</a>"),
        format!("[url={link}]board[/url]"),
        format!("[url]{link}[/url] (nice)"),
        format!("> {link}."),
        format!("[hv=pc=n&{H}&d=n&v=n&b=7&a=1sp4sppp]400|300[/hv]"),
        format!("Look: [hv={H}&d=n&v=n&b=7&a=1sp4sppp]133|100|comment[/hv] what now?"),
        link.replace('&', "&amp;"),
        link.replace("https://", "www."),
        format!("x.example/handviewer.html?{H}&d=n&v=n&b=7&a=1sp4sppp"),
    ] {
        let board = board(&format!("Hello,\n{around}\nbye\n"));
        assert_eq!(
            (contract(&board).as_str(), board.number),
            ("4SN", Some(7)),
            "{around}"
        );
        assert_eq!(board.notes, [], "{around}");
    }
    let two = read(&format!("{link} and {link}\n"));
    assert_eq!(two.len(), 2, "{two:?}");
    let club = format!("See https://club.example/ too\n{link}\n");
    assert_eq!(read(&club).len(), 1);
    // LIN in a link keeps its values.
    let lin = format!("https://x.example/?lin=pn|Ann B,c,d,e|{MD}mb|1N|an|15 (good)|mb|ap| nice!");
    let board = board(&lin);
    assert_eq!(board.alerts, [(0, "15 (good)".to_owned())]);
    assert_eq!(contract(&board), "1NTN");
}

/// Tags in another case.
#[test]
fn tags_in_any_case() {
    for (file, count) in [
        (format!("[deal \"{D}\"]\n"), 1),
        (format!("[DEAL \"{D}\"]\n[BOARD \"1\"]\n"), 1),
        (format!("[board \"1\"]\n[Deal \"{D}\"]\n[board \"2\"]\n"), 2),
        (
            format!("[event \"\"]\n[deal \"{D}\"]\n\n[event \"\"]\n[deal \"{D}\"]\n"),
            2,
        ),
    ] {
        assert_eq!(read(&file).iter().flatten().count(), count, "{file}");
    }
}

/// Values that mean something in PBN, but are names in LIN.
#[test]
fn names_are_read_back_as_they_were() {
    for name in ["#", "##Nick", "?", "-", "##", "a \"b\" \\", "#1", "O’Neill"] {
        let first = board(&format!("pn|Before,b,Before,d|{MD}"));
        let second = board(&format!("pn|{name},b,{name},d|{MD}"));
        let text = pbn::write(&first) + &pbn::write(&second);
        let boards = read(&text);
        assert_eq!(
            boards[1].as_ref().unwrap().players,
            second.players,
            "{name}"
        );
    }
}

/// A bar ends a field of LIN; another sign is in its place.
#[test]
fn a_bar_in_a_name_stays_visible_in_lin() {
    let board = board(&format!("[North \"a|b\"]\n[Deal \"{D}\"]\n"));
    let written = lin::write(&board);
    assert!(written.contains("pn|,,a¦b,|"), "{written}");
    assert!(written.contains("|md|"), "{written}");
}

/// A game may repeat the value of the game before, unless it is longer than names are: 10,000
/// games that repeat a text of a megabyte would need minutes.
#[test]
fn long_values_are_not_repeated() {
    for (length, repeated) in [(1 << 10, true), (1 + (1 << 10), false)] {
        let name = "x".repeat(length);
        let deal = format!("[Deal \"{D}\"]\n\n");
        let text = format!("[North \"{name}\"]\n{deal}[North \"#\"]\n{deal}");
        let boards = read(&text);
        let names = |at: usize| boards[at].as_ref().unwrap().players.clone().unwrap();
        assert_eq!(names(0)[0], name);
        assert_eq!(names(1)[0] == name, repeated, "{length}");
    }
}

/// LIN, PBN and LIN again: the same board.
#[test]
fn lin_is_written() {
    for rest in [
        "sv|b|mb|1S|mb|p|mb|4S!|an|to play|mb|p|mb|p|mb|p|pg||pc|CQ|pc|C4|pc|CK|pc|CA|mc|10|",
        "sv|o|ah|Board 3|mb|1N|an|15-17|mb|d!|mb|r|mb|p|mb|p|mb|p|",
        "sv|n|mb|p|mb|p|mb|p|mb|p|",
        "sv|e|",
        "",
    ] {
        for start in ["", "pn|a,b,Smith, J,d|", "qx|o7|pn|#,?,x,-|", "qx|c7|"] {
            let whole = board(&format!("{start}{MD}{rest}"));
            let again = board(&pbn::write(&whole));
            let written = lin::write(&Board {
                claim: whole.claim,
                ..again.clone()
            });
            let last = Board {
                line: whole.line,
                ..board(&written)
            };
            assert_eq!(last, whole, "{written}");
        }
    }
    // A contract without its auction gets the shortest.
    let game = format!("[Dealer \"E\"]\n[Deal \"{D}\"]\n[Declarer \"N\"]\n[Contract \"4SX\"]\n");
    let written = lin::write(&board(&game));
    assert!(
        written.contains("|mb|p|mb|p|mb|p|mb|4S|mb|d|mb|p|mb|p|mb|p|"),
        "{written}"
    );
    assert_eq!(contract(&board(&written)), "4SXN");
}

/// All samples: LIN, written as PBN, and then as LIN, gives equal boards. `LIN_FILES` names more
/// files, one a line.
#[test]
fn samples_from_lin_to_pbn_and_back() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/samples/match.lin");
    let more = std::env::var("LIN_FILES")
        .map(|list| std::fs::read_to_string(list).unwrap())
        .unwrap_or_default();
    let mut count = 0;
    for path in std::iter::once(samples).chain(more.lines()) {
        for whole in read(&setrograde_records::decode(&std::fs::read(path).unwrap())) {
            let Ok(whole) = whole else { continue };
            let again = read(&pbn::write(&whole)).remove(0).unwrap();
            let written = lin::write(&Board {
                claim: whole.claim,
                ..again
            });
            let last = read(&written).remove(0).unwrap();
            let plain = |board: Board| Board {
                line: 0,
                notes: Vec::new(),
                ..board
            };
            assert_eq!(plain(last), plain(whole), "{path}: {written}");
            count += 1;
        }
    }
    assert!(count >= 6, "{count} boards");
}

/// Duplimate's DUP: numbers of cards, 156 bytes for each deal.
#[test]
fn dup_files() {
    let deal: setrograde_cards::Deal = D.parse().unwrap();
    let pack: Vec<_> = setrograde_cards::Card::pack().collect();
    let numbers = [Seat::North, Seat::East, Seat::South].map(|seat| {
        let cards = deal.hand(seat).cards();
        let number = |card| pack.iter().position(|&c| c == card).unwrap() + 1;
        cards
            .map(|card| format!("{:02}", number(card)))
            .collect::<String>()
    });
    let record = |down: &str| format!("{}{}Y{down}5  1 6  ", numbers.concat(), "x".repeat(68));
    for (down, boards) in [("N", [5, 6]), ("Y", [6, 5])] {
        let file = record(down).repeat(2);
        let read: Vec<_> = read(&format!("{file}\r\n"))
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let numbers: Vec<_> = read.iter().map(|board| board.number).collect();
        assert_eq!(numbers, boards.map(Some));
        assert!(read.iter().all(|board| board.deal() == Some(deal)));
        assert_eq!(read[0].dealer, Some(Seat::dealer_of_board(boards[0])));
    }
    let twice = record("N").replacen("01", "02", 1);
    assert!(
        read(&twice)[0]
            .as_ref()
            .unwrap_err()
            .contains("numbers of cards")
    );
    assert!(read(&record("N")[..100]).len() == 1);
}

/// Pavlicek's RBN.
#[test]
fn rbn_files() {
    let hands = format!("N{}", D[1..].replace(' ', ":"));
    let file = format!(
        "% RBN 3.2\nD 20260101\nT Cup\nN Ann+Bob:Cy+Di:O\nB 7\nH {hands}\nA NN:1SP4SA\n\
         {{A long\nremark}}\nR 10\n\nN Eve+Fay:Gus+Hal:C\nA NN:1SP2N^1X:RA\n1 strong\n\n\
         B 8\nH {hands}\nA EZ:PPPP\n"
    );
    let boards: Vec<Board> = read(&file).into_iter().map(Result::unwrap).collect();
    let found: Vec<_> = boards
        .iter()
        .map(|b| (b.number, contract(b), b.passed_out))
        .collect();
    let text = str::to_owned;
    assert_eq!(
        found,
        [
            (Some(7), text("4SN"), false),
            (Some(7), text("2NTXXS"), false),
            (Some(8), text(""), true)
        ],
        "{boards:?}"
    );
    assert!(
        boards
            .iter()
            .all(|board| board.deal() == Some(D.parse().unwrap()))
    );
    assert_eq!(
        boards[0].players.as_ref().unwrap().join(" "),
        "Ann Di Bob Cy"
    );
    assert_eq!(
        boards[1].players.as_ref().unwrap().join(" "),
        "Eve Hal Fay Gus"
    );
    assert_eq!(boards[0].vulnerability, Some(Vulnerability::NorthSouth));
    assert_eq!(
        (boards[0].result, boards[0].play_end),
        (Some(10), PlayEnd::Open)
    );
}

/// Tags as other programs and people write them, each of a board that is read without a note.
#[test]
fn tags_as_programs_write_them() {
    for contract_tag in [
        "4S=",
        "4S +1",
        "4SN-2",
        "4♠ by N =",
        "4 Spades",
        "4♠\u{fe0f}",
        "4S-N",
        "4S, North",
    ] {
        let board = board(&format!(
            "[Board \"7\"]\n[Declarer \"N\"]\n[Contract \"{contract_tag}\"]\n[Deal \"{D}\"]\n"
        ));
        assert_eq!(
            (contract(&board), notes(&board)),
            ("4SN".to_owned(), vec![])
        );
        let over = contract_tag.contains(['=', '+']) || contract_tag.contains("-2");
        assert_eq!(board.result.is_some(), over, "{contract_tag}");
    }
    for passed in [
        "Passed",
        "P.O.",
        "passed-out",
        "Passed Out",
        "all pass",
        "PASS",
    ] {
        let board = board(&format!(
            "[Board \"7\"]\n[Contract \"{passed}\"]\n[Deal \"{D}\"]\n"
        ));
        assert!(board.passed_out && board.notes.is_empty(), "{passed}");
    }
    for (written, result) in [
        ("=", 10),
        ("+1", 11),
        ("-2", 8),
        ("10 tricks", 10),
        ("N 10", 10),
        ("W 3", 10),
        ("EW 3", 10),
        ("^10", 10),
    ] {
        let board = board(&format!(
            "[Board \"7\"]\n[Declarer \"N\"]\n[Contract \"4S\"]\n[Result \"{written}\"]\n[Deal \"{D}\"]\n"
        ));
        assert_eq!(
            (board.result, notes(&board)),
            (Some(result), vec![]),
            "{written}"
        );
    }
    for (written, number) in [
        ("Board 7", Some(7)),
        ("#7", Some(7)),
        ("007", Some(7)),
        ("O7", Some(7)),
        ("7/32", None),
        ("+7", None),
        ("seven", None),
    ] {
        let board = board(&format!("[Board \"{written}\"]\n[Deal \"{D}\"]\n"));
        assert_eq!(board.number, number, "{written}");
    }
    for (written, vulnerable) in [
        ("NS only", Vulnerability::NorthSouth),
        ("Game all", Vulnerability::Both),
        ("Love all", Vulnerability::None),
        ("E/W Vul", Vulnerability::EastWest),
        ("Zero", Vulnerability::None),
        ("N/S+E/W", Vulnerability::Both),
    ] {
        let board = board(&format!(
            "[Board \"7\"]\n[Vulnerable \"{written}\"]\n[Deal \"{D}\"]\n"
        ));
        assert_eq!(board.vulnerability, Some(vulnerable), "{written}");
    }
    // A board that was passed out, with an empty or unknown contract.
    for contract in ["-", "later"] {
        let passed = board(&format!(
            "[Board \"7\"]\n[Dealer \"N\"]\n[Deal \"{D}\"]\n[Contract \"{contract}\"]\n[Auction \"N\"]\nPass Pass Pass Pass\n"
        ));
        assert!(passed.passed_out, "{contract}");
    }
}

#[test]
fn auctions_and_plays_as_programs_write_them() {
    for auction in [
        "1 S Pass 4 S Pass Pass Pass",
        "1S NB 4S NB NB NB",
        "1♠ No 4♠ No No No",
        "1S Pas 4S Pas Pas Pas",
        "1S,Pass,4S,Pass,Pass,Pass",
        "1s\tp\t4s\tap",
        "1S {nat} Pass 4S {to play} AP",
        "> 1S Pass 4S\n> AP",
    ] {
        let board = board(&format!(
            "[Board \"7\"]\n[Dealer \"N\"]\n[Deal \"{D}\"]\n[Auction \"N\"]\n{auction}\n"
        ));
        assert_eq!(
            (contract(&board), notes(&board)),
            ("4SN".to_owned(), vec![]),
            "{auction}"
        );
    }
    for play in [
        "CQ, C4, C5, CA",
        "Q♣ 4♣ 5♣ A♣",
        "C-Q C-4 C-5 C-A",
        "CQ-C4-C5-CA",
        "1. CQ C4 C5 CA",
        "1 CQ C4 C5 CA",
        "♣\u{fe0f}Q ♣\u{fe0f}4 ♣\u{fe0f}5 ♣\u{fe0f}A",
        "cq c4 c5 ca",
    ] {
        let pbn = board(&format!(
            "[Board \"7\"]\n[Declarer \"N\"]\n[Contract \"4S\"]\n[Deal \"{D}\"]\n[Play \"E\"]\n{play}\n*\n"
        ));
        assert_eq!((pbn.play.len(), notes(&pbn)), (4, vec![]), "{play}");
        if !play.starts_with('1') {
            let lin = board(&format!("qx|o7|{MD}mb|1sp4sppp|pc|{play}|"));
            assert_eq!((notes(&lin), lin.play), (vec![], pbn.play), "{play}");
        }
    }
}

/// Letters break lines, quote them and change their quotes and blanks; some writers have other
/// signs around values, or none at the end.
#[test]
fn tags_that_letters_and_word_processors_changed() {
    let game = format!("[Board \"7\"]\n[Dealer \"N\"]\n[Vulnerable \"NS\"]\n[Deal \"{D}\"]\n");
    let broken = game.replace(" A972", "\nA972");
    for file in [
        game.replace('"', "”"),
        game.replace("[Dealer \"N\"]", "[Dealer “N”]"),
        game.replace(" \"", "\u{a0}\""),
        game.replace('"', "'"),
        game.replace(" \"", ": \""),
        game.replace(" \"", "=\""),
        game.replace("\"]", "\""),
        format!("> {}", game.replace('\n', "\n> ")),
        format!(">> {}", game.replace('\n', "\n>> ")),
        broken.clone(),
        format!("> {}", broken.replace('\n', "\n> ")),
        broken.replace('"', "”"),
        game.replace(' ', "  "),
        game.replace("[Deal ", "[deal\t"),
        game.replace('\n', "\r").replacen('\r', "\r\n", 1),
        game.replace('\n', "\r").replace("NS\"]\r", "NS\"]\r\n"),
        game.replace('\n', "<br>\n"),
    ] {
        let board = board(&file);
        let said = (board.number, board.dealer, board.vulnerability);
        let expected = (Some(7), Some(Seat::North), Some(Vulnerability::NorthSouth));
        assert_eq!(said, expected, "{file}");
    }
    for file in [
        format!("> {D}\n"),
        format!("Hi\n>> {D}\n"),
        format!("{MD}\n").replace("md", "> md"),
    ] {
        board(&file);
    }
}

/// Hands of a deal with other separators, for all readers of deals.
#[test]
fn deals_with_other_signs() {
    let marks = |marks: [&str; 4]| {
        let hand = |hand: &str| {
            let suits = marks
                .iter()
                .zip(hand.split('.'))
                .map(|(mark, cards)| format!("{mark}{cards}"));
            suits.collect::<Vec<_>>().join(" ")
        };
        let hands = D[2..].split(' ').map(hand);
        format!("N:{}", hands.collect::<Vec<_>>().join(" "))
    };
    let hands: Vec<&str> = D[2..].split(' ').collect();
    for deal in [
        marks(["♠ ", "♥ ", "♦ ", "♣ "]),
        marks(["S: ", "H: ", "D: ", "C: "]),
        marks(["♠\u{a0}", "♥\u{a0}", "♦\u{a0}", "♣\u{a0}"]),
        marks(["♠\u{fe0e}", "♥\u{fe0f}", "♢", "♧"]),
        D.replace("N:", "N :"),
        D.replace(' ', ", "),
        D.replace(' ', ","),
        D.replace(' ', "; "),
        D.replace(' ', " | "),
        D.replace(' ', "\u{a0}"),
        D.replace('T', "10").to_lowercase(),
        format!(
            "N:{} E:{} S:{} W:{}",
            hands[0], hands[1], hands[2], hands[3]
        ),
    ] {
        board(&format!("{deal}\n"));
        board(&format!("[Board \"7\"]\n[Deal \"{deal}\"]\n"));
        if !deal.contains(['♠', ';', '|', 'H']) || deal.contains(',') {
            board(&format!(
                "https://x.example/v?deal={}&b=7",
                deal.replace(' ', "%20")
            ));
        }
    }
}

/// Links with other names of their parameters, and with other text around them.
#[test]
fn links_of_other_programs() {
    let [n, e, s, w] = <[&str; 4]>::try_from(D[2..].split(' ').collect::<Vec<_>>()).unwrap();
    let lin = format!("qx|o7|{MD}sv|n|");
    for link in [
        format!("https://x.example/v?n={n}&e={e}&s={s}&w={w}&d=n&v=NS&bn=7"),
        format!("https://x.example/v?nhand={n}&ehand={e}&shand={s}&whand={w}&dlr=N&vuln=NS&bd=7"),
        format!(
            "https://x.example/v?north_hand={n}&east_hand={e}&south_hand={s}&west_hand={w}&dealer=N&vul=NS&board=7"
        ),
        format!(
            "https://x.example/v?hand={}&dealer=N&vul=NS&bnum=7",
            D.replace(' ', "%20")
        ),
        format!("https://x.example/v?hands=N:{n},{e},{s},{w}&dealer=N&vul=NS&board=7"),
        lin.replace('|', "%7C"),
        format!("//x.example/handviewer.html?{H}&d=n&v=n&b=7"),
    ] {
        let board = board(&link);
        let said = (board.number, board.dealer, board.vulnerability);
        let expected = (Some(7), Some(Seat::North), Some(Vulnerability::NorthSouth));
        assert_eq!(said, expected, "{link}");
    }
    for rest in [
        "a=1S P 4S P P P",
        "a=1S%20P%204S%20AP",
        "contract=4S&dec=N",
        "con=4SN%3D",
        "contract=4S%2B1&decl=north",
    ] {
        let board = board(&format!("https://x.example/h?{H}&d=n&v=n&b=7&{rest}"));
        assert_eq!(
            (contract(&board), notes(&board)),
            ("4SN".to_owned(), vec![]),
            "{rest}"
        );
    }
    let link = format!("https://x.example/h?{H}&d=n&v=n&b=7&a=1sp4sppp");
    for text in [
        "“@”",
        "«@»",
        "‹@›",
        "„@“",
        "`@`",
        "{@}",
        "@\u{200b}",
        "\u{feff}@\u{200b} next",
        "@\\",
        "<@|hand>",
        "@&nbsp;",
        "@…",
        "@</p>",
        "<td>@</td>",
        "@<br>",
        "@;",
        "@ 3NT is worse",
        "1. @",
        "|@|",
    ] {
        let board = board(&text.replace('@', &link));
        assert_eq!(
            (contract(&board), notes(&board)),
            ("4SN".to_owned(), vec![]),
            "{text}"
        );
    }
}

/// Results of all tables, as club programs of several countries write them.
#[test]
fn results_of_all_tables() {
    let rows = "19 14  4 11 2HX  S  8 S6   \"670\"      - 42.0  0.0 100   0\n\
        16 14 14  1 2S   E  5 DQ   \"150\"      - 40.0  2.0  95   5\n\
        20 14  5 10 Pass -  - -      \"0\"      - 20.0 22.0  48  52\n\
        ; a remark\n 2 14  6 12 3NT  W  9 ♠4       -   -400  1.0 39.0   2  98";
    let columns = "Table\\2R;Round\\2R;PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R;\
        Lead\\3L;Score_NS\\6R;Score_EW\\6R;MP_NS\\4R;MP_EW\\4R;Percentage_NS\\3R;Percentage_EW\\3R";
    let tags = "[Scoring \"MatchPoints;MP1\"]\n[Competition \"Pairs\"]\n[Table \"3\"]\n\
        [PairIdNS \"7\"]\n[PairIDEW \"12\"]\n";
    for line_break in ["\n", "\r\n", "\n\n"] {
        let file = format!(
            "[Board \"1\"]\n[Deal \"{D}\"]\n{tags}[ScoreTable \"{columns}\"]\n{rows}\n[Site \"\"]\n"
        );
        let found = board(&file.replace('\n', line_break));
        assert_eq!(found.table.as_deref(), Some("3"));
        assert_eq!(found.pairs, ["7", "12"].map(|pair| Some(pair.to_owned())));
        assert_eq!(found.scoring.as_deref(), Some("MatchPoints;MP1"));
        assert_eq!(found.competition.as_deref(), Some("Pairs"));
        let scores = found.scores.as_ref().expect("scores");
        let shown = scores.rows.iter().map(|row| {
            let value = |column| scores.value(row, column).unwrap_or("none");
            let contract = row.contract.map(|contract| contract.to_string());
            let words = [
                value("Table"),
                value("PairId_NS"),
                value("MP_NS"),
                value("Percentage_EW"),
            ];
            (
                contract.unwrap_or_default(),
                row.passed_out,
                row.result,
                row.score,
                words.join(" "),
            )
        });
        let expected = [
            ("2HXS", false, Some(8), Some(670), "19 4 42.0 0"),
            ("2SE", false, Some(5), Some(150), "16 14 40.0 5"),
            ("", true, None, Some(0), "20 5 20.0 52"),
            ("3NTW", false, Some(9), Some(400), "2 6 1.0 98"),
        ]
        .map(|(contract, passed, result, score, words)| {
            (contract.to_owned(), passed, result, score, words.to_owned())
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        let again = board(&pbn::write(&found));
        assert_eq!(
            (again.scores, again.pairs),
            (found.scores.clone(), found.pairs.clone())
        );
        assert!(pbn::write(&found).contains(&format!("[ScoreTable \"{columns}\"]\n{rows}\n")));
    }
    let names = |row: &str| {
        let columns = "PairId_NS\\2R;Contract\\4L;Declarer;Result\\2R;Names_NS\\13;Names_EW";
        let table = setrograde_records::ScoreTable::new(columns, row);
        let row = &table.rows[0];
        [table.value(row, "Names_NS"), table.value(row, "Names_EW")]
            .map(|name| name.map(str::to_owned))
    };
    for row in [
        " 1 4S   N 10 Ann and Bo    Cid and Di",
        " 1 4S   N 10 \"Ann and Bo\" \"Cid and Di\"",
    ] {
        assert_eq!(
            names(row),
            ["Ann and Bo", "Cid and Di"].map(|name| Some(name.to_owned()))
        );
    }
    assert_eq!(
        names(" 1 4S N 10 Whiskey-Yankee Al-Bo")[0].as_deref(),
        Some("Whiskey-Yankee")
    );
    let commented = "% a\n; b\n{ c }\n4S\n";
    let table = setrograde_records::ScoreTable::new("Contract", commented);
    assert_eq!(table.rows.len(), 1);
}

/// Marks of the direction of writing would act on the text behind a name.
#[test]
fn files_have_no_marks_that_act() {
    let names = ["a\u{202e}b", "c", "d", "e"].map(str::to_owned);
    let board = Board {
        players: Some(names),
        ..board(MD)
    };
    for text in [pbn::write(&board), lin::write(&board)] {
        assert!(text.contains("a b") && !text.contains('\u{202e}'), "{text}");
    }
}

/// Rows that count for nobody, and scores that are not those of their contract, are notes.
#[test]
fn rows_without_a_result_are_noted() {
    let columns = "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;MP_NS;MP_EW";
    let notes = |rows: &str| {
        let text =
            format!("[Board \"1\"]\n[Vulnerable \"None\"]\n[ScoreTable \"{columns}\"]\n{rows}\n");
        let notes = read(&text).remove(0).expect(rows).notes;
        notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for row in [
        "1 7 2H S 8 110 2.00 0.00",
        "4 10 - - - AVE+ 1.80 1.20",
        "4 10 A5050 - - - - -",
        "4 10 - - - - 1.80 1.20",
        "5 11 PASS - - - 1.80 1.20",
        "6 - - - - Bye - -",
        "7 1 4H W 10 -420 - -",
        "7 1 4H W 10 - - -",
    ] {
        assert_eq!(notes(row), [""; 0], "{row}");
    }
    assert_eq!(
        notes("6 12 NP - - - - -"),
        ["\"6 12 NP - - - - -\" has no result; it counts for neither pair"]
    );
    assert_eq!(notes("6 12 4H W - - - -").len(), 1);
    assert_eq!(
        notes("7 1 4H W 10 420 - -"),
        [
            "\"7 1 4H W 10 420 - -\": this contract and result are -420 for North-South, not +420; \
          the score counts"
        ]
    );
}

/// Numbers of cards in records of every length, letters in DLM.
#[test]
fn files_of_dealing_machines() {
    let deals: Vec<Deal> = [
        D,
        "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    ]
    .into_iter()
    .cycle()
    .take(5)
    .map(|deal| deal.parse().unwrap())
    .collect();
    let read_all = |bytes: &[u8]| {
        let boards = Records::new(bytes, "file")
            .unwrap()
            .map(|board| board.unwrap());
        boards
            .map(|board| (board.number.unwrap(), board.deal().unwrap()))
            .collect::<Vec<_>>()
    };
    let numbered = |first: u32| (first..).zip(deals.clone()).collect::<Vec<_>>();
    let (dup, bri) = (write_dup(8, &deals), write_bri(&deals));
    assert_eq!((dup.len(), bri.len()), (5 * 156, 5 * 128));
    assert_eq!(read_all(&dup), numbered(8));
    assert_eq!(read_all(&bri), numbered(1));
    for line_break in ["\n", "\r\n", "\n\n"] {
        let lines = dup
            .chunks(156)
            .map(|deal| [&deal[..78], line_break.as_bytes()].concat());
        assert_eq!(read_all(&lines.collect::<Vec<_>>().concat()), numbered(1));
        let blank = bri
            .chunks(128)
            .map(|deal| [&deal[..78], &[b' '; 50], line_break.as_bytes()].concat());
        assert_eq!(read_all(&blank.collect::<Vec<_>>().concat()), numbered(1));
    }
    assert_eq!(read_all(&dup[..78]), numbered(1)[..1]);
    let second = [&dup[..156], "♦3♦3".repeat(9).as_bytes()].concat();
    let mut boards = Records::new(&second[..], "file").unwrap();
    assert!(boards.next().unwrap().is_ok() && boards.next().unwrap().is_err());
    let text = dlm::write(&numbered(8).into_iter().collect());
    assert_eq!(text.matches("\r\nBoard ").count(), 99);
    assert_eq!(read_all(text.as_bytes()), numbered(8));
    // Two published boards: their checksums, and a hand.
    for (line, north) in [
        ("Duplicates=0\nBoard 01=jlifaelnecgmoldfjmcflinlap023", None),
        (
            "Board 01=fnbkmmincldklcfcofoiefnapm018\nDuplicates 01=1",
            Some("T53.AJ7.AT.AQ762"),
        ),
    ] {
        let mut boards = read(line);
        let board = boards.remove(0).unwrap();
        assert!(
            boards.is_empty() && board.notes.is_empty(),
            "{:?}",
            board.notes
        );
        let hand = board.hands[0].unwrap().to_string();
        assert!(north.is_none_or(|north| north == hand), "{hand}");
        let slip = read(&line.replace("Board 01", "Board 02"));
        assert_eq!(slip[0].as_ref().unwrap().notes.len(), 1);
    }
    for bad in [
        "Board 01=jlifaelnecgmoldfjmcflinlaz023",
        "Board 01=aaaaaaaaaaaaaaaaaaaaaaaaap023",
    ] {
        assert!(
            read(bad)[0]
                .as_ref()
                .unwrap_err()
                .starts_with("file, line 1, board 1: Board ")
        );
    }
}

/// Random deals pass from PBN through the formats of dealing machines to PBN. More of them:
/// `DEALS=10000 cargo test -p setrograde-records come_back`.
#[test]
fn deals_come_back_from_dealing_machines() {
    let count = std::env::var("DEALS").map_or(198, |n| n.parse().expect("a number"));
    let mut rng = fastrand::Rng::with_seed(1);
    let mut pack: Vec<Card> = Card::pack().collect();
    let mut next = || {
        rng.shuffle(&mut pack);
        let mut hands = pack.chunks(13).map(|hand| hand.iter().copied().collect());
        Deal::new([(); 4].map(|()| hands.next().unwrap())).unwrap()
    };
    let deals: Vec<Deal> = (0..count).map(|_| next()).collect();
    for (file, deals) in deals.chunks(99).enumerate() {
        let pbn: String = (1..)
            .zip(deals)
            .map(|(number, deal)| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n"))
            .collect();
        let boards = |bytes: &[u8]| -> Vec<(u32, Deal)> {
            let boards = Records::new(bytes, "file").unwrap().map(|board| {
                let again = pbn::write(&board.unwrap());
                let board = Records::new(again.as_bytes(), "file").unwrap().next();
                board.unwrap().unwrap()
            });
            boards
                .map(|board| (board.number.unwrap(), board.deal().unwrap()))
                .collect()
        };
        let expected = boards(pbn.as_bytes());
        assert!(expected.iter().map(|(_, deal)| deal).eq(deals));
        let dlm = dlm::write(&expected.iter().copied().collect());
        for bytes in [dlm.as_bytes(), &write_dup(1, deals), &write_bri(deals)] {
            assert_eq!(boards(bytes), expected, "file {file}");
        }
    }
}

/// A whole deal decides in any parameter; seats have names then.
#[test]
fn links_with_a_deal_and_names() {
    let deal = D.replace(':', "%3A").replace(' ', "+");
    for query in [
        format!("PBN={deal}&N=Anna&W=Q"),
        format!("N=Anna&W=Q&PBN={deal}"),
        format!("Contract=-&N=Anna&W=Q&deal={}", D.replace(' ', "%20")),
        format!("north=Anna&w=Q&hands={deal}"),
        format!("n=Anna&w=Q&whatever={deal}&x=1"),
    ] {
        let found = board(&format!("https://example.org/DDE/?{query}"));
        let players = found.players.unwrap();
        assert_eq!((&*players[0], &*players[3]), ("Anna", "Q"), "{query}");
    }
    for link in [
        format!(
            "https://x.example/app/bridge.html?deal=('{}', 'E N-S 1H P 4H P P P')&P=5",
            &D[2..]
        ),
        format!(
            "http://x.example/?deal=('{}','E N-S 1H P 4H P P P')",
            &D[2..]
        ),
        format!(
            "See http://x.example/?deal=('{}', 'E N-S 1H P 4H P P P')&P=0&A=x&board_no=3 there",
            &D[2..]
        ),
        format!(
            "http://x.example/?deal=(%27{}%27,%20%27E%20N-S%201H%20P%204H%20P%20P%20P%27)&P=1",
            D[2..].replace(' ', "%20")
        ),
        format!(
            "[play](http://x.example/?deal=('{}', 'E N-S 1H P 4H PASS PASS PASS'))",
            &D[2..]
        ),
    ] {
        let found = board(&link);
        assert_eq!(
            (found.dealer, contract(&found)),
            (Some(Seat::East), "4HE".to_owned()),
            "{link}"
        );
        assert_eq!(
            found.vulnerability,
            Some(Vulnerability::NorthSouth),
            "{link}"
        );
        assert!(found.notes.is_empty(), "{link} {:?}", found.notes);
    }
}

/// Results of two sections in one board, an adjusted score, hands after them, and names.
#[test]
fn quoted_files_and_links_encoded_twice() {
    let lin = format!("pn|a,b,c,d|{MD}sv|b|mb|1S|mb|ppp|pg||pc|CQ|");
    for cut in [10, 30, 80, lin.len() - 2] {
        let (first, rest) = lin.split_at(cut);
        let found = board(&format!("> {first}\n> > {rest}\n> --\n"));
        assert_eq!(
            (contract(&found).as_str(), found.play.len()),
            ("1SN", 1),
            "{cut}"
        );
    }
    let coded = lin.replace('|', "%7C").replace(',', "%2C");
    for coded in [coded.clone(), coded.replace('%', "%25")] {
        let found = board(&format!("https://x.example/?bbo=y&lin={coded}&b=1"));
        assert_eq!(contract(&found), "1SN", "{coded}");
    }
    let boards = [(4, D.parse().unwrap())].into();
    let quoted: String = dlm::write(&boards)
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect();
    assert_eq!(board(&quoted).number, Some(4));
}

#[test]
fn usebio_files() {
    let hands = [
        ("North", "KQJ1064", "AJ52", "6", "A3"),
        ("East", "83", "103", "Q104", "QJ8762"),
        ("S", "A972", "K874", "A53", "104"),
        ("West", "5", "Q96", "KJ9872", "K95"),
    ]
    .map(|(seat, spades, hearts, diamonds, clubs)| {
        format!(
            "<HAND><DIRECTION>{seat}</DIRECTION><SPADES>{spades}</SPADES><HEARTS>{hearts}</HEARTS>\
             <DIAMONDS>{diamonds}</DIAMONDS><CLUBS>{clubs}</CLUBS></HAND>"
        )
    })
    .concat();
    let line = |pairs: [&str; 2], contract: &str, by: &str, tricks: &str, rest: &str| {
        let [ns, ew] = pairs;
        format!(
            "<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>\
             <CONTRACT>{contract}</CONTRACT><PLAYED_BY>{by}</PLAYED_BY><TRICKS>{tricks}</TRICKS>{rest}\
             </TRAVELLER_LINE>"
        )
    };
    let section = |id: &str, lines: [String; 2]| {
        format!(
            "<SECTION SECTION_ID='{id}'><PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER>\
             <PLAYER><PLAYER_NAME>Ann &amp; Co</PLAYER_NAME></PLAYER>\
             <PLAYER><PLAYER_NAME>Bo</PLAYER_NAME></PLAYER></PAIR></PARTICIPANTS>\n\
             <BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{}</BOARD></SECTION>",
            lines.concat()
        )
    };
    let points = "<SCORE>0</SCORE><NS_MATCH_POINTS>1.2</NS_MATCH_POINTS><EW_MATCH_POINTS>0.8</EW_MATCH_POINTS>";
    let score = "<LEAD>CQ</LEAD><SCORE>420</SCORE><NS_MATCH_POINTS>2</NS_MATCH_POINTS><EW_MATCH_POINTS>0</EW_MATCH_POINTS>";
    let first = [
        line(["1", "2"], "4 S", "N", "10", score),
        line(["3", "4"], "", "", "", points),
    ];
    let second = [
        line(["1", "2"], "PASS", "", "", "<SCORE>0</SCORE>"),
        line(["3", "4"], "3NT**", "W", "7", "<SCORE>400</SCORE>"),
    ];
    let [a, b] = [section("A", first), section("B", second)];
    let file = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE USEBIO SYSTEM 'http://x.example/usebio.dtd'>\n\
         <USEBIO Version='1.2'><EVENT EVENT_TYPE='PAIRS'>\
         <BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD><SESSION SESSION_ID='1'>{a}{b}\
         </SESSION></EVENT>\n<HANDSET><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{hands}</BOARD>\
         </HANDSET></USEBIO>"
    );
    for file in [
        file.clone(),
        file.replace('\n', " "),
        format!("From: a@b.example\n\n{file}"),
    ] {
        assert_eq!(Format::of(file.as_bytes()), Format::Usebio);
        let board = board(&file);
        assert_eq!((board.number, board.dealer), (Some(1), Some(Seat::North)));
        assert_eq!(board.vulnerability, Some(Vulnerability::None));
        assert_eq!(board.scoring.as_deref(), Some("MP"));
        assert_eq!(board.competition.as_deref(), Some("Pairs"));
        let scores = board.scores.as_ref().expect("scores");
        let shown = scores.rows.iter().map(|row| {
            let values = ["Section", "PairId_NS", "Names_NS", "Percentage_NS"];
            let values = values.map(|column| scores.value(row, column).unwrap_or("-"));
            let contract = row.contract.map(|contract| contract.to_string());
            let contract = contract.unwrap_or_else(|| row.passed_out.to_string());
            format!(
                "{} {contract} {:?} {:?}",
                values.join(" "),
                row.result,
                row.score
            )
        });
        let expected = [
            "A 1 Ann & Co – Bo - 4SN Some(10) Some(420)",
            "A 3 - 60 false None None",
            "B 1 Ann & Co – Bo - true None Some(0)",
            "B 3 - - 3NTXXW Some(7) Some(400)",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        let again = Records::new(pbn::write(&board).as_bytes(), "file")
            .unwrap()
            .next();
        assert_eq!(again.unwrap().unwrap().scores, board.scores);
    }
    // Faults are named, and cost no other board.
    let slip = file.replace("<SPADES>83<", "<SPADES>8Z<");
    let error = read(&slip)[0].as_ref().unwrap_err().clone();
    assert!(
        error.starts_with("file, line 6, board 1: HAND \"8Z.103"),
        "{error}"
    );
    let cut = read(&file[..file.len() / 2]);
    assert_eq!(cut.len(), 1);
    assert!(read("<USEBIO>\n<a b=<")[0].is_err());
    let deep = format!("<USEBIO>{}", "<a>".repeat(100));
    assert!(
        read(&deep)[0]
            .as_ref()
            .unwrap_err()
            .contains("longer than 32")
    );
}

/// Lines that look like hands, such as numbers of versions, do not decide the format.
#[test]
fn numbers_and_signs_are_text() {
    let tags = format!(
        "[Board \"4\"]\n[Dealer \"W\"]\n[Deal \"{D}\"]\n[Contract \"4S\"]\n[Declarer \"N\"]\n"
    );
    let lin = format!("qx|o4|{}sv|o|\n", MD.replace("md|3", "md|2"));
    let hands = D[2..].split(' ').zip(["North", "East", "South", "West"]);
    let diagram = hands.fold("Board 4, W, None\n".to_owned(), |text, (hand, seat)| {
        text + seat + ": " + hand + "\n"
    });
    for words in [
        "Version 9.8.7.6 replaces 9.8.7.5",
        "shapes 5.4.2.2 and 4.4.3.2",
        "Ends 2.3.4.5.",
        "W: ?",
        "♠♥♦♣",
        "♣♦♥♠ club",
        "http://club.example/results?d=1&n=5&e=6",
        "see www.example.org",
    ] {
        for text in [&tags, &lin, &diagram] {
            let board = board(&format!("{words}\n{text}"));
            assert_eq!(
                (board.number, board.dealer),
                (Some(4), Some(Seat::West)),
                "{words}\n{text}"
            );
        }
    }
    for marked in [
        tags.replace('"', "&quot;"),
        tags.replace('[', "\\[").replace(']', "\\]"),
        tags.replace('"', "\\\""),
        tags.replace('[', "<p>[").replace(']', "]</p>"),
        tags.replace('[', "- ["),
        tags.replace('[', "7  ["),
        tags.replace('[', "| [").replace(']', "] |"),
        tags.replace('"', "\"\"")
            .replace('[', "\"[")
            .replace(']', "]\""),
    ] {
        let board = board(&marked);
        let facts = (board.number, board.dealer, contract(&board));
        assert_eq!(
            facts,
            (Some(4), Some(Seat::West), "4SN".to_owned()),
            "{marked}"
        );
    }
}
