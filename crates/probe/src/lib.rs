//! `libsetrograde`: endgame databases for double-dummy solvers in C and C++.
//!
//! `include/setrograde.h` is the interface. Every function here catches panics, checks its
//! arguments, and does the rest by [`setrograde_lookup`].

mod open;

use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use setrograde_cards::{Deal, Hand, Seat, Strain, Suit};
use setrograde_lookup::{Database, Ending, Verdict};

use crate::open::{Failure, from_levels, from_path};

/// The version of the interface.
const ABI: c_int = 1;

/// The ending is not held, or the answer would wait for the disk.
const OPEN: c_int = -1;
/// The arguments are no ending, or out of range.
const WRONG: c_int = -2;
/// The database is damaged.
const DAMAGED: c_int = -3;

/// Number of endings whose values are looked up side by side.
const BATCH: usize = 64;

/// An opened database.
pub struct Db {
    database: Database,
    /// Maximum number of cards per hand of an ending that is answered.
    deepest: usize,
}

/// An ending, as C has it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CEnding {
    cards: [[u16; 4]; 4],
    trump: i32,
    leader: i32,
}

/// Returns the version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn sg_abi() -> c_int {
    ABI
}

/// Opens a database; NULL on failure.
///
/// # Safety
///
/// `path` is NULL or ends with 0; `error` is NULL or has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_open(
    path: *const c_char,
    max_cards: c_int,
    flags: c_int,
    error: *mut c_char,
    room: usize,
) -> *mut Db {
    // SAFETY: as the caller promises.
    unsafe { opened(error, room, || from_path(path, max_cards, flags)) }
}

/// Opens a database of levels in memory; NULL on failure.
///
/// # Safety
///
/// `levels` and `sizes` have `n` entries, each level has the given size, and its bytes stay
/// unchanged until the database is closed; `error` is NULL or has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_open_memory(
    levels: *const *const c_void,
    sizes: *const usize,
    n: usize,
    error: *mut c_char,
    room: usize,
) -> *mut Db {
    // SAFETY: as the caller promises.
    unsafe { opened(error, room, || from_levels(levels, sizes, n)) }
}

/// Returns what `open` does, in a box, or NULL with the reason in `error`.
///
/// # Safety
///
/// `error` is NULL or has `room` bytes.
unsafe fn opened(
    error: *mut c_char,
    room: usize,
    open: impl FnOnce() -> Result<Db, Failure>,
) -> *mut Db {
    silence();
    let problem = match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(db)) => return Box::into_raw(Box::new(db)),
        Ok(Err(problem)) => problem.0,
        Err(_) => "a fault of the library".to_owned(),
    };
    if !error.is_null() && room > 0 {
        // One line, in which no character of a path acts on a terminal.
        let problem = problem.replace(char::is_control, "?");
        let mut length = problem.len().min(room - 1);
        while !problem.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: `error` has room for these bytes and the 0.
        unsafe {
            std::ptr::copy_nonoverlapping(problem.as_ptr().cast(), error, length);
            *error.add(length) = 0;
        }
    }
    std::ptr::null_mut()
}

/// Sees to it that a panic prints nothing. The standard library in this library is its own, so
/// no panic of the program is silenced.
fn silence() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    if cfg!(not(test)) {
        ONCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    }
}

/// Closes a database.
///
/// # Safety
///
/// `db` is NULL, or was opened and not closed, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_close(db: *mut Db) {
    if !db.is_null() {
        // SAFETY: it came from `Box::into_raw`, as the caller promises.
        let db = unsafe { Box::from_raw(db) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(db)));
    }
}

/// Returns the maximum number of cards of an ending that is answered.
///
/// # Safety
///
/// `db` is NULL or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_cards(db: *const Db) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { db.as_ref() }.map_or(0, |db| 4 * db.deepest as c_int)
}

/// Answers whether the side on lead takes at least `target` tricks.
///
/// # Safety
///
/// `db` is NULL or open; `cards` are NULL or 16 words; `known` is NULL or four bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_decide(
    db: *const Db,
    cards: *const [u16; 4],
    trump: c_int,
    leader: c_int,
    target: c_int,
    known: *mut u8,
) -> c_int {
    // SAFETY: as the caller promises; an array of four arrays has the layout of sixteen words.
    let cards = unsafe { cards.cast::<[[u16; 4]; 4]>().as_ref() };
    // SAFETY: as the caller promises.
    let (db, known) = unsafe { (db.as_ref(), known.cast::<[u8; 4]>().as_mut()) };
    let (Some(db), Some(cards), Some(known)) = (db, cards, known) else {
        return missing(db);
    };
    guarded(|| decide(db, cards.map(hand), trump, leader, target, known))
}

