//! Hands as people type and print them: after the names of their seats, and in diagrams.

use setrograde_records::{Board, Format};

use crate::common::{D, read, says};

/// The holdings of each seat, spades first.
const HANDS: [(&str, [&str; 4]); 4] = [
    ("North", ["KQJT64", "AJ52", "6", "A3"]),
    ("East", ["83", "T3", "QT4", "QJ8762"]),
    ("South", ["A972", "K874", "A53", "T4"]),
    ("West", ["5", "Q96", "KJ9872", "K95"]),
];

/// The deals of a text, or the errors.
fn deals(text: &str) -> Vec<String> {
    let whole = |board: &Board| board.deal().map(|deal| deal.to_string());
    let deal = |board: Board| whole(&board).unwrap_or("hidden".to_owned());
    let read = read(text).into_iter();
    read.map(|board| board.map_or_else(|error| error, deal))
        .collect()
}

/// A text with others for the signs of the suits.
fn signed<S: AsRef<str>>(text: &str, signs: [S; 4]) -> String {
    let signs = ["♠", "♥", "♦", "♣"].into_iter().zip(signs);
    signs.fold(text.to_owned(), |text, (sign, other)| {
        text.replace(sign, other.as_ref())
    })
}

/// A line for each seat in `order`, as in the template for one hand: `NAME`, its letter `L` or `l`,
/// and its suits `s`, `h`, `d` and `c`.
fn each(order: &str, template: &str) -> String {
    let lines = order.chars().map(|letter| {
        let (name, suits) = HANDS
            .into_iter()
            .find(|(name, _)| name.starts_with(letter))
            .expect("a seat");
        let small = letter.to_lowercase().to_string();
        let mut line = String::new();
        for (at, c) in template.char_indices() {
            match (c, "shdc".find(c)) {
                ('L', _) => line.push(letter),
                ('l', _) if !template[..at].ends_with(':') => line += &small,
                (_, Some(suit)) if !template[..at].ends_with(['!', 'p']) => line += suits[suit],
                _ => line.push(c),
            }
        }
        line.replace("NAME", name) + "\n"
    });
    lines.collect()
}

#[test]
fn a_hand_on_a_line_after_its_seat() {
    let one_line = |form: String| form.replace('\n', " ");
    let commas = each("NESW", "NAME: ♠s, ♥h, ♦d, ♣c");
    let blanks = each("NESW", "NAME: ♠s ♥h ♦d ♣c");
    let spaced: String = commas
        .lines()
        .map(|line| {
            let (name, hand) = line.split_once(' ').expect("a hand");
            let cards = hand.chars().map(|c| format!("{c} "));
            format!("{name} {}\n", cards.collect::<String>())
        })
        .collect();
    let forms = [
        each("NESW", "L: s.h.d.c"),
        each("NESW", "l: s.h.d.c").to_lowercase(),
        each("NSWE", "NAME: s.h.d.c"),
        each("NESW", "NAME=s.h.d.c"),
        each("NESW", "(L) s.h.d.c"),
        each("NESW", "L: s/h/d/c"),
        each("NESW", "L: s, h, d, c"),
        each("NESW", "L: s h d c"),
        each("NESW", "L - s h d c"),
        each("NESW", "NAME: ♠s ♥h ♦d ♣c"),
        each("NESW", "L ♠ s ♥ h ♦ d ♣ c"),
        each("WNES", "NAME (D): ♠s ♥h ♦d ♣c"),
        each("NESW", "NAME: S:s H:h D:d C:c"),
        each("NESW", "L: S: s H: h D: d C: c"),
        each("NESW", "NAME\nS: s H: h D: d C: c"),
        each("NESW", "NAME: !ss !hh !dd !cc"),
        each("NESW", "NAME: ♠\u{fe0f}s ♥\u{fe0f}h ♦\u{fe0f}d ♣\u{fe0f}c"),
        each("NESW", "- **NAME**: ♠s ♥h ♦d ♣c"),
        each("NESW", "L：s.h.d.c"),
        each("NESW", "NAME\ns.h.d.c"),
        each("NESW", "s.h.d.c"),
        each("NESW", "s.h.d.c\n"),
        each("NESW", "♠s ♥h ♦d ♣c"),
        each("NES", "L: s.h.d.c"),
        one_line(each("NESW", "NAME s.h.d.c")),
        one_line(each("NESW", "L:s h d c")),
        one_line(each("NESW", "NAME ♠s ♥h ♦d ♣c")),
        signed(&commas, ["Spades ", "Hearts ", "Diamonds ", "Clubs "]),
        signed(&blanks, [":spade: ", ":heart: ", ":diamond: ", ":club: "]),
        spaced,
    ];
    for form in forms {
        let text = format!("What do you lead?\n\n{form}\nThanks.\n");
        let (returns, tens) = (form.replace('\n', "\r\n"), form.replace('T', "10"));
        for text in [form, text, returns, tens] {
            assert_eq!(deals(&text), [D], "{text}");
        }
    }
}

