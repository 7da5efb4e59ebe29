//! Links to a board, such as those of Bridge Base Online's handviewer:
//! `https://…/handviewer.html?lin=pn%7C…`, or `…?n=…&e=…&s=…&w=…`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;

use setrograde_cards::{
    Call, Card, Deal, Hand, PartialContract, Seat, Suit, TextError, Vulnerability,
};

use super::LinBoards;
use crate::auction::with_result;
use crate::error::{AtLine, Problem, RecordError};
use crate::lines::{LINE_LIMIT, TextLines};
use crate::text::{BOM, decode_line};
use crate::{Board, Doubt, Options};

/// The beginnings of links, of the tag for a diagram in a forum, and of LIN as links have it.
const STARTS: [&str; 8] = [
    "http://",
    "https://",
    "www.",
    "[hv=",
    "handviewer.html?",
    "qx%7c",
    "pn%7c",
    "md%7c",
];

/// Characters that end a link outside of LIN.
const ENDS: [char; 19] = [
    '<', '>', '"', '`', '\\', '“', '”', '„', '«', '»', '‹', '›', '…', '\u{200b}', '\u{200c}',
    '\u{200d}', '\u{200e}', '\u{2060}', '\u{feff}',
];

/// A line in which a link opens by a script, as in a list of one's own boards, with it as a link.
fn without_script(line: &str) -> Cow<'_, str> {
    const SCRIPT: &str = "hv_popuplin('";
    if line.contains(SCRIPT) {
        Cow::Owned(line.replace(SCRIPT, "'https://host/?lin="))
    } else {
        Cow::Borrowed(line)
    }
}

/// The offset of the first link in a line, if there is one.
fn start(line: &str) -> Option<usize> {
    let lower = line.to_ascii_lowercase();
    STARTS.iter().filter_map(|start| lower.find(start)).min()
}

/// Returns true if a line has a link in it, with a board or without.
pub(crate) fn has_link(line: &str) -> bool {
    start(&without_script(line)).is_some()
}

/// Returns true if a line has a link with a board in it.
pub(crate) fn has_board(line: &str) -> bool {
    let line = without_script(line);
    links(&line).iter().any(|link| link.board().is_some())
}

/// A link in a line.
#[derive(Debug, PartialEq, Eq)]
struct Link<'a>(&'a str);

/// The links in a line, each without the text around it.
fn links(line: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    let mut rest = line;
    while let Some(at) = start(rest) {
        let (before, link) = rest.split_at(at);
        let before = before.trim_end_matches(['=', ' ']);
        let hv = link.starts_with(['[']);
        let closing = match before.chars().next_back() {
            _ if hv => Some(']'),
            Some('<') => Some('>'),
            Some('(') => Some(')'),
            Some(']' | '[') => Some('['),
            Some(quote @ ('"' | '\'')) => Some(quote),
            _ if before.to_ascii_lowercase().ends_with("[url") => Some(']'),
            _ => None,
        };
        let mut depth = 0;
        let end = closing.and_then(|closing| {
            link.char_indices().find_map(|(at, letter)| {
                // A remark in a link may have brackets.
                depth += i32::from(closing == ')' && letter == '(');
                depth -= i32::from(closing == ')' && letter == ')');
                let open = depth + i32::from(closing == ')');
                (letter == closing && open <= 0 && (at > 0 || closing != '[')).then_some(at)
            })
        });
        let whole = &link[..end.unwrap_or(link.len())];
        // The next link is not part of this one.
        let next = whole.char_indices().find(|&(at, letter)| {
            let after = &whole[at..].trim_start();
            letter.is_whitespace() && start(after) == Some(0)
        });
        let whole = &whole[..next.map_or(whole.len(), |(at, _)| at)];
        rest = &link[whole.len().max(1)..];
        links.push(Link(without_text_behind(whole)));
    }
    links
}

