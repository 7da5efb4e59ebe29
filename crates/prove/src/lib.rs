//! Writes certificates: proofs of double-dummy results of a bridge deal.
//!
//! A [`Solver`] finds the results of a strain. Lemmas are derived from what it has learned, and
//! those that the results need are written.

#![forbid(unsafe_code)]

mod derive;
mod write;

use std::array::from_fn;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use setrograde_cards::{Deal, Position, Strain};
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
    /// A trick is not complete.
    #[error("a certificate needs a position at the start of a trick, but cards are on the table")]
    WithinTrick,
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
/// let (_, file) = setrograde_prove::certify(&deal, 1, &Options::default())?;
/// let bytes = read(&mut &file[..])?.ok_or("the file is empty")?;
/// assert_eq!(check(&bytes)?.deal, deal.to_string());
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
        let lemmas = prove(solver, deal, strain, tricks.map(Some))?;
        Ok::<_, ProveError>((tricks, lemmas))
    });
    let mut tricks = [[0; 4]; 5];
    let mut lemmas = LemmaBytes::default();
    for (tricks, strain) in tricks.iter_mut().zip(strains) {
        let of_strain;
        (*tricks, of_strain) = strain?;
        lemmas.moves.extend(of_strain.moves);
        lemmas.tops.extend(of_strain.tops);
    }
    let results = tricks.as_flattened().iter().copied().map(Some);
    Ok((TrickTable::new(tricks), file(deal, results, lemmas)))
}

/// Returns the tricks of the leader's side at the start of a trick, and the certificate that proves
/// them. The certificate states no other results.
///
/// # Errors
///
/// If cards of a trick are on the table, and as for [`certify`].
pub fn certify_position(
    position: &Position,
    options: &Options,
) -> Result<(u8, Vec<u8>), ProveError> {
    if !position.is_trick_boundary() {
        return Err(ProveError::WithinTrick);
    }
    let (deal, strain) = (position.deal(), position.strain());
    let mut solver = Solver::new(options.clone());
    let tricks = solver.tricks(position)?;
    let declarer = (position.leader().index() + 3) % 4;
    let mut results = [None; 20];
    let of_strain = &mut results[4 * strain.index()..][..4];
    of_strain[declarer] = Some(position.tricks_left() as u8 - tricks);
    let of_strain = from_fn(|nth| of_strain[nth]);
    let lemmas = prove(&mut solver, deal, strain, of_strain)?;
    Ok((tricks, file(deal, results, lemmas)))
}

/// Returns a file with one certificate.
fn file(deal: &Deal, results: impl IntoIterator<Item = Option<u8>>, lemmas: LemmaBytes) -> Vec<u8> {
    let results = results.into_iter();
    let results = results.map(|tricks| tricks.map_or("-".to_owned(), |tricks| tricks.to_string()));
    let results = results.collect::<Vec<_>>().join(" ");
    let mut bytes = format!("{}\n{deal}\n{results}\n", check::TITLE).into_bytes();
    bytes.extend(lemmas.moves);
    // The checker reads them from the end.
    bytes.extend(lemmas.tops.into_iter().rev());
    // The default level, 6, takes three times as long for 2 % fewer bytes.
    let mut file = GzEncoder::new(Vec::new(), Compression::new(4));
    let written = file.write_all(&bytes).and_then(|()| file.finish());
    written.expect("memory takes all bytes")
}

/// Writes the lemmas that the stated results of a strain need.
fn prove(
    solver: &mut Solver,
    deal: &Deal,
    strain: Strain,
    tricks: [Option<u8>; 4],
) -> Result<LemmaBytes, ProveError> {
    let cards = check::PbnDeal::read(&deal.to_string()).ok_or(SolveError::NoCards)?;
    let results = (0..).zip(tricks);
    let results: Vec<_> = results
        .filter_map(|(declarer, tricks)| Some((declarer, tricks?)))
        .flat_map(|(declarer, tricks)| cards.lemmas(strain.index(), declarer, tricks))
        .collect();
    let lemmas = derive::derive(solver, deal, strain, &results)?;
    write::write(&lemmas, &results).map_err(ProveError::Missing)
}

#[cfg(test)]
mod tests;
