//! A deal in the forms in which people and programs write it.
//!
//! A form is a function from a deal to its text. So it is an oracle, too: a reading of a changed text
//! is right if its form writes that deal as this text.

mod diagrams;
mod lines;
mod notations;
mod tables;

/// The suits, from spades down.
const SIGNS: [&str; 4] = ["♠", "♥", "♦", "♣"];
/// The ranks from the ace down.
pub const RANKS: &str = "AKQJT98765432";
pub const NAMES: [&str; 4] = ["North", "East", "South", "West"];
const SMALL: [&str; 4] = ["north", "east", "south", "west"];
const WORDS: [&str; 4] = ["Spades", "Hearts", "Diamonds", "Clubs"];
const FIELDS: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];
const FRENCH: [&str; 4] = ["Nord", "Est", "Sud", "Ouest"];
const GERMAN: [&str; 4] = ["Nord", "Ost", "Süd", "West"];
const DUTCH: [&str; 4] = ["Noord", "Oost", "Zuid", "West"];
const SPANISH: [&str; 4] = ["Norte", "Este", "Sur", "Oeste"];
const CHINESE: [&str; 4] = ["【N】", "【E】", "【S】", "【W】"];
pub const SIDES: [&str; 4] = ["None", "N-S", "E-W", "Both"];
const PBN_SIDES: [&str; 4] = ["None", "NS", "EW", "All"];

/// Seats from North: 0 to 3. Suits from spades: 0 to 3.
pub type Hands = [[String; 4]; 4];

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub hands: Hands,
    pub number: u32,
    /// The dealer, by seat.
    pub dealer: usize,
    /// Nobody, North and South, East and West, or all.
    pub sides: usize,
}

/// The orders in which a form can write the hands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// No seat is named.
    Fixed,
    /// Clockwise from a named seat.
    Turned,
    /// Each hand has its name.
    Free,
}

pub struct Form {
    pub name: &'static str,
    pub order: Order,
    /// True if the names of facts are in a line above their values.
    pub is_table: bool,
    /// True if dealer and sides follow from the number of the board.
    pub is_numbered: bool,
    /// The usual order of the seats.
    pub usual: [usize; 4],
    pub write: fn(&Told, [usize; 4]) -> String,
}

fn letter(seat: usize) -> &'static str {
    &NAMES[seat][..1]
}

fn dots(hand: &[String; 4]) -> String {
    hand.join(".")
}

fn or_dash(cards: &str) -> &str {
    if cards.is_empty() { "-" } else { cards }
}

fn spaced(cards: &str) -> String {
    let cards: Vec<String> = or_dash(cards).chars().map(String::from).collect();
    cards.join(" ")
}

fn ten(cards: &str) -> String {
    or_dash(cards).replace('T', "10")
}

/// Each suit after its sign, with `between` after the sign and `after` between suits.
fn signed(hand: &[String; 4], signs: [&str; 4], between: &str, after: &str) -> String {
    let suits = signs.iter().zip(hand);
    let suits: Vec<String> = suits
        .map(|(sign, cards)| format!("{sign}{between}{}", or_dash(cards)))
        .collect();
    suits.join(after)
}

fn signs(hand: &[String; 4]) -> String {
    signed(hand, SIGNS, "", " ")
}

fn letters(hand: &[String; 4]) -> String {
    let suits = ["S", "H", "D", "C"].iter().zip(hand);
    let suits = suits.filter(|(_, cards)| !cards.is_empty());
    suits
        .map(|(suit, cards)| format!("{suit}{cards}"))
        .collect()
}

/// All suits with letters, voids too, as in LIN.
fn lin(hand: &[String; 4]) -> String {
    let suits = ["S", "H", "D", "C"].iter().zip(hand);
    suits
        .map(|(suit, cards)| format!("{suit}{cards}"))
        .collect()
}

fn of_language(hand: &[String; 4], honours: [&str; 4]) -> [String; 4] {
    let card = |c: char| match "AKQJ".find(c) {
        Some(at) => honours[at].to_owned(),
        None => c.to_string(),
    };
    [0, 1, 2, 3].map(|suit| hand[suit].chars().map(card).collect())
}

fn mapped(told: &Told, map: impl Fn(&str) -> String) -> Hands {
    told.hands
        .each_ref()
        .map(|hand| hand.each_ref().map(|cards| map(cards)))
}

