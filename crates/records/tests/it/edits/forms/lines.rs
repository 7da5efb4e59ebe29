//! A hand after its name, and hands without names.

use super::*;

pub fn named_lines() -> Vec<Form> {
    vec![
        free("lines with dots", |t, o| {
            lines(t, o, |s, h| format!("{}: {}", NAMES[s], dots(h)))
        }),
        free("lines with dots and a head", |t, o| {
            head(t) + &lines(t, o, |s, h| format!("{}: {}", NAMES[s], dots(h)))
        }),
        from_west(free("lines with signs", |t, o| {
            lines(t, o, |s, h| format!("{} {}", NAMES[s], signs(h)))
        })),
        from_west(free("lines with signs and a head", |t, o| {
            head_in_one(t) + &lines(t, o, |s, h| format!("{} {}", NAMES[s], signs(h)))
        })),
        free("lines with tight signs", |t, o| {
            lines(t, o, |s, h| {
                format!("{}: {}", letter(s), signed(h, SIGNS, "", ""))
            })
        }),
        free("lines with letters", |t, o| {
            lines(t, o, |s, h| format!("{} {}", letter(s), letters(h)))
        }),
        free("lines with letters apart", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    NAMES[s],
                    signed(h, ["S", "H", "D", "C"], " ", " ")
                )
            })
        }),
        free("lines with colons", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "({}) {}",
                    letter(s),
                    signed(h, ["S:", "H:", "D:", "C:"], "", " ")
                )
            })
        }),
        free("lines with words", |t, o| {
            lines(t, o, |s, h| {
                format!("{} - {}", NAMES[s], signed(h, WORDS, " ", ", "))
            })
        }),
        free("lines with tens", |t, o| {
            let hands = mapped(t, ten);
            lines(t, o, |s, _| format!("{}: {}", NAMES[s], signs(&hands[s])))
        }),
        free("lines with spaced cards", |t, o| {
            let hands = mapped(t, spaced);
            lines(t, o, |s, _| {
                format!("{}: {}", NAMES[s], signed(&hands[s], SIGNS, " ", " "))
            })
        }),
        free("lines with commas", |t, o| {
            let hands = mapped(t, |cards| spaced(cards).replace(' ', ","));
            lines(t, o, |s, _| format!("{}: {}", NAMES[s], signs(&hands[s])))
        }),
        free("lines with players", |t, o| {
            lines(t, o, |s, h| {
                format!("{} (Player {}): {}", NAMES[s], s + 1, signs(h))
            })
        }),
        free("lines with bullets", |t, o| {
            lines(t, o, |s, h| format!("* {}: {}", NAMES[s], dots(h)))
        }),
        free("lines in a mail", |t, o| {
            quoted(
                &(head_with_colons(t) + &lines(t, o, |s, h| format!("{}: {}", NAMES[s], signs(h)))),
            )
        }),
        free("lines with exclamation marks", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    NAMES[s],
                    signed(h, ["!s", "!h", "!d", "!c"], "", " ")
                )
            })
        }),
        free("lines with emoji", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    NAMES[s],
                    signed(h, ["♠️", "♥️", "♦️", "♣️"], "", " ")
                )
            })
        }),
        free("lines with LaTeX", |t, o| {
            let suits = ["\\spadesuit", "\\heartsuit", "\\diamondsuit", "\\clubsuit"];
            lines(t, o, |s, h| {
                format!("{}: {}", NAMES[s], signed(h, suits, " ", " "))
            })
        }),
        free("lines with tabs", |t, o| {
            lines(t, o, |s, h| {
                format!("{}\t{}", NAMES[s], signed(h, [""; 4], "", "\t"))
            })
        }),
        free("one line with names", |t, o| {
            each(t, o, " ", |s, h| format!("{}:{}", letter(s), dots(h))) + "\n"
        }),
        from_west(free("one line with semicolons", |t, o| {
            each(t, o, "; ", |s, h| format!("{} {}", NAMES[s], signs(h))) + "\n"
        })),
        free("two hands on a line", |t, o| {
            let one = |seat: usize| format!("{} {}", NAMES[seat], signs(&t.hands[seat]));
            format!(
                "{}, {}\n{}, {}\n",
                one(o[0]),
                one(o[1]),
                one(o[2]),
                one(o[3])
            )
        }),
        free("Chinese brackets", |t, o| {
            lines(t, o, |s, h| format!("{}{}", CHINESE[s], signs(h)))
        }),
        free("three hands", |t, o| {
            lines(t, o, |s, h| format!("{}: {}", NAMES[s], dots(h)))
                .lines()
                .take(3)
                .map(|line| format!("{line}\n"))
                .collect()
        }),
        free("headed hands", |t, o| {
            lines(t, o, |s, h| format!("{}\n{}", NAMES[s], dots(h)))
        }),
        free("suits under names", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}\n{}\n",
                    NAMES[s],
                    signed(h, ["S: ", "H: ", "D: ", "C: "], "", "\n")
                )
            })
        }),
        free("suits under names, in words", |t, o| {
            head(t)
                + &lines(t, o, |s, h| {
                    format!("{}\n{}", NAMES[s], signed(h, WORDS, " ", "\n"))
                })
        }),
        free("signs under names", |t, o| {
            lines(t, o, |s, h| {
                format!("{}:\n{}", NAMES[s], signed(h, SIGNS, " ", "\n"))
            })
        }),
    ]
}