/// A link without the words after it: LIN ends with a bar, and other links at the first space that
/// is not part of a value.
fn without_text_behind(link: &str) -> &str {
    // A bar alone is not LIN.
    let bars = link.match_indices('|').map(|(at, _)| at + 1);
    let bar = bars.skip(1).last();
    let coded = link.to_ascii_lowercase().rfind("%7c").map(|at| at + 3);
    let ends = |c: char| ENDS.contains(&c);
    if let Some(end) = bar.max(coded) {
        // The last value may lack its bar.
        let word = link[end..].find(|c: char| c.is_whitespace() || ends(c));
        return &link[..word.map_or(link.len(), |at| end + at)];
    }
    let link = &link[..link.find(|c| ends(c) || c == '|').unwrap_or(link.len())];
    let link = link.split("&nbsp").next().unwrap_or(link);
    // BEN's texts in quotes have blanks.
    let quoted = link
        .find("=('")
        .and_then(|at| Some(at + link[at..].find("')")?));
    let from = quoted.unwrap_or(0);
    let blank = link[from..].find(char::is_whitespace);
    let blank = blank.map_or(link.len(), |at| from + at);
    let (first, behind) = link.split_at(blank);
    // An auction or a play may have blanks between its words.
    let call = |word: &str| word.parse::<Call>().is_ok() || word.parse::<Card>().is_ok();
    let in_words = first.rsplit('=').next().is_some_and(call);
    let words = behind.split_whitespace();
    let words = words.take_while(|word| in_words && call(word)).last();
    let end = match words {
        _ if !parameters(behind).is_empty() => link.len(),
        Some(last) => last.as_ptr() as usize + last.len() - link.as_ptr() as usize,
        None => blank,
    };
    let link = link[..end].trim_end_matches(['.', ',', ';', ')', ']', '\'']);
    // A remark in an auction has braces.
    let open = link.matches('}').count() > link.matches('{').count();
    if open {
        link.trim_end_matches('}')
    } else {
        link
    }
}

/// The boards of a file with links in its lines.
#[derive(Debug)]
pub(crate) struct LinkBoards<R> {
    pub lines: TextLines<R>,
    file: Arc<str>,
    options: Options,
    /// Boards of a link that are not returned yet.
    waiting: VecDeque<Result<Board, RecordError>>,
    /// The first line with text that is not a link.
    pub text_between: Option<u64>,
}

impl<R: BufRead> LinkBoards<R> {
    pub(crate) fn new(reader: R, file: Arc<str>, options: Options) -> LinkBoards<R> {
        LinkBoards {
            lines: TextLines::new(reader),
            file,
            options,
            waiting: VecDeque::new(),
            text_between: None,
        }
    }

    /// The next board, or the error of a link that has none.
    pub(crate) fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        loop {
            if let Some(board) = self.waiting.pop_front() {
                return Ok(Some(board));
            }
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            let bytes = line.bytes.strip_prefix(BOM).unwrap_or(&line.bytes);
            let text = decode_line(bytes.trim_ascii());
            let text = without_script(&text);
            if !line.starts || text.is_empty() || text.starts_with('#') {
                continue;
            }
            let number = line.number;
            let at_line = |problem| {
                let line = number;
                AtLine { line, problem }.in_file(&self.file, None)
            };
            if line.cut {
                let what = "a link";
                let limit = LINE_LIMIT;
                return Ok(Some(Err(at_line(Problem::TooLong { what, limit }))));
            }
            for link in links(&text) {
                let Some(found) = link.board() else { continue };
                let file = Arc::clone(&self.file);
                let mut boards = LinBoards::new(found.lin.as_bytes(), file, self.options);
                while let Some(board) = boards.read()? {
                    self.waiting.push_back(match board {
                        Ok(board) => Ok(found.complete(board, number)),
                        Err(error) => Err(RecordError {
                            line: number,
                            ..error
                        }),
                    });
                }
            }
            if !self.waiting.is_empty() {
                continue;
            }
            // A link alone was meant to have a board; one in a text need not have one.
            if start(&text) == Some(0) && !text.contains(char::is_whitespace) {
                return Ok(Some(Err(at_line(Problem::NoBoardInLink))));
            }
            self.text_between.get_or_insert(number);
        }
    }
}

/// The contents of a link: LIN, and data without a field in LIN.
#[derive(Debug, Default, PartialEq, Eq)]
struct LinkContents {
    lin: String,
    contract: Option<String>,
    declarer: Option<Seat>,
    doubts: Vec<Doubt>,
}

impl LinkContents {
    /// The board of the LIN with the data of the link on this line.
    fn complete(&self, mut board: Board, line: u64) -> Board {
        board.line = line;
        board.notes.iter_mut().for_each(|note| note.line = line);
        for doubt in &self.doubts {
            board.doubt(line, doubt.clone());
        }
        if let Some(text) = self
            .contract
            .as_deref()
            .filter(|_| board.contract.is_none())
        {
            let read = with_result(text).0.parse::<PartialContract>();
            let read = read.map_err(|error| Problem::text("contract", text, error));
            if text.parse() == Ok(Call::Pass) || Call::all_pass_at_start(text).is_some() {
                board.passed_out = true;
            } else if let Some(contract) = board.understood(line, read) {
                board.strain = Some(contract.bid.strain());
                if let Some(declarer) = contract.declarer.or(self.declarer) {
                    board.set_contract(contract.or_by(declarer));
                }
            }
        }
        board
    }
}

