//! Subjects of questions: read from a line, or made from a board of a record.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::iter;

use fastrand::Rng;
use setrograde_beliefs::{Mode, Question, QuestionError, joined, listed};
use setrograde_cards::{
    Bid, Card, Contract, Deal, Field, Hand, Position, PositionError, Rank, Seat, Suit, fields,
    hand_field,
};
use setrograde_records::{Board, Doubt, deal_beside};
use setrograde_solver::SolveError;
use thiserror::Error;

use crate::refusal::Refusal;

/// The subject of a question: read from a line of text, or made from a board. A board is never
/// turned into text.
///
/// Its text is a line that reads back as the subject.
pub trait Subject: Display + Sized {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If the line is not a subject of this kind.
    fn line(text: &str) -> Result<Self, Refusal>;

    /// Finds the subject in a line that [`line`](Self::line) refuses because of other text beside
    /// it, and returns it with the warning about that text.
    fn beside(text: &str) -> Option<(Self, Doubt)> {
        let _ = text;
        None
    }

    /// The subject of a board; `None` without a question, because all four players passed. A
    /// question about hidden hands is not asked of boards unless it says otherwise.
    ///
    /// # Errors
    ///
    /// If the board lacks a field.
    fn board(board: &Board) -> Result<Option<Self>, Lacks> {
        let _ = board;
        Err(Lacks::Line)
    }
}

/// The reason that a board has no such question.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Lacks {
    /// The board has no hands.
    #[error("it shows no hands")]
    Hands,
    /// Hands are hidden.
    #[error("{}", hidden_in_words(.0))]
    Hidden(Vec<Seat>),
    /// The hands differ in length.
    #[error("{}", SolveError::UnequalHands(*.0))]
    Unequal([usize; 4]),
    /// The hands are empty.
    #[error("{}", SolveError::NoCards)]
    Cards,
    /// The cards on the table contradict the hands.
    #[error("{0}")]
    Position(#[from] PositionError),
    /// Questions about hidden hands do not apply to files of boards.
    #[error("this question is asked on a line, not of a board")]
    Line,
}

fn hidden_in_words(seats: &[Seat]) -> String {
    let names: Vec<&str> = seats.iter().map(|seat| seat.name()).collect();
    match &names[..] {
        [one] => format!("the hand of {one} is hidden"),
        [] => Lacks::Hands.to_string(),
        names => format!("the hands of {} are hidden", listed(names, "and")),
    }
}

/// Returns the deal of a board that has a table of 20 results.
///
/// # Errors
///
/// If a hand is hidden, or the hands differ in length.
pub fn table_deal(board: &Board) -> Result<Deal, Lacks> {
    let Some(deal) = board.deal() else {
        let hidden = |seat: &Seat| board.hands[*seat].is_none();
        let hidden: Vec<Seat> = Seat::ALL.into_iter().filter(hidden).collect();
        return Err(match hidden.len() {
            0 | 4 => Lacks::Hands,
            _ => Lacks::Hidden(hidden),
        });
    };
    match deal.cards_per_hand() {
        None => Err(Lacks::Unequal(deal.hands().map(|hand| hand.len()))),
        Some(0) => Err(Lacks::Cards),
        Some(_) => Ok(deal),
    }
}

impl Subject for Deal {
    /// The deal, perhaps after a contract.
    fn line(text: &str) -> Result<Deal, Refusal> {
        let deal = fields(text).nth(1).filter(|_| contract(text).is_some());
        let (start, column) = deal.map_or((0, 1), |deal| (deal.start, deal.column));
        let deal = text[start..].parse::<Deal>();
        Ok(deal.map_err(|error| error.shifted(column - 1))?)
    }

    fn beside(text: &str) -> Option<(Deal, Doubt)> {
        deal_beside(text).filter(|_| Deal::line(text).is_err())
    }

    fn board(board: &Board) -> Result<Option<Deal>, Lacks> {
        table_deal(board).map(Some)
    }
}

/// A position; or a deal, if a board has neither a contract nor a strain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The position before the first card is played, and the contract, if the line has one.
    Position(Position, Option<Contract>),
    /// The hands.
    Deal(Deal),
}

impl Start {
    /// The position.
    ///
    /// # Errors
    ///
    /// If it is a deal alone.
    pub fn position(&self) -> Result<&Position, Refusal> {
        match self {
            Start::Position(position, _) => Ok(position),
            Start::Deal(_) => Err(Refusal::question(
                "it has no contract: no strain, no leader",
            )),
        }
    }

    /// The contract, if the line has one.
    pub(crate) fn contract(&self) -> Option<Contract> {
        match self {
            Start::Position(_, contract) => *contract,
            Start::Deal(_) => None,
        }
    }
}

