//! Records as games of PBN 2.1.

use std::fmt::Write;

use setrograde_cards::{Bid, Card, Seat, Side, Strain};

use super::record::{LogError, Logged, Record};
use crate::tournament::board::Board;
use crate::tournament::table::Forfeit;
use setrograde_games::{Game, Trick, beats_in_strain};

const ROOMS: [&str; 2] = ["Open", "Closed"];

/// The record of one board at one table.
pub(super) fn write<G: Game>(record: &Record<'_, G>) -> String {
    let &Record {
        board,
        table,
        players,
        names,
        result,
    } = record;
    let setup = board.game.setup();
    let of = |name: &str| {
        let found = setup.iter().find(|(key, _)| *key == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let declarer: Seat = of("declarer").parse().unwrap_or(Seat::South);
    let dealer = Seat::dealer_of_board(board.number);
    let tricks = result.tally.tricks[declarer.side().index()];
    let score = board.game.result(&result.tally, Side::NorthSouth.index());
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(value));
    };
    tag("Event", "setrograde tournament");
    tag("Site", "");
    tag("Date", "");
    tag("Board", &board.number.to_string());
    for seat in [Seat::West, Seat::North, Seat::East, Seat::South] {
        tag(seat.name(), names[seat.side().index()]);
    }
    tag("Dealer", &dealer.to_string());
    tag("Vulnerable", of("vulnerable"));
    tag("Deal", &board.deal_text());
    tag("Scoring", "IMP");
    tag("Declarer", of("declarer"));
    tag("Contract", of("contract"));
    tag("Result", &tricks.to_string());
    tag("Room", ROOMS[table & 1]);
    tag("Score", &format!("NS {score}"));
    tag(
        "SetrogradePlayers",
        &format!("{} {}", players[0], players[1]),
    );
    if let Some(Forfeit { seat, problem }) = &result.forfeit {
        tag(
            "SetrogradeForfeit",
            &format!("{seat} {}", problem.replace('\n', " ")),
        );
    }
    tag("Auction", &dealer.to_string());
    let _ = writeln!(text, "{}", auction(dealer, declarer, of("contract")));
    let leader = declarer.next();
    let _ = writeln!(text, "[Play \"{leader}\"]");
    text.push_str(&play(board, leader, &result.cards));
    text.push('\n');
    text
}

/// The shortest auction that ends in the contract.
fn auction(dealer: Seat, declarer: Seat, contract: &str) -> String {
    let bid = contract.trim_end_matches('X');
    let mut calls = vec!["Pass"; declarer.distance_from(dealer)];
    calls.push(bid);
    match contract.len() - bid.len() {
        0 => {}
        1 => calls.push("X"),
        _ => calls.extend(["X", "XX"]),
    }
    calls.extend(["Pass"; 3]);
    let rows: Vec<String> = calls.chunks(4).map(|row| row.join(" ")).collect();
    rows.join("\n")
}

/// The cards in PBN's order: a row for each trick, a column for each seat, from
/// the opening leader; `-` where no card was played.
fn play<G: Game>(board: &Board<G>, first: Seat, cards: &[Card]) -> String {
    let mut text = String::new();
    let mut leader = first;
    for trick_cards in cards.chunks(4) {
        let mut trick = Trick::new(leader);
        for &card in trick_cards {
            board.game.play_to(&mut trick, card);
        }
        let mut row = ["-"; 4].map(str::to_owned);
        for (seat, card) in trick.plays() {
            row[seat.distance_from(first)] = card.to_string();
        }
        let _ = writeln!(text, "{}", row.join(" "));
        leader = trick.winner();
    }
    if cards.len() < 52 {
        text.push_str("*\n");
    }
    text
}

type Lines<'a> = dyn Iterator<Item = (usize, &'a str)> + 'a;

/// Reads the records after the first lines.
pub(super) fn read<'a>(
    lines: impl Iterator<Item = (usize, &'a str)> + 'a,
) -> Result<Vec<Logged>, LogError> {
    let mut logged = Vec::new();
    let mut lines: Box<Lines<'a>> = Box::new(lines);
    while let Some(record) = read_record(&mut *lines)? {
        logged.push(record);
    }
    Ok(logged)
}

