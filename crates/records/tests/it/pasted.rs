//! Pasted input: records in the style of other programs, links with other text around them, files
//! with text between their boards.

use setrograde_cards::{Card, Deal, Seat};
use setrograde_records::{Board, Format, Records, ScoreTable, dlm, lin, pbn, write_bri, write_dup};

use crate::common::{D, board, boards, check, read, said, says};

const MD: &str = "md|3SA972HK874DA53CT4,S5HQ96DKJ9872CK95,SKQJT64HAJ52D6CA3,|";
const H: &str = "n=skqjt64haj52d6ca3&e=s83ht3dqt4cqj8762&s=sa972hk874da53ct4&w=s5hq96dkj9872ck95";

/// A game with the deal and other tags.
fn game(tags: &str) -> String {
    format!("[Board \"7\"]\n[Deal \"{D}\"]\n{tags}\n")
}

/// Only the deal can cost the board: another tag that is not understood counts as missing, and
/// is named once with its line.
#[test]
fn tags_that_are_not_understood_cost_a_note() {
    let cases = [
        (
            "[DoubleDummyTricks \"********************\"] / [DoubleDummyTricks \"77777\"] / \
             [OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\nN NT * / \
             [OptimumScore \"unknown\"] / [Contract \"later\"] / [Contract \"9NT\"] / \
             [Declarer \"NS\"] / [Dealer \"Nord\"] / [Vulnerable \"sometimes\"] / \
             [Result \"made\"] / [Result \"14\"] / [Play \"Z\"]\nSA / [Event \"no end",
            "3",
        ),
        ("[Play \"N\"]\nnone / [Auction \"N\"]\nlater", "4"),
    ];
    check(&game("@\n[Site \"\"]"), "notes", &cases);
    // A note that nothing is known is not a doubt.
    let unknown = "[Contract \"-\"] / [Result \"?\"] / [Dealer \"\"] / [DoubleDummyTricks \"\"]";
    check(&game("@"), "notes", &[(unknown, "-")]);
    let passed = "AP / Pass / passed out / All Pass / PASS / P";
    check(
        &game("[Contract \"@\"]"),
        "contract notes",
        &[(passed, "passed -")],
    );
}

#[test]
fn fields_of_lin_that_are_not_understood_cost_a_note() {
    let unknown = "sv|maybe| / mc|lots| / mc|14| / mc|+9| / pc|??| / mb|what| / pn|a,b,c,d,e|";
    let cases = [("sv|both| / sv|None|", "-"), (unknown, "2")];
    check(&format!("qx|o1|{MD}\n@\n"), "notes", &cases);
    let sides = [
        ("o / 0 / -", "None"),
        ("n", "NS"),
        ("E", "EW"),
        ("b / both", "All"),
        ("", "-"),
    ];
    check(&format!("{MD}sv|@|"), "sides", &sides);
    // A dealer that LIN does not have.
    check(
        &MD.replace("md|3", "md|@"),
        "dealer notes",
        &[("9 / ", "- 1")],
    );
}

/// A link's words are PBN's. Parts that are not understood are unknown, with a note; missing parts
/// are unknown.
#[test]
fn links_guess_nothing() {
    let link = format!("https://x.example/h.html?{H}&b=7&@");
    let sides = [
        ("- / o / none", "None 4SN -"),
        ("n / NS / N-S", "NS 4SN -"),
        ("e", "EW 4SN -"),
        ("b / All / both", "All 4SN -"),
    ];
    let of_sides = link.replace('@', "d=n&v=@&a=1sp4sppp");
    check(&of_sides, "sides contract notes", &sides);
    let dealers = [
        ("north", "N -"),
        ("East", "E -"),
        ("W", "W -"),
        ("x / 5", "- 1"),
    ];
    check(&link.replace('@', "d=@&v=n"), "dealer notes", &dealers);
    check(&link, "dealer sides contract", &[("a=1sp4sppp", "- - -")]);
    check(&link, "notes", &[("v=sometimes", "1")]);
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
                assert!(matches!(read[..], [Ok(_)]), "{file}: {read:?}");
            }
        }
        let twice = format!("{boards}\n// the next\n# board\n\n{boards}");
        let read = read(&twice);
        assert!(matches!(read[..], [Ok(_), Ok(_)]), "{twice}: {read:?}");
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
    let cases = [
        ("Eps, I,Zet, G,Eta,The, A", "Eta|The, A|Eps, I|Zet, G -"),
        ("a,b,c,d / a, b, c, d / a,b,c,d,", "c|d|a|b -"),
        ("Smith, J,b,c,d", "c|d|Smith, J|b -"),
        ("a,b,c,Jones, K", "c|Jones, K|a|b -"),
    ];
    check(&format!("pn|@|{MD}"), "players notes", &cases);
    let eight = "Alp,Bet,Gam,Del,Eps, I,Zet, G,Eta,The, A";
    let closed = format!("pn|{eight}|pg||\nqx|c1|{MD}");
    says(&closed, "players", "Eta|The, A|Eps, I|Zet, G");
    says(&format!("pn|a,b,c,d,e,f|{MD}"), "notes", "1");
}

