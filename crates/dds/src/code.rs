//! Return codes and their texts.

use std::ffi::c_int;

/// The reason that a call was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Fault {
    /// Null pointers, failures of this library, and counts that differ.
    Unknown = -1,
    /// No cards.
    ZeroCards = -2,
    /// A target beyond the tricks that are left.
    TargetTooHigh = -3,
    /// A card that two hands hold.
    DuplicateCards = -4,
    /// A target below -1.
    TargetTooLow = -5,
    /// A target above 13.
    TargetAbove13 = -7,
    /// Fewer solutions than 1.
    SolutionsTooLow = -8,
    /// More solutions than 3.
    SolutionsTooHigh = -9,
    /// More than 52 cards.
    TooManyCards = -10,
    /// An invalid card on the table.
    SuitOrRank = -12,
    /// A card on the table that a hand holds.
    PlayedCard = -13,
    /// Hands of the wrong length.
    CardCount = -14,
    /// A thread index that DDS would refuse.
    ThreadIndex = -15,
    /// A mode below 0.
    ModeTooLow = -16,
    /// A mode above 2.
    ModeTooHigh = -17,
    /// A trump suit outside 0 to 4.
    Trump = -18,
    /// A leader outside 0 to 3.
    First = -19,
    /// A play that cannot be.
    Play = -98,
    /// A deal that cannot be read.
    Pbn = -99,
    /// More than 200 boards.
    TooManyBoards = -101,
    /// An unknown threading system.
    NoThreading = -104,
    /// No strain asked for.
    NoSuit = -201,
    /// Too many tables.
    TooManyTables = -202,
    /// A chunk size below 1.
    ChunkSize = -301,
}

/// Success.
pub const NO_FAULT: c_int = 1;

impl Fault {
    /// The return code.
    pub const fn code(self) -> c_int {
        self as c_int
    }
}

/// DDS's text for a return code.
pub const fn message(code: c_int) -> &'static str {
    match code {
        NO_FAULT => "Success",
        -1 => "General error",
        -2 => "Zero cards",
        -3 => "Target exceeds number of tricks",
        -4 => "Cards duplicated",
        -5 => "Target is less than -1",
        -7 => "Target is higher than 13",
        -8 => "Solutions parameter is less than 1",
        -9 => "Solutions parameter is higher than 3",
        -10 => "Too many cards",
        -12 => "currentTrickSuit or currentTrickRank has wrong data",
        -13 => "Played card also remains in a hand",
        -14 => "Wrong number of remaining cards in a hand",
        -15 => "Thread index is not 0 .. maximum",
        -16 => "Mode parameter is less than 0",
        -17 => "Mode parameter is higher than 2",
        -18 => "Trump is not in 0 .. 4",
        -19 => "First is not in 0 .. 2",
        -98 => "AnalysePlay input error",
        -99 => "PBN string error",
        -101 => "Too many boards requested",
        -102 => "Could not create threads",
        -103 => "Something failed waiting for thread to end",
        -104 => "Multi-threading system not present",
        -201 => "Denomination filter vector has no entries",
        -202 => "Too many DD tables requested",
        -301 => "Chunk size is less than 1",
        _ => "Not a DDS error code",
    }
}
