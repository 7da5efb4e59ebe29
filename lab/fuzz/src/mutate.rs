//! Random changes to bytes.

use fastrand::Rng;

/// Numbers at which fields and limits break.
const NUMBERS: [u64; 12] = [
    0,
    1,
    2,
    7,
    13,
    14,
    52,
    255,
    65_535,
    1 << 31,
    u32::MAX as u64,
    u64::MAX,
];

/// Ways to change an input.
#[derive(Clone, Copy)]
pub enum Changes {
    Bytes,
    /// Those of the streams of a shard.
    Streams,
    /// Those of a text about cards.
    Words,
    /// Those of a question, which may be long.
    Questions,
}

impl Changes {
    /// Changes an input; `other` is another to take pieces from.
    pub fn mutate(self, input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
        match self {
            Changes::Bytes => mutate(input, other, rng),
            Changes::Streams => mutate_streams(input, other, rng),
            Changes::Words => mutate_words(input, other, rng),
            Changes::Questions => mutate_questions(input, other, rng),
        }
    }

    /// True if changed inputs are changed further, so changes add up.
    pub fn add_up(self) -> bool {
        matches!(self, Changes::Bytes)
    }
}

/// Changes one or two bytes of the streams of a shard to others that occur
/// there: the result often still is a diagram, or a tree, and a wrong one.
fn mutate_streams(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let header = 10;
    if rng.u8(..4) == 0 || input.len() <= header {
        return mutate(input, other, rng);
    }
    for _ in 0..1 + rng.u8(..2) {
        let [to, from] = [0; 2].map(|_: u8| rng.usize(header..input.len()));
        input[to] = match rng.u8(..4) {
            0 => input[to] ^ 1,
            _ => input[from],
        };
    }
}

/// Changes a text about cards: two ranks are swapped, which often leaves a deal; or a word
/// becomes one of another text, or goes; or the bytes change.
fn mutate_words(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..1 + rng.u8(..3) {
        match rng.u8(..8) {
            0..=4 => swap_two(input, b"AKQJT98765432", rng),
            5 => swap_two(input, b"NESWHDC", rng),
            6 => mutate_word(input, other, rng),
            _ => mutate_once(input, other, rng),
        }
    }
}

/// Size of the longest questions that are read, in bytes.
const LONGEST: usize = 64 << 10;

/// Changes a question as [`mutate_words`] does; in one of 32 a piece is repeated, up to 64 KB.
fn mutate_questions(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    mutate_words(input, other, rng);
    if rng.u8(..32) == 0 && !input.is_empty() {
        let at = rng.usize(..input.len());
        let end = (at + 1 + rng.usize(..32)).min(input.len());
        let most = LONGEST.saturating_sub(input.len()) / (end - at);
        let repeated = input[at..end].repeat(rng.usize(..=most));
        drop(input.splice(end..end, repeated));
    }
}

/// Swaps two bytes of these.
fn swap_two(input: &mut [u8], of: &[u8], rng: &mut Rng) {
    let offsets: Vec<usize> = (0..input.len())
        .filter(|&at| of.contains(&input[at]))
        .collect();
    if !offsets.is_empty() {
        let [one, two] = [0; 2].map(|_: u8| offsets[rng.usize(..offsets.len())]);
        input.swap(one, two);
    }
}

fn mutate_word(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let words = |text: &[u8]| -> Vec<Vec<u8>> {
        let ends = |byte: &u8| b" \n\t,|".contains(byte);
        text.split_inclusive(ends).map(<[u8]>::to_vec).collect()
    };
    let (mut mine, theirs) = (words(input), words(other));
    if mine.is_empty() || theirs.is_empty() {
        return;
    }
    let at = rng.usize(..mine.len());
    let theirs = &theirs[rng.usize(..theirs.len())];
    match rng.u8(..4) {
        0 => drop(mine.remove(at)),
        1 => mine.insert(at, theirs.clone()),
        2 => mutate_once(&mut mine[at], theirs, rng),
        _ => mine[at] = theirs.clone(),
    }
    *input = mine.concat();
}

/// Makes one to eight changes to `input`; `other` is another input to take
/// pieces from.
fn mutate(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    for _ in 0..1 << rng.u32(..4) {
        mutate_once(input, other, rng);
    }
}

fn mutate_once(input: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let at = rng.usize(..=input.len());
    let reach = 1 << rng.u32(..8);
    let end = (at + rng.usize(..reach)).min(input.len());
    match rng.u8(..9) {
        0 => input.truncate(at),
        1 => drop(input.drain(at..end)),
        2 => {
            let piece = input[at..end].to_vec();
            let to = rng.usize(..=input.len());
            input.splice(to..to, piece);
        }
        3 => {
            let from = rng.usize(..=other.len());
            let until = (from + rng.usize(..reach)).min(other.len());
            drop(input.splice(at..end, other[from..until].iter().copied()));
        }
        4 => {
            let number = NUMBERS[rng.usize(..NUMBERS.len())].to_le_bytes();
            let length = 1 << rng.u32(..4);
            for (byte, new) in input[at..].iter_mut().zip(&number[..length]) {
                *byte = *new;
            }
        }
        5 => {
            let repeated = vec![rng.u8(..); rng.usize(..reach)];
            drop(input.splice(at..at, repeated));
        }
        6 => {
            if let Some(byte) = input.get_mut(at) {
                *byte = byte.wrapping_add(rng.u8(..3)).wrapping_sub(1);
            }
        }
        7 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << rng.u32(..8);
            }
        }
        _ => {
            if let Some(byte) = input.get_mut(at) {
                *byte = rng.u8(..);
            }
        }
    }
}
