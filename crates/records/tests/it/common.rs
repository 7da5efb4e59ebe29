//! What the tests of reading share: a deal, and what a board says in words.

use std::fmt::Display;

use setrograde_records::{Board, DoubleDummy, Options, Records, pbn::Games};

pub const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// The boards of a file and its errors. Boards keep the names.
pub fn read(file: impl AsRef<[u8]>) -> Vec<Result<Board, String>> {
    let options = Options::default().keep_names(true);
    let records = Records::with_options(file.as_ref(), "file", options).unwrap();
    let boards = records.map(|board| board.map_err(|error| error.to_string()));
    boards.collect()
}

/// The boards of a file without errors.
#[track_caller]
pub fn boards(file: impl AsRef<[u8]>) -> Vec<Board> {
    let boards = read(file).into_iter();
    boards.map(|board| board.expect("it is sound")).collect()
}

/// The only board of a file, which has the deal.
#[track_caller]
pub fn board(file: &str) -> Board {
    let mut boards = read(file);
    assert_eq!(boards.len(), 1, "{file}\n{boards:?}");
    let board = boards.remove(0).expect(file);
    assert_eq!(board.deal(), Some(D.parse().unwrap()), "{file}");
    board
}

/// The notes of a board, each after its line.
pub fn notes(board: &Board) -> Vec<String> {
    let notes = board.notes.iter();
    notes.map(|note| format!("{}: {note}", note.line)).collect()
}

/// A PBN file with the results in all its games.
pub fn rewrite(file: &[u8], results: &DoubleDummy) -> Vec<u8> {
    Games::new(file, "file")
        .flat_map(|game| game.unwrap().with_double_dummy(results))
        .collect()
}

/// What a board says about each of these fields, `-` for nothing.
pub fn said(board: &Board, fields: &str) -> String {
    fn or_dash(value: Option<impl Display>) -> String {
        value.map_or("-".to_owned(), |value| value.to_string())
    }
    fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        or_dash(Some(values.join(",")).filter(|text| !text.is_empty()))
    }
    let field = |field| match field {
        "line" => board.line.to_string(),
        "number" => or_dash(board.number),
        "room" => or_dash(board.room.map(|room| format!("{room:?}"))),
        "dealer" => or_dash(board.dealer),
        "sides" => or_dash(board.vulnerability),
        "auction" => or_dash(board.auction.as_deref()),
        "contract" => {
            let passed = board.passed_out.then(|| "passed".to_owned());
            joined(
                passed
                    .into_iter()
                    .chain(board.contract.map(|bid| bid.to_string())),
            )
        }
        "leader" => or_dash(board.leader),
        "play" => joined(&board.play),
        "cards" => board.play.len().to_string(),
        "end" => format!("{:?}", board.play_end),
        "result" => or_dash(board.result),
        "claim" => or_dash(board.claim),
        "players" => or_dash(board.players.as_ref().map(|names| names.join("|"))),
        "notes" => joined(board.notes.iter().map(|note| note.line)),
        other => panic!("no field {other}"),
    };
    fields.split(' ').map(field).collect::<Vec<_>>().join(" ")
}

/// Checks what the only board of a file, which has the deal, says about these fields.
#[track_caller]
pub fn says(file: &str, fields: &str, expected: &str) {
    let board = board(file);
    assert_eq!(
        said(&board, fields),
        expected,
        "{file}\n{:?}",
        notes(&board)
    );
}

/// Checks the files that `template` becomes with each text for its `@`. A case has texts with ` / `
/// between them, and what their boards say.
#[track_caller]
pub fn check(template: &str, fields: &str, cases: &[(&str, &str)]) {
    for (texts, expected) in cases {
        for text in texts.split(" / ") {
            says(&template.replace('@', text), fields, expected);
        }
    }
}
