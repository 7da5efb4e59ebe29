//! Checks certificates: proofs of the 20 double-dummy results of a bridge deal.
//!
//! A certificate is a list of *lemmas*, each of them a [`Lemma`] about a set of endings. [`check`]
//! plays one trick for each lemma. The certificate names the cards of the lemma's side, the checker
//! tries all cards of the other side, and an unknown card may lie anywhere. After the trick, what
//! remains of the lemma must hold by a theorem or follow from a lemma about one trick less. The
//! results are the first lemmas.
//!
//! Nothing here searches, and no code is shared with the solver.

#![forbid(unsafe_code)]

mod deal;
mod lemma;
pub mod theorems;

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use flate2::read::GzDecoder;

pub use deal::PbnDeal;
pub use lemma::{Lemma, TRUMPS, X, playable, winners};

/// The first line of a certificate.
pub const TITLE: &str = "setrograde certificate 1";

/// The maximum size of a certificate in bytes, decompressed.
pub const MOST_BYTES: u64 = 1 << 28;

/// Comparisons of a lemma with a lemma that each byte of a certificate allows.
const COMPARISONS: usize = 1000;

/// What an accepted certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The deal, in PBN.
    pub deal: String,
    /// The tricks of each declarer: strains NT S H D C, declarers N E S W.
    pub results: [[u8; 4]; 5],
    /// The number of lemmas.
    pub lemmas: usize,
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

impl From<io::Error> for CheckError {
    fn from(error: io::Error) -> CheckError {
        CheckError(format!("it cannot be read: {error}"))
    }
}

impl From<&str> for CheckError {
    fn from(reason: &str) -> CheckError {
        CheckError(reason.to_owned())
    }
}

/// Decompresses a certificate.
///
/// # Errors
///
/// If the file cannot be read, is not compressed by gzip, or is too long.
pub fn read(file: impl Read) -> Result<Vec<u8>, CheckError> {
    let mut bytes = Vec::new();
    let mut file = GzDecoder::new(file).take(MOST_BYTES + 1);
    file.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err("it is longer than 256 MiB".into());
    }
    Ok(bytes)
}

/// Checks a certificate, decompressed.
///
/// # Errors
///
/// If it is no certificate, and at the first lemma that fails.
pub fn check(bytes: &[u8]) -> Result<Proved, CheckError> {
    let mut rest = Unread(bytes);
    if rest.line()? != TITLE {
        return Err("it is no certificate, or of another version".into());
    }
    let text = rest.line()?;
    let deal = PbnDeal::read(text).ok_or("its second line is no deal")?;
    let results = results(rest.line()?, deal.left);
    let results = results.ok_or("its third line is not 20 numbers of tricks")?;
    let count = rest.take(4)?.iter().rev();
    let count = count.fold(0, |count, &byte| count << 8 | usize::from(byte));
    let mut check = CertificateReader {
        tops: Unread(rest.take(2 * count)?),
        moves: rest,
        comparisons: COMPARISONS * bytes.len(),
        trumps: false,
        next: Vec::new(),
        last: HashMap::new(),
        latest: ((0, 0, 0), 0),
    };
    let mut number = 0;
    for (strain, results) in results.iter().enumerate() {
        let name = ["NT", "S", "H", "D", "C"][strain];
        check.trumps = strain > 0;
        check.begin();
        for (declarer, &tricks) in results.iter().enumerate() {
            for lemma in deal.lemmas(strain, declarer, tricks) {
                let fail = |error| CheckError(format!("a result at {name}: {lemma}: {error}"));
                check.follow(&lemma).map_err(fail)?;
            }
        }
        while !check.next.is_empty() {
            for (lemma, _) in check.begin() {
                number += 1;
                let fail = |error| {
                    CheckError(format!(
                        "lemma {number} of {count}, at {name}: {lemma}: {error}"
                    ))
                };
                check.trick(&lemma, &lemma.moves(), 0, 0).map_err(fail)?;
            }
        }
    }
    if number != count || !check.moves.0.is_empty() {
        return Err("it has more bytes than its lemmas need".into());
    }
    Ok(Proved {
        deal: text.to_owned(),
        results,
        lemmas: count,
    })
}

fn results(line: &str, left: u8) -> Option<[[u8; 4]; 5]> {
    let mut results = [[0; 4]; 5];
    let mut numbers = line.split(' ');
    for tricks in results.as_flattened_mut() {
        *tricks = numbers.next()?.parse().ok()?;
    }
    let possible = results.as_flattened().iter().all(|&tricks| tricks <= left);
    (possible && numbers.next().is_none()).then_some(results)
}

/// The bytes that are not read yet.
struct Unread<'a>(&'a [u8]);

impl<'a> Unread<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or("it ends too soon")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn line(&mut self) -> Result<&'a str, &'static str> {
        let length = self.0.iter().take(200).position(|&byte| byte == b'\n');
        let line = self.take(length.unwrap_or(0))?;
        self.take(1)?;
        str::from_utf8(line).map_err(|_| "its first lines are no text")
    }
}

struct CertificateReader<'a> {
    /// The known cards of the lemmas to come.
    tops: Unread<'a>,
    /// The moves to come.
    moves: Unread<'a>,
    /// The comparisons of a lemma with a lemma that are left.
    comparisons: usize,
    trumps: bool,
    /// The lemmas with one trick less than those whose tricks are played. With each is the number
    /// of the one before it of the same key, from 1.
    next: Vec<(Lemma, usize)>,
    /// The number of the last lemma of each key.
    last: HashMap<(u64, u8, u8), usize>,
    /// The key that was asked for last, and its number.
    latest: ((u64, u8, u8), usize),
}

impl CertificateReader<'_> {
    /// Returns the lemmas whose tricks are to be played, and prepares for those with one trick
    /// less.
    fn begin(&mut self) -> Vec<(Lemma, usize)> {
        self.last.clear();
        self.latest = ((0, 0, 0), 0);
        std::mem::take(&mut self.next)
    }

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
                for _ in 0..self.moves.take(1)?[0] {
                    options &= options.wrapping_sub(1);
                }
            }
            options &= options.wrapping_neg();
            if options == 0 {
                return Err("it names a card that is not there".into());
            }
        }
        while options != 0 {
            let card = options.trailing_zeros() << (8 * n);
            options &= options - 1;
            self.trick(lemma, moves, cards | card, n + 1)?;
        }
        Ok(())
    }

    /// Checks that a lemma holds by a theorem or follows from a lemma: from the next one, if
    /// from no other.
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
        if self.latest.0 != key {
            self.latest = (key, self.last.get(&key).copied().unwrap_or_default());
        }
        let last = self.latest.1;
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
        let tops = self.tops.take(2)?;
        let known = [tops[0] & 15, tops[0] >> 4, tops[1] & 15, tops[1] >> 4];
        if (0..4).any(|suit| usize::from(known[suit]) > lemma.known(suit)) {
            return Err(format!(
                "the lemma for {lemma} has cards that are not known"
            ));
        }
        self.next.push((lemma.widened(known), last));
        self.latest.1 = self.next.len();
        self.last.insert(key, self.next.len());
        Ok(())
    }
}
