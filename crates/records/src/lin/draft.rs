//! A board of which some fields have been read.

use setrograde_cards::Card;

use super::values::SEATS;
use super::vugraph::Vugraph;
use crate::auction::{self, AuctionEnd, Call};
use crate::board::Room;
use crate::error::{AtLine, Problem, quote};
use crate::{Board, Note};

/// The greatest number of calls, and of cards, that a board may have: more
/// than the longest auction has.
const PLAYS_LIMIT: usize = 400;

/// A board of which some fields have been read.
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
    pub error: Option<AtLine>,
    pub players: Vec<String>,
}

impl Draft {
    /// Remembers the first problem.
    pub fn fail(&mut self, error: AtLine) {
        self.error.get_or_insert(error);
    }

    /// An alert of the last call, perhaps with its explanation.
    pub fn explain(&mut self, text: &str) {
        if let Some(last) = self.calls.len().checked_sub(1) {
            auction::explain(&mut self.board.alerts, last, text);
        }
    }

    /// A call, or several passes in one field.
    pub fn take_calls(&mut self, value: &str) {
        if self.calls.len() >= PLAYS_LIMIT {
            return;
        }
        let passes = value.trim_end_matches('!');
        let calls = if passes.len() > 1
            && passes.len() <= 4
            && passes.bytes().all(|b| b.eq_ignore_ascii_case(&b'p'))
        {
            vec![Some(Call::Pass); passes.len()]
        } else {
            vec![Call::read(value)]
        };
        for call in calls {
            match (call, &mut self.unread_calls) {
                (Some(call), None) => self.calls.push(call),
                (_, Some(words)) if words.len() < PLAYS_LIMIT => words.push(quote(value)),
                (_, Some(_)) => {}
                (None, unread @ None) => {
                    let mut words: Vec<String> =
                        self.calls.drain(..).map(|c| c.to_string()).collect();
                    words.push(quote(value));
                    self.board.notes.push(Note::Call(quote(value)));
                    self.board.alerts.clear();
                    *unread = Some(words);
                }
            }
        }
        if value.ends_with('!') {
            self.explain("");
        }
    }

    /// One card or several, as `SA` or `C2CAC3C4`.
    pub fn take_cards(&mut self, value: &str) -> Result<(), Problem> {
        let value = value.replace("10", "T");
        let letters: Vec<char> = value.chars().filter(|c| !c.is_whitespace()).collect();
        for pair in letters.chunks(2) {
            let text: String = pair.iter().collect();
            let card = text.parse();
            let card: Card = card.map_err(|error| Problem::text("pc", &value, error))?;
            if self.board.play.len() >= PLAYS_LIMIT {
                return Err(Problem::expected("pc", &value, "no more than 52 cards"));
            }
            self.board.play.push(card);
        }
        Ok(())
    }

    /// The board of the fields.
    pub fn into_board(self, vugraph: &Vugraph, keep_names: bool) -> Board {
        // The players of a vugraph file come before its first board.
        let players = if self.players.is_empty() && vugraph.first_board.is_some() {
            &vugraph.players
        } else {
            &self.players
        };
        let mut board = self.board;
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
        board.settle_result();
        vugraph.add_result(&mut board);
        board
    }
}
