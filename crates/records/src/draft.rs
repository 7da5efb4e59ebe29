//! A board of a diagram as far as it was read.

use setrograde_cards::{Hand, Holding, Seat, Suit, Vulnerability};

use crate::board::{Board, Doubt, check_hands, complete};
use crate::error::Problem;
use crate::facts::{BoardFacts, facts_in, unread_fact};
use crate::lines::BoardResult;
use crate::rows::{SuitRow, header};

/// Of hands without names there are four, below each other.
pub(crate) const FOUR_HANDS: &str =
    "four hands below each other, from North on, or the names of the seats";

/// A hand, perhaps without some of its suits.
type SuitsRead = [Option<Holding>; 4];

/// The way in which the seat of a hand is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// By its name before it or above it.
    Named,
    /// By its position in a diagram.
    Drawn,
    /// By the order of four hands alone.
    Bare,
}

/// A board as far as it was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagramDraft {
    pub board: Board,
    pub suits: [SuitsRead; 4],
    pub sources: [Option<Source>; 4],
    /// The seats of the suits that follow.
    pub below: Vec<Seat>,
    /// True if the line before named them.
    pub is_named: bool,
    /// A seat whose name had another name below it instead of a hand.
    unheld: Option<Seat>,
    /// True if that line is below facts, so a seat without a hand is the dealer's.
    is_dealer: bool,
    /// The letters of a compass that were read.
    compass: String,
    /// The name of a fact whose value is on the next line.
    pub fact: String,
    /// True if the line above has facts.
    has_facts_above: bool,
    /// The line of the first facts.
    pub facts_line: Option<u64>,
    /// A word on the line above that may be one.
    alone_above: Option<BoardFacts>,
    /// True after an error, which is the answer for this board.
    pub failed: bool,
}

impl DiagramDraft {
    pub(crate) fn has(&self, seat: Seat) -> bool {
        self.suits[seat].iter().any(Option::is_some)
    }

    fn is_complete(&self, seat: Seat) -> bool {
        self.suits[seat].iter().all(Option::is_some)
    }

    pub(crate) fn is_empty(&self) -> bool {
        Seat::ALL.iter().all(|&seat| !self.has(seat))
    }

    /// Returns true if two hands without names are there, and a compass may follow.
    fn is_around(&self) -> bool {
        let whole = [Seat::North, Seat::South]
            .iter()
            .all(|&seat| self.is_complete(seat));
        whole && self.below.is_empty() && !self.has(Seat::West) && !self.has(Seat::East)
    }

    pub(crate) fn is_finished(&self) -> bool {
        Seat::ALL.iter().all(|&seat| self.is_complete(seat))
    }

    /// Returns true if hands without names have been read, but not all four.
    pub(crate) fn is_bare(&self) -> bool {
        let all = [Some(Source::Bare); 4];
        self.sources.contains(&Some(Source::Bare)) && (self.sources != all || !self.is_finished())
    }

    /// Returns true if some suits of four hands beside each other have been read, whose order counts.
    pub(crate) fn is_in_columns(&self) -> bool {
        let is_begun = |&seat: &Seat| self.has(seat) && !self.is_complete(seat);
        self.sources == [Some(Source::Drawn); 4] && Seat::ALL.iter().all(is_begun)
    }

    /// Returns true if a single suit has been read, without the name of its seat: it may be a word.
    fn is_stray(&self) -> bool {
        let count = self.suits.iter().flatten().flatten().count();
        count == 1 && self.sources.contains(&Some(Source::Drawn))
    }

    /// Forgets a word that was read as a suit, once the parts of a board follow.
    pub(crate) fn forget_stray(&mut self) {
        if self.is_stray() {
            (self.suits, self.sources) = Default::default();
        }
    }

    pub(crate) fn set(&mut self, (seat, source): (Seat, Source), hand: Hand) {
        self.suits[seat] = Suit::ALL.map(|suit| Some(hand.holding(suit)));
        self.sources[seat] = Some(source);
        if self.below.len() < 4 {
            self.below.clear();
        }
    }

