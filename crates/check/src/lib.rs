//! Checks certificates, which prove the 20 double-dummy results of a bridge deal.
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
#![allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]

mod deal;
mod lemma;
pub mod theorems;

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::slice::{ChunksExact, Iter};

use flate2::read::GzDecoder;

pub use deal::PbnDeal;
pub use lemma::{Lemma, TRUMPS, X, playable, winners};

/// The first line of a certificate.
pub const TITLE: &str = "setrograde certificate 1";

/// Maximum size of a certificate in bytes, decompressed.
pub const MOST_BYTES: u64 = 1 << 28;

/// Maximum number of comparisons of two lemmas for each byte of a certificate.
const COMPARISONS: usize = 1000;

const TOO_SHORT: &str = "it ends too soon";

/// The results that an accepted certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The deal, in PBN.
    pub deal: String,
    /// The tricks of each declarer: strains NT S H D C, declarers N E S W.
    pub results: [[u8; 4]; 5],
    /// The number of lemmas.
    pub lemmas: usize,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n      NT   S   H   D   C", self.deal)?;
        for (declarer, name) in ["N", "E", "S", "W"].iter().enumerate() {
            let tricks = self.results.map(|strain| format!("{:4}", strain[declarer]));
            writeln!(f, "  {name} {}", tricks.concat())?;
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

/// Decompresses a certificate.
///
/// # Errors
///
/// If the file cannot be read, is not compressed by gzip, or is too long.
pub fn read(file: impl Read) -> Result<Vec<u8>, CheckError> {
    let mut bytes = Vec::new();
    let mut file = GzDecoder::new(file).take(MOST_BYTES + 1);
    match file.read_to_end(&mut bytes) {
        Err(error) => Err(CheckError(format!("it cannot be read: {error}"))),
        Ok(_) if file.limit() == 0 => Err(CheckError("it is longer than 256 MiB".to_owned())),
        Ok(_) => Ok(bytes),
    }
}

/// Checks a certificate, decompressed.
///
/// # Errors
///
/// If it is no certificate, and at the first lemma that fails.
pub fn check(bytes: &[u8]) -> Result<Proved, CheckError> {
    proved(bytes).map_err(CheckError)
}

fn proved(bytes: &[u8]) -> Result<Proved, String> {
    let mut parts = bytes.splitn(4, |&byte| byte == b'\n');
    let mut line = || parts.next().and_then(|line| str::from_utf8(line).ok());
    if line() != Some(TITLE) {
        return Err("it is no certificate, or of another version".to_owned());
    }
    let text = line().unwrap_or_default();
    let deal = PbnDeal::read(text).ok_or("its second line is no deal")?;
    let results = results(line().unwrap_or_default(), deal.left);
    let results = results.ok_or("its third line is not 20 numbers of tricks")?;
    let rest = parts.next().unwrap_or_default();
    let (count, rest) = rest.split_first_chunk().ok_or(TOO_SHORT)?;
    let count = u32::from_le_bytes(*count) as usize;
    let (tops, moves) = rest
        .split_at_checked(count.saturating_mul(2))
        .ok_or(TOO_SHORT)?;
    let mut reader = CertificateReader {
        tops: tops.chunks_exact(2),
        moves: moves.iter(),
        comparisons: COMPARISONS.saturating_mul(bytes.len()),
        trumps: false,
        next: Vec::new(),
        last: HashMap::new(),
    };
    let mut number = 0;
    for (strain, results) in results.iter().enumerate() {
        let name = ["NT", "S", "H", "D", "C"][strain];
        reader.trumps = strain > 0;
        for (declarer, &tricks) in (0..).zip(results) {
            for lemma in deal.lemmas(strain, declarer, tricks) {
                let fails = |error| format!("a result at {name}: {lemma}: {error}");
                reader.follow(&lemma).map_err(fails)?;
            }
        }
        while !reader.next.is_empty() {
            reader.last.clear();
            for (lemma, _) in std::mem::take(&mut reader.next) {
                number += 1;
                let fails = |error| format!("lemma {number}, at {name}: {lemma}: {error}");
                let moves = lemma.moves();
                reader.trick(&lemma, &moves, 0, 0).map_err(fails)?;
            }
        }
        reader.last.clear();
    }
    if number != count || reader.moves.len() > 0 {
        return Err("it has more bytes than its lemmas need".to_owned());
    }
    let deal = text.to_owned();
    Ok(Proved {
        deal,
        results,
        lemmas: count,
    })
}

fn results(line: &str, left: u8) -> Option<[[u8; 4]; 5]> {
    let mut results = [[0; 4]; 5];
    let mut numbers = line.split(' ');
    for tricks in results.as_flattened_mut() {
        *tricks = numbers
            .next()?
            .parse()
            .ok()
            .filter(|&tricks| tricks <= left)?;
    }
    numbers.next().is_none().then_some(results)
}

struct CertificateReader<'a> {
    /// The numbers of known cards of the lemmas to come.
    tops: ChunksExact<'a, u8>,
    /// The moves to come.
    moves: Iter<'a, u8>,
    /// The comparisons that are left.
    comparisons: usize,
    trumps: bool,
    /// The lemmas with one trick less than those whose tricks are played. With each is the number
    /// of the one before it of the same shape, leader and side, from 1.
    next: Vec<(Lemma, usize)>,
    /// The number of the last one of each shape, leader and side.
    last: HashMap<(u64, u8, u8), usize>,
}

