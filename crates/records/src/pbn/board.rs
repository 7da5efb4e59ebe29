//! A board out of the tags of a game.

use std::collections::BTreeMap;

use setrograde_cards::{Bid, Contract, Deal, Doubling, Hand, Seat, Side, Vulnerability};

use super::scan::Tag;
use super::sections::Section;
use super::{double_dummy, sections};
use crate::auction::{self, AuctionEnd};
use crate::board::check_hands;
use crate::error::{AtLine, Problem, quote};
use crate::lines::number;
use crate::{Board, Note, Options, Room};

/// Tags without which there is no board.
const BOARD_TAGS: [&str; 5] = ["Deal", "Board", "Contract", "Auction", "Play"];

/// The tags of a game, and their values with those of earlier games.
struct Game<'a> {
    tags: &'a [Tag],
    values: &'a BTreeMap<String, String>,
}

impl Game<'_> {
    /// A tag's value, if it has one that says something.
    fn value(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name)?.trim();
        (!value.is_empty() && value != "?").then_some(value)
    }

    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The problem, at the line of the tag with this name.
    fn at(&self, name: &str, problem: Problem) -> AtLine {
        let first = self.tags.first();
        let line = self.tag(name).or(first).map_or(0, |tag| tag.line);
        AtLine { line, problem }
    }

    fn seat(&self, name: &'static str) -> Result<Option<Seat>, AtLine> {
        let Some(value) = self.value(name).filter(|&value| value != "-") else {
            return Ok(None);
        };
        // A caret marks an irregular declarer.
        let seat = value.trim_start_matches('^').parse();
        seat.map(Some)
            .map_err(|error| self.at(name, Problem::text(name, value, error)))
    }
}

/// The board of a game; `None` if none of its tags is about a board.
pub(super) fn read_board(
    tags: &[Tag],
    values: &BTreeMap<String, String>,
    options: Options,
) -> Option<Result<Board, AtLine>> {
    let first = tags.first()?;
    if !BOARD_TAGS.iter().any(|name| values.contains_key(*name)) {
        return None;
    }
    Some(read(&Game { tags, values }, first.line, options))
}

fn read(game: &Game<'_>, line: u64, options: Options) -> Result<Board, AtLine> {
    let mut board = Board {
        line,
        number: game.value("Board").and_then(number),
        room: game.value("Room").and_then(room),
        dealer: game.seat("Dealer")?,
        declarer: game.seat("Declarer")?,
        ..Board::default()
    };
    if let Some(value) = game.value("Deal") {
        board.hands = hands(value).map_err(|problem| game.at("Deal", problem))?;
    }
    if let Some(value) = game.value("Vulnerable") {
        let vulnerability = value.parse::<Vulnerability>().map_err(|error| {
            let problem = Problem::text("Vulnerable", value, error);
            game.at("Vulnerable", problem)
        })?;
        board.vulnerability = Some(vulnerability);
    }
    read_contract(game, &mut board)?;
    read_auction(game, &mut board);
    read_play(game, &mut board)?;
    read_result(game, &mut board)?;
    board.settle_result();
    board.double_dummy = double_dummy::read(game.tags, |name| game.value(name))
        .map_err(|(name, problem)| game.at(name, problem))?;
    if options.keep_names {
        let name = |seat: Seat| game.value(seat.name()).unwrap_or_default().to_owned();
        board.players = Some(Seat::ALL.map(name));
    }
    Ok(board)
}

/// The room in a `Room` tag.
fn room(value: &str) -> Option<Room> {
    match value.to_ascii_lowercase().as_str() {
        "open" => Some(Room::Open),
        "closed" => Some(Room::Closed),
        _ => None,
    }
}

/// The hands in a `Deal` tag: the first seat, a colon, and four hands, `-` for
/// a hidden one.
fn hands(value: &str) -> Result<[Option<Hand>; 4], Problem> {
    let hidden = |word: &str| word == "-";
    let problem = |error| Problem::text("Deal", value, error);
    let mut words = value.split_whitespace();
    let after_seat = words.next().and_then(|first| first.split_once(':'));
    if !value.split_whitespace().any(hidden) && !after_seat.is_some_and(|(_, h)| hidden(h)) {
        let deal: Deal = value.parse().map_err(problem)?;
        return Ok(deal.hands().map(Some));
    }
    let form = "a seat, a colon and four hands, as N:- AK... - -";
    let bad = || Problem::expected("Deal", value, form);
    let (seat, first) = value.split_once(':').ok_or_else(bad)?;
    let seat: Seat = seat.trim().parse().map_err(problem)?;
    let mut hands = [None; 4];
    let mut count = 0;
    for word in first.split_whitespace() {
        if count == 4 {
            return Err(bad());
        }
        if !hidden(word) {
            // Columns count from the start of the value.
            let before = word.as_ptr() as usize - value.as_ptr() as usize;
            let column = value[..before].chars().count();
            let hand = word.parse::<Hand>();
            let hand = hand.map_err(|error| problem(error.shifted(column)))?;
            hands[seat.plus(count)] = Some(hand);
        }
        count += 1;
    }
    if count < 4 {
        return Err(bad());
    }
    check_hands(&hands).map_err(Problem::Deal)?;
    // Of a whole deal the fourth hand can only be one thing.
    let rest = Hand::PACK - hands.iter().flatten().copied().collect();
    if let [hidden] = &mut hands
        .iter_mut()
        .filter(|hand| hand.is_none())
        .collect::<Vec<_>>()[..]
        && rest.len() == 13
    {
        **hidden = Some(rest);
    }
    Ok(hands)
}

