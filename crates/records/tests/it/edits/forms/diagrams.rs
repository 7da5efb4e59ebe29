//! Hands in the four directions.

use super::*;

pub fn diagrams() -> Vec<Form> {
    vec![
        fixed("diagram", |t, o| {
            head(t) + &diagram(slots(&t.hands, o, " "), 14, None, false)
        }),
        fixed("diagram, tight", |t, o| {
            head_in_one(t) + &diagram(slots(&t.hands, o, ""), 14, None, false)
        }),
        fixed("diagram with a box", |t, o| {
            head_with_colons(t) + &diagram(slots(&t.hands, o, " "), 20, None, true)
        }),
        free("diagram with names", |t, o| {
            let hands = mapped(t, spaced);
            diagram(slots(&hands, o, ""), 30, named(NAMES, o), false)
        }),
        free("diagram with names and tens", |t, o| {
            head(t) + &diagram(slots(&mapped(t, ten), o, " "), 18, named(NAMES, o), false)
        }),
        free("diagram with letters of seats", |t, o| {
            diagram(
                slots(&t.hands, o, " "),
                18,
                named(["N", "E", "S", "W"], o),
                false,
            )
        }),
        free("diagram with letters of suits", |t, o| {
            head_in_one(t) + &diagram(slots(&t.hands, o, "letter"), 18, named(NAMES, o), false)
        }),
        fixed("diagram of ranks", |t, o| {
            diagram(slots(&t.hands, o, "ranks"), 16, None, false)
        }),
        fixed("diagram of ranks with a head", |t, o| {
            head(t) + &diagram(slots(&mapped(t, spaced), o, "ranks"), 30, None, false)
        }),
        fixed("diagram in a mail", |t, o| {
            "Hi all,\n\n".to_owned()
                + &quoted(&(head(t) + &diagram(slots(&t.hands, o, " "), 14, None, false)))
        }),
        free("diagram in a mail, with names", |t, o| {
            quoted(&(head(t) + &diagram(slots(&t.hands, o, " "), 18, named(NAMES, o), false)))
        }),
        free("diagram in a fence", |t, o| {
            format!(
                "```\n{}```\n",
                diagram(slots(&t.hands, o, " "), 18, named(NAMES, o), false)
            )
        }),
        fixed("diagram in four columns", |t, o| {
            let mut text = "    7.\n".to_owned();
            for suit in 0..4 {
                let row: String = o
                    .map(|seat| format!("{:28}", spaced(&t.hands[seat][suit])))
                    .concat();
                text += row.trim_end();
                text.push('\n');
            }
            text
        }),
        free("French diagram", |t, o| {
            let t = &Told {
                hands: t
                    .hands
                    .each_ref()
                    .map(|hand| of_language(hand, ["A", "R", "D", "V"])),
                ..t.clone()
            };
            format!("Donne {}\nDonneur : {}\n", t.number, FRENCH[t.dealer])
                + &diagram(slots(&mapped(t, ten), o, " "), 18, named(FRENCH, o), false)
        }),
        free("German diagram", |t, o| {
            let t = &Told {
                hands: t
                    .hands
                    .each_ref()
                    .map(|hand| of_language(hand, ["A", "K", "D", "B"])),
                ..t.clone()
            };
            format!("Board {}\nTeiler: {}\n", t.number, GERMAN[t.dealer])
                + &diagram(slots(&t.hands, o, " "), 18, named(GERMAN, o), false)
        }),
        free("two hands beside each other", |t, o| {
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
