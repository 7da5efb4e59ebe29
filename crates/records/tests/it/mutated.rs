//! Randomly damaged files: no panic, all bytes are kept, and written records read back the same.
//!
//! `MUTATED_FILES=1000000 cargo test --release -p setrograde-records --test it mutated` tries a million.

use std::fmt::Write;

use fastrand::Rng;
use setrograde_cards::{Card, Deal, Seat, Strain, Vulnerability};
use setrograde_records::pbn::{self, Games};
use setrograde_records::{Board, DoubleDummy, Doubt, Format, Options, Records, acts};

use crate::common::rewrite;

/// Default number of files.
const FILES: usize = 20_000;

/// Pieces that formats give a meaning.
const PIECES: [&str; 41] = [
    "[",
    "]",
    "\"",
    "{",
    "}",
    ";",
    "\n",
    "\r\n",
    "\n\n",
    "%",
    "|",
    "md|",
    "qx|o1|",
    "pn|",
    "vg|",
    "rs|",
    "mc|14|",
    "pc|SA|",
    "mb|p|",
    "#",
    "##",
    "-",
    "*",
    "+",
    "AP",
    "N:",
    "\\",
    "\u{feff}",
    "é",
    "NUMBER",
    "PBN",
    "FUT",
    "TABLE",
    "[Board \"1\"]",
    "[Deal \"",
    "[Play \"N\"]",
    "[OptimumResultTable \"",
    "[OptimumPlayTable \"S\\8R;H\\8R;D\\8R;C\\8R\"]\nAK - - -",
    "[Auction \"#\"]",
    "99999999999",
    "0",
];

fn random_board(rng: &mut Rng, number: u32, pbn: &mut String, lin: &mut String) {
    let deal = Deal::random(|n| rng.usize(..n));
    let dealer = Seat::dealer_of_board(number);
    let vulnerable = Vulnerability::of_board(number);
    let first = Seat::from_index(rng.usize(..4));
    let _ = write!(
        pbn,
        "[Event \"##x\"]\n[Board \"{number}\"]\n[Dealer \"{dealer}\"]\n\
         [Vulnerable \"{vulnerable}\"]\n[Deal \"{}\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n\
         [Result \"9\"]\n[Auction \"{dealer}\"]\n1NT Pass 3NT =1= AP\n[Play \"W\"]\n",
        deal.to_pbn(first)
    );
    let hand = |seat: Seat| {
        let text = deal.hand(seat).to_string();
        let suits = text.split('.').zip("SHDC".chars());
        suits.fold(String::new(), |hand, (cards, suit)| {
            hand + &format!("{suit}{cards}")
        })
    };
    let _ = write!(
        lin,
        "qx|o{number}|md|3{},{},{},|sv|o|mb|1N|mb|p|mb|3N!|an|x|mb|p|mb|p|mb|p|pg||",
        hand(Seat::South),
        hand(Seat::West),
        hand(Seat::North)
    );
    let mut pack: Vec<Card> = Card::pack().collect();
    rng.shuffle(&mut pack);
    for (n, card) in pack.iter().take(rng.usize(..40)).enumerate() {
        let _ = write!(pbn, "{card}{}", if n % 4 == 3 { "\n" } else { " " });
        let _ = write!(lin, "pc|{card}|");
    }
    pbn.push_str("*\n{note}\n[OptimumScore \"NS 400\"]\n[DoubleDummyTricks \"");
    (0..20).for_each(|_| pbn.push(char::from_digit(rng.u32(..14), 16).unwrap()));
    pbn.push_str("\"]\n[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            let _ = writeln!(pbn, "{seat} {strain} {}", rng.u32(..14));
        }
    }
    pbn.push_str(if rng.bool() { "\n" } else { "\r\n" });
    lin.push_str("mc|9|pg||\n");
}

/// Sound files.
fn seeds(rng: &mut Rng) -> Vec<String> {
    let mut pbn = String::from("% PBN 2.1\n");
    let mut lin = String::from("vg|Cup,1,I,1,4,A,0,B,0|\nrs|3NS=,3NS+1,PASS,|\npn|a,b,c,d|pg||\n");
    for number in 1..=2 {
        random_board(rng, number, &mut pbn, &mut lin);
    }
    let deal = Deal::random(|n| rng.usize(..n));
    let dds = format!(
        "NUMBER 1\nPBN 0 3 4 2 \"{deal}\"\nFUT 2 0 1 14 3 4096 0 5 4\n\
         TABLE 5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 6 6 6\nPAR \"NS -110\" \"EW 110\" \"NS:EW 2S\" \
         \"EW:EW 2S\"\nPAR2 \"-110\" \"2S-EW\"\nPLAY 2 \"CTC4\"\nTRACE 3 8 8 8\n"
    );
    let west = deal.to_pbn(Seat::West);
    let sol = format!(
        "{}:65658888888843433232\n{west}:65658888888843433232\n",
        &west[2..]
    );
    let plain = format!("# deals\n{deal}\nNT W N:A.K.. K.A.. Q.Q.. J.J..\n");
    vec![pbn, lin, dds, sol, plain]
}

