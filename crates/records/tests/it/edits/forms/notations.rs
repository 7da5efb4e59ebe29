//! Formats with a grammar.

use super::*;

const NOTATIONS: &str = r#"
PBN ~ turned ~ [Board "@number"]\n[Dealer "@letter"]\n[Vulnerable "@pbn"]\n[Deal "@first:@hands"]\n ~   ~ @hand ~ dots
PBN's deal ~ turned ~ @first:@hands\n ~   ~ @hand ~ dots
PBN's deal under a head ~ one turned ~ @first:@hands\n ~   ~ @hand ~ dots
position ~ turned ~ NT W @first:@hands\n ~   ~ @hand ~ dots
LIN
LIN of a table ~ fixed South ~ qx|o@number|pn|Ann,Bob,Cy,Di|md|@nth@hands|sv|@lin|mb|p|mb|1N|mb|p|mb|p|mb|p|pg||\n ~ , ~ @hand ~ lin
RBN
a line of RBN ~ turned ~ H @first:@hands\n ~ : ~ @hand ~ dots
a forum's diagram ~ link ~ [hv=pc=n&@hands&d=@letter&v=@lin&b=@number]399|300[/hv]\n ~ & ~ @little=@hand ~ small lin
a link ~ link ~ http://www.bridgebase.com/tools/handviewer.html?@hands&d=@letter&v=@lin\n ~ & ~ @little=@hand ~ small lin
a link with LIN ~ fixed South ~ https://www.bridgebase.com/tools/handviewer.html?lin=md|@nth@hands|sv|@lin|ah|Board @number|\n ~ , ~ @hand ~ lin
GIB ~ fixed West ~ @hands:65658888888843433232\n ~   ~ @hand ~ dots
USEBIO ~ numbered ~ <?xml version="1.0"?>\n<USEBIO Version="1.1">\n<EVENT EVENT_TYPE="PAIRS">\n<HANDSET>\n<BOARD>\n<BOARD_NUMBER>@number</BOARD_NUMBER>\n@hands</BOARD>\n</HANDSET>\n</EVENT>\n</USEBIO>\n ~  ~ <HAND>\n<DIRECTION>@name</DIRECTION>\n@hand</HAND>\n ~ <SPADES>@spades</SPADES>\n<HEARTS>@hearts</HEARTS>\n<DIAMONDS>@diamonds</DIAMONDS>\n<CLUBS>@clubs</CLUBS>\n
DDS list
DUP, numbers alone
DUP
"#;

/// The numbers of the cards of North, East and South, from the ace of spades on.
fn card_numbers(t: &Told) -> String {
    let numbers = |hand: &[String; 4]| {
        let of_suit = |(suit, cards): (usize, &String)| {
            let number = move |c| format!("{:02}", 13 * suit + RANKS.find(c).expect("a rank") + 1);
            cards.chars().map(number).collect::<String>()
        };
        hand.iter().enumerate().map(of_suit).collect::<String>()
    };
    t.hands[..3].iter().map(numbers).collect()
}

pub fn notations() -> Vec<Form> {
    rows(NOTATIONS, |name| match name {
        "LIN" => Form::new(name, |t, o| {
            let [south, west, north, _] = o.map(|seat| lin(&t.hands[seat]));
            let template = format!("md|@nth{south},{west},{north},|sv|@lin|ah|Board @number|\n");
            filled(&template, |key| t.fact(key))
        })
        .fixed()
        .from(2),
        "RBN" => Form::new(name, |t, o| {
            let sides = ["Z", "N", "E", "B"][t.sides];
            let (first, dealer) = (letter(o[0]), letter(t.dealer));
            let hands = each(t, o, ":", |_, h| dots(h));
            let number = t.number;
            format!("B {number}\nH {first}:{hands}\nA {dealer}{sides}:PPPP\n")
        })
        .turned(),
        "DDS list" => Form::new(name, |t, o| {
            let (dealer, sides) = (t.dealer, [0, 2, 3, 1][t.sides]);
            let (first, hands) = (letter(o[0]), each(t, o, " ", |_, h| dots(h)));
            format!("NUMBER 1\nPBN {dealer} {sides} 4 0 \"{first}:{hands}\"\n")
        })
        .turned(),
        "DUP, numbers alone" => Form::new(name, |t, _| card_numbers(t) + "\n")
            .fixed()
            .numbered(),
        _ => Form::new(name, |t, o| {
            let signs = "\u{6}@spades\u{3}@hearts\u{4}@diamonds\u{5}@clubs";
            let signs = each(t, o, "", |_, h| suited(signs, h));
            format!("{}{signs}YN{n:<3}0 {n:<3}", card_numbers(t), n = t.number)
        })
        .fixed()
        .numbered(),
    })
}