/// Answers whether the side on lead takes at least `target` tricks, for hands of 52 bits.
///
/// # Safety
///
/// `db` is NULL or open; `hands` are NULL or four words; `known` is NULL or four bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_decide52(
    db: *const Db,
    hands: *const u64,
    order: c_int,
    trump: c_int,
    leader: c_int,
    target: c_int,
    known: *mut u8,
) -> c_int {
    // SAFETY: as the caller promises.
    let hands = unsafe { hands.cast::<[u64; 4]>().as_ref() };
    // SAFETY: as the caller promises.
    let (db, known) = unsafe { (db.as_ref(), known.cast::<[u8; 4]>().as_mut()) };
    let (Some(db), Some(hands), Some(known)) = (db, hands, known) else {
        return missing(db);
    };
    let hands = match order {
        _ if hands.iter().any(|hand| hand >> 52 != 0) => return WRONG,
        0 => hands.map(spread),
        1 => hands.map(reversed),
        _ => return WRONG,
    };
    guarded(|| decide(db, hands, trump, leader, target, known))
}

/// Returns the tricks of an ending, the number of cards of each suit that mattered, and the share of
/// deals with the same proof.
///
/// # Safety
///
/// `db` is NULL or open; `cards` are NULL or 16 words; `known` is NULL or four bytes; `share` is
/// NULL or one number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_matter(
    db: *const Db,
    cards: *const [u16; 4],
    trump: c_int,
    leader: c_int,
    known: *mut u8,
    share: *mut f64,
) -> c_int {
    // SAFETY: as the caller promises; an array of four arrays lies as sixteen words do.
    let cards = unsafe { cards.cast::<[[u16; 4]; 4]>().as_ref() };
    // SAFETY: as the caller promises.
    let (db, known) = unsafe { (db.as_ref(), known.cast::<[u8; 4]>().as_mut()) };
    // SAFETY: as the caller promises.
    let share = unsafe { share.as_mut() };
    let (Some(db), Some(cards), Some(known), Some(share)) = (db, cards, known, share) else {
        return missing(db);
    };
    guarded(|| matter(db, cards.map(hand), trump, leader, known, share))
}

/// Looks up the tricks of many endings; returns the number of those that have them.
///
/// # Safety
///
/// `db` is NULL or open; `endings` and `tricks` are NULL or have `n` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_values(
    db: *const Db,
    endings: *const CEnding,
    n: usize,
    tricks: *mut i8,
) -> usize {
    if endings.is_null() || tricks.is_null() || n == 0 {
        return 0;
    }
    // SAFETY: as the caller promises.
    let (db, endings, tricks) = unsafe {
        let endings = slice::from_raw_parts(endings, n);
        (db.as_ref(), endings, slice::from_raw_parts_mut(tricks, n))
    };
    let Some(db) = db else {
        tricks.fill(OPEN as i8);
        return 0;
    };
    for (endings, tricks) in endings.chunks(BATCH).zip(tricks.chunks_mut(BATCH)) {
        let looked_up = catch_unwind(AssertUnwindSafe(|| values(db, endings, tricks)));
        if looked_up.is_err() {
            tricks.fill(DAMAGED as i8);
        }
    }
    tricks.iter().filter(|&&tricks| tricks >= 0).count()
}

/// Returns the code for an argument that is NULL: without a database, every ending is open.
#[cold]
fn missing(db: Option<&Db>) -> c_int {
    match db {
        None => OPEN,
        Some(_) => WRONG,
    }
}

/// Returns the answer or its error code, and keeps a panic out of C.
#[inline]
fn guarded(ask: impl FnOnce() -> Result<c_int, c_int>) -> c_int {
    let answer = catch_unwind(AssertUnwindSafe(ask)).unwrap_or(Err(DAMAGED));
    answer.unwrap_or_else(|code| code)
}

/// Returns the bits of a hand: 16 for each suit.
#[inline]
fn hand(suits: [u16; 4]) -> u64 {
    let [spades, hearts, diamonds, clubs] = suits.map(u64::from);
    spades | hearts << 16 | diamonds << 32 | clubs << 48
}

/// Returns the bits of a hand, 16 for each suit instead of 13.
#[inline]
fn spread(hand: u64) -> u64 {
    const SUIT: u64 = 0x1fff;
    hand & SUIT | (hand << 3) & SUIT << 16 | (hand << 6) & SUIT << 32 | (hand << 9) & SUIT << 48
}

