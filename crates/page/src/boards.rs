//! Boards from elsewhere: files in any format that `setrograde_records` reads, and
//! links of Bridge Base Online's handviewer.

use serde_json::{Value, json};
use setrograde_cards::Hand;
use setrograde_records::{Board, Options, Records};

use crate::Answer;
use crate::position::names;

/// The most boards of a text.
const MOST_BOARDS: usize = 2_000;

/// The boards of a file, or of a handviewer's link.
pub(crate) fn boards(text: &str) -> Answer {
    let text = match text.trim() {
        link if link.starts_with("http://") || link.starts_with("https://") => from_link(link)?,
        text => text.to_owned(),
    };
    let options = Options::default().keep_names(true);
    let records = Records::with_options(text.as_bytes(), "what was pasted", options)?;
    let mut boards = Vec::new();
    for board in records.take(MOST_BOARDS) {
        boards.push(match board {
            Ok(board) => shown(&board),
            Err(error) => json!({ "error": error.to_string() }),
        });
    }
    if boards.is_empty() {
        return Err(
            "there is no board in it; PBN, LIN, a handviewer's link or a line as \
                    N:AKQ.… is read"
                .into(),
        );
    }
    Ok(json!({ "boards": boards }))
}

fn shown(board: &Board) -> Value {
    json!({
        "board": board.number,
        "room": board.room.map(|room| format!("{room:?}").to_lowercase()),
        "deal": board.deal().map(|deal| deal.to_string()),
        "hands": board.hands.map(|hand| hand.map(|hand: Hand| hand.to_string())),
        "dealer": board.dealer.map(|seat| seat.to_string()),
        "vulnerable": board.vulnerability.map(|sides| sides.to_string()),
        "auction": board.auction,
        "passed_out": board.passed_out,
        "contract": board.contract.map(|contract| contract.to_string()),
        "declarer": board.declarer.map(|seat| seat.to_string()),
        "strain": board.strain.map(|strain| strain.to_string()),
        "leader": board.leader.map(|seat| seat.to_string()),
        "play": names(board.on_table.iter().chain(&board.play).copied()),
        "result": board.result,
        "claim": board.claim,
        "players": board.players,
    })
}

/// The LIN that a handviewer's link holds, or that says what it says.
fn from_link(link: &str) -> Result<String, String> {
    let (_, query) = link.split_once('?').ok_or(NO_BOARD)?;
    let query = query.split('#').next().unwrap_or(query);
    let mut hands = [const { String::new() }; 4];
    let (mut dealer, mut rest) = (None, String::new());
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        let value = decoded(value);
        match name.to_ascii_lowercase().as_str() {
            "lin" => return Ok(value),
            // LIN begins with South.
            "s" => hands[0] = cards(&value),
            "w" => hands[1] = cards(&value),
            "n" => hands[2] = cards(&value),
            "e" => hands[3] = cards(&value),
            "d" => dealer = "swne".find(&value.to_ascii_lowercase()),
            "b" => rest += &format!("ah|Board {}|", plain(&value)),
            "v" => rest += &format!("sv|{}|", plain(&value)),
            "a" => rest += &calls(&value),
            "p" => rest += &played(&value),
            _ => {}
        }
    }
    if hands.iter().all(String::is_empty) {
        return Err(NO_BOARD.to_owned());
    }
    let dealer = dealer.unwrap_or(0) + 1;
    Ok(format!("md|{dealer}{}|{rest}", hands.join(",")))
}

const NO_BOARD: &str =
    "the link has no board in it; one of BBO's handviewer has lin= or n=, e=, s=, w=";

/// Letters and digits alone: nothing else may get into LIN.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// A hand with `10` as T.
fn cards(text: &str) -> String {
    plain(&text.replace("10", "T")).to_uppercase()
}

/// An auction as `p1np3ndrp…`, as LIN has it.
fn calls(text: &str) -> String {
    let text = plain(text).to_lowercase();
    let mut letters = text.chars().peekable();
    let mut found = String::new();
    while let Some(letter) = letters.next() {
        found += "mb|";
        found.push(letter);
        if letter.is_ascii_digit() {
            found.extend(letters.next());
        }
        found.push('|');
    }
    found
}

/// Cards one after the other, as LIN has them.
fn played(text: &str) -> String {
    let text = cards(text);
    let pairs = text.as_bytes().chunks_exact(2);
    // Only ASCII is left.
    pairs
        .map(|card| format!("pc|{}{}|", card[0] as char, card[1] as char))
        .collect()
}

/// A part of a link with `%41` and `+` resolved.
fn decoded(text: &str) -> String {
    let hex = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = match bytes[at..] {
            [b'%', high, low, ..] => hex(high).zip(hex(low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        match (bytes[at], escaped) {
            (_, Some(byte)) => {
                found.push(byte);
                at += 2;
            }
            (b'+', _) => found.push(b' '),
            (byte, _) => found.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&found).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links() {
        assert_eq!(decoded("a%7Cb%2c+c%zz%4"), "a|b, c%zz%4");
        assert_eq!(
            from_link("https://x/?lin=md%7C1%7C").as_deref(),
            Ok("md|1|")
        );
        let link = "https://www.bridgebase.com/tools/handviewer.html?n=sakqh10d..&d=e&v=n&b=7&a=p1npp&p=sah10";
        assert_eq!(
            from_link(link).as_deref(),
            Ok("md|4,,SAKQHTD,|sv|n|ah|Board 7|mb|p|mb|1n|mb|p|mb|p|pc|SA|pc|HT|")
        );
        assert!(from_link("https://x/?a=1").is_err());
        assert!(from_link("https://x/").is_err());
    }
}