#[test]
fn cards_that_are_taken_back() {
    let play = "mb|1s|mb|p|mb|4s|mb|ppp|pg||pc|CQ|pc|C4|pc|CK|pc|CA|pg||@";
    let cases = [
        ("up|4|pc|DQ|pc|D3|pc|D2|pc|D6|pg||", "4SN DQ,D3,D2,D6 1"),
        ("up|2|pc|C5|pc|CA|", "4SN CQ,C4,C5,CA 1"),
        ("up|4| / up|99|", "4SN CQ,C4,CK,CA 1"),
        ("up||pc|DQ|", "4SN DQ 1"),
        ("", "4SN CQ,C4,CK,CA -"),
    ];
    check(
        &format!("qx|o1|{MD}sv|o|{play}"),
        "contract play notes",
        &cases,
    );
}

/// Calls without a field or a blank between them, in all words that there are for calls.
#[test]
fn calls_in_any_writing() {
    let all = "1sp4sppp / 1S P 4S P P P / 1♠p4♠ap / 1sp4s{jump}ppp / 1s(5+)p4s!ppp / \
               1S-Pass-4S-All Pass / 1♠\u{fe0f}p4♤ppp / 1spades pass 4spades AP";
    for calls in all.split(" / ") {
        says(
            &format!("{MD}mb|{calls}|pg||pc|CQ|"),
            "contract cards",
            "4SN 1",
        );
        let coded = calls.replace(' ', "+");
        let bytes: String = coded.bytes().map(|b| format!("%{b:02X}")).collect();
        for rest in [
            format!("v=n&a={coded}"),
            format!("a={}", bytes.replace("%2B", "+")),
        ] {
            says(
                &format!("https://x.example/h.html?{H}&d=n&{rest}"),
                "contract",
                "4SN",
            );
        }
    }
    let cases = [
        ("1s|mb|d|mb|r|mb|ap / 1sxxxppp", "1SXXN"),
        ("1sxppp", "1SXN"),
        ("1S*|mb|ap", "1SN"),
        ("1nt|mb|dbl|mb|rdbl|mb|p|mb|p|mb|p", "1NTXXN"),
        ("p|mb|p|mb|1h|mb|AP", "1HS"),
    ];
    check(&format!("{MD}mb|@|"), "contract", &cases);
    let cases = [
        (
            "1♥ Pass 4♥ AP / 1H p 4H ap / 1hp4hppp / 1H {good} P 4H =1= P P P",
            "4HN",
        ),
        ("1H Dbl Rdbl All Pass / 1H X XX all pass", "1HXXN"),
    ];
    let auction = format!("[Dealer \"N\"]\n[Deal \"{D}\"]\n[Auction \"N\"]\n@\n");
    check(&auction, "contract", &cases);
    let cases = [
        ("4♠ / 4 ♠\u{fe0f} / 4♤ by North", "4SN"),
        ("4S* / 4S Dbl", "4SXN"),
        ("3 No Trump / 3NT / 3N", "3NTN"),
        ("4 H X", "4HXN"),
        ("4H**", "4HXXN"),
        ("5DR", "5DXXN"),
        ("2NTR", "2NTXXN"),
    ];
    let contract = format!("[Declarer \"N\"]\n[Deal \"{D}\"]\n[Contract \"@\"]\n");
    check(&contract, "contract", &cases);
    says(
        &format!("[Deal \"{D}\"]\n[Contract \"4♠X by North\"]\n"),
        "contract",
        "4SXN",
    );
    says(&format!("{MD}mb|1sap|pc|CQC4CKCA|"), "cards", "4");
}

