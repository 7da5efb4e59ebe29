//! Tables, objects and markup.

use super::*;

const TABLES: &str = r#"
Markdown ~ West table ~ | Board | @names |\n|---|---|---|---|---|\n| @number | @hands |\n ~  |  ~ @hand ~ dots
Markdown with facts ~ West table ~ | Board | Dealer | Vul | @names |\n|---|---|---|---|---|---|---|\n| @number | @letter | @pbn | @hands |\n ~  |  ~ @hand ~ signs
Markdown in rows ~ table ~ | Hand | ♠ | ♥ | ♦ | ♣ |\n|---|---|---|---|---|\n@hands\n ~ \n ~ | @name | @hand | ~ @s | @h | @d | @c
Markdown in columns
CSV ~ table ~ board,@smalls\n@number,@hands\n ~ , ~ @hand ~ dots
CSV with facts ~ West table ~ board,dealer,vul,@smalls,comment\n@number,@letter,@pbn,@hands,good\n ~ , ~ @hand ~ dots
CSV with semicolons ~ West table ~ @names\n@hands\n ~ ; ~ @hand ~ dots
CSV with quotes ~ West table ~ "Board","@names"\n"@number","@hands"\n ~ "," ~ @hand ~ dots
CSV in rows ~ table ~ seat,hand\n@hands\n ~ \n ~ @name,@hand ~ dots
CSV of suits ~ table ~ seat,spades,hearts,diamonds,clubs\n@hands\n ~ \n ~ @name,@hand ~ @spades,@hearts,@diamonds,@clubs
tabs ~ West table ~ board\t@smalls\n@number\t@hands\n ~ \t ~ @hand ~ dots
tabs without a board ~ West table ~ @names\n@hands\n ~ \t ~ @hand ~ dots
columns of words ~ West table ~ @names\n@hands\n ~   ~ @hand ~ dots
"#;

pub fn tables() -> Vec<Form> {
    rows(TABLES, |name| {
        let form = Form::new(name, |t, o| {
            let names = o.map(|seat| NAMES[seat]).join(" | ");
            let row = |suit: usize| {
                let cells = each(t, o, " | ", |_, h| or_dash(&h[suit]).to_owned());
                format!("| {} | {cells} |\n", SIGNS[suit])
            };
            let rows = [0, 1, 2, 3].map(row).concat();
            format!("| | {names} |\n|---|---|---|---|---|\n{rows}")
        });
        form.from(3).table()
    })
}

const OBJECTS: &str = r#"
JSON ~ - ~ {"board": @number, "dealer": "@letter", "vulnerable": "@pbn", @hands}\n ~ ,  ~ "@small": "@hand" ~ dots
compact JSON ~ - ~ {"board":@number,"dealer":"@letter",@hands}\n ~ , ~ "@small":"@hand" ~ dots
compact JSON from West ~ West ~ {@hands}\n ~ , ~ "@small":"@hand" ~ dots
JSON over lines ~ - ~ {\n  "board": @number,\n  "dealer": "@dealer",\n@hands\n}\n ~ ,\n ~   "@small": "@hand" ~ dots
nested JSON ~ - ~ {\n "board": @number,\n "hands": {\n@hands\n }\n}\n ~ ,\n ~   "@name": {\n@hand\n  } ~    "spades": "@spades",\n   "hearts": "@hearts",\n   "diamonds": "@diamonds",\n   "clubs": "@clubs"
JSON with letters ~ West ~ {@hands}\n ~ ,  ~ "@seat": "@hand" ~ letters
YAML ~ - ~ board: @number\ndealer: @letter\n@hands\n ~ \n ~ @small:\n@hand ~   spades: @s\n  hearts: @h\n  diamonds: @d\n  clubs: @c
a dictionary of Python ~ - ~ {@hands}\n ~ ,  ~ '@seat': '@hand' ~ dots
"#;

pub fn objects() -> Vec<Form> {
    rows(OBJECTS, |name| panic!("{name}"))
}

const MARKED_UP: &str = r#"
HTML
HTML in rows ~ - ~ <table>@hands</table>\n ~ \n ~ <tr><td>@name</td>@hand</tr> ~ tens of <td>♠@s</td><td>♥@h</td><td>♦@d</td><td>♣@c</td>
HTML in paragraphs ~ - ~ @hands\n ~  ~ <p><b>@name</b><br>@hand</p> ~ &spades;@s<br>&hearts;@h<br>&diams;@d<br>&clubs;@c
HTML over lines ~ - ~ <h3>Board @number</h3>\n@hands\n ~ \n ~ <p><b>@name</b><br>\n@hand</p> ~ &spades;@s<br>\n&hearts;@h<br>\n&diams;@d<br>\n&clubs;@c
XML of suits ~ - ~ <deal board='@number'>@hands</deal>\n ~  ~ <hand seat='@seat'>@hand</hand> ~ <s>@spades</s><h>@hearts</h><d>@diamonds</d><c>@clubs</c>
XML of attributes ~ - ~ <board number="@number" @hands/>\n ~   ~ @small="@hand" ~ dots
XML of names ~ - ~ <Board>\n@hands\n</Board>\n ~ \n ~ <@name>@hand</@name> ~ dots
bold in Markdown ~ - ~ **@name** @hand   ~ signs
bold in a forum ~ - ~ [b]@name[/b]: @hand ~ signs
"#;

pub fn marked_up() -> Vec<Form> {
    rows(MARKED_UP, |name| {
        let form = Form::new(name, |t, o| {
            let names = o.map(|seat| format!("<th>{}", NAMES[seat])).concat();
            let hands = each(t, o, "", |_, h| format!("<td>{}</td>", dots(h)));
            format!("<table><tr>{names}</tr><tr>{hands}</tr></table>\n")
        });
        form.table()
    })
}
