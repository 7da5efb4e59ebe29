//! The structures of DDS 2.9's C interface, byte for byte.
//!
//! Suits are spades, hearts, diamonds, clubs (0 to 3), with 4 for no trump;
//! hands are North, East, South, West (0 to 3). A holding has bit `r` set for
//! rank `r`, 2 to 14. `include/dds/dll.h` is the C side of this file.

use std::ffi::{c_char, c_int, c_uint};

/// Boards in one call.
pub const MAX_BOARDS: usize = 200;
/// Tables of five strains in one call.
pub const MAX_TABLES: usize = 40;
/// Deals in an array of table deals: one for each strain of each table.
pub const MAX_TABLE_DEALS: usize = MAX_TABLES * 5;

/// Holdings, by hand and suit.
pub type Holdings = [[c_uint; 4]; 4];
/// A deal as text; the last byte need not be 0.
pub type PbnText = [c_char; 80];

/// A position: `deal`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Deal {
    /// The trump suit, or 4.
    pub trump: c_int,
    /// The seat that leads or led to the trick.
    pub first: c_int,
    /// The suits of the cards on the table.
    pub trick_suit: [c_int; 3],
    /// Their ranks; 0 ends the list.
    pub trick_rank: [c_int; 3],
    /// The cards in the hands.
    pub cards: Holdings,
}

/// A position with the cards as text: `dealPBN`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DealPbn {
    /// As in [`Deal`].
    pub trump: c_int,
    /// As in [`Deal`].
    pub first: c_int,
    /// As in [`Deal`].
    pub trick_suit: [c_int; 3],
    /// As in [`Deal`].
    pub trick_rank: [c_int; 3],
    /// The cards in the hands.
    pub cards: PbnText,
}

/// The cards of the hand to play and their tricks: `futureTricks`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FutureTricks {
    /// Positions searched.
    pub nodes: c_int,
    /// Entries in the lists below.
    pub cards: c_int,
    /// Suits.
    pub suit: [c_int; 13],
    /// Ranks, 2 to 14.
    pub rank: [c_int; 13],
    /// Lower equivalent cards, as a holding.
    pub equals: [c_int; 13],
    /// Tricks for the side to play, or -1 or -2.
    pub score: [c_int; 13],
}

impl FutureTricks {
    /// No cards.
    pub const EMPTY: FutureTricks = FutureTricks {
        nodes: 0,
        cards: 0,
        suit: [0; 13],
        rank: [0; 13],
        equals: [0; 13],
        score: [0; 13],
    };
}

/// Many positions, each with its question: `boards`, or `boardsPBN` of
/// [`DealPbn`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Boards<D = Deal> {
    /// The number of deals.
    pub count: c_int,
    /// The positions.
    pub deals: [D; MAX_BOARDS],
    /// The targets.
    pub target: [c_int; MAX_BOARDS],
    /// The form of each answer: which cards are listed.
    pub solutions: [c_int; MAX_BOARDS],
    /// The modes.
    pub mode: [c_int; MAX_BOARDS],
}

/// `boardsPBN`.
pub type BoardsPbn = Boards<DealPbn>;

/// Many answers: `solvedBoards`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SolvedBoards {
    /// The number of boards.
    pub count: c_int,
    /// The answers.
    pub solved: [FutureTricks; MAX_BOARDS],
}

/// A deal to make a table of: `ddTableDeal`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TableDeal {
    /// The cards in the hands.
    pub cards: Holdings,
}

/// Many of them: `ddTableDeals`, or `ddTableDealsPBN` of [`TableDealPbn`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TableDeals<D = TableDeal> {
    /// The number of boards.
    pub count: c_int,
    /// The deals.
    pub deals: [D; MAX_TABLE_DEALS],
}

/// `ddTableDealsPBN`.
pub type TableDealsPbn = TableDeals<TableDealPbn>;

/// A deal to make a table of, as text: `ddTableDealPBN`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TableDealPbn {
    /// The cards in the hands.
    pub cards: PbnText,
}

/// Tricks by strain (spades, hearts, diamonds, clubs, no trump) and declarer:
/// `ddTableResults`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableResults {
    /// 0 to 13.
    pub tricks: [[c_int; 4]; 5],
}

/// Many tables: `ddTablesRes`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TablesResults {
    /// The number of boards solved: four for each strain of each table.
    pub count: c_int,
    /// The tables.
    pub results: [TableResults; MAX_TABLE_DEALS],
}

/// Par as text, seen by North and South and by East and West: `parResults`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParResults {
    /// `NS 420`.
    pub score: [[c_char; 16]; 2],
    /// `NS:NS 4S`.
    pub contracts: [[c_char; 128]; 2],
}

/// Par of many tables: `allParResults`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct AllParResults {
    /// One for each table.
    pub results: [ParResults; MAX_TABLES],
}

/// Par with contracts as text: `parResultsDealer`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParResultsDealer {
    /// The number of contracts.
    pub number: c_int,
    /// The score.
    pub score: c_int,
    /// `4S*-EW-1`.
    pub contracts: [[c_char; 10]; 10],
}

/// A contract at par: `contractType`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Tricks down; 0 if it makes.
    pub under: c_int,
    /// Tricks over.
    pub over: c_int,
    /// 1 to 7; 0 if all pass.
    pub level: c_int,
    /// No trump, spades, hearts, diamonds, clubs: 0 to 4, as in `Strain::ALL`.
    pub denomination: c_int,
    /// A hand, or 4 for North and South and 5 for East and West.
    pub seats: c_int,
}