/// Each hand, joined.
fn each(
    told: &Told,
    order: [usize; 4],
    sep: &str,
    one: impl Fn(usize, &[String; 4]) -> String,
) -> String {
    order.map(|seat| one(seat, &told.hands[seat])).join(sep)
}

fn lines(told: &Told, order: [usize; 4], one: impl Fn(usize, &[String; 4]) -> String) -> String {
    each(told, order, "\n", one) + "\n"
}

/// Board, dealer and sides on a line each.
fn head(told: &Told) -> String {
    format!(
        "Board {}\nDealer {}\n{} vul\n",
        told.number, NAMES[told.dealer], SIDES[told.sides]
    )
}

fn head_in_one(told: &Told) -> String {
    format!(
        "Board {}. Dealer {}. {} Vul.\n",
        told.number, NAMES[told.dealer], SIDES[told.sides]
    )
}

fn head_with_colons(told: &Told) -> String {
    format!(
        "Board: {}   Dealer: {}   Vul: {}\n",
        told.number,
        letter(told.dealer),
        PBN_SIDES[told.sides]
    )
}

/// The rows of a diagram: the first hand, the fourth beside the second, the third.
fn diagram(rows: [[String; 4]; 4], pad: usize, names: Option<[&str; 4]>, box_: bool) -> String {
    let mut text = String::new();
    let line = |text: &mut String, cells: &str| {
        text.push_str(cells.trim_end());
        text.push('\n');
    };
    let [north, east, south, west] = rows;
    let blank = " ".repeat(pad);
    if let Some([north, ..]) = names {
        line(&mut text, &format!("{blank}{north}"));
    }
    for row in &north {
        line(&mut text, &format!("{blank}{row}"));
    }
    if let Some(names) = names {
        line(
            &mut text,
            &format!("{:width$}{}", names[3], names[1], width = 2 * pad),
        );
    }
    let middle = if box_ {
        ["    N", "  W   E", "    S", ""]
    } else {
        [""; 4]
    };
    for (row, middle) in middle.iter().enumerate() {
        let left = format!("{:pad$}{middle}", west[row]);
        line(
            &mut text,
            &format!("{left:width$}{}", east[row], width = 2 * pad),
        );
    }
    if let Some([.., south, _]) = names {
        line(&mut text, &format!("{blank}{south}"));
    }
    for row in &south {
        line(&mut text, &format!("{blank}{row}"));
    }
    text
}

/// The hands by slot, each suit after its sign.
fn slots(hands: &Hands, order: [usize; 4], sign: &str) -> [[String; 4]; 4] {
    order.map(|seat| {
        [0, 1, 2, 3].map(|suit| {
            let cards = or_dash(&hands[seat][suit]);
            match sign {
                "ranks" => cards.to_owned(),
                "letter" => format!("{}: {cards}", &WORDS[suit][..1]),
                _ => format!("{}{sign}{cards}", SIGNS[suit]),
            }
        })
    })
}

fn named(names: [&'static str; 4], order: [usize; 4]) -> Option<[&'static str; 4]> {
    Some(order.map(|seat| names[seat]))
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}\n")).collect()
}

fn free(name: &'static str, write: fn(&Told, [usize; 4]) -> String) -> Form {
    Form {
        name,
        order: Order::Free,
        is_table: false,
        is_numbered: false,
        usual: [0, 1, 2, 3],
        write,
    }
}

fn fixed(name: &'static str, write: fn(&Told, [usize; 4]) -> String) -> Form {
    Form {
        order: Order::Fixed,
        ..free(name, write)
    }
}

fn turned(name: &'static str, write: fn(&Told, [usize; 4]) -> String) -> Form {
    Form {
        order: Order::Turned,
        ..free(name, write)
    }
}

fn table(name: &'static str, usual: [usize; 4], write: fn(&Told, [usize; 4]) -> String) -> Form {
    Form {
        is_table: true,
        usual,
        ..free(name, write)
    }
}

fn from_west(form: Form) -> Form {
    Form {
        usual: [3, 0, 1, 2],
        ..form
    }
}

/// All forms.
pub fn all() -> Vec<Form> {
    let groups = [
        diagrams::diagrams(),
        lines::named_lines(),
        lines::languages(),
        lines::without_names(),
        tables::tables(),
        tables::objects(),
        tables::marked_up(),
        notations::notations(),
    ];
    groups.into_iter().flatten().collect()
}