fn mutate(rng: &mut Rng, file: &mut Vec<u8>) {
    for _ in 0..1 + rng.usize(..8) {
        let at = rng.usize(..=file.len());
        let reach = 1 << rng.usize(..8);
        let end = (at + rng.usize(..reach)).min(file.len());
        match rng.u8(..6) {
            0 => file.truncate(at.max(16)),
            1 => drop(file.drain(at..end)),
            2 => {
                let copy = file[at..end].to_vec();
                let to = rng.usize(..=file.len());
                file.splice(to..to, copy);
            }
            3 => drop(file.splice(at..at, rng.choice(PIECES).unwrap_or("").bytes())),
            4 => drop(file.splice(at..end, rng.choice(PIECES).unwrap_or("").bytes())),
            _ => {
                if let Some(byte) = file.get_mut(at) {
                    *byte = rng.u8(..);
                }
            }
        }
    }
}

/// A board written as PBN is read as the same board.
fn check_written(board: &Board) {
    let text = pbn::write(board);
    let options = Options::default().keep_names(true);
    let records = Records::in_format(Format::Pbn, text.as_bytes(), "written", options);
    let boards: Vec<Board> = records.map(|board| board.expect(&text)).collect();
    // Cards out of turn are taken from the hands that hold them.
    let turns = boards
        .iter()
        .flat_map(|board| &board.notes)
        .all(|note| note.doubt != Doubt::RowsByOwner);
    let what_pbn_has = |board: &Board| {
        let names = board.players.clone().unwrap_or_default();
        let blank = |c: char| c == '\t' || acts(c);
        let plain = |text: String| text.replace(blank, " ").trim().to_owned();
        let names = names.map(plain);
        let mut results = board.double_dummy.clone();
        let contract = results.par_contract.map(plain);
        results.par_contract = contract.filter(|text| !text.is_empty());
        let written = board.on_table.is_empty() && board.contract.is_some();
        let play = if written && turns {
            board.play.clone()
        } else {
            Vec::new()
        };
        (
            (board.number, board.hands, board.dealer, board.vulnerability),
            (board.passed_out, board.contract, board.result, names),
            (play, results),
        )
    };
    match &boards[..] {
        [again] => assert_eq!(what_pbn_has(again), what_pbn_has(board), "{text}"),
        _ => assert!(boards.is_empty() && board.number.is_none(), "{text}"),
    }
}

/// All that was read and written: boards, errors, and a fingerprint (FNV-1a) of it all.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    boards: u32,
    errors: u32,
    fingerprint: u64,
}

impl Totals {
    fn add(&mut self, what: impl AsRef<[u8]>) {
        for &byte in what.as_ref() {
            self.fingerprint = (self.fingerprint ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

fn check(file: &[u8], totals: &mut Totals) {
    let options = Options::default().keep_names(true);
    let mut count = 0;
    let records = match Records::with_options(file, "file", options) {
        Ok(records) => Some(records),
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
            None
        }
    };
    for board in records.into_iter().flatten() {
        count += 1;
        match board {
            Ok(board) => {
                let hands = board.hands.map(Option::unwrap_or_default);
                assert!(Deal::new(hands).is_ok());
                let tricks = board.double_dummy.tricks.unwrap_or_default();
                assert!(tricks.as_flattened().iter().all(|&n| n <= 13));
                assert!(board.result.is_none_or(|n| n <= 13));
                let _ = (board.deal(), board.tricks_played());
                check_written(&board);
                totals.boards += 1;
                totals.add(format!("{board:?}{}", pbn::write(&board)));
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.starts_with("file, line "));
                totals.errors += 1;
                totals.add(error);
            }
        }
    }
    assert!(count <= file.len());
    let games = Games::new(file, "file").map(|game| game.unwrap().bytes().to_vec());
    assert_eq!(games.flatten().collect::<Vec<u8>>(), file);
    let results = DoubleDummy {
        tricks: Some([[7; 4]; 5]),
        par_score: Some(90),
        par_contract: Some("NS 1NT".to_owned()),
        play: Some(vec!["AK...".parse().expect("a hand")]),
    };
    let once = rewrite(file, &results);
    totals.add(&once);
    let twice = rewrite(&once, &results);
    assert!(
        once == twice,
        "{}\n---\n{}\n---\n{}",
        String::from_utf8_lossy(file),
        String::from_utf8_lossy(&once),
        String::from_utf8_lossy(&twice)
    );
}

#[test]
fn no_panic_and_no_lost_byte() {
    let wanted = std::env::var("MUTATED_FILES");
    let wanted = wanted.map_or(FILES, |n| n.parse().expect("a number of files"));
    let mut rng = Rng::with_seed(1);
    let mut totals = Totals {
        boards: 0,
        errors: 0,
        fingerprint: 0xcbf2_9ce4_8422_2325,
    };
    for n in 0..wanted {
        let sound = seeds(&mut rng);
        let mut file = sound[n % sound.len()].clone().into_bytes();
        if n >= sound.len() {
            mutate(&mut rng, &mut file);
        }
        check(&file, &mut totals);
    }
    // A change that claims not to affect reading must leave these unchanged.
    let expected = Totals {
        boards: 12_951,
        errors: 14_283,
        fingerprint: 8_409_227_565_549_399_540,
    };
    assert!(wanted != FILES || totals == expected, "{totals:?}");
}

/// The examples of all formats, with damage.
#[test]
fn damaged_examples_are_read_to_their_end() {
    let mut rng = Rng::with_seed(2);
    for (format, _) in Format::all() {
        for _ in 0..FILES / 100 {
            let mut file = format.guide().example.as_bytes().to_vec();
            mutate(&mut rng, &mut file);
            check(&file, &mut Totals::default());
        }
    }
}
