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
const LETTERS: [&str; 4] = ["S", "H", "D", "C"];
const WORDS: [&str; 4] = ["Spades", "Hearts", "Diamonds", "Clubs"];
const FRENCH: [&str; 4] = ["Nord", "Est", "Sud", "Ouest"];
const GERMAN: [&str; 4] = ["Nord", "Ost", "Süd", "West"];
const DUTCH: [&str; 4] = ["Noord", "Oost", "Zuid", "West"];
const SPANISH: [&str; 4] = ["Norte", "Este", "Sur", "Oeste"];
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

/// The text of a deal with its hands in this order.
type Write = dyn Fn(&Told, [usize; 4]) -> String;

pub struct Form {
    pub name: &'static str,
    pub order: Order,
    /// True if the names of facts are in a line above their values.
    pub is_table: bool,
    /// True if dealer and sides follow from the number of the board.
    pub is_numbered: bool,
    /// The usual order of the seats.
    pub usual: [usize; 4],
    pub write: Box<Write>,
}

impl Form {
    /// A form in which each hand has its name.
    fn new(name: &'static str, write: impl Fn(&Told, [usize; 4]) -> String + 'static) -> Form {
        Form {
            name,
            order: Order::Free,
            is_table: false,
            is_numbered: false,
            usual: [0, 1, 2, 3],
            write: Box::new(write),
        }
    }

    /// No seat is named.
    fn fixed(self) -> Form {
        let order = Order::Fixed;
        Form { order, ..self }
    }

    /// The hands come clockwise from a named seat.
    fn turned(self) -> Form {
        let order = Order::Turned;
        Form { order, ..self }
    }

    fn table(self) -> Form {
        let is_table = true;
        Form { is_table, ..self }
    }

    fn numbered(self) -> Form {
        let is_numbered = true;
        Form {
            is_numbered,
            ..self
        }
    }

    /// The hands come clockwise from this seat, usually.
    fn from(self, first: usize) -> Form {
        let usual = [0, 1, 2, 3].map(|at| (first + at) % 4);
        Form { usual, ..self }
    }

    /// The text after a change.
    fn changed(self, change: impl Fn(&Told, String) -> String + 'static) -> Form {
        let write = self.write;
        Form {
            write: Box::new(move |told, order| change(told, write(told, order))),
            ..self
        }
    }

    /// The text below a head with facts.
    fn under(self, head: &'static str) -> Form {
        self.changed(|told, text| filled(head, |key| told.fact(key)) + &text)
    }

    /// The text after the quote marks of a mail.
    fn quoted(self) -> Form {
        self.changed(|_, text| text.lines().map(|line| format!("> {line}\n")).collect())
    }
}

/// Heads with facts.
const LINES: &str = "Board @number\nDealer @dealer\n@sides vul\n";
const IN_ONE: &str = "Board @number. Dealer @dealer. @sides Vul.\n";
const COLONS: &str = "Board: @number   Dealer: @letter   Vul: @pbn\n";

impl Told {
    /// A fact by its name in a template.
    fn fact(&self, key: &str) -> String {
        match key {
            "number" => self.number.to_string(),
            "dealer" => NAMES[self.dealer].to_owned(),
            "letter" => letter(self.dealer).to_owned(),
            "french" => FRENCH[self.dealer].to_owned(),
            "german" => GERMAN[self.dealer].to_owned(),
            "sides" => SIDES[self.sides].to_owned(),
            "pbn" => PBN_SIDES[self.sides].to_owned(),
            "lin" => ["o", "n", "e", "b"][self.sides].to_owned(),
            // LIN counts the seats from South.
            "nth" => ((self.dealer + 2) % 4 + 1).to_string(),
            other => panic!("no fact {other}"),
        }
    }
}

/// A template with a value for each of its keys: the letters after an `@`.
fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase());
        let (key, rest) = part.split_at(end.unwrap_or(part.len()));
        text += &value(key);
        text += rest;
    }
    text
}

/// A form by templates: for a hand, with its name and the hand, and for the text, with facts and
/// with the hands or the names of the seats, which have `between` between them.
fn written(
    name: &'static str,
    template: String,
    between: String,
    of_hand: String,
    suits: String,
) -> Form {
    Form::new(name, move |told, order| {
        let one = |seat: usize| {
            filled(&of_hand, |key| match key {
                "name" => NAMES[seat].to_owned(),
                "small" => NAMES[seat].to_lowercase(),
                "seat" => letter(seat).to_owned(),
                "little" => letter(seat).to_lowercase(),
                "nth" => (seat + 1).to_string(),
                "french" => FRENCH[seat].to_owned(),
                "german" => GERMAN[seat].to_owned(),
                "dutch" => DUTCH[seat].to_owned(),
                "spanish" => SPANISH[seat].to_owned(),
                "hand" => suited(&suits, &told.hands[seat]),
                other => panic!("no key {other}"),
            })
        };
        filled(&template, |key| match key {
            "hands" => order.map(one).join(&between),
            "names" => order.map(|seat| NAMES[seat]).join(&between),
            "smalls" => order.map(|seat| NAMES[seat].to_lowercase()).join(&between),
            "first" => letter(order[0]).to_owned(),
            fact => told.fact(fact),
        })
    })
}

