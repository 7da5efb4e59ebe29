//! Links to a board, such as those of Bridge Base Online's handviewer:
//! `https://…/handviewer.html?lin=pn%7C…`, or `…?n=…&e=…&s=…&w=…`.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::str::FromStr;

use setrograde_cards::{Call, Card, Deal, Hand, PartialContract, Seat, TextError, Vulnerability};

use super::LinBoards;
use super::fields::LinField;
use super::values::SEATS;
use crate::auction::{is_passed_out, with_result};
use crate::board::complete;
use crate::error::{Problem, RecordError};
use crate::lines::{BoardResult, Lines, ReadBoards, boards_in};
use crate::text::decode_line;
use crate::{Board, Options};

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
    links(&line).iter().any(|link| link.contents().is_some())
}

/// A link in a line.
#[derive(Debug)]
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

/// The boards of a line with links that are not returned yet.
#[derive(Debug, Default)]
pub(crate) struct LinkBoards {
    waiting: VecDeque<BoardResult>,
}

impl<R: BufRead> ReadBoards<R> for LinkBoards {
    /// The next board, or the error of a link that has none.
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while self.waiting.is_empty() {
            let Some(line) = lines.next()? else {
                return Ok(None);
            };
            let text = without_script(line.text.trim_ascii_start());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let number = line.number;
            if let Some(problem) = line.too_long() {
                return Ok(Some(Err(problem.at(number))));
            }
            for found in links(&text).iter().filter_map(Link::contents) {
                let boards = found.read(number, lines.options);
                self.waiting.extend(boards);
            }
            // A link alone was meant to have a board; one in a text need not have one.
            let is_alone = start(&text) == Some(0) && !text.contains(char::is_whitespace);
            if self.waiting.is_empty() && is_alone {
                return Ok(Some(Err(Problem::NoBoardInLink.at(number))));
            }
            if self.waiting.is_empty() {
                lines.pass_over(number);
            }
        }
        Ok(self.waiting.pop_front())
    }
}

/// The contents of a link.
#[derive(Debug, Default)]
struct LinkContents {
    /// The board of its parameters as far as they were read.
    board: LinBoards,
    /// LIN.
    lin: String,
    players: [String; 4],
    lead: Option<String>,
    contract: Option<String>,
    declarer: Option<Seat>,
}

impl LinkContents {
    /// The boards of a link on this line.
    fn read(mut self, line: u64, options: Options) -> Vec<BoardResult> {
        let reader = std::mem::take(&mut self.board);
        let complete = |board: Board| self.complete(board.of_line(line, None));
        let of_line = |error| RecordError { line, ..error };
        boards_in(&self.lin, options, reader)
            .map(|board| board.map(complete).map_err(of_line))
            .collect()
    }

    /// The board of the LIN with the contract of the link.
    fn complete(&self, mut board: Board) -> Board {
        let contract = self.contract.as_deref();
        if let Some(text) = contract.filter(|_| board.contract.is_none()) {
            let read = with_result(text).0.parse::<PartialContract>();
            let read = read.map_err(|error| Problem::text("contract", text, error));
            if is_passed_out(text) {
                board.passed_out = true;
            } else if let Some(contract) = board.understood(board.line, read) {
                board.set_bid(contract, contract.declarer.or(self.declarer));
            }
        }
        board
    }

    /// Takes a parameter; `is_whole` if the link has a whole deal, so that seats have names.
    fn take(&mut self, name: &str, text: &str, is_whole: bool) {
        match name {
            "d" | "dealer" | "dlr" => {
                let dealer = self.understood("dealer", text);
                self.board.draft.board.dealer = dealer.or(self.board.draft.board.dealer);
            }
            "v" | "vul" | "vuln" | "vulnerable" | "vulnerability" => {
                if matches!(text, "" | "n" | "N")
                    || self
                        .understood::<Vulnerability>("vulnerability", text)
                        .is_some()
                {
                    self.put("sv", text);
                }
            }
            "b" | "bd" | "bn" | "bnum" | "board" | "boardno" | "boardnum" | "boardnumber" => {
                self.put("ah", &text.replace(['|', ','], " "));
            }
            "a" | "auction" | "bidding" | "bids" | "calls" => self.put("mb", text),
            "p" | "play" | "cards" => self.put("pc", text),
            "lead" | "openinglead" => self.lead = Some(text.to_owned()),
            "c" | "claim" => self.put("mc", text),
            "contract" | "con" => self.contract = Some(text.to_owned()),
            "declarer" | "decl" | "dec" => {
                self.declarer = self.understood("declarer", text).or(self.declarer);
            }
            "deal" | "pbn" | "hands" | "" => {}
            name => {
                let of = name.strip_suffix("name").or(name.strip_suffix('n'));
                let player = text.replace(['|', ','], " ");
                match (name.parse::<Seat>(), of.map(str::parse::<Seat>)) {
                    (Ok(seat), _) if !is_whole && self.take_hand(seat, name, text) => {}
                    (Ok(seat), _) | (_, Some(Ok(seat))) => self.players[seat] = player,
                    _ => {}
                }
            }
        }
    }