/// Whatever a viewer calls its parameters, and any text around a link.
#[test]
fn links_of_any_viewer() {
    let dots = "north=KQJT64.AJ52.6.A3&east=83.T3.QT4.QJ8762&south=A972.K874.A53.T4\
                &west=5.Q96.KJ9872.K95";
    let bsol = "https://dds.example/bsol2/ddummy.htm?board=12&dealer=N&vul=NS&";
    says(&format!("{bsol}{dots}"), "number dealer sides", "12 N NS");
    let rests = "contract=4S&declarer=N&lead=CQ / Contract=4♠ by North&Lead=♣Q / \
                 CONTRACT=4SN&lead=CQ&dealer=E";
    let viewer = format!("https://x.example/?{dots}&@");
    check(&viewer, "contract cards", &[(rests, "4SN 1")]);
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
        "https://x.example/?W=S5HQ96DKJ9872CK95&E=S83HT3DQT4CQJ8762&N=SKQJ1064HAJ52D6CA3\
         &S=SA972HK874DA53C104"
            .to_owned(),
    ] {
        board(&link);
    }
    let end = format!("{H}&d=n&v=n&b=7&a=1sp4sppp");
    let link = format!("https://x.example/h.html?{end}");
    for around in [
        format!("<{link}>"),
        format!("See {link} for the hand."),
        format!("[the board]({link}), please"),
        format!("<a href=\"{link}\">board 7</a>"),
        format!("[url={link}]board[/url]"),
        format!("[url]{link}[/url] (nice)"),
        format!("> {link}."),
        format!("[hv=pc=n&{end}]400|300[/hv]"),
        format!("Look: [hv={end}]133|100|comment[/hv] what now?"),
        link.replace('&', "&amp;"),
        link.replace("https://", "www."),
        format!("x.example/handviewer.html?{end}"),
    ] {
        says(
            &format!("Hello,\n{around}\nbye\n"),
            "contract number notes",
            "4SN 7 -",
        );
    }
    assert_eq!(read(format!("{link} and {link}\n")).len(), 2);
    let club = format!("See https://club.example/ too\n{link}\n");
    assert_eq!(read(&club).len(), 1);
    // LIN in a link keeps its values.
    let lin = format!("https://x.example/?lin=pn|Ann B,c,d,e|{MD}mb|1N|an|15 (good)|mb|ap| nice!");
    assert_eq!(board(&lin).alerts, [(0, "15 (good)".to_owned())]);
    says(&lin, "contract", "1NTN");
}

/// Tags in another case.
#[test]
fn tags_in_any_case() {
    for (file, count) in [
        (format!("[deal \"{D}\"]\n"), 1),
        (format!("[DEAL \"{D}\"]\n[BOARD \"1\"]\n"), 1),
        (format!("[board \"1\"]\n[Deal \"{D}\"]\n[board \"2\"]\n"), 2),
        (format!("[event \"\"]\n[deal \"{D}\"]\n\n").repeat(2), 2),
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
        let again = boards(pbn::write(&first) + &pbn::write(&second));
        assert_eq!(again[1].players, second.players, "{name}");
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
        let boards = boards(format!("[North \"{name}\"]\n{deal}[North \"#\"]\n{deal}"));
        let names = |at: usize| boards[at].players.clone().unwrap();
        assert_eq!(names(0)[0], name);
        assert_eq!(names(1)[0] == name, repeated, "{length}");
    }
}

