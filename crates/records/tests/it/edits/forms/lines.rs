//! A hand after its name, and hands without names.

use super::*;

/// Suits with their signs.
fn signed_with(hand: &[String; 4], map: impl Fn(&str) -> String) -> String {
    signs(&mapped(hand, map))
}

pub fn named_lines() -> Vec<Form> {
    vec![
        lines("lines with dots", "@name: @hand", dots),
        lines("lines with dots and a head", "@name: @hand", dots).under(LINES),
        lines("lines with signs", "@name @hand", signs).from(3),
        lines("lines with signs and a head", "@name @hand", signs)
            .under(IN_ONE)
            .from(3),
        lines("lines with tight signs", "@seat: @hand", |h| {
            signed(h, SIGNS, "", "")
        }),
        lines("lines with letters", "@seat @hand", letters),
        lines("lines with letters apart", "@name: @hand", |h| {
            signed(h, LETTERS, " ", " ")
        }),
        lines("lines with colons", "(@seat) @hand", |h| {
            signed(h, LETTERS, ":", " ")
        }),
        lines("lines with words", "@name - @hand", |h| {
            signed(h, WORDS, " ", ", ")
        }),
        lines("lines with tens", "@name: @hand", |h| signed_with(h, ten)),
        lines("lines with spaced cards", "@name: @hand", |h| {
            signed(&mapped(h, spaced), SIGNS, " ", " ")
        }),
        lines("lines with commas", "@name: @hand", |h| {
            signed_with(h, |cards| spaced(cards).replace(' ', ","))
        }),
        lines("lines with players", "@name (Player @nth): @hand", signs),
        lines("lines with bullets", "* @name: @hand", dots),
        lines("lines in a mail", "@name: @hand", signs)
            .under(COLONS)
            .quoted(),
        lines("lines with exclamation marks", "@name: @hand", |h| {
            signed(h, ["!s", "!h", "!d", "!c"], "", " ")
        }),
        lines("lines with emoji", "@name: @hand", |h| {
            signed(h, ["♠️", "♥️", "♦️", "♣️"], "", " ")
        }),
        lines("lines with LaTeX", "@name: @hand", |h| {
            let suits = ["\\spadesuit", "\\heartsuit", "\\diamondsuit", "\\clubsuit"];
            signed(h, suits, " ", " ")
        }),
        lines("lines with tabs", "@name\t@hand", |h| {
            signed(h, [""; 4], "", "\t")
        }),
        written("one line with names", "@hands\n", " ", "@seat:@hand", dots),
        written(
            "one line with semicolons",
            "@hands\n",
            "; ",
            "@name @hand",
            signs,
        )
        .from(3),
        Form::new("two hands on a line", |t, o| {
            let one = |seat: usize| format!("{} {}", NAMES[seat], signs(&t.hands[seat]));
            let [a, b, c, d] = o.map(one);
            format!("{a}, {b}\n{c}, {d}\n")
        }),
        lines("Chinese brackets", "【@seat】@hand", signs),
        lines("three hands", "@name: @hand", dots).changed(|_, text| {
            let three = text.split_inclusive('\n').take(3);
            three.collect()
        }),
        lines("headed hands", "@name\n@hand", dots),
        lines("suits under names", "@name\n@hand\n", |h| {
            signed(h, LETTERS, ": ", "\n")
        }),
        lines("suits under names, in words", "@name\n@hand", |h| {
            signed(h, WORDS, " ", "\n")
        })
        .under(LINES),
        lines("signs under names", "@name:\n@hand", |h| {
            signed(h, SIGNS, " ", "\n")
        }),
    ]
}

pub fn languages() -> Vec<Form> {
    vec![
        lines("German lines", "@german: @hand", |h| {
            signs(&of_language(h, "AKDB"))
        }),
        lines("French lines", "@french: @hand", |h| {
            signed_with(&french(h), ten)
        }),
        lines("Dutch lines", "@dutch: @hand", |h| {
            signs(&of_language(h, "AHVB"))
        }),
        lines("Spanish lines", "@spanish: @hand", |h| {
            signs(&of_language(h, "ARDJ"))
        }),
        written("French hands in a line", "@hands\n", " ", "@hand", |h| {
            dots(&french(h))
        })
        .fixed(),
    ]
}

pub fn without_names() -> Vec<Form> {
    let forms = [
        written("four hands in a line", "@hands\n", " ", "@hand", dots),
        written("four hands in a list", "[@hands]\n", ", ", "'@hand'", dots),
        written("four hands in JSON", "[@hands]\n", ",", "\"@hand\"", dots),
        written(
            "four hands in JSON over lines",
            "[\n@hands\n]\n",
            ",\n",
            "  \"@hand\"",
            dots,
        ),
        written(
            "four hands in YAML",
            "hands:\n@hands\n",
            "\n",
            "  - @hand",
            dots,
        ),
        lines("four lines", "@hand", dots),
        lines("four lines of signs", "@hand", signs),
        lines("four bullets", "- @hand", dots),
        lines("four numbers", "@nth) @hand", dots),
        lines("four items in HTML", "<li>@hand</li>", dots),
    ];
    forms.map(Form::fixed).into()
}