    /// The seats of a row with the suits of this many hands.
    fn seats_of(&self, count: usize, suit: Option<Suit>) -> Option<(Vec<Seat>, Source)> {
        let open = |&seat: &Seat| match suit {
            Some(suit) => self.suits[seat][suit.index()].is_none(),
            None => !self.is_complete(seat),
        };
        let is_open = self.below.iter().any(open);
        if is_open && self.below.len() == count {
            return Some((self.below.clone(), Source::Named));
        }
        // Four names head columns.
        if is_open && self.below.len() < 4 && count == 1 {
            let next = self.below.iter().copied().find(open)?;
            return Some((vec![next], Source::Named));
        }
        let around = [Seat::West, Seat::East];
        let seats = match count {
            1 => {
                let mut unfinished = [Seat::North, Seat::South].into_iter();
                let next = unfinished.find(|&seat| !self.is_complete(seat))?;
                let is_first = next == Seat::North;
                vec![Some(next).filter(|_| !is_first || !around.iter().any(|&s| self.has(s)))?]
            }
            2 if around.iter().any(open) => around.to_vec(),
            4 => Seat::ALL.to_vec(),
            _ => return None,
        };
        let is_unheld = self.unheld.is_some_and(|seat| seats.contains(&seat));
        (!is_unheld).then_some((seats, Source::Drawn))
    }

    /// Adds the suits of a row, if they can be of one hand or of hands beside each other.
    pub(crate) fn add_row(&mut self, rows: &[SuitRow]) -> bool {
        // Of the suits with one name, each belongs to another hand.
        let of_suit = |rows: &[SuitRow], at: usize| {
            let same = |row: &&SuitRow| row.0 == rows[at].0;
            rows.iter().filter(same).count()
        };
        let nth = |at: usize| match rows[at].0 {
            Some(_) => of_suit(&rows[..=at], at) - 1,
            None => at,
        };
        let count = (0..rows.len()).map(|at| nth(at) + 1).max().unwrap_or(0);
        let all_have = (0..rows.len()).all(|at| of_suit(rows, at) == count);
        let seats = self.seats_of(count, rows[0].0);
        let Some((seats, source)) = seats.filter(|_| rows.len() < 16 && all_have) else {
            return false;
        };
        for (at, &(suit, holding)) in rows.iter().enumerate() {
            let seat = seats[nth(at)];
            let suits = &mut self.suits[seat];
            let next = suits
                .iter()
                .rposition(Option::is_some)
                .map_or(0, |at| at + 1);
            let at = suit.map_or(next, Suit::index);
            if at < next || at > 3 {
                return false;
            }
            suits[at] = Some(holding);
            if at == 3 {
                close(suits);
            }
            self.sources[seat].get_or_insert(source);
        }
        true
    }

    /// Reads a line of a compass between two hands without names, and returns true if it is one. Its
    /// letters say that the hands are North's and West's, and that East's and South's follow.
    pub(crate) fn read_compass(&mut self, letters: &str) -> bool {
        let before = std::mem::take(&mut self.compass);
        let read = before.clone() + letters;
        if before.is_empty() && !self.is_around() || !"NWES".starts_with(&read) {
            return false;
        }
        if read == "NWES" {
            self.suits[Seat::West] = std::mem::take(&mut self.suits[Seat::South]);
            self.sources[Seat::West] = self.sources[Seat::South].take();
            self.below = vec![Seat::East, Seat::South];
        } else {
            self.compass = read;
        }
        true
    }

    /// The names of the seats of the hands below; one without hands is the dealer's.
    pub(crate) fn head(&mut self, seats: Vec<Seat>) {
        if let ([dealer], [next], true) = (&self.below[..], &seats[..], self.is_named)
            && dealer != next
            && self.is_dealer
            && self.is_empty()
        {
            self.board.dealer.get_or_insert(*dealer);
        }
        if let ([above], true, false) = (&self.below[..], self.is_named, self.is_empty()) {
            self.unheld = Some(*above);
        }
        self.is_dealer = self.has_facts_above;
        self.below = seats;
    }

