//! Plain minimax with alpha-beta, card by card, to the last trick.
//!
//! As simple as possible, so that it is obviously correct: no relative ranks, no equal cards, no
//! table of positions.

use std::cmp::Reverse;

use setrograde_cards::Position;
use setrograde_parallel::Stop;

/// A card: its suit, 0 to 3, and its rank; the higher rank wins.
pub(crate) type PlainCard = (usize, usize);

/// Cards in four hands, clockwise.
#[derive(Debug)]
pub(crate) struct Minimax<'a> {
    /// The hands, clockwise.
    pub(crate) hands: [Vec<PlainCard>; 4],
    /// The trump suit, if there is one.
    pub(crate) trump: Option<usize>,
    /// Once this is due, the search ends soon, and its result is meaningless.
    pub(crate) stop: &'a Stop,
}

impl<'a> Minimax<'a> {
    /// The cards of a position at the start of a trick.
    pub(crate) fn new(position: &Position, stop: &'a Stop) -> Minimax<'a> {
        Minimax {
            hands: position.deal().hands().map(|hand| {
                let mut cards: Vec<_> = hand
                    .cards()
                    .map(|card| (card.suit.index(), card.rank.index()))
                    .collect();
                // High cards first, so alpha-beta cuts early.
                cards.sort_by_key(|&(suit, rank)| (suit, Reverse(rank)));
                cards
            }),
            trump: position.strain().trump().map(|suit| suit.index()),
            stop,
        }
    }

    /// The tricks that the side of `leader`, who leads, takes.
    pub(crate) fn tricks(mut self, leader: usize) -> u8 {
        let all = self.hands[leader].len() as i8;
        let side = leader % 2;
        self.play(leader, &mut Vec::new(), side, 0, all) as u8
    }

    /// The tricks that `side` still takes, as far as it matters: a value
    /// outside of `alpha..=beta` need only be on the right side of it.
    fn play(
        &mut self,
        leader: usize,
        table: &mut Vec<PlainCard>,
        side: usize,
        mut alpha: i8,
        mut beta: i8,
    ) -> i8 {
        if table.len() == 4 {
            let winner = (leader + self.winning_place(table)) % 4;
            let won = i8::from(winner % 2 == side);
            return won + self.play(winner, &mut Vec::new(), side, alpha - won, beta - won);
        }
        let hand = (leader + table.len()) % 4;
        if self.hands[hand].is_empty() || self.stop.is_due() {
            return 0;
        }
        let must_follow = table
            .first()
            .is_some_and(|led| self.hands[hand].iter().any(|card| card.0 == led.0));
        let mut best = None;
        for nth in 0..self.hands[hand].len() {
            let card = self.hands[hand][nth];
            if must_follow && card.0 != table[0].0 {
                continue;
            }
            self.hands[hand].remove(nth);
            table.push(card);
            let value = self.play(leader, table, side, alpha, beta);
            table.pop();
            self.hands[hand].insert(nth, card);
            if hand % 2 == side {
                best = best.max(Some(value));
                alpha = alpha.max(value);
            } else {
                best = Some(best.map_or(value, |best: i8| best.min(value)));
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best.expect("a hand that is to play can follow or discard")
    }

    /// Returns the winner of the trick: 0 for the hand that led, 1 for the next.
    fn winning_place(&self, table: &[PlainCard]) -> usize {
        let led = table[0].0;
        let strength = |card: PlainCard| {
            if Some(card.0) == self.trump {
                100 + card.1
            } else if card.0 == led {
                1 + card.1
            } else {
                0
            }
        };
        (0..4)
            .max_by_key(|&nth| strength(table[nth]))
            .expect("a trick has four cards")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use setrograde_cards::TextError;

    use super::*;

    fn tricks(text: &str) -> Result<u8, TextError> {
        let position: Position = text.parse()?;
        Ok(Minimax::new(&position, &Stop::default()).tricks(position.leader().index()))
    }

    /// Other programs agree in these values; see `data/README.md`.
    #[test]
    fn endings_of_16_cards_have_the_values_of_others() -> Result<(), Box<dyn std::error::Error>> {
        let endings = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/endings_16.txt");
        let endings = std::fs::read_to_string(endings)?;
        let mut count = 0;
        for line in endings.lines().take(200) {
            let (position, value) = line.rsplit_once(' ').ok_or("no value")?;
            assert_eq!(tricks(position)?, value.parse::<u8>()?, "{position}");
            count += 1;
        }
        assert_eq!(count, 200);
        Ok(())
    }

    #[test]
    fn a_search_that_is_cancelled_ends_at_once() {
        // Thirteen cards each would take for ever.
        let hands =
            [0, 1, 2, 3].map(|suit| (0..13).map(|rank| ((rank + suit) % 4, rank)).collect());
        let minimax = Minimax {
            hands,
            trump: None,
            stop: &Stop::default().by(Instant::now()),
        };
        minimax.tricks(0);
    }
}
