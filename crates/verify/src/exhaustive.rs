//! Single endings against plain minimax: a sample, or all of a level.
//!
//! Their values come from the database as its users get them, so that neither the
//! canonical order nor the numbering of partitions is trusted.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_cards::{Deal, Position, Seat, Strain, Suit};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::states_of_partition;
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::{Database, Ending, Level};

use crate::check::{Check, Passed, Portion, VerifyObserver, Workers};
use crate::error::{PartitionName, VerifyError, same};

/// Compares `count` random endings of a level with plain minimax.
pub(crate) fn check_sample<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    count: usize,
    seed: u64,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let number = level.level();
    let check = |(): &mut (), item: usize| {
        // Each level and each item has an ending of its own: it depends
        // neither on what else is verified nor on the threads.
        let stream = ((number as u64) << 56) ^ item as u64;
        let mut random = fastrand::Rng::with_seed(fastrand::Rng::with_seed(seed).u64(..) ^ stream);
        // Dealt out of a whole pack, with strain and leader, all uniformly.
        let deal = Deal::random_ending(number, &mut random);
        let strain = Strain::ALL[random.usize(0..5)];
        let leader = Seat::ALL[random.usize(0..4)];
        let position = Position::new(strain, leader, deal, &[]);
        let position = position.expect("equally many cards in each hand");
        check_ending(database, level, &position, Check::Sample, workers)?;
        Ok(Portion { units: 1, cost: 1 })
    };
    let cpu = workers.each(count, || (), check)?;
    Ok(Passed { sets: 0, cpu })
}

/// Compares every ending of a level with plain minimax.
pub(crate) fn check_all<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let partitions: Vec<Partition> = level.partitions().iter().collect();
    let check = |(): &mut (), number: usize| {
        let partition = partitions[number];
        // Every seat has its turn to lead.
        let leader = Seat::from_index(number % 4);
        let mut units = 0;
        for ending in endings_of(partition, leader) {
            let position = ending.to_position();
            check_ending(database, level, &position, Check::Exhaustive, workers)?;
            units += 1;
        }
        let states = states_of_partition(partition);
        same(
            level.path(),
            "number of states of a partition",
            units,
            states,
        )?;
        let cost = units;
        Ok(Portion { units, cost })
    };
    let cpu = workers.each(partitions.len(), || (), check)?;
    Ok(Passed { sets: 0, cpu })
}

/// All endings of a partition in which this seat leads.
pub(crate) fn endings_of(partition: Partition, leader: Seat) -> impl Iterator<Item = Ending> {
    let strain = match partition.trump {
        true => Strain::Trump(Suit::Spades),
        false => Strain::NoTrump,
    };
    let suits = partition.shape.lengths.map(|lengths| {
        let mut deals = Vec::new();
        deal_out(lengths, leader.index() as u8, &mut Vec::new(), &mut deals);
        deals
    });
    let count = suits.iter().map(Vec::len).product();
    (0..count).map(move |mut number: usize| {
        let owners = suits.each_ref().map(|deals| {
            let deal = number % deals.len();
            number /= deals.len();
            deals[deal].as_slice()
        });
        Ending::new(strain, leader, owners).expect("a partition's shape is that of an ending")
    })
}

/// Adds all ways to deal a suit's cards to hands with these lengths: the cards' owners
/// from the top, as seats.
fn deal_out(left: SuitLengths, leader: u8, deal: &mut Vec<u8>, deals: &mut Vec<Vec<u8>>) {
    if left.total() == 0 {
        deals.push(deal.clone());
    }
    for hand in (0..4).filter(|&hand| left.length(usize::from(hand)) > 0) {
        deal.push((leader + hand) % 4);
        deal_out(left.without_one(hand.into()), leader, deal, deals);
        deal.pop();
    }
}

fn check_ending<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    position: &Position,
    check: Check,
    workers: &Workers<'_, O>,
) -> Result<(), VerifyError> {
    let ending =
        Ending::from_position(position).map_err(|error| VerifyError::Probe(error.into()))?;
    let located = database.locate(&ending)?;
    let stored = located.ok_or_else(|| database.not_held(&ending))?.value()?;
    let right = Minimax::new(position, workers.cancel).tricks(position.leader().index());
    // Minimax that was cut short has found nothing.
    workers.check_cancel()?;
    if stored == right {
        return Ok(());
    }
    let partition = ending.canonical().partition;
    Err(VerifyError::WrongValue {
        path: level.path().to_owned(),
        partition: PartitionName {
            number: level.partitions().number(partition),
            partition,
        },
        ending: position.to_string(),
        stored,
        right,
        check,
    })
}

