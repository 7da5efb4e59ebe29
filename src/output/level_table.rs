//! The levels of a database as a table, and as objects.

use std::slice;

use comfy_table::Table;
use serde_json::{Value, json};
use setrograde::cards::LargeCount;
use setrograde::grouped;
use setrograde::lookup::format::manifest::LevelRecord;

use super::tables::{headed, right};

/// Returns whether the work on a level and its largest diagram are known. They are not in a manifest
/// that was made again from the levels.
fn is_work_known(level: &LevelRecord) -> bool {
    !level.program.is_empty()
}

/// A level as an object. What is not known of it is `null`.
pub fn object(level: &LevelRecord) -> Value {
    let known = is_work_known(level);
    let mut object = json!({
        "cards": 4 * level.level,
        "method": level.method,
        "program": known.then_some(&level.program),
        "partitions": level.partitions,
        "states": LargeCount(level.states),
        "sets": level.sets,
        "nodes": level.nodes,
        "largest": known.then_some(level.largest),
        "bytes": level.bytes,
        "cpu_seconds": known.then_some(level.cpu_milliseconds as f64 / 1e3),
        "content": format!("{:016x}", level.content),
        "checksum": format!("{:016x}", level.checksum),
    });
    if let Some(grain) = level.grain() {
        object["grain"] = grain.to_string().into();
    }
    object
}

/// A table with a row for each level and one for their sum.
pub fn table(levels: &[LevelRecord]) -> Table {
    let mut table = headed([
        "cards",
        "partitions",
        "states",
        "sets",
        "nodes",
        "largest",
        "bytes",
        "states/byte",
        "CPU s",
    ]);
    let mut add = |name: String, largest: String, levels: &[LevelRecord]| {
        let sum = |field: fn(&LevelRecord) -> u64| levels.iter().map(field).sum::<u64>();
        let states: u128 = levels.iter().map(|level| level.states).sum();
        let bytes = sum(|level| level.bytes);
        let seconds = sum(|level| level.cpu_milliseconds) as f64 / 1e3;
        let is_known = levels.iter().all(is_work_known);
        table.add_row(
            [
                name,
                grouped(sum(|level| level.partitions)),
                grouped(states),
                grouped(sum(|level| level.sets)),
                grouped(sum(|level| level.nodes)),
                largest,
                grouped(bytes),
                ratio(states, bytes),
                if_known(is_known, format!("{seconds:.2}")),
            ]
            .map(right),
        );
    };
    for level in levels {
        let largest = if_known(is_work_known(level), grouped(level.largest));
        add(
            (4 * level.level).to_string(),
            largest,
            slice::from_ref(level),
        );
    }
    add("all".to_owned(), String::new(), levels);
    table
}

fn ratio(states: u128, bytes: u64) -> String {
    let ratio = states as f64 / bytes.max(1) as f64;
    if ratio < 100.0 {
        format!("{ratio:.2}")
    } else {
        grouped(ratio as u64)
    }
}

fn if_known(is_known: bool, text: String) -> String {
    if is_known { text } else { "?".to_owned() }
}

#[cfg(test)]
mod tests {
    use setrograde::lookup::format::manifest::Manifest;

    use super::*;

    #[test]
    fn what_a_rebuilt_manifest_does_not_know_is_no_number() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden");
        let mut levels = Manifest::read(golden.as_ref()).expect("a manifest").levels;
        let known = object(&levels[1]);
        assert!(known["largest"].is_u64() && known["cpu_seconds"].is_f64());
        assert!(!table(&levels).to_string().contains('?'));
        // As made from the headers of the levels.
        levels[1].program = String::new();
        (levels[1].largest, levels[1].cpu_milliseconds) = (0, 0);
        let unknown = object(&levels[1]);
        for key in ["program", "largest", "cpu_seconds"] {
            assert!(unknown[key].is_null(), "{key}");
        }
        assert_eq!(table(&levels).to_string().matches('?').count(), 3);
    }
}
