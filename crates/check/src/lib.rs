//! Checks certificates, which prove double-dummy results of bridge deals.
//!
//! A certificate has a list of [lemmas](Lemma) about sets of endings. [`check`] plays one trick for
//! each. The certificate names the cards of the lemma's side, the checker tries all cards of the
//! other side, and an unknown card may lie anywhere. What the side needs after the trick must follow
//! from a theorem or from a lemma about one trick less. The results are lemmas about the deal.
//!
//! Nothing here searches, and no code is shared with the solver. `docs/certificate.md` defines the
//! terms and the format, and proves that the results of an accepted certificate are right.

#![forbid(unsafe_code)]
// Nobody calls these functions for nothing.
#![allow(clippy::return_self_not_must_use)]

mod deal;
mod lemma;
pub mod theorems;
mod trick;

use std::fmt;
use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

pub use deal::PbnDeal;
pub use lemma::{Lemma, TRUMPS};
pub use trick::{Trick, X, each};

/// The first line of a certificate.
pub const TITLE: &str = "setrograde certificate 1";

/// Maximum size of a certificate in bytes, decompressed.
pub const MOST_BYTES: u64 = 1 << 25;

/// Maximum number of comparisons of two lemmas for each lemma that is read.
const COMPARISONS: usize = 500;

const TOO_SHORT: &str = "it ends too soon";

/// The results that an accepted certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The deal, in PBN.
    pub deal: String,
    /// The tricks of each declarer: strains NT S H D C, declarers N E S W. `None` for results that
    /// the certificate does not state.
    pub results: [Option<u8>; 20],
    /// The number of lemmas.
    pub lemmas: usize,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n      NT   S   H   D   C", self.deal)?;
        let shown =
            |&tricks: &Option<u8>| tricks.map_or("   -".into(), |tricks| format!("{tricks:4}"));
        for (declarer, name) in "NESW".chars().enumerate() {
            let tricks = self.results[declarer..].iter().step_by(4).map(shown);
            writeln!(f, "  {name} {}", tricks.collect::<String>())?;
        }
        writeln!(f, "proved by {} lemmas", self.lemmas)
    }
}

/// The reason why a certificate proves nothing: its form, or the first lemma that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError(String);

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckError {}

/// Decompresses the next certificate of a file; returns `None` at its end.
///
/// # Errors
///
/// If the file cannot be read, is not compressed by gzip, or the certificate is too long.
pub fn read(file: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    if file.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    // No file has that many bytes; the limit counts those of this certificate.
    let mut unpacked = GzDecoder::new(file.take(1 << 60)).take(MOST_BYTES + 1);
    unpacked.read_to_end(&mut bytes)?;
    let packed = (1 << 60) - unpacked.get_ref().get_ref().limit();
    // A whole deal has three to four times as many.
    let most = MOST_BYTES.min(10 * packed + (1 << 14));
    let fits = bytes.len() as u64 <= most;
    let too_long = || io::Error::other("it is longer, decompressed, than a certificate may be");
    fits.then_some(Some(bytes)).ok_or_else(too_long)
}

/// Checks a certificate, decompressed.
///
/// # Errors
///
/// If the bytes are not a certificate, or a lemma fails.
pub fn check(bytes: &[u8]) -> Result<Proved, CheckError> {
    proved(bytes).map_err(CheckError)
}

