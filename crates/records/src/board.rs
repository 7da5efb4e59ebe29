//! A board of a record.

use std::fmt;

use setrograde_cards::{
    Call, Card, Contract, Deal, Hand, PartialContract, Seat, Strain, Trick, Vulnerability,
};
use thiserror::Error;

use crate::auction::read_call;
use crate::error::Problem;
use crate::scores::ScoreTable;

/// One board of a record. Fields that are missing in the record are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The line on which the record of this board begins, from 1.
    pub line: u64,
    /// The board's number.
    pub number: Option<u32>,
    /// The room of a team match in which it was played.
    pub room: Option<Room>,
    /// The hands, by seat from North; `None` for a hidden one.
    ///
    /// No card is in two hands. A hand may have any number of cards.
    pub hands: [Option<Hand>; 4],
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The vulnerable sides.
    pub vulnerability: Option<Vulnerability>,
    /// The calls from the dealer on, separated by spaces, in PBN's words:
    /// `1S Pass 2NT X`.
    pub auction: Option<String>,
    /// The calls of the auction that were alerted or explained, counted from 0, in order,
    /// each with its explanation; empty if there is none.
    pub alerts: Vec<(usize, String)>,
    /// True if all four players passed.
    pub passed_out: bool,
    /// The final contract.
    pub contract: Option<Contract>,
    /// The declarer, who may be known without the contract.
    pub declarer: Option<Seat>,
    /// The strain: a trump suit or no trump.
    pub strain: Option<Strain>,
    /// The leader to the first trick, or to the current trick.
    pub leader: Option<Seat>,
    /// The cards on the table at the start, in no hand; only in plain lines.
    pub on_table: Vec<Card>,
    /// The cards in the order of play, up to the first unknown one.
    ///
    /// They are as recorded: neither ownership nor following suit is checked.
    pub play: Vec<Card>,
    /// The way in which the record of the play ends.
    pub play_end: PlayEnd,
    /// The tricks that the declarer took.
    pub result: Option<u8>,
    /// The declarer's total tricks after a claim.
    pub claim: Option<u8>,
    /// The players' names by seat from North, if the reader keeps them.
    pub players: Option<[String; 4]>,
    /// The table at which it was played.
    pub table: Option<String>,
    /// The numbers of the pairs: North-South and East-West.
    pub pairs: [Option<String>; 2],
    /// The form of scoring in PBN's words: `MP`, `IMP` and others.
    pub scoring: Option<String>,
    /// The form of the competition in PBN's words: `Pairs`, `Teams` and others.
    pub competition: Option<String>,
    /// The results of all tables.
    pub scores: Option<ScoreTable>,
    /// The double-dummy results in the record.
    pub double_dummy: DoubleDummy,
    /// Warnings about the record, for its users.
    pub notes: Vec<Note>,
}

/// A warning about a board, with its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, from 1.
    pub line: u64,
    /// The warning.
    pub doubt: Doubt,
}