/// The next record; `None` if the log ends before the record does.
fn read_record(lines: &mut Lines<'_>) -> Result<Option<Logged>, LogError> {
    let mut board = None;
    let mut players = None;
    let mut forfeit = None;
    let mut strain = None;
    while let Some((at, line)) = lines.next() {
        let damaged = |problem: &str| LogError::Damaged {
            line: at + 1,
            problem: problem.to_owned(),
        };
        let Some((name, value)) = tag_of(line) else {
            continue;
        };
        match name {
            "Board" => {
                let number = value.parse().map_err(|_| damaged("no number of a board"))?;
                board = Some(number);
            }
            "Contract" => {
                let bid: Result<Bid, _> = value.trim_end_matches('X').parse();
                strain = Some(bid.map_err(|_| damaged("no contract"))?.strain());
            }
            "SetrogradePlayers" => {
                let numbers: Option<Vec<usize>> =
                    value.split(' ').map(|number| number.parse().ok()).collect();
                let pair: Option<[usize; 2]> = numbers.and_then(|numbers| numbers.try_into().ok());
                players = Some(pair.ok_or_else(|| damaged("no two players"))?);
            }
            "SetrogradeForfeit" => {
                let (seat, problem) = value.split_once(' ').unwrap_or((&value, ""));
                forfeit = Some(Forfeit {
                    seat: seat.parse().map_err(|_| damaged("no seat that forfeits"))?,
                    problem: problem.to_owned(),
                });
            }
            "Play" => {
                let first: Seat = value.parse().map_err(|_| damaged("no seat that leads"))?;
                let Some(rows) = read_rows(lines)? else {
                    return Ok(None);
                };
                let (Some(board), Some(players)) = (board, players) else {
                    return Err(damaged("a play without a board"));
                };
                let strain = strain.ok_or_else(|| damaged("a play without a contract"))?;
                let cards = order_of_play(first, strain, &rows);
                return Ok(Some(Logged {
                    board,
                    players,
                    cards,
                    forfeit,
                }));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn tag_of(line: &str) -> Option<(&str, String)> {
    let (name, value) = line
        .strip_prefix('[')?
        .strip_suffix("\"]")?
        .split_once(" \"")?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The rows of a play, up to the empty line that ends a record; `None` if the
/// log ends first.
fn read_rows(lines: &mut Lines<'_>) -> Result<Option<Vec<[Option<Card>; 4]>>, LogError> {
    let mut rows = Vec::new();
    for (at, line) in lines {
        if line.is_empty() {
            return Ok(Some(rows));
        }
        if line == "*" {
            continue;
        }
        let cards = line.split(' ').map(|card| match card {
            "-" => Ok(None),
            card => card.parse().map(Some),
        });
        let cards: Result<Vec<Option<Card>>, _> = cards.collect();
        let row = cards.ok().and_then(|cards| cards.try_into().ok());
        rows.push(row.ok_or_else(|| LogError::Damaged {
            line: at + 1,
            problem: "a row of a play has four cards".to_owned(),
        })?);
    }
    Ok(None)
}

/// The cards of all rows as they were played, with `first` leading to the first.
fn order_of_play(first: Seat, strain: Strain, rows: &[[Option<Card>; 4]]) -> Vec<Card> {
    let mut cards = Vec::with_capacity(52);
    let mut leader = first;
    for row in rows {
        let mut best: Option<(Card, Seat)> = None;
        for seat in (0..4).map(|n| leader.plus(n)) {
            let Some(card) = row[seat.distance_from(first)] else {
                break;
            };
            if best.is_none_or(|(best, _)| beats_in_strain(strain, card, best)) {
                best = Some((card, seat));
            }
            cards.push(card);
        }
        leader = best.map_or(leader, |(_, seat)| seat);
    }
    cards
}
