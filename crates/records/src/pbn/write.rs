//! Boards written as PBN games.

use setrograde_cards::{Call, Seat};

use super::rewrite::{quoted, wanted};
use crate::auction::{self, AuctionEnd};
use crate::board::{Board, PlayEnd, Room, winner};

/// The order of the seats whose names PBN gives.
const NAMED: [Seat; 4] = [Seat::West, Seat::North, Seat::East, Seat::South];

/// A PBN game with everything for which PBN has tags: players, dealer, deal, contract, auction,
/// play and double-dummy results. Missing fields of the board are left out.
///
/// ```
/// use setrograde_cards::{Call, Seat};
/// use setrograde_records::{Board, pbn};
///
/// let mut board = Board::default();
/// board.number = Some(7);
/// board.dealer = Some(Seat::South);
/// board.double_dummy.par_score = Some(-50);
/// assert_eq!(
///     pbn::write(&board),
///     "[Board \"7\"]\n[Dealer \"S\"]\n[OptimumScore \"NS -50\"]\n\n"
/// );
/// ```
pub fn write(board: &Board) -> String {
    write_with(&[], board)
}

/// The same, with more `tags` before the board's own: names and values.
pub fn write_with(tags: &[(&str, &str)], board: &Board) -> String {
    let mut text = String::new();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text += &format!("[{name} \"{}\"]\n", quoted(&value));
        }
    };
    for (name, value) in tags {
        add(name, Some((*value).to_owned()));
    }
    add("Board", board.number.map(|number| number.to_string()));
    for seat in NAMED {
        let name = board.players.as_ref().map(|names| &names[seat]);
        add(seat.name(), name.filter(|name| !name.is_empty()).cloned());
    }
    add("Dealer", board.dealer.map(|seat| seat.to_string()));
    add(
        "Vulnerable",
        board.vulnerability.map(|sides| sides.to_string()),
    );
    add("Deal", hands(board));
    add("Scoring", board.scoring.clone());
    let (declarer, contract) = match board.contract {
        _ if board.passed_out => (Some(String::new()), Some("Pass".to_owned())),
        Some(contract) => (
            Some(contract.declarer.to_string()),
            Some(format!("{}{}", contract.bid, contract.doubling)),
        ),
        None => (board.declarer.map(|seat| seat.to_string()), None),
    };
    add("Declarer", declarer);
    add("Contract", contract);
    // PBN has no tag for a claim: its tricks are the result.
    let result = board.result.or(board.claim);
    add("Result", result.map(|tricks| tricks.to_string()));
    add(
        "Room",
        board.room.map(|room| match room {
            Room::Open => "Open".to_owned(),
            Room::Closed => "Closed".to_owned(),
        }),
    );
    add("Competition", board.competition.clone());
    add("Table", board.table.clone());
    let [north_south, east_west] = board.pairs.clone();
    add("PairIDNS", north_south);
    add("PairIDEW", east_west);
    // Passes beside a contract without declarer would be read as a board passed out.
    let fits = |calls: &[Call], dealer| {
        board.passed_out
            || board.contract.is_some()
            || matches!(auction::end(dealer, calls, false), AuctionEnd::Open)
    };
    // An auction that could not be read is kept as it stood, and may be anything.
    if let (Some(calls), Some(dealer)) = (board.calls(), board.dealer)
        && fits(&calls, dealer)
    {
        add("Auction", Some(dealer.to_string()));
        for (from, row) in calls.chunks(4).enumerate() {
            let call = |(at, call): (usize, &Call)| {
                let alert = board.alerts.iter().position(|(of, _)| *of == 4 * from + at);
                alert.map_or(call.to_string(), |note| format!("{call} ={}=", note + 1))
            };
            let row: Vec<String> = row.iter().enumerate().map(call).collect();
            text += &format!("{}\n", row.join(" "));
        }
        for (note, (_, meaning)) in board.alerts.iter().enumerate() {
            let meaning = if meaning.is_empty() { "alert" } else { meaning };
            text += &format!("[Note \"{}:{}\"]\n", note + 1, quoted(meaning));
        }
    }
    text += &play(board).unwrap_or_default();
    if let Some(scores) = &board.scores {
        // A backslash precedes the width of a column.
        let columns = scores.columns.replace('"', "");
        let columns = quoted(columns.trim_end_matches('\\')).replace("\\\\", "\\");
        text += &format!("[ScoreTable \"{columns}\"]\n{}\n", scores.text);
    }
    for (_, tag) in wanted(&board.double_dummy, "\n") {
        text += &format!("{tag}\n");
    }
    text.push('\n');
    text
}

/// The hands from North on, `-` for a hidden one; `None` if all are.
fn hands(board: &Board) -> Option<String> {
    board.hands.iter().any(Option::is_some).then(|| {
        let hands = board.hands.map(|hand| match hand {
            Some(hand) => hand.to_string(),
            None => "-".to_owned(),
        });
        format!("N:{}", hands.join(" "))
    })
}

/// The play: a row for each trick, a column for each seat from the opening leader on, `-`
/// where no card was played. Without a contract the winner of a trick is unknown.
fn play(board: &Board) -> Option<String> {
    let (first, strain) = (board.leader?, board.contract?.bid.strain());
    if board.play.is_empty() || !board.on_table.is_empty() {
        return None;
    }
    let mut text = format!("[Play \"{first}\"]\n");
    let mut leader = first;
    for cards in board.play.chunks(4) {
        let mut row = ["-"; 4].map(str::to_owned);
        for (turn, card) in cards.iter().enumerate() {
            row[leader.plus(turn).distance_from(first)] = card.to_string();
        }
        text += &format!("{}\n", row.join(" "));
        leader = winner(leader, cards, strain).unwrap_or(leader);
    }
    if board.play.len() < 52 {
        text += match board.play_end {
            PlayEnd::InProgress => "+\n",
            PlayEnd::Stopped => "*\n",
            PlayEnd::Open | PlayEnd::Unknown => "",
        };
    }
    Some(text)
}
