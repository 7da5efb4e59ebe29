//! The levels of a database as a table, and as objects.

use comfy_table::Table;
use serde_json::{Value, json};
use setrograde::grouped;
use setrograde_cards::LargeCount;
use setrograde_lookup::format::manifest::LevelRecord;

use super::tables::{headed, right};

/// A level as an object.
pub fn object(level: &LevelRecord) -> Value {
    let mut object = json!({
        "cards": 4 * level.level,
        "method": level.method,
        "program": level.program,
        "partitions": level.partitions,
        "states": LargeCount(level.states),
        "sets": level.sets,
        "nodes": level.nodes,
        "largest": level.largest,
        "bytes": level.bytes,
        "cpu_seconds": level.cpu_milliseconds as f64 / 1e3,
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
    for level in levels {
        table.add_row(
            [
                (4 * level.level).to_string(),
                grouped(level.partitions),
                grouped(level.states),
                grouped(level.sets),
                grouped(level.nodes),
                grouped(level.largest),
                grouped(level.bytes),
                ratio(level.states, level.bytes),
                seconds(level.cpu_milliseconds),
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
            seconds(sum(|level| level.cpu_milliseconds)),
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