    /// Takes the hand of a seat; returns false if the text is the name of its player.
    fn take_hand(&mut self, seat: Seat, name: &str, text: &str) -> bool {
        let letters = plain(text).to_uppercase();
        let draft = &mut self.board.draft;
        let read = match text.parse::<Hand>() {
            // `s=` and `S=`: one of them is a slip, perhaps for another seat.
            Ok(_) if draft.board.hands[seat].is_some() => {
                Err(Problem::expected("hand", text, "one hand for each seat"))
            }
            Ok(hand) => Ok(hand),
            Err(_) if name.len() > 1 => return false,
            // A number may be anything.
            Err(_) if letters.len() < 3 => return true,
            Err(_) => letters
                .parse()
                .map_err(|error| Problem::text("hand", &letters, error)),
        };
        match read {
            Ok(hand) => draft.board.hands[seat] = Some(hand),
            Err(problem) => drop(draft.error.get_or_insert(problem.at(0))),
        }
        true
    }

    /// A value, or its doubt.
    fn understood<T: FromStr<Err = TextError>>(
        &mut self,
        name: &'static str,
        text: &str,
    ) -> Option<T> {
        let read = text
            .parse()
            .map_err(|error| Problem::text(name, text, error));
        if text.is_empty() {
            return read.ok();
        }
        self.board.draft.board.understood(0, read)
    }

    fn put(&mut self, name: &str, value: &str) {
        self.board.put(LinField {
            line: 0,
            name: name.to_owned(),
            value: value.replace('|', " "),
        });
    }
}

impl Link<'_> {
    /// Returns the contents of the link; `None` if it has no board.
    fn contents(&self) -> Option<LinkContents> {
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
    let parameters = parameters(query);
    let parameters = parameters
        .iter()
        .map(|(name, value)| (name, decoded(value)));
    let parameters: Vec<_> = parameters.collect();
    let whole = parameters.iter().find_map(|(_, value)| whole_deal(value));
    if let Some((deal, _)) = &whole {
        found.board.draft.board.set_deal(deal);
    }
    // BEN writes dealer, vulnerability and calls behind the deal.
    let behind = whole.as_ref().and_then(|(_, behind)| behind.as_deref());
    let values = behind.unwrap_or_default().splitn(3, ' ').map(str::to_owned);
    let names_of_ben = ["dealer", "vul", "auction"].map(str::to_owned);
    for (name, value) in names_of_ben.iter().zip(values).chain(parameters) {
        let name = name.to_ascii_lowercase().replace(['_', '-'], "");
        // Those of a seat, or all four.
        match name.strip_suffix("hand").unwrap_or(&name) {
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
            name => found.take(name, value.trim(), whole.is_some()),
        }
    }
    let draft = &found.board.draft;
    if draft.board.hands == [None; 4] && draft.error.is_none() {
        // LIN may come without a name.
        let lin = decoded(&link.replace('+', "%2B"));
        found.lin = lin.contains("md|").then_some(lin)?;
        return Some(found);
    }
    let lead = found.lead.take();
    let draft = &mut found.board.draft;
    if let Some(lead) = lead.filter(|_| draft.board.play.is_empty()) {
        found.put("pc", &lead);
    }
    let draft = &mut found.board.draft;
    (draft.begun, draft.has_deal) = (true, true);
    draft.players = SEATS.map(|seat| found.players[seat].clone()).into();
    match complete(draft.board.hands) {
        Ok(hands) => draft.board.hands = hands,
        Err(problem) => drop(draft.error.get_or_insert(problem.at(0))),
    }
    Some(found)
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
}
