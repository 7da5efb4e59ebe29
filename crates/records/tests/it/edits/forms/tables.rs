//! Tables, objects and markup.

use super::*;

pub fn tables() -> Vec<Form> {
    const WEST: [usize; 4] = [3, 0, 1, 2];
    const NORTH: [usize; 4] = [0, 1, 2, 3];
    vec![
        table("Markdown", WEST, |t, o| {
            format!(
                "| Board | {} |\n|---|---|---|---|---|\n| {} | {} |\n",
                o.map(|seat| NAMES[seat]).join(" | "),
                t.number,
                each(t, o, " | ", |_, h| dots(h))
            )
        }),
        table("Markdown with facts", WEST, |t, o| {
            format!(
                "| Board | Dealer | Vul | {} |\n|---|---|---|---|---|---|---|\n| {} | {} | {} | {} |\n",
                o.map(|seat| NAMES[seat]).join(" | "),
                t.number,
                letter(t.dealer),
                PBN_SIDES[t.sides],
                each(t, o, " | ", |_, h| signs(h))
            )
        }),
        table("Markdown in rows", NORTH, |t, o| {
            format!(
                "| Hand | ♠ | ♥ | ♦ | ♣ |\n|---|---|---|---|---|\n{}",
                lines(t, o, |s, h| format!(
                    "| {} | {} |",
                    NAMES[s],
                    signed(h, [""; 4], "", " | ")
                ))
            )
        }),
        table("Markdown in columns", WEST, |t, o| {
            let mut text = format!(
                "| | {} |\n|---|---|---|---|---|\n",
                o.map(|seat| NAMES[seat]).join(" | ")
            );
            for (suit, sign) in SIGNS.iter().enumerate() {
                text += &format!(
                    "| {sign} | {} |\n",
                    each(t, o, " | ", |_, h| or_dash(&h[suit]).to_owned())
                );
            }
            text
        }),
        table("CSV", NORTH, |t, o| {
            format!(
                "board,{}\n{},{}\n",
                o.map(|seat| SMALL[seat]).join(","),
                t.number,
                each(t, o, ",", |_, h| dots(h))
            )
        }),
        table("CSV with facts", WEST, |t, o| {
            format!(
                "board,dealer,vul,{},comment\n{},{},{},{},good\n",
                o.map(|seat| SMALL[seat]).join(","),
                t.number,
                letter(t.dealer),
                PBN_SIDES[t.sides],
                each(t, o, ",", |_, h| dots(h))
            )
        }),
        table("CSV with semicolons", WEST, |t, o| {
            format!(
                "{}\n{}\n",
                o.map(|seat| NAMES[seat]).join(";"),
                each(t, o, ";", |_, h| dots(h))
            )
        }),
        table("CSV with quotes", WEST, |t, o| {
            format!(
                "\"Board\",{}\n\"{}\",{}\n",
                o.map(|seat| format!("\"{}\"", NAMES[seat])).join(","),
                t.number,
                each(t, o, ",", |_, h| format!("\"{}\"", dots(h)))
            )
        }),
        table("CSV in rows", NORTH, |t, o| {
            "seat,hand\n".to_owned() + &lines(t, o, |s, h| format!("{},{}", NAMES[s], dots(h)))
        }),
        table("CSV of suits", NORTH, |t, o| {
            "seat,spades,hearts,diamonds,clubs\n".to_owned()
                + &lines(t, o, |s, h| format!("{},{}", NAMES[s], h.join(",")))
        }),
        table("tabs", WEST, |t, o| {
            format!(
                "board\t{}\n{}\t{}\n",
                o.map(|seat| SMALL[seat]).join("\t"),
                t.number,
                each(t, o, "\t", |_, h| dots(h))
            )
        }),
        table("tabs without a board", WEST, |t, o| {
            format!(
                "{}\n{}\n",
                o.map(|seat| NAMES[seat]).join("\t"),
                each(t, o, "\t", |_, h| dots(h))
            )
        }),
        table("columns of words", WEST, |t, o| {
            format!(
                "{}\n{}\n",
                o.map(|seat| NAMES[seat]).join(" "),
                each(t, o, " ", |_, h| dots(h))
            )
        }),
    ]
}

