//! Tables, objects and markup.

use super::*;

pub fn tables() -> Vec<Form> {
    let forms = [
        written(
            "Markdown",
            "| Board | @names |\n|---|---|---|---|---|\n| @number | @hands |\n",
            " | ",
            "@hand",
            dots,
        )
        .from(3),
        written(
            "Markdown with facts",
            "| Board | Dealer | Vul | @names |\n|---|---|---|---|---|---|---|\n\
             | @number | @letter | @pbn | @hands |\n",
            " | ",
            "@hand",
            signs,
        )
        .from(3),
        written(
            "Markdown in rows",
            "| Hand | ♠ | ♥ | ♦ | ♣ |\n|---|---|---|---|---|\n@hands\n",
            "\n",
            "| @name | @hand |",
            |h| signed(h, [""; 4], "", " | "),
        ),
        Form::new("Markdown in columns", |t, o| {
            let names = o.map(|seat| NAMES[seat]).join(" | ");
            let row = |suit: usize| {
                let cells = each(t, o, " | ", |_, h| or_dash(&h[suit]).to_owned());
                format!("| {} | {cells} |\n", SIGNS[suit])
            };
            let rows = [0, 1, 2, 3].map(row).concat();
            format!("| | {names} |\n|---|---|---|---|---|\n{rows}")
        })
        .from(3),
        written("CSV", "board,@smalls\n@number,@hands\n", ",", "@hand", dots),
        written(
            "CSV with facts",
            "board,dealer,vul,@smalls,comment\n@number,@letter,@pbn,@hands,good\n",
            ",",
            "@hand",
            dots,
        )
        .from(3),
        written(
            "CSV with semicolons",
            "@names\n@hands\n",
            ";",
            "@hand",
            dots,
        )
        .from(3),
        written(
            "CSV with quotes",
            "\"Board\",\"@names\"\n\"@number\",\"@hands\"\n",
            "\",\"",
            "@hand",
            dots,
        )
        .from(3),
        written(
            "CSV in rows",
            "seat,hand\n@hands\n",
            "\n",
            "@name,@hand",
            dots,
        ),
        written(
            "CSV of suits",
            "seat,spades,hearts,diamonds,clubs\n@hands\n",
            "\n",
            "@name,@hand",
            |h| h.join(","),
        ),
        written(
            "tabs",
            "board\t@smalls\n@number\t@hands\n",
            "\t",
            "@hand",
            dots,
        )
        .from(3),
        written(
            "tabs without a board",
            "@names\n@hands\n",
            "\t",
            "@hand",
            dots,
        )
        .from(3),
        written("columns of words", "@names\n@hands\n", " ", "@hand", dots).from(3),
    ];
    forms.map(Form::table).into()
}

pub fn objects() -> Vec<Form> {
    vec![
        written(
            "JSON",
            "{\"board\": @number, \"dealer\": \"@letter\", \"vulnerable\": \"@pbn\", @hands}\n",
            ", ",
            "\"@small\": \"@hand\"",
            dots,
        ),
        written(
            "compact JSON",
            "{\"board\":@number,\"dealer\":\"@letter\",@hands}\n",
            ",",
            "\"@small\":\"@hand\"",
            dots,
        ),
        written(
            "compact JSON from West",
            "{@hands}\n",
            ",",
            "\"@small\":\"@hand\"",
            dots,
        )
        .from(3),
        written(
            "JSON over lines",
            "{\n  \"board\": @number,\n  \"dealer\": \"@dealer\",\n@hands\n}\n",
            ",\n",
            "  \"@small\": \"@hand\"",
            dots,
        ),
        written(
            "nested JSON",
            "{\n \"board\": @number,\n \"hands\": {\n@hands\n }\n}\n",
            ",\n",
            "  \"@name\": {\n@hand\n  }",
            |h| {
                let suit =
                    |suit: usize| format!("   \"{}\": \"{}\"", WORDS[suit].to_lowercase(), h[suit]);
                [0, 1, 2, 3].map(suit).join(",\n")
            },
        ),
        written(
            "JSON with letters",
            "{@hands}\n",
            ", ",
            "\"@seat\": \"@hand\"",
            letters,
        )
        .from(3),
        lines("YAML", "@small:\n@hand", |h| {
            let fields = ["  spades: ", "  hearts: ", "  diamonds: ", "  clubs: "];
            signed(h, fields, "", "\n")
        })
        .under("board: @number\ndealer: @letter\n"),
        written(
            "a dictionary of Python",
            "{@hands}\n",
            ", ",
            "'@seat': '@hand'",
            dots,
        ),
    ]
}

/// The suits after their names in HTML.
fn entities(hand: &[String; 4], after: &str) -> String {
    let signs = ["&spades;", "&hearts;", "&diams;", "&clubs;"];
    signed(hand, signs, "", after)
}

pub fn marked_up() -> Vec<Form> {
    vec![
        Form::new("HTML", |t, o| {
            let names = o.map(|seat| format!("<th>{}", NAMES[seat])).concat();
            let hands = each(t, o, "", |_, h| format!("<td>{}</td>", dots(h)));
            format!("<table><tr>{names}</tr><tr>{hands}</tr></table>\n")
        })
        .table(),
        written(
            "HTML in rows",
            "<table>@hands</table>\n",
            "\n",
            "<tr><td>@name</td>@hand</tr>",
            |h| {
                let cell = |suit: usize| format!("<td>{}{}</td>", SIGNS[suit], ten(&h[suit]));
                [0, 1, 2, 3].map(cell).concat()
            },
        ),
        written(
            "HTML in paragraphs",
            "@hands\n",
            "",
            "<p><b>@name</b><br>@hand</p>",
            |h| entities(h, "<br>"),
        ),
        lines("HTML over lines", "<p><b>@name</b><br>\n@hand</p>", |h| {
            entities(h, "<br>\n")
        })
        .under("<h3>Board @number</h3>\n"),
        written(
            "XML of suits",
            "<deal board='@number'>@hands</deal>\n",
            "",
            "<hand seat='@seat'>@hand</hand>",
            |h| {
                let suits = ["s", "h", "d", "c"].iter().zip(h);
                suits
                    .map(|(suit, cards)| format!("<{suit}>{cards}</{suit}>"))
                    .collect()
            },
        ),
        written(
            "XML of attributes",
            "<board number=\"@number\" @hands/>\n",
            " ",
            "@small=\"@hand\"",
            dots,
        ),
        written(
            "XML of names",
            "<Board>\n@hands\n</Board>\n",
            "\n",
            "<@name>@hand</@name>",
            dots,
        ),
        lines("bold in Markdown", "**@name** @hand  ", signs),
        lines("bold in a forum", "[b]@name[/b]: @hand", signs),
    ]
}
