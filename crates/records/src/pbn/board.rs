//! A board, from the tags of a game.

use std::collections::BTreeMap;

use setrograde_cards::{Call, Deal, Hand, PartialContract, Seat, Side, TextError, Vulnerability};

use super::scan::Tag;
use super::sections::Section;
use super::{double_dummy, sections};
use crate::auction::{self, AuctionEnd, all_pass_at_start, tricks};
use crate::board::complete;
use crate::error::{Problem, quote};
use crate::lines::{BoardResult, only_number, tricks_in};
use crate::lists::is_hand;
use crate::text::decode_line;
use crate::{Board, Doubt, Options, Room, ScoreTable};

/// Tags that make a board.
pub(super) const BOARD_TAGS: [&str; 5] = ["Deal", "Board", "Contract", "Auction", "Play"];

/// The tags of a game, and their values with those of earlier games.
struct ExportedGame<'a> {
    tags: &'a [Tag],
    values: &'a BTreeMap<String, String>,
}

impl ExportedGame<'_> {
    /// A tag's value, if it is meaningful.
    fn value(&self, name: &str) -> Option<&str> {
        self.text(name).filter(|&value| value != "?")
    }

    /// A tag's value as free text: a question mark alone is empty, one after a space is text.
    fn text(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name).filter(|&value| value != "?")?.trim();
        (!value.is_empty()).then_some(value)
    }

    fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The line of the tag with this name.
    fn line(&self, name: &str) -> u64 {
        let first = self.tags.first();
        self.tag(name).or(first).map_or(0, |tag| tag.line)
    }

    /// The value that `parse` reads from a tag; an invalid one is recorded as a warning. `-` is no
    /// value.
    fn read<T>(
        &self,
        board: &mut Board,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, TextError>,
    ) -> Option<T> {
        let value = self.value(name).filter(|&value| value != "-")?;
        let read = parse(value).map_err(|error| Problem::text(name, value, error));
        board.understood(self.line(name), read)
    }

    fn seat(&self, board: &mut Board, name: &'static str) -> Option<Seat> {
        // A caret marks an irregular declarer.
        self.read(board, name, |value| value.trim_start_matches('^').parse())
    }
}

/// The board of a game; `None` if none of its tags is about a board.
pub(super) fn read_board(
    tags: &[Tag],
    values: &BTreeMap<String, String>,
    bytes: &[u8],
    options: Options,
) -> Option<BoardResult> {
    let first = tags.first()?;
    if !BOARD_TAGS.iter().any(|name| values.contains_key(*name)) {
        return None;
    }
    let game = ExportedGame { tags, values };
    Some(read(&game, first.line, options).map(|mut board| {
        let scores = game.tag("ScoreTable").zip(game.text("ScoreTable"));
        board.scores = scores.map(|(tag, columns)| {
            let section = decode_line(&bytes[tag.range.end..tag.end]);
            let table = ScoreTable::new(columns, &section);
            for doubt in table.doubts(board.vulnerability) {
                board.doubt(tag.line, doubt);
            }
            table
        });
        board
    }))
}

fn read(game: &ExportedGame<'_>, line: u64, options: Options) -> BoardResult {
    let mut board = Board {
        line,
        number: game.value("Board").and_then(only_number),
        room: game
            .value("Room")
            .and_then(|room| Room::named(&room.to_ascii_lowercase())),
        ..Board::default()
    };
    if let Some(value) = game.value("Deal") {
        let line = game.line("Deal");
        let behind = game.tag("Deal").map_or("", |tag| &tag.section);
        let read = if behind.split_whitespace().any(is_hand) {
            Err(Problem::expected(
                "Deal",
                behind.trim(),
                "no hand behind its quotes",
            ))
        } else {
            hands(value)
        };
        board.hands = read.map_err(|problem| problem.at(line))?;
    }
    board.dealer = game.seat(&mut board, "Dealer");
    board.declarer = game.seat(&mut board, "Declarer");
    board.vulnerability = match game.value("Vulnerable") {
        Some("-") => Some(Vulnerability::None),
        _ => game.read(&mut board, "Vulnerable", str::parse),
    };
    read_contract(game, &mut board);
    read_auction(game, &mut board);
    read_play(game, &mut board);
    read_result(game, &mut board);
    board.settle_result(game.line("Result"));
    let (results, problems) = double_dummy::read(game.tags, |name| game.text(name));
    board.double_dummy = results;
    for (name, problem) in problems {
        board.doubt(game.line(name), problem);
    }
    let text = |name| game.text(name).map(str::to_owned);
    (board.table, board.pairs) = (text("Table"), [text("PairIDNS"), text("PairIDEW")]);
    (board.scoring, board.competition) = (text("Scoring"), text("Competition"));
    if options.keep_names {
        let name = |seat: Seat| game.text(seat.name()).unwrap_or_default().to_owned();
        board.players = Some(Seat::ALL.map(name));
    }
    Ok(board)
}