pub fn languages() -> Vec<Form> {
    vec![
        free("German lines", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    GERMAN[s],
                    signs(&of_language(h, ["A", "K", "D", "B"]))
                )
            })
        }),
        free("French lines", |t, o| {
            let tens = |hand: &[String; 4]| hand.each_ref().map(|cards| ten(cards));
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    FRENCH[s],
                    signs(&tens(&of_language(h, ["A", "R", "D", "V"])))
                )
            })
        }),
        free("Dutch lines", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    DUTCH[s],
                    signs(&of_language(h, ["A", "H", "V", "B"]))
                )
            })
        }),
        free("Spanish lines", |t, o| {
            lines(t, o, |s, h| {
                format!(
                    "{}: {}",
                    SPANISH[s],
                    signs(&of_language(h, ["A", "R", "D", "J"]))
                )
            })
        }),
        fixed("French hands in a line", |t, o| {
            each(t, o, " ", |_, h| {
                dots(&of_language(h, ["A", "R", "D", "V"]))
            }) + "\n"
        }),
    ]
}

pub fn without_names() -> Vec<Form> {
    vec![
        fixed("four hands in a line", |t, o| {
            each(t, o, " ", |_, h| dots(h)) + "\n"
        }),
        fixed("four hands in a list", |t, o| {
            format!("[{}]\n", each(t, o, ", ", |_, h| format!("'{}'", dots(h))))
        }),
        fixed("four hands in JSON", |t, o| {
            format!("[{}]\n", each(t, o, ",", |_, h| format!("\"{}\"", dots(h))))
        }),
        fixed("four hands in JSON over lines", |t, o| {
            format!(
                "[\n{}\n]\n",
                each(t, o, ",\n", |_, h| format!("  \"{}\"", dots(h)))
            )
        }),
        fixed("four hands in YAML", |t, o| {
            format!("hands:\n{}", lines(t, o, |_, h| format!("  - {}", dots(h))))
        }),
        fixed("four lines", |t, o| lines(t, o, |_, h| dots(h))),
        fixed("four lines of signs", |t, o| lines(t, o, |_, h| signs(h))),
        fixed("four bullets", |t, o| {
            lines(t, o, |_, h| format!("- {}", dots(h)))
        }),
        fixed("four numbers", |t, o| {
            lines(t, o, |s, h| format!("{}) {}", s + 1, dots(h)))
        }),
        fixed("four items in HTML", |t, o| {
            lines(t, o, |_, h| format!("<li>{}</li>", dots(h)))
        }),
    ]
}
