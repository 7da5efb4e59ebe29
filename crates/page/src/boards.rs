//! Boards from elsewhere: files in any format that `setrograde_records` reads, links too.

use std::mem;

use serde::{Deserialize, Serialize};
use setrograde::ask::NoSubject;
use setrograde::cards::{Card, Contract, Deal, Hand, Seat, Strain, Vulnerability};
use setrograde::source::{QuestionLocation, nothing_found};
use setrograde::{Ask, Desk, Example, Refusal, Report, joined, table_deal};
use setrograde_records::{Board, Format, Options, PlayEnd, Records, Room, decode, lin, pbn};

use crate::evening;
use crate::{LONGEST, refused};

/// The boards of a text: a file in any format, or links.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PastedBoards {
    /// The text.
    source: String,
    /// The name of the file, for errors.
    #[serde(default = "pasted")]
    name: String,
}

fn pasted() -> String {
    "what was pasted".to_owned()
}

/// Boards as a file.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WrittenBoards {
    /// The format.
    format: FileFormat,
    /// The boards.
    boards: Vec<BoardToWrite>,
}

/// A format of files.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum FileFormat {
    Pbn,
    Lin,
}

/// A board, as `boards` has it; other names are passed over. What is missing is unknown.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
struct BoardToWrite {
    board: Option<u32>,
    room: Option<String>,
    /// The hands from North.
    hands: Vec<Option<Hand>>,
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerability>,
    calls: Vec<CallToWrite>,
    passed_out: bool,
    contract: Option<Contract>,
    leader: Option<Seat>,
    /// The cards in the order of play.
    play: Vec<Card>,
    /// The declarer's tricks.
    result: Option<u8>,
    /// The tricks that the declarer claimed, in all.
    claim: Option<u8>,
    /// The names of the players from North.
    players: Option<Vec<String>>,
}

/// A call, with its alert or explanation.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
struct CallToWrite {
    call: String,
    alert: Option<String>,
}

/// The text of the bytes of a file.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Decode {
    /// The bytes, each as the letter of its number.
    letters: String,
}

/// Maximum number of boards of a text that are shown.
const MOST_BOARDS: usize = 2_000;

/// The boards of a text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardsRead {
    /// The boards, and the problems of those that could not be read.
    boards: Vec<BoardRead>,
    /// The number of boards after the last of these, which are more than the page shows.
    beyond: usize,
    /// The first line with text that belongs to no board, and is passed over.
    text_between: Option<u64>,
    /// The teams, if it is a match.
    #[serde(rename = "match")]
    of_match: Option<TeamMatch>,
}

/// A board, or the reason that it could not be read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum BoardRead {
    Board(Box<ShownBoard>),
    ErrorText(ErrorText),
}

/// The reason that a board could not be read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorText {
    /// The reason.
    error: String,
}

/// A board of a record. What is unknown is null.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ShownBoard {
    /// The number of the board.
    board: Option<u32>,
    /// The line of the text on which its record begins, from 1.
    line: u64,
    /// `open` or `closed`.
    room: Option<String>,
    /// The deal: four hands of the same length.
    deal: Option<Deal>,
    /// The reason that it has no deal.
    lacks: Option<String>,
    /// The hands from North.
    hands: [Option<Hand>; 4],
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerability>,
    calls: Vec<ExplainedCall>,
    /// The calls without their explanations.
    auction: Option<String>,
    passed_out: bool,
    contract: Option<Contract>,
    declarer: Option<Seat>,
    strain: Option<Strain>,
    leader: Option<Seat>,
    /// The cards in the order of play.
    play: Vec<Card>,
    /// The declarer's tricks.
    result: Option<u8>,
    /// The score of North and South.
    score: Option<i32>,
    /// The tricks that the declarer claimed, in all.
    claim: Option<u8>,
    /// The names of the players from North.
    players: Option<[String; 4]>,
    /// The table at which it was played.
    table: Option<String>,
    /// The numbers of the pairs: North and South, East and West.
    pairs: [Option<String>; 2],
    /// True if the record has a result of its own, or those of all tables.
    played: bool,
    /// True if the record has the results of all tables.
    scored: bool,
    /// The board in PBN.
    pbn: String,
    /// Warnings about the record.
    notes: Vec<String>,
}

