//! Hands in the four directions.

use super::*;

pub fn diagrams() -> Vec<Form> {
    let (same, names) = (|hand: &[String; 4]| hand.clone(), Some(NAMES));
    let spaced = |hand: &[String; 4]| mapped(hand, spaced);
    let tens = |hand: &[String; 4]| mapped(hand, ten);
    vec![
        drawn("diagram", same, " ", 14, None).under(LINES),
        drawn("diagram, tight", same, "", 14, None).under(IN_ONE),
        Form::new("diagram with a box", |t, o| {
            let middle = ["    N", "  W   E", "    S", ""];
            diagram(slots(&t.hands, o, " "), 20, None, middle)
        })
        .under(COLONS)
        .fixed(),
        drawn("diagram with names", spaced, "", 30, names),
        drawn("diagram with names and tens", tens, " ", 18, names).under(LINES),
        drawn(
            "diagram with letters of seats",
            same,
            " ",
            18,
            Some(["N", "E", "S", "W"]),
        ),
        drawn("diagram with letters of suits", same, "letter", 18, names).under(IN_ONE),
        drawn("diagram of ranks", same, "ranks", 16, None),
        drawn("diagram of ranks with a head", spaced, "ranks", 30, None).under(LINES),
        drawn("diagram in a mail", same, " ", 14, None)
            .under(LINES)
            .quoted()
            .under("Hi all,\n\n"),
        drawn("diagram in a mail, with names", same, " ", 18, names)
            .under(LINES)
            .quoted(),
        drawn("diagram in a fence", same, " ", 18, names)
            .changed(|_, text| format!("```\n{text}```\n")),
        Form::new("diagram in four columns", |t, o| {
            let row = |suit: usize| {
                let cells = o.map(|seat| format!("{:28}", super::spaced(&t.hands[seat][suit])));
                cells.concat().trim_end().to_owned() + "\n"
            };
            "    7.\n".to_owned() + &[0, 1, 2, 3].map(row).concat()
        })
        .fixed(),
        drawn(
            "French diagram",
            |hand| mapped(&french(hand), ten),
            " ",
            18,
            Some(FRENCH),
        )
        .under("Donne @number\nDonneur : @french\n"),
        drawn(
            "German diagram",
            |hand| of_language(hand, "AKDB"),
            " ",
            18,
            Some(GERMAN),
        )
        .under("Board @number\nTeiler: @german\n"),
        Form::new("two hands beside each other", |t, o| {
            let two = |left: usize, right: usize| {
                let mut text = format!("{:24}{}\n", NAMES[left], NAMES[right]);
                for (suit, sign) in SIGNS.iter().enumerate() {
                    let cards = |seat: usize| format!("{} {}", sign, or_dash(&t.hands[seat][suit]));
                    text += &format!("{:24}{}\n", cards(left), cards(right));
                }
                text
            };
            two(o[0], o[1]) + "\n" + &two(o[2], o[3])
        }),
    ]
}