impl Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Position(position, Some(of)) if of.leader() == position.leader() => {
                let text = position.to_string();
                let deal = text.splitn(3, ' ').last().unwrap_or_default();
                write!(f, "{of} {deal}")
            }
            Start::Position(position, _) => position.fmt(f),
            Start::Deal(deal) => deal.fmt(f),
        }
    }
}

impl Subject for Start {
    fn line(text: &str) -> Result<Start, Refusal> {
        let play = Play::line(text)?;
        Ok(Start::Position(play.end()?, play.start.contract()))
    }

    fn board(board: &Board) -> Result<Option<Start>, Lacks> {
        if board.passed_out {
            return Ok(None);
        }
        let deal = table_deal(board)?;
        let (Some(strain), Some(leader)) = (board.strain, board.leader) else {
            return Ok(Some(Start::Deal(deal)));
        };
        let position = Position::new(strain, leader, deal, &board.on_table)?;
        Ok(Some(Start::Position(position, None)))
    }
}

impl Subject for Position {
    /// The position after the cards that follow it, if any do.
    fn line(text: &str) -> Result<Position, Refusal> {
        Play::line(text)?.end()
    }

    fn board(board: &Board) -> Result<Option<Position>, Lacks> {
        Ok(match Start::board(board)? {
            Some(Start::Position(position, _)) => Some(position),
            _ => None,
        })
    }
}

/// The contract at the start of a line.
fn contract(line: &str) -> Option<Contract> {
    fields(line).next()?.text.parse().ok()
}

/// A start and the cards played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The start.
    pub start: Start,
    /// The cards in order; none of a deal without a strain.
    pub cards: Vec<Card>,
    /// The column of each card in the line.
    pub columns: Vec<usize>,
}

impl Play {
    /// The position after the cards.
    ///
    /// # Errors
    ///
    /// If it begins from a deal alone, or a card cannot be played; in a line, with its column.
    pub(crate) fn end(&self) -> Result<Position, Refusal> {
        self.each(&mut |_, _, _| ())
    }

    /// Calls a function with the position before each card, the card, and the position after it.
    pub(crate) fn each(
        &self,
        to: &mut dyn FnMut(&Position, Card, &Position),
    ) -> Result<Position, Refusal> {
        let mut position = *self.start.position()?;
        for (index, &card) in self.cards.iter().enumerate() {
            let next = position.play(card);
            let next = next.map_err(|source| match self.columns.get(index) {
                Some(&column) => Refusal::in_line(column, source),
                None => SolveError::IllegalCard { index, source }.into(),
            })?;
            to(&position, card, &next);
            position = next;
        }
        Ok(position)
    }
}

impl Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.start.fmt(f)?;
        self.cards.iter().try_for_each(|card| write!(f, " {card}"))
    }
}

impl Subject for Play {
    fn line(text: &str) -> Result<Play, Refusal> {
        // The cards begin after the last hand or the cards on the table, which alone have dots
        // or an equals sign in them.
        let end = text.rfind(['.', '=']).map_or(text.len(), |last| {
            text[last..]
                .find(char::is_whitespace)
                .map_or(text.len(), |blank| last + blank)
        });
        let mut play = Play {
            start: Start::Position(text[..end].parse()?, contract(text)),
            cards: Vec::new(),
            columns: Vec::new(),
        };
        let mut before = text[..end].chars().count();
        for piece in text[end..].split_inclusive(|c: char| c.is_whitespace() || c == ',') {
            let word = piece.trim_end_matches(|c: char| c.is_whitespace() || c == ',');
            if !word.is_empty() {
                let card = word.parse::<Card>();
                play.cards
                    .push(card.map_err(|error| error.shifted(before))?);
                play.columns.push(before + 1);
            }
            before += piece.chars().count();
        }
        Ok(play)
    }

    fn board(board: &Board) -> Result<Option<Play>, Lacks> {
        let Some(start) = Start::board(board)? else {
            return Ok(None);
        };
        Ok(Some(Play {
            cards: match start {
                Start::Position(..) => board.play.clone(),
                Start::Deal(_) => Vec::new(),
            },
            start,
            columns: Vec::new(),
        }))
    }
}

