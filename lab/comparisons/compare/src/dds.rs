//! Deals and strains in the form that all versions of DDS take.

use std::ffi::c_char;

use anyhow::ensure;
use setrograde_cards::{Deal, Strain};
use setrograde_solver::TrickTable;

use crate::Answer;

/// A deal's PBN in DDS's buffer, which ends in zero bytes.
pub fn pbn(deal: &Deal) -> [c_char; 80] {
    let mut text = [0; 80];
    for (slot, byte) in text.iter_mut().zip(deal.to_string().bytes()) {
        *slot = byte as c_char;
    }
    text
}

/// The answer of a table in the order of DDS's strains, unless the code says that DDS failed.
pub fn table(code: i32, tricks: [[i32; 4]; 5]) -> anyhow::Result<Answer> {
    ensure!(code == 1, "DDS failed with {code}");
    let of_strain = |strain: Strain| tricks[strain.dds_index()].map(|tricks| tricks as u8);
    Ok(Answer::Table(TrickTable::new(Strain::ALL.map(of_strain))))
}

/// The answer of the best card's tricks, unless the code says that DDS failed.
pub fn tricks(code: i32, scores: [i32; 13]) -> anyhow::Result<Answer> {
    ensure!(code == 1, "DDS failed with {code}");
    Ok(Answer::Tricks(scores[0] as u8))
}