/// A call, with its alert or explanation.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ExplainedCall {
    call: String,
    alert: Option<String>,
}

/// The teams of a match, the first of them North and South in the open room.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TeamMatch {
    title: String,
    teams: [String; 2],
    /// The IMPs that each brings along.
    carried: [i32; 2],
}

/// A text.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileText {
    /// The text.
    source: String,
}

/// The page alone shows it.
impl Report for BoardsRead {}

/// The page alone shows it.
impl Report for FileText {}

impl Ask for PastedBoards {
    const NAME: &'static str = "boards";
    const EXAMPLE: Example = Example {
        json: r#"{"source": "[Deal \"N:A... K... Q... J...\"]\n"}"#,
        command: "",
    };
    type Subject = NoSubject;
    type Answer = BoardsRead;

    fn answer(
        &self,
        _: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<BoardsRead, Refusal> {
        let bytes = self.source.len();
        if bytes > LONGEST {
            let problem = format_args!("{bytes} bytes; at most {LONGEST} are read");
            return Err(Refusal::question(problem));
        }
        read(&self.source, &self.name)
    }
}

impl Ask for Decode {
    const NAME: &'static str = "decode";
    const EXAMPLE: Example = Example {
        json: r#"{"letters": "N:A... K... Q... J..."}"#,
        command: "",
    };
    type Subject = NoSubject;
    type Answer = FileText;

    fn answer(&self, _: &mut Desk, _: &NoSubject, _: Option<&Board>) -> Result<FileText, Refusal> {
        let bytes: Result<Vec<u8>, _> = self.letters.chars().map(u8::try_from).collect();
        let bytes = bytes.map_err(Refusal::question)?;
        Ok(FileText {
            source: decode(&bytes),
        })
    }
}

impl Ask for WrittenBoards {
    const NAME: &'static str = "write";
    const EXAMPLE: Example = Example {
        json: r#"{"format": "pbn", "boards": []}"#,
        command: "",
    };
    type Subject = NoSubject;
    type Answer = FileText;

