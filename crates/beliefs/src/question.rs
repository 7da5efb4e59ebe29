//! One question about hidden cards, and its text.

use std::fmt::{self, Display};
use std::iter::Peekable;
use std::str::FromStr;

use fastrand::Rng;
use setrograde_cards::{Card, Contract, Field, Hand, Seat, Strain, fields, hand_field, quote};

use crate::condition::{Budget, Condition};
use crate::question_error::{Location, QuestionError};
use crate::text::{counted, joined};

/// A question about hidden cards: `STRAIN LEADER DEAL`, or a contract such as `3NTS` in place of
/// strain and leader, then as far as needed `out=`, `played=`, `by=` and `if=`, then the cards
/// played since.
///
/// Two or three hands of the deal are `?` (or `-`). `out=` (or `hidden=`) has their cards together,
/// as one hand; without it they are the remaining cards of the pack. The leader leads, or led, to
/// the current trick in this deal, and `played=` has the cards of that trick that are on the table.
/// `by=` is the seat that asks, whose hand must be visible: without it, the contract's declarer or
/// the first visible hand of the text. `if=` is a [`Condition`] on the hidden hands at that point of
/// the line: before the cards it is about the deal, among the cards about the remaining hands.
///
/// ```
/// use setrograde_beliefs::Question;
/// use setrograde_cards::Seat;
///
/// let question: Question = "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK S2".parse()?;
/// assert_eq!(question.hidden(), [Seat::East, Seat::West]);
/// assert_eq!(question.unseen().to_string(), "KJT9...");
/// assert_eq!(question.steps().len(), 2);
/// # Ok::<(), setrograde_beliefs::QuestionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question<T = Strain> {
    trump: T,
    leader: Seat,
    contract: Option<Contract>,
    hands: WrittenHands,
    first: Seat,
    unseen: Hand,
    table: Vec<(usize, Card)>,
    by: Option<Seat>,
    steps: Vec<(Location, Step)>,
    /// What its conditions leave for others.
    budget: Budget,
}

/// A game's name of the trump suit, in the position of the strain.
pub trait Trump: FromStr<Err: Display> {
    /// All cards of the game.
    const PACK: Hand;
    /// The words, for errors.
    const EXPECTED: &'static str;

    /// Returns the trump of a contract; `None` in a game without contracts.
    fn of_contract(contract: Contract) -> Option<Self> {
        let _ = contract;
        None
    }
}

impl Trump for Strain {
    const PACK: Hand = Hand::PACK;
    const EXPECTED: &'static str = "a strain (NT S H D C)";

    fn of_contract(contract: Contract) -> Option<Strain> {
        Some(contract.bid.strain())
    }
}

/// A part of a question that follows its deal.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A card is played.
    Play(Card),
    /// The hidden hands satisfy this condition.
    If(Condition),
}

/// Reads a part of the line that begins in `column`.
fn read<T: FromStr>(column: usize, text: &str) -> Result<T, QuestionError>
where
    QuestionError: From<T::Err>,
{
    let read = text.parse();
    read.map_err(|error| QuestionError::from(error).shifted(column - 1))
}

impl<T: Trump> FromStr for Question<T> {
    type Err = QuestionError;

    fn from_str(line: &str) -> Result<Question<T>, QuestionError> {
        Question::with_tricks(line, None)
    }
}

impl<T: Trump> Question<T> {
    /// Reads a question about a deal before its first card, with all cards of the pack.
    ///
    /// # Errors
    ///
    /// If the line is not a question, or a visible hand lacks cards.
    pub fn of_full_deal(line: &str) -> Result<Question<T>, QuestionError> {
        Question::with_tricks(line, Some(T::PACK.len() / 4))
    }