pub fn objects() -> Vec<Form> {
    vec![
        free("JSON", |t, o| {
            format!(
                "{{\"board\": {}, \"dealer\": \"{}\", \"vulnerable\": \"{}\", {}}}\n",
                t.number,
                letter(t.dealer),
                PBN_SIDES[t.sides],
                each(t, o, ", ", |s, h| format!(
                    "\"{}\": \"{}\"",
                    SMALL[s],
                    dots(h)
                ))
            )
        }),
        free("compact JSON", |t, o| {
            format!(
                "{{\"board\":{},\"dealer\":\"{}\",{}}}\n",
                t.number,
                letter(t.dealer),
                each(t, o, ",", |s, h| format!(
                    "\"{}\":\"{}\"",
                    SMALL[s],
                    dots(h)
                ))
            )
        }),
        from_west(free("compact JSON from West", |t, o| {
            format!(
                "{{{}}}\n",
                each(t, o, ",", |s, h| format!(
                    "\"{}\":\"{}\"",
                    SMALL[s],
                    dots(h)
                ))
            )
        })),
        free("JSON over lines", |t, o| {
            format!(
                "{{\n  \"board\": {},\n  \"dealer\": \"{}\",\n{}\n}}\n",
                t.number,
                NAMES[t.dealer],
                each(t, o, ",\n", |s, h| format!(
                    "  \"{}\": \"{}\"",
                    SMALL[s],
                    dots(h)
                ))
            )
        }),
        free("nested JSON", |t, o| {
            let suits = |h: &[String; 4]| {
                [0, 1, 2, 3]
                    .map(|suit| format!("   \"{}\": \"{}\"", FIELDS[suit], h[suit]))
                    .join(",\n")
            };
            format!(
                "{{\n \"board\": {},\n \"hands\": {{\n{}\n }}\n}}\n",
                t.number,
                each(t, o, ",\n", |s, h| format!(
                    "  \"{}\": {{\n{}\n  }}",
                    NAMES[s],
                    suits(h)
                ))
            )
        }),
        from_west(free("JSON with letters", |t, o| {
            format!(
                "{{{}}}\n",
                each(t, o, ", ", |s, h| format!(
                    "\"{}\": \"{}\"",
                    letter(s),
                    letters(h)
                ))
            )
        })),
        free("YAML", |t, o| {
            let suits = |h: &[String; 4]| {
                signed(
                    h,
                    ["  spades: ", "  hearts: ", "  diamonds: ", "  clubs: "],
                    "",
                    "\n",
                )
            };
            format!("board: {}\ndealer: {}\n", t.number, letter(t.dealer))
                + &lines(t, o, |s, h| format!("{}:\n{}", SMALL[s], suits(h)))
        }),
        free("a dictionary of Python", |t, o| {
            format!(
                "{{{}}}\n",
                each(t, o, ", ", |s, h| format!("'{}': '{}'", letter(s), dots(h)))
            )
        }),
    ]
}

pub fn marked_up() -> Vec<Form> {
    vec![
        table("HTML", [0, 1, 2, 3], |t, o| {
            format!(
                "<table><tr>{}</tr><tr>{}</tr></table>\n",
                o.map(|seat| format!("<th>{}", NAMES[seat])).concat(),
                each(t, o, "", |_, h| format!("<td>{}</td>", dots(h)))
            )
        }),
        free("HTML in rows", |t, o| {
            let cells = |h: &[String; 4]| {
                [0, 1, 2, 3]
                    .map(|suit| format!("<td>{}{}</td>", SIGNS[suit], ten(&h[suit])))
                    .concat()
            };
            format!(
                "<table>{}</table>\n",
                each(t, o, "\n", |s, h| format!(
                    "<tr><td>{}</td>{}</tr>",
                    NAMES[s],
                    cells(h)
                ))
            )
        }),
        free("HTML in paragraphs", |t, o| {
            let suits = |h: &[String; 4]| {
                signed(
                    h,
                    ["&spades;", "&hearts;", "&diams;", "&clubs;"],
                    "",
                    "<br>",
                )
            };
            each(t, o, "", |s, h| {
                format!("<p><b>{}</b><br>{}</p>", NAMES[s], suits(h))
            }) + "\n"
        }),
        free("HTML over lines", |t, o| {
            let suits = |h: &[String; 4]| {
                signed(
                    h,
                    ["&spades;", "&hearts;", "&diams;", "&clubs;"],
                    "",
                    "<br>\n",
                )
            };
            format!("<h3>Board {}</h3>\n", t.number)
                + &lines(t, o, |s, h| {
                    format!("<p><b>{}</b><br>\n{}</p>", NAMES[s], suits(h))
                })
        }),
        free("XML of suits", |t, o| {
            let suits = |h: &[String; 4]| {
                format!(
                    "<s>{}</s><h>{}</h><d>{}</d><c>{}</c>",
                    h[0], h[1], h[2], h[3]
                )
            };
            format!(
                "<deal board='{}'>{}</deal>\n",
                t.number,
                each(t, o, "", |s, h| format!(
                    "<hand seat='{}'>{}</hand>",
                    letter(s),
                    suits(h)
                ))
            )
        }),
        free("XML of attributes", |t, o| {
            format!(
                "<board number=\"{}\" {}/>\n",
                t.number,
                each(t, o, " ", |s, h| format!("{}=\"{}\"", SMALL[s], dots(h)))
            )
        }),
        free("XML of names", |t, o| {
            format!(
                "<Board>\n{}</Board>\n",
                lines(t, o, |s, h| format!("<{0}>{1}</{0}>", NAMES[s], dots(h)))
            )
        }),
        free("bold in Markdown", |t, o| {
            lines(t, o, |s, h| format!("**{}** {}  ", NAMES[s], signs(h)))
        }),
        free("bold in a forum", |t, o| {
            lines(t, o, |s, h| format!("[b]{}[/b]: {}", NAMES[s], signs(h)))
        }),
    ]
}