/// Forms by a table: the name, words about the form, the templates of [`written`], and that of the
/// suits of a hand; without the first two templates each hand has a line. A form of a name alone is
/// `other`.
fn rows(table: &'static str, other: impl Fn(&'static str) -> Form) -> Vec<Form> {
    let form = |row: &'static str| {
        let columns: Vec<&str> = row.split(" ~ ").collect();
        let (name, about, templates) = match columns[..] {
            [name] => return other(name),
            [name, about, of_hand, suits] => (name, about, ["@hands\n", "\n", of_hand, suits]),
            [name, about, a, b, c, d] => (name, about, [a, b, c, d]),
            _ => panic!("{row}"),
        };
        let read = |text: &str| text.replace(r"\n", "\n").replace(r"\t", "\t");
        let [template, between, of_hand, suits] = templates.map(read);
        let form = written(name, template, between, of_hand, suits);
        about.split(' ').fold(form, |form, word| match word {
            "-" => form,
            "fixed" => form.fixed(),
            "turned" => form.turned(),
            "table" => form.table(),
            "numbered" => form.numbered(),
            "South" => form.from(2),
            "West" => form.from(3),
            "lines" => form.under(LINES),
            "one" => form.under(IN_ONE),
            "colons" => form.under(COLONS),
            "quoted" => form.quoted(),
            "three" => form.changed(|_, text| text.split_inclusive('\n').take(3).collect()),
            // A link has its dealer in small letters, and a zero for nobody.
            "link" => form.changed(|_, text| {
                let (link, facts) = text.split_once("&d=").expect("a dealer");
                format!("{link}&d={}", facts.to_lowercase().replace("v=o", "v=0"))
            }),
            other => panic!("{other}"),
        })
    };
    table.trim_matches('\n').lines().map(form).collect()
}

/// The suits of a hand by a template, after the names of changes of its cards: `@s` is a dash for a
/// void, `@spades` nothing.
fn suited(template: &str, hand: &[String; 4]) -> String {
    if let Some((change, template)) = template.split_once(" of ") {
        let hand = match change {
            "tens" => mapped(hand, ten),
            "spaced" => mapped(hand, spaced),
            "commas" => mapped(hand, |cards| spaced(cards).replace(' ', ",")),
            honours => of_language(hand, honours),
        };
        return suited(template, &hand);
    }
    let template = match template {
        "letters" => return letters(hand),
        "lin" => return lin(hand),
        "small lin" => return lin(hand).to_lowercase(),
        "dots" => return dots(hand),
        "signs" => "♠@s ♥@h ♦@d ♣@c",
        template => template,
    };
    filled(template, |key| {
        let cards = &hand["shdc".find(&key[..1]).expect("a suit")];
        let cards = if key.len() == 1 {
            or_dash(cards)
        } else {
            cards
        };
        cards.to_owned()
    })
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

fn letters(hand: &[String; 4]) -> String {
    let suits = LETTERS.iter().zip(hand);
    let suits = suits.filter(|(_, cards)| !cards.is_empty());
    suits
        .map(|(suit, cards)| format!("{suit}{cards}"))
        .collect()
}

/// All suits with letters, voids too, as in LIN.
fn lin(hand: &[String; 4]) -> String {
    let suits = LETTERS.iter().zip(hand);
    suits
        .map(|(suit, cards)| format!("{suit}{cards}"))
        .collect()
}

/// The cards with these letters for the honours.
fn of_language(hand: &[String; 4], honours: &str) -> [String; 4] {
    let card = |c: char| match "AKQJ".find(c) {
        Some(at) => honours[at..=at].to_owned(),
        None => c.to_string(),
    };
    mapped(hand, |cards| cards.chars().map(card).collect())
}

fn french(hand: &[String; 4]) -> [String; 4] {
    of_language(hand, "ARDV")
}

fn mapped(hand: &[String; 4], map: impl Fn(&str) -> String) -> [String; 4] {
    hand.each_ref().map(|cards| map(cards))
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

/// The rows of a diagram: the first hand, the fourth beside the second, the third.
fn diagram(
    rows: [[String; 4]; 4],
    pad: usize,
    names: Option<[&str; 4]>,
    middle: [&str; 4],
) -> String {
    let [north, east, south, west] = rows;
    let names = names.unwrap_or_default();
    let two = |left: &str, right: &str| format!("{left:width$}{right}", width = 2 * pad);
    let alone = |name: &str, rows: [String; 4]| {
        let lines = [name].into_iter().chain(rows.iter().map(|row| &**row));
        lines
            .map(|line| format!("{:pad$}{line}", ""))
            .collect::<Vec<_>>()
    };
    let beside = (0..4).map(|row| two(&format!("{:pad$}{}", west[row], middle[row]), &east[row]));
    let lines = alone(names[0], north).into_iter();
    let lines = lines.chain([two(names[3], names[1])]).chain(beside);
    let lines = lines.chain(alone(names[2], south));
    let lines = lines.map(|line| line.trim_end().to_owned() + "\n");
    // Without names their lines are empty.
    lines.filter(|line| line != "\n").collect()
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

/// A diagram with the hands after a change, each suit after its sign, and with names of the seats.
fn drawn(
    name: &'static str,
    hand: fn(&[String; 4]) -> [String; 4],
    sign: &'static str,
    pad: usize,
    names: Option<[&'static str; 4]>,
) -> Form {
    let form = Form::new(name, move |told, order| {
        let hands = told.hands.each_ref().map(hand);
        let names = names.map(|names| order.map(|seat| names[seat]));
        diagram(slots(&hands, order, sign), pad, names, [""; 4])
    });
    match names {
        Some(_) => form,
        None => form.fixed(),
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