    /// Reads a question, with this number of cards in a hand that has not played to the trick; any
    /// number unless set.
    fn with_tricks(line: &str, tricks: Option<usize>) -> Result<Question<T>, QuestionError> {
        let mut left = fields(line).peekable();
        let field = next_field(line, &mut left, T::EXPECTED)?;
        let is_contract =
            T::PACK == Hand::PACK && field.text.starts_with(|c: char| c.is_ascii_digit());
        let contract: Option<Contract> = if is_contract {
            Some(read(field.column, field.text)?)
        } else {
            None
        };
        let of_contract = contract.and_then(|of| Some((T::of_contract(of)?, of.leader())));
        let (trump, leader) = match of_contract {
            Some(found) => found,
            None => {
                let trump = field.text.parse::<T>().map_err(|error| {
                    // A text error has its own column, always the first.
                    let text = error.to_string();
                    let problem = text.strip_prefix("column 1: ").unwrap_or(&text);
                    QuestionError::new(field.column, problem)
                })?;
                let field = next_field(line, &mut left, "the leader (N E S W)")?;
                (trump, read(field.column, field.text)?)
            }
        };
        let (first, hands) = hands(line, &mut left)?;
        let rest = QuestionRest::read(left)?;
        let seats = (0..4).map(|n| first.plus(n));
        let visible = seats.filter_map(|seat| Some((hands[seat].0, hands[seat].1?)));
        let table = rest.table.iter();
        let table = table.map(|&(column, card)| (column, Hand::of(card)));
        let mut seen = Hand::EMPTY;
        for (column, cards) in visible.chain(rest.out).chain(table) {
            if let Some(card) = (seen & cards).iter().next() {
                let problem = format!("the {card} is given twice");
                return Err(QuestionError::new(column, problem));
            }
            if let Some(card) = (cards - T::PACK).iter().next() {
                let problem = format!("the {card} is not in the pack of this game");
                return Err(QuestionError::new(column, problem));
            }
            seen |= cards;
        }
        let question = Question {
            trump,
            leader,
            contract,
            hands,
            first,
            unseen: rest.out.map_or(T::PACK - seen, |(_, out)| out),
            table: rest.table,
            by: rest.by.map(|(_, seat)| seat),
            steps: rest.steps,
            budget: rest.budget,
        };
        if let Some((column, seat)) = rest.by.filter(|(_, seat)| question.hand(*seat).is_none()) {
            let problem = format!("{} asks, but its hand is not visible", seat.name());
            return Err(QuestionError::new(column, problem));
        }
        question.check_counts(rest.out.map(|(column, _)| column), tricks)?;
        Ok(question)
    }
}

/// The next field of a line, which is not to end here.
fn next_field<'a>(
    line: &str,
    left: &mut impl Iterator<Item = Field<'a>>,
    expected: &str,
) -> Result<Field<'a>, QuestionError> {
    left.next().ok_or_else(|| {
        let end = line.trim_end().chars().count() + 1;
        QuestionError::new(end, format_args!("expected {expected}, found nothing"))
    })
}

/// By seat the column of a hand, and the hand if it is visible.
type WrittenHands = [(usize, Option<Hand>); 4];

/// Reads the four hands of a line, and the seat of the first.
fn hands<'a>(
    line: &'a str,
    left: &mut Peekable<impl Iterator<Item = Field<'a>>>,
) -> Result<(Seat, WrittenHands), QuestionError> {
    let deal = next_field(line, left, "a deal, as N:AQ... ? 32... ?")?;
    let deal = hand_field(line, deal, left);
    let Some((seat, hand)) = deal.text.split_once(':') else {
        let found = quote(deal.text);
        let problem = format!("{found:?} does not begin a deal; expected as N:AQ...");
        return Err(QuestionError::new(deal.column, problem));
    };
    let first: Seat = read(deal.column, seat)?;
    let mut written = Vec::new();
    if !hand.is_empty() {
        written.push((deal.column + seat.len() + 1, hand));
    }
    while written.len() < 4 {
        let field = next_field(line, left, "four hands, the hidden ones '?'")?;
        let field = hand_field(line, field, left);
        written.push((field.column, field.text));
    }
    let mut hands = [(0, None); 4];
    for (index, &(column, text)) in written.iter().enumerate() {
        let is_hidden = text == "?" || text == "-";
        let hand = if is_hidden {
            None
        } else {
            Some(read::<Hand>(column, text)?)
        };
        hands[first.plus(index)] = (column, hand);
    }
    let hidden = hands.iter().filter(|(_, hand)| hand.is_none()).count();
    if hidden == 1 {
        let problem = "only one hand is hidden, so that all four are known; ask `solve`, \
                       or hide two or three of them with '?'";
        return Err(QuestionError::new(written[0].0, problem));
    }
    if !(2..=3).contains(&hidden) {
        let problem = format!("two or three of the four hands must be '?', found {hidden}");
        return Err(QuestionError::new(written[0].0, problem));
    }
    Ok((first, hands))
}

