//! Hands that are known before the deal.

use std::fmt::Display;

use setrograde_beliefs::{Condition, QuestionError, joined};
use setrograde_cards::{Hand, Seat, Suit, quote};

use crate::refusal::Refusal;
use crate::subjects::hand_fields;

/// What a text of hands says about a full deal.
#[derive(Default)]
pub(super) struct KnownHands {
    /// The hands that are known, by seat.
    pub(super) whole: [Option<Hand>; 4],
    /// The cards that other hands have.
    pub(super) some: [Hand; 4],
    /// Conditions on hands with an `x` for each low card.
    pub(super) conditions: Vec<Condition>,
}

impl KnownHands {
    /// Reads one to four hands of a deal, or North's and South's. `?` or `-` are unknown; a hand of
    /// fewer than 13 cards has others, too.
    pub(super) fn read(text: &str) -> Result<KnownHands, Refusal> {
        let wrong = |column: usize, problem: &dyn Display| {
            Refusal::in_text_of("hands", &QuestionError::new(column, problem))
        };
        let mut words = hand_fields(text);
        let mut hands: Vec<(Seat, usize, &str)> = Vec::new();
        let (first, step) = match words.first().and_then(|word| word.text.split_once(':')) {
            None => (Seat::North, 2),
            Some((seat, hand)) => {
                let word = &mut words[0];
                let first: Seat = seat.parse().map_err(|error| wrong(word.column, &error))?;
                word.column += seat.chars().count() + 1;
                word.text = hand;
                (first, 1)
            }
        };
        words.retain(|word| !word.text.is_empty());
        if words.len() > 4 / step {
            let word = &words[4 / step];
            return Err(wrong(
                word.column,
                &format_args!("{:?} is left over", quote(word.text)),
            ));
        }
        for (n, word) in words.iter().enumerate() {
            hands.push((first.plus(n * step), word.column, word.text));
        }
        let mut known = KnownHands::default();
        let mut named = Hand::EMPTY;
        for (seat, column, text) in hands {
            if text == "?" || text == "-" {
                continue;
            }
            if text.contains(['x', 'X']) {
                let condition = low_cards(seat, text).map_err(|problem| wrong(column, &problem))?;
                known.conditions.push(condition);
                continue;
            }
            let hand: Hand = text.parse().map_err(|error| {
                let error = QuestionError::from(error).shifted(column - 1);
                Refusal::in_text_of("hands", &error)
            })?;
            if let Some(card) = (named & hand).iter().next() {
                return Err(wrong(column, &format_args!("the {card} is given twice")));
            }
            named |= hand;
            match hand.len() {
                13 => known.whole[seat] = Some(hand),
                cards @ 14.. => {
                    let problem = format!("{} has {cards} cards, expected 13", seat.name());
                    return Err(wrong(column, &problem));
                }
                _ => known.some[seat] = hand,
            }
        }
        Ok(known)
    }
}

/// The condition that a hand has these cards and, for each `x`, one below the ten.
fn low_cards(seat: Seat, text: &str) -> Result<Condition, String> {
    let holdings: Vec<&str> = text.split('.').collect();
    let cards: usize = holdings.iter().map(|holding| holding.chars().count()).sum();
    if holdings.len() != 4 || cards != 13 {
        return Err(format!(
            "{:?}: expected 13 cards in four suits with dots between them, as QTxx.J8x.9x.Q9xx",
            quote(text)
        ));
    }
    let of_suit = |(suit, holding): (Suit, &&str)| match *holding {
        "" => format!("{seat}.{suit}=0"),
        holding => format!("{seat}.{suit}={holding}"),
    };
    let terms = Suit::ALL.into_iter().zip(&holdings).map(of_suit);
    let condition = joined(terms, ",").parse();
    condition.map_err(|error: QuestionError| error.problem().to_owned())
}
