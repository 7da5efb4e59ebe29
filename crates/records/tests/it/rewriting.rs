//! PBN files with double-dummy results written into them.

use setrograde_records::{DoubleDummy, pbn::Games};

use crate::common::rewrite;

const TRICKS: [[u8; 4]; 5] = [
    [5, 7, 5, 7],
    [7, 5, 7, 5],
    [5, 7, 5, 7],
    [4, 9, 4, 9],
    [3, 8, 13, 0],
];

fn results() -> DoubleDummy {
    DoubleDummy {
        tricks: Some(TRICKS),
        par_score: Some(-620),
        par_contract: Some("EW 4\"H\"".to_owned()),
        play: Some(
            ["AK..T9.", "...2"]
                .map(|hand| hand.parse().unwrap())
                .to_vec(),
        ),
    }
}

/// The tags as we write them.
fn written(line_break: &str) -> String {
    let mut text = String::from("[DoubleDummyTricks \"575435754d7579875790\"]\n");
    text.push_str("[OptimumScore \"NS -620\"]\n[ParContract \"EW 4\\\"H\\\"\"]\n");
    text.push_str("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for (seat, row) in [("N", 0), ("S", 2), ("E", 1), ("W", 3)] {
        for (strain, tricks) in ["NT", " S", " H", " D", " C"].iter().zip(TRICKS) {
            text.push_str(&format!("{seat} {strain} {:>2}\n", tricks[row]));
        }
    }
    text.push_str("[OptimumPlayTable \"S\\8R;H\\8R;D\\8R;C\\8R\"]\n");
    text.push_str("AK      -       T9      -\n-       -       -       2\n");
    text.replace('\n', line_break)
}

#[test]
fn missing_tags_come_last() {
    let before = "% PBN 2.1\n\n[Board \"1\"] ; first\n[Play \"N\"]\nSA S2 S3 S4\n*";
    for (line_break, comment) in [
        ("\n", " { the end }"),
        ("\r\n", " { the end }"),
        ("\n", " { of two lines;\n[the end] }"),
        ("\n", " ; open { here"),
        ("\r\n", " ; open { here"),
    ] {
        let [before, after] = [before, "\n\n\n; bye\n"].map(|text| text.replace('\n', line_break));
        let file = format!("{before}{comment}{after}");
        let file = rewrite(file.as_bytes(), &results());
        let tags = written(line_break);
        let tags = tags.strip_suffix(line_break).unwrap();
        let expected = format!("{before}{comment}{line_break}{tags}{after}");
        assert_eq!(String::from_utf8(file.clone()).unwrap(), expected);
        assert_eq!(rewrite(&file, &results()), file);
    }
}

#[test]
fn tags_are_replaced_where_they_stand() {
    let file = "\u{feff}[OptimumScore \"NS 0\"][Board \"1\"]\n[DoubleDummyTricks \"\"] ;x\n\
        [OptimumResultTable \"Declarer;Result\"]\nN 3\nS 4\n%kept\n[Site \"Malm\u{f6}\"]\n";
    let file = rewrite(file.as_bytes(), &results());
    let text = String::from_utf8(file.clone()).unwrap();
    assert!(text.starts_with("\u{feff}[OptimumScore \"NS -620\"][Board \"1\"]\n"));
    assert!(text.contains("\n[DoubleDummyTricks \"575435754d7579875790\"] ;x\n[OptimumR"));
    assert!(text.contains("W  C  0\n%kept\n[Site \"Malmö\"]\n[ParContract"));
    assert_eq!(text.matches("OptimumResultTable").count(), 1);
    assert_eq!(rewrite(&file, &results()), file);
}

#[test]
fn tags_that_say_the_same_stay() {
    let file = "[Board \"1\"]\n[DoubleDummyTricks \"57543 575 4D 75798 75790\"]\n\
        [OptimumScore \"EW 620\"]\n[ParContract \"EW 4\"H\"\"]\n";
    let kept = rewrite(file.as_bytes(), &results());
    assert!(kept.starts_with(file.trim_end().as_bytes()));
    let par_alone = DoubleDummy {
        tricks: None,
        play: None,
        ..results()
    };
    assert_eq!(rewrite(file.as_bytes(), &par_alone), file.as_bytes());
    assert_eq!(
        rewrite(file.as_bytes(), &DoubleDummy::default()),
        file.as_bytes()
    );
}

#[test]
fn what_is_written_is_read() {
    let file = rewrite(b"[Board \"1\"]\n\n[Board \"2\"]\n", &results());
    let tags = written("\n");
    let expected = format!("[Board \"1\"]\n{tags}\n[Board \"2\"]\n{tags}");
    assert_eq!(String::from_utf8_lossy(&file), expected);
    for game in Games::new(&file[..], "file") {
        let game = game.unwrap();
        assert_eq!(game.board().unwrap().unwrap().double_dummy, results());
    }
    // Without the digits, the table has the same results.
    let text = String::from_utf8(file).unwrap();
    let text = text.replace("DoubleDummyTricks", "Other");
    let game = Games::new(text.as_bytes(), "file").next().unwrap().unwrap();
    assert_eq!(game.board().unwrap().unwrap().double_dummy, results());
}

/// A quote before a tag does not pair with the tag's quotes after these change or after two lines
/// of the tag become one.
#[test]
fn a_quote_before_a_replaced_tag_does_not_hide_it() {
    for tag in [
        "[OptimumScore NS 0]",
        "[OptimumScore\n\"NS 0\"]",
        "[OptimumPlayTable \n\"S\\8R;H\\8R;D\\8R;C\\8R\"]\nAK - - -",
        "[ParContract 'NS 1NT']",
        "[DoubleDummyTricks\n\"\"]",
    ] {
        for before in [
            "\"N:A863.AQ873.K6",
            "a\"b ",
            "\"one\" \"",
            "[Site \"\"] \"x ",
        ] {
            let file = format!("[Event \"x\"]\n{before}{tag}\n\n[Event \"y\"]\n");
            let once = rewrite(file.as_bytes(), &results());
            let twice = rewrite(&once, &results());
            let shown = String::from_utf8_lossy(&once);
            assert_eq!(once, twice, "{file}\n---\n{shown}");
            // Each game has its tags once.
            assert_eq!(shown.matches("[OptimumScore").count(), 2, "{shown}");
        }
    }
}