    /// The board, if it has a hand.
    pub(crate) fn board(mut self) -> Option<BoardResult> {
        let line = self.board.line;
        if self.failed {
            return None;
        }
        if !Seat::ALL.iter().any(|&seat| self.is_complete(seat)) {
            let begun = |&&seat: &&Seat| {
                let suits = self.suits[seat].iter().flatten().count();
                suits > 1 && self.sources[seat] == Some(Source::Named) || suits > 2
            };
            let seat = if self.is_in_columns() {
                &Seat::North
            } else {
                Seat::ALL.iter().find(begun)?
            };
            let found = format!("some suits of {}", seat.name());
            let problem = Problem::expected("hand", &found, "its four suits");
            return Some(Err(problem.at(line)));
        }
        if self.is_bare() {
            let found = "hands without the names of their seats";
            let problem = Problem::expected("deal", found, FOUR_HANDS);
            return Some(Err(problem.at(line)));
        }
        for seat in Seat::ALL {
            if self.has(seat) {
                let holdings = self.suits[seat].map(Option::unwrap_or_default);
                self.board.hands[seat] = Some(Hand::new(holdings));
            }
        }
        let is_from = |source| self.sources.iter().flatten().any(|&found| found == source);
        if is_from(Source::Bare) {
            self.board.doubt(line, Doubt::NoSeats);
        }
        let hands = self.board.hands;
        let read = if is_from(Source::Bare) || is_from(Source::Drawn) {
            check_hands(&hands).map(|()| hands)
        } else {
            complete(hands)
        };
        Some(match read {
            Ok(hands) => {
                self.board.hands = hands;
                Ok(self.board)
            }
            Err(problem) => Err(problem.at(line)),
        })
    }

    /// Reads the number of the board, the dealer and the vulnerable sides. A word without its label
    /// is one of them only on the line below labelled ones, and replaces none.
    pub(crate) fn read_facts(&mut self, line: &str, number: u64) -> bool {
        let labelled = facts_in(line);
        let is_beside = self.has_facts_above || self.facts_line.is_some() || !labelled.is_empty();
        if let Some(unread) = is_beside.then(|| unread_fact(line, &labelled)).flatten() {
            self.board.doubt(number, Doubt::Beside(unread));
        }
        let is_empty = self.is_empty() || self.is_stray() && self.alone_above.is_some();
        let starts = is_empty && self.below.len() < 2 && labelled.is_empty();
        let mut alone = BoardFacts::alone(line).filter(|_| starts);
        let above = std::mem::replace(&mut self.alone_above, alone);
        alone = if self.has_facts_above {
            // One side alone may be a pair.
            let is_pair = |sides| !matches!(sides, Vulnerability::None | Vulnerability::Both);
            alone.filter(|facts| !facts.vulnerability.is_some_and(is_pair))
        } else {
            // A number above the sides can mean nothing else, not even a suit.
            let number = above.and_then(|facts| facts.number);
            let both = alone.filter(|facts| facts.vulnerability.is_some() && number.is_some());
            both.map(|facts| BoardFacts { number, ..facts })
        };
        let found = !labelled.is_empty() || alone.is_some();
        // The dealer may be between them, but not the label of a hand.
        let is_dealer = || header(line).is_some_and(|seats| seats.len() == 1);
        self.has_facts_above &= !line.ends_with([':', '{']) && is_dealer();
        for facts in labelled {
            let mut differ = false;
            let board = &mut self.board;
            set(&mut board.number, facts.number, &mut differ);
            set(&mut board.dealer, facts.dealer, &mut differ);
            set(&mut board.vulnerability, facts.vulnerability, &mut differ);
            if differ {
                board.doubt(number, Doubt::Facts(line.trim().to_owned()));
            }
            self.has_facts_above = true;
            self.facts_line.get_or_insert(number);
        }
        if let Some(facts) = alone {
            self.forget_stray();
            let board = &mut self.board;
            board.number = board.number.or(facts.number);
            board.vulnerability = board.vulnerability.or(facts.vulnerability);
        }
        self.has_facts_above |= alone.is_some();
        found
    }
}

/// Sets a fact, if there is one, and learns whether it had another value.
fn set<T: PartialEq + Copy>(fact: &mut Option<T>, read: Option<T>, differ: &mut bool) {
    *differ |= fact.is_some() && read.is_some() && *fact != read;
    *fact = read.or(*fact);
}

/// The suits of a hand that has no more of them are void.
pub(crate) fn close(suits: &mut SuitsRead) {
    for suit in suits {
        suit.get_or_insert(Holding::EMPTY);
    }
}
