//! Every single ending of a level against plain retrograde analysis.

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::Level;

use crate::check::{Check, Passed, Portion, VerifyObserver};
use crate::error::{PartitionName, VerifyError, same};
use crate::parallel::Workers;
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