// Plain minimax with alpha-beta, card by card, to the last trick.
//
// As simple as can be, so that it is plainly right: no relative ranks, no
// equal cards, no table of positions.

/// A card: its suit, 0 to 3, and its rank; the higher rank wins.
pub(crate) type PlainCard = (usize, usize);

/// Cards in four hands, clockwise.
#[derive(Debug)]
pub(crate) struct Minimax<'a> {
    /// The hands, clockwise.
    pub(crate) hands: [Vec<PlainCard>; 4],
    /// The trump suit, if there is one.
    pub(crate) trump: Option<usize>,
    /// Once this is set, the search ends soon, and what it returns is worth
    /// nothing.
    pub(crate) cancel: &'a AtomicBool,
}

impl<'a> Minimax<'a> {
    /// The cards of a position at the start of a trick.
    pub(crate) fn new(position: &Position, cancel: &'a AtomicBool) -> Minimax<'a> {
        Minimax {
            hands: position.deal().hands().map(|hand| {
                let mut cards: Vec<_> = hand
                    .cards()
                    .map(|card| (card.suit.index(), card.rank.index()))
                    .collect();
                // High cards first, so that alpha-beta cuts early.
                cards.sort_by_key(|&(suit, rank)| (suit, Reverse(rank)));
                cards
            }),
            trump: position.strain().trump().map(|suit| suit.index()),
            cancel,
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
        if self.hands[hand].is_empty() || self.cancel.load(Ordering::Relaxed) {
            return 0;
        }
        let must_follow = table
            .first()
            .is_some_and(|led| self.hands[hand].iter().any(|card| card.0 == led.0));
        let mut best = None;
        for place in 0..self.hands[hand].len() {
            let card = self.hands[hand][place];
            if must_follow && card.0 != table[0].0 {
                continue;
            }
            self.hands[hand].remove(place);
            table.push(card);
            let value = self.play(leader, table, side, alpha, beta);
            table.pop();
            self.hands[hand].insert(place, card);
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
            .max_by_key(|&place| strength(table[place]))
            .expect("a trick has four cards")
    }
}

#[cfg(test)]
mod tests {
    use setrograde_cards::{Position, Seat, TextError};

    use super::*;

    fn tricks(text: &str) -> Result<u8, TextError> {
        let position: Position = text.parse()?;
        let hands = Seat::ALL.map(|seat| {
            let hand = position.deal().hand(seat);
            hand.cards()
                .map(|card| (card.suit.index(), card.rank.index()))
                .collect()
        });
        let trump = position.strain().trump().map(|suit| suit.index());
        let minimax = Minimax {
            hands,
            trump,
            cancel: &AtomicBool::new(false),
        };
        Ok(minimax.tricks(position.leader().index()))
    }

    #[test]
    fn endings_whose_value_is_plain_to_see() -> Result<(), TextError> {
        // One card each: the highest of the suit led, or the highest trump.
        assert_eq!(tricks("NT N N:A... K... Q... J...")?, 1);
        assert_eq!(tricks("NT N N:Q... K... A... J...")?, 1);
        assert_eq!(tricks("NT N N:Q... K... J... A...")?, 0);
        assert_eq!(tricks("NT N N:2... .A.. ..A. ...A")?, 1);
        assert_eq!(tricks("H N N:2... .2.. ..A. ...A")?, 0);
        assert_eq!(tricks("H N N:A... .2.. .3.. ...A")?, 1);
        assert_eq!(tricks("H W N:A... .2.. .3.. ...A")?, 0);
        // A finesse against the king works if the king plays first.
        assert_eq!(tricks("NT S N:AQ... .3.3. 3..2. K2...")?, 2);
        assert_eq!(tricks("NT S N:AQ... K2... 3..2. .3.3.")?, 1);
        // A hand must follow suit even with its only winner.
        assert_eq!(tricks("NT N N:2.2.. A.3.. K.A.. .54..")?, 1);
        // North's trumps draw East's before its winners are cashed.
        assert_eq!(tricks("S N N:A.A.. 2..2. ..43. ..65.")?, 2);
        // The last club squeezes West, who plays before North; East would
        // play after it.
        assert_eq!(tricks("NT S N:AJ.K.. ..543. 2..2.A KQ.A..")?, 3);
        assert_eq!(tricks("NT S N:AJ.K.. KQ.A.. 2..2.A ..543.")?, 2);
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
            cancel: &AtomicBool::new(true),
        };
        minimax.tricks(0);
    }
}