/// LIN, PBN and LIN again: the same board. PBN has no claims.
fn by_way_of_pbn(whole: &Board) -> String {
    let [again] = &boards(pbn::write(whole))[..] else {
        panic!("{whole:?}");
    };
    lin::write(&Board {
        claim: whole.claim,
        ..again.clone()
    })
}

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
            let written = by_way_of_pbn(&whole);
            let line = whole.line;
            assert_eq!(
                Board {
                    line,
                    ..board(&written)
                },
                whole,
                "{written}"
            );
        }
    }
    // A contract without its auction gets the shortest.
    let game = format!("[Dealer \"E\"]\n[Deal \"{D}\"]\n[Declarer \"N\"]\n[Contract \"4SX\"]\n");
    let written = lin::write(&board(&game));
    assert!(
        written.contains("|mb|p|mb|p|mb|p|mb|4S|mb|d|mb|p|mb|p|mb|p|"),
        "{written}"
    );
    says(&written, "contract", "4SXN");
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
        let file = setrograde_records::decode(&std::fs::read(path).unwrap());
        for whole in read(&file).into_iter().flatten() {
            let written = by_way_of_pbn(&whole);
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
    let deal: Deal = D.parse().unwrap();
    let pack: Vec<_> = Card::pack().collect();
    let numbers = [Seat::North, Seat::East, Seat::South].map(|seat| {
        let number = |card| pack.iter().position(|&c| c == card).unwrap() + 1;
        let cards = deal.hand(seat).cards();
        cards
            .map(|card| format!("{:02}", number(card)))
            .collect::<String>()
    });
    let record = |down: &str| format!("{}{}Y{down}5  1 6  ", numbers.concat(), "x".repeat(68));
    for (down, expected) in [("N", [5, 6]), ("Y", [6, 5])] {
        let read = boards(record(down).repeat(2) + "\r\n");
        let numbers: Vec<_> = read.iter().map(|board| board.number).collect();
        assert_eq!(numbers, expected.map(Some));
        assert!(read.iter().all(|board| board.deal() == Some(deal)));
        assert_eq!(read[0].dealer, Some(Seat::dealer_of_board(expected[0])));
    }
    let twice = read(record("N").replacen("01", "02", 1)).remove(0);
    assert!(twice.unwrap_err().contains("numbers of cards"));
    assert_eq!(read(&record("N")[..100]).len(), 1);
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
    let boards = boards(file);
    let found = boards.iter().map(|board| {
        assert_eq!(board.deal(), Some(D.parse().unwrap()));
        said(board, "number contract sides result end players")
    });
    let expected = [
        "7 4SN NS 10 Open Ann|Di|Bob|Cy",
        "7 2NTXXS NS - Open Eve|Hal|Fay|Gus",
        "8 passed None - Open Eve|Hal|Fay|Gus",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// Tags as other programs and people write them, each of a board that is read without a note.
#[test]
fn tags_as_programs_write_them() {
    let contracts = [
        ("4 Spades / 4♠\u{fe0f} / 4S-N / 4S, North", "4SN - -"),
        ("4S= / 4♠ by N =", "4SN 10 -"),
        ("4S +1", "4SN 11 -"),
        ("4SN-2", "4SN 8 -"),
    ];
    let contract = game("[Declarer \"N\"]\n[Contract \"@\"]");
    check(&contract, "contract result notes", &contracts);
    let passed = "Passed / P.O. / passed-out / Passed Out / all pass / PASS";
    check(
        &game("[Contract \"@\"]"),
        "contract notes",
        &[(passed, "passed -")],
    );
    let results = [
        ("= / 10 tricks / N 10 / W 3 / EW 3 / ^10", "10 -"),
        ("+1", "11 -"),
        ("-2", "8 -"),
    ];
    let result = contract.replace('@', "4S\"]\n[Result \"@");
    check(&result, "result notes", &results);
    let numbers = [("Board 7 / #7 / 007 / O7", "7"), ("7/32 / +7 / seven", "-")];
    check(&game("").replace("\"7\"", "\"@\""), "number", &numbers);
    let sides = [
        ("NS only", "NS"),
        ("Game all / N/S+E/W", "All"),
        ("Love all / Zero", "None"),
        ("E/W Vul", "EW"),
    ];
    check(&game("[Vulnerable \"@\"]"), "sides", &sides);
    // A board that was passed out, with an empty or unknown contract.
    let passed = "[Dealer \"N\"]\n[Contract \"@\"]\n[Auction \"N\"]\nPass Pass Pass Pass";
    check(&game(passed), "contract", &[("- / later", "passed")]);
}

#[test]
fn auctions_and_plays_as_programs_write_them() {
    let auctions = [(
        "1 S Pass 4 S Pass Pass Pass / 1S NB 4S NB NB NB / 1♠ No 4♠ No No No / \
         1S Pas 4S Pas Pas Pas / 1S,Pass,4S,Pass,Pass,Pass / 1s\tp\t4s\tap / \
         1S {nat} Pass 4S {to play} AP / > 1S Pass 4S\n> AP",
        "4SN -",
    )];
    check(
        &game("[Dealer \"N\"]\n[Auction \"N\"]\n@"),
        "contract notes",
        &auctions,
    );
    let plays = "CQ, C4, C5, CA / Q♣ 4♣ 5♣ A♣ / C-Q C-4 C-5 C-A / CQ-C4-C5-CA / \
                 ♣\u{fe0f}Q ♣\u{fe0f}4 ♣\u{fe0f}5 ♣\u{fe0f}A / cq c4 c5 ca";
    let cards = "CQ,C4,C5,CA -";
    let numbered = [(plays, cards), ("1. CQ C4 C5 CA / 1 CQ C4 C5 CA", cards)];
    let play = game("[Declarer \"N\"]\n[Contract \"4S\"]\n[Play \"E\"]\n@\n*");
    check(&play, "play notes", &numbered);
    check(
        &format!("qx|o7|{MD}mb|1sp4sppp|pc|@|"),
        "play notes",
        &[(plays, cards)],
    );
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
        says(&file, "number dealer sides", "7 N NS");
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
            let suits = marks.iter().zip(hand.split('.'));
            let suits = suits.map(|(mark, cards)| format!("{mark}{cards}"));
            suits.collect::<Vec<_>>().join(" ")
        };
        let hands = D[2..].split(' ').map(hand);
        format!("N:{}", hands.collect::<Vec<_>>().join(" "))
    };
    let seats = ["N:", "E:", "S:", "W:"].into_iter().zip(D[2..].split(' '));
    let seats: Vec<String> = seats.map(|(seat, hand)| seat.to_owned() + hand).collect();
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
        seats.join(" "),
    ] {
        board(&format!("{deal}\n"));
        board(&format!("[Board \"7\"]\n[Deal \"{deal}\"]\n"));
        if !deal.contains(['♠', ';', '|', 'H']) || deal.contains(',') {
            let coded = deal.replace(' ', "%20");
            board(&format!("https://x.example/v?deal={coded}&b=7"));
        }
    }
}

