//! Writes certificates: proofs of the 20 double-dummy results of a bridge deal.
//!
//! A [`Solver`] finds the results of a strain. From what it has learned, lemmas are derived; those
//! that the results need are written.

#![forbid(unsafe_code)]

mod derive;
mod write;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use setrograde_cards::{Deal, Strain};
use setrograde_check as check;
use setrograde_parallel::each;
use setrograde_solver::{Options, SolveError, Solver, TrickTable};
use thiserror::Error;

use write::LemmaBytes;

/// The reason why there is no certificate.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The deal has no table.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No proof of this lemma was derived.
    #[error("no proof was found for {0}")]
    Missing(check::Lemma),
}

/// Returns the table of a deal and the certificate that proves it, computed by `threads` threads.
///
/// ```
/// use setrograde_cards::Deal;
/// use setrograde_check::{check, read};
/// use setrograde_solver::Options;
///
/// let deal: Deal = "N:AQ.K.. 76..A. .5..A4 K..32.".parse()?;
/// let (table, file) = setrograde_prove::certify(&deal, 1, &Options::default())?;
/// let proved = check(&read(&file[..])?)?;
/// assert_eq!(proved.deal, deal.to_string());
/// assert_eq!(proved.results.len(), table.results().count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the deal has no table, or the search was cancelled.
pub fn certify(
    deal: &Deal,
    threads: usize,
    options: &Options,
) -> Result<(TrickTable, Vec<u8>), ProveError> {
    let solver = || Solver::new(options.clone());
    let strains = each(5, threads, solver, |solver, strain| {
        let strain = Strain::ALL[strain];
        let tricks = solver.declarer_tricks(deal, strain)?;
        Ok::<_, ProveError>((tricks, prove(solver, deal, strain, tricks)?))
    });
    let mut tricks = [[0; 4]; 5];
    let mut lemmas = LemmaBytes::default();
    for (tricks, strain) in tricks.iter_mut().zip(strains) {
        let of_strain;
        (*tricks, of_strain) = strain?;
        lemmas.moves.extend(of_strain.moves);
        lemmas.tops.extend(of_strain.tops);
    }
    let table = TrickTable::new(tricks);
    let mut bytes = format!("{}\n{deal}\n{table}\n", check::TITLE).into_bytes();
    bytes.extend(lemmas.moves);
    // The checker reads them from the end.
    bytes.extend(lemmas.tops.into_iter().rev());
    // The default level, 6, takes three times as long for 2 % fewer bytes.
    let mut file = GzEncoder::new(Vec::new(), Compression::new(4));
    let written = file.write_all(&bytes).and_then(|()| file.finish());
    Ok((table, written.expect("memory takes all bytes")))
}

/// Writes the lemmas that the results of a strain need.
fn prove(
    solver: &mut Solver,
    deal: &Deal,
    strain: Strain,
    tricks: [u8; 4],
) -> Result<LemmaBytes, ProveError> {
    let cards = check::PbnDeal::read(&deal.to_string()).ok_or(SolveError::NoCards)?;
    let results = (0..).zip(tricks);
    let results: Vec<_> = results
        .flat_map(|(declarer, tricks)| cards.lemmas(strain.index(), declarer, tricks))
        .collect();
    let lemmas = derive::derive(solver, deal, strain, &results)?;
    write::write(&lemmas, &results).map_err(ProveError::Missing)
}

#[cfg(test)]
mod tests;