/// The kinds of warnings, written as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Doubt {
    /// The rows of the play do not begin with the hand that PBN prescribes: each card was assigned
    /// to the hand that has it.
    #[error(
        "the rows of the play do not begin where PBN says; each card counts as played \
         by the hand that holds it"
    )]
    RowsByOwner,
    /// This word of the auction is not a call, so the auction gives no contract.
    #[error("{0:?} in the auction is not a call")]
    Call(String),
    /// A value that is not understood, and counts as missing.
    #[error("{0}; it counts as missing")]
    Value(#[from] Problem),
    /// Cards were taken back: the play is the last one that the record shows.
    #[error("cards are taken back; the play is the last one that is shown")]
    TakenBack,
    /// This list has neither four nor eight names.
    #[error("{0:?} are neither four names nor eight")]
    Names(String),
    /// A line has this text in addition to its deal.
    #[error("{0:?} beside the deal is ignored")]
    Beside(String),
    /// This line contradicts the number, the dealer or the vulnerable sides above it.
    #[error("{0:?} contradicts the lines above it, and counts")]
    Facts(String),
    /// No seat is named: the hands count as those from North on.
    #[error("no seat is named; the hands are those of North, East, South and West")]
    NoSeats,
    /// The cards have the letters of this language.
    #[error("the cards are read as {0} for A K Q J")]
    Language(String),
    /// The result differs from that of the complete play.
    #[error("the result is {recorded} tricks, but the cards that were played come to {played}")]
    Result {
        /// The declarer's tricks in the record.
        recorded: u8,
        /// The tricks of the cards played.
        played: u8,
    },
    /// This row of a table of results has no result, so it counts for nobody.
    #[error("{0:?} has no result; it counts for neither pair")]
    NoScore(String),
    /// The contract and the tricks of a row do not have its score; the score counts.
    #[error(
        "{row:?}: this contract and result are {points:+} for North-South, not {score:+}; \
         the score counts"
    )]
    Score {
        /// The row.
        row: String,
        /// The score of North and South for the contract and the tricks.
        points: i32,
        /// Their score in the row.
        score: i32,
    },
}

/// Writes the warning as a sentence without a full stop.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.doubt.fmt(f)
    }
}

/// The rooms of a team match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Room {
    /// The open room.
    Open,
    /// The closed room.
    Closed,
}

impl Room {
    /// Returns `open` or `closed`.
    pub const fn name(self) -> &'static str {
        match self {
            Room::Open => "open",
            Room::Closed => "closed",
        }
    }

    /// Returns the room of this name, in lower case.
    pub fn named(name: &str) -> Option<Room> {
        [Room::Open, Room::Closed]
            .into_iter()
            .find(|room| room.name() == name)
    }
}

/// The way in which the record of a play ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayEnd {
    /// With its last card.
    #[default]
    Open,
    /// With a sign that play stopped early (`*` in PBN, a claim in LIN).
    Stopped,
    /// With a sign that play continues (`+` in PBN).
    InProgress,
    /// With unknown cards (`-` in PBN).
    Unknown,
}

/// Double-dummy results in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoubleDummy {
    /// The tricks of each declarer, by strain as in [`Strain::ALL`] and then
    /// by seat from North: 0 to 13.
    pub tricks: Option<[[u8; 4]; 5]>,
    /// The par score of North and South.
    pub par_score: Option<i32>,
    /// The par contracts in the record's words.
    pub par_contract: Option<String>,
    /// For each card of the play, in order, the cards that were best there.
    pub play: Option<Vec<Hand>>,
}

impl Board {
    /// The deal, if all four hands are known.
    pub fn deal(&self) -> Option<Deal> {
        let [n, e, s, w] = self.hands;
        // The readers refuse hands that share a card.
        Deal::new([n?, e?, s?, w?]).ok()
    }

    /// A board without hands, with the dealer and the vulnerable sides of its number.
    pub(crate) fn numbered(number: u32, line: u64) -> Board {
        Board {
            line,
            number: Some(number),
            dealer: Some(Seat::dealer_of_board(number)),
            vulnerability: Some(Vulnerability::of_board(number)),
            ..Board::default()
        }
    }

    /// The board with its line, which is also that of its warnings.
    pub(crate) fn of_line(mut self, line: u64, number: Option<u32>) -> Board {
        (self.line, self.number) = (line, number.or(self.number));
        self.notes.iter_mut().for_each(|note| note.line = line);
        self
    }

    /// Returns true if no seat of its hands was named.
    pub(crate) fn is_bare(&self) -> bool {
        self.notes.iter().any(|note| note.doubt == Doubt::NoSeats)
    }

    /// Records a warning, up to a limit: a file that is not a record has one for each line.
    pub(crate) fn doubt(&mut self, line: u64, doubt: impl Into<Doubt>) {
        const MOST: usize = 32;
        if self.notes.len() < MOST {
            let doubt = doubt.into();
            self.notes.push(Note { line, doubt });
        }
    }

