//! How much work a partition will be, told from its shape alone.

use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::states_of_partition;

/// The look-ups that refining a partition is expected to take, up to a factor.
/// Integers only, so that every machine plans the same.
pub(crate) fn predicted_cost(partition: Partition) -> u64 {
    states_of_partition(partition).isqrt() as u64
}
