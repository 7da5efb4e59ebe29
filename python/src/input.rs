//! Deals, positions and cards as Python gives them.

use std::io;
use std::path::Path;

use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use setrograde::causes;
use setrograde_cards::{Card, Deal, Hand, Holding, Position, Seat, Strain, Suit, TextError};

use crate::parallel::listen;

pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error about a file, with `errno` and `filename` as Python's own have them.
pub fn os_error(error: &(dyn std::error::Error + 'static), path: &Path) -> PyErr {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>()
            && let Some(code) = error.raw_os_error()
        {
            let said = error.to_string();
            let said = said.split(" (os error").next().unwrap_or(&said);
            return PyOSError::new_err((code, said.to_owned(), path.as_os_str().to_owned()));
        }
        cause = error.source();
    }
    PyOSError::new_err(causes(error))
}

/// Reads `text`; an error names the argument.
pub fn parse<T: std::str::FromStr<Err = TextError>>(name: &str, text: &str) -> PyResult<T> {
    text.trim()
        .parse()
        .map_err(|error: TextError| value_error(format_args!("{name}: {error}")))
}

/// Deals, from a sequence of texts or from holdings as `uint16` by deal, seat
/// (N E S W) and suit (S H D C), with bit `r` for rank `r`, 2 to 14.
pub fn deals(from: &Bound<'_, PyAny>) -> PyResult<Vec<Deal>> {
    if let Ok(array) = from.extract::<PyReadonlyArray3<'_, u16>>() {
        let &[_, 4, 4] = array.shape() else {
            let shape = array.shape();
            return Err(value_error(format_args!(
                "deals: expected an array of shape (n, 4, 4), found {shape:?}"
            )));
        };
        let array = array.as_array();
        return array
            .outer_iter()
            .enumerate()
            .map(|(n, hands)| {
                listen(from.py(), n)?;
                let mut held = [Hand::EMPTY; 4];
                for (seat, suits) in held.iter_mut().zip(hands.outer_iter()) {
                    let mut holdings = [Holding::EMPTY; 4];
                    for (holding, &bits) in holdings.iter_mut().zip(suits) {
                        if bits & !0x7ffc != 0 {
                            return Err(value_error(format_args!(
                                "deals[{n}]: {bits:#x} has bits outside 2 to 14"
                            )));
                        }
                        *holding = Holding::from_bits(bits >> 2);
                    }
                    *seat = Hand::new(holdings);
                }
                Deal::new(held).map_err(|error| value_error(format_args!("deals[{n}]: {error}")))
            })
            .collect();
    }
    let mut deals = Vec::new();
    for (n, item) in from.try_iter()?.enumerate() {
        listen(from.py(), n)?;
        let text: String = item?.extract()?;
        deals.push(parse(&format!("deals[{n}]"), &text)?);
    }
    Ok(deals)
}

/// A position: a strain, a leader, a deal, and the cards on the table.
pub fn position(strain: &str, leader: &str, deal: &str, played: &[String]) -> PyResult<Position> {
    let strain: Strain = parse("strain", strain)?;
    let leader: Seat = parse("leader", leader)?;
    let deal: Deal = parse("deal", deal)?;
    let played = cards("played", played)?;
    Position::new(strain, leader, deal, &played).map_err(value_error)
}

pub fn cards(name: &str, texts: &[String]) -> PyResult<Vec<Card>> {
    let card = |(n, text): (usize, &String)| parse(&format!("{name}[{n}]"), text);
    texts.iter().enumerate().map(card).collect()
}

/// The holdings of a deal by seat (N E S W) and suit (S H D C), bit `r` for rank
/// `r`.
#[pyfunction]
pub fn holdings(deal: &str) -> PyResult<[[u16; 4]; 4]> {
    let deal: Deal = parse("deal", deal)?;
    Ok(deal
        .hands()
        .map(|hand| Suit::ALL.map(|suit| hand.holding(suit).bits() << 2)))
}

/// The deal in PBN, starting with North.
#[pyfunction]
pub fn deal_text(deal: &str) -> PyResult<String> {
    Ok(parse::<Deal>("deal", deal)?.to_string())
}

/// The hand in PBN: spades, hearts, diamonds and clubs, each from the top.
#[pyfunction]
pub fn hand_text(hand: &str) -> PyResult<String> {
    Ok(parse::<Hand>("hand", hand)?.to_string())
}
