//! A partially read board.

use setrograde_cards::{Call, Card};

use super::values::SEATS;
use super::vugraph::Vugraph;
use crate::auction::{self, AuctionEnd, Part};
use crate::board::{PlayEnd, Room};
use crate::error::{Problem, RecordError, quote};
use crate::lines::{number, tricks_in};
use crate::{Board, Doubt};

/// Maximum number of calls and of cards in a board: more than in the longest possible auction.
const PLAYS_LIMIT: usize = 400;

/// A partially read board.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub board: Board,
    /// True if the fields read so far make a board: a number or hands.
    pub begun: bool,
    /// True if hands have been read.
    pub has_deal: bool,
    calls: Vec<Call>,
    /// The calls as written, if one of them cannot be understood.
    unread_calls: Option<Vec<String>>,
    pub error: Option<RecordError>,
    /// The longest play before cards were taken back, and the line where that happened first.
    longest: Vec<Card>,
    taken_back: Option<u64>,
    /// The line of the result.
    pub result_line: u64,
    pub players: Vec<String>,
}

impl Draft {
    /// Processes a field of the auction or the play; other fields are passed over.
    #[inline]
    pub(super) fn take(&mut self, line: u64, name: &str, value: &str) {
        match name {
            "mb" => self.take_calls(line, value),
            "an" => self.explain(value),
            "pc" => {
                let read = self.take_cards(value);
                self.board.understood(line, read);
            }
            "up" => self.take_back(line, value),
            "mc" => {
                let bad = || Problem::expected("mc", value, "0 to 13 tricks");
                let read = tricks_in(value).ok_or_else(bad);
                if let Some(tricks) = self.board.understood(line, read) {
                    self.result_line = line;
                    self.board.claim = Some(tricks);
                    self.board.play_end = PlayEnd::Stopped;
                }
            }
            _ => {}
        }
    }

    /// An alert of the last call, perhaps with its explanation.
    fn explain(&mut self, text: &str) {
        if let Some(last) = self.calls.len().checked_sub(1) {
            auction::explain(&mut self.board.alerts, last, text);
        }
    }

    /// A call, or several in one field.
    fn take_calls(&mut self, line: u64, value: &str) {
        for part in auction::parts(value) {
            if self.calls.len() >= PLAYS_LIMIT {
                return;
            }
            match (part, &mut self.unread_calls) {
                (Part::Alert(text), _) => self.explain(&text),
                (Part::Call(call), None) => self.calls.push(call),
                (Part::AllPass, None) => auction::all_pass(&mut self.calls),
                (part, None) => {
                    let calls = self.calls.drain(..);
                    let mut words: Vec<String> = calls.map(|call| call.to_string()).collect();
                    let word = match part {
                        Part::Unread(word) => word,
                        _ => value.to_owned(),
                    };
                    words.push(quote(value));
                    self.board.doubt(line, Doubt::Call(quote(&word)));
                    self.board.alerts.clear();
                    self.unread_calls = Some(words);
                    return;
                }
                (_, Some(words)) => {
                    if words.len() < PLAYS_LIMIT {
                        words.push(quote(value));
                    }
                    return;
                }
            }
        }
    }

    /// Removes the last cards, or all.
    fn take_back(&mut self, line: u64, value: &str) {
        let play = &mut self.board.play;
        if play.len() > self.longest.len() {
            self.longest.clone_from(play);
        }
        let left = number(value).map_or(0, |cards: usize| play.len().saturating_sub(cards));
        play.truncate(left);
        self.taken_back.get_or_insert(line);
    }

    /// One card or several, such as `SA` or `C2CAC3C4`.
    fn take_cards(&mut self, value: &str) -> Result<(), Problem> {
        // Most fields have one.
        let one = value.parse().ok().map(Ok);
        let several = one.is_none().then(|| auction::cards(value));
        for card in one.into_iter().chain(several.into_iter().flatten()) {
            let card = card.map_err(|error| Problem::text("pc", value, error))?;
            if self.board.play.len() >= PLAYS_LIMIT {
                return Err(Problem::expected("pc", value, "no more than 52 cards"));
            }
            self.board.play.push(card);
        }
        Ok(())
    }

    /// The board of the fields.
    pub(crate) fn into_board(self, vugraph: &Vugraph, keep_names: bool) -> Board {
        // The players of a vugraph file come before its first board.
        let players = if self.players.is_empty() && vugraph.first_board.is_some() {
            &vugraph.players
        } else {
            &self.players
        };
        let mut board = self.board;
        if let Some(line) = self.taken_back {
            if board.play.is_empty() {
                board.play = self.longest;
            }
            board.doubt(line, Doubt::TakenBack);
        }
        if keep_names {
            let closed = board.room == Some(Room::Closed) && players.len() == 8;
            let four = players.iter().skip(if closed { 4 } else { 0 });
            let mut by_seat: [String; 4] = Default::default();
            for (seat, name) in SEATS.into_iter().zip(four) {
                by_seat[seat].clone_from(name);
            }
            board.players = Some(by_seat);
        }
        board.auction = match self.unread_calls {
            Some(words) => Some(words.join(" ")),
            None if self.calls.is_empty() => None,
            None => Some(auction::text(&self.calls)),
        };
        if let Some(dealer) = board.dealer {
            let over = !board.play.is_empty() || board.claim.is_some();
            match auction::end(dealer, &self.calls, over) {
                AuctionEnd::Open => {}
                AuctionEnd::PassedOut => board.passed_out = true,
                AuctionEnd::Contract(contract) => board.set_contract(contract),
            }
        }
        board.result = board.claim;
        board.settle_result(self.result_line.max(board.line));
        vugraph.add_result(&mut board);
        board
    }
}