/// Par with contracts as numbers: `parResultsMaster`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParResultsMaster {
    /// The score.
    pub score: c_int,
    /// The number of contracts.
    pub number: c_int,
    /// The contracts.
    pub contracts: [Contract; 10],
}

/// Par as one line for each side: `parTextResults`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ParTextResults {
    /// The lines.
    pub text: [[c_char; 128]; 2],
    /// True if the first bidder does not matter; a C `bool`.
    pub equal: u8,
}

/// A play: `playTraceBin`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlayTrace {
    /// The number of cards.
    pub number: c_int,
    /// Their suits.
    pub suit: [c_int; 52],
    /// Their ranks.
    pub rank: [c_int; 52],
}

/// A play as text: `playTracePBN`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlayTracePbn {
    /// The number of cards.
    pub number: c_int,
    /// Suit and rank of each; the last byte need not be 0.
    pub cards: [c_char; 106],
}

/// The declarer's tricks after each card of a play: `solvedPlay`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedPlay {
    /// The number of values.
    pub number: c_int,
    /// At the start, and after each card.
    pub tricks: [c_int; 53],
}

/// Many plays: `playTracesBin`, or `playTracesPBN` of [`PlayTracePbn`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlayTraces<P = PlayTrace> {
    /// The number of plays.
    pub count: c_int,
    /// The plays.
    pub plays: [P; MAX_BOARDS],
}

/// `playTracesPBN`.
pub type PlayTracesPbn = PlayTraces<PlayTracePbn>;

/// Many analysed plays: `solvedPlays`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SolvedPlays {
    /// The number of plays.
    pub count: c_int,
    /// The values.
    pub solved: [SolvedPlay; MAX_BOARDS],
}

/// The library and its settings: `DDSInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// 2.
    pub major: c_int,
    /// 9.
    pub minor: c_int,
    /// 0.
    pub patch: c_int,
    /// `2.9.0`.
    pub version: [c_char; 10],
    /// 1 Windows, 3 Linux, 4 Apple, otherwise 0.
    pub system: c_int,
    /// 32 or 64.
    pub bits: c_int,
    /// Always 0: not one of DDS's compilers.
    pub compiler: c_int,
    /// 2 where something runs when the library is loaded, otherwise 0.
    pub constructor: c_int,
    /// Processors.
    pub cores: c_int,
    /// 5, threads of the standard library.
    pub threading: c_int,
    /// Workers at most.
    pub threads: c_int,
    /// A text about their tables.
    pub thread_sizes: [c_char; 128],
    /// All of it as text.
    pub system_text: [c_char; 1024],
}

// Sizes and offsets as a C compiler gives them for DDS 2.9's header.
const _: () = {
    use std::mem::offset_of;
    assert!(size_of::<Deal>() == 96);
    assert!(offset_of!(Deal, trick_suit) == 8);
    assert!(offset_of!(Deal, trick_rank) == 20);
    assert!(offset_of!(Deal, cards) == 32);
    assert!(size_of::<DealPbn>() == 112);
    assert!(offset_of!(DealPbn, cards) == 32);
    assert!(size_of::<FutureTricks>() == 216);
    assert!(offset_of!(FutureTricks, suit) == 8);
    assert!(offset_of!(FutureTricks, rank) == 60);
    assert!(offset_of!(FutureTricks, equals) == 112);
    assert!(offset_of!(FutureTricks, score) == 164);
    assert!(size_of::<Boards>() == 21604);
    assert!(offset_of!(Boards, deals) == 4);
    assert!(offset_of!(Boards, target) == 19204);
    assert!(offset_of!(Boards, solutions) == 20004);
    assert!(offset_of!(Boards, mode) == 20804);
    assert!(size_of::<BoardsPbn>() == 24804);
    assert!(offset_of!(BoardsPbn, target) == 22404);
    assert!(size_of::<SolvedBoards>() == 43204);
    assert!(size_of::<TableDeal>() == 64);
    assert!(size_of::<TableDeals>() == 12804);
    assert!(size_of::<TableDealPbn>() == 80);
    assert!(size_of::<TableDealsPbn>() == 16004);
    assert!(size_of::<TableResults>() == 80);
    assert!(size_of::<TablesResults>() == 16004);
    assert!(size_of::<ParResults>() == 288);
    assert!(size_of::<AllParResults>() == 11520);
    assert!(size_of::<ParResultsDealer>() == 108);
    assert!(size_of::<Contract>() == 20);
    assert!(size_of::<ParResultsMaster>() == 208);
    assert!(size_of::<ParTextResults>() == 257);
    assert!(offset_of!(ParTextResults, equal) == 256);
    assert!(size_of::<PlayTrace>() == 420);
    assert!(size_of::<PlayTracePbn>() == 112);
    assert!(size_of::<SolvedPlay>() == 216);
    assert!(size_of::<PlayTraces>() == 84004);
    assert!(size_of::<PlayTracesPbn>() == 22404);
    assert!(size_of::<SolvedPlays>() == 43204);
    assert!(size_of::<Info>() == 1204);
    assert!(offset_of!(Info, version) == 12);
    assert!(offset_of!(Info, system) == 24);
    assert!(offset_of!(Info, thread_sizes) == 52);
    assert!(offset_of!(Info, system_text) == 180);
};