impl CertificateReader<'_> {
    /// Continues a trick of which `n` cards are on the table, one in each byte of `cards`.
    fn trick(
        &mut self,
        lemma: &Lemma,
        moves: &[u64; 4],
        cards: u32,
        n: usize,
    ) -> Result<(), String> {
        let leader = usize::from(lemma.leader);
        if n == 4 {
            let cards = cards.to_le_bytes();
            let winners = winners(leader, cards, self.trumps);
            let mut hands = (0..4).filter(|hand| winners >> hand & 1 == 1);
            return hands.try_for_each(|hand| self.follow(&lemma.after(cards, hand)));
        }
        let hand = (leader + n) & 3;
        let mut options = moves[hand];
        if n > 0 {
            options = playable(options, cards as u8);
        }
        if lemma.is_by(hand) {
            // The certificate names one of them, if there are more.
            if !options.is_power_of_two() {
                for _ in 0..*self.moves.next().ok_or(TOO_SHORT)? {
                    options &= options.wrapping_sub(1);
                }
            }
            options &= options.wrapping_neg();
            if options == 0 {
                return Err("it names a card that is not there".to_owned());
            }
        }
        while options != 0 {
            let card = options.trailing_zeros() << (8 * n);
            options &= options - 1;
            self.trick(lemma, moves, cards | card, n + 1)?;
        }
        Ok(())
    }

    /// Checks that a lemma follows from a theorem or another lemma: the next one, if from none
    /// before.
    fn follow(&mut self, lemma: &Lemma) -> Result<(), String> {
        if lemma.goal <= 0 {
            return Ok(());
        }
        let left = lemma.left();
        if i32::from(lemma.goal) > left {
            return Err(format!("it would need {lemma}"));
        }
        if left == 1 {
            return self.trick(lemma, &lemma.moves(), 0, 0);
        }
        let key = (lemma.shape, lemma.leader, lemma.side);
        let last = self.last.get(&key).copied().unwrap_or_default();
        let mut number = last;
        while let Some((other, before)) = self.next.get(number.wrapping_sub(1)) {
            let rest = self.comparisons.checked_sub(1);
            self.comparisons = rest.ok_or("it needs too many comparisons")?;
            if lemma.follows_from(other) {
                return Ok(());
            }
            number = *before;
        }
        if lemma.is_sure(self.trumps) {
            return Ok(());
        }
        let tops = self.tops.next().ok_or(TOO_SHORT)?;
        let known = [tops[0] & 15, tops[0] >> 4, tops[1] & 15, tops[1] >> 4];
        if (0..4).any(|suit| usize::from(known[suit]) > lemma.known(suit)) {
            return Err(format!("{lemma} knows fewer cards than the lemma for it"));
        }
        self.next.push((lemma.widened(known), last));
        self.last.insert(key, self.next.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