impl Link<'_> {
    /// Returns the contents of the link; `None` if it has no board.
    fn board(&self) -> Option<LinkContents> {
        let mut link = self.0.to_owned();
        // A link within a link is percent-encoded, perhaps twice.
        for _ in 0..3 {
            let found = read_link(&link);
            if found.is_some() || !link.contains('%') {
                return found;
            }
            link = decoded(&link.replace('+', "%2B"));
        }
        None
    }
}

fn read_link(link: &str) -> Option<LinkContents> {
    let at = if link.starts_with('[') {
        link.find('=')
    } else {
        link.find('?').or_else(|| link.find('#'))
    };
    let query = at.map_or("", |at| &link[at + 1..]);
    let mut found = LinkContents::default();
    // In the order of LIN, which begins with South.
    let mut hands: [String; 4] = Default::default();
    let mut names: [String; 4] = Default::default();
    let (mut dealer, mut rest, mut lead) = ('0', String::new(), String::new());
    let parameters = parameters(query);
    let parameters = parameters
        .iter()
        .map(|(name, value)| (name, decoded(value)));
    let parameters: Vec<_> = parameters.collect();
    // Beside a whole deal, seats have names.
    let whole = parameters.iter().find_map(|(_, value)| whole_deal(value));
    for seat in Seat::ALL {
        if let Some((deal, _)) = &whole {
            hands[seat.distance_from(Seat::South)] = lin_hand(deal.hand(seat));
        }
    }
    // BEN writes dealer, vulnerability and calls behind the deal.
    let behind = whole.as_ref().and_then(|(_, behind)| behind.as_deref());
    let values = behind.unwrap_or_default().splitn(3, ' ').map(str::to_owned);
    let names_of_ben = ["dealer", "vul", "auction"].map(str::to_owned);
    for (name, value) in names_of_ben.iter().zip(values).chain(parameters) {
        let text = value.trim();
        let name = name.to_ascii_lowercase().replace(['_', '-'], "");
        // Those of a seat, or all four.
        let name = name.strip_suffix("hand").unwrap_or(&name);
        let seat = |name: &str| {
            let seat: Option<Seat> = name.parse().ok();
            seat.map(|seat| seat.distance_from(Seat::South))
        };
        let field = |name: &str, value: &str| format!("{name}|{}|", value.replace('|', " "));
        match name {
            // Settings of BEN's page, not an auction and a play.
            "a" | "p" if behind.is_some() => {}
            "lin" => {
                // It may be percent-encoded twice.
                found.lin = if value.contains('|') {
                    value
                } else {
                    decoded(&value)
                };
                return Some(found);
            }
            "d" | "dealer" | "dlr" => match text.parse::<Seat>() {
                Ok(seat) => dealer = ['1', '2', '3', '4'][seat.distance_from(Seat::South)],
                Err(error) => found.doubt("dealer", text, error),
            },
            "v" | "vul" | "vuln" | "vulnerable" | "vulnerability" => {
                match text.parse::<Vulnerability>() {
                    Err(error) if !["", "n", "N"].contains(&text) => {
                        found.doubt("vulnerability", text, error);
                    }
                    _ => rest += &field("sv", text),
                }
            }
            "b" | "bd" | "bn" | "bnum" | "board" | "boardno" | "boardnum" | "boardnumber" => {
                rest += &format!("ah|Board {}|", plain(text));
            }
            "a" | "auction" | "bidding" | "bids" | "calls" => rest += &field("mb", text),
            "p" | "play" | "cards" => rest += &field("pc", text),
            "lead" | "openinglead" => lead = field("pc", text),
            "c" | "claim" => rest += &field("mc", text),
            "contract" | "con" => found.contract = Some(text.to_owned()),
            "declarer" | "decl" | "dec" => match text.parse() {
                Ok(seat) => found.declarer = Some(seat),
                Err(error) => found.doubt("declarer", text, error),
            },
            "deal" | "pbn" | "hands" | "" => {}
            name => {
                let of = name.strip_suffix("name").or(name.strip_suffix('n'));
                if let Some(index) = seat(name) {
                    match (text.parse::<Hand>(), name.len()) {
                        // `s=` and `S=`: one of them is a slip, perhaps for another seat.
                        (Ok(_), _) if whole.is_none() && !hands[index].is_empty() => {
                            hands[index] = "?".to_owned();
                        }
                        (Ok(hand), _) if whole.is_none() => hands[index] = lin_hand(hand),
                        (Err(_), 1) if whole.is_none() => {
                            hands[index] = plain(text).to_uppercase();
                        }
                        // The name of the player.
                        _ => names[index] = text.replace(['|', ','], " "),
                    }
                } else if let Some(index) = of.and_then(seat) {
                    names[index] = text.replace(['|', ','], " ");
                }
            }
        }
    }
    // A number may be anything.
    if hands.iter().all(|hand| hand.len() < 3) {
        // LIN may come without a name.
        let lin = decoded(&link.replace('+', "%2B"));
        found.lin = lin.contains("md|").then_some(lin)?;
        return Some(found);
    }
    if !rest.contains("pc|") {
        rest += &lead;
    }
    let (names, hands) = (names.join(","), hands.join(","));
    found.lin = format!("pn|{names}|md|{dealer}{hands}|{rest}");
    Some(found)
}

