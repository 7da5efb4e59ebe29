//! A hand after its name, and hands without names.

use super::*;

const NAMED: &str = r"
lines with dots ~ - ~ @name: @hand ~ dots
lines with dots and a head ~ lines ~ @name: @hand ~ dots
lines with signs ~ West ~ @name @hand ~ signs
lines with signs and a head ~ one West ~ @name @hand ~ signs
lines with tight signs ~ - ~ @seat: @hand ~ ♠@s♥@h♦@d♣@c
lines with letters ~ - ~ @seat @hand ~ letters
lines with letters apart ~ - ~ @name: @hand ~ S @s H @h D @d C @c
lines with colons ~ - ~ (@seat) @hand ~ S:@s H:@h D:@d C:@c
lines with words ~ - ~ @name - @hand ~ Spades @s, Hearts @h, Diamonds @d, Clubs @c
lines with tens ~ - ~ @name: @hand ~ tens of signs
lines with spaced cards ~ - ~ @name: @hand ~ spaced of ♠ @s ♥ @h ♦ @d ♣ @c
lines with commas ~ - ~ @name: @hand ~ commas of signs
lines with players ~ - ~ @name (Player @nth): @hand ~ signs
lines with bullets ~ - ~ * @name: @hand ~ dots
lines in a mail ~ colons quoted ~ @name: @hand ~ signs
lines with exclamation marks ~ - ~ @name: @hand ~ !s@s !h@h !d@d !c@c
lines with emoji ~ - ~ @name: @hand ~ ♠️@s ♥️@h ♦️@d ♣️@c
lines with LaTeX ~ - ~ @name: @hand ~ \spadesuit @s \heartsuit @h \diamondsuit @d \clubsuit @c
lines with tabs ~ - ~ @name\t@hand ~ @s\t@h\t@d\t@c
one line with names ~ - ~ @hands\n ~   ~ @seat:@hand ~ dots
one line with semicolons ~ West ~ @hands\n ~ ;  ~ @name @hand ~ signs
two hands on a line
Chinese brackets ~ - ~ 【@seat】@hand ~ signs
three hands ~ three ~ @name: @hand ~ dots
headed hands ~ - ~ @name\n@hand ~ dots
suits under names ~ - ~ @name\n@hand\n ~ S: @s\nH: @h\nD: @d\nC: @c
suits under names, in words ~ lines ~ @name\n@hand ~ Spades @s\nHearts @h\nDiamonds @d\nClubs @c
signs under names ~ - ~ @name:\n@hand ~ ♠ @s\n♥ @h\n♦ @d\n♣ @c
";

pub fn named_lines() -> Vec<Form> {
    rows(NAMED, |name| {
        Form::new(name, |t, o| {
            let one = |seat: usize| format!("{} {}", NAMES[seat], suited("signs", &t.hands[seat]));
            let [a, b, c, d] = o.map(one);
            format!("{a}, {b}\n{c}, {d}\n")
        })
    })
}

const OF_LANGUAGES: &str = r"
German lines ~ - ~ @german: @hand ~ AKDB of signs
French lines ~ - ~ @french: @hand ~ ARDV of tens of signs
Dutch lines ~ - ~ @dutch: @hand ~ AHVB of signs
Spanish lines ~ - ~ @spanish: @hand ~ ARDJ of signs
French hands in a line ~ fixed ~ @hands\n ~   ~ @hand ~ ARDV of dots
";

pub fn languages() -> Vec<Form> {
    rows(OF_LANGUAGES, |name| panic!("{name}"))
}

const NAMELESS: &str = r#"
four hands in a line ~ fixed ~ @hands\n ~   ~ @hand ~ dots
four hands in a list ~ fixed ~ [@hands]\n ~ ,  ~ '@hand' ~ dots
four hands in JSON ~ fixed ~ [@hands]\n ~ , ~ "@hand" ~ dots
four hands in JSON over lines ~ fixed ~ [\n@hands\n]\n ~ ,\n ~   "@hand" ~ dots
four hands in YAML ~ fixed ~ hands:\n@hands\n ~ \n ~   - @hand ~ dots
four lines ~ fixed ~ @hand ~ dots
four lines of signs ~ fixed ~ @hand ~ signs
four bullets ~ fixed ~ - @hand ~ dots
four numbers ~ fixed ~ @nth) @hand ~ dots
four items in HTML ~ fixed ~ <li>@hand</li> ~ dots
"#;

pub fn without_names() -> Vec<Form> {
    rows(NAMELESS, |name| panic!("{name}"))
}