#[test]
fn a_hand_goes_on_in_the_next_line() {
    for form in [
        "NAME: ♠s, ♥h,\n♦d, ♣c",
        "NAME\n♠: s; ♥: h; ♦:\nd; ♣: c",
        "NAME (Ann)\n♠ s; ♥ h;\n♦ d; ♣ c",
    ] {
        let text = each("SWNE", form);
        let in_words = text.replace('♠', "Spades ").replace('♦', "Diamonds ");
        assert_eq!(deals(&text), [D], "{text}");
        assert_eq!(deals(&in_words), [D], "{in_words}");
    }
}

#[test]
fn voids_have_many_signs() {
    for (suits, void) in [(".", "-"), (".", ""), (" ", "-"), (" ", "—"), (" ", "--")] {
        let long = "AKQJT98765432";
        let hand = |(at, seat)| {
            let suits_of = [0, 1, 2, 3].map(|suit| if suit == at { long } else { void });
            format!("{seat}: {}\n", suits_of.join(suits))
        };
        let text: String = ["N", "E", "S", "W"]
            .into_iter()
            .enumerate()
            .map(hand)
            .collect();
        let deal = format!("N:{long}... .{long}.. ..{long}. ...{long}");
        assert_eq!(deals(&text), [deal], "{text}");
    }
    let text = "North: ♠AKQJ1098765432 ♥— ♦— ♣—\nEast: ♠void ♥AKQJ1098765432 ♦void ♣void\n\
                South\n♠ -\n♥ -\n♦ A K Q J 10 9 8 7 6 5 4 3 2\n♣ -\n";
    assert_eq!(deals(text).len(), 1);
    assert!(deals(text)[0].ends_with("...AKQJT98765432"), "{text}");
}

const NEWSPAPER: &str = "
Board 7        NORTH
Dealer: South  ♠ KQJ1064
Vul: E-W       ♥ AJ52
               ♦ 6
               ♣ A3
WEST              EAST
♠ 5               ♠ 83
♥ Q96             ♥ 103
♦ KJ9872          ♦ Q104
♣ K95             ♣ QJ8762
        SOUTH
        ♠ A972
        ♥ K874
        ♦ A53
        ♣ 104
";

#[test]
fn diagrams_of_newspapers() {
    let plain = NEWSPAPER
        .replace("Board 7        NORTH", "NORTH")
        .replace("Dealer: South  ", "")
        .replace("Vul: E-W       ", "");
    let letters = signed(&plain, ["S", "H", "D", "C"]);
    let bare = plain.replace(['♠', '♥', '♦', '♣'], " ");
    let nameless: String = bare
        .lines()
        .filter(|line| line.contains(|c: char| c.is_ascii_digit()))
        .map(|line| format!("{line}\n"))
        .collect();
    let spaced = plain
        .replace("KQJ1064", "K Q J 10 6 4")
        .replace("Q104", "Q 10 4");
    let acbl = "Bd: 1      KQJ1064\nDlr: N     AJ52\nVul: None  6\n           A3\n5                     83\n\
                Q96                   103\nKJ9872                Q104\nK95                   QJ8762\n           A972\n\
                           K874\n           A53\n           104\n";
    let below = each("NESW", "NAME\n♠ s\n♥ h\n♦ d\n♣ c");
    let below_bare = each("NESW", "NAME\ns\nh\nd\nc");
    for text in [
        &plain,
        &letters,
        &bare,
        &nameless,
        &spaced,
        acbl,
        &below,
        &below_bare,
    ] {
        assert_eq!(deals(text), [D], "{text}");
        assert_eq!(deals(&format!("{text}\n{text}")), [D, D], "{text}");
    }
    says(acbl, "number dealer sides", "1 N None");
}

