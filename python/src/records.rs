//! Boards of files.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setrograde_cards::{Card, Contract, Hand, Seat, Strain, TextError};
use setrograde_records::{Board, Options, PlayEnd, PrefixedText, Records, Room, lin, pbn};

use crate::input::{os_error, parse, value_error};
use crate::parallel::interruptible;

/// The boards of a file, each as a dictionary. A bad board raises `ValueError`; iteration can
/// continue with the next.
#[pyclass(frozen, module = "setrograde._native")]
pub struct RecordReader {
    records: Mutex<Records<PrefixedText<BufReader<File>>>>,
}

#[pymethods]
impl RecordReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, names: bool) -> PyResult<RecordReader> {
        let options = Options::default().keep_names(names);
        // Opening a pipe waits for its writer.
        let opened = path.clone();
        let records = interruptible(py, move || Records::open(&opened, options))?.map_err(
            |error| match error.kind() {
                ErrorKind::InvalidData => value_error(format_args!("{}: {error}", path.display())),
                _ => os_error(&error, &path),
            },
        )?;
        Ok(RecordReader {
            records: Mutex::new(records),
        })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = py.detach(|| {
            let mut records = self.records.lock();
            records.as_mut().ok().and_then(|records| records.next())
        });
        match next {
            None => Ok(None),
            Some(Ok(board)) => fields(py, &board).map(Some),
            Some(Err(error)) => Err(PyValueError::new_err(error.to_string())),
        }
    }
}

fn fields<'py>(py: Python<'py>, board: &Board) -> PyResult<Bound<'py, PyDict>> {
    let text = |value: Option<&dyn std::fmt::Display>| value.map(ToString::to_string);
    let fields = PyDict::new(py);
    fields.set_item("line", board.line)?;
    fields.set_item("number", board.number)?;
    fields.set_item("room", board.room.map(Room::name))?;
    fields.set_item("deal", board.deal().map(|deal| deal.to_string()))?;
    let hands = board
        .hands
        .map(|hand| hand.map(|hand: Hand| hand.to_string()));
    fields.set_item("hands", hands)?;
    fields.set_item("dealer", board.dealer.map(|seat| seat.to_string()))?;
    let vulnerable = board.vulnerability.map(|sides| sides.to_string());
    fields.set_item("vulnerable", vulnerable)?;
    fields.set_item("auction", board.auction.as_deref())?;
    fields.set_item("passed_out", board.passed_out)?;
    fields.set_item("contract", text(board.contract.as_ref().map(|c| c as _)))?;
    fields.set_item("declarer", text(board.declarer.as_ref().map(|s| s as _)))?;
    fields.set_item("strain", text(board.strain.as_ref().map(|s| s as _)))?;
    fields.set_item("leader", text(board.leader.as_ref().map(|s| s as _)))?;
    let cards = |cards: &[Card]| -> Vec<String> { cards.iter().map(ToString::to_string).collect() };
    fields.set_item("on_table", cards(&board.on_table))?;
    fields.set_item("play", cards(&board.play))?;
    let end = match board.play_end {
        PlayEnd::Open => "open",
        PlayEnd::Stopped => "stopped",
        PlayEnd::InProgress => "in progress",
        PlayEnd::Unknown => "unknown",
    };
    fields.set_item("play_end", end)?;
    fields.set_item("result", board.result)?;
    fields.set_item("claim", board.claim)?;
    fields.set_item("players", board.players.clone())?;
    let tricks = board.double_dummy.tricks.map(|tricks| {
        let mut rows = [[0; 4]; 5];
        for strain in Strain::ALL {
            rows[strain.dds_index()] = tricks[strain.index()].map(i64::from);
        }
        rows
    });
    fields.set_item("tricks", tricks)?;
    fields.set_item("par_score", board.double_dummy.par_score)?;
    fields.set_item("par_contract", board.double_dummy.par_contract.as_deref())?;
    Ok(fields)
}

/// The fields of a board.
#[derive(FromPyObject)]
pub struct BoardFields {
    number: Option<u32>,
    room: Option<String>,
    hands: Vec<Option<String>>,
    dealer: Option<String>,
    vulnerable: Option<String>,
    auction: Option<String>,
    passed_out: bool,
    contract: Option<String>,
    declarer: Option<String>,
    strain: Option<String>,
    leader: Option<String>,
    on_table: Vec<String>,
    play: Vec<String>,
    play_end: String,
    result: Option<u8>,
    claim: Option<u8>,
    players: Option<[String; 4]>,
    tricks: Option<[[u8; 4]; 5]>,
    par_score: Option<i32>,
    par_contract: Option<String>,
}

/// A board as text, in PBN unless `lin`.
#[pyfunction]
pub fn board_text(board: BoardFields, lin: bool) -> PyResult<String> {
    fn known<T: std::str::FromStr<Err = TextError>>(
        name: &str,
        text: Option<&String>,
    ) -> PyResult<Option<T>> {
        text.map(|text| parse(name, text)).transpose()
    }
    let cards = |name: &str, cards: &[String]| -> PyResult<Vec<Card>> {
        cards.iter().map(|card| parse(name, card)).collect()
    };
    let unexpected = |name: &str, expected: &str, found: &dyn std::fmt::Debug| {
        value_error(format_args!("{name}: expected {expected}; found {found:?}"))
    };
    for (name, tricks) in [("result", board.result), ("claim", board.claim)] {
        if let Some(tricks) = tricks.filter(|&tricks| tricks > 13) {
            return Err(unexpected(name, "0 to 13 tricks", &tricks));
        }
    }
    let contract: Option<Contract> = known("contract", board.contract.as_ref())?;
    let declarer: Option<Seat> = known("declarer", board.declarer.as_ref())?;
    if let (Some(contract), Some(declarer)) = (contract, declarer)
        && contract.declarer != declarer
    {
        let expected = format!("{}, as in the contract", contract.declarer);
        return Err(unexpected("declarer", &expected, &declarer.to_string()));
    }
    let room = board.room.as_deref().map(|room| {
        Room::named(room).ok_or_else(|| unexpected("room", "'open' or 'closed'", &room))
    });
    let mut written = Board {
        number: board.number,
        room: room.transpose()?,
        dealer: known("dealer", board.dealer.as_ref())?,
        vulnerability: known("vulnerable", board.vulnerable.as_ref())?,
        auction: board.auction,
        passed_out: board.passed_out,
        contract,
        declarer,
        strain: known("strain", board.strain.as_ref())?,
        leader: known("leader", board.leader.as_ref())?,
        on_table: cards("on_table", &board.on_table)?,
        play: cards("play", &board.play)?,
        play_end: match &*board.play_end {
            "stopped" => PlayEnd::Stopped,
            "in progress" => PlayEnd::InProgress,
            "unknown" => PlayEnd::Unknown,
            "open" => PlayEnd::Open,
            end => {
                let expected = "'open', 'stopped', 'in progress' or 'unknown'";
                return Err(unexpected("play_end", expected, &end));
            }
        },
        result: board.result,
        claim: board.claim,
        players: board.players,
        ..Board::default()
    };
    for (hand, text) in written.hands.iter_mut().zip(&board.hands) {
        *hand = known("hands", text.as_ref())?;
    }
    let results = &mut written.double_dummy;
    let rows = board.tricks;
    results.tricks = rows.map(|rows| Strain::ALL.map(|strain| rows[strain.dds_index()]));
    results.par_score = board.par_score;
    results.par_contract = board.par_contract;
    Ok(if lin {
        lin::write(&written)
    } else {
        pbn::write(&written)
    })
}