/// Returns the bits of a hand whose aces are the lowest of 13 bits.
#[inline]
fn reversed(hand: u64) -> u64 {
    // The ace of the last suit is now bit 12 of the first 13.
    const LANE: u64 = 0xffff;
    let word = spread(hand.reverse_bits() >> 12);
    // So the suits change their order, too.
    word >> 48 | word >> 16 & LANE << 16 | word << 16 & LANE << 32 | word << 48
}

/// Returns the ending, or the error code if it is invalid or deeper than the database.
#[inline]
fn ending(db: &Db, hands: [u64; 4], trump: c_int, leader: c_int) -> Result<Ending, c_int> {
    let strain = match trump {
        0..=3 => Strain::Trump(Suit::from_index(trump as usize)),
        4 => Strain::NoTrump,
        _ => return Err(WRONG),
    };
    if !(0..4).contains(&leader) {
        return Err(WRONG);
    }
    if hands.iter().any(|hand| hand & !Hand::PACK.bits() != 0) {
        return Err(WRONG);
    }
    let deal = Deal::new(hands.map(Hand::from_bits)).map_err(|_| WRONG)?;
    let leader = Seat::from_index(leader as usize);
    let ending = Ending::from_deal(strain, leader, &deal).map_err(|_| WRONG)?;
    if ending.level() > db.deepest {
        return Err(OPEN);
    }
    Ok(ending)
}

/// Returns whether the side on lead takes at least `target` tricks, or the error code.
#[inline]
fn verdict(db: &Db, ending: &Ending, target: u8) -> Result<Verdict, c_int> {
    let verdict = db.database.decide(ending, target);
    verdict.map_err(|_| DAMAGED)?.ok_or(OPEN)
}

#[inline]
fn decide(
    db: &Db,
    hands: [u64; 4],
    trump: c_int,
    leader: c_int,
    target: c_int,
    known: &mut [u8; 4],
) -> Result<c_int, c_int> {
    let ending = ending(db, hands, trump, leader)?;
    if !(1..=ending.level() as c_int).contains(&target) {
        return Err(WRONG);
    }
    let verdict = verdict(db, &ending, target as u8)?;
    *known = [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit) as u8);
    Ok(c_int::from(verdict.reached))
}

/// Looks up the tricks and the cards that they depend on.
fn matter(
    db: &Db,
    hands: [u64; 4],
    trump: c_int,
    leader: c_int,
    known: &mut [u8; 4],
    share: &mut f64,
) -> Result<c_int, c_int> {
    let ending = ending(db, hands, trump, leader)?;
    let deal = Deal::new(hands.map(Hand::from_bits)).expect("an ending is made of a deal");
    let (mut tricks, mut top) = (0, [0; 4]);
    for target in 1..=ending.level() as u8 {
        let verdict = verdict(db, &ending, target)?;
        let of_target = [0, 1, 2, 3].map(|suit| verdict.known.of_suit(suit));
        if !verdict.reached {
            // The cards that the last target needs, and those that deny one more trick.
            for (top, of_target) in top.iter_mut().zip(of_target) {
                *top = of_target.max(*top);
            }
            break;
        }
        (tricks, top) = (c_int::from(target), of_target);
    }
    *known = top.map(|count| count as u8);
    *share = deal.count_with_top(top) as f64 / deal.count() as f64;
    Ok(tricks)
}

/// Looks up the tricks of at most [`BATCH`] endings.
fn values(db: &Db, asked: &[CEnding], tricks: &mut [i8]) {
    let mut slots = Vec::with_capacity(asked.len());
    let mut endings = Vec::with_capacity(asked.len());
    for (slot, asked) in asked.iter().enumerate() {
        match ending(db, asked.cards.map(hand), asked.trump, asked.leader) {
            Ok(ending) => {
                slots.push(slot);
                endings.push(ending);
            }
            Err(code) => tricks[slot] = code as i8,
        }
    }
    let code = |value: Option<u8>| value.map_or(OPEN as i8, |value| value as i8);
    match db.database.values(&endings) {
        Ok(values) => {
            for (slot, value) in slots.into_iter().zip(values) {
                tricks[slot] = code(value);
            }
        }
        // Damage affects only the endings whose bytes it hits.
        Err(_) => {
            for (slot, ending) in slots.into_iter().zip(endings) {
                let value = db.database.values(&[ending]);
                tricks[slot] = value.map_or(DAMAGED as i8, |values| code(values[0]));
            }
        }
    }
}

#[cfg(test)]
mod tests;