#[test]
fn suits_have_names_in_many_languages() {
    for languages in [
        "North East South West; Spades Hearts Diamonds Clubs; AKQJ",
        "North East South West; Spades: Hearts: Diamonds: Clubs:; AKQJ",
        "Nord Est Sud Ouest; Pique Cœur Carreau Trèfle; ARDV",
        "Nord Est Sud Ovest; Picche Cuori Quadri Fiori; ARDF",
        "Norte Este Sur Oeste; Picas Corazones Diamantes Tréboles; ARDJ",
        "Nord Ost Süd West; Pik Herz Karo Kreuz; AKDB",
        "Noord Oost Zuid West; Schoppen Harten Ruiten Klaveren; AHVB",
        "Nord Öst Syd Väst; Spader Hjärter Ruter Klöver; EKDN",
        "Nord Øst Syd Vest; spar hjerter ruder klør; EKDB",
        "Pohjoinen Itä Etelä Länsi; Pata Hertta Ruutu Risti; AKRJ",
    ] {
        let [seats, suits, honours] = *languages.split("; ").collect::<Vec<_>>() else {
            unreachable!()
        };
        let seats: Vec<&str> = seats.split(' ').collect();
        let hands = |between: [&str; 3]| -> String {
            let hand = |(seat, (_, cards)): (&&str, (&str, [&str; 4]))| {
                let suit = |(name, cards): (&str, &str)| {
                    let card = |c: char| match "AKQJ".find(c) {
                        Some(at) => honours[at..=at].replace('N', "Kn"),
                        None => c.to_string().replace('T', "10"),
                    };
                    let cards: String = cards.chars().map(card).collect();
                    format!("{name}{}{cards}", between[1])
                };
                let rows = suits.split(' ').zip(cards).map(suit);
                let rows: Vec<String> = rows.collect();
                format!("{seat}{}{}", between[0], rows.join(between[2]))
            };
            let hands = seats.iter().zip(HANDS).map(hand);
            hands.collect::<Vec<_>>().join("\n") + "\n"
        };
        for between in [[": ", " ", ", "], [": ", " ", " "], ["\n", "    ", "\n"]] {
            let text = hands(between);
            assert_eq!(deals(&text), [D], "{text}");
        }
    }
    let text = "Pik ist Trumpf. Four spades makes.\n".to_owned() + NEWSPAPER;
    assert_eq!(deals(&text), [D]);
}

#[test]
fn a_letter_is_a_suit_before_cards_in_other_languages() {
    let text = "Noord: SHVB1064 HAB52 R6 KA3\nOost: S83 H103 RV104 KVB8762\n\
                Zuid: SA972 HH874 RA53 K104\nWest: S5 HV96 RHB9872 KH95\n";
    assert_eq!(deals(text), [D]);
}