/// What follows the deal of a question, with columns.
#[derive(Default)]
struct QuestionRest {
    out: Option<(usize, Hand)>,
    table: Vec<(usize, Card)>,
    by: Option<(usize, Seat)>,
    steps: Vec<(Location, Step)>,
    budget: Budget,
}

impl QuestionRest {
    fn read<'a>(fields: impl Iterator<Item = Field<'a>>) -> Result<QuestionRest, QuestionError> {
        let mut rest = QuestionRest::default();
        let mut cards = 0;
        for field in fields {
            let again = || {
                let problem = format_args!("{:?} is left over", quote(field.text));
                QuestionError::new(field.column, problem)
            };
            let Some((name, text)) = field.text.split_once('=') else {
                let card = read(field.column, field.text)?;
                cards += 1;
                if cards > Hand::PACK.len() {
                    return Err(again());
                }
                let step = (Location::Column(field.column), Step::Play(card));
                rest.steps.push(step);
                continue;
            };
            let mut column = field.column + name.len() + 1;
            let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
            if is("if") {
                let condition = Condition::read(text, &mut rest.budget);
                let condition = condition.map_err(|error| error.shifted(column - 1))?;
                let step = (Location::Column(column), Step::If(condition));
                rest.steps.push(step);
            } else if cards > 0 {
                return Err(again());
            } else if (is("out") || is("hidden")) && rest.out.is_none() {
                rest.out = Some((column, read(column, text)?));
            } else if is("by") && rest.by.is_none() {
                rest.by = Some((column, read(column, text)?));
            } else if is("played") && rest.table.is_empty() {
                for card in text.split(',') {
                    rest.table.push((column, read(column, card)?));
                    column += card.chars().count() + 1;
                }
            } else {
                return Err(again());
            }
        }
        if let Some(&(column, _)) = rest.table.get(3) {
            let found = rest.table.len();
            let problem = format!("at most 3 cards can be on the table, found {found}");
            return Err(QuestionError::new(column, problem));
        }
        Ok(rest)
    }
}

/// Writes a line that reads back as this question, without conditions that were given separately.
impl<T: Display> Display for Question<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = Seat::ALL.map(|seat| match self.hand(seat) {
            Some(hand) => hand.to_string(),
            None => "?".to_owned(),
        });
        match self.contract {
            Some(contract) => write!(f, "{contract}")?,
            None => write!(f, "{} {}", self.trump, self.leader)?,
        }
        write!(f, " N:{}", hands.join(" "))?;
        let table: Hand = self.table.iter().map(|&(_, card)| card).collect();
        let seen: Hand = self.hands.iter().filter_map(|&(_, hand)| hand).collect();
        if self.unseen != Hand::PACK - seen - table {
            write!(f, " out={}", self.unseen)?;
        }
        if !self.table.is_empty() {
            let table = self.table.iter().map(|(_, card)| card);
            write!(f, " played={}", joined(table, ","))?;
        }
        if let Some(seat) = self.by {
            write!(f, " by={seat}")?;
        }
        self.steps
            .iter()
            .try_for_each(|(location, step)| match (location, step) {
                (_, Step::Play(card)) => write!(f, " {card}"),
                (Location::Column(_), Step::If(condition)) => write!(f, " if={condition}"),
                (Location::Condition(_), Step::If(_)) => Ok(()),
            })
    }
}