fn read_contract(game: &Game<'_>, board: &mut Board) -> Result<(), AtLine> {
    let Some(value) = game.value("Contract").filter(|&value| value != "-") else {
        return Ok(());
    };
    if value.eq_ignore_ascii_case("pass") {
        board.passed_out = true;
        return Ok(());
    }
    let compact: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let bid = compact.trim_end_matches(['X', 'x', '*']);
    let (bid, doubling) = match compact.len() - bid.len() {
        // Some programs write R for a redoubled contract.
        0 => match bid.strip_suffix(['R', 'r']) {
            Some(bid) => (bid, Doubling::Redoubled),
            None => (bid, Doubling::Undoubled),
        },
        1 => (bid, Doubling::Doubled),
        _ => (bid, Doubling::Redoubled),
    };
    let bid = bid.parse::<Bid>().map_err(|error| {
        let problem = Problem::text("Contract", value, error);
        game.at("Contract", problem)
    })?;
    board.strain = Some(bid.strain());
    if let Some(declarer) = board.declarer {
        board.set_contract(Contract::new(bid, doubling, declarer));
    }
    Ok(())
}

fn read_auction(game: &Game<'_>, board: &mut Board) {
    let Some(tag) = game.tag("Auction") else {
        return;
    };
    let column: Option<Seat> = game.value("Auction").and_then(|value| value.parse().ok());
    // The first column may be that of another player: then it is filled up to the dealer.
    let fillers = match (column, board.dealer) {
        (Some(column), Some(dealer)) => dealer.distance_from(column),
        _ => 0,
    };
    let read = sections::calls(tag.words(), fillers);
    let Section {
        calls,
        over,
        skipped,
        alerts,
    } = match read {
        Ok(section) => section,
        Err(word) => {
            // An auction that cannot be read is kept unchanged.
            let words: Vec<&str> = tag.words().collect();
            board.auction = Some(words.join(" "));
            board.notes.push(Note::Call(quote(word)));
            return;
        }
    };
    if !calls.is_empty() {
        board.auction = Some(auction::text(&calls));
        board.alerts = explained(game, &alerts);
    }
    let first = column.map(|column| column.plus(skipped));
    let Some(dealer) = first.or(board.dealer) else {
        return;
    };
    board.dealer.get_or_insert(dealer);
    match auction::end(dealer, &calls, over) {
        AuctionEnd::PassedOut if game.value("Contract").is_none() => board.passed_out = true,
        AuctionEnd::Contract(contract) if board.contract.is_none() && !board.passed_out => {
            board.set_contract(contract);
        }
        _ => {}
    }
}

/// The alerts, each with its notes' texts: those between the auction and the play.
fn explained(game: &Game<'_>, alerts: &[(usize, u8)]) -> Vec<(usize, String)> {
    let after = game.tags.iter().skip_while(|tag| tag.name != "Auction");
    let notes = after.take_while(|tag| tag.name != "Play");
    let notes: BTreeMap<u8, &str> = notes
        .filter(|tag| tag.name == "Note")
        .filter_map(|tag| tag.value.split_once(':'))
        .filter_map(|(number, text)| Some((number.trim().parse().ok()?, text.trim())))
        .collect();
    let mut explained: Vec<(usize, String)> = Vec::new();
    for (call, note) in alerts {
        let text = notes.get(note).copied().unwrap_or_default();
        auction::explain(&mut explained, *call, text);
    }
    explained
}

fn read_play(game: &Game<'_>, board: &mut Board) -> Result<(), AtLine> {
    let Some(tag) = game.tag("Play") else {
        return Ok(());
    };
    let leader = match game.seat("Play")? {
        Some(leader) => leader,
        None => match board.leader {
            Some(leader) => leader,
            None => return Ok(()),
        },
    };
    let rows = sections::rows(tag.words()).map_err(|problem| game.at("Play", problem))?;
    let (mut play, mut end) = rows.by_column(leader, board.strain);
    board.leader.get_or_insert(leader);
    if let Some((deal, strain)) = board.deal().zip(board.strain)
        && let Some(leader) = board.leader
        && !sections::is_played_by_owners(&deal, leader, strain, &play)
        && let Some(by_owner) = rows.by_owner(&deal, leader, strain)
    {
        (play, end) = by_owner;
        board.notes.push(Note::RowsByOwner);
    }
    (board.play, board.play_end) = (play, end);
    Ok(())
}

/// The tricks of the declarer: `9`, `^9` (an irregular result), or those of a
/// side, as `EW 4`.
fn read_result(game: &Game<'_>, board: &mut Board) -> Result<(), AtLine> {
    let Some(value) = game.value("Result").filter(|&value| value != "-") else {
        return Ok(());
    };
    let plain = value.trim_start_matches('^').trim();
    let tricks = |text: &str| number(text.trim()).filter(|&tricks: &u8| tricks <= 13);
    let result = match plain.split_once(char::is_whitespace) {
        None => tricks(plain),
        Some((side, rest)) => {
            let count: String = rest.chars().take_while(char::is_ascii_digit).collect();
            match (side.parse::<Side>(), tricks(&count)) {
                (Ok(side), Some(tricks)) => {
                    let Some(declarer) = board.declarer else {
                        return Ok(());
                    };
                    let declares = side == declarer.side();
                    Some(if declares { tricks } else { 13 - tricks })
                }
                _ => None,
            }
        }
    };
    if result.is_none() {
        let problem = Problem::expected("Result", value, "0 to 13 tricks");
        return Err(game.at("Result", problem));
    }
    board.result = result;
    Ok(())
}