/// Defines a subject that is a question about hidden cards, asked on a line.
macro_rules! hidden_hands {
    ($(#[$meta:meta])* $name:ident($question:ty)) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $name(pub(crate) $question);

        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Subject for $name {
            fn line(text: &str) -> Result<$name, Refusal> {
                Ok($name(text.parse()?))
            }
        }
    };
}

hidden_hands! {
    /// A question about hidden hands of bridge.
    HiddenHands(Question)
}

hidden_hands! {
    /// A question about hidden hands of jass.
    JassHands(Question<Mode>)
}

/// A hand on lead; or a full question, which names the leader.
#[derive(Clone, Debug)]
pub struct OnLead(HandOnLead);

#[derive(Clone, Debug)]
enum HandOnLead {
    /// A hand, and its seat if the text names it.
    Hand(Option<Seat>, Hand),
    Question(Question),
}

impl OnLead {
    /// The question, if this is the contract, and that seat declares, if one is known.
    ///
    /// # Errors
    ///
    /// If another seat leads against that declarer, or the question has another contract.
    pub(crate) fn against(&self, bid: Bid, declarer: Option<Seat>) -> Result<Question, Refusal> {
        let seat = match &self.0 {
            HandOnLead::Question(question) => Some(question.leader()),
            HandOnLead::Hand(seat, _) => *seat,
        };
        let leader = declarer.map(Seat::next);
        if let (Some(seat), Some(leader)) = (seat, leader)
            && seat != leader
        {
            let problem = format_args!(
                "the hand of {}, but {} leads against that declarer",
                seat.name(),
                leader.name()
            );
            return Err(QuestionError::new(1, problem).into());
        }
        let hand = match &self.0 {
            HandOnLead::Question(question) => {
                if question.contract().is_some_and(|of| of.bid != bid) {
                    let problem = format_args!("the question has another contract than {bid}");
                    return Err(QuestionError::new(1, problem).into());
                }
                return Ok(question.clone());
            }
            HandOnLead::Hand(_, hand) => *hand,
        };
        let leader = seat.or(leader).unwrap_or(Seat::West);
        let mut hands = [Hand::EMPTY; 4];
        hands[leader] = hand;
        hands[leader.partner()] = Hand::PACK - hand;
        let strain = bid.strain();
        Ok(Question::of(strain, leader, &hands, |seat| seat == leader))
    }
}

impl Display for OnLead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            HandOnLead::Hand(None, hand) => hand.fmt(f),
            HandOnLead::Hand(Some(seat), hand) => write!(f, "{seat}:{hand}"),
            HandOnLead::Question(question) => question.fmt(f),
        }
    }
}

/// The hands with a low card for each `x`: one below the ten that no hand names, the same in each
/// run.
fn with_low_cards<const N: usize>(hands: [&str; N]) -> [Cow<'_, str>; N] {
    let written = hands.map(dotted);
    let hands = written.each_ref().map(|hand| &**hand);
    let is_low = |c: char| c.eq_ignore_ascii_case(&'x');
    let is_named = |suit: usize, rank: Rank| {
        let holdings = hands.iter().filter_map(|hand| hand.split('.').nth(suit));
        holdings
            .flat_map(str::chars)
            .any(|c| Rank::from_letter(c) == Some(rank))
    };
    let mut rng = Rng::with_seed(1);
    let mut low = Suit::ALL.map(|suit| {
        let ranks = Rank::all().filter(|rank| rank.value() < 10 && !is_named(suit.index(), *rank));
        let mut ranks: Vec<Rank> = ranks.collect();
        rng.shuffle(&mut ranks);
        ranks
    });
    written.clone().map(|hand| {
        if !hand.contains(is_low) || hand.matches('.').count() != 3 {
            return hand;
        }
        let suits = hand.split('.').zip(&mut low).map(|(holding, low)| {
            // An `x` too many stays, and is no rank.
            let mut card = |c: char| {
                if is_low(c) {
                    low.pop().map_or(c, Rank::letter)
                } else {
                    c
                }
            };
            holding.chars().map(&mut card).collect::<String>()
        });
        joined(suits, ".").into()
    })
}

/// A hand that has an `x`, with dots between its suits, which follow their symbols or are separate
/// and in order. Other texts stay as they are.
fn dotted(hand: &str) -> Cow<'_, str> {
    if !hand.contains(['x', 'X']) || hand.contains('.') {
        return hand.into();
    }
    let cells = hand.split(|c: char| c.is_whitespace() || ",/;".contains(c));
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    if let [spades, hearts, diamonds, clubs] = cells[..]
        && spades.parse::<Suit>().is_err()
        && Suit::from_letter(spades.chars().next().unwrap_or_default()).is_none()
        && !hand.contains(Suit::ALL.map(Suit::symbol))
    {
        return [spades, hearts, diamonds, clubs].join(".").into();
    }
    let mut suits: [String; 4] = Default::default();
    let mut suit = None;
    for c in cells.concat().chars() {
        match c.to_string().parse::<Suit>() {
            Ok(found) => suit = Some(found),
            Err(_) if ":=-".contains(c) => {}
            Err(_) => match suit {
                Some(suit) => suits[suit.index()].push(c),
                None => return hand.into(),
            },
        }
    }
    suits.join(".").into()
}

