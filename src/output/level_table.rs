//! The levels of a database as a table, and as objects.

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
    let if_known = |level, text| {
        if is_work_known(level) {
            text
        } else {
            "?".to_owned()
        }
    };
    for level in levels {
        table.add_row(
            [
                (4 * level.level).to_string(),
                grouped(level.partitions),
                grouped(level.states),
                grouped(level.sets),
                grouped(level.nodes),
                if_known(level, grouped(level.largest)),
                grouped(level.bytes),
                ratio(level.states, level.bytes),
                if_known(level, seconds(level.cpu_milliseconds)),
            ]
            .map(right),
        );
    }
    let sum = |field: fn(&LevelRecord) -> u64| levels.iter().map(field).sum::<u64>();
    let states: u128 = levels.iter().map(|level| level.states).sum();
    table.add_row(
        [
            "all".to_owned(),
            grouped(sum(|level| level.partitions)),
            grouped(states),
            grouped(sum(|level| level.sets)),
            grouped(sum(|level| level.nodes)),
            String::new(),
            grouped(sum(|level| level.bytes)),
            ratio(states, sum(|level| level.bytes)),
            if levels.iter().all(is_work_known) {
                seconds(sum(|level| level.cpu_milliseconds))
            } else {
                "?".to_owned()
            },
        ]
        .map(right),
    );
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

fn seconds(milliseconds: u64) -> String {
    format!("{:.2}", milliseconds as f64 / 1e3)
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