impl Question {
    /// Makes the question in which the hands `seen` of `deal` are visible: one, or two of equal
    /// length.
    pub fn of(
        strain: Strain,
        leader: Seat,
        deal: &[Hand; 4],
        seen: impl Fn(Seat) -> bool,
    ) -> Question {
        let hands = Seat::ALL.map(|seat| (1, seen(seat).then_some(deal[seat])));
        let hidden = Seat::ALL.into_iter().filter(|&seat| !seen(seat));
        Question {
            trump: strain,
            leader,
            contract: None,
            hands,
            first: Seat::North,
            unseen: hidden.map(|seat| deal[seat]).collect(),
            table: Vec::new(),
            by: None,
            steps: Vec::new(),
            budget: Budget::default(),
        }
    }

    /// The text of a question about random cards, `tricks` in each hand, at a random
    /// strain: for tests and measurements.
    pub fn random_text(rng: &mut Rng, tricks: usize, leader: Seat, hidden: &[Seat]) -> String {
        let mut pack: Vec<Card> = Card::pack().collect();
        rng.shuffle(&mut pack);
        let (mut out, mut text) = (Hand::EMPTY, String::new());
        for (seat, cards) in Seat::ALL.into_iter().zip(pack.chunks(tricks)) {
            let hand: Hand = cards.iter().copied().collect();
            if hidden.contains(&seat) {
                (out, text) = (out | hand, text + " ?");
            } else {
                text = format!("{text} {hand}");
            }
        }
        let strain = Strain::ALL[rng.usize(0..5)];
        format!("{strain} {leader} N:{} out={out}", text.trim_start())
    }
}

impl<T> Question<T> {
    /// Checks that the lengths of the hands match the number of cards on the table.
    fn check_counts(&self, out: Option<usize>, tricks: Option<usize>) -> Result<(), QuestionError> {
        let has_played = |seat: Seat| seat.distance_from(self.leader) < self.table.len();
        let [one, ..] = self.visible()[..] else {
            unreachable!("one or two hands are visible")
        };
        let cards = |seat: Seat| self.hand(seat).map_or(0, Hand::len);
        let left = tricks.unwrap_or(cards(one) + usize::from(has_played(one)));
        let expected = |seat: Seat| left.clamp(1, 13) - usize::from(has_played(seat));
        for seat in self.visible() {
            let (cards, expected) = (cards(seat), expected(seat));
            if cards != expected {
                let mut problem = format!(
                    "{} has {}, expected {expected}",
                    seat.name(),
                    counted(cards, "card")
                );
                if tricks.is_none() {
                    problem += ": the hands that have played to the trick have one card fewer \
                                than the others";
                }
                return Err(QuestionError::new(self.column(seat), problem));
            }
        }
        let expected: usize = self.hidden().into_iter().map(expected).sum();
        let cards = self.unseen.len();
        if cards != expected {
            let column = out.unwrap_or_else(|| self.column(self.hidden()[0]));
            let problem = format!(
                "{cards} cards are unseen, expected {expected}: the hidden hands hold that many; \
                 name them as out=KJT9..."
            );
            return Err(QuestionError::new(column, problem));
        }
        Ok(())
    }