/// The hands of a text, one after another.
pub(crate) fn hand_fields(text: &str) -> Vec<Field<'_>> {
    let mut left = fields(text).peekable();
    iter::from_fn(|| Some(hand_field(text, left.next()?, &mut left))).collect()
}

/// Reads a hand of 13 cards that begins in `column`.
fn whole_hand(text: &str, column: usize) -> Result<Hand, QuestionError> {
    let hand = text.parse::<Hand>();
    let hand = hand.map_err(|error| QuestionError::from(error).shifted(column - 1))?;
    match hand.len() {
        13 => Ok(hand),
        cards => {
            let problem = format_args!("the hand has {cards} cards, expected 13");
            Err(QuestionError::new(column, problem))
        }
    }
}

impl Subject for OnLead {
    fn line(text: &str) -> Result<OnLead, Refusal> {
        let of_hand = |seat, text: &str, column| {
            let [hand] = with_low_cards([text]);
            Ok(OnLead(HandOnLead::Hand(seat, whole_hand(&hand, column)?)))
        };
        let Some((before, hand)) = text.split_once(':') else {
            return of_hand(None, text, 1);
        };
        match before.parse::<Seat>() {
            // `S: …` may be spades.
            Ok(seat) if hand.matches('.').count() == 3 && !hand.contains('?') => {
                of_hand(Some(seat), hand.trim(), before.chars().count() + 2)
            }
            _ => Ok(OnLead(HandOnLead::Question(text.parse()?))),
        }
    }
}

/// The two hands of a side before the lead: North's and South's, those that a deal shows, or
/// those of a whole question.
#[derive(Clone, Debug)]
pub struct TwoHands(pub(crate) Question);

impl Display for TwoHands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Subject for TwoHands {
    fn line(text: &str) -> Result<TwoHands, Refusal> {
        /// The question is about the hands and does not depend on the lead.
        const ASKED: &str = "NT W ";
        let words = hand_fields(text);
        let question = match words[..] {
            [north, south] if !text.contains(':') => {
                let [of_north, of_south] = with_low_cards([north.text, south.text]);
                let [north, south] = [
                    whole_hand(&of_north, north.column)?,
                    whole_hand(&of_south, south.column)?,
                ];
                Question::of_full_deal(&format!("{ASKED}N:{north} ? {south} ?"))
            }
            [one] if !text.contains(':') => {
                let problem = "one hand; expected the two hands of a side, North's and South's";
                return Err(QuestionError::new(one.column, problem).into());
            }
            [first, ..] if first.text.contains(':') => {
                Question::of_full_deal(&format!("{ASKED}{text}"))
            }
            _ => return Ok(TwoHands(text.parse()?)),
        };
        let moved = |error: QuestionError| {
            let column = error.column().saturating_sub(ASKED.len());
            QuestionError::new(column, error.problem())
        };
        Ok(TwoHands(question.map_err(moved)?))
    }
}

/// A question about a claim. For a board with a contract it is its declarer's claim, with the
/// defenders' hands hidden.
#[derive(Clone, Debug)]
pub struct ClaimSubject(pub(crate) ClaimKind);

#[derive(Clone, Debug)]
pub(crate) enum ClaimKind {
    /// Two hands are hidden.
    Hidden(Question),
    /// A board without a contract.
    Open(Start),
}

impl Display for ClaimSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ClaimKind::Hidden(question) => question.fmt(f),
            ClaimKind::Open(start) => start.fmt(f),
        }
    }
}

impl Subject for ClaimSubject {
    fn line(text: &str) -> Result<ClaimSubject, Refusal> {
        Ok(ClaimSubject(ClaimKind::Hidden(text.parse()?)))
    }

    fn board(board: &Board) -> Result<Option<ClaimSubject>, Lacks> {
        let Some(start) = Start::board(board)? else {
            return Ok(None);
        };
        let Some((contract, deal)) = board.contract.zip(board.deal()) else {
            return Ok(Some(ClaimSubject(ClaimKind::Open(start))));
        };
        let question = declarer_question(contract, &deal, &board.play);
        Ok(Some(ClaimSubject(ClaimKind::Hidden(question))))
    }
}

/// The question of a contract's declarer after the cards of `play`: the defenders' hands are hidden.
pub(crate) fn declarer_question(contract: Contract, deal: &Deal, play: &[Card]) -> Question {
    let seen = |seat: Seat| seat.side() == contract.declarer.side();
    Question::of(contract.bid.strain(), contract.leader(), deal.hands(), seen)
        .asked_by(contract.declarer)
        .after(play)
}

#[cfg(test)]
mod tests;
