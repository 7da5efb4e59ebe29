//! `setrograde tournament --output`: the games of a bridge tournament in PBN.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use setrograde_beliefs::Game;
use setrograde_cards::{Contract, Doubling, Seat, Side};
use setrograde_lookup::patiently;
use setrograde_play::Bridge;
use setrograde_play::tournament::{Board, TableResult};
use setrograde_records::pbn::write_with;
use setrograde_records::{PlayEnd, Room};

use super::course::Export;

/// Writes the games of a bridge tournament to a file; `names` are the players.
pub fn export<'a>(path: &'a Path, names: &'a [String]) -> anyhow::Result<Export<'a, Bridge>> {
    let cannot_write = move || format!("cannot write {}", path.display());
    let mut file = patiently(|| File::create(path)).with_context(cannot_write)?;
    writeln!(file, "% PBN 2.1").with_context(cannot_write)?;
    Ok(Box::new(move |board, table, sides, result| {
        let names = Seat::ALL.map(|seat| names[sides[seat.side()]].clone());
        let text = game(board, table, names, result);
        file.write_all(text.as_bytes()).with_context(cannot_write)
    }))
}

/// One board at one table, 0 for the open room and 1 for the closed one.
fn game(board: &Board<Bridge>, table: usize, names: [String; 4], result: &TableResult) -> String {
    let contract = board.game.contract();
    let dealer = Seat::dealer_of_board(board.number);
    let record = setrograde_records::Board {
        number: Some(board.number),
        room: Some([Room::Open, Room::Closed][table & 1]),
        hands: board.hands.map(Some),
        dealer: Some(dealer),
        vulnerability: Some(board.game.vulnerability()),
        auction: Some(auction(dealer, contract)),
        contract: Some(contract),
        strain: Some(contract.strain()),
        leader: Some(contract.leader()),
        play: result.cards.clone(),
        play_end: PlayEnd::Stopped,
        result: Some(result.tally.tricks[contract.side().index()]),
        players: Some(names),
        ..Default::default()
    };
    let score = board.game.result(&result.tally, Side::NorthSouth.index());
    let score = format!("NS {score}");
    let mut tags = vec![
        ("Event", "setrograde tournament"),
        ("Site", ""),
        ("Date", ""),
        ("Scoring", "IMP"),
        ("Score", &score),
    ];
    let forfeit = result.forfeit.as_ref();
    let forfeit = forfeit.map(|forfeit| format!("{} {}", forfeit.seat, forfeit.problem));
    if let Some(forfeit) = &forfeit {
        tags.push(("SetrogradeForfeit", forfeit));
    }
    write_with(&tags, &record)
}

/// The shortest auction that ends in the contract.
fn auction(dealer: Seat, contract: Contract) -> String {
    let bid = contract.bid.to_string();
    let mut calls = vec!["Pass"; contract.declarer.distance_from(dealer)];
    calls.push(&bid);
    calls.extend(match contract.doubling {
        Doubling::Undoubled => &[][..],
        Doubling::Doubled => &["X"],
        Doubling::Redoubled => &["X", "XX"],
    });
    calls.extend(["Pass"; 3]);
    calls.join(" ")
}