/// Links with other names of their parameters, and with other text around them.
#[test]
fn links_of_other_programs() {
    let [n, e, s, w] = <[&str; 4]>::try_from(D[2..].split(' ').collect::<Vec<_>>()).unwrap();
    let hand = D.replace(' ', "%20");
    for link in [
        format!("https://x.example/v?n={n}&e={e}&s={s}&w={w}&d=n&v=NS&bn=7"),
        format!("https://x.example/v?nhand={n}&ehand={e}&shand={s}&whand={w}&dlr=N&vuln=NS&bd=7"),
        format!(
            "https://x.example/v?north_hand={n}&east_hand={e}&south_hand={s}&west_hand={w}\
             &dealer=N&vul=NS&board=7"
        ),
        format!("https://x.example/v?hand={hand}&dealer=N&vul=NS&bnum=7"),
        format!("https://x.example/v?hands=N:{n},{e},{s},{w}&dealer=N&vul=NS&board=7"),
        format!("qx|o7|{MD}sv|n|").replace('|', "%7C"),
        format!("//x.example/handviewer.html?{H}&d=n&v=n&b=7"),
    ] {
        says(&link, "number dealer sides", "7 N NS");
    }
    let link = format!("https://x.example/h?{H}&d=n&v=n&b=7&");
    let rests = "a=1S P 4S P P P / a=1S%20P%204S%20AP / contract=4S&dec=N / con=4SN%3D / \
                 contract=4S%2B1&decl=north";
    check(&format!("{link}@"), "contract notes", &[(rests, "4SN -")]);
    let texts = "“@” / «@» / ‹@› / „@“ / `@` / {@} / @\u{200b} / \u{feff}@\u{200b} next / @\\ / \
                 <@|hand> / @&nbsp; / @… / @</p> / <td>@</td> / @<br> / @; / @ 3NT is worse / \
                 1. @ / |@|";
    for text in texts.split(" / ") {
        let link = format!("{link}a=1sp4sppp");
        says(&text.replace('@', &link), "contract notes", "4SN -");
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
        let values = ["Table", "PairId_NS", "MP_NS", "Percentage_EW"];
        let expected = [
            "19 4 42.0 0 2HXS false Some(8) Some(670)",
            "16 14 40.0 5 2SE false Some(5) Some(150)",
            "20 5 20.0 52 - true None Some(0)",
            "2 6 1.0 98 3NTW false Some(9) Some(400)",
        ];
        assert_eq!(shown(&found, values), expected);
        let again = board(&pbn::write(&found));
        assert_eq!((&again.scores, &again.pairs), (&found.scores, &found.pairs));
        assert!(pbn::write(&found).contains(&format!("[ScoreTable \"{columns}\"]\n{rows}\n")));
    }
    let names = |row: &str| {
        let columns = "PairId_NS\\2R;Contract\\4L;Declarer;Result\\2R;Names_NS\\13;Names_EW";
        let table = ScoreTable::new(columns, row);
        let names = ["Names_NS", "Names_EW"];
        names.map(|column| table.value(&table.rows[0], column).expect(row).to_owned())
    };
    for row in [
        " 1 4S   N 10 Ann and Bo    Cid and Di",
        " 1 4S   N 10 \"Ann and Bo\" \"Cid and Di\"",
    ] {
        assert_eq!(names(row), ["Ann and Bo", "Cid and Di"]);
    }
    assert_eq!(
        names(" 1 4S N 10 Whiskey-Yankee Al-Bo")[0],
        "Whiskey-Yankee"
    );
    let commented = ScoreTable::new("Contract", "% a\n; b\n{ c }\n4S\n");
    assert_eq!(commented.rows.len(), 1);
}

