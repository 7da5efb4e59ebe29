//! The logic of sets against the values of all their endings.

use setrograde_lookup::Database;

use super::{GO_ON, Outcome, golden};
use crate::VerifyError;
use crate::path_set::PathSet;
use crate::retrograde::{AllDeals, Retrograde, Table};
use crate::three_valued::{Evaluator, Truth};

#[test]
fn what_three_valued_logic_says_is_so() -> Outcome {
    let directory = golden()?;
    let database = Database::open(directory.path())?;
    let level = database.level(2).ok_or("no level")?;
    let deals = AllDeals::up_to(2);
    let first = Table::empty(1);
    let mut retrograde = Retrograde::new(1, &deals, None);
    for (number, partition) in first.partitions().iter().enumerate() {
        first.enter(
            number,
            retrograde.solve(partition, |_, _| Ok::<_, VerifyError>(()))?,
        );
    }
    let mut retrograde = Retrograde::new(2, &deals, Some(&first));
    let mut evaluator = Evaluator::new(level, database.level(1), &GO_ON);
    let (mut known, mut unknown) = (0, 0);
    for partition in level.partitions().iter() {
        evaluator.enter(partition);
        let mut endings = Vec::new();
        retrograde.solve(partition, |owners, value| {
            endings.push((owners, value));
            Ok::<_, VerifyError>(())
        })?;
        let mut sets = vec![PathSet::nothing(partition.shape)];
        for (suit, suit_lengths) in partition.shape.lengths.iter().enumerate() {
            let owners = (0..4).filter(|&owner| suit_lengths.length(owner) > 0);
            sets.extend(owners.map(|owner| PathSet::nothing(partition.shape).learn(suit, owner)));
        }
        // A single ending, on which nothing may be left open.
        sets.push(sets[0].any_ending());
        for (at, set) in sets.iter().enumerate() {
            let of_set = endings.iter().filter(|(owners, _)| set.holds(owners));
            for tricks in 1..=2 {
                let (truth, learn) = evaluator.truth(set, tricks)?;
                for hoped in [true, false] {
                    let wanted = if hoped { Truth::True } else { Truth::False };
                    assert_eq!(evaluator.holds(set, tricks, hoped)?, truth == wanted);
                }
                match truth {
                    Truth::True => assert!(of_set.clone().all(|ending| ending.1 >= tricks)),
                    Truth::False => assert!(of_set.clone().all(|ending| ending.1 < tricks)),
                    Truth::Unknown => {
                        assert!(at + 1 < sets.len());
                        let suit = learn.ok_or("nothing to learn")?;
                        assert!(set.hidden(suit).holders() > 1);
                        unknown += 1;
                        continue;
                    }
                }
                known += 1;
            }
        }
    }
    assert!(known > 10_000 && unknown > 1_000, "{known} {unknown}");
    Ok(())
}
