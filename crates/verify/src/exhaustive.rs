//! Every single ending of a level against plain retrograde analysis.

use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::Level;

use crate::check::{Check, Passed, Portion, VerifyObserver, Workers};
use crate::error::{PartitionName, VerifyError, same};
use crate::path_set::{PathSet, TopOwners};
use crate::retrograde::{AllDeals, MOST_CARDS, Retrograde, Table};

/// Plain retrograde analysis, as far up as it has come.
pub(crate) struct Exhaustive {
    deepest: usize,
    deals: Option<AllDeals>,
    /// The last level solved.
    solved: Option<Table>,
}

impl Exhaustive {
    /// For levels up to `deepest`, or as far as this check goes.
    pub(crate) fn new(deepest: usize) -> Exhaustive {
        Exhaustive {
            deepest: deepest.min(MOST_CARDS),
            deals: None,
            solved: None,
        }
    }

    /// Solves a level, and those below that were not solved yet, and compares
    /// every ending of it with the database.
    pub(crate) fn check<O: VerifyObserver>(
        &mut self,
        level: &Level,
        workers: &Workers<'_, O>,
    ) -> Result<Passed, VerifyError> {
        let deepest = self.deepest;
        let deals = self.deals.get_or_insert_with(|| AllDeals::up_to(deepest));
        let mut below = self.solved.take();
        let first = below.as_ref().map_or(0, |table| table.partitions().level()) + 1;
        for number in first..level.level() {
            let table = Table::empty(number);
            let mut retrograde = Retrograde::new(number, deals, below.as_ref());
            for (number, partition) in table.partitions().iter().enumerate() {
                let values = retrograde.solve(partition, |_, _| workers.check_cancel())?;
                table.enter(number, values);
            }
            below = Some(table);
        }
        let table = Table::empty(level.level());
        let partitions: Vec<Partition> = table.partitions().iter().collect();
        let cpu = workers.each(
            partitions.len(),
            || Retrograde::new(level.level(), deals, below.as_ref()),
            |retrograde, number| {
                let partition = partitions[number];
                let name = PartitionName { number, partition };
                let diagram = level.diagram(number)?;
                let diagram = diagram.expect("a whole level holds every partition");
                let values = retrograde.solve(partition, |owners, right| {
                    workers.check_cancel()?;
                    match stored_value(diagram, &owners) {
                        Some(stored) if stored == right => Ok(()),
                        stored => Err(wrong(level, name, &owners, stored, right)),
                    }
                })?;
                let count = values.len() as u64;
                let states = states_of_partition(partition);
                same(
                    level.path(),
                    "number of states of a partition",
                    count,
                    states,
                )?;
                table.enter(number, values);
                Ok(Portion {
                    units: count,
                    cost: count,
                })
            },
        )?;
        self.solved = Some(table);
        Ok(Passed { sets: 0, cpu })
    }
}

/// Returns a diagram's value of the ending whose cards, from the top of each suit,
/// have these owners.
fn stored_value(diagram: Diagram<'_>, owners: &TopOwners) -> Option<u8> {
    let mut at = diagram.root();
    let mut places = [0; 4];
    while at.is_node() && places[at.suit()] < 13 {
        let place = &mut places[at.suit()];
        at = diagram.child(at, owners.owner(at.suit(), *place));
        *place += 1;
    }
    at.is_leaf().then(|| at.lo())
}

#[cold]
fn wrong(
    level: &Level,
    name: PartitionName,
    owners: &TopOwners,
    stored: Option<u8>,
    right: u8,
) -> VerifyError {
    let shape = name.partition.shape;
    let mut ending = PathSet::nothing(shape);
    for (suit, suit_lengths) in shape.lengths.iter().enumerate() {
        for place in 0..suit_lengths.total() {
            ending = ending.learn(suit, owners.owner(suit, place));
        }
    }
    match stored {
        Some(stored) => VerifyError::WrongValue {
            path: level.path().to_owned(),
            partition: name,
            ending: ending.ending_text(name.partition.trump),
            stored,
            right,
            check: Check::Exhaustive,
        },
        None => VerifyError::Cover {
            path: level.path().to_owned(),
            partition: name,
            known: ending.text(),
            problem: "the diagram leads nowhere",
        },
    }
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

impl Minimax<'_> {
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