/// The rows of a board's table: these values, the contract, whether it was passed out, the tricks
/// and the score.
fn shown(board: &Board, columns: [&str; 4]) -> Vec<String> {
    let scores = board.scores.as_ref().expect("scores");
    let row = |row: &setrograde_records::ScoreRow| {
        let values = columns.map(|column| scores.value(row, column).unwrap_or("-"));
        let contract = row
            .contract
            .map_or("-".to_owned(), |contract| contract.to_string());
        let (passed, result, score) = (row.passed_out, row.result, row.score);
        format!(
            "{} {contract} {passed} {result:?} {score:?}",
            values.join(" ")
        )
    };
    scores.rows.iter().map(row).collect()
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
    let tags = format!("[Board \"1\"]\n[Vulnerable \"None\"]\n[ScoreTable \"{columns}\"]\n");
    let notes = |rows: &str| {
        let notes = boards(format!("{tags}{rows}\n")).remove(0).notes;
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

/// The numbers and the deals of a file.
fn numbered(file: &[u8]) -> Vec<(u32, Deal)> {
    let boards = boards(file).into_iter();
    boards
        .map(|board| (board.number.unwrap(), board.deal().unwrap()))
        .collect()
}

/// Numbers of cards in records of every length, letters in DLM.
#[test]
fn files_of_dealing_machines() {
    let suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432";
    let deals = [D, suits, D, suits, D].map(|deal| deal.parse().unwrap());
    let expected = |first: u32| (first..).zip(deals).collect::<Vec<(u32, Deal)>>();
    let (dup, bri) = (write_dup(8, &deals), write_bri(&deals));
    assert_eq!((dup.len(), bri.len()), (5 * 156, 5 * 128));
    assert_eq!(numbered(&dup), expected(8));
    assert_eq!(numbered(&bri), expected(1));
    for line_break in ["\n", "\r\n", "\n\n"] {
        for (deals, length, blanks) in [(&dup, 156, 0), (&bri, 128, 50)] {
            let lines = deals.chunks(length);
            let lines = lines
                .map(|deal| [&deal[..78], &vec![b' '; blanks], line_break.as_bytes()].concat());
            assert_eq!(numbered(&lines.collect::<Vec<_>>().concat()), expected(1));
        }
    }
    assert_eq!(numbered(&dup[..78]), expected(1)[..1]);
    let second = [&dup[..156], "♦3♦3".repeat(9).as_bytes()].concat();
    let second = read(second);
    assert!(second[0].is_ok() && second[1].is_err());
    let text = dlm::write(&expected(8).into_iter().collect());
    assert_eq!(text.matches("\r\nBoard ").count(), 99);
    assert_eq!(numbered(text.as_bytes()), expected(8));
    // Two published boards: their checksums, and a hand.
    for (line, north) in [
        ("Duplicates=0\nBoard 01=jlifaelnecgmoldfjmcflinlap023", None),
        (
            "Board 01=fnbkmmincldklcfcofoiefnapm018\nDuplicates 01=1",
            Some("T53.AJ7.AT.AQ762"),
        ),
    ] {
        let [board] = &boards(line)[..] else {
            panic!("{line}");
        };
        assert_eq!(board.notes, [], "{line}");
        let hand = board.hands[0].unwrap().to_string();
        assert!(north.is_none_or(|north| north == hand), "{hand}");
        let slip = boards(line.replace("Board 01", "Board 02"));
        assert_eq!(slip[0].notes.len(), 1);
    }
    for bad in [
        "Board 01=jlifaelnecgmoldfjmcflinlaz023",
        "Board 01=aaaaaaaaaaaaaaaaaaaaaaaaap023",
    ] {
        let error = read(bad).remove(0).unwrap_err();
        assert!(
            error.starts_with("file, line 1, board 1: Board "),
            "{error}"
        );
    }
}

/// Random deals pass from PBN through the formats of dealing machines to PBN. More of them:
/// `DEALS=10000 cargo test -p setrograde-records come_back`.
#[test]
fn deals_come_back_from_dealing_machines() {
    let count = std::env::var("DEALS").map_or(198, |n| n.parse().expect("a number"));
    let mut rng = fastrand::Rng::with_seed(1);
    let deals: Vec<Deal> = (0..count)
        .map(|_| Deal::random(|n| rng.usize(..n)))
        .collect();
    for (file, deals) in deals.chunks(99).enumerate() {
        let game = |(number, deal)| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n\n");
        let pbn: String = (1..).zip(deals).map(game).collect::<String>();
        let by_way_of_pbn = |file: &[u8]| {
            let written: String = boards(file).iter().map(pbn::write).collect();
            numbered(written.as_bytes())
        };
        let expected = by_way_of_pbn(pbn.as_bytes());
        assert!(expected.iter().map(|(_, deal)| deal).eq(deals));
        let dlm = dlm::write(&expected.iter().copied().collect());
        for bytes in [dlm.as_bytes(), &write_dup(1, deals), &write_bri(deals)] {
            assert_eq!(by_way_of_pbn(bytes), expected, "file {file}");
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
        says(
            &format!("https://example.org/DDE/?{query}"),
            "players",
            "Anna|||Q",
        );
    }
    let coded = format!(
        "%27{}%27,%20%27E%20N-S%201H%20P%204H%20P%20P%20P%27",
        &D[2..]
    );
    for link in [
        "https://x.example/app/bridge.html?deal=('@', 'E N-S 1H P 4H P P P')&P=5",
        "http://x.example/?deal=('@','E N-S 1H P 4H P P P')",
        "See http://x.example/?deal=('@', 'E N-S 1H P 4H P P P')&P=0&A=x&board_no=3 there",
        &format!("http://x.example/?deal=({})&P=1", coded.replace(' ', "%20")),
        "[play](http://x.example/?deal=('@', 'E N-S 1H P 4H PASS PASS PASS'))",
    ] {
        let link = link.replace('@', &D[2..]);
        says(&link, "dealer contract sides notes", "E 4HE NS -");
    }
}

/// Results of two sections in one board, an adjusted score, hands after them, and names.
#[test]
fn quoted_files_and_links_encoded_twice() {
    let lin = format!("pn|a,b,c,d|{MD}sv|b|mb|1S|mb|ppp|pg||pc|CQ|");
    for cut in [10, 30, 80, lin.len() - 2] {
        let (first, rest) = lin.split_at(cut);
        let quoted = format!("> {first}\n> > {rest}\n> --\n");
        says(&quoted, "contract cards", "1SN 1");
    }
    let coded = lin.replace('|', "%7C").replace(',', "%2C");
    for coded in [coded.clone(), coded.replace('%', "%25")] {
        let link = format!("https://x.example/?bbo=y&lin={coded}&b=1");
        says(&link, "contract", "1SN");
    }
    let file = dlm::write(&[(4, D.parse().unwrap())].into());
    let quoted: String = file.lines().map(|line| format!("> {line}\n")).collect();
    says(&quoted, "number", "4");
}

#[test]
fn usebio_files() {
    let names = "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER>\
        <PLAYER><PLAYER_NAME>Ann &amp; Co</PLAYER_NAME></PLAYER>\
        <PLAYER><PLAYER_NAME>Bo</PLAYER_NAME></PLAYER></PAIR></PARTICIPANTS>\n\
        <BOARD><BOARD_NUMBER>1</BOARD_NUMBER>";
    let first = "<NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><EW_PAIR_NUMBER>2</EW_PAIR_NUMBER>";
    let second = "<NS_PAIR_NUMBER>3</NS_PAIR_NUMBER><EW_PAIR_NUMBER>4</EW_PAIR_NUMBER>";
    let file = format!(
        "<?xml version='1.0'?>\n<!DOCTYPE USEBIO SYSTEM 'http://x.example/usebio.dtd'>\n\
         <USEBIO Version='1.2'><EVENT EVENT_TYPE='PAIRS'>\
         <BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD><SESSION SESSION_ID='1'>\
         <SECTION SECTION_ID='A'>{names}\
         <TRAVELLER_LINE>{first}<CONTRACT>4 S</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>10</TRICKS>\
         <LEAD>CQ</LEAD><SCORE>420</SCORE><NS_MATCH_POINTS>2</NS_MATCH_POINTS>\
         <EW_MATCH_POINTS>0</EW_MATCH_POINTS></TRAVELLER_LINE>\
         <TRAVELLER_LINE>{second}<CONTRACT></CONTRACT><PLAYED_BY></PLAYED_BY><TRICKS></TRICKS>\
         <SCORE>0</SCORE><NS_MATCH_POINTS>1.2</NS_MATCH_POINTS>\
         <EW_MATCH_POINTS>0.8</EW_MATCH_POINTS></TRAVELLER_LINE></BOARD></SECTION>\
         <SECTION SECTION_ID='B'>{names}\
         <TRAVELLER_LINE>{first}<CONTRACT>PASS</CONTRACT><PLAYED_BY></PLAYED_BY><TRICKS></TRICKS>\
         <SCORE>0</SCORE></TRAVELLER_LINE>\
         <TRAVELLER_LINE>{second}<CONTRACT>3NT**</CONTRACT><PLAYED_BY>W</PLAYED_BY>\
         <TRICKS>7</TRICKS><SCORE>400</SCORE></TRAVELLER_LINE></BOARD></SECTION>\
         </SESSION></EVENT>\n<HANDSET><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>\
         <HAND><DIRECTION>North</DIRECTION><SPADES>KQJ1064</SPADES><HEARTS>AJ52</HEARTS>\
         <DIAMONDS>6</DIAMONDS><CLUBS>A3</CLUBS></HAND>\
         <HAND><DIRECTION>East</DIRECTION><SPADES>83</SPADES><HEARTS>103</HEARTS>\
         <DIAMONDS>Q104</DIAMONDS><CLUBS>QJ8762</CLUBS></HAND>\
         <HAND><DIRECTION>S</DIRECTION><SPADES>A972</SPADES><HEARTS>K874</HEARTS>\
         <DIAMONDS>A53</DIAMONDS><CLUBS>104</CLUBS></HAND>\
         <HAND><DIRECTION>West</DIRECTION><SPADES>5</SPADES><HEARTS>Q96</HEARTS>\
         <DIAMONDS>KJ9872</DIAMONDS><CLUBS>K95</CLUBS></HAND></BOARD></HANDSET></USEBIO>"
    );
    for file in [
        file.clone(),
        file.replace('\n', " "),
        format!("From: a@b.example\n\n{file}"),
    ] {
        assert_eq!(Format::of(file.as_bytes()), Format::Usebio);
        let board = board(&file);
        assert_eq!(said(&board, "number dealer sides"), "1 N None");
        assert_eq!(board.scoring.as_deref(), Some("MP"));
        assert_eq!(board.competition.as_deref(), Some("Pairs"));
        let values = ["Section", "PairId_NS", "Names_NS", "Percentage_NS"];
        let expected = [
            "A 1 Ann & Co – Bo - 4SN false Some(10) Some(420)",
            "A 3 - 60 - false None None",
            "B 1 Ann & Co – Bo - - true None Some(0)",
            "B 3 - - 3NTXXW false Some(7) Some(400)",
        ];
        assert_eq!(shown(&board, values), expected);
        assert_eq!(boards(pbn::write(&board))[0].scores, board.scores);
    }
    // Faults are named, and cost no other board.
    let error = |file: &str| read(file)[0].clone().unwrap_err();
    let slip = error(&file.replace("<SPADES>83<", "<SPADES>8Z<"));
    assert!(
        slip.starts_with("file, line 6, board 1: HAND \"8Z.103"),
        "{slip}"
    );
    assert_eq!(read(&file[..file.len() / 2]).len(), 1);
    error("<USEBIO>\n<a b=<");
    let deep = error(&format!("<USEBIO>{}", "<a>".repeat(100)));
    assert!(deep.contains("longer than 32"), "{deep}");
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
            says(&format!("{words}\n{text}"), "number dealer", "4 W");
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
        says(&marked, "number dealer contract", "4 W 4SN");
    }
}
