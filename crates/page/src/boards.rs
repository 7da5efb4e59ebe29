//! Boards from elsewhere: files in any format that `setrograde_records` reads, links too.

use serde_json::{Value, json};
use setrograde_cards::Hand;
use setrograde_records::pbn::write;
use setrograde_records::{Board, Format, Options, Records};

use crate::Answer;
use crate::evening;
use crate::position::names;

/// The most boards of a text.
const MOST_BOARDS: usize = 2_000;

/// The boards of a file, or of links.
pub(crate) fn boards(text: &str) -> Answer {
    let found = links(text);
    let text = found.as_deref().unwrap_or(text).trim();
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

/// The links to boards in a page of results or a mail, one a line, each once; `None` if the text
/// is boards itself, or has no such link.
fn links(text: &str) -> Option<String> {
    if !matches!(Format::of(text.as_bytes()), Format::Plain) {
        return None;
    }
    // A list of one's own boards opens them by a script, and links may leave out their host.
    let text = text.replace("hv_popuplin('", "'https://host/?lin=");
    let text = text.replace("=\"/", "=\"https://host/");
    let mut found: Vec<String> = Vec::new();
    for start in ["https://", "http://"] {
        for (at, _) in text.match_indices(start) {
            let ends = |letter: char| match text[..at].chars().next_back() {
                Some(quote @ ('"' | '\'')) => letter == quote,
                _ => letter.is_whitespace() || "<>\"".contains(letter),
            };
            let link = text[at..].split(ends).next().unwrap_or_default();
            let link = link.replace("&amp;", "&").replace(['\r', '\n'], "");
            let query = link.split_once('?').map_or("", |(_, query)| query);
            let query = query.to_ascii_lowercase();
            let names = query.split('&').filter_map(|part| part.split('=').next());
            let boards = names.filter(|name| ["lin", "n", "e", "s", "w"].contains(name));
            if boards.count() > 0 && !found.contains(&link) {
                found.push(link);
            }
        }
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// The calls, each with what was said about it.
fn calls(board: &Board) -> Value {
    let words = board
        .auction
        .iter()
        .flat_map(|text| text.split_whitespace());
    let calls = words.enumerate().map(|(at, call)| {
        let said = board.alerts.iter().find(|(of, _)| *of == at);
        json!({ "call": call, "alert": said.map(|(_, text)| text) })
    });
    calls.collect()
}

fn shown(board: &Board) -> Value {
    json!({
        "board": board.number,
        "room": board.room.map(|room| format!("{room:?}").to_lowercase()),
        "deal": board.deal().map(|deal| deal.to_string()),
        "hands": board.hands.map(|hand| hand.map(|hand: Hand| hand.to_string())),
        "dealer": board.dealer.map(|seat| seat.to_string()),
        "vulnerable": board.vulnerability.map(|sides| sides.to_string()),
        "points": board.deal().map(|deal| evening::points(deal.hands())),
        "calls": calls(board),
        "auction": board.auction,
        "passed_out": board.passed_out,
        "contract": board.contract.map(|contract| contract.to_string()),
        "declarer": board.declarer.map(|seat| seat.to_string()),
        "strain": board.strain.map(|strain| strain.to_string()),
        "leader": board.leader.map(|seat| seat.to_string()),
        "play": names(board.on_table.iter().chain(&board.play).copied()),
        "result": board.result,
        "score": evening::score(board, board.result),
        "claim": board.claim,
        "players": board.players,
        "pbn": write(board),
        "notes": board.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
