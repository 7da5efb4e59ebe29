//! Formats with a grammar.

use super::*;

const USEBIO: &str = "<?xml version=\"1.0\"?>\n<USEBIO Version=\"1.1\">\n<EVENT EVENT_TYPE=\"PAIRS\">\n\
    <HANDSET>\n<BOARD>\n<BOARD_NUMBER>@number</BOARD_NUMBER>\n@hands</BOARD>\n</HANDSET>\n</EVENT>\n\
    </USEBIO>\n";

/// The suits as elements of USEBIO.
fn elements(hand: &[String; 4]) -> String {
    let suits = ["SPADES", "HEARTS", "DIAMONDS", "CLUBS"].iter().zip(hand);
    suits
        .map(|(suit, cards)| format!("<{suit}>{cards}</{suit}>\n"))
        .collect()
}

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
    const LINK: &str = "http://www.bridgebase.com/tools/handviewer.html?@hands&d=@letter&v=@lin\n";
    let small = |hand: &[String; 4]| lin(hand).to_lowercase();
    // A link has its dealer in small letters, and a zero for nobody.
    let in_link = |_: &Told, text: String| {
        let (link, facts) = text.split_once("&d=").expect("a dealer");
        format!("{link}&d={}", facts.to_lowercase().replace("v=o", "v=0"))
    };
    vec![
        written(
            "PBN",
            "[Board \"@number\"]\n[Dealer \"@letter\"]\n[Vulnerable \"@pbn\"]\n\
             [Deal \"@first:@hands\"]\n",
            " ",
            "@hand",
            dots,
        )
        .turned(),
        written("PBN's deal", "@first:@hands\n", " ", "@hand", dots).turned(),
        written(
            "PBN's deal under a head",
            "@first:@hands\n",
            " ",
            "@hand",
            dots,
        )
        .under(IN_ONE)
        .turned(),
        written("position", "NT W @first:@hands\n", " ", "@hand", dots).turned(),
        Form::new("LIN", |t, o| {
            let [south, west, north, _] = o.map(|seat| lin(&t.hands[seat]));
            let template = format!("md|@nth{south},{west},{north},|sv|@lin|ah|Board @number|\n");
            filled(&template, |key| t.fact(key))
        })
        .fixed()
        .from(2),
        written(
            "LIN of a table",
            "qx|o@number|pn|Ann,Bob,Cy,Di|md|@nth@hands|sv|@lin|mb|p|mb|1N|mb|p|mb|p|mb|p|pg||\n",
            ",",
            "@hand",
            lin,
        )
        .fixed()
        .from(2),
        Form::new("RBN", |t, o| {
            let sides = ["Z", "N", "E", "B"][t.sides];
            let (first, dealer) = (letter(o[0]), letter(t.dealer));
            let hands = each(t, o, ":", |_, h| dots(h));
            format!(
                "B {}\nH {first}:{hands}\nA {dealer}{sides}:PPPP\n",
                t.number
            )
        })
        .turned(),
        written("a line of RBN", "H @first:@hands\n", ":", "@hand", dots).turned(),
        written(
            "a forum's diagram",
            "[hv=pc=n&@hands&d=@letter&v=@lin&b=@number]399|300[/hv]\n",
            "&",
            "@little=@hand",
            small,
        )
        .changed(in_link),
        written("a link", LINK, "&", "@little=@hand", small).changed(in_link),
        written(
            "a link with LIN",
            "https://www.bridgebase.com/tools/handviewer.html?lin=md|@nth@hands|sv|@lin\
             |ah|Board @number|\n",
            ",",
            "@hand",
            lin,
        )
        .fixed()
        .from(2),
        written("GIB", "@hands:65658888888843433232\n", " ", "@hand", dots)
            .fixed()
            .from(3),
        written(
            "USEBIO",
            USEBIO,
            "",
            "<HAND>\n<DIRECTION>@name</DIRECTION>\n@hand</HAND>\n",
            elements,
        )
        .numbered(),
        Form::new("DDS list", |t, o| {
            let (dealer, sides) = (t.dealer, [0, 2, 3, 1][t.sides]);
            let (first, hands) = (letter(o[0]), each(t, o, " ", |_, h| dots(h)));
            format!("NUMBER 1\nPBN {dealer} {sides} 4 0 \"{first}:{hands}\"\n")
        })
        .turned(),
        Form::new("DUP, numbers alone", |t, _| card_numbers(t) + "\n")
            .fixed()
            .numbered(),
        Form::new("DUP", |t, o| {
            let signs = ["\u{6}", "\u{3}", "\u{4}", "\u{5}"];
            let signs = each(t, o, "", |_, h| signed(h, signs, "", "").replace('-', ""));
            format!("{}{signs}YN{n:<3}0 {n:<3}", card_numbers(t), n = t.number)
        })
        .fixed()
        .numbered(),
    ]
}