    /// Adds conditions on the hands of the deal, written as `texts`.
    ///
    /// # Errors
    ///
    /// If one is invalid, or they are too large together with those of the question.
    pub fn assuming_texts(
        self,
        texts: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<Question<T>, QuestionError> {
        let mut budget = self.budget;
        let read = texts
            .into_iter()
            .map(|text| Condition::read(text.as_ref(), &mut budget));
        let conditions = read.collect::<Result<Vec<_>, _>>()?;
        let mut question = self.assuming(conditions);
        question.budget = budget;
        Ok(question)
    }

    /// Adds `conditions` on the hands of the deal.
    #[must_use]
    pub fn assuming(mut self, conditions: impl IntoIterator<Item = Condition>) -> Question<T> {
        let first = conditions.into_iter();
        let first = first.map(|condition| (Location::Condition(1), Step::If(condition)));
        self.steps.splice(0..0, first);
        self
    }

    /// Sets the seat that asks, if the text does not name one.
    #[must_use]
    pub fn asked_by(mut self, seat: Seat) -> Question<T> {
        self.by.get_or_insert(seat);
        self
    }

    /// Appends played cards.
    #[must_use]
    pub fn after(mut self, cards: &[Card]) -> Question<T> {
        let plays = cards
            .iter()
            .map(|&card| (Location::Column(1), Step::Play(card)));
        self.steps.extend(plays);
        self
    }

    /// The strain.
    pub const fn trump(&self) -> &T {
        &self.trump
    }

    /// The seat that leads, or led, to the current trick in the deal.
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// The contract, if the text has one.
    pub const fn contract(&self) -> Option<Contract> {
        self.contract
    }

    /// The seat that asks, if the text names one, or the contract's declarer, if its hand is
    /// visible.
    pub fn by(&self) -> Option<Seat> {
        let declarer = self.contract.map(|contract| contract.declarer);
        self.by
            .or(declarer.filter(|&seat| self.hand(seat).is_some()))
    }

    /// The seats of the visible hands, clockwise from the first hand of the text.
    pub fn visible(&self) -> Vec<Seat> {
        let seats = (0..4).map(|n| self.first.plus(n));
        seats.filter(|&seat| self.hand(seat).is_some()).collect()
    }

    /// The seats of the hidden hands, clockwise from North.
    pub fn hidden(&self) -> Vec<Seat> {
        let seats = Seat::ALL.into_iter();
        seats.filter(|&seat| self.hand(seat).is_none()).collect()
    }

    /// The visible hand of `seat` in the deal; `None` if it is hidden.
    pub const fn hand(&self, seat: Seat) -> Option<Hand> {
        self.hands[seat.index()].1
    }

    /// The column of a hand.
    pub const fn column(&self, seat: Seat) -> usize {
        self.hands[seat.index()].0
    }

    /// The cards of the hidden hands together.
    pub const fn unseen(&self) -> Hand {
        self.unseen
    }

    /// The cards on the table, each with its column.
    pub fn table(&self) -> &[(usize, Card)] {
        &self.table
    }

    /// The cards played since, and the conditions before and among them.
    pub fn steps(&self) -> &[(Location, Step)] {
        &self.steps
    }

    /// Takes the steps from a `state`: `play` has the state after a card, `given` that with a
    /// condition, or the column in the condition of an error.
    ///
    /// # Errors
    ///
    /// The first error, with its location in the question.
    pub fn replay<S, P: Display, G: Display>(
        &self,
        mut state: S,
        mut play: impl FnMut(S, Card) -> Result<S, P>,
        mut given: impl FnMut(S, &Condition) -> Result<S, (usize, G)>,
    ) -> Result<S, QuestionError> {
        for (at, step) in &self.steps {
            state = match step {
                Step::Play(card) => {
                    play(state, *card).map_err(|error| QuestionError::at(*at, error))?
                }
                Step::If(condition) => given(state, condition)
                    .map_err(|(column, error)| QuestionError::at(at.plus(column - 1), error))?,
            };
        }
        Ok(state)
    }

    /// The visible hands by seat and the unseen cards, before the first card of the current trick
    /// was played.
    pub fn before_trick(&self) -> ([Hand; 4], Hand) {
        let mut hands = self.hands.map(|(_, hand)| hand.unwrap_or_default());
        let mut unseen = self.unseen;
        for (n, &(_, card)) in self.table.iter().enumerate() {
            let seat = self.leader.plus(n);
            match self.hand(seat) {
                Some(_) => hands[seat].insert(card),
                None => unseen.insert(card),
            };
        }
        (hands, unseen)
    }
}

#[cfg(test)]
mod tests;
