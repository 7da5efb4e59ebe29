//! Prints the boards of files, one a line, as tab-separated fields: number,
//! room, dealer, vulnerability, hands, contract, leader, cards played, result,
//! claim, auction, double-dummy tricks (strains NT S H D C, in each the declarers
//! N E S W), par score. Errors and notes go to standard error, a note behind `note: `.
//!
//! `cargo run -p setrograde-records --example boards FILE...`

use std::fmt::Display;
use std::path::Path;

use setrograde_cards::{Hand, Seat};
use setrograde_records::{Board, Format, Options, Records, Room};

fn or_dash<T: Display>(value: Option<T>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn line(board: &Board) -> String {
    let room = board.room.map(|room| match room {
        Room::Open => "open",
        Room::Closed => "closed",
    });
    let hands = Seat::ALL.map(|seat| or_dash::<Hand>(board.hands[seat]));
    let contract = if board.passed_out {
        "pass".to_owned()
    } else {
        or_dash(board.contract)
    };
    let cards: Vec<String> = board.play.iter().map(ToString::to_string).collect();
    [
        or_dash(board.number),
        or_dash(room),
        or_dash(board.dealer),
        or_dash(board.vulnerability),
        format!("N:{}", hands.join(" ")),
        contract,
        or_dash(board.leader),
        cards.join(" "),
        or_dash(board.result),
        or_dash(board.claim),
        or_dash(board.auction.as_deref()),
        or_dash(board.double_dummy.tricks.map(|tricks| {
            let tricks = tricks.as_flattened().iter();
            tricks.map(u8::to_string).collect::<Vec<_>>().join(" ")
        })),
        or_dash(board.double_dummy.par_score),
    ]
    .join("\t")
}

fn main() -> std::io::Result<()> {
    for file in std::env::args_os().skip(1) {
        let records = Records::open(Path::new(&file), Options::default())?;
        // Lines are questions, which have no numbers.
        let numbered = records.format() != Format::Plain;
        for board in records {
            match board {
                Ok(mut board) => {
                    board.number = board.number.filter(|_| numbered);
                    println!("{}", line(&board));
                    for note in &board.notes {
                        let file = file.display();
                        eprintln!("note: {file}, line {}: {note}", note.line);
                    }
                }
                Err(mut error) => {
                    error.board = error.board.filter(|_| numbered);
                    eprintln!("{error}");
                }
            }
        }
    }
    Ok(())
}