#[test]
fn hands_from_lists_and_programs() {
    for text in [
        each("NESW", "1. NAME: ♠s ♥h ♦d ♣c"),
        each("NESW", "2) NAME: s.h.d.c"),
        each("NESW", "L;s.h.d.c"),
        each("NESW", "  \"NAME\": \"s.h.d.c\","),
        each("NESW", "NAME = 's.h.d.c'"),
        format!("{{{}}}", each("NESW", "'L': 's.h.d.c',").replace('\n', " ")),
        each("NESW", "NAME\n{S} s\n{H} h\n{D} d\n{C} c"),
    ] {
        assert_eq!(deals(&text), [D], "{text}");
    }
    // A void in the first of four columns, and in the first of two.
    let columns = "A K Q J 8 7 6       T 9                 5 3 2               4\n\
                   -                   K J 9 7 4 3         A Q T 2             8 6 5\n\
                   K Q 4               T 8 5 2             A J 9               7 6 3\n\
                   A Q 7               T                   K 8 3               J 9 6 5 4 2\n";
    let deal = "N:AKQJ876..KQ4.AQ7 T9.KJ9743.T852.T 532.AQT2.AJ9.K83 4.865.763.J96542";
    assert_eq!(deals(columns), [deal]);
    let around = "    4\n    865\n    763\n    J96542\nAKQJ876     T9\n-           KJ9743\nKQ4         T852\n\
                  AQ7         T\n    532\n    AQT2\n    AJ9\n    K83\n";
    let turned = "N:4.865.763.J96542 T9.KJ9743.T852.T 532.AQT2.AJ9.K83 AKQJ876..KQ4.AQ7";
    assert_eq!(deals(around), [turned]);
}

#[test]
fn a_diagram_has_its_board() {
    let text = NEWSPAPER.replace("Board 7        NORTH", "Board 7\nNORTH");
    says(&text, "number dealer sides", "7 S EW");
}

#[test]
fn slips_are_named() {
    let lines = each("NESW", "L: s.h.d.c");
    for (from, to, errors) in [
        (
            "K95",
            "K9Z",
            "file, line 4, board 1: hand \"5.Q96.KJ9872.K9Z\": column 16: 'Z' is not a rank",
        ),
        (
            "6.A3",
            "x.Ax",
            "file, line 1, board 1: hand \"KQJT64.AJ52.x.Ax\": column 13: 'x' names no card",
        ),
        (
            "K95",
            "KT5",
            "file, line 1, board 1: the ten of clubs (CT) is held by both South and West",
        ),
    ] {
        let [error] = &deals(&lines.replace(from, to))[..] else {
            panic!("one error is expected: {from}");
        };
        assert!(error.starts_with(errors), "{error}");
        // The next board is read.
        let both = format!("{}\n{lines}", lines.replace(from, to));
        assert_eq!(deals(&both), [error, D], "{from}");
    }
    let error = &deals(&NEWSPAPER.replace("♦ Q104", "♦ Q1O4"))[0];
    assert!(
        error.starts_with("file, line 10, board 1: suit \"♦ Q1O4\": column"),
        "{error}"
    );
    // A slip in the last card of a line is no text beside the deal.
    let error = &deals(&D.replace("K95", "K9O"))[0];
    assert!(error.contains("column 69: 'O' is not a rank"), "{error}");
}

/// The seats above hands without names are theirs, or nobody's.
#[test]
fn a_heading_decides_that_a_text_has_hands() {
    let hands = D.trim_start_matches("N:");
    for heading in [
        "West North East South",
        "West North East S\touth",
        "W, N, E, S",
    ] {
        let text = format!("{heading}\n{hands}\n");
        assert_eq!(Format::of(text.as_bytes()), Format::Diagram, "{text}");
        assert!(deals(&text).iter().all(|deal| deal != D), "{text}");
    }
}