    fn answer(&self, _: &mut Desk, _: &NoSubject, _: Option<&Board>) -> Result<FileText, Refusal> {
        let write = match self.format {
            FileFormat::Pbn => pbn::write,
            FileFormat::Lin => lin::write,
        };
        let boards = self.boards.iter().map(|board| write(&board.board()));
        Ok(FileText {
            source: boards.collect(),
        })
    }
}

/// The boards of a text of that name, as every reader of records gives them.
fn read(text: &str, name: &str) -> Result<BoardsRead, Refusal> {
    // Lines may end with carriage returns alone.
    let text = &*decode(text.as_bytes());
    let options = Options::default().keep_names(true);
    let records = Records::with_options(text.as_bytes(), name, options);
    let mut records = records.map_err(|error| refused(&error))?;
    let links = records.format() == Format::Links;
    let lines = records.format() == Format::Plain;
    let (mut boards, mut beyond): (Vec<BoardRead>, usize) = (Vec::new(), 0);
    for board in &mut records {
        if boards.len() == MOST_BOARDS {
            beyond += 1;
            continue;
        }
        match board.map(|board| if lines { of_line(board) } else { board }) {
            Ok(board) => {
                let board = shown(&board, name);
                let is_there = |other: &BoardRead| matches!(other, BoardRead::Board(other) if other.pbn == board.pbn);
                // A page of results links each board twice.
                if !links || !boards.iter().any(is_there) {
                    boards.push(BoardRead::Board(Box::new(board)));
                }
            }
            Err(mut error) => {
                error.board = error.board.filter(|_| !lines);
                boards.push(BoardRead::ErrorText(ErrorText {
                    error: error.to_string(),
                }));
            }
        }
    }
    if boards.is_empty() {
        let problem = nothing_found(true);
        return Err(Refusal::question(format_args!("{name}: {problem}")));
    }
    Ok(BoardsRead {
        boards,
        beyond,
        text_between: records.text_between(),
        of_match: team_match(text),
    })
}

/// A board from a line, as a question: lines do not number their boards, and the cards on the table
/// are the first of its play.
fn of_line(mut board: Board) -> Board {
    board.number = None;
    let on_table = mem::take(&mut board.on_table);
    if let Some(leader) = board.leader {
        for (n, &card) in on_table.iter().enumerate() {
            if let Some(hand) = &mut board.hands[leader.plus(n)] {
                hand.insert(card);
            }
        }
    }
    board.play.splice(..0, on_table);
    board
}

/// The teams of a match and the IMPs that they carry over: `vg` in LIN, or tags in PBN.
fn team_match(text: &str) -> Option<TeamMatch> {
    let tag = |name: &str| {
        let value = text
            .split_once(&format!("[{name} \""))?
            .1
            .split_once('"')?
            .0;
        Some(value.trim().to_owned()).filter(|value| !matches!(&**value, "" | "?"))
    };
    let (title, teams, carried) = match text.split_once("vg|") {
        Some((before, rest)) if before.is_empty() || before.ends_with(['|', '\n']) => {
            let fields: Vec<&str> = rest.split_once('|')?.0.split(',').map(str::trim).collect();
            let field = |n: usize| fields.get(n).copied().unwrap_or_default().to_owned();
            let carried = [field(6), field(8)].map(|imps| imps.parse::<i32>().unwrap_or(0));
            (field(0), [field(5), field(7)], carried)
        }
        _ => {
            let teams = [tag("HomeTeam")?, tag("VisitTeam")?];
            (tag("Event").unwrap_or_default(), teams, [0; 2])
        }
    };
    let named = teams.iter().all(|team| !team.is_empty());
    named.then_some(TeamMatch {
        title,
        teams,
        carried,
    })
}

/// The calls, each with its alert or explanation.
fn calls(board: &Board) -> Vec<ExplainedCall> {
    let words = board
        .auction
        .iter()
        .flat_map(|text| text.split_whitespace());
    let calls = words.enumerate().map(|(at, call)| {
        let said = board.alerts.iter().find(|(of, _)| *of == at);
        ExplainedCall {
            call: call.to_owned(),
            alert: said.map(|(_, text)| text.clone()),
        }
    });
    calls.collect()
}

fn shown(board: &Board, name: &str) -> ShownBoard {
    let deal = table_deal(board);
    let lacks = deal
        .as_ref()
        .err()
        .map(|lacks| QuestionLocation::of_board(name, board).complaint(None, &lacks.to_string()));
    ShownBoard {
        board: board.number,
        line: board.line,
        room: board.room.map(|room| room.name().to_owned()),
        deal: deal.ok(),
        lacks,
        hands: board.hands,
        dealer: board.dealer,
        vulnerable: board.vulnerability,
        calls: calls(board),
        auction: board.auction.clone(),
        passed_out: board.passed_out,
        contract: board.contract,
        declarer: board.declarer,
        strain: board.strain,
        leader: board.leader,
        play: board.on_table.iter().chain(&board.play).copied().collect(),
        result: board.result,
        score: evening::score(board, board.result),
        claim: board.claim,
        players: board.players.clone(),
        table: board.table.clone(),
        pairs: board.pairs.clone(),
        played: board.scores.is_some() || board.result.is_some() || board.passed_out,
        scored: board.scores.is_some(),
        pbn: pbn::write(board),
        notes: board.notes.iter().map(ToString::to_string).collect(),
    }
}

impl BoardToWrite {
    fn board(&self) -> Board {
        let plain = |text: &String| joined(text.split_whitespace(), " ");
        let mut board = Board {
            number: self.board,
            dealer: self.dealer,
            vulnerability: self.vulnerable,
            passed_out: self.passed_out,
            contract: self.contract,
            leader: self.leader,
            play: self.play.clone(),
            result: self.result,
            claim: self.claim,
            ..Board::default()
        };
        let room = self.room.as_deref();
        board.room = room.map(|room| Room::named(room).unwrap_or(Room::Closed));
        for (hand, own) in board.hands.iter_mut().zip(&self.hands) {
            *hand = *own;
        }
        for (at, of) in self.calls.iter().enumerate() {
            let alert = of.alert.as_ref().map(|text| (at, plain(text)));
            board.alerts.extend(alert);
        }
        if !self.calls.is_empty() {
            board.auction = Some(joined(self.calls.iter().map(|of| &of.call), " "));
        }
        if let Some(contract) = self.contract {
            board.declarer = Some(contract.declarer);
            board.strain = Some(contract.bid.strain());
        }
        if self.claim.is_some() {
            board.play_end = PlayEnd::Stopped;
        }
        let players = self.players.iter().flatten().map(plain);
        let players: Vec<String> = players.collect();
        let is_named = players.iter().any(|name| !name.is_empty());
        board.players = players.try_into().ok().filter(|_| is_named);
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEAL: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";

    fn shown(text: &str) -> Vec<ShownBoard> {
        let boards = read(text, "a test").expect("boards").boards.into_iter();
        let board = |board| match board {
            BoardRead::Board(board) => *board,
            BoardRead::ErrorText(ErrorText { error }) => panic!("{error}"),
        };
        boards.map(board).collect()
    }

    fn deals(text: &str) -> Vec<String> {
        let boards = shown(text).into_iter();
        boards
            .map(|board| board.deal.expect("a deal").to_string())
            .collect()
    }

    #[test]
    fn diagrams_of_forums_and_newspapers() {
        let newspaper = "Dealer: South\nVul: both\n\n        T 5 4 3\n        K Q 4\n        4 3\n        \
            9 5 4 2\nQ 2               A K J 9 6\nA J 10 8 5 3 2    6\n2                 A K 10 5\nA 7 6       \
            Q J 3\n        8 7\n        9 7\n        Q J 9 8 7 6\n        K 10 8\n";
        assert_eq!(deals(newspaper), [DEAL]);
        let signs = "     North\n   ♠ T543\n   ♥ KQ4\n   ♦ 43\n   ♣ 9542\nWest        East\n♠ Q2       ♠ AKJ96\n\
            ♥ AJT8532  ♥ 6\n♦ 2        ♦ AKT5\n♣ A76      ♣ QJ3\n     South\n   ♠ 87\n   ♥ 97\n   ♦ QJ9876\n   \
            ♣ KT8\n";
        assert_eq!(deals(signs), [DEAL]);
        let forum = "What now? [hv=pc=n&s=s87h97dqj9876ckt8&w=sq2hajt8532d2ca76&n=st543hkq4d43c9542&\
            e=sakj96h6dakt5cqj3&d=w&v=b&b=12&a=4hppp]399|300[/hv] Thanks.";
        assert_eq!(deals(forum), [DEAL]);
    }

    #[test]
    fn a_deal_over_several_lines() {
        for [from, to] in [[" AKJ96", "\nAKJ96"], [" ", "\r\n"], [" ", "\r"]] {
            assert_eq!(deals(&DEAL.replace(from, to)), [DEAL]);
        }
        assert_eq!(deals(&format!("{DEAL}\r{DEAL}\r")), [DEAL, DEAL]);
    }

    #[test]
    fn two_hands_alone() {
        for text in [
            "N:AQ732.K5.J83.T92 ? K4.AQ3.AKT2.J853 ?",
            "AQ732.K5.J83.1092 K4.AQ3.AK102.J853",
        ] {
            let hands = shown(text)[0]
                .hands
                .map(|hand| hand.map(|hand| hand.to_string()));
            let known = |hand: &str| Some(hand.to_owned());
            let expected = [
                known("AQ732.K5.J83.T92"),
                None,
                known("K4.AQ3.AKT2.J853"),
                None,
            ];
            assert_eq!(hands, expected);
        }
    }

    #[test]
    fn a_contract_without_its_auction_is_in_lin() {
        for contract in ["4HW", "3NTXN", "7CXXE"] {
            let board = BoardToWrite {
                hands: DEAL[2..].split(' ').map(|hand| hand.parse().ok()).collect(),
                dealer: Some(Seat::South),
                contract: contract.parse().ok(),
                claim: Some(9),
                ..BoardToWrite::default()
            };
            let boards = shown(&lin::write(&board.board()));
            assert_eq!(boards[0].contract, contract.parse().ok());
            assert_eq!(boards[0].claim, Some(9));
        }
    }
}