/// The hands in a `Deal` tag: the first seat, a colon, and four hands, `-` for
/// a hidden one.
fn hands(value: &str) -> Result<[Option<Hand>; 4], Problem> {
    let hidden = |word: &str| word == "-";
    let problem = |error| Problem::text("Deal", value, error);
    let may_hide = || {
        let mut words = value.split_whitespace();
        let after_seat = words.clone().next().and_then(|first| first.split_once(':'));
        after_seat.is_some_and(|(_, hand)| hidden(hand)) || words.any(hidden)
    };
    if !value.contains('-') || !may_hide() {
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
            let hand = word
                .parse::<Hand>()
                .map_err(|error| problem(error.shifted(column)))?;
            hands[seat.plus(count)] = Some(hand);
        }
        count += 1;
    }
    if count < 4 {
        return Err(bad());
    }
    complete(hands)
}

fn read_contract(game: &ExportedGame<'_>, board: &mut Board) {
    let is_pass = |value: &str| {
        let all = all_pass_at_start(value).is_some_and(|length| length == value.len());
        all || value.parse() == Ok(Call::Pass)
    };
    if game.value("Contract").is_some_and(is_pass) {
        board.passed_out = true;
        return;
    }
    // The result may come with it.
    let mut over = None;
    let contract = game.read(board, "Contract", |value| {
        let (contract, tricks) = auction::with_result(value);
        over = tricks;
        contract.parse::<PartialContract>()
    });
    if let Some(contract) = contract {
        board.result = over.and_then(|over| tricks(contract.bid, over));
        board.set_bid(contract, board.declarer.or(contract.declarer));
    }
}

fn read_auction(game: &ExportedGame<'_>, board: &mut Board) {
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
            board.doubt(tag.line_of(word), Doubt::Call(quote(word)));
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
        // A contract that is not understood counts as missing.
        AuctionEnd::PassedOut if board.strain.is_none() => board.passed_out = true,
        AuctionEnd::Contract(contract) if board.contract.is_none() && !board.passed_out => {
            board.set_contract(contract);
        }
        _ => {}
    }
}

/// The alerts, each with its notes' texts: those between the auction and the play.
fn explained(game: &ExportedGame<'_>, alerts: &[(usize, u8)]) -> Vec<(usize, String)> {
    let after = game.tags.iter().skip_while(|tag| tag.name != "Auction");
    let notes: BTreeMap<u8, &str> = after
        .take_while(|tag| tag.name != "Play")
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

fn read_play(game: &ExportedGame<'_>, board: &mut Board) {
    let Some(tag) = game.tag("Play") else {
        return;
    };
    let Some(leader) = game.seat(board, "Play").or(board.leader) else {
        return;
    };
    let (rows, unread) = sections::rows(tag.words());
    if let Some((word, problem)) = unread {
        board.doubt(tag.line_of(word), problem);
    }
    let (mut play, mut end) = rows.by_column(leader, board.strain);
    board.leader.get_or_insert(leader);
    if let Some((deal, strain)) = board.deal().zip(board.strain)
        && let Some(leader) = board.leader
        && !sections::is_played_by_owners(&deal, leader, strain, &play)
        && let Some(by_owner) = rows.by_owner(&deal, leader, strain)
    {
        (play, end) = by_owner;
        board.doubt(tag.line, Doubt::RowsByOwner);
    }
    (board.play, board.play_end) = (play, end);
}

/// The tricks of the declarer: `9`, `^9` (an irregular result), those of a side, such as `EW 4` or
/// `W 4`, or those above or below the contract, such as `=` or `-1`.
fn read_result(game: &ExportedGame<'_>, board: &mut Board) {
    let Some(value) = game.value("Result").filter(|&value| value != "-") else {
        return;
    };
    let plain = value.trim_start_matches('^').trim();
    let count = |text: &str| tricks_in(text.trim());
    let of_contract = match auction::with_result(plain) {
        ("", over) => board.contract.zip(over),
        _ => None,
    };
    let result = match plain.split_once(char::is_whitespace) {
        _ if of_contract.is_some() => {
            of_contract.and_then(|(contract, over)| tricks(contract.bid, over))
        }
        None => count(plain),
        Some((number, word)) if word.trim().starts_with("trick") => count(number),
        Some((seat, rest)) => {
            let first: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let side = seat.parse::<Side>();
            let side = side.or_else(|_| seat.parse::<Seat>().map(Seat::side));
            match (side, count(&first)) {
                (Ok(side), Some(tricks)) => {
                    let Some(declarer) = board.declarer else {
                        return;
                    };
                    let declares = side == declarer.side();
                    Some(if declares { tricks } else { 13 - tricks })
                }
                _ => None,
            }
        }
    };
    let read = result.ok_or_else(|| Problem::expected("Result", value, "0 to 13 tricks"));
    board.result = board.understood(game.line("Result"), read);
}