    /// Returns the value if it was read; else records the problem.
    pub(crate) fn understood<T>(&mut self, line: u64, read: Result<T, Problem>) -> Option<T> {
        read.map_err(|problem| self.doubt(line, problem)).ok()
    }

    /// The calls of the auction; `None` if there are none, or a word is not a call.
    pub(crate) fn calls(&self) -> Option<Vec<Call>> {
        let words = self.auction.as_deref()?.split_whitespace();
        let calls: Option<Vec<Call>> = words.map(read_call).collect();
        calls.filter(|calls| !calls.is_empty())
    }

    /// Sets all four hands.
    pub(crate) fn set_deal(&mut self, deal: &Deal) {
        self.hands = deal.hands().map(Some);
    }

    /// Sets the contract, and the fields that follow from it.
    pub(crate) fn set_contract(&mut self, contract: Contract) {
        self.contract = Some(contract);
        self.declarer = Some(contract.declarer);
        self.strain = Some(contract.bid.strain());
        self.leader = Some(contract.leader());
    }

    /// Sets the strain of a contract, and the fields that follow from its declarer.
    pub(crate) fn set_bid(&mut self, contract: PartialContract, declarer: Option<Seat>) {
        self.strain = Some(contract.bid.strain());
        if let Some(declarer) = declarer {
            self.set_contract(contract.or_by(declarer));
        }
    }

    /// Sets the result of a complete play, or notes that the record has another.
    pub(crate) fn settle_result(&mut self, line: u64) {
        let whole = self.play.len() == 52;
        let Some(played) = self.tricks_played().filter(|_| whole) else {
            return;
        };
        match self.result {
            Some(recorded) if recorded != played => {
                self.doubt(line, Doubt::Result { recorded, played });
            }
            _ => self.result = Some(played),
        }
    }

    /// The tricks that the declarer has taken in the complete tricks of the play; `None` without a
    /// contract, or if the play has more cards than the pack.
    pub fn tricks_played(&self) -> Option<u8> {
        let contract = self.contract.filter(|_| self.play.len() <= 52)?;
        let mut leader = contract.leader();
        let mut won = 0;
        for cards in self.play.chunks_exact(4) {
            leader = winner(leader, cards, contract.bid.strain())?;
            won += u8::from(leader.side() == contract.declarer.side());
        }
        Some(won)
    }
}

/// The winner of the trick of four `cards` to which `leader` led.
pub(crate) fn winner(leader: Seat, cards: &[Card], strain: Strain) -> Option<Seat> {
    cards
        .iter()
        .try_fold(Trick::new(leader), |trick, &card| trick.with(card))?
        .winner(strain)
}

/// Checks that no two known hands share a card.
pub(crate) fn check_hands(hands: &[Option<Hand>; 4]) -> Result<(), Problem> {
    let deal = Deal::new(hands.map(Option::unwrap_or_default));
    deal.map(|_| ()).map_err(Problem::Deal)
}

/// The hands, with the remaining cards for the only hidden one if each other hand has 13 cards.
///
/// # Errors
///
/// If two hands share a card.
pub(crate) fn complete(mut hands: [Option<Hand>; 4]) -> Result<[Option<Hand>; 4], Problem> {
    check_hands(&hands)?;
    let held: Vec<Hand> = hands.iter().flatten().copied().collect();
    let hidden = hands
        .iter_mut()
        .find(|hand| hand.is_none_or(|hand| hand.is_empty()));
    if held.iter().filter(|hand| hand.len() == 13).count() == 3
        && let Some(hidden) = hidden
    {
        let is_left = |card: &Card| !held.iter().any(|hand| hand.contains(*card));
        *hidden = Some(Card::pack().filter(is_left).collect());
    }
    Ok(hands)
}