impl LinkContents {
    fn doubt(&mut self, name: &'static str, text: &str, error: TextError) {
        if !text.is_empty() {
            let problem = Problem::text(name, text, error);
            self.doubts.push(Doubt::Value(problem));
        }
    }
}

/// The deal that a value is, and the text after it: BEN writes `('hands from North', 'N None 1S')`.
fn whole_deal(value: &str) -> Option<(Deal, Option<String>)> {
    let value = value.trim();
    let Some(quoted) = value.strip_prefix("('") else {
        return Some((value.parse().ok()?, None));
    };
    let (hands, behind) = quoted.split_once('\'').unwrap_or((quoted, ""));
    let behind = behind.trim_matches(|c: char| c.is_whitespace() || ",')".contains(c));
    Some((format!("N:{hands}").parse().ok()?, Some(behind.to_owned())))
}

/// A hand in LIN's notation.
pub(super) fn lin_hand(hand: Hand) -> String {
    let suits = Suit::ALL.map(|suit| format!("{suit}{}", hand.holding(suit)));
    suits.concat()
}

/// The names and the values of a link's query, not decoded.
///
/// Links are also written by hand and by programs that escape too little. So `&` begins
/// another parameter only if a name and `=` follow, and a fragment has no bar in it.
fn parameters(query: &str) -> Vec<(String, String)> {
    let query = query.replace("&amp;", "&");
    let fragment = query
        .rfind('#')
        .filter(|&at| !query[at..].contains('|') && !query[at..].contains("%7"));
    let mut found: Vec<(String, String)> = Vec::new();
    for part in query[..fragment.unwrap_or(query.len())].split('&') {
        let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let named = part
            .split_once('=')
            .filter(|(name, _)| !name.is_empty() && name.bytes().all(of_name));
        match (named, found.last_mut()) {
            (Some((name, value)), _) => found.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => {
                value.push('&');
                value.push_str(part);
            }
            (None, None) => {}
        }
    }
    found
}

/// A value with `%41` and `+` resolved, in one line.
fn decoded(value: &str) -> String {
    let hex = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        bytes.push(match (byte, rest) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    rest = after;
                    16 * high + low
                }
                _ => b'%',
            },
            _ => *byte,
        });
    }
    decode_line(&bytes).replace(char::is_control, " ")
}

/// Keeps only letters and digits, because nothing else may enter LIN.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_divided_as_their_writers_mean() {
        let of = |query: &str| {
            let found = parameters(query);
            let found = found.iter().map(|(name, value)| format!("{name}={value}"));
            found.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("bbo=y&lin=a|b&v3=no"), "bbo=y lin=a|b v3=no");
        assert_eq!(of("a=1&amp;lin=x&amp;b=2"), "a=1 lin=x b=2");
        assert_eq!(of("lin=an|5 & 4|pc|SA|"), "lin=an|5 & 4|pc|SA|");
        assert_eq!(of("lin=an|2 or 3?|#top"), "lin=an|2 or 3?|");
        assert_eq!(of("lin=pn|a#1,b|md|1S2|"), "lin=pn|a#1,b|md|1S2|");
        assert_eq!(decoded("a%7Cb%2c+c%zz%4\n"), "a|b, c%zz%4 ");
        assert_eq!(decoded("Malm%f6"), "Malmö");
    }

    #[test]
    fn links_without_lin_say_the_same() {
        let link = "https://www.example.com/handviewer.html?n=sakqh10d..&d=e&v=n&b=7&\
                    a=p1n(15-17)pp&p=sah10&c=9&nn=Ann";
        let expected = "pn|,,Ann,|md|4,,SAKQHTDC,|sv|n|ah|Board 7|mb|p1n(15-17)pp|\
                        pc|sah10|mc|9|";
        let lin = |link| Link(link).board().map(|found| found.lin);
        assert_eq!(lin(link).as_deref(), Some(expected));
        assert_eq!(lin("https://x/?LIN=md%7C1%7C").as_deref(), Some("md|1|"));
        for none in ["https://x/?a=1", "https://x/", "https://x/?myhand=M-1-2"] {
            assert_eq!(lin(none), None, "{none}");
        }
    }
}