/// Other text has no boards, and the other formats are what they were.
#[test]
fn other_text_is_no_diagram() {
    for text in [
        "North leads the king of spades.\nEast follows.\n",
        "10 20 30 40\n5 6 7 8\n",
        "West  North  East  South\n1♥    1♠     2♦    pass\n",
        "N\nE\nS\nW\n",
        "A\nB\nC\n",
    ] {
        assert_eq!(deals(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        D,
        "NT W N:A... K... Q... J...",
        "S N N:A.. K... Q... J...",
        "H W N:AKQ2.K43.QJ5.T98 ? ? ?",
        "N:AQ2.AQ2.AQ2.AQ32 ? 543.543.543.K654 ?",
        "N:A... K... Q...",
    ] {
        assert_eq!(Format::of(text.as_bytes()), Format::Plain, "{text}");
    }
    let pbn = format!("North\n♠ AK\n[Board \"1\"]\n[Deal \"{D}\"]\n");
    assert_eq!(Format::of(pbn.as_bytes()), Format::Pbn);
    // Deals one a line among hands.
    let mixed = format!("{}{D}\n", each("NESW", "NAME: s.h.d.c"));
    assert_eq!(deals(&mixed), [D, D]);
}

/// Long lines and many signs take no time.
#[test]
fn hostile_text_ends() {
    for line in [
        "N: ".repeat(20_000),
        "♠A ".repeat(20_000),
        "void".repeat(16_000),
        "N: A.K.Q.J ".repeat(6_000),
        "- ".repeat(30_000),
    ] {
        for text in [
            line.clone(),
            format!("North\n{}", format!("{line}\n").repeat(20)),
        ] {
            let begun = std::time::Instant::now();
            read(&text);
            assert!(begun.elapsed().as_secs() < 5, "{}", &text[..20]);
        }
    }
}

/// Copies of pages, tables and scans.
#[test]
fn copies_of_pages_and_tables() {
    let list: Vec<&str> = D[2..].split(' ').collect();
    let [n, e, s, w] = list[..] else {
        unreachable!()
    };
    let html = |form: &str, signs: [&str; 4]| signed(&each("NESW", form), signs);
    let rows = "NAME\n♠s\n♥h\n♦d\n♣c";
    let line = "NAME: ♠s ♥h ♦d ♣c";
    let span = [
        "<span class=\"b\">♠</span>",
        "<b>♥</b>",
        "<font color=red>♦</font>",
        "♣",
    ];
    let fonts = [
        ["ª", "©", "¨", "§"],
        ["\u{f0aa}", "\u{f0a9}", "\u{f0a8}", "\u{f0a7}"],
        ["\u{6}", "\u{3}", "\u{4}", "\u{5}"],
        ["@S", "@H", "@D", "@C"],
        ["\\spades ", "\\hearts ", "\\diamonds ", "\\clubs "],
        ["&spades ", "&hearts ", "&diams ", "&clubs "],
        ["\\s", "\\h", "\\d", "\\c"],
        [
            "<img alt=\"S\">",
            "<img alt=\"H\">",
            "<img alt=\"D\">",
            "<img alt=\"C\">",
        ],
        ["[color=black]♠[/color]", "♥", "[color=red]♦[/color]", "♣"],
        ["Spa ", "Hea ", "Dia ", "Clu "],
        span,
    ];
    for (at, signs) in fonts.into_iter().enumerate() {
        assert_eq!(deals(&html(line, signs)), [D], "{signs:?}");
        let ten = if at == 1 { "1 0 4" } else { "104" };
        let scanned = html(rows, signs).replace("104", ten);
        assert_eq!(deals(&scanned), [D], "{signs:?}");
    }
    for form in [
        "L(s.h.d.c)",
        "NAME[s.h.d.c]",
        "L <s.h.d.c>",
        "NAME HAS s.h.d.c",
        "NAME HAND: s.h.d.c",
        "L-s.h.d.c",
        "NAME, s.h.d.c",
        "L/s.h.d.c",
        "`L`: s.h.d.c",
        "L: *s.h.d.c*",
        "L: s | h | d | c",
        "L: s - h - d - c",
        "L: s•h•d•c",
        "L: s:h:d:c",
        "<L>s.h.d.c</L>",
        "<H1 POSITION=\"L\">s.h.d.c</H1>",
        "<p>NAME: s.h.d.c</p>",
    ] {
        assert_eq!(deals(&each("NESW", form)), [D], "{form}");
        let one_line = each("NESW", form).replace('\n', " ");
        if form.contains(['[', '(', '<']) {
            assert_eq!(deals(&one_line), [D], "{one_line}");
        }
    }
    // The heading of a table says which hand is whose.
    for (head, row) in [
        ("South,West,North,East", format!("{s},{w},{n},{e}")),
        ("West North East South", format!("{w} {n} {e} {s}")),
        (
            "| S | W | N | E |\n|---|---|---|---|",
            format!("| {s} | {w} | {n} | {e} |"),
        ),
        (
            "Board\tDealer\tWest\tNorth\tEast\tSouth",
            format!("1\tN\t{w}\t{n}\t{e}\t{s}"),
        ),
    ] {
        assert_eq!(deals(&format!("{head}\n{row}\n{row}\n")), [D; 2], "{head}");
    }
    for heading in [
        "Order: West North East South\n",
        "W-N-E-S: ",
        "W, N, E, S: ",
        "W N E S\n",
    ] {
        for apart in [" ", "\n"] {
            if apart == " " || heading.starts_with("W N") {
                let text = heading.to_owned() + &[w, n, e, s].join(apart);
                assert_eq!(deals(&text), [D], "{text}");
            }
        }
    }
    let objects = [("S", s), ("W", w), ("N", n), ("E", e)];
    let objects =
        objects.map(|(seat, hand)| format!("{{\"seat\": \"{seat}\", \"cards\": \"{hand}\"}}"));
    for text in [
        format!("[{}]\n", objects.join(", ")),
        format!("WNES: {w} {n} {e} {s}\n"),
        each("NESW", rows).replace("West", "West (dealer)"),
        "N E S W\n1S Pass 4S Pass\n".to_owned() + &each("NESW", rows).replace("AJ52", " A J 5 2"),
        // Double-dummy results.
        each("NESW", rows)
            + "   N  S  E  W\nNT  6  6  1  1\n♠  12 12  1  1\n♦   6  6  7  7\n♣  6 6 7 7\n",
    ] {
        assert_eq!(deals(&text), [D], "{text}");
    }
    let columns = "North East South West\n♠ KQJT64 83 A972 5\n♥ AJ52 T3 K874 Q96\n\
        ♦ 6 QT4 A53 KJ9872\n♣ A3 QJ8762 T4 K95\n";
    assert_eq!(deals(columns), [D]);
    let suits = "West\tNorth\tEast\tSouth\n♠5\t♠KQJT64\t♠83\t♠A972\n♥Q96\t♥AJ52\t♥T3\t♥K874\n\
        ♦KJ9872\t♦6\t♦QT4\t♦A53\n♣K95\t♣A3\t♣QJ8762\t♣T4\n";
    assert_eq!(deals(suits), [D]);
    let suits = each("NESW", rows);
    let json = format!("{{'deal': '{D}', 'dealer': 'west', 'vulnerable': 'both'}}");
    says(&json, "number dealer sides notes", "1 W All -");
    for text in [
        format!("{{\"board\": 4, \"dealer\": \"W\", \"vul\": \"All\", \"deal\": \"{D}\"}}"),
        format!(
            "<board number=\"4\" dealer=\"W\" vul=\"All\" n=\"{n}\" e=\"{e}\" s=\"{s}\" w=\"{w}\"/>"
        ),
        format!(
            "{{\"board\": 4,\n\"dealer\": \"W\",\n\"vul\": \"All\",\n\"N\": \"{n}\",\n\
             \"E\": \"{e}\",\n\"S\": \"{s}\",\n\"W\": \"{w}\"}}"
        ),
        format!("Board 4 of 24. Dealer West. Both vul.\n{D}"),
        format!("Board 4\nWest\nBoth\n{suits}"),
        format!("Bd. 4, W, Both\n{suits}"),
        format!("Round 3 Board 4 Dealer W Vul All\n{suits}"),
        format!("# Board 4\n## Dealer West, all vul\n{suits}"),
        "<b>Board 4</b><br>Dealer W<br>Vul All\n".to_owned() + &html(rows, span),
    ] {
        says(&text, "number dealer sides notes", "4 W All -");
    }
}