fn proved(bytes: &[u8]) -> Result<Proved, String> {
    let mut parts = bytes.splitn(4, |&byte| byte == b'\n');
    let mut part = || parts.next().unwrap_or_default();
    if part() != TITLE.as_bytes() {
        return Err("it is no certificate, or of another version".to_owned());
    }
    let deal = String::from_utf8_lossy(part()).into_owned();
    let cards = PbnDeal::read(&deal).ok_or("its second line is no deal")?;
    let results = results(&String::from_utf8_lossy(part()), cards.left);
    let results = results.ok_or("its third line is not 20 results")?;
    let states = results.iter().any(Option::is_some);
    states
        .then_some(())
        .ok_or("it states no result, so it proves nothing")?;
    let mut reader = CertificateReader {
        bytes: part(),
        comparisons: COMPARISONS,
        next: Vec::new(),
        before: 0,
        last: vec![0; 1 << 15],
    };
    for (strain, name) in ["NT", "S", "H", "D", "C"].into_iter().enumerate() {
        for (declarer, &tricks) in (0..4).zip(&results[4 * strain..]) {
            let lemmas = tricks.map(|tricks| cards.lemmas(strain, declarer, tricks));
            for lemma in lemmas.into_iter().flatten() {
                let fails = |error| format!("a result at {name}: {lemma}: {error}");
                reader.follow(&lemma).map_err(fails)?;
            }
        }
        while !reader.next.is_empty() {
            let agenda = std::mem::take(&mut reader.next);
            reader.before += agenda.len();
            for (number, (lemma, _)) in (reader.before - agenda.len() + 1..).zip(agenda) {
                let fails = |error| format!("lemma {number}, at {name}: {lemma}: {error}");
                reader.trick(Trick::new(&lemma)).map_err(fails)?;
            }
        }
    }
    if !reader.bytes.is_empty() {
        return Err("it has more bytes than its lemmas need".to_owned());
    }
    Ok(Proved {
        deal,
        results,
        lemmas: reader.before,
    })
}

fn results(line: &str, left: u8) -> Option<[Option<u8>; 20]> {
    let words = deal::parts::<20>(line, ' ')?;
    // A number has one form, without a sign or zeros before it.
    let number = |word: &str| (0..=left).find(|tricks| tricks.to_string() == word);
    let stated = |word: &&str| *word == "-" || number(word).is_some();
    words.iter().all(stated).then(|| words.map(number))
}

struct CertificateReader<'a> {
    /// The bytes to come: moves from the front, known cards from the back.
    bytes: &'a [u8],
    /// The comparisons that are left.
    comparisons: usize,
    /// The lemmas with one trick less than those whose tricks are played, each with the number of
    /// the previous one that has the same hash. Lemmas are numbered from 1, in the order of the
    /// file.
    next: Vec<(Lemma, usize)>,
    /// The number of lemmas before these.
    before: usize,
    /// The number of the last lemma of each hash.
    last: Vec<usize>,
}

impl CertificateReader<'_> {
    /// Completes a trick in every way that the other side can choose, and follows what remains.
    fn trick(&mut self, mut trick: Trick) -> Result<(), String> {
        while trick.count < 4 {
            let legal = trick.legal();
            let mut card = (legal | 1).ilog2();
            if !trick.is_by_side() {
                each(legal ^ 1 << card).try_for_each(|card| self.trick(trick.with(card)))?;
            } else if !legal.is_power_of_two() {
                let (&nth, rest) = self.bytes.split_first().ok_or(TOO_SHORT)?;
                self.bytes = rest;
                let named = each(legal).nth(nth.into());
                card = named.ok_or("it names a card that is not there")?;
            }
            trick.play(card);
        }
        trick.ends().try_for_each(|end| self.follow(&end))
    }

    /// Checks that a lemma follows from a theorem or from another lemma: one that was read, or else
    /// the next one.
    fn follow(&mut self, lemma: &Lemma) -> Result<(), String> {
        if lemma.goal <= 0 {
            return Ok(());
        }
        let left = lemma.left();
        if lemma.goal > left {
            return Err(format!("it would need {lemma}"));
        }
        if left == 1 {
            return self.trick(Trick::new(lemma));
        }
        // The 15 highest bits of a product.
        let hash = lemma.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 49;
        let last = &mut self.last[hash as usize];
        let mut number = *last;
        while number > self.before {
            let (other, before) = &self.next[number - self.before - 1];
            let left = self.comparisons.checked_sub(1);
            self.comparisons = left.ok_or("it needs too many comparisons")?;
            if other.includes(lemma) {
                return Ok(());
            }
            number = *before;
        }
        if theorems::prove(lemma) {
            return Ok(());
        }
        let (rest, &[high, low]) = self.bytes.split_last_chunk().ok_or(TOO_SHORT)?;
        self.bytes = rest;
        self.comparisons += COMPARISONS;
        let wide = lemma.widened([low & 15, low >> 4, high & 15, high >> 4]);
        if !wide.knows_part_of(lemma) {
            return Err(format!("{lemma} knows fewer cards than the lemma for it"));
        }
        let number = self.before + self.next.len() + 1;
        self.next.push((wide, std::mem::replace(last, number)));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
